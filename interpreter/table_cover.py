"""The best table for any kinds of groups: every old card is covered by one group or another, with what is known kept.

Slower than going rank by rank, and bounded: beyond `MAX_STEPS` the answer says that it is not exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.pack import bits
from interpreter.table_question import Answer, Question, Table

MAX_STEPS = 8_000
"""Groups that are tried for one question; a table that is judged counts as `JUDGING` of them."""
JUDGING = 400


def cover(question: Question, most: int | None = None) -> Answer:
    """The legal table worth most; with `most` one worth as much as that is as good as any."""
    return _Cover(question, most).answer()


class _Cover:
    """Twins are counted, not told apart, as in `meld_layouts`; the judge is asked for one way of telling them apart."""

    def __init__(self, question: Question, most: int | None) -> None:
        self.question = question
        self.most = most
        self.old = question.must
        for meld in question.table:
            self.old |= meld.mask
        self.book = question.rules.layouts(self.old | question.hand | question.pile, self.old)
        worth = [0] * len(self.book.held)
        for card in bits(question.hand):
            worth[self.book.twins_of[card]] = question.worth[card]
        self.worth_of = worth
        self.owed = [self.book.owed.get(number, 0) for number in range(len(worth))]
        self.in_hand = [sum(question.hand >> c & 1 for c in twins.cards) for twins in self.book.held]
        self.fitting: list[list[int]] = [[] for _ in worth]
        self.twins_in = [frozenset(self.book.twins_of[card] for card in meld.cards) for meld in self.book.melds]
        for number, together in enumerate(self.twins_in):
            for twins in together:
                self.fitting[twins].append(number)
        self.steps = 0
        self.best: Table | None = None
        self.worth = 0
        self.dead: set[int] = set()
        """Cards left (counted) of which the rest of the old ones cannot be covered."""

    def answer(self) -> Answer:
        self._cover_old(self.book.hand, [])
        return Answer(self.best, self.worth, self.steps <= MAX_STEPS or self._satisfied())

    def _satisfied(self) -> bool:
        return self.most is not None and self.worth >= self.most

    def _stop(self) -> bool:
        return self.steps > MAX_STEPS or self._satisfied()

    def _used(self, left: int, twins: int) -> int:
        return len(self.book.held[twins].cards) - self.book._of(left, twins)

    def _fits(self, left: int, number: int) -> bool:
        guards = self.book.guards
        return ((left | guards) - self.book.counts[number]) & guards == guards

    def _cover_old(self, left: int, chosen: list[int]) -> bool:
        """Put a card that is owed, one with the fewest groups, into each of them; whether all can be covered."""
        if left in self.dead:
            return False
        fewest: list[int] | None = None
        for twins, owed in enumerate(self.owed):
            if self._used(left, twins) < owed:
                fitting = [number for number in self.fitting[twins] if self._fits(left, number)]
                if fewest is None or len(fitting) < len(fewest):
                    fewest = fitting
        if fewest is None:
            self._add_more(left, chosen, range(len(self.book.melds)))
            return True
        possible = False
        for number in fewest:
            self.steps += 1
            if self._stop():
                return True
            if self._cover_old(left - self.book.counts[number], [*chosen, number]):
                possible = True
        if not possible:
            self.dead.add(left)
        return possible

    def _add_more(self, left: int, chosen: list[int], candidates: Sequence[int]) -> None:
        """All that is owed lies: the table as it is, and with more groups of cards that are left."""
        worth = sum(self.question.worth[card] for card in bits(self.question.must))
        spare = []
        for twins, each in enumerate(self.worth_of):
            laid = min(max(0, self._used(left, twins) - self.owed[twins]), self.in_hand[twins])
            worth += each * laid
            spare.append(each * (self.in_hand[twins] - laid))
        if worth > self.worth:
            self.steps += JUDGING
            table = self.book.told_apart([self.book.melds[number] for number in chosen])
            if self.question.judge.accepts_twins(table):
                self.best, self.worth = table, worth
        fitting = [number for number in candidates if self._fits(left, number)]
        reachable = {twins for number in fitting for twins in self.twins_in[number]}
        if worth + sum(spare[twins] for twins in reachable) <= self.worth:
            return
        for at, number in enumerate(fitting):
            if self._stop():
                return
            self.steps += 1
            self._add_more(left - self.book.counts[number], [*chosen, number], fitting[at:])
