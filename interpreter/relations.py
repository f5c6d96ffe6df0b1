"""The table before and after a move, looked at from one card (docs/language.md, "Rearranging").

Every question is about a card that lay in a group before the move; of any other card each holds. Before and after are
two positions, so the questions serve any move, not only a rearrangement.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.moves import Group, Meld
from interpreter.pack import bits
from interpreter.program import Env
from interpreter.state import State


class OldPlace(NamedTuple):
    """Where a card lay before: its group, and which of its cards it was."""

    group: Group
    at: int

    @property
    def name(self) -> int:
        """What the card stood for."""
        return self.group.meld.names[self.at]


def place_in(state: State, card: int) -> OldPlace | None:
    """The group a card lies in, and where in it."""
    for group in state.groups:
        if card in group.meld.cards:
            return OldPlace(group, group.meld.cards.index(card))
    return None


def old_place(env: Env, card: int) -> OldPlace | None:
    """Where a card lay before this move; None if it lay in no group."""
    return place_in(env.context.before, card) if env.context is not None and card >= 0 else None


def keeps_name(env: Env, card: int) -> bool:
    """It stands for the same card as before."""
    old = old_place(env, card)
    if old is None:
        return True
    new = place_in(env.state, card)
    return new is not None and new.name == old.name


def keeps_group(env: Env, card: int) -> bool:
    """Every card of its old group is in its group; one that stood for another card and is replaced need not be."""
    old = old_place(env, card)
    if old is None:
        return True
    new = place_in(env.state, card)
    if new is None:
        return False
    missing = old.group.meld.mask & ~new.group.meld.mask
    return all(_stood_in(env, old.group.meld, other) and is_replaced(env, other) for other in bits(missing))


def _stood_in(env: Env, meld: Meld, card: int) -> bool:
    """Whether a card of a group stood for another one."""
    return meld.names[meld.cards.index(card)] != env.program.pack.face[card]


def keeps_neighbour(env: Env, card: int) -> bool:
    """A card beside it before (in a group that is no run: any other) is in its group."""
    old = old_place(env, card)
    if old is None:
        return True
    new = place_in(env.state, card)
    return new is not None and bool(neighbours(env.state, old.group.meld, old.at) & new.group.meld.mask)


def neighbours(state: State, meld: Meld, index: int) -> int:
    """The cards beside one in its group; all others where the group is no run."""
    if not state.rules.consecutive[meld.kind]:
        return meld.mask & ~(1 << meld.cards[index])
    found = 0
    for beside in (index - 1, index + 1):
        if 0 <= beside < len(meld.cards):
            found |= 1 << meld.cards[beside]
    return found


def is_replaced(env: Env, card: int, source: int | None = None) -> bool:
    """A natural card of its old name, that was not in its old group, lies with another card of its old group.

    `source` is a mask the natural card must have come from.
    """
    old = old_place(env, card)
    if old is None:
        return True
    old_mask = old.group.meld.mask
    others = old_mask & ~(1 << card)
    for group in env.state.groups:
        if not group.meld.mask & others:
            continue
        for other, name in zip(group.meld.cards, group.meld.names, strict=True):
            if old_mask >> other & 1 or (source is not None and not source >> other & 1):
                continue
            if _takes_place(env, other, name, old.name):
                return True
    return False


def _takes_place(env: Env, card: int, name: int, old_name: int) -> bool:
    """Whether a card lying as itself is the card another stood for (of a bare rank: any card of it)."""
    pack = env.program.pack
    if name != pack.face[card]:
        return False
    if pack.face_suit[old_name] < 0:
        return pack.face_rank[name] == pack.face_rank[old_name]
    return name == old_name


def is_joined_only_from(env: Env, card: int, source: int) -> bool:
    """Everything else in its group that was not in its old group comes from `source`."""
    old = old_place(env, card)
    if old is None:
        return True
    new = place_in(env.state, card)
    return new is not None and not new.group.meld.mask & ~old.group.meld.mask & ~source
