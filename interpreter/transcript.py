"""A game as people would write it down: what was done turn by turn, how each round ended, and the score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.game import Game
from interpreter.notation import cards_text
from interpreter.record import option_text
from interpreter.state import AFTER_ROUND, BEFORE_DEAL, RoundResult

HEAD, CELL = 11, 10
"""Columns for the name of a line of the score sheet, and for each score."""


def transcript(game: Game, names: dict[str, str]) -> Iterator[str]:
    """The lines of a game that may be unfinished. `names` are those of the sheet's words for people."""
    program = game.program
    options = ", ".join(f"{names.get(name, name)} {option_text(value)}" for name, value in program.options.items())
    yield f"{program.name.get('en', program.sheet_id)}, {program.players} players" + (f"; {options}" if options else "")
    again = Game(program, seed=game.seed, index=game.index, shuffles=game.shuffles)
    news = _News(again, names)
    yield from news
    turn = None
    line = ""
    for move in game.moves:
        state = again.state
        seat = state.to_act
        here = (len(state.results), state.turn_number, seat)
        if here != turn and line:
            yield line
            line = ""
        turn = here
        line = f"{line}, " if line else f"{state.turn_number:>4}  player {seat + 1}: "
        line += again.text(move)
        again.play(move)
        told = list(news)
        if told:
            yield line
            line = ""
            yield from told
    if line:
        yield line
    yield from _score_sheet(again)


class _News:
    """What became of a game since it was asked last, besides the moves: rounds that are over, a new round, its deal."""

    def __init__(self, game: Game, names: dict[str, str]) -> None:
        self.game = game
        self.names = names
        self.told = 0
        """Rounds told of that are over."""
        self.begun = self.dealt = 0
        """Rounds told of that were begun, and those whose hands were told."""

    def __iter__(self) -> Iterator[str]:
        state = self.game.state
        for number, result in enumerate(state.results[self.told :], self.told + 1):
            if number > self.begun:  # it was over as soon as it was dealt
                yield ""
            yield _round(number, result, self.names)
        self.told = len(state.results)
        if self.game.to_act is None or state.stage == AFTER_ROUND:
            return
        now = self.told + 1
        if self.begun < now:
            self.begun = now
            yield ""
            yield f"round {state.round}, dealt by player {state.dealer + 1}"
        if self.dealt < now and state.stage != BEFORE_DEAL:
            self.dealt = now
            for seat, hand in enumerate(state.hands):
                yield f"      player {seat + 1} holds {cards_text(self.game.program, hand) or 'nothing'}"


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
