"""A guard against games that cost more: calls counted in plain Python, the same on every machine."""

from __future__ import annotations

import json

import pytest

from benchmarks.cost import RECORDED, VARIED, counts, drawing, varied
from interpreter import flow

MORE = 1.1
"""So many times the calls that were recorded are let pass."""


@pytest.mark.skipif(not str(flow.__file__).endswith(".py"), reason="calls inside the compiled core are not seen")
def test_no_counted_game_takes_many_more_calls_than_were_recorded() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    found = counts()

    dearer = [
        f"{name}: {calls} calls, and {recorded.get(name, 0)} are written down"
        for name, calls in found.items()
        if calls > MORE * recorded.get(name, 0)
    ]

    assert dearer == [], "if it is worth it, say why in the commit and run: python -m benchmarks.cost --record"
    assert recorded.keys() == found.keys()


def test_the_game_that_is_made_for_measuring_was_refused_by_later_checks() -> None:
    costs = list(varied(0.001))

    assert [(cost.what, cost.value) for cost in costs] == [(what, v) for what, values in VARIED.items() for v in values]
    assert all(cost.move > 0 for cost in costs)
    assert drawing(costs).count("<rect") == len(costs)
