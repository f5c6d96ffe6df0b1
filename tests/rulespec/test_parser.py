"""Phrases are parsed by the rule of their kind, and a mistake is shown at the character where it begins."""

from __future__ import annotations

import logging
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree, logger

from rulespec.diagnostics import Diagnostic
from rulespec.parser import EXAMPLES, KIND, MAX_DEPTH, MAX_LENGTH, STARTS, Start, keywords, parse
from tests.rulespec.phrases import phrase


def tree(words: str, start: Start = "expr") -> Tree[Token]:
    result = parse(phrase(words), start)
    assert isinstance(result, Tree), result
    return result


def mistake(words: str, start: Start = "expr") -> Diagnostic:
    result = parse(phrase(words), start)
    assert isinstance(result, Diagnostic), result
    return result


GOOD: list[tuple[Start, str]] = [
    ("phase", "draw or (take then may (put-back then draw))"),
    ("phase", "may open if not opened then any number of (meld or lay-off) if opened"),
    ("phase", "up to 3 draw then 2 times discard"),
    ("phase", "take or (leave then first other player may buy then draw)"),
    ("phase", "each player whose (score > limit) may re-enter"),
    ("phase", "ask then partner (allow or forbid) then next player pass then each other player spread"),
    ("does", "take any with all above of discards as dug"),
    ("does", "put 3 face down on passed of left of you"),
    ("does", "put every red 3 on honours as shown then draw number of cards in shown from stock"),
    ("does", "rearrange melds with singles"),
    ("does", "add (points of played if number of sets in played = 1 else 0) to fours"),
    ("does", "set hit of owner of it to 1"),
    ("duty", "taken is on the table before discard"),
    ("duty", "number of natural cards in group of key >= 3 at once"),
    ("duty", "freed is on the table before turn ends"),
    ("expr", "1 if players = 2 else 2 if players = 3 else 3"),
    ("expr", "every joker on the table (is replaced from hand or (keeps its name and is joined only from hand))"),
    ("expr", "lowest over (layouts of hand whose it is sound) of points of rest of it"),
    ("expr", "min(1, 2) + max(1, 2, 3) * round-up(7, 5) / -2"),
    ("expr", "some player has score >= 100"),
    ("expr", "times refuse by anyone this round = turn-number - 1"),
    ("expr", "number of A in it + number of 2-10 in hand"),
    ("players", "everyone with least points of hand, ties against ender"),
    ("players", "(everyone with least points of hand) with least number of cards in hand"),
    ("players", "winners if length = one-deal else everyone with most score"),
    ("line", "ender except winners to winners"),
    ("line", "losers whose (folded and times discard this round = 1)"),
    ("cardclass", "joker or card whose place of it = round + 1"),
    ("cardclass", "low A"),
    ("options", "no or yes"),
    ("options", "free or draw-3"),
    ("range", "3+"),
    ("range", "below 0"),
    ("order", "A 2-10 J Q K, round the corner"),
    ("suits", "tile-red tile-blue"),
    ("tablekey", "opening-points by score"),
    ("tablerow", "below 0"),
    ("dealt", "11 if you are dealer else 10 as dealt-cards"),
    ("numbers", "3, 3, 3, 1"),
    ("attributes", "rank, suit"),
    ("stockrule", "turn over discards except top, at most 2 * players times"),
    ("name", "knock"),
]


@pytest.mark.parametrize(("start", "words"), GOOD)
def test_phrases_of_every_kind_are_parsed(start: Start, words: str) -> None:
    assert tree(words, start).meta.end_pos == len(words)


def test_every_kind_of_phrase_is_tried_and_described() -> None:
    assert {start for start, _ in GOOD} == set(STARTS) == set(KIND)


@pytest.mark.parametrize(("start", "example"), EXAMPLES.items())
def test_the_examples_of_messages_are_phrases(start: Start, example: str) -> None:
    for words in [example] if start not in ("range", "tablerow") else example.split(", "):
        assert tree(words, start)


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    grammar = files("rulespec").joinpath("grammar.lark").read_text(encoding="utf-8")
    before = logger.level, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.propagate = True
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            Lark(grammar, parser="lalr", start=list(STARTS), debug=True)
    finally:
        logger.level, logger.propagate = before
    assert [record.message for record in caplog.records if "onflict" in record.message] == []


def test_or_binds_tighter_than_then() -> None:
    steps = tree("draw or take then discard", "phase").children
    assert len(steps) == 2
    both = tree("u and v or x and z")
    assert both.data == "or"


# the mistake is shown where the arrow stands
BAD: list[tuple[Start, str, str, str]] = [
    ("expr", "points of hand <↓> 5", "expected a number or a name", 'written "!="'),
    ("expr", "points of hand =↓= 5", "expected a number or a name", 'written "="'),
    ("expr", "hand is empty ↓&& stock is dry", "expected", 'write "and"'),
    ("expr", "hand is empty ↓|| stock is dry", "expected", 'write "or"'),
    ("expr", "points↓_of hand", "expected", "joined by hyphens"),
    ("expr", "score ↓≥ 3", "expected", 'write ">="'),
    ("expr", "hand is empty ↓anq stock is dry", "does not fit here", 'did you mean "and"?'),
    ("expr", "number ↓fo cards in hand = 2", "does not fit here", 'did you mean "of"?'),
    ("expr", "no group on the table ↓jccepts it", "does not fit here", 'did you mean "accepts"?'),
    ("phase", "draw then ↓ajy number of meld", "does not fit here", 'did you mean "any"?'),
    ("does", "put 1 face down ↓ujder stock", "does not fit here", 'did you mean "under"?'),
    ("expr", "↓Hand is empty", "expected a number or a name", '"hand"'),
    ("expr", "(hand is empty↓", 'expected "', '")" is missing'),
    ("expr", "hand is empty↓)", "expected the end", 'one ")" too many'),
    ("expr", "score >=↓", "the phrase ends too early: expected a number or a name", ""),
    ("expr", "10 if opened↓", 'expected "', 'needs an "else"'),
    ("expr", "↓and and", "expected a number or a name", ""),
    ("expr", "1 < score ↓< 3", "expected", "two things at a time"),
    ("expr", "score of ↓= 3", "expected a name", ""),
    ("expr", "hand is not↓", "expected a number or a name", ""),
    ("phase", "draw ↓discard", 'expected "if", "or", "then" or the end', '"then" or "or" missing before "discard"'),
    ("phase", "draw then↓", "expected a move", "for example"),
    ("phase", "may ↓or draw", "expected a move", ""),
    ("does", "put ↓on discards", "expected a number", "put 1 on discards"),
    ("does", "put 1 on discards ↓draw 1", "expected", '"then" missing before "draw"'),
    ("does", "↓knock", 'expected "add"', "for example"),
    ("duty", "taken is on the table↓", 'expected "at", "before" or "by"', "deadline"),
    ("range", "3↓-", "expected", "3, 3-4, 3+"),
    ("stockrule", "↓shuffle", 'expected "nothing", "reshuffle" or "turn"', "reshuffle discards"),
    ("players", "everyone with ↓points of hand", 'expected "least" or "most"', ""),
    ("options", "1 or↓", "expected a number or a name", "5 or 10"),
    ("order", "A 2-10 ↓x", "expected", "A 2-10 J Q K"),
    ("cardclass", "joker or↓", "expected", ""),
]


@pytest.mark.parametrize(("start", "marked", "message", "help_"), BAD)
def test_a_mistake_is_shown_where_it_begins(start: Start, marked: str, message: str, help_: str) -> None:
    found = mistake(marked.replace("↓", ""), start)
    assert found.code == "phrase-syntax"
    assert message in found.message
    assert help_ in found.help
    assert (found.span.line, found.span.column) == (1, marked.index("↓") + 1)


def test_columns_are_counted_from_where_the_phrase_stands() -> None:
    found = parse(phrase("hand is is", line=7, column=12), "expr")
    assert isinstance(found, Diagnostic)
    assert (found.span.line, found.span.column, found.span.end_column) == (7, 20, 22)


def test_an_empty_phrase_says_what_belongs_there() -> None:
    assert mistake("", "does").message == "expected what a move does, not an empty phrase"


def test_long_and_deep_phrases_are_refused() -> None:
    assert mistake("x + " * MAX_LENGTH + "x").code == "phrase-too-long"
    brackets = "(" * (MAX_DEPTH + 1) + "x" + ")" * (MAX_DEPTH + 1)
    assert (mistake(brackets).code, mistake(brackets).span.column) == ("phrase-too-long", MAX_DEPTH + 1)
    assert mistake("not " * 100 + "x").code == "phrase-too-long"
    assert mistake("may " * 100 + "draw", "phase").code == "phrase-too-long"
    assert tree("(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH)
    assert mistake("x + " * 100 + "x").code == "phrase-too-long"
    assert tree("x + " * 20 + "x")


@pytest.mark.parametrize(
    "word", ["and", "or", "not", "is", "are", "of", "in", "on", "if", "then", "with", "whose", "to"]
)
def test_words_that_join_are_not_names(word: str) -> None:
    assert mistake(f"{word} = 3").code == "phrase-syntax"
    assert mistake(f"draw or {word}", "phase").code == "phrase-syntax"
    assert mistake(word, "name").code == "phrase-syntax"


@given(st.sampled_from(STARTS), st.text(max_size=60))
def test_no_text_makes_the_parser_fall(start: Start, words: str) -> None:
    result = parse(phrase(words), start)
    if isinstance(result, Diagnostic):
        assert 1 <= result.span.column <= len(words) + 1


WORDS = st.sampled_from(
    sorted(keywords() | {"hand", "it", "draw", "3", "A", "3-4", "QS", "(", ")", "<=", "=", "+", "-", ","})
)


@given(st.sampled_from(STARTS), st.lists(WORDS, max_size=14).map(" ".join))
def test_no_mixture_of_words_makes_the_parser_fall(start: Start, words: str) -> None:
    result = parse(phrase(words), start)
    if isinstance(result, Diagnostic):
        assert result.code == "phrase-syntax"
        assert 1 <= result.span.column <= len(words) + 1
        assert "__" not in result.message
        assert not re.search(r"\b[A-Z]{3,}\b", result.message)


@pytest.mark.parametrize(
    ("words", "stray"),
    [
        ("it is red a", 10),
        ("it is a red", 6),
        ("it is the empty", 6),
        ("points of a it", 10),
        ("number of red the cards in hand", 14),
        ("hand contains a a run", 16),
        ("hand contains a the run", 16),
        ("the = 3", 0),
    ],
)
def test_an_article_is_not_swallowed_where_no_thing_follows(words: str, stray: int) -> None:
    problem = mistake(words)
    assert (problem.code, problem.span.column) == ("phrase-syntax", stray + 1)
    assert problem.message == f'"{words[stray:].split(" ", maxsplit=1)[0]}" means nothing here'


@pytest.mark.parametrize(
    "words", ["the hand contains a run", "it is the top of the discards", "some card in a hand is a joker"]
)
def test_an_article_may_stand_before_a_thing(words: str) -> None:
    tree(words)


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("draw then laying if hand is not empty and opened", "laying if (hand is not empty and opened)"),
        ("draw then (take if hand is empty or opened) then discard", "take if (hand is empty or opened)"),
        ("may open if not (opened or late) unless late then discard", "may open if (not (opened or late) unless late)"),
    ],
)
def test_a_condition_of_a_step_that_needs_brackets_is_shown_with_them(words: str, step: str) -> None:
    assert mistake(words, "phase").help == f'put brackets round the condition: "{step}"'
