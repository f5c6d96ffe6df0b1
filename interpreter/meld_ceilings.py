"""What groups of a hand can change a sum by at most, soon told: part by part, for each part once.

The groups of a kind fall into parts (`meld_search.parts_of`): runs by suit, sets by rank. A hand has few cards of each,
so what a part can come to is nearly always known already. Together the parts may promise more than disjoint groups can
keep, as a card may be in one of each kind, but never less: whoever is told no here need not look at the hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from interpreter.meld_limits import Sum
from interpreter.recent import Recent

KEPT_CEILINGS: Final = 4096
"""Selections of cards of a part for which its ceiling is kept, of each of two generations."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the groups of a kind: numbers of both, the cards it is made of (a mask), and how many it takes."""

    kind: int
    number: int
    cards: int
    least: int


Change = tuple[int, int]
"""The most that something can add to a sum, and the most it can take away."""

NOTHING: Final[Change] = (0, 0)


class Ceiling:
    """What groups without wild cards can change one sum by."""

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        self.known: list[Recent[int, Change]] = [Recent(KEPT_CEILINGS) for _ in parts]
        """By part, then by cards of it (a mask)."""

    def of(self, hand: int, sum_in: Callable[[Part, int], Sum | None]) -> Change:
        """The most for the groups of a hand; `sum_in` gives the sum over the groups of a part from some cards, None
        where there are none."""
        most = least = 0
        for at, part in enumerate(self.parts):
            mask = hand & part.cards
            if not mask or not _has(mask, part.least):
                continue
            found = self.known[at].get(mask)
            if found is None:
                found = self.known[at].put(mask, _change(sum_in(part, mask)))
            adds, lessens = found
            most += adds
            least += lessens
        return most, least


def _has(mask: int, count: int) -> bool:
    """Whether a mask has at least so many cards."""
    while count > 1 and mask:
        mask &= mask - 1
        count -= 1
    return mask != 0


def _change(one: Sum | None) -> Change:
    return NOTHING if one is None else (one.adds.of_all(), one.lessens.of_all())
