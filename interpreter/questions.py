"""Questions a game may answer, to keep the records of those that do: `ending = blocked and turns > 60`.

A question holds of a game if some round of it meets all its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from interpreter.game import Game
from interpreter.program import Program
from interpreter.state import RoundResult

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_PART = re.compile(r"\s*([a-z]+)\s*(<=|>=|!=|=|<|>)\s*([a-z0-9-]+)\s*")


class QuestionError(ValueError):
    """A question that cannot be asked; the text says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """Parts that one round must all meet: what is asked, how it is compared, and with what."""

    parts: tuple[tuple[str, str, str | int], ...]

    def __call__(self, game: Game) -> bool:
        """Whether some round of a game meets it."""
        return any(
            all(OPERATORS[how](_asked(what, number, result), value) for what, how, value in self.parts)
            for number, result in enumerate(game.rounds, 1)
        )


def _asked(what: str, number: int, result: RoundResult) -> str | int:
    values: dict[str, str | int] = {
        "ending": result.ending,
        "turns": result.turns,
        "round": number,
        "ender": result.ender + 1,
        "winners": len(result.winners),
        "points": max(result.scores, default=0),
    }
    return values[what]


NUMBERS = ("turns", "round", "ender", "winners", "points")


def read_question(text: str, program: Program) -> Question:
    """The question a text asks of games of a program. Raises QuestionError."""
    parts = []
    for part in re.split(r"\band\b", text):
        found = _PART.fullmatch(part)
        if found is None:
            raise QuestionError(f'expected such as "ending = blocked and turns > 60", not "{text}"')
        what, how, value = found.groups()
        parts.append((what, how, _value(what, how, value, program)))
    return Question(tuple(parts))


def _value(what: str, how: str, value: str, program: Program) -> str | int:
    if what == "ending":
        endings = [ending.name for ending in program.endings]
        if value not in endings:
            raise QuestionError(f'there is no ending "{value}"; there are: {", ".join(endings)}')
        if how not in ("=", "!="):
            raise QuestionError(f'endings are compared by = and !=, not by "{how}"')
        return value
    if what not in NUMBERS:
        raise QuestionError(f'a round has no "{what}"; one can ask for: ending, {", ".join(NUMBERS)}')
    if not value.isdecimal() or len(value) > 9:
        raise QuestionError(f'"{what}" is a number, and "{value}" is none')
    return int(value)
