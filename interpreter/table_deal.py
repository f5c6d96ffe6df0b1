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
    old: Sequence[Meld],
) -> tuple[Meld, ...]:
    """Groups of cards for groups of faces.

    `sources` are masks, each used up before the next; the first must be used in full. `named` are wild cards that lie
    as the card they are called. Of twins those are taken that lay together in one of the `old` groups.
    """
    left, found = _as_they_lay(rules, drawn, sources[0], old)
    laid = 0
    for meld in found:
        laid |= meld.mask
    waiting: dict[int, list[int]] = {}
    wild: list[int] = []
    for source in sources:
        for card in bits(source & ~laid):
            if card in named:
                waiting.setdefault(named[card], []).append(card)
            elif rules.wild >> card & 1:
                wild.append(card)
            else:
                waiting.setdefault(pack.face[card], []).append(card)
    needed: dict[int, int] = {}
    for group in left:
        for at, face in enumerate(group.faces):
            if not group.wild >> at & 1:
                needed[face] = needed.get(face, 0) + 1
    for face, cards in waiting.items():
        del cards[needed.get(face, 0) :]
    home = {card: number for number, meld in enumerate(old) for card in meld.cards}
    for group in sorted(left, key=lambda g: -max(_votes(g, waiting, home).values(), default=0)):
        votes = _votes(group, waiting, home)
        cards = []
        for at, face in enumerate(group.faces):
            if group.wild >> at & 1:
                cards.append(wild.pop(0))
                continue
            own = waiting[face]
            best = own[0] if len(own) == 1 else max(own, key=lambda c: votes.get(home.get(c, -1), 0))
            own.remove(best)
            cards.append(best)
        found.append(_written(pack, rules, group, cards))
    return tuple(found)


def _as_they_lay(
    rules: MeldRules, drawn: Sequence[Drawn], owed: int, old: Sequence[Meld]
) -> tuple[list[Drawn], list[Meld]]:
    """The groups that are not among the old ones, and those that are, as they lay; without wild cards, and of cards
    that are owed."""
    lay: dict[tuple[int, tuple[int, ...]], list[Meld]] = {}
    for meld in old:
        if not meld.mask & (rules.wild | ~owed):
            lay.setdefault((meld.start, tuple(sorted(meld.names))), []).append(meld)
    left: list[Drawn] = []
    found: list[Meld] = []
    for group in drawn:
        same = lay.get((group.start, tuple(sorted(group.faces)))) if not group.wild else None
        if same:
            found.append(same.pop())
        else:
            left.append(group)
    return left, found


def _votes(group: Drawn, waiting: dict[int, list[int]], home: dict[int, int]) -> dict[int, int]:
    """By old group: how many of a group's cards can come from it."""
    votes: dict[int, int] = {}
    for at, face in enumerate(group.faces):
        if not group.wild >> at & 1:
            own = waiting[face]
            if len(own) == 1:
                if own[0] in home:
                    where = home[own[0]]
                    votes[where] = votes.get(where, 0) + 1
                continue
            for where in {home[c] for c in own if c in home}:
                votes[where] = votes.get(where, 0) + 1
    return votes


def _written(pack: Pack, rules: MeldRules, group: Drawn, cards: list[int]) -> Meld:
    if group.start >= 0:
        return Meld(group.kind, tuple(cards), group.faces, group.start)
    order = sorted(
        zip(cards, group.faces, strict=True),
        key=lambda one: (1, one[1], one[0]) if rules.wild >> one[0] & 1 else (0, pack.face_suit[one[1]], one[0]),
    )
    return Meld(group.kind, tuple(c for c, _ in order), tuple(n for _, n in order), -1)
