"""Groups, as the machine asks for them: is this one valid, what can a hand lay, how does a group on the table grow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from interpreter.meld_ceilings import Ceiling, Change, Changes, Part
from interpreter.meld_growth import lay_offs, swaps
from interpreter.meld_kinds import Fitting, Kind, StandsFor, Twins
from interpreter.meld_layouts import Layouts
from interpreter.meld_limits import MANY, Among, Book, Bounds, Limited, Sum, Weighed
from interpreter.meld_readings import nearest, readings
from interpreter.meld_search import WHOLE, find, parts_of
from interpreter.moves import Meld
from interpreter.pack import Pack, bits
from interpreter.recent import Recent

__all__ = ["Kind", "MeldRules", "StandsFor"]

Grown = tuple[Meld, tuple[int, ...]]
"""What a group becomes, and the cards added to it."""

CACHED: Final = 2048
"""How much each of two generations of a cache keeps."""
CACHED_MELDS: Final = 100_000
"""Groups of hands that are kept so, some thirty megabytes; a hand of many wild cards has thousands."""
SUITS_AND_NONE: Final = 2
"""The parts of runs that have no suit to part them by: all, and those of wild cards alone."""
CACHED_BOOKS: Final = 24
"""Hands whose groups are weighed against limits; each takes more room."""


class MeldRules:
    """The kinds of groups of one game and its wild cards (`wild` is a mask of cards).

    Twins (equal cards) are interchangeable: of groups that differ by twins only one is found, and of twins the lowest
    ids are used, lower ones first in `Meld.cards`. Each card of `marked` is a card of its own. All searches find
    everything, in a fixed order, which their modules say.
    """

    def __init__(self, pack: Pack, kinds: Sequence[Kind], wild: int, stands_for: StandsFor) -> None:
        self.pack = pack
        self.kinds = tuple(kinds)
        self.wild = wild
        self.stands_for = stands_for
        self._fitting = Fitting(pack, kinds, wild, stands_for)
        self._every_kind: tuple[tuple[int, bool], ...] = tuple((number, False) for number in range(len(self.kinds)))
        self._held: Recent[tuple[int, int], list[Twins]] = Recent(CACHED)
        self._found: Recent[tuple[int, int, tuple[int, bool, bool]], tuple[Meld, ...]] = Recent(
            CACHED_MELDS, lambda melds: 1 + len(melds)
        )
        self._of_part: Recent[tuple[int, int, int, int, tuple[bool, bool]], tuple[Meld, ...]] = Recent(
            CACHED_MELDS, lambda melds: 1 + len(melds)
        )
        self._parts = [parts_of(self._fitting, kind) for kind in kinds]
        self._accepted: Recent[Meld, int] = Recent(CACHED)
        self._best: Recent[tuple[int, Sequence[int], frozenset[int]], tuple[int, tuple[Meld, ...]]] = Recent(CACHED)
        self._books: Recent[tuple[tuple[tuple[int, bool], ...], int, int, int, bool], Book] = Recent(CACHED_BOOKS)
        self._grown: Recent[tuple[Meld, int, int], tuple[Grown, ...]] = Recent(CACHED)
        self._may_be_laid: Recent[Meld, bool] = Recent(CACHED)
        self._parted = self._all_parts() if all(len(parts) > SUITS_AND_NONE for parts in self._parts) else []
        """All parts of all kinds; none where a kind has too few."""
        self._ceilings: dict[tuple[Hashable, Among], Ceiling] = {}
        self.put_away: dict[Hashable, Changes] = {}
        """What cards that are put away change a lasting sum by, by key of the sum."""
        self.notes: dict[str, Any] = {}
        """What others have worked out from these rules alone, by a name of theirs."""

    def _all_parts(self) -> list[Part]:
        return [
            Part(kind.index, number, cards, _least(kind))
            for kind in self.kinds
            for number, cards in enumerate(self._parts[kind.index])
            if cards
        ]

    def wild_in(self, meld: Meld) -> int:
        """The cards of a group that are wild there, as a mask; a wild card that lies as itself is not."""
        return self._fitting.wild_in(meld)

    def fits(self, meld: Meld) -> bool:
        """Whether a group may lie on the table, however it came about."""
        return self._fitting.fits(meld)

    def may_be_laid(self, meld: Meld) -> bool:
        """Whether a group may be laid just so: up to twins, `groups` of its cards would find it."""
        found = self._may_be_laid.get(meld)
        return self._may_be_laid.put(meld, self._fitting.may_be_laid(meld)) if found is None else found

    def why_not(
        self, kind: int | None, group: Meld | Sequence[int], names: Sequence[int | None] | None = None
    ) -> str | None:
        """The path of the first condition a group breaks (`melds.run.apart`), None if it is valid.

        Cards are read as in `readings`. Without a kind the nearest one answers: that of which the fewest conditions are
        broken, the first of several.
        """
        if isinstance(group, Meld):
            return next(self._fitting.broken(group), None)
        said = [None] * len(group) if names is None else names
        kinds = self.kinds if kind is None else (self.kinds[kind],)
        broken = min((nearest(self._fitting, each, group, said) for each in kinds), key=len)
        return broken[0] if broken else None

    def readings(self, cards: Sequence[int], names: Sequence[int | None], kind: int | None = None) -> list[Meld]:
        """Every group these cards can be laid as, written in this order.

        `names` are faces said for wild cards, None for open ones. In a run the order written is from low to high, and
        says the places of wild cards; cards that are no run in this order are read in any. Twins whose names are open
        may change places.
        """
        kinds = self.kinds if kind is None else (self.kinds[kind],)
        return [meld for each in kinds for meld in readings(self._fitting, each, cards, names)]

    def groups(self, hand: int, kind: int | None = None, must: int = 0, marked: int = 0) -> Iterator[Meld]:
        """Every valid group of cards of the hand that holds all of `must`, kind by kind in the order of `find`.

        Of twins those of `must` are used first.
        """
        if must & ~hand:
            return
        for each in self.kinds if kind is None else (self.kinds[kind],):
            found = self._groups(each, hand, marked)
            yield from Layouts(self._fitting, self._twins(hand, marked), found, must).holding_all() if must else found

    def arrangements(
        self, hand: int, least: int = 0, most: int | None = None, must: int = 0, marked: int = 0
    ) -> Iterator[tuple[Meld, ...]]:
        """Every set of `least` to `most` disjoint groups of cards of the hand that together hold all of `must`.

        Lazy: what is not asked for is not worked out, apart from the groups themselves.
        """
        if must & ~hand:
            return
        found = [meld for kind in self.kinds for meld in self._groups(kind, hand, marked)]
        layouts = Layouts(self._fitting, self._twins(hand, marked), found, must)
        yield from layouts.sets(least, hand.bit_count() if most is None else most)

    def limited(
        self,
        hand: int,
        ways: Bounds,
        least: int = 0,
        most: int = MANY,
        must: int = 0,
        marked: int = 0,
        within: int = 0,
        whole: bool = False,
    ) -> Limited:
        """The sets of `least` to `most` disjoint groups that hold all of `must` and come within limits (see there).

        `within` are cards around the hand; for hands within the same cards, of which the same are marked, much is
        worked out but once. Unless `whole`, of groups that differ only by the places of their wild cards one is in the
        book, where that makes no difference to the limits.
        """
        within = hand if hand & ~within else within
        marked &= within
        if not must:
            ways = [way for way in ways if all(self._may_reach(one, hand, within, marked) for one in way)]
        every = self._every_kind if ways else ()
        condensed = not whole and self._may_condense(ways, within)

        def others() -> Limited:
            return Limited(self._book(every, within, marked, must, False), hand, ways, least, most)

        book = self._book(every, within, marked, must, condensed)
        return Limited(book, hand, ways, least, most, others if condensed else None)

    def _may_condense(self, ways: Bounds, hand: int) -> bool:
        """Whether it makes no difference which wild card lies where, and different cards of a hand may be wild."""
        if not hand & self.wild or not all(one.unordered for way in ways for one in way):
            return False
        return len({self._fitting.twin[card] for card in bits(hand & self.wild)}) > 1

    def _may_reach(self, weighed: Weighed, hand: int, within: int, marked: int) -> bool:
        """Whether the groups that count can bring a sum up to its low limit, as far as is soon known."""
        if weighed.among is None or weighed.low <= 0:
            return True
        among = tuple(sorted(weighed.among))
        return self._book(among, within, marked, 0, weighed.unordered).reaches(weighed, hand)

    def span(self, weighed: Weighed, hand: int) -> tuple[int, int]:
        """What a sum may be, at the least and most, for groups of the hand to bring it within its limits, as is soon
        known."""
        most, least = self.ceiling(weighed, hand) or (MANY, MANY)
        return weighed.low - most, weighed.high + least

    def ceiling(self, weighed: Weighed, hand: int) -> Change | None:
        """What groups of the hand can change a sum by at most, where that is soon known."""
        if not self._parted or weighed.key is None or hand & self.wild:
            return None
        key = (weighed.key, weighed.among)
        found = self._ceilings.get(key)
        if found is None:
            found = self._ceilings[key] = Ceiling(self._parted)

        def sum_in(part: Part, mask: int) -> Sum | None:
            melds = self._find(self.kinds[part.kind], mask, 0, False, part.number)
            return Book(self._fitting, self._twins(mask, 0), melds).sum_of(weighed) if melds else None

        return found.of(hand, sum_in)

    def _book(self, among: tuple[tuple[int, bool], ...], within: int, marked: int, must: int, condensed: bool) -> Book:
        key = (among, within, marked, must, condensed)
        found = self._books.get(key)
        if found is None:
            melds = [
                meld
                for kind, plain in among
                for meld in self._groups(self.kinds[kind], within, marked, plain, condensed and not plain)
            ]
            found = self._books.put(key, Book(self._fitting, self._twins(within, marked), melds, must))
        return found

    def lay_offs(self, meld: Meld, hand: int, count: int = 1, marked: int = 0) -> Iterator[Grown]:
        """Every group `meld` can become by adding exactly `count` cards of the hand, with the cards added."""
        if count != 1:
            yield from self._lay_offs(meld, hand, count, marked)
            return
        hand &= self.accepted(meld)
        if hand:
            key = (meld, hand, marked & hand)
            found = self._grown.get(key)
            if found is None:
                found = self._grown.put(key, tuple(self._lay_offs(meld, hand, 1, marked)))
            yield from found

    def accepted(self, meld: Meld) -> int:
        """Every card of the pack that can be laid off on the group by itself, as a mask."""
        found = self._accepted.get(meld)
        if found is not None:
            return found
        found = 0
        for _, (card,) in self._lay_offs(meld, self.pack.all_cards, 1, 0):
            found |= self._fitting.equal[card]
        return self._accepted.put(meld, found & ~meld.mask)

    def _lay_offs(self, meld: Meld, hand: int, count: int, marked: int) -> Iterator[Grown]:
        return lay_offs(self._fitting, meld, hand, count, marked, self.stands_for is StandsFor.ANY_PLACE)

    def swaps(self, meld: Meld, hand: int, marked: int = 0) -> Iterator[tuple[int, int, Meld]]:
        """Every exchange of a wild card of the group for a card of the hand that is natural in its place.

        Gives the wild card, the card from the hand, the group after.
        """
        return swaps(self._fitting, meld, hand, marked)

    def accepts(self, meld: Meld, card: int) -> bool:
        """Whether the group is valid with the card added, as in `lay_offs`; false of a card it holds."""
        return self.accepted(meld) >> card & 1 == 1

    def best(
        self, hand: int, points: Callable[[int], int] | Sequence[int], barred: frozenset[int] = frozenset()
    ) -> tuple[int, tuple[Meld, ...]]:
        """The fewest points that disjoint groups can leave in the hand, and these groups, none of a barred kind.

        `points` are those of a card left over; twins count the same.
        """
        if callable(points):
            return self._worth_most(hand, [points(card) for card in range(self.pack.size)], barred)
        key = (hand, tuple(points), barred)
        return self._best.get(key) or self._best.put(key, self._worth_most(hand, points, barred))

    def _worth_most(self, hand: int, points: Sequence[int], barred: frozenset[int]) -> tuple[int, tuple[Meld, ...]]:
        held = self._twins(hand, 0)
        worth = [points[twins.cards[0]] for twins in held]
        total = sum(each * len(twins.cards) for each, twins in zip(worth, held, strict=True))
        found = [meld for kind in self.kinds if kind.index not in barred for meld in self._groups(kind, hand, 0)]
        if not found:
            return total, ()
        covered, melds = Layouts(self._fitting, held, found).best(worth)
        return total - covered, melds

    def layouts(self, hand: int, must: int = 0) -> Layouts:
        """The groups of a hand, counted; of twins those of `must` are dealt out first."""
        found = [meld for kind in self.kinds for meld in self._groups(kind, hand, 0)]
        return Layouts(self._fitting, self._twins(hand, 0), found, must)

    def _groups(
        self, kind: Kind, hand: int, marked: int, plain: bool = False, condensed: bool = False
    ) -> tuple[Meld, ...]:
        """The groups of one kind; if `plain`, only those without wild cards. See `find` about `condensed`."""
        condensed = condensed and not (kind.needs or kind.different or kind.apart is not None)
        key = (hand, marked & hand, (kind.index, plain, condensed))
        found = self._found.get(key)
        if found is None:
            if plain:
                kind = replace(kind, wild=(kind.wild[0], 0))
            parts = self._parts[kind.index]
            if len(parts) < 2:
                found = self._find(kind, hand, marked, condensed, WHOLE)
            else:
                found = self._joined(kind, hand, marked, (plain, condensed), parts)
            self._found.put(key, found)
        return found

    def _joined(
        self, kind: Kind, hand: int, marked: int, how: tuple[bool, bool], parts: Sequence[int]
    ) -> tuple[Meld, ...]:
        """The groups of one kind, part by part: a card more or less changes few parts of those a hand has."""
        wild = hand & self.wild if kind.wild[1] else 0
        spare = min(wild.bit_count(), kind.wild[1])
        least = _least(kind)
        found: tuple[Meld, ...] = ()
        for number, part in enumerate(parts):
            mask = hand & part
            if mask.bit_count() + spare < least:
                continue
            mask |= wild
            key = (mask, marked & mask, kind.index, number, how)
            some = self._of_part.get(key)
            if some is None:
                some = self._of_part.put(key, self._find(kind, mask, marked, how[1], number))
            found += some
        return found

    def _find(self, kind: Kind, hand: int, marked: int, condensed: bool, part: int) -> tuple[Meld, ...]:
        found = find(self._fitting, kind, self._twins(hand, marked), condensed=condensed, part=part)
        if kind.needs or self._fitting.lie_as_themselves & hand:
            found = [meld for meld in found if self._fitting.proper(meld)]
        return tuple(found)

    def _twins(self, hand: int, marked: int) -> list[Twins]:
        key = (hand, marked & hand)
        return self._held.get(key) or self._held.put(key, self._fitting.twins(*key))


def _least(kind: Kind) -> int:
    """The fewest cards a group of the kind has."""
    return max(1, kind.cards[0], kind.natural[0] + kind.wild[0])


class Hopes:
    """Whether groups of a hand may come within limits once some of its cards are gone, as far as that is soon known.

    Arguments as in `MeldRules.limited`. Sums that few groups add to are asked first.
    """

    def __init__(self, rules: MeldRules, hand: int, ways: Bounds, must: int, marked: int, within: int) -> None:
        self.rules = rules
        self.hand = hand
        self.must = must
        self.within = within
        self.marked = marked & within
        self.condensed = rules._may_condense(ways, within)
        self.ways = [sorted(enumerate(way), key=lambda each: each[1].among is None) for way in ways]
        """By way its sums, each with its place among them."""
        self._sums: dict[tuple[int, int], tuple[Book, Sum, int]] = {}
        """By way and place too; with the hand as its book counts it."""

    def without(self, at: int, cards: Sequence[int], so_far: Sequence[int]) -> bool:
        """Whether they may for a way, when these cards are gone and its sums have become `so_far`."""
        for place, weighed in self.ways[at]:
            book, one, left = self._sum((at, place), weighed)
            left -= sum(book.unit_of(card) for card in cards)
            if not one.may_come_within(so_far[place], weighed.low, weighed.high, left):
                return False
        return True

    def _sum(self, number: tuple[int, int], weighed: Weighed) -> tuple[Book, Sum, int]:
        found = self._sums.get(number)
        if found is None:
            rules, within, marked = self.rules, self.within, self.marked
            if weighed.among is None:
                book = rules._book(rules._every_kind, within, marked, self.must, self.condensed)
            else:
                book = rules._book(tuple(sorted(weighed.among)), within, marked, 0, weighed.unordered)
            found = self._sums[number] = book, book.sum_of(weighed), book.counted(self.hand)
        return found
