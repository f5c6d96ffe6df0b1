"""Which of several values brings a measure nearest to a target: all are played, the hopeless are dropped, the rest are
played again as often, until one is left or the games are used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from interpreter.comparison import ComparisonJob, Totals, deals_of
from interpreter.measures import Estimate, Sums

FIRST_GAMES = 20
"""Games of every value before any is dropped."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A value, what it gave, and after how many games it was dropped or the search ended."""

    label: str
    estimate: Estimate | None
    games: int
    open: bool
    """Whether it may still be the nearest: its interval reaches as near as that of the best."""


@dataclass(frozen=True, slots=True)
class TuningResult:
    """All values in their order; `best` is the label of the nearest mean, None if no value gave any."""

    measure: str
    target: float
    tried: tuple[Tried, ...]
    best: str | None
    seed: int
    bots: tuple[str, ...]
    broken: int


def tune(
    job: ComparisonJob,
    labels: tuple[str, ...],
    measure: str,
    target: float,
    *,
    games: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> TuningResult:
    """Search the value whose program brings a measure nearest to `target`, with at most `games` games of each.

    `job` has a program for each of `labels`. `progress` is told the games each value left has had. Raises whatever the
    job's `builds` raise.
    """
    sums = [Sums() for _ in labels]
    had = [0] * len(labels)
    left = list(range(len(labels)))
    broken = 0
    job.prepare()
    for start, stop in _stages(games):
        found = deals_of(job.only(left), range(start, stop), workers)
        broken += len(found.faults)
        _count(found, left, measure, sums, had)
        if stop >= FIRST_GAMES:  # fewer make nothing sure
            left = _nearest(left, [s.estimate for s in sums], target)
        progress(stop)
        if len(left) <= 1 or found.deals + len(found.faults) < stop - start:
            break
    tried = tuple(
        Tried(label, s.estimate, count, number in left)
        for number, (label, s, count) in enumerate(zip(labels, sums, had, strict=True))
    )
    known = [(abs(one.estimate.mean - target), one.label) for one in tried if one.estimate is not None and one.open]
    best = min(known)[1] if known else None
    return TuningResult(measure, target, tried, best, job.seed, job.bots, broken)


def _stages(games: int) -> Iterator[tuple[int, int]]:
    """The ranges of deals: each as long as all before it together."""
    start, stop = 0, min(FIRST_GAMES, games)
    while start < games:
        yield start, stop
        start, stop = stop, min(2 * stop, games)


def _count(found: Totals, left: list[int], measure: str, sums: list[Sums], had: list[int]) -> None:
    for number, alone in zip(left, found.alone, strict=True):
        sums[number].merge(alone.get(measure, Sums()))
        had[number] += found.deals


def _nearest(left: list[int], estimates: list[Estimate | None], target: float) -> list[int]:
    """Those that may be the nearest: no other is surely nearer."""
    reach = {number: _distance(estimate, target) for number in left if (estimate := estimates[number]) is not None}
    if not reach:
        return left
    sure = min(far for _, far in reach.values())
    return [number for number, (near, _) in reach.items() if near <= sure]


def _distance(estimate: Estimate, target: float) -> tuple[float, float]:
    """How near to the target the interval comes, and how far from it it reaches."""
    far = max(abs(estimate.low - target), abs(estimate.high - target))
    near = max(estimate.low - target, target - estimate.high, 0.0)
    return near, far
