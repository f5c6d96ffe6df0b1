"""Whether the turn can be finished: what the search for a way remembers, and what it says when it gives up."""

from __future__ import annotations

import pytest

from interpreter.errors import IllegalMove
from interpreter.finishing import SEARCH_LIMIT
from interpreter.game import Game
from interpreter.moves import Move
from interpreter.pack import bits, mask_of
from tests.interpreter.small import BASE, game, make

READY = "  leave:\n    does: pass\n  ready:\n    does: pass\n  discard:\n    only: {}"
"""A move that changes nothing and may be made any number of times, before a discard under a condition."""
TURN = "leave or (any number of ready then discard)"


def holding(table: Game, *faces: str) -> Game:
    """The game, the first seat holding just these cards; the stock holds all others but the discards."""
    pack, state = table.program.pack, table.state
    hand = sum(pack.cards_of_face[pack.parse_face(face)] for face in faces)
    rest = pack.all_cards & ~hand & ~mask_of(state.piles[1 - table.program.stock])
    state.hands = [hand, *(0 for _ in state.hands[1:])]
    state.piles[table.program.stock] = tuple(bits(rest))
    state.lookahead = state.offered = None
    return table


def test_a_move_was_refused_because_how_often_moves_were_made_was_forgotten() -> None:
    table = game(turn=TURN, moves=READY.format("times ready this turn >= 3"))
    assert table.offered() == ("leave", "ready")
    make(table, "ready", "ready")
    assert table.offered() == ("ready",)
    assert make(table, "ready").offered() == ("ready", "discard")
    assert make(table, "ready").offered() == ("ready", "discard")
    assert table.defects == ()


def test_counts_that_matter_no_more_do_not_keep_the_search_going() -> None:
    table = game(turn=TURN, moves=READY.format("times ready this turn >= 2 and number of cards in hand > 3"))
    assert table.offered() == ("leave",)
    assert table.defects == ()
    assert table.state.lookahead is not None
    assert table.state.lookahead.tried < 50


def test_a_search_that_gave_up_refused_moves_and_did_not_say_so() -> None:
    table = game(turn=TURN, moves=READY.format("2 * times ready this turn >= 2000"))
    assert table.offered() == ("leave",)
    assert table.state.bounds.cut > 0
    with pytest.raises(IllegalMove, match="among 20000 moves, 150 in a row; there may be one"):
        table.play(Move(table.program.move_index("ready"), (None,)))
    assert make(table, "leave").bounded == 1


def test_a_dead_end_was_claimed_where_the_search_gave_up() -> None:
    table = game(
        turn="any number of ready then discard",
        moves="  ready:\n    does: pass\n  discard:\n    only: 2 * times ready this turn >= 2000",
        round=BASE["round"] + "\n    long: turn is over and turn-number > 2",
    )
    assert "small: dead end: ready or discard is offered and none is legal, as far as could be looked" in table.defects


def test_groups_laid_in_another_order_were_another_position() -> None:
    table = game(
        deal="  hand: 19\n  discards: 0",
        turn="leave or (any number of meld then discard)",
        moves="  leave:\n    does: pass\n  discard:\n    only: number of groups on the table > 20",
    )
    holding(table, *(rank + suit for rank in ("2", "4", "6", "8", "10", "Q") for suit in "SHD"), "KC")
    assert table.offered() == ("leave",)
    assert table.state.lookahead is not None
    assert table.state.lookahead.tried <= 2**6 * (6 + 19)


def test_the_end_of_a_turn_was_looked_for_anew_for_each_of_many_moves() -> None:
    table = game(
        deck="  packs: 3\n  jokers: 6",
        wild="  cards: joker\n  stands-for: its place",
        deal="  hand: 25\n  discards: 1",
        turn="leave or (any number of (meld or lay-off) then discard)",
        moves="  leave:\n    does: pass\n  discard:\n    only: number of groups on the table > 20",
    )
    assert table.offered() == ("leave",)
    assert list(table.legal_moves.of(table.program.move_index("meld"))) == []
    assert table.state.lookahead is not None
    assert table.state.lookahead.tried <= SEARCH_LIMIT
    assert table.state.bounds.cut > 0


@pytest.mark.parametrize(("cards", "offered"), [(0, ()), (1, ("take",)), (2, ("take",))])
def test_what_is_taken_can_be_followed_by_what_the_hand_has_cards_for(cards: int, offered: tuple[str, ...]) -> None:
    """With two cards it is read off the phrase, with fewer it is tried."""
    table = holding(game(turn="take then shed", moves="  shed:\n    does: put 2 on discards"), *("2S", "3S")[:cards])
    assert table.offered() == offered


def test_what_is_taken_is_tried_where_what_ends_the_turn_has_a_condition() -> None:
    """The one card that may be put away is the one that was taken, unless the hand has another."""
    moves = "  take:\n    does: take top of discards as taken\n"
    moves += "  drop:\n    does: put 1 on discards\n    only: it is not taken"
    table = game(turn="take then drop", moves=moves)
    assert holding(table, "2S").offered() == ("take",)
    assert holding(table).offered() == ()


def test_a_pile_without_cards_is_not_taken_from() -> None:
    moves = "  nod:\n    does: pass\n  grab:\n    does: take top of discards"
    table = holding(game(turn="(grab or nod) then discard", moves=moves), "2S")
    discards = 1 - table.program.stock
    table.state.piles[table.program.stock] += table.state.piles[discards]
    table.state.piles[discards] = ()
    table.state.offered = None
    assert table.offered() == ("nod",)
    with pytest.raises(IllegalMove, match="the pile is empty"):
        table.play(Move(table.program.move_index("grab"), (None,)))


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ("points of hand <= 10", False),
        ("points of hand <= 10 and times knock this turn = 1", True),
        ("points of hand <= 10 and after knock", True),
        ("late", True),
    ],
)
def test_positions_in_which_a_move_counts_are_made_where_counts_are_asked_for(asked: str, counts: bool) -> None:
    sections = {"moves": f"  knock:\n    does: put 1 on discards then lay any melds\n    only: {asked}"}
    if asked == "late":
        sections["define"] = "  players:\n    late: times draw this turn >= 1"
    table = game(2, turn="draw then (knock or discard)", **sections)
    assert table.program.moves[table.program.move_index("knock")].asks_for_counts is counts


def test_a_card_of_nobodys_pile_was_no_choice_but_a_traceback() -> None:
    """The two piles of others are somebody's at a table of four in partnerships, nobody's at one of three."""
    moves = (
        "  rob:\n    does: take any of store of partner\n  dig:\n    does: take any with all above of store of partner"
    )
    zones = "  store: {of: player, seen-by: everyone}"
    table = game(3, zones=zones, moves=moves, turn="(rob or dig or draw) then discard", deal="  hand: 3\n  store: 2")
    assert table.offered() == ("draw",)
    for text in ("rob 2S", "dig 2S"):
        with pytest.raises(IllegalMove):
            table.play(text)


@pytest.mark.parametrize(("card", "offered"), [("2S", ("take",)), ("2H", ())])
def test_what_is_taken_is_tried_where_cards_go_by_themselves(card: str, offered: tuple[str, ...]) -> None:
    """Every red card leaves the hand at once, so that none may be left for the discard; a red one is taken."""
    automatic = "  reds:\n    when: some card in hand is red\n    does: put every red card on spare"
    sections = {"zones": "  spare: {of: table, seen-by: everyone}", "automatic": automatic}
    sections["round"] = BASE["round"].replace("hand is empty", "turn is over and hand is empty")
    table = holding(game(2, turn="take then discard", **sections), card, "3D")
    state, pack = table.state, table.program.pack
    red = pack.cards_of_face[pack.parse_face("3D")]
    state.hands[0] ^= red
    state.piles[1 - table.program.stock] += tuple(bits(red))
    assert table.offered() == offered
