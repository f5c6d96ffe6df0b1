"""The engine and the slow interpreter allow the same sequences of moves, sheet by sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreter.table import playable
from tests.slow.cases import CASES, Case, both
from tests.slow.census import at_deal, difference, engine_split, slow_split
from tests.slow.flow import start

GOLDEN = [line.split() for line in (Path(__file__).parents[1] / "golden" / "census.txt").read_text().splitlines()]
"""Sheet, players, how many moves, and how many sequences of them there are."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_engine_allows_what_the_sheet_says_and_nothing_else(case: Case) -> None:
    program, engine, slow = both(case)
    first = start(slow)
    allowed, said = engine_split(program, engine.state, case.depth), slow_split(slow, first, case.depth)

    if allowed != said:
        pytest.fail("\n".join(difference(program, engine.state, slow, first, case.depth)))
    assert engine.state.bounds.cut == 0


@pytest.mark.parametrize(("sheet", "players", "depth", "count"), GOLDEN, ids=[line[0] for line in GOLDEN])
def test_a_deal_has_as_many_sequences_of_moves_as_ever(sheet: str, players: str, depth: str, count: str) -> None:
    program, state = at_deal(sheet, int(players))
    split = engine_split(program, state, int(depth))

    assert state.bounds.cut == 0
    if split.total() != int(count):
        found = "\n".join(f"{number:8} {text}" for text, number in sorted(split.items()))
        pytest.fail(f"{split.total()} sequences of {depth} moves, not {count}; by the first move:\n{found}")


def test_the_census_has_every_sheet() -> None:
    assert [line[0] for line in GOLDEN] == list(playable())
