"""Whether to call the round: to knock, drop or declare where that ends the round and the hands are compared."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from interpreter.imagining import followed, imagined, profit
from interpreter.moves import Move
from interpreter.view import SeatView

if TYPE_CHECKING:
    from interpreter.bots import Bot

WORLDS: Final = 7
"""Positions that are looked at before a round is called."""
SURE: Final = 0.6
"""In how many of them, as a share, the caller must do well."""
MOVES: Final = 12
"""Moves for each player in which the called round has to come to its end."""


def worth_calling(view: SeatView, move: Move, random: Random, player: Bot) -> bool:
    """Whether a move that calls the round does well in most positions that may be the real one.

    `player` answers for everybody once the round is called.
    """
    program = view.program
    last = view.turn_number + program.players
    well = 0
    total = 0.0
    for number in range(1, WORLDS + 1):
        world = imagined(view, random)
        after = followed(program, world, move, player, MOVES, lambda state: state.turn_number > last)
        if after is None or len(after.results) == len(world.results):
            return False
        gain = profit(program, world, after, view.seat)
        well += gain > 0
        total += gain
        if (number == 3 and well in (0, 3)) or well > SURE * WORLDS:
            break
    return well >= SURE * number and total > 0
