"""What one rank can do while a table is gone through rank by rank, kept from one question to the next.

From open runs, a layer gives every way on: how many of its cards go to runs and to sets, and what is open after it.
It depends on the cards of its own rank and on how many there are at the next few, so most layers of a table are the
same again when some cards have moved.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.melds import Recent
from interpreter.table_runs import Open, RunRules, Step
from interpreter.table_shape import Shape

SUIT_BITS = 12
"""Bits for the number of a suit's open runs in a key."""
FIELD = (1 << SUIT_BITS) - 1
KEPT_LAYERS = 1_500
"""Layers kept by each of two generations of the cache of a shape."""
KEPT_SHAPES = 8

Way = tuple[int, int, int, int, int, int]
"""What a rank does in one suit: open runs after it, cards for sets, natural and wild ones for runs, worth, wild cards
its unfinished runs will need."""

Option = tuple[tuple[Way, ...], int]
"""What a rank does: a way for each suit, and wild cards for sets."""

Onward = tuple[int, int, Option]
"""From some open runs: what is added to the key, worth, option."""

Partial = list[tuple[int, int, int, int, int, tuple[Way, ...]]]
"""Some suits together: open runs after (packed), sets begun (a number of `_Sets`), wild cards used, worth, wild cards
needed later, ways."""

Cards = tuple[int, int, int, int]
"""Cards of one face: those that must be used, those of the hand, those of a pile, what one of the hand is worth."""


class Spec(NamedTuple):
    """All that the ways of a rank depend on. By suit: its cards, whether runs can go through it, how many of its cards
    there are at each of the next ranks (as far as an unfinished run reaches), how many runs may lie over it side by
    side, the fewest cards that must go to sets and to runs. `wild` cards are free. Of a rank that stands at both ends
    `low` is the low end, `high` the other."""

    cards: tuple[Cards, ...]
    can_run: tuple[bool, ...]
    ahead: tuple[tuple[int, ...], ...]
    abreast: tuple[int, ...]
    demand: tuple[tuple[int, int], ...]
    wild: int
    low: bool
    high: bool


class TooManyRuns(Exception):
    """There are more open runs to tell apart than a key has room for."""


class Book:
    """Open runs by number, and how they go on; shared by all problems with the same rules for runs."""

    def __init__(self, rules: RunRules) -> None:
        self.rules = rules
        self.open: list[Open] = [()]
        self.numbers: dict[Open, int] = {(): 0}
        self.known: dict[tuple[int, int, int], tuple[int, ...]] = {}
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
            if len(self.open) > FIELD:
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
        steps = self.rules.steps(self.open[number], natural, wild)
        return next(step for step in steps if step.after == self.open[after])


class _Sets:
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


class Layer:
    """One rank among its neighbours; its ways on are worked out as they are asked for."""

    def __init__(self, sets: _Sets, spec: Spec, each: tuple[SuitLayer, ...]) -> None:
        self.sets = sets
        self.spec = spec
        self.each = each
        """Its suits."""
        self.suits = len(each)
        self.wild_shift = self.suits * SUIT_BITS
        self.low_shift = self.wild_shift + SUIT_BITS
        runs = (1 << self.wild_shift) - 1
        self.reads = runs | (-1 << self.low_shift if spec.high else 0)
        """What of a key the ways on depend on, as bits: open runs, at the high end of an order the low end too."""
        self.keeps = FIELD << self.wild_shift | (0 if spec.high else -1 << self.low_shift)
        """What of a key stays as it is, or is added to."""
        self.ways: dict[int, list[Onward]] = {}
        """By what is read of a key: every way on, of those that do the same the best."""
        self.partial: dict[tuple[int, int, int], Partial] = {}

    def onward(self, read: int) -> list[Onward]:
        """Every way on from what is read of a key."""
        spec = self.spec
        free = spec.wild
        shift = self.wild_shift
        last = self.sets.last
        best: dict[int, Onward] = {}
        runs, low = read & ((1 << shift) - 1), read >> self.low_shift
        for packed, begun, wild, gain, owed, ways in self._together(self.suits, runs, low):
            for wild_sets in last[begun]:
                if wild + wild_sets + owed > free or (spec.low and wild_sets):
                    break
                add = packed + (wild + wild_sets << shift)
                known = best.get(add)
                if known is None or known[1] < gain:
                    best[add] = (add, gain, (ways, wild_sets))
        found = self.ways[read] = list(best.values())
        return found

    def _together(self, suits: int, runs: int, low: int) -> Partial:
        """What the first suits do together, from their open runs."""
        if not suits:
            return [(0, 0, 0, 0, 0, ())]
        key = (suits, runs, low)
        found = self.partial.get(key)
        if found is not None:
            return found
        suit = suits - 1
        shift = suit * SUIT_BITS
        field = FIELD << shift
        own = self._own(suit, runs >> shift & FIELD, low >> shift & FIELD)
        low_shift = self.low_shift + shift if self.spec.low else -1
        free = self.spec.wild
        rows = self.sets.next[suit]
        best: dict[tuple[int, int, int], int] = {}
        found = []
        for packed, begun, wild, gain, owed, ways in self._together(suit, runs & ~field, low & ~field) if own else ():
            row = rows[begun]
            for way in own:
                after, to_sets, to_runs, wild_runs, more, owes = way
                number = row[to_sets]
                if number < 0 or wild + wild_runs + owed + owes > free:
                    continue
                add = packed + (after << shift)
                if low_shift >= 0:
                    add += to_runs << low_shift
                together = (add, number, wild + wild_runs)
                at = best.get(together)
                if at is None:
                    best[together] = len(found)
                    found.append((add, number, wild + wild_runs, gain + more, owed + owes, (*ways, way)))
                elif found[at][3] < gain + more:
                    found[at] = (add, number, wild + wild_runs, gain + more, owed + owes, (*ways, way))
        self.partial[key] = found
        return found

    def _own(self, suit: int, number: int, taken: int) -> list[Way]:
        layer = self.each[suit]
        known = layer.ways.get((number, taken))
        return layer.onward(number, taken) if known is None else known


SuitSpec = tuple[Cards, bool, tuple[int, ...], int, tuple[int, int], int, bool, int]
"""All that the ways of one suit depend on: what a `Spec` says of it, free wild cards, whether the rank is the low end,
the most cards for sets."""


class SuitLayer:
    """One suit of a rank; layers that are the same in a suit share it."""

    def __init__(self, book: Book, spec: SuitSpec) -> None:
        self.book = book
        self.cards, self.can_run, self.ahead, self.abreast, self.demand, self.wild, self.low, self.most_sets = spec
        self.ways: dict[tuple[int, int], list[Way]] = {}
        """By open runs and how many cards lie at the low end."""

    def onward(self, number: int, taken: int) -> list[Way]:
        """What the rank can do in the suit, `taken` of whose cards lie at the low end."""
        best: dict[tuple[int, int, int, int], Way] = {}
        need = self.book.due[number][0]
        for to_runs, to_sets, gain in self._shares(taken):
            most_wild = min(self.wild, max(0, self.abreast - to_runs)) if self.can_run else 0
            for wild in range(max(0, need - to_runs), most_wild + 1):
                for after in self.book.after(number, to_runs, wild):
                    owes = self._owed(after)
                    if wild + owes > self.wild:
                        continue
                    same = (after, to_sets, wild, to_runs if self.low else 0)
                    known = best.get(same)
                    if known is None or known[4] < gain:
                        best[same] = (after, to_sets, to_runs, wild, gain, owes)
        ways = list(best.values())
        may_stay = self.cards[1] or self.cards[2]
        if may_stay and self.book.rules.counts_cards_only and not self.low:
            ways = [way for way in ways if not any(self._does_more(other, way) for other in ways)]
        self.ways[number, taken] = ways
        return ways

    def _does_more(self, one: Way, two: Way) -> bool:
        """Whether one way leaves more cards in open runs than another, and is as good otherwise."""
        return (
            one[1] == two[1] and one[3] == two[3] and one[4] >= two[4] and one[0] - two[0] in self.book.better[two[0]]
        )

    def _shares(self, taken: int) -> list[tuple[int, int, int]]:
        """The cards of one face: how many for runs and for sets, and their worth. The low end of a rank that stands at
        both gives cards to runs only, and they are counted at the high end."""
        table, hand, pile, worth = self.cards
        total = table + hand + pile
        if self.low:
            return [(count, 0, 0) for count in range((total if self.can_run else 0) + 1)]
        in_sets, in_runs = self.demand
        found = []
        for used in range(max(table, taken), total + 1):
            gain = min(max(0, used - table), hand) * worth
            here = used - taken
            most = min(here - in_sets, here if self.can_run else 0)
            least = max(here - self.most_sets, in_runs - taken, 0)
            found += [(to_runs, here - to_runs, gain) for to_runs in range(least, most + 1)]
        return found

    def _owed(self, number: int) -> int:
        """How many wild cards unfinished runs of a suit will need at the ranks ahead, at least."""
        found = 0
        for ahead, due in enumerate(self.book.due[number]):
            if not due:
                break
            if ahead >= len(self.ahead):
                return self.wild + 1
            found += max(0, due - self.ahead[ahead])
        return found


class Layers:
    """The layers of one shape and one set of rules for runs that were asked for lately."""

    def __init__(self, shape: Shape, rules: RunRules) -> None:
        self.shape = shape
        self.book = Book(rules)
        self.layers: Recent[Spec, Layer] = Recent(KEPT_LAYERS)
        self.each: Recent[SuitSpec, SuitLayer] = Recent(KEPT_LAYERS)
        self.sets: dict[tuple[tuple[int, ...], int], _Sets] = {}
        self.windows: dict[tuple[int, int, int], int] = {}

    def layer(self, spec: Spec) -> Layer:
        """The layer a rank is."""
        found = self.layers.get(spec)
        if found is None:
            asks_sets = self.shape.sets is not None and not spec.low
            most = tuple(table + hand + pile if asks_sets else 0 for table, hand, pile, _ in spec.cards)
            sets = self.sets.get((most, spec.wild))
            if sets is None:
                sets = self.sets[most, spec.wild] = _Sets(self.shape, most, spec.wild)
            each = tuple(self._suit(spec, suit, most[suit]) for suit in range(len(most)))
            found = self.layers.put(spec, Layer(sets, spec, each))
        return found

    def _suit(self, spec: Spec, suit: int, most_sets: int) -> SuitLayer:
        demand = spec.demand[suit] if spec.demand else (0, 0)
        cards, can_run, ahead = spec.cards[suit], spec.can_run[suit], spec.ahead[suit]
        key = (cards, can_run, ahead, spec.abreast[suit], demand, spec.wild, spec.low, most_sets)
        return self.each.get(key) or self.each.put(key, SuitLayer(self.book, key))

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
    return _SHAPES.get((shape, rules)) or _SHAPES.put((shape, rules), Layers(shape, rules))
