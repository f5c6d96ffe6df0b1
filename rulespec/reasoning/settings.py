"""The ways to set a table: numbers of players and values of options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from rulespec.expressions import OptionValue
from rulespec.model import Rulesheet
from rulespec.reasoning.known import Setting, Value
from rulespec.reasoning.walk import reached

MOST = 400
"""Above so many settings, options are varied one at a time."""


def settings(sheet: Rulesheet, parts: Iterable[object]) -> Iterator[Setting]:
    """Every number of players with every choice of the options that these parts read, the defaults first."""
    named = {value.name for part in parts for value in reached(sheet, part, OptionValue)}
    options = {option.name: option.values for option in sheet.options if option.name in named}
    for players in range(sheet.players.low, sheet.players.high + 1):
        for chosen in _choices(options):
            yield Setting(players, chosen)


def choices(sheet: Rulesheet, parts: Iterable[object]) -> list[dict[str, Value]]:
    """Every choice of the options that these parts read."""
    named = {value.name for part in parts for value in reached(sheet, part, OptionValue)}
    return list(_choices({option.name: option.values for option in sheet.options if option.name in named}))


def _choices(options: dict[str, tuple[Value, ...]]) -> Iterator[dict[str, Value]]:
    count = 1
    for values in options.values():
        count *= len(values)
    if count <= MOST:
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))
        return
    default = {name: values[0] for name, values in options.items()}
    yield default
    for name, values in options.items():
        yield from ({**default, name: value} for value in values[1:])
