"""From groups of faces to groups of cards: which of twins lies where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter.moves import Meld
from interpreter.pack import Pack
from interpreter.table_drawing import Drawn

NOBODY: Final = -1


def dealt(
    pack: Pack, drawn: list[Drawn], sources: Sequence[list[int]], named: dict[int, int], old: Sequence[Meld]
) -> tuple[Meld, ...]:
    """Groups of cards for groups of faces.

    `sources` are cards, each used up before the next; the first must be used in full. `named` are wild cards that lie
    as the card they are called. A group that lies among the `old` ones, all its cards in the first source, stays;
    else of twins those are taken that lay together in one of these.
    """
    deal = _Deal(pack, named, old)
    left = deal.keep(drawn, sources[0])
    deal.offer(sources)
    return deal.groups(left)


class _Deal:
    def __init__(self, pack: Pack, named: dict[int, int], old: Sequence[Meld]) -> None:
        self.pack = pack
        self.named = named
        self.old = old
        self.found: list[Meld] = []
        self.laid = [False] * pack.size
        self.card_of = [NOBODY] * pack.joker_face
        """By face: a card that waits to be laid; several are in `twins`."""
        self.twins: dict[int, list[int]] = {}
        self.home = [NOBODY] * pack.size
        """By card: its old group."""
        self.wild: list[int] = []

    # -------------------------------------------------------- groups that stay

    def keep(self, drawn: list[Drawn], owed: list[int]) -> list[Drawn]:
        """Lay the groups that lie among the old ones, without wild cards and of cards that are owed; the others."""
        free = [False] * self.pack.size
        for card in owed:
            free[card] = True
        old: dict[int, list[Meld]] = {}
        joker = self.pack.joker_face
        face = self.pack.face
        for meld in self.old:
            if all(free[card] and face[card] != joker for card in meld.cards):
                key = _key(meld.start, meld.names)
                alike = old.get(key)
                if alike is None:
                    old[key] = [meld]
                else:
                    alike.append(meld)
        left: list[Drawn] = []
        for group in drawn:
            same = None if group.wild else old.get(_key(group.start, group.faces))
            if same:
                meld = same.pop()
                for card in meld.cards:
                    self.laid[card] = True
                self.found.append(meld)
            else:
                left.append(group)
        return left

    # -------------------------------------------------------- the other ones

    def offer(self, sources: Sequence[list[int]]) -> None:
        """Let all other cards wait."""
        pack, laid, card_of = self.pack, self.laid, self.card_of
        for source in sources:
            for card in source:
                if laid[card]:
                    continue
                face = pack.face[card]
                if face == pack.joker_face:
                    if card not in self.named:
                        self.wild.append(card)
                        continue
                    face = self.named[card]
                if card_of[face] == NOBODY:
                    card_of[face] = card
                else:
                    self.twins.setdefault(face, [card_of[face]]).append(card)

    def groups(self, left: list[Drawn]) -> tuple[Meld, ...]:
        """All groups as cards, of those that do not stay first the ones that can have most of an old group."""
        self._only_needed(left)
        for number, meld in enumerate(self.old):
            for card in meld.cards:
                self.home[card] = number
        order = sorted([(-_most(self._votes(group)), at) for at, group in enumerate(left)])
        for _, at in order:
            self._lay(left[at])
        return tuple(self.found)

    def _only_needed(self, left: list[Drawn]) -> None:
        """Let no more twins wait than there will be laid."""
        if not self.twins:
            return
        needed = dict.fromkeys(self.twins, 0)
        for group in left:
            for at, face in enumerate(group.faces):
                if face in needed and not group.wild >> at & 1:
                    needed[face] += 1
        for face, count in needed.items():
            if count < 2:
                del self.twins[face]
            else:
                del self.twins[face][count:]

    def _votes(self, group: Drawn) -> list[int]:
        """By old group, those that are in none last: how many of a group's cards can come from it."""
        home, twins = self.home, self.twins
        votes = [0] * (len(self.old) + 1)
        for at, face in enumerate(group.faces):
            if group.wild >> at & 1:
                continue
            if twins and face in twins:
                for card in twins[face]:
                    votes[home[card]] += 1
            else:
                votes[home[self.card_of[face]]] += 1
        votes[NOBODY] = 0
        return votes

    def _lay(self, group: Drawn) -> None:
        """Lay a group; of twins those that come from where most of its cards can come from."""
        votes: list[int] = []
        cards: list[int] = []
        for at, face in enumerate(group.faces):
            if group.wild >> at & 1:
                cards.append(self.wild.pop(0))
            elif self.twins and face in self.twins:
                votes = votes or self._votes(group)
                cards.append(self._best_twin(face, votes))
            else:
                cards.append(self.card_of[face])
        self.found.append(self._written(group, cards))

    def _best_twin(self, face: int, votes: list[int]) -> int:
        """Take the card with the most votes for its old group, the first of several."""
        own = self.twins[face]
        best = own[0]
        for card in own:
            if votes[self.home[card]] > votes[self.home[best]]:
                best = card
        own.remove(best)
        if len(own) == 1:
            self.card_of[face] = own[0]
            del self.twins[face]
        return best

    def _written(self, group: Drawn, cards: list[int]) -> Meld:
        """A group of cards: in a set natural cards by suit, then wild ones by what they stand for."""
        if group.start >= 0 or not self.named:
            return Meld(group.kind, tuple(cards), group.faces, group.start)
        joker = self.pack.joker_face
        order = sorted(
            [(self.pack.face[card] == joker, face, card) for card, face in zip(cards, group.faces, strict=True)]
        )
        return Meld(group.kind, tuple([card for _, _, card in order]), tuple([face for _, face, _ in order]), -1)


def _most(votes: list[int]) -> int:
    """The most votes; `max` of a list is a call of its own in the compiled core."""
    most = 0
    for count in votes:
        most = max(most, count)
    return most


def _key(start: int, faces: tuple[int, ...]) -> int:
    """A number for the faces of a group without wild cards, as they are written."""
    if start >= 0:
        return ((start << 16 | faces[0]) << 8 | len(faces)) << 1 | 1
    key = 1
    for face in faces:
        key = key << 16 | face
    return key << 1
