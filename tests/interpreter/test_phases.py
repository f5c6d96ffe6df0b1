"""Turn phrases: what is offered when (docs/language.md, "Turns and phases")."""

from __future__ import annotations

import pytest

from interpreter.errors import IllegalMove
from interpreter.game import Game
from tests.interpreter.small import BASE, first, game, make


def idle(turn: str, players: int = 2, **sections: str) -> Game:
    """A game whose moves `one`, `two`, `three` do nothing, to look at phrases alone."""
    used = [
        name for name in ("one", "two", "three") if name in turn.split() or f"({name}" in turn or f"{name})" in turn
    ]
    moves = "\n".join(f"  {name}:\n    does: pass" for name in used)
    return game(players, turn=turn, **({"moves": moves} if used else {}), **sections)


def offered_after(turn: str, *moves: str) -> tuple[str, ...]:
    return make(idle(turn), *moves).offered()


@pytest.mark.parametrize(
    ("turn", "made", "offered"),
    [
        ("draw then one then discard", (), ("draw",)),
        ("draw then one then discard", ("draw",), ("one",)),
        ("(one or two) then discard", (), ("one", "two")),
        ("may one then discard", (), ("one", "discard")),
        ("may one then discard", ("one",), ("discard",)),
        ("any number of one then discard", ("one", "one", "one"), ("one", "discard")),
        ("up to 2 one then discard", ("one",), ("one", "discard")),
        ("up to 2 one then discard", ("one", "one"), ("discard",)),
        ("2 times one then discard", ("one",), ("one",)),
        ("2 times one then discard", ("one", "one"), ("discard",)),
        ("discard then may one", ("discard",), ("one", "done")),
        ("((one then two) or (one then three)) then discard", ("one",), ("two", "three")),
        ("one if no then discard", (), ("discard",)),
        ("one if turn-number = 1 then discard", (), ("one",)),
        ("one if turn-number > 1 then discard", (), ("discard",)),
        ("(any number of one) if turn-number = 1 then discard", ("one",), ("one", "discard")),
    ],
)
def test_what_a_phrase_offers(turn: str, made: tuple[str, ...], offered: tuple[str, ...]) -> None:
    assert offered_after(turn, *made) == offered


def test_a_phase_stands_for_its_phrase() -> None:
    moves = "  one:\n    does: pass\n  two:\n    does: pass"
    table = game(turn="begin then discard", phases="  begin: one then two", moves=moves)

    assert make(table, "one").offered() == ("two",)


def test_a_guard_is_asked_where_the_step_begins_and_not_inside_it() -> None:
    turn = "(any number of one) if times one this turn = 0 then discard"

    assert offered_after(turn, "one", "one") == ("one", "discard")


def test_done_ends_a_turn_that_may_stop() -> None:
    table = idle("discard then any number of one")

    make(table, "discard", "done")

    assert table.to_act == 1


def test_done_is_not_legal_where_something_must_still_be_done() -> None:
    table = idle("may one then discard")

    with pytest.raises(IllegalMove, match="phase"):
        table.play("done")


def test_the_others_are_asked_in_turn_and_the_mover_goes_on() -> None:
    table = idle("draw then each other player (one or two) then discard", 3)

    asked = []
    make(table, "draw")
    for name in ("one", "two"):
        asked.append(table.to_act)
        make(table, name)

    assert asked == [1, 2]
    assert (table.to_act, table.offered()) == (0, ("discard",))


def test_who_may_decline_says_done_and_first_other_stops_at_the_first_who_moves() -> None:
    table = idle("discard then first other player may one", 4)

    make(table, "discard", "done", "one")

    assert table.to_act == 1
    assert table.state.turn_number == 2


def test_a_seat_that_could_only_say_done_is_passed_over() -> None:
    moves = "  claim:\n    does: take top of discards\n    if: top of discards is joker"
    table = game(3, turn="draw then discard then each other player may claim", moves=moves)

    make(table, "draw", "discard")

    assert (table.to_act, table.offered()) == (1, ("draw",))


def test_the_next_player_and_those_for_whom_a_condition_holds_are_asked() -> None:
    nearest = make(idle("draw then next player one then discard", 3), "draw")
    whose = make(idle("draw then each player whose (you is dealer) one then discard", 3), "draw")

    assert nearest.to_act == 1
    assert whose.to_act == 2


def test_partners_are_asked_across_the_table() -> None:
    table = idle("draw then partner one then discard", 4, sides="2")

    make(table, "draw")

    assert table.to_act == 2


def test_a_card_that_must_be_put_away_cannot_be_laid() -> None:
    last_is_put_away = BASE["round"].replace("hand is empty", "hand is empty and turn is over")
    table = make(game(turn="draw then any number of (meld or lay-off) then discard", round=last_is_put_away), "draw")
    table.state = table.state.copy()
    table.state.hands[0] = sum(1 << table.program.pack.parse_face(c) for c in ("7S", "7H", "7D"))

    assert "meld" not in table.offered()
    with pytest.raises(IllegalMove, match="unfinished"):
        table.play("meld 7S 7H 7D")
    assert first(table, "discard") in table.legal_moves
