"""Moves as text: what is written for a move is read as the same move."""

from __future__ import annotations

import pytest

from interpreter.errors import AmbiguousMove, IllegalMove, MoveSyntaxError
from interpreter.game import Game
from interpreter.moves import Group, LaidOff, Move
from interpreter.notation import move_text
from tests.interpreter.small import game
from tests.interpreter.test_legality import holding

TWELVE = "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD"


def laying_off(group: str, *hand: str, **sections: str) -> Game:
    """A game in which the first seat holds just these cards, and may lay off on a run."""
    runs = "  run:\n    cards: 3-13\n    same: suit\n    consecutive: rank"
    table = game(2, turn="any number of lay-off then discard", melds=runs, **sections)
    faces, names = zip(*((text.partition("=")[0], text.partition("=")[2]) for text in group.split()), strict=True)
    holding(table, *hand, *faces)
    state, pack = table.state, table.program.pack
    cards = [pack.cards_of_face[pack.parse_face(face)].bit_length() - 1 for face in faces]
    (meld,) = state.rules.melds.readings(cards, [pack.parse_face(name) if name else None for name in names])
    state.hands[0] &= ~meld.mask
    state.groups = (Group(meld, 1, (1,) * len(cards)),)
    state.offered = None
    return table


def lay_offs(table: Game) -> dict[str, Move]:
    """All of them, by their texts."""
    found = list(table.legal_moves.of(table.program.move_index("lay-off")))
    return {move_text(table.program, table.state, move): move for move in found}


def test_an_ace_that_fits_both_ends_was_laid_off_at_one_and_written_down_for_the_other() -> None:
    table = laying_off(TWELVE, "AD", "9C", deck="  order: A-K A")
    found = lay_offs(table)
    assert list(found) == [f"lay-off AD on {TWELVE} making AD {TWELVE}", f"lay-off AD on {TWELVE} making {TWELVE} AD"]
    for text, move in found.items():
        assert table.parse(text) == move
    with pytest.raises(AmbiguousMove):
        table.parse(f"lay-off AD on {TWELVE}")


def test_a_joker_that_may_be_moved_to_either_end_was_moved_to_the_first_without_a_word() -> None:
    wild = "  cards: joker\n  stands-for: any place of its group"
    table = laying_off("5H 6H JK=7H", "7H", "9C", deck="  jokers: 1", wild=wild)
    found = lay_offs(table)
    assert sorted(found) == [
        "lay-off 7H on 5H 6H JK=7H making 5H 6H 7H JK=8H",
        "lay-off 7H on 5H 6H JK=7H making JK=4H 5H 6H 7H",
    ]
    for text, move in found.items():
        assert table.parse(text) == move
    with pytest.raises(AmbiguousMove):
        table.parse("lay-off 7H on 5H 6H JK=7H")


def test_where_cards_fit_in_one_way_nothing_more_is_written() -> None:
    table = laying_off("5H 6H 7H", "8H", "9C")
    (text,) = lay_offs(table)
    assert text == "lay-off 8H on 5H 6H 7H"
    laid = table.parse(f"{text} making 5H 6H 7H 8H").choices[0]
    assert isinstance(laid, LaidOff)
    assert laid.meld.start == table.state.groups[0].meld.start


def test_a_card_put_away_was_read_as_the_twin_that_is_laid_with_it() -> None:
    closing = "  close:\n    does: put 1 on discards then lay any melds"
    table = game(2, deck="  packs: 2", turn="discard or close", moves=closing)
    holding(table, "6C", "7C", "8C")
    pack, text = table.program.pack, "close 8C / 6C 7C 8C"
    sixes, sevens, eights = (pack.cards_of_face[pack.parse_face(face)] for face in ("6C", "7C", "8C"))
    table.state.hands[0] = sixes & -sixes | sevens & -sevens | eights
    table.state.offered = None
    move = table.parse(text)
    assert move_text(table.program, table.state, move) == text
    assert {other for other in table.legal_moves if move_text(table.program, table.state, other) == text}


def test_groups_behind_the_card_put_away_without_a_slash_were_refused_as_too_many_cards_to_put() -> None:
    knock = "  knock:\n    does: put 1 on discards then lay any melds"
    sets = "  set:\n    cards: 3-4\n    same: rank"
    table = holding(game(2, turn="knock", moves=knock, melds=sets), "KD", "4S", "4H", "4D")
    with pytest.raises(MoveSyntaxError, match="stands behind a slash, as in 'knock KD / 4S 4H 4D'"):
        table.parse("knock KD 4S 4H 4D")
    assert table.parse("knock KD / 4S 4H 4D") in list(table.legal_moves)


def test_more_cards_than_can_be_put_are_counted() -> None:
    table = holding(game(2, turn="discard"), "KD", "4S", "4H")
    with pytest.raises(IllegalMove, match="1 card must be put, not 2"):
        table.parse("discard KD 4S")
