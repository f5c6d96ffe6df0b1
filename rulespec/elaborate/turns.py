"""The turns of a sheet: moves, automatic moves, and the manners of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulespec.diagnostics import did_you_mean
from rulespec.elaborate import actions as acts
from rulespec.elaborate.scope import SOMEBODY, Scope
from rulespec.elaborate.workshop import Workshop
from rulespec.expressions import Type
from rulespec.model import Automatic, Condition, Duty, Manners, MoveRule
from rulespec.reader import Text
from rulespec.schema import RawEvery

AFTER_ANY_MOVE = replace(SOMEBODY, played=True)
"""What `moves.every` may speak of behind `only` and `duty`: what `it` is depends on the move."""


def moves(shop: Workshop) -> tuple[MoveRule, ...]:
    """The moves that are reached, each with what `every` adds to it."""
    made = []
    for name, move in shop.raw.moves.named.items():
        if name not in shop.names.moves:
            continue
        tree = shop.tree(move.does)
        scope = replace(AFTER_ANY_MOVE, it=Type.UNKNOWN if tree is None else acts.it_type(tree))
        later = replace(scope, laying=tree is not None and acts.lays(tree))
        before, only, duties = _conditions(shop, str(name), move, later)
        if shop.raw.moves.every is not None:
            more = _conditions(shop, str(name), shop.raw.moves.every, AFTER_ANY_MOVE)
            before, only, duties = before + more[0], only + more[1], duties + more[2]
        does = shop.actions(move.does, scope)
        made.append(MoveRule(str(name), does, before, only, duties, name.span))
    return tuple(made)


def _conditions(
    shop: Workshop, name: str, move: RawEvery, scope: Scope
) -> tuple[tuple[Condition, ...], tuple[Condition, ...], tuple[Duty, ...]]:
    before = shop.conditions(move.if_, f"{name}.if", SOMEBODY)
    only = shop.conditions(move.only, f"{name}.only", scope)
    return before, only, _duties(shop, name, move.duty, replace(scope, laying=False))


def _duties(shop: Workshop, move: str, phrases: Mapping[Text, Text], scope: Scope) -> tuple[Duty, ...]:
    made = []
    for name, text in phrases.items():
        tree = shop.tree(text)
        if tree is None:
            shop.broken = True
            continue
        expr, deadline, until, cards = acts.duty(shop.phrase(text), tree, scope)
        condition = Condition(str(name), f"{move}.duty.{name}", expr, text.span, str(text))
        made.append(Duty(condition, deadline, until, cards))
    return tuple(made)


def automatic(shop: Workshop) -> tuple[Automatic, ...]:
    return tuple(
        Automatic(str(name), shop.truth(rule.when, SOMEBODY), shop.actions(rule.does, SOMEBODY), name.span)
        for name, rule in shop.raw.automatic.items()
    )


def manners(shop: Workshop) -> Manners:
    raw = shop.raw.manners
    return Manners(
        private=_move(shop, raw.private),
        undo=_move(shop, raw.undo),
        confirm=_move(shop, raw.confirm),
        must=_move(shop, raw.must),
        warn=tuple(
            (str(name), shop.truth(text, SOMEBODY)) for name, text in raw.warn.items() if _move(shop, name) is not None
        ),
        clock=None if raw.clock is None else shop.number(raw.clock, SOMEBODY),
        time_up=shop.maybe_phase(raw.time_up),
    )


def _move(shop: Workshop, name: Text | None) -> str | None:
    """The move that a line of `manners` is about; a line about a move that is not reached is dropped."""
    if name is None or name in shop.names.moves:
        return None if name is None else str(name)
    if name and name not in shop.names.unreached_moves:
        shop.report(name, "unknown-word", f'no move "{name}"', did_you_mean(name, shop.names.moves))
    return None
