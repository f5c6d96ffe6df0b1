"""Many games of every bundled sheet, each option value at the smallest and largest table, every move looked at.

`python -m benchmarks.endurance [--tables] [GAMES] [SHEET…]` (default 1000 games, all sheets) prints a line for each
table: how rounds ended, and the games in which a card was lost, a group was not valid, or the last resort had to stop
play; and the decisions for which an answer was cut short. With `--tables` tables of every size are played. One game in
twenty is played by `random`, the others by `greedy`. The exit code is 1 if there was any game that went wrong.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from time import process_time

from interpreter.bots import BOTS
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import bundled, check_file
from rulespec.model import Rulesheet


def sound(game: Game) -> bool:
    """Whether every card lies in one place and every group on the table is valid."""
    state = game.state
    return state.card_count() == game.program.pack.size and all(state.rules.melds.fits(g.meld) for g in state.groups)


def played(program: Program, index: int) -> tuple[Game, bool]:
    """A whole game, and whether it was sound after every move."""
    bot = BOTS["greedy" if index % 20 else "random"]
    game = Game(program, "endurance", index)
    bots = [bot(Random(f"endurance/{index}/{seat}")) for seat in range(program.players)]
    well = True
    while game.to_act is not None:
        game.play(bots[game.to_act].choose(game.view(game.to_act)))
        well = well and sound(game)
    return game, well


def settings(sheet: Rulesheet) -> list[dict[str, int | bool | str]]:
    """The default options, then each other value of each option on its own."""
    return [{}, *({option.name: value} for option in sheet.options for value in option.values[1:])]


def endure(sheet: Rulesheet, games: int, every: bool) -> int:
    """Play a sheet with every option value, at `every` table or the smallest and largest; how many games went wrong."""
    wrong = 0
    low, high = sheet.players.low, sheet.players.high
    for players in range(low, high + 1) if every else sorted({low, high}):
        for options in settings(sheet):
            program, ends, bad, start = compile_sheet(sheet, players, options), Counter[str](), 0, process_time()
            cut = 0
            for index in range(games):
                game, well = played(program, index)
                ends.update(r.ending for r in game.rounds)
                bad += not well or game.capped or bool(game.defects)
                cut += game.bounded
            said = ", ".join(f"{name} {count}" for name, count in ends.most_common())
            seconds = process_time() - start
            short = f"; {cut} decisions cut short" if cut else ""
            table = f"{sheet.id} {players} {options or 'default'}"
            print(f"{table}: {games} games, {said}; {bad} wrong{short}; {seconds:.0f} s", flush=True)
            wrong += bad
    return wrong


def main() -> int:
    """Play what the command line says."""
    words = [word for word in sys.argv[1:] if word != "--tables"]
    games = int(words.pop(0)) if words and words[0].isdigit() else 1000
    sheets = [check_file(name).sheet for name in words or bundled()]
    return 1 if sum(endure(sheet, games, "--tables" in sys.argv) for sheet in sheets if sheet is not None) else 0


if __name__ == "__main__":
    sys.exit(main())
