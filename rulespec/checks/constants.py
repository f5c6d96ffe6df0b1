"""Conditions depend on something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Expr, Type
from rulespec.reasoning.contradiction import contradict
from rulespec.reasoning.known import Known
from rulespec.reasoning.scores import score_bounds
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import conjuncts, inside
from rulespec.source import Span


def check_constants(study: Study) -> list[Diagnostic]:
    """Judges every comparison of the sheet for all players, options, rounds and positions together."""
    known = Known(players=study.players, loose=True)
    known = replace(known, round=study.rounds(known), score=score_bounds(study.sheet, study.judge, known))
    found: dict[Span, Diagnostic] = {}
    for whole in _conditions(study):
        if not study.own(whole.span) or whole.span in found:
            continue
        parts = [part for part in inside(whole, ex.Compare) if part.left.type is Type.NUMBER]
        told = [_tell(part, holds) for part in parts if (holds := _settled(study, part, known)) is not None]
        told += [_tell(part, False) for part in inside(whole, ex.And) if not told and _impossible(study, part, known)]
        found |= {diagnostic.span: diagnostic for diagnostic in told}
    return list(found.values())


def _conditions(study: Study) -> Iterator[Expr]:
    """Every condition that somebody is asked, but for `game.ends`, which has a check of its own."""
    sheet = study.sheet
    for move in sheet.moves:
        yield from (condition.expr for condition in (*move.before, *move.only))
        yield from (duty.condition.expr for duty in move.duties)
    for ending in sheet.round.endings:
        yield from (condition.expr for condition in ending.when)
    for kind in sheet.melds:
        yield from (condition.expr for condition in kind.needs)
    yield from (rule.when for rule in sheet.automatic)
    yield from (extra.when for extra in sheet.round.extra_turns)
    phases = (sheet.turn, *(extra.turn for extra in sheet.round.extra_turns))
    for sequence in inside(phases, model.Sequence):
        yield from (guard for _, guard in sequence.steps if guard is not None)
    if sheet.game.leaves is not None:
        yield sheet.game.leaves
    yield from (warning for _, warning in sheet.manners.warn)
    yield from (definition.body for definition in sheet.definitions)


def _settled(study: Study, part: ex.Compare, known: Known) -> bool | None:
    """What a comparison always comes to, if `it` and bare words may be anything."""
    return study.judge.truth(part, known.elsewhere())


def _impossible(study: Study, part: ex.And, known: Known) -> bool:
    return contradict(conjuncts(part), study.judge, known.elsewhere())


def _tell(part: Expr, holds: bool) -> Diagnostic:
    message = f"this {'always' if holds else 'never'} holds, whatever the players, the options and the position"
    return Diagnostic(
        "constant-condition", "warning", message, part.span, "take it out, or compare with another number"
    )
