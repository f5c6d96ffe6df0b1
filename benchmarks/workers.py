"""What a second worker brings, and what a long run keeps in memory.

    python -m benchmarks.workers speed [SHEET] [GAMES] [TURNS]
    python -m benchmarks.workers memory [SHEET] [GAMES] [BOT]

`speed` simulates the same games by one and by two workers by turns, and prints the ratios of their times. `memory`
simulates games in one process and prints the most memory it has held so far each time the number of rounds has doubled,
and what that comes to a round.
"""

from __future__ import annotations

import resource
import sys
from dataclasses import replace
from functools import partial
from itertools import pairwise
from statistics import median
from time import perf_counter

from benchmarks.machine import described
from interpreter.compiler import compile_sheet
from interpreter.program import Program
from interpreter.simulation import SimulationJob, SimulationResult, simulate
from rulespec.loader import check_file


def program(name: str) -> Program:
    """A bundled sheet at its smallest table."""
    sheet = check_file(name).sheet
    assert sheet is not None
    return compile_sheet(sheet, sheet.players.low)


def job_of(sheet: str, bot: str) -> SimulationJob:
    """The games of a sheet, for any process."""
    return SimulationJob(partial(program, sheet), (bot,) * program(sheet).players, 1)


def speed(sheet: str, games: int, turns: int) -> None:
    """One worker and two, by turns."""
    job = job_of(sheet, "greedy")
    ratios, times = [], []
    for _ in range(turns):
        pair = []
        for workers in (1, 2):
            start = perf_counter()
            result = simulate(replace(job, program=None), games=games, workers=workers)
            pair.append((perf_counter() - start, _plain(result)))
        assert pair[0][1] == pair[1][1], "two workers came to another result"
        ratios.append(pair[0][0] / pair[1][0])
        times.append([seconds for seconds, _ in pair])
    one, two = (median(found) for found in zip(*times, strict=True))
    print(
        f"{sheet}, {games} games: 1 worker {one:.1f} s, 2 workers {two:.1f} s; {median(ratios):.2f} times as fast "
        f"({min(ratios):.2f} to {max(ratios):.2f})"
    )


def _plain(result: SimulationResult) -> SimulationResult:
    return replace(result, seconds=0.0)


def megabytes() -> float:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def memory(sheet: str, games: int, bot: str) -> None:
    """One process, looked at as the rounds double."""
    job = job_of(sheet, bot)
    marks = [(0, megabytes())]
    following = 100

    def look(done: int) -> None:
        nonlocal following
        if done >= following:
            marks.append((done, megabytes()))
            following *= 2

    result = simulate(job, games=games, progress=look)
    marks.append((games, megabytes()))
    rounds = result.rounds / result.games
    print(f"{sheet}, {bot}: {result.rounds} rounds in {result.games} games, {result.seconds:.0f} s")
    for (before, held), (done, now) in pairwise(marks):
        added = 1024**2 * (now - held) / max(1.0, (done - before) * rounds)
        print(f"{done * rounds:>10.0f} rounds {now:>8.1f} MB {added:>9.1f} bytes a round since the line above")


def main() -> None:
    """Measure what the command line says."""
    words = sys.argv[2:]
    if sys.argv[1:2] == ["speed"]:
        sheet, games, turns = (*words, *("gin", "200", "3")[len(words) :])
        speed(sheet, int(games), int(turns))
    elif sys.argv[1:2] == ["memory"]:
        sheet, games, bot = (*words, *("tonk", "10000", "random")[len(words) :])
        memory(sheet, int(games), bot)
    else:
        print(__doc__)
    print(described())


if __name__ == "__main__":
    main()
