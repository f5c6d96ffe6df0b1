"""Intervals against published values, percentiles against their definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.figures import Spread, percentile, spread, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_as_published(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilson_without_trials_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_the_share_and_mirrors(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    other_low, other_high = wilson(trials - successes, trials)

    assert 0 <= low <= successes / trials + 1e-12
    assert successes / trials - 1e-12 <= high <= 1
    assert (other_low, other_high) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_spread_of_the_numbers_to_a_hundred() -> None:
    assert spread(dict.fromkeys(range(1, 101), 1)) == Spread(mean=50.5, p5=5, p50=50, p95=95)


def test_spread_counts_every_case_of_a_value() -> None:
    assert spread({3: 1, 10: 9}) == Spread(mean=9.3, p5=3, p50=10, p95=10)


def test_no_cases_have_no_spread() -> None:
    assert spread({}) is None


@given(st.dictionaries(st.integers(-50, 50), st.integers(1, 5), min_size=1), st.integers(1, 100))
def test_percentile_is_the_nearest_rank_of_the_sorted_cases(histogram: dict[int, int], percent: int) -> None:
    cases = sorted(value for value, count in histogram.items() for _ in range(count))
    rank = -(-percent * len(cases) // 100)

    assert percentile(histogram, percent) == cases[rank - 1]
