"""Duties can be met, and their deadlines come."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Type
from rulespec.model import Duty, MoveRule
from rulespec.reasoning.effects import LAYING
from rulespec.reasoning.places import Turn, turn_of
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside

Spot = tuple[Turn, int]


def check_duties(study: Study) -> list[Diagnostic]:
    """Reads off the phrases which moves can follow the one that opens a duty."""
    sheet = study.sheet
    phases = [sheet.turn, *(extra.turn for extra in sheet.round.extra_turns)]
    turns = [turn_of(phase) for phase in phases]
    found: list[Diagnostic] = []
    for move in sheet.moves:
        spots = [(turn, at) for turn in turns for at, place in enumerate(turn.places) if place.move == move.name]
        for duty in move.duties if spots else ():
            if study.own(duty.condition.span, move.span):
                found += _meeting(study, move, duty, spots) or _deadline(move, duty, spots)
    return found


def _meeting(study: Study, move: MoveRule, duty: Duty, spots: list[Spot]) -> list[Diagnostic]:
    """Whether a card that must lie on the table can be laid in time."""
    moves = {rule.name: rule for rule in study.sheet.moves}
    on_table = [
        part for part in inside(duty.condition.expr, ex.IsIn) if part.container.type in (Type.GROUP, Type.GROUPS)
    ]
    if not on_table or _lays(move):
        return []
    for turn, at in spots:
        follow = {way.target for way in turn.ways[at]} if duty.deadline == "at once" else turn.following(at)
        if any(_lays(moves[turn.places[place].move]) for place in follow if place >= 0):
            return []
    message = f'this duty can never be met: no move that lays cards follows "{move.name}"'
    if duty.deadline == "at once":
        message = f'this duty can never be met: no move that lays cards can follow "{move.name}" at once'
    help = "so the move is never legal: offer a laying move after it"
    return [Diagnostic("duty-out-of-reach", "error", message, duty.condition.span, help)]


def _lays(move: MoveRule) -> bool:
    return any(isinstance(action, LAYING) for action in move.does)


def _deadline(move: MoveRule, duty: Duty, spots: list[Spot]) -> Iterator[Diagnostic]:
    if duty.deadline not in ("before", "by"):
        return
    if any(turn.places[place].move == duty.move for turn, at in spots for place in turn.following(at)):
        return
    message = f'the deadline never comes: "{duty.move}" cannot follow "{move.name}" in a turn'
    help = "the duty is then only looked at when the turn ends: write `before turn ends`"
    yield Diagnostic("deadline-out-of-reach", "warning", message, duty.condition.span, help)
