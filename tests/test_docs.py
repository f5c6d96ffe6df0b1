"""The documentation is executed: its sheets are checked and played, its commands run, its examples put into a sheet.

A fenced block says by its first line what it is:

- `yaml sheet`: a whole sheet; it is written to ID.yaml, checks without errors and warnings, and is played.
- `yaml fragment ID`: lines of a sheet that extends ID, which is bundled or stands earlier on the page.
- `yaml change ID`: the same, and later changes of ID lie over it.
- `yaml scenario`: a scenario file of a sheet of the page; it is written to SHEET.test.yaml and passes.
- `yaml prelude`: `rulespec/standard.yaml`, word for word.
- `console`: commands behind `$ ` and what they print; what stands behind the prompt of a game is said to it.
- `python`: a program; it runs.
- `text`: anything else.

Comments before a table or a block:

- `<!-- examples at PATH of ID; PATH: VALUE -->`: every example of the last column named "example" (else of the first
  column) is a phrase at PATH of a sheet that extends ID, further lines beside it.
- `<!-- typo in FILE: OLD => NEW -->`: the commands below see the file with this mistake.

Each rule of the cookbook has scenarios in `tests/data/cookbook`, which hold with the rule and not without it.

`python -m tests.test_docs` writes what the commands print now into the pages.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main as command_line
from interpreter.compiler import compile_sheet
from interpreter.compiler.source import lines_of
from interpreter.game import Game
from interpreter.view import UNSEEN
from rulespec import parser, scenario_shape, schema, vocabulary
from rulespec.checker import check
from rulespec.diagnostics import one_line
from rulespec.inheritance import resolve
from rulespec.loader import check_file
from rulespec.shape import check_shape
from rulespec.shelf import open_path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
VARIANTS = ROOT / "variants"
OTHERS = {"checks.md"}
"""Pages with tests of their own; only their links are looked at here."""
PAGES = sorted(path.name for path in DOCS.glob("*.md") if path.name not in OTHERS)
PLAYING = ("simulate", "compare", "tune")
"""Commands that play games; what they print holds figures that no test should know."""
WIDE = {"COLUMNS": "80"}
"""The terminal that the pages are written for."""
KINDS = {"yaml sheet", "yaml fragment", "yaml change", "yaml scenario", "yaml prelude", "console", "python", "text"}


# ------------------------------------------------------------ reading a page


@dataclass(frozen=True)
class Block:
    """A fenced block: `kind` without its argument, `line` of its first fence, the comment on the line before."""

    page: str
    line: int
    kind: str
    argument: str
    text: str
    comment: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read_blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    found = []
    lines = (DOCS / page).read_text(encoding="utf-8").split("\n")
    start = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start is None:
            start = number
            continue
        words = lines[start][3:].split()
        kind, argument = " ".join(words[:2]), " ".join(words[2:])
        before = lines[start - 1] if start else ""
        text = "\n".join(lines[start + 1 : number]) + "\n"
        found.append(Block(page, start + 1, kind, argument, text, before if before.startswith("<!--") else ""))
        start = None
    assert start is None, f"{page}: a block is not closed"
    return found


@dataclass(frozen=True)
class Example:
    """A phrase from a table, the sheet and path it belongs to, and lines that go with it."""

    page: str
    table: int
    """The line of the comment."""
    line: int
    phrase: str
    path: str
    base: str
    beside: tuple[tuple[str, str], ...]

    def sheet(self) -> str:
        """A sheet that extends the base and holds the phrase."""
        lines = lines_of(((self.path, self.phrase), *self.beside))
        return f"rulespec: 1\nid: example\nextends: {self.base}\n{lines}"


EXAMPLES = re.compile(r"<!-- examples at (\S+) of (\S+?)(?:; (.*))? -->")


def read_examples(page: str) -> list[Example]:
    """The phrases of all tables with a comment that says where they belong."""
    found = []
    lines = (DOCS / page).read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        marker = EXAMPLES.fullmatch(line)
        if marker is None:
            continue
        path, base, more = marker.groups()
        beside = tuple((item.split(": ", 1)[0], item.split(": ", 1)[1]) for item in (more or "").split("; ") if item)
        heads = _cells(lines[number + 1])
        column = heads.index("example") if "example" in heads else 0
        row = number + 3
        while lines[row].startswith("|"):
            phrases = re.findall(r"`([^`]+)`", _cells(lines[row])[column])
            found += [Example(page, number + 1, row + 1, phrase, path, base, beside) for phrase in phrases]
            row += 1
        assert row > number + 3, f"{page}:{number + 1}: no table follows"
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def blocks(*kinds: str) -> list[Block]:
    """The blocks of these kinds of all pages."""
    return [block for page in PAGES for block in read_blocks(page) if block.kind in kinds]


# ------------------------------------------------------------ the files a reader has saved


class Folder:
    """The folder of somebody who works through a page."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tips: dict[str, str] = {}
        """By id of a sheet, the id of its last change."""

    def save(self, block: Block) -> Path | None:
        """Write the file a block stands for, and say where; None if it stands for none."""
        if block.kind == "yaml sheet":
            name = _head(block.text, "id")
            self.tips.pop(name, None)
            return self._write(f"{name}.yaml", block.text)
        if block.kind == "yaml scenario":
            return self._write(f"{_head(block.text, 'sheet')}.test.yaml", block.text)
        if block.kind in ("yaml fragment", "yaml change"):
            base = self.tips.get(block.argument, block.argument)
            name = f"line-{block.line}"
            if block.kind == "yaml change":
                self.tips[block.argument] = name
            return self._write(f"{name}.yaml", f"rulespec: 1\nid: {name}\nextends: {base}\n{block.text}")
        return None

    def save_all_before(self, page: str, line: int) -> None:
        """Write the files of all blocks of a page above a line."""
        for block in read_blocks(page):
            if block.line < line:
                self.save(block)

    def _write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.write_text(text, encoding="utf-8")
        return path

    @contextlib.contextmanager
    def typo(self, comment: str) -> Iterator[None]:
        """The folder with the mistake that a comment asks for."""
        marker = re.fullmatch(r"<!-- typo in (\S+): (.+) => (.+) -->", comment)
        if marker is None:
            yield
            return
        path, old, new = self.path / marker[1], marker[2], marker[3]
        good = path.read_text(encoding="utf-8")
        assert old in good, f"{marker[1]} does not hold {old!r}"
        path.write_text(good.replace(old, new, 1), encoding="utf-8")
        yield
        path.write_text(good, encoding="utf-8")


def _head(text: str, key: str) -> str:
    found = re.search(rf"^{key}: (\S+)$", text, re.MULTILINE)
    assert found is not None, f"no {key}: in\n{text}"
    return found[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)


def problems(path: Path) -> list[str]:
    """Errors and warnings about a sheet; questions are the author's to answer."""
    return [one_line(d) for d in check_file(str(path)).diagnostics if d.severity != "question"]


def mistakes(path: Path) -> list[str]:
    """What is wrong with the phrases of a sheet, whatever they make of the game."""
    resolved = resolve(*open_path(path, path.name))
    assert resolved is not None
    written, found = check_shape(resolved.tree, resolved.complete)
    assert written is not None
    _, more = check(written, resolved.ancestors, "")
    return [one_line(d) for d in (*resolved.diagnostics, *found, *more)]


# ------------------------------------------------------------ tests


@pytest.mark.parametrize("block", blocks("yaml sheet", "yaml fragment", "yaml change"), ids=str)
def test_sheets_are_right(block: Block, folder: Folder) -> None:
    folder.save_all_before(block.page, block.line)
    path = folder.save(block)
    assert path is not None
    assert problems(path) == []


@pytest.mark.parametrize("block", [b for b in blocks("yaml sheet") if "\nabstract: yes" not in b.text], ids=str)
def test_sheets_can_be_played(block: Block, folder: Folder) -> None:
    folder.save_all_before(block.page, block.line)
    path = folder.save(block)
    result = CliRunner().invoke(
        command_line, ["simulate", str(path), "--games", "1", "--workers", "1", "--format", "json"]
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["capped"], report["defects"]) == (0, {})


@pytest.mark.parametrize("block", blocks("yaml scenario"), ids=str)
def test_scenarios_pass(block: Block, folder: Folder) -> None:
    folder.save_all_before(block.page, block.line)
    path = folder.save(block)
    result = CliRunner().invoke(command_line, ["test", str(path)])
    assert result.exit_code == 0, result.output


# ------------------------------------------------------------ the family and the cookbook


def test_what_the_family_page_quotes_stands_in_the_sheets() -> None:
    rows = [_cells(line) for line in (DOCS / "family.md").read_text(encoding="utf-8").split("\n")]
    quoted = [
        (row[2].strip("`"), row[3]) for row in rows if len(row) == 4 and row[1].isdigit() and row[2].startswith("`")
    ]
    assert len(quoted) > 80
    where = {name: DOCS / "cookbook.md" if name == "cookbook" else VARIANTS / f"{name}.yaml" for _, name in quoted}
    assert [(text, name) for text, name in quoted if text not in where[name].read_text(encoding="utf-8")] == []


RULES = {_head(block.text, "id"): block for block in blocks("yaml sheet") if block.page == "cookbook.md"}
CASES = {path.name.removesuffix(".test.yaml"): path for path in (ROOT / "tests/data/cookbook").glob("*.test.yaml")}
OF_SIGHT = {"closed-pile"}
"""Rules about what is seen, of which no scenario can speak; each has a test of its own."""


def test_the_cookbook_holds_forty_rules_and_each_has_its_scenarios() -> None:
    assert len(RULES) >= 40
    assert sorted(RULES.keys() - OF_SIGHT) == sorted(CASES)


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_of_the_cookbook_does_what_it_says(rule: str, folder: Folder) -> None:
    folder.save(RULES[rule])
    (folder.path / CASES[rule].name).write_bytes(CASES[rule].read_bytes())
    result = CliRunner().invoke(command_line, ["test", CASES[rule].name])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("rule", sorted(CASES))
def test_the_scenarios_of_a_rule_fail_without_it(rule: str, folder: Folder) -> None:
    plain = f"rulespec: 1\nid: {rule}\nextends: {_head(RULES[rule].text, 'extends')}\nname: {{en: without the rule}}\n"
    (folder.path / f"{rule}.yaml").write_text(plain, encoding="utf-8")
    (folder.path / CASES[rule].name).write_bytes(CASES[rule].read_bytes())
    result = CliRunner().invoke(command_line, ["test", CASES[rule].name])
    assert result.exit_code == 1, "these scenarios hold without the rule, so they do not show it"


def test_a_closed_pile_shows_its_top_card_only(folder: Folder) -> None:
    closed = folder.save(RULES["closed-pile"])
    assert closed is not None
    plain = VARIANTS / f"{_head(RULES['closed-pile'].text, 'extends')}.yaml"
    assert [seen_of_three_discards(path) for path in (closed, plain)] == [[False, False, True], [True, True, True]]


def seen_of_three_discards(path: Path) -> list[bool]:
    """Of the card turned up and two discarded ones, which of them a third player still sees."""
    sheet = check_file(str(path)).sheet
    assert sheet is not None
    game = Game(compile_sheet(sheet, 3, {}), "pile", 0)
    for name in ("draw", "discard", "draw", "discard"):
        assert game.to_act is not None
        game.play(next(game.view(game.to_act).legal_moves.of(game.program.move_index(name))))
    pile = next(zone.slot for zone in game.program.zones if zone.name == "discards")
    return [card != UNSEEN for card in game.view(2).piles[pile]]


TABLES = {f"{e.page}:{e.table}": e.table for page in PAGES for e in read_examples(page)}


@pytest.mark.parametrize("table", TABLES)
def test_examples_are_right(table: str, folder: Folder) -> None:
    page = table.partition(":")[0]
    folder.save_all_before(page, sys.maxsize)
    wrong = {}
    for example in read_examples(page):
        if example.table == TABLES[table]:
            path = folder.path / "example.yaml"
            path.write_text(example.sheet(), encoding="utf-8")
            if found := mistakes(path):
                wrong[f"{page}:{example.line} {example.phrase}"] = found
    assert wrong == {}


def test_most_tables_hold_examples() -> None:
    assert len(TABLES) > 25


def run_commands(block: Block, folder: Folder) -> str:
    """The block with what its commands print now."""
    printed = ""
    with folder.typo(block.comment):
        for line in block.text.splitlines():
            if line.startswith("$ "):
                program, *arguments = shlex.split(line[2:])
                assert program == "rulespec"
                if arguments[0] in PLAYING:
                    arguments += ["--workers", "1"]
                output = CliRunner().invoke(command_line, arguments, input=said_in(block), env=WIDE).stdout
                printed += f"{line}\n" + (f"{output.rstrip()}\n" if output.strip() else "")
    return printed


def said_in(block: Block) -> str:
    """What a person says at the prompts that a block shows."""
    return "".join(f"{said}\n" for said in re.findall(r"^(?:rebuild)?> (.*)$", block.text, re.MULTILINE))


def masked(text: str) -> str:
    """A console block without the figures of games, which differ between computers and versions."""
    played = any(f"$ rulespec {command}" in text for command in PLAYING)
    return re.sub(r"\b[0-9a-f]{12}\b|[-+]?[\d.]+|#+| {2,}| \*$", "#", text, flags=re.MULTILINE) if played else text


@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_commands_print_what_the_page_shows(block: Block, folder: Folder) -> None:
    folder.save_all_before(block.page, block.line)
    assert masked(run_commands(block, folder)) == masked(block.text)


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_programs_run(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block.text, str(block), "exec"), {})
    assert "Outcome(" in capsys.readouterr().out


def test_every_block_is_of_a_known_kind() -> None:
    unknown = [f"{b}: {b.kind!r}" for page in PAGES for b in read_blocks(page) if b.kind not in KINDS]
    assert unknown == []


def test_prelude_is_shown_word_for_word() -> None:
    shown = [block.text for block in read_blocks("language.md") if block.kind == "yaml prelude"]
    assert shown == [(ROOT / "rulespec" / "standard.yaml").read_text(encoding="utf-8")]


def test_the_reference_says_whether_rearranging_is_played(folder: Folder) -> None:
    folder.save_all_before("language.md", sys.maxsize)
    text = "rulespec: 1\nid: rebuilt\nextends: seven\nturn: (draw or take) then may play then discard\n"
    (folder.path / "rebuilt.yaml").write_text(text, encoding="utf-8")
    arguments = ["simulate", "rebuilt.yaml", "--games", "1", "--workers", "1"]
    played = CliRunner().invoke(command_line, arguments).exit_code == 0
    said = "Not played yet" not in (DOCS / "language.md").read_text(encoding="utf-8")
    assert played == said, "section 11 of docs/language.md no longer tells what the engine does"


def _keys(model: type[schema.Raw]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if name not in ("span", model.rest):
            yield field.alias or name


def test_every_key_of_a_sheet_is_described() -> None:
    models = [m for m in vars(schema).values() if isinstance(m, type) and issubclass(m, schema.Raw)]
    keys = {key for model in models for key in _keys(model)}
    assert len(keys) > 60
    assert sorted(key for key in keys if not _has_word(_first_cells("language.md"), key)) == []


def test_every_word_of_the_vocabulary_is_described() -> None:
    assert sorted(word for word in vocabulary.RESERVED if not _described(word)) == []


def test_every_word_of_the_grammar_is_described() -> None:
    assert sorted(word for word in parser.keywords() if not _described(word)) == []


def test_every_key_of_a_scenario_is_described() -> None:
    models = (scenario_shape.RawCase, scenario_shape.RawAfter, scenario_shape.RawEnds, scenario_shape.RawShows)
    keys = {key for model in models for key in _keys(model)}
    assert len(keys) > 30
    assert sorted(key for key in keys if not _has_word(_code("scenarios.md"), key)) == []


def _described(word: str) -> bool:
    """Whether a word stands as code in the reference, outside blocks."""
    return _has_word(_code("language.md"), word)


@cache
def _code(page: str) -> str:
    text = re.sub(r"^```.*?^```$", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return " ".join(re.findall(r"`([^`\n]+)`", text))


@cache
def _first_cells(page: str) -> str:
    """What stands as code in the first column of the tables of a page."""
    lines = (DOCS / page).read_text(encoding="utf-8").split("\n")
    cells = [_cells(line)[0] for line in lines if line.startswith("|")]
    return " ".join(word for cell in cells for word in re.findall(r"`([^`]+)`", cell))


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _anchors(path: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", sorted({*PAGES, *(name for name in OTHERS if (DOCS / name).exists())}))
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http:", "https:")):
            continue
        name, _, anchor = target.partition("#")
        path = (DOCS / name) if name else DOCS / page
        if not path.exists() or (anchor and anchor not in _anchors(path)):
            dead.append(target)
    assert dead == []


@pytest.mark.parametrize("page", PAGES)
def test_files_named_exist(page: str) -> None:
    """In code, what looks like a file of the project is one."""
    text = (DOCS / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:rulespec|interpreter|variants|tests|docs|benchmarks)/[\w./-]+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_no_machine(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert re.findall(r"(?<![\w.])/(?:work|tmp|home|root|Users)\b\S*", text) == []


def rewrite() -> None:
    """Put what the commands print now into the pages."""
    for page in PAGES:
        for number in range(len(read_blocks(page))):
            block = read_blocks(page)[number]
            if block.kind == "console":
                with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
                    folder = Folder(Path(name))
                    folder.save_all_before(page, block.line)
                    new = run_commands(block, folder)
                if masked(new) == masked(block.text):
                    continue
                lines = (DOCS / page).read_text(encoding="utf-8").split("\n")
                lines[block.line : block.line + block.text.count("\n")] = new.rstrip("\n").split("\n")
                (DOCS / page).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
