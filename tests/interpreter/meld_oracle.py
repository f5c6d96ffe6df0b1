"""A slow finder of groups, written from the rules alone: try every card under every name, keep what is valid.

Cards are told apart here; `Oracle.key` says which results differ by twins only. It shares nothing with the finder but
the types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product

from interpreter.melds import Kind, StandsFor
from interpreter.moves import Meld
from interpreter.pack import Pack

Said = tuple[tuple[int, int], ...]
"""Cards and their names, a run from low to high."""

Key = tuple[object, ...]


class Oracle:
    """The groups of one game by trying everything."""

    def __init__(self, pack: Pack, kinds: Sequence[Kind], wild: int, stands_for: StandsFor) -> None:
        self.pack = pack
        self.kinds = kinds
        self.wild = wild
        self.stands_for = stands_for

    # what a group is

    def is_wild(self, card: int, name: int) -> bool:
        if not self.wild & 1 << card:
            return False
        return name != self.pack.face[card] or name == self.pack.joker_face

    def may_lie(self, kind: Kind, said: Said, start: int) -> bool:
        """Whether a group is valid on a table, by the definition."""
        pack = self.pack
        natural = [(card, name) for card, name in said if not self.is_wild(card, name)]
        wild = [(card, name) for card, name in said if self.is_wild(card, name)]
        for number, (least, most) in ((len(said), kind.cards), (len(natural), kind.natural), (len(wild), kind.wild)):
            if not least <= number <= most:
                return False
        if any(name != pack.face[card] for card, name in natural):
            return False
        if not all(self.name_possible(kind, name, natural) for _, name in wild):
            return False
        for (card, name), (other_card, other_name) in combinations(said, 2):
            for word in ("rank", "suit", "colour"):
                one, other = self.attribute(word, card, name), self.attribute(word, other_card, other_name)
                if one is None or other is None:
                    continue
                if (word in kind.same and one != other) or (word in kind.different and one == other):
                    return False
        if kind.consecutive and not self.consecutive(said, start):
            return False
        if kind.of is not None and any(not kind.of & 1 << card and not self.is_wild(card, name) for card, name in said):
            return False
        if kind.apart is not None:
            pairs = pairwise(said) if kind.consecutive else combinations(said, 2)
            if any(kind.apart & 1 << one[0] and kind.apart & 1 << other[0] for one, other in pairs):
                return False
        return all(condition(self.meld(kind, said, start)) for _, condition in kind.needs)

    def name_possible(self, kind: Kind, name: int, natural: Sequence[tuple[int, int]]) -> bool:
        pack = self.pack
        if not kind.consecutive and "rank" not in kind.same:
            return name == pack.joker_face
        if name == pack.joker_face:
            return False
        if self.stands_for is StandsFor.NAMED:
            return pack.face_suit[name] >= 0
        return pack.face_suit[name] < 0 or (
            "suit" in kind.same and any(pack.face_suit[own] == pack.face_suit[name] for _, own in natural)
        )

    def attribute(self, word: str, card: int, name: int) -> int | None:
        pack = self.pack
        if word == "rank":
            return None if name == pack.joker_face and self.is_wild(card, name) else pack.face_rank[name]
        suit = pack.face_suit[name]
        if suit < 0:
            return None
        return suit if word == "suit" else pack.suit_colour[suit]

    def consecutive(self, said: Said, start: int) -> bool:
        places = self.pack.place_rank
        if len(said) > len(places) or not 0 <= start < len(places):
            return False
        for step, (_, name) in enumerate(said):
            place = start + step
            if place >= len(places):
                if not self.pack.round_the_corner:
                    return False
                place -= len(places)
            if self.pack.face_rank[name] != places[place]:
                return False
        return True

    # how it is laid

    def well_named(self, kind: Kind, said: Said, cards: int) -> bool:
        """Whether these of its cards, if wild by place, have the name the place gives them."""
        if self.stands_for is StandsFor.NAMED or (not kind.consecutive and "rank" not in kind.same):
            return True
        suits = {self.pack.face_suit[name] for card, name in said if not self.is_wild(card, name)} - {-1}
        fixed = "suit" in kind.same and bool(suits)
        return all(
            (self.pack.face_suit[name] >= 0) == fixed
            for card, name in said
            if cards & 1 << card and self.is_wild(card, name)
        )

    def as_natural_as_can_be(self, kind: Kind, said: Said, start: int, cards: int) -> bool:
        """Whether none of these cards is wild without a full name although it could lie as itself."""
        pack = self.pack
        for at, (card, name) in enumerate(said):
            own = pack.face[card]
            if not cards & 1 << card or pack.face_suit[name] >= 0 or not self.is_wild(card, name):
                continue
            if name != pack.joker_face and pack.face_rank[name] != pack.face_rank[own]:
                continue
            if own != pack.joker_face and self.may_lie(kind, (*said[:at], (card, own), *said[at + 1 :]), start):
                return False
        return True

    def may_be_laid(self, kind: Kind, said: Said, start: int, cards: int = -1) -> bool:
        return (
            self.may_lie(kind, said, start)
            and self.well_named(kind, said, cards)
            and self.as_natural_as_can_be(kind, said, start, cards)
        )

    # everything there is

    def cards_of(self, mask: int) -> list[int]:
        return [card for card in range(self.pack.size) if mask & 1 << card]

    def groups(self, hand: int, kind: Kind) -> list[tuple[Said, int]]:
        """Every group of the hand, with its start; cards of a group without an order by id."""
        sayings = self.rows(hand, kind) if kind.consecutive else self.heaps(hand, kind)
        return [(said, start) for said, start in sayings if self.may_be_laid(kind, said, start)]

    def rows(self, hand: int, kind: Kind) -> Iterator[tuple[Said, int]]:
        """Every row of cards of the hand that could be a run, by place."""
        places = self.pack.place_rank

        def longer(said: Said, start: int) -> Iterator[tuple[Said, int]]:
            if said:
                yield said, start
            if len(said) == min(len(places), kind.cards[1]):
                return
            rank = places[(start + len(said)) % len(places)]
            for card in self.cards_of(hand):
                if card not in dict(said):
                    for name in self.names(card, rank):
                        yield from longer((*said, (card, name)), start)

        for start in range(len(places)):
            yield from longer((), start)

    def heaps(self, hand: int, kind: Kind) -> Iterator[tuple[Said, int]]:
        """Every heap of cards of the hand under every name."""
        cards = self.cards_of(hand)
        ranks = range(-1, len(self.pack.ranks)) if "rank" in kind.same else [None]
        for size in range(1, min(kind.cards[1], len(cards)) + 1):
            for chosen in combinations(cards, size):
                for rank in ranks:
                    for names in product(*(self.names(card, rank) for card in chosen)):
                        yield tuple(zip(chosen, names, strict=True)), -1

    def names(self, card: int, rank: int | None) -> list[int]:
        """Every name of a card that has the rank; without one, its own and that of no card."""
        pack = self.pack
        own = pack.face[card]
        if rank is None:
            return sorted({own, pack.joker_face}) if self.wild & 1 << card else [own]
        names = {own} if pack.face_rank[own] == rank else set()
        if self.wild & 1 << card and rank >= 0:
            names |= {pack.face_of(rank, suit) for suit in range(-1, len(pack.suits))}
        return sorted(names)

    def arrangements(self, hand: int, most: int) -> Iterator[tuple[tuple[Kind, Said, int], ...]]:
        """Every set of disjoint groups."""
        everything = [(kind, said, start) for kind in self.kinds for said, start in self.groups(hand, kind)]
        masks = [sum(1 << card for card, _ in said) for _, said, _ in everything]

        def more(first: int, left: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            yield chosen
            if len(chosen) < most:
                for at in range(first, len(everything)):
                    if not masks[at] & ~left:
                        yield from more(at + 1, left & ~masks[at], (*chosen, at))

        for numbers in more(0, hand, ()):
            yield tuple(everything[number] for number in numbers)

    def lay_offs(self, meld: Meld, hand: int, count: int) -> Iterator[tuple[Said, int, int]]:
        """Every group it becomes by `count` cards: cards and names, start, the cards added."""
        kind = self.kinds[meld.kind]
        before = tuple(zip(meld.cards, meld.names, strict=True))
        slides = self.stands_for is StandsFor.ANY_PLACE and kind.consecutive
        kept = {entry: step for step, entry in enumerate(before) if not (slides and self.is_wild(*entry))}
        for added in combinations(self.cards_of(hand & ~meld.mask), count):
            new = sum(1 << card for card in added)
            changeable = -1 & ~sum(1 << card for card, _ in kept)
            if not kind.consecutive:
                rank = self.pack.face_rank[meld.names[0]] if "rank" in kind.same else None
                for names in product(*(self.names(card, rank) for card in added)):
                    said = (*before, *zip(added, names, strict=True))
                    if self.may_be_laid(kind, said, -1, changeable):
                        yield said, -1, new
                continue
            for said, start in self.rows(meld.mask | new, kind):
                if len(said) == len(before) + count and self.may_be_laid(kind, said, start, changeable):
                    at = {entry: step for step, entry in enumerate(said)}
                    moved = {at[entry] - step if entry in at else None for entry, step in kept.items()}
                    steps = next(iter(moved), None)
                    here = steps is not None and (start + steps - meld.start) % len(self.pack.place_rank) == 0
                    if not kept or (len(moved) == 1 and here):
                        yield said, start, new

    def swaps(self, meld: Meld, hand: int) -> Iterator[tuple[int, int, int, Said]]:
        """Every exchange: the wild card, its place, the card for it, the group after."""
        kind = self.kinds[meld.kind]
        before = tuple(zip(meld.cards, meld.names, strict=True))
        for at, (wild, name) in enumerate(before):
            if not self.is_wild(wild, name):
                continue
            for card in self.cards_of(hand & ~meld.mask):
                own = self.pack.face[card]
                after = (*before[:at], (card, own), *before[at + 1 :])
                same_rank = self.pack.face_rank[own] == self.pack.face_rank[name]
                fitting = name in (own, self.pack.joker_face) or (self.pack.face_suit[name] < 0 and same_rank)
                if fitting and not self.is_wild(card, own) and self.may_lie(kind, after, meld.start):
                    yield wild, at, card, after

    # twins

    def alike(self, card: int, marked: int) -> int:
        """One number for all cards that cannot be told apart: the lowest of them."""
        masks = [self.wild, *(kind.of or 0 for kind in self.kinds), *(kind.apart or 0 for kind in self.kinds)]

        def properties(one: int) -> list[int]:
            return [self.pack.face[one], *(mask >> one & 1 for mask in masks)]

        if marked & 1 << card:
            return -1 - card
        return min(other for other in range(self.pack.size) if properties(other) == properties(card))

    def key(self, kind: Kind, said: Iterable[tuple[int, int]], start: int, marked: int = 0) -> Key:
        """Equal for groups that differ by twins only."""
        seen = [(self.alike(card, marked), name) for card, name in said]
        return (kind.index, start, tuple(seen if kind.consecutive else sorted(seen)))

    def key_of(self, meld: Meld, marked: int = 0) -> Key:
        return self.key(self.kinds[meld.kind], zip(meld.cards, meld.names, strict=True), meld.start, marked)

    def meld(self, kind: Kind, said: Said, start: int) -> Meld:
        """As the engine keeps it: without an order, natural cards by suit, then wild ones by name."""
        if not kind.consecutive:
            suit = self.pack.face_suit
            said = tuple(
                sorted(
                    said,
                    key=lambda entry: (
                        (1, entry[1], entry[0]) if self.is_wild(*entry) else (0, suit[entry[1]], entry[0])
                    ),
                )
            )
        return Meld(kind.index, tuple(card for card, _ in said), tuple(name for _, name in said), start)


def least_left(oracle: Oracle, hand: int, points: Callable[[int], int]) -> int:
    """The fewest points any arrangement leaves."""
    cards = oracle.cards_of(hand)
    return min(
        sum(points(card) for card in cards if not any(card in dict(said) for _, said, _ in groups))
        for groups in oracle.arrangements(hand, len(cards))
    )
