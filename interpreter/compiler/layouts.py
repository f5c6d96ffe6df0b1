"""Questions about all layouts of a hand to code: searched for where the question is one of sums, else listed."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiler.demands import DemandCompiler
from interpreter.compiler.slots import Slots
from interpreter.compiler.things import ThingCompiler
from interpreter.demands import alternatives, every, part_of, weighed
from interpreter.meld_limits import Limited
from interpreter.moves import Group, Meld
from interpreter.program import Code, Env, Layout
from rulespec import expressions as ex


class LayoutSearch:
    """The layouts some things go through (`layouts of hand whose it is neat`) that meet their conditions, and that of
    a quantifier or (`wanted` false) its opposite."""

    def __init__(
        self, slots: Slots, code: ThingCompiler, things: ex.Expr, quantified: ex.Expr | None = None, wanted: bool = True
    ) -> None:
        layouts = layouts_in(things)
        assert layouts is not None
        selected = []
        while isinstance(things, ex.Select):
            selected.append(things.condition)
            things = things.things
        self.compiler = DemandCompiler(slots, code, moving=False)
        demands = [self.compiler.demand(condition) for condition in selected]
        if quantified is not None:
            demands.append(self.compiler.demand(quantified, wanted))
        self.demand = every(tuple(demands))
        self.selected = [code(condition) for condition in selected]
        self.quantified = code(quantified) if quantified is not None else None
        self.wanted = wanted
        self.cards, self.owner = code.mask(layouts.of), code.owner_of(layouts.of)
        self.code = code

    def limited(self, env: Env, whole: bool = False) -> tuple[Limited, bool]:
        """The search for them, and whether whatever it finds is one; see `MeldRules.limited` about `whole`."""
        hand: int = self.cards(env)
        owner: int = self.owner(env)
        it, each = env.it, env.each
        env.it = env.each = Layout((), 0, hand)
        found = alternatives(self.demand, env)
        env.it, env.each = it, each
        return env.state.rules.melds.limited(hand, weighed(found.ways, env, owner), whole=whole), found.exact

    def every(self, env: Env) -> Iterator[Layout]:
        """All of them."""
        limited, exact = self.limited(env)
        owner: int = self.owner(env)
        for melds in limited.sets():
            layout = _layout(limited, melds, owner)
            if exact or self._holds(env, layout):
                yield layout

    def exists(self, env: Env) -> bool:
        """Whether there is one."""
        return next(self.every(env), None) is not None

    def extreme(self, number: ex.Expr, highest: bool) -> Code:
        """The highest or lowest number over them; 0 where there is none."""
        code, part = self.code(number), self.compiler.part(number)
        whole = not self.compiler.is_unordered(number)

        def listed(env: Env) -> int:
            values = [_of(env, code, layout) for layout in self.every(env)]
            return (max if highest else min)(values, default=0)

        def searched(env: Env) -> int:
            assert part is not None
            limited, exact = self.limited(env, whole)
            if not exact:
                return listed(env)
            owner: int = self.owner(env)
            worth = [part_of(part, env, meld, owner) for meld in limited.book.melds]
            best = limited.best(worth if highest else [-each for each in worth])
            if best is None:
                return 0
            return _of(env, code, Layout((), 0, self.cards(env))) + (best[0] if highest else -best[0])

        return listed if part is None else searched

    def _holds(self, env: Env, layout: Layout) -> bool:
        if not all(_of(env, condition, layout) for condition in self.selected):
            return False
        if self.quantified is None:
            return True
        each, env.each = env.each, layout
        found = bool(self.quantified(env)) is self.wanted
        env.each = each
        return found


def _layout(limited: Limited, melds: tuple[Meld, ...], owner: int) -> Layout:
    used = 0
    for meld in melds:
        used |= meld.mask
    return Layout(tuple(Group(m, owner, (owner,) * len(m.cards)) for m in melds), used, limited.hand & ~used)


def _of(env: Env, code: Code, layout: Layout) -> int:
    it, env.it = env.it, layout
    found = int(code(env))
    env.it = it
    return found


def layouts_in(things: ex.Expr) -> ex.Layouts | None:
    """The layouts an expression goes through, all or some of them; None if it goes through something else."""
    while isinstance(things, ex.Select):
        things = things.things
    return things if isinstance(things, ex.Layouts) else None


def is_rest_points(number: ex.Expr) -> bool:
    """Whether a number is `points of rest of it`."""
    return isinstance(number, ex.Points) and isinstance(number.of, ex.Rest) and isinstance(number.of.of, ex.It)
