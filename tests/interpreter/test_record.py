"""Recorded games: they replay exactly, and whatever was changed in them is found, with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler import compile_sheet
from interpreter.errors import RecordError
from interpreter.game import Game
from interpreter.program import Program
from interpreter.record import Record, card_text, read, record_of, replay
from interpreter.simulation import play_game
from rulespec.loader import check_text, load, load_text
from tests.conftest import QUICK

BOTS = ("greedy", "random")


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_sheet(load_text(QUICK), 2, {"rounds": 2})


@pytest.fixture(scope="module")
def game(program: Program) -> Game:
    return play_game(program, BOTS, 5, 2)


@pytest.fixture(scope="module")
def text(game: Game) -> str:
    return record_of(game, BOTS).to_text()


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


# ------------------------------------------------------------ there and back


def test_a_game_comes_back_from_its_text(program: Program, game: Game, text: str) -> None:
    again = replay(read(text), program)

    assert again.state.key() == game.state.key()
    assert again.outcome == game.outcome
    assert again.rounds == game.rounds
    assert again.shuffles == game.shuffles


def test_the_text_says_what_was_played(game: Game, text: str) -> None:
    lines = text.splitlines()
    record = read(text)

    assert lines[0] == "rulespec-game: 1"
    assert f"sheet-hash: {game.program.sheet_hash}" in lines
    assert (record.sheet, record.players, record.seed, record.game, record.bots) == ("quick", 2, "5", 2, BOTS)
    assert record.options == {"rounds": "2", "dear": "no"}
    assert record.moves == len(game.moves)
    assert len(re.findall("^= round ", text, re.MULTILINE)) == 2
    assert re.match(r"= game (won by [12]( [12])?|drawn), scores \d+ \d+", lines[-1])
    assert read(text).to_text() == text


def test_the_shuffle_is_written_from_the_top(game: Game, text: str) -> None:
    cards = text.split("shuffle: ")[1].splitlines()[0].split()

    assert cards[0] == game.program.pack.text(game.shuffles[0][-1])
    assert len(set(cards)) == 52


def test_a_replay_does_not_need_the_shuffle_of_the_seed(program: Program, text: str) -> None:
    other = text.replace("seed: 5", "seed: 6")

    assert replay(read(other), program).outcome == replay(read(text), program).outcome


def test_an_unfinished_game_comes_back_as_far_as_it_went(program: Program, game: Game) -> None:
    half = Game(program, seed=5, index=2)
    for move in game.moves[: len(game.moves) // 3]:
        half.play(move)
    again = replay(read(record_of(half).to_text()), program)

    assert again.outcome is None
    assert again.state.key() == half.state.key()


@pytest.mark.parametrize(("sheet", "players", "games"), [("romme-austrian", 3, 20), ("romme-500", 5, 1), ("gin", 2, 1)])
def test_games_with_twins_and_jokers_come_back(sheet: str, players: int, games: int) -> None:
    program = compile_sheet(load(sheet), players)
    for index in range(games):
        game = play_game(program, ("greedy",) * players, 1, index)
        again = replay(read(record_of(game).to_text()), program)

        assert again.state.key() == game.state.key()


def test_every_card_has_a_text_of_its_own() -> None:
    pack = compile_sheet(load("romme-austrian"), 2).pack
    texts = [card_text(pack, card) for card in range(pack.size)]

    assert len(set(texts)) == pack.size == 110
    assert {"7H", "7H#2", "JK", "JK#6"} <= set(texts)


# ------------------------------------------------------------ refused


@pytest.mark.parametrize("seed", ["", " ", "two\nlines", " 7", "a\u2028b", "\x1b[2J"])
def test_a_seed_that_a_record_cannot_say_is_refused_at_once(program: Program, seed: str) -> None:
    with pytest.raises(ValueError, match="a seed is a number or a text"):
        Game(program, seed=seed)


@pytest.mark.parametrize("seed", [0, -3, "12", "007", 10**40, "word", "two words: one", "\u0141\u00f3d\u017a"])
def test_a_record_of_a_game_with_a_word_for_a_seed_could_not_be_read_back(program: Program, seed: int | str) -> None:
    game = Game(program, seed=seed)
    record = read(record_of(game).to_text())

    assert record.seed == str(seed)
    assert replay(record, program).state.key() == game.state.key()
    assert Game(program, seed=record.seed).state.key() == game.state.key()


def test_another_sheet_is_refused(text: str) -> None:
    other = compile_sheet(load_text(QUICK.replace("2-10: pips", "2-10: 5")), 2, {"rounds": 2})
    with pytest.raises(RecordError, match='another form of the sheet "quick"'):
        replay(read(text), other)


def test_other_players_and_options_are_refused(text: str) -> None:
    sheet = load_text(QUICK)
    with pytest.raises(RecordError, match="2 players, not 3"):
        replay(read(text), compile_sheet(sheet, 3, {"rounds": 2}))
    with pytest.raises(RecordError, match="rounds=2, dear=no, not rounds=1, dear=no"):
        replay(read(text), compile_sheet(sheet, 2))


def test_a_record_of_a_game_stopped_earlier_is_refused() -> None:
    going_on = load_text(QUICK.replace("ends: round = rounds", "ends: round = rounds or stopped"))
    game = Game(compile_sheet(going_on, 2, {}, 3))
    text = record_of(game).to_text()

    assert "\nstopped-after: 3\n" in text
    replay(read(text), compile_sheet(going_on, 2, {}, 3))
    with pytest.raises(RecordError, match="stopped after 3 rounds, not 10"):
        replay(read(text), compile_sheet(going_on, 2))


def changed(text: str, pattern: str, new: str) -> str:
    """The text with the first match of a pattern replaced."""
    result, count = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    assert count == 1
    return result


@pytest.mark.parametrize(
    ("pattern", "new", "says"),
    [
        (r"^(\d) (draw|take)$", r"\1 fly", "no move is called 'fly'"),
        (r"^(\d) (draw|take)$", r"3 \2", "not of seat 3"),
        (r"^(\d) (draw|take)$", r"\1 discard ZZ", "no card"),
        (r"^(\d) (draw|take)\n", "", "is not legal"),
        (r"^= round out", "= round dry", "it came to"),
        (r"^= round .*\n", "", "is missing before it"),
        (r"^(\d) (draw|take)$", r"\1 \2\n= round out, won by 1, scores 0 0", "nothing ended here"),
    ],
)
def test_a_change_among_the_moves_is_found_at_its_line(
    program: Program, text: str, pattern: str, new: str, says: str
) -> None:
    record = read(changed(text, pattern, new))
    with pytest.raises(RecordError, match=re.escape(says)) as caught:
        replay(record, program)

    assert re.match(r"line \d+: ", str(caught.value))


def test_a_changed_result_of_the_game_is_found(program: Program, text: str) -> None:
    lines = text.splitlines(keepends=True)
    with pytest.raises(RecordError, match=f"^line {len(lines)}: it came to "):
        replay(read("".join([*lines[:-1], "= game won by nobody, scores 0 0\n"])), program)
    with pytest.raises(RecordError, match=r'the line "= game .*" is missing at the end'):
        replay(read("".join(lines[:-1])), program)
    with pytest.raises(RecordError, match=f"^line {len(lines) + 1}: the game is over"):
        replay(read(text + "1 draw\n"), program)


def test_a_changed_shuffle_is_found(program: Program, text: str) -> None:
    cards = text.split("shuffle: ")[1].splitlines()[0].split()
    line = line_of(text, "shuffle: ")
    for wrong, says in (
        (cards[1:], "these are not the cards that were shuffled"),
        (cards[:1] * 52, "these are not the cards that were shuffled"),
        (["ZZ", *cards[1:]], "'ZZ' is no card of this deck"),
        (["7H#2", *cards[1:]], "'7H#2' is no card of this deck"),
        (["♥♥", *cards[1:]], "is no card of this deck"),
    ):
        record = read(text.replace(" ".join(cards), " ".join(wrong)))
        with pytest.raises(RecordError, match=f"^line {line}: .*{re.escape(says)}"):
            replay(record, program)


def test_a_missing_or_needless_shuffle_is_found(program: Program, text: str) -> None:
    last = text.rindex("shuffle: ")
    with pytest.raises(RecordError, match='"shuffle" is missing for shuffle 2'):
        replay(read(text[:last] + text[last:].split("\n", 1)[1]), program)
    with pytest.raises(RecordError, match="there was no such shuffle"):
        replay(read(text.replace("moves:", "shuffle: 4S\nmoves:")), program)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("rulespec-game: 1", "rulespec-game: 2", "line 1: "),
        ("sheet: quick\n", "", '"sheet" is missing'),
        ("players: 2", "players: two", "\"players\" has to be a whole number, not 'two'"),
        ("game: 2", "game: " + "9" * 5000, '"game" has to be a whole number'),
        ("seed: 5", "seed: 5\nseed: 5", '"seed" stands twice'),
        ("game: 2", "game: abc", "\"game\" has to be a whole number, not 'abc'"),
        ("seed: 5", "seed: 5\ncolour: red", 'unknown key "colour"'),
        ("seed: 5", "seed: 5\nwhat?", 'expected "key: value"'),
        ("sheet: quick", "sheet: \x1b[31mquick", "line 2: there are characters in it that cannot be seen"),
        ("options: rounds=2", "options: rounds", "NAME=VALUE"),
        ("moves:\n", "", "line "),
        ("\n1 ", "\n0 ", "expected a seat and its move"),
        ("\n1 ", "\nseat 1 ", "expected a seat and its move"),
    ],
)
def test_a_broken_file_says_where(text: str, old: str, new: str, says: str) -> None:
    assert old in text
    with pytest.raises(RecordError, match=re.escape(says)):
        read(text.replace(old, new, 1))


def test_a_record_in_place_of_a_sheet_is_known_by_its_first_line(text: str) -> None:
    """The checker of sheets has that word for itself: it knows nothing of play."""
    assert [found.code for found in check_text(text).diagnostics] == ["recorded-game"]


def test_a_strange_line_of_a_record_is_not_said_again_whole(program: Program, text: str) -> None:
    for move in ("9" * 5000, "draw " + "9" * 5000, "flip" * 1000, "discard " + "KD " * 2000):
        strange = re.sub(r"\n1 .*", f"\n1 {move}", text, count=1)
        with pytest.raises(RecordError) as error:
            replay(read(strange), program)
        assert len(str(error.value)) < 600


def test_an_empty_file_says_so() -> None:
    for nothing in ("", "\n \n"):
        with pytest.raises(RecordError, match=r"the file is empty|line 1"):
            read(nothing)


@given(st.text())
def test_no_text_makes_the_reader_fall(text: str) -> None:
    for whole in (text, f"rulespec-game: 1\n{text}"):
        try:
            found = read(whole)
        except RecordError:
            continue
        assert isinstance(found, Record)


def test_a_record_may_have_been_saved_on_any_system(program: Program, text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(text.replace("\n", "\r\n").encode())

    assert replay(read(path.read_text(encoding="utf-8")), program).outcome is not None
