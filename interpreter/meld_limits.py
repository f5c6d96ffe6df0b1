"""Several groups from one hand where sums over them must lie within limits: every way, and the way worth most.

The limits are asked of every partial choice, with the most and the least that the cards left can still add to each
sum. So what cannot come within the limits is given up early, and a hand in which nothing can is soon done with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from interpreter.meld_kinds import Fitting, Twins
from interpreter.meld_layouts import Layouts
from interpreter.moves import Meld

MANY = 10**9
"""More groups than any hand has, and more than any sum that matters."""


class Weighed(NamedTuple):
    """A sum over groups and its limits. `key`: the same for every sum with these parts; None: it is not to be kept."""

    part: Callable[[Meld], int]
    low: int
    high: int
    key: Hashable = None


Bounds = Sequence[Sequence[Weighed]]
"""All limits of at least one of these must hold."""


class _Sum:
    """One sum: what each group adds, and how much cards can add at most and at least."""

    def __init__(self, book: Book, weights: list[int]) -> None:
        self.weights = weights
        self.adds = _Reach(book, weights, 1)
        self.lessens = _Reach(book, weights, -1)

    def most(self, left: int) -> int:
        return self.adds.of(left)

    def least(self, left: int) -> int:
        return -self.lessens.of(left)


class _Reach:
    """The most that disjoint groups from some cards can add to a sum (`sign` -1: take away from it)."""

    def __init__(self, book: Book, weights: list[int], sign: int) -> None:
        self.book = book
        self.starting: list[list[tuple[int, int]]] = [[] for _ in book.unit]
        self.relevant = 0
        best: dict[int, int] = {}
        for count, weight in zip(book.counts, weights, strict=True):
            if weight * sign > best.get(count, 0):
                best[count] = weight * sign
        for count, weight in best.items():
            self.starting[book.first_in(count)].append((count, weight))
            self.relevant |= book.fields_of(count)
        self.known: dict[int, int] = {0: 0}

    def of(self, left: int) -> int:
        left &= self.relevant
        found = self.known.get(left)
        return self._most(left) if found is None else found

    def _most(self, left: int) -> int:
        book, known = self.book, self.known
        first = book.first_in(left)
        rest = left & book.after[first]
        most = known[rest] if rest in known else self._most(rest)
        guarded, guards = left | book.guards, book.guards
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
        self.width, self.field = layouts.width, layouts.field
        self.unit, self.guards = layouts.unit, layouts.guards
        firsts = [self.first_in(count) for count in layouts.counts]
        order = sorted(range(len(firsts)), key=firsts.__getitem__)
        self.melds = [layouts.melds[number] for number in order]
        self.counts = [layouts.counts[number] for number in order]
        self.firsts = [firsts[number] for number in order]
        whole = (1 << self.width * len(self.unit)) - 1
        self.since = [whole >> number * self.width << number * self.width for number in range(len(self.unit))]
        """The fields of these twins and all later ones; `after`: of all later ones."""
        self.after = [*self.since[1:], 0]
        self._sums: dict[Hashable, _Sum] = {}

    def first_in(self, count: int) -> int:
        """The first twins of a count."""
        return ((count & -count).bit_length() - 1) // self.width

    def fields_of(self, count: int) -> int:
        """The whole fields of the twins in a count."""
        found = 0
        for number in range(len(self.unit)):
            if count >> number * self.width & self.field:
                found |= self.field << number * self.width
        return found

    def counted(self, hand: int) -> int:
        """Some cards of the hand, counted."""
        return sum(self.unit[number] for card, number in self.layouts.twins_of.items() if hand >> card & 1)

    def sum_of(self, weighed: Weighed) -> _Sum:
        """A sum, kept under its key."""
        found = self._sums.get(weighed.key) if weighed.key is not None else None
        if found is None:
            found = _Sum(self, [weighed.part(meld) for meld in self.melds])
            if weighed.key is not None:
                self._sums[weighed.key] = found
        return found


class Limited:
    """Choices of groups from some cards of a book's hand, within limits."""

    def __init__(self, book: Book, hand: int, ways: Bounds, least: int = 0, most: int = MANY) -> None:
        self.book = book
        self.hand = hand
        self.least = least
        ways = [[*way, *self._owed(book), *_number(least, most)] for way in ways]
        self.sums = [[book.sum_of(weighed) for weighed in way] for way in ways]
        self.limits = [[(weighed.low, weighed.high) for weighed in way] for way in ways]
        self.left = book.counted(hand)

    @staticmethod
    def _owed(book: Book) -> Iterator[Weighed]:
        """The cards that must be laid, as limits."""
        for number, owes in book.layouts.owed.items():
            yield Weighed(_of_twins(set(book.layouts.held[number].cards)), owes, MANY, ("owed", number))

    # -------------------------------------------------------- every way

    def sets(self) -> Iterator[tuple[Meld, ...]]:
        """Every set of groups within the limits, once. A set comes before those with another group added."""
        self.dead: set[tuple[int, int, tuple[tuple[int, ...], ...]]] = set()
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
        book = self.book
        guards, first, fruitless = book.guards, -1, True
        for at in range(number, len(book.melds)):
            if book.firsts[at] != first:
                first = book.firsts[at]
                left &= book.since[first]
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
        return any(self._open(way, left, totals[way]) for way in range(len(totals)))

    def _open(self, way: int, left: int, totals: tuple[int, ...]) -> bool:
        """Whether no limit of one way is out of reach."""
        return all(
            total + one.most(left) >= low and total + one.least(left) <= high
            for total, one, (low, high) in zip(totals, self.sums[way], self.limits[way], strict=True)
        )

    # -------------------------------------------------------- the best way

    def best(self, worth: Sequence[int]) -> tuple[int, tuple[Meld, ...]] | None:
        """The set within the limits that is worth most (`worth` of each group of the book), and its worth.

        None where there is none.
        """
        found: tuple[int, list[int]] | None = None
        for way in range(len(self.sums)):
            one = self._best_of(way, worth)
            if one is not None and (found is None or one[0] > found[0]):
                found = one
        return None if found is None else (found[0], self._told_apart(found[1]))

    def _best_of(self, way: int, worth: Sequence[int]) -> tuple[int, list[int]] | None:
        book = self.book
        sums = self.sums[way]
        alike: dict[tuple[int, ...], int] = {}
        for number, count in enumerate(book.counts):
            key = (count, *(one.weights[number] for one in sums))
            if key not in alike or worth[number] > worth[alike[key]]:
                alike[key] = number
        starting: list[list[int]] = [[] for _ in book.unit]
        touched = 0
        for number in alike.values():
            starting[book.firsts[number]].append(number)
            touched |= book.fields_of(book.counts[number])
        known: dict[tuple[int, tuple[int, ...]], tuple[int, int] | None] = {}
        capped = [
            low if high >= MANY and min(one.weights, default=0) >= 0 else MANY
            for one, (low, high) in zip(sums, self.limits[way], strict=True)
        ]
        start = (self.left & touched, (0,) * len(sums))

        def after(at: tuple[int, tuple[int, ...]], number: int) -> tuple[int, tuple[int, ...]]:
            left, totals = at
            if number < 0:
                return left & book.after[book.first_in(left)], totals
            then = (min(total + one.weights[number], cap) for total, one, cap in zip(totals, sums, capped, strict=True))
            return left - book.counts[number], tuple(then)

        def most(at: tuple[int, tuple[int, ...]]) -> tuple[int, int] | None:
            """The most worth from here, and the group taken for it (-1: none with the first card)."""
            if at in known:
                return known[at]
            left, totals = at
            found: tuple[int, int] | None = None
            if self._open(way, left, totals):
                if not left:
                    found = (0, -1)
                else:
                    found = most(after(at, -1))
                    found = None if found is None else (found[0], -1)
                    guarded, guards = left | book.guards, book.guards
                    for number in starting[book.first_in(left)]:
                        if (guarded - book.counts[number]) & guards == guards:
                            other = most(after(at, number))
                            if other is not None and (found is None or other[0] + worth[number] > found[0]):
                                found = (other[0] + worth[number], number)
            known[at] = found
            return found

        total = most(start)
        if total is None:
            return None
        chosen: list[int] = []
        at = start
        while at[0]:
            step = known[at]
            assert step is not None
            if step[1] >= 0:
                chosen.append(step[1])
            at = after(at, step[1])
        return total[0], chosen


def _of_twins(twins: set[int]) -> Callable[[Meld], int]:
    return lambda meld: len(twins.intersection(meld.cards))


def _number(least: int, most: int) -> Iterator[Weighed]:
    """How many groups there must be, as a limit; one at least is asked without it."""
    if least > 1 or most < MANY:
        yield Weighed(lambda _: 1, least, most, "number")
