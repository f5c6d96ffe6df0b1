"""Expressions about players to code."""

from __future__ import annotations

from interpreter.compiler.base import BaseCompiler, Makers, looking
from interpreter.program import Code, Env
from rulespec import expressions as ex


class PeopleCompiler(BaseCompiler):
    """Players: one by his role or place, several by what they have in common."""

    def people_makers(self) -> Makers:
        return {
            ex.Person: self.person,
            ex.Partner: self.partner,
            ex.Beside: self.beside,
            ex.Owner: self.owner,
            ex.People: self.people,
            ex.Except: self.without,
            ex.Ranked: self.ranked,
        }

    def person(self, e: ex.Person) -> Code:
        match e.role:
            case "you":
                return lambda env: env.you
            case "subject":
                return lambda env: env.subject
            case "mover":
                return lambda env: env.state.mover
            case "ender":
                return lambda env: env.ender
            case "dealer":
                return lambda env: env.state.dealer
            case _:
                return lambda env: env.giver

    def partner(self, e: ex.Partner) -> Code:
        of, sides, players = self(e.of), self.slots.sides, self.slots.players
        return lambda env: p if (p := (of(env) + sides) % players) != of(env) else -1

    def beside(self, e: ex.Beside) -> Code:
        of, players = self(e.of), self.slots.players
        step = 1 if e.side == "left" else -1

        def next_to(env: Env) -> int:
            person = of(env)
            if person < 0:
                return -1
            seat = env.program.seats_of(person)[0]
            for _ in range(players):
                seat = (seat + step) % players
                if not env.state.left >> seat & 1:
                    return seat
            return -1

        return next_to

    def owner(self, e: ex.Owner) -> Code:
        of = self(e.of)
        return lambda env: g.owner if (g := of(env)) is not None else -1

    def people(self, e: ex.People) -> Code:
        seats = tuple(range(self.slots.players))
        match e.role:
            case "everyone":
                return lambda env: (
                    seats if not env.state.left else tuple(s for s in seats if not env.state.left >> s & 1)
                )
            case "winners":
                return lambda env: env.state.winners
            case "losers":
                return lambda env: env.state.losers
            case "nobody":
                return lambda _env: ()
        assert e.of is not None
        of, sides = self.players(e.of), self.slots.sides

        def others(env: Env) -> tuple[int, ...]:
            own = {env.program.side_of(p) for p in of(env)}
            return tuple(s for s in seats if s % sides not in own and not env.state.left >> s & 1)

        return others

    def without(self, e: ex.Except) -> Code:
        players, dropped = self.players(e.players), self.players(e.without)

        def remaining(env: Env) -> tuple[int, ...]:
            out = {s for p in dropped(env) for s in env.program.seats_of(p)}
            return tuple(p for p in players(env) if p not in out)

        return remaining

    def ranked(self, e: ex.Ranked) -> Code:
        players = self.players(e.players)
        each, by = looking(players, ex.Type.PLAYERS), self(e.by)
        whom = self.players(e.whom) if e.whom is not None else None
        pick = max if e.most else min

        def best(env: Env) -> tuple[int, ...]:
            people = players(env)
            numbers = list(each(env, by))
            if not numbers:
                return ()
            top = pick(numbers)
            found = tuple(p for p, n in zip(people, numbers, strict=True) if n == top)
            if whom is not None and len(found) > 1:
                special = {s for p in whom(env) for s in env.program.seats_of(p)}
                if e.ties == "against":
                    return tuple(p for p in found if p not in special)
                return tuple(p for p in found if p in special) or found
            return found

        return best
