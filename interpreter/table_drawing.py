"""Groups from the best way through the ranks: which cards of each rank make sets, which go on with which run."""

from __future__ import annotations

from interpreter.table_layers import Way
from interpreter.table_runs import CLOSED, WILD, RunRules
from interpreter.table_shape import Shape


class Choice:
    """What a rank does: its suits, and how many wild cards go to sets."""

    __slots__ = ("ways", "wild")

    def __init__(self, ways: list[Way], wild: int) -> None:
        self.ways = ways
        self.wild = wild


class Drawn:
    """A group of the table that was found: its kind, the place of its first card (-1 in a set), its cards as faces,
    natural ones before wild ones in a set, and of these by suit; `wild` has one bit for each wild card among them,
    whose face is its name."""

    __slots__ = ("faces", "kind", "start", "wild")

    def __init__(self, kind: int, start: int, faces: tuple[int, ...], wild: int) -> None:
        self.kind = kind
        self.start = start
        self.faces = faces
        self.wild = wild


def draw(shape: Shape, rules: RunRules, way: list[Choice]) -> list[Drawn]:
    """All groups on a way through the ranks, runs by where they end, sets by rank."""
    return _Drawing(shape, rules).groups(way)


class _Run:
    """An open run: its first place, its cards, and a bit for each wild one."""

    __slots__ = ("size", "start", "wild")

    def __init__(self, start: int, what: int) -> None:
        self.start = start
        self.size = 1
        self.wild = int(what == WILD)

    def grow(self, what: int) -> None:
        """Put a card to it, NATURAL or WILD."""
        self.wild |= (what == WILD) << self.size
        self.size += 1


class _Drawing:
    def __init__(self, shape: Shape, rules: RunRules) -> None:
        self.shape = shape
        self.mixed = rules.counts_cards_only
        """Whether it is left open which cards of a rank are wild."""
        self.suits = len(shape.pack.suits)
        self.rank_of = shape.pack.place_rank
        self.found: list[Drawn] = []

    def groups(self, way: list[Choice]) -> list[Drawn]:
        """All groups, runs by where they end, sets by rank."""
        building: list[list[_Run]] = [[] for _ in range(self.suits)]
        for place, choice in enumerate(way):
            self._sets(place, choice)
            for suit, one in enumerate(choice.ways):
                if building[suit] or one.after:
                    building[suit] = self._go_on(place, suit, building[suit], one)
        for suit, runs in enumerate(building):
            for run in runs:
                self._close(suit, run)
        return self.found

    def _go_on(self, place: int, suit: int, runs: list[_Run], way: Way) -> list[_Run]:
        """The runs of a suit after a rank, in the order of `Step.after`."""
        step = way.step
        going: list[_Run] = []
        for at, run in enumerate(runs):
            what = step.each[at]
            if what == CLOSED:
                self._close(suit, run)
            else:
                run.grow(what)
                going.append(run)
        for what in step.begun:
            going.append(_Run(place, what))  # noqa: PERF401
        if way.wild and self.mixed:
            _spread(going, way.wild)
        return going if len(going) < 2 else [going[at] for at in step.order]

    def _close(self, suit: int, run: _Run) -> None:
        """Note a run, in pieces where it is too long to be one."""
        kind = self.shape.runs
        assert kind is not None
        least, most = kind.cards
        start, size, wild = run.start, run.size, run.wild
        while size:
            piece = size if size <= most else min(most, size - least)
            faces = tuple([rank * self.suits + suit for rank in self.rank_of[start : start + piece]])
            self.found.append(Drawn(kind.index, start, faces, wild & ((1 << piece) - 1)))
            start += piece
            size -= piece
            wild >>= piece

    def _sets(self, place: int, choice: Choice) -> None:
        """Note the sets of a rank: cards are dealt to the smallest sets, wild ones last."""
        shape = self.shape
        kind = shape.sets
        copies = 0
        natural = 0
        for way in choice.ways:
            copies = max(copies, way.sets)
            natural += way.sets
        if kind is None or not natural + choice.wild:
            return
        rank = self.rank_of[place]
        count = shape.sets_for(natural, choice.wild, copies)
        if count == 1 and not choice.wild:
            faces = tuple([rank * self.suits + suit for suit, way in enumerate(choice.ways) if way.sets])
            self.found.append(Drawn(kind.index, -1, faces, 0))
            return
        sets: list[list[int]] = [[] for _ in range(count)]
        for held in range(copies, 0, -1):
            for suit, way in enumerate(choice.ways):
                if way.sets == held:
                    by_size = sorted([len(group) * count + at for at, group in enumerate(sets)])
                    for one in by_size[:held]:
                        sets[one % count].append(rank * self.suits + suit)
        natural_in = self._wild_in_sets(sets, rank, choice.wild)
        for at, group in enumerate(sets):
            self.found.append(Drawn(kind.index, -1, tuple(group), (1 << len(group)) - (1 << natural_in[at])))

    def _wild_in_sets(self, sets: list[list[int]], rank: int, wild: int) -> list[int]:
        """Put so many wild cards to sets, to those with the fewest; how many natural cards each has."""
        for group in sets:
            group.sort()
        natural = [len(group) for group in sets]
        for _ in range(wild):
            at = min(range(len(sets)), key=lambda number: (len(sets[number]) - natural[number], natural[number]))
            missing = (face for s in range(self.suits) if (face := rank * self.suits + s) not in sets[at])
            sets[at].append(next(missing) if self.shape.named else self.shape.pack.face_of(rank, -1))
        return natural


def _spread(going: list[_Run], wild: int) -> None:
    """Let the wild cards of a rank lie in the runs that have the fewest of them."""
    for run in going:
        run.wild &= (1 << run.size - 1) - 1
    order = sorted(going, key=lambda run: (run.wild.bit_count(), -run.size))
    for run in order[:wild]:
        run.wild |= 1 << run.size - 1
