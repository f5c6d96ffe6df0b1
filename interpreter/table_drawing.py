"""Groups from the best way through the ranks: which cards of each rank make sets, which go on with which run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interpreter.table_layers import Book
from interpreter.table_runs import CLOSED, NATURAL, WILD, OpenRun
from interpreter.table_shape import Shape


class Option(NamedTuple):
    """What a rank does: for each suit its open runs before, cards for sets, natural and wild ones for runs, and the
    open runs after; and wild cards for sets."""

    each: tuple[tuple[int, int, int, int, int], ...]
    wild: int


class Drawn(NamedTuple):
    """A group of the table that was found: its kind, the place of its first card (-1 in a set), its cards as faces;
    `wild` has one bit for each wild card among them, whose face is its name."""

    kind: int
    start: int
    faces: tuple[int, ...]
    wild: int


def draw(shape: Shape, book: Book, way: Sequence[Option]) -> tuple[Drawn, ...]:
    """All groups on a way through the ranks, runs by where they end, sets by rank."""
    return _Drawing(shape, book, way).groups()


class _Drawing:
    """Groups from the way to the best key."""

    def __init__(self, shape: Shape, book: Book, way: Sequence[Option]) -> None:
        self.shape = shape
        self.book = book
        self.suits = len(shape.pack.suits)
        self.way = way
        self.found: list[Drawn] = []

    def _face(self, place: int, suit: int) -> int:
        return self.shape.pack.place_rank[place] * self.suits + suit

    def groups(self) -> tuple[Drawn, ...]:
        """All groups, runs by where they end, sets by rank."""
        building: list[list[tuple[OpenRun, int, list[int]]]] = [[] for _ in range(self.suits)]
        for place, option in enumerate(self.way):
            self._sets(place, option)
            for suit in range(self.suits):
                building[suit] = self._go_on(place, suit, building[suit], option)
        for suit in range(self.suits):
            for _, start, cards in building[suit]:
                self._close(suit, start, cards)
        return tuple(self.found)

    def _go_on(
        self,
        place: int,
        suit: int,
        runs: list[tuple[OpenRun, int, list[int]]],
        option: Option,
    ) -> list[tuple[OpenRun, int, list[int]]]:
        """The runs of a suit after a rank; each is its state, its first place, and NATURAL or WILD card by card."""
        rules = self.book.rules
        old, _, natural, wild, new = option.each[suit]
        if not runs and not natural and not wild:
            return runs
        step = self.book.step(old, natural, wild, new)
        going: list[tuple[OpenRun, int, list[int]]] = []
        if len(runs) > 1:
            runs = sorted(runs, key=lambda r: r[0])
        for (run, start, cards), what in zip(runs, step.each, strict=True):
            if what == CLOSED:
                self._close(suit, start, cards)
            else:
                going.append((run, start, [*cards, what]))
        going += [(OpenRun(0, 0, 0), place, [what]) for what in step.begun]
        if wild and rules.counts_cards_only:
            _spread(going, wild)
        grown = [(rules.grown(run, cards[-1]), start, cards) for run, start, cards in going]
        return [(run, start, cards) for run, start, cards in grown if run is not None]

    def _close(self, suit: int, start: int, cards: list[int]) -> None:
        """Note a run, in pieces where it is too long to be one."""
        kind = self.shape.runs
        assert kind is not None
        least, most = kind.cards
        while cards:
            size = len(cards) if len(cards) <= most else min(most, len(cards) - least)
            piece, cards = cards[:size], cards[size:]
            faces = tuple([self._face(start + step, suit) for step in range(size)])
            wild = sum([1 << at for at, what in enumerate(piece) if what == WILD])
            self.found.append(Drawn(kind.index, start, faces, wild))
            start += size

    def _sets(self, place: int, option: Option) -> None:
        """Note the sets of a rank: cards are dealt to the smallest sets, wild ones last."""
        shape = self.shape
        kind = shape.sets
        cards = [way[1] for way in option.each]
        if not any(cards) and not option.wild:
            return
        count = shape.sets_for(sum(cards), option.wild, max(cards))
        if kind is None or not count:
            return
        sets: list[list[int]] = [[] for _ in range(count)]
        for suit in sorted(range(self.suits), key=lambda s: -cards[s]):
            for group in sorted(sets, key=len)[: cards[suit]]:
                group.append(self._face(place, suit))
        wild = [0] * count
        natural = [len(group) for group in sets]
        rank = shape.pack.place_rank[place]
        for _ in range(option.wild):
            at = min(range(count), key=lambda number: (wild[number], natural[number]))
            wild[at] += 1
            missing = (face for s in range(self.suits) if (face := self._face(place, s)) not in sets[at])
            sets[at].append(next(missing) if shape.named else shape.pack.face_of(rank, -1))
        for group, own in zip(sets, natural, strict=True):
            self.found.append(Drawn(kind.index, -1, tuple(group), (1 << len(group)) - (1 << own)))


def _spread(going: list[tuple[OpenRun, int, list[int]]], wild: int) -> None:
    """Let the wild cards of a rank lie in the runs that have the fewest of them."""
    order = sorted(going, key=lambda run: (run[2][:-1].count(WILD), -len(run[2])))
    for number, (_, _, cards) in enumerate(order):
        cards[-1] = WILD if number < wild else NATURAL
