"""From the path or id of a sheet straight to its program, by names alone: what a worker process can be told to do."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.compiler.compile import compile_sheet
from interpreter.program import Program
from rulespec.loader import load


def program_from(
    sheet: str, players: int, options: Mapping[str, int | bool | str], rounds: int | None = None
) -> Program:
    """Read, check and compile a sheet. Raises RulesheetError, ValueError and NotPlayable as the stages do."""
    return compile_sheet(load(sheet), players, options, rounds)
