"""Sheets, programs and games for the tests of play."""

from __future__ import annotations

from functools import cache
from random import Random

from interpreter.bots import BOTS
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import bundled, check_file
from rulespec.model import Rulesheet


@cache
def sheet_of(sheet_id: str) -> Rulesheet:
    """The checked sheet of a bundled variant."""
    checked = check_file(sheet_id)
    assert checked.sheet is not None, [str(d) for d in checked.diagnostics]
    return checked.sheet


@cache
def playable() -> tuple[str, ...]:
    """The ids of the bundled variants that are no family sheets."""
    return tuple(name for name in bundled() if check_file(name).sheet is not None)


Table = tuple[str, int, tuple[tuple[str, int | bool | str], ...]]
"""A sheet, a number of players, and options that are not the default."""


@cache
def tables() -> tuple[Table, ...]:
    """Every bundled sheet at its smallest and largest table, with each value of each option on its own."""
    found: list[Table] = []
    for sheet_id in playable():
        sheet = sheet_of(sheet_id)
        for players in sorted({sheet.players.low, sheet.players.high}):
            found.append((sheet_id, players, ()))
            for option in sheet.options:
                found.extend((sheet_id, players, ((option.name, value),)) for value in option.values[1:])
    return tuple(found)


@cache
def program_of(sheet_id: str, players: int, options: tuple[tuple[str, int | bool | str], ...] = ()) -> Program:
    """The program of a bundled sheet."""
    return compile_sheet(sheet_of(sheet_id), players, dict(options))


def play(game: Game, bot: str, moves: int, seed: int = 0) -> Game:
    """Let computer players make at most so many moves."""
    players = [BOTS[bot](Random(f"{seed}/{seat}")) for seat in range(game.program.players)]
    for _ in range(moves):
        if game.to_act is None:
            break
        game.play(players[game.to_act].choose(game.view(game.to_act)))
    return game
