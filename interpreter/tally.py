"""Counts over many games that add up in any order, and their plain values for a journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from interpreter.errors import MachineFault
from interpreter.measures import Sums, measured
from interpreter.watch import Facts, Uses

MOST_FAULTS = 20
"""Faults of which the texts are kept; the others are only counted."""


class Defect(NamedTuple):
    """How many games showed a defect of the sheet, and the number of the first."""

    games: int
    first: int


class Fault(NamedTuple):
    """A game in which something of ours broke: its number, and what broke."""

    game: int
    text: str


@dataclass(slots=True)
class Tally:
    """Counts over some games; tallies of different games add up, in any order."""

    games: int = 0
    draws: int = 0
    capped: int = 0
    wins: dict[int, Fraction] = field(default_factory=dict)
    """Seat to its wins; a win shared by n sides counts 1/n."""
    scores: Counter[int] = field(default_factory=Counter)
    """Seat to the sum of its final scores."""
    ends: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    """Turns in a round to rounds; `rounds` likewise rounds in a game to games."""
    rounds: Counter[int] = field(default_factory=Counter)
    defects: dict[str, Defect] = field(default_factory=dict)
    uses: Uses = field(default_factory=Uses)
    measures: dict[str, Sums] = field(default_factory=dict)
    broken: int = 0
    """Games in which something of ours broke; they are counted nowhere else."""
    bounded: int = 0
    """Decisions for which an answer was cut short by a bound of the engine."""
    faults: list[Fault] = field(default_factory=list)

    def add(self, facts: Facts) -> None:
        """Count one finished game."""
        game, program = facts.game, facts.game.program
        outcome = game.outcome
        if outcome is None:
            raise MachineFault("a game was counted that is not over")
        self.games += 1
        self.capped += game.capped
        self.draws += outcome.draw
        self.bounded += game.bounded
        sides = sorted({program.side_of(seat) for seat in outcome.winners})
        for side in sides:
            for seat in program.members[side]:
                self._win(seat, Fraction(1, len(sides)))
        for seat in range(program.players):
            self.scores[seat] += outcome.scores[program.side_of(seat)]
        for result in game.rounds:
            self.ends[result.ending] += 1
            self.turns[result.turns] += 1
        self.rounds[len(game.rounds)] += 1
        for text in set(game.defects):
            self._defect(text, Defect(1, game.index))
        self.uses.update(facts.uses)
        for name, part in measured(facts).items():
            self.measures.setdefault(name, Sums()).add(part)

    def add_fault(self, fault: Fault) -> None:
        """Count a game that broke."""
        self.broken += 1
        self._keep([fault])

    def merge(self, other: Tally) -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.draws += other.draws
        self.capped += other.capped
        self.broken += other.broken
        self.bounded += other.bounded
        for seat, share in other.wins.items():
            self._win(seat, share)
        for mine, more in zip(self._counters(), other._counters(), strict=True):
            mine.update(more)
        self.ends.update(other.ends)
        for text, defect in other.defects.items():
            self._defect(text, defect)
        for name, sums in other.measures.items():
            self.measures.setdefault(name, Sums()).merge(sums)
        self._keep(other.faults)

    def _counters(self) -> tuple[Counter[int], ...]:
        return (self.scores, self.turns, self.rounds, *self.uses.counters())

    def _keep(self, faults: Iterable[Fault]) -> None:
        """Keep the faults of the first games; which those are does not depend on who found them first."""
        self.faults = sorted([*self.faults, *faults])[:MOST_FAULTS]

    def _defect(self, text: str, more: Defect) -> None:
        known = self.defects.get(text, Defect(0, more.first))
        self.defects[text] = Defect(known.games + more.games, min(known.first, more.first))

    def _win(self, seat: int, share: Fraction) -> None:
        self.wins[seat] = self.wins.get(seat, Fraction(0)) + share

    # -------------------------------------------------------- for a journal

    def to_json(self) -> dict[str, Any]:
        """Everything counted, as plain values."""
        return {
            "games": [self.games, self.draws, self.capped, self.broken, self.bounded],
            "wins": {seat: str(share) for seat, share in self.wins.items()},
            "ends": dict(self.ends),
            "counters": [dict(counter) for counter in self._counters()],
            "defects": self.defects,
            "measures": {name: [s.games, s.y, s.x, s.yy, s.yx, s.xx, s.counted] for name, s in self.measures.items()},
            "faults": self.faults,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        """What `to_json` gave, having gone through JSON. Raises KeyError, TypeError or ValueError for anything else."""
        tally = cls()
        games, draws, capped, broken, bounded = (int(number) for number in data["games"])
        tally.games, tally.draws, tally.capped, tally.broken, tally.bounded = games, draws, capped, broken, bounded
        tally.wins = {int(seat): Fraction(share) for seat, share in data["wins"].items()}
        tally.ends.update({str(name): int(count) for name, count in data["ends"].items()})
        for counter, stored in zip(tally._counters(), data["counters"], strict=True):
            counter.update({int(key): int(count) for key, count in stored.items()})
        tally.defects = {text: Defect(*map(int, defect)) for text, defect in data["defects"].items()}
        tally.measures = {name: Sums(*map(int, sums)) for name, sums in data["measures"].items()}
        tally.faults = [Fault(int(game), str(text)) for game, text in data["faults"]]
        return tally
