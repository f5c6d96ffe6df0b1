"""The finished parts of a long simulation, kept in a file while it runs, so that a run that was killed can go on.

The first line says what is simulated; each line after it holds the counts of one range of games.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO

from interpreter.errors import RecordError
from interpreter.files import naming
from interpreter.tally import Tally

FORMAT = 1


class Journal:
    """A file of finished ranges. Of an earlier run `known` are the numbers of their first games, `before` is what they
    counted together."""

    def __init__(self, path: Path, about: dict[str, object], *, resume: bool) -> None:
        """Open a journal of a run that `about` describes, in plain values. With `resume` what an earlier run of the
        very same kind finished is known; without, there must be no file yet. Raises RecordError and OSError."""
        self.path = path
        self.known: set[int] = set()
        self.before = Tally()
        head = json.dumps({"rulespec-journal": FORMAT, **about}, sort_keys=True)
        if resume and path.exists():
            whole = self._read(head)
            self._file: IO[bytes] = path.open("r+b")
            self._file.truncate(whole)  # what was begun when the run was killed
            self._file.seek(whole)
        else:
            self._file = path.open("xb")
            try:
                self._write(head)
            except OSError:
                path.unlink()
                raise

    def add(self, start: int, tally: Tally) -> None:
        """Keep a finished range; it is on the disk when this returns."""
        self._write(json.dumps({"start": start, "tally": tally.to_json()}))

    def finish(self) -> None:
        """Close and delete the file: the run is over, and its report is written."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file and leave it, for a run that goes on later."""
        with naming(self.path):
            self._file.close()

    def _write(self, line: str) -> None:
        with naming(self.path):
            self._file.write(line.encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _read(self, head: str) -> int:
        """Count what the file holds; the number of bytes that hold whole lines."""
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                if number == 1 and line.decode(errors="replace").strip() != head:
                    raise RecordError(
                        f"{self.path}: another run was begun there; delete the file, or repeat its command"
                    )
                if number > 1:
                    self._count(line, number)
                whole += len(line)
        if not whole:
            raise RecordError(f"{self.path}: this is no journal of a run; delete it")
        return whole

    def _count(self, line: bytes, number: int) -> None:
        try:
            entry = json.loads(line)
            start, tally = int(entry["start"]), Tally.from_json(entry["tally"])
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            raise RecordError(f"{self.path}: line {number} is damaged; delete the file and begin again") from error
        if start not in self.known:
            self.known.add(start)
            self.before.merge(tally)
