"""The table solver against everything that can be tried on small tables, and against the proven positions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from interpreter import table_cover
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.pack import Pack, bits
from interpreter.program import ANYTHING, NEW_CARDS, NEW_GROUPS, OLD_CARDS, Program
from interpreter.table_question import Answer
from interpreter.table_ranks import Stock, solve
from interpreter.table_shape import Shape
from rulespec.loader import load, load_text
from tests.interpreter.small import sheet_text
from tests.interpreter.table_oracle import asked, most_cards, small_position

POSITIONS = Path(__file__).parents[1] / "data" / "rearrangement-positions.jsonl"

TWO_CARDS = """
rulespec: 1
id: two-cards
extends: machiavelli
moves:
  play:
    only:
      two: number of cards in played >= 2
"""

TWO_JOKERS = """
rulespec: 1
id: two-jokers
extends: tahiti
melds:
  every:
    wild: 0-2
"""

FOURS_STAY = """
rulespec: 1
id: fours-stay
extends: machiavelli
define:
  cards:
    settled: old group of it is set and number of cards in old group of it = 4
moves:
  play:
    only:
      fours-stay: every settled card on the table keeps its group
"""


@cache
def program(sheet: str) -> Program:
    """A bundled sheet, or one given as its text."""
    return compile_sheet(load_text(sheet, "sheet.yaml") if "\n" in sheet else load(sheet), 2)


@pytest.mark.parametrize(
    ("sheet", "seeds", "pile"),
    [
        ("machiavelli", 40, 0),
        ("carousel", 60, 0),
        ("vatikan", 25, 0),
        ("tahiti", 12, 1),
        (TWO_CARDS, 25, 0),
        (TWO_JOKERS, 6, 0),
        (FOURS_STAY, 30, 0),
    ],
    ids=["machiavelli", "carousel", "vatikan", "tahiti", "two-cards", "two-jokers", "fours-stay"],
)
def test_no_play_is_better_than_the_best(sheet: str, seeds: int, pile: int) -> None:
    rules = program(sheet)
    possible = 0
    for seed in range(seeds):
        state = small_position(rules, seed, groups=2, hand=3, pile=pile)
        if state is None:
            continue
        plays = asked(rules, state)
        most = most_cards(plays)
        possible += most > 0
        found, some = plays.best(), plays.any()
        assert (found.worth, found.exact) == (most, True), seed
        assert (some.table is not None, some.exact) == (most > 0, True), seed
        for table in (found.table, some.table):
            assert table is None or plays.legal(plays.move(table), True), seed
    assert possible > 0


def test_conditions_are_sorted_by_what_they_ask_about() -> None:
    def asks(sheet: str) -> dict[str, int]:
        play = program(sheet).moves[program(sheet).move_index("play")]
        return {check.path.rpartition(".")[2]: check.asks for check in play.only}

    assert asks("carousel") == {"joker-name": OLD_CARDS}
    assert asks("vatikan") == {"joker-place": OLD_CARDS, "opening": NEW_CARDS}
    assert asks("tahiti") == {"joker-group": OLD_CARDS}
    assert asks(TWO_CARDS) == {"two": NEW_CARDS}
    assert asks(FOURS_STAY) == {"fours-stay": OLD_CARDS}
    few = TWO_CARDS.replace("number of cards in played >= 2", "number of groups in played <= 2")
    assert asks(few) == {"two": NEW_GROUPS}
    assert asks(few.replace("<=", "!=")) == {"two": ANYTHING}


@pytest.mark.parametrize("condition", ["number of groups in played <= 1", "number of groups in played != 2"])
def test_conditions_of_another_kind_are_kept_to(condition: str) -> None:
    rules = program(TWO_CARDS.replace("number of cards in played >= 2", condition))
    possible = 0
    for seed in range(25):
        state = small_position(rules, seed, groups=2, hand=3)
        if state is not None:
            plays = asked(rules, state)
            most = most_cards(plays)
            possible += most > 0
            found, some = plays.best(), plays.any()
            assert (found.worth, found.exact) == (most, True), seed
            assert (some.table is not None, some.exact) == (most > 0, True), seed
    assert possible > 0


def test_an_answer_that_was_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = program(TWO_CARDS.replace("number of cards in played >= 2", "number of groups in played = 7"))
    monkeypatch.setattr(table_cover, "MAX_STEPS", 3)
    state = next(s for seed in range(9) if (s := small_position(rules, seed, groups=3, hand=3)) is not None)
    answer = asked(rules, state).best()
    assert answer.table is None
    assert not answer.exact


def test_a_card_that_must_be_put_down_is_put_down() -> None:
    rules = program("machiavelli")
    tried = 0
    for seed in range(20):
        state = small_position(rules, seed, groups=2, hand=3)
        assert state is not None
        plays = asked(rules, state)
        for card in bits(plays.hand):
            answer = plays.best(must=1 << card)
            if answer.table is not None:
                tried += 1
                assert any(card in meld.cards for meld in answer.table), seed
    assert tried > 10


def test_other_kinds_of_groups_are_solved_too() -> None:
    sheet = sheet_text(
        melds="  pair:\n    cards: 2\n    same: rank\n  flush:\n    cards: 4\n    same: suit\n    different: rank",
        moves="  play:\n    does: rearrange",
        turn="(play or draw) then discard",
    )
    rules = program(sheet)
    possible = 0
    for seed in range(25):
        state = small_position(rules, seed, groups=2, hand=3)
        if state is None:
            continue
        plays = asked(rules, state)
        most = most_cards(plays)
        possible += most > 0
        assert plays.best() == Answer(plays.best().table, most, True), seed
    assert possible > 0


def _stock(pack: Pack, table: list[str], hand: list[str]) -> Stock:
    counts = [[0] * pack.joker_face, [0] * pack.joker_face]
    wild = [0, 0]
    for number, cards in enumerate((table, hand)):
        for text in cards:
            face = pack.parse_face(text)
            if face == pack.joker_face:
                wild[number] += 1
            else:
                counts[number][face] += 1
    nothing = [0] * pack.joker_face
    return Stock(counts[0], counts[1], nothing, [1] * pack.joker_face, (wild[0], wild[1], 0), 1)


ORDERS = {"low": "shanghai", "high": "manipulation", "either": "machiavelli"}
"""A sheet for each place of the ace."""


def test_the_proven_positions() -> None:
    """A selection, every seventh; the benchmark goes through all of them."""
    positions = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    assert len(positions) == 420
    for position in positions[::7]:
        melds = Game(program(ORDERS[position["ace"]]), 0).state.rules.melds
        cards = [card for group in position["table"] for card in group]
        jokers = (*cards, *position["hand"]).count("JK")
        order = tuple(melds.pack.ranks[rank] for rank in melds.pack.place_rank)
        pack = Pack(order, False, melds.pack.suits, 2, jokers)
        kinds = {kind.name: kind for kind in melds.kinds}
        found = solve(Shape(pack, kinds["set"], kinds["run"], True), _stock(pack, cards, position["hand"]))
        assert (found.worth if found is not None else 0) == position["max_cards"], position["id"]
