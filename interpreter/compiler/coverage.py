"""What the scenarios of a sheet leave untried: moves, conditions that allow or refuse, groups, endings."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.scenario_report import TestReport
from rulespec.model import Rulesheet
from rulespec.scenarios import check_scenarios

MADE, ALLOWED, REFUSED, VALID, CAME = "never made", "never met", "never refused", "never valid", "never came"


def unreached(report: TestReport) -> dict[str, list[str]]:
    """By id of the sheet, what none of its cases in the report reached: `knock.if.rule: never refused`.

    Sheets whose files could not be run are left out.
    """
    found: dict[str, list[str]] = {}
    for file in report.files:
        checked = None if file.problems or file.sheet in found else check_scenarios(file.file).file
        if checked is not None:
            wanted = _to_reach(checked.sheet)
            found[file.sheet] = [
                f"{path}: {lack}" for path, held, lack in wanted if not report.reached[file.sheet, path, held]
            ]
    return found


def _to_reach(sheet: Rulesheet) -> Iterator[tuple[str, bool, str]]:
    """What there is to reach: its path, whether as allowed, and what to say if it was not."""
    for move in sheet.moves:
        yield move.name, True, MADE
        conditions = (*move.before, *move.only, *(duty.condition for duty in move.duties))
        for condition in conditions:
            yield condition.path, True, ALLOWED
            yield condition.path, False, REFUSED
    for kind in sheet.melds:
        yield f"melds.{kind.name}", True, VALID
        for condition in kind.needs:
            yield condition.path, False, REFUSED
    for ending in sheet.round.endings:
        yield f"round.endings.{ending.name}", True, CAME
