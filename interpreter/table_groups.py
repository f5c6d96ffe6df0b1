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
    those in `free` may have any name. Cards for which `sort` is equal are not told apart."""

    def __init__(
        self, shape: Shape, rules: MeldRules, cards: int, names: dict[int, int], free: int, sort: Callable[[int], int]
    ) -> None:
        self.shape = shape
        self.rules = rules
        self.pack = shape.pack
        self.by_face: dict[int, list[int]] = {}
        self.wild: list[int] = []
        seen: dict[tuple[int, int], int] = {}
        self.equal: dict[int, list[int]] = {}
        """Card to all that are not told apart from it."""
        for card in bits(cards):
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
        count = len(pack.place_rank)
        for place in pack.rank_places[pack.face_rank[name]]:
            for start in range(place, -1, -1):
                below = [self._at(p, suit) for p in range(start, place)]
                if not all(below):
                    break
                for end in range(place, min(count, start + kind.cards[1])):
                    above = [self._at(p, suit) for p in range(place + 1, end + 1)]
                    if not all(above):
                        break
                    if end - start + 1 < kind.cards[0]:
                        continue
                    for chosen in product(*below, [(card, name)], *above):
                        told = self._told_apart(list(chosen), kind.wild[1])
                        if told is None:
                            continue
                        meld = Meld(kind.index, tuple(c for c, _ in told), tuple(n for _, n in told), start)
                        if self.rules.fits(meld):
                            yield meld

    def _at(self, place: int, suit: int) -> list[Named]:
        return self._may_lie(self.pack.face_of(self.pack.place_rank[place], suit))
