"""Plays, best plays and hints in positions a player can work out by hand."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import rearranging, table_cover
from interpreter.bots import RandomBot
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.greedy import GreedyBot
from interpreter.legality import can_make
from interpreter.moves import Move
from interpreter.notation import find_move
from interpreter.plays import any_play, best_play, hint
from interpreter.program import Program
from interpreter.state import State
from rulespec.loader import load_text
from tests.interpreter.rebuilding import position, program


def _cards(program: Program, state: State, move: Move | None) -> set[str]:
    """The cards of the hand a play puts down."""
    assert move is not None
    table = 0
    for meld in move.choices[0]:  # type: ignore[union-attr]
        table |= meld.mask  # type: ignore[union-attr]
    hand = state.hands[state.to_act]
    return {program.pack.text(card) for card in range(program.pack.size) if (hand & table) >> card & 1}


def _play(program: Program) -> int:
    return program.move_index("play")


def test_a_card_laid_off_is_a_hint_that_rebuilds_nothing() -> None:
    rules = program("machiavelli")
    state = position(rules, "8H KS 2D", "5H 6H 7H", "9C 9D 9S")
    shown = hint(rules, state, _play(rules)).hint
    assert shown is not None
    assert (rules.pack.text(shown.card), shown.changed, shown.rebuilds) == ("8H", (0,), False)


def test_a_hint_says_that_the_table_must_be_rebuilt() -> None:
    rules = program("machiavelli")
    state = position(rules, "3S 3D KC", "3H 4H 5H 6H", "9C 9D 9S")
    shown = hint(rules, state, _play(rules)).hint
    assert shown is not None
    assert (shown.changed, shown.rebuilds) == ((0,), True)
    assert rules.pack.text(shown.card) in {"3S", "3D"}
    assert _cards(rules, state, shown.move) == {"3S", "3D"}


def test_no_play_is_certain_to_be_none() -> None:
    rules = program("machiavelli")
    state = position(rules, "2S 4D KC", "9H 9D 9S")
    assert any_play(rules, state, _play(rules)) == (None, True)
    assert best_play(rules, state, _play(rules)) == (None, True)
    assert hint(rules, state, _play(rules)) == (None, True)
    assert not can_make(rules, state, _play(rules))


def test_the_best_play_puts_down_the_most_cards_then_the_most_weight() -> None:
    rules = program("machiavelli")
    state = position(rules, "3S 3D 7H KC", "3H 4H 5H 6H")
    found = best_play(rules, state, _play(rules))
    assert (_cards(rules, state, found.move), found.exact) == ({"3S", "3D", "7H"}, True)


def test_equal_numbers_are_decided_by_weight() -> None:
    rules = program("machiavelli")
    state = position(rules, "3S 3D 2H AH", "3H 4H 5H 6H")
    for favoured in ({"3S", "3D"}, {"2H", "AH"}):
        heavy = [5 if rules.pack.text(card) in favoured else 1 for card in range(rules.pack.size)]
        assert _cards(rules, state, best_play(rules, state, _play(rules), heavy).move) == favoured


def test_a_joker_on_the_table_keeps_its_name_until_the_real_card_comes() -> None:
    rules = program("carousel")
    state = position(rules, "6H 2S 9D", "5H JK=6H 7H")
    found = any_play(rules, state, _play(rules))
    assert _cards(rules, state, found.move) == {"6H"}
    assert find_move(rules, state, "play 5H 6H 7H JK=8H")[1] is None
    state = position(rules, "8H 2S 9D", "5H JK=6H 7H")
    _, refused = find_move(rules, state, "play 7H 8H JK=9H / 5H")
    assert refused is not None
    _, refused = find_move(rules, state, "play 5H JK=6H 7H 8H")
    assert refused is None


def test_the_first_play_of_a_round_needs_a_run_of_three_naturals() -> None:
    rules = program("vatikan")
    state = position(rules, "9C KD 2S", "9D 9H 9S")
    state.opened = 0
    assert any_play(rules, state, _play(rules)) == (None, True)
    state = position(rules, "9C 3D 4D 5D", "9D 9H 9S")
    state.opened = 0
    found = best_play(rules, state, _play(rules))
    assert _cards(rules, state, found.move) == {"9C", "3D", "4D", "5D"}


def test_open_single_cards_help_but_do_not_count_as_played() -> None:
    rules = program("tahiti")
    state = position(rules, "5S 6S KD", "9C 9D 9S", singles="7S JD")
    found = best_play(rules, state, _play(rules))
    assert _cards(rules, state, found.move) == {"5S", "6S"}
    state = position(rules, "KD 2S", "9C 9D 9S", singles="9H JD")
    assert any_play(rules, state, _play(rules)) == (None, True)


def test_what_is_listed_is_legal_and_said_once() -> None:
    rules = program("machiavelli")
    state = position(rules, "3S 3D 7H 8H 9H", "3H 4H 5H 6H", "KC KD KS")
    game = Game(rules, state=state)
    listed = list(game.legal_moves.of(_play(rules)))
    assert len(listed) >= 3
    assert len(set(listed)) == len(listed)
    assert all(move in game.legal_moves for move in listed)


def test_computer_players_play_what_they_find() -> None:
    rules = program("machiavelli")
    state = position(rules, "3S 3D 7H KC", "3H 4H 5H 6H")
    view = Game(rules, state=state).view(state.to_act)
    assert _cards(rules, state, GreedyBot(Random(1)).choose(view)) == {"3S", "3D", "7H"}
    state = position(rules, "3S 3D", "3H 4H 5H 6H")
    state.piles[rules.stock] = ()
    view = Game(rules, state=state).view(state.to_act)
    chosen = {view.text(RandomBot(Random(seed)).choose(view)) for seed in range(12)}
    assert chosen == {"pass", "play 4H 5H 6H / 3S 3H 3D"}


def test_cards_of_a_locked_group_do_not_leave_it_for_twins() -> None:
    """Two pairs of twins could each stand in for one another; the text lets no card of a locked group move."""
    rules = program("tahiti")
    state = position(rules, "6S KD", "AS 2S JK=3S 4S 5S", "3S 4S 5S", "KS KH KC")
    assert find_move(rules, state, "play AS 2S JK=3S 4S 5S / 3S 4S 5S 6S / KS KH KC")[1] is None
    _, refused = find_move(rules, state, "play AS 2S JK=3S / 3S 4S 5S / 4S 5S 6S / KS KH KC")
    assert refused is not None
    assert refused.because == "play.only.joker-group"


SEVEN_GROUPS = """
rulespec: 1
id: seven-groups
extends: machiavelli
moves:
  play:
    only:
      seven: number of groups in played = 7
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that give up at once."""
    monkeypatch.setattr(table_cover, "MAX_STEPS", 1)


def _in_doubt() -> tuple[Program, State]:
    """A position in which no play is found before the search gives up."""
    rules = compile_sheet(load_text(SEVEN_GROUPS, "sheet.yaml"), 2)
    return rules, position(rules, "8H KS 2D", "5H 6H 7H", "9C 9D 9S")


@pytest.mark.usefixtures("short")
def test_an_answer_that_was_cut_short_says_so_everywhere() -> None:
    rules, state = _in_doubt()
    for ask in (any_play, best_play, hint):
        cut = state.bounds.cut
        assert ask(rules, state, _play(rules)) == (None, False)
        assert state.bounds.cut > cut
    game = Game(rules, state=state)
    view = game.view(state.to_act)
    cut = view.legal_moves.cut_short
    assert view.legal_moves.best_play(_play(rules), view.hand_points) is None
    assert view.legal_moves.cut_short > cut


@pytest.mark.usefixtures("short")
def test_decisions_that_were_cut_short_are_counted() -> None:
    rules, state = _in_doubt()
    game = Game(rules, state=state)
    assert game.bounded == 0
    GreedyBot(Random(1)).choose(game.view(state.to_act))
    game.play("draw")
    assert game.bounded == 1


def test_nothing_is_counted_where_all_answers_are_exact() -> None:
    rules = program("machiavelli")
    game = Game(rules, state=position(rules, "2S 4D KC", "9H 9D 9S"))
    game.play(GreedyBot(Random(1)).choose(game.view(game.state.to_act)))
    assert game.bounded == 0


def test_a_play_refused_before_all_twins_were_told_apart_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = program("tahiti")
    state = position(rules, "8H KC", "5H JK=6H 7H", "8H 8S 8D", "9H 9S 9D 9C")
    assert "not every way" not in _refusal(rules, state)
    monkeypatch.setattr(rearranging, "MAX_VARIANTS", 0)
    assert "not every way to tell twins apart was tried" in _refusal(rules, state)
    assert state.bounds.cut


def _refusal(rules: Program, state: State) -> str:
    """Why a card of the table cannot be added to the locked group."""
    _, refused = find_move(rules, state, "play 5H JK=6H 7H 8H 9H / 8H 8S 8D / 9S 9D 9C")
    assert refused is not None
    return refused.detail


AND_PUT = """
rulespec: 1
id: and-put
extends: machiavelli
zones:
  discards: {of: table, seen-by: everyone}
moves:
  play:
    does: rearrange then put 1 on discards
"""


def test_a_rearrangement_that_stands_with_another_action_is_listed() -> None:
    rules = compile_sheet(load_text(AND_PUT, "sheet.yaml"), 2)
    state = position(rules, "3S 3D KC 2D", "3H 4H 5H 6H")
    game = Game(rules, state=state)
    listed = {game.text(move) for move in game.legal_moves.of(_play(rules))}
    assert "play 4H 5H 6H / 3S 3H 3D / KC" in listed
    assert len(listed) == 2
    assert any_play(rules, state, _play(rules)).exact
    assert best_play(rules, state, _play(rules)).move is not None
    state = position(rules, "3S 3D", "3H 4H 5H 6H")
    assert any_play(rules, state, _play(rules)) == (None, True)
    assert not can_make(rules, state, _play(rules))
