"""Several groups from one hand: every way to lay them, and the way that leaves the fewest points.

Twins are counted, not told apart: a hand is one number with a field of bits for each kind of card in it, and a group
takes its cards out of the fields by one subtraction; a guard bit above each field shows whether one ran out. Who gets
which twin is settled at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.meld_kinds import Fitting, Twins
from interpreter.moves import Meld

Owed = dict[int, int]
"""Cards that must be laid: number of the twins to how many of them."""


Step = tuple[int, int, int]
"""What `Layouts.best` does with a card: the cards laid aside (counted), points, number of their group or -1."""


class Layouts:
    """The groups of one hand, counted. `melds` use the lowest of twins, as `meld_search.find` does."""

    def __init__(self, fitting: Fitting, held: Sequence[Twins], melds: Sequence[Meld], must: int = 0) -> None:
        self.fitting = fitting
        self.held = held
        self.must = must
        """Cards that are used before their twins."""
        self.twins_of: dict[int, int] = {card: number for number, twins in enumerate(held) for card in twins.cards}
        self.owed: Owed = {}
        for card, number in self.twins_of.items():
            if must >> card & 1:
                self.owed[number] = self.owed.get(number, 0) + 1
        self.width = max((len(twins.cards) for twins in held), default=1).bit_length() + 1
        self.field = (1 << self.width) - 1
        self.unit: list[int] = [1 << number * self.width for number in range(len(held))]
        """One of these twins, as it is counted."""
        self.guards = sum(unit << self.width - 1 for unit in self.unit)
        self.hand = sum(unit * len(twins.cards) for unit, twins in zip(self.unit, held, strict=True))
        self.melds = sorted(melds, key=lambda meld: not self._touches(meld)) if must else melds
        self.counts: list[int] = [sum(self.unit[self.twins_of[card]] for card in meld.cards) for meld in self.melds]
        """The cards each group takes."""
        self.touching = sum(self._touches(meld) for meld in melds) if must else 0
        """How many groups, the first ones, hold a card that must be laid."""

    def holding_all(self) -> Iterator[Meld]:
        """Every group that holds all cards that must be laid."""
        for meld, count in zip(self.melds[: self.touching], self.counts, strict=False):
            if all(self._of(count, number) >= owes for number, owes in self.owed.items()):
                yield from self.told_apart((meld,))

    def sets(self, least: int, most: int) -> Iterator[tuple[Meld, ...]]:
        """Every set of `least` to `most` disjoint groups once, as long as it holds all cards that must be laid.

        Order: a set comes before those with another group added; groups with cards that must be laid are first.
        """
        for chosen in self._sets(0, self.hand, [], self.owed, least, most):
            yield self.told_apart([self.melds[number] for number in chosen])

    def _sets(self, first: int, left: int, chosen: list[int], owed: Owed, least: int, most: int) -> Iterator[list[int]]:
        """Sets that add groups from number `first` on, from the cards left."""
        if not owed and len(chosen) >= least:
            yield chosen
        if len(chosen) == most:
            return
        guarded, guards = left | self.guards, self.guards
        for number in range(first, self.touching if owed else len(self.melds)):
            count = self.counts[number]
            if (guarded - count) & guards == guards:
                still = owed and {n: owes - self._of(count, n) for n, owes in owed.items() if owes > self._of(count, n)}
                chosen.append(number)
                yield from self._sets(number, left - count, chosen, still, least, most)
                chosen.pop()

    def best(self, points: Sequence[int]) -> tuple[int, tuple[Meld, ...]]:
        """The most points that disjoint groups can hold (`points` of one card, by number of twins), and such groups.

        Of several ways, the one that puts the first card into a group, and into the one that is found first.
        """
        first_with: dict[int, int] = {}
        for number, count in enumerate(self.counts):
            first_with.setdefault(count, number)
        starting: list[list[Step]] = [[] for _ in self.held]
        left = 0
        for count, number in first_with.items():
            members = [self.twins_of[card] for card in self.melds[number].cards]
            starting[min(members)].append((count, sum(points[member] for member in members), number))
            for member in members:
                left |= self.field << member * self.width
        left &= self.hand
        known: dict[int, Step] = {0: (0, 0, -1)}
        worth = self._most(left, starting, known)
        chosen: list[Meld] = []
        while left:
            cards, _, number = known[left]
            if number >= 0:
                chosen.append(self.melds[number])
            left -= cards
        return worth, self.told_apart(chosen)

    def _most(self, left: int, starting: list[list[Step]], known: dict[int, Step]) -> int:
        """The most points from the cards left. `known` keeps them with the first step: the cards it takes, its group.

        The first card either stays in the hand (group -1) or is in a group that starts with it, since groups with an
        earlier card are out of reach.
        """
        if left in known:
            return known[left][1]
        first = ((left & -left).bit_length() - 1) // self.width
        cards, chosen = self.unit[first], -1
        most = self._most(left - cards, starting, known)
        guarded, guards = left | self.guards, self.guards
        for count, points, number in starting[first]:
            if (guarded - count) & guards == guards:
                total = points + self._most(left - count, starting, known)
                if total > most or (total == most and chosen < 0):
                    cards, most, chosen = count, total, number
        known[left] = (cards, most, chosen)
        return most

    def told_apart(self, melds: Sequence[Meld], hand: int = -1) -> tuple[Meld, ...]:
        """The groups with every twin (of `hand`) dealt out once, in order: those to be laid first, then by id."""
        if not self.must and _disjoint(melds, hand):
            return tuple(melds)
        stacks = [
            sorted((card for card in twins.cards if hand >> card & 1), key=lambda card: (~self.must >> card & 1, card))
            for twins in self.held
        ]
        dealt = [0] * len(stacks)
        told: list[Meld] = []
        for meld in melds:
            cards: list[int] = []
            for card in meld.cards:
                number = self.twins_of[card]
                cards.append(stacks[number][dealt[number]])
                dealt[number] += 1
            if meld.start >= 0:
                told.append(Meld(meld.kind, tuple(cards), meld.names, meld.start))
            else:
                kind = self.fitting.kinds[meld.kind]
                told.append(self.fitting.meld(kind, tuple(zip(cards, meld.names, strict=True))))
        return tuple(told)

    def _touches(self, meld: Meld) -> bool:
        return any(self.twins_of[card] in self.owed for card in meld.cards)

    def _of(self, count: int, number: int) -> int:
        """How many of these twins are in a count."""
        return count >> number * self.width & self.field


def _disjoint(melds: Sequence[Meld], hand: int) -> bool:
    used = ~hand
    for meld in melds:
        mask = meld.mask
        if used & mask:
            return False
        used |= mask
    return True
