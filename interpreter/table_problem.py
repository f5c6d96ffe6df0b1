"""A table to be solved rank by rank: the cards by face, and what each rank of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.table_drawing import Choice
from interpreter.table_layers import ALIKE_BITS, MOST_ALIKE, Lane, Layers, SetsBegun, TooManyRuns, Way
from interpreter.table_runs import RunRules
from interpreter.table_shape import Shape

if TYPE_CHECKING:
    from mypy_extensions import i64


class Stock:
    """Cards by face: those that must be used (`table`), those that are worth `worth` each (`hand`) and those that may
    be used for nothing (`pile`); the same for wild cards. `demand`: by face, the fewest cards that lie in sets and in
    runs."""

    __slots__ = ("demand", "hand", "pile", "table", "wild", "wild_worth", "worth")

    def __init__(
        self,
        table: list[int],
        hand: list[int],
        pile: list[int],
        worth: list[int],
        wild: tuple[int, int, int],
        wild_worth: int,
        demand: dict[int, tuple[int, int]] | None = None,
    ) -> None:
        self.table = table
        self.hand = hand
        self.pile = pile
        self.worth = worth
        self.wild = wild
        self.wild_worth = wild_worth
        self.demand = demand or {}


class Joint:
    """What some suits do together at a rank: what the last of them does, after what those before it do together."""

    __slots__ = ("before", "last_way")

    def __init__(self, way: Way | None, before: Joint | None) -> None:
        self.last_way = way
        self.before = before


class Reached:
    """A key that was reached: the one before it on the best way there, and what is done at its rank by the last suit
    after the others. What a pass adds says how large a key may be."""

    __slots__ = ("before", "last_way", "part")

    def __init__(self) -> None:
        self.before: Reached | None = None
        self.part: Joint | None = None
        self.last_way: Way | None = None

    def told(self) -> int:
        """The key."""
        raise NotImplementedError


class Best:
    """The best table a pass found: what it is worth, and what is done at each rank."""

    __slots__ = ("way", "worth")

    def __init__(self, worth: int, way: list[Choice]) -> None:
        self.worth = worth
        self.way = way


class Rank:
    """One place of the order: its suits, what its hand cards are worth by suit, sets that can be begun; masks of what
    the first suits (by their number) read of a key, and of what stays of it."""

    __slots__ = ("high", "keeps", "lanes", "low", "reads", "sets", "worth")

    def __init__(
        self,
        lanes: list[Lane],
        worth: list[int],
        sets: SetsBegun,
        reads: list[int],
        keeps: int,
        low: bool,
        high: bool,
    ) -> None:
        self.lanes = lanes
        self.worth = worth
        self.sets = sets
        self.reads = reads
        self.keeps = keeps
        self.low = low
        self.high = high


class Problem:
    """What the passes over the ranks read."""

    def __init__(self, shape: Shape, stock: Stock, rules: RunRules, kept: Layers) -> None:
        self.shape = shape
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
        self.total: list[int] = []
        most: i64 = 0
        for face, count in enumerate(stock.table):
            copies: i64 = count + stock.hand[face] + stock.pile[face]
            self.total.append(copies)
            most = max(most, copies)
        if self.wild > self.field or self.wild + most >= MOST_ALIKE:
            raise TooManyRuns
        self.can_run = self._windows()
        self.stock = self._without_lone_cards(stock)
        self.ranks = self._ranks()
        self.potential = self._potential()
        self.wild_gain = stock.wild[1] * stock.wild_worth

    @property
    def key_bits(self) -> int:
        """Bits of the widest key."""
        return self.low_shift + (self.suits * self.bits if self.both_ends else 0)

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
        pack, sets = self.shape.pack, self.shape.sets
        suits: i64 = self.suits
        hand, pile, total = stock.hand, stock.pile, self.total
        enough: i64 = MOST_ALIKE if sets is None else sets.cards[0] - min(self.wild, sets.wild[1])
        lone: list[int] = []
        for rank, places in enumerate(pack.rank_places):
            first: i64 = rank * suits
            held: i64 = 0
            for face in range(first, first + suits):
                held += total[face] > 0
            if held >= enough:
                continue
            for suit in range(suits):
                spare = hand[first + suit] + pile[first + suit]
                if spare and not any(self.can_run[suit] >> place & 1 for place in places):
                    lone.append(first + suit)
        if not lone:
            return stock
        hand, pile = list(hand), list(pile)
        for face in lone:
            total[face] -= hand[face] + pile[face]
            hand[face] = pile[face] = 0
        return Stock(stock.table, hand, pile, stock.worth, stock.wild, stock.wild_worth, stock.demand)

    def _ranks(self) -> list[Rank]:
        """What each place is."""
        kept, order, total = self.kept, self.shape.pack.place_rank, self.total
        table, hand, pile, worth, demands = (
            self.stock.table, self.stock.hand, self.stock.pile, self.stock.worth, self.stock.demand,
        )  # fmt: skip
        suits: i64 = self.suits
        places: i64 = self.places
        reach: i64 = self.rules.least
        wild: i64 = self.wild
        abreast = [self._abreast(suit) for suit in range(suits)] if wild else [0] * suits
        keeps = self.field << self.wild_shift
        nothing = [0] * self.suits
        found = []
        for place, rank in enumerate(order):
            low, high = self.both_ends and place == 0, self.both_ends and place == places - 1
            first: i64 = rank * suits
            ranks_ahead: i64 = min(reach, places - place) - 1
            has_sets = self.shape.sets is not None and not low
            lanes: list[Lane] = []
            for suit in range(suits):
                face = first + suit
                can_run = self.can_run[suit] >> place & 1 == 1
                if not (can_run or total[face] or demands):
                    lanes.append(kept.idle(wild))
                    continue
                ahead = 0
                for later in range(place + 1, place + 1 + ranks_ahead):
                    ahead = ahead << ALIKE_BITS | total[order[later] * suits + suit]
                in_sets, in_runs = demands[face] if face in demands and not low else (0, 0)
                lane = kept.lane(
                    table[face], hand[face], pile[face], abreast[suit], wild, ahead, ranks_ahead,
                    can_run, has_sets, low, in_sets, in_runs,
                )  # fmt: skip
                lanes.append(lane)
            last = first + suits
            sets = kept.sets_begun(total, first, wild) if has_sets else kept.sets_begun(nothing, 0, wild)
            reads = kept.reads_high if high else kept.reads
            stays = keeps if high else keeps | -1 << self.low_shift
            found.append(Rank(lanes, worth[first:last], sets, reads, stays, low, high))
        return found

    def _abreast(self, suit: int) -> int:
        """Most runs of a suit that need lie over one place.

        Where more runs than there are equal cards lie over a place, a wild card is among them; it can be taken out,
        the runs joined again without it, and it can be put to an end of a run, as long as a place is free there.
        """
        most: i64 = 0
        together: i64 = 0
        for rank in self.shape.pack.place_rank:
            count: i64 = self.total[rank * self.suits + suit]
            together += count
            most = max(most, count)
        if self.rules.counts_cards_only and together + self.wild <= most * self.places:
            return most
        return most + self.wild

    def _potential(self) -> list[int]:
        """By place: the most that this place and later ones can still add, wild cards aside."""
        hand, worth = self.stock.hand, self.stock.worth
        suits: i64 = self.suits
        gain: i64 = 0
        found = [0] * (self.places + 1)
        for place in range(self.places - 1, -1, -1):
            if not (self.both_ends and place == 0):
                first: i64 = self.shape.pack.place_rank[place] * suits
                for face in range(first, first + suits):
                    if hand[face]:
                        gain += hand[face] * worth[face]
            found[place] = gain
        return found

    def ways(self, rank: Rank, suit: int, key: int) -> list[Way]:
        """What a suit can do at a rank from what it reads of a key."""
        shift = suit * self.bits
        taken = key >> (self.low_shift + shift) & self.field if rank.high else 0
        return rank.lanes[suit].ways(key >> shift & self.field, taken, self.wild)

    def all_closed(self, key: int) -> bool:
        """Whether every open run may end here."""
        closed = self.kept.book.closed
        return all(closed[key >> suit * self.bits & self.field] for suit in range(self.suits))

    def traced(self, node: Reached) -> list[Choice]:
        """What is done at each rank on the best way to a key."""
        found: list[Choice] = []
        used = node.told() >> self.wild_shift & self.field
        before = node.before
        while before is not None:
            used_before = before.told() >> self.wild_shift & self.field
            found.append(_choice(node, used - used_before))
            node, used, before = before, used_before, before.before
        found.reverse()
        return found

    def worth_at_end(self, key: int, worth: int) -> int:
        """What a key after the last rank is worth with its wild cards, -1 if it is no table."""
        used = key >> self.wild_shift & self.field
        table, hand, _ = self.stock.wild
        if used < table or not self.all_closed(key):
            return -1
        return worth + self.stock.wild_worth * min(used - table, hand)


def _choice(node: Reached, wild: int) -> Choice:
    """What is done at a rank to come to a key, with so many wild cards."""
    way, part = node.last_way, node.part
    ways: list[Way] = []
    while way is not None and part is not None:
        ways.append(way)
        wild -= way.wild
        way, part = part.last_way, part.before
    ways.reverse()
    return Choice(ways, wild)
