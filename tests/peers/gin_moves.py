"""What a move of gin says: the card put away, groups laid, the card laid off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from interpreter.moves import LaidOff, Meld, Move


class Showing(NamedTuple):
    """What a knocker does: the card put away, the groups laid (as masks)."""

    card: int
    groups: frozenset[int]

    @property
    def cards(self) -> tuple[int, int]:
        """The card, and all cards that are laid."""
        return self.card, union(self.groups)


def union(masks: Iterable[int]) -> int:
    """The cards of several groups, as a mask."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def put_away(move: Move) -> int:
    """The card that is put away."""
    choice = next(choice for choice in move.choices if isinstance(choice, tuple))
    card = choice[0]
    assert isinstance(card, int)
    assert len(choice) == 1
    return card


def groups_of(move: Move) -> list[Meld]:
    """The groups that are laid from the hand."""
    return [
        part
        for choice in move.choices
        if isinstance(choice, tuple) and not isinstance(choice, LaidOff)
        for part in choice
        if isinstance(part, Meld)
    ]


def laid_off(move: Move) -> LaidOff | None:
    """The lay-off that a move is."""
    return next((choice for choice in move.choices if isinstance(choice, LaidOff)), None)


def showing_of(move: Move) -> Showing:
    """A knock as cards."""
    return Showing(put_away(move), frozenset(meld.mask for meld in groups_of(move)))
