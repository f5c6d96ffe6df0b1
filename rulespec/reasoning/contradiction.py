"""Conditions that cannot hold together, by their form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from rulespec import expressions as ex
from rulespec.expressions import Expr, Type
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import ANYTHING, Between, Operator
from rulespec.reasoning.walk import Key, conjuncts, disjuncts, key

OPPOSITE: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


MOST_WAYS = 64
"""So many combinations of alternatives are tried."""


def contradict(conditions: Iterable[Expr], judge: Judge, known: Known, ways: int = MOST_WAYS) -> bool:
    """Whether these conditions certainly never hold together: they ask for different last moves, for different numbers
    of the same thing, for a thing and its opposite; or each alternative of one of them contradicts the others, tried in
    so many `ways`."""
    parts = [part for condition in conditions for part in conjuncts(condition)]
    if any(judge.truth(part, known) is False for part in parts):
        return True
    if any(_opposed(one, two) for one, two in combinations(parts, 2)) or _no_number_left(parts, judge, known):
        return True
    split = min(
        ((part, list(disjuncts(part))) for part in parts if isinstance(part, ex.Or)),
        key=lambda each: len(each[1]),
        default=None,
    )
    if split is None or len(split[1]) > ways:
        return False
    rest = [other for other in parts if other is not split[0]]
    return all(contradict([*rest, one], judge, known, ways // len(split[1])) for one in split[1])


def opposite(condition: Expr) -> Expr:
    """What holds where the condition does not, with `not` drawn inside as far as it goes."""
    match condition:
        case ex.Not(value=value):
            return value
        case ex.Or(span=span, type=type_, parts=parts):
            return ex.And(span=span, type=type_, parts=tuple(map(opposite, parts)))
        case ex.And(span=span, type=type_, parts=parts):
            return ex.Or(span=span, type=type_, parts=tuple(map(opposite, parts)))
        case ex.Compare(op=op) if condition.left.type is Type.NUMBER:
            return replace(condition, op=OPPOSITE[op])
    return ex.Not(span=condition.span, type=Type.TRUTH, value=condition)


def _opposed(one: Expr, two: Expr) -> bool:
    if isinstance(one, ex.After) and isinstance(two, ex.After):
        return one.move != two.move
    if isinstance(one, ex.Not) and key(one.value) == key(two):
        return True
    if isinstance(two, ex.Not) and key(two.value) == key(one):
        return True
    if isinstance(one, ex.Compare) and isinstance(two, ex.Compare) and one.left.type is not Type.NUMBER:
        same = key(one.left) == key(two.left)
        return same and _opposed_words(one, two)
    return False


def _opposed_words(one: ex.Compare, two: ex.Compare) -> bool:
    equal = key(one.right) == key(two.right)
    if isinstance(one.right, ex.Word) and one.op == two.op == "=":
        return not equal
    return equal and {one.op, two.op} == {"=", "!="}


def _no_number_left(parts: Sequence[Expr], judge: Judge, known: Known) -> bool:
    """Whether comparisons leave no number for something that several of them speak of."""
    left: dict[Key, Between] = {}
    excluded: dict[Key, set[float]] = {}
    for part in parts:
        if not isinstance(part, ex.Compare) or part.left.type is not Type.NUMBER:
            continue
        allowed = _allowed(part, judge.number(part.right, known))
        thing = key(part.left)
        both = left.get(thing, judge.number(part.left, known)).meet(allowed)
        if both is None:
            return True
        left[thing] = both
        right = judge.number(part.right, known).exact
        if part.op == "!=" and right is not None:
            excluded.setdefault(thing, set()).add(right)
    return any(_all_in(left[thing], numbers) for thing, numbers in excluded.items())


def _all_in(range_: Between, numbers: set[float]) -> bool:
    """Whether a range holds no number but these."""
    many = range_.high - range_.low + 1
    return many <= len(numbers) and all(range_.low + step in numbers for step in range(int(many)))


def _allowed(part: ex.Compare, right: Between) -> Between:
    """What the left side may be."""
    match part.op:
        case "=":
            return right
        case "<":
            return Between(ANYTHING.low, right.high - 1)
        case "<=":
            return Between(ANYTHING.low, right.high)
        case ">":
            return Between(right.low + 1, ANYTHING.high)
        case ">=":
            return Between(right.low, ANYTHING.high)
    return ANYTHING
