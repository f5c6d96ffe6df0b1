"""Expressions about cards, groups, layouts and players to code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.compiler.base import Makers, looking
from interpreter.compiler.cards import CardCompiler
from interpreter.errors import NotPlayable
from interpreter.moves import Group
from interpreter.pack import bits, mask_of
from interpreter.program import Code, Env, Layout
from rulespec import expressions as ex


class ThingCompiler(CardCompiler):
    """Cards, groups and layouts; with the parts for players and for questions about cards, all that is no number."""

    def thing_makers(self) -> Makers:
        return {
            ex.It: lambda _: lambda env: env.it,
            ex.Each: lambda _: lambda env: env.each,
            ex.Zone: self.zone,
            ex.Top: self.top,
            ex.Named: self.named,
            ex.Table: lambda _: lambda env: env.state.groups,
            ex.Melds: self.melds,
            ex.Laid: self.laid,
            ex.Played: self.played,
            ex.CardsIn: lambda e: self.mask(e.of),
            ex.GroupsIn: self.groups_in,
            ex.Rest: self.rest,
            ex.Layouts: self.layouts,
            ex.Select: self.select,
            **self.people_makers(),
            **self.card_makers(),
        }

    # -------------------------------------------------------- cards

    def zone(self, e: ex.Zone) -> Code:
        zone = self.slots.zones[e.name]
        slot = zone.slot
        if e.of is None:
            return lambda env: mask_of(env.state.piles[slot])
        of = self.players(e.of)
        if slot < 0:
            if e.of.type is ex.Type.PLAYER:
                one = self(e.of)
                return lambda env: (
                    env.state.hands[p]
                    if 0 <= (p := one(env)) < len(env.state.hands)
                    else _hands(env, (p,) if p >= 0 else ())
                )
            return lambda env: _hands(env, of(env))
        by_side = zone.of == "side"

        def together(env: Env) -> int:
            found = 0
            for person in of(env):
                for owner in (env.program.side_of(person),) if by_side else env.program.seats_of(person):
                    found |= mask_of(env.state.piles[slot + owner])
            return found

        return together

    def pile_size(self, expr: ex.Expr) -> Code | None:
        """How many cards a pile of the table holds, without listing them."""
        if isinstance(expr, ex.CardsIn):
            return self.pile_size(expr.of)
        if isinstance(expr, ex.Zone) and expr.of is None:
            slot = self.slots.zones[expr.name].slot
            return lambda env: len(env.state.piles[slot])
        return None

    def top(self, e: ex.Top) -> Code:
        if not isinstance(e.of, ex.Zone) or self.slots.zones[e.of.name].slot < 0:
            raise NotPlayable(f"{e.span}: only a pile has a top card")
        zone = self.slots.zones[e.of.name]
        slot = zone.slot
        if e.of.of is None:
            return lambda env: pile[-1] if (pile := env.state.piles[slot]) else -1
        of, by_side = self(e.of.of), zone.of == "side"

        def top_of(env: Env) -> int:
            person = of(env)
            owner = env.program.side_of(person) if by_side else env.program.seats_of(person)[0]
            pile: tuple[int, ...] = env.state.piles[slot + owner]
            return pile[-1] if pile else -1

        return top_of

    def named(self, e: ex.Named) -> Code:
        slot = self.slots.named[e.name]
        if e.type is ex.Type.CARDS:
            return lambda env: (env.named or env.state.named)[slot]
        return lambda env: (env.named or env.state.named)[slot].bit_length() - 1

    def melds(self, e: ex.Melds) -> Code:
        of = self.players(e.of)

        def owned(env: Env) -> tuple[Group, ...]:
            program = env.program
            sides = {program.side_of(p) for p in of(env)}
            return tuple(g for g in env.state.groups if g.owner >= 0 and g.owner % program.sides in sides)

        return owned

    def laid(self, e: ex.Laid) -> Code:
        of = self.players(e.of)

        def cards(env: Env) -> int:
            program, found = env.program, 0
            sides = {program.side_of(p) for p in of(env)}
            for group in env.state.groups:
                for card, layer in zip(group.meld.cards, group.layers, strict=True):
                    if layer >= 0 and layer % program.sides in sides:
                        found |= 1 << card
            return found

        return cards

    def played(self, _: ex.Played) -> Code:
        def brought(env: Env) -> Layout:
            context = env.context
            if context is None:
                return Layout((), 0, 0)
            return Layout(context.played_groups, context.played_cards, env.state.hands[context.seat])

        return brought

    def groups_in(self, e: ex.GroupsIn) -> Code:
        of = self(e.of)
        if e.of.type is ex.Type.LAYOUT:
            return lambda env: of(env).groups
        return of

    def rest(self, e: ex.Rest) -> Code:
        of = self(e.of)
        return lambda env: of(env).rest

    def layouts(self, e: ex.Layouts) -> Code:
        cards, owner = self.mask(e.of), self.owner_of(e.of)

        def every(env: Env) -> Iterator[Layout]:
            hand, seat = cards(env), owner(env)
            for melds in env.state.rules.melds.arrangements(hand):
                used = 0
                for meld in melds:
                    used |= meld.mask
                groups = tuple(Group(m, seat, (seat,) * len(m.cards)) for m in melds)
                yield Layout(groups, used, hand & ~used)

        return every

    def select(self, e: ex.Select) -> Code:
        things, condition = self.many(e.things), self(e.condition)
        each = looking(things, e.things.type)
        if e.things.type in (ex.Type.CARDS, ex.Type.CARD):

            def chosen(env: Env) -> int:
                found = 0
                for card, holds in zip(bits(things(env)), each(env, condition), strict=True):
                    if holds:
                        found |= 1 << card
                return found

            return chosen
        if e.things.type is ex.Type.LAYOUTS:
            return lambda env: _sift(env, things, condition)

        def kept(env: Env) -> tuple[Any, ...]:
            all_things = tuple(things(env))
            return tuple(t for t, holds in zip(all_things, each(env, condition), strict=True) if holds)

        return kept


def _hands(env: Env, people: tuple[int, ...]) -> int:
    found = 0
    for person in people:
        for seat in env.program.seats_of(person):
            found |= env.state.hands[seat]
    return found


def _sift(env: Env, things: Code, condition: Code) -> Iterator[Any]:
    for thing in things(env):
        it, env.it = env.it, thing
        holds = condition(env)
        env.it = it
        if holds:
            yield thing
