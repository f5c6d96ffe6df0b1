"""A private copy of the table on which a player rebuilds it, before the play is made or dropped.

Cards lie in heaps, which need be no valid groups before the end. Nothing of it is in the game's position: nobody else
sees it, and dropping the copy is all it takes for nothing to have happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from interpreter.errors import IllegalMove
from interpreter.legality import judge
from interpreter.moves import Meld, Move
from interpreter.notation import meld_text
from interpreter.pack import bits
from interpreter.program import Program
from interpreter.proposals import Proposals, rearranges_only
from interpreter.state import State

MAX_READINGS = 500
"""Ways to name wild cards that are looked at when a copy is finished."""


class Refused(NamedTuple):
    """Why a copy is no play: the rule (as `because` says it), the heap at fault (-1: none in particular), the cards
    at fault, a text."""

    because: str
    heap: int
    cards: tuple[int, ...]
    text: str


class Finished(NamedTuple):
    """What a finished copy can mean: the legal plays, which differ in kinds and names of wild cards, or why there
    is none."""

    moves: tuple[Move, ...]
    refused: Refused | None


Heap = tuple[int, ...]
"""Cards in the order in which they were put; in a run of wild cards it says where these lie."""


class WorkingCopy:
    """The copy of one player for one kind of move. Heaps are numbered from 0, those of the table first as they lie.

    Every change raises ValueError where it is impossible; nothing has changed then.
    """

    def __init__(self, program: Program, state: State, move: int) -> None:
        rule = program.moves[move]
        if not rearranges_only(rule):
            raise ValueError(f'"{rule.name}" does not rearrange the table')
        self.program = program
        self.state = state
        self.move = move
        self._asked = Proposals(program, state, rule, lambda _move, _twins: False)
        self._table = self._asked.table
        wild = state.rules.wild
        self._names = {c: n for m in self._table for c, n in zip(m.cards, m.names, strict=True) if wild >> c & 1}
        self.hand = self._asked.hand
        """The cards of the hand before the play (a mask), as `pile`: cards of a pile that may be used."""
        self.pile = self._asked.pile
        self.heaps: tuple[Heap, ...] = tuple(meld.cards for meld in self._table)
        self.touched = False
        """Whether a card was moved: then only finishing or dropping the copy ends it, even if all lies as before."""
        self._past: list[tuple[Heap, ...]] = []

    @property
    def left(self) -> int:
        """The cards still in the hand (a mask)."""
        return self.hand & ~self.lying

    @property
    def lying(self) -> int:
        """The cards that lie in heaps (a mask)."""
        found = 0
        for heap in self.heaps:
            for card in heap:
                found |= 1 << card
        return found

    def is_group(self, heap: int) -> bool:
        """Whether a heap can be a group as it lies."""
        return bool(self._readings(self._heap(heap)))

    # -------------------------------------------------------- changes

    def put(self, cards: Sequence[int], heap: int | None = None, at: int | None = None) -> None:
        """Put cards, from heaps, the hand or the pile, into a heap (None: a new one) before its card number `at` (None:
        behind the last one)."""
        moving = set(cards)
        free = self.lying | self.hand | self.pile
        if not cards or len(moving) != len(cards):
            raise ValueError("no card, or one card twice")
        for card in cards:
            if not free >> card & 1:
                raise ValueError(f"{self.program.pack.text(card)} is neither on the table nor in the hand")
        if heap is not None and not 0 <= heap < len(self.heaps):
            raise ValueError(f"there is no group {heap + 1}")
        heaps = [[card for card in lying if card not in moving] for lying in self.heaps]
        if heap is None:
            heaps.append(list(cards))
        else:
            before = self.heaps[heap] if at is None else self.heaps[heap][:at]
            place = sum(card not in moving for card in before)
            heaps[heap][place:place] = cards
        self._change(heaps)

    def split(self, heap: int, at: int) -> None:
        """Make the cards of a heap from number `at` on a heap of their own."""
        cards = self._heap(heap)
        if not 0 < at < len(cards):
            raise ValueError("a group is split between two of its cards")
        self.put(cards[at:])

    def join(self, heap: int, other: int) -> None:
        """Put all cards of `other` behind those of a heap."""
        if heap == other:
            raise ValueError("a group cannot be joined to itself")
        self._heap(heap)
        self.put(self._heap(other), heap)

    def take_back(self, card: int) -> None:
        """Take a card back to where it came from; only one that came from the hand or the pile."""
        if not (self.lying & (self.hand | self.pile)) >> card & 1:
            raise ValueError(f"{self.program.pack.text(card)} did not come from the hand")
        self._change([[other for other in heap if other != card] for heap in self.heaps])

    def undo(self) -> None:
        """Take the last change back."""
        if not self._past:
            raise ValueError("nothing has been changed")
        self.heaps = self._past.pop()

    def undo_all(self) -> None:
        """Lay everything as it was; the copy is a new one then."""
        if self._past:
            self.heaps = self._past[0]
        self._past = []
        self.touched = False

    def _heap(self, heap: int) -> Heap:
        if not 0 <= heap < len(self.heaps) or not self.heaps[heap]:
            raise ValueError(f"there is no group {heap + 1}")
        return self.heaps[heap]

    def _change(self, heaps: list[list[int]]) -> None:
        self._past.append(self.heaps)
        self.touched = True
        self.heaps = tuple(tuple(heap) for heap in heaps)

    # -------------------------------------------------------- the end

    def finish(self) -> Finished:
        """The plays the copy can mean. Where only one is legal, open names are settled by it; of several the player has
        to say which; where none is, why the likeliest one is refused."""
        readings: list[list[Meld]] = []
        count = 1
        for number, heap in enumerate(self.heaps):
            if not heap:
                continue
            found = self._readings(heap)
            if not found:
                return Finished((), self._no_group(number))
            readings.append(found)
            count *= len(found)
        if count > MAX_READINGS:
            return Finished((), Refused("names", -1, (), "say what the wild cards stand for"))
        legal: list[Move] = []
        refused: tuple[IllegalMove, tuple[Meld, ...]] | None = None
        for table in product(*readings):
            move = Move(self.move, (table,))
            try:
                judge(self.program, self.state, move)
            except IllegalMove as reason:
                refused = refused or (reason, table)
            else:
                legal.append(move)
        if legal:
            return Finished(tuple(legal), None)
        if refused is None:
            return Finished((), Refused(f"{self.program.moves[self.move].name}.does", -1, (), "there is no group"))
        return Finished((), self._refused(*refused))

    def _refused(self, reason: IllegalMove, table: tuple[Meld, ...]) -> Refused:
        """Why a table is refused, with the old cards of which its rule does not hold, or that lie nowhere."""
        old = 0
        for meld in self._table:
            old |= meld.mask
        cards = tuple(bits(old & ~self.lying))
        check = next((c for c in self.program.moves[self.move].only if c.path == reason.because), None)
        if check is not None and check.of_card is not None:
            cards = self._asked.failing(check.of_card, table)
        heap = next((n for n, lying in enumerate(self.heaps) if cards and cards[0] in lying), -1)
        return Refused(reason.because, heap, cards, reason.detail)

    def _readings(self, heap: Heap) -> list[Meld]:
        """The groups a heap can be; one that lies as it lay is what it was. The order in which a run lies says what its
        wild cards stand for, but those of the table may keep their names in any order."""
        for meld in self._table:
            if meld.cards == heap:
                return [meld]
        rules = self.state.rules.melds
        kept = [self._names.get(card) for card in heap]
        found = rules.readings(heap, [None] * len(heap))
        return list(dict.fromkeys((*found, *(rules.readings(heap, kept) if any(n is not None for n in kept) else ()))))

    def _no_group(self, number: int) -> Refused:
        heap = self.heaps[number]
        path = self.state.rules.melds.why_not(None, heap) or ""
        texts = " ".join(self.program.pack.text(card) for card in heap)
        return Refused(path, number, heap, f"{texts} is no group")

    def text(self) -> str:
        """The copy as it lies: groups that are valid as they are written, others card by card."""
        parts = []
        for heap in self.heaps:
            found = self._readings(heap) if heap else []
            if len(found) == 1:
                parts.append(meld_text(self.program, found[0]))
            elif heap:
                parts.append(" ".join(self.program.pack.text(card) for card in heap))
        return " / ".join(parts)
