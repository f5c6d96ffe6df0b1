"""What is known of a kind of move before it is made: how much there is to choose, and whether any choice will do."""

from __future__ import annotations

from interpreter.compiler.slots import Slots, is_constant
from interpreter.program import (
    ADD,
    DIG,
    DRAW,
    ENDLESS,
    FOLD,
    LAY_MELDS,
    LAY_OFF,
    PASS,
    PUT,
    REARRANGE,
    SET,
    SWAP,
    TAKE_ALL,
    TAKE_ANY,
    TAKE_TOP,
    Action,
)
from rulespec import expressions as ex
from rulespec import model

CHOSEN = frozenset({PUT, TAKE_ANY, DIG, LAY_MELDS, LAY_OFF, SWAP, REARRANGE})
"""Actions for which something can be chosen."""
ALWAYS = frozenset({DRAW, PASS, FOLD, ADD, SET})
"""Actions that can be done in every position, with nothing to choose."""
LISTED = frozenset({PUT, TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG})
"""Others that can be done in every way that is listed for them, as long as nothing was done before."""
OF_THE_CARD = (ex.It, ex.Named, ex.HasRank, ex.HasSuit, ex.HasFace, ex.IsSame, ex.IsIn)
"""Expressions that say the same of a card before it is put away and after, if their parts do."""


def reach_of(actions: tuple[Action, ...]) -> int:
    """How many actions there are up to the last one for which something can be chosen."""
    return max((number for number, action in enumerate(actions, 1) if action.kind in CHOSEN), default=0)


def is_plain(rule: model.MoveRule, actions: tuple[Action, ...], slots: Slots) -> bool:
    """Whether a move without duties can be made with whatever can be chosen for it, if its `only`s hold, and whether
    these can be answered before it is made."""
    if rule.duties or not all(_can_be_done(action) for action in actions):
        return False
    if not rule.only:
        return all(action.kind in ALWAYS for action in actions[1:])
    first, *others = actions
    return (
        first.kind == PUT
        and first.least == first.most == 1
        and all(action.kind in ALWAYS for action in others)
        and all(action.named < 0 for action in actions)
        and all(is_constant(check.expr, slots, OF_THE_CARD) for check in rule.only)
    )


def _can_be_done(action: Action) -> bool:
    """Whether an action can be done with whatever can be chosen for it."""
    if action.kind == PUT and action.most < 0:
        return False
    return action.kind in ALWAYS | LISTED and (action.of is None or action.kind in (ADD, SET))


def cards_for(rule: model.MoveRule, actions: tuple[Action, ...], slots: Slots) -> int:
    """With how many cards in the hand a move can be made in every position in which no duty is open; ENDLESS where that
    is not known."""
    first = actions[0]
    if rule.before or rule.only or first.kind not in ALWAYS | {PUT} or not is_plain(rule, actions, slots):
        return ENDLESS
    return first.least if first.kind == PUT else 0
