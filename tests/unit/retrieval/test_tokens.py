"""The one tokenizer."""

import pytest

from oncall_tui.retrieval.tokens import is_identifier, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("redis_blocked_clients", ["redis_blocked_clients", "redis", "blocked", "clients"]),
        ("KubePodCrashLooping", ["kubepodcrashlooping", "kube", "pod", "crash", "looping"]),
        ("ERR_CONN_TIMEOUT", ["err_conn_timeout", "err", "conn", "timeout"]),
        ("nginx.conf", ["nginx.conf", "nginx", "conf"]),
        ("/etc/nginx/nginx.conf", ["etc/nginx/nginx.conf", "etc", "nginx", "nginx.conf", "conf"]),
        ("db-1:6379", ["db-1:6379", "db-1", "6379", "db", "1"]),
        ("--dry-run", ["--dry-run", "dry-run", "dry", "run"]),
        ("-f", ["-f", "f"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("OOMKilled", ["oomkilled", "oom", "killed"]),
        ("503", ["503"]),
        ("10.0.0.1", ["10.0.0.1", "10", "0", "1"]),
    ],
)
def test_an_identifier_is_kept_whole_and_split(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_a_flag_is_found_with_and_without_its_dashes() -> None:
    assert {"--dry-run", "dry-run"} <= set(tokenize("kubectl apply --dry-run"))
    assert "dry-run" in tokenize("dry-run")


@pytest.mark.parametrize("question", ["redis blocked clients", "redis_blocked_clients", "Redis blocked-clients?"])
def test_a_metric_is_found_by_its_words(question: str) -> None:
    assert {"redis", "blocked", "clients"} <= set(tokenize(question))


@pytest.mark.parametrize(
    "text", ["(redis)", "`redis`", "**redis**", '"redis",', "redis.", "redis:", "redis!", "[redis](x)"]
)
def test_the_punctuation_around_a_word_does_not_hide_it(text: str) -> None:
    assert tokenize(text)[0] == "redis"


@pytest.mark.parametrize("word", ["no", "not", "without", "vs", "/"])
def test_words_that_turn_a_sentence_round_are_kept(word: str) -> None:
    assert word in tokenize(f"restart {word} drain")


def test_a_slash_between_words_joins_them() -> None:
    assert tokenize("and/or") == ["and/or", "and", "or"]


def test_chinese_is_found_by_characters_and_pairs() -> None:
    assert tokenize("磁盘满") == ["磁", "盘", "满", "磁盘", "盘满"]


def test_japanese_and_korean_are_found_by_characters_and_pairs() -> None:
    assert "再起" in tokenize("再起動する")
    assert "서버" in tokenize("서버를")


def test_a_single_ideograph_has_no_pair() -> None:
    assert tokenize("满") == ["满"]


def test_a_word_inside_chinese_text_is_a_token() -> None:
    assert tokenize("重启redis服务") == ["重", "启", "重启", "redis", "服", "务", "服务"]


@pytest.mark.parametrize("text", ["Café", "CAFÉ", "cafe", "ＣＡＦＥ"])
def test_case_accents_and_width_do_not_count(text: str) -> None:
    assert tokenize(text) == ["cafe"]


@pytest.mark.parametrize("text", ["Ошибка", "σφάλμα", "שגיאה", "खराब"])
def test_words_of_other_scripts_are_one_token(text: str) -> None:
    assert len(tokenize(text)) == 1


def test_a_repeated_word_is_counted_each_time() -> None:
    assert tokenize("disk disk Disk") == ["disk"] * 3


def test_a_part_that_stands_twice_in_one_identifier_is_counted_once() -> None:
    assert tokenize("nginx/nginx").count("nginx") == 1


@pytest.mark.parametrize("text", ["", " \n\t", "…", "!?", "---", "///", "😀", "* * *"])
def test_text_without_words_has_no_tokens(text: str) -> None:
    assert tokenize(text) == []


def test_an_embedded_image_does_not_fill_the_index() -> None:
    assert max(map(len, tokenize("data:image/png;base64," + "QUJD" * 5000))) <= 200


@pytest.mark.parametrize(
    "token",
    ["redis_blocked_clients", "nginx.conf", "--dry-run", "-f", "db-1:6379", "node1", "10.0.0.1", "etc/nginx", "a=b"],
)
def test_a_name_that_people_copy_is_an_identifier(token: str) -> None:
    assert is_identifier(token)


@pytest.mark.parametrize("token", ["redis", "503", "磁盘", "/", "a"])
def test_a_word_that_people_say_is_no_identifier(token: str) -> None:
    assert not is_identifier(token)
