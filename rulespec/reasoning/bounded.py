"""Whether a round ends for certain because its turns are counted."""

from __future__ import annotations

from math import inf

from rulespec import expressions as ex
from rulespec.expressions import Expr
from rulespec.model import Rulesheet
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.walk import conjuncts, disjuncts


def turns_are_counted(sheet: Rulesheet, judge: Judge, known: Known) -> bool:
    """Whether an ending holds after some number of turns, whatever the players do."""
    counting = _Counting(sheet, judge, known)
    return any(all(counting.comes(condition.expr) for condition in ending.when) for ending in sheet.round.endings)


class _Counting:
    def __init__(self, sheet: Rulesheet, judge: Judge, known: Known) -> None:
        self.judge, self.known = judge, known
        self.bodies = {definition.name: definition.body for definition in sheet.definitions}
        self.extras = {extra.name: extra.when for extra in sheet.round.extra_turns}

    def comes(self, condition: Expr) -> bool:
        """Whether a condition holds at the end of some turn for certain, and of those after it too or of that one."""
        return any(all(map(self._part, conjuncts(way))) for way in disjuncts(self._written_out(condition)))

    def _part(self, part: Expr) -> bool:
        match self._written_out(part):
            case ex.TurnIsOver():
                return True
            case ex.ExtraTurnsAreOver(name=name):
                return self.comes(self.extras[name])
            case ex.Compare(op="=" | ">" | ">=", left=left, right=right) if _turn_number(left):
                return self.judge.number(right, self.known).high < inf
            case ex.Compare(op="=" | "<" | "<=", left=left, right=right) if _turn_number(right):
                return self.judge.number(left, self.known).high < inf
            case ex.Or() as part:
                return self.comes(part)
        return self.judge.truth(part, self.known) is True

    def _written_out(self, condition: Expr) -> Expr:
        while isinstance(condition, ex.Defined) and condition.of is None:
            condition = self.bodies[condition.name]
        return condition


def _turn_number(number: Expr) -> bool:
    return isinstance(number, ex.Fact) and number.name == "turn-number"
