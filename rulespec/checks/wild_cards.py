"""Everybody knows which cards are wild."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Count, Expr, IsEmpty, Named, Top, Zone
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import reached


def check_wild_cards(study: Study) -> list[Diagnostic]:
    """Asks where `wild.cards` goes by cards that not everybody sees: which groups are legal gives them away."""
    wild = study.sheet.wild
    if wild is None or not study.own(wild.cards.span):
        return []
    seen_by = {zone.name: zone.seen_by for zone in study.sheet.zones}
    for expr, zone in _looked_at(study, wild.cards):
        enough = ("everyone", "top") if isinstance(expr, Top) else ("everyone",)
        if seen_by[zone] not in enough:
            who = "nobody sees" if seen_by[zone] == "nobody" else "not everybody sees"
            message = f'which cards are wild goes by cards of "{zone}", which {who}: is that meant?'
            help_ = f"what is legal gives them away; let all see them, as by `{zone}: {{…, seen-by: everyone}}`"
            span = expr.span if study.own(expr.span) else wild.cards.span
            return [Diagnostic("hidden-wild", "question", message, span, help_)]
    return []


def _looked_at(study: Study, cards: Expr) -> Iterator[tuple[Expr, str]]:
    """Phrases that ask which cards lie in a zone, not only how many, and the zone."""
    dealt = {line.named: line.zone for line in study.sheet.deal.lines if line.named}
    found = list(reached(study.sheet, cards, Expr))
    within = {id(expr.of) for expr in found if isinstance(expr, (Count, IsEmpty, Top))}
    for expr in found:
        match expr:
            case Top(of=Zone(name=zone)):
                yield expr, zone
            case Named(name=name) if name in dealt:
                yield expr, dealt[name]
            case Zone(name=zone) if id(expr) not in within:
                yield expr, zone
