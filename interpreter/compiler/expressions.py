"""Checked expressions to code: one function of an `Env` for each, names already slots.

Cards are ids and -1 when not there, sets of cards are masks, players are seats (or a side, see `program.SIDE`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.compiler.base import looking
from interpreter.compiler.layouts import LayoutSearch, is_rest_points, layouts_in
from interpreter.compiler.slots import Slots, is_constant
from interpreter.compiler.things import ThingCompiler
from interpreter.errors import NotPlayable
from interpreter.legality import can_make
from interpreter.pack import bits
from interpreter.piles import stock_is_dry
from interpreter.program import Code, Env, Nowhere
from rulespec import expressions as ex

Compile = Callable[[Any], Code]


class ExpressionCompiler(ThingCompiler):
    """Compiles expressions of every type; things and players are in `ThingCompiler`."""

    def __init__(self, slots: Slots) -> None:
        super().__init__(slots)
        self.makers: dict[type[ex.Expr], Compile] = {
            ex.Number: lambda e: _constant(e.value),
            ex.Truth: lambda e: _constant(e.value),
            ex.Word: lambda e: _constant(e.value),
            ex.OptionValue: lambda e: _constant(slots.options[e.name]),
            ex.Face: self.face,
            ex.Arithmetic: self.arithmetic,
            ex.Negate: self.negate,
            ex.Call: self.call,
            ex.Compare: self.compare,
            ex.Not: self.negation,
            ex.And: self.conjunction,
            ex.Or: self.disjunction,
            ex.IfElse: self.if_else,
            ex.TableValue: self.table_value,
            ex.Tally: self.tally,
            ex.Fact: self.fact,
            ex.TurnIsOver: lambda _: lambda env: env.turn_over,
            ex.ExtraTurnsAreOver: self.extra_over,
            ex.Defined: self.defined,
            ex.Count: self.count,
            ex.CountKinds: self.count_kinds,
            ex.Aggregate: self.aggregate,
            ex.Points: self.points,
            ex.PlayerFact: self.player_fact,
            ex.Times: self.times,
            ex.After: self.after,
            ex.Can: self.can,
            ex.Quantified: self.quantified,
            ex.IsEmpty: self.is_empty,
            ex.StockIsDry: self.stock_is_dry,
            ex.IsIn: self.is_in,
            ex.IsSame: self.is_same,
            **self.thing_makers(),
        }
        self.known: dict[str, Code] = {}

    def __call__(self, expr: ex.Expr) -> Code:
        """The code of an expression; constant ones are worked out here and now."""
        maker = self.makers.get(type(expr))
        if maker is None:
            raise NotPlayable(f"{expr.span}: {type(expr).__name__} is not known to the engine")
        code = maker(expr)
        if is_constant(expr, self.slots):
            return _constant(code(Nowhere()))
        return code

    # -------------------------------------------------------- operators

    def face(self, e: ex.Face) -> Code:
        pack = self.slots.pack
        return _constant(pack.parse_face(e.rank + e.suit))

    def arithmetic(self, e: ex.Arithmetic) -> Code:
        left, right = self(e.left), self(e.right)
        if e.op == "+":
            return lambda env: left(env) + right(env)
        if e.op == "-":
            return lambda env: left(env) - right(env)
        if e.op == "*":
            return lambda env: left(env) * right(env)

        def divide(env: Env) -> int:
            by = right(env)
            return left(env) // by if by else 0

        return divide

    def negate(self, e: ex.Negate) -> Code:
        value = self(e.value)
        return lambda env: -value(env)

    def call(self, e: ex.Call) -> Code:
        arguments = [self(a) for a in e.arguments]
        if e.function == "round-up":
            number, step = arguments

            def round_up(env: Env) -> int:
                value: int = number(env)
                to: int = step(env)
                return -(-value // to) * to if to > 0 else value

            return round_up
        pick = min if e.function == "min" else max
        return lambda env: pick(a(env) for a in arguments)

    def compare(self, e: ex.Compare) -> Code:
        left, right = self(e.left), self(e.right)
        if e.left.type in (ex.Type.RANK, ex.Type.SUIT, ex.Type.NAME):
            if e.op == "=":
                return lambda env: left(env) == right(env) != -1
            return lambda env: not (left(env) == right(env) != -1)
        match e.op:
            case "=":
                return lambda env: left(env) == right(env)
            case "!=":
                return lambda env: left(env) != right(env)
            case "<":
                return lambda env: left(env) < right(env)
            case "<=":
                return lambda env: left(env) <= right(env)
            case ">":
                return lambda env: left(env) > right(env)
            case _:
                return lambda env: left(env) >= right(env)

    def negation(self, e: ex.Not) -> Code:
        value = self(e.value)
        return lambda env: not value(env)

    def conjunction(self, e: ex.And) -> Code:
        parts = [self(p) for p in e.parts]
        if len(parts) == 2:
            one, two = parts
            return lambda env: one(env) and two(env)
        return lambda env: all(p(env) for p in parts)

    def disjunction(self, e: ex.Or) -> Code:
        parts = [self(p) for p in e.parts]
        if len(parts) == 2:
            one, two = parts
            return lambda env: one(env) or two(env)
        return lambda env: any(p(env) for p in parts)

    def if_else(self, e: ex.IfElse) -> Code:
        condition = self(e.condition)
        branches = [e.then, e.otherwise]
        if e.type is ex.Type.PLAYERS:
            then, otherwise = (self.players(b) for b in branches)
        else:
            then, otherwise = (self(b) for b in branches)
        return lambda env: then(env) if condition(env) else otherwise(env)

    # -------------------------------------------------------- what is declared or known

    def table_value(self, e: ex.TableValue) -> Code:
        table = self.slots.table(e.name)
        key = self(table.key)
        rows = [(row.low, row.high, self(value)) for row, value in table.rows]

        def look_up(env: Env) -> int:
            at = key(env)
            for low, high, value in rows:
                if low <= at <= high:
                    return int(value(env))
            return 0

        return look_up

    def tally(self, e: ex.Tally) -> Code:
        tally = self.slots.tallies[e.name]
        slot = tally.slot
        if e.of is None:
            return lambda env: env.state.tallies[slot]
        of, by_side = self.players(e.of), tally.of == "side"

        def together(env: Env) -> int:
            program, values = env.program, env.state.tallies
            people = of(env)
            if by_side:
                return sum(values[slot + side] for side in {program.side_of(p) for p in people})
            return sum(values[slot + seat] for p in people for seat in program.seats_of(p))

        return together

    def fact(self, e: ex.Fact) -> Code:
        players = self.slots.players
        match e.name:
            case "players":
                return _constant(players)
            case "players-left":
                return lambda env: players - env.state.left.bit_count()
            case "round":
                return lambda env: env.state.round
            case "turn-number":
                return lambda env: env.state.turn_number
            case "idle-turns":
                return lambda env: env.state.idle_turns
            case "stopped":
                return lambda env: env.state.stopped
            case "ending":
                return lambda env: env.program.endings[env.state.ending].name if env.state.ending >= 0 else ""
        raise NotPlayable(f"{e.span}: {e.name!r} is not known to the engine")

    def extra_over(self, e: ex.ExtraTurnsAreOver) -> Code:
        bit = 1 << self.slots.extras[e.name]
        number = self.slots.extras[e.name]
        return lambda env: bool(env.state.extra_done & bit) and env.state.extra_now != number

    def defined(self, e: ex.Defined) -> Code:
        code = self.known.get(e.name)
        if code is None:
            code = self.known[e.name] = self(self.slots.definition(e.name).body)
        body = code
        subject = self.slots.definition(e.name).subject
        if subject == "round" or e.of is None:
            return body
        of = self(e.of)
        if subject == "players":

            def asked(env: Env) -> Any:
                you, bare = env.you, env.subject
                env.you = env.subject = of(env)
                value = body(env)
                env.you, env.subject = you, bare
                return value

            return asked

        def about(env: Env) -> Any:
            it, meld = env.it, env.meld
            env.it = of(env)
            if subject == "groups" and env.it is not None:
                env.meld = env.it.meld
            value = body(env)
            env.it, env.meld = it, meld
            return value

        return about

    # -------------------------------------------------------- numbers

    def count_kinds(self, e: ex.CountKinds) -> Code:
        cards, pack = self(e.of), self.slots.pack
        kinds = pack.face_rank if e.property == "rank" else pack.face_suit
        return lambda env: len({kinds[pack.face[card]] for card in bits(cards(env))} - {-1})

    def count(self, e: ex.Count) -> Code:
        things = self(e.of)
        match e.of.type:
            case ex.Type.CARDS:
                size = self.pile_size(e.of)
                return size if size is not None else lambda env: things(env).bit_count()
            case ex.Type.LAYOUTS:
                return lambda env: sum(1 for _ in things(env))
            case ex.Type.CARD:
                return lambda env: int(things(env) >= 0)
            case ex.Type.PLAYER | ex.Type.GROUP | ex.Type.LAYOUT:
                return _constant(1)
            case _:
                return lambda env: len(things(env))

    def aggregate(self, e: ex.Aggregate) -> Code:
        layouts = layouts_in(e.things)
        if layouts is not None and e.kind != "total":
            if e.kind == "lowest" and isinstance(e.things, ex.Layouts) and is_rest_points(e.number):
                return self.best_arrangement(self(layouts.of))
            return LayoutSearch(self.slots, self, e.things).extreme(e.number, e.kind == "highest")
        each, number = looking(self.many(e.things), e.things.type), self(e.number)
        if e.kind == "total":
            return lambda env: sum(each(env, number))
        pick = max if e.kind == "highest" else min
        return lambda env: pick(each(env, number), default=0)

    def best_arrangement(self, cards: Code) -> Code:
        """Fewest points left over all layouts."""

        def deadwood(env: Env) -> int:
            rules, mask, you = env.state.rules, cards(env), env.you
            worth: Sequence[int] | None = rules.fixed_worth
            if worth is None:
                every = range(rules.pack.size)
                worth = [rules.hand_points(env, 1 << card, you) if mask >> card & 1 else 0 for card in every]
            return int(rules.melds.best(mask, worth)[0])

        return deadwood

    def points(self, e: ex.Points) -> Code:
        of = self(e.of)
        owner = self.owner_of(e.of)
        match e.of.type:
            case ex.Type.GROUP:
                return lambda env: env.state.rules.group_points(env, g) if (g := of(env)) is not None else 0
            case ex.Type.GROUPS:
                return lambda env: sum(env.state.rules.group_points(env, g) for g in of(env))
            case ex.Type.LAYOUT:
                return lambda env: sum(env.state.rules.group_points(env, g) for g in of(env).groups)
            case ex.Type.CARD:
                return lambda env: self.points_of_cards(env, 1 << c, owner(env)) if (c := of(env)) >= 0 else 0
            case _ if isinstance(e.of, ex.Zone):
                return lambda env: env.state.rules.hand_points(env, of(env), owner(env))
            case _:
                return lambda env: self.points_of_cards(env, of(env), owner(env))

    @staticmethod
    def points_of_cards(env: Env, mask: int, owner: int) -> int:
        """Cards in groups count as they lie, the others as in a hand."""
        state, rules = env.state, env.state.rules
        total = 0
        if env.meld is not None:
            for index, card in enumerate(env.meld.cards):
                if mask >> card & 1:
                    total += rules.card_points(env, env.meld, index, owner)
                    mask ^= 1 << card
        for group in state.groups:
            for index, card in enumerate(group.meld.cards):
                if mask >> card & 1:
                    total += rules.card_points(env, group.meld, index, group.owner)
                    mask ^= 1 << card
        return total + rules.hand_points(env, mask, owner) if mask else total

    def player_fact(self, e: ex.PlayerFact) -> Code:
        of = self.players(e.of)
        match e.name:
            case "score":
                return lambda env: sum(env.state.scores[s] for s in {env.program.side_of(p) for p in of(env)})
            case "rounds-won":
                return lambda env: sum(env.state.rounds_won[s] for s in {env.program.side_of(p) for p in of(env)})
            case "opened":
                return lambda env: any(env.state.opened >> env.program.side_of(p) & 1 for p in of(env))
            case "opened-this-turn":
                return lambda env: any(env.state.opened_this_turn >> env.program.side_of(p) & 1 for p in of(env))
            case _:
                return lambda env: any(env.state.folded >> s & 1 for p in of(env) for s in env.program.seats_of(p))

    def times(self, e: ex.Times) -> Code:
        first = self.slots.counts_of(e.move, e.scope)
        of = self.players(e.of) if e.of is not None else None
        everybody = tuple(range(self.slots.players))
        if of is None:
            return lambda env: _made(env, first, everybody)
        return lambda env: _made(env, first, of(env))

    # -------------------------------------------------------- conditions

    def after(self, e: ex.After) -> Code:
        move = self.slots.moves[e.move]
        return lambda env: env.state.last_move == move

    def can(self, e: ex.Can) -> Code:
        move = self.slots.moves[e.move]
        return lambda env: can_make(env.program, env.state, move)

    def quantified(self, e: ex.Quantified) -> Code:
        if layouts_in(e.things) is not None:
            some = LayoutSearch(self.slots, self, e.things, e.condition, e.quantifier != "every").exists
            return some if e.quantifier == "some" else lambda env: not some(env)
        each, condition = looking(self.many(e.things), e.things.type, quantified=True), self(e.condition)
        if e.quantifier == "some":
            return lambda env: any(each(env, condition))
        if e.quantifier == "every":
            return lambda env: all(each(env, condition))
        return lambda env: not any(each(env, condition))

    def is_empty(self, e: ex.IsEmpty) -> Code:
        size = self.pile_size(e.of)
        if size is not None:
            return lambda env: not size(env)
        of = self(e.of)
        return lambda env: not of(env)

    def stock_is_dry(self, _: ex.StockIsDry) -> Code:
        return stock_is_dry

    def is_in(self, e: ex.IsIn) -> Code:
        thing, box = self(e.thing), self(e.container)
        t = ex.Type
        match e.thing.type, e.container.type:
            case (t.PLAYER, _):
                seats = self.players(e.container)
                return lambda env: any(
                    set(env.program.seats_of(thing(env))) <= set(env.program.seats_of(p)) for p in seats(env)
                )
            case (t.GROUP, t.LAYOUT):
                return lambda env: thing(env) in box(env).groups
            case (t.GROUP, _):
                return lambda env: (g := thing(env)) is not None and any(g.meld.cards == o.meld.cards for o in box(env))
        cards = self.mask(e.thing)
        inside = self.mask(e.container)
        return lambda env: bool(c := cards(env)) and not c & ~inside(env)

    def is_same(self, e: ex.IsSame) -> Code:
        left, right = self(e.left), self(e.right)
        if e.left.type is ex.Type.GROUP:
            return lambda env: (
                (one := left(env)) is not None and (two := right(env)) is not None and one.meld.cards == two.meld.cards
            )
        if e.left.type is ex.Type.CARDS or e.right.type is ex.Type.CARDS:
            one, two = self.mask(e.left), self.mask(e.right)
            return lambda env: one(env) == two(env) != 0
        if e.left.type is ex.Type.PLAYER:
            return lambda env: (
                (a := left(env)) >= 0
                and (b := right(env)) >= 0
                and bool(set(env.program.seats_of(a)) & set(env.program.seats_of(b)))
            )
        return lambda env: left(env) == right(env) != -1


def _constant(value: Any) -> Code:
    return lambda _env: value


def _made(env: Env, first: int, people: tuple[int, ...]) -> int:
    """How often some people made a move, whose counts begin with `first`."""
    total = 0
    times = env.state.times
    for person in people:
        for seat in env.program.seats_of(person):
            total += times[first + seat]
    return total
