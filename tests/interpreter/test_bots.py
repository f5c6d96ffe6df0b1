"""Computer players: what they are expected to see, and what once went wrong."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.bots import BOTS
from interpreter.game import Game
from interpreter.holding import barred
from interpreter.pack import mask_of
from interpreter.program import Program
from interpreter.prospects import prospects
from tests.interpreter import small
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


def holding(game: Game, hands: dict[int, str]) -> Game:
    """The game with other cards in some hands; those they held go back into the stock."""
    pack, state = game.program.pack, game.state
    free = sum(1 << card for card in state.piles[game.program.stock]) | sum(state.hands)
    for seat, text in hands.items():
        mask = 0
        for word in text.split():
            left = pack.cards_of_face[pack.parse_face(word)] & free & ~mask
            mask |= left & -left
        state.hands[seat] = mask
        free &= ~mask
    for seat in set(range(game.program.players)) - set(hands):
        count = state.hands[seat].bit_count()
        state.hands[seat] = 0
        for _ in range(count):
            state.hands[seat] |= free & -free
            free &= free - 1
    state.piles[game.program.stock] = tuple(card for card in range(pack.size) if free >> card & 1)
    return game


def chosen(game: Game, bot: str = "greedy") -> str:
    """What a computer player does now, as it is written."""
    assert game.to_act is not None
    return game.text(BOTS[bot](Random(1)).choose(game.view(game.to_act)))


# ------------------------------------------------------------ manners


def test_a_random_player_never_makes_the_move_that_stands_for_undo() -> None:
    program = program_of("machiavelli", 2, (("unfinished", "draw-3"),))
    games = [play(Game(program, 5, index), "random", 60) for index in range(3)]
    names = {text.split()[0] for game in games for text in game.move_texts()}

    assert program.undo >= 0
    assert "draw" in names
    assert "give-up" not in names


def test_a_random_player_keeps_the_duty_of_honour() -> None:
    program = program_of("manipulation", 2)
    game = play(Game(program, 5), "random", 40)
    play_index = program.must

    assert play_index >= 0
    for state, move in game._past:
        able = Game(program, state=state).legal_moves.of(play_index)
        assert move.move == play_index or next(able, None) is None


# ------------------------------------------------------------ calling the round

KNOCKING = {
    "turn": "draw then discard then may knock",
    "moves": "  knock:\n    does: pass",
    "round": "  wins: everyone with least points of hand, ties against ender\n  scores:\n    losers: points of hand\n"
    "  endings:\n    knocked: after knock\n    dry: turn is over and stock is dry",
}
"""A game in which a pass calls the round, and the lightest hand wins."""


def knocking(hand: str) -> Game:
    """The first player of such a game with a hand of three, who has drawn and discarded; the other one has a usual
    hand."""
    game = holding(small.make(small.game(2, **KNOCKING), "draw"), {0: f"{hand} KD"})
    game.play("discard KD")
    return game


def test_who_holds_next_to_nothing_calls_the_round() -> None:
    assert chosen(knocking("AS AH 2C")) == "knock"


def test_who_holds_much_does_not_call_the_round() -> None:
    assert chosen(knocking("QS KH 9C")) == "done"


@pytest.mark.parametrize(
    ("sheet", "ending"), [("carousel", "knocked"), ("tonk", "dropped"), ("knock-rummy", "knocked")]
)
def test_rounds_are_called_where_the_sheet_lets_players_call_them(sheet: str, ending: str) -> None:
    rounds = [r for index in range(5) for r in play(Game(program_of(sheet, 2), 7, index), "greedy", 120).rounds]

    assert any(r.ending == ending for r in rounds)


def test_putting_the_last_card_away_calls_nothing() -> None:
    calls = {move.name for move in program_of("basic-rummy", 2).moves if move.calls}

    assert calls == set()
    assert {move.name for move in program_of("gin", 2).moves if move.calls} == {"knock", "lay-out"}


# ------------------------------------------------------------ openings


def contract_program() -> Program:
    return program_of("liverpool-rummy", 3)


def test_a_contract_is_read_from_the_condition_of_its_move() -> None:
    game = Game(contract_program(), 3)
    view = game.view(game.to_act or 0)
    opening = next(move for move in game.program.moves if move.name == "open")
    names = [({game.program.kind_names[kind] for kind in kinds}, number) for kinds, number, _ in view.aims(opening)]

    assert ({"set"}, 2) in names
    assert ({"run"}, 0) in names


def test_cards_of_the_contract_are_kept_and_a_run_it_does_not_ask_for_is_not() -> None:
    game = small.make(Game(contract_program(), 3), "leave")
    while game.offered()[0] in ("buy", "done"):
        game.play("done")
    seat = game.to_act or 0
    holding(game, {seat: "KS KH 9D 9C 2S 3S 4S 5S 7H JD QC"})

    assert chosen(game) not in ("discard KS", "discard KH", "discard 9D", "discard 9C")


@pytest.mark.parametrize(("sheet", "players"), [("liverpool-rummy", 3), ("jamaican-kalooki", 3)])
def test_contracts_are_opened_and_rounds_end(sheet: str, players: int) -> None:
    game = play(Game(program_of(sheet, players), 4), "greedy", 1_500)

    assert len(game.rounds) >= 3
    assert max(r.turns for r in game.rounds) < 150


def test_others_buy_a_card_the_contract_waits_for() -> None:
    games = [play(Game(contract_program(), 4, index), "greedy", 400) for index in range(2)]
    names = {text.split()[0] for game in games for text in game.move_texts()}

    assert "buy" in names


PAIRED = {
    "deck": "  packs: 2",
    "deal": "  hand: 5\n  discards: 1",
    "turn": "draw then (discard or show)",
    "melds": small.BASE["melds"] + "\n  pair:\n    cards: 2\n    same: rank, suit",
    "moves": "  show:\n    does: put 1 on discards then lay melds\n    only: number of pairs in played = 0",
}
"""Two equal cards are a kind of group of which what is laid may contain none."""


def paired(**sections: str) -> Game:
    """Such a game, with a pair, and two cards that wait for a third."""
    game = small.make(small.game(2, **PAIRED | sections), "draw")
    wanted = [bits_of(game, text)[0] for text in ("5H", "6H", "KS", "9C", "2D")] + [bits_of(game, "KS")[1]]
    hand = sum(1 << card for card in wanted)
    others = game.state.hands[0] & ~hand
    for slot, pile in enumerate(game.state.piles):
        game.state.piles[slot] = tuple(c for c in pile if not hand >> c & 1)
    game.state.hands[1] &= ~hand
    game.state.piles[game.program.stock] += tuple(c for c in range(game.program.pack.size) if others >> c & 1)
    game.state.hands[0] = hand
    return game


def test_a_kind_of_group_is_barred_where_no_move_may_lay_it() -> None:
    game = paired()
    laid_otherwise = paired(
        turn="draw then (discard or show or lay-pair)", moves=PAIRED["moves"] + "\n  lay-pair:\n    does: lay a meld"
    )

    assert {game.program.kind_names[kind] for kind in barred(game.view(0))} == {"pair"}
    assert not barred(laid_otherwise.view(0))
    assert not barred(Game(program_of("101-okey", 4), 3).view(0))  # who opens with pairs lays pairs
    assert not barred(Game(program_of("gin", 2), 3).view(0))


@pytest.mark.parametrize("bot", ["greedy", "planner"])
def test_two_cards_of_a_kind_of_group_that_may_not_be_laid_are_not_kept_as_one(bot: str) -> None:
    assert chosen(paired(), bot) in ("discard KS", "discard KS'")


# ------------------------------------------------------------ answers


def test_a_partner_who_is_asked_lets_the_round_end() -> None:
    rounds = [
        r for index in range(2) for r in play(Game(program_of("hand-and-foot", 4), 7, index), "greedy", 2_000).rounds
    ]

    assert any(r.ending == "out" for r in rounds)


def test_who_may_come_back_into_the_game_does() -> None:
    game = play(Game(program_of("chinchon", 2, (("re-entry", True),)), 3), "greedy", 3_000)

    assert any(text == "re-enter" for text in game.move_texts())


# ------------------------------------------------------------ what may be left out


@pytest.mark.parametrize("bot", ["greedy", "planner"])
def test_a_card_of_no_use_is_thrown_where_throwing_one_may_be_left_out(bot: str) -> None:
    game = small.make(small.game(turn="draw then may discard"), "draw")
    pack = game.program.pack
    game.state.hands[game.state.to_act] = mask_of([pack.parse_face(text) for text in ("5S", "6S", "6H", "KD")])

    assert chosen(game, bot) == "discard KD"


def test_no_card_of_a_group_is_thrown_where_throwing_one_may_be_left_out() -> None:
    game = small.make(small.game(turn="draw then may discard"), "draw")
    pack = game.program.pack
    game.state.hands[game.state.to_act] = mask_of([pack.parse_face(text) for text in ("5S", "6S", "7S")])

    assert chosen(game, "greedy") == "done"


# ------------------------------------------------------------ planner

PAIRS = {"deal": "  hand: 4\n  discards: 1", "turn": "draw then discard"}


def test_a_pair_whose_other_cards_are_all_seen_is_thrown_before_one_that_may_grow() -> None:
    game = holding(small.make(small.game(2, **PAIRS), "draw"), {0: "5S 5H 5D 8C 8D"})
    pack, state = game.program.pack, game.state
    seen = [
        card for text in ("8S", "8H", "7C", "9C", "6C", "10C", "7D", "9D", "6D", "10D") for card in bits_of(game, text)
    ]
    state.piles = [tuple(c for c in pile if c not in seen) for pile in state.piles]
    discards = next(zone.slot for zone in game.program.zones if zone.name == "discards")
    state.piles[discards] = (*state.piles[discards], *seen)
    state.hands[1] &= ~sum(1 << card for card in seen)

    assert pack.size == 52
    assert chosen(game, "planner") in ("discard 8C", "discard 8D")


def test_a_pair_is_no_group_yet_because_a_wild_card_is_held_beside_it() -> None:
    wild = PAIRS | {"deck": "  jokers: 2", "wild": "  cards: joker\n  stands-for: its place"}
    game = small.make(small.game(2, **wild), "draw")
    pack = game.program.pack
    hand = sum(1 << bits_of(game, text)[0] for text in ("5S", "5H", "9C", "10C"))
    joker = 1 << pack.size - 1

    assert prospects(game.view(0)).loose(hand | joker) == hand | joker


def test_of_a_hand_that_is_all_in_a_run_an_end_is_thrown() -> None:
    game = holding(small.make(small.game(2, **PAIRS), "draw"), {0: "3S 4S 5S 6S 7S"})

    assert chosen(game, "planner") in ("discard 3S", "discard 7S")


@pytest.mark.parametrize(("sheet", "index"), [("indian-21", 1), ("indian-21", 2)])
def test_a_planner_does_not_take_a_card_to_throw_it_back(sheet: str, index: int) -> None:
    game = Game(program_of(sheet, 2), "ladder", index)
    players = [BOTS["planner"](Random(f"ladder/{index}/{seat}")) for seat in range(2)]
    discards = next(zone.slot for zone in game.program.zones if zone.name == "discards")
    taken = None
    while game.to_act is not None and not game.rounds:
        move = players[game.to_act].choose(game.view(game.to_act))
        name, before = game.program.moves[move.move].name, game.state.piles[discards]
        game.play(move)
        if name == "discard" and taken is not None:
            assert game.program.pack.face[game.state.piles[discards][-1]] != taken
        taken = game.program.pack.face[before[-1]] if name == "take" else None

    assert game.rounds[0].ending != "stuck"


def bits_of(game: Game, text: str) -> list[int]:
    """The cards of a face."""
    mask = game.program.pack.cards_of_face[game.program.pack.parse_face(text)]
    return [card for card in range(game.program.pack.size) if mask >> card & 1]


@pytest.mark.parametrize("sheet", ["gin", "romme-500", "tahiti"])
def test_every_move_of_a_planner_is_legal(sheet: str) -> None:
    game = play(Game(program_of(sheet, 2), 5), "planner", 60)

    assert len(game.moves) == 60 or game.outcome is not None
    assert game.defects == ()
