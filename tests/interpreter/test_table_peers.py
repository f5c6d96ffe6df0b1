"""The table solver against other solvers, on positions made anew; `benchmarks/table_differences.py` asks many more."""

from __future__ import annotations

import pytest

from benchmarks.rearrangement import question_of
from interpreter.table_solver import best, some
from tests.interpreter.table_peers import jokers_in, peers, random_position

PEERS = {peer.name: peer for peer in peers()}


@pytest.mark.skipif(not PEERS, reason="the extra peers is not installed")
@pytest.mark.parametrize("name", PEERS)
def test_other_solvers_put_down_as_many_cards(name: str) -> None:
    peer = PEERS[name]
    asked = 0
    for seed in range(40):
        position = random_position(seed)
        if jokers_in(position) and not name.startswith("HiGHS"):
            continue  # others leave out groups with a joker that could be spared
        if peer.expresses(position):
            asked += 1
            question = question_of(position)
            found = best(question)
            assert found.exact, seed
            assert found.worth == max(0, peer.best(position)()), seed
            assert (some(question).table is not None) == (found.worth > 0), seed
            if peer.any is not None:
                assert (peer.any(position)() == 1) == (found.worth > 0), seed
    assert asked > 5


def test_positions_that_are_made_anew_can_be_played_on() -> None:
    found = [best(question_of(random_position(seed))) for seed in range(30)]
    assert all(answer.exact for answer in found)
    assert sum(answer.worth > 0 for answer in found) > 15
