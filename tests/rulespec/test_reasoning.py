"""Bounds, judgements and places: what the checks stand on."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.expressions import Expr
from rulespec.loader import load_text
from rulespec.model import Rulesheet
from rulespec.reasoning.contradiction import contradict
from rulespec.reasoning.dealt import dealt, deck_size
from rulespec.reasoning.hand_limit import most_in_hand
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import CardFace, Known, Setting
from rulespec.reasoning.numbers import Between, Operator, compare, exactly
from rulespec.reasoning.places import END, Turn, turn_of
from rulespec.reasoning.settings import settings as tables
from rulespec.source import NOWHERE

SHEET = """\
rulespec: 1
id: small
name: {en: Small}
players: 2-4
options:
  limit: 10 or 5
  strict: no or yes
deck:
  packs: 1 if players <= 3 else 2
  jokers: 2
  order: A 2-10 J Q K A
deal:
  hand: 8 if you are left of dealer else 7
  discards: 1
wild:
  cards: joker
  stands-for: its place
melds:
  set:
    cards: 3-4
    same: rank
  run:
    cards: 3-13
    same: suit
    consecutive: rank
values:
  everywhere:
    joker: 20
    A: 11
    2-10: pips
    J-K: 10
  melds:
    low A: 1
    joker: its card
turn: TURN
moves:
  knock:
    does: pass
    if: CONDITION
round:
  wins: everyone with least points of hand
  scores:
    losers: points of hand + points of laid
  endings:
    knocked: after knock
    out: hand is empty
    dry: turn is over and stock is dry
game:
  ends: some player has score >= 100 and (limit > 0 or strict)
  wins: everyone with least score
"""


LONG_TURN = "(draw or take) then any number of meld then (knock or discard)"


def sheet_with(condition: str = "strict", turn: str = LONG_TURN) -> Rulesheet:
    """The sheet with a condition of the move `knock`, as it is before the analysis finds fault with it."""
    text = SHEET.replace("CONDITION", condition).replace("TURN", turn)
    with patch("rulespec.loader.analyse", return_value=[]):
        return load_text(text, "small.yaml")


def condition_of(sheet: Rulesheet) -> Expr:
    return next(move.before[0].expr for move in sheet.moves if move.name == "knock")


# ------------------------------------------------------------ numbers

NUMBERS = st.integers(-30, 30)


@st.composite
def inside_bounds(draw: Callable[[st.SearchStrategy[int]], int]) -> tuple[int, Between]:
    """A number and bounds that hold it, some of them open."""
    low, number, high = sorted(draw(NUMBERS) for _ in range(3))
    open_ends = draw(st.integers(0, 5))
    return number, Between(-inf if open_ends == 1 else low, inf if open_ends == 2 else high)


@given(inside_bounds(), inside_bounds())
def test_results_lie_within_the_bounds_of_results(one: tuple[int, Between], two: tuple[int, Between]) -> None:
    (a, x), (b, y) = one, two
    assert a + b in x + y
    assert a - b in x - y
    assert a * b in x * y
    assert (a // b if b else 0) in x // y


@given(inside_bounds(), inside_bounds(), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
def test_what_is_judged_for_all_numbers_holds_for_each(
    one: tuple[int, Between], two: tuple[int, Between], op: Operator
) -> None:
    (a, x), (b, y) = one, two
    holds = {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    assert compare(x, op, y) in (holds, None)
    assert compare(exactly(a), op, exactly(b)) is holds


# ------------------------------------------------------------ judgements

IN_HAND = Known(players=Between(2, 4), sizes={"hand": Between(2, inf), "stock": exactly(0)}, dry=True, last="draw")

JUDGED = [
    # condition, what it comes to with two cards or more in hand, a dry stock, and "draw" as the last move
    ("stock is dry", True),
    ("stock is empty", True),
    ("hand is empty", False),
    ("number of cards in hand >= 2", True),
    ("number of cards in hand <= 1", False),
    ("number of cards in hand >= 3", None),
    ("number of cards in hand of left of you <= 1", None),
    ("after draw", True),
    ("after take", False),
    ("points of hand >= 2", True),
    ("points of hand <= 1", False),
    ("points of hand <= limit", None),
    ("players <= 4", True),
    ("players = 3", None),
    ("not strict", None),
    ("strict or stock is dry", True),
    ("strict and hand is empty", False),
    ("number of runs in melds >= 0", True),
    ("hand contain a run", None),
    ("turn-number >= 0", True),
    ("turn-number > 3", None),
    ("some player has points of hand < 0", False),
    ("every player has number of cards in hand >= 0", True),
    ("no player has score > 5", None),
    ("total over others of number of cards in hand >= 0", True),
    ("max(limit, 3) >= 5", True),
    ("min(limit, 3) > 3", False),
    ("limit / 2 >= 2", True),
    ("limit - 10 > 0", False),
    ("you is mover", None),
]


@pytest.mark.parametrize(("condition", "expected"), JUDGED, ids=[condition for condition, _ in JUDGED])
def test_conditions_are_judged_by_what_is_known(condition: str, expected: bool | None) -> None:
    sheet = sheet_with(condition)
    assert Judge(sheet).truth(condition_of(sheet), IN_HAND) is expected


def test_an_option_is_judged_by_its_chosen_value() -> None:
    sheet = sheet_with("limit >= 10")
    condition, judge = condition_of(sheet), Judge(sheet)
    assert judge.truth(condition, Known(options={"limit": 10})) is True
    assert judge.truth(condition, Known(options={"limit": 5})) is False
    assert judge.truth(condition, Known()) is None


EXCLUDING = [
    ("hand is empty and not hand is empty", True),
    ("after draw and after take", True),
    ("points of hand > 10 and points of hand <= 10", True),
    ("points of hand >= 10 and points of hand <= 10", False),
    ("(after draw or after take) and after discard", True),
    ("(after draw or after discard) and after discard", False),
    ("opened and strict", False),
]


@pytest.mark.parametrize(("condition", "expected"), EXCLUDING, ids=[condition for condition, _ in EXCLUDING])
def test_parts_that_exclude_each_other_are_found(condition: str, expected: bool) -> None:
    sheet = sheet_with(condition)
    assert contradict([condition_of(sheet)], Judge(sheet), Known()) is expected


# ------------------------------------------------------------ cards

WORTH = [
    # a card, where it lies, the bounds of what it counts
    (CardFace("7", "H"), "hand", exactly(7)),
    (CardFace("A", "H"), "hand", exactly(11)),
    (CardFace("JK", ""), "hand", exactly(20)),
    (CardFace("A", "H", "high"), "melds", exactly(11)),
    (CardFace("A", "H", "low"), "melds", Between(1, 11)),
    (CardFace("K", "S", "inside"), "melds", exactly(10)),
]


@pytest.mark.parametrize(("face", "where", "expected"), WORTH)
def test_a_card_counts_what_its_rows_say(face: CardFace, where: str, expected: Between) -> None:
    worth = Judge(sheet_with()).worth
    assert worth.of_card(face, "hand" if where == "hand" else "melds", Known()) == expected


def test_the_deal_is_counted_seat_by_seat() -> None:
    """Three players: one gets 8 cards, two get 7, one card is turned up; 52 cards and two jokers, or two packs."""
    sheet = sheet_with()
    judge = Judge(sheet)
    assert dealt(sheet, judge, 3, Setting(3).known()) == exactly(23)
    assert deck_size(sheet, judge, Setting(3).known()) == exactly(54)
    assert deck_size(sheet, judge, Setting(4).known()) == exactly(106)


HANDS = [
    # turn, the most cards in a hand dealt 8
    ("draw then (knock or discard)", inf),
    ("draw then discard", 9),
    ("(draw or take) then any number of meld then discard", 9),
    ("draw then draw then discard then discard", 10),
    ("any number of draw then discard", inf),
    ("3 times draw then 3 times discard", 11),
    ("draw then next player take then discard", inf),
]


@pytest.mark.parametrize(("turn", "most"), HANDS)
def test_hands_are_bounded_where_turns_give_back_what_they_take(turn: str, most: float) -> None:
    sheet = sheet_with(turn=f"knock or ({turn})")
    assert most_in_hand(sheet, Judge(sheet), Setting(2).known()) == most


def test_every_table_is_set_with_the_options_that_are_read() -> None:
    sheet = sheet_with("points of hand <= limit and strict")
    assert len(list(tables(sheet, (sheet.moves,)))) == 3 * 2 * 2
    assert [setting.players for setting in tables(sheet, (sheet.deck,))] == [2, 3, 4]


# ------------------------------------------------------------ places


def sequences(turn: Turn, longest: int) -> set[str]:
    """The sequences of moves that make a whole turn, without regard to guards."""
    found: set[str] = set()
    todo: list[tuple[str, int, int]] = []

    def go(words: str, target: int, length: int) -> None:
        if target == END:
            found.add(words.strip())
        elif length < longest:
            todo.append((f"{words} {turn.places[target].move}", target, length + 1))

    for way in turn.starts:
        go("", way.target, 0)
    while todo:
        words, at, length = todo.pop()
        for way in turn.ways[at]:
            go(words, way.target, length)
    return found


PHRASES = [
    # phrase, whole turns of up to three moves
    ("draw then discard", {"draw discard"}),
    (
        "(draw or take) then may meld then discard",
        {"draw discard", "take discard", "draw meld discard", "take meld discard"},
    ),
    ("any number of draw then discard", {"discard", "draw discard", "draw draw discard"}),
    ("may draw then may take", {"", "draw", "take", "draw take"}),
    ("up to 2 draw then discard", {"discard", "draw discard", "draw draw discard"}),
    ("2 times (draw or take)", {"draw draw", "draw take", "take draw", "take take"}),
    ("draw if strict then discard", {"draw discard", "discard"}),
    ("draw then each other player may take then discard", {"draw discard", "draw take discard"}),
    ("draw then first other player take then discard", {"draw take discard"}),
    ("draw then (meld or (take then discard))", {"draw meld", "draw take discard"}),
]


@pytest.mark.parametrize(("phrase", "expected"), PHRASES, ids=[phrase for phrase, _ in PHRASES])
def test_a_phrase_becomes_the_turns_it_allows(phrase: str, expected: set[str]) -> None:
    turn = turn_of(sheet_with(turn=f"({phrase}) then knock").turn)
    assert sequences(turn, 4) == {f"{moves} knock".strip() for moves in expected}


def test_guards_stand_on_the_ways_they_decide() -> None:
    turn = turn_of(sheet_with(turn="draw if strict then (knock or discard)").turn)
    ways = {(turn.places[way.target].move, tuple(guard.holds for guard in way.guards)) for way in turn.starts}
    assert ways == {("draw", (True,)), ("knock", (False,)), ("discard", (False,))}
    assert NOWHERE not in {place.item.span for place in turn.places}
