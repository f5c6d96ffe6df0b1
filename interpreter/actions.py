"""What actions do to a position, and what a player may choose for them.

`perform` changes `env.state`, which the caller has copied; `choices` lists, in a fixed order, everything the player can
choose for one action as far as cards and valid groups go. Whether the whole move is legal is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, cast

from interpreter.meld_limits import MANY, Bounds, Limited
from interpreter.melds import Hopes
from interpreter.moves import Choice, Group, LaidOff, Meld, Swapped
from interpreter.pack import bit_list, bits, mask_of
from interpreter.piles import (
    Impossible,
    cards_on,
    from_hand,
    laid_cards,
    move_context,
    name_cards,
    onto,
    pile_of,
    renew,
    to_hand,
)
from interpreter.program import (
    ADD,
    DIG,
    DRAW,
    FOLD,
    LAY_MELDS,
    LAY_OFF,
    PASS,
    PUT,
    PUT_EVERY,
    REARRANGE,
    RETURN,
    SET,
    SWAP,
    TAKE_ALL,
    TAKE_ANY,
    TAKE_TOP,
    TURN_UP,
    Action,
    Env,
)  # fmt: skip
from interpreter.rearranging import rearrange
from interpreter.state import State, bounded

# ------------------------------------------------------------ doing it


def _draw(env: Env, action: Action, _: Choice) -> None:
    assert action.count is not None
    state, slot = env.state, pile_of(env, action)
    drawn: list[int] = []
    for _number in range(action.count(env)):
        if not state.piles[slot] and not (slot == env.program.stock and renew(env)):
            break
        drawn.append(state.piles[slot][-1])
        state.piles[slot] = state.piles[slot][:-1]
    to_hand(env, action, tuple(drawn))


def _take_top(env: Env, action: Action, _: Choice) -> None:
    slot = pile_of(env, action)
    pile = env.state.piles[slot]
    if not pile:
        raise Impossible("the pile is empty")
    env.state.piles[slot] = pile[: -action.least]
    to_hand(env, action, pile[-action.least :])


def _take_all(env: Env, action: Action, _: Choice) -> None:
    slot = pile_of(env, action)
    pile = env.state.piles[slot]
    env.state.piles[slot] = ()
    to_hand(env, action, pile)


def _take_any(env: Env, action: Action, choice: Choice) -> None:
    slot = pile_of(env, action)
    pile = env.state.piles[slot]
    if choice not in pile:
        raise Impossible("this card is not there")
    assert isinstance(choice, int)
    at = pile.index(choice)
    if action.kind == DIG:
        if at == len(pile) - 1:
            raise Impossible("the card must lie below the top one")
        env.state.piles[slot] = pile[:at]
        to_hand(env, action, pile[at:])
        name_cards(env, action.named, 1 << pile[at])
    else:
        env.state.piles[slot] = pile[:at] + pile[at + 1 :]
        to_hand(env, action, (pile[at],))


def _put(env: Env, action: Action, choice: Choice) -> None:
    cards = cast(tuple[int, ...], choice)
    if action.most < 0:
        cards = tuple(bits(env.state.hands[env.you]))
    elif not action.least <= len(cards) <= action.most:
        noun = "card" if action.least == 1 else "cards"
        raise Impossible(f"{action.least} {noun} must be put, not {len(cards)}")
    found = onto(env, action, cards, action.flag)
    move_context(env).it = cards[0] if action.least == action.most == 1 else found
    name_cards(env, action.named, found)


def _put_every(env: Env, action: Action, _: Choice) -> None:
    assert action.count is not None
    it = env.it
    chosen = []
    for card in bits(env.state.hands[env.you]):
        env.it = card
        if action.count(env):
            chosen.append(card)
    env.it = it
    found = onto(env, action, tuple(chosen), action.flag)
    move_context(env).it = found
    name_cards(env, action.named, found)


def _return(env: Env, action: Action, _: Choice) -> None:
    cards = tuple(bits(env.state.named[action.named] & env.state.hands[env.you]))
    onto(env, action, cards, False)
    env.state.duties = tuple(
        d for d in env.state.duties if action.named not in env.program.duties[d.duty].names or d.seat != env.you
    )


def _lay_melds(env: Env, action: Action, choice: Choice) -> None:
    melds = cast(tuple[Meld, ...], choice)
    if not action.least <= len(melds) <= action.most:
        raise Impossible(f"at least {action.least} group must be laid" if action.least else "too many groups")
    rules, context = env.state.rules, move_context(env)
    for meld in melds:
        context.played_cards |= from_hand(env, meld.cards)
        if not rules.melds.may_be_laid(meld):
            raise Impossible("this is no group", rules.melds.why_not(None, meld.cards, meld.names) or "")
        group = Group(meld, env.you, (env.you,) * len(meld.cards))
        env.state.groups = (*env.state.groups, group)
        context.played_groups = (*context.played_groups, group)
    if melds:
        laid_cards(env)


def _lay_off(env: Env, action: Action, choice: Choice) -> None:
    assert action.count is not None
    laid = cast(LaidOff, choice)
    if not 0 <= laid.group < len(env.state.groups) or len(laid.cards) != action.count(env):
        raise Impossible("there is no such group")
    old = env.state.groups[laid.group]
    rules = env.state.rules.melds
    hand = mask_of(laid.cards)
    if not any(
        meld == laid.meld and set(cards) == set(laid.cards)
        for meld, cards in rules.lay_offs(old.meld, hand, len(laid.cards), hand)
    ):
        face = env.program.pack.face
        said = [None if n == face[c] else n for c, n in zip(laid.meld.cards, laid.meld.names, strict=True)]
        raise Impossible("the card does not fit there", rules.why_not(old.meld.kind, laid.meld.cards, said) or "")
    move_context(env).played_cards |= from_hand(env, laid.cards)
    _replace_group(env, laid.group, laid.meld)
    laid_cards(env)


def _replace_group(env: Env, index: int, meld: Meld) -> None:
    state = env.state
    old = state.groups[index]
    layers = dict(zip(old.meld.cards, old.layers, strict=True))
    group = Group(meld, old.owner, tuple(layers.get(card, env.you) for card in meld.cards))
    state.groups = (*state.groups[:index], group, *state.groups[index + 1 :])
    move_context(env).it = group


def _swap(env: Env, action: Action, choice: Choice) -> None:
    swap = cast(Swapped, choice)
    if not 0 <= swap.group < len(env.state.groups):
        raise Impossible("there is no such group")
    old = env.state.groups[swap.group]
    if (swap.wild, swap.card, swap.meld) not in env.state.rules.melds.swaps(
        old.meld, 1 << swap.card, 1 << swap.card | 1 << swap.wild
    ):
        raise Impossible("the card does not take the place of this one")
    move_context(env).played_cards |= from_hand(env, (swap.card,))
    _replace_group(env, swap.group, swap.meld)
    env.state.hands[env.you] |= 1 << swap.wild
    env.state.shown |= 1 << swap.wild
    name_cards(env, action.named, 1 << swap.wild)
    laid_cards(env)


def _turn_up(env: Env, action: Action, _: Choice) -> None:
    stock, slot = env.program.stock, pile_of(env, action)
    turned: list[int] = []
    for _number in range(action.least):
        if not env.state.piles[stock] and not renew(env):
            break
        turned.append(env.state.piles[stock][-1])
        env.state.piles[stock] = env.state.piles[stock][:-1]
    env.state.piles[slot] = env.state.piles[slot] + tuple(turned)
    name_cards(env, action.named, mask_of(tuple(turned)))
    if turned:
        move_context(env).changed = True


def _pass(_env: Env, _action: Action, _: Choice) -> None:
    pass


def _fold(env: Env, _action: Action, _: Choice) -> None:
    env.state.folded |= 1 << env.you


def _add(env: Env, action: Action, _: Choice) -> None:
    assert action.count is not None
    amount = action.count(env)
    state = env.state
    before = state.scores if action.pile < 0 else state.tallies
    values: list[int] = []  # what is there afterwards, once something changes
    for slot in _slots(env, action):
        value: int = values[slot] if values else before[slot]
        changed = bounded(amount if action.kind == SET else value + amount)
        if changed != value:
            values = values or list(before)
            values[slot] = changed
    if values and action.pile < 0:
        state.scores = tuple(values)
    elif values:
        state.tallies = tuple(values)


def _slots(env: Env, action: Action) -> list[int]:
    """Where the counts stand that an action changes, among the scores or the tallies."""
    program = env.program
    tally = program.tallies[action.pile] if action.pile >= 0 else None
    if tally is not None and tally.of == "table":
        return [tally.slot]
    people: tuple[int, ...] = action.of(env) if action.of is not None else (env.you,)
    if tally is None:
        return sorted({program.side_of(p) for p in people})
    if tally.of == "side":
        return [tally.slot + side for side in sorted({program.side_of(p) for p in people})]
    return [tally.slot + seat for p in people for seat in program.seats_of(p)]


_PERFORM: Final[dict[int, Callable[[Env, Action, Choice], None]]] = {
    DRAW: _draw, TAKE_TOP: _take_top, TAKE_ALL: _take_all, TAKE_ANY: _take_any, DIG: _take_any, PUT: _put,
    PUT_EVERY: _put_every, RETURN: _return, LAY_MELDS: _lay_melds, LAY_OFF: _lay_off, SWAP: _swap,
    REARRANGE: rearrange, TURN_UP: _turn_up, PASS: _pass, FOLD: _fold, ADD: _add, SET: _add,
}  # fmt: skip
_BY_KIND: Final = [_PERFORM[kind] for kind in range(len(_PERFORM))]


def perform(env: Env, action: Action, choice: Choice) -> None:
    """Do one action in `env.state`. Raises `Impossible` where it cannot be done so; the state is then spoilt."""
    _BY_KIND[action.kind](env, action, choice)


# ------------------------------------------------------------ what can be chosen


def marked_cards(state: State) -> int:
    """Cards that are not like their twins: those that are named, now or by an open duty."""
    found = 0
    for mask in state.named:
        found |= mask
    for duty in state.duties:
        for mask in duty.named:
            found |= mask
    return found


def distinct(env: Env, mask: int, marked: int) -> list[int]:
    """The cards of a mask, one of each set of twins nobody can tell apart."""
    pack = env.program.pack
    if not pack.has_twins:
        return bit_list(mask)
    face = pack.face
    found: list[int] = []
    seen = 0
    for card in bit_list(mask):
        if not marked >> card & 1:
            one = 1 << face[card]
            if seen & one:
                continue
            seen |= one
        found.append(card)
    return found


def choices(env: Env, action: Action, must: int = 0, ways: Bounds | None = None) -> Iterator[Choice]:
    """Everything that can be chosen for an action in `env.state`; where groups are laid, only those with all cards of
    `must`, and within the limits of `ways` if there are any."""
    state, hand = env.state, env.state.hands[env.you]
    marked = marked_cards(state)
    rules = state.rules.melds
    kind = action.kind
    if kind in (TAKE_ANY, DIG):
        pile = cards_on(env, action)
        yield from pile[:-1] if kind == DIG else pile
    elif kind == PUT and action.most < 0:
        yield ()
    elif kind == PUT and action.least == action.most == 1:
        for card in distinct(env, hand, marked):
            yield (card,)
    elif kind == PUT:
        for size in range(action.least, min(action.most, hand.bit_count()) + 1):
            yield from _selections(env, hand, marked, size)
    elif kind == LAY_MELDS and action.most == 1:
        for meld in rules.groups(hand, None, must, marked):
            if ways is None or any(all(one.low <= one.part(meld) <= one.high for one in way) for way in ways):
                yield (meld,)
    elif kind == LAY_MELDS:
        most = None if action.most > hand.bit_count() else action.most
        if ways is None or [] in ways:
            yield from rules.arrangements(hand, action.least, most, must, marked)
        elif ways:
            yield from limited(env, action, ways, must).sets()
    elif kind == LAY_OFF:
        assert action.count is not None
        count = action.count(env)
        for index, group in enumerate(state.groups):
            for meld, cards in rules.lay_offs(group.meld, hand, count, marked):
                if not must & ~mask_of(cards):
                    yield LaidOff(index, meld, cards)
    elif kind == SWAP:
        for index, group in enumerate(state.groups):
            for wild, card, meld in rules.swaps(group.meld, hand, marked):
                if not must & ~(1 << card):
                    yield Swapped(index, wild, card, meld)
    elif can_be_done(env, action):
        yield None


def can_be_done(env: Env, action: Action) -> bool:
    """Whether an action with nothing to choose can be done: the top of a pile is taken where one lies there."""
    return action.kind != TAKE_TOP or bool(cards_on(env, action))


def limited(env: Env, action: Action, ways: Bounds, must: int = 0) -> Limited:
    """The sets of groups that can be chosen for an action that lays several, within limits."""
    hand = env.state.hands[env.you]
    most = MANY if action.most > hand.bit_count() else action.most
    within, marked = _around(env)
    return env.state.rules.melds.limited(hand, ways, action.least, most, must, marked, within)


def hopes_of(env: Env, ways: Bounds, must: int = 0) -> Hopes:
    """What may become of limits to the groups that are laid when cards are put away first."""
    within, marked = _around(env)
    return Hopes(env.state.rules.melds, env.state.hands[env.you], ways, must, marked, within)


def _around(env: Env) -> tuple[int, int]:
    """The hand before the move and now, and which of these cards are told apart from their twins."""
    state, hand, before = env.state, env.state.hands[env.you], move_context(env).before
    return before.hands[env.you] | hand, (marked_cards(before) & ~hand) | (marked_cards(state) & hand)


def _selections(env: Env, hand: int, marked: int, size: int) -> Iterator[tuple[int, ...]]:
    """Selections of `size` cards, equal ones once."""
    if size == 1:
        for card in distinct(env, hand, marked):
            yield (card,)
        return
    seen = set()
    face = env.program.pack.face
    for cards in combinations(bits(hand), size):
        key = tuple((face[c], c if marked >> c & 1 else -1) for c in cards)
        if key not in seen:
            seen.add(key)
            yield cards
