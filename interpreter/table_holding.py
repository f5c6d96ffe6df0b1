"""Old cards that the conditions of a move hold on to, and what it takes to meet these: whether one may change its name,
which cards could let it go, what it asks of any table.

The conditions are only asked, never read: groups that do not exist show what could be.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.moves import Meld
from interpreter.pack import Pack, bits
from interpreter.table_question import Question, Table


class Part(NamedTuple):
    """Part of a question: groups that are settled, wild cards that keep their names, those a condition holds that will
    be let go or get another name, cards still held by a condition, cards of the hand that must, and that must not be
    put down."""

    placed: Table
    named: int
    freed: int
    held: tuple[int, ...]
    must: int
    without: int


class Holding:
    """The held cards of one question."""

    def __init__(self, question: Question, pack: Pack) -> None:
        self.question = question
        self.pack = pack
        self.rules = question.rules
        self.judge = question.judge
        self.old = 0
        """The cards of the table."""
        self.home: dict[int, int] = {}
        """The old group of each old card, and what it stood for; empty where no condition holds on to cards."""
        self.name: dict[int, int] = {}
        self.held_homes = 0
        """Old groups (bits) a condition holds on to a card of."""
        self.reach: dict[int, int] = {}
        """By such a group: its cards, and all that could replace them; `together` are all of these."""
        self.together = 0
        self.freeing: dict[tuple[int, int], bool] = {}

    def held(self) -> tuple[int, ...]:
        """Old cards of which a condition does not hold wherever they lie."""
        if self.judge.holds is None:
            return ()
        for number, meld in enumerate(self.question.table):
            self.old |= meld.mask
            for card, name in zip(meld.cards, meld.names, strict=True):
                self.home[card] = number
                self.name[card] = name
        held = tuple(card for card in bits(self.old) if not self.holds(card, (self.alone(card, False),)))
        for card in held:
            old = self.question.table[self.home[card]]
            self.held_homes |= 1 << self.home[card]
            reach = old.mask
            for name in old.names:
                for face in [name] if name < self.pack.joker_face else self.of_rank(name):
                    reach |= self.pack.cards_of_face[face]
            self.reach[self.home[card]] = reach
            self.together |= reach
        return held

    def holds(self, card: int, groups: Table) -> bool:
        """Whether the conditions hold of an old card, as far as some groups show."""
        assert self.judge.holds is not None
        return self.judge.holds(card, groups)

    def alone(self, card: int, named: bool) -> Meld:
        """A card by itself, a wild one under its old name or under none."""
        name = self.name[card] if named or not self.rules.wild >> card & 1 else self.pack.joker_face
        return Meld(0, (card,), (name,), -1)

    def renamed(self, card: int, name: int) -> Meld:
        """The old group of a card with another name for it."""
        old = self.question.table[self.home[card]]
        at = old.cards.index(card)
        return old._replace(names=(*old.names[:at], name, *old.names[at + 1 :]))

    def suited(self, card: int) -> bool:
        """Whether an old wild card stood for one card, not just for a rank."""
        return self.name[card] < self.pack.joker_face

    def undecided(self, part: Part) -> int:
        """A held card of which it is open whether it keeps its name, -1 if there is none."""
        for card in part.held:
            open_name = self.rules.wild & ~(part.named | part.freed | self.taken(part))
            if open_name >> card & 1 and self.suited(card):
                return card
        return -1

    def may_be(self, part: Part, card: int, name: int) -> bool:
        """Whether the conditions could hold of a card under a name, were everything else as they wish."""
        return self.holds(card, (*part.placed, self.renamed(card, name), *self.hopes(part, card, 0)))

    def may_lie_renamed(self, part: Part, card: int) -> bool:
        """Whether it matters in which group a card lies that does not keep its name."""
        other = self.renamed(card, self.pack.joker_face)
        if self.holds(card, (*part.placed, other)):
            return True
        hopes = self.hopes(part, card, 0)
        alone = self.alone(card, False)
        return self.holds(card, (*part.placed, other, *hopes)) and not self.holds(card, (*part.placed, alone, *hopes))

    def bringers(self, part: Part, card: int) -> list[tuple[int, int]]:
        """Cards that could replace one of a card's old group, of equal ones one."""
        old = self.question.table[self.home[card]]
        taken = self.taken(part)
        free = (self.old | self.question.hand & ~part.without | self.question.pile) & ~(taken | old.mask)
        found: dict[tuple[int, int], int] = {}
        for name in dict.fromkeys(old.names):
            faces = [name] if name < self.pack.joker_face else self.of_rank(name)
            for face in faces:
                for other in bits(self.pack.cards_of_face[face] & free):
                    found.setdefault((face, self.sort(other)), other)
        return [(other, face) for (face, _), other in found.items()]

    def of_rank(self, name: int) -> list[int]:
        """The faces a bare rank may be."""
        return [self.pack.face_of(self.pack.face_rank[name], suit) for suit in range(len(self.pack.suits))]

    def hopes(self, part: Part, card: int, used: int, only: int = -1) -> list[Meld]:
        """Groups that do not exist, in which every card that could replace one (or `only` one) lies with every card of
        the old group that is still free. Where a card is to keep its name, what would let it go is not hoped for."""
        old = self.question.table[self.home[card]]
        taken = self.taken(part) | used
        named = part.named >> card & 1 == 1
        return [
            Meld(0, (bringer, other), (face, name), -1)
            for bringer, face in self.bringers(part, card)
            if not used >> bringer & 1 and only in (-1, bringer) and not (named and self.lets_go(bringer, face, card))
            for other, name in zip(old.cards, old.names, strict=True)
            if not taken >> other & 1
        ]

    def lets_go(self, bringer: int, face: int, card: int) -> bool:
        """Whether a card beside others of a held card's old group lets that go, whatever it stands for then."""
        known = self.freeing.get((bringer, card))
        if known is None:
            old = self.question.table[self.home[card]]
            beside = tuple(
                Meld(0, (bringer, other), (face, name), -1)
                for other, name in zip(old.cards, old.names, strict=True)
                if other != card
            )
            known = self.freeing[bringer, card] = self.holds(card, (*beside, self.alone(card, False)))
        return known

    def taken(self, part: Part) -> int:
        """The cards of the groups that are settled."""
        taken = 0
        for meld in part.placed:
            taken |= meld.mask
        return taken

    def demand(self, part: Part) -> tuple[dict[int, tuple[int, int]], int]:
        """What the conditions of held cards ask for whatever else lies: by face the fewest cards in sets and in runs,
        and cards of the hand that must be put down."""
        kept: dict[tuple[int, bool], int] = {}
        brought: set[tuple[int, bool]] = set()
        must = 0
        for card in part.held:
            if not (part.named | part.freed) >> card & 1 or any(card in meld.cards for meld in part.placed):
                continue
            old = self.question.table[self.home[card]]
            company = all(self.lies_as(part, other) for other in old.cards if other != card)
            if part.named >> card & 1:
                alone = self.alone(card, True)
                if company and not self.holds(card, (*part.placed, alone, *self.hopes(part, card, 0))):
                    key = (self.name[card], old.start >= 0)
                    kept[key] = kept.get(key, 0) + 1
                continue
            face, own = self.needed(part, card)
            if face >= 0 and company:
                brought.add((face, old.start >= 0))
            if own and not own & (must | part.must):
                must |= own & -own
        found: dict[int, tuple[int, int]] = {}
        for face, runs in (*kept, *brought):
            count = kept.get((face, runs), 0) + ((face, runs) in brought)
            in_sets, in_runs = found.get(face, (0, 0))
            found[face] = (in_sets, max(in_runs, count)) if runs else (max(in_sets, count), in_runs)
        return found, must

    def lies_as(self, part: Part, card: int) -> bool:
        """Whether a card of the table is sure to lie under its old name."""
        return not self.rules.wild >> card & 1 or part.named >> card & 1 == 1

    def needed(self, part: Part, card: int) -> tuple[int, int]:
        """The face without which a freed card cannot be let go (-1: there is no such one), and where only cards of the
        hand can bring it, these."""
        groups = (*part.placed, self.renamed(card, self.pack.joker_face))
        bringers = self.bringers(part, card)
        for face in dict.fromkeys(face for _, face in bringers):
            others = [one for one, other in bringers if other != face]
            if self.holds(card, (*groups, *(hope for one in others for hope in self.hopes(part, card, 0, one)))):
                continue
            own = 0
            for one, other in bringers:
                if other == face:
                    if not self.question.hand >> one & 1 and self.holds(
                        card, (*groups, *self.hopes(part, card, 0, one))
                    ):
                        return face, 0
                    own |= 1 << one if self.question.hand >> one & 1 else 0
            return face, own
        return -1, 0

    def sort(self, card: int) -> int:
        """What tells a card from its twins: the hand, the pile, or its old group if a condition may hold on to it."""
        if self.question.hand >> card & 1:
            return -1
        if self.question.pile >> card & 1:
            return -2
        return self.home[card] if self.held_homes >> self.home[card] & 1 else -3
