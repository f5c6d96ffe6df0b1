"""Named cards that go back from the hand may have come there."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside


def check_returned(study: Study) -> list[Diagnostic]:
    """Looks for `return X` where no action and no deal brings X to a hand."""
    taken_from = {action.zone for action in inside(study.sheet, model.Take)}
    taken_from |= {action.zone for action in inside(study.sheet, model.Draw)}
    come = {name for name, zone in _named(study) if zone == "hand" or zone in taken_from}
    found = []
    rules = [(move.name, move.does) for move in study.sheet.moves]
    rules += [(rule.name, rule.does) for rule in study.sheet.automatic]
    for rule, does in rules:
        for action in inside(does, model.Return):
            if action.name not in come and study.own(action.span):
                message = f'"{action.name}" are never in a hand, so "{rule}" returns nothing'
                help_ = "cards are in the hand after `draw`, `take` or `swap`; name those"
                found.append(Diagnostic("return-of-nothing", "warning", message, action.span, help_))
    return found


def _named(study: Study) -> Iterator[tuple[str, str]]:
    """Names of cards, and the zone these lie in when they get their name."""
    for line in study.sheet.deal.lines:
        if line.named:
            yield line.named, line.zone
    for action in inside(study.sheet, model.Action):
        match action:
            case model.Put(named=str(name)) | model.PutEvery(named=str(name)) | model.TurnUp(named=str(name)):
                yield name, action.zone
            case model.Draw(named=str(name)) | model.Take(named=str(name)) | model.Swap(named=str(name)):
                yield name, "hand"
