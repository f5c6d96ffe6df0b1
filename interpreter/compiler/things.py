"""Expressions about cards, groups, layouts and players to code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.compiler.slots import Slots
from interpreter.errors import NotPlayable
from interpreter.moves import Group, Meld
from interpreter.pack import bits
from interpreter.program import HIGH, IN_HAND, LOW, UNPLACED, Code, Env, Layout
from rulespec import expressions as ex

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


class ThingCompiler:
    """The part of the compiler for everything that is not a number or a condition, and for questions about cards."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots

    def __call__(self, expr: ex.Expr) -> Code:
        raise NotImplementedError

    def thing_makers(self) -> dict[type[ex.Expr], Callable[[Any], Code]]:
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
            ex.GroupOf: self.group_of,
            ex.Neighbours: self.neighbours,
            ex.Select: self.select,
            ex.Person: self.person,
            ex.Partner: self.partner,
            ex.Beside: self.beside,
            ex.Owner: self.owner,
            ex.People: self.people,
            ex.Except: self.without,
            ex.Ranked: self.ranked,
        }

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

    # -------------------------------------------------------- cards

    def zone(self, e: ex.Zone) -> Code:
        zone = self.slots.zones[e.name]
        slot = zone.slot
        if e.of is None:
            return lambda env: _mask(env.state.piles[slot])
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
                    found |= _mask(env.state.piles[slot + owner])
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

    def group_of(self, e: ex.GroupOf) -> Code:
        of = self(e.of)
        if e.old:
            raise NotPlayable(f"{e.span}: `old group` belongs to rearranging, which is not played yet")

        def lies_in(env: Env) -> Group | None:
            card = of(env)
            index = env.state.group_of(card) if card >= 0 else -1
            return env.state.groups[index] if index >= 0 else None

        return lies_in

    def neighbours(self, e: ex.Neighbours) -> Code:
        of = self(e.of)
        if e.old:
            raise NotPlayable(f"{e.span}: `old neighbours` belongs to rearranging, which is not played yet")

        def beside(env: Env) -> int:
            place = _place(env, of(env))
            if place is None:
                return 0
            meld: Meld = place[0]
            index = place[1]
            if not env.state.rules.consecutive[meld.kind]:
                return meld.mask & ~(1 << meld.cards[index])
            return _mask(meld.cards[max(0, index - 1) : index] + meld.cards[index + 1 : index + 2])

        return beside

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

    # -------------------------------------------------------- players

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

    # -------------------------------------------------------- questions about a card or a group

    def card_property(self, e: ex.CardProperty) -> Code:
        of, pack = self(e.of), self.slots.pack
        if e.old:
            raise NotPlayable(f"{e.span}: `old name` belongs to rearranging, which is not played yet")
        is_name = e.of.type is ex.Type.NAME

        def face(env: Env) -> int:
            value: int = of(env)
            return value if is_name or value < 0 else pack.face[value]

        match e.property:
            case "rank":
                return lambda env: pack.face_rank[f] if (f := face(env)) >= 0 else -1
            case "suit":
                return lambda env: pack.face_suit[f] if (f := face(env)) >= 0 else -1
            case "name":
                return lambda env: _name(env, of(env))
            case "pips":
                return lambda env: (
                    _pips(pack.ranks[r]) if (f := face(env)) >= 0 and (r := pack.face_rank[f]) >= 0 else 0
                )

        def place(env: Env) -> int:
            number = face(env)
            rank = pack.face_rank[number] if number >= 0 else -1
            if rank < 0:
                return 0
            if not is_name and (lies := _place(env, of(env))) is not None and lies[0].start >= 0:
                return (lies[0].start + lies[1]) % len(pack.place_rank) + 1
            return pack.rank_places[rank][0] + 1

        return place

    def trait(self, e: ex.Trait) -> Code:
        of, pack = self(e.of), self.slots.pack
        trait = e.trait
        if trait == "joker":
            return lambda env: (c := of(env)) >= 0 and pack.face[c] == pack.joker_face
        if trait in ("red", "black"):
            colour = 0 if trait == "red" else 1

            def coloured(env: Env) -> bool:
                card = of(env)
                suit = pack.face_suit[pack.face[card]] if card >= 0 else -1
                return suit >= 0 and pack.suit_colour[suit] == colour

            return coloured
        if trait in ("wild", "natural"):
            wanted = trait == "wild"
            return lambda env: (c := of(env)) >= 0 and _lies_wild(env, c) is wanted
        end = LOW if trait == "low" else HIGH
        return lambda env: (c := of(env)) >= 0 and _end(env, c) == end

    def has_rank(self, e: ex.HasRank) -> Code:
        of, pack = self(e.of), self.slots.pack
        ranks = frozenset(pack.ranks.index(r) for r in e.ranks if r in pack.ranks)
        if e.of.type is ex.Type.NAME:
            return lambda env: (f := of(env)) >= 0 and pack.face_rank[f] in ranks
        return lambda env: (c := of(env)) >= 0 and pack.face_rank[pack.face[c]] in ranks

    def has_face(self, e: ex.HasFace) -> Code:
        of, pack = self(e.of), self.slots.pack
        wanted = pack.parse_face(e.rank + e.suit)
        if e.of.type is ex.Type.NAME:
            return lambda env: of(env) == wanted
        return lambda env: (c := of(env)) >= 0 and pack.face[c] == wanted

    def is_kind(self, e: ex.IsKind) -> Code:
        of, kind = self(e.of), self.slots.kinds[e.kind]
        return lambda env: (g := of(env)) is not None and g.meld.kind == kind

    def contains(self, e: ex.Contains) -> Code:
        cards, kind = self.mask(e.of), self.slots.kinds[e.kind]
        return lambda env: any(True for _ in env.state.rules.melds.groups(cards(env), kind))

    def accepts(self, e: ex.Accepts) -> Code:
        group, card = self(e.group), self(e.card)
        return lambda env: (
            (g := group(env)) is not None and (c := card(env)) >= 0 and env.state.rules.melds.accepts(g.meld, c)
        )


def _mask(cards: tuple[int, ...]) -> int:
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def _all_of(groups: tuple[Group, ...]) -> int:
    found = 0
    for group in groups:
        found |= group.meld.mask
    return found


def _hands(env: Env, people: tuple[int, ...]) -> int:
    found = 0
    for person in people:
        for seat in env.program.seats_of(person):
            found |= env.state.hands[seat]
    return found


def _place(env: Env, card: int) -> tuple[Meld, int] | None:
    """The group a card lies in, and where in it: the one looked at before those on the table."""
    if env.meld is not None and card in env.meld.cards:
        return env.meld, env.meld.cards.index(card)
    index = env.state.group_of(card)
    if index < 0:
        return None
    meld = env.state.groups[index].meld
    return meld, meld.cards.index(card)


def _name(env: Env, card: int) -> int:
    if card < 0:
        return -1
    place = _place(env, card)
    return env.program.pack.face[card] if place is None else place[0].names[place[1]]


def _lies_wild(env: Env, card: int) -> bool:
    if not env.state.rules.wild >> card & 1:
        return False
    if env.place != UNPLACED:
        return env.place == IN_HAND or not env.itself
    return _place(env, card) is None or _name(env, card) != env.program.pack.face[card]


def _end(env: Env, card: int) -> int:
    if env.place != UNPLACED:
        return env.place
    place = _place(env, card)
    return IN_HAND if place is None else env.state.rules.place_in(*place)


def _pips(rank: str) -> int:
    return int(rank) if rank.isdigit() else 1 if rank == "A" else 0


def _sift(env: Env, things: Code, condition: Code) -> Iterator[Any]:
    for thing in things(env):
        it, env.it = env.it, thing
        holds = condition(env)
        env.it = it
        if holds:
            yield thing
