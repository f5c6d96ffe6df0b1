"""The best table of sets and runs from counted cards: a programme over the ranks, from the first place to the last.

What is known at a rank is which runs are open in each suit, how many wild cards are used, and, where a rank stands at
both ends of the order, how many of its cards went to the low end. All wild cards here are free; cards that have a name
of their own are counted under it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interpreter.table_drawing import Drawn, Option, draw
from interpreter.table_layers import (
    MOST_ALIKE,
    NO_DEMAND,
    Lane,
    Layers,
    SetsBegun,
    TooManyRuns,
    Way,
    layers_of,
    with_room,
)
from interpreter.table_runs import RunRules
from interpreter.table_shape import Shape

NARROW = (6, 48)
"""Keys at each rank that the first, narrow searches go on from."""
MANY = 400
"""Keys at a rank among which those are looked for that others can do the work of."""


class Stock(NamedTuple):
    """Cards by face: those that must be used (`table`), those that are worth `worth` each (`hand`) and those that may
    be used for nothing (`pile`); the same for wild cards. `demand`: by face, the fewest cards that lie in sets and in
    runs."""

    table: Sequence[int]
    hand: Sequence[int]
    pile: Sequence[int]
    worth: Sequence[int]
    wild: tuple[int, int, int]
    wild_worth: int
    demand: Mapping[int, tuple[int, int]] = {}


class Found(NamedTuple):
    """The best table: what its cards of `hand` are worth together, and its groups."""

    worth: int
    groups: tuple[Drawn, ...]


def solve(shape: Shape, stock: Stock, floor: int = 0, strict: bool = True, most: int | None = None) -> Found | None:
    """The table with the most worth, if there is one worth more than `floor`; every card of `stock.table` is used.

    First natural and wild cards of runs are not told apart; where the best table then has a run with too many wild
    cards, it is looked for again more strictly. Without `strict` it is not: nothing is worth more, but runs may have
    too many. A table worth as much as `most` is as good as any.
    """
    plain = RunRules(shape.runs.cards[0] if shape.runs is not None else 1, 0, None)
    found = _best(shape, stock, plain, floor, most)
    if found is None or not strict or all(_runs_well(shape, group) for group in found.groups):
        return found
    most = found.worth if most is None else min(most, found.worth)
    return _best(shape, stock, _strict(shape, sum(stock.wild)), floor, most)


def _best(shape: Shape, stock: Stock, rules: RunRules, floor: int, most: int | None) -> Found | None:
    try:
        return _Ranks(shape, stock, rules, layers_of(shape, rules), most).best(floor)
    except TooManyRuns:
        return _Ranks(shape, stock, rules, with_room(shape, rules), most).best(floor)


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


class _Partial:
    """What some suits together do at a rank: what is added to the key, sets begun (a number of `SetsBegun`), wild cards
    used now and needed later, worth."""

    __slots__ = ("add", "begun", "gain", "spends")

    def __init__(self, add: int, begun: int, spends: int, gain: int) -> None:
        self.add = add
        self.begun = begun
        self.spends = spends
        self.gain = gain


class _Node:
    """A key that was reached: the most it is worth, and the one before it on that way."""

    __slots__ = ("before", "key", "worth")

    def __init__(self, key: int, worth: int, before: _Node | None) -> None:
        self.key = key
        self.worth = worth
        self.before = before


class _Rank:
    """One place of the order: its suits, what its hand cards are worth by suit, sets that can be begun; masks of what
    the first suits (by their number) read of a key, and of what stays of it; ways of the first suits that are known."""

    def __init__(
        self,
        lanes: list[Lane],
        worth: Sequence[int],
        sets: SetsBegun,
        reads: list[int],
        keeps: int,
        low: bool,
        high: bool,
    ) -> None:
        self.lanes = lanes
        self.worth = list(worth)
        self.sets = sets
        self.reads = reads
        self.keeps = keeps
        self.low = low
        self.high = high
        self.known: list[dict[int, list[_Partial]]] = [{} for _ in lanes]


class _Ranks:
    def __init__(self, shape: Shape, stock: Stock, rules: RunRules, kept: Layers, most: int | None) -> None:
        self.shape = shape
        self.most = most
        """A table worth as much as this is as good as any."""
        pack = shape.pack
        self.suits = len(pack.suits)
        self.places = len(pack.place_rank)
        self.wild = sum(stock.wild)
        self.kept = kept
        self.rules = rules
        self.bits = kept.book.bits
        self.field = kept.book.field
        self.wild_shift = self.suits * self.bits
        self.low_shift = self.wild_shift + self.bits
        self.both_ends = len(pack.rank_places[pack.place_rank[0]]) > 1
        self.total = [t + h + p for t, h, p in zip(stock.table, stock.hand, stock.pile, strict=True)]
        if self.wild > self.field or self.wild + max(self.total) >= MOST_ALIKE:
            raise TooManyRuns
        self.can_run = self._windows()
        self.stock = self._without_lone_cards(stock)
        self.ranks = self._ranks()
        self.potential = self._potential()

    def _windows(self) -> list[int]:
        """By suit: the places (bits) a run can go through."""
        if self.shape.runs is None:
            return [0] * self.suits
        suits, ranks = self.suits, self.shape.pack.place_rank
        found = []
        for suit in range(suits):
            held = 0
            for place, rank in enumerate(ranks):
                if self.total[rank * suits + suit]:
                    held |= 1 << place
            found.append(self.kept.window(held, self.places, self.wild))
        return found

    def _without_lone_cards(self, stock: Stock) -> Stock:
        """Cards that need not be used count as not there where no group can hold them."""
        pack, sets, suits = self.shape.pack, self.shape.sets, self.suits
        hand, pile = list(stock.hand), list(stock.pile)
        for rank, places in enumerate(pack.rank_places):
            first = rank * suits
            if not any(hand[first : first + suits]) and not any(pile[first : first + suits]):
                continue
            held = sum(count > 0 for count in self.total[first : first + suits])
            if sets is not None and held + min(self.wild, sets.wild[1]) >= sets.cards[0]:
                continue
            for suit in range(suits):
                if not any(self.can_run[suit] >> place & 1 for place in places):
                    self.total[first + suit] -= hand[first + suit] + pile[first + suit]
                    hand[first + suit] = pile[first + suit] = 0
        return stock._replace(hand=hand, pile=pile)

    def _ranks(self) -> list[_Rank]:
        """What each place is."""
        kept, suits, total = self.kept, self.suits, self.total
        table, hand, pile, worth, demands = (
            self.stock.table, self.stock.hand, self.stock.pile, self.stock.worth, self.stock.demand,
        )  # fmt: skip
        order = self.shape.pack.place_rank
        reach, wild = self.rules.least, self.wild
        abreast = [self._abreast(suit) for suit in range(suits)] if wild else [0] * suits
        runs = [(1 << suit * self.bits) - 1 for suit in range(suits + 1)]
        runs_and_lows = [mask | mask << self.low_shift for mask in runs]
        found = []
        for place, rank in enumerate(order):
            low, high = self.both_ends and place == 0, self.both_ends and place == self.places - 1
            first = rank * suits
            coming = [later * suits for later in order[place + 1 : place + reach]]
            has_sets = self.shape.sets is not None and not low
            lanes = []
            most_sets = []
            for suit in range(suits):
                face = first + suit
                can_run = self.can_run[suit] >> place & 1 == 1
                demand = demands.get(face, NO_DEMAND) if demands and not low else NO_DEMAND
                most = total[face] if has_sets else 0
                most_sets.append(most)
                ahead = [total[later + suit] for later in coming]
                lane = kept.lane(
                    table[face], hand[face], pile[face], can_run, ahead, abreast[suit], demand, most, wild, low
                )
                lanes.append(lane)
            sets = kept.sets_begun(most_sets, wild)
            keeps = self.field << self.wild_shift | (0 if high else -1 << self.low_shift)
            reads = runs_and_lows if high else runs
            found.append(_Rank(lanes, worth[first : first + suits], sets, reads, keeps, low, high))
        return found

    def _abreast(self, suit: int) -> int:
        """Most runs of a suit that need lie over one place.

        Where more runs than there are equal cards lie over a place, a wild card is among them; it can be taken out,
        the runs joined again without it, and it can be put to an end of a run, as long as a place is free there.
        """
        counts = [self.total[rank * self.suits + suit] for rank in self.shape.pack.place_rank]
        most = max(counts)
        if self.rules.counts_cards_only and sum(counts) + self.wild <= most * self.places:
            return most
        return most + self.wild

    def _potential(self) -> list[int]:
        """By place: the most that this place and later ones can still add, wild cards aside."""
        stock, suits = self.stock, self.suits
        found = [0] * (self.places + 1)
        for place in range(self.places - 1, -1, -1):
            gain = 0
            if not (self.both_ends and place == 0):
                first = self.shape.pack.place_rank[place] * suits
                for face in range(first, first + suits):
                    gain += stock.hand[face] * stock.worth[face]
            found[place] = found[place + 1] + gain
        return found

    # -------------------------------------------------------- forward

    def best(self, floor: int) -> Found | None:
        """The best table worth more than `floor`: narrow searches first, whose result the full one has to beat."""
        best: Found | None = None
        for width in (*NARROW, 0):
            found, complete = self._search(floor if best is None else best.worth, width)
            best = found or best
            if complete or (best is not None and self.most is not None and best.worth >= self.most):
                break
        return best

    def _search(self, floor: int, width: int) -> tuple[Found | None, bool]:
        """The best table found, and whether no key was left out for more than `width` of them (0: any number)."""
        layer = [_Node(0, 0, None)]
        wild_gain = self.stock.wild[1] * self.stock.wild_worth
        complete = True
        for place, rank in enumerate(self.ranks):
            reached = self._after(layer, rank, floor - wild_gain - self.potential[place + 1])
            layer = list(reached.values())
            if len(layer) > MANY and self.rules.counts_cards_only:
                layer = self._undominated(layer, reached)
            if width and len(layer) > width:
                complete = False
                layer = self._first(layer, width)
            if not layer:
                return None, complete
        return self._finish(layer, floor), complete

    def _first(self, layer: list[_Node], width: int) -> list[_Node]:
        """The keys worth most, of equal ones with the fewest wild cards used."""
        only_wild = self.field << self.wild_shift
        order = sorted([(-node.worth, node.key & only_wild, at) for at, node in enumerate(layer)])
        return [layer[at] for _, _, at in order[:width]]

    def _after(self, layer: list[_Node], rank: _Rank, least: int) -> dict[int, _Node]:
        """The keys after a rank that are worth more than `least`."""
        reached: dict[int, _Node] = {}
        suit = self.suits - 1
        shift, wild_shift = suit * self.bits, self.wild_shift
        low_shift = self.low_shift + shift if rank.low else -1
        field, reads, keeps, all_wild = self.field, rank.reads[suit], rank.keeps, self.wild
        rows, last, each = rank.sets.next[suit], rank.sets.last, rank.worth[suit]
        lane = rank.lanes[suit]
        most = each * lane.spec.hand
        for node in layer:
            key = node.key
            own = self._own(rank, suit, key)
            free = all_wild - (key >> wild_shift & field)
            worth = node.worth
            kept = key & keeps
            for part in self._together(rank, suit, key & reads) if own else ():
                left = free - part.spends
                so_far = worth + part.gain
                if left < 0 or so_far + most <= least:
                    continue
                row = rows[part.begun]
                for way in own:
                    number = row[way.sets]
                    if number < 0 or way.spends > left:
                        continue
                    total = so_far + way.gain * each
                    if total <= least:
                        continue
                    add = kept + part.add + (way.after << shift) + (way.wild << wild_shift)
                    if low_shift >= 0:
                        add += way.natural << low_shift
                    for wild_sets in last[number]:
                        if wild_sets > left - way.spends or (wild_sets and low_shift >= 0):
                            break
                        after = add + (wild_sets << wild_shift)
                        known = reached.get(after)
                        if known is None:
                            reached[after] = _Node(after, total, node)
                        elif known.worth < total:
                            known.worth = total
                            known.before = node
        return reached

    def _own(self, rank: _Rank, suit: int, key: int) -> list[Way]:
        """What a suit can do from what it reads of a key."""
        shift = suit * self.bits
        read = key >> shift & self.field
        if rank.high:
            read |= (key >> (self.low_shift + shift) & self.field) << self.bits
        lane = rank.lanes[suit]
        known = lane.ways.get(read)
        return lane.onward(read) if known is None else known

    def _together(self, rank: _Rank, suits: int, read: int) -> list[_Partial]:
        """What the first suits do together, from what they read of a key."""
        if not suits:
            return [_Partial(0, 0, 0, 0)]
        known = rank.known[suits]
        found = known.get(read)
        if found is not None:
            return found
        suit = suits - 1
        shift, wild_shift = suit * self.bits, self.wild_shift
        low_shift = self.low_shift + shift if rank.low else -1
        rows, each, free = rank.sets.next[suit], rank.worth[suit], self.wild
        own = self._own(rank, suit, read)
        found = []
        for part in self._together(rank, suit, read & rank.reads[suit]) if own else ():
            row = rows[part.begun]
            left = free - part.spends
            for way in own:
                number = row[way.sets]
                if number < 0 or way.spends > left:
                    continue
                add = part.add + (way.after << shift) + (way.wild << wild_shift)
                if low_shift >= 0:
                    add += way.natural << low_shift
                found.append(_Partial(add, number, part.spends + way.spends, part.gain + way.gain * each))
        known[read] = found
        return found

    def _undominated(self, layer: list[_Node], reached: dict[int, _Node]) -> list[_Node]:
        """Without keys that another one can do the work of: it has more cards in an open run, and is worth as much."""
        return [node for node in layer if not self._is_dominated(node, reached)]

    def _is_dominated(self, node: _Node, reached: dict[int, _Node]) -> bool:
        better = self.kept.book.better
        for suit in range(self.suits):
            shift = suit * self.bits
            for add in better[node.key >> shift & self.field]:
                other = reached.get(node.key + (add << shift))
                if other is not None and other.worth >= node.worth:
                    return True
        return False

    # -------------------------------------------------------- the way back

    def _finish(self, layer: list[_Node], floor: int) -> Found | None:
        best = floor
        chosen: _Node | None = None
        table, hand, _ = self.stock.wild
        for node in layer:
            used = node.key >> self.wild_shift & self.field
            total = node.worth + self.stock.wild_worth * min(used - table, hand)
            if used >= table and total > best and self._all_closed(node.key):
                best, chosen = total, node
        if chosen is None:
            return None
        way = []
        for rank in reversed(self.ranks):
            before = chosen.before
            assert before is not None
            way.append(self._option(rank, before.key, chosen.key, chosen.worth - before.worth))
            chosen = before
        way.reverse()
        return Found(best, draw(self.shape, self.kept.book, way))

    def _all_closed(self, key: int) -> bool:
        """Whether every open run may end here."""
        closed = self.kept.book.closed
        return all(closed[key >> suit * self.bits & self.field] for suit in range(self.suits))

    def _option(self, rank: _Rank, before: int, after: int, gain: int) -> Option:
        """How a rank leads from one key to another."""
        wild = (after >> self.wild_shift & self.field) - (before >> self.wild_shift & self.field)
        each: list[tuple[int, int, int, int, int]] = []
        in_sets = self._choose(rank, 0, before, after, wild, gain, each)
        assert in_sets >= 0
        each.reverse()
        return Option(tuple(each), in_sets)

    def _choose(
        self,
        rank: _Rank,
        begun: int,
        before: int,
        after: int,
        wild: int,
        gain: int,
        each: list[tuple[int, int, int, int, int]],
        suit: int = 0,
    ) -> int:
        """Note how a suit and those behind it (these first) lead from one key to another, with so many wild cards and
        so much worth; how many wild cards are left for sets, -1 if they do not."""
        if suit == self.suits:
            return wild if not gain and wild in rank.sets.last[begun] else -1
        shift = suit * self.bits
        old, new = before >> shift & self.field, after >> shift & self.field
        for way in self._own(rank, suit, before):
            if way.after != new or way.wild > wild:
                continue
            number = rank.sets.next[suit][begun][way.sets]
            if number < 0 or (rank.low and way.natural != after >> (self.low_shift + shift) & self.field):
                continue
            rest = gain - way.gain * rank.worth[suit]
            left = self._choose(rank, number, before, after, wild - way.wild, rest, each, suit + 1)
            if left >= 0:
                each.append((old, way.sets, way.natural, way.wild, new))
                return left
        return -1
