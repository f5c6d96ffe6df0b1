"""Between which numbers scores stay, and who is given points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from rulespec import expressions as ex
from rulespec.model import Add, Rulesheet, ScoreLine, SetTally
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import Between, exactly, hull
from rulespec.reasoning.walk import inside

SCORE = "score"


@dataclass(frozen=True, slots=True)
class Given:
    """Points of one line of scores: to whom, and how many; `paid` where somebody gives them."""

    line: ScoreLine
    points: Between
    paid: bool


def given(sheet: Rulesheet, judge: Judge, known: Known) -> Iterator[Given]:
    """Every line of scores of every ending that counts, with its bounds."""
    for ending in sheet.round.endings:
        if ending.void:
            continue
        times = exactly(1)
        for factor in ending.times:
            times *= judge.number(factor.expr, known)
        for line in ending.scores:
            points = exactly(0)
            for amount in line.amounts:
                points += judge.number(amount.expr, known)
            yield Given(line, points * times, line.to is not None)


def score_bounds(sheet: Rulesheet, judge: Judge, known: Known) -> Between:
    """Every score begins at 0; what can be added again and again has no bound in its direction."""
    changes = [exactly(0)]
    for gift in given(sheet, judge, known):
        changes += [gift.points, -gift.points] if gift.paid else [gift.points]
    changes += [judge.number(change.amount, known) for change in inside(sheet, Add) if change.tally == SCORE]
    change = hull(changes)
    put = [judge.number(setting.amount, known) for setting in inside(sheet, SetTally) if setting.tally == SCORE]
    start = hull([exactly(0), *put])
    return Between(-inf if change.low < 0 else start.low, inf if change.high > 0 else start.high)


def reads_score(expr: ex.Expr) -> bool:
    """Whether a phrase speaks of scores."""
    return any(fact.name == SCORE for fact in inside(expr, ex.PlayerFact))
