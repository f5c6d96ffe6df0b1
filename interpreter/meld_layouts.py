"""Several groups from one hand: every way to lay them, and the way that leaves the fewest points.

Twins are counted, not told apart: a hand is one number with a field of bits for each kind of card in it, and a group
takes its cards out of the fields by one subtraction. Who gets which twin is settled at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.meld_kinds import Fitting, Twins
from interpreter.moves import Meld


class Layouts:
    """The groups of one hand, counted. `melds` use the lowest of twins, as `meld_search.find` does."""

    def __init__(self, fitting: Fitting, held: Sequence[Twins], melds: Sequence[Meld]) -> None:
        self.fitting = fitting
        self.held = held
        self.melds = melds
        width = max((len(twins.cards) for twins in held), default=1).bit_length() + 1
        self.unit: list[int] = [1 << number * width for number in range(len(held))]
        """One card of each kind of card, as it is counted."""
        self.field = (1 << width) - 1
        self.guards = sum(unit << width - 1 for unit in self.unit)
        self.width = width
        self.hand = sum(unit * len(twins.cards) for unit, twins in zip(self.unit, held, strict=True))
        self.of_card: dict[int, int] = {card: n for n, twins in enumerate(held) for card in twins.cards}
        """Card to the number of its twins."""
        self.counts: list[int] = [sum(self.unit[self.of_card[card]] for card in meld.cards) for meld in melds]
        """The cards each group takes."""

    def all(self, least: int, most: int, must: int) -> Iterator[tuple[Meld, ...]]:
        """Every set of groups once: first the groups chosen so far, then with each later group added.

        Groups that hold a card of `must` come first.
        """
        owed: dict[int, int] = {}
        for card, number in self.of_card.items():
            if must >> card & 1:
                owed[number] = owed.get(number, 0) + 1
        holds = [any(self._count(count, number) for number in owed) for count in self.counts]
        order = sorted(range(len(self.melds)), key=lambda number: not holds[number])
        last = {
            number: max((at for at, g in enumerate(order) if self._count(self.counts[g], number)), default=-1)
            for number in owed
        }
        for chosen in self._sets(order, last, 0, self.hand, [], owed, least, most):
            yield self.told_apart([self.melds[number] for number in chosen], must)

    def _sets(
        self,
        order: list[int],
        last: dict[int, int],
        first: int,
        left: int,
        chosen: list[int],
        owed: dict[int, int],
        least: int,
        most: int,
    ) -> Iterator[list[int]]:
        if not owed and len(chosen) >= least:
            yield chosen
        if len(chosen) == most:
            return
        end = min((last[number] + 1 for number in owed), default=len(order))
        for at in range(first, end):
            count = self.counts[order[at]]
            if ((left | self.guards) - count) & self.guards == self.guards:
                still = {n: o for n, owes in owed.items() if (o := owes - self._count(count, n)) > 0} if owed else owed
                chosen.append(order[at])
                yield from self._sets(order, last, at, left - count, chosen, still, least, most)
                chosen.pop()

    def best(self, points: Sequence[int]) -> tuple[int, tuple[Meld, ...]]:
        """The most points that disjoint groups can hold (`points` of one card, by number of twins), and such groups.

        Of several ways the one whose first groups are found first.
        """
        first_with: dict[int, int] = {}
        for number, count in enumerate(self.counts):
            first_with.setdefault(count, number)
        starting: list[list[tuple[int, int, int]]] = [[] for _ in self.held]
        useful = 0
        for count, number in first_with.items():
            members = [self.of_card[card] for card in self.melds[number].cards]
            starting[min(members)].append((count, sum(points[member] for member in members), number))
            for member in members:
                useful |= self.field << member * self.width
        known: dict[int, tuple[int, int, int]] = {0: (0, 0, -1)}
        left = self.hand & useful
        worth = self._most(left, starting, known)
        chosen: list[Meld] = []
        while left:
            _, count, number = known[left]
            if number >= 0:
                chosen.append(self.melds[number])
            left -= count
        return worth, self.told_apart(chosen, 0)

    def _most(
        self, left: int, starting: list[list[tuple[int, int, int]]], known: dict[int, tuple[int, int, int]]
    ) -> int:
        """The most points from the cards left; `known` keeps it with what to do first: cards to take, group or -1.

        The first card either stays in the hand or is in a group that starts with it: those with an earlier card are
        out of reach.
        """
        if left in known:
            return known[left][0]
        first = ((left & -left).bit_length() - 1) // self.width
        top, take, chosen = 0, 0, -2
        for count, worth, number in starting[first]:
            if ((left | self.guards) - count) & self.guards == self.guards:
                total = worth + self._most(left - count, starting, known)
                if chosen == -2 or total > top:
                    top, take, chosen = total, count, number
        without = self._most(left - self.unit[first], starting, known)
        if chosen == -2 or without > top:
            top, take, chosen = without, self.unit[first], -1
        known[left] = (top, take, chosen)
        return top

    def told_apart(self, melds: Sequence[Meld], must: int) -> tuple[Meld, ...]:
        """The groups with every twin dealt out once: those of `must` first, then by id, group by group."""
        stack = {}
        for number, twins in enumerate(self.held):
            stack[number] = sorted(twins.cards, key=lambda card: (not must >> card & 1, card))
        dealt = [0] * len(self.held)
        told: list[Meld] = []
        for meld in melds:
            cards: list[int] = []
            for card in meld.cards:
                number = self.of_card[card]
                cards.append(stack[number][dealt[number]])
                dealt[number] += 1
            told.append(self._with_cards(meld, cards))
        return tuple(told)

    def _with_cards(self, meld: Meld, cards: list[int]) -> Meld:
        if meld.start >= 0:
            return Meld(meld.kind, tuple(cards), meld.names, meld.start)
        kind = self.fitting.kinds[meld.kind]
        return self.fitting.meld(kind, tuple(zip(cards, meld.names, strict=True)))

    def _count(self, count: int, number: int) -> int:
        """How many cards of one kind of card are in a count."""
        return count >> number * self.width & self.field
