"""Phrases for the tests: a text that stands alone in a file, and a short form of what it means."""

from __future__ import annotations

from dataclasses import fields

from rulespec.expressions import Each, Expr, It, Number, Person
from rulespec.model import Action, Phase
from rulespec.reader import Text
from rulespec.source import Span


def phrase(words: str, line: int = 1, column: int = 1) -> Text:
    return Text(words, Span("phrase.yaml", line, column, line, column + len(words)))


def show(value: object) -> str:
    """A checked expression in short: `Compare(<=, Points(Zone(hand, subject)), 5)`."""
    match value:
        case Person(role=word) | Number(value=word):
            return str(word)
        case It():
            return "it"
        case Each():
            return "each"
        case bool():
            return "yes" if value else "no"
        case None:
            return "-"
        case tuple():
            return f"[{' '.join(show(part) for part in value)}]"
        case Expr() | Action() | Phase():
            parts = [show(getattr(value, f.name)) for f in fields(value) if f.name not in ("span", "type")]
            return f"{type(value).__name__}({', '.join(parts)})" if parts else type(value).__name__
        case _:
            return str(value)
