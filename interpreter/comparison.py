"""The same deals played under several programs: how far apart their measures are, and which differences are clear.

Game i of every program begins with the same shuffle, as far as the decks agree, and each bot has the same random
stream. So what two games have in common falls out of their difference, and fewer games show it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace

from interpreter.measures import Estimate, PairedSums, Part, Sums, measured
from interpreter.processes import done, ranges
from interpreter.program import Program
from interpreter.tally import Fault
from interpreter.watch import begun, play_on

SURE = 0.05
"""How likely it may be that a comparison of two programs that play alike calls any difference clear."""
FEWEST_GAMES = 30
"""With fewer games the intervals are too rough to call anything clear."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a measure of a program differs from the first program's. `clear` takes into account how many measures were
    compared: among programs that play alike, all are unclear in 95 of 100 comparisons (S. Holm, A Simple Sequentially
    Rejective Multiple Test Procedure, 1979)."""

    estimate: Estimate
    clear: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the programs: its measures, and how they differ from those of the first, by name."""

    label: str
    program: Program
    measures: dict[str, Estimate | None]
    differences: dict[str, Difference]
    capped: int


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """What came of a comparison. `deals` were played under every program."""

    programs: tuple[Compared, ...]
    bots: tuple[str, ...]
    seed: int
    deals: int
    wanted: int
    broken: int
    """Deals left out because a game broke by a mistake of ours; `faults` are some of them."""
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class Totals:
    """Sums over some deals: of each program, and of each but the first paired with the first."""

    deals: int
    alone: list[dict[str, Sums]]
    paired: list[dict[str, PairedSums]]
    capped: list[int]
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def none(cls, programs: int) -> Totals:
        """Nothing counted yet."""
        return cls(0, [{} for _ in range(programs)], [{} for _ in range(programs - 1)], [0] * programs)

    def add(self, parts: list[dict[str, Part]], capped: list[bool]) -> None:
        """Count a deal that was played under every program."""
        self.deals += 1
        self.capped = [sum(pair) for pair in zip(self.capped, capped, strict=True)]
        for sums, found in zip(self.alone, parts, strict=True):
            for name, part in found.items():
                sums.setdefault(name, Sums()).add(part)
        for pairs, found in zip(self.paired, parts[1:], strict=True):
            for name, part in found.items():
                if name in parts[0]:
                    pairs.setdefault(name, PairedSums(Sums(), Sums())).add(parts[0][name], part)

    def merge(self, other: Totals) -> None:
        """Count other deals too."""
        self.deals += other.deals
        self.capped = [sum(pair) for pair in zip(self.capped, other.capped, strict=True)]
        self.faults = sorted([*self.faults, *other.faults])
        for mine, more in zip(self.alone, other.alone, strict=True):
            for name, sums in more.items():
                mine.setdefault(name, Sums()).merge(sums)
        for mine_paired, more_paired in zip(self.paired, other.paired, strict=True):
            for name, pairs in more_paired.items():
                mine_paired.setdefault(name, PairedSums(Sums(), Sums())).merge(pairs)


@dataclass(slots=True)
class ComparisonJob:
    """The same deals under several programs, for any process. `builds` make the programs and must be picklable.

    Where the bots differ, they move on by one seat from deal to deal, so that each sits everywhere equally often.
    """

    builds: tuple[Callable[[], Program], ...]
    bots: tuple[str, ...]
    seed: int
    programs: tuple[Program, ...] = ()

    def prepare(self) -> tuple[Program, ...]:
        """Make the programs, unless they are there."""
        if not self.programs:
            self.programs = tuple(build() for build in self.builds)
        return self.programs

    def only(self, numbers: list[int]) -> ComparisonJob:
        """The same deals under some of the programs, those made already kept."""
        return replace(
            self,
            builds=tuple(self.builds[number] for number in numbers),
            programs=tuple(self.programs[number] for number in numbers if self.programs),
        )

    def work(self, indices: range, stopped: Callable[[], bool]) -> Totals:
        """Play the deals of a range."""
        programs = self.prepare()
        counted = Totals.none(len(programs))
        for index in indices:
            if stopped():
                break
            by = index % len(self.bots)
            bots = self.bots[by:] + self.bots[:by]
            parts = []
            capped = []
            for program in programs:
                facts = begun(program, self.seed, index)
                try:
                    play_on(facts, bots)
                except Exception as error:
                    counted.faults.append(Fault(index, f"{program.sheet_id}: {type(error).__name__}: {error}"))
                    break
                parts.append(measured(facts))
                capped.append(facts.game.capped)
            else:
                counted.add(parts, capped)
        return counted


def compare(
    job: ComparisonJob,
    labels: tuple[str, ...],
    *,
    games: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> ComparisonResult:
    """Play `games` deals under each program and say how the measures differ. `labels` name the programs for people.

    All programs must have the same number of players. Ctrl-C ends the run, and the result is that of the deals finished
    by then. Raises whatever `builds` raise.
    """
    programs = job.prepare()
    total = deals_of(job, range(games), workers, progress)
    compared = []
    for number, program in enumerate(programs):
        measures = {name: sums.estimate for name, sums in total.alone[number].items()}
        apart = differences(total.paired[number - 1]) if number else {}
        compared.append(Compared(labels[number], program, measures, apart, total.capped[number]))
    return ComparisonResult(
        tuple(compared), job.bots, job.seed, total.deals, games, len(total.faults), tuple(total.faults[:20])
    )


def deals_of(
    job: ComparisonJob, indices: range, workers: int, progress: Callable[[int], None] = lambda _: None
) -> Totals:
    """Play deals under each program of a job; Ctrl-C ends it with what is finished."""
    total = Totals.none(len(job.builds))
    unprepared = replace(job, programs=())  # what a program holds cannot go to another process
    running = done(unprepared if workers > 1 else job, ranges(indices.start, len(indices)), workers)
    with contextlib.suppress(KeyboardInterrupt), closing(running) as parts:
        for _, counted in parts:
            total.merge(counted)
            progress(total.deals)
    return total


def differences(pairs: dict[str, PairedSums]) -> dict[str, Difference]:
    """The difference of each measure that both programs have, in the order of the measures. What was counted in fewer
    than `FEWEST_GAMES` games, as legal moves are in one game of twenty, is never clear."""
    found = {name: estimate for name, sums in pairs.items() if (estimate := sums.difference) is not None}
    sound = {name: estimate for name, estimate in found.items() if estimate.counted >= FEWEST_GAMES}
    asked = sorted((estimate.chance, name) for name, estimate in sound.items() if estimate.high != estimate.low)
    clear = {name for name, estimate in sound.items() if estimate.high == estimate.low and estimate.mean}
    for step, (chance, name) in enumerate(asked):
        if chance > SURE / (len(asked) - step):
            break
        clear.add(name)
    return {name: Difference(estimate, name in clear) for name, estimate in found.items()}
