"""The stock: what happens when it is empty is said, and renewing it can work."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Expr
from rulespec.reasoning.bounded import turns_are_counted
from rulespec.reasoning.known import Known
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import conjuncts, inside, reached


def check_stock(study: Study) -> list[Diagnostic]:
    """Reads who draws from the stock, who speaks of its end, and what comes back to it."""
    found = list(_renewal(study))
    if not turns_are_counted(study.sheet, study.judge, Known(players=study.players)):
        found += [*_without_limit(study), *_unspoken(study)]
    return found


def _draws(study: Study) -> bool:
    """Whether a card is ever drawn from the stock."""
    return any(draw.zone == "stock" for draw in inside(study.sheet, model.Draw)) or any(
        True for _ in inside(study.sheet, model.TurnUp)
    )


def _renewal(study: Study) -> Iterator[Diagnostic]:
    rule = study.sheet.stock
    if rule.how == "nothing" or not study.own(rule.span):
        return
    if not _draws(study):
        message = "the stock is never renewed: no move draws from it"
        yield Diagnostic("renewal-unused", "warning", message, rule.span, "write `nothing`, or let a move draw")
        return
    if not any(zone == rule.zone for zone in _filled(study)):
        message = f'the stock is renewed from "{rule.zone}", but no move puts a card there'
        yield Diagnostic("renewal-of-nothing", "error", message, rule.span)
    if rule.at_most is not None and study.judge.number(rule.at_most, Known(players=study.players)).high <= 0:
        message = "the stock is renewed 0 times at most, so never"
        yield Diagnostic("renewal-unused", "warning", message, rule.at_most.span, "write `nothing`")


def _filled(study: Study) -> Iterator[str]:
    """Zones that get cards during a round."""
    for action in inside(study.sheet, model.Action):
        if isinstance(action, model.Put | model.PutEvery | model.Return | model.TurnUp):
            yield action.zone


def _without_limit(study: Study) -> Iterator[Diagnostic]:
    rule = study.sheet.stock
    if rule.how != "nothing" and rule.at_most is None and study.own(rule.span):
        message = "the stock is renewed without limit, so a round may go on for ever: is that meant?"
        yield Diagnostic("stock-without-limit", "question", message, rule.span, "a limit is `…, at most 2 times`")


def _unspoken(study: Study) -> Iterator[Diagnostic]:
    """Asks where the stock can run out, and the sheet goes on without a word about it."""
    rule = study.sheet.stock
    if (
        not _draws(study)
        or (rule.how != "nothing" and rule.at_most is None)
        or any(told.stuck for told in study.stories)
    ):
        return
    sheet = study.sheet
    endings = tuple(condition.expr for ending in sheet.round.endings for condition in ending.when)
    extras = tuple(extra.when for extra in sheet.round.extra_turns)
    moves = tuple(
        part for move in sheet.moves for c in move.before for part in conjuncts(c.expr) if not _keeps_drawing(part)
    )
    guards = tuple(part for phase in inside(sheet.turn, model.Sequence) for _, part in phase.steps if part is not None)
    if not any(_speaks(part) for part in reached(sheet, (endings, extras, moves, guards), Expr)):
        message = "what happens when the stock is dry? no ending and no move speaks of it"
        help = "an ending such as `turn is over and stock is dry`, or a renewal, says it"
        places = (study.key("stock", "empty"), study.key("round", "endings"), sheet.turn.span)
        span = next((place for place in places if study.own(place)), places[0])
        yield Diagnostic("stock-unspoken", "question", message, span, help)


def _keeps_drawing(part: Expr) -> bool:
    """`stock is not dry`, which only keeps players from drawing."""
    return isinstance(part, ex.Not) and isinstance(part.value, ex.StockIsDry | ex.IsEmpty)


def _speaks(part: Expr) -> bool:
    match part:
        case ex.StockIsDry() | ex.Fact(name="idle-turns"):
            return True
        case ex.Zone(name="stock"):
            return True
    return False
