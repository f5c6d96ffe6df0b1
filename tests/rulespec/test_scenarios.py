"""Scenario files: what is found, what is read, and that every mistake is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics import CODES, Diagnostic
from rulespec.scenarios import CheckedScenarios, check_scenario_text, check_scenarios, find_scenarios

SHEET = """\
rulespec: 1
id: small
name: {en: Small}
players: 2-3
options:
  length: one-deal or to-50
  limit: 5 or 10
  strict: no or yes
zones:
  spare: {of: table, seen-by: everyone}
tallies:
  hit: {of: player, for: round}
  pot: {of: table, for: game}
deck:
  jokers: 1
  order: A 2-10 J Q K
deal:
  hand: 5
  discards: 1
  spare: 1
wild:
  cards: joker
  stands-for: a named card
melds:
  set:
    cards: 3-4
    same: rank
  run:
    cards: 3-13
    same: suit
    consecutive: rank
    needs:
      short: number of cards in it <= 5
values:
  everywhere:
    joker: 20
    A: 1
    2-10: pips
    J-K: 10
moves:
  take:
    duty: taken is on the table before discard
  discard:
    only:
      other-card: it is not taken
      limited: points of hand <= 100 unless strict
  knock:
    does: put 1 on discards then set hit to 1 then add number of cards in spare to pot
    if: hit = 0
    only: points of hand <= limit
turn: (draw or take) then any number of (meld or lay-off) then (discard or knock)
round:
  wins: everyone with least points of hand
  scores:
    losers: points of hand
  endings:
    knocked:
      when: after knock
    out:
      when: hand is empty
    dry:
      when: turn is over and stock is dry
game:
  ends: pot >= 30 or round = 1 if length = one-deal else some player has score >= 50
  wins: everyone with least score
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sheet."""
    where = tmp_path_factory.mktemp("sheets")
    (where / "small.yaml").write_text(SHEET)
    return where


def read(folder: Path, *lines: str) -> CheckedScenarios:
    """One case named `c` with these lines; they begin in line 5 of the file."""
    text = "sheet: small\ncases:\n  - name: c\n    source: rule 1\n" + "".join(f"    {line}\n" for line in lines)
    return check_scenario_text(text, "small.test.yaml", folder)


def only(checked: CheckedScenarios) -> Diagnostic:
    """The one mistake there is."""
    assert len(checked.diagnostics) == 1, checked.diagnostics
    return checked.diagnostics[0]


def test_everything_a_case_may_say_is_read(folder: Path) -> None:
    checked = read(
        folder,
        "options: {length: to-50, limit: 10, strict: yes}",
        "players: 3",
        "seed: 4",
        "round: 2",
        "dealer: 3",
        "turn: 2",
        "turn-number: 7",
        "hands: [6H KC, 2s 8♥ TH, empty]",
        "table: {2: 3H JK=4H 5H, 1: [7S 7H 7D, run 8C 9C 10C]}",
        "stock: 4S 9S",
        "discards: 2D 9D",
        "zones: {spare: 4C}",
        "scores: [20, 0, -5]",
        "rounds-won: {2: 1}",
        "opened: [yes, no, yes]",
        "tallies: {hit: [0, 1, 0], pot: 3}",
        "moves: [draw, lay-off 6H on 3H JK=4H 5H]",
        "offered: [discard, knock, done]",
        "can: {lay-off: no}",
        "after: {hands: [2, empty, 3], table: [3H JK=4H 5H], discards: 2D, stock: 3, zones: {spare: 4C}, turn: 1,"
        " turn-number: 8, dealer: 3, round: 2, scores: {1: 20}, rounds-won: [0, 0, 0], opened: [yes, yes, yes],"
        " tallies: {pot: 3}}",
        "ends: {round: out, winners: [1, 2], scores: [0, 1, 2], game: [3], totals: [0, 0, 0]}",
    )
    assert checked.diagnostics == ()
    assert checked.file is not None
    (case,) = checked.file.cases
    assert case.players == 3
    assert case.options == {"length": "to-50", "limit": 10, "strict": True}
    assert case.written.turn_number == "7"
    assert checked.file.sheet.id == "small"


def test_as_many_play_as_have_hands_else_as_few_as_may(folder: Path) -> None:
    three = read(folder, "hands: [5H, 6H, 7H]", "offered: [draw]")
    least = read(folder, "hand: 5H", "offered: [draw]")
    assert three.file is not None
    assert three.file.cases[0].players == 3
    assert least.file is not None
    assert least.file.cases[0].players == 2


MISTAKES = [
    # lines of the case, code, line, column, part of the message, part of the help
    (["hnad: 5H", "offered: [draw]"], "unknown-key", 5, 5, 'unknown key "hnad"', '"hand"'),
    (["after: {stok: 3}"], "unknown-key", 5, 13, 'unknown key "stok"', '"stock"'),
    (["hand: [5H]", "offered: [draw]"], "wrong-shape", 5, 11, "`hand` is one text", ""),
    (["moves: draw", "legal: yes"], "wrong-shape", 5, 12, "`moves` is a list", "write `moves: [draw]`"),
    (["hands: 5H KC", "offered: [draw]"], "wrong-shape", 5, 12, "a list, or a map by seat", ""),
    (["zones: {spare: [4C]}", "offered: [draw]"], "wrong-shape", 5, 13, "there is one spare", ""),
    (["tallies: {hit: 1}", "offered: [draw]"], "wrong-shape", 5, 20, "each player has a hit", ""),
    (["options: {lenght: to-50}", "offered: [draw]"], "unknown-option", 5, 15, 'no option "lenght"', '"length"'),
    (["options: {limit: 7}", "offered: [draw]"], "unknown-option", 5, 22, 'cannot be "7"', '"10", "5"'),
    (["players: 4", "offered: [draw]"], "wrong-number", 5, 14, "for 2-3 players", ""),
    (["hands: [5H, 6H, 7H, 8H]", "offered: [draw]"], "wrong-number", 5, 25, "there are 4 hands", ""),
    (["turn: 3", "offered: [draw]"], "no-such-seat", 5, 11, "a seat from 1 to 2", ""),
    (["table: {3: 3H 4H 5H}", "offered: [draw]"], "no-such-seat", 5, 13, "a seat from 1 to 2", ""),
    (["scores: [1, 2, 3]", "offered: [draw]"], "no-such-seat", 5, 20, "more entries than the 2 players", ""),
    (["scores: [1]", "offered: [draw]"], "wrong-number", 5, 14, "a list for 2 players and has only 1", "{2: …}"),
    (["rounds-won: []", "offered: [draw]"], "wrong-number", 3, 5, "a list for 2 players and has only 0", ""),
    (["tallies: {hit: [1]}", "offered: [draw]"], "wrong-number", 5, 21, "has only 1", ""),
    (["players: 3", "hands: [5H, 6H]", "offered: [draw]"], "wrong-number", 6, 17, "for 3 players", ""),
    (["move: draw", "after: {scores: [1]}"], "wrong-number", 6, 22, "`scores` is a list", ""),
    (["move: draw", "ends: {scores: [1]}"], "wrong-number", 6, 21, "`scores` is a list", ""),
    (["move: draw", "ends: {dealer: 3}"], "no-such-seat", 6, 20, "a seat from 1 to 2", ""),
    (["move: draw", "ends: {totals: [1]}"], "wrong-number", 6, 21, "`totals` is a list", ""),
    (["stopped: yes", "offered: [draw]"], "keys-together", 5, 14, "never asks whether the table stops", ""),
    (["after: {turn: 5}"], "no-such-seat", 5, 19, "a seat from 1 to 2", ""),
    (["round: zero", "offered: [draw]"], "wrong-number", 5, 12, "a whole number", ""),
    (["moves: [time-up]", "after: {stock: 1}"], "unknown-name", 5, 13, 'has no move "time-up"', ""),
    (["renewed: 1", "offered: [draw]"], "keys-together", 5, 14, "is never renewed", ""),
    (["hand: 5H 11C", "offered: [draw]"], "no-such-card", 5, 14, '"11C" is no card', ""),
    (["table: [3H JK=4X 5H]", "offered: [draw]"], "no-such-card", 5, 19, '"4X" is no card', ""),
    (["hand: 5H", "stock: 9C 5H", "offered: [draw]"], "too-many-cards", 6, 15, '"5H" is written 2 times', ""),
    (["hand: JK 5H JK", "offered: [draw]"], "too-many-cards", 5, 17, '"JK" is written 2 times', ""),
    (["zones: {spre: 4C}", "offered: [draw]"], "unknown-name", 5, 13, 'no zone "spre"', '"spare"'),
    (["tallies: {hti: [1]}", "offered: [draw]"], "unknown-name", 5, 15, 'no tally "hti"', '"hit"'),
    (["move: knokc 5H", "legal: no"], "unknown-name", 5, 11, 'no move "knokc"', '"knock"'),
    (["moves: [draw, meldd 5H 5S 5D]", "legal: no"], "unknown-name", 5, 19, 'no move "meldd"', '"meld"'),
    (["offered: [darw]"], "unknown-name", 5, 15, 'no move "darw"', '"draw"'),
    (["can: knokc"], "unknown-name", 5, 10, 'no move "knokc"', '"knock"'),
    (["group: 3H 4H 5H", "kind: rnu"], "unknown-name", 6, 11, 'no kind of group "rnu"', '"run"'),
    (["move: draw", "ends: {round: knokced}"], "unknown-name", 6, 19, 'no ending "knokced"', '"knocked"'),
    (["move: take", "because: other-card"], "unknown-name", 6, 14, "no condition", '"discard.only.other-card"'),
    (["hand: 5H HK", "offered: [draw]"], "no-such-card", 5, 14, '"HK" is no card', 'did you mean "KH"?'),
    (["players: 5", "hands: [5H, 6H, 7H, 8H, 9H]", "offered: [draw]"], "wrong-number", 5, 14, "is for", ""),
    (["options: {limt: 10}", "scores: [1, 2, 3]", "move: draw", "legal: yes"], "unknown-option", 5, 15, "", "limit"),
    (["move: take", "because: knock.if.rul"], "unknown-name", 6, 14, "no condition", '"knock.if.rule"'),
    (["group: 3H 4H 6H", "because: knock.if.rule"], "unknown-name", 6, 14, "no condition", ""),
    (["move: draw", "legal: maybe"], "wrong-choice", 6, 12, '"yes" or "no"', ""),
    (["move: draw", "ends: {game: perhaps}"], "wrong-choice", 6, 18, '"draw" or a list of seats', ""),
    (["hand: 5H"], "asserts-nothing", 3, 11, "asserts nothing", "`offered`"),
    (["move: draw"], "asserts-nothing", 3, 11, "asserts nothing", ""),
    (["hand: 5H", "after: {}"], "asserts-nothing", 3, 11, "asserts nothing", ""),
    (["valid: yes"], "keys-together", 5, 12, "`valid` is said of a `group`", ""),
    (["legal: yes"], "keys-together", 5, 12, "`legal` is said of a `move`", ""),
    (["group: 3H 4H 5H", "legal: yes"], "keys-together", 6, 12, "`legal` is said of a `move`", ""),
    (["group: 3H 4H 5H", "valid: yes", "offered: [draw]"], "keys-together", 7, 15, "not said of a `group`", ""),
    (["move: draw", "moves: [draw]", "legal: yes"], "keys-together", 6, 13, "do not go together", ""),
    (["hand: 5H", "hands: [6H]", "offered: [draw]"], "keys-together", 6, 13, "do not go together", ""),
    (["move: take", "legal: yes", "because: phase"], "keys-together", 7, 14, "why something is not so", ""),
    (["move: take", "because: phase", "offered: [draw]"], "keys-together", 7, 15, "changes nothing", ""),
    (["group: 3H 4H 6H", "valid: no", "points: 3"], "keys-together", 7, 13, "has no `points`", ""),
    (["shows: {card: 5H}", "offered: [draw]"], "keys-together", 5, 19, "`shows` says what", ""),
]


@pytest.mark.parametrize(
    ("lines", "code", "line", "column", "message", "advice"), MISTAKES, ids=[f"{m[1]}-{m[0][0]}" for m in MISTAKES]
)
def test_a_mistake_is_told_with_its_place(
    folder: Path, lines: list[str], code: str, line: int, column: int, message: str, advice: str
) -> None:
    checked = read(folder, *lines)
    found = [d for d in checked.diagnostics if d.code == code and message in d.message]
    assert found, checked.diagnostics
    assert (found[0].span.file, found[0].span.line, found[0].span.column) == ("small.test.yaml", line, column)
    assert advice in found[0].help
    assert found[0].code in CODES
    assert checked.file is None


def test_that_the_clock_runs_out_cannot_be_asked_to_be_legal() -> None:
    case = "  - name: c\n    source: s\n    moves: [draw, time-up]\n    legal: yes\n"
    wrong = only(check_scenario_text(f"sheet: romme-playgridia\ncases:\n{case}", "s.test.yaml", None))
    assert (wrong.code, wrong.span.line, wrong.span.column) == ("keys-together", 5, 19)


def test_a_case_needs_a_name_and_a_source(folder: Path) -> None:
    checked = check_scenario_text("sheet: small\ncases:\n  - offered: [draw]\n", "s.test.yaml", folder)
    assert [d.message for d in checked.diagnostics] == ["the case has no `name`", "the case has no `source`"]
    assert {d.span.line for d in checked.diagnostics} == {3}


def test_two_cases_of_one_name_are_told_with_the_first(folder: Path) -> None:
    case = "  - name: c\n    source: rule 1\n    offered: [draw]\n"
    wrong = only(check_scenario_text(f"sheet: small\ncases:\n{case}{case}", "s.test.yaml", folder))
    assert (wrong.code, wrong.span.line) == ("double-case", 6)
    assert wrong.notes[0][0].line == 3


def test_one_run_tells_the_mistakes_of_all_cases(folder: Path) -> None:
    text = "sheet: small\ncases:\n" + "".join(
        f"  - name: c{n}\n    source: s\n    turn: 9\n    offered: [draw]\n" for n in range(3)
    )
    assert [d.span.line for d in check_scenario_text(text, "s.test.yaml", folder).diagnostics] == [5, 9, 13]


def test_the_mistakes_of_the_sheet_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SHEET.replace("points of hand <= limit", "points of hnad <= limit"))
    checked = check_scenario_text(
        "sheet: small\ncases:\n  - name: c\n    source: s\n    offered: [draw]\n", "small.test.yaml", tmp_path
    )
    assert checked.file is None
    assert [d.code for d in checked.diagnostics] == ["unusable-sheet"]
    span, message = checked.diagnostics[0].notes[0]
    assert span.file == str(tmp_path / "small.yaml")
    assert "hnad" in message
    assert "hand" in message


def test_an_unknown_sheet_is_told_with_the_nearest(folder: Path) -> None:
    wrong = only(check_scenario_text("sheet: smal\ncases: []\n", "s.test.yaml", folder))
    assert (wrong.code, wrong.span.line, wrong.span.column) == ("no-such-sheet", 1, 8)
    assert '"small"' in wrong.help


def test_a_file_without_cases_is_a_mistake(folder: Path) -> None:
    assert only(check_scenario_text("sheet: small\ncases: []\n", "s.test.yaml", folder)).code == "asserts-nothing"
    assert only(check_scenario_text("sheet: small\n", "s.test.yaml", folder)).code == "missing-key"
    assert only(check_scenario_text("sheet: small\ncases: {a: b}\n", "s.test.yaml", folder)).code == "wrong-shape"


# ------------------------------------------------------------ finding files

CASE = "  - name: c\n    source: s\n    offered: [draw]\n"


def test_a_path_is_a_file_a_sheet_or_a_folder(tmp_path: Path) -> None:
    sheet, scenarios = tmp_path / "small.yaml", tmp_path / "small.test.yaml"
    deep = tmp_path / "more" / "other.test.yaml"
    deep.parent.mkdir()
    sheet.write_text(SHEET)
    scenarios.write_text(f"sheet: small\ncases:\n{CASE}")
    deep.write_text(f"sheet: small\ncases:\n{CASE}")
    loose = tmp_path / "loose.yaml"
    loose.write_text(f"sheet: small\ncases:\n{CASE}")
    for path in (sheet, scenarios):
        assert find_scenarios((str(path),)) == ([str(scenarios)], [])
    assert find_scenarios((str(loose),)) == ([str(loose)], [])
    assert find_scenarios((str(tmp_path),)) == ([str(deep), str(scenarios)], [])
    assert find_scenarios((str(scenarios), str(tmp_path))) == ([str(scenarios), str(deep)], [])
    assert check_scenarios(str(scenarios)).file is not None


def test_what_has_no_scenarios_is_told(tmp_path: Path) -> None:
    sheet = tmp_path / "small.yaml"
    sheet.write_text(SHEET)
    assert [d.code for d in find_scenarios((str(sheet),))[1]] == ["no-scenarios"]
    assert [d.code for d in find_scenarios((str(tmp_path),))[1]] == ["no-scenarios"]
    files, wrong = find_scenarios(("romme-playgrida",))
    assert files == []
    assert wrong[0].code == "no-such-sheet"
    assert '"romme-playgridia"' in wrong[0].help
    assert check_scenarios("nowhere").diagnostics[0].code == "no-such-sheet"


def found_in_case(folder: Path, *lines: str) -> list[Diagnostic]:
    text = "sheet: small\ncases:\n  - name: c\n    source: s\n" + "".join(f"    {line}\n" for line in lines)
    return list(check_scenario_text(text, "s.test.yaml", folder).diagnostics)


def test_a_card_that_is_none_is_answered_with_the_ranks_and_suits_of_the_sheet(folder: Path) -> None:
    (found,) = found_in_case(folder, "hand: 7Z", "offered: [draw]")
    assert "a card is one of A 2 3 4 5 6 7 8 9 10 J Q K, then one of S H D C" in found.help


def test_every_place_of_a_card_written_too_often_is_shown(folder: Path) -> None:
    (found,) = found_in_case(folder, "hands: [7S, 2D]", "stock: 7S 7S", "discards: 7S", "offered: [draw]")
    assert found.code == "too-many-cards"
    assert "is written 4 times" in found.message
    assert len({found.span, *(span for span, _ in found.notes)}) == 4


def test_turn_number_nought_is_answered_with_how_to_ask_for_it(folder: Path) -> None:
    (found,) = found_in_case(folder, "turn-number: 0", "offered: [draw]")
    assert "only while the endings after the deal" in found.message
    assert "leave `turn-number` and `moves` out" in found.help


def test_a_lone_answer_of_ends_is_answered_with_its_keys(folder: Path) -> None:
    (found,) = found_in_case(folder, "hands: [7S, 2D]", "ends: no")
    assert found.message == "`ends` is a map of keys: how the round ended"
    assert "`ends: {game: no}`" in found.help


@pytest.mark.parametrize(("jokers", "named"), [("0", False), ("2 if strict else 0", True)])
def test_a_joker_was_shown_where_the_deck_has_none(tmp_path: Path, jokers: str, named: bool) -> None:
    (tmp_path / "small.yaml").write_text(SHEET.replace("jokers: 1", f"jokers: {jokers}"))
    assert ("JK" in only(read(tmp_path, "hand: 5H 11C", "offered: [draw]")).help) == named
