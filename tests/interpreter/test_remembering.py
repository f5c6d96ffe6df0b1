"""What is remembered of a position's moves, or told of them without trying, is what is found by trying each anew."""

from __future__ import annotations

import gc
from dataclasses import replace
from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.attempting import attempt, own_duties, refuse_by_conditions
from interpreter.bots import BOTS
from interpreter.errors import IllegalMove
from interpreter.finishing import candidates, check_finish, is_sure, sure_moves
from interpreter.flow import apply
from interpreter.game import Game
from interpreter.legality import legal_moves, offered_names, open_kinds
from interpreter.meld_kinds import Fitting
from interpreter.meld_search import find
from interpreter.moves import DONE, Choice, Meld, Move, melds_of
from interpreter.pack import mask_of
from interpreter.program import LAY_MELDS, PUT, Env, Program
from interpreter.rules import Rules
from interpreter.state import State
from interpreter.view import view_of
from interpreter.walking import ways
from tests.interpreter.small import game, make
from tests.interpreter.table import Table, play, program_of, tables

TABLES = st.sampled_from(tables())
SEEDS = st.integers(0, 10_000)
MOVES = st.integers(0, 60)
BOT_NAMES = st.sampled_from(["greedy", "random"])
FEW = settings(max_examples=40, deadline=None)
MANY = 25
"""Moves of a position that are compared."""


@given(TABLES, SEEDS, MOVES, BOT_NAMES, st.integers(0, 5))
@FEW
def test_moves_that_are_remembered_are_those_found_anew(
    table: Table, seed: int, moves: int, bot: str, first: int
) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    program, state = game.program, game.state
    legal = game.view(game.to_act).legal_moves
    for kind in legal.kinds()[first:]:  # asked in another order than that of the phrase
        list(islice(legal.of(kind), 2))

    assert list(islice(legal, MANY)) == list(islice(legal_moves(program, state.copy()), MANY))
    assert list(islice(legal, MANY)) == list(islice(legal, MANY))
    assert legal.kinds() == open_kinds(program, state.copy())
    assert game.offered() == offered_names(program, state.copy())


@given(TABLES, SEEDS, MOVES, BOT_NAMES)
@FEW
def test_a_move_comes_to_the_same_after_others_were_asked_about(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    program, state = game.program, game.state
    before = state.key()
    legal = list(islice(game.legal_moves, 10))
    for move in legal:
        fresh = apply(program, state.copy(), move)
        assert all(other in game.legal_moves for other in (*legal, move))

        after = apply(program, state, move)

        assert after.key() == fresh.key()
        assert state.key() == before


@given(TABLES, SEEDS, st.integers(1, 60), BOT_NAMES)
@FEW
def test_a_choice_made_by_what_is_remembered_is_that_made_anew(table: Table, seed: int, moves: int, bot: str) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    list(islice(game.legal_moves, MANY))

    chosen = BOTS[bot](Random(seed)).choose(game.view(game.to_act))

    assert chosen == BOTS[bot](Random(seed)).choose(view_of(game.program, game.state.copy(), game.to_act))


@given(TABLES, SEEDS, MOVES, BOT_NAMES)
@FEW
def test_moves_that_are_surely_legal_are_those_that_are_legal_when_tried(
    table: Table, seed: int, moves: int, bot: str
) -> None:
    game = play(Game(program_of(*table), seed), bot, moves, seed)
    if game.to_act is None:
        return
    program, state = game.program, game.state
    env = Env(program, state, state.frame.seat)
    for index, targets in ways(program, state, state.frame).moves:
        rule = program.moves[index]
        if refuse_by_conditions(env, rule):
            continue
        if is_sure(program, state, rule, targets, own_duties(state)):
            tried = [move for move in candidates(program, state, rule) if _is_legal(program, state, move, targets)]
            assert sure_moves(env, rule) == tried


def _is_legal(program: Program, state: State, move: Move, targets: int) -> bool:
    try:
        check_finish(program, state, attempt(program, state, move, targets), program.moves[move.move])
    except IllegalMove:
        return False
    return True


@given(TABLES, SEEDS, st.integers(3, 16), st.booleans())
@FEW
def test_groups_found_part_by_part_are_those_found_at_once(table: Table, seed: int, size: int, marks: bool) -> None:
    rules = Game(program_of(*table), seed).state.rules.melds
    random = Random(seed)
    hand = mask_of(random.sample(range(rules.pack.size), min(size, rules.pack.size)))
    marked = hand & -hand if marks else 0
    fitting = Fitting(rules.pack, rules.kinds, rules.wild, rules.stands_for)
    for kind in rules.kinds:
        at_once = [meld for meld in find(fitting, kind, fitting.twins(hand, marked)) if fitting.proper(meld)]

        assert list(rules.groups(hand, kind.index, marked=marked)) == at_once


@given(
    st.sampled_from([table for table in tables() if table[0] in ("gin", "gin-one-deal", "chinchon", "viennese-rummy")]),
    SEEDS,
    st.integers(0, 40),
)
@FEW
def test_no_card_is_given_up_that_may_be_put_away_before_groups_are_laid(table: Table, seed: int, moves: int) -> None:
    """A move without a demand is tried with every card; the order in which it lays groups makes no difference."""
    game = play(Game(program_of(*table), seed), "random", moves, seed)
    if game.to_act is None:
        return
    program, state = game.program, game.state
    env = Env(program, state, state.frame.seat)
    for index, targets in ways(program, state, state.frame).moves:
        rule = program.moves[index]
        if [action.kind for action in rule.actions] != [PUT, LAY_MELDS] or refuse_by_conditions(env, rule):
            continue
        every = candidates(program, state, replace(rule, demand=None))
        tried = {_chosen(move) for move in every if _is_legal(program, state, move, targets)}
        assert {_chosen(move) for move in legal_moves(program, state, index) if move.move != DONE} == tried


def _chosen(move: Move) -> tuple[Choice, frozenset[Meld]]:
    """The card that is put away, and the groups."""
    return move.choices[0], frozenset(melds_of(move))


def test_positions_that_were_left_stayed_until_the_collector_came() -> None:
    program = program_of("gin-one-deal", 2)
    game = play(Game(program, 1), "greedy", 40, 1)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        play(game, "greedy", 40, 2)
        gc.collect()
        left = [thing for thing in gc.garbage if isinstance(thing, State)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert len(left) <= 1


def rules_of_two_rounds(need: str) -> tuple[Rules, Rules]:
    """Those of the first and the second round of a game whose runs must meet a condition."""
    table = game(
        melds=f"  run:\n    cards: 3-13\n    same: suit\n    consecutive: rank\n    needs: {need}",
        round="  wins: everyone with least points of hand\n  scores:\n    everyone: points of hand\n  endings:\n"
        "    early: turn is over",
        game="  ends: round = 3\n  wins: everyone with least score",
    )
    before = table.state.rules
    make(table, "draw", "discard")
    assert table.state.round == 2
    return before, table.state.rules


def test_rules_were_made_anew_each_round_where_a_kind_asks_for_something_of_its_groups() -> None:
    one, two = rules_of_two_rounds("number of wild cards in it < number of natural cards in it")
    assert one is two
    one, two = rules_of_two_rounds("number of cards in it > round")
    assert one is not two
