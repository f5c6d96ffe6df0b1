"""The analysis of a checked sheet: what is wrong although every word and type is right.

Each check is one file and one function. An error is proved; a warning is very likely a mistake; a question asks what
only the author knows.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.checks.dead_ends import check_dead_ends
from rulespec.checks.deal import check_deal
from rulespec.checks.meld_kinds import check_meld_kinds
from rulespec.checks.tables import check_tables
from rulespec.checks.value_rows import check_values
from rulespec.diagnostics import Diagnostic
from rulespec.model import Rulesheet
from rulespec.reader import MapNode
from rulespec.reasoning.study import Study

Check = Callable[[Study], list[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    check_deal,
    check_meld_kinds,
    check_values,
    check_tables,
    check_dead_ends,
)


def analyse(sheet: Rulesheet, tree: MapNode | None = None) -> list[Diagnostic]:
    """Everything the checks find in a sheet that has no errors; `tree` is its text, for places of keys."""
    study = Study(sheet, tree)
    return [diagnostic for check in CHECKS for diagnostic in check(study)]
