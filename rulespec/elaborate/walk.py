"""Questions about whole expressions: what they read, whether they need somebody whose bare words they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

from rulespec.expressions import Aggregate, Defined, Expr, Person, Quantified, Ranked, Select, TableValue, Type
from rulespec.model import LookupTable

OVER_PLAYERS = (Type.PLAYER, Type.PLAYERS)


def parts(expr: Expr) -> Iterator[Expr]:
    """The expressions right below this one."""
    for field in fields(expr):
        value = getattr(expr, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Expr):
                yield part


def walk(expr: Expr) -> Iterator[Expr]:
    """This expression and all below it; the bodies of definitions and tables are not below."""
    todo = [expr]
    while todo:
        node = todo.pop()
        yield node
        todo += parts(node)


def deep(expr: Expr, bodies: Callable[[str], list[Expr]]) -> Iterator[Expr]:
    """All parts of an expression, and of the definitions and tables it asks, each of those once."""
    seen: set[str] = set()
    todo = [expr]
    while todo:
        for part in walk(todo.pop()):
            yield part
            if isinstance(part, (Defined, TableValue)) and part.name not in seen:
                seen.add(part.name)
                todo += bodies(part.name)


def needs_subject(expr: Expr, table_of: Callable[[str], LookupTable | None]) -> bool:
    """Whether it can be worked out only where a bare word belongs to somebody."""
    if isinstance(expr, Person):
        return expr.role in ("subject", "you")
    if isinstance(expr, TableValue):
        table = table_of(expr.name)
        values = (table.key, *(row[1] for row in table.rows)) if table is not None else ()
        return any(needs_subject(value, table_of) for value in values)
    return any(needs_subject(part, table_of) for part in _free(expr))


def _free(expr: Expr) -> Iterator[Expr]:
    """The parts for which this expression does not itself say whose they are."""
    match expr:
        case Select(things=things) | Quantified(things=things) | Aggregate(things=things) if (
            things.type in OVER_PLAYERS
        ):
            yield things
        case Ranked(players=things, whom=whom) if things.type in OVER_PLAYERS:
            yield things
            if whom is not None:
                yield whom
        case _:
            yield from parts(expr)
