"""What people choose when they start a game of a sheet, from text: the number of players and the options."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.diagnostics import did_you_mean
from rulespec.model import Rulesheet

Value = int | bool | str


class ChoiceError(ValueError):
    """A choice the sheet does not have; the text says which there are."""


def players_text(sheet: Rulesheet) -> str:
    """`2 players`, `2-4 players`."""
    low, high = sheet.players.low, sheet.players.high
    return f"{low} players" if low == high else f"{low}-{high} players"


def choose_players(sheet: Rulesheet, players: int | None) -> int:
    """The number of players asked for, or the least the sheet allows. Raises ChoiceError."""
    if players is None:
        return sheet.players.low
    if players not in sheet.players:
        raise ChoiceError(f'"{sheet.id}" is for {players_text(sheet)}, not {players}')
    return players


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
