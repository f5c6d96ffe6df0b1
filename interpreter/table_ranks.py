"""The best table of sets and runs from counted cards: a programme over the ranks, from the first place to the last.

What is known at a rank is which runs are open in each suit, how many wild cards are used, and, where a rank stands at
both ends of the order, how many of its cards went to the low end. All wild cards here are free; cards that have a name
of their own are counted under it.
"""

from __future__ import annotations

from interpreter.table_drawing import Drawn, draw
from interpreter.table_forward import Forward
from interpreter.table_kernel import Kernel, fits, give_back, take
from interpreter.table_layers import Layers, TooManyRuns, layers_of, with_room
from interpreter.table_problem import Best, Problem, Stock
from interpreter.table_runs import RunRules
from interpreter.table_shape import Shape

COMPILED = not __file__.endswith(".py")
"""Whether this is the compiled core; as plain Python the kernel is the slower one of two that do the same."""
NARROW = (6, 48)
"""Keys at each rank that the first, narrow searches go on from."""


class Found:
    """The best table: what its cards of `hand` are worth together, and its groups."""

    __slots__ = ("groups", "worth")

    def __init__(self, worth: int, groups: list[Drawn]) -> None:
        self.worth = worth
        self.groups = groups


def solve(shape: Shape, stock: Stock, floor: int = 0, strict: bool = True, most: int | None = None) -> Found | None:
    """The table with the most worth, if there is one worth more than `floor`; every card of `stock.table` is used.

    First natural and wild cards of runs are not told apart; where the best table then has a run with too many wild
    cards, it is looked for again more strictly. Without `strict` it is not: nothing is worth more, but runs may have
    too many. A table worth as much as `most` is as good as any.
    """
    plain = RunRules(shape.runs.cards[0] if shape.runs is not None else 1, 0, None)
    found = _best(shape, stock, plain, floor, most)
    if found is None or not strict or all(_runs_well(shape, group) for group in found.groups):
        return found
    most = found.worth if most is None else min(most, found.worth)
    return _best(shape, stock, _strict(shape, sum(stock.wild)), floor, most)


def _best(shape: Shape, stock: Stock, rules: RunRules, floor: int, most: int | None) -> Found | None:
    try:
        return _pass(shape, stock, rules, layers_of(shape, rules), floor, most)
    except TooManyRuns:
        return _pass(shape, stock, rules, with_room(shape, rules), floor, most)


def _runs_well(shape: Shape, group: Drawn) -> bool:
    kind = shape.runs
    wild = group.wild.bit_count()
    return kind is None or group.start < 0 or (wild <= kind.wild[1] and len(group.faces) - wild >= kind.natural[0])


def _strict(shape: Shape, wild: int) -> RunRules:
    """What is to be watched in runs when there are so many free wild cards."""
    kind = shape.runs
    assert kind is not None
    least = kind.cards[0]
    limit = kind.wild[1] if kind.wild[1] < wild else None
    most_wild = wild if limit is None else limit
    return RunRules(least, kind.natural[0] if kind.natural[0] > max(0, least - most_wild) else 0, limit)


def _pass(shape: Shape, stock: Stock, rules: RunRules, kept: Layers, floor: int, most: int | None) -> Found | None:
    """The best table worth more than `floor`: narrow searches first, whose result the full one has to beat."""
    problem = Problem(shape, stock, rules, kept)
    if not (COMPILED and fits(problem)):
        return _narrow_first(problem, Forward(problem), floor, most)
    kernel = take(problem)
    try:
        return _narrow_first(problem, kernel, floor, most)
    finally:
        give_back(kernel)


def _narrow_first(problem: Problem, forward: Forward | Kernel, floor: int, most: int | None) -> Found | None:
    best: Best | None = None
    for width in (*NARROW, 0):
        found, complete = forward.search(floor, width)
        if found is not None:
            best = found
            floor = best.worth
        if complete or (best is not None and most is not None and floor >= most):
            break
    return None if best is None else Found(best.worth, draw(problem.shape, problem.rules, best.way))
