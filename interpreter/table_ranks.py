"""The best table of sets and runs from counted cards: a programme over the ranks, from the first place to the last.

What is known at a rank is which runs are open in each suit, how many wild cards are used, and, where a rank stands at
both ends of the order, how many of its cards went to the low end. All wild cards here are free; cards that have a name
of their own are counted under it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interpreter.table_drawing import Drawn, Node, draw
from interpreter.table_layers import FIELD, SUIT_BITS, Layer, Onward, Spec, layers_of
from interpreter.table_runs import RunRules
from interpreter.table_shape import Shape

NARROW = 48
"""Keys at each rank that the first, narrow search goes on from."""


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
        self.most = most
        """A table worth as much as this is as good as any."""
        pack = shape.pack
        self.suits = len(pack.suits)
        self.places = len(pack.place_rank)
        self.wild = sum(stock.wild)
        self.kept = layers_of(shape, rules)
        self.both_ends = len(pack.rank_places[pack.place_rank[0]]) > 1
        self.total = [t + h + p for t, h, p in zip(stock.table, stock.hand, stock.pile, strict=True)]
        self.can_run = self._windows()
        self.stock = self._without_lone_cards(stock)
        self.specs = self._specs(rules)
        self.wild_shift = self.suits * SUIT_BITS
        self.layers: list[list[Layer | None]] = [[None] * (self.wild + 1) for _ in self.specs]
        """By place and wild cards used before it."""
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

    def _specs(self, rules: RunRules) -> list[Spec]:
        """What each place is, with all wild cards."""
        stock, suits, total = self.stock, self.suits, self.total
        faces = [rank * suits for rank in self.shape.pack.place_rank]
        abreast = tuple(self._abreast(suit, rules) for suit in range(suits)) if self.wild else (0,) * suits
        by_place = [total[first : first + suits] for first in faces]
        found = []
        for place, first in enumerate(faces):
            cards = tuple(
                (stock.table[f], stock.hand[f], stock.pile[f], stock.worth[f] if stock.hand[f] else 0)
                for f in range(first, first + suits)
            )
            ahead = tuple(zip(*by_place[place + 1 : place + rules.least], strict=True)) or ((),) * suits
            can_run = tuple(mask >> place & 1 == 1 for mask in self.can_run)
            low = self.both_ends and place == 0
            demand: tuple[tuple[int, int], ...] = ()
            if stock.demand and not low:
                demand = tuple(stock.demand.get(f, (0, 0)) for f in range(first, first + suits))
                demand = demand if any(map(any, demand)) else ()
            high = self.both_ends and place == self.places - 1
            found.append(Spec(cards, can_run, ahead, abreast, demand, self.wild, low, high))
        return found

    def _abreast(self, suit: int, rules: RunRules) -> int:
        """Most runs of a suit that need lie over one place.

        Where more runs than there are equal cards lie over a place, a wild card is among them; it can be taken out,
        the runs joined again without it, and it can be put to an end of a run, as long as a place is free there.
        """
        counts = [self.total[rank * self.suits + suit] for rank in self.shape.pack.place_rank]
        most = max(counts)
        if rules.counts_cards_only and sum(counts) + self.wild <= most * self.places:
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
        """The best table worth more than `floor`: a narrow search first, whose result the full one has to beat."""
        narrow, complete = self._search(floor, NARROW)
        if complete or (narrow is not None and self.most is not None and narrow.worth >= self.most):
            return narrow
        wide, _ = self._search(floor if narrow is None else narrow.worth, None)
        return wide or narrow

    def _search(self, floor: int, width: int | None) -> tuple[Found | None, bool]:
        """The best table found, and whether no key was left out for more than `width` of them."""
        layers: list[dict[int, Node]] = [{0: (0, 0, ((), 0))}]
        wild_gain = self.stock.wild[1] * self.stock.wild_worth
        complete = True
        wild_shift, only_wild = self.wild_shift, FIELD << self.wild_shift
        for place in range(self.places):
            reached: dict[int, Node] = {}
            least = floor - wild_gain - self.potential[place + 1]
            by_used = self.layers[place]
            for key, (worth, _, _) in layers[-1].items():
                used = key >> wild_shift & FIELD
                layer = by_used[used] or self._layer(place, used)
                read = key & layer.reads
                ways: list[Onward] | None = layer.ways.get(read)
                if ways is None:
                    ways = layer.onward(read)
                kept = key & layer.keeps
                for add, gain, option in ways:
                    total = worth + gain
                    if total <= least:
                        continue
                    after = add + kept
                    known = reached.get(after)
                    if known is None or known[0] < total:
                        reached[after] = (total, key, option)
            if len(reached) > 400 and self.kept.book.rules.counts_cards_only:
                reached = self._undominated(reached)
            if width is not None and len(reached) > width:
                complete = False
                order = sorted(reached.items(), key=lambda item: (-item[1][0], item[0] & only_wild))
                reached = dict(order[:width])
            if not reached:
                return None, complete
            layers.append(reached)
        return self._finish(layers, floor), complete

    def _layer(self, place: int, used: int) -> Layer:
        """A place once some wild cards are used."""
        found = self.layers[place][used] = self.kept.layer(self.specs[place]._replace(wild=self.wild - used))
        return found

    def _undominated(self, reached: dict[int, Node]) -> dict[int, Node]:
        """Without keys that another one can do the work of: it has more cards in an open run, and is worth as much."""
        better = self.kept.book.better
        found = {}
        for key, node in reached.items():
            worth = node[0]
            runs = key
            for suit in range(self.suits):
                shift = suit * SUIT_BITS
                for add in better[runs & FIELD]:
                    other = reached.get(key + (add << shift))
                    if other is not None and other[0] >= worth:
                        break
                else:
                    runs >>= SUIT_BITS
                    continue
                break
            else:
                found[key] = node
        return found

    def _finish(self, layers: list[dict[int, Node]], floor: int) -> Found | None:
        best, chosen = floor, -1
        table, hand, _ = self.stock.wild
        book = self.kept.book
        for key, (worth, _, _) in layers[-1].items():
            used = key >> self.wild_shift & FIELD
            if used < table or not all(book.closed[key >> s * SUIT_BITS & FIELD] for s in range(self.suits)):
                continue
            total = worth + self.stock.wild_worth * min(used - table, hand)
            if total > best:
                best, chosen = total, key
        return Found(best, draw(self.shape, book, layers, chosen)) if chosen >= 0 else None
