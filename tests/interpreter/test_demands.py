"""Groups chosen under conditions: the search under limits finds just what trying everything finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple, cast

import pytest

from interpreter.attempting import attempt
from interpreter.errors import IllegalMove
from interpreter.finishing import candidates
from interpreter.game import Game
from interpreter.moves import Group, Meld, Move
from interpreter.program import Env, MoveProgram, Program
from interpreter.state import State
from interpreter.walking import ways
from tests.interpreter.small import program

SMALL = {
    "deck": "  packs: 2\n  jokers: 2\n  order: A 2-5",
    "deal": "  hand: 8\n  discards: 1",
    "wild": "  cards: joker\n  stands-for: its place",
    "melds": "  set:\n    cards: 3-4\n    same: rank\n  run:\n    cards: 3-5\n    same: suit\n    consecutive: rank\n"
    "  pair:\n    cards: 2\n    wild: 0\n    same: rank, suit",
    "values": "  everywhere:\n    joker: 20\n    A: 11\n    2-5: pips",
    "define": "  cards:\n    odd: it is red A or it is black 5\n  groups:\n    pure: no card in it is wild\n"
    "  layouts:\n    neat: number of runs in it >= 1 and number of pairs in it = 0\n"
    "    fine: it is neat and rest of it is empty\n"
    "    rich: points of it >= 30 or number of pairs in it >= 2\n  players:\n    light: points of hand <= 9",
    "round": "  wins: everyone with least score\n  scores:\n    everyone: N\n  endings:\n"
    "    out: hand is empty\n    dry: turn is over and stock is dry\n",
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
    "number of ranks in sets in played = number of sets in played",
    "number of suits in hand <= 2",
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


OTHER = (
    "opened-this-turn and not opened-before",
    "played contains a run",
    "number of ranks in sets in played = number of sets in played",
    "number of suits in hand <= 2",
)
"""Conditions that are no question of sums over groups."""

EVERY_WORD = "light and played is fine and played is rich and some group in played is pure and some card in hand is odd"
"""Reaches all words that are defined, as a sheet has to."""


WILD = ("joker", "joker or 2")
"""With the second, different cards may be wild in a group."""


def laying(condition: str, does: str = "lay melds", wild: str = "joker") -> Program:
    moves = f"  lay:\n    does: {does}\n    only: {condition}\n  other:\n    does: lay melds\n    only: {EVERY_WORD}"
    deal = "  hand: 8 as shown\n  discards: 1" if "shown" in condition else SMALL["deal"]
    round_ = SMALL["round"].replace("N", "1")
    changed = {"moves": moves, "turn": "lay or other or draw", "deal": deal, "round": round_, "wild": stands(wild)}
    return program(2, **(SMALL | changed))


def stands(wild: str) -> str:
    return SMALL["wild"].replace("joker", wild)


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


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("does", ["lay melds", "lay a meld", "put 1 on discards then lay any melds"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_meets_a_condition_is_all_found_and_once(condition: str, does: str, wild: str) -> None:
    table = laying(condition, does, wild)
    rule = table.moves[table.move_index("lay")]
    for seed in range(2):
        state = dealt(table, seed)
        under = legal(table, state, rule)
        assert len(under) == len(set(under))
        assert set(under) == set(legal(table, state, replace(rule, demand=None)))


@pytest.mark.parametrize("condition", [each for each in CONDITIONS if each not in OTHER])
def test_what_does_not_meet_a_question_of_sums_is_not_even_tried(condition: str) -> None:
    table = laying(condition)
    rule = table.moves[table.move_index("lay")]
    for seed in range(2):
        state = dealt(table, seed)
        assert len(list(candidates(table, state, rule))) == len(legal(table, state, rule))


@pytest.mark.parametrize("does", ["lay melds", "lay a meld", "put 1 on discards then lay any melds"])
@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("condition", [each for each in CONDITIONS if each not in OTHER])
def test_the_best_groups_under_a_condition_weigh_as_much_as_any(condition: str, does: str, wild: str) -> None:
    table = laying(condition, does, wild)
    rule = table.moves[table.move_index("lay")]
    for seed in range(2):
        game = Game(table, "best", seed)
        weight = [Random(seed * 1000 + face).randint(0, 20) for face in table.pack.face]
        best = game.legal_moves.best_laying(rule.index, weight)
        every = list(game.legal_moves.of(rule.index))
        assert (best is None) == (not every)
        if best is not None:
            assert best in game.legal_moves
            assert weighs(best, weight) == max(weighs(move, weight) for move in every)


def weighs(move: Move, weight: list[int]) -> int:
    """What the cards weigh that a move takes out of the hand."""
    total = 0
    for choice in move.choices:
        for part in cast(tuple[int | Meld, ...], choice):
            total += weight[part] if isinstance(part, int) else sum(weight[card] for card in part.cards)
    return total


# ------------------------------------------------------------ layouts


class Laid(NamedTuple):
    """A layout, counted by the test itself."""

    runs: int
    pairs: int
    groups: int
    points: int
    rest: int
    left: int


def neat(one: Laid) -> bool:
    return one.runs >= 1 and one.pairs == 0


def fine(one: Laid) -> bool:
    return neat(one) and one.left == 0


def rich(one: Laid) -> bool:
    return one.points >= 30 or one.pairs >= 2


LAYOUTS: dict[str, Callable[[list[Laid]], int]] = {
    "lowest over (layouts of hand whose it is neat) of points of rest of it": lambda each: min(
        (one.rest for one in each if neat(one)), default=0
    ),
    "lowest over (layouts of hand) of points of rest of it": lambda each: min(one.rest for one in each),
    "highest over (layouts of hand whose it is rich) of points of it": lambda each: max(
        (one.points for one in each if rich(one)), default=0
    ),
    "highest over (layouts of hand whose (it is neat and it is rich)) of (points of it - points of rest of it)": (
        lambda each: max((one.points - one.rest for one in each if neat(one) and rich(one)), default=0)
    ),
    "lowest over (layouts of hand whose it is fine) of number of groups in it": lambda each: min(
        (one.groups for one in each if fine(one)), default=0
    ),
    "highest over (layouts of hand whose it is neat) of min(20, points of it)": lambda each: max(
        (min(20, one.points) for one in each if neat(one)), default=0
    ),
    "1 if some layout of hand is rich else 0": lambda each: int(any(map(rich, each))),
    "1 if some layout of hand is fine else 0": lambda each: int(any(map(fine, each))),
    "1 if no layout of hand is neat else 0": lambda each: int(not any(map(neat, each))),
    "1 if every layout of hand (is rich or is fine) else 0": lambda each: int(
        all(rich(one) or fine(one) for one in each)
    ),
}


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("number", LAYOUTS)
def test_what_is_asked_of_layouts_is_what_listing_them_all_gives(number: str, wild: str) -> None:
    words = (
        SMALL["round"].replace("N", number)
        + "    never:\n      when: turn is over and light and some card in hand is odd and some layout of hand is fine"
        " and some layout of hand is rich and some group on the table is pure and stock is dry"
    )
    table = program(2, **(SMALL | {"round": words, "turn": "draw then discard", "wild": stands(wild)}))
    (line,) = table.endings[0].scores
    for seed in range(8):
        state = dealt(table, seed)
        env = Env(table, state, 0)
        assert line.amounts[0](env) == LAYOUTS[number](list(laid(table, state))), seed


def laid(table: Program, state: State) -> Iterator[Laid]:
    """Every layout of the first seat's hand."""
    rules, hand, env = state.rules, state.hands[0], Env(table, state, 0)
    kinds = {name: number for number, name in enumerate(table.kind_names)}
    for melds in rules.melds.arrangements(hand):
        left = hand & ~sum(meld.mask for meld in melds)
        yield Laid(
            sum(meld.kind == kinds["run"] for meld in melds),
            sum(meld.kind == kinds["pair"] for meld in melds),
            len(melds),
            sum(rules.group_points(env, Group(meld, 0, (0,) * len(meld.cards))) for meld in melds),
            rules.hand_points(env, left, 0),
            left.bit_count(),
        )
