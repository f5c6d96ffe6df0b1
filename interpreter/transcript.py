"""A game as people would write it down: what was done turn by turn, how each round ended, and the score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.game import Game
from interpreter.notation import cards_text
from interpreter.record import option_text
from interpreter.state import RoundResult

HEAD, CELL = 11, 10
"""Columns for the name of a line of the score sheet, and for each score."""


def transcript(game: Game, names: dict[str, str]) -> Iterator[str]:
    """The lines of a game that may be unfinished. `names` are those of the sheet's words for people."""
    program = game.program
    options = ", ".join(f"{names.get(name, name)} {option_text(value)}" for name, value in program.options.items())
    yield f"{program.name.get('en', program.sheet_id)}, {program.players} players" + (f"; {options}" if options else "")
    again = Game(program, seed=game.seed, index=game.index, shuffles=game.shuffles)
    yield from _deal(again)
    turn = None
    line = ""
    for move in game.moves:
        state = again.state
        seat = state.to_act
        here = (len(state.results), state.turn_number, seat)
        if here != turn:
            if line:
                yield line
            line = f"{state.turn_number:>4}  player {seat + 1}: "
        else:
            line += ", "
        turn = here
        line += again.text(move)
        known = len(again.rounds)
        again.play(move)
        for number, result in enumerate(again.rounds[known:], known + 1):
            yield line
            line, turn = "", None
            yield _round(number, result, names)
        if len(again.rounds) > known and again.outcome is None:
            yield from _deal(again)
    if line:
        yield line
    yield from _score_sheet(again)


def _deal(game: Game) -> Iterator[str]:
    state = game.state
    if game.outcome is not None:
        return
    yield ""
    yield f"round {state.round}, dealt by player {state.dealer + 1}"
    for seat, hand in enumerate(state.hands):
        yield f"      player {seat + 1} holds {cards_text(game.program, hand) or 'nothing'}"


def _round(number: int, result: RoundResult, names: dict[str, str]) -> str:
    winners = " and ".join(f"player {seat + 1}" for seat in result.winners) or "nobody"
    void = "; it does not count" if result.void else ""
    return f"round {number} is over: {names.get(result.ending, result.ending)}, won by {winners}{void}"


def _score_sheet(game: Game) -> Iterator[str]:
    """A column for each side, a line for each round, and the totals with what was added at the end."""
    what = "player" if game.program.sides == game.program.players else "side"
    yield ""
    yield _line("score", (f"{what} {side + 1}" for side in range(game.program.sides)))
    total = [0] * game.program.sides
    for number, result in enumerate(game.rounds, 1):
        total = [a + b for a, b in zip(total, result.scores, strict=True)]
        yield _line(f"round {number}", result.scores)
    final = game.outcome.scores if game.outcome is not None else tuple(game.state.scores)
    if final != tuple(total):
        yield _line("at the end", (a - b for a, b in zip(final, total, strict=True)))
    yield _line("total", final)
    if game.outcome is None:
        yield "the game is unfinished"
    elif game.outcome.winners:
        yield "won by " + " and ".join(f"player {seat + 1}" for seat in game.outcome.winners)
    else:
        yield "nobody won"


def _line(head: str, cells: Iterable[object]) -> str:
    return f"{head:<{HEAD}}" + "".join(f"{cell:>{CELL}}" for cell in cells)
