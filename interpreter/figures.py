"""The few figures a report needs: shares with their uncertainty, and how a count is spread."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

Z95 = 1.959963984540054
"""The standard normal's two-sided 95% point."""


def wilson(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share, within 0 and 1. No trials: the whole range.

    `successes` may be a broken number: a win shared by two seats counts half for each.
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle = share + z * z / (2 * trials)
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def counted(number: int, word: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


@dataclass(frozen=True, slots=True)
class Spread:
    """How a whole number is spread over many cases. The percentiles are values that occurred (nearest rank)."""

    mean: float
    p5: int
    p50: int
    p95: int


def spread(histogram: Mapping[int, int]) -> Spread | None:
    """The spread of a histogram (value to cases); None without cases."""
    cases = sum(histogram.values())
    if not cases:
        return None
    total = sum(value * count for value, count in histogram.items())
    return Spread(total / cases, *(percentile(histogram, percent) for percent in (5, 50, 95)))


def percentile(histogram: Mapping[int, int], percent: int) -> int:
    """The least value that `percent` of all cases do not exceed. Raises ValueError without cases."""
    cases = sum(histogram.values())
    seen = 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen * 100 >= percent * cases:
            return value
    raise ValueError("a percentile of no cases")
