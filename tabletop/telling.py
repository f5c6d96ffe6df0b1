"""Moves, rounds and scores as lines of text for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from interpreter.figures import counted
from interpreter.game import Game
from interpreter.moves import DONE, Move, melds_of
from interpreter.notation import cards_text, meld_text
from interpreter.program import PUT
from interpreter.proposals import rearranges_only
from interpreter.state import RoundResult
from tabletop.picture import HIDDEN

_COPY = re.compile(r"#[0-9]+")


def told(game: Game, move: Move) -> str:
    """A move of whoever is to act; of one that rebuilds the table, the groups it changes and the cards laid down."""
    text = game.text(move)
    if move.move == DONE or not rearranges_only(game.program.moves[move.move]):
        return text
    program, state = game.program, game.state
    melds = melds_of(move)
    name, _, rest = text.partition(" ")
    written = rest.split(" / ")
    if not state.groups or len(written) != len(melds):
        return text
    lying = Counter(meld_text(program, group.meld) for group in state.groups)
    changed = []
    for meld, said in zip(melds, written, strict=True):
        if lying[meld_text(program, meld)]:
            lying[meld_text(program, meld)] -= 1
        else:
            changed.append(said)
    laid = state.hands[state.to_act] & sum(meld.mask for meld in melds)
    return f"{name} {' / '.join(changed)}   (laid: {cards_text(program, laid)})" if changed else text


def seen(game: Game, move: Move) -> str:
    """A move as the others see it: without the cards that are put face down, twins not told apart."""
    program = game.program
    actions = program.moves[move.move].actions if move.move != DONE else ()
    if not any(action.kind == PUT and action.flag for action in actions):
        return _COPY.sub("", told(game, move))
    melds = [meld_text(program, meld) for meld in melds_of(move)]
    return " / ".join([f"{program.moves[move.move].name} {HIDDEN}", *melds])


def side_names(game: Game, name: Callable[[int], str]) -> list[str]:
    """Each side by those who play it: `you and player 3`."""
    program = game.program
    seats = range(program.players)
    return [
        " and ".join(name(seat) for seat in seats if program.side_of(seat) == side) for side in range(program.sides)
    ]


def round_text(result: RoundResult, sides: list[str], ending: str, winners: str) -> str:
    """What a round brought."""
    void = "; it does not count" if result.void else ""
    points = ", ".join(f"{side} {score:+}" for side, score in zip(sides, result.scores, strict=True))
    return f"the round is over ({ending}): {winners or 'nobody'} won; points: {points}{void}"


def score_sheet(game: Game, sides: list[str], say: Mapping[str, str], width: int) -> str:
    """What each side got in each round, and the totals. A narrow terminal gets no endings, or sides by number."""
    if not game.rounds:
        return "no round is over yet"
    totals = game.state.scores
    rows = [(f"round {number}", result.scores) for number, result in enumerate(game.rounds, 1)]
    heads = sides
    if _wide(heads, len(rows)) > width:  # too narrow for whole names
        heads = [side if side == "you" else f"({number})" for number, side in enumerate(sides, 1)]
    wide = [max(6, len(head)) for head in heads]
    first = max(len("total"), *(len(name) for name, _ in rows))
    lines = [_row("", heads, wide, first)]
    for (name, scores), result in zip(rows, game.rounds, strict=True):
        line = _row(name, [str(score) for score in scores], wide, first)
        ending = f"  {say.get(result.ending, result.ending)}" + (" (does not count)" if result.void else "")
        lines.append(line + ending if len(line + ending) <= width else line)
    lines.append(_row("total", [str(score) for score in totals], wide, first))
    if heads != sides:
        lines += [f"{head}: {side}" for head, side in zip(heads, sides, strict=True) if head != side]
    return "\n".join(lines)


def _wide(heads: list[str], rounds: int) -> int:
    return len(f"round {rounds}") + sum(2 + max(6, len(head)) for head in heads)


def _row(name: str, cells: list[str], wide: list[int], first: int) -> str:
    return f"{name:<{first}}" + "".join(f"  {cell:>{columns}}" for cell, columns in zip(cells, wide, strict=True))


def clock_text(seconds: float) -> str:
    """How much of the time for a turn is left."""
    return f"you have {counted(max(0, round(seconds)), 'second')} for this turn"
