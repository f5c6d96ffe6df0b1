"""Kinds of groups and what it takes to fit one: the definition everything that finds groups is measured by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from interpreter.moves import Meld


class StandsFor(Enum):
    """What a wild card stands for once it lies in a group."""

    NAMED = "a named card"
    PLACE = "its place"
    ANY_PLACE = "any place of its group"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of group. Ranges are (least, most), both included; masks have one bit a card."""

    index: int
    """Its number, as `Meld.kind` says it."""
    name: str
    cards: tuple[int, int]
    natural: tuple[int, int]
    wild: tuple[int, int]
    same: frozenset[str]
    """Of "rank", "suit", "colour": what its cards agree in."""
    different: frozenset[str]
    consecutive: bool
    of: int | None
    """The cards it is made of; wild cards always pass."""
    apart: int | None
    """No two of these lie side by side."""
    needs: tuple[tuple[str, Callable[[Meld], bool]], ...]
    """Path and condition of everything else, asked last."""
