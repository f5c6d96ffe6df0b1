"""What a comparison is between: sheets, values of an option, or values of any phrase of a sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from interpreter.compiler.source import CHANGED, Changes, changed, program_from
from interpreter.program import Program
from rulespec.choices import ChoiceError, choose_options, players_text
from rulespec.diagnostics import Diagnostic, RulesheetError, did_you_mean
from rulespec.inheritance import ORDER, TEXTS
from rulespec.model import Rulesheet

MOST_VALUES = 50
SECTIONS = ("rulespec", "extends", "abstract", *TEXTS)
"""Keys of a sheet that are no rules."""
_SWEEP = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
_LIKE_A_SWEEP = re.compile(r"[-\d\s]*\.\.[-\d\s.]*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the things compared: what people call it, and how its program is made, which other processes can do."""

    label: str
    players: int
    build: Callable[[], Program]


@dataclass(frozen=True, slots=True)
class Varied:
    """An option of the sheets, or a place of theirs, and the values that are tried there."""

    what: str
    values: tuple[str, ...]


def candidates(
    rules: Iterable[tuple[str, Rulesheet]], vary: Iterable[str], players: int | None, settings: tuple[str, ...]
) -> list[Candidate]:
    """Each sheet with each value of `vary`, and with each pair of values where there are two, and so on, for the same
    number of players.

    `rules` are paths or ids with their checked sheets. Without `players` it is the least number all of them allow.
    Raises ChoiceError for what a sheet does not have or allow, and where a value does not fit.
    """
    rules = list(rules)
    varied = read_variations(vary)
    seats = _seats([sheet for _, sheet in rules], players)
    found = []
    for name, sheet in rules:
        for label, options, changes in _variations(sheet, varied, settings):
            if changes:
                _try(name, changes, seats)
            said = label if len(rules) == 1 and label else " ".join(filter(None, (sheet.id, label)))
            found.append(Candidate(said, seats, partial(program_from, name, seats, options, None, changes)))
    return found


def _seats(sheets: list[Rulesheet], players: int | None) -> int:
    """The number of players of a comparison; says what each sheet allows where no number fits them all."""
    seats = max(sheet.players.low for sheet in sheets) if players is None else players
    if all(seats in sheet.players for sheet in sheets):
        return seats
    if players is None:
        allowed = dict.fromkeys(f'"{sheet.id}" is for {players_text(sheet)}' for sheet in sheets)
        raise ChoiceError(f"no number of players fits all of them: {', '.join(allowed)}")
    wrong = next(sheet for sheet in sheets if seats not in sheet.players)
    raise ChoiceError(f'"{wrong.id}" is for {players_text(wrong)}, not {seats}')


def _variations(
    sheet: Rulesheet, varied: list[Varied], settings: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, int | bool | str], Changes]]:
    """Each choice of one value a variation: what it is called, the options, and what is changed in the sheet."""
    options = {option.name for option in sheet.options}
    for one in varied:
        if one.what not in options:
            _check_place(sheet, one.what)
    lasts = [one.what.rpartition(".")[2] for one in varied]
    short = {one.what: last if lasts.count(last) == 1 else one.what for one, last in zip(varied, lasts, strict=True)}
    for values in product(*(one.values for one in varied)):
        pairs = [(one.what, value) for one, value in zip(varied, values, strict=True)]
        label = ", ".join(f"{short[what]}={value}" for what, value in pairs)
        chosen = [f"{what}={value}" for what, value in pairs if what in options]
        changes = tuple((what, value) for what, value in pairs if what not in options)
        yield label, choose_options(sheet, (*settings, *chosen)), changes


def _check_place(sheet: Rulesheet, what: str) -> None:
    """Refuse what is neither an option nor a place where a rule stands."""
    head = what.partition(".")[0]
    if head in ORDER and head not in SECTIONS:
        return
    if head in ORDER:
        raise ChoiceError(f'"{what}" is no rule; there is nothing to compare')
    options = [option.name for option in sheet.options]
    if "." in what:
        hint = (
            did_you_mean(head, ORDER) or f"its first word is one of {', '.join(k for k in ORDER if k not in SECTIONS)}"
        )
        raise ChoiceError(f'"{what}" is no place of a sheet; {hint}')
    hint = did_you_mean(what, (*options, *(key for key in ORDER if key not in SECTIONS)))
    hint = hint or f"its options: {', '.join(options) or 'none'}; a place is written as in `deal.hand`"
    raise ChoiceError(f'"{sheet.id}" has no option "{what}"; {hint}')


def _try(name: str, changes: Changes, players: int) -> None:
    """Say what is wrong with a changed sheet before anything is played, by what was given and not by a line of a page
    that nobody wrote."""
    given = ", ".join(f"{what}={value}" for what, value in changes)
    try:
        sheet = changed(name, changes)
    except ValueError as error:
        raise ChoiceError(f"{given}: {error}") from None
    except RulesheetError as error:
        raise ChoiceError("\n".join(f"{given}: {_said(found)}" for found in error.diagnostics[:MOST_SHOWN])) from None
    if players not in sheet.players:
        raise ChoiceError(f"{given}: this is for {players_text(sheet)}, not {players}")


MOST_SHOWN = 5
"""Mistakes of one value that are told."""


def _said(found: Diagnostic) -> str:
    place = "" if found.span.file in (CHANGED, "") else f" ({found.span})"
    return found.message + place + (f"; {found.help}" if found.help else "")


# ------------------------------------------------------------ reading what is varied


def read_variations(texts: Iterable[str]) -> list[Varied]:
    """What several `WHAT=VALUE,VALUE...` say. Raises ChoiceError where one is none or stands twice."""
    found: list[Varied] = []
    for text in texts:
        what, equals, listed = (part.strip() for part in text.partition("="))
        values = values_of(listed)
        if not equals or not what or not values or not all(what.split(".")):
            raise ChoiceError(f'expected WHAT=VALUE,VALUE..., not "{text}"')
        if any(one.what == what for one in found):
            raise ChoiceError(f'"{what}" is varied twice; write all its values behind one "{what}="')
        found.append(Varied(what, values))
    _check_number(found)
    return found


def _check_number(found: list[Varied]) -> None:
    number = 1
    for one in found:
        number *= len(one.values)
    if number > MOST_VALUES:
        raise ChoiceError(f"at most {MOST_VALUES} values can be tried, not {number}")


def values_of(text: str) -> tuple[str, ...]:
    """The values of a list such as `5,7..9`, in its order, each once.

    Commas inside parentheses part nothing; where there is a `;` only that parts values, so a phrase may hold commas.
    Raises ChoiceError where there are too many, and for a range that goes backwards or has no end.
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, _parts(text))):
        found += _values(part)
        if len(found) > MOST_VALUES:
            raise ChoiceError(f"at most {MOST_VALUES} values can be tried")
    return tuple(dict.fromkeys(found))


def _parts(text: str) -> list[str]:
    if ";" in text:
        return text.split(";")
    parts = [""]
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _values(part: str) -> list[str]:
    """The values of `7`, or of `7..10`."""
    sweep = _SWEEP.fullmatch(part)
    if part.count('"') % 2:
        raise ChoiceError(f"a comma parts values, and so cut off {part}; where a phrase holds commas, part values by ;")
    if sweep is None:
        if _LIKE_A_SWEEP.fullmatch(part):
            raise ChoiceError(f'"{part}" is no range: write both ends, such as 7..10, with at most nine digits each')
        return [part]
    low, high = int(sweep[1]), int(sweep[2])
    if low > high:
        raise ChoiceError(f'the range "{part}" goes backwards: write {high}..{low}')
    if high - low >= MOST_VALUES:
        raise ChoiceError(f"at most {MOST_VALUES} values can be tried")
    return [str(value) for value in range(low, high + 1)]
