"""Who ended a round that ends after extra turns is who took the last of them, seldom who is meant."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.model import Ending
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import reached


def check_enders(study: Study) -> list[Diagnostic]:
    """Asks about each ending that holds when extra turns are over and speaks of the ender."""
    found: dict[ex.Expr, Diagnostic] = {}
    for ending in study.sheet.round.endings:
        over = next((part for condition in ending.when for part in _extra_turns(study, condition.expr)), None)
        if over is None:
            continue
        for person in _enders(study, ending):
            if person not in found and study.own(person.span, over.span):
                found[person] = _question(ending, over, person)
    return list(found.values())


def _extra_turns(study: Study, condition: ex.Expr) -> Iterator[ex.ExtraTurnsAreOver]:
    """The extra turns for whose end a condition waits; those it says are not over count for nothing."""
    denied = {id(part) for no in reached(study.sheet, condition, ex.Not) for part in reached(study.sheet, no, ex.Expr)}
    for part in reached(study.sheet, condition, ex.ExtraTurnsAreOver):
        if id(part) not in denied:
            yield part


def _enders(study: Study, ending: Ending) -> Iterator[ex.Person]:
    for part in (ending.wins, ending.scores, ending.times):
        for person in reached(study.sheet, part, ex.Person):
            if person.role == "ender":
                yield person


def _question(ending: Ending, over: ex.ExtraTurnsAreOver, person: ex.Person) -> Diagnostic:
    message = f'the ender of "{ending.name}" may be who took the last of the extra turns "{over.name}": is that meant?'
    help_ = "who made a move before them is `everyone whose times MOVE this round > 0`"
    return Diagnostic("ender-of-extra-turns", "question", message, person.span, help_, ((over.span, "these turns"),))
