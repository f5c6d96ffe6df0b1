"""The open runs of one suit while a table is gone through rank by rank.

A run is open while its last card lies at the rank before. Of each is kept how many cards it has (as many as it needs
count alike), and only where the rules ask for it how many natural and wild ones.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class OpenRun(NamedTuple):
    """An open run: its cards, natural and wild ones, each counted no further than it matters."""

    cards: int
    natural: int
    wild: int


Open = tuple[OpenRun, ...]
"""Open runs of one suit, sorted."""

NATURAL: Final = 0
WILD: Final = 1
CLOSED: Final = 2
"""What a rank does to an open run: a card is put to it, or it is closed."""


class Step:
    """How the open runs of one suit go on at a rank: what happens to each, which new ones begin, what is open then (the
    runs, and their number in a `Book`), and which of those that went on or began each of these is."""

    __slots__ = ("after", "begun", "each", "number", "order")

    def __init__(self, each: list[int], begun: list[int], going: list[OpenRun]) -> None:
        self.each = each
        self.begun = begun
        self.order = sorted(range(len(going)), key=lambda at: going[at])
        self.after: Open = tuple([going[at] for at in self.order])
        self.number = 0


class RunRules(NamedTuple):
    """What a run needs. `natural` is 0 where every run of enough cards has enough natural ones; `wild` is None where
    no run can have too many."""

    least: int
    natural: int
    wild: int | None

    def finished(self, run: OpenRun) -> bool:
        """Whether a run may end here."""
        return run.cards >= self.least and run.natural >= self.natural

    def grown(self, run: OpenRun, what: int) -> OpenRun | None:
        """A run with one card more, None if it may not have it."""
        natural = min(run.natural + (what == NATURAL), self.natural)
        wild = run.wild
        if self.wild is not None and what == WILD:
            wild += 1
            if wild > self.wild:
                return None
        return OpenRun(min(run.cards + 1, self.least), natural, wild)

    @property
    def counts_cards_only(self) -> bool:
        """Whether natural and wild cards need not be told apart."""
        return self.natural == 0 and self.wild is None

    def steps(self, runs: Open, natural: int, wild: int) -> list[Step]:
        """Every way to put so many cards to these runs, or to new ones; ways that can never be better are left out."""
        if self.counts_cards_only:
            return self._plain(runs, natural, wild)
        found: dict[Open, Step] = {}
        self._each(runs, 0, natural, wild, [], [], found)
        return list(found.values())

    def _plain(self, runs: Open, natural: int, wild: int) -> list[Step]:
        """Unfinished runs must grow; what is left goes to finished ones first, since longer runs lose nothing."""
        left = natural + wild - sum(run.cards < self.least for run in runs)
        if left < 0:
            return []
        supply = [NATURAL] * natural + [WILD] * wild
        each: list[int] = []
        after: list[OpenRun] = []
        for run in runs:
            if run.cards == self.least and left == 0:
                each.append(CLOSED)
                continue
            left -= run.cards == self.least
            each.append(supply.pop())
            after.append(run._replace(cards=min(run.cards + 1, self.least)))
        after += [OpenRun(min(1, self.least), 0, 0)] * len(supply)
        return [Step(each, supply, after)]

    def _each(
        self,
        runs: Open,
        at: int,
        natural: int,
        wild: int,
        each: list[int],
        after: list[OpenRun],
        found: dict[Open, Step],
    ) -> None:
        """Try everything for the run number `at` and those behind it."""
        if at == len(runs):
            nothing = OpenRun(0, 0, 0)
            new = [self.grown(nothing, what) for what in (NATURAL,) * natural + (WILD,) * wild]
            begun = [run for run in new if run is not None]
            if len(begun) == natural + wild:
                step = Step(each, [NATURAL] * natural + [WILD] * wild, after + begun)
                found.setdefault(step.after, step)
            return
        run = runs[at]
        for what, there in ((NATURAL, natural), (WILD, wild)):
            grown = self.grown(run, what) if there else None
            if grown is not None:
                left = (natural - 1, wild) if what == NATURAL else (natural, wild - 1)
                self._each(runs, at + 1, *left, [*each, what], [*after, grown], found)
        if self.finished(run):
            self._each(runs, at + 1, natural, wild, [*each, CLOSED], after, found)
