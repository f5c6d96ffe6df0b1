"""What cards count, which are wild and what is a group do not ask one another in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Expr
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import reached
from rulespec.source import Span

GROUPING = (ex.Layouts, ex.Contains, ex.Accepts, ex.Can)
"""What tries which cards form groups."""


def check_circles(study: Study) -> list[Diagnostic]:
    """Looks from each of the three to the others."""
    return [*_values(study), *_wild(study), *_groups(study)]


def _values(study: Study) -> Iterator[Diagnostic]:
    """Rows of values that ask what cards count."""
    values = study.sheet.values
    for row in (*values.hand, *values.melds, *values.everywhere):
        asked = next(reached(study.sheet, (row.card, row.points), ex.Points), None)
        if asked is not None:
            message = "what cards count is said here, so it cannot be asked here"
            yield _circle(message, row.span, asked, "name the cards: a rank, a suit, jokers")


def _wild(study: Study) -> Iterator[Diagnostic]:
    """A class of wild cards that depends on which cards are wild."""
    sheet = study.sheet
    if sheet.wild is None:
        return
    cards = sheet.wild.cards
    message = "which cards are wild is said here, so it cannot be asked here"
    for part in reached(sheet, cards, Expr):
        if isinstance(part, GROUPING):
            yield _circle(message, cards.span, part, "groups are made with wild cards: name the cards another way")
            return
    values = sheet.values
    rows = (*values.hand, *values.melds, *values.everywhere)
    asks = [t for t in reached(sheet, tuple((r.card, r.points) for r in rows), ex.Trait) if t.trait in TRAITS]
    points = next(reached(sheet, cards, ex.Points), None)
    if points is not None and asks:
        help_ = "name the wild cards another way than by their points"
        message = "which cards are wild is asked by their points, and a row of values asks which cards are wild"
        yield Diagnostic("defined-by-itself", "error", message, points.span, help_, ((asks[0].span, "asked here"),))


TRAITS = ("wild", "natural")


def _groups(study: Study) -> Iterator[Diagnostic]:
    """Kinds of groups that ask which groups there are."""
    for kind in study.sheet.melds:
        parts = [part for part in (kind.of, kind.apart, *(c.expr for c in kind.needs)) if part is not None]
        for part in parts:
            asked = next((found for found in reached(study.sheet, part, Expr) if isinstance(found, GROUPING)), None)
            if asked is not None:
                message = f'what a "{kind.name}" is, is said here, so groups cannot be tried here'
                yield _circle(message, part.span, asked, "speak of the cards in it")


def _circle(message: str, span: Span, asked: Expr, help_: str) -> Diagnostic:
    same = (span.file, span.line) == (asked.span.file, asked.span.line)
    notes = () if same else ((asked.span, "asked here"),)
    return Diagnostic("defined-by-itself", "error", message, asked.span if same else span, help_, notes)
