"""How many entries the maps of a sheet may have: more than any game needs, and few enough to look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulespec.diagnostics import Diagnostic
from rulespec.reader import Text
from rulespec.schema import Raw, RawSheet

Path: TypeAlias = tuple[str, ...]

MOST = 100
"""Entries of a map that has no bound of its own."""
BOUNDS = {
    "automatic": 40,
    "melds": 60,
    "moves": 200,
    "phases": 200,
    "round.endings": 60,
    "round.extra-turns": 12,
    "tables.NAME": 300,
    "values.everywhere": 120,
    "values.hand": 120,
    "values.melds": 120,
}
FREE = frozenset({("name",), ("words",)})
"""Maps of texts for people."""


def too_many(raw: RawSheet) -> list[Diagnostic]:
    """Maps of the sheet, inherited entries included, that have more entries than they may."""
    return list(_within(raw, (), ()))


def _within(raw: Raw, where: Path, said: Path) -> Iterator[Diagnostic]:
    """What is too large in a part of a sheet; `where` is its path with `NAME` for names, `said` the path as written."""
    for field, info in type(raw).model_fields.items():
        key = (info.alias or field,) if field != type(raw).rest else ()
        value = getattr(raw, field)
        if isinstance(value, Raw):
            yield from _within(value, (*where, *key), (*said, *key))
        elif isinstance(value, dict) and (*where, *key) not in FREE:
            yield from _entries(value, (*where, *key), (*said, *key))


def _entries(entries: dict[Text, object], where: Path, said: Path) -> Iterator[Diagnostic]:
    most = BOUNDS.get(".".join(where), MOST)
    if len(entries) > most:
        message = f"`{'.'.join(said)}` has {len(entries)} entries, and at most {most} can be looked at"
        yield Diagnostic("too-large", "error", message, list(entries)[most].span)
    for key, value in entries.items():
        if isinstance(value, Raw):
            yield from _within(value, (*where, "NAME"), (*said, key))
        elif isinstance(value, dict):
            yield from _entries(value, (*where, "NAME"), (*said, key))
