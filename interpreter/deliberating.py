"""Weighing a few moves against each other by playing on from positions that may be the real one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from interpreter.imagining import NOWHERE, followed, imagined, never, profit
from interpreter.moves import Move
from interpreter.state import State
from interpreter.view import SeatView

if TYPE_CHECKING:
    from interpreter.bots import Bot

WORLDS: Final = 4
"""Positions in which each move is tried."""
MOVES: Final = 24
"""Moves for each player after which a round that is not over is judged by what is in the hands."""


def best_of(
    view: SeatView,
    moves: Sequence[Move],
    random: Random,
    player: Bot,
    worlds: int = WORLDS,
    until: Callable[[State], bool] = never,
) -> Move:
    """The move that does best on average, each tried in the same worlds with `player` playing for everybody after it,
    to the end of the round or until something holds; of equals the first."""
    totals = [0.0] * len(moves)
    for _ in range(worlds):
        world = imagined(view, random)
        for number, move in enumerate(moves):
            totals[number] += _tried(view, world, move, player, until)
    return moves[max(range(len(moves)), key=lambda number: (totals[number], -number))]


def _tried(view: SeatView, world: State, move: Move, player: Bot, until: Callable[[State], bool]) -> float:
    """What comes of a move in one world."""
    after = followed(view.program, world, move, player, MOVES, until)
    return NOWHERE if after is None else profit(view.program, world, after, view.seat)
