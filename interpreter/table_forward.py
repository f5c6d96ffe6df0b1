"""From the first rank to the last: the keys that can be reached, and the best way to each.

A key says which runs are open in each suit, how many wild cards are used, and, where a rank stands at both ends of the
order, how many of its cards went to the low end. Here keys have any size; `table_kernel` does the same where they fit
into a word of the machine.
"""

from __future__ import annotations

from typing import Final

from interpreter.table_layers import Way
from interpreter.table_problem import Best, Joint, Problem, Reached

MANY: Final = 400
"""Keys at a rank among which those are looked for that others can do the work of."""


class _Partial(Joint):
    """What some suits together do at a rank: what is added to the key, the row of `SetsBegun` for the next suit, wild
    cards used now and needed later, worth."""

    __slots__ = ("add", "gain", "row", "spends")

    def __init__(self, add: int, row: int, spends: int, gain: int, way: Way | None, before: _Partial | None) -> None:
        super().__init__(way, before)
        self.add = add
        self.row = row
        self.spends = spends
        self.gain = gain


class _Node(Reached):
    """A key that was reached, and the most it is worth."""

    __slots__ = ("key", "worth")

    def __init__(self, key: int) -> None:
        super().__init__()
        self.key = key
        self.worth = 0

    def told(self) -> int:
        return self.key


class Forward:
    """The passes of one problem.

    What is shifted is made an `int` first: compiled, the figures of a `Way` are words of the machine, and keys are not.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.suits = problem.suits
        self.bits = problem.bits
        self.field = problem.field
        self.wild_shift = problem.wild_shift
        self.low_shift = problem.low_shift
        self.known: list[list[dict[int, list[_Partial]]]] = [[{} for _ in range(problem.suits)] for _ in problem.ranks]
        """By place and how many suits: what these do together, by what they read of a key."""

    def search(self, floor: int, width: int) -> tuple[Best | None, bool]:
        """The way to the best table worth more than `floor`, and whether no key was left out for more than `width` of
        them at one rank (0: any number)."""
        problem = self.problem
        layer = [_Node(0)]
        complete = True
        for place in range(problem.places):
            reached = self._after(layer, place, floor - problem.wild_gain - problem.potential[place + 1])
            layer = list(reached.values())
            if len(layer) > MANY and problem.rules.counts_cards_only:
                layer = [node for node in layer if not self._is_dominated(node, reached)]
            if width and len(layer) > width:
                complete = False
                layer = self._first(layer, width)
            if not layer:
                break
        return self._way_to_best(layer, floor), complete

    def _first(self, layer: list[_Node], width: int) -> list[_Node]:
        """The keys worth most, of equal ones with the fewest wild cards used."""
        order = sorted([(-node.worth, node.key >> self.wild_shift & self.field, at) for at, node in enumerate(layer)])
        return [layer[at] for _, _, at in order[:width]]

    def _after(self, layer: list[_Node], place: int, least: int) -> dict[int, _Node]:
        """The keys after a rank that are worth more than `least`."""
        reached: dict[int, _Node] = {}
        problem = self.problem
        rank = problem.ranks[place]
        suit = self.suits - 1
        shift, wild_shift = suit * self.bits, self.wild_shift
        low_shift = self.low_shift + shift if rank.low else -1
        field, reads, keeps, all_wild = self.field, rank.reads[suit], rank.keeps, problem.wild
        width, dead, last, each = rank.sets.width, rank.sets.dead, rank.sets.last, rank.worth[suit]
        most = each * rank.lanes[suit].hand
        for node in layer:
            key = node.key
            own = problem.ways(rank, suit, key)
            free = all_wild - (key >> wild_shift & field)
            worth = node.worth
            kept = key & keeps
            for part in self._together(place, suit, key & reads) if own else ():
                left = free - part.spends
                so_far = worth + part.gain
                if left < 0 or so_far + most <= least:
                    continue
                for way in own:
                    in_sets: int = way.sets
                    gain: int = way.gain
                    spends: int = way.spends
                    number = part.row >> in_sets * width & dead
                    total = so_far + gain * each
                    if number == dead or spends > left or total <= least:
                        continue
                    after: int = way.after
                    wild: int = way.wild
                    add = kept + part.add + (after << shift) + (wild << wild_shift)
                    if low_shift >= 0:
                        natural: int = way.natural
                        add += natural << low_shift
                    for wild_sets in range(left - spends + 1 if low_shift < 0 else 1):
                        if not last[number] >> wild_sets & 1:
                            continue
                        key_after = add + (wild_sets << wild_shift)
                        known = reached.get(key_after)
                        if known is None:
                            known = reached[key_after] = _Node(key_after)
                        elif known.worth >= total:
                            continue
                        known.worth, known.before, known.part, known.last_way = total, node, part, way
        return reached

    def _together(self, place: int, suits: int, read: int) -> list[_Partial]:
        """What the first suits do together, from what they read of a key."""
        if not suits:
            return [_Partial(0, self.problem.ranks[place].sets.next[0][0], 0, 0, None, None)]
        known = self.known[place][suits]
        found = known.get(read)
        if found is not None:
            return found
        rank = self.problem.ranks[place]
        suit = suits - 1
        shift, wild_shift = suit * self.bits, self.wild_shift
        low_shift = self.low_shift + shift if rank.low else -1
        width, dead, rows = rank.sets.width, rank.sets.dead, rank.sets.next[suits]
        each, free = rank.worth[suit], self.problem.wild
        own = self.problem.ways(rank, suit, read)
        found = []
        for part in self._together(place, suit, read & rank.reads[suit]) if own else ():
            left = free - part.spends
            for way in own:
                in_sets: int = way.sets
                gain: int = way.gain
                spends: int = way.spends
                number = part.row >> in_sets * width & dead
                if number == dead or spends > left:
                    continue
                after: int = way.after
                wild: int = way.wild
                add = part.add + (after << shift) + (wild << wild_shift)
                if low_shift >= 0:
                    natural: int = way.natural
                    add += natural << low_shift
                found.append(_Partial(add, rows[number], part.spends + spends, part.gain + gain * each, way, part))
        known[read] = found
        return found

    def _is_dominated(self, node: _Node, reached: dict[int, _Node]) -> bool:
        """Whether another key can do the work of one: it has more cards in an open run, and is worth as much."""
        better = self.problem.kept.book.better
        for suit in range(self.suits):
            shift = suit * self.bits
            for add in better[node.key >> shift & self.field]:
                other = reached.get(node.key + (add << shift))
                if other is not None and other.worth >= node.worth:
                    return True
        return False

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
