"""Numbers that are worked out when a game starts are ones a game can have, at every table."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics import Diagnostic
from rulespec.elaborate.cards import MOST_JOKERS, MOST_PACKS
from rulespec.expressions import Expr
from rulespec.reasoning.dealt import deck_size
from rulespec.reasoning.known import Setting
from rulespec.reasoning.study import Study
from rulespec.source import Span

MOST_CARDS = 3000
"""Cards of a deck."""


def check_game_numbers(study: Study) -> list[Diagnostic]:
    """Works out sides, packs, jokers and the size of the deck with every number of players and choice of options."""
    sheet = study.sheet
    found: dict[str, Diagnostic] = {}
    for setting in study.tables(sheet.sides, sheet.deck):
        for what, diagnostic in _at(study, setting):
            found.setdefault(what, diagnostic)
    return list(found.values())


def _at(study: Study, setting: Setting) -> Iterator[tuple[str, Diagnostic]]:
    sheet, known = study.sheet, setting.known()

    def number(what: str, expr: Expr, low: int, high: int) -> Iterator[tuple[str, Diagnostic]]:
        found = study.judge.number(expr, known)
        wrong = found.low if found.low > high else found.high if found.high < low else None
        if wrong is not None:
            message = f"with {setting}, `{what}` would be {int(wrong)}; it is from {low} to {high}"
            yield what, Diagnostic("computed-out-of-range", "error", message, _place(study, what, expr))

    wrong = [
        *number("sides", sheet.sides, 1, setting.players),
        *number("packs", sheet.deck.packs, 0, MOST_PACKS),
        *number("jokers", sheet.deck.jokers, 0, MOST_JOKERS),
    ]
    yield from wrong
    cards = deck_size(sheet, study.judge, known)
    if not wrong and cards.low > MOST_CARDS:
        message = f"with {setting}, the deck would have {int(cards.low)} cards; it has {MOST_CARDS} at most"
        yield "cards", Diagnostic("computed-out-of-range", "error", message, _place(study, "packs", sheet.deck.packs))


def _place(study: Study, what: str, expr: Expr) -> Span:
    """The phrase; where it stands in an ancestor, the key of what the sheet itself says of players or options."""
    if study.own(expr.span):
        return expr.span
    own = [study.key(key) for key in ("players", "options", what)]
    return next((span for span in own if study.own(span)), expr.span)
