"""What beginners write is answered by how it is said, not only by what was expected."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic
from rulespec.hints import SAYINGS, everyday, said_otherwise
from rulespec.loader import check_text
from rulespec.parser import EXAMPLES, Start, can_be_read, parse
from rulespec.vocabulary import ZONES
from tests.rulespec.phrases import phrase
from tests.rulespec.sheets import small

WRITTEN: list[tuple[Start, str, str]] = [
    ("cardclass", "jokers and twos", "joker or 2"),
    ("cardclass", "kings, queens, jacks", "K or Q or J"),
    # comparisons in words
    ("expr", "number of cards in hand no more than 5", "number of cards in hand <= 5"),
    ("expr", "number of cards in hand is no more than 5", "number of cards in hand <= 5"),
    ("expr", "number of cards in hand is at most 5", "number of cards in hand <= 5"),
    ("expr", "points of hand at least 5", "points of hand >= 5"),
    ("expr", "points of hand is greater than 5", "points of hand > 5"),
    ("expr", "points of hand less than 5", "points of hand < 5"),
    ("expr", "score equals 5", "score = 5"),
    ("expr", "score is equal to 5", "score = 5"),
    ("expr", "score > = 5", "score >= 5"),
    ("expr", "points of hand between 5 and 10", "points of hand >= 5 and points of hand <= 10"),
    ("expr", "score > 5 points", "score > 5"),
    # players
    ("expr", "player has score >= 150", "some player has score >= 150"),
    ("expr", "any player has score >= 150", "some player has score >= 150"),
    ("expr", "some players have score >= 150", "some player has score >= 150"),
    ("expr", "all players have score >= 150", "every player has score >= 150"),
    ("expr", "a player reaches 150", "some player has score >= 150"),
    ("players", "player with lowest score", "everyone with least score"),
    # conditions
    ("expr", "“hand is empty”", "hand is empty"),
    ("expr", "„hand is empty“", "hand is empty"),
    ("expr", "«hand is empty»", "hand is empty"),
    ("expr", "hand isn't empty", "hand is not empty"),
    ("expr", "ender's hand is empty", "hand of ender is empty"),
    ("expr", "Hand is empty AND stock is dry", "hand is empty and stock is dry"),
    ("expr", "hand is empty, stock is dry", "hand is empty and stock is dry"),
    ("expr", "hand contains a K", "some card in hand is K"),
    ("expr", "every card is red", "every card in hand is red"),
    ("expr", "times meld = 1", "times meld this turn = 1"),
    # turns
    ("phase", "draw, meld, discard", "draw then meld then discard"),
    ("phase", "draw, then discard.", "draw then discard"),
    ("phase", "draw and then discard", "draw then discard"),
    ("phase", "draw -> discard", "draw then discard"),
    ("phase", "Draw then Discard", "draw then discard"),
    ("phase", "draw/take then discard", "draw or take then discard"),
    ("phase", "draw then meld* then discard", "draw then any number of meld then discard"),
    ("phase", "draw then any meld then discard", "draw then any number of meld then discard"),
    ("phase", "draw then optional meld then discard", "draw then may meld then discard"),
    ("phase", "draw then meld if you want then discard", "draw then may meld then discard"),
    ("phase", "draw then if opened meld then discard", "draw then meld if opened then discard"),
    ("phase", "draw then at most 3 meld", "draw then up to 3 meld"),
    ("phase", "draw then lay off then discard", "draw then lay-off then discard"),
    ("phase", "draw a card then discard a card", "draw then discard"),
    ("phase", "draw then each player lay-off", "draw then each other player lay-off"),
    # what moves do
    ("does", "put 1 on discard pile", "put 1 on discards"),
    ("does", "put 1 on the discards", "put 1 on discards"),
    ("does", "put a card on discards", "put 1 on discards"),
    ("does", "put 1 card on discards", "put 1 on discards"),
    ("does", "draw 1 from draw pile", "draw 1 from stock"),
    ("does", "draw a card", "draw 1"),
    ("does", "take top card of discards", "take top of discards"),
    ("does", "put 1 on discards, draw 1", "put 1 on discards then draw 1"),
    ("does", "put 1 on discards and then draw 1", "put 1 on discards then draw 1"),
    ("does", "lay a run", "lay a meld"),
    ("does", "lay off a card", "lay off 1"),
    # kinds of cards
    ("cardclass", "J, Q, K", "J or Q or K"),
    ("cardclass", "J Q K", "J or Q or K"),
    ("cardclass", "2 - 10", "2-10"),
    ("cardclass", "2 to 10", "2-10"),
]


@pytest.mark.parametrize(("start", "words", "written"), WRITTEN)
def test_a_phrase_in_everyday_words_is_shown_as_it_is_written(start: Start, words: str, written: str) -> None:
    found = parse(phrase(words), start)
    assert isinstance(found, Diagnostic), found
    assert found.help == f'write "{written}"'
    assert can_be_read(written, start)


@pytest.mark.parametrize(
    ("start", "words", "column", "help_"),
    [
        ("expr", "number of cards in hand => 5", 26, 'write ">="'),
        ("expr", "score == 5", 8, 'written "="'),
        ("expr", "if it is mine", 1, 'without "if"'),
        ("cardclass", "Ace", 1, 'written "A"'),
        ("cardclass", "King", 1, 'written "K"'),
        ("cardclass", "Queens", 1, 'written "Q"'),
        ("cardclass", "Jack", 1, 'written "J"'),
        ("cardclass", "Ten", 1, 'written "10"'),
        ("cardclass", "Joker", 1, 'written "joker"'),
        ("cardclass", "Jokers", 1, 'written "joker"'),
        ("expr", "number of Aces in hand", 11, 'written "A"'),
        ("phase", "up to three meld", 7, 'in digits: "3"'),
    ],
)
def test_a_slip_is_explained_where_it_stands(start: Start, words: str, column: int, help_: str) -> None:
    found = parse(phrase(words), start)
    assert isinstance(found, Diagnostic), found
    assert (found.span.column, found.code) == (column, "phrase-syntax")
    assert help_ in found.help


def told(**sections: str) -> list[Diagnostic]:
    """The errors of the small sheet with these sections in place of its own."""
    scored = small(**sections).replace("  wins: ender\n", "  wins: ender\n  scores:\n    losers: points of hand\n")
    return [d for d in check_text(scored, "small.yaml").diagnostics if d.severity == "error"]


@pytest.mark.parametrize(
    ("condition", "help_"),
    [
        ("all cards in hand are red", "every card in hand is red"),
        ("any card in hand is red", "some card in hand is red"),
        ("my hand is empty", 'leave "my" out'),
        ("true", 'say "yes"'),
        ("size of hand <= 5", "number of cards in hand"),
        ("deck is empty", '"stock"'),
        ("discard is empty", '"discards"'),
        ("number of aces in hand = 1", '"A"'),
        ("number of runs > 1", '"runs on the table"'),
        ("number of melds on the table > 1", '"groups on the table"'),
        ("number of players = 2", '"players" alone'),
        ("hand of player is empty", '"left of you"'),
        ("hand != empty", '"hand is not empty"'),
        ("hand is emtpy", '"empty"'),
        ("hand contains a joker", "some card in hand is joker"),
        ("number of cards in hand is 5", 'compared by "="'),
        ("turn = 1", '"turn-number"'),
        ("points of hand = 5 or 10", "write out each comparison"),
        ("opened is yes", "stands alone"),
        ("it is joker", "behind `only`"),
        ("score >= ten", 'in digits: "10"'),
    ],
)
def test_everyday_words_in_a_condition_are_put_right(condition: str, help_: str) -> None:
    found = told(moves=f"  discard:\n    if: {condition}")
    assert len(found) == 1, found
    assert help_ in found[0].help


@pytest.mark.parametrize("pile", ["discard", "discard-pile", "deck", "stack", "stockpile", "draw-pile"])
def test_a_pile_under_another_name_is_called_by_its_own(pile: str) -> None:
    (found,) = told(moves=f"  discard:\n    does: put 1 on {pile}")
    assert found.message == f'no zone "{pile}"'
    assert found.help in ('the pile is called "discards"', 'the pile is called "stock"')


def test_a_score_of_nobody_is_asked_of_some_player() -> None:
    (found,) = told(game="  ends: score >= 150\n  wins: everyone with least score")
    assert found.help.startswith('say "some player has score >= 150"')
    (found,) = told(game="  ends: score >= 150 or stopped\n  wins: everyone with least score")
    assert found.help.startswith('say "some player has (score >= 150 or stopped)"')


def test_two_numbers_for_one_card_make_one_message() -> None:
    (found,) = told(values="  hand:\n    card: 1\n    A: 1 or 11")
    assert found.message == '"or" stands between conditions, not between numbers'


def test_commas_in_a_turn_say_nothing_of_what_the_turn_does_not_reach() -> None:
    found = told(turn="draw, meld, discard", moves="  discard:\n    only: it is not taken")
    assert [d.help for d in found] == ['write "draw then meld then discard"']


def test_a_list_of_moves_is_shown_as_a_turn() -> None:
    (found,) = check_text(small(turn="[draw, discard]"), "small.yaml").diagnostics
    assert found.help == 'write "draw then discard"'


def test_what_people_call_a_rank_is_answered_with_rank() -> None:
    for old, new in (("same: rank", "same: value"), ("consecutive: rank", "consecutive: yes")):
        text = small(melds="  set:\n    cards: 3-4\n    same: rank\n  run:\n    cards: 3-13\n    consecutive: rank")
        (found,) = check_text(text.replace(old, new), "small.yaml").diagnostics
        assert (found.code, found.help) == ("unknown-word", 'write "rank"')


def test_rewriting_comes_to_an_end() -> None:
    for start in EXAMPLES:
        for words in ("A, " * 160, "a then if " * 50, "Ace " * 120, "(" * 500, "x" * 500, "is at least 5 " * 35):
            assert len(list(said_otherwise(words, start))) <= 2 * len(SAYINGS) + 1


def test_words_of_the_sheet_are_not_taken_for_everyday_words() -> None:
    assert everyday("deck", {}) == ""
    assert everyday("deck", ZONES) == 'the pile is called "stock"'
    assert everyday("hand", ZONES) == ""


@pytest.mark.parametrize(
    ("words", "start", "help_"),
    [
        ("sum over others of points of hand", "expr", 'write "total over others of points of hand"'),
        ("player has no cards", "expr", 'write "hand is empty"'),
        ("somebody has no more cards left", "expr", 'write "hand is empty"'),
        ("face value", "expr", 'write "pips"'),
        ("2 per pack", "expr", "say how many there are, all together"),
        ("someone reaches 500", "expr", 'write "some player has score >= 500"'),
        ("someone has 100 points", "expr", 'write "some player has score >= 100"'),
        ("no cards in hand", "expr", 'write "hand is empty"'),
        ("player with most points", "players", 'write "everyone with most score"'),
        ("the player with the lowest score", "players", 'write "everyone with least score"'),
        ("the player who went out", "players", 'write "ender"'),
        ("draw then meld_first", "phase", 'names are joined by hyphens: "meld-first"'),
        ("(draw or buy_card) then discard", "phase", 'names are joined by hyphens: "buy-card"'),
        ("3 or 4", "range", 'write "3-4"'),
        ("2 to 4", "range", 'write "2-4"'),
        ("2 bis 4", "range", 'write "2-4"'),
        ("2 tot 4", "range", 'write "2-4"'),
        ("at least 3", "range", 'write "3+"'),
        ("3 oder mehr", "range", 'write "3+"'),
        ("7 cards each", "dealt", 'write "7"'),
        ("shuffle the discards", "stockrule", 'write "reshuffle discards except top"'),
        ("ziehen oder nehmen", "phase", 'the words of a phrase are English: "or"'),
        ("draw of take", "phase", 'write "or" between moves of which one is made'),
        ("hand is empty und it is red", "expr", 'the words of a phrase are English: "and"'),
        ("hand is empty en it is red", "expr", 'the words of a phrase are English: "and"'),
        ("Ass", "cardclass", 'the rank is written "A"'),
        ("Bube-K\u00f6nig", "cardclass", 'the rank is written "J-K"'),
        (
            "highest over runs in melds of number of cards in it",
            "expr",
            'write "highest over (runs in melds) of number of cards in it"',
        ),
        ("draw then k\u00e4ufe", "phase", 'names are written with the letters a to z: "kaeufe"'),
        ("draw then paga\u0301", "phase", 'names are written with the letters a to z: "paga"'),
        (
            "set streak of everyone except ender to 0",
            "does",
            'an action names players by words alone, such as "winners" or "left of you"',
        ),
        (
            "total over left of you whose heavy of points of hand",
            "expr",
            'put this in brackets: "(left of you whose \u2026)"',
        ),
        ("number of others with most score > 1", "expr", 'put this in brackets: "(others with most \u2026)"'),
        (
            "points of hand of others whose heavy",
            "expr",
            'players are chosen behind "over": "total over (others whose \u2026) of points of hand"',
        ),
        ("set pot to 0 if late else pot then pass", "does", 'put this in brackets: "(0 if late else pot)"'),
        ("add 5 if late else 1 to pot", "does", 'put this in brackets: "(5 if late else 1)"'),
        (
            "add 1 to pot if late",
            "does",
            'an action has no "if", but its number may: "add (1 if opened else 0) to fines"',
        ),
        ("S7", "cardclass", 'a card is written rank then suit: "7S"'),
        ("it is not HK", "expr", 'a card is written rank then suit: "KH"'),
        ("2c", "cardclass", 'a card is written in capitals: "2C"'),
        ("joker or 2s", "cardclass", 'a card is written in capitals: "2S"; the rank alone is "2"'),
        ("11S", "cardclass", 'a card is a rank, of A 2-10 J Q K, then a suit, of S H D C: "10S"'),
        ("V", "cardclass", "the ranks are A, 2-10, J, Q and K, whatever stands on your cards; suits are S H D C"),
    ],
)
def test_what_beginners_write_is_shown_as_it_is_said(words: str, start: Start, help_: str) -> None:
    found = parse(phrase(words), start)
    assert isinstance(found, Diagnostic)
    assert found.help == help_


@pytest.mark.parametrize(
    ("word", "help_"),
    [
        ("double", 'write the number: "2"'),
        ("minus", 'write the sign close to the number or word: "-points of hand"'),
        ("anzahl", 'say "number of cards"'),
        ("spelers", 'say "players"'),
        ("pay", 'who pays whom stands before the colon: "losers to winners: 10"'),
    ],
)
def test_words_of_other_speech_are_known(word: str, help_: str) -> None:
    assert everyday(word, ZONES) == help_


def test_a_list_of_values_is_shown_as_the_values_of_an_option() -> None:
    found = check_text(small(options="  target: [100, 200]"), "small.yaml").diagnostics
    assert [d.help for d in found if d.code == "wrong-shape"] == ['write "100 or 200"']


def test_a_range_that_cannot_be_read_makes_one_message() -> None:
    (found,) = told(melds="  set:\n    cards: 3 or 4\n    same: rank", turn="draw then any number of meld then discard")
    assert found.help == 'write "3-4"'


def test_a_name_that_lost_its_hyphen_is_shown_with_it() -> None:
    text = small(define="  round:\n    knock-limit: 5").replace("score >= 100", "score >= knock limit")
    assert "knock limit" in text
    found = check_text(text).diagnostics
    assert any(d.help == 'with a hyphen it is one name: "knock-limit"' for d in found), found


def test_a_foreign_word_for_a_move_or_for_what_cards_share_is_said_in_the_language() -> None:
    (drawn,) = told(turn="ziehen then discard")
    assert (drawn.message, drawn.help) == ('no move or phase "ziehen"', 'did you mean "draw"?')
    (shared,) = told(melds="  set:\n    cards: 3-4\n    same: farbe")
    assert (shared.message, shared.help) == ('expected rank or suit or colour, not "farbe"', 'did you mean "suit"?')
    (key,) = told(spieler="2")
    assert (key.message, key.help) == ('unknown key "spieler"', 'did you mean "players"?')
