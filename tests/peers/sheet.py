"""The sheet that is played beside other engines, as a program."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from interpreter.compiler import compile_sheet
from interpreter.compiler.source import lines_of
from interpreter.program import Program
from rulespec.loader import check_file

Lines = tuple[tuple[str, str], ...]
"""Phrases of a sheet and where they stand."""


def program_of(lines: Lines = ()) -> Program:
    """`gin-one-deal`, or a sheet that extends it by these lines."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "peer.yaml"
        path.write_text(f"rulespec: 1\nid: peer\nextends: gin-one-deal\n{lines_of(lines)}", encoding="utf-8")
        checked = check_file(str(path))
    assert checked.sheet is not None, checked.diagnostics
    return compile_sheet(checked.sheet, 2)
