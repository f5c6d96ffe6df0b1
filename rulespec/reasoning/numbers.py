"""Numbers of which only the bounds are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isinf
from typing import Literal

Operator = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Between:
    """A whole number from `low` to `high`, both included; either may be infinite."""

    low: float
    high: float

    @property
    def exact(self) -> int | None:
        """The number, if there is only one."""
        return int(self.low) if self.low == self.high and not isinf(self.low) else None

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    def __neg__(self) -> Between:
        return Between(-self.high, -self.low)

    def __add__(self, other: Between) -> Between:
        return Between(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Between) -> Between:
        return self + -other

    def __mul__(self, other: Between) -> Between:
        return _corners(_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high))

    def __floordiv__(self, other: Between) -> Between:
        """Rounded down; dividing by 0 gives 0."""
        divisors = [d for d in {other.low, other.high, -1.0, 1.0} if d in other and d != 0]
        results = [_over(n, d) for n in (self.low, self.high) for d in divisors]
        return _corners([*results, 0] if 0 in other else results)

    def meet(self, other: Between) -> Between | None:
        """What both hold, or None."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Between(low, high) if low <= high else None


ANYTHING = Between(-inf, inf)
SOME_OR_NONE = Between(0, inf)
ONE_OR_MORE = Between(1, inf)


def exactly(number: float) -> Between:
    return Between(number, number)


def hull(parts: Iterable[Between]) -> Between:
    """The least range that holds all `parts`, of which there must be one."""
    ranges = list(parts)
    return Between(min(r.low for r in ranges), max(r.high for r in ranges))


def compare(left: Between, op: Operator, right: Between) -> bool | None:
    """Whether the comparison holds for all of these numbers (True), for none (False), or it depends (None)."""
    match op:
        case "<":
            return _sure(left.high < right.low, left.low >= right.high)
        case "<=":
            return _sure(left.high <= right.low, left.low > right.high)
        case ">":
            return compare(right, "<", left)
        case ">=":
            return compare(right, "<=", left)
        case "=":
            return _sure(left.exact is not None and left.exact == right.exact, left.meet(right) is None)
        case "!=":
            same = compare(left, "=", right)
            return None if same is None else not same


def _sure(always: bool, never: bool) -> bool | None:
    return True if always else False if never else None


def _corners(numbers: Iterable[float]) -> Between:
    known = list(numbers)
    return Between(min(known), max(known))


def _times(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def _over(a: float, b: float) -> float:
    if isinf(b):
        return 0 if (a >= 0) == (b > 0) or a == 0 else -1
    if isinf(a):
        return a if b > 0 else -a
    return a // b
