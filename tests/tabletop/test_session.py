"""A game at a terminal: whole games by script, refusals with the line of the sheet, rebuilding, saving, no peeping."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import cli
from interpreter.bots import BOTS
from interpreter.compiler.rule_text import names_for_people, rule_lines
from interpreter.game import Game
from interpreter.notation import meld_text
from interpreter.state import RoundResult
from rulespec.loader import load
from tabletop.picture import fitted, picture, with_symbols
from tabletop.session import Session, TimeUp
from tabletop.telling import score_sheet, side_names, told
from tabletop.terminal import Terminal, completions
from tests.interpreter.rebuilding import position, program
from tests.interpreter.table import program_of


class Script:
    """Somebody who says what was written down, then, if anything, the same for ever."""

    def __init__(self, said: Iterable[str], then: str | None = None) -> None:
        self.said = iter(said)
        self.then = then
        self.heard: list[str] = []

    def ask(self, prompt: str, words: tuple[str, ...], seconds: float | None = None) -> str | None:
        assert prompt
        assert words is not None
        assert seconds is None or seconds > 0
        return next(self.said, self.then)

    def tell(self, text: str) -> None:
        self.heard.append(text)

    def save(self, path: str, game: Game) -> str:
        return f"{path}: {len(game.moves)} moves"

    @property
    def text(self) -> str:
        return "\n".join(self.heard)


def session(game: Game, script: Script, sheet: str = "", seat: int = 0) -> Session:
    others = {s: BOTS["greedy"](Random(f"{s}")) for s in range(game.program.players) if s != seat}
    rules = load(sheet) if sheet else None
    known = rule_lines(rules) if rules else {}
    names = names_for_people(rules, "en") if rules else {}
    return Session(game, seat, others, script, names, lambda because: known.get(because, because))


def rebuilt(sheet: str, hand: str, *table: str) -> Game:
    rules = program(sheet)
    return Game(rules, state=position(rules, hand, *table))


@pytest.mark.parametrize("sheet", ["gin", "romme-500", "machiavelli", "carousel", "tonk"])
def test_a_game_is_played_to_its_end(sheet: str) -> None:
    """Always the first of the listed moves; 3000 words are more than any of these games takes."""
    script = Script(iter(["1"] * 3000))
    assert session(Game(program_of(sheet, 2), seed=3), script, sheet).run()
    assert " the game; scores: " in script.heard[-1]
    assert "the round is over (" in script.text


def test_a_set_was_torn_in_a_hand_that_is_always_shown_by_suit() -> None:
    script = Script(["sort", "sort rank", "take", "table", "sort suit"])
    game = Game(program_of("gin", 2), seed=4)
    session(game, script).run()

    assert "say `sort rank` or `sort suit`" in script.heard
    hands = re.findall(r"^your hand \(\d+\): (.*)$", script.text, re.MULTILINE)
    assert hands[:2] == ["8S 9S QS KS QH KH 4D KD 7C 8C", "4D 7C 8S 8C 9S QS QH KS KH KD"]
    assert hands[2:] == [*["4D 7C 8S 8C 9S JC QS QH KS KH KD"] * 2, "8S 9S QS KS QH KH 4D KD 7C 8C JC"]
    listed = [re.findall("discard ([0-9AJQK]+[SHDC])", text) for text in script.heard if "you can:" in text]
    assert sorted(listed[2]) == sorted(listed[4])


def test_what_is_left_of_a_hand_is_shown_in_its_order_where_the_table_is_rebuilt() -> None:
    script = Script(["sort rank", "play", "8H 9H 10H new"])
    session(rebuilt("machiavelli", "8H 9H 10H KS 4D KD"), script, "machiavelli").run()

    assert "left in your hand: 4D KS KD" in script.text


def test_a_refusal_shows_the_line_of_the_sheet() -> None:
    script = Script(["draw", "discard 5D", "knock 5D"])
    game = Game(program_of("gin", 2), seed=3)
    game.play("take")
    taken = game.view(0).named
    assert any(taken)
    assert not session(game, script, "gin").run()
    assert "not allowed: only when, after this move, it is not taken   (" in script.text
    assert "gin.yaml:" in script.text
    assert "not allowed: not at this point of the turn" in script.text


def test_what_is_put_face_down_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card put away at a knock lies face down; the groups are shown."""
    script = Script([], "1")
    game = Game(program_of("gin", 2), seed=3)
    told: list[tuple[str, str]] = []
    play = Game.play

    def watched(self: Game, move: object) -> None:
        told.append((self.text(move), ""))  # type: ignore[arg-type]
        play(self, move)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "play", watched)
    session(game, script, "gin").run()
    knocks = [line for line in script.heard if line.startswith("player 2: knock")]
    real = [text for text, _ in told if text.startswith("knock")]

    assert knocks
    assert all(line.startswith("player 2: knock ##") for line in knocks)
    assert not any(text in line for line in knocks for text in real)


def test_unknown_words_change_nothing() -> None:
    words = [
        "",
        "flip",
        "discard",
        "99999999999",
        "0",
        "moves flip",
        "discard KD KD",
        "undo",
        "score",
        "save x",
        "help",
        "\x00",
    ]
    script = Script(words)
    game = Game(program_of("romme-500", 2), seed=3)
    before = game.state
    assert not session(game, script).run()
    assert game.state is before
    for part in (
        "no move is called",
        "there is no move 0",
        'there is no legal "flip"',
        "x: 0 moves",
        "no round is over",
    ):
        assert part in script.text


def test_a_move_is_taken_back_while_nobody_saw_a_new_card() -> None:
    script = Script(["take", "undo", "draw", "undo"])
    game = Game(program_of("romme-500", 2), seed=3)
    session(game, script).run()
    assert game.move_texts() == ("draw",)
    assert "your last move cannot be taken back" in script.text


def test_the_table_is_rebuilt_word_by_word() -> None:
    game = rebuilt("machiavelli", "3S 3D KC", "3H 4H 5H 6H")
    script = Script(["play", "split 1 2", "3S 3D to 1", "done"])
    session(game, script).run()
    assert [sorted(len(group.meld.cards) for group in game.state.groups)][0][:2] == [3, 3]
    assert "left in your hand: KC" in script.text


@pytest.mark.parametrize("cards", ["3S 3D", "3s 3d", "3♠ 3♦"])
def test_a_copy_takes_cards_as_they_are_shown(cards: str) -> None:
    game = rebuilt("machiavelli", "3S 3D KC", "3H 4H 5H 6H")
    script = Script(["play", "split 1 2", f"{cards} to 1", "99X to 1", "done"])
    session(game, script).run()
    assert "left in your hand: KC" in script.text
    assert "'99X' is no card of this deck" in script.text
    assert len(game.moves) > 0


def test_a_copy_that_is_no_play_says_why_and_stays() -> None:
    game = rebuilt("machiavelli", "3S 3D KC", "3H 4H 5H 6H")
    words = [
        "play",
        "done",
        "KC new",
        "done",
        "back 4H",
        "split 1 9",
        "join 1 1",
        "7D to 1",
        "3S to x",
        "sing",
        "undo",
        "drop",
    ]
    script = Script(words)
    before = game.state
    session(game, script).run()
    assert game.state is before
    parts = (
        "not allowed: ",
        "KC is no group",
        "did not come from the hand",
        "split between two",
        "joined to itself",
        "there is no 7D",
        '"x" is no number',
        "'sing' says nothing here",
        "everything lies as it did",
    )
    for part in parts:
        assert part in script.text


def test_a_copy_that_was_begun_is_given_up_where_the_sheet_says_so() -> None:
    rules = program_of("machiavelli", 2, (("unfinished", "draw-3"),))
    game = Game(rules, state=position(rules, "3S 3D KC", "3H 4H 5H 6H"))
    script = Script(["play", "drop", "play", "KC new", "drop", "give-up"])
    session(game, script).run()
    assert script.text.count("everything lies as it did") == 1
    assert 'is given up by "give-up"' in script.text
    assert game.move_texts()[0] == "give-up"


def test_the_reminder_names_a_card_and_the_second_word_goes_through() -> None:
    rules = program("manipulation")
    game = Game(rules, state=position(rules, "7H KC", "4H 5H 6H"))
    script = Script(["draw", "draw"])
    session(game, script).run()
    assert "7H can be laid, with group 1; nothing need be rebuilt for it; say it again" in script.text
    assert game.move_texts()[0] == "draw"


def test_another_move_than_the_one_asked_about_is_asked_about_too() -> None:
    """The sheet warns of drawing while a card can be laid; what was asked about another move is no leave for it."""
    rules = program("manipulation")
    game = Game(rules, state=position(rules, "7H KC", "4H 5H 6H"))
    script = Script(["draw"])
    first = session(game, script)
    first.run()
    asked = first._warned
    script.said = iter(["table", "draw"])
    first._warned = next(move for move in game.legal_moves if move != asked)
    first.run()
    assert script.text.count("say it again") == 2
    assert not game.moves


def test_a_refusal_names_the_nearest_legal_moves() -> None:
    game = Game(program_of("gin", 2), seed=3)
    game.play("take")
    taken = next(move for move in game.legal_moves if game.text(move).startswith("discard"))
    card = game.text(taken).split()[1]
    script = Script(["knock 5D", f"discard {card} {card}", "hnit"])
    session(game, script, "gin").run()
    assert "  now you can: " in script.text or "  you could: " in script.text
    assert 'did you mean "hint"?' in script.text


def test_the_picture_shows_nothing_a_seat_cannot_see() -> None:
    program_of_gin = program_of("gin", 2)
    game = Game(program_of_gin, seed=3)
    state = game.state.copy()
    stock = list(state.piles[program_of_gin.stock])
    hidden = next(card for card in range(52) if state.hands[1] >> card & 1)
    state.hands[1] ^= 1 << hidden | 1 << stock[0]
    state.piles[program_of_gin.stock] = (hidden, *stock[1:])
    names = {0: "you", 1: "player 2"}
    lines = [list(picture(g.view(0), names, {}, 80)) for g in (game, Game(program_of_gin, state=state))]

    assert lines[0] == lines[1]


def test_cards_get_symbols_and_words_do_not() -> None:
    assert with_symbols("discard 10H on 4S JK=QD, A5 HS") == "discard 10♥ on 4♠ JK=Q♦, A5 HS"


# ------------------------------------------------------------ the command


def run(*words: str | Path, said: str = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(cli.main, ["play", *map(str, words)], input=said)
    return done.exit_code, done.stdout, done.stderr


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "kept.game"
    code, _, err = run("romme-500", "--seed", "3", said=f"draw\nsave {file}\nquit\n")
    again, out, _ = run("romme-500", "--load", file, said="moves\n")
    other, _, wrong = run("gin", "--load", file)

    assert (code, again, other) == (0, 0, 1)
    assert "`save FILE` would have kept it" in err
    assert "you can:" in out
    assert "turn 1" in out
    assert "draw" not in out.split("you can:")[1]
    assert "romme-500" in wrong


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gin", "--opponents", "3"], '"gin" is for 2 players, not 4'),
        (["gin", "--seat", "3"], "there are seats 1 to 2"),
        (["gin", "--level", "5"], "5 is not in the range"),
        (["no-such-game"], 'there is no bundled sheet "no-such-game"'),
        (["gin", "--load", "nowhere.game"], "nowhere.game"),
    ],
)
def test_what_cannot_be_played_is_said(words: list[str], message: str) -> None:
    code, _, err = run(*words)

    assert code == cli.WRONG_USAGE
    assert message in err


def test_the_end_of_the_input_leaves_the_game() -> None:
    code, out, err = run("gin", "--level", "1", said="")

    assert code == 0
    assert "your hand (" in out
    assert "the game is not over" in err


def test_bytes_that_are_no_text_do_not_end_the_game() -> None:
    done = CliRunner().invoke(cli.main, ["play", "basic-rummy", "--seed", "1"], input=b"\xff\xfe\nscore\n")

    assert done.exit_code == 0, done.stderr
    assert "no round is over yet" in done.stdout


def test_only_the_games_own_file_is_written_over(tmp_path: Path) -> None:
    other, own = tmp_path / "letter.txt", tmp_path / "own evening.game"
    other.write_text("dear aunt")
    said = f"save\nsave {other}\nsave {own}\nsave {own}\nsave\nquit\n"
    _, out, _ = run("basic-rummy", "--seed", "1", said=said)
    _, again, _ = run("basic-rummy", "--load", own, said="save\nquit\n")
    _, strange, _ = run("basic-rummy", "--seed", "1", said=f"save {own}\nquit\n")

    assert other.read_text() == "dear aunt"
    assert "say in which file, as in `save evening.game`" in " ".join(out.split())
    assert "letter.txt" in out
    assert "is there already and not from this game" in " ".join(out.split())
    assert out.count("go on later with") == 3
    assert again.count("go on later with") == 1
    assert "go on later with" not in strange
    assert own.read_text().startswith("rulespec-game: 1")


def test_characters_a_terminal_would_heed_are_spelled_out() -> None:
    _, out, err = run("basic-rummy", "--seed", "1", said="save a\x1b[31mb\x07/c\nflip\x1b]0;x\x07\n\u202ex\n")
    _, _, load = run("no\x1b[31mwhere")

    assert "\x1b" not in out + err + load
    assert "\x07" not in out + err + load
    assert "\u202e" not in out
    assert "a<U+001B>[31mb<U+0007>/c" in out
    assert "no<U+001B>[31mwhere" in load


def test_long_lines_are_wrapped_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = run("romme-500", "--seed", "3", said="draw\nmoves\nhelp\ndiscard\nsave\n")

    assert max(len(line) for line in out.splitlines()) <= 40


def test_a_file_name_that_cannot_be_is_told() -> None:
    done = CliRunner().invoke(cli.main, ["play", "basic-rummy", "--seed", "1"], input="save a\0b\nscore\n")

    assert done.exit_code == 0, done.stderr
    assert "cannot be written" in done.stdout
    assert "no round is over yet" in done.stdout


def test_only_what_changes_on_the_table_is_told_of_a_rebuilt_one() -> None:
    """A card goes to the second of two groups; the first, which stays, is not told. What was listed can be said."""
    game = rebuilt("machiavelli", "8C KD", "4S 4H 4D", "5C 6C 7C")
    move = next(game.legal_moves.of(game.program.move_index("play")))
    assert told(game, move) == "play 5C 6C 7C 8C   (laid: 8C)"

    script = Script(["play 5c 6c 7c 8c", "quit"])
    session(game, script, "machiavelli").run()
    assert "play 5C 6C 7C 8C   (laid: 8C)" in script.text
    assert "8C" in cards_laid(game)


def cards_laid(game: Game) -> str:
    return " ".join(meld_text(game.program, group.meld) for group in game.state.groups)


def test_twins_of_others_are_not_numbered() -> None:
    """Of two 3S in a hand, one just taken, the sheet's text says which; the others at the table cannot know."""
    game = Game(program_of("samba", 4), seed=3)
    script = Script(["1"] * 60)
    session(game, script, "samba").run()
    others = [line for line in script.heard if line.startswith("player ")]
    assert others
    assert not any("#" in line.replace("##", "") for line in others)


def test_points_and_scores_are_told_with_the_names_of_those_who_have_them() -> None:
    game = Game(program_of("tonk", 3), seed=3)
    script = Script([], "1")
    session(game, script, "tonk").run()
    over = next(line for line in script.heard if line.startswith("the round is over"))
    assert re.search(r"points: you [+-]\d+, player 2 [+-]\d+, player 3 [+-]\d+", over)
    assert re.search(r"scores: you -?\d+, player 2 -?\d+, player 3 -?\d+", script.heard[-1])

    sides = side_names(game, lambda seat: "you" if seat == 0 else f"player {seat + 1}")
    for width in (40, 80):
        sheet = score_sheet(game, sides, {}, width).split("\n")
        assert sheet[0].split() == ["you", "player", "2", "player", "3"]
        assert all(len(line) <= width for line in sheet)


def test_a_score_sheet_too_wide_for_names_has_numbers_and_says_whose() -> None:
    game = Game(program_of("samba", 4), seed=3)
    game.state.results = (RoundResult("out", 0, (0, 2), (300, 50), 9, False, 0),)
    sides = side_names(game, lambda seat: "you" if seat == 0 else f"player {seat + 1}")
    assert sides == ["you and player 3", "player 2 and player 4"]
    lines = score_sheet(game, sides, {}, 40).split("\n")
    assert lines[0].split() == ["(1)", "(2)"]
    assert lines[-2:] == ["(1): you and player 3", "(2): player 2 and player 4"]


def test_the_person_is_told_who_has_the_turn_when_asked_out_of_turn() -> None:
    script = Script(["1"] * 60)
    session(Game(program_of("liverpool-rummy", 4), seed=2), script, "liverpool-rummy").run()
    asked = [text for text in script.heard if "buy" in text and "done   (leave it)" in text]
    assert asked
    assert re.search(r"round \d+, turn \d+: player \d has the turn, you are asked", script.text)


def test_partners_are_told_from_the_other_side() -> None:
    game = Game(program_of("samba", 4), seed=3)
    lines = list(picture(game.view(1), {seat: str(seat) for seat in range(4)}, {}, 80))
    assert sum("(your side)" in line for line in lines) == 2
    assert sum("(side 1)" in line for line in lines) == 2


def test_the_top_of_a_pile_is_named_and_a_pile_of_the_table_is_nobodys() -> None:
    game = Game(program_of("romme-playgridia", 2), seed=3)
    while game.view(0).turn_number < 5:
        game.play(next(iter(game.legal_moves)))
    lines = list(picture(game.view(0), {0: "you", 1: "player 2"}, {}, 80))
    assert any(re.match(r"discards \(\d+, top last\): ", line) for line in lines)
    assert any(line.startswith("stock: ") for line in lines)


def test_groups_are_not_broken_at_the_end_of_a_line() -> None:
    groups = ["4S 4H 4D 4C", "AS 2S 3S", "10H JH QH KH", "8D 9D 10D"]
    for width in range(34, 60):
        lines = fitted("    1  play " + " / ".join(groups), width)
        assert all(len(line) <= width for line in lines)
        assert all(any(group in line for line in lines) for group in groups)


def test_explanations_are_wrapped_below_each_other() -> None:
    lines = fitted("  undo            take your last move back, if nobody has seen a new card by it", 40)
    assert len(lines) > 1
    assert all(line.startswith(" " * 18) and line[18] != " " for line in lines[1:])


def test_tab_completes_names_with_hyphens_and_the_cards_behind_them() -> None:
    words = ("draw", "lay-off", "lay-off 7S on 4S 5S 6S", "discard KD", "discard KS", "undo", "… to", "… 7H")
    assert completions(words, "", "lay-") == ["lay-off"]
    assert completions(words, "discard ", "k") == ["KD", "KS"]
    assert completions(words, "lay-off 7♠ ", "o") == ["on"]
    assert completions(words, "7H 8H ", "t") == ["to"]
    assert "draw" not in completions(words, "discard ", "")


class Slow(Script):
    """Somebody who thinks for so long before each word."""

    def __init__(self, said: Iterable[str], thinks: float, alarm: bool) -> None:
        super().__init__(said)
        self.thinks, self.alarm, self.now = thinks, alarm, 0.0

    def ask(self, prompt: str, words: tuple[str, ...], seconds: float | None = None) -> str | None:
        said = super().ask(prompt, words, seconds)
        self.now += self.thinks
        if said is not None and self.alarm and seconds is not None and seconds < self.thinks:
            raise TimeUp
        return said


@pytest.mark.parametrize("alarm", [True, False], ids=["interrupted", "told-late"])
def test_the_clock_of_a_sheet_runs_out(alarm: bool) -> None:
    """45 seconds a turn; the sheet then draws and puts the card drawn away. The next turn has its own time."""
    slow = Slow(["table"] * 9, 20, alarm)
    game = Game(program_of("romme-playgridia", 2), seed=3)
    played = session(game, slow, "romme-playgridia")
    played.clock = lambda: slow.now
    assert not played.run()
    assert "you have 45 seconds for this turn" in slow.text
    assert "you have 25 seconds for this turn" in slow.text
    assert re.search(r"your time is over; made for you: draw, then discard ", slow.text)
    assert slow.text.count("your time is over") == 3


def test_nobodys_time_is_kept_in_a_script() -> None:
    script = Script(["table"] * 3)
    session(Game(program_of("romme-playgridia", 2), seed=3), script, "romme-playgridia").run()
    assert "seconds for this turn" not in script.text


def test_a_terminal_that_knows_no_colours_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    coloured = {}
    for term in ("xterm", "dumb"):
        monkeypatch.setenv("TERM", term)
        coloured[term] = Terminal()._colours
    assert coloured == {"xterm": True, "dumb": False}


def test_how_long_a_player_thinks_can_be_said() -> None:
    done = CliRunner().invoke(
        cli.main, ["play", "tonk", "--level", "4", "--think", "0.05", "--seed", "1"], input="1\n1\n"
    )

    assert done.exit_code == 0
    assert "player 2: " in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--think", "2"), "only level 4 thinks for a time; add --level 4"),
        (("--level", "4", "--think", "0"), "0.0 is not in the range"),
        (("--level", "4", "--think", "inf"), "inf is not in the range"),
        (("--level", "4", "--think", "nan"), "nan is no number to reckon with"),
    ],
)
def test_a_time_to_think_that_cannot_be_is_said(words: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(cli.main, ["play", "tonk", *words], input="")

    assert done.exit_code == 2
    assert message in done.stderr
