"""Groups chosen under conditions: the search under limits finds just what trying everything finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

import pytest

from interpreter.errors import IllegalMove
from interpreter.game import Game
from interpreter.legality import attempt, candidates, ways
from interpreter.moves import Meld
from interpreter.program import MoveProgram, Program
from interpreter.state import State
from tests.interpreter.small import program

SMALL = {
    "deck": "  packs: 2\n  jokers: 2\n  order: A 2-5",
    "deal": "  hand: 8\n  discards: 1",
    "wild": "  cards: joker\n  stands-for: its place",
    "melds": "  set:\n    cards: 3-4\n    same: rank\n  run:\n    cards: 3-5\n    same: suit\n    consecutive: rank\n"
    "  pair:\n    cards: 2\n    wild: 0\n    same: rank, suit",
    "values": "  everywhere:\n    joker: 20\n    A: 11\n    2-5: pips",
    "define": "  cards:\n    odd: it is red A or it is black 5\n  groups:\n    pure: no card in it is wild\n"
    "  layouts:\n    neat: number of runs in it >= 1 and number of pairs in it = 0\n    fine: it is neat and rest of it is empty\n"
    "    rich: points of it >= 30 or number of pairs in it >= 2\n  players:\n    light: points of hand <= 9",
}
"""A hand of eight from two short packs, in which there are many groups."""

CONDITIONS = (
    "points of played >= 30",
    "number of sets in played = 1 and number of runs in played >= 1",
    "number of sets in played = 0 and number of runs in played != 1",
    "hand is empty",
    "hand is not empty and number of cards in hand <= 2",
    "not (number of runs in played > 0 or number of pairs in played > 1)",
    "points of hand <= 10 and points of rest of played > 2",
    "light",
    "some group in played is pure and some group in played is not pure",
    "every group in played is pure",
    "no group in played is set",
    "not every group in played is pure",
    "number of pure runs in played >= 1",
    "number of jokers in played = 1",
    "number of natural cards in played >= 4",
    "number of A in hand = 0",
    "points of natural cards in played >= points of hand",
    "total over (groups in played) of (number of wild cards in it) = 1",
    "2 * points of played - points of hand > 40 or number of cards in hand = 1",
    "played is neat",
    "played is fine or played is rich",
    "number of cards in melds >= 6 and number of groups on the table < 3",
    "number of cards in laid >= 5 if turn-number = 1 else hand is empty",
    "opened-this-turn and not opened-before",
    "shown is on the table and number of cards in hand < 5",
    "played contains a run",
    "times lay this turn = 1 and after lay and points of played > 20",
    "number of odd cards in hand = 0 or points of played >= 25",
)


OTHER = ("opened-this-turn and not opened-before", "played contains a run")
"""Conditions that are no question of sums over groups."""

EVERY_WORD = "light and played is fine and played is rich and some group in played is pure and some card in hand is odd"
"""Reaches all words that are defined, as a sheet has to."""


def laying(condition: str, does: str = "lay melds") -> Program:
    moves = f"  lay:\n    does: {does}\n    only: {condition}\n  other:\n    does: lay melds\n    only: {EVERY_WORD}"
    deal = "  hand: 8 as shown\n  discards: 1" if "shown" in condition else SMALL["deal"]
    return program(2, **(SMALL | {"moves": moves, "turn": "lay or other or draw", "deal": deal}))


def dealt(table: Program, seed: int) -> State:
    """The position after the deal of one game."""
    return Game(table, "demands", seed).state


def legal(table: Program, state: State, rule: MoveProgram) -> list[object]:
    """What can be laid and put by a move, so that its conditions hold; of equal cards it does not matter which."""
    targets = dict(ways(table, state, state.frame).moves)[rule.index]
    face = table.pack.face
    found: list[object] = []
    for move in candidates(table, state, rule):
        try:
            attempt(table, state, move, targets)
        except IllegalMove:
            continue
        *put, groups = move.choices
        assert isinstance(groups, tuple)
        laid = Counter(
            (m.kind, tuple(face[c] for c in m.cards), m.names, m.start) for m in cast(tuple[Meld, ...], groups)
        )
        found.append((str(put), frozenset(laid.items())))
    return found


@pytest.mark.parametrize("does", ["lay melds", "lay a meld", "put 1 on discards then lay any melds"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_meets_a_condition_is_all_found_and_once(condition: str, does: str) -> None:
    table = laying(condition, does)
    rule = table.moves[table.move_index("lay")]
    for seed in range(3):
        state = dealt(table, seed)
        under = legal(table, state, rule)
        assert len(under) == len(set(under))
        assert set(under) == set(legal(table, state, replace(rule, demand=None)))


@pytest.mark.parametrize("condition", [each for each in CONDITIONS if each not in OTHER])
def test_what_does_not_meet_a_question_of_sums_is_not_even_tried(condition: str) -> None:
    table = laying(condition)
    rule = table.moves[table.move_index("lay")]
    for seed in range(3):
        state = dealt(table, seed)
        assert len(list(candidates(table, state, rule))) == len(legal(table, state, rule))
