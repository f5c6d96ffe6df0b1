"""Which moves a sheet counts where a turn is walked, up to what number a count matters, and to which moves it does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from interpreter.compiler.slots import Slots, is_constant, parts
from interpreter.program import ENDLESS, Code, Counted, Nowhere
from rulespec import expressions as ex
from rulespec import model


def counted_moves(slots: Slots, code: Callable[[ex.Expr], Code]) -> tuple[Counted, ...]:
    """Every count of a move (`times MOVE this turn`) that a move, a phase or an ending asks for.

    `code` compiles an expression; numbers that are known before the game are worked out with it.
    """
    sheet = slots.sheet
    walked: list[object] = [sheet.moves, sheet.automatic, sheet.values, sheet.turn]
    walked += [ending.when for ending in sheet.round.endings]
    walked += [extra.turn for extra in sheet.round.extra_turns]
    walked += [sheet.round.before_deal, sheet.game.after_round]
    asked: dict[tuple[str, str], int] = {}
    for expr, compared in _asked(walked, slots):
        if isinstance(expr, ex.Times):
            key = (expr.move, expr.scope)
            most = ENDLESS if compared is None else _known(slots, code, compared)
            asked[key] = max(asked.get(key, 0), most)
    return tuple(
        Counted(slots.counts_of(move, scope), most)
        for (move, scope), most in sorted(asked.items())
        if move in slots.moves
    )


def asks_for_counts(rule: model.MoveRule, slots: Slots) -> bool:
    """Whether what is asked while choices for a move are made looks at which moves were made before."""
    walked = (rule.does, rule.only, slots.sheet.values)
    return any(isinstance(expr, (ex.Times, ex.After, ex.Can)) for expr, _ in _asked(walked, slots))


def _asked(things: object, slots: Slots) -> Iterator[tuple[ex.Expr, ex.Expr | None]]:
    """All that parts of the checked sheet ask for, what they name too, each with what it is compared with."""
    seen: set[str] = set()
    todo: list[tuple[ex.Expr, ex.Expr | None]] = [(expr, None) for expr in _expressions(things)]
    while todo:
        expr, compared = todo.pop()
        yield expr, compared
        if isinstance(expr, ex.Compare):
            todo += [(expr.left, expr.right), (expr.right, expr.left)]
        else:
            todo += [(part, None) for part in parts(expr)]
        if isinstance(expr, (ex.Defined, ex.TableValue)) and expr.name not in seen:
            seen.add(expr.name)
            todo += [(body, None) for body in _bodies(slots, expr)]


def _known(slots: Slots, code: Callable[[ex.Expr], Code], expr: ex.Expr) -> int:
    """What a count is compared with, and one more: from there on it does not matter how great it is."""
    if expr.type is not ex.Type.NUMBER or not is_constant(expr, slots):
        return ENDLESS
    return max(0, int(code(expr)(Nowhere()))) + 1


def _bodies(slots: Slots, expr: ex.Defined | ex.TableValue) -> list[ex.Expr]:
    if isinstance(expr, ex.Defined):
        return [slots.definition(expr.name).body]
    table = slots.table(expr.name)
    return [table.key, *(value for _, value in table.rows)]


def _expressions(thing: object) -> Iterator[ex.Expr]:
    """The outermost expressions in a part of the checked sheet."""
    if isinstance(thing, ex.Expr):
        yield thing
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from _expressions(part)
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type) and type(thing).__module__ == model.__name__:
        for field in dataclasses.fields(thing):
            yield from _expressions(getattr(thing, field.name))
