"""The analysis of whole sheets, and every message of the checker, held by goldens and by the page about them.

`tests/golden/check/ok/*.yaml` are sheets about which there is nothing to say. Each file of `tests/golden/check/err`
begins with comments `# CODE at "TEXT"`, one for each diagnostic in order: what is to be found, and the characters it
points at. `NAME.out` holds the whole messages, and the page `docs/checks.md` shows them. Files without such comments
are there to be extended.

`python -m tests.rulespec.test_checks` writes the messages anew; what they point at is written by hand.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from interpreter.compiler import compile_sheet
from interpreter.game import Game
from rulespec import loader
from rulespec.diagnostics import CODES, Diagnostic, pretty, visible
from rulespec.loader import bundled, check_file, load
from rulespec.reasoning.study import Study
from rulespec.scenarios import check_scenarios
from rulespec.source import SourceFile

ROOT = Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden" / "check"
PAGE = ROOT / "docs" / "checks.md"

OTHERWISE = {"no-scenarios", "abstract-sheet"}
"""Codes of what no single file can show: tests of the scenarios and the loader hold them."""

EXPECTED = re.compile(r'# ([a-z-]+) at "(.*)"')


def found_in(path: Path) -> tuple[list[Diagnostic], dict[str, SourceFile]]:
    """What is told of a sheet or scenario file, named without its folder."""
    if path.name.endswith(".test.yaml"):
        scenarios = check_scenarios(path.name)
        return list(scenarios.diagnostics), dict(scenarios.sources)
    checked = check_file(path.name)
    return list(checked.diagnostics), checked.sources


def expected_in(path: Path) -> list[tuple[str, str]]:
    """Codes and texts from the comments at its beginning."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [(match[1], match[2]) for line in lines if (match := EXPECTED.fullmatch(line))]


def messages(found: list[Diagnostic], sources: dict[str, SourceFile]) -> str:
    return "".join(f"{d.severity}: {pretty(d, sources)}\n" for d in found)


def pointed_at(diagnostic: Diagnostic, sources: dict[str, SourceFile]) -> str:
    span = diagnostic.span
    return visible(sources[span.file].line(span.line)[span.column - 1 : span.end_column - 1])


WRONG = sorted(path for path in (GOLDEN / "err").glob("*.yaml") if expected_in(path))
HELPERS = sorted(path for path in (GOLDEN / "err").glob("*.yaml") if not expected_in(path))
RIGHT = sorted((GOLDEN / "ok").glob("*.yaml"))


def name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", WRONG, ids=name)
def test_a_mistake_is_told_where_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    found, sources = found_in(path)
    assert [(d.code, pointed_at(d, sources)) for d in found] == expected_in(path)
    assert messages(found, sources) == path.with_suffix(".out").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*RIGHT, *HELPERS], ids=name)
def test_there_is_nothing_to_say_of_a_sound_sheet(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    found, sources = found_in(path)
    assert messages(found, sources) == ""


@pytest.mark.parametrize("sheet", bundled())
def test_bundled_sheets_are_at_most_asked_about(sheet: str) -> None:
    assert [d for d in check_file(sheet).diagnostics if d.severity != "question"] == []


def test_every_code_has_a_golden_file() -> None:
    shown = {code for path in WRONG for code, _ in expected_in(path)}
    assert shown == set(CODES) - OTHERWISE


def test_every_message_has_a_file_of_its_own() -> None:
    assert sorted(path.with_suffix(".out") for path in WRONG) == sorted((GOLDEN / "err").glob("*.out"))


# ------------------------------------------------------------ the page

SECTION = re.compile(r"^### `([a-z-]+)`$", re.MULTILINE)
SHOWN = re.compile(r"<!-- (\S+\.yaml) -->\n```text\n(.*?)```", re.DOTALL)


def test_every_code_has_a_section_on_the_page() -> None:
    sections = SECTION.findall(PAGE.read_text(encoding="utf-8"))
    assert sections == list(dict.fromkeys(sections)), "a section stands twice"
    assert set(sections) == set(CODES)


def test_sections_begin_with_what_the_code_means() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"### `{code}`\n\n{meaning[0].upper()}{meaning[1:]}" in page, code


@pytest.mark.parametrize("shown", SHOWN.findall(PAGE.read_text(encoding="utf-8")), ids=lambda shown: str(shown[0]))
def test_the_page_shows_the_messages_as_they_are(shown: tuple[str, str]) -> None:
    file, text = shown
    assert text == (GOLDEN / "err" / file).with_suffix(".out").read_text(encoding="utf-8")


def test_every_section_shows_a_message_of_its_code() -> None:
    parts = SECTION.split(PAGE.read_text(encoding="utf-8"))[1:]
    for code, text in zip(parts[::2], parts[1::2], strict=True):
        assert code in OTHERWISE or f"[{code}]" in text, code


# ------------------------------------------------------------ the story of a round


def test_a_turn_is_followed_through_every_place() -> None:
    """In gin every move of the turn can be made, and each ending can be how a round ends."""
    study = Study(load("gin"))
    (open_game,) = [told.story for told in study.stories if told.options == {"big-gin": True}]
    assert {turn for turn, _ in open_game.made} == {""}
    made = {open_game.turns[""].places[place].move for _, place in open_game.made}
    assert made == {"refuse", "draw", "take", "discard", "knock", "lay-out", "spread", "lay-off"}
    assert set(open_game.holding) == {"knocked", "gin", "big", "dead"}


def test_without_the_option_nobody_lays_out_at_once() -> None:
    study = Study(load("gin"))
    (plain,) = [told.story for told in study.stories if told.options == {"big-gin": False}]
    made = {plain.turns[""].places[place].move for _, place in plain.made}
    assert "lay-out" not in made


@pytest.mark.parametrize("path", [path for path in WRONG if path.name.startswith("dead-end")], ids=name)
def test_a_dead_end_that_is_told_is_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players who draw and discard whenever they can come to a move that is due and not legal."""
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr(loader, "analyse", lambda *_: [])
    sheet = check_file(path.name).sheet
    assert sheet is not None
    program = compile_sheet(sheet, options={option.name: option.values[-1] for option in sheet.options})
    game = Game(program, seed=0)
    while game.to_act is not None and not game.defects and not game.rounds:
        offered = game.offered()
        wanted = next((move for move in ("draw", "discard") if move in offered), offered[0])
        game.play(next(iter(game.legal_moves.of(program.move_index(wanted)))))
    assert "dead end" in " ".join(game.defects)


# ------------------------------------------------------------ writing anew


def _write() -> None:
    os.chdir(GOLDEN / "err")
    for path in WRONG:
        path.with_suffix(".out").write_text(messages(*found_in(path)), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")

    def fresh(match: re.Match[str]) -> str:
        file = match[1]
        return f"<!-- {file} -->\n```text\n{(GOLDEN / 'err' / file).with_suffix('.out').read_text(encoding='utf-8')}```"

    PAGE.write_text(SHOWN.sub(fresh, page), encoding="utf-8")


if __name__ == "__main__":
    _write()
