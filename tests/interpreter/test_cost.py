"""A guard against games that cost more: calls counted in plain Python, the same on every machine."""

from __future__ import annotations

import json

import pytest

from benchmarks.cost import RECORDED, counts
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
