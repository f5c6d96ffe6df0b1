"""A lone condition of a house rule does not take away an inherited one by accident."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics import Diagnostic
from rulespec.inheritance import NAMED
from rulespec.reader import MapNode, Text
from rulespec.reasoning.study import Study
from rulespec.source import Span

LONE = "rule"
"""What a phrase without a name is called, in the sheet and in what it extends."""
SMALL = frozenset(
    {"a", "after", "and", "are", "at", "before", "by", "card", "cards", "every", "has", "if", "in", "is", "it", "its"}
    | {"no", "not", "number", "of", "on", "once", "or", "some", "the", "unless"}
)
"""Words that stand in conditions about anything."""


def check_replaced(study: Study) -> list[Diagnostic]:
    """Asks where a phrase without a name replaces an inherited one that speaks of other things."""
    found: list[Diagnostic] = []
    for section in ("moves", "melds"):
        own, inherited = _map(study.tree, section), _map(study.inherited, section)
        for name in own.entries:
            for key in NAMED:
                found += _asked(study, _map(_map(own, name), key), _map(_map(inherited, name), key), f"{name}.{key}")
    return found


def _asked(study: Study, own: MapNode, inherited: MapNode, path: str) -> Iterator[Diagnostic]:
    key, new = _entry(own)
    _, old = _entry(inherited)
    if key is None or new is None or old is None or key.exact or new.span == old.span or not study.own(new.span):
        return
    if _words(new) & _words(old):
        return
    message = f"this takes the place of the inherited condition of `{path}`: is that meant?"
    help = f"to keep both, give this one a name of its own on a line below `{path.rpartition('.')[2]}:`"
    yield Diagnostic("condition-replaced", "question", message, new.span, help, ((old.span, "no longer asked"),))


def _map(node: object, name: str) -> MapNode:
    """The map below a key, or an empty one."""
    if isinstance(node, MapNode):
        for key, below in node.entries.items():
            if key == name and isinstance(below, MapNode):
                return below
    return MapNode(Span("", 0, 0, 0, 0), {})


def _entry(node: MapNode) -> tuple[Text | None, Text | None]:
    return next(
        ((key, value) for key, value in node.entries.items() if key == LONE and isinstance(value, Text)), (None, None)
    )


def _words(phrase: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9-]*", phrase)) - SMALL
