"""Kinds of groups and what it takes to fit one: the definition everything that finds groups is measured by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from interpreter.moves import Meld
from interpreter.pack import Pack, bits


class StandsFor(Enum):
    """What a wild card stands for once it lies in a group."""

    NAMED = "a named card"
    PLACE = "its place"
    ANY_PLACE = "any place of its group"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of group. Ranges are (least, most), both included; masks have one bit a card."""

    index: int
    """Its place among the kinds of the game, as `Meld.kind` says it."""
    name: str
    cards: tuple[int, int]
    natural: tuple[int, int]
    wild: tuple[int, int]
    same: frozenset[str]
    """Of "rank", "suit", "colour": what its cards agree in."""
    different: frozenset[str]
    consecutive: bool
    of: int | None
    """The cards it is made of; wild cards always pass."""
    apart: int | None
    """No two of these lie side by side."""
    needs: tuple[tuple[str, Callable[[Meld], bool]], ...]
    """Path and condition of everything else, asked last. A condition says the same of a group all round long."""

    @property
    def one_rank(self) -> bool:
        """Whether its groups have a rank (sets, twins), which their wild cards take."""
        return "rank" in self.same and not self.consecutive

    @property
    def loose(self) -> bool:
        """Whether it gives a wild card neither a place nor a rank (a flush): there it stands for no card."""
        return not self.consecutive and not self.one_rank


class Twins:
    """Equal cards of a hand, ids ascending. A marked card stands alone."""

    __slots__ = ("cards", "face", "wild")

    def __init__(self, cards: tuple[int, ...], face: int, wild: bool) -> None:
        self.cards = cards
        self.face = face
        self.wild = wild
        """Whether they may stand for other cards."""


class Fitting:
    """Whether groups fit the kinds of one game.

    A wild card is natural where its name is its own face, else wild; a joker that may stand for others is always wild.
    In a run it is named by its place, in a set by the rank: with the suit if it is NAMED or if `same` fixes the suit,
    else as a bare rank. In a kind that fixes neither place nor rank it stands for no card: its name is the joker.
    In a group without an order all cards are neighbours.
    """

    def __init__(self, pack: Pack, kinds: Sequence[Kind], wild: int, stands_for: StandsFor) -> None:
        self.pack = pack
        self.kinds = tuple(kinds)
        self.wild = wild
        self.named = stands_for is StandsFor.NAMED
        masks = [wild, *(mask for kind in kinds for mask in (kind.of, kind.apart) if mask is not None)]
        first: dict[tuple[int, ...], int] = {}
        self.twin: tuple[int, ...] = tuple(
            first.setdefault((pack.face[card], *(mask >> card & 1 for mask in masks)), card)
            for card in range(pack.size)
        )
        """Card to the lowest card equal to it."""
        together: dict[int, int] = {}
        for card, alike in enumerate(self.twin):
            together[alike] = together.get(alike, 0) | 1 << card
        self.equal: tuple[int, ...] = tuple(together[alike] for alike in self.twin)
        """Card to the mask of all cards equal to it."""
        self.lie_as_themselves = wild & ~pack.cards_of_face[pack.joker_face]
        """The wild cards that may be natural."""
        self.tracks: tuple[tuple[tuple[int, ...], ...], ...] = tuple(self._tracks(kind) for kind in kinds)
        """Kind to the sets of suits that the cards of one group may have, by `same`."""
        self._tests = tuple(tuple(self._tests_of(kind)) for kind in kinds)

    def _tracks(self, kind: Kind) -> tuple[tuple[int, ...], ...]:
        suits = range(len(self.pack.suits))
        if "suit" in kind.same:
            return tuple((suit,) for suit in suits)
        if "colour" in kind.same:
            colours = self.pack.suit_colour
            return tuple(tuple(s for s in suits if colours[s] == colour) for colour in dict.fromkeys(colours))
        return (tuple(suits),)

    def alike(self, card: int, marked: int) -> int:
        """One number for all cards that are not told apart; no marked card shares its own."""
        return card - self.pack.size if marked >> card & 1 else self.twin[card]

    def twins(self, hand: int, marked: int) -> list[Twins]:
        """The cards of a hand, equal ones together, by face: by rank, then suit, jokers last."""
        together: dict[int, list[int]] = {}
        for card in bits(hand):
            together.setdefault(self.alike(card, marked) if marked else self.twin[card], []).append(card)
        face, wild = self.pack.face, self.wild & hand
        held = [Twins(tuple(cards), face[cards[0]], wild >> cards[0] & 1 == 1) for cards in together.values()]
        held.sort(key=lambda twins: (twins.face, twins.cards))
        return held

    def is_wild(self, card: int, name: int) -> bool:
        """Whether a card under this name is wild in its group."""
        return self.wild >> card & 1 == 1 and (name != self.pack.face[card] or name == self.pack.joker_face)

    def wild_in(self, meld: Meld) -> int:
        """The cards of a group that are wild there, as a mask."""
        return sum(1 << card for card, name in zip(meld.cards, meld.names, strict=True) if self.is_wild(card, name))

    def _count_wild(self, meld: Meld) -> int:
        wild, face, joker = self.wild, self.pack.face, self.pack.joker_face
        count = 0
        for card, name in zip(meld.cards, meld.names, strict=True):
            if wild >> card & 1 and (name != face[card] or name == joker):
                count += 1
        return count

    def meld(self, kind: Kind, said: Sequence[tuple[int, int]]) -> Meld:
        """A group without an order, from its cards and names: natural cards by suit, wild ones by name, then by id."""
        suit = self.pack.face_suit
        keyed = sorted(
            ((1, name, card, name) if self.is_wild(card, name) else (0, suit[name], card, name)) for card, name in said
        )
        return Meld(kind.index, tuple(entry[2] for entry in keyed), tuple(entry[3] for entry in keyed), -1)

    def fixed_suit(self, kind: Kind, names: Iterable[int]) -> int:
        """The suit all cards of a group must have beside these names, -1 if there is none or nothing says which."""
        if "suit" not in kind.same:
            return -1
        return max((self.pack.face_suit[name] for name in names), default=-1)

    def renamed(self, meld: Meld, at: int, card: int, name: int) -> Meld:
        """The group with another card and name in the place `at`."""
        cards = (*meld.cards[:at], card, *meld.cards[at + 1 :])
        names = (*meld.names[:at], name, *meld.names[at + 1 :])
        kind = self.kinds[meld.kind]
        if kind.consecutive:
            return Meld(meld.kind, cards, names, meld.start)
        return self.meld(kind, tuple(zip(cards, names, strict=True)))

    def fits(self, meld: Meld) -> bool:
        """Whether a fully said group is valid."""
        if not all(holds(meld) for _, holds in self._tests[meld.kind]):
            return False
        return all(condition(meld) for _, condition in self.kinds[meld.kind].needs)

    def broken(self, meld: Meld) -> Iterator[str]:
        """The paths of the conditions a group breaks; `needs` are asked of a group that breaks nothing else."""
        kind = self.kinds[meld.kind]
        fine = True
        for word, holds in self._tests[meld.kind]:
            if not holds(meld):
                fine = False
                yield f"melds.{kind.name}.{word}"
        if fine:
            for path, condition in kind.needs:
                if not condition(meld):
                    yield path

    def _tests_of(self, kind: Kind) -> Iterator[tuple[str, Callable[[Meld], bool]]]:
        """The conditions of a kind but for `needs`, each with its key."""

        def right_number(meld: Meld) -> bool:
            return kind.cards[0] <= len(meld.cards) <= kind.cards[1]

        def enough_natural(meld: Meld) -> bool:
            return kind.natural[0] <= len(meld.cards) - self._count_wild(meld) <= kind.natural[1]

        def right_wild(meld: Meld) -> bool:
            return kind.wild[0] <= self._count_wild(meld) <= kind.wild[1] and self._names_allowed(kind, meld)

        yield "cards", right_number
        yield "natural", enough_natural
        yield "wild", right_wild
        if kind.same:
            yield "same", lambda meld: all(len(set(self._values(word, meld))) <= 1 for word in kind.same)
        if kind.different:
            yield "different", lambda meld: all(_all_differ(self._values(word, meld)) for word in kind.different)
        if kind.consecutive:
            yield "consecutive", self._in_order
        if kind.of is not None:
            outside = ~kind.of
            yield "of", lambda meld: not meld.mask & outside & ~self.wild_in(meld)
        if kind.apart is not None:
            apart = kind.apart
            yield "apart", lambda meld: self._apart(kind, apart, meld)

    def may_be_laid(self, meld: Meld) -> bool:
        """Whether a group is valid and said as new groups are: in its order, wild cards by place with their names."""
        kind = self.kinds[meld.kind]
        said = tuple(zip(meld.cards, meld.names, strict=True))
        if not kind.consecutive and meld != self.meld(kind, said):
            return False
        if not self.named and not kind.loose:
            suit = self.fixed_suit(kind, (name for card, name in said if not self.is_wild(card, name)))
            if any(self.pack.face_suit[name] != suit for card, name in said if self.is_wild(card, name)):
                return False
        return self.fits(meld) and self.settled(meld)

    def proper(self, meld: Meld) -> bool:
        """Whether a group that breaks nothing else meets `needs` and is said as it should be."""
        needs = self.kinds[meld.kind].needs
        return (not needs or all(condition(meld) for _, condition in needs)) and self.settled(meld)

    def settled(self, meld: Meld, among: int = -1) -> bool:
        """Whether every wild card without a full name (of `among`) needs to be wild.

        A wild card that lies as itself is natural, if the kind lets it; so a valid group in which one could be natural
        is not said properly. It may still come about when a group changes.
        """
        pack = self.pack
        if not self.lie_as_themselves:
            return True
        for at, (card, name) in enumerate(zip(meld.cards, meld.names, strict=True)):
            own = pack.face[card]
            if name >= pack.joker_face and own != pack.joker_face and among >> card & 1:
                rank = pack.face_rank[name]
                if rank in (-1, pack.face_rank[own]) and self.fits(self.renamed(meld, at, card, own)):
                    return False
        return True

    def _values(self, word: str, meld: Meld) -> list[int]:
        """The ranks, suits or colours of the names that have one. Jokers that are not wild are a rank of their own."""
        pack = self.pack
        if word == "rank":
            return [
                pack.face_rank[name]
                for card, name in zip(meld.cards, meld.names, strict=True)
                if name != pack.joker_face or not self.is_wild(card, name)
            ]
        suits = [pack.face_suit[name] for name in meld.names if pack.face_suit[name] >= 0]
        return suits if word == "suit" else [pack.suit_colour[suit] for suit in suits]

    def _names_allowed(self, kind: Kind, meld: Meld) -> bool:
        """Whether every card may bear its name in this kind, ranks and suits of other cards aside."""
        pack = self.pack
        natural_suit = False
        suited_wild = False
        for card, name in zip(meld.cards, meld.names, strict=True):
            if not self.is_wild(card, name):
                if name != pack.face[card]:
                    return False
                natural_suit = natural_suit or pack.face_suit[name] >= 0
            elif kind.loose:
                if name != pack.joker_face:
                    return False
            elif name == pack.joker_face or (self.named and name > pack.joker_face):
                return False
            elif name < pack.joker_face:
                suited_wild = True
        return self.named or not suited_wild or ("suit" in kind.same and natural_suit)

    def _in_order(self, meld: Meld) -> bool:
        pack = self.pack
        count = len(pack.place_rank)
        if not 0 <= meld.start < count or len(meld.cards) > count:
            return False
        if not pack.round_the_corner and meld.start + len(meld.cards) > count:
            return False
        return all(
            pack.face_rank[name] == pack.place_rank[(meld.start + step) % count] for step, name in enumerate(meld.names)
        )

    def _apart(self, kind: Kind, apart: int, meld: Meld) -> bool:
        if not kind.consecutive:
            return (meld.mask & apart).bit_count() <= 1
        return not any(
            apart >> one & 1 and apart >> other & 1 for one, other in zip(meld.cards, meld.cards[1:], strict=False)
        )


def _all_differ(values: list[int]) -> bool:
    return len(set(values)) == len(values)
