"""Rounds and games: order of events, endings, extra turns, scores, the end of the game (language reference, rounds)."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from interpreter.game import Game
from interpreter.state import RoundResult, shuffle
from tests.interpreter.small import game, make

ROUND = "  wins: everyone with least points of hand\n  scores:\n    everyone: points of hand\n  endings:\n"
PASS = "  wait:\n    does: pass"


def hands(table: Game, *texts: str) -> Game:
    """Put cards of the first pack in the hands; the position is for counting only."""
    pack = table.program.pack
    table.state.hands = [sum(1 << pack.parse_face(card) for card in text.split()) for text in texts]
    return table


def finished(players: int, texts: tuple[str, ...], **sections: str) -> tuple[Game, RoundResult]:
    """A round that ends after one `wait` of the first player, with these hands."""
    table = hands(game(players, turn="wait", moves=PASS, **sections), *texts)
    make(table, "wait")
    return table, table.rounds[0]


def test_the_seat_left_of_the_dealer_begins_and_the_deal_moves_on() -> None:
    table = game(
        3, turn="wait", moves=PASS, round=ROUND + "    over: turn is over", game="  ends: no\n  wins: everyone"
    )

    starters = []
    for _ in range(4):
        starters.append(table.to_act)
        make(table, "wait")

    assert starters == [0, 1, 2, 0]


def test_all_who_share_the_least_win_and_lines_of_scores_add_up() -> None:
    lines = (
        "  wins: everyone with least points of hand\n  scores:\n    losers: points of hand\n"
        "    everyone:\n      a: 1\n      b: 2\n"
    )
    _, result = finished(3, ("5S", "KS", "5H"), round=lines + "  endings:\n    over: turn is over")

    assert result.winners == (0, 2)
    assert result.scores == (3, 13, 3)


def test_ties_against_a_player_drop_him_when_he_shares() -> None:
    lines = "  wins: everyone with least points of hand, ties against ender\n  scores:\n    winners: 1\n"
    _, result = finished(2, ("5S", "5H"), round=lines + "  endings:\n    over: turn is over")

    assert result.winners == (1,)


def test_payments_go_from_each_giver_to_each_receiver_and_all_are_worked_out_first() -> None:
    lines = "  wins: ender\n  scores:\n    losers to winners: points of hand of giver - points of hand\n"
    _, result = finished(3, ("5S", "KS", "8H"), round=lines + "  endings:\n    over: turn is over")

    assert result.scores == (5 + 3, -5, -3)


def test_times_multiply_and_a_special_case_is_laid_over_its_general_one() -> None:
    lines = (
        "  endings:\n    over:\n      when: turn is over\n      wins: ender\n"
        "      scores:\n        losers: points of hand\n"
        "    single:\n      within: over\n      when: number of cards in hand = 1\n"
        "      times:\n        a: 2\n        b: 3"
    )
    _, one = finished(2, ("5S", "KS"), round=lines)
    _, two = finished(2, ("5S 6S", "KS"), round=lines)

    assert (one.ending, one.scores) == ("single", (0, 60))
    assert (two.ending, two.scores) == ("over", (0, 10))


def test_a_void_round_is_dealt_again_by_the_same_dealer_under_the_same_number() -> None:
    table, result = finished(2, ("5S", "KS"), round="  endings:\n    over:\n      when: turn is over\n      void: yes")

    assert result.void
    assert result.scores == (0, 0)
    assert (table.state.round, table.state.dealer, table.to_act) == (1, 1, 0)


def test_partners_score_as_one_side_with_both_hands() -> None:
    lines = "  wins: ender\n  scores:\n    losers: points of hand\n    winners: points of hand of left of you * 100\n"
    _, result = finished(
        4,
        ("2S", "3S", "4S", "5S"),
        sides="2",
        round=lines.replace(" of left of you * 100", "") + "  endings:\n    over: turn is over",
    )

    assert result.winners == (0, 2)
    assert result.scores == (2 + 4, 3 + 5)


def test_extra_turns_come_before_all_else_and_ordinary_turns_go_on_where_they_stopped() -> None:
    extra = (
        ROUND
        + "    over: turn-number = 9\n  extra-turns:\n    answers:\n      when: turn-number = 1 and turn is over\n"
        "      for: others\n      turn: shout"
    )
    table = game(3, turn="wait", moves=PASS + "\n  shout:\n    does: pass", round=extra)

    seen = []
    for _ in range(5):
        seen.append((table.to_act, table.offered()[0]))
        make(table, table.offered()[0])

    assert seen == [(0, "wait"), (1, "shout"), (2, "shout"), (1, "wait"), (2, "wait")]


def test_an_ending_can_wait_for_extra_turns_to_be_over() -> None:
    extra = (
        ROUND + "    over: answers are over\n  extra-turns:\n    answers:\n      when: turn is over\n"
        "      for: everyone\n      turn: wait"
    )
    table = game(2, turn="wait", moves=PASS, round=extra)

    make(table, "wait", "wait", "wait")

    assert [r.ending for r in table.rounds] == ["over"]
    assert table.rounds[0].turns == 3


def test_extra_turns_for_nobody_are_over_as_soon_as_they_are_due() -> None:
    extra = (
        ROUND
        + "    over: answers are over\n  extra-turns:\n    answers:\n      when: turn is over and turn-number = 2\n"
        "      for: nobody\n      turn: wait"
    )
    table = game(2, turn="wait", moves=PASS, round=extra)

    make(table, "wait", "wait")

    assert [r.ending for r in table.rounds] == ["over"]
    assert table.rounds[0].turns == 2


def test_idle_turns_count_turns_in_a_row_whose_last_move_moved_no_card() -> None:
    table = game(2, turn="may draw then wait", moves=PASS, round=ROUND + "    blocked: idle-turns = players-left")

    make(table, "wait", "draw", "wait")

    assert [r.ending for r in table.rounds] == ["blocked"]


def test_who_leaves_is_passed_over_and_the_last_one_left_wins() -> None:
    table = game(
        3, turn="wait", moves=PASS, round=ROUND + "    over: turn is over",
        game="  leaves: score >= 10\n  ends: players-left = 1\n  wins: everyone",
    )  # fmt: skip
    hands(table, "2S", "KS", "3S")
    make(table, "wait")

    assert table.state.left == 0b010
    assert table.state.hands[1] == 0
    assert table.to_act == 2

    hands(table, "KH", "", "3H")
    make(table, "wait")

    assert table.outcome is not None
    assert table.outcome.winners == (2,)


def test_a_game_that_goes_on_until_the_table_stops_it_is_stopped_after_ten_rounds() -> None:
    table = game(
        2, turn="wait", moves=PASS, round=ROUND + "    over: turn is over", game="  ends: stopped\n  wins: everyone"
    )

    make(table, *["wait"] * 10)

    assert table.outcome is not None
    assert len(table.rounds) == 10


def test_a_tie_can_mean_another_round_or_a_draw() -> None:
    sections = {"turn": "wait", "moves": PASS, "round": ROUND + "    over: turn is over"}
    again = hands(
        game(2, game="  ends: yes\n  wins: everyone with least score\n  tie: another round", **sections), "5S", "5H"
    )
    drawn = hands(game(2, game="  ends: yes\n  wins: everyone with least score\n  tie: draw", **sections), "5S", "5H")

    make(again, "wait")
    make(drawn, "wait")

    assert again.outcome is None
    assert again.state.round == 2
    assert drawn.outcome is not None
    assert (drawn.outcome.draw, drawn.outcome.winners) == (True, ())


def test_the_bonus_is_worked_out_from_the_scores_before_any_bonus() -> None:
    table, _ = finished(
        2, ("5S", "KS"), round=ROUND + "    over: turn is over",
        game="  ends: yes\n  bonus:\n    everyone whose score >= 10: 100\n    everyone whose score >= 100: 1000\n"
        "    winners: 25 * rounds-won\n  wins: everyone with most score",
    )  # fmt: skip

    assert table.outcome is not None
    assert table.outcome.scores == (5 + 25, 10 + 100)
    assert table.outcome.winners == (1,)


def test_the_dealer_can_choose_before_the_deal() -> None:
    table = game(
        2,
        turn="wait",
        moves=PASS + "\n  five:\n    does: set size to 5\n  six:\n    does: set size to 6",
        tallies="  size: {of: table, for: round}",
        deal="  hand: size",
        round=ROUND + "    over: turn is over\n  before-deal: five or six",
    )

    assert (table.to_act, table.offered()) == (1, ("five", "six"))

    make(table, "six")

    assert table.state.hands[0].bit_count() == 6
    assert table.to_act == 0


def test_cards_taken_before_the_deal_are_kept_when_the_others_are_dealt() -> None:
    table = game(
        2,
        turn="wait",
        moves=PASS + "\n  cut:\n    does: draw 1 then turn up 1 on spare",
        zones="  spare: {of: table, seen-by: everyone}",
        deal="  hand: 5\n  spare: 2",
        round=ROUND + "    over: turn is over\n  before-deal: cut",
    )

    make(table, "cut")

    assert [hand.bit_count() for hand in table.state.hands] == [5, 6]
    assert sorted(len(pile) for pile in table.state.piles) == [0, 3, 52 - 14]
    assert table.state.card_count() == table.program.pack.size


def test_no_ending_is_looked_at_before_the_deal_where_every_hand_is_empty() -> None:
    table = game(
        2,
        turn="draw then discard",
        moves="  five:\n    does: pass",
        round=ROUND + "    out: hand is empty\n    over: turn-number = 9\n  before-deal: five",
    )

    make(table, "five")

    assert table.rounds == ()
    assert [hand.bit_count() for hand in table.state.hands] == [3, 3]


def test_automatic_moves_are_made_as_long_as_their_condition_holds() -> None:
    table = game(
        2, turn="discard", automatic="  fill:\n    when: number of cards in hand < 5\n    does: draw 1 from stock",
        round=ROUND + "    over: turn-number = 5",
    )  # fmt: skip

    assert [h.bit_count() for h in table.state.hands] == [5, 5]

    make(table, "discard")

    assert table.state.hands[0].bit_count() == 5


def test_the_stock_is_renewed_as_often_as_the_sheet_says_and_then_it_is_dry() -> None:
    table = game(
        2, turn="draw then discard", deal="  hand: 24\n  discards: 1",
        stock="  empty: reshuffle discards except top, at most 1 times",
        round=ROUND + "    dry: turn is over and stock is dry",
    )  # fmt: skip
    assert len(table.state.piles[table.program.stock]) == 3

    turns = 0
    while not table.rounds:
        make(table, "draw", "discard")
        turns += 1

    assert turns == 3 + 3
    assert table.state.shuffles[1:2]


def test_no_seat_is_dealt_more_than_the_packets_say() -> None:
    table = game(
        3, turn="wait", moves=PASS, deal="  hand: 7\n  packets: 3, 3, 1", round=ROUND + "    over: turn is over"
    )
    first = table.state.shuffles[0][::-1]

    expected = [first[0:3] + first[9:12] + first[18:19], first[3:6] + first[12:15] + first[19:20]]

    assert [table.state.hands[seat] for seat in (0, 1)] == [sum(1 << c for c in cards) for cards in expected]


def test_folding_ends_the_turn_and_the_seat_is_passed_over() -> None:
    table = game(
        3, turn="wait or drop", moves=PASS + "\n  drop:\n    does: fold",
        round=ROUND + "    over: number of (everyone whose (not folded)) = 1",
    )  # fmt: skip

    make(table, "drop", "wait")
    assert table.to_act == 2
    make(table, "wait")
    assert table.to_act == 1
    make(table, "drop")

    assert table.rounds[0].ending == "over"


def test_moves_are_counted_for_the_turn_the_round_and_the_game() -> None:
    table = game(
        2, turn="wait then wait", moves=PASS,
        round=ROUND + "    twice: times wait this turn > 2\n    eighth: times wait by anyone this round = 8",
        game="  ends: some player has times wait this game >= 8\n  wins: everyone",
    )  # fmt: skip

    make(table, *["wait"] * 15)
    assert [done.ending for done in table.rounds] == ["eighth"]
    make(table, "wait")

    assert [done.ending for done in table.rounds] == ["eighth", "eighth"]
    assert table.outcome is not None


def test_an_ending_after_a_move_is_not_taken_after_another() -> None:
    table = game(
        2, turn="(wait or nap) then wait", moves=PASS + "\n  nap:\n    does: pass",
        round=ROUND + "    over: after nap and times wait by anyone this round >= 2",
    )  # fmt: skip

    make(table, "wait", "wait")
    assert not table.rounds
    make(table, "nap")

    assert table.rounds[0].ending == "over"


@given(st.integers(0, 120), st.integers())
def test_the_shuffle_gives_what_the_one_of_python_gives(cards: int, seed: int) -> None:
    ours, theirs = list(range(cards)), list(range(cards))

    shuffle(ours, Random(seed).getrandbits)
    Random(seed).shuffle(theirs)

    assert ours == theirs
