"""Computer players. Each is given a seat's view and answers with one of its legal moves; none knows a game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from interpreter.greedy import GreedyBot
from interpreter.moves import DONE, Move
from interpreter.planner import PlannerBot
from interpreter.search import SearchBot
from interpreter.view import SeatView

LOOK_AT: Final = 200
"""Legal moves of one kind that one is chosen from by chance."""


class Bot(Protocol):
    """A computer player."""

    def choose(self, view: SeatView) -> Move:
        """One of the legal moves of the view, which has at least one."""
        ...


class RandomBot:
    """A kind of move at random, then one of the first `LOOK_AT` legal moves of it.

    It keeps the duty of honour to make a move (`manners.must`), and never makes the one that stands for Undo.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, view: SeatView) -> Move:
        """Any legal move."""
        program = view.program
        kinds = view.legal_moves.makes()
        kinds = [kind for kind in kinds if kind != program.undo or kind == DONE] or kinds
        index = program.must if program.must in kinds and program.must != DONE else self.random.choice(kinds)
        return self.random.choice(view.legal_moves.some(index, LOOK_AT))


BOTS: dict[str, Callable[[Random], Bot]] = {
    "greedy": GreedyBot,
    "planner": PlannerBot,
    "search": SearchBot,
    "random": RandomBot,
}
"""Computer players by name; each is made with its own random stream."""
LEVELS: dict[int, str] = {1: "random", 2: "greedy", 3: "planner", 4: "search"}
"""How well they play, for people: a level to a name of BOTS."""
