"""What cards count: which rows of `values` a card falls under, and the bounds of points."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Literal

from rulespec import expressions as ex
from rulespec.expressions import Expr, Type
from rulespec.model import Rulesheet, ValueRow
from rulespec.reasoning import deck
from rulespec.reasoning.known import CardFace, Known
from rulespec.reasoning.numbers import Between, exactly, hull
from rulespec.reasoning.walk import reached

if TYPE_CHECKING:
    from rulespec.reasoning.judge import Judge

Where = Literal["hand", "melds"]
HAND: tuple[Where, ...] = ("hand",)
MELDS: tuple[Where, ...] = ("melds",)
Memo = dict[tuple[object, ...], Between]


class Worth:
    """Points of the cards of one sheet."""

    def __init__(self, sheet: Rulesheet, judge: Judge) -> None:
        self.sheet = sheet
        self.judge = judge
        rows = [row.card for row in (*sheet.values.hand, *sheet.values.melds, *sheet.values.everywhere)]
        self.by_place = any(trait.trait in ("low", "high") for row in rows for trait in reached(sheet, row, ex.Trait))
        self.by_suit = any(True for row in (*rows, *_wild(sheet)) for _ in _telling_suits(sheet, row))
        read = (sheet.values, sheet.wild, sheet.deck.jokers)
        self.options = {value.name for value in reached(sheet, read, ex.OptionValue)}
        self._memo: Memo = {}
        self._best: dict[tuple[object, ...], list[tuple[float, bool]]] = {}

    def rows(self, where: Where) -> tuple[ValueRow, ...]:
        """The rows of one table; those of `everywhere` come last."""
        own = self.sheet.values.hand if where == "hand" else self.sheet.values.melds
        return (*own, *self.sheet.values.everywhere)

    def where(self, things: Expr) -> tuple[Where, ...]:
        """Which tables count these things: cards in groups by `melds`, others by `hand`, a lone card by either."""
        if things.type in (Type.GROUP, Type.GROUPS, Type.LAYOUT):
            return MELDS
        match things:
            case ex.Zone() | ex.Rest() | ex.Named(type=Type.CARDS):
                return HAND
            case ex.Laid():
                return MELDS
            case ex.Select(things=among):
                return self.where(among)
            case ex.CardsIn(of=of) if of.type is not Type.CARDS or not isinstance(of, ex.It):
                return self.where(of)
            case ex.Top(of=of):
                return self.where(of)
            case ex.IfElse(then=one, otherwise=two):
                return tuple(dict.fromkeys((*self.where(one), *self.where(two))))
        return (*HAND, *MELDS)

    def lying(self, where: Where, jokers: bool = True) -> Iterator[CardFace]:
        """Every card at every place that a row may tell apart."""
        faces = deck.natural_faces(self.sheet)
        if not self.by_suit:
            faces = [face for face in faces if face.suit == self.sheet.deck.suits[0]]
        for face in faces + ([CardFace(deck.JOKER, "")] if jokers else []):
            if where == "hand" or not self.by_place:
                yield face
            else:
                yield from (CardFace(face.rank, face.suit, end) for end in deck.ends(self.sheet, face.rank))

    def matching(self, face: CardFace, where: Where, known: Known) -> list[tuple[ValueRow, bool | None]]:
        """The rows a card may fall under, each with whether it certainly does."""
        judged = [(row, self.judge.holds_for(row.card, face, known)) for row in self.rows(where)]
        return [(row, holds) for row, holds in judged if holds is not False]

    def of_card(self, face: CardFace, where: Where, known: Known) -> Between:
        """Bounds of what one card counts."""
        rows = self.matching(face, where, known)
        return hull(self._points(row, face, where, known) for row, _ in rows) if rows else exactly(0)

    def bounds(self, where: tuple[Where, ...], known: Known) -> Between:
        """Bounds of what a card counts in these places."""
        return hull(self._bounds(place, known) for place in where)

    def most(self, where: Where, cards: float, known: Known) -> float:
        """What so many cards can count together at most: the dearest of the deck, each as often as the deck has it."""
        packs = self.judge.number(self.sheet.deck.packs, known).high
        jokers = self.judge.number(self.sheet.deck.jokers, known).high
        suits = 1 if self.by_suit else len(self.sheet.deck.suits)
        total = 0.0
        for worth, joker in self._dearest(where, known):
            count = min(jokers if joker else packs * suits, cards)
            if count <= 0 or worth <= 0:
                continue
            total += count * worth
            cards -= count
        return total

    def _dearest(self, where: Where, known: Known) -> list[tuple[float, bool]]:
        """What each card can count at most, and whether it is a joker; the dearest first."""
        options = tuple((name, known.options.get(name)) for name in self.options)
        key = (where, known.round, known.players, known.loose, options)
        if key not in self._best:
            best: dict[CardFace, float] = {}
            for face in self.lying(where):
                card = CardFace(face.rank, face.suit)
                best[card] = max(best.get(card, -inf), self.of_card(face, where, known.before_play()).high)
            self._best[key] = sorted(((worth, not card.suit) for card, worth in best.items()), reverse=True)
        return self._best[key]

    def _bounds(self, where: Where, known: Known) -> Between:
        options = tuple((name, known.options.get(name)) for name in self.options)
        key = (where, known.players, known.round, known.loose, options)
        if key not in self._memo:
            self._memo[key] = exactly(0)
            early = known.before_play()
            jokers = self.judge.number(self.sheet.deck.jokers, early).high > 0
            self._memo[key] = hull(self.of_card(face, where, early) for face in self.lying(where, jokers))
        return self._memo[key]

    def _points(self, row: ValueRow, face: CardFace, where: Where, known: Known) -> Between:
        if row.points == "pips":
            return exactly(deck.pips(face.rank))
        if row.points == "its card":
            return self._of_naturals(where, known)
        return self.judge.number(row.points, known.elsewhere())

    def _of_naturals(self, where: Where, known: Known) -> Between:
        """What the card a wild one stands for may count."""
        plain = [row for row in self.rows(where) if row.points != "its card"]
        found = [
            self._points(row, face, where, known)
            for face in self.lying(where, jokers=False)
            for row in plain
            if self.judge.holds_for(row.card, face, known) is not False
        ]
        return hull(found) if found else exactly(0)


def _wild(sheet: Rulesheet) -> tuple[Expr, ...]:
    return (sheet.wild.cards,) if sheet.wild is not None else ()


def _telling_suits(sheet: Rulesheet, card_class: Expr) -> Iterator[Expr]:
    """Parts of a class that may tell one suit from another."""
    for part in reached(sheet, card_class, Expr):
        match part:
            case ex.Trait(trait="red" | "black") | ex.HasFace() | ex.Face() | ex.CardProperty(property="suit" | "name"):
                yield part
            case ex.IsSame() | ex.IsIn():
                yield part
