"""What the scenarios of a sheet leave untried: moves, conditions that allow or refuse, groups, endings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from interpreter.scenario_report import TestReport
from rulespec.model import Rulesheet
from rulespec.scenarios import check_scenarios
from rulespec.shelf import PRELUDE
from rulespec.source import Span

MADE, ALLOWED, REFUSED, VALID, CAME = "never made", "never met", "never refused", "never valid", "never came"


class Unreached(NamedTuple):
    """What no scenario of a sheet reaches: of what it says itself, such as `knock.if.rule: never refused`, each; of
    what it inherits from another game, how much."""

    own: list[str]
    inherited: int


def unreached(report: TestReport) -> dict[str, Unreached]:
    """By id of the sheet, what none of its cases in the report reached.

    Sheets whose files could not be run are left out.
    """
    found: dict[str, Unreached] = {}
    for file in report.files:
        checked = None if file.problems or file.sheet in found else check_scenarios(file.file).file
        if checked is None:
            continue
        sheet = checked.sheet
        # what a whole game uses of the prelude is its own
        parents = () if sheet.ancestors == (PRELUDE,) else sheet.ancestors
        lacks = [
            (f"{path}: {lack}", Path(span.file).stem in parents)
            for path, held, lack, span in _to_reach(sheet)
            if not report.reached[file.sheet, path, held]
        ]
        own = [text for text, inherited in lacks if not inherited]
        found[file.sheet] = Unreached(own, len(lacks) - len(own))
    return found


def _to_reach(sheet: Rulesheet) -> Iterator[tuple[str, bool, str, Span]]:
    """What there is to reach: its path, whether as allowed, what to say if it was not, and where it is written."""
    for move in sheet.moves:
        yield move.name, True, MADE, move.span
        conditions = (*move.before, *move.only, *(duty.condition for duty in move.duties))
        for condition in conditions:
            yield condition.path, True, ALLOWED, condition.span
            yield condition.path, False, REFUSED, condition.span
    for kind in sheet.melds:
        yield f"melds.{kind.name}", True, VALID, kind.span
        for condition in kind.needs:
            yield condition.path, False, REFUSED, condition.span
    for ending in sheet.round.endings:
        yield f"round.endings.{ending.name}", True, CAME, ending.span
