"""The action `rearrange`: the player proposes a whole new table.

Every card that lay on the table (or in the player's own groups) lies in a valid group afterwards, at least one card of
the hand is added, cards of one pile may be, and none is taken up. Of twins it does not matter which lies where, so a
play is looked at in every way of telling them apart until one is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import cast

from interpreter.moves import Choice, Group, Meld, Move
from interpreter.pack import bits, mask_of
from interpreter.piles import Impossible, from_hand, laid_cards, move_context, pile_of
from interpreter.program import ANYTHING, NEW_GROUPS, REARRANGE, Action, Env, MoveContext, MoveProgram, Program
from interpreter.state import State

MAX_VARIANTS = 2_000
"""Ways to tell twins apart that are tried for one play."""


def stays(env: Env, action: Action) -> tuple[Group, ...]:
    """The groups the action leaves alone: those of others, where only one's own may be rearranged."""
    if not action.flag:
        return ()
    side = env.program.side_of(env.you)
    return tuple(g for g in env.state.groups if g.owner % env.program.sides != side)


def rearrange(env: Env, action: Action, choice: Choice) -> None:
    """Put the proposed groups in place of those that were there. Raises Impossible, which names what is wrong."""
    state, context = env.state, move_context(env)
    melds = cast(tuple[Meld, ...], choice)
    kept = stays(env, action)
    before = tuple(g for g in state.groups if g not in kept)
    old = sum(g.meld.mask for g in before)
    new = 0
    for meld in melds:
        for card in meld.cards:
            if new >> card & 1:
                raise Impossible("a card lies in two groups")
            new |= 1 << card
        if not state.rules.melds.fits(meld):
            raise Impossible("this is no group", state.rules.melds.why_not(None, meld.cards, meld.names) or "")
    if old & ~new:
        raise Impossible("every card that lay on the table must lie there afterwards")
    added = new & ~old
    from_pile = _from_pile(env, action, added & ~state.hands[env.you])
    own = added & ~from_pile
    if not own:
        raise Impossible("at least one card of the hand must be added")
    from_hand(env, tuple(bits(own)))
    places = {group.meld: group for group in before}
    layers = {card: layer for group in before for card, layer in zip(group.meld.cards, group.layers, strict=True)}
    groups = [places.get(meld) or _group(env, meld, layers) for meld in melds]
    state.groups = (*kept, *groups)
    context.played_cards |= own
    context.played_groups = tuple(group for group in groups if group.meld not in places)
    laid_cards(env)


def _from_pile(env: Env, action: Action, cards: int) -> int:
    """Take cards that are not of the hand from the pile the action names."""
    if not cards:
        return 0
    slot = pile_of(env, action) if action.pile >= 0 else -1
    pile = env.state.piles[slot] if slot >= 0 else ()
    if cards & ~mask_of(pile):
        raise Impossible("a card comes from neither the table nor the hand")
    env.state.piles[slot] = tuple(c for c in pile if not cards >> c & 1)
    return cards


def _group(env: Env, meld: Meld, layers: dict[int, int]) -> Group:
    return Group(meld, env.you, tuple(layers.get(card, env.you) for card in meld.cards))


def twin_variants(program: Program, state: State, rule: MoveProgram, move: Move) -> Iterator[Move]:
    """The same rearrangement with twins told apart in every other way that may matter; where there are more than
    `MAX_VARIANTS`, the position notes that the answer was cut short."""
    at = next(i for i, action in enumerate(rule.actions) if action.kind == REARRANGE)
    for melds in _variants(program, state, rule, cast(tuple[Meld, ...], move.choices[at])):
        yield move._replace(choices=(*move.choices[:at], melds, *move.choices[at + 1 :]))


def _variants(program: Program, state: State, rule: MoveProgram, melds: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
    """Only twins from different places (two groups, the hand, a pile) can matter; `MAX_VARIANTS` ways are tried."""
    pack = program.pack
    matter = _faces_that_matter(program, state, rule)
    slots: dict[int, list[tuple[int, int]]] = {}
    origin = {card: index for index, group in enumerate(state.groups) for card in group.meld.cards}
    origin |= dict.fromkeys(bits(state.hands[state.to_act]), -2)
    for number, meld in enumerate(melds):
        for index, card in enumerate(meld.cards):
            slots.setdefault(pack.face[card], []).append((number, index))
    open_faces = []
    for face in sorted(slots):
        twins = [melds[n].cards[i] for n, i in slots[face]]
        origins = {origin.get(card, -1) for card in twins}
        if len(origins) > 1 and (matter is None or face in matter or -2 in origins):
            open_faces.append((slots[face], twins))
    orders = [list(permutations(twins)) for _, twins in open_faces]
    for count, chosen in enumerate(product(*orders)):
        if count >= MAX_VARIANTS:
            state.bounds.cut += 1
            return
        table = [list(meld.cards) for meld in melds]
        for (places, _), cards in zip(open_faces, chosen, strict=True):
            for (number, index), card in zip(places, cards, strict=True):
                table[number][index] = card
        variant = tuple(m._replace(cards=tuple(c)) for m, c in zip(melds, table, strict=True))
        if variant != melds:
            yield variant


def _faces_that_matter(program: Program, state: State, rule: MoveProgram) -> set[int] | None:
    """The faces of which the conditions of a move may tell twins apart (None: all), cards of the hand aside: cards of a
    pile, and those of old groups that a condition holds on to a card of, with what the cards stood for."""
    if any(check.asks in (ANYTHING, NEW_GROUPS) for check in rule.only):
        return None
    face = program.pack.face
    seat = state.frame.seat
    found = {face[card] for action in rule.actions for card in bits(pile_cards(Env(program, state, seat), action))}
    checks = [check.of_card for check in rule.only if check.of_card is not None]
    alone = state.copy()
    env = Env(program, alone, seat)
    env.context = MoveContext(state, seat)
    for group in state.groups:
        for card in group.meld.cards:
            name = face[card]
            alone.groups = (Group(Meld(0, (card,), (name,), -1), seat, (seat,)),)
            if not all(holds(env, card) for holds in checks):
                found.update(face[other] for other in group.meld.cards)
                found.update(group.meld.names)
                break
    return found


def pile_cards(env: Env, action: Action) -> int:
    """The cards a rearrangement may take from a pile (a mask)."""
    if action.kind != REARRANGE or action.pile < 0:
        return 0
    try:
        slot = pile_of(env, action)
    except Impossible:
        return 0
    return mask_of(env.state.piles[slot]) if slot >= 0 else 0
