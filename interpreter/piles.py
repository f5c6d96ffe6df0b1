"""Piles and hands: where cards come from and where they go, as actions need it.

All functions change `env.state`, which the caller has copied.
"""

from __future__ import annotations

from interpreter.pack import mask_of
from interpreter.program import RENEW_NOT, RENEW_SHUFFLED, Action, Env, MoveContext
from interpreter.state import State


class Impossible(Exception):
    """An action that cannot be done with this choice; `reason` is a short text, or the path of a rule of `melds`."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path


def stock_is_dry(env: Env) -> bool:
    """The stock is empty and no renewal is left that could yield a card."""
    program, state = env.program, env.state
    if state.piles[program.stock]:
        return False
    return program.renew == RENEW_NOT or _renewals_used_up(env) or len(state.piles[program.renew_from]) <= 1


def _renewals_used_up(env: Env) -> bool:
    limit = env.program.renew_limit
    return limit is not None and env.state.renewed >= limit(env)


def renew(env: Env) -> bool:
    """Renew an empty stock until it yields a card; whether it did."""
    program, state = env.program, env.state
    while program.renew != RENEW_NOT and not _renewals_used_up(env):
        state.renewed += 1
        cards = state.piles[program.renew_from][:-1]
        if cards:
            state.piles[program.renew_from] = state.piles[program.renew_from][-1:]
            state.face_down &= ~mask_of(cards)
            state.shown &= ~mask_of(cards)
            state.piles[program.stock] = shuffled(state, cards) if program.renew == RENEW_SHUFFLED else cards[::-1]
            return True
        if program.renew_limit is None:
            return False
    return False


def shuffled(state: State, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards in a new order, which the position remembers."""
    order = state.chance.order(len(state.shuffles), cards)
    state.shuffles = (*state.shuffles, order)
    return order


def pile_of(env: Env, action: Action) -> int:
    """Slot of the pile an action speaks of: the table's, yours, or somebody else's; -1 for hands."""
    zone = env.program.zones[action.pile]
    if zone.of == "table" or zone.slot < 0:
        return zone.slot
    person = action.of(env) if action.of is not None else env.you
    if person < 0:
        raise Impossible("there is nobody to give cards to")
    return zone.slot + (env.program.side_of(person) if zone.of == "side" else env.program.seats_of(person)[0])


def cards_on(env: Env, action: Action) -> tuple[int, ...]:
    """The pile an action speaks of; empty where it is nobody's."""
    try:
        return env.state.piles[pile_of(env, action)]
    except Impossible:
        return ()


def name_cards(env: Env, slot: int, cards: int) -> None:
    """Call cards (a mask) by the name of a slot, if there is one."""
    if slot >= 0:
        named = list(env.state.named)
        named[slot] = cards
        env.state.named = tuple(named)


def move_context(env: Env) -> MoveContext:
    """What the move did so far."""
    if env.context is None:
        env.context = MoveContext(env.state, env.you)
    return env.context


def to_hand(env: Env, action: Action, cards: tuple[int, ...]) -> None:
    """Cards of the pile an action speaks of to the hand."""
    found = mask_of(cards)
    env.state.hands[env.you] |= found
    if env.program.zones[action.pile].seen_by == "everyone":
        env.state.shown |= found & ~env.state.face_down
    env.state.face_down &= ~found
    name_cards(env, action.named, found)
    if cards:
        move_context(env).changed = True


def from_hand(env: Env, cards: tuple[int, ...]) -> int:
    """Take cards out of the hand; their mask. Raises Impossible where they are not there."""
    hand = env.state.hands[env.you]
    found = 0
    for card in cards:
        if not hand >> card & 1:
            raise Impossible("these cards are not in the hand")
        hand ^= 1 << card
        found |= 1 << card
    env.state.hands[env.you] = hand
    return found


def onto(env: Env, action: Action, cards: tuple[int, ...], face_down: bool) -> int:
    """Cards from the hand on (or under) a pile; their mask."""
    found = from_hand(env, cards)
    slot = pile_of(env, action)
    pile = env.state.piles[slot]
    env.state.piles[slot] = cards + pile if action.under else pile + cards
    if face_down:
        env.state.face_down |= found
        env.state.shown &= ~found
    else:
        env.state.face_down &= ~found
    if cards:
        move_context(env).changed = True
    return found


def laid_cards(env: Env) -> None:
    """Somebody laid cards: his side has opened."""
    side = 1 << env.program.side_of(env.you)
    move_context(env).changed = True
    if not env.state.opened & side:
        env.state.opened |= side
        env.state.opened_this_turn |= side
