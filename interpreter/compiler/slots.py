"""Names to numbers: what the compiler knows about a sheet while it turns phrases into code."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.pack import Pack
from interpreter.program import TallyProgram, ZoneProgram
from interpreter.state import SCOPES
from rulespec import expressions as ex
from rulespec import model


@dataclass(slots=True)
class Slots:
    """The numbers of everything a sheet declares, and what is fixed before the game (players, options)."""

    sheet: model.Rulesheet
    players: int
    options: dict[str, int | bool | str]
    pack: Pack
    sides: int
    zones: dict[str, ZoneProgram]
    tallies: dict[str, TallyProgram]
    named: dict[str, int]
    moves: dict[str, int]
    kinds: dict[str, int]
    extras: dict[str, int]

    def definition(self, name: str) -> model.Definition:
        """The definition of a word."""
        return next(d for d in self.sheet.definitions if d.name == name)

    def table(self, name: str) -> model.LookupTable:
        """The look-up table of a name."""
        return next(t for t in self.sheet.tables if t.name == name)

    def counts_of(self, move: str, scope: str) -> int:
        """Where in `State.times` the counts of a move begin, a number for each seat."""
        return (SCOPES.index(scope) * len(self.moves) + self.moves[move]) * self.players


FIXED = (
    ex.Number, ex.Truth, ex.Word, ex.OptionValue, ex.Arithmetic, ex.Negate, ex.Call, ex.Compare, ex.Not,
    ex.And, ex.Or, ex.IfElse,
)  # fmt: skip
"""Expressions that are constant if their parts are."""

BY_CARD = (ex.Trait, ex.HasRank, ex.HasSuit, ex.HasFace, ex.It)
"""Expressions that depend on the card looked at only."""

BY_GROUP = (
    *BY_CARD, ex.CardsIn, ex.Select, ex.Each, ex.Quantified, ex.Count, ex.CountKinds, ex.IsKind, ex.IsSame, ex.IsEmpty,
)  # fmt: skip
"""Expressions that depend on the group looked at, and its cards, only."""


def parts(expr: ex.Expr) -> Iterator[ex.Expr]:
    """The expressions an expression is made of."""
    for field in dataclasses.fields(expr):
        value = getattr(expr, field.name)
        if isinstance(value, ex.Expr):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, ex.Expr))


def is_constant(expr: ex.Expr, slots: Slots, allowed: tuple[type[ex.Expr], ...] = ()) -> bool:
    """Whether an expression is known once players and options are (or depends on `allowed` kinds only)."""
    if isinstance(expr, ex.Fact):
        return expr.name == "players"
    if isinstance(expr, ex.TableValue):
        table = slots.table(expr.name)
        return is_constant(table.key, slots, allowed) and all(is_constant(e, slots, allowed) for _, e in table.rows)
    if isinstance(expr, ex.Defined):
        body = slots.definition(expr.name).body
        return is_constant(body, slots, allowed) and (expr.of is None or is_constant(expr.of, slots, allowed))
    if not isinstance(expr, FIXED + allowed):
        return False
    return all(is_constant(part, slots, allowed) for part in parts(expr))
