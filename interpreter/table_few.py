"""The best table with few new groups, where the conditions of a move allow no more than so many.

All other groups lie as they did. A group that takes a card of an old one owes the rest of that: every card of it comes
to lie in a new group. So a play is made group by group, from a card of the hand, or from a card that is owed, as long
as what is owed can lie in as many groups as are left. Cards that cannot lie in one group are of another rank and suit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from interpreter.moves import Meld
from interpreter.pack import bits
from interpreter.table_question import Answer, Question, Table
from interpreter.table_shape import Shape

MAX_TRIES = 30_000
"""Groups that are tried for one question; beyond it the answer is `exact=False`."""

Named = tuple[int, int]
"""A card and what it stands for."""


def with_few_groups(question: Question, shape: Shape, groups: int, most: int) -> Answer:
    """The legal table worth most with so many new groups; one worth `most` is as good as any."""
    return _Few(question, shape, most).answer(groups)


class _Few:
    def __init__(self, question: Question, shape: Shape, most: int) -> None:
        self.question = question
        self.shape = shape
        self.pack = shape.pack
        self.rules = question.rules
        self.most = most
        self.home = {card: meld for meld in question.table for card in meld.cards}
        self.tries = 0
        self.found: Table | None = None
        self.worth = 0

    def answer(self, groups: int) -> Answer:
        """The best table with so many new groups at most."""
        self._add([], 0, 0, self.question.hand, groups)
        return Answer(self.found, self.worth, self.tries <= MAX_TRIES or self.worth >= self.most)

    def _stop(self) -> bool:
        return self.tries > MAX_TRIES or self.worth >= self.most

    def _worth_of(self, cards: int) -> int:
        return sum([self.question.worth[card] for card in bits(cards)])

    def _add(self, new: list[Meld], used: int, owed: int, hand: int, left: int) -> None:
        """Go on from some new groups: their cards, cards that are owed, cards of the hand that may still be laid."""
        laid = used & self.question.hand
        must = self.question.must & ~used
        if must & ~hand or self._worth_of(laid) + self._most_more(hand, left) <= self.worth:
            return
        if not owed and not must:
            self._judge(new, used, laid)
        if not left or self._stop():
            return
        if owed:
            for meld in self._groups(self._hardest(owed), used, owed, hand, left - 1):
                self._lay(meld, new, used, owed, hand, left)
            return
        for card in sorted(bits(hand), key=lambda one: (not must >> one & 1, -self.question.worth[one])):
            if not hand >> card & 1:
                continue
            for meld in self._groups(card, used, owed, hand, left - 1):
                self._lay(meld, new, used, owed, hand, left)
            if must >> card & 1:
                return
            hand &= ~self.pack.cards_of_face[self.pack.face[card]]
            if self._stop() or self._worth_of(laid) + self._most_more(hand, left) <= self.worth:
                return

    def _most_more(self, hand: int, left: int) -> int:
        """More than cards of the hand can be worth in so many groups: a group holds cards of one rank or of one suit,
        each once."""
        by_face: dict[int, int] = {}
        for card in bits(hand & ~self.rules.wild):
            face = self.pack.face[card]
            by_face[face] = max(by_face.get(face, 0), self.question.worth[card])
        together: dict[tuple[int, int], int] = {}
        for face, worth in by_face.items():
            for alike in ((self.pack.face_rank[face], -1), (-1, self.pack.face_suit[face])):
                together[alike] = together.get(alike, 0) + worth
        return self._worth_of(hand & self.rules.wild) + sum(sorted(together.values())[-left:] if left else ())

    def _lay(self, meld: Meld, new: list[Meld], used: int, owed: int, hand: int, left: int) -> None:
        self.tries += 1
        if not self._stop():
            after = self._owed_after(owed, meld.mask)
            self._add([*new, meld], used | meld.mask, after, hand & ~meld.mask, left - 1)

    def _judge(self, new: list[Meld], used: int, laid: int) -> None:
        """Keep a table if it is legal and the best so far."""
        worth = self._worth_of(laid)
        if not laid or worth <= self.worth:
            return
        table = (*(meld for meld in self.question.table if not meld.mask & used), *new)
        if self.question.judge.accepts_twins(table):
            self.found, self.worth = table, worth

    def _owed_after(self, owed: int, cards: int) -> int:
        """What is owed once some cards lie in a new group."""
        for card in bits(cards & ~owed):
            if card in self.home:
                owed |= self.home[card].mask
        return owed & ~cards

    def _hardest(self, owed: int) -> int:
        """A card that is owed: a natural one before a wild one."""
        natural = owed & ~self.rules.wild
        return next(bits(natural or owed))

    def _too_many(self, owed: int, left: int, suit: int, rank: int) -> bool:
        """Whether cards that are owed cannot lie in so many groups; of a group that is being made, those of its suit,
        or of its rank, may lie there."""
        apart: list[tuple[int, int]] = []
        for card in bits(owed & ~self.rules.wild):
            face = self.pack.face[card]
            its_rank, its_suit = self.pack.face_rank[face], self.pack.face_suit[face]
            if its_suit == suit or its_rank == rank:
                continue
            if all(its_rank != other and its_suit != that for other, that in apart):
                apart.append((its_rank, its_suit))
                if len(apart) > left:
                    return True
        return False

    # -------------------------------------------------------- groups

    def _groups(self, card: int, used: int, owed: int, hand: int, left: int) -> Iterator[Meld]:
        """Every group with a card that leaves no more owed than so many groups can hold."""
        free = ~(used | 1 << card)
        wild = self.rules.wild >> card & 1
        for name in range(self.pack.joker_face) if wild else [self.pack.face[card]]:
            for meld in (*self._sets(card, name, free, owed, hand), *self._runs(card, name, free, owed, hand, left)):
                if not self._too_many(self._owed_after(owed, meld.mask), left, -1, -1):
                    yield meld

    def _may_lie(self, face: int, free: int, owed: int, hand: int) -> list[int]:
        """Cards that may lie as a face: of equal ones one that is owed, or else one of each place they come from."""
        found: list[int] = []
        own = self.pack.cards_of_face[face] & ~self.rules.wild
        for cards in (own & free, self.rules.wild & free):
            if cards & owed:
                found.append(next(bits(cards & owed)))
                continue
            found += [next(bits(source)) for source in (cards & hand, cards & self.question.pile) if source]
            found += [card for card in bits(cards) if card in self.home]
        return found

    def _sets(self, card: int, name: int, free: int, owed: int, hand: int) -> list[Meld]:
        kind = self.shape.sets
        if kind is None:
            return []
        rank, own = self.pack.face_rank[name], self.pack.face_suit[name]
        others = [self.pack.face_of(rank, suit) for suit in range(len(self.pack.suits)) if suit != own]
        options: list[list[Named | None]] = [
            [None, *((other, face) for other in self._may_lie(face, free, owed, hand))] for face in others
        ]
        found = []
        for chosen in product(*options):
            cards = [(card, name), *[one for one in chosen if one is not None]]
            if kind.cards[0] <= len(cards) <= kind.cards[1] and len({one for one, _ in cards}) == len(cards):
                order = sorted(cards, key=lambda c: (self.rules.wild >> c[0] & 1, c[1], c[0]))
                meld = Meld(kind.index, tuple([c for c, _ in order]), tuple([n for _, n in order]), -1)
                if self.rules.fits(meld):
                    found.append(meld)
        return found

    def _runs(self, card: int, name: int, free: int, owed: int, hand: int, left: int) -> Iterator[Meld]:
        kind = self.shape.runs
        if kind is None:
            return
        suit = self.pack.face_suit[name]
        for place in self.pack.rank_places[self.pack.face_rank[name]]:
            start = [(place, [(card, name)])]
            for low, run in self._longer(start, -1, suit, free, owed, hand, left):
                for _, cards in self._longer([(low, run)], 1, suit, free, owed, hand, left):
                    if len(cards) >= kind.cards[0]:
                        meld = Meld(kind.index, tuple([c for c, _ in cards]), tuple([n for _, n in cards]), low)
                        if self.rules.fits(meld):
                            yield meld

    def _longer(
        self, runs: list[tuple[int, list[Named]]], step: int, suit: int, free: int, owed: int, hand: int, left: int
    ) -> Iterator[tuple[int, list[Named]]]:
        """Some runs, each with its first place, and all they become by cards at their low (-1) or high end."""
        kind = self.shape.runs
        assert kind is not None
        while runs:
            low, run = runs.pop()
            yield low, run
            place = low - 1 if step < 0 else low + len(run)
            if len(run) >= kind.cards[1] or not 0 <= place < len(self.pack.place_rank):
                continue
            used = sum([1 << card for card, _ in run])
            face = self.pack.face_of(self.pack.place_rank[place], suit)
            for card in self._may_lie(face, free & ~used, owed, hand):
                if not self._too_many(self._owed_after(owed, used | 1 << card), left, suit, -1):
                    longer = [(card, face), *run] if step < 0 else [*run, (card, face)]
                    runs.append((min(low, place), longer))
