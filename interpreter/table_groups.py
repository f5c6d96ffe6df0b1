"""Every group with a given card, of the cards of a table and a hand: sets and runs, card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from interpreter.melds import MeldRules
from interpreter.moves import Meld
from interpreter.pack import bits
from interpreter.table_shape import Shape

Named = tuple[int, int]
"""A card and what it stands for."""


class Groups:
    """Finds groups among `cards`. Wild cards in `names` may also lie under that name, as if they were that card;
    those in `free` may have any name. Cards for which `sort` is equal are not told apart.

    Of equal ones those of `beside` are used first. Of runs those are left out that could as well be two: an end with
    enough cards to be a run of its own, none of them in `together`, as long as one of `beside` is left in the rest.
    """

    def __init__(
        self,
        shape: Shape,
        rules: MeldRules,
        cards: int,
        names: dict[int, int],
        free: int,
        sort: Callable[[int], int],
        together: int,
        beside: int = 0,
    ) -> None:
        self.together = together
        self.beside = beside
        self.shape = shape
        self.rules = rules
        self.pack = shape.pack
        self.by_face: dict[int, list[int]] = {}
        self.wild: list[int] = []
        seen: dict[tuple[int, int], int] = {}
        self.equal: dict[int, list[int]] = {}
        """Card to all that are not told apart from it."""
        for card in (*bits(cards & beside), *bits(cards & ~beside)):
            key = (self.pack.face[card], sort(card))
            alike = seen.setdefault(key, card)
            self.equal.setdefault(alike, []).append(card)
            if alike != card:
                continue
            if rules.wild >> card & 1:
                if free >> card & 1:
                    self.wild.append(card)
                if card in names:
                    self.by_face.setdefault(names[card], []).append(card)
            else:
                self.by_face.setdefault(self.pack.face[card], []).append(card)

    def containing(self, card: int, name: int) -> Iterator[Meld]:
        """Every valid group with this card under this name."""
        yield from self._sets(card, name)
        yield from self._runs(card, name)

    def _may_lie(self, face: int) -> list[Named]:
        """What may lie as a face: cards, then wild cards."""
        return [(card, face) for card in (*self.by_face.get(face, ()), *self.wild)]

    def _told_apart(self, cards: list[Named], wild_most: int) -> list[Named] | None:
        """The same with every card used once; None if there are not enough equal ones, or too many wild ones."""
        used = 0
        wild = 0
        found = []
        for card, name in cards:
            left = next((c for c in self.equal.get(card, (card,)) if not used >> c & 1), -1)
            wild += self.rules.wild >> card & 1
            if left < 0 or wild > wild_most:
                return None
            used |= 1 << left
            found.append((left, name))
        return found

    def _sets(self, card: int, name: int) -> Iterator[Meld]:
        kind = self.shape.sets
        if kind is None or not self.shape.named:
            return
        rank, own = self.pack.face_rank[name], self.pack.face_suit[name]
        others = [s for s in range(len(self.pack.suits)) if s != own]
        options: list[list[Named | None]] = [[None, *self._may_lie(self.pack.face_of(rank, s))] for s in others]
        for chosen in product(*options):
            cards = [(card, name), *(one for one in chosen if one is not None)]
            if not kind.cards[0] <= len(cards) <= kind.cards[1]:
                continue
            told = self._told_apart(cards, kind.wild[1])
            if told is not None and self.rules.fits(meld := self._meld(kind.index, told)):
                yield meld

    def _meld(self, kind: int, cards: list[Named]) -> Meld:
        """A set as it is written down: natural cards by suit, then wild ones by name."""
        wild = self.rules.wild
        order = sorted(cards, key=lambda c: (wild >> c[0] & 1, c[1], c[0]))
        return Meld(kind, tuple(c for c, _ in order), tuple(n for _, n in order), -1)

    def _runs(self, card: int, name: int) -> Iterator[Meld]:
        kind = self.shape.runs
        if kind is None:
            return
        pack = self.pack
        suit = pack.face_suit[name]
        for place in pack.rank_places[pack.face_rank[name]]:
            for start, run in self._downwards(place, suit, [(card, name)]):
                for cards in self._upwards(place + 1, suit, run):
                    if len(cards) < kind.cards[0] or self._comes_apart(cards, place - start):
                        continue
                    meld = Meld(kind.index, tuple(c for c, _ in cards), tuple(n for _, n in cards), start)
                    if self.rules.fits(meld):
                        yield meld

    def _downwards(self, place: int, suit: int, run: list[Named]) -> Iterator[tuple[int, list[Named]]]:
        """A run and all that it becomes by cards at its low end; with the place of its first card."""
        yield place, run
        if place > 0:
            for one in self._next(run, place - 1, suit):
                yield from self._downwards(place - 1, suit, [one, *run])

    def _upwards(self, place: int, suit: int, run: list[Named]) -> Iterator[list[Named]]:
        """The same at its high end."""
        yield run
        if place < len(self.pack.place_rank):
            for one in self._next(run, place, suit):
                yield from self._upwards(place + 1, suit, [*run, one])

    def _next(self, run: list[Named], place: int, suit: int) -> Iterator[Named]:
        """What may lie in a place beside a run."""
        kind = self.shape.runs
        assert kind is not None
        if len(run) >= kind.cards[1]:
            return
        used = {card for card, _ in run}
        wild = sum(self.rules.wild >> card & 1 for card in used)
        for card, name in self._may_lie(self.pack.face_of(self.pack.place_rank[place], suit)):
            left = next((c for c in self.equal[card] if c not in used), -1)
            if left >= 0 and wild + (self.rules.wild >> left & 1) <= kind.wild[1]:
                yield left, name

    def _comes_apart(self, cards: list[Named], at: int) -> bool:
        """Whether an end of a run, of which the card at `at` stays, could be a run of its own."""
        kind = self.shape.runs
        assert kind is not None
        least = kind.cards[0]
        if len(cards) < 2 * least:
            return False
        for end, rest, beyond in (
            (cards[:least], cards[least:], at >= least),
            (cards[-least:], cards[:-least], len(cards) - at > least),
        ):
            if self.beside and not any(self.beside >> card & 1 for card, _ in rest):
                continue
            natural = sum(not self.rules.wild >> card & 1 for card, _ in end)
            loose = not any(self.together >> card & 1 for card, _ in end)
            if beyond and loose and natural >= kind.natural[0]:
                return True
        return False
