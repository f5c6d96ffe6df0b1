"""What one suit can do at one rank while a table is gone through rank by rank, kept from one question to the next.

From its open runs, a lane gives every way on: how many of its cards go to runs and to sets, and what is open after it.
That depends on how many cards of its own face there are, and on how many at the next few ranks; so a few hundred lanes
are all that the tables of a game are made of.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.recent import Recent
from interpreter.table_runs import Open, RunRules, Step
from interpreter.table_shape import Shape

FEW_BITS = 6
"""Bits for the number of a suit's open runs in a key, as long as there are no more than these hold."""
MANY_BITS = 12
"""Bits for it after that."""
ALIKE_BITS = 6
MOST_ALIKE = 1 << ALIKE_BITS
"""Cards of one face and wild ones together that a table may not have as many of."""
NO_DEMAND = (0, 0)
KEPT_LANES = 4_000
"""Lanes kept by each of two generations of the cache of a shape."""
KEPT_SHAPES = 8


class Way:
    """What a suit does at a rank: open runs after it, cards for sets, natural and wild ones for runs, cards of the hand
    among these, wild cards its unfinished runs will need, and those with the wild ones it takes."""

    __slots__ = ("after", "gain", "natural", "owes", "sets", "spends", "wild")

    def __init__(self, after: int, sets: int, natural: int, wild: int, gain: int, owes: int) -> None:
        self.after = after
        self.sets = sets
        self.natural = natural
        self.wild = wild
        self.gain = gain
        self.owes = owes
        self.spends = wild + owes


class LaneSpec(NamedTuple):
    """All that the ways of a suit at a rank depend on: its cards that must be used, those of the hand, those of a pile;
    whether runs can go through it; how many of its cards there are at each of the next ranks (as far as an unfinished
    run reaches); how many runs may lie over it side by side; the fewest cards that must go to sets and to runs, the
    most that can go to sets. `wild` cards are free. Of a rank that stands at both ends `low` is the low end."""

    table: int
    hand: int
    pile: int
    can_run: bool
    ahead: tuple[int, ...]
    abreast: int
    in_sets: int
    in_runs: int
    most_sets: int
    wild: int
    low: bool


class TooManyRuns(Exception):
    """There are more open runs to tell apart than a key has room for."""


class Book:
    """Open runs by number, and how they go on; shared by all problems with the same rules for runs."""

    def __init__(self, rules: RunRules, bits: int) -> None:
        self.rules = rules
        self.bits = bits
        self.field = (1 << bits) - 1
        self.open: list[Open] = [()]
        self.numbers: dict[Open, int] = {(): 0}
        self.known: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self.steps: dict[tuple[int, int, int, int], Step] = {}
        self.due: list[tuple[int, ...]] = [(0,) * rules.least]
        """By number: how many runs still need a card at the next rank, at the one after it, …"""
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
            self.due.append(tuple(sum(run.cards < least - ahead for run in runs) for ahead in range(least)))
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

    def after(self, number: int, natural: int, wild: int) -> tuple[int, ...]:
        """The open runs there can be after a rank that gives so many cards to runs."""
        key = (number, natural, wild)
        found = self.known.get(key)
        if found is None:
            steps = self.rules.steps(self.open[number], natural, wild)
            found = self.known[key] = tuple(self.number(step.after) for step in steps)
        return found

    def step(self, number: int, natural: int, wild: int, after: int) -> Step:
        """The step that leads from one number to another."""
        key = (number, natural, wild, after)
        found = self.steps.get(key)
        if found is None:
            steps = self.rules.steps(self.open[number], natural, wild)
            found = self.steps[key] = next(step for step in steps if step.after == self.open[after])
        return found


class SetsBegun:
    """Cards of one rank put aside for sets, suit by suit: which numbers of them can still come to whole sets.

    Of what is put aside only how many cards there are and the most of one suit matter; each such pair has a number.
    """

    def __init__(self, shape: Shape, most: tuple[int, ...], wild: int) -> None:
        self.most = most
        """By suit: the most cards for sets."""
        self.next: list[list[list[int]]] = []
        """By suit, number before, cards of this suit: the number after, -1 if no sets can come of it."""
        self.last: list[tuple[int, ...]] = []
        """By number after all suits: how many wild cards may complete the sets."""
        layers: list[dict[tuple[int, int], None]] = [{(0, 0): None}]
        for each in most:
            layers.append({(n + s, max(c, s)): None for n, c in layers[-1] for s in range(each + 1)})
        alive: dict[tuple[int, int], int] = {}
        for natural, copies in layers[-1]:
            fitting = tuple(w for w in range(wild + 1) if shape.sets_for(natural, w, copies) >= 0)
            if fitting:
                alive[natural, copies] = len(alive)
                self.last.append(fitting)
        for suit in range(len(most) - 1, -1, -1):
            before: dict[tuple[int, int], int] = {}
            rows: list[list[int]] = []
            for natural, copies in layers[suit]:
                row = [alive.get((natural + s, max(copies, s)), -1) for s in range(most[suit] + 1)]
                if any(number >= 0 for number in row):
                    before[natural, copies] = len(before)
                    rows.append(row)
            self.next.insert(0, rows)
            alive = before


class Lane:
    """One suit at one rank; lanes that are alike are one."""

    def __init__(self, book: Book, spec: LaneSpec) -> None:
        self.book = book
        self.spec = spec
        self.ways: dict[int, list[Way]] = {}
        """By open runs, above them how many cards lie at the low end."""

    def onward(self, read: int) -> list[Way]:
        """What can be done, from open runs and (above them) how many cards lie at the low end of the order."""
        book, spec = self.book, self.spec
        number, taken = read & book.field, read >> book.bits
        best: dict[tuple[int, int, int, int], Way] = {}
        need = book.due[number][0]
        for to_runs, to_sets, gain in self._shares(taken):
            most_wild = min(spec.wild, max(0, spec.abreast - to_runs)) if spec.can_run else 0
            for wild in range(max(0, need - to_runs), most_wild + 1):
                for after in book.after(number, to_runs, wild):
                    owes = self._owed(after)
                    if wild + owes > spec.wild:
                        continue
                    same = (after, to_sets, wild, to_runs if spec.low else 0)
                    known = best.get(same)
                    if known is None or known.gain < gain:
                        best[same] = Way(after, to_sets, to_runs, wild, gain, owes)
        ways = list(best.values())
        if (spec.hand or spec.pile) and book.rules.counts_cards_only and not spec.low:
            ways = [way for way in ways if not any(self._does_more(other, way) for other in ways)]
        self.ways[read] = ways
        return ways

    def _does_more(self, one: Way, two: Way) -> bool:
        """Whether one way leaves more cards in open runs than another, and is as good otherwise."""
        same = one.sets == two.sets and one.wild == two.wild
        return same and one.gain >= two.gain and one.after - two.after in self.book.better[two.after]

    def _shares(self, taken: int) -> list[tuple[int, int, int]]:
        """The cards of one face: how many for runs and for sets, and how many of the hand. The low end of a rank that
        stands at both gives cards to runs only, and they are counted at the high end."""
        spec = self.spec
        total = spec.table + spec.hand + spec.pile
        if spec.low:
            return [(count, 0, 0) for count in range((total if spec.can_run else 0) + 1)]
        found = []
        for used in range(max(spec.table, taken), total + 1):
            gain = min(max(0, used - spec.table), spec.hand)
            here = used - taken
            most = min(here - spec.in_sets, here if spec.can_run else 0)
            least = max(here - spec.most_sets, spec.in_runs - taken, 0)
            found += [(to_runs, here - to_runs, gain) for to_runs in range(least, most + 1)]
        return found

    def _owed(self, number: int) -> int:
        """How many wild cards unfinished runs of a suit will need at the ranks ahead, at least."""
        found = 0
        coming = self.spec.ahead
        for ahead, due in enumerate(self.book.due[number]):
            if not due:
                break
            if ahead >= len(coming):
                return self.spec.wild + 1
            found += max(0, due - coming[ahead])
        return found


class Layers:
    """The lanes of one shape and one set of rules for runs that were asked for lately."""

    def __init__(self, shape: Shape, rules: RunRules, bits: int) -> None:
        self.shape = shape
        self.book = Book(rules, bits)
        self.lanes: Recent[int, Lane] = Recent(KEPT_LANES)
        self.sets: Recent[int, SetsBegun] = Recent(KEPT_LANES)
        self.windows: dict[tuple[int, int, int], int] = {}

    def lane(
        self,
        table: int,
        hand: int,
        pile: int,
        can_run: bool,
        ahead: list[int],
        abreast: int,
        demand: tuple[int, int],
        most_sets: int,
        wild: int,
        low: bool,
    ) -> Lane:
        """The lane a suit is at a rank: see `LaneSpec`. Of each of these there are less than `MOST_ALIKE`."""
        key = table << ALIKE_BITS | hand
        key = key << ALIKE_BITS | pile
        key = key << ALIKE_BITS | abreast
        key = key << ALIKE_BITS | wild
        for count in ahead:
            key = key << ALIKE_BITS | count
        if demand != NO_DEMAND:
            key = (key << ALIKE_BITS | demand[0]) << ALIKE_BITS | demand[1]
        key = (
            key << ALIKE_BITS + 4
            | len(ahead) << 4
            | (demand != NO_DEMAND) << 3
            | can_run << 2
            | low << 1
            | (most_sets > 0)
        )
        found = self.lanes.get(key)
        if found is None:
            spec = LaneSpec(
                table, hand, pile, can_run, tuple(ahead), abreast, demand[0], demand[1], most_sets, wild, low
            )
            found = self.lanes.put(key, Lane(self.book, spec))
        return found

    def sets_begun(self, most: list[int], wild: int) -> SetsBegun:
        """What sets can come of so many cards by suit and so many wild ones."""
        key = wild
        for count in most:
            key = key << ALIKE_BITS | count
        return self.sets.get(key) or self.sets.put(key, SetsBegun(self.shape, tuple(most), wild))

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
