"""What every part of the compiler of expressions shares: slots, binding, one thing or several as one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.compiler.slots import Slots
from interpreter.moves import Group
from interpreter.pack import bits
from interpreter.program import Code, Env
from rulespec import expressions as ex

Makers = dict[type[ex.Expr], Callable[[Any], Code]]
Each = Callable[[Env, Code], Iterator[Any]]


def looking(things: Code, kind: ex.Type, quantified: bool = False) -> Each:
    """How to work something out for each thing in turn: bare words, or `it` (`each` of a quantifier), are bound to it
    and put back afterwards."""
    if kind in (ex.Type.PLAYERS, ex.Type.PLAYER):

        def each_player(env: Env, body: Code) -> Iterator[Any]:
            subject = env.subject
            for person in things(env):
                env.subject = person
                value = body(env)
                env.subject = subject
                yield value

        return each_player
    elements: Callable[[Any], Iterator[Any]] = bits if kind in (ex.Type.CARDS, ex.Type.CARD) else iter
    grouped = kind in (ex.Type.GROUPS, ex.Type.GROUP)
    if quantified:

        def each_quantified(env: Env, body: Code) -> Iterator[Any]:
            each, meld = env.each, env.meld
            for thing in elements(things(env)):
                env.each = thing
                if grouped:
                    env.meld = thing.meld
                value = body(env)
                env.each, env.meld = each, meld
                yield value

        return each_quantified

    def each_thing(env: Env, body: Code) -> Iterator[Any]:
        it, meld = env.it, env.meld
        for thing in elements(things(env)):
            env.it = thing
            if grouped:
                env.meld = thing.meld
            value = body(env)
            env.it, env.meld = it, meld
            yield value

    return each_thing


class BaseCompiler:
    """Compiles no expression itself; the parts built on it do, each those it lists in `makers`."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots

    def __call__(self, expr: ex.Expr) -> Code:
        """The code of an expression."""
        raise NotImplementedError

    # -------------------------------------------------------- one or many, as one shape

    def mask(self, expr: ex.Expr) -> Code:
        """The cards of anything that holds cards, as a mask."""
        code = self(expr)
        match expr.type:
            case ex.Type.CARD:
                return lambda env: 1 << c if (c := code(env)) >= 0 else 0
            case ex.Type.GROUP:
                return lambda env: g.meld.mask if (g := code(env)) is not None else 0
            case ex.Type.GROUPS:
                return lambda env: _all_of(code(env))
            case ex.Type.LAYOUT:
                return lambda env: code(env).cards
            case _:
                return code

    def many(self, expr: ex.Expr) -> Code:
        """One thing or several, as several."""
        code = self(expr)
        match expr.type:
            case ex.Type.PLAYER:
                return lambda env: (p,) if (p := code(env)) >= 0 else ()
            case ex.Type.CARD:
                return self.mask(expr)
            case ex.Type.GROUP | ex.Type.LAYOUT:
                return lambda env: (t,) if (t := code(env)) is not None else ()
            case _:
                return code

    def players(self, expr: ex.Expr) -> Code:
        """A player or players, as a tuple of seats (or sides)."""
        return self.many(expr)

    def owner_of(self, expr: ex.Expr) -> Code:
        """Whose points are counted: the owner of a zone that is named, else *you*."""
        if isinstance(expr, ex.Zone) and expr.of is not None and expr.of.type is ex.Type.PLAYER:
            return self(expr.of)
        return lambda env: env.you


def _all_of(groups: tuple[Group, ...]) -> int:
    found = 0
    for group in groups:
        found |= group.meld.mask
    return found
