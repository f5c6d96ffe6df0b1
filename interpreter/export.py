"""Rounds as a table for analysis: a line for each, as CSV, or as Parquet where pyarrow is installed."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from interpreter.files import naming, part_of
from interpreter.simulation import Row

COLUMNS = ("game", "round", "ending", "ender", "winners", "turns", "void")
TEXTS = {"ending", "winners"}
"""Columns that are no numbers."""
SUFFIXES = (".csv", ".parquet")
GROUP = 10_000
"""Rounds that Parquet is given at a time; it keeps a note of each time until the file is finished."""

Write = Callable[[list[Row]], None]
"""Adds rounds to a file."""


class MissingLibrary(Exception):
    """A file that needs a library which is not installed; the text says which and how to get it."""


@contextlib.contextmanager
def open_rounds(path: Path, sides: int) -> Iterator[Write]:
    """What adds rounds to a file, in the form its suffix says; `sides` get scores. On leaving `with` the file is whole,
    or as it was if something went wrong. Raises MissingLibrary and OSError."""
    form = _csv if path.suffix == ".csv" else _parquet
    with naming(path), part_of(path) as (part, target):
        with form(part, columns(sides)) as write:
            yield write
        part.replace(target)


def columns(sides: int) -> tuple[str, ...]:
    """The names of the columns."""
    return (*COLUMNS, *(f"score_{side + 1}" for side in range(sides)))


def cells(row: Row) -> tuple[object, ...]:
    """A round as a line of the table."""
    return (*row[:-1], *row[-1])


@contextlib.contextmanager
def _csv(path: Path, names: tuple[str, ...]) -> Iterator[Write]:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        yield lambda rows: writer.writerows(map(cells, rows))


@contextlib.contextmanager
def _parquet(path: Path, names: tuple[str, ...]) -> Iterator[Write]:
    try:
        import pyarrow  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise MissingLibrary("Parquet needs pyarrow: pip install 'rulespec[parquet]', or write .csv") from None
    arrow: Any = pyarrow
    schema = arrow.schema([(name, arrow.string() if name in TEXTS else arrow.int64()) for name in names])
    waiting: list[Row] = []
    with arrow.parquet.ParquetWriter(path, schema) as writer:

        def write_waiting() -> None:
            columns = [list(c) for c in zip(*map(cells, waiting), strict=True)]
            writer.write_table(arrow.table(columns, schema=schema))
            waiting.clear()

        def write(rows: list[Row]) -> None:
            waiting.extend(rows)
            if len(waiting) >= GROUP:
                write_waiting()

        yield write
        if waiting:
            write_waiting()
