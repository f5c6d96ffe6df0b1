"""From groups of faces to groups of cards: which of twins lies where."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.melds import MeldRules
from interpreter.moves import Meld
from interpreter.pack import Pack, bits
from interpreter.table_drawing import Drawn


def dealt(
    pack: Pack,
    rules: MeldRules,
    drawn: Sequence[Drawn],
    sources: Sequence[int],
    named: dict[int, int],
    home: dict[int, int],
) -> tuple[Meld, ...]:
    """Groups of cards for groups of faces.

    `sources` are masks, each used up before the next; the first must be used in full. `named` are wild cards that lie
    as the card they are called. `home` is the group a card lay in: cards that lay together are kept together.
    """
    waiting: dict[int, list[int]] = {}
    wild: list[int] = []
    for source in sources:
        for card in bits(source):
            if card in named:
                waiting.setdefault(named[card], []).append(card)
            elif rules.wild >> card & 1:
                wild.append(card)
            else:
                waiting.setdefault(pack.face[card], []).append(card)
    needed: dict[int, int] = {}
    for group in drawn:
        for at, face in enumerate(group.faces):
            if not group.wild >> at & 1:
                needed[face] = needed.get(face, 0) + 1
    for face, cards in waiting.items():
        del cards[needed.get(face, 0) :]
    found: list[Meld] = []
    for group in sorted(drawn, key=lambda g: -_alike(g, waiting, home)):
        votes: dict[int, int] = {}
        for at, face in enumerate(group.faces):
            if not group.wild >> at & 1:
                for where in {home[c] for c in waiting[face] if c in home}:
                    votes[where] = votes.get(where, 0) + 1
        cards = []
        for at, face in enumerate(group.faces):
            if group.wild >> at & 1:
                cards.append(wild.pop(0))
                continue
            best = max(waiting[face], key=lambda c: votes.get(home.get(c, -1), 0))
            waiting[face].remove(best)
            cards.append(best)
        found.append(_written(pack, rules, group, cards))
    return tuple(found)


def _alike(group: Drawn, waiting: dict[int, list[int]], home: dict[int, int]) -> int:
    """How many of a group's cards can come from one old group."""
    votes: dict[int, int] = {}
    for at, face in enumerate(group.faces):
        if not group.wild >> at & 1:
            for where in {home[c] for c in waiting[face] if c in home}:
                votes[where] = votes.get(where, 0) + 1
    return max(votes.values(), default=0)


def _written(pack: Pack, rules: MeldRules, group: Drawn, cards: list[int]) -> Meld:
    if group.start >= 0:
        return Meld(group.kind, tuple(cards), group.faces, group.start)
    order = sorted(
        zip(cards, group.faces, strict=True),
        key=lambda one: (1, one[1], one[0]) if rules.wild >> one[0] & 1 else (0, pack.face_suit[one[1]], one[0]),
    )
    return Meld(group.kind, tuple(c for c, _ in order), tuple(n for _, n in order), -1)
