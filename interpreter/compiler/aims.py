"""What can be known of a move without making it: what it has to bring, and whether the end of a round asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.compiler.slots import Slots
from interpreter.program import Aim, Code
from rulespec import expressions as ex
from rulespec import model
from rulespec.reasoning.walk import conjuncts, reached


def aims_of(move: model.MoveRule, slots: Slots, code: Callable[[ex.Expr], Code]) -> tuple[Aim, ...]:
    """What the conditions ask of the groups the move lays: how many of which kinds, how many points.

    Of `A or B` only A is looked at; what is asked in another way is not found.
    """
    found = []
    for condition in move.only:
        for part in _asked(condition.expr, slots):
            if isinstance(part, ex.Compare) and part.op in ("=", ">=", ">"):
                over = 1 if part.op == ">" else 0
                if isinstance(part.left, ex.Points) and isinstance(part.left.of, ex.Played):
                    found.append(Aim(frozenset(), code(part.right), over, False))
                elif kinds := _kinds(part.left, slots):
                    found.append(Aim(kinds, code(part.right), over, part.op == "="))
    return tuple(found)


def _asked(expr: ex.Expr, slots: Slots) -> Iterator[ex.Expr]:
    """The conditions that all have to hold, as far as one alternative of each `or` goes."""
    for part in conjuncts(expr):
        if isinstance(part, ex.Or):
            yield from _asked(part.parts[0], slots)
        elif isinstance(part, ex.Defined):
            yield from _asked(slots.definition(part.name).body, slots)
        elif part is not expr and isinstance(part, ex.And):
            yield from _asked(part, slots)
        else:
            yield part


def _kinds(expr: ex.Expr, slots: Slots) -> frozenset[int]:
    """The kinds of group that are counted, if that is all the number is."""
    if isinstance(expr, ex.Arithmetic) and expr.op == "+":
        left, right = _kinds(expr.left, slots), _kinds(expr.right, slots)
        return left | right if left and right else frozenset()
    if isinstance(expr, ex.Count) and isinstance(expr.of, ex.GroupsIn) and _is_played(expr.of.of):
        return frozenset(slots.kinds.values())
    if not isinstance(expr, ex.Count) or not isinstance(expr.of, ex.Select):
        return frozenset()
    groups, condition = expr.of.things, expr.of.condition
    if isinstance(groups, ex.GroupsIn) and _is_played(groups.of) and isinstance(condition, ex.IsKind):
        return frozenset({slots.kinds[condition.kind]})
    return frozenset()


def _is_played(expr: ex.Expr) -> bool:
    """`played`, or in a word of `define.layouts` the layout it is asked of."""
    return isinstance(expr, (ex.Played, ex.It))


def calls_of(sheet: model.Rulesheet) -> frozenset[str]:
    """The moves by which a player calls the end of a round: those an ending or extra turns ask for by name.

    An ending that waits for an empty hand is called by nobody.
    """
    asked: list[object] = [extra.when for extra in sheet.round.extra_turns]
    asked += [
        ending.when for ending in sheet.round.endings if not any(_waits_for_empty_hand(c.expr) for c in ending.when)
    ]
    found: set[str] = set()
    for node in asked:
        found |= {part.move for part in reached(sheet, node, ex.After)}
        found |= {part.move for part in reached(sheet, node, ex.Times)}
    return frozenset(found)


def _waits_for_empty_hand(expr: ex.Expr) -> bool:
    parts = conjuncts(expr)
    return any(isinstance(p, ex.IsEmpty) and isinstance(p.of, ex.Zone) and p.of.name == "hand" for p in parts)
