"""The ways to set a table: numbers of players and values of options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from math import prod

from rulespec.expressions import OptionValue
from rulespec.model import Rulesheet
from rulespec.reasoning.known import Setting, Value
from rulespec.reasoning.walk import reached

MOST = 400
"""Above so many settings, options are varied one at a time."""


def settings(sheet: Rulesheet, parts: Iterable[object]) -> Iterator[Setting]:
    """Every number of players with every choice of the options that these parts read, the defaults first.

    Where these are too many, first every number of players with the defaults, then every choice with the least and the
    most players.
    """
    players = range(sheet.players.low, sheet.players.high + 1)
    chosen = choices(sheet, parts)
    if len(chosen) * len(players) <= MOST:
        yield from (Setting(number, choice) for number in players for choice in chosen)
        return
    yield from (Setting(number, chosen[0]) for number in players)
    ends = list(dict.fromkeys((players[0], players[-1])))
    yield from (Setting(number, choice) for choice in chosen[1:] for number in ends)


def choices(sheet: Rulesheet, parts: Iterable[object]) -> list[dict[str, Value]]:
    """Every choice of the options that these parts read, the defaults first; at most `MOST` of them."""
    named = {value.name for part in parts for value in reached(sheet, part, OptionValue)}
    read = {option.name: option.values for option in sheet.options if option.name in named}
    return list(islice(ways_to_choose(read, MOST), MOST))


def ways_to_choose(options: Mapping[str, tuple[Value, ...]], most: int) -> Iterator[dict[str, Value]]:
    """Every choice of values, the defaults first; where these are more than `most`, one option is varied at a time."""
    if prod(len(values) for values in options.values()) <= most:
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))
        return
    default = {name: values[0] for name, values in options.items()}
    yield default
    for name, values in options.items():
        yield from ({**default, name: value} for value in values[1:])
