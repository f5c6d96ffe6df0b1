"""The manners of the table fit the turn."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics import Diagnostic
from rulespec.model import MoveItem
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside


def check_manners(study: Study) -> list[Diagnostic]:
    """Compares `time-up`, `clock` and `undo` with the turn and with each other."""
    return [*_time_up(study), *_clock(study), *_undo(study)]


def _time_up(study: Study) -> Iterator[Diagnostic]:
    manners = study.sheet.manners
    if manners.time_up is None:
        return
    phases = (study.sheet.turn, *(extra.turn for extra in study.sheet.round.extra_turns))
    offered = {item.name for item in inside(phases, MoveItem)}
    for item in inside(manners.time_up, MoveItem):
        if item.name not in offered and study.own(item.span):
            message = f'when time is up "{item.name}" is made, but no turn offers it'
            yield Diagnostic("time-up-elsewhere", "warning", message, item.span, "name moves of the turn")


def _clock(study: Study) -> Iterator[Diagnostic]:
    manners = study.sheet.manners
    if manners.clock is not None and manners.time_up is None and study.own(manners.clock.span):
        message = "what happens when the time of a turn is up?"
        yield Diagnostic(
            "clock-without-time-up", "question", message, manners.clock.span, "say it by `time-up: draw then discard`"
        )


def _undo(study: Study) -> Iterator[Diagnostic]:
    manners = study.sheet.manners
    span = study.key("manners", "undo")
    if manners.undo is not None and manners.private is None and study.own(span):
        message = f'"{manners.undo}" stands for the undo of a move made in private, but no move is'
        yield Diagnostic(
            "undo-without-copy", "warning", message, span, "`private: MOVE` says which move is tried on a copy"
        )
