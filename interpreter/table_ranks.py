"""The best table of sets and runs from counted cards: a programme over the ranks, from the first place to the last.

What is known at a rank is which runs are open in each suit, how many wild cards are used, and, where a rank stands at
both ends of the order, how many of its cards went to the low end. All wild cards here are free; cards that have a name
of their own are counted under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interpreter.table_runs import CLOSED, NATURAL, WILD, Open, OpenRun, RunRules, Step
from interpreter.table_shape import Shape

SUIT_BITS = 8
"""Bits for the number of a suit's open runs in a key."""
NARROW = 48
"""Keys at each rank that the first, narrow search goes on from."""


class Stock(NamedTuple):
    """Cards by face: those that must be used (`table`), those that are worth `worth` each (`hand`) and those that may
    be used for nothing (`pile`); the same for wild cards."""

    table: Sequence[int]
    hand: Sequence[int]
    pile: Sequence[int]
    worth: Sequence[int]
    wild: tuple[int, int, int]
    wild_worth: int


class Drawn(NamedTuple):
    """A group of the table that was found: its kind, the place of its first card (-1 in a set), its cards as faces;
    `wild` has one bit for each wild card among them, whose face is its name."""

    kind: int
    start: int
    faces: tuple[int, ...]
    wild: int


class Found(NamedTuple):
    """The best table: what its cards of `hand` are worth together, and its groups."""

    worth: int
    groups: tuple[Drawn, ...]


Way = tuple[int, int, int, int, int, int]
"""What a rank does in one suit: open runs after it, cards for sets, natural and wild ones for runs, worth, wild cards
its unfinished runs will need."""

Option = tuple[tuple[Way, ...], int]
"""What a rank does: a way for each suit, and wild cards for sets."""

Node = tuple[int, int, Option]
"""The best way to a key: its worth, the key it came from, and by which option."""

Onward = tuple[int, int, int, Option]
"""from some open runs: what is added to the key, wild cards used and needed later, worth, option."""

Partial = dict[tuple[int, int, int, int], tuple[int, int, tuple[Way, ...]]]
"""Some suits together: open runs after (packed), cards for sets, most of one suit, wild cards used; to worth, wild
cards needed later, ways."""

NO_OPTION: Option = ((), 0)


class _Book:
    """Open runs by number, and how they go on; shared by all problems with the same rules for runs."""

    def __init__(self, rules: RunRules) -> None:
        self.rules = rules
        self.open: list[Open] = [()]
        self.numbers: dict[Open, int] = {(): 0}
        self.known: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self.due: list[tuple[int, ...]] = [(0,) * rules.least]
        """By number: how many runs still need a card at the next rank, at the one after it, …"""
        self.closed: list[bool] = [True]

    def number(self, runs: Open) -> int:
        found = self.numbers.get(runs)
        if found is None:
            found = self.numbers[runs] = len(self.open)
            self.open.append(runs)
            least = self.rules.least
            self.due.append(tuple(sum(run.cards < least - ahead for run in runs) for ahead in range(least)))
            self.closed.append(all(self.rules.finished(run) for run in runs))
        return found

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


_BOOKS: dict[RunRules, _Book] = {}


def solve(shape: Shape, stock: Stock, floor: int = 0, strict: bool = True, most: int | None = None) -> Found | None:
    """The table with the most worth, if there is one worth more than `floor`; every card of `stock.table` is used.

    First natural and wild cards of runs are not told apart; where the best table then has a run with too many wild
    cards, it is looked for again more strictly. Without `strict` it is not: nothing is worth more, but runs may have
    too many. A table worth as much as `most` is as good as any.
    """
    plain = RunRules(shape.runs.cards[0] if shape.runs is not None else 1, 0, None)
    found = _Ranks(shape, stock, plain, most).best(floor)
    if found is None or not strict or all(_runs_well(shape, group) for group in found.groups):
        return found
    most = found.worth if most is None else min(most, found.worth)
    return _Ranks(shape, stock, _strict(shape, sum(stock.wild)), most).best(floor)


def _runs_well(shape: Shape, group: Drawn) -> bool:
    kind = shape.runs
    wild = group.wild.bit_count()
    return kind is None or group.start < 0 or (wild <= kind.wild[1] and len(group.faces) - wild >= kind.natural[0])


def _strict(shape: Shape, wild: int) -> RunRules:
    """What is to be watched in runs when there are so many free wild cards."""
    kind = shape.runs
    assert kind is not None
    least = kind.cards[0]
    limit = kind.wild[1] if kind.wild[1] < wild else None
    most_wild = wild if limit is None else limit
    return RunRules(least, kind.natural[0] if kind.natural[0] > max(0, least - most_wild) else 0, limit)


class _Ranks:
    def __init__(self, shape: Shape, stock: Stock, rules: RunRules, most: int | None = None) -> None:
        self.shape = shape
        self.stock = stock
        self.rules = rules
        self.most = most
        """A table worth as much as this is as good as any."""
        pack = shape.pack
        self.suits = len(pack.suits)
        self.places = len(pack.place_rank)
        self.wild = sum(stock.wild)
        self.book = _BOOKS.setdefault(rules, _Book(rules))
        self.total = [t + h + p for t, h, p in zip(stock.table, stock.hand, stock.pile, strict=True)]
        self.both_ends = len(pack.rank_places[pack.place_rank[0]]) > 1
        self.can_run = self._windows() if shape.runs is not None else [[False] * self.suits] * self.places
        self._leave_out_lone_cards()
        self.abreast = [self._abreast(suit) for suit in range(self.suits)]
        self.wild_shift = self.suits * SUIT_BITS
        self.low_shift = self.wild_shift + SUIT_BITS
        self.field = (1 << SUIT_BITS) - 1
        self.only_wild = self.field << self.wild_shift
        self.no_wild = ~self.only_wild
        self.potential = self._potential()
        self.suit_ways: dict[tuple[int, int, int, int], list[Way]] = {}
        self.partial: dict[tuple[int, ...], Partial] = {}
        self.set_fits: dict[tuple[int, int, int], bool] = {}

    def _leave_out_lone_cards(self) -> None:
        """Cards that need not be used count as not there where no group can hold them."""
        pack, sets = self.shape.pack, self.shape.sets
        hand, pile = list(self.stock.hand), list(self.stock.pile)
        for rank, places in enumerate(pack.rank_places):
            faces = range(rank * self.suits, (rank + 1) * self.suits)
            held = sum(self.total[face] > 0 for face in faces)
            if sets is not None and held + min(self.wild, sets.wild[1]) >= sets.cards[0]:
                continue
            for suit, face in enumerate(faces):
                if not any(self.can_run[place][suit] for place in places):
                    hand[face] = pile[face] = 0
        self.stock = self.stock._replace(hand=hand, pile=pile)
        self.total = [t + h + p for t, h, p in zip(self.stock.table, hand, pile, strict=True)]

    def _abreast(self, suit: int) -> int:
        """Most runs of a suit that need lie over one place.

        Where more runs than there are equal cards lie over a place, a wild card is among them; it can be taken out,
        the runs joined again without it, and it can be put to an end of a run, as long as a place is free there.
        """
        counts = [self.total[self.face(place, suit)] for place in range(self.places)]
        most = max(counts)
        if self.rules.counts_cards_only and sum(counts) + self.wild <= most * self.places:
            return most
        return most + self.wild

    def face(self, place: int, suit: int) -> int:
        return self.shape.pack.place_rank[place] * self.suits + suit

    def _windows(self) -> list[list[bool]]:
        """By place and suit: whether a run can go through it at all."""
        least = self.rules.least
        found = [[False] * self.suits for _ in range(self.places)]
        for suit in range(self.suits):
            held = [self.total[self.face(place, suit)] > 0 for place in range(self.places)]
            for start in range(self.places - least + 1):
                if least - sum(held[start : start + least]) <= self.wild:
                    for place in range(start, start + least):
                        found[place][suit] = True
        return found

    def _potential(self) -> list[int]:
        """By place: the most that this place and later ones can still add, wild cards aside."""
        found = [0] * (self.places + 1)
        for place in range(self.places - 1, -1, -1):
            gain = 0
            if not (self.both_ends and place == 0):
                for suit in range(self.suits):
                    face = self.face(place, suit)
                    gain += self.stock.hand[face] * self.stock.worth[face]
            found[place] = found[place + 1] + gain
        return found

    # -------------------------------------------------------- forward

    def best(self, floor: int) -> Found | None:
        """The best table worth more than `floor`: a narrow search first, whose result the full one has to beat."""
        narrow, complete = self._search(floor, NARROW)
        if complete or (narrow is not None and self.most is not None and narrow.worth >= self.most):
            return narrow
        wide, _ = self._search(floor if narrow is None else narrow.worth, None)
        return wide or narrow

    def _search(self, floor: int, width: int | None) -> tuple[Found | None, bool]:
        """The best table found, and whether no key was left out for more than `width` of them."""
        layers: list[dict[int, Node]] = [{0: (0, 0, NO_OPTION)}]
        wild_gain = self.stock.wild[1] * self.stock.wild_worth
        complete = True
        for place in range(self.places):
            reached: dict[int, Node] = {}
            least = floor - wild_gain - self.potential[place + 1]
            ways: dict[int, list[Onward]] = {}
            for key, (worth, _, _) in layers[-1].items():
                runs_and_low = key & self.no_wild
                ways_on = ways.get(runs_and_low)
                if ways_on is None:
                    ways_on = ways[runs_and_low] = self._ways(place, runs_and_low)
                used = key & self.only_wild
                spare = self.wild - (used >> self.wild_shift)
                for add, needed, gain, option in ways_on:
                    if needed > spare or worth + gain <= least:
                        continue
                    after = add + used
                    known = reached.get(after)
                    if known is None or known[0] < worth + gain:
                        reached[after] = (worth + gain, key, option)
            if width is not None and len(reached) > width:
                complete = False
                order = sorted(reached.items(), key=lambda item: (-item[1][0], item[0] & self.only_wild))
                reached = dict(order[:width])
            if not reached:
                return None, complete
            layers.append(reached)
        return self._finish(layers, floor), complete

    def _finish(self, layers: list[dict[int, Node]], floor: int) -> Found | None:
        best, chosen = floor, -1
        table, hand, _ = self.stock.wild
        for key, (worth, _, _) in layers[-1].items():
            used = key >> self.wild_shift & self.field
            if used < table or not all(self.book.closed[key >> s * SUIT_BITS & self.field] for s in range(self.suits)):
                continue
            total = worth + self.stock.wild_worth * min(used - table, hand)
            if total > best:
                best, chosen = total, key
        return Found(best, _Drawing(self, layers, chosen).groups()) if chosen >= 0 else None

    # -------------------------------------------------------- one rank

    def _ways(self, place: int, runs_and_low: int) -> list[Onward]:
        """Every way on from some open runs (and cards at the low end); of those that do the same the best."""
        numbers = [runs_and_low >> s * SUIT_BITS & self.field for s in range(self.suits)]
        low = runs_and_low >> self.low_shift
        first = self.both_ends and place == 0
        kept_low = low << self.low_shift
        last_low = low if self.both_ends and place == self.places - 1 else 0
        best: dict[int, Onward] = {}
        for (packed, natural, copies, wild), (gain, owed, ways) in self._together(place, last_low, numbers).items():
            for wild_sets in range(1 if first else self.wild - wild - owed + 1):
                if not natural and wild_sets:
                    fits = self.shape.sets_for(0, wild_sets, 0) > 0
                else:
                    fits = self._sets_fit(natural, wild_sets, copies)
                if not fits:
                    continue
                add = packed + kept_low + (wild + wild_sets << self.wild_shift)
                known = best.get(add)
                if known is None or known[2] < gain:
                    best[add] = (add, wild + wild_sets + owed, gain, (ways, wild_sets))
        return list(best.values())

    def _sets_fit(self, natural: int, wild: int, copies: int) -> bool:
        key = (natural, wild, copies)
        found = self.set_fits.get(key)
        if found is None:
            found = self.set_fits[key] = self.shape.sets_for(natural, wild, copies) >= 0
        return found

    def _together(self, place: int, low: int, numbers: list[int]) -> Partial:
        """What the first suits do together, from their open runs."""
        key = (place, low, *numbers)
        found = self.partial.get(key)
        if found is not None:
            return found
        if not numbers:
            return {(0, 0, 0, 0): (0, 0, ())}
        suit = len(numbers) - 1
        found = {}
        shift = suit * SUIT_BITS
        low_shift = self.low_shift + shift if self.both_ends and place == 0 else -1
        own = self._suit(place, suit, numbers[-1], low >> shift & self.field)
        for (packed, natural, copies, wild), (gain, owed, ways) in self._together(place, low, numbers[:-1]).items():
            for way in own:
                after, to_sets, to_runs, wild_runs, more, owes = way
                if wild + wild_runs + owed + owes > self.wild:
                    continue
                add = packed + (after << shift)
                if low_shift >= 0:
                    add += to_runs << low_shift
                together = (add, natural + to_sets, max(copies, to_sets), wild + wild_runs)
                known = found.get(together)
                if known is None or known[0] < gain + more:
                    found[together] = (gain + more, owed + owes, (*ways, way))
        self.partial[key] = found
        return found

    def _suit(self, place: int, suit: int, number: int, taken: int) -> list[Way]:
        """What a rank can do in one suit, `taken` of whose cards lie at the low end."""
        key = (place, suit, number, taken)
        found = self.suit_ways.get(key)
        if found is not None:
            return found
        best: dict[tuple[int, ...], Way] = {}
        can_run = self.can_run[place][suit]
        need = self.book.due[number][0]
        first = self.both_ends and place == 0
        for to_runs, to_sets, gain in self._shares(self.face(place, suit), can_run, taken, first):
            most_wild = min(self.wild, self.abreast[suit] - to_runs) if can_run else 0
            for wild in range(max(0, need - to_runs), most_wild + 1):
                for after in self.book.after(number, to_runs, wild):
                    owes = self._owed(place + 1, suit, after)
                    if wild + owes > self.wild:
                        continue
                    same = (after, to_sets, wild, to_runs if first else 0)
                    known = best.get(same)
                    if known is None or known[4] < gain:
                        best[same] = (after, to_sets, to_runs, wild, gain, owes)
        found = self.suit_ways[key] = list(best.values())
        return found

    def _shares(self, face: int, can_run: bool, taken: int, first: bool) -> list[tuple[int, int, int]]:
        """The cards of one face: how many for runs and for sets, and their worth. The low end of a rank that stands at
        both gives cards to runs only, and they are counted at the high end."""
        stock = self.stock
        table, hand, total = stock.table[face], stock.hand[face], self.total[face]
        if first:
            return [(count, 0, 0) for count in range((total if can_run else 0) + 1)]
        found = []
        for used in range(max(table, taken), total + 1):
            gain = min(used - table, hand) * stock.worth[face]
            here = used - taken
            most = here if can_run else 0
            least = 0 if self.shape.sets is not None else here
            found += [(to_runs, here - to_runs, gain) for to_runs in range(least, most + 1)]
        return found

    def _owed(self, place: int, suit: int, number: int) -> int:
        """How many wild cards unfinished runs of a suit will need at the places ahead, at least."""
        found = 0
        for ahead, due in enumerate(self.book.due[number]):
            if not due:
                break
            if place + ahead >= self.places:
                return self.wild + 1
            found += max(0, due - self.total[self.face(place + ahead, suit)])
        return found


class _Drawing:
    """Groups from the way to the best key."""

    def __init__(self, ranks: _Ranks, layers: list[dict[int, Node]], last: int) -> None:
        self.ranks = ranks
        self.way: list[tuple[int, int, Option]] = []
        key = last
        for layer in reversed(layers[1:]):
            _, before, option = layer[key]
            self.way.append((before, key, option))
            key = before
        self.way.reverse()
        self.found: list[Drawn] = []

    def groups(self) -> tuple[Drawn, ...]:
        """All groups, runs by where they end, sets by rank."""
        ranks = self.ranks
        building: list[list[tuple[OpenRun, int, list[int]]]] = [[] for _ in range(ranks.suits)]
        for place, (before, after, option) in enumerate(self.way):
            self._sets(place, option)
            for suit in range(ranks.suits):
                building[suit] = self._go_on(place, suit, building[suit], before, after, option)
        for suit in range(ranks.suits):
            for _, start, cards in building[suit]:
                self._close(suit, start, cards)
        return tuple(self.found)

    def _go_on(
        self,
        place: int,
        suit: int,
        runs: list[tuple[OpenRun, int, list[int]]],
        before: int,
        after: int,
        option: Option,
    ) -> list[tuple[OpenRun, int, list[int]]]:
        """The runs of a suit after a rank; each is its state, its first place, and NATURAL or WILD card by card."""
        ranks, rules = self.ranks, self.ranks.rules
        old, new = (key >> suit * SUIT_BITS & ranks.field for key in (before, after))
        _, _, natural, wild, _, _ = option[0][suit]
        step = ranks.book.step(old, natural, wild, new)
        going: list[tuple[OpenRun, int, list[int]]] = []
        for (run, start, cards), what in zip(sorted(runs, key=lambda r: r[0]), step.each, strict=True):
            if what == CLOSED:
                self._close(suit, start, cards)
            else:
                going.append((run, start, [*cards, what]))
        going += [(OpenRun(0, 0, 0), place, [what]) for what in step.begun]
        if rules.counts_cards_only:
            _spread(going, wild)
        grown = [(rules.grown(run, cards[-1]), start, cards) for run, start, cards in going]
        return [(run, start, cards) for run, start, cards in grown if run is not None]

    def _close(self, suit: int, start: int, cards: list[int]) -> None:
        """Note a run, in pieces where it is too long to be one."""
        kind = self.ranks.shape.runs
        assert kind is not None
        least, most = kind.cards
        while cards:
            size = len(cards) if len(cards) <= most else min(most, len(cards) - least)
            piece, cards = cards[:size], cards[size:]
            faces = tuple(self.ranks.face(start + step, suit) for step in range(size))
            wild = sum(1 << at for at, what in enumerate(piece) if what == WILD)
            self.found.append(Drawn(kind.index, start, faces, wild))
            start += size

    def _sets(self, place: int, option: Option) -> None:
        """Note the sets of a rank: cards are dealt to the smallest sets, wild ones last."""
        ranks, shape = self.ranks, self.ranks.shape
        kind = shape.sets
        cards = [way[1] for way in option[0]]
        count = shape.sets_for(sum(cards), option[1], max(cards))
        if kind is None or not count:
            return
        sets: list[list[int]] = [[] for _ in range(count)]
        for suit in sorted(range(ranks.suits), key=lambda s: -cards[s]):
            for group in sorted(sets, key=len)[: cards[suit]]:
                group.append(ranks.face(place, suit))
        wild = [0] * count
        natural = [len(group) for group in sets]
        rank = shape.pack.place_rank[place]
        for _ in range(option[1]):
            at = min(range(count), key=lambda number: (wild[number], natural[number]))
            wild[at] += 1
            missing = (face for s in range(ranks.suits) if (face := ranks.face(place, s)) not in sets[at])
            sets[at].append(next(missing) if shape.named else shape.pack.face_of(rank, -1))
        for group, own in zip(sets, natural, strict=True):
            self.found.append(Drawn(kind.index, -1, tuple(group), (1 << len(group)) - (1 << own)))


def _spread(going: list[tuple[OpenRun, int, list[int]]], wild: int) -> None:
    """Let the wild cards of a rank lie in the runs that have the fewest of them."""
    order = sorted(going, key=lambda run: (run[2][:-1].count(WILD), -len(run[2])))
    for number, (_, _, cards) in enumerate(order):
        cards[-1] = WILD if number < wild else NATURAL


__all__ = ["NATURAL", "Drawn", "Found", "Stock", "solve"]
