"""The passes of `table_forward` in words of the machine: the same keys, in the same order, with the same best ways.

Compiled, the integers here are plain 64-bit ones, and nothing is allocated for a key: keys, what some suits do together
and the slots of the hash tables come from pools that grow and are used again by the next question. As plain Python it
runs all the same, but slower than `table_forward`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interpreter.table_forward import MANY
from interpreter.table_layers import Way
from interpreter.table_problem import Best, Joint, Problem, Rank, Reached

if TYPE_CHECKING:
    from mypy_extensions import i64

WORD: Final = 62
"""Bits of a key, and of a row of `SetsBegun`, that fit into a word of the machine with room to spare."""
MOST_WORTH: Final = 1 << 20
MOST_WILD: Final = 30
"""What a table is worth, and its wild cards, must be no more."""
MOST_KEPT = 1 << 16
"""Things in the pools of a kernel that is kept for the next question."""


class _Partial(Joint):
    """What some suits together do at a rank: what is added to the key, the row of `SetsBegun` for the next suit, wild
    cards used now and needed later, worth. `next` is another thing they can do."""

    __slots__ = ("add", "gain", "next", "row", "spends")

    def __init__(self) -> None:
        super().__init__(None, None)
        self.add: i64 = 0
        self.row: i64 = 0
        self.spends: i64 = 0
        self.gain: i64 = 0
        self.next: _Partial | None = None


class _Node(Reached):
    """A key that was reached, and the most it is worth."""

    __slots__ = ("key", "worth")

    def __init__(self) -> None:
        super().__init__()
        self.key: i64 = 0
        self.worth: i64 = 0

    def told(self) -> int:
        return int(self.key)


class _Slot:
    """A place of a hash table, free unless `turn` is that of the table: a key, and its node or what some suits do from
    what they read of it."""

    __slots__ = ("key", "node", "parts", "turn")

    def __init__(self) -> None:
        self.key: i64 = 0
        self.turn: i64 = 0
        self.node: _Node | None = None
        self.parts: _Partial | None = None


class _Slots:
    """A hash table that is emptied at once."""

    def __init__(self) -> None:
        self.slots = [_Slot() for _ in range(256)]
        self.mask: i64 = 255
        self.turn: i64 = 1
        self.filled: i64 = 0

    def clear(self) -> None:
        """Forget everything."""
        self.turn += 1
        self.filled = 0

    def find(self, key: i64) -> _Slot:
        """The slot of a key, or a free one for it."""
        mask, turn, slots = self.mask, self.turn, self.slots
        folded: i64 = (key ^ key >> 31) & 0x7FFFFFFF
        at: i64 = (folded * 0x9E3779B1 >> 32) & mask
        slot = slots[at]
        while slot.turn == turn and slot.key != key:
            at = at + 1 & mask
            slot = slots[at]
        return slot

    def put(self, slot: _Slot, key: i64, node: _Node | None, parts: _Partial | None) -> None:
        """Note a key in a free slot that `find` gave."""
        slot.key = key
        slot.turn = self.turn
        slot.node = node
        slot.parts = parts
        self.filled += 1
        if self.filled * 2 > self.mask:
            self._grow()

    def _grow(self) -> None:
        old = self.slots
        self.slots = [_Slot() for _ in range(2 * len(old))]
        self.mask = 2 * self.mask + 1
        for slot in old:
            if slot.turn == self.turn:
                new = self.find(slot.key)
                new.key, new.turn, new.node, new.parts = slot.key, slot.turn, slot.node, slot.parts


class Kernel:
    """Pools, and the problem they are used for."""

    def __init__(self) -> None:
        self.nodes: list[_Node] = []
        self.nodes_used: i64 = 0
        self.parts: list[_Partial] = []
        self.parts_used: i64 = 0
        self.start = _Partial()
        """What no suits do."""
        self.reached = _Slots()
        """By key: its node."""
        self.layer: list[_Node] = []
        """The nodes of `reached`, in the order they were."""
        self.known = _Slots()
        """By what the first suits of a place read of a key, and the wild cards used: what they do together."""

    def begin(self, problem: Problem) -> None:
        """Take up a problem."""
        self.problem = problem
        self.ranks = problem.ranks
        self.suits: i64 = problem.suits
        self.bits: i64 = problem.bits
        self.field: i64 = problem.field
        self.wild: i64 = problem.wild
        self.wild_shift: i64 = problem.wild_shift
        self.one_wild: i64 = 1 << problem.wild_shift
        self.wild_field: i64 = problem.field << problem.wild_shift
        self.low_shift: i64 = problem.low_shift
        self.place_shift: i64 = problem.key_bits
        self.parts_used = 0
        self.known.clear()

    def search(self, floor: int, width: int) -> tuple[Best | None, bool]:
        """The way to the best table worth more than `floor`, and whether no key was left out for more than `width` of
        them at one rank (0: any number)."""
        problem = self.problem
        self.nodes_used = 0
        layer = [self._node(0, 0, None, None, None)]
        complete = True
        for place in range(problem.places):
            self._after(layer, place, floor - problem.wild_gain - problem.potential[place + 1])
            layer = self.layer
            if len(layer) > MANY and problem.rules.counts_cards_only:
                layer = [node for node in layer if not self._is_dominated(node)]
            if width and len(layer) > width:
                complete = False
                layer = self._first(layer, width)
            if not layer:
                break
        return self._way_to_best(layer, floor), complete

    def _node(self, key: i64, worth: i64, before: _Node | None, part: _Partial | None, way: Way | None) -> _Node:
        used = self.nodes_used
        if used == len(self.nodes):
            self.nodes.append(_Node())
        self.nodes_used = used + 1
        node = self.nodes[used]
        node.key = key
        node.worth = worth
        node.before = before
        node.part = part
        node.last_way = way
        return node

    def _first(self, layer: list[_Node], width: int) -> list[_Node]:
        """The keys worth most, of equal ones with the fewest wild cards used."""
        order: list[int] = []
        for at, node in enumerate(layer):
            wild = node.key >> self.wild_shift & self.field
            order.append(((MOST_WORTH - node.worth) << 38) + (wild << 32) + at)
        order.sort()
        return [layer[one & 0xFFFFFFFF] for one in order[:width]]

    def _is_dominated(self, node: _Node) -> bool:
        """Whether another key can do the work of one: it has more cards in an open run, and is worth as much."""
        better, reached = self.problem.kept.book.better, self.reached
        for suit in range(self.suits):
            shift = suit * self.bits
            for add in better[node.key >> shift & self.field]:
                more: i64 = add
                slot = reached.find(node.key + (more << shift))
                if slot.turn == reached.turn and slot.node is not None and slot.node.worth >= node.worth:
                    return True
        return False

    def _ways(self, rank: Rank, suit: i64, key: i64, left: i64) -> list[Way]:
        """What a suit can do from what it reads of a key, with so many wild cards that are left."""
        shift = suit * self.bits
        taken: i64 = 0
        if rank.high:
            taken = key >> (self.low_shift + shift) & self.field
        lane = rank.lanes[suit]
        number = key >> shift & self.field
        at = (number * lane.stride + taken) * (self.wild + 1) + left
        known = lane.known
        if at < len(known):
            found = known[at]
            if found is not None:
                return found
        return lane.ways(number, taken, left)

    def _after(self, before: list[_Node], place: i64, least: i64) -> None:
        """Reach the keys after a rank that are worth more than `least`, from those before it."""
        rank = self.ranks[place]
        suit = self.suits - 1
        shift, wild_shift, field = suit * self.bits, self.wild_shift, self.field
        low, low_shift = rank.low, self.low_shift + shift
        reads: i64 = rank.reads[suit] | self.wild_field
        keeps: i64 = rank.keeps
        width: i64 = rank.sets.width
        dead: i64 = rank.sets.dead
        last = rank.sets.last
        each: i64 = rank.worth[suit]
        most: i64 = each * rank.lanes[suit].hand
        self.layer = []
        self.reached.clear()
        for node in before:
            key, worth = node.key, node.worth
            free = self.wild - (key >> wild_shift & field)
            own = self._ways(rank, suit, key, free)
            if not own:
                continue
            part = self._together(place, suit, key & reads)
            while part is not None:
                left = free - part.spends
                so_far = worth + part.gain
                if so_far + most > least:
                    for way in own:
                        begun = part.row >> way.sets * width & dead
                        total = so_far + way.gain * each
                        if begun == dead or way.spends > left or total <= least:
                            continue
                        after = (key & keeps) + part.add + (way.after << shift) + (way.wild << wild_shift)
                        wild_sets: i64 = last[begun]
                        if low:
                            after += way.natural << low_shift
                            wild_sets &= 1
                        spare = left - way.spends
                        while wild_sets and spare >= 0:
                            if wild_sets & 1:
                                self._reach(after, total, node, part, way)
                            wild_sets >>= 1
                            spare -= 1
                            after += self.one_wild
                part = part.next

    def _reach(self, key: i64, worth: i64, before: _Node, part: _Partial, way: Way) -> None:
        """Note a way to a key, if it is the best so far."""
        slot = self.reached.find(key)
        node = slot.node
        if slot.turn != self.reached.turn or node is None:
            node = self._node(key, worth, before, part, way)
            self.reached.put(slot, key, node, None)
            self.layer.append(node)
        elif node.worth < worth:
            node.worth = worth
            node.before = before
            node.part = part
            node.last_way = way

    def _together(self, place: i64, suits: i64, read: i64) -> _Partial | None:
        """What the first suits do together, from what they read of a key and the wild cards used before this rank: the
        first of what they can do with those that are left."""
        rank = self.ranks[place]
        if not suits:
            self.start.row = rank.sets.next[0][0]
            return self.start
        known = self.known
        key = read + ((place * (self.suits + 1) + suits) << self.place_shift)
        slot = known.find(key)
        if slot.turn == known.turn:
            return slot.parts
        suit = suits - 1
        free = self.wild - (read >> self.wild_shift & self.field)
        own = self._ways(rank, suit, read, free)
        found: _Partial | None = None
        if own:
            reads: i64 = rank.reads[suit] | self.wild_field
            found = self._joined(self._together(place, suit, read & reads), own, rank, suit, free)
        known.put(known.find(key), key, None, found)
        return found

    def _joined(self, part: _Partial | None, own: list[Way], rank: Rank, suit: i64, free: i64) -> _Partial | None:
        """What a suit does after what those before it do together, with so many free wild cards."""
        shift, wild_shift = suit * self.bits, self.wild_shift
        low, low_shift = rank.low, self.low_shift + shift
        width: i64 = rank.sets.width
        dead: i64 = rank.sets.dead
        rows = rank.sets.next[suit + 1]
        each: i64 = rank.worth[suit]
        first: _Partial | None = None
        latest: _Partial | None = None
        while part is not None:
            left = free - part.spends
            for way in own:
                begun = part.row >> way.sets * width & dead
                if begun == dead or way.spends > left:
                    continue
                new = self._part()
                new.add = part.add + (way.after << shift) + (way.wild << wild_shift)
                if low:
                    new.add += way.natural << low_shift
                new.row = rows[begun]
                new.spends = part.spends + way.spends
                new.gain = part.gain + way.gain * each
                new.last_way = way
                new.before = part
                if latest is None:
                    first = new
                else:
                    latest.next = new
                latest = new
            part = part.next
        return first

    def _part(self) -> _Partial:
        used = self.parts_used
        if used == len(self.parts):
            self.parts.append(_Partial())
        self.parts_used = used + 1
        part = self.parts[used]
        part.next = None
        return part

    def _way_to_best(self, layer: list[_Node], floor: int) -> Best | None:
        best = floor
        chosen: _Node | None = None
        for node in layer:
            total = self.problem.worth_at_end(node.key, node.worth)
            if total > best:
                best, chosen = total, node
        if chosen is None:
            return None
        return Best(best, self.problem.traced(chosen))


_FREE: list[Kernel] = []
"""Kernels that no question is being asked of."""


def fits(problem: Problem) -> bool:
    """Whether the keys of a problem, and what they are worth, fit into words of the machine."""
    places = (problem.places * (problem.suits + 1)).bit_length()
    return (
        problem.key_bits + places <= WORD
        and problem.wild <= MOST_WILD
        and problem.potential[0] + problem.wild_gain < MOST_WORTH
        and all(rank.sets.bits <= WORD for rank in problem.ranks)
    )


def take(problem: Problem) -> Kernel:
    """A kernel for a problem."""
    kernel = _FREE.pop() if _FREE else Kernel()
    kernel.begin(problem)
    return kernel


def give_back(kernel: Kernel) -> None:
    """Keep a kernel for the next question, unless its pools have grown too large."""
    if len(kernel.nodes) + len(kernel.parts) < MOST_KEPT:
        _FREE.append(kernel)
