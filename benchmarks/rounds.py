"""How many rounds a second the bundled sheets play with greedy players, and what a move costs.

`python -m benchmarks.rounds [SECONDS]`: each sheet at its smallest and largest table for so many seconds of processor
time (default 2). Figures move with the machine: compare those of one run.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time

from interpreter.bots import BOTS
from interpreter.compiler import compile_sheet
from interpreter.errors import NotPlayable
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import bundled, check_file


def measure(program: Program, seconds: float) -> tuple[int, int, float]:
    """Rounds, moves and seconds of games played one after the other."""
    rounds = moves = index = 0
    start = process_time()
    while process_time() - start < seconds:
        game = Game(program, "benchmark", index)
        bots = [BOTS["greedy"](Random(f"benchmark/{index}/{seat}")) for seat in range(program.players)]
        while game.to_act is not None:
            game.play(bots[game.to_act].choose(game.view(game.to_act)))
            moves += 1
        rounds += len(game.rounds)
        index += 1
    return rounds, moves, process_time() - start


def main() -> None:
    """Print a line for each sheet and table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(f"{'sheet':<20} {'players':>7} {'rounds/s':>9} {'moves/round':>11} {'us/move':>8}")
    for name in bundled():
        sheet = check_file(name).sheet
        if sheet is None:
            continue
        for players in sorted({sheet.players.low, sheet.players.high}):
            try:
                rounds, moves, spent = measure(compile_sheet(sheet, players), seconds)
            except NotPlayable as reason:
                print(f"{name:<20} {reason}")
                break
            print(f"{name:<20} {players:>7} {rounds / spent:>9.1f} {moves / rounds:>11.1f} {1e6 * spent / moves:>8.0f}")


if __name__ == "__main__":
    main()
