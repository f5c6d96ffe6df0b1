"""What a round costs, and the guard against it costing more.

`python -m benchmarks.cost [SECONDS] [--plot FILE]`: for each bundled sheet with greedy players, rounds a second on one
core by the number of players; then a plain game by number of players, packs, cards dealt and jokers, with `--plot` that
alone, and drawn too (SVG). Figures move with the machine: compare those of one run.

`python -m benchmarks.cost --counts`: how many calls a few fixed rounds take in plain Python. That is the same on every
machine and in every run of one version of Python; `--record` writes it down, and the tests compare with what is written
(`tests/interpreter/test_cost.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

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
players: {players}
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
{worth}    J-K: 10
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
WORTH = "    joker: 15\n"
WILD = "wild:\n  cards: joker\n  stands-for: a named card\n"
USUAL = {"players": 2, "packs": 2, "hand": 10, "jokers": 0}
VARIED = {"players": (2, 3, 4, 6, 8), "packs": (1, 2, 4), "hand": (7, 10, 15, 20), "jokers": (0, 2, 4, 8)}


def plain(players: int, packs: int, hand: int, jokers: int) -> Rulesheet:
    """A game of drawing, laying and discarding, with nothing special."""
    wild, worth = (WILD, WORTH) if jokers else ("", "")
    text = PLAIN.format(players=players, packs=packs, hand=hand, jokers=jokers, wild=wild, worth=worth)
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


class Cost(NamedTuple):
    """What the plain game costs where one thing has this value and all others are as usual."""

    what: str
    value: int
    rounds_a_second: float
    move: float
    """Microseconds."""


def varied(seconds: float) -> Iterator[Cost]:
    """What the plain game costs, one thing changed at a time."""
    for what, values in VARIED.items():
        for value in values:
            program = compile_sheet(plain(**USUAL | {what: value}))
            rounds, moves, spent = measure(program, seconds)
            yield Cost(what, value, rounds / spent, 1e6 * spent / moves)


def drawing(costs: Sequence[Cost]) -> str:
    """What a move costs by each thing, as bars side by side (SVG)."""
    most, parts, left = max(cost.move for cost in costs), [], 0
    for what in VARIED:
        mine = [cost for cost in costs if cost.what == what]
        parts.append(_text(left + 22 * len(mine), 178, what))
        for number, cost in enumerate(mine):
            x, height = left + 44 * number, 120 * cost.move / most
            parts.append(f'<rect x="{x + 4}" y="{140 - height:.1f}" width="36" height="{height:.1f}" fill="#4477aa"/>')
            parts.append(_text(x + 22, 134 - height, f"{cost.move:.0f}"))
            parts.append(_text(x + 22, 156, str(cost.value)))
        left += 44 * len(mine) + 30
    style = 'font-family="sans-serif" font-size="12" text-anchor="middle"'
    title = "<title>Microseconds a move of the plain game</title>"
    inside = "\n".join([title, *parts])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left - 30} 186" {style}>\n{inside}\n</svg>\n'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.1f}">{text}</text>'


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="what a round costs")
    parser.add_argument("seconds", type=float, nargs="?", default=2.0, help="of processor time for each line")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="time the plain game alone, and draw it")
    parser.add_argument("--counts", action="store_true", help="count the calls of the fixed games")
    parser.add_argument("--record", action="store_true", help="count them, and write them down for the tests")
    chosen = parser.parse_args()
    if not (chosen.counts or chosen.record):
        for line in bundled_lines(chosen.seconds) if chosen.plot is None else ():
            print(line, flush=True)
        costs = []
        print(f"{'plain game':<20} {'value':>7} {'rounds/s':>9} {'us/move':>8}")
        for cost in varied(chosen.seconds):
            costs.append(cost)
            print(f"{cost.what:<20} {cost.value:>7} {cost.rounds_a_second:>9.1f} {cost.move:>8.0f}", flush=True)
        if chosen.plot is not None:
            chosen.plot.write_text(drawing(costs), encoding="utf-8")
        return
    found = counts()
    for name, calls in found.items():
        print(f"{name:<36} {calls:>9}")
    if chosen.record:
        RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
