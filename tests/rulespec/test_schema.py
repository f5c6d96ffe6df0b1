from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from rulespec.diagnostics import Diagnostic, arrange
from rulespec.inheritance import resolve
from rulespec.printing import tree_text, written_text
from rulespec.reader import Text, read_text
from rulespec.schema import Raw, RawSheet
from rulespec.shape import check_shape, fields_of, places_of_keys
from rulespec.shelf import PRELUDE, bundled, find
from rulespec.source import Span

GOOD = """\
rulespec: 1
id: sample
name: {en: Sample}
players: 2
deal:
  hand: 7
melds:
  set:
    cards: 3-4
    same: rank
turn: draw then discard
moves:
  knock:
    does: pass
    if: points of hand <= 5
round:
  endings:
    out: hand is empty
game:
  ends: round = 1
  wins: winners
"""


def check(text: str) -> tuple[RawSheet | None, list[Diagnostic]]:
    reading = read_text(text, "s.yaml")
    resolved = resolve(reading, None)
    assert resolved is not None
    sheet, found = check_shape(resolved.tree, resolved.complete)
    return sheet, arrange([*reading.diagnostics, *resolved.diagnostics, *found], "s.yaml")


def with_change(old: str, new: str) -> tuple[RawSheet, list[Diagnostic]]:
    assert old in GOOD
    sheet, found = check(GOOD.replace(old, new, 1))
    assert sheet is not None
    return sheet, found


def leaves(part: object) -> Iterator[Text]:
    if isinstance(part, Text):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from leaves(key)
            yield from leaves(value)
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from leaves(getattr(part, name))


# ------------------------------------------------------------ what is right


def test_a_whole_sheet_has_its_phrases_where_they_belong() -> None:
    sheet, found = check(GOOD)
    assert found == []
    assert sheet is not None
    knock = next(move for name, move in sheet.moves.named.items() if name == "knock")
    assert knock.does == "pass"
    assert list(knock.if_.items()) == [("rule", "points of hand <= 5")]
    assert knock.span == Span("s.yaml", 13, 3, 13, 8)
    assert next(iter(knock.if_.values())).span == Span("s.yaml", 15, 9, 15, 28)
    assert dict(sheet.deal.zones) == {"hand": "7"}
    assert sheet.deal.packets is None
    assert list(sheet.melds.kinds) == ["set"]
    assert sheet.deck.order == "A 2-10 J Q K"
    assert sheet.deck.order.span.file == "rulespec/standard.yaml"


def test_every_and_packets_stand_apart_from_names() -> None:
    text = "melds:\n  every:\n    natural: 2+\n"
    sheet, found = with_change("melds:\n", text)
    assert found == []
    assert sheet.melds.every is not None
    assert sheet.melds.every.natural == "2+"
    assert list(sheet.melds.kinds) == ["set"]
    sheet, found = with_change("  hand: 7\n", "  hand: 7\n  packets: 3, 4\n")
    assert found == []
    assert sheet.deal.packets == "3, 4"


def test_keys_that_are_phrases_know_their_place() -> None:
    sheet, found = with_change("turn:", "values:\n  hand:\n    red 3: 5\nturn:")
    assert found == []
    (row,) = sheet.values.hand
    assert row == "red 3"
    assert row.span == Span("s.yaml", 13, 5, 13, 10)


@pytest.mark.parametrize("variant", [*bundled(), PRELUDE])
def test_bundled_sheets_have_no_problem_of_shape(variant: str) -> None:
    place = find(variant, None)
    assert place is not None
    resolved = resolve(*place)
    assert resolved is not None
    sheet, found = check_shape(resolved.tree, resolved.complete)
    assert found == []
    assert sheet is not None
    assert all(text for text in leaves(sheet))


def test_an_abstract_sheet_may_leave_things_open() -> None:
    sheet, found = check("rulespec: 1\nid: family\nabstract: yes\n")
    assert found == []
    assert sheet is not None
    assert sheet.turn is None


# ------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "message", "help"),
    [
        ("turn:", "trun:", "unknown-key", "11:1", 'unknown key "trun"', 'did you mean "turn"'),
        ("    if:", "    fi:", "unknown-key", "15:5", 'unknown key "fi" in "moves.knock"', '"if"'),
        ("  ends:", "  end:", "unknown-key", "20:3", 'unknown key "end" in "game"', '"ends"'),
        ("turn:", "if: x\nturn:", "unknown-key", "11:1", 'unknown key "if"', 'belongs under "moves.every"'),
        ("turn:", "scores:\n  winners: 1\nturn:", "unknown-key", "11:1", '"scores"', '"round" or "round.endings.NAME"'),
        (
            "    if:",
            "    turn: x\n    if:",
            "unknown-key",
            "15:5",
            '"turn"',
            "the sheet itself: is the line indented too far",
        ),
        ("    if:", "    take:\n      does: draw\n    if:", "unknown-key", "15:5", '"take"', "indented too far"),
        ("  wins:", "  points: 1\n  wins:", "unknown-key", "21:3", '"points" in "game"', "known here are"),
        ("    same: rank", "    same: [rank, suit]", "wrong-shape", "10:11", "not a list", 'write "rank, suit"'),
        ("  hand: 7", "  hand:\n    a: b", "wrong-shape", "6:3", '"hand" holds a phrase', "same line"),
        (
            "  knock:\n    does: pass\n    if: points of hand <= 5",
            "  knock: pass",
            "wrong-shape",
            "13:10",
            '"knock"',
            '"does"',
        ),
        ("  hand: 7", "  - hand", "wrong-shape", "6:3", 'under "deal" stand keys', "a line of its own"),
        ("name: {en: Sample}", "name: Sample", "wrong-shape", "3:7", '"name"', "`name: {en: Sample}`"),
        ("turn:", "wild: joker\nturn:", "wrong-shape", "11:7", '"wild"', '"cards", "stands-for"'),
        ("  hand: 7", "  hand: {if: 7}", "wrong-shape", "6:3", '"hand" holds a phrase', "same line"),
        ("    does: pass\n", "", "missing-key", "13:3", '"moves.knock" has no "does"', ""),
        ("rulespec: 1\n", "", "missing-key", "1:1", 'the sheet has no "rulespec"', ""),
        ("id: sample\n", "", "missing-key", "1:1", 'the sheet has no "id"', ""),
        ("turn: draw then discard\n", "", "missing-key", "1:1", '"turn" is missing', ""),
        ("  ends: round = 1\n", "", "missing-key", "19:1", '"game.ends" is missing', ""),
        ("deal:\n  hand: 7\n", "", "missing-key", "1:1", '"deal.hand" is missing', ""),
        ("rulespec: 1", "rulespec: 2", "wrong-choice", "1:11", '"2" is not "1"', ""),
        ("  wins: winners", "  tie: shraed\n  wins: winners", "wrong-choice", "21:8", '"shraed" is not', '"shared"'),
        ("turn:", "abstract: no\nturn:", "wrong-choice", "11:11", '"no" is not "yes"', ""),
        ("  knock:", "  Knock_On:", "bad-name", "13:3", '"Knock_On" is no name', 'write "knock-on"'),
        ("  knock:", "  kn\u00f6pfe:", "bad-name", "13:3", '"kn\u00f6pfe" is no name', 'write "knoepfe"'),
        ("id: sample", "id: ../sample", "bad-name", "2:5", "is no id", ""),
        ("{en: Sample}", "{english: Sample}", "bad-name", "3:8", "is no language", ""),
        ("  knock:\n    does: pass", "  knock:\n    does: {a: pass}", "wrong-shape", "14:5", "holds a phrase", ""),
        ("    cards: 3-4\n    same: rank\n", "    {cards: 3-4}\n", "phrase-in-braces", "9:13", "inside { }", ""),
        ("turn: draw then discard", "turn: draw\n  then discard", "phrase-layout", "11:7", "on one line", ""),
        ("turn: draw then discard", "turn: |\n  draw", "phrase-layout", "11:7", "on one line", ""),
        ("hand <= 5", "hand <= 50000000000", "huge-number", "15:27", "nine digits", ""),
    ],
)
def test_one_mistake_makes_one_message_with_advice(
    old: str, new: str, code: str, place: str, message: str, help: str
) -> None:
    _, found = with_change(old, new)
    assert len(found) == 1, [diagnostic.message for diagnostic in found]
    assert (found[0].code, str(found[0].span)) == (code, f"s.yaml:{place}")
    assert message in found[0].message
    assert help in found[0].help


def test_a_key_without_a_blank_behind_its_colon_is_not_called_a_phrase() -> None:
    _, found = check(GOOD + "phases:\n  showing:draw\n")
    assert [(d.span.column, d.message) for d in found] == [(10, "a blank is missing behind the colon")]


def test_the_choices_of_zones_and_tallies_are_closed() -> None:
    text = "zones:\n  well: {of: tabel, seen-by: all}\ntallies:\n  hit: {of: seat, for: day}\nturn:"
    _, found = with_change("turn:", text)
    assert [(diagnostic.code, diagnostic.span.line, diagnostic.span.column) for diagnostic in found] == [
        ("wrong-choice", 12, 14),
        ("wrong-choice", 12, 30),
        ("wrong-choice", 14, 13),
        ("wrong-choice", 14, 24),
    ]
    assert found[0].help == 'did you mean "table"?'


def test_a_key_indented_too_little_is_told_where_it_belongs() -> None:
    _, found = with_change("  set:\n    cards: 3-4\n    same: rank\n", "  cards: 3-4\n")
    shape = next(diagnostic for diagnostic in found if diagnostic.code == "wrong-shape")
    assert "indented too little" in shape.help
    _, found = with_change("  endings:\n    out: hand", "  endings:\n  out: hand")
    assert [diagnostic.code for diagnostic in found] == ["no-value", "unknown-key"]
    assert '"round.endings": is the line indented too little?' in found[1].help


def test_a_misspelt_key_is_read_as_meant() -> None:
    sheet, _ = with_change("    if:", "    onyl:")
    knock = next(move for name, move in sheet.moves.named.items() if name == "knock")
    assert dict(knock.only) == {"rule": "points of hand <= 5"}


def test_a_misspelt_key_is_laid_over_what_is_inherited() -> None:
    sheet, found = with_change("moves:\n", "movse:\n")
    assert [diagnostic.code for diagnostic in found] == ["unknown-key"]
    assert {"knock", "draw", "discard"} <= set(sheet.moves.named)


def test_a_misspelt_zone_is_not_called_missing_too() -> None:
    _, found = with_change("  hand: 7", "  hands: 7")
    assert found == []


def test_many_mistakes_are_told_in_one_run_and_the_rest_is_kept() -> None:
    sheet, found = check(
        GOOD.replace("players: 2", "plaeyrs: 2\nplayers: {a: b}")
        .replace("    same: rank", "    smae: rank\n    of: [a, b]")
        .replace("    does: pass", "    doess: pass\n    duty: |\n      x")
        .replace("  wins: winners", "  wins: winners\n  wins: ender\n  tie: never")
    )
    assert [diagnostic.code for diagnostic in found] == [
        "unknown-key",
        "wrong-shape",
        "unknown-key",
        "wrong-shape",
        "unknown-key",
        "phrase-layout",
        "double-key",
        "wrong-choice",
    ]
    assert sheet is not None
    assert sheet.turn == "draw then discard"
    assert sheet.players == ""
    assert sheet.game.wins == "winners"
    assert sheet.game.tie == "shared"


def test_nothing_is_called_missing_where_a_parent_is() -> None:
    _, found = check("rulespec: 1\nid: child\nextends: nobody-has-this\n")
    assert [diagnostic.code for diagnostic in found] == ["unknown-parent"]


def test_nothing_is_called_missing_where_it_has_no_value() -> None:
    _, found = with_change("turn: draw then discard", "turn:")
    assert [diagnostic.code for diagnostic in found] == ["no-value"]


def test_a_mistake_of_a_parent_is_told_in_the_parents_file(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(
        GOOD.replace("id: sample", "id: parent").replace("if:", "fi:"), encoding="utf-8"
    )
    resolved = resolve(read_text("rulespec: 1\nid: child\nextends: parent\n", "child.yaml"), tmp_path)
    assert resolved is not None
    _, found = check_shape(resolved.tree, resolved.complete)
    assert [(diagnostic.code, diagnostic.span) for diagnostic in found] == [
        ("unknown-key", Span(str(tmp_path / "parent.yaml"), 15, 5, 15, 7))
    ]


# ------------------------------------------------------------ the schema itself


def test_every_key_of_the_language_is_known_with_its_place() -> None:
    places = places_of_keys()
    assert places["only"] == [("moves", "every"), ("moves", "NAME")]
    assert places["when"] == [("automatic", "NAME"), ("round", "endings", "NAME"), ("round", "extra-turns", "NAME")]
    assert places["seen-by"] == [("zones", "NAME")]
    assert places["turn"] == [(), ("round", "extra-turns", "NAME")]


def test_models_are_strict_closed_and_frozen() -> None:
    models: list[type[Raw]] = [RawSheet, *Raw.__subclasses__()]
    assert len(models) > 10
    for model in models:
        assert model.model_config["strict"] is True
        assert model.model_config["extra"] == "forbid"
        assert model.model_config["frozen"] is True
        assert "\0" not in fields_of(model)


# ------------------------------------------------------------ printing


def test_the_tree_prints_every_key_with_its_place() -> None:
    reading = read_text(GOOD, "s.yaml")
    assert reading.tree is not None
    lines = tree_text(reading.tree).split("\n")
    assert lines[0] == "1:1     rulespec: 1"
    assert "15:5        if: points of hand <= 5" in lines


def test_the_written_form_prints_every_phrase_with_its_place() -> None:
    sheet, _ = check(GOOD)
    assert sheet is not None
    lines = written_text(sheet).split("\n")
    assert "moves.knock.if.rule: points of hand <= 5  # s.yaml:15:9" in lines
    assert "deck.packs: 1  # rulespec/standard.yaml:8:10" in lines


# ------------------------------------------------------------ anything at all

WORDS = [*places_of_keys(), "none", "x", "NAME", "knock", "every", "span", "named", "kinds"]
VALUES = ["none", "", "pass", "[a, b]", "{a: b}", "{of: table}", "|\n  x", "yes", "1", "[]", "{}", "[[a], {b: c}]"]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(WORDS), st.sampled_from(VALUES)), max_size=12))
@settings(max_examples=150, deadline=None)
def test_any_keys_in_any_place_make_diagnostics_or_a_sheet(lines: list[tuple[int, str, str]]) -> None:
    text = "".join(f"{'  ' * depth}{key}: {value}\n" for depth, key, value in lines)
    reading = read_text(f"rulespec: 1\nid: x\n{text}", "s.yaml")
    resolved = resolve(reading, None)
    if resolved is None:
        assert reading.diagnostics
        return
    sheet, found = check_shape(resolved.tree, resolved.complete)
    assert sheet is not None
    known = {"s.yaml", "rulespec/standard.yaml"}
    assert all(diagnostic.span.file in known and diagnostic.span.line > 0 for diagnostic in found)


@given(
    st.recursive(
        st.sampled_from(VALUES[:3]), lambda inner: st.dictionaries(st.sampled_from(WORDS), inner), max_leaves=20
    )
)
@settings(max_examples=150, deadline=None)
def test_any_nesting_of_known_keys_is_checked(data: object) -> None:
    def lines(node: object, depth: int) -> Iterator[str]:
        assert isinstance(node, dict)
        for key, value in node.items():
            inner = isinstance(value, dict) and value
            yield f"{'  ' * depth}{key}:" + ("" if inner else " {}" if isinstance(value, dict) else f" {value}")
            if inner:
                yield from lines(value, depth + 1)

    text = "\n".join(lines(data, 0)) if isinstance(data, dict) else ""
    reading = read_text(f"a: b\n{text}\n", "s.yaml")
    resolved = resolve(reading, None)
    assert resolved is not None
    sheet, found = check_shape(resolved.tree, resolved.complete)
    assert sheet is not None
    assert found


def test_keys_of_an_ending_in_place_of_its_name_were_taken_for_endings() -> None:
    """Each was asked who wins by it, and "ender" was said to be no condition."""
    sheet, found = with_change(
        "    out: hand is empty\n", "    out: hand is empty\n    wins: ender\n    scores:\n      losers: 5\n"
    )
    assert [diagnostic.code for diagnostic in found] == ["wrong-shape", "wrong-shape"]
    assert all("under the name of its ending, or less" in diagnostic.help for diagnostic in found)
    assert list(sheet.round.endings) == ["out"]
    assert sheet.round.wins == "ender"


def test_a_key_without_a_colon_was_an_unknown_key_with_a_broken_value() -> None:
    _, found = with_change("name: {en", "name {en")
    assert [(diagnostic.code, diagnostic.help) for diagnostic in found] == [
        ("unknown-key", 'a colon is missing behind "name"')
    ]
