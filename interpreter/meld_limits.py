"""Several groups from one hand where sums over them must lie within limits: every way, and the way worth most.

The limits are asked of every partial choice, with the most and the least that the cards left can still add to each
sum. So what cannot come within the limits is given up early, and a hand in which nothing can is soon done with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from interpreter.meld_kinds import Fitting, Twins
from interpreter.meld_layouts import Layouts
from interpreter.moves import Meld
from interpreter.native import mypyc_attr

MANY: Final = 10**9
"""More groups than any hand has, and more than any sum that matters."""


MANY_GROUPS: Final = 100
"""Of more groups, what they can come to together takes long to find out."""
ROUNDING: Final = 1e-6
"""More than all errors of rounding."""
KEPT: Final = 8
"""Searches for a best set that a book keeps."""


Among = frozenset[tuple[int, bool]] | None
"""Some groups: those of a kind, only those without wild cards where the truth beside it says so. None: all groups."""


@mypyc_attr(free_list_len=1)
class Weighed:
    """A sum over groups and its limits: what the parts of some groups come to lies from `low` to `high`."""

    __slots__ = ("among", "high", "key", "low", "part", "unordered")

    def __init__(
        self,
        part: Callable[[Meld], int],
        low: int,
        high: int,
        key: Hashable = None,
        among: Among = None,
        unordered: bool = False,
    ) -> None:
        self.part = part
        self.low = low
        self.high = high
        self.key = key
        """The same for every sum with these parts; None: it is not to be kept."""
        self.among = among
        """Only these groups add anything."""
        self.unordered = unordered
        """Whether it makes no difference to it which of a group's wild cards lies in which place."""


Bounds = Sequence[Sequence[Weighed]]
"""All limits of at least one of these must hold."""


class Fields:
    """How cards are counted (see `Layouts`), by number of the twins."""

    __slots__ = ("after", "field", "guards", "number", "since", "unit", "width")

    def __init__(self, layouts: Layouts) -> None:
        self.width, self.field = layouts.width, layouts.field
        self.unit, self.guards = layouts.unit, layouts.guards
        self.number = len(self.unit)
        whole = (1 << self.width * self.number) - 1
        self.since = [whole >> number * self.width << number * self.width for number in range(self.number)]
        """The fields of these twins and all later ones; `after`: of all later ones."""
        self.after = [*self.since[1:], 0]

    def first_in(self, count: int) -> int:
        """The first twins of a count."""
        return ((count & -count).bit_length() - 1) // self.width


class Sum:
    """A sum over the groups of a book: what each group adds, and how much cards can add at most and at least."""

    def __init__(self, book: Book, weights: list[int]) -> None:
        self.weights = weights
        self.adds = _Reach(book, weights, 1)
        self.lessens = _Reach(book, weights, -1)

    def may_come_within(self, total: int, low: int, high: int, left: int) -> bool:
        """Whether groups from the cards left may bring the sum, `total` so far, between the limits. Said of no card, it
        is exact."""
        if total < low and not self.adds.may_reach(low - total, left):
            return False
        return total <= high or self.lessens.may_reach(total - high, left)


class _Reach:
    """The most that disjoint groups from some cards can add to a sum (`sign` -1: take away from it)."""

    def __init__(self, book: Book, weights: Sequence[int], sign: int) -> None:
        self.fields = fields = book.fields
        self.hand = book.layouts.hand
        best: dict[int, tuple[int, int]] = {}
        for at, weight in enumerate(weights):
            if weight * sign > 0:
                count = book.counts[at]
                if count not in best or weight * sign > best[count][0]:
                    best[count] = weight * sign, at
        self.starting: list[list[tuple[int, int]]] = [[] for _ in fields.unit] if best else []
        self.relevant = 0
        self.known: dict[int, int] = {0: 0}
        shares = [0.0] * fields.number
        for count, (weight, at) in best.items():
            self.starting[book.firsts[at]].append((count, weight))
            share = weight / len(book.melds[at].cards)
            for number in book.members[at]:
                self.relevant |= fields.field << number * fields.width
                shares[number] = max(shares[number], share)
        self.shares = [(number * fields.width, share) for number, share in enumerate(shares) if share]
        """What a card can add at most, if the groups it is in add evenly card by card; by field."""
        self.greatest_share = max(shares, default=0.0)
        self.ceilings: dict[int, float] = {}
        self.many = len(best) > MANY_GROUPS

    def may_reach(self, wanted: int, left: int) -> bool:
        """Whether groups from some cards can add so much; of `many`, that is not looked into where hardly a card is to
        spare, for then few choices are left anyway."""
        if wanted <= 0:
            return True
        left &= self.relevant
        if not left:
            return False
        spare = self.ceiling(left) - wanted
        if spare < 0:
            return False
        return (self.many and spare < self.greatest_share) or self.of(left) >= wanted

    def ceiling(self, left: int) -> float:
        """What some cards cannot go beyond, by their shares."""
        found = self.ceilings.get(left)
        if found is None:
            field = self.fields.field
            found = sum([(left >> at & field) * share for at, share in self.shares]) + ROUNDING
            self.ceilings[left] = found
        return found

    def of(self, left: int) -> int:
        """How much exactly."""
        left &= self.relevant
        found = self.known.get(left)
        return self._most(left) if found is None else found

    def of_all(self) -> int:
        """How much with all cards of the book."""
        return self.of(self.hand)

    def _most(self, left: int) -> int:
        fields, known = self.fields, self.known
        first = fields.first_in(left)
        rest = left & fields.after[first]
        most = known[rest] if rest in known else self._most(rest)
        guarded, guards = left | fields.guards, fields.guards
        for count, weight in self.starting[first]:
            if (guarded - count) & guards == guards:
                rest = left - count
                total = weight + (known[rest] if rest in known else self._most(rest))
                most = max(most, total)
        known[left] = most
        return most


class Book:
    """The groups of one hand, by their first card. Cards are counted as in `Layouts`."""

    def __init__(self, fitting: Fitting, held: Sequence[Twins], melds: Sequence[Meld], must: int = 0) -> None:
        self.layouts = layouts = Layouts(fitting, held, melds, must)
        self.fields = Fields(layouts)
        firsts = [self.fields.first_in(count) for count in layouts.counts]
        order = sorted(range(len(firsts)), key=firsts.__getitem__)
        self.melds = [layouts.melds[number] for number in order]
        self.counts = [layouts.counts[number] for number in order]
        self.firsts = [firsts[number] for number in order]
        twins_of = layouts.twins_of
        self.members = [frozenset(twins_of[card] for card in meld.cards) for meld in self.melds]
        """The twins each group has cards of."""
        self.nothing = [0] * max(len(self.melds), self.fields.number)
        """In place of what groups, or cards, are worth."""
        self._sums: dict[Hashable, Sum] = {}
        self._among: dict[frozenset[tuple[int, bool]], list[bool]] = {}
        self.searches: dict[Hashable, _Best] = {}
        """Searches for the best set that are kept, by what is searched for."""

    def counted(self, hand: int) -> int:
        """Some cards of the hand, counted."""
        unit = self.fields.unit
        return sum(unit[number] for card, number in self.layouts.twins_of.items() if hand >> card & 1)

    def unit_of(self, card: int) -> int:
        """A card of the hand, counted."""
        return self.fields.unit[self.layouts.twins_of[card]]

    def reaches(self, weighed: Weighed, hand: int) -> bool:
        """Whether groups of the hand can bring a sum up to its low limit."""
        return self.sum_of(weighed).adds.of(self.counted(hand)) >= weighed.low

    def _chosen(self, among: frozenset[tuple[int, bool]]) -> list[bool]:
        """Which groups are among these."""
        found = self._among.get(among)
        if found is None:
            wild_in = self.layouts.fitting.wild_in
            found = self._among[among] = [
                (meld.kind, False) in among or ((meld.kind, True) in among and not wild_in(meld)) for meld in self.melds
            ]
        return found

    def sum_of(self, weighed: Weighed) -> Sum:
        """A sum, kept under its key."""
        found = self._sums.get(weighed.key) if weighed.key is not None else None
        if found is None:
            among, part = weighed.among, weighed.part
            if among is None:
                weights = [part(meld) for meld in self.melds]
            else:
                chosen = self._chosen(among)
                weights = [part(meld) if one else 0 for meld, one in zip(self.melds, chosen, strict=True)]
            found = Sum(self, weights)
            if weighed.key is not None:
                self._sums[weighed.key] = found
        return found


class Limited:
    """Choices of groups from some cards of a book's hand, within limits."""

    def __init__(
        self,
        book: Book,
        hand: int,
        ways: Bounds,
        least: int = 0,
        most: int = MANY,
        others: Callable[[], Limited] | None = None,
    ) -> None:
        self.book = book
        self.others = others
        """Of a condensed book: the same for all groups. There are none where the condensed ones allow none."""
        self.hand = hand
        self.least = least
        ways = [[*way, *self._owed(book), *_number(least, most)] for way in ways]
        self.sums = [[book.sum_of(weighed) for weighed in way] for way in ways]
        self.keys = [tuple(weighed.key for weighed in way) for way in ways]
        self.limits = [[(weighed.low, weighed.high) for weighed in way] for way in ways]
        self.left = book.counted(hand)
        self.dead: set[tuple[int, int, tuple[tuple[int, ...], ...]]] = set()
        self._ends: list[_Best | None] | None = None
        """For each way, the search for any set at all, None where there is none; made when it is needed."""

    @staticmethod
    def _owed(book: Book) -> Iterator[Weighed]:
        """The cards that must be laid, as limits."""
        for number, owes in book.layouts.owed.items():
            yield Weighed(_of_twins(set(book.layouts.held[number].cards)), owes, MANY, ("must be laid", number))

    # -------------------------------------------------------- every way

    def sets(self) -> Iterator[tuple[Meld, ...]]:
        """Every set of groups within the limits, once. Of a condensed book first its own sets, then all others; of
        each a set comes before those with another group added."""
        seen: set[frozenset[Meld]] = set()
        for melds in self._listed():
            yield melds
            if self.others is not None:
                seen.add(frozenset(melds))
        if seen and self.others is not None:
            for melds in self.others().sets():
                if frozenset(melds) not in seen:
                    yield melds

    def _listed(self) -> Iterator[tuple[Meld, ...]]:
        self.dead = set()
        start = tuple((0,) * len(way) for way in self.sums)
        if self._possible(self.left, start):
            for chosen in self._sets(0, self.left, start, []):
                yield self._told_apart(chosen)

    def _told_apart(self, chosen: Sequence[int]) -> tuple[Meld, ...]:
        return self.book.layouts.told_apart([self.book.melds[number] for number in chosen], self.hand)

    def _sets(
        self, number: int, left: int, totals: tuple[tuple[int, ...], ...], chosen: list[int]
    ) -> Iterator[list[int]]:
        if len(chosen) >= self.least and self._meets(totals):
            yield chosen
        key = (number, left, totals)
        if key in self.dead:
            return
        book, fields = self.book, self.book.fields
        guards, first, fruitless = fields.guards, -1, True
        for at in range(number, len(book.melds)):
            if book.firsts[at] != first:
                first = book.firsts[at]
                left &= fields.since[first]
                if not self._possible(left, totals):
                    break
            rest = left - book.counts[at]
            if ((left | guards) - book.counts[at]) & guards != guards:
                continue
            then = self._added(totals, at)
            if self._possible(rest, then):
                chosen.append(at)
                for found in self._sets(at, rest, then, chosen):
                    fruitless = False
                    yield found
                chosen.pop()
        if fruitless:
            self.dead.add(key)

    def _added(self, totals: tuple[tuple[int, ...], ...], at: int) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(total + one.weights[at] for total, one in zip(way, sums, strict=True))
            for way, sums in zip(totals, self.sums, strict=True)
        )

    def _meets(self, totals: tuple[tuple[int, ...], ...]) -> bool:
        return any(
            all(low <= total <= high for total, (low, high) in zip(way, limits, strict=True))
            for way, limits in zip(totals, self.limits, strict=True)
        )

    def _possible(self, left: int, totals: tuple[tuple[int, ...], ...]) -> bool:
        """Whether some groups from the cards left bring all sums of one way within their limits."""
        if self._ends is None:
            nothing = self.book.nothing
            self._ends = [
                self._search(way, nothing, nothing) if self.is_open(way, left, totals[way]) else None
                for way in range(len(self.sums))
            ]
        return any(search is not None and search.may_end(left, totals[way]) for way, search in enumerate(self._ends))

    def is_open(self, way: int, left: int, totals: Sequence[int]) -> bool:
        """Whether groups from the cards left may bring each sum of a way, `totals` so far, within its limits."""
        return _are_open(self.sums[way], self.limits[way], left, totals)

    # -------------------------------------------------------- the best way

    def best(self, worth: Sequence[int], by_card: Sequence[int] | None = None) -> tuple[int, tuple[Meld, ...]] | None:
        """The set within the limits that is worth most (`worth` of each group of the book), and its worth.

        None where there is none. `by_card`, by number of twins: a group is worth no more than its cards together.
        """
        found: tuple[int, list[int]] | None = None
        for way, sums in enumerate(self.sums):
            if not self.is_open(way, self.left, (0,) * len(sums)):
                continue
            one = self._search(way, worth, by_card).from_cards(self.left)
            if one is not None and (found is None or one[0] > found[0]):
                found = one
        return None if found is None else (found[0], self._told_apart(found[1]))

    def _search(self, way: int, worth: Sequence[int], by_card: Sequence[int] | None) -> _Best:
        """The search under the limits of one way; kept, where it may be."""
        keys = self.keys[way]
        limits = tuple(self.limits[way])
        shared = (keys, limits, id(worth)) if None not in keys else None
        found = self.book.searches.get(shared) if shared is not None else None
        if found is None or found.worth is not worth:
            found = _Best(self.book, self.sums[way], limits, worth, by_card)
            if shared is not None:
                if len(self.book.searches) >= KEPT:
                    self.book.searches.clear()
                self.book.searches[shared] = found
        return found


class _Best:
    """The search for the set of groups that is worth most, under all of some limits."""

    def __init__(
        self,
        book: Book,
        sums: Sequence[Sum],
        limits: Sequence[tuple[int, int]],
        worth: Sequence[int],
        by_card: Sequence[int] | None,
    ) -> None:
        self.fields = fields = book.fields
        self.counts = book.counts
        self.sums = sums
        self.limits = limits
        self.worth = worth
        alike: dict[tuple[int, ...], int] = {}
        for number, count in enumerate(book.counts):
            key = (count, *(one.weights[number] for one in sums))
            if key not in alike or worth[number] > worth[alike[key]]:
                alike[key] = number
        self.starting: list[list[tuple[int, int, int, tuple[int, ...]]]] = [[] for _ in fields.unit]
        """By first card: the cards a group takes, its worth, its number, what it adds to each sum."""
        self.touched = 0
        for number in alike.values():
            count = book.counts[number]
            added = tuple(one.weights[number] for one in sums)
            self.starting[book.firsts[number]].append((count, worth[number], number, added))
            for member in book.members[number]:
                self.touched |= fields.field << member * fields.width
        self.caps = [
            low if high >= MANY and min(one.weights, default=0) >= 0 else MANY
            for one, (low, high) in zip(sums, limits, strict=True)
        ]
        """Beyond its low limit it makes no difference what a sum comes to, if nothing takes away from it."""
        self.known: dict[tuple[int, tuple[int, ...]], tuple[int, int] | None] = {}
        self.weights = [(number * fields.width, weight) for number, weight in enumerate(by_card or ()) if weight > 0]
        self.bounded = by_card is not None

    def from_cards(self, left: int) -> tuple[int, list[int]] | None:
        """The most worth from some cards, and the groups; None where there is none."""
        at = (left & self.touched, tuple(min(0, cap) for cap in self.caps))
        total = self._most(at)
        if total is None:
            return None
        chosen: list[int] = []
        while at[0]:
            step = self.known[at]
            assert step is not None
            if step[1] < 0:
                at = (at[0] & self.fields.after[self.fields.first_in(at[0])], at[1])
            else:
                chosen.append(step[1])
                at = (
                    at[0] - self.counts[step[1]],
                    self._added(at[1], [one.weights[step[1]] for one in self.sums]),
                )
        return total[0], chosen

    def may_end(self, left: int, totals: tuple[int, ...]) -> bool:
        """Whether some set from the cards left brings the sums, `totals` so far, within the limits."""
        capped = tuple([min(total, cap) for total, cap in zip(totals, self.caps, strict=True)])
        return self._most((left & self.touched, capped)) is not None

    def _added(self, totals: tuple[int, ...], added: Sequence[int]) -> tuple[int, ...]:
        return tuple([min(total + more, cap) for total, more, cap in zip(totals, added, self.caps, strict=True)])

    def _most(self, at: tuple[int, tuple[int, ...]]) -> tuple[int, int] | None:
        """The most worth from here, and the group taken for it (-1: none with the first card)."""
        known, fields = self.known, self.fields
        if at in known:
            return known[at]
        left, totals = at
        found: tuple[int, int] | None = None
        if _are_open(self.sums, self.limits, left, totals):
            if not left:
                found = (0, -1)
            else:
                first = fields.first_in(left)
                enough = sum([(left >> at & fields.field) * each for at, each in self.weights])
                guarded, guards = left | fields.guards, fields.guards
                for count, worth, number, added in self.starting[first]:
                    if (guarded - count) & guards == guards:
                        rest = self._most((left - count, self._added(totals, added)))
                        if rest is not None and (found is None or rest[0] + worth > found[0]):
                            found = (rest[0] + worth, number)
                            if self.bounded and found[0] >= enough:
                                break
                if found is None or not self.bounded or found[0] < enough:
                    rest = self._most((left & fields.after[first], totals))
                    if rest is not None and (found is None or rest[0] > found[0]):
                        found = (rest[0], -1)
        known[at] = found
        return found


def _are_open(sums: Sequence[Sum], limits: Sequence[tuple[int, int]], left: int, totals: Sequence[int]) -> bool:
    """Whether groups from the cards left may bring each sum, `totals` so far, within its limits."""
    for total, one, (low, high) in zip(totals, sums, limits, strict=True):
        if not one.may_come_within(total, low, high, left):
            return False
    return True


def _of_twins(twins: set[int]) -> Callable[[Meld], int]:
    return lambda meld: len(twins.intersection(meld.cards))


def _number(least: int, most: int) -> Iterator[Weighed]:
    """How many groups there must be, as a limit; one at least is asked without it."""
    if least > 1 or most < MANY:
        yield Weighed(lambda _: 1, least, most, "number")
