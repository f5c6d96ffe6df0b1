"""The analysis of a checked sheet: what is wrong although every word and type is right.

Each check is one file and one function. An error is proved; a warning is very likely a mistake; a question asks what
only the author knows.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.checks.circles import check_circles
from rulespec.checks.constants import check_constants
from rulespec.checks.dead_ends import check_dead_ends
from rulespec.checks.deal import check_deal
from rulespec.checks.duties import check_duties
from rulespec.checks.enders import check_enders
from rulespec.checks.endings import check_endings
from rulespec.checks.endless_turns import check_endless_turns
from rulespec.checks.game_end import check_game_end
from rulespec.checks.game_numbers import check_game_numbers
from rulespec.checks.manners import check_manners
from rulespec.checks.meld_kinds import check_meld_kinds
from rulespec.checks.never_legal import check_never_legal
from rulespec.checks.new_groups import check_new_groups
from rulespec.checks.openings import check_openings
from rulespec.checks.option_values import check_option_values
from rulespec.checks.replaced import check_replaced
from rulespec.checks.returned import check_returned
from rulespec.checks.stock import check_stock
from rulespec.checks.tables import check_tables
from rulespec.checks.value_rows import check_values
from rulespec.checks.wild_cards import check_wild_cards
from rulespec.diagnostics import Diagnostic
from rulespec.inheritance import Resolved
from rulespec.model import Rulesheet
from rulespec.reasoning.story import TooBroad
from rulespec.reasoning.study import Study
from rulespec.source import Span

Check = Callable[[Study], list[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    check_circles,
    check_game_numbers,
    check_deal,
    check_meld_kinds,
    check_wild_cards,
    check_values,
    check_tables,
    check_endless_turns,
    check_game_end,
    check_openings,
    check_new_groups,
    check_constants,
    check_option_values,
    check_duties,
    check_manners,
    check_replaced,
    check_returned,
    check_enders,
)
OF_STORIES: tuple[Check, ...] = (check_dead_ends, check_never_legal, check_stock, check_endings)
"""What follows a round through its positions."""
FIRST = frozenset({"defined-by-itself", "empty-deck", "computed-out-of-range"})
"""Codes of mistakes after which nothing else can be judged."""


def analyse(sheet: Rulesheet, resolved: Resolved | None = None) -> list[Diagnostic]:
    """Everything the checks find in a sheet that has no errors; `resolved` is its text, for places of keys."""
    study = Study(sheet, resolved)
    found: list[Diagnostic] = []
    for check in CHECKS:
        found += check(study)
        if any(diagnostic.code in FIRST for diagnostic in found):
            return found
    try:
        found += [diagnostic for check in OF_STORIES for diagnostic in check(study)]
    except TooBroad:
        message = "there are too many moves, endings and options to follow a round through all of its positions"
        help_ = "dead ends, moves that are never legal and endings that never hold are not looked for"
        found.append(Diagnostic("not-followed", "question", message, sheet.turn.span, help_))
    return [diagnostic for diagnostic in found if not _follows(diagnostic, found)]


def _follows(diagnostic: Diagnostic, others: list[Diagnostic]) -> bool:
    """Whether it says of a condition what an error says of the whole move or ending."""
    if diagnostic.code != "constant-condition":
        return False
    errors = [other for other in others if other.severity == "error"]
    return any(
        _inside(diagnostic.span, span) for error in errors for span in (error.span, *(s for s, _ in error.notes))
    )


def _inside(part: Span, whole: Span) -> bool:
    same = (part.file, part.line) == (whole.file, whole.line)
    return same and whole.column <= part.column and part.end_column <= whole.end_column
