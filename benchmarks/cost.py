"""What a round costs, and the guard against it costing more.

`python -m benchmarks.cost [SECONDS]`: for each bundled sheet with greedy players, rounds a second on one core by the
number of players; then a plain game by number of players, packs, cards dealt and jokers. Figures move with the machine:
compare those of one run.

`python -m benchmarks.cost --counts`: how many calls a few fixed rounds take in plain Python. That is the same on every
machine and in every run of one version of Python; `--record` writes it down, and the tests compare with what is written
(`tests/interpreter/test_cost.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from benchmarks.rounds import measure
from interpreter.bots import BOTS
from interpreter.compiler import compile_sheet
from interpreter.errors import NotPlayable
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import bundled, check_file, check_text
from rulespec.model import Rulesheet

RECORDED = Path(__file__).with_name("cost.json")
COUNTED = (
    ("gin-one-deal", 2, "random", 40),
    ("basic-rummy", 2, "greedy", 40),
    ("romme-playgridia", 4, "greedy", 40),
    ("tonk", 2, "greedy", 40),
    ("knock-rummy", 2, "greedy", 12),
    ("samba", 4, "random", 12),
    ("manipulation", 2, "random", 6),
)
"""Sheet, players, computer player and the moves of one game that are counted."""


# ------------------------------------------------------------ counted


def calls_of(program: Program, bot: str, moves: int) -> int:
    """How many functions are called, Python's own among them, by the first moves of a fixed game after its deal."""
    game = Game(program, "cost")
    bots = [BOTS[bot](Random(f"cost/{seat}")) for seat in range(program.players)]
    calls = 0

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1

    sys.setprofile(count)
    try:
        for _ in range(moves):
            if game.to_act is None:
                break
            game.play(bots[game.to_act].choose(game.view(game.to_act)))
    finally:
        sys.setprofile(None)
    return calls


def counts() -> dict[str, int]:
    """The calls of each of the games that are counted."""
    found = {}
    for name, players, bot, moves in COUNTED:
        sheet = check_file(name).sheet
        assert sheet is not None, name
        found[f"{name}, {players} players, {bot}"] = calls_of(compile_sheet(sheet, players), bot, moves)
    return found


# ------------------------------------------------------------ timed

PLAIN = """\
rulespec: 1
id: plain
name: {{en: Plain}}
sources: made for measuring
players: 2-8
deck:
  packs: {packs}
  jokers: {jokers}
{wild}deal:
  hand: {hand}
  discards: 1
melds:
  set:
    cards: 3-4
    same: rank
  run:
    cards: 3-13
    same: suit
    consecutive: rank
values:
  everywhere:
    joker: 15
    J-K: 10
    2-10: pips
    A: 1
turn: (draw or take) then any number of (meld or lay-off) then discard
round:
  wins: ender
  scores:
    ender: total over others of points of hand
  endings:
    out: hand is empty
    dry: turn is over and stock is dry
game:
  ends: round = 1
  wins: everyone with most score
"""
WILD = "wild:\n  cards: joker\n  stands-for: a named card\n"
USUAL = {"players": 2, "packs": 2, "hand": 10, "jokers": 0}
VARIED = {"players": (2, 3, 4, 6, 8), "packs": (1, 2, 4), "hand": (7, 10, 15, 20), "jokers": (0, 2, 4, 8)}


def plain(packs: int, hand: int, jokers: int) -> Rulesheet:
    """A game of drawing, laying and discarding, with nothing special."""
    text = PLAIN.format(packs=packs, hand=hand, jokers=jokers, wild=WILD if jokers else "")
    checked = check_text(text, "plain.yaml")
    assert checked.sheet is not None, [str(each) for each in checked.diagnostics]
    return checked.sheet


def bundled_lines(seconds: float) -> Iterator[str]:
    """Rounds a second of each bundled sheet, by number of players."""
    yield f"{'sheet':<20} {'players':>7} {'rounds/s':>9} {'moves/round':>11} {'us/move':>8}"
    for name in bundled():
        sheet = check_file(name).sheet
        if sheet is None:
            continue
        for players in range(sheet.players.low, sheet.players.high + 1):
            if players not in sheet.players:
                continue
            try:
                rounds, moves, spent = measure(compile_sheet(sheet, players), seconds)
            except NotPlayable as reason:
                yield f"{name:<20} {reason}"
                break
            each = 1e6 * spent / moves
            yield f"{name:<20} {players:>7} {rounds / spent:>9.1f} {moves / max(1, rounds):>11.1f} {each:>8.0f}"


def varied_lines(seconds: float) -> Iterator[str]:
    """What a move of the plain game costs, one thing changed at a time."""
    yield f"{'plain game':<20} {'value':>7} {'rounds/s':>9} {'us/move':>8}"
    for what, values in VARIED.items():
        for value in values:
            how = USUAL | {what: value}
            program = compile_sheet(plain(how["packs"], how["hand"], how["jokers"]), how["players"])
            rounds, moves, spent = measure(program, seconds)
            yield f"{what:<20} {value:>7} {rounds / spent:>9.1f} {1e6 * spent / moves:>8.0f}"


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="what a round costs")
    parser.add_argument("seconds", type=float, nargs="?", default=2.0, help="of processor time for each line")
    parser.add_argument("--counts", action="store_true", help="count the calls of the fixed games")
    parser.add_argument("--record", action="store_true", help="count them, and write them down for the tests")
    chosen = parser.parse_args()
    if not (chosen.counts or chosen.record):
        for lines in (bundled_lines(chosen.seconds), varied_lines(chosen.seconds)):
            for line in lines:
                print(line, flush=True)
        return
    found = counts()
    for name, calls in found.items():
        print(f"{name:<36} {calls:>9}")
    if chosen.record:
        RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
