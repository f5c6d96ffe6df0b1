"""What holds for the whole project: directions of imports, no game in the engine, all files packed, a true README."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import cli
from interpreter import flow, melds, table_solver
from interpreter.version import VERSION
from rulespec.loader import check_text
from rulespec.reader import MapNode, read_bytes

ROOT = Path(__file__).resolve().parent.parent
VARIANTS = sorted(path for path in (ROOT / "variants").glob("*.yaml") if not path.name.endswith(".test.yaml"))
ENGINE = sorted((ROOT / "interpreter").rglob("*.py"))


# ------------------------------------------------------------ imports


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    call = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", call, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_imports_go_one_way() -> None:
    done = lint_imports(ROOT)

    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("rulespec/planted.py", "import interpreter.pack", "never the other way round BROKEN"),
        ("interpreter/planted.py", "from rulespec.model import Range", "only the compiler sees the language BROKEN"),
        ("interpreter/planted.py", "import click", "or talks to a terminal BROKEN"),
        ("rulespec/planted.py", "import cli", "or talks to a terminal BROKEN"),
        ("interpreter/planted.py", "import pydantic", "on the standard library alone BROKEN"),
    ],
)
def test_a_planted_wrong_import_is_caught(tmp_path: Path, file: str, line: str, broken: str) -> None:
    for package in ("rulespec", "interpreter", "tabletop"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / file).write_text(f"{line}\n", encoding="utf-8")
    done = lint_imports(tmp_path)

    assert done.returncode == 1
    assert broken in done.stdout


# ------------------------------------------------------------ no game in the engine

GENERIC = {
    "500",
    "and",
    "basic",
    "contract",
    "deal",
    "family",
    "foot",
    "hand",
    "knock",
    "one",
    "rearranging",
    "rum",
    "rummy",
}
"""Ids, and parts of ids, that are ordinary words of the card table."""


def names_of_games() -> set[str]:
    """Ids of the bundled variants, and the parts of them that name a game."""
    ids = {path.stem for path in VARIANTS} - GENERIC
    return ids | {part for name in ids for part in name.split("-") if part not in GENERIC}


def keys(node: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every key of a sheet with the path to its map."""
    if isinstance(node, MapNode):
        for key, value in node.entries.items():
            yield path, str(key)
            yield from keys(value, (*path, str(key)))


HOMONYMS = {
    "allowed": "what a condition did to a move, in the report of scenarios",
    "cut": "answers that a bound cut short",
    "dead": "positions from which a turn cannot be finished",
    "deals": "how many deals a comparison played",
    "drawn": "how a game ended, in a record",
    "dig": "an action of the language: take a card and all above it",
    "pile": "cards that a whole table may have for nothing",
    "refused": "what a condition did to a move, in the report of scenarios",
    "seconds": "how long a simulation took",
    "owed": "groups that a search still has to find",
    "set": "an action of the language: give a tally a number",
    "target": "what a measure is to reach",
    "shown": "cards of a hand that the others know",
    "unfinished": "why a move is refused: the turn could not be ended after it",
    "way": "what is done at each rank of a whole table",
}
"""Strings of the engine that mean something else than the word of the same letters in a bundled sheet."""

DECLARING = re.compile(r"(options|tables|tallies|define/\w+|zones|melds|moves|phases|round/endings|round/extra-turns)")


def declared(path: Path) -> set[str]:
    """Names that a sheet declares."""
    tree = read_bytes(path.read_bytes(), path.name).tree
    found = {key for parents, key in keys(tree) if DECLARING.fullmatch("/".join(parents))}
    return {name.split(" by ")[0] for name in found} - {"every"}  # a key of the language, not a name


def string_constants(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a module with their lines, docstrings apart."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.lineno, node.value


def test_the_engine_names_no_game() -> None:
    named = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, names_of_games())))})(?![\w-])", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in ENGINE
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in named.finditer(line.replace("_", "-"))
    ]

    assert VARIANTS
    assert found == []


def test_the_engine_knows_no_word_that_only_a_variant_declares() -> None:
    common = declared(ROOT / "rulespec" / "standard.yaml")
    words = {word for path in VARIANTS for word in declared(path)} - common
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text!r}"
        for path in ENGINE
        for line, text in string_constants(path)
        if text in words - HOMONYMS.keys()
    ]

    assert {"knock", "hand-rummy", "knock-limit"} <= words
    assert common
    assert found == []


def test_the_search_for_words_finds_one(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text('"""knock"""\n\nif move.name == "knock":\n    pass\n', encoding="utf-8")

    assert list(string_constants(planted)) == [(3, "knock")]


# ------------------------------------------------------------ packing


def test_every_file_is_packed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    packed = {
        file
        for package, patterns in settings["package-data"].items()
        for pattern in patterns
        for file in (ROOT / package).glob(pattern)
    }
    files = [
        file
        for package in ("rulespec", "interpreter", "variants")
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]

    assert [file for file in files if file.suffix != ".py" and file not in packed] == []
    assert [file for file in files if file.suffix == ".py" and not file.with_name("__init__.py").exists()] == []


def test_the_version_is_said_once() -> None:
    assert importlib.metadata.version("rulespec") == VERSION


def test_the_command_says_whether_the_core_is_compiled() -> None:
    said = CliRunner().invoke(cli.main, ["--version"]).stdout
    suffixes = {Path(str(module.__file__)).suffix for module in (melds, flow, table_solver)}

    assert said == f"rulespec {VERSION} ({'plain Python' if suffixes == {'.py'} else 'compiled'})\n"
    assert len(suffixes) == 1


def test_the_compiled_core_imports_nothing_of_the_engine_that_is_not_compiled() -> None:
    """A call between what is compiled and what is not costs more than it saves; outside stay exceptions, what runs only
    when a sheet is compiled, and what the compiler of the core is told."""
    outside = {"errors", "native", "compiler.slots"}
    listed = re.search(r"CORE = \((.*?)\)", (ROOT / "setup.py").read_text(encoding="utf-8"), re.S)
    assert listed is not None
    core = {name.replace("/", ".") for name in re.findall(r'"([\w/]+)"', listed[1])}
    assert "compiler.expressions" in core
    for name in core:
        tree = ast.parse((ROOT / "interpreter" / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8"))
        modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        inside = {module.removeprefix("interpreter.") for module in modules if module.startswith("interpreter.")}
        assert inside <= core | outside, name


# ------------------------------------------------------------ what people read


MAIN_JOB = "rulespec simulate romme-playgridia --players 4 --games 100 --seed 1"


def readme_blocks(kind: str) -> list[str]:
    """The code blocks of the README with this word behind their fence."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The lines of the README's code blocks that call `rulespec`."""
    lines = [line.split("#")[0].strip() for block in readme_blocks("sh") for line in block.splitlines()]
    return [line.removeprefix(".venv/bin/") for line in lines if "rulespec " in line]


def test_the_commands_of_the_readme_are_understood() -> None:
    for command in commands():
        words = shlex.split(command)
        context = cli.main.make_context("rulespec", words[1:2])
        _, found, _ = cli.main.resolve_command(context, words[1:2])
        assert found is not None, command
        found.make_context(words[1], words[2:], parent=context)

    assert MAIN_JOB in commands()


def without_speed(report: str) -> list[str]:
    return [line.rstrip() for line in report.splitlines() if "games a second" not in line]


def main_job() -> str:
    return CliRunner().invoke(cli.main, shlex.split(MAIN_JOB)[1:]).stdout


def test_the_report_in_the_readme_is_what_comes_out() -> None:
    (shown,) = readme_blocks("text")

    assert without_speed(shown) == without_speed(main_job()), "`python -m tests.test_project` writes the present one"


def test_the_sheets_of_the_readme_are_true() -> None:
    fragment, house_rule = readme_blocks("yaml")
    gin = [line.split("#")[0].rstrip() for line in (ROOT / "variants" / "gin.yaml").read_text("utf-8").splitlines()]
    checked = check_text(house_rule)

    assert [line for line in fragment.splitlines() if line not in gin] == []
    assert checked.sheet is not None
    assert checked.diagnostics == ()


def test_the_pages_the_readme_names_are_there() -> None:
    named = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))

    assert named
    assert [page for page in named if not (ROOT / page).is_file()] == []


def test_the_files_that_contributing_names_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:rulespec|interpreter|tests|\.ci)/[\w./]*)`", text)

    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_ci_does_what_the_readme_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    for said in ("pip install -e '.[dev]'", "python -m tests"):
        assert said in readme
    assert "install --quiet -e '.[dev]'" in script
    assert 'python" -m tests' in script


@pytest.mark.parametrize("name", sorted(cli.main.commands))
def test_every_command_helps_with_an_example(name: str) -> None:
    command = cli.main.commands[name]
    text = command.get_help(click.Context(command, info_name=name))

    assert f"rulespec {name} " in text[text.index("Example: ") :]


if __name__ == "__main__":
    page = ROOT / "README.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(readme_blocks("text")[0], main_job()), encoding="utf-8")
