"""Thinking ahead: positions that may be the real one are made from the view alone, and judged by the sheet's scores."""

from __future__ import annotations

import time
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.bots import BOTS, LEVELS
from interpreter.game import Game
from interpreter.imagining import Draws, imagined, lead, many_are_good
from interpreter.moves import Move
from interpreter.pack import bits
from interpreter.program import Program
from interpreter.search import SearchBot, better_half, clear
from interpreter.state import State
from interpreter.view import SeatView, view_of
from tests.interpreter import small
from tests.interpreter.table import play, program_of

SHEETS = ("gin", "romme-500", "liverpool-rummy", "hand-and-foot", "tahiti", "indian-21")


def begun(sheet: str, seed: int, moves: int) -> Game:
    """A game of a bundled sheet after some moves."""
    program = program_of(sheet, {"liverpool-rummy": 3, "hand-and-foot": 4}.get(sheet, 2))
    return play(Game(program, seed), "greedy", moves, seed)


def swapped(game: Game, view: SeatView, random: Random) -> State:
    """The position with some cards in each other's place that the seat does not see."""
    hidden = list(bits(view.unseen))
    order = hidden[:]
    random.shuffle(order)
    turn = dict(zip(hidden, order, strict=True))

    def moved(mask: int) -> int:
        return sum(1 << turn.get(c, c) for c in bits(mask))

    other = game.state.copy()
    other.piles = [tuple(turn.get(c, c) for c in pile) for pile in other.piles]
    other.hands = [moved(hand) for hand in other.hands]
    other.face_down = moved(other.face_down)
    other.named = tuple(moved(mask) for mask in other.named)
    other.duties = tuple(duty._replace(named=tuple(moved(mask) for mask in duty.named)) for duty in other.duties)
    return other


@given(st.sampled_from(SHEETS), st.integers(0, 1_000), st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_a_world_follows_from_what_the_seat_sees(sheet: str, seed: int, moves: int) -> None:
    game = begun(sheet, seed, moves)
    if game.to_act is None:
        return
    view = game.view(game.to_act)
    other = view_of(game.program, swapped(game, view, Random(seed)), view.seat)

    for make in (SeatView.possible, imagined):
        assert make(view, Random(3)).key() == make(other, Random(3)).key()


@given(st.sampled_from(SHEETS), st.integers(0, 1_000), st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_a_world_looks_to_the_seat_as_the_real_one_does(sheet: str, seed: int, moves: int) -> None:
    game = begun(sheet, seed, moves)
    if game.to_act is None:
        return
    view = game.view(game.to_act)
    for world in (view.possible(Random(seed)), imagined(view, Random(seed))):
        assert world.card_count() == game.program.pack.size
        assert view_of(game.program, world, view.seat).key() == view.key()
        assert list(islice(view_of(game.program, world, view.seat).legal_moves, 10)) == list(
            islice(view.legal_moves, 10)
        )


def test_worlds_differ_and_nothing_of_the_real_shuffle_is_left() -> None:
    view = begun("gin", 4, 6).view(0)
    view = view if view.to_act == 0 else begun("gin", 4, 6).view(1)
    worlds = [view.possible(Random(number)) for number in range(5)]

    assert len({tuple(world.hands) for world in worlds}) == 5
    assert {world.shuffles for world in worlds} == {()}


@pytest.mark.parametrize("bot", sorted(BOTS))
@pytest.mark.parametrize("sheet", ["gin", "romme-austrian"])
def test_no_player_is_moved_by_cards_it_does_not_see(bot: str, sheet: str) -> None:
    game = begun(sheet, 11, 9)
    assert game.to_act is not None
    view = game.view(game.to_act)
    other = view_of(game.program, swapped(game, view, Random(2)), view.seat)

    assert BOTS[bot](Random(5)).choose(view) == BOTS[bot](Random(5)).choose(other)


def test_a_search_of_so_many_samples_is_the_same_each_time() -> None:
    game = begun("gin", 8, 5)
    assert game.to_act is not None
    view = game.view(game.to_act)

    moves = {SearchBot(Random(5), samples=16).choose(view) for _ in range(2)}

    assert len(moves) == 1
    assert moves.pop() in view.legal_moves


@pytest.mark.parametrize("sheet", ["gin", "tonk", "romme-500", "tahiti"])
def test_all_moves_a_search_weighs_are_legal_and_other_than_the_usual_one(sheet: str) -> None:
    game = begun(sheet, 8, 5)
    assert game.to_act is not None
    view = game.view(game.to_act)
    bot = SearchBot(Random(5))
    usual = next(iter(view.legal_moves))

    rivals = bot.rivals(view, usual)

    assert usual not in rivals
    assert len(set(rivals)) == len(rivals)
    assert all(move in view.legal_moves for move in rivals)


def test_a_turn_that_draws_nothing_leaves_the_later_draws_as_they_are() -> None:
    game = begun("gin", 8, 5)
    assert game.to_act is not None
    view = game.view(game.to_act)
    world = imagined(view, Random(3))
    slot = game.program.stock
    stock = world.piles[slot]
    drawn, left = world.copy(), world.copy()  # each turn draws in the first of them, none in the other
    order = Draws(view, world), Draws(view, world)

    for turn in range(1, 4):
        drawn.piles[slot] = drawn.piles[slot][:-1]
        for state, draws in zip((drawn, left), order, strict=True):
            state.turn_number = world.turn_number + turn
            draws.keep_order(state)
        assert drawn.piles[slot] == stock[:-turn]
        assert left.piles[slot] == (*stock[-turn:], *stock[:-turn])


def test_a_search_with_seconds_takes_no_longer() -> None:
    game = begun("gin", 8, 5)
    assert game.to_act is not None
    view = game.view(game.to_act)
    started = time.monotonic()

    assert SearchBot(Random(5), seconds=0.0).choose(view) in view.legal_moves
    assert time.monotonic() - started < 5


def test_another_move_must_be_clearly_ahead_of_the_usual_one() -> None:
    assert clear([1.0] * 8)
    assert clear([3.0, 1.0] * 8)
    assert not clear([1.0] * 7)  # too few positions
    assert not clear([9.0, -8.0] * 8)
    assert not clear([-1.0] * 8)


def test_of_many_positions_little_ahead_is_not_enough_to_go_on() -> None:
    one, two = (Move(0, ((card,),)) for card in range(2))

    assert better_half([one, two], {one: [3.0, -2.9] * 16, two: [3.0, 1.0] * 16}) == [two]


def test_rivals_that_are_not_ahead_are_given_up_and_the_worse_half_of_the_others() -> None:
    one, two, three, four = (Move(0, ((card,),)) for card in range(4))
    gaps = {one: [1.0, 2.0], two: [-1.0, 0.5], three: [4.0, 4.0], four: [0.5, 0.0]}

    assert better_half([one, two, three, four], gaps) == [three, one]
    assert better_half([two], gaps) == []
    assert better_half([three], gaps) == [three]
    assert better_half([one], {one: []}) == []


def test_every_level_is_a_player() -> None:
    assert list(LEVELS) == [1, 2, 3, 4]
    assert set(LEVELS.values()) <= set(BOTS)


# ------------------------------------------------------------ what is good


def won_by(wins: str) -> Program:
    return small.program(2, game=f"  ends: round = 1\n  wins: {wins}")


@pytest.mark.parametrize(
    ("wins", "sign"), [("everyone with most score", 1), ("everyone with least score", -1), ("winners", 0)]
)
def test_what_points_are_good_for_is_read_from_who_wins(wins: str, sign: int) -> None:
    program = won_by(wins)

    assert many_are_good(program, Game(program).state) == sign


def test_a_lead_is_over_the_average_of_the_others() -> None:
    program = small.program(3)

    assert lead(program, [12, 3, 6], 0) == 7.5
    assert lead(program, [12, 3, 6], 1) == -6
