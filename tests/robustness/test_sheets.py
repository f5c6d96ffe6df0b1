"""Sheets with odd numbers and odd texts: a diagnostic with its place, in bounded time."""

from __future__ import annotations

import pytest

from interpreter.compiler import compile_sheet
from interpreter.simulation import play_game
from rulespec.diagnostics import RulesheetError
from rulespec.loader import check_text, load_text
from tests.conftest import QUICK


def told(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of every error of a sheet."""
    found = check_text(text, "quick.yaml").diagnostics
    return [(d.code, d.span.line, d.span.column) for d in found if d.severity == "error"]


@pytest.mark.parametrize("players", ["0", "0-4", "2+", "2-101", "2-999999999", "below 3"])
def test_no_sheet_is_for_nobody_or_for_endlessly_many(players: str) -> None:
    assert told(QUICK.replace("players: 2-4", f"players: {players}")) == [("wrong-range", 4, 10)]


@pytest.mark.parametrize("line", ["packs: 5000", "packs: 999999999", "jokers: 301"])
def test_a_deck_too_large_to_play_with_is_refused(line: str) -> None:
    assert told(QUICK.replace("deal:\n", f"deck:\n  {line}\ndeal:\n", 1)) == [
        ("wrong-range", 9, len(f"  {line}") - len(line.split()[1]) + 1)
    ]


def test_a_deck_worked_out_too_large_is_refused_before_it_is_played() -> None:
    with pytest.raises(RulesheetError, match="with 2 players, `packs` would be 20000; it is from 0 to 50"):
        load_text(QUICK.replace("deal:\n", "deck:\n  packs: 10000 * players\ndeal:\n", 1))


# ------------------------------------------------------------ what is small as written and huge when worked out


def defined(count: int, body: str) -> str:
    """QUICK with so many definitions, each made of the one before; the last is asked of every discard."""
    lines = "".join(f"    w{number}: {body.replace('W', f'w{number - 1}')}\n" for number in range(1, count))
    define = f"define:\n  players:\n    w0: points of hand\n{lines}turn:"
    return QUICK.replace("turn:", define, 1).replace("it is not taken", f"w{count - 1} >= 0")


def phased(count: int, body: str) -> str:
    """QUICK with so many phases, each made of the one before; the turn begins with the last."""
    lines = "".join(f"  p{number}: {body.replace('P', f'p{number - 1}')}\n" for number in range(1, count))
    return QUICK.replace("turn: (draw or take)", f"phases:\n  p0: draw\n{lines}turn: p{count - 1}", 1)


@pytest.mark.parametrize(
    "text",
    [
        defined(19, "W + W"),
        defined(5, "max(W, W, W, W, W, W, W)"),
        defined(6, "total over everyone of W"),
        phased(19, "P or P"),
        phased(19, "P then P"),
        QUICK.replace("it is not taken", f"{'total over hand of (' * 6}1{')' * 6} > 0"),
    ],
    ids=["doubled", "sevenfold", "looped", "phase or", "phase then", "one phrase"],
)
def test_definitions_that_multiply_are_refused_at_once(text: str) -> None:
    assert [code for code, *_ in told(text)] == ["phrase-too-long"]


def test_definitions_may_build_on_one_another_within_reason() -> None:
    assert told(defined(8, "W + W")) == []
    assert told(defined(4, "total over everyone of W")) == []


# ------------------------------------------------------------ numbers that grow


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("everyone: points of hand", "everyone: score * score * score + points of hand + 7"),
        (
            "moves:\n",
            "tallies:\n  x: {of: table, for: game}\nmoves:\n  draw:\n    does: draw 1 then set x to x * x + 3\n",
        ),
    ],
    ids=["score", "tally"],
)
def test_numbers_that_multiply_themselves_stay_small_enough_and_are_told(old: str, new: str) -> None:
    text = QUICK.replace(old, new, 1).replace("rounds: 1 or 2", "rounds: 40 or 2")
    game = play_game(compile_sheet(load_text(text), players=2), ("greedy", "greedy"), 1, 0)

    assert len(game.rounds) == 40
    assert all(abs(number) <= 10**15 for number in (*game.state.scores, *game.state.tallies))
    assert list(game.defects) == ["quick: a score or tally beyond 1000000000000000"]
