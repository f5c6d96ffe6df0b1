"""Where a piece of a rulesheet stands: files, positions, spans. Everything that can be wrong carries one of these."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one file, lines and columns counted from 1; the end column is one past the last character."""

    file: str
    """The file as the user named it, or the id of a bundled sheet's file."""
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def within(self, start: int, end: int) -> Span:
        """The part from character `start` up to `end` (from 0) of a span that stands on one line."""
        return Span(self.file, self.line, self.column + start, self.line, self.column + max(end, start + 1))


NOWHERE = Span("", 0, 0, 0, 0)
"""The place of what nobody wrote."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of one file, for excerpts."""

    name: str
    text: str
    lines: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def line(self, number: int) -> str:
        """Line `number` (from 1) without its end; empty where there is none."""
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""
