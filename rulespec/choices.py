"""What people choose when they start a game of a sheet, from text: the number of players and the options."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.diagnostics import counted_players, did_you_mean
from rulespec.expressions import Fact
from rulespec.model import Rulesheet
from rulespec.reasoning.walk import reached

Value = int | bool | str

MOST_ROUNDS = 1000
"""Rounds in a game at most."""
STOP_AFTER = 10
"""Rounds after which the table stops a game that goes on until it does, if nothing else is said."""


class ChoiceError(ValueError):
    """A choice the sheet does not have; the text says which there are."""


def players_text(sheet: Rulesheet) -> str:
    """`1 player`, `2-4 players`."""
    return counted_players(sheet.players.low, sheet.players.high)


def choose_players(sheet: Rulesheet, players: int | None) -> int:
    """The number of players asked for, or the least the sheet allows. Raises ChoiceError."""
    if players is None:
        return sheet.players.low
    if players not in sheet.players:
        raise ChoiceError(f'"{sheet.id}" is for {players_text(sheet)}, not {players}')
    return players


def stopped_by_the_table(sheet: Rulesheet) -> bool:
    """Whether the end of the game asks if the table stops; otherwise it ends by its own rule alone."""
    return any(fact.name == "stopped" for fact in reached(sheet, sheet.game.ends, Fact))


def choose_rounds(sheet: Rulesheet, rounds: int | None) -> int:
    """The round after which the table stops; 0 where the game has an end of its own. Raises ChoiceError there if one
    is asked for."""
    if stopped_by_the_table(sheet):
        rounds = STOP_AFTER if rounds is None else rounds
        if not 1 <= rounds <= MOST_ROUNDS:
            raise ChoiceError(f"a game is stopped after 1 to {MOST_ROUNDS} rounds, not {rounds}")
        return rounds
    if rounds is not None:
        raise ChoiceError(
            f'"{sheet.id}" ends by its own rule; only a game whose `ends` asks whether it is `stopped` can be stopped'
        )
    return 0


def choose_options(sheet: Rulesheet, settings: Iterable[str]) -> dict[str, Value]:
    """The values of settings such as `target=250`, as the sheet means them. Raises ChoiceError."""
    known = {option.name: option for option in sheet.options}
    chosen: dict[str, Value] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ChoiceError(f'expected OPTION=VALUE, not "{setting}"')
        if name not in known:
            hint = did_you_mean(name, known) or f"it has: {', '.join(known) or 'none'}"
            raise ChoiceError(f'"{sheet.id}" has no option "{name}"; {hint}')
        if name in chosen:
            raise ChoiceError(f'"{name}" is set twice')
        values = {value_text(value): value for value in known[name].values}
        if text not in values:
            raise ChoiceError(f'"{name}" is {" or ".join(values)}, not "{text}"')
        chosen[name] = values[text]
    return chosen


def value_text(value: Value) -> str:
    """The value of an option as a sheet writes it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
