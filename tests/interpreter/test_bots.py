"""Computer players: what they are expected to see, and what once went wrong."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.bots import BOTS
from interpreter.game import Game
from tests.interpreter.table import play, program_of


@pytest.mark.parametrize(("seed", "index"), [(1, 19)])
def test_two_players_do_not_take_and_throw_back_the_same_card_for_ever(seed: int, index: int) -> None:
    game = play(Game(program_of("romme-austrian", 2), seed, index), "greedy", 2_000)

    assert game.outcome is not None
    assert not game.capped


def test_a_round_in_which_everybody_holds_one_joker_that_fits_nowhere_is_dealt_again() -> None:
    game = play(Game(program_of("romme-austrian", 2, (("limit", 50),)), 2026, 223), "greedy", 5_000)

    assert [r.ending for r in game.rounds if r.void] == ["stuck"]
    assert game.outcome is not None
    assert not game.capped


def test_who_may_end_a_round_in_which_nothing_fits_does_not_take_and_throw_back_for_ever() -> None:
    game = play(Game(program_of("romme-500", 2, (("target", 1000),)), 7408), "greedy", 5_000, 7408)

    assert game.outcome is not None
    assert max(r.turns for r in game.rounds) < 200


def test_eleven_cards_in_melds_are_laid_out_rather_than_knocked() -> None:
    program = program_of("gin", 2, (("big-gin", True),))
    game = play(Game(program, 1), "greedy", 2)
    while game.offered()[0] != "discard":
        play(game, "greedy", 1)
    cards = "3S 4S 5S 6S 9D 9H 9C KS KH KD KC"
    hand = sum(1 << program.pack.parse_face(text) for text in cards.split())
    game.state.hands[game.state.to_act] = hand

    move = BOTS["greedy"](Random(1)).choose(game.view(game.state.to_act))

    assert game.text(move).startswith("lay-out ")


@pytest.mark.parametrize("sheet", ["romme-playgridia", "romme-austrian", "romme-500"])
def test_most_rounds_of_greedy_players_end_by_going_out(sheet: str) -> None:
    rounds = [r for index in range(6) for r in play(Game(program_of(sheet, 2), 7, index), "greedy", 800).rounds]

    out = sum(r.ending not in ("blocked", "exhausted") for r in rounds)

    assert out / len(rounds) > 0.5
