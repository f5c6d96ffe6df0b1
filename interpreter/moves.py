"""Groups on the table and moves: small values that compare, hash and say everything a player chose."""

from __future__ import annotations

from typing import Final, NamedTuple

DONE: Final = -1
"""The number of the move `done`, which ends an optional part or the turn; it belongs to no sheet."""


class Meld(NamedTuple):
    """A group as it is laid: its kind, its cards in order, what each stands for.

    In a kind with `consecutive`, `cards` run from low to high and `start` is the place of the first; else `start` is
    -1 and natural cards come first, by suit. `names` are faces: a natural card's own; for a wild card the card it
    stands for, in a set without a fixed suit the bare rank.
    """

    kind: int
    cards: tuple[int, ...]
    names: tuple[int, ...]
    start: int

    @property
    def mask(self) -> int:
        """Its cards as bits."""
        found = 0
        for card in self.cards:
            found |= 1 << card
        return found


class Group(NamedTuple):
    """A meld on the table: whose it is, and who laid each card (`layers` runs beside `meld.cards`)."""

    meld: Meld
    owner: int
    layers: tuple[int, ...]


class LaidOff(NamedTuple):
    """Choice of `lay off`: which group of the table (by index), what it becomes, the cards added."""

    group: int
    meld: Meld
    cards: tuple[int, ...]


class Swapped(NamedTuple):
    """Choice of `swap`: the group (by index), the wild card in it, the natural card for it, what the group becomes."""

    group: int
    wild: int
    card: int
    meld: Meld


Choice = None | int | tuple[int, ...] | tuple[Meld, ...] | LaidOff | Swapped
"""What the player chose for one action: nothing, a card (take any, dig), cards (put), melds, a lay-off, a swap."""


class Move(NamedTuple):
    """One decision: the number of the move in the program, and a choice for each action of its chain."""

    move: int
    choices: tuple[Choice, ...] = ()


def melds_of(move: Move) -> list[Meld]:
    """The groups a move chooses to lie on the table: new ones, or all of them where it rebuilds it."""
    found: list[Meld] = []
    for choice in move.choices:
        if isinstance(choice, tuple) and not isinstance(choice, LaidOff | Swapped):
            found += [part for part in choice if isinstance(part, Meld)]
    return found
