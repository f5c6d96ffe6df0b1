"""Exact answers about rearranging a whole table: is a play possible, and which is the best.

The best table without regard to the conditions of the move is found rank by rank (`table_ranks`), with every wild card
of the table free to be renamed; nothing legal is worth more. Where the move's conditions refuse it, the question is
split: one card a condition holds on to lies in this group or that, or is let go by another card; the parts are answered
in the same way, the most promising first, until a legal table is the best there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.moves import Meld
from interpreter.pack import bit_list, bits, mask_of
from interpreter.table_cover import cover
from interpreter.table_deal import dealt
from interpreter.table_few import with_few_groups
from interpreter.table_groups import Groups
from interpreter.table_holding import Holding, Part
from interpreter.table_layers import TooManyRuns
from interpreter.table_problem import Stock
from interpreter.table_question import Answer, Question, Table
from interpreter.table_ranks import solve
from interpreter.table_shape import Shape, shape_of

FEW_WILD = 2
"""With more free wild cards a part is split before its best table is looked for."""

MAX_PARTS = 500
"""Parts of a question whose best table is looked for; a question with more is answered as `exact=False`."""


@dataclass(order=True, slots=True)
class _Entry:
    """A part waiting to be looked at, with its best table if that is known. First come those that can be worth most,
    of these the known tables, of these what is settled furthest."""

    order: tuple[int, bool, int, int]
    part: Part = field(compare=False)
    table: Table | None = field(compare=False)


def best(question: Question, most: int | None = None) -> Answer:
    """The legal table worth most; with `most` (1: any play) one worth as much as that is as good as any."""
    shape = shape_of(question.rules)
    if shape is None or not (shape.named or question.judge.holds is None):
        return cover(question, most)
    search = _Search(question, shape, most)
    try:
        found = search.answer()
    except TooManyRuns:
        return cover(question, most)
    if search.understood:
        return found
    if question.judge.few is not None and shape.named:
        other = with_few_groups(question, shape, question.judge.few, search.bound if most is None else most)
    else:
        other = cover(question, most)
    return other if other.exact or other.worth > found.worth else found


def some(question: Question, marked: int = 0) -> Answer:
    """Some legal table, if there is one: a quick look at the simple ones first, then the exact search."""
    for table in simple(question, marked):
        if question.judge.accepts_twins(table):
            return Answer(table, 1, True)
    return best(question, 1)


def simple(question: Question, marked: int = 0) -> Iterator[Table]:
    """Tables that differ by one group from the hand, or by one card laid off, legal or not; cards of `marked` are told
    from their twins."""
    rules, old = question.rules, question.table
    for group in rules.groups(question.hand, None, question.must, marked):
        yield (*old, group)
    if question.must.bit_count() > 1:
        return
    for number, meld in enumerate(old):
        for grown, cards in rules.lay_offs(meld, question.must or question.hand, 1, marked):
            if cards:
                yield (*old[:number], grown, *old[number + 1 :])


class _Search:
    start: Part
    """The whole question."""

    def __init__(self, question: Question, shape: Shape, most: int | None) -> None:
        self.question = question
        self.shape = shape
        self.pack = shape.pack
        self.most = most
        self.rules = question.rules
        self.judge = question.judge
        self.hold = Holding(question, shape.pack)
        self.understood = True
        """Whether every table that was refused was refused by a condition the search knows how to follow."""
        self.own_worth = [0] * shape.pack.size
        """What each card is worth; nothing if it is not of the hand."""
        self.bound = 0
        """What no table is worth more than, once the first has been looked for."""
        for card in bit_list(question.hand):
            self.own_worth[card] = question.worth[card]
            self.bound += question.worth[card]
        self.looked_at = 0
        self.found: Table | None = None
        self.worth = 0
        """The best legal table so far, and its worth."""
        self.queue: list[_Entry] = []
        self.count = 0
        self.seen: set[tuple[object, ...]] = set()

    # -------------------------------------------------------- best first

    def answer(self) -> Answer:
        question = self.question
        if self.judge.enough is not None and not self.judge.enough(question.hand):
            return Answer(None, 0, True)
        start = self.start = Part((), 0, 0, self.hold.held(), question.must, 0)
        if start.held:
            self._push(start, None, self.bound)
            homes = dict.fromkeys(self.hold.home[card] for card in start.held)
            table = self._relaxed(start._replace(placed=tuple(question.table[home] for home in homes)))
            if table is not None:
                self._consider(table, self._worth(table))
        else:
            self._look_at(start, self.bound)
            if self.queue:
                self.seen.add(_told(start))
        while self.queue and -self.queue[0].order[0] > self.worth:
            entry = heapq.heappop(self.queue)
            if self.looked_at > MAX_PARTS:
                return Answer(self.found, self.worth, False)
            if entry.table is None:
                self._look_at(entry.part, -entry.order[0])
            else:
                self._split(entry.part, entry.table, -entry.order[0])
        return Answer(self.found, self.worth, self.understood)

    def _consider(self, table: Table, worth: int) -> bool:
        """Keep a table if it is legal and the best so far; whether it is legal."""
        if not self._fit(table) or not self.judge.accepts(table):
            return False
        if worth > self.worth:
            self.found, self.worth = table, worth
        return True

    def _fit(self, table: Table) -> bool:
        """Whether all groups are valid; without wild cards those that are found are."""
        face, joker = self.pack.face, self.pack.joker_face
        for meld in table:
            for card in meld.cards:
                if face[card] == joker:
                    if not self.rules.fits(meld):
                        return False
                    break
        return True

    def _push(self, part: Part, table: Table | None, worth: int) -> None:
        if table is None:
            key = _told(part)
            if key in self.seen:
                return
            self.seen.add(key)
        self.count += 1
        worth = worth if self.most is None else min(worth, self.most)
        settled = len(part.placed) - len(part.held)
        heapq.heappush(self.queue, _Entry((-worth, table is None, -settled, self.count), part, table))

    def _free_wild(self, part: Part) -> int:
        """How many wild cards may still be named."""
        cards = (self.hold.old | self.question.hand | self.question.pile) & ~(self.hold.taken(part) | part.named)
        return (cards & self.rules.wild).bit_count()

    def _look_at(self, part: Part, worth: int) -> None:
        """Find the best table of a part, the conditions aside; if it is not legal, let it wait for its turn."""
        if part.held and (self.hold.undecided(part) >= 0 or self._free_wild(part) > FEW_WILD):
            self._split_by_held(part, worth)
            return
        self.looked_at += 1
        table = self._relaxed(part)
        most = 0 if table is None else self._worth(table)
        if self.looked_at == 1 and part is self.start:
            self.bound = most
        if table is not None and not self._consider(table, most):
            self._push(part, table, most)

    def _worth(self, table: Table) -> int:
        worth = 0
        for meld in table:
            for card in meld.cards:
                worth += self.own_worth[card]
        return worth

    def _played(self, table: Table) -> int:
        found = 0
        for meld in table:
            found |= meld.mask
        return found & self.question.hand

    def _relaxed(self, part: Part) -> Table | None:
        """The best table of a part as far as cards and groups go."""
        question = self.question
        placed = self.hold.taken(part)
        demand, must = self.hold.demand(part)
        must |= part.must
        owed = bit_list(must & ~placed)
        for meld in question.table:
            owed += [card for card in meld.cards if not placed >> card & 1] if placed else meld.cards
        hand = bit_list(question.hand & ~(placed | must | part.without))
        pile = bit_list(question.pile & ~placed)
        named = {card: self.hold.name[card] for card in bits(part.named & ~placed)}
        stock = self._stock(owed, hand, pile, named, demand)
        own = sum([question.worth[card] for card in bits((placed | must) & question.hand)])
        floor = self.worth - own
        if floor < 0 and not (owed or hand or pile):
            return part.placed
        most = None if self.most is None else self.most - own
        found = solve(self.shape, stock, max(floor, -1), not part.held, most)
        if found is None:
            return None
        table = dealt(self.pack, found.groups, (owed, hand, pile), named, question.table)
        return part.placed + (self._told_apart(table) if self.hold.held_homes else table)

    def _stock(
        self,
        owed: list[int],
        hand: list[int],
        pile: list[int],
        named: dict[int, int],
        demand: dict[int, tuple[int, int]],
    ) -> Stock:
        """Cards that must be used, those of the hand and of the pile; `named` wild cards count as what they are."""
        joker, face = self.pack.joker_face, self.pack.face
        worth = [0] * joker
        wild_worth = 0
        for card in hand:
            if face[card] == joker:
                wild_worth = max(wild_worth, self.question.worth[card])
            else:
                worth[face[card]] = self.question.worth[card]
        table, table_wild = self._counted(owed, named)
        hand_counts, hand_wild = self._counted(hand, {})
        pile_counts, pile_wild = self._counted(pile, {})
        wild = (table_wild, hand_wild, pile_wild)
        return Stock(table, hand_counts, pile_counts, worth, wild, wild_worth, demand)

    def _counted(self, cards: list[int], named: dict[int, int]) -> tuple[list[int], int]:
        """Cards by face, and wild ones."""
        joker, face = self.pack.joker_face, self.pack.face
        counts = [0] * joker
        wild = 0
        for card in cards:
            if face[card] != joker:
                counts[face[card]] += 1
            elif card in named:
                counts[named[card]] += 1
            else:
                wild += 1
        return counts, wild

    def _told_apart(self, table: Table) -> Table:
        """The same with twins exchanged, so that where an old wild card has another name, a card that may have come in
        its place lies with cards of its old group."""
        where = {card: (number, at) for number, meld in enumerate(table) for at, card in enumerate(meld.cards)}
        cards = [list(meld.cards) for meld in table]
        for meld in table:
            for card, name in zip(meld.cards, meld.names, strict=True):
                if (
                    card in self.hold.name
                    and self.rules.wild >> card & 1
                    and self.hold.name[card] != name
                    and self.hold.suited(card)
                ):
                    self._exchange(table, cards, where, card)
        return tuple(meld._replace(cards=tuple(new)) for meld, new in zip(table, cards, strict=True))

    def _exchange(self, table: Table, cards: list[list[int]], where: dict[int, tuple[int, int]], card: int) -> None:
        """Bring a card of an old group beside what came in place of another, if a twin of it lies there."""
        face, old = self.pack.face, self.hold.name[card]
        members = {face[c]: c for c in self.question.table[self.hold.home[card]].cards if c in where and c != card}
        for number, meld in enumerate(table):
            if not any(name == face[c] == old for c, name in zip(cards[number], meld.names, strict=True)):
                continue
            for at, other in enumerate(cards[number]):
                twin = members.get(face[other], -1)
                if twin >= 0 and not self.rules.wild >> other & 1:
                    there, place = where[twin]
                    cards[there][place], cards[number][at] = other, twin
                    where[twin], where[other] = (number, at), (there, place)
                    return

    # -------------------------------------------------------- what conditions hold on to

    def _split(self, part: Part, table: Table, worth: int) -> None:
        """Split a part whose best table is not legal."""
        if part.held:
            self._split_by_held(part, worth)
            return
        if self.judge.enough is not None and not self.judge.enough(self._played(table)):
            self._split_by_hand(part, worth)
            return
        placed = 0
        for meld in part.placed:
            placed |= meld.mask
        loose = [
            c for meld in table if not self.rules.fits(meld) for c in meld.cards if (part.named & ~placed) >> c & 1
        ]
        if loose:
            for meld in self._groups(part, loose[0], self.hold.name[loose[0]]):
                self._push(part._replace(placed=(*part.placed, meld)), None, worth)
            return
        self.understood = False

    def _split_by_held(self, part: Part, worth: int) -> None:
        """Settle which of the cards a condition holds on to keep their names; then of one of them, of those that keep
        their names first, that it lies anywhere, lies in some group, is let go, or that another card comes to its old
        group first."""
        undecided = self.hold.undecided(part)
        if undecided >= 0:
            if self.hold.may_be(part, undecided, self.hold.name[undecided]):
                self._push(part._replace(named=part.named | 1 << undecided), None, worth)
            if self.hold.may_be(part, undecided, self.pack.joker_face):
                self._push(part._replace(freed=part.freed | 1 << undecided), None, worth)
            return
        taken = self.hold.taken(part)
        card = min(part.held, key=lambda one: (not taken >> one & 1, not part.named >> one & 1))
        others = _without(part.held, card)
        named, lies = part.named >> card & 1 == 1, taken >> card & 1 == 1
        if self.hold.holds(card, part.placed if lies else (*part.placed, self.hold.alone(card, named))):
            self._push(part._replace(held=others, freed=part.freed & ~(1 << card)), None, worth)
            return
        if not lies:
            self._place(part, card, others, worth)
        if lies or not named:
            self._bring(part, card, worth)

    def _place(self, part: Part, card: int, others: tuple[int, ...], worth: int) -> None:
        """Put a card into every group in which the conditions hold of it, or can come to hold.

        Of groups in which they hold, one is enough where the cards differ by twins that no other condition holds on to,
        and none is needed that holds of it without an end that could be a run of its own.
        """
        homes = {self.hold.home[other] for other in others}
        together = 0
        for home in homes:
            together |= self.hold.reach[home]
        seen: set[tuple[object, ...]] = set()
        for meld in self._own_groups(part, card):
            placed = (*part.placed, meld)
            if self.hold.holds(card, placed):
                key = (meld.kind, meld.names, *(self._sort_but(other, card, homes) for other in meld.cards))
                if key not in seen and not self._holds_in_less(part, card, meld, together):
                    seen.add(key)
                    self._push(part._replace(placed=placed, held=others), None, worth)
            elif self.hold.holds(card, (*placed, *self.hold.hopes(part, card, meld.mask))):
                self._push(part._replace(placed=placed), None, worth)

    def _sort_but(self, other: int, card: int, homes: set[int]) -> int:
        """What tells a card from its twins, where those of one held card's own group are like any others."""
        if self.rules.wild >> other & 1:
            return other
        own = self.hold.sort(other)
        return -3 if own == self.hold.home[card] and own not in homes else own

    def _holds_in_less(self, part: Part, card: int, meld: Meld, together: int) -> bool:
        """Whether the conditions hold of a card in a group without an end that could as well be a run of its own."""
        kind = self.rules.kinds[meld.kind]
        least, at = kind.cards[0], meld.cards.index(card)
        if meld.start < 0 or len(meld.cards) < 2 * least:
            return False
        for cut in (least, len(meld.cards) - least):
            low = Meld(meld.kind, meld.cards[:cut], meld.names[:cut], meld.start)
            high = Meld(meld.kind, meld.cards[cut:], meld.names[cut:], meld.start + cut)
            rest, end = (low, high) if at < cut else (high, low)
            if end.mask & together or not (self.rules.fits(rest) and self.rules.fits(end)):
                continue
            if self.hold.holds(card, (*part.placed, rest)):
                return True
        return False

    def _own_groups(self, part: Part, card: int) -> Iterator[Meld]:
        """The groups a held card may come to lie in: its old one first; under another name only if that can do."""
        old = self.question.table[self.hold.home[card]]
        taken = self.hold.taken(part)
        if not part.freed >> card & 1:
            if not old.mask & taken:
                yield old
            for meld in self._groups(part, card, self.hold.name[card]):
                if meld != old:
                    yield meld
        if (self.rules.wild & ~part.named) >> card & 1 and self.hold.may_lie_renamed(part, card):
            for name in range(self.pack.joker_face):
                if name != self.hold.name[card]:
                    yield from self._groups(part, card, name)

    def _bring(self, part: Part, card: int, worth: int) -> None:
        """Put another card of the name of one of its old group to the others of that group, so that a held card is let
        go, or, where it lies already, so that the conditions hold of it, or can come to hold."""
        old = self.question.table[self.hold.home[card]].mask
        lies = any(card in meld.cards for meld in part.placed)
        alone = () if lies else (self.hold.alone(card, False),)
        for bringer, face in self.hold.bringers(part, card):
            hopes = self.hold.hopes(part, card, 0, bringer)
            if not lies and not self.hold.holds(card, (*part.placed, *hopes, *alone)):
                continue
            found = self._groups(part, bringer, face) if lies else self._groups_beside(part, bringer, face, card)
            for meld in found:
                if not meld.mask & old & ~(1 << bringer):
                    continue
                placed = (*part.placed, meld)
                if self.hold.holds(card, placed if card in meld.cards else (*placed, *alone)):
                    self._push(part._replace(placed=placed, held=_without(part.held, card)), None, worth)
                elif lies and self.hold.holds(card, (*placed, *self.hold.hopes(part, card, meld.mask))):
                    self._push(part._replace(placed=placed), None, worth)

    def _groups(self, part: Part, card: int, name: int) -> Iterator[Meld]:
        """Every group with a card under a name, of cards that are free in a part."""
        taken = self.hold.taken(part) | 1 << card
        cards = (self.hold.old | self.question.hand & ~part.without | self.question.pile) & ~taken
        wild = cards & self.rules.wild
        names = self._names(part, wild)
        return Groups(
            self.shape, self.rules, cards, names, wild & ~part.named, self.hold.sort, self.hold.together
        ).containing(card, name)

    def _names(self, part: Part, wild: int) -> dict[int, int]:
        """What those of some wild cards stand for that may keep their names."""
        cards = wild & self.hold.old & (part.named | mask_of(part.held))
        return {card: self.hold.name[card] for card in bits(cards) if self.hold.suited(card)}

    def _groups_beside(self, part: Part, bringer: int, face: int, held: int) -> Iterator[Meld]:
        """Every group with a card that replaces a held one and a card of its old group. Once that is let go its cards
        are like any others; so they are told from their twins only where other conditions hold on to them."""
        taken = self.hold.taken(part) | 1 << bringer
        cards = (self.hold.old | self.question.hand & ~part.without | self.question.pile) & ~taken
        wild = cards & self.rules.wild
        others = [card for card in _without(part.held, held) if self.hold.home[card] != self.hold.home[held]]
        names = self._names(part, wild)
        homes = {self.hold.home[card] for card in others}

        def sort(card: int) -> int:
            own = self.hold.sort(card)
            return own if own < 0 or own in homes or self.rules.wild >> card & 1 else -3

        together = 0
        for home in homes:
            together |= self.hold.reach[home]
        beside = self.question.table[self.hold.home[held]].mask & ~(1 << bringer)
        if len(others) + 1 < len(part.held):
            sort, together = self.hold.sort, self.hold.together
        yield from Groups(self.shape, self.rules, cards, names, wild & ~part.named, sort, together, beside).containing(
            bringer, face
        )

    def _split_by_hand(self, part: Part, worth: int) -> None:
        """Cards without which it is not enough: all of them are put down, or the first that is not is left out."""
        enough = self.judge.enough
        assert enough is not None
        allowed = self.question.hand & ~part.without
        if not enough(allowed):
            return
        needed = allowed
        for card in bits(allowed & ~part.must):
            if enough(needed & ~(1 << card)):
                needed &= ~(1 << card)
        must = part.must
        for card in bits(needed & ~part.must):
            self._push(part._replace(must=must, without=part.without | self._twins_left(card, must, part)), None, worth)
            must |= 1 << card
        self._push(part._replace(must=must), None, worth)

    def _twins_left(self, card: int, must: int, part: Part) -> int:
        """A card and its twins in the hand that are not bound to be put down."""
        placed = self.hold.taken(part)
        return self.pack.cards_of_face[self.pack.face[card]] & self.question.hand & ~(must | placed)


def _told(part: Part) -> tuple[object, ...]:
    """A part as it is told from others."""
    return (frozenset(part.placed), *part[1:])


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)
