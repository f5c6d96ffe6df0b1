"""Going through a rulesheet: everything of one class inside a part of it, and what phrases are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from rulespec.expressions import And, Defined, Expr, Or, TableValue
from rulespec.model import Rulesheet
from rulespec.source import Span

T = TypeVar("T")
Key = tuple[Any, ...]
"""What an expression says, without where it stands."""


def inside(node: object, kind: type[T]) -> Iterator[T]:
    """Everything of class `kind` in `node`, itself included, in the order it is written."""
    if isinstance(node, kind):
        yield node
    for part in _parts(node):
        yield from inside(part, kind)


def reached(sheet: Rulesheet, node: object, kind: type[T]) -> Iterator[T]:
    """As `inside`, and in the definitions and tables that `node` names as well, each once."""
    bodies = _bodies(sheet)
    seen: set[str] = set()
    todo = [node]
    while todo:
        for found in inside(todo.pop(0), object):
            if isinstance(found, kind):
                yield found
            if isinstance(found, Defined | TableValue) and found.name not in seen:
                seen.add(found.name)
                todo += bodies.get(found.name, ())


def _bodies(sheet: Rulesheet) -> dict[str, tuple[object, ...]]:
    definitions: dict[str, tuple[object, ...]] = {d.name: (d.body,) for d in sheet.definitions}
    return definitions | {t.name: (t.key, *(points for _, points in t.rows)) for t in sheet.tables}


def key(expr: object) -> Key:
    """Two phrases that say the same have the same key, wherever they stand."""
    if isinstance(expr, tuple):
        return tuple(key(part) for part in expr)
    if is_dataclass(expr) and not isinstance(expr, type):
        return (type(expr).__name__, *(key(getattr(expr, name)) for name in _names(type(expr)) if name != "type"))
    return (expr,)


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, type | Span):
        for name in _names(type(node)):
            value = getattr(node, name)
            if isinstance(value, tuple) or is_dataclass(value):
                yield value


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name != "span")


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of `a and b and c`, however they are nested."""
    if isinstance(expr, And):
        for part in expr.parts:
            yield from conjuncts(part)
    else:
        yield expr


def disjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of `a or b or c`, however they are nested."""
    if isinstance(expr, Or):
        for part in expr.parts:
            yield from disjuncts(part)
    else:
        yield expr
