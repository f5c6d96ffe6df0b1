"""Moves that lay no new group are not asked for the groups of `played`."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.model import MoveRule
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside
from rulespec.source import Span


def check_new_groups(study: Study) -> list[Diagnostic]:
    """Looks for phrases about new groups that belong to no move that lays any."""
    laid: set[Span] = set()
    idle: dict[Span, Span] = {}
    for move in study.sheet.moves:
        found = dict.fromkeys(_asked(move), move.span)
        if any(isinstance(action, model.LayMelds | model.Rearrange) for action in move.does):
            laid |= found.keys()
        else:
            idle |= found
    return [_tell(span, move) for span, move in idle.items() if span not in laid and study.own(span, move)]


def _asked(move: MoveRule) -> Iterator[Span]:
    """Where the points or the groups of `played` are spoken of; not of its cards."""
    parts = (move.does, move.only, tuple(duty.condition for duty in move.duties))
    for points in inside(parts, ex.Points):
        if isinstance(points.of, ex.Played):
            yield points.span
    for groups in inside(parts, ex.GroupsIn):
        if isinstance(groups.of, ex.Played):
            yield groups.span


def _tell(span: Span, move: Span) -> Diagnostic:
    message = "this move lays no new group, and only new groups count here"
    help_ = 'the cards it laid are "cards in played": `points of cards in played`'
    return Diagnostic("no-new-group", "error", message, span, help_, ((move, "the move"),))
