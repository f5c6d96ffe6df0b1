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
            rest, count = mask, part.least
            while count > 1 and rest:
                rest &= rest - 1
                count -= 1
            if not rest:  # fewer cards than a group has
                continue
            found = self.known[at].get(mask)
            if found is None:
                found = self.known[at].put(mask, _change(sum_in(part, mask)))
            adds, lessens = found
            most += adds
            least += lessens
        return most, least


def _change(one: Sum | None) -> Change:
    return NOTHING if one is None else (one.adds.of_all(), one.lessens.of_all())


class Changes:
    """What cards change a sum by when one of them is put away, as far as it was asked: those cards (a mask), by card,
    and the least and the most of them and of none."""

    __slots__ = ("asked", "by_card", "least", "most")

    def __init__(self, size: int) -> None:
        """For a deck of so many cards."""
        self.asked = 0
        self.by_card = [0] * size
        self.least = 0
        self.most = 0

    def note(self, card: int, change: int) -> None:
        """Keep what a card changes it by."""
        self.asked |= 1 << card
        self.by_card[card] = change
        self.least = min(self.least, change)
        self.most = max(self.most, change)
