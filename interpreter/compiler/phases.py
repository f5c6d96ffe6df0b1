"""Turn phrases to automata: positions are the moves and windows of the phrase, edges say which may follow which.

The method is Glushkov's (The abstract theory of automata, 1961), with guards: a step with an `if` is entered only where
it holds and passed over only where it fails. A walk keeps the set of positions it may be in, so no phrase needs to be
made deterministic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.program import (
    WHO_EACH_OTHER,
    WHO_EACH_WHOSE,
    WHO_FIRST_OTHER,
    WHO_NEXT,
    WHO_PARTNER,
    Automaton,
    Code,
    Edge,
    Guards,
    WindowRule,
)
from rulespec import model
from rulespec.expressions import Expr

Ends = list[tuple[int, Guards]]

WHO = {
    "each other": WHO_EACH_OTHER,
    "first other": WHO_FIRST_OTHER,
    "next": WHO_NEXT,
    "partner": WHO_PARTNER,
    "each whose": WHO_EACH_WHOSE,
}


@dataclass(slots=True)
class Part:
    """A piece of a phrase: where it can begin, where it can end, and under which guards it can be passed over."""

    first: Ends
    last: Ends
    empty: list[Guards]


@dataclass(slots=True)
class _Builder:
    compile_expr: Callable[[Expr], Code]
    moves: dict[str, int]
    add: Callable[[model.Phase, str], int]
    name: str
    labels: list[int] = field(default_factory=lambda: [-1])
    windows: list[WindowRule | None] = field(default_factory=lambda: [None])
    edges: dict[tuple[int, int, Guards], None] = field(default_factory=dict)
    guards: list[Code] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def position(self, label: int, window: WindowRule | None) -> Part:
        self.labels.append(label)
        self.windows.append(window)
        here = len(self.labels) - 1
        return Part([(here, ())], [(here, ())], [])

    def join(self, last: Ends, first: Ends) -> None:
        for start, leaving in last:
            for target, entering in first:
                guards = _both(leaving, entering)
                if guards is not None:
                    self.edges[start, target, guards] = None

    def build(self, phase: model.Phase) -> Part:
        match phase:
            case model.MoveItem():
                return self.position(self.moves[phase.name], None)
            case model.PhaseItem():
                return self.build(phase.body)
            case model.Window():
                whose = self.compile_expr(phase.whose) if phase.whose is not None else None
                inner = self.add(phase.item, f"{self.name}, a window")
                return self.position(-1, WindowRule(WHO[phase.who], whose, inner))
            case model.Choice():
                parts = [self.build(item) for item in phase.items]
                return Part(
                    [f for p in parts for f in p.first],
                    [x for p in parts for x in p.last],
                    [e for p in parts for e in p.empty],
                )
            case model.Repeat():
                return self.repeat(phase)
            case model.Sequence():
                whole = Part([], [], [()])
                for item, guard in phase.steps:
                    whole = self.then(whole, self.step(item, guard))
                return whole
        raise TypeError(f"unknown phase {phase!r}")

    def step(self, item: model.Phase, guard: Expr | None) -> Part:
        part = self.build(item)
        if guard is None:
            return part
        self.guards.append(self.compile_expr(guard))
        self.places.append(str(guard.span))
        number = len(self.guards) - 1
        asked = ((number, True),)
        first = [(p, g) for p, entering in part.first if (g := _both(asked, entering)) is not None]
        empty = [g for e in part.empty if (g := _both(asked, e)) is not None]
        return Part(first, part.last, [*empty, ((number, False),)])

    def then(self, one: Part, two: Part) -> Part:
        self.join(one.last, two.first)
        first = one.first + [
            (p, g) for e in one.empty for p, entering in two.first if (g := _both(e, entering)) is not None
        ]
        last = two.last + [(p, g) for e in two.empty for p, leaving in one.last if (g := _both(leaving, e)) is not None]
        empty = [g for a in one.empty for b in two.empty if (g := _both(a, b)) is not None]
        return Part(first, last, empty)

    def repeat(self, phase: model.Repeat) -> Part:
        if phase.most >= model.UNBOUNDED:
            part = self.build(phase.item)
            self.join(part.last, part.first)
            whole = part
            for _ in range(phase.least - 1):
                whole = self.then(self.build(phase.item), whole)
        else:
            whole = Part([], [], [()])
            for number in range(phase.most):
                part = self.build(phase.item)
                if number >= phase.least:
                    part = Part(part.first, part.last, [*part.empty, ()])
                whole = self.then(whole, part)
        return Part(whole.first, whole.last, [*whole.empty, ()]) if phase.least == 0 else whole


def _both(one: Guards, two: Guards) -> Guards | None:
    """Both sets of guards; None if they contradict each other."""
    asked = dict(one)
    for number, wanted in two:
        if asked.setdefault(number, wanted) != wanted:
            return None
    return tuple(sorted(asked.items()))


def build_automaton(
    phase: model.Phase,
    name: str,
    compile_expr: Callable[[Expr], Code],
    moves: dict[str, int],
    add: Callable[[model.Phase, str], int],
) -> Automaton:
    """The automaton of a phrase; `add` builds those of its windows and returns their numbers."""
    builder = _Builder(compile_expr, moves, add, name)
    whole = builder.build(phase)
    builder.join([(0, ())], whole.first)
    finals: list[list[Guards]] = [[] for _ in builder.labels]
    for position, guards in whole.last:
        finals[position].append(guards)
    finals[0] = list(whole.empty)
    edges: list[list[Edge]] = [[] for _ in builder.labels]
    for start, target, guards in builder.edges:
        edges[start].append(Edge(target, guards))
    return Automaton(
        name,
        tuple(builder.labels),
        tuple(builder.windows),
        tuple(tuple(sorted(e)) for e in edges),
        tuple(tuple(dict.fromkeys(f)) for f in finals),
        tuple(builder.guards),
        tuple(builder.places),
    )
