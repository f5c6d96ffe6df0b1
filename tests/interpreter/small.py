"""Small sheets for tests of single means of the language: what is not said comes from here."""

from __future__ import annotations

from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.moves import DONE, Move
from interpreter.program import Program
from rulespec.checker import check
from rulespec.inheritance import resolve
from rulespec.reader import read_text
from rulespec.shape import check_shape

BASE = {
    "deal": "  hand: 3\n  discards: 1",
    "melds": "  set:\n    cards: 3-4\n    same: rank\n  run:\n    cards: 3-13\n    same: suit\n    consecutive: rank",
    "values": "  hand:\n    A: 1\n    2-10: pips\n    J-K: 10",
    "turn": "draw then discard",
    "round": "  wins: everyone with least points of hand\n  scores:\n    everyone: points of hand\n  endings:\n"
    "    out: hand is empty\n    dry: turn is over and stock is dry",
    "game": "  ends: round = 1\n  wins: everyone with least score",
}
"""Sections of a game in which a card is drawn and one put away until the stock is dry."""


def sheet_text(players: int = 2, **sections: str) -> str:
    """The text of a sheet: `BASE` with some sections replaced or added, each as its indented lines."""
    parts = BASE | sections
    lines = ["rulespec: 1", "id: small", "name: {en: Small}", f"players: {players}"]
    for key, text in parts.items():
        lines.append(f"{key}:\n{text}" if text.startswith(" ") else f"{key}: {text}")
    return "\n".join(lines) + "\n"


def program(players: int = 2, **sections: str) -> Program:
    """The program of such a sheet; the analysis is left out, so a test may leave out what a whole game needs."""
    resolved = resolve(read_text(sheet_text(players, **sections), "small.yaml"), None)
    assert resolved is not None
    written, problems = check_shape(resolved.tree, resolved.complete)
    assert written is not None, problems
    sheet, problems = check(written, resolved.ancestors, "")
    assert sheet is not None, problems
    return compile_sheet(sheet, players)


def game(players: int = 2, **sections: str) -> Game:
    """A game of such a sheet."""
    return Game(program(players, **sections))


def first(game: Game, name: str) -> Move:
    """The first legal move of a kind."""
    if name == "done":
        return Move(DONE)
    return next(game.legal_moves.of(game.program.move_index(name)))


def make(game: Game, *names: str) -> Game:
    """Make the first legal move of each kind in turn."""
    for name in names:
        game.play(first(game, name))
    return game
