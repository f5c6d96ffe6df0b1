"""Simulations as data frames, for notebooks: `pip install pandas` beside rulespec."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.export import cells, columns
from interpreter.program import Program
from interpreter.simulation import Row, SimulationJob, simulate

if TYPE_CHECKING:
    import pandas


def rounds_frame(
    build: Callable[[], Program], bots: tuple[str, ...], games: int, seed: int = 1, workers: int = 1
) -> pandas.DataFrame:
    """A line for each round of `games` games, with the columns of `interpreter.export`.

    `build` makes the program, such as `functools.partial(program_from, "our-rummy", 2, {})`; `bots` are names, one a
    seat.
    """
    import pandas  # noqa: PLC0415

    rows: list[Row] = []
    simulate(SimulationJob(build, bots, seed), games=games, workers=workers, rows=rows.extend)
    return pandas.DataFrame([cells(row) for row in rows], columns=list(columns(build().sides)))
