"""What must hold in every game of every bundled sheet, whatever is played."""

from __future__ import annotations

from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.endurance import hidden_from, swapped
from interpreter.bots import BOTS
from interpreter.errors import AmbiguousMove
from interpreter.flow import apply
from interpreter.game import Game
from interpreter.moves import DONE, Move
from interpreter.notation import move_text
from interpreter.state import OVER
from interpreter.view import view_of
from tests.interpreter.table import Table, play, program_of, tables

DONE_MOVE = Move(DONE)
TABLES = st.sampled_from(tables())
SEEDS = st.integers(0, 10_000)
BOT_NAMES = st.sampled_from(["greedy", "random"])  # the others think longer and come to no other positions
FEW = settings(max_examples=25, deadline=None)


@given(TABLES, SEEDS, BOT_NAMES)
@FEW
def test_cards_are_conserved_and_every_group_stays_valid(table: Table, seed: int, bot: str) -> None:
    game = Game(program_of(*table), seed)
    for _ in range(60):
        if game.to_act is None:
            break
        play(game, bot, 1, seed)

        assert game.state.card_count() == game.program.pack.size
        assert all(game.state.rules.melds.fits(group.meld) for group in game.state.groups)
        assert game.defects == ()


@given(TABLES, SEEDS, st.integers(0, 60), BOT_NAMES)
@FEW
def test_who_is_to_act_has_a_legal_move_and_every_one_applies(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return

    legal = list(islice(game.legal_moves, 40))

    assert legal
    assert len(set(legal)) == len(legal)
    for move in legal:
        assert move in game.legal_moves
        after = apply(game.program, game.state, move)
        assert after.card_count() == game.program.pack.size
        assert after.frames or after.stage == OVER


@given(TABLES, SEEDS, st.integers(0, 60), BOT_NAMES)
@FEW
def test_a_move_is_read_back_from_its_text(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)

    for move in islice(game.legal_moves, 30):
        text = game.text(move)
        try:
            read = game.parse(text)
        except AmbiguousMove as several:
            raise AssertionError(f"{text}: {several}") from several
        assert game.text(read) == text
        assert game.parse(move_text(game.program, game.state, move, exact=True)) == move
        if move == DONE_MOVE or not game.program.moves[move.move].rearranges:  # of a table, twins may lie the other way
            assert apply(game.program, game.state, read).key() == apply(game.program, game.state, move).key()


@given(TABLES, SEEDS, st.integers(1, 80), BOT_NAMES)
@FEW
def test_a_game_played_again_from_its_texts_is_the_same(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)

    again = Game(program_of(*table), "another seed", shuffles=game.shuffles)
    for text in game.move_texts(exact=True):
        again.play(text)

    assert again.state.key() == game.state.key()


@given(TABLES, SEEDS, st.integers(1, 80), BOT_NAMES)
@FEW
def test_taking_back_restores_the_position(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    before = game.state.key()
    play(game, bot, 1, seed)
    if not game.can_undo():
        return

    game.undo()

    assert game.state.key() == before


@given(TABLES, SEEDS, st.integers(0, 80), BOT_NAMES, st.data())
@FEW
def test_a_seat_learns_nothing_of_cards_it_cannot_see(
    table: Table, seed: int, moves: int, bot: str, data: st.DataObject
) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    seat = game.to_act
    view = game.view(seat)
    hidden = hidden_from(view)
    one, two = data.draw(st.sampled_from(hidden)), data.draw(st.sampled_from(hidden))

    other = view_of(game.program, swapped(game.state, one, two), seat)

    assert other.key() == view.key()
    assert BOTS["greedy"](Random(1)).choose(other) == BOTS["greedy"](Random(1)).choose(view)
    assert list(islice(other.legal_moves, 20)) == list(islice(view.legal_moves, 20))


@given(TABLES, SEEDS)
@settings(max_examples=12, deadline=None)
def test_every_game_ends_without_a_defect(table: Table, seed: int) -> None:
    game = play(Game(program_of(*table), seed), "greedy", 20_000, seed)

    assert game.outcome is not None
    assert not game.capped
    assert game.defects == ()
    assert any(r.turns > 0 for r in game.rounds)  # not all: a hand may win as it is dealt
