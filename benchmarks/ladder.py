"""How much stronger one computer player is than another: rounds on the same deals with the seats changed about.

    python -m benchmarks.ladder STRONGER WEAKER [--pairs N] [--seconds S] [SHEET…]

For each bundled sheet (or those named) with the fewest players and the default options, pairs of rounds are played
until there are N, or S seconds of the processor are spent: the same deal twice, the players sitting alternately, then
the other way about. Prints the share of the rounds won by the stronger one, with its 95 % interval over the pairs; a
round won by several counts for each in part, one that nobody wins for neither. The last line is all pairs.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from random import Random

from interpreter.bots import BOTS
from interpreter.compiler import compile_sheet
from interpreter.figures import Z95
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import bundled, check_file


def pair(program: Program, index: int, names: tuple[str, str], seconds: dict[str, list[float]]) -> float | None:
    """The share of two rounds on one deal, with the seats changed, that the first player wins; None where nobody wins
    either. `seconds` is told how long each thought."""
    won, decided = 0.0, 0
    for turned in (0, 1):
        game = Game(program, "ladder", index)
        who = [names[(seat % program.sides + turned) % 2] for seat in range(program.players)]
        bots = [BOTS[name](Random(f"ladder/{index}/{seat}")) for seat, name in enumerate(who)]
        while game.to_act is not None and not game.rounds:
            seat, start = game.to_act, time.perf_counter()
            move = bots[seat].choose(game.view(seat))
            seconds[who[seat]].append(time.perf_counter() - start)
            game.play(move)
        result = game.rounds[0]
        ours = [side for side in range(program.sides) if who[side] == names[0]]
        sides = {winner % program.sides for winner in result.winners}
        if sides and len(sides) < program.sides:
            won += len(sides & set(ours)) / len(sides)
            decided += 1
    return won / decided if decided else None


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and how far its 95 % interval reaches on either side."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, Z95 * math.sqrt(spread / len(values))


def row(name: str, pairs: Sequence[float | None], times: str) -> str:
    """A line of the table."""
    shares = [each for each in pairs if each is not None]
    share, reach = interval(shares) if shares else (0.5, 0.5)
    low, high = max(0.0, share - reach), min(1.0, share + reach)
    return f"| {name} | {len(pairs)} | {100 * share:.1f} % | {100 * low:.1f} to {100 * high:.1f} % | {times} |"


def main() -> int:
    """Play what the command line says; 1 where the interval over all pairs is not above one half."""
    parser = argparse.ArgumentParser(description="a ladder of computer players")
    parser.add_argument("stronger", choices=BOTS)
    parser.add_argument("weaker", choices=BOTS)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("sheets", nargs="*", metavar="SHEET")
    chosen = parser.parse_intermixed_args()
    names = (chosen.stronger, chosen.weaker)
    print(f"| sheet | pairs | {names[0]} wins | 95 % interval | ms a move, {names[0]} / {names[1]} |")
    print("|---|---|---|---|---|")
    every: list[float | None] = []
    for sheet in (check_file(name).sheet for name in chosen.sheets or bundled()):
        if sheet is None:
            continue
        program = compile_sheet(sheet, sheet.players.low)
        seconds: dict[str, list[float]] = {name: [] for name in names}
        pairs: list[float | None] = []
        start = time.process_time()
        while len(pairs) < chosen.pairs and time.process_time() - start < chosen.seconds:
            pairs.append(pair(program, len(pairs), names, seconds))
        every += pairs
        spent = " / ".join(f"{1000 * sum(seconds[name]) / max(1, len(seconds[name])):.0f}" for name in names)
        print(row(f"{sheet.id}, {program.players} players", pairs, spent), flush=True)
    print(row("all", every, ""))
    share, reach = interval([each for each in every if each is not None])
    return 0 if share - reach > 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
