"""The table solver against everything that can be tried on small tables, and against the proven positions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from interpreter import table_cover, table_layers, table_solver
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.pack import Pack, bits
from interpreter.program import ANYTHING, NEW_CARDS, NEW_GROUPS, OLD_CARDS, Program
from interpreter.recent import Recent
from interpreter.table_problem import Stock
from interpreter.table_question import Answer
from interpreter.table_ranks import solve
from interpreter.table_shape import Shape
from rulespec.loader import load, load_text
from tests.interpreter.rebuilding import position
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

PLACES = """
rulespec: 1
id: places
extends: robbers-rummy
wild:
  stands-for: its place
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


def hold_to_the_oracle(sheet: str, seeds: int, pile: int = 0) -> None:
    """No play of small positions is better than the best, one is found wherever there is one, and each is legal."""
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


@pytest.mark.parametrize(
    ("sheet", "seeds", "pile"),
    [
        ("machiavelli", 40, 0),
        ("carousel", 60, 0),
        ("vatikan", 25, 0),
        ("tahiti", 12, 1),
        (PLACES, 30, 0),
        (TWO_CARDS, 25, 0),
        (TWO_JOKERS, 6, 0),
        (FOURS_STAY, 30, 0),
    ],
    ids=["machiavelli", "carousel", "vatikan", "tahiti", "places", "two-cards", "two-jokers", "fours-stay"],
)
def test_no_play_is_better_than_the_best(sheet: str, seeds: int, pile: int) -> None:
    hold_to_the_oracle(sheet, seeds, pile)


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


@pytest.mark.parametrize(
    ("condition", "seeds"),
    [
        ("number of groups in played <= 1", 40),
        ("number of groups in played < 3", 40),
        ("number of groups in played <= 3", 25),
        ("number of groups in played != 2", 25),
    ],
)
def test_conditions_of_another_kind_are_kept_to(condition: str, seeds: int) -> None:
    hold_to_the_oracle(TWO_CARDS.replace("number of cards in played >= 2", condition), seeds)


@pytest.mark.parametrize("few", [1, 2])
def test_few_new_groups_are_kept_to_beside_other_conditions(few: int) -> None:
    """Jokers that may not be renamed, and a pile cards may be taken from."""
    few_groups = f"\nid: few\nextends: %s\nmoves:\n  play:\n    only:\n      few: number of groups in played <= {few}\n"
    hold_to_the_oracle("\nrulespec: 1" + few_groups % "carousel", 25)
    hold_to_the_oracle("\nrulespec: 1" + few_groups % "tahiti", 8, pile=1)


def test_an_answer_that_was_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = program(TWO_CARDS.replace("number of cards in played >= 2", "number of groups in played = 7"))
    monkeypatch.setattr(table_cover, "MAX_STEPS", 3)
    state = next(s for seed in range(9) if (s := small_position(rules, seed, groups=3, hand=3)) is not None)
    answer = asked(rules, state).best()
    assert answer.table is None
    assert not answer.exact


@pytest.mark.parametrize("many", [12, 1])
def test_more_open_runs_than_a_key_has_room_for_are_solved_another_way(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = program("machiavelli")
    state = next(s for seed in range(9) if (s := small_position(rules, seed, groups=2, hand=3)) is not None)
    most = most_cards(asked(rules, state))
    monkeypatch.setattr(table_layers, "FEW_BITS", 1)
    monkeypatch.setattr(table_layers, "MANY_BITS", many)
    monkeypatch.setattr(table_layers, "_SHAPES", Recent(1))
    answer = asked(rules, state).best()
    assert (answer.worth, answer.exact) == (most, True)


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


def test_cards_that_are_to_lie_in_sets_or_in_runs_do() -> None:
    melds = Game(program("shanghai"), 0).state.rules.melds
    kinds = {kind.name: kind for kind in melds.kinds}
    shape = Shape(melds.pack, kinds["set"], kinds["run"], True)
    stock = _stock(melds.pack, ["4H", "5H", "6H", "7H", "5S", "5D"], ["5C", "5H"])
    five = melds.pack.parse_face("5H")
    for demand, worth in (((0, 0), 2), ((1, 1), 2), ((2, 0), None), ((0, 2), None)):
        stock.demand = {five: demand}
        found = solve(shape, stock)
        assert (found.worth if found is not None else None) == worth, demand
    stock.demand = {five: (1, 0)}
    found = solve(shape, stock)
    assert found is not None
    assert any(group.start < 0 and five in group.faces for group in found.groups)


HARD = {
    "no play late in vatikan": (
        "vatikan",
        "AC KC",
        "KS KD KC JK=KH / 10H 10D JK=10S / 7C 8C 9C 10C JC / 2S 3S 4S 5S / 5D 6D 7D 8D / JS QS KS AS / "
        "2S 2H 2D / 3H 3D 3C / 4S 4D 4C / 4H 4D 4C / 5S 5D 5C / 6S 6D 6C / 8S 8H 8D / 5H 6H 7H / "
        "5C 6C 7C / 9S 9H 9C / QH KH AH",
    ),
    "another one": (
        "vatikan",
        "9S QD",
        "KS KD KC JK=KH / 10H 10D JK=10S / 7C 8C 9C 10C JC / 2S 3S 4S 5S / 5D 6D 7D 8D / JS QS KS AS / "
        "2S 2H 2D / 3H 3D 3C / 4S 4D 4C / 4H 4D 4C / 5S 5D 5C / 6S 6D 6C / 8S 8H 8D / 5H 6H 7H / "
        "5C 6C 7C / 9S 9H 9C / QH KH AH",
    ),
    "nine cards and three locks": (
        "tahiti",
        "2S 3S 8S QS 4D QD KD 8C JC",
        "3D JK=4D 5D 6D 7D / AS AD AC JK=AH / 10H 10D 10C JK=10S / 7H 8H 9H 10H JH QH KH / 2S 2H 2D 2C / "
        "4S 4H 4C / AC 2C 3C / 7H 7D 7C / 9S 9H 9D",
    ),
    "four locks, two of them opened": (
        "tahiti",
        "5D 8H 2H 3S 5D 6D 8S 9C QS QC",
        "AS 2S JK=3S 4S 5S / 6H JK=7H 8H 9H / 3D 3C JK=3S / QS QH QD JK=QC / 2S 2H 2D 2C / "
        "10S 10H 10D 10C / 3H 3D 3C / 9H 9D 9C / 5C 6C 7C 8C / 5C 6C 7C 8C / JS JH JC / JH JD JC / "
        "7S 8S 9S 10S JS / 7D 8D 9D 10D JD / KS KH KD / AH AD AC / QC KC AC / 6S 6H 6D / 3S 4S 5S",
    ),
    "four locks and no hand to open them": (
        "tahiti",
        "10C KD AS AH",
        "AS 2S JK=3S 4S 5S / 6H JK=7H 8H 9H / 3D 3C JK=3S / QS QH QD JK=QC / 7S 8S 9S 10S / "
        "5D 6D 7D 8D 9D 10D / 2H 2D 2C / 3S 3H 3D 3C / 6S 6H 6D / 5C 6C 7C / 6C 7C 8C 9C / 9D 10D JD / "
        "KS KH KD / AH AD AC / JC QC KC AC / 2S 3S 4S / JS JH JD / 10S JS QS / 5S 5D 5C / 8S 8H 8C / "
        "9H 10H JH / 9C 10C JC QC",
    ),
}
"""Positions of games that were once answered after very long, or not exactly: sheet, hand, table."""


@pytest.mark.parametrize("name", HARD)
def test_what_was_cut_short_is_answered_exactly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_solver, "MAX_PARTS", 60)
    sheet, hand, table = HARD[name]
    rules = program(sheet)
    plays = asked(rules, position(rules, hand, *table.split(" / "), held_by_others=""))
    found, some = plays.best(), plays.any()
    assert found.exact
    assert some.exact
    assert (found.table is None) == (some.table is None)
    assert found.table is None or plays.legal(plays.move(found.table), True)


ORDERS = {"low": "shanghai", "high": "manipulation", "either": "machiavelli"}
"""A sheet for each place of the ace."""


def test_the_proven_positions() -> None:
    """A selection, every seventh; the benchmark goes through all of them."""
    positions = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    assert len(positions) == 420
    for proven in positions[::7]:
        melds = Game(program(ORDERS[proven["ace"]]), 0).state.rules.melds
        cards = [card for group in proven["table"] for card in group]
        jokers = (*cards, *proven["hand"]).count("JK")
        order = tuple(melds.pack.ranks[rank] for rank in melds.pack.place_rank)
        pack = Pack(order, False, melds.pack.suits, 2, jokers)
        kinds = {kind.name: kind for kind in melds.kinds}
        found = solve(Shape(pack, kinds["set"], kinds["run"], True), _stock(pack, cards, proven["hand"]))
        assert (found.worth if found is not None else 0) == proven["max_cards"], proven["id"]
