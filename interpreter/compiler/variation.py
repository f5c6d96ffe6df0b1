"""What a comparison is between: sheets, values of an option, or values of any phrase of a sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from interpreter.compiler.source import Changes, changed, program_from
from interpreter.program import Program
from rulespec.choices import ChoiceError, choose_options, players_text
from rulespec.model import Rulesheet

MOST_VALUES = 50
_SWEEP = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the things compared: what people call it, and how its program is made, which other processes can do."""

    label: str
    players: int
    build: Callable[[], Program]


def candidates(
    rules: Iterable[tuple[str, Rulesheet]], vary: str | None, players: int | None, settings: tuple[str, ...]
) -> list[Candidate]:
    """Each sheet with each value of `vary`, for the same number of players.

    `rules` are paths or ids with their checked sheets. Without `players` it is the least number all of them allow.
    Raises ChoiceError, for what a sheet does not have or allow, and RulesheetError for a phrase that does not fit.
    """
    rules = list(rules)
    seats = _seats([sheet for _, sheet in rules], players)
    found = []
    for name, sheet in rules:
        for label, options, changes in _variations(name, sheet, vary, settings):
            said = label if len(rules) == 1 and label else " ".join(filter(None, (sheet.id, label)))
            found.append(Candidate(said, seats, partial(program_from, name, seats, options, None, changes)))
    return found


def _seats(sheets: list[Rulesheet], players: int | None) -> int:
    seats = max(sheet.players.low for sheet in sheets) if players is None else players
    for sheet in sheets:
        if seats not in sheet.players:
            raise ChoiceError(f'"{sheet.id}" is for {players_text(sheet)}, not {seats}')
    return seats


def _variations(
    name: str, sheet: Rulesheet, vary: str | None, settings: tuple[str, ...]
) -> Iterable[tuple[str, dict[str, int | bool | str], Changes]]:
    if vary is None:
        yield "", choose_options(sheet, settings), ()
        return
    what, equals, text = (part.strip() for part in vary.partition("="))
    values = values_of(text)
    if not equals or not what or not values:
        raise ChoiceError(f'expected WHAT=VALUE,VALUE..., not "{vary}"')
    for value in values:
        label = f"{what}={value}"
        if "." not in what:
            yield label, choose_options(sheet, (*settings, label)), ()
            continue
        changes: Changes = ((what, value),)
        changed(name, changes)  # what is wrong is said before anything is played
        yield f"{what.rpartition('.')[2]}={value}", choose_options(sheet, settings), changes


def values_of(text: str) -> tuple[str, ...]:
    """The values of a list such as `5,7..9`, in its order. Raises ChoiceError where there are too many."""
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        sweep = _SWEEP.fullmatch(part)
        low, high = (int(sweep[1]), int(sweep[2])) if sweep else (0, 0)
        if high - low >= MOST_VALUES or len(found) >= MOST_VALUES:
            raise ChoiceError(f"at most {MOST_VALUES} values can be tried")
        found += [str(value) for value in range(low, high + 1)] if sweep else [part]
    return tuple(dict.fromkeys(found))
