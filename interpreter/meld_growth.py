"""How a group on the table changes: cards laid off on it, a wild card swapped out.

Every candidate is tested against the definition, so only what is tried matters here: the open places of a run, the
rank of a set, any card for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Final

from interpreter.meld_kinds import Fitting, Kind, Twins
from interpreter.moves import Meld
from interpreter.pack import bits

BY_PLACE: Final = -1
"""The name of a wild card that is settled once the other cards of its group are known."""

Option = tuple[int, int]
"""A card that may be added: number of its twins, and its name."""


def lay_offs(
    fitting: Fitting, meld: Meld, hand: int, count: int, marked: int, slides: bool
) -> Iterator[tuple[Meld, tuple[int, ...]]]:
    """Every group `meld` becomes by `count` cards of the hand, with the cards added (ids ascending).

    Its cards keep their names and places; if wild cards may slide, only its natural cards do. Order: from the lowest
    possible start, place by place; for groups without an order by the cards added; natural before wild.
    """
    kind = fitting.kinds[meld.kind]
    if len(meld.cards) + count > kind.cards[1] or count < 1:
        return
    freed = fitting.wild_in(meld) if slides and kind.consecutive else 0
    hopeful = hand & ~meld.mask if freed or kind.loose else hand & ~meld.mask & _hopeful(fitting, kind, meld, count)
    held = fitting.twins(hopeful | freed, marked)
    grown = _grown_runs if kind.consecutive else _grown_sets
    for after in grown(fitting, kind, meld, held, count, freed):
        if fitting.fits(after) and fitting.settled(after, ~meld.mask | freed):
            yield after, tuple(bits(after.mask & ~meld.mask))


def swaps(fitting: Fitting, meld: Meld, hand: int, marked: int) -> Iterator[tuple[int, int, Meld]]:
    """Every (wild card, card of the hand that is natural in its place, group after).

    Of unmarked wild twins under one name, only the lowest is swapped.
    """
    pack = fitting.pack
    held = fitting.twins(hand & ~meld.mask, marked)
    done: set[tuple[int, int]] = set()
    for at, (card, name) in enumerate(zip(meld.cards, meld.names, strict=True)):
        alike = fitting.alike(card, marked), name
        if not fitting.is_wild(card, name) or (alike in done and meld.start < 0):
            continue
        done.add(alike)
        for twins in held:
            if twins.wild and twins.face == pack.joker_face:
                continue
            unsuited = name > pack.joker_face and pack.face_rank[name] == pack.face_rank[twins.face]
            if name in (twins.face, pack.joker_face) or unsuited:
                after = fitting.renamed(meld, at, twins.cards[0], twins.face)
                if fitting.fits(after):
                    yield card, twins.cards[0], after


def _hopeful(fitting: Fitting, kind: Kind, meld: Meld, count: int) -> int:
    """The cards that may be wild, or have the rank of a set or of a place within `count` places of a run's ends."""
    pack = fitting.pack
    ranks = {pack.face_rank[meld.names[0]]}
    if kind.consecutive:
        after = meld.start + len(meld.cards)
        places = (*range(meld.start - count, meld.start), *range(after, after + count))
        ranks = {pack.place_rank[place % len(pack.place_rank)] for place in places}
    return fitting.wild | sum(
        pack.cards_of_face[face] for face in range(pack.joker_face + 1) if pack.face_rank[face] in ranks
    )


def _grown_runs(
    fitting: Fitting, kind: Kind, meld: Meld, held: Sequence[Twins], count: int, freed: int
) -> Iterator[Meld]:
    """Runs with the fixed cards of the group in their places and all the freed ones, valid or not."""
    pack = fitting.pack
    places = len(pack.place_rank)
    size = len(meld.cards) + count
    if size > places:
        return
    fixed = {
        step: said for step, said in enumerate(zip(meld.cards, meld.names, strict=True)) if not freed >> said[0] & 1
    }
    suit = fitting.fixed_suit(kind, [name for _, name in fixed.values()])
    lowest, highest = max(fixed, default=size - 1 - meld.start) - size + 1, min(fixed, default=places - 1 - meld.start)
    for first in range(lowest, highest + 1):
        start = meld.start + first
        if pack.round_the_corner:
            start %= places
        elif start < 0 or start + size > places:
            continue
        open_steps = [step for step in range(first, first + size) if step not in fixed]
        ranks = [pack.place_rank[(meld.start + step) % places] for step in open_steps]
        for chosen in product(*(_options(fitting, kind, held, rank, suit) for rank in ranks)):
            added = _dealt(fitting, kind, held, chosen, suit, ranks, freed)
            if added:
                filled = fixed | dict(zip(open_steps, added, strict=True))
                said = [filled[step] for step in range(first, first + size)]
                yield Meld(kind.index, tuple(card for card, _ in said), tuple(name for _, name in said), start)


def _grown_sets(
    fitting: Fitting, kind: Kind, meld: Meld, held: Sequence[Twins], count: int, freed: int
) -> Iterator[Meld]:
    """The group without an order with any `count` cards that may have a part in it, valid or not."""
    rank = fitting.pack.face_rank[meld.names[0]] if kind.one_rank else None
    suit = fitting.fixed_suit(kind, meld.names)
    said = tuple(zip(meld.cards, meld.names, strict=True))
    ranks = [-1 if rank is None else rank] * count
    for chosen in combinations_with_replacement(_options(fitting, kind, held, rank, suit), count):
        added = _dealt(fitting, kind, held, chosen, suit, ranks, freed)
        if added:
            yield fitting.meld(kind, (*said, *added))


def _options(fitting: Fitting, kind: Kind, held: Sequence[Twins], rank: int | None, suit: int) -> list[Option]:
    """The cards that may lie under this rank (None: under any) and suit (-1: any)."""
    pack = fitting.pack
    options: list[Option] = []
    for number, twins in enumerate(held):
        fits_suit = suit < 0 or pack.face_suit[twins.face] in (suit, -1)
        joker = twins.wild and twins.face == pack.joker_face
        if fits_suit and not joker and (rank is None or rank == pack.face_rank[twins.face]):
            options.append((number, twins.face))
    if rank is None:
        names = [pack.joker_face]
    elif rank < 0:
        names = []
    elif fitting.named:
        names = [pack.face_of(rank, suit)] if suit >= 0 else [pack.face_of(rank, s) for s in range(len(pack.suits))]
    else:
        names = [BY_PLACE]
    for name in names:
        options += [(n, name) for n, twins in enumerate(held) if twins.wild and (kind.loose or twins.face != name)]
    return options


def _dealt(
    fitting: Fitting,
    kind: Kind,
    held: Sequence[Twins],
    chosen: Sequence[Option],
    suit: int,
    ranks: Sequence[int],
    freed: int,
) -> list[tuple[int, int]]:
    """Card and name for each option: all the freed cards and the lowest of the others, lower ids first.

    Empty if the hand has too few of a card, a freed one is left over, or a wild card would lie as itself.
    """
    uses: dict[int, int] = {}
    for number, _ in chosen:
        uses[number] = uses.get(number, 0) + 1
    stacks: dict[int, list[int]] = {}
    left_over = freed
    for number, wanted in uses.items():
        stack = sorted(held[number].cards, key=lambda card: (not freed >> card & 1, card))[:wanted]
        if len(stack) < wanted:
            return []
        for card in stack:
            left_over &= ~(1 << card)
        stacks[number] = sorted(stack, reverse=True)
    if left_over:
        return []
    if suit < 0:
        suit = fitting.fixed_suit(kind, (name for _, name in chosen if name != BY_PLACE))
    dealt: list[tuple[int, int]] = []
    for (number, said), rank in zip(chosen, ranks, strict=True):
        name = fitting.pack.face_of(rank, suit) if said == BY_PLACE else said
        if said == BY_PLACE and name == held[number].face:
            return []
        dealt.append((stacks[number].pop(), name))
    return dealt
