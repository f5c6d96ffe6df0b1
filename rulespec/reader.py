"""YAML text to a tree of nodes with places. Every scalar is text; nothing is interpreted here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rulespec.source import Span

Style = Literal["plain", "quoted", "block"]


class Text(str):
    """A scalar as it reads, with its place: a key, a phrase or a text.

    `span` covers the characters themselves, without quotes. If `exact`, the text stands on one line just so, and
    character `i` of it is character `i` of the span; else (escapes, several lines) only the whole span is known.
    `flow` is whether it stands inside `{ }` or `[ ]`.
    """

    __slots__ = ("exact", "flow", "span", "style")

    span: Span
    flow: bool
    style: Style
    exact: bool

    def __new__(cls, value: str, span: Span, *, flow: bool = False, style: Style = "plain", exact: bool = True) -> Text:
        text = super().__new__(cls, value)
        text.span = span
        text.flow = flow
        text.style = style
        text.exact = exact
        return text

    def within(self, start: int, end: int) -> Span:
        """The place of the characters from `start` up to `end` (from 0)."""
        return self.span.within(start, end) if self.exact else self.span


@dataclass(frozen=True, slots=True)
class MapNode:
    """A map in the order written. A key that stands twice is kept once, with its first value."""

    span: Span
    entries: dict[Text, Node]
    flow: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list; sheets have none, scenario files do."""

    span: Span
    items: tuple[Node, ...]
    flow: bool = False


Node: TypeAlias = Text | MapNode | ListNode
