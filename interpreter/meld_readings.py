"""Groups as people write them: cards in a row, wild cards named or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.meld_kinds import Fitting, Kind
from interpreter.meld_search import find
from interpreter.moves import Meld
from interpreter.pack import mask_of

Names = Sequence[int | None]
"""Beside the cards written: the face said for each, None where none is."""


def readings(fitting: Fitting, kind: Kind, cards: Sequence[int], names: Names) -> list[Meld]:
    """Every group of the kind that consists of just these cards under these names.

    A run is read as it is written, from low to high; only what is none that way is read in any order.
    """
    said = {card: name for card, name in zip(cards, names, strict=True) if name is not None}
    hand = mask_of(cards)
    marked = mask_of(said) & fitting.wild
    held = fitting.twins(hand, marked)
    found = [
        meld
        for meld in find(fitting, kind, held, len(cards), len(cards))
        if all(said.get(card, name) == name for card, name in zip(meld.cards, meld.names, strict=True))
        and fitting.proper(meld)
    ]
    if not kind.consecutive:
        return found
    written = [fitting.alike(card, marked) for card in cards]
    return [meld for meld in found if [fitting.alike(card, marked) for card in meld.cards] == written] or found


def nearest(fitting: Fitting, kind: Kind, cards: Sequence[int], names: Names) -> list[str]:
    """The conditions broken by these cards, in the reading that breaks the fewest of them."""
    if readings(fitting, kind, cards, names):
        return []
    attempts = _run_attempts if kind.consecutive else _set_attempts
    broken = [list(fitting.broken(meld)) for meld in attempts(fitting, kind, cards, names)]
    return min(broken, key=len) or [f"melds.{kind.name}.wild"]


def _run_attempts(fitting: Fitting, kind: Kind, cards: Sequence[int], names: Names) -> Iterator[Meld]:
    """The cards in the order written, from every start at which one that is known lies in its place."""
    pack = fitting.pack
    places = len(pack.place_rank)
    known = _known(fitting, cards, names)
    starts = {
        (place - step) % places if pack.round_the_corner else place - step
        for step, face in enumerate(known)
        if face is not None and pack.face_rank[face] >= 0
        for place in pack.rank_places[pack.face_rank[face]]
    }
    suit = fitting.fixed_suit(kind, (face for face in known if face is not None))
    if fitting.named:
        suit = max(suit, 0)
    for start in sorted(start for start in starts if start >= 0) or range(places):
        faces = [
            pack.face_of(pack.place_rank[(start + step) % places], suit) if face is None else face
            for step, face in enumerate(known)
        ]
        yield Meld(kind.index, tuple(cards), tuple(faces), start)


def _set_attempts(fitting: Fitting, kind: Kind, cards: Sequence[int], names: Names) -> Iterator[Meld]:
    """The cards under every rank one of them has; wild cards of that rank first as themselves, then as others."""
    pack = fitting.pack
    known = _known(fitting, cards, names)
    ranks = {pack.face_rank[face] for face in known if face is not None}
    ranks = ranks or {pack.face_rank[pack.face[card]] for card in cards} or {0}
    for rank in sorted(ranks) if kind.one_rank else [-1]:
        for as_itself in (True, False):
            faces = list(known)
            for at, card in enumerate(cards):
                own = pack.face[card]
                of_rank = kind.loose or pack.face_rank[own] == rank
                if faces[at] is None and as_itself and own != pack.joker_face and of_rank:
                    faces[at] = own
            yield fitting.meld(kind, tuple(zip(cards, _filled(fitting, kind, rank, faces), strict=True)))


def _filled(fitting: Fitting, kind: Kind, rank: int, faces: Names) -> list[int]:
    """Names for all cards of a group without an order: an open one gets a missing suit, as long as there is one."""
    pack = fitting.pack
    if kind.loose:
        return [pack.joker_face if face is None else face for face in faces]
    rank = max(rank, 0)
    suit = fitting.fixed_suit(kind, (face for face in faces if face is not None))
    free = [pack.face_of(rank, suit)]
    if fitting.named and suit < 0:
        every = [pack.face_of(rank, s) for s in range(len(pack.suits))]
        free = [face for face in every if face not in faces] or every
    names: list[int] = []
    for face in faces:
        names.append(free[0] if face is None else face)
        if face is None and len(free) > 1:
            free.pop(0)
    return names


def _known(fitting: Fitting, cards: Sequence[int], names: Names) -> list[int | None]:
    """The names that are said, and those of cards that cannot be wild."""
    return [
        fitting.pack.face[card] if name is None and not fitting.wild >> card & 1 else name
        for card, name in zip(cards, names, strict=True)
    ]
