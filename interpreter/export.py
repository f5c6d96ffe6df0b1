"""Rounds as a table for analysis: a line for each, as CSV, or as Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from interpreter.simulation import Row

COLUMNS = ("game", "round", "ending", "ender", "winners", "turns", "void")
SUFFIXES = (".csv", ".parquet")


class MissingLibrary(Exception):
    """A file that needs a library which is not installed; the text says which and how to get it."""


class RoundsFile(Protocol):
    """A file that takes rounds; on leaving `with` it is whole."""

    def write(self, rows: list[Row]) -> None:
        """Add rounds."""
        ...

    def __enter__(self) -> RoundsFile: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_rounds(path: Path, sides: int) -> RoundsFile:
    """A file for rounds in the form its suffix says; `sides` get scores. Raises MissingLibrary and OSError."""
    return CsvRounds(path, sides) if path.suffix == ".csv" else ParquetRounds(path, sides)


def _names(sides: int) -> tuple[str, ...]:
    return (*COLUMNS, *(f"score_{side + 1}" for side in range(sides)))


class _Part:
    """A file written beside the one it will replace, which it does when all is well."""

    def __init__(self, path: Path) -> None:
        self.target = path
        self.part = path.with_name(path.name + ".part")

    def finish(self, well: bool) -> None:
        """Put the file in its place, or drop it."""
        if well:
            self.part.replace(self.target)
        else:
            self.part.unlink(missing_ok=True)


class CsvRounds:
    """Rounds as lines of text, with a header."""

    def __init__(self, path: Path, sides: int) -> None:
        self._part = _Part(path)
        self._file = self._part.part.open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        self._writer.writerow(_names(sides))

    def write(self, rows: list[Row]) -> None:
        """Add rounds."""
        self._writer.writerows((*row[:-1], *row[-1]) for row in rows)

    def __enter__(self) -> CsvRounds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._part.finish(kind is None)


class ParquetRounds:
    """Rounds by column."""

    def __init__(self, path: Path, sides: int) -> None:
        try:
            import pyarrow  # noqa: PLC0415
            import pyarrow.parquet  # noqa: PLC0415
        except ImportError:
            raise MissingLibrary("Parquet needs pyarrow: pip install 'rulespec[parquet]', or write .csv") from None
        self._arrow: Any = pyarrow
        text = {"ending", "winners"}
        self._schema: Any = pyarrow.schema(
            [(name, pyarrow.string() if name in text else pyarrow.int64()) for name in _names(sides)]
        )
        self._part = _Part(path)
        self._writer: Any = pyarrow.parquet.ParquetWriter(self._part.part, self._schema)

    def write(self, rows: list[Row]) -> None:
        """Add rounds."""
        if rows:
            columns = list(zip(*((*row[:-1], *row[-1]) for row in rows), strict=True))
            self._writer.write_table(self._arrow.table([list(c) for c in columns], schema=self._schema))

    def __enter__(self) -> ParquetRounds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()
        self._part.finish(kind is None)
