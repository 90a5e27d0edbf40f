"""What has to change in the index."""

from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.index.plan import Plan, compare


def test_a_file_that_the_index_does_not_know_is_added() -> None:
    assert compare({}, {"a": "1"}) == Plan(added=("a",))


def test_a_file_with_another_fingerprint_is_changed() -> None:
    assert compare({"a": "1"}, {"a": "2"}) == Plan(changed=("a",))


def test_a_file_with_the_same_fingerprint_is_left_alone() -> None:
    assert compare({"a": "1"}, {"a": "1"}) == Plan(unchanged=("a",))


def test_a_file_that_is_gone_is_removed() -> None:
    assert compare({"a": "1"}, {}) == Plan(removed=("a",))


def test_a_file_that_is_kept_is_unchanged_though_it_was_not_found() -> None:
    assert compare({"a": "1", "b": "1"}, {}, kept=["a"]) == Plan(removed=("b",), unchanged=("a",))


def test_a_kept_file_that_the_index_never_had_is_nothing() -> None:
    assert compare({}, {}, kept=["a"]) == Plan()


def test_a_moved_file_is_removed_at_its_old_place_and_added_at_its_new_one() -> None:
    assert compare({"a": "1"}, {"b": "1"}) == Plan(added=("b",), removed=("a",))


def test_a_plan_is_empty_if_everything_is_unchanged() -> None:
    assert compare({"a": "1"}, {"a": "1"}).is_empty
    assert not compare({"a": "1"}, {"a": "2"}).is_empty


def test_keys_come_in_order_whatever_the_order_on_disk() -> None:
    assert compare({}, {"c": "", "a": "", "b": ""}).added == ("a", "b", "c")


_files = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"))


@given(_files, _files, st.sets(st.sampled_from("abcdef")))
def test_every_key_has_one_fate_and_only_one(known: dict[str, str], found: dict[str, str], away: set[str]) -> None:
    plan = compare(known, found, away - found.keys())
    fates = [*plan.added, *plan.changed, *plan.removed, *plan.unchanged]
    assert sorted(fates) == sorted(known.keys() | found.keys())


@given(_files, _files)
def test_after_a_plan_is_carried_out_nothing_is_left_to_do(known: dict[str, str], found: dict[str, str]) -> None:
    plan = compare(known, found)
    after = {key: known[key] for key in plan.unchanged} | {key: found[key] for key in (*plan.added, *plan.changed)}
    assert after == found
