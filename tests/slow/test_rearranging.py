"""Where whole tables are rebuilt: the engine says exactly whether there is a play, and every play it lists is one.

It does not list every play, so those are not counted. Both interpreters follow one game on a small table instead; the
deck has no twins among the cards that come up, so each play is the same for both.
"""

from __future__ import annotations

from random import Random

import pytest

from interpreter.flow import apply
from interpreter.legality import legal_moves, open_kinds
from interpreter.moves import DONE, Meld
from interpreter.moves import Move as EngineMove
from interpreter.program import Program
from interpreter.state import State
from tests.slow.cases import Case, both
from tests.slow.flow import after, start
from tests.slow.game import Game
from tests.slow.legal import legal
from tests.slow.position import Move, Position

NEAR = "4S 5S 6S 7S 4H 5H 6H 7H 4D 5D 6D 4C 7D 8S"
MOVES = 10
"""Moves of a game that are followed."""
LISTED = 40
"""Plays listed by the engine that are looked at in each position."""

REARRANGING = {"play"}
"""The one move of these sheets that rebuilds the table."""

CASES = [
    Case(sheet, "deal:\n  hand: 4\n" + more, NEAR + joker, deal=deal)
    for sheet, more, joker in (
        ("carousel", "", " JK"),
        ("guadalupe", "", ""),
        ("machiavelli", "", ""),
        ("manipulation", "", ""),
        ("robbers-rummy", "", " JK"),
        ("shanghai", "  packets: none\n", ""),
        ("tahiti", "  singles: 2\n", " JK"),
        ("vatikan", "", " JK"),
    )
    for deal in (1, 2)
]


def by_engine(program: Program, state: State) -> tuple[dict[object, EngineMove], set[str]]:
    """Moves by what they do, and the names of those that rearrange the table."""
    found: dict[object, EngineMove] = {}
    plays = set()
    for number in open_kinds(program, state):
        name = "done" if number == DONE else program.moves[number].name
        for count, move in enumerate(legal_moves(program, state, number)):
            if number != DONE and program.moves[number].rearranges:
                plays.add(name)
                if count == LISTED:
                    break
            found[told(name, move.choices)] = move
    return found, plays


def told(name: str, choices: tuple[object, ...]) -> object:
    """A move without the order of its groups."""
    return name, tuple(frozenset(c) if isinstance(c, tuple) and c and isinstance(c[0], Meld) else c for c in choices)


def by_slow(game: Game, now: Position) -> dict[object, tuple[Move, Position | None]]:
    """The same of the slow interpreter, all plays."""
    return {told(move.name, move.choices): (move, made) for move, made in legal(game, now)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_play_is_listed_where_there_is_one_and_each_listed_is_one(case: Case) -> None:
    program, engine, slow = both(case)
    state, now, random = engine.state, start(slow), Random(case.name)
    for _ in range(MOVES):
        if not now.walks:
            assert not state.frames
            return
        listed, plays = by_engine(program, state)
        allowed = by_slow(slow, now)
        rebuilt = {key for key, (move, _) in allowed.items() if move.name in plays | REARRANGING}

        assert listed.keys() <= allowed.keys()
        assert allowed.keys() - rebuilt <= listed.keys()
        assert bool(plays) == bool(rebuilt)
        assert state.bounds.cut == 0

        wished = [key for key in listed if key in rebuilt] or list(listed)
        chosen = random.choice(sorted(wished, key=str))
        state = apply(program, state, listed[chosen])
        now = after(slow, now, allowed[chosen][1])
