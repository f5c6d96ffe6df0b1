"""Computer players: what they are expected to see, and what once went wrong."""

from __future__ import annotations

import pytest

from interpreter.game import Game
from tests.interpreter.table import play, program_of


@pytest.mark.parametrize(("seed", "index"), [(1, 19)])
def test_two_players_do_not_take_and_throw_back_the_same_card_for_ever(seed, index):
    game = play(Game(program_of("romme-austrian", 2), seed, index), "greedy", 2_000)

    assert game.outcome is not None
    assert not game.capped


@pytest.mark.parametrize("sheet", ["romme-playgridia", "romme-austrian", "romme-500"])
def test_most_rounds_of_greedy_players_end_by_going_out(sheet):
    rounds = [r for index in range(12) for r in play(Game(program_of(sheet, 2), 7, index), "greedy", 5_000).rounds]

    out = sum(r.ending not in ("blocked", "exhausted") for r in rounds)

    assert out / len(rounds) > 0.5
