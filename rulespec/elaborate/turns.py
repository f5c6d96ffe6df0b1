"""The turns of a sheet: moves, automatic moves, and the manners of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.elaborate import actions as acts
from rulespec.elaborate.cards import who_sees
from rulespec.elaborate.moments import AFTER_MOVE, BEFORE_MOVE
from rulespec.elaborate.scope import SOMEBODY, Scope
from rulespec.elaborate.unseen import Unseen, drawn_unseen, telling
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
        unseen = drawn_unseen(does, who_sees(shop))
        if unseen:
            _tells_nothing(shop, unseen, (*only, *(duty.condition for duty in duties)))
        made.append(MoveRule(str(name), does, before, only, duties, name.span))
    return tuple(made)


def _tells_nothing(shop: Workshop, unseen: Unseen, conditions: Iterable[Condition]) -> None:
    """Reports conditions by which a refusal would tell what the move draws."""
    help_ = 'only their number may be asked ("number of cards in hand"); put the condition on a later move'
    message = "this would tell which cards the move draws unseen"
    for condition in conditions:
        for asked, told in telling(condition.expr, unseen, shop.names.bodies):
            notes = () if told is asked else ((told.span, "this reads them"),)
            shop.problems.append(Diagnostic("not-yet-known", "error", message, asked.span, help_, notes))


def _conditions(
    shop: Workshop, name: str, move: RawEvery, scope: Scope
) -> tuple[tuple[Condition, ...], tuple[Condition, ...], tuple[Duty, ...]]:
    before = shop.conditions(move.if_, f"{name}.if", SOMEBODY)
    only = shop.conditions(move.only, f"{name}.only", scope)
    for moment, conditions in ((BEFORE_MOVE, before), (AFTER_MOVE, only)):
        for condition in conditions:
            shop.known_at(condition.expr, moment)
    return before, only, _duties(shop, name, move.duty, replace(scope, laying=False))


def _duties(shop: Workshop, move: str, phrases: Mapping[Text, Text], scope: Scope) -> tuple[Duty, ...]:
    made = []
    for name, text in phrases.items():
        tree = shop.tree(text)
        if tree is None:
            shop.broken = True
            continue
        expr, deadline, until, cards = acts.duty(shop.phrase(text), tree, scope)
        shop.known_at(expr, AFTER_MOVE)
        condition = Condition(str(name), f"{move}.duty.{name}", expr, text.span, str(text))
        made.append(Duty(condition, deadline, until, cards))
    return tuple(made)


def automatic(shop: Workshop) -> tuple[Automatic, ...]:
    made = []
    for name, rule in shop.raw.automatic.items():
        when = shop.truth(rule.when, SOMEBODY)
        shop.known_at(when, AFTER_MOVE)
        made.append(Automatic(str(name), when, shop.actions(rule.does, SOMEBODY), name.span))
    return tuple(made)


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
