"""What one suit can do at one rank while a table is gone through rank by rank, kept from one question to the next.

From its open runs, a lane gives every way on: how many of its cards go to runs and to sets, and what is open after it.
That depends on how many cards of its own face there are, and on how many at the next few ranks; so a few hundred lanes
are all that the tables of a game are made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interpreter.recent import Recent
from interpreter.table_runs import Open, RunRules, Step
from interpreter.table_shape import Shape

if TYPE_CHECKING:
    from mypy_extensions import i64

FEW_BITS = 6
"""Bits for the number of a suit's open runs in a key, as long as there are no more than these hold."""
MANY_BITS = 12
"""Bits for it after that."""
ALIKE_BITS: Final = 6
MOST_ALIKE: Final = 64
"""Cards of one face and wild ones together that a table may not have as many of."""
KEPT_LANES = 4_000
"""Lanes kept by each of two generations of the cache of a shape."""
KEPT_SHAPES = 32


class Way:
    """What a suit does at a rank: open runs after it, cards for sets, natural and wild ones for runs, cards of the hand
    among these, wild cards it takes and its unfinished runs will need; and how its runs go on."""

    __slots__ = ("after", "gain", "natural", "sets", "spends", "step", "wild")

    def __init__(self, sets: i64, natural: i64, wild: i64, gain: i64, spends: i64, step: Step) -> None:
        self.after: i64 = step.number
        self.sets: i64 = sets
        self.natural: i64 = natural
        self.wild: i64 = wild
        self.gain: i64 = gain
        self.spends: i64 = spends
        self.step = step


class TooManyRuns(Exception):
    """There are more open runs to tell apart than a key has room for."""


class Book:
    """Open runs by number, and how they go on; shared by all problems with the same rules for runs."""

    def __init__(self, rules: RunRules, bits: int) -> None:
        self.rules = rules
        self.least = rules.least
        self.bits = bits
        self.field = (1 << bits) - 1
        self.open: list[Open] = [()]
        self.numbers: dict[Open, int] = {(): 0}
        self.known: list[list[list[Step] | None]] = [[]]
        """By number, and by natural and wild cards in one number: how it goes on."""
        self.due: list[int] = [0] * rules.least
        """How many runs still need a card at the next rank, at the one after it, …: `least` figures for each number."""
        self.closed: list[bool] = [True]
        self.better: list[list[int]] = [[]]
        """By number: how much higher the numbers are of open runs that differ by a longer run, or a finished one
        more. They can go on in every way these can."""

    def number(self, runs: Open) -> int:
        """The number of some open runs. Raises TooManyRuns."""
        found = self.numbers.get(runs)
        if found is None:
            if len(self.open) > self.field:
                raise TooManyRuns
            found = self.numbers[runs] = len(self.open)
            self.open.append(runs)
            least = self.rules.least
            self.due += [sum(run.cards < least - ahead for run in runs) for ahead in range(least)]
            self.known.append([])
            self.closed.append(all(self.rules.finished(run) for run in runs))
            self.better.append([])
            self._compare(found)
        return found

    def _compare(self, number: int) -> None:
        """Note what a new number is better than, and what is better than it."""
        mine = [run.cards for run in self.open[number]]
        for other, runs in enumerate(self.open[:number]):
            its = [run.cards for run in runs]
            if self._is_better(mine, its):
                self.better[other].append(number - other)
            elif self._is_better(its, mine):
                self.better[number].append(other - number)

    def _is_better(self, one: list[int], two: list[int]) -> bool:
        """Whether runs of so many cards can go on in every way others can: each is as long, and the rest finished."""
        more = len(one) - len(two)
        if more < 0 or any(cards < self.rules.least for cards in one[len(two) :]):
            return False
        return all(mine >= its for mine, its in zip(one, two, strict=False))

    def steps(self, number: i64, natural: i64, wild: i64) -> list[Step]:
        """The ways on from open runs where a rank gives so many cards to runs."""
        row = self.known[number]
        cards = natural + wild
        at = (cards * (cards + 1) >> 1) + wild
        found = row[at] if at < len(row) else None
        if found is None:
            found = self.rules.steps(self.open[number], natural, wild)
            for step in found:
                step.number = self.number(step.after)
            row += [None] * (at + 1 - len(row))
            row[at] = found
        return found


class SetsBegun:
    """Cards of one rank put aside for sets, suit by suit: which numbers of them can still come to whole sets.

    Of what is put aside only how many cards there are and the most of one suit matter; each such pair has a number.
    """

    def __init__(self, shape: Shape, most: tuple[int, ...], wild: int) -> None:
        self.most = most
        """By suit: the most cards for sets."""
        self.next: list[list[int]] = []
        """By suit and number before a row: the number after, by cards of this suit, each of `width` bits; all bits are
        set if no sets can come of it."""
        self.last: list[int] = []
        """By number after all suits: how many wild cards may complete the sets, a bit for each."""
        layers: list[dict[tuple[int, int], None]] = [{(0, 0): None}]
        for each in most:
            layers.append({(n + s, max(c, s)): None for n, c in layers[-1] for s in range(each + 1)})
        self.width = max([len(layer) for layer in layers]).bit_length()
        self.dead = (1 << self.width) - 1
        self.bits = (max(most) + 1) * self.width
        """Bits of the widest row."""
        alive: dict[tuple[int, int], int] = {}
        for natural, copies in layers[-1]:
            fitting = sum(1 << w for w in range(wild + 1) if shape.sets_for(natural, w, copies) >= 0)
            if fitting:
                alive[natural, copies] = len(alive)
                self.last.append(fitting)
        for suit in range(len(most) - 1, -1, -1):
            before: dict[tuple[int, int], int] = {}
            rows: list[int] = []
            for natural, copies in layers[suit]:
                row = [alive.get((natural + s, max(copies, s)), self.dead) for s in range(most[suit] + 1)]
                if any(number != self.dead for number in row):
                    before[natural, copies] = len(before)
                    rows.append(sum(number << at * self.width for at, number in enumerate(row)))
            self.next.insert(0, rows)
            alive = before


class Lane:
    """One suit at one rank; lanes that are alike are one.

    All that its ways depend on: cards that must be used, those of the hand, those of a pile; how many runs may lie over
    it side by side; how many wild cards are free; how many cards of the suit there are at each of the next ranks (as
    far as an unfinished run reaches); whether runs can go through it, and sets have its cards; the fewest cards that
    must go to sets and to runs. Of a rank that stands at both ends `low` is the low end.
    """

    def __init__(
        self,
        book: Book,
        table: i64,
        hand: i64,
        pile: i64,
        abreast: i64,
        wild: i64,
        ahead: list[int],
        can_run: bool,
        has_sets: bool,
        low: bool,
        in_sets: i64,
        in_runs: i64,
    ) -> None:
        self.book = book
        self.table: i64 = table
        self.hand: i64 = hand
        self.total: i64 = table + hand + pile
        self.abreast: i64 = abreast
        self.wild: i64 = wild
        self.ahead = ahead
        self.can_run = can_run
        self.most_sets: i64 = self.total if has_sets else 0
        self.low = low
        self.in_sets: i64 = in_sets
        self.in_runs: i64 = in_runs
        self.stride: i64 = self.total + 1
        self.known: list[list[Way] | None] = []
        """What can be done, by open runs times `stride` and how many cards lie at the low end; this times one more than
        there are wild cards, and how many of them are left."""

    def ways(self, number: int, taken: int, left: int) -> list[Way]:
        """What can be done, from open runs and how many cards lie at the low end of the order, with so many wild cards
        that are left, of those the lane is for."""
        at = (number * self.stride + taken) * (self.wild + 1) + left
        found = self.known[at] if at < len(self.known) else None
        if found is None:
            if left == self.wild:
                found = self._onward(number, taken)
            else:
                found = [way for way in self.ways(number, taken, self.wild) if way.spends <= left]
            self.known += [None] * (at + 1 - len(self.known))
            self.known[at] = found
        return found

    def _onward(self, number: i64, taken: i64) -> list[Way]:
        ways: list[Way] = []
        total = self.total
        if self.low:
            for count in range((total if self.can_run else 0) + 1):
                self._add(ways, number, count, 0, 0)
        else:
            for used in range(max(self.table, taken), total + 1):
                gain = min(max(used - self.table, 0), self.hand)
                here = used - taken
                most = min(here - self.in_sets, here if self.can_run else 0)
                for to_runs in range(max(here - self.most_sets, self.in_runs - taken, 0), most + 1):
                    self._add(ways, number, to_runs, here - to_runs, gain)
            if total > self.table and self.book.rules.counts_cards_only:
                ways = [way for way in ways if not self._is_outdone(way, ways)]
        return ways

    def _add(self, ways: list[Way], number: i64, natural: i64, sets: i64, gain: i64) -> None:
        """Note what can be done with so many cards for runs and for sets, and any wild ones."""
        book = self.book
        due: i64 = book.due[number * book.least]
        most = min(self.wild, max(0, self.abreast - natural)) if self.can_run else 0
        for wild in range(max(0, due - natural), most + 1):
            for step in book.steps(number, natural, wild):
                spends = wild + self._owed(step.number)
                if spends <= self.wild:
                    self._note(ways, Way(sets, natural, wild, gain, spends, step))

    def _note(self, ways: list[Way], way: Way) -> None:
        """Note a way; of several that are alike the one with the highest gain."""
        for at, known in enumerate(ways):
            same = known.after == way.after and known.sets == way.sets and known.wild == way.wild
            if same and (not self.low or known.natural == way.natural):
                if known.gain < way.gain:
                    ways[at] = way
                return
        ways.append(way)

    def _is_outdone(self, way: Way, ways: list[Way]) -> bool:
        """Whether another way leaves more cards in open runs, and is as good otherwise."""
        for other in ways:
            if other.sets == way.sets and other.wild == way.wild and other.gain >= way.gain:
                more: int = other.after - way.after
                if more in self.book.better[way.after]:
                    return True
        return False

    def _owed(self, number: int) -> i64:
        """How many wild cards unfinished runs of a suit will need at the ranks ahead, at least."""
        found: i64 = 0
        coming = self.ahead
        first = number * self.book.least
        for ahead in range(self.book.least):
            due: i64 = self.book.due[first + ahead]
            if not due:
                break
            if ahead >= len(coming):
                return self.wild + 1
            found += max(0, due - coming[ahead])
        return found


class Layers:
    """The lanes of one shape and one set of rules for runs that were asked for lately."""

    def __init__(self, shape: Shape, rules: RunRules, bits: int) -> None:
        self.shape = shape
        self.book = Book(rules, bits)
        self.lanes: Recent[int, Lane] = Recent(KEPT_LANES)
        self.sets: Recent[int, SetsBegun] = Recent(KEPT_LANES)
        self.idling: dict[int, Lane] = {}
        """By wild cards."""
        self.windows: dict[tuple[int, int, int], int] = {}
        suits = len(shape.pack.suits)
        self.reads = [(1 << suit * bits) - 1 for suit in range(suits + 1)]
        """What the first suits, by their number, read of a key; the same where they read the low ends, too."""
        self.reads_high = [mask | mask << (suits + 1) * bits for mask in self.reads]

    def lane(
        self,
        table: i64,
        hand: i64,
        pile: i64,
        abreast: i64,
        wild: i64,
        ahead: int,
        ranks_ahead: i64,
        can_run: bool,
        has_sets: bool,
        low: bool,
        in_sets: i64,
        in_runs: i64,
    ) -> Lane:
        """The lane a suit is at a rank; `ahead` are the counts at the ranks ahead in one number, the next rank first.
        Of each of these there are less than `MOST_ALIKE`."""
        counts = (((table << ALIKE_BITS | hand) << ALIKE_BITS | pile) << ALIKE_BITS | abreast) << ALIKE_BITS | wild
        demand = in_sets << ALIKE_BITS | in_runs
        flags = (((ranks_ahead << 1 | (demand != 0)) << 1 | can_run) << 1 | has_sets) << 1 | low
        key: int = counts << 2 * ALIKE_BITS | flags
        key |= ahead << 7 * ALIKE_BITS
        if demand:
            asked, place = int(demand), int(7 + ranks_ahead) * ALIKE_BITS
            key |= asked << place
        found = self.lanes.get(key)
        if found is None:
            last = (ranks_ahead - 1) * ALIKE_BITS
            coming = [ahead >> shift & MOST_ALIKE - 1 for shift in range(last, -1, -ALIKE_BITS)]
            lane = Lane(self.book, table, hand, pile, abreast, wild, coming, can_run, has_sets, low, in_sets, in_runs)
            found = self.lanes.put(key, lane)
        return found

    def idle(self, wild: int) -> Lane:
        """The lane of a suit that has no card at a rank, where no run can go through it either."""
        found = self.idling.get(wild)
        if found is None:
            found = self.idling[wild] = self.lane(0, 0, 0, 0, wild, 0, 0, False, False, False, 0, 0)
        return found

    def sets_begun(self, most: list[int], first: i64, wild: int) -> SetsBegun:
        """What sets can come of so many cards by suit, from `first` on, and so many wild ones."""
        suits: i64 = len(self.shape.pack.suits)
        key = wild
        for at in range(first, first + suits):
            key = key << ALIKE_BITS | most[at]
        found = self.sets.get(key)
        if found is None:
            found = self.sets.put(key, SetsBegun(self.shape, tuple(most[first : first + suits]), wild))
        return found

    def window(self, held: int, places: int, wild: int) -> int:
        """The places (bits) a run can go through, where cards of its suit are held in some and so many are wild."""
        key = (held, places, wild)
        found = self.windows.get(key)
        if found is None:
            least = self.book.rules.least
            whole = (1 << least) - 1
            found = 0
            for start in range(places - least + 1):
                if least - (held >> start & whole).bit_count() <= wild:
                    found |= whole << start
            self.windows[key] = found
        return found


_SHAPES: Recent[tuple[Shape, RunRules], Layers] = Recent(KEPT_SHAPES)


def layers_of(shape: Shape, rules: RunRules) -> Layers:
    """The layers that are kept for a shape."""
    key = (shape, rules)
    return _SHAPES.get(key) or _SHAPES.put(key, Layers(shape, rules, FEW_BITS))


def with_room(shape: Shape, rules: RunRules) -> Layers:
    """The same with room for more open runs in a key, from now on. Raises TooManyRuns where there is no more room."""
    if layers_of(shape, rules).book.bits >= MANY_BITS:
        raise TooManyRuns
    return _SHAPES.put((shape, rules), Layers(shape, rules, MANY_BITS))
