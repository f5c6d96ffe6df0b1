"""Between which numbers tallies stay."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from rulespec.expressions import Expr
from rulespec.model import Add, Rulesheet, SetTally
from rulespec.reasoning.numbers import Between, exactly, hull
from rulespec.reasoning.walk import inside


def tally_bounds(sheet: Rulesheet, number: Callable[[Expr], Between]) -> dict[str, Between]:
    """Every tally begins at 0 and changes only by `add` and `set`; `score` is left out."""
    bounds = {tally.name: exactly(0) for tally in sheet.tallies}
    for put in inside(sheet, SetTally):
        if put.tally in bounds:
            bounds[put.tally] = hull([bounds[put.tally], number(put.amount)])
    for added in inside(sheet, Add):
        if added.tally in bounds:
            before, amount = bounds[added.tally], number(added.amount)
            low = -inf if amount.low < 0 else before.low
            bounds[added.tally] = Between(low, inf if amount.high > 0 else before.high)
    return bounds
