"""The places of a turn: a turn phrase as an automaton over its moves.

Each move of the phrase is a place; a way leads from the place of the last move to that of the next, or to the end of
the turn, through the guards of the steps it begins or passes over. (The interpreter builds its own from the phrase.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulespec import model
from rulespec.expressions import Expr
from rulespec.model import Phase

END = -1
"""Where a way leads that ends the turn."""
UNROLLED = 6
"""So many times a repeated part is written out; more are taken as any number."""
MOST_PLACES = 60
"""Nothing is written out that comes to more places."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A step's `if`, and whether the way goes in (True) or past it. `window`: 0 if the mover is *you* in it."""

    condition: Expr
    holds: bool
    window: int


@dataclass(frozen=True, slots=True)
class Way:
    """`seat` says that another seat begins to act with it."""

    guards: tuple[Guard, ...]
    target: int
    seat: bool = False

    def after(self, guards: tuple[Guard, ...]) -> Way:
        return replace(self, guards=guards + self.guards)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the turn stands after a move. `window`: 0 in the turn of the mover, else the number of the window."""

    item: model.MoveItem
    window: int
    whose: str = ""

    @property
    def move(self) -> str:
        return self.item.name


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn phrase; `ways[n]` lead on from place n, `starts` from the beginning."""

    phase: Phase
    places: tuple[Place, ...]
    starts: tuple[Way, ...]
    ways: tuple[tuple[Way, ...], ...]

    def leads_to(self) -> list[int]:
        """For each place, a bit for each place that can come after it in the turn, however late."""
        found = [0] * len(self.places)
        targets = [[way.target for way in ways if way.target != END] for ways in self.ways]
        changed = True
        while changed:
            changed = False
            for place in reversed(range(len(found))):
                before = found[place]
                for target in targets[place]:
                    found[place] |= 1 << target | found[target]
                changed = changed or found[place] != before
        return found

    def following(self, place: int) -> set[int]:
        """The places that can come after this one in the turn, however late."""
        seen: set[int] = set()
        todo = [way.target for way in self.ways[place]]
        while todo:
            at = todo.pop()
            if at != END and at not in seen:
                seen.add(at)
                todo += [way.target for way in self.ways[at]]
        return seen


MANY = 2
"""So many times a move is counted; more are taken as any number."""
MOST_CASES = 600
"""Where a turn has more cases at all its places together, nothing is said of how often moves were made."""

Counts = tuple[int, ...]
"""How often each of some moves has been made."""


def times_made(turn: Turn, moves: Sequence[str]) -> list[set[Counts]]:
    """For each place, how often the mover may have made each of these moves when the turn stands there; `MANY` stands
    for any number from that on. Nothing at all is told of a turn with too many cases."""
    cases: list[set[Counts]] = [set() for _ in turn.places]
    none = (0,) * len(moves)
    own = [moves.index(p.move) if p.move in moves and not p.window else -1 for p in turn.places]
    todo = [(way.target, none) for way in turn.starts]
    found = 0
    while todo:
        place, counts = todo.pop()
        if place == END:
            continue
        at = own[place]
        if at >= 0:
            counts = (*counts[:at], min(counts[at] + 1, MANY), *counts[at + 1 :])
        if counts not in cases[place]:
            found += 1
            if found > MOST_CASES + len(cases):
                return [set() for _ in turn.places]
            cases[place].add(counts)
            todo += [(target, counts) for target in {way.target for way in turn.ways[place]}]
    return cases


@dataclass(slots=True)
class _Part:
    """A piece of the phrase: how it is begun, where it can stop (and through which guards), how it is passed over."""

    first: list[Way] = field(default_factory=list)
    last: list[tuple[int, tuple[Guard, ...]]] = field(default_factory=list)
    skip: list[tuple[Guard, ...]] = field(default_factory=list)


def turn_of(phase: Phase) -> Turn:
    """The automaton of a phrase."""
    builder = _Builder()
    whole = builder.part(phase, 0, "")
    starts = whole.first + [Way(guards, END) for guards in whole.skip]
    for place, guards in whole.last:
        builder.ways[place].append(Way(guards, END))
    return Turn(phase, tuple(builder.places), tuple(starts), tuple(tuple(dict.fromkeys(w)) for w in builder.ways))


def _size(phase: Phase) -> int:
    """How many places a part comes to, everything repeated written out; more than `MOST_PLACES` stands for any more."""
    match phase:
        case model.PhaseItem():
            return _size(phase.body)
        case model.Sequence():
            return min(sum(_size(step) for step, _ in phase.steps), MOST_PLACES + 1)
        case model.Choice():
            return min(sum(map(_size, phase.items)), MOST_PLACES + 1)
        case model.Repeat():
            many = phase.most if phase.most <= UNROLLED else 1
            return min(many * _size(phase.item), MOST_PLACES + 1)
        case model.Window():
            return _size(phase.item)
    return 1


class _Builder:
    def __init__(self) -> None:
        self.places: list[Place] = []
        self.ways: list[list[Way]] = []
        self.windows = 0

    def part(self, phase: Phase, window: int, whose: str) -> _Part:
        match phase:
            case model.MoveItem():
                self.places.append(Place(phase, window, whose))
                self.ways.append([])
                at = len(self.places) - 1
                return _Part([Way((), at)], [(at, ())])
            case model.PhaseItem():
                return self.part(phase.body, window, whose)
            case model.Sequence():
                whole = _Part(skip=[()])
                for step, condition in phase.steps:
                    self.join(whole, self.guarded(self.part(step, window, whose), condition, window))
                return whole
            case model.Choice():
                whole = _Part()
                for item in phase.items:
                    one = self.part(item, window, whose)
                    whole.first += one.first
                    whole.last += one.last
                    whole.skip += one.skip
                return whole
            case model.Repeat():
                return self.repeated(phase, window, whose)
            case model.Window():
                return self.window(phase)
        raise TypeError(f"no such phase: {phase!r}")

    def guarded(self, part: _Part, condition: Expr | None, window: int) -> _Part:
        if condition is None:
            return part
        past = (Guard(condition, False, window),)
        into = (Guard(condition, True, window),)
        return _Part(
            [way.after(into) for way in part.first],
            part.last,
            [past, *(into + guards for guards in part.skip)],
        )

    def join(self, whole: _Part, then: _Part) -> None:
        """Appends a step to what comes before it."""
        for place, guards in whole.last:
            self.ways[place] += [way.after(guards) for way in then.first]
        whole.first += [way.after(guards) for guards in whole.skip for way in then.first]
        whole.last = then.last + [(place, before + after) for place, before in whole.last for after in then.skip]
        whole.skip = [before + after for before in whole.skip for after in then.skip]

    def repeated(self, phase: model.Repeat, window: int, whose: str) -> _Part:
        if phase.most > UNROLLED or phase.most * _size(phase.item) > MOST_PLACES:
            part = self.part(phase.item, window, whose)
            for place, guards in part.last:
                self.ways[place] += [way.after(guards) for way in part.first]
            return part if phase.least else _Part(part.first, part.last, [()])
        whole = _Part(skip=[()])
        for number in range(phase.most):
            one = self.part(phase.item, window, whose)
            if number >= phase.least:
                one.skip = [()]
            self.join(whole, one)
        return whole

    def window(self, phase: model.Window) -> _Part:
        self.windows += 1
        part = self.part(phase.item, self.windows, phase.who)
        if phase.who in ("each other", "each whose"):
            for place, guards in part.last:
                self.ways[place] += [replace(way.after(guards), seat=True) for way in part.first]
        skip: list[tuple[Guard, ...]] = [()] if part.skip or phase.who == "each whose" else []
        return _Part([replace(way, seat=True) for way in part.first], part.last, skip)
