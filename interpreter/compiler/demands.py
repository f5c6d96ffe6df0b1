"""Conditions on groups that are laid, or on layouts of a hand, to demands: sums over the groups, as far as they are it.

A part that is no question of sums becomes `Anything`, so that a demand never asks for more than its condition does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from interpreter.compiler.base import looking
from interpreter.compiler.outlook import STEADY
from interpreter.compiler.slots import BY_CARD, Slots, is_constant, parts
from interpreter.compiler.things import ThingCompiler
from interpreter.demands import (
    BOUNDLESS,
    LIKE_LAID,
    UNCHANGED,
    UNKNOWN,
    Anything,
    Between,
    Demand,
    Depending,
    Either,
    Every,
    every,
)
from interpreter.meld_limits import Among
from interpreter.moves import Group
from interpreter.pack import mask_of
from interpreter.program import Code, Env
from rulespec import expressions as ex
from rulespec import model

ANYTHING = Anything()

OF_A_GROUP = (
    ex.It, ex.Each, ex.CardsIn, ex.Select, ex.Count, ex.Points, ex.Quantified, ex.IsEmpty, ex.IsKind, ex.HasRank,
    ex.HasSuit, ex.HasFace, ex.Face, ex.Trait, ex.CardProperty, ex.IsSame, ex.IsIn, ex.Aggregate, ex.Contains,
)  # fmt: skip
"""Expressions that depend on the group looked at, not on what else is laid, if their parts do not."""

PASSING = (ex.Named, ex.Top, ex.Tally, ex.Times, ex.PlayerFact, ex.Fact, ex.StockIsDry)
"""Expressions that may say something else later in the turn."""

PUT_CHANGES = (ex.Zone, ex.Top, ex.Named, ex.StockIsDry, ex.Rest, ex.Can, ex.After)
"""Expressions that may change when cards are put away."""

RANGES = {"=": (0, 0), "<": (-BOUNDLESS, -1), "<=": (-BOUNDLESS, 0), ">": (1, BOUNDLESS), ">=": (0, BOUNDLESS)}
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

Items = Callable[[Env, Group], Iterator[Any]]
"""The things of a kind that a new group brings."""


class Source(NamedTuple):
    """Where things come from that are counted: what a new group adds to them, or (`sign` -1) takes away."""

    items: Items
    sign: int
    cards: bool
    in_hand: bool
    among: Among = None
    """The groups that bring any."""


class DemandCompiler:
    """Makes demands of the conditions of a move that lays groups (`moving`), or on layouts, which lay none."""

    def __init__(
        self, slots: Slots, code: ThingCompiler, moving: bool, changes: tuple[type[ex.Expr], ...] = ()
    ) -> None:
        self.slots = slots
        self.code = code
        self.moving = moving
        self.changes = changes
        """What the rest of the move changes."""
        values = slots.sheet.values
        self.fixed_points = all(
            isinstance(row.points, str) or is_constant(row.points, slots, BY_CARD)
            for row in (*values.melds, *values.hand, *values.everywhere)
        )
        self.placeless = True
        """Whether no card counts another number of points in another place."""
        self.placeless = all(
            row.points != "its card" and self.is_unordered(row.card) for row in (*values.melds, *values.everywhere)
        )

    def demand(self, expr: ex.Expr, wanted: bool = True) -> Demand:
        """What a condition asks (or, if not `wanted`, its opposite)."""
        if self.is_steady(expr):
            holds = self.code(expr)
            return Between(lambda env: bool(holds(env)) is wanted, None, 1, 1, False, putting=self.putting(expr))
        match expr:
            case ex.And() | ex.Or():
                found = tuple(self.demand(part, wanted) for part in expr.parts)
                return Every(found) if isinstance(expr, ex.And) is wanted else Either(found)
            case ex.Not():
                return self.demand(expr.value, not wanted)
            case ex.IfElse() if self.is_steady(expr.condition):
                then, otherwise = self.demand(expr.then, wanted), self.demand(expr.otherwise, wanted)
                return Depending(self.code(expr.condition), then, otherwise, self.putting(expr.condition))
            case ex.Defined() if (body := self.inlined(expr)) is not None:
                return self.demand(body, wanted)
            case ex.Compare() if expr.left.type is ex.Type.NUMBER:
                return self.comparison(expr, expr.op if wanted else CONTRARY[expr.op])
            case ex.IsEmpty():
                return self.empty(expr, wanted)
            case ex.Quantified():
                return self.quantified(expr, wanted)
            case ex.IsIn() if wanted:
                return self.contained(expr)
        return ANYTHING

    # -------------------------------------------------------- kinds of conditions

    def comparison(self, expr: ex.Compare, op: str) -> Demand:
        left, right = self.part(expr.left), self.part(expr.right)
        if left is None or right is None:
            return ANYTHING
        one, other = self.code(expr.left), self.code(expr.right)

        def base(env: Env) -> int:
            first: int = one(env)
            second: int = other(env)
            return first - second

        def part(env: Env) -> int:
            first: int = left(env)
            second: int = right(env)
            return first - second

        lasting = self.is_lasting(expr.left) and self.is_lasting(expr.right)
        among = _united(self.among(expr.left), self.among(expr.right))
        ops = ("<", ">") if op == "!=" else (op,)
        unordered, putting = self.is_unordered(expr), self.putting(expr)
        found = tuple(Between(base, part, *RANGES[each], lasting, among, unordered, putting) for each in ops)
        return found[0] if len(found) == 1 else Either(found)

    def empty(self, expr: ex.IsEmpty, wanted: bool) -> Demand:
        source = self.source(expr.of)
        if source is None:
            return ANYTHING
        number = self.code(ex.Count(span=expr.span, type=ex.Type.NUMBER, of=expr.of))
        part = _counted(source)
        bounds = (0, 0) if wanted else (1, BOUNDLESS)
        lasting, unordered = self._lasts(expr), self.is_unordered(expr)
        return Between(number, part, *bounds, lasting, source.among, unordered, self.putting(expr))

    def quantified(self, expr: ex.Quantified, wanted: bool) -> Demand:
        source = self.source(expr.things)
        if source is None or not self.is_of_group(expr.condition) or _says_it(expr.condition):
            return ANYTHING
        condition, opposite = self.code(expr.condition), expr.quantifier == "every"
        each = looking(self.code.many(expr.things), expr.things.type, quantified=True)

        def number(env: Env) -> int:
            return sum(bool(holds) is not opposite for holds in each(env, condition))

        def holds_of(env: Env, thing: Any) -> bool:
            before, env.each = env.each, thing
            found = bool(condition(env)) is not opposite
            env.each = before
            return found

        part = _counted(_sifted(source, holds_of, each=True))
        bounds = (1, BOUNDLESS) if (expr.quantifier == "some") is wanted else (0, 0)
        among = source.among if opposite or source.cards else _both(source.among, self.meant(expr.condition))
        lasting, unordered = self._lasts(expr), self.is_unordered(expr)
        return Between(number, part, *bounds, lasting, among, unordered, self.putting(expr))

    def contained(self, expr: ex.IsIn) -> Demand:
        """Named cards that must be among those laid."""
        source = self.source(expr.container)
        if source is None or not isinstance(expr.thing, ex.Named) or source.sign < 0:
            return ANYTHING
        cards, inside = self.code.mask(expr.thing), self.code.mask(expr.container)

        def missing(env: Env) -> int:
            named: int = cards(env)
            return (named & ~inside(env)).bit_count() if named else 1

        return Between(missing, lambda env: -(int(cards(env)) & env.it.meld.mask).bit_count(), -BOUNDLESS, 0, False)

    # -------------------------------------------------------- sums

    def part(self, expr: ex.Expr) -> Code | None:
        """What each new group adds to a number, or None where it is no sum over groups."""
        if self.is_steady(expr):
            return _nothing
        match expr:
            case ex.Arithmetic(op="+" | "-"):
                left, right = self.part(expr.left), self.part(expr.right)
                if left is None or right is None:
                    return None
                one, other, sign = left, right, 1 if expr.op == "+" else -1
                return lambda env: one(env) + sign * other(env)
            case ex.Arithmetic(op="*"):
                for number, factor in ((expr.left, expr.right), (expr.right, expr.left)):
                    if self.is_steady(factor) and (part := self.part(number)) is not None:
                        times, each = self.code(factor), part
                        return lambda env: each(env) * times(env)
            case ex.Negate() if (part := self.part(expr.value)) is not None:
                value = part
                return lambda env: -value(env)
            case ex.Defined() if (body := self.inlined(expr)) is not None:
                return self.part(body)
            case ex.IfElse() if self.is_steady(expr.condition):
                then, otherwise = self.part(expr.then), self.part(expr.otherwise)
                if then is not None and otherwise is not None:
                    on, yes, no = self.code(expr.condition), then, otherwise
                    return lambda env: yes(env) if on(env) else no(env)
            case ex.Count() if (source := self.source(expr.of)) is not None:
                return _counted(source)
            case ex.Points() if (source := self.source(expr.of)) is not None:
                return _points(source)
            case ex.Aggregate(kind="total") if (source := self.source(expr.things)) is not None:
                if self.is_of_group(expr.number):
                    return _total(source, self.code(expr.number))
        return None

    def source(self, expr: ex.Expr) -> Source | None:
        """Where things come from, if new groups bring them or take them away one by one."""
        match expr:
            case ex.Played() | ex.It(type=ex.Type.LAYOUT) | ex.Each(type=ex.Type.LAYOUT):
                return Source(_itself, 1, False, False) if self.is_layout(expr) else None
            case ex.GroupsIn():
                return self.source(expr.of)
            case ex.Table() | ex.Melds() if self.moving and self.is_mine(expr):
                return Source(_itself, 1, False, False)
            case ex.Laid() if self.moving and self.is_mine(expr):
                return Source(_cards, 1, True, False)
            case ex.Zone() if self.moving and self.slots.zones[expr.name].slot < 0 and self.is_mine(expr):
                return Source(_cards, -1, True, True)
            case ex.Rest() if self.is_layout(expr.of):
                return Source(_cards, -1, True, True)
            case ex.CardsIn() if (inner := self.source(expr.of)) is not None:
                return inner if inner.cards else _cards_of(inner)
            case ex.Select() if (inner := self.source(expr.things)) is not None and self.is_of_group(expr.condition):
                condition = self.code(expr.condition)

                def holds(env: Env, thing: Any) -> bool:
                    it, env.it = env.it, thing
                    found = bool(condition(env))
                    env.it = it
                    return found

                among = inner.among if inner.cards else _both(inner.among, self.meant(expr.condition))
                return _sifted(inner, holds, each=False)._replace(among=among)
        return None

    def among(self, expr: ex.Expr) -> Among:
        """The groups that can add anything to a number that is a sum."""
        if self.is_steady(expr):
            return frozenset()
        match expr:
            case ex.Arithmetic(op="+" | "-"):
                return _united(self.among(expr.left), self.among(expr.right))
            case ex.Negate():
                return self.among(expr.value)
            case ex.Defined() if (body := self.inlined(expr)) is not None:
                return self.among(body)
            case ex.Count() | ex.Points() if (source := self.source(expr.of)) is not None:
                return source.among
        return None

    def meant(self, condition: ex.Expr) -> Among:
        """The groups of which a condition on a group can hold, as far as kinds and wild cards go."""
        match condition:
            case ex.IsKind(of=ex.It() | ex.Each()):
                return frozenset({(self.slots.kinds[condition.kind], False)})
            case ex.And():
                found: Among = None
                for part in condition.parts:
                    found = _both(found, self.meant(part))
                return found
            case ex.Or():
                any_of: Among = frozenset()
                for part in condition.parts:
                    any_of = _united(any_of, self.meant(part))
                return any_of
            case ex.Defined(of=ex.It() | ex.Each()):
                return self.meant(self.slots.definition(condition.name).body)
            case ex.Quantified(
                quantifier="no" | "every" as quantifier,
                things=ex.CardsIn(of=ex.It() | ex.Each()),
                condition=ex.Trait(of=ex.Each(), trait=trait),
            ) if (quantifier, trait) in (("no", "wild"), ("every", "natural")):
                return frozenset((kind, True) for kind in self.slots.kinds.values())
        return None

    # -------------------------------------------------------- what depends on what

    def is_layout(self, expr: ex.Expr) -> bool:
        """Whether it is the layout that is asked about: what the move lays, or the one looked at."""
        if isinstance(expr, (ex.It, ex.Each)):
            return expr.type is ex.Type.LAYOUT
        return self.moving and isinstance(expr, ex.Played)

    def is_mine(self, expr: ex.Expr) -> bool:
        """Whether it is a thing of whoever lays the groups (or of the table)."""
        of = getattr(expr, "of", None)
        return of is None or (isinstance(of, ex.Person) and of.role in ("you", "subject"))

    def inlined(self, expr: ex.Defined) -> ex.Expr | None:
        """The body of a word that is asked of whoever acts, of the layout or of nobody."""
        definition = self.slots.definition(expr.name)
        mine = definition.subject == "round" or (
            self.is_mine(expr) if definition.subject == "players" else expr.of is not None and self.is_layout(expr.of)
        )
        return definition.body if mine else None

    def is_steady(self, expr: ex.Expr) -> bool:
        """Whether no new group changes it."""
        return self._depends_only(expr, ())

    def is_of_group(self, expr: ex.Expr) -> bool:
        """Whether it depends on the group or card looked at only."""
        return self._depends_only(expr, OF_A_GROUP)

    def is_lasting(self, expr: ex.Expr) -> bool:
        """Whether what a group adds to a number stays the same all round long."""
        if self.is_steady(expr):
            return True
        match expr:
            case ex.Arithmetic(op="+" | "-"):
                return self.is_lasting(expr.left) and self.is_lasting(expr.right)
            case ex.Negate():
                return self.is_lasting(expr.value)
            case ex.Defined() if (body := self.inlined(expr)) is not None:
                return self.is_lasting(body)
        return self._lasts(expr)

    def _lasts(self, expr: ex.Expr) -> bool:
        if isinstance(expr, PASSING) or (isinstance(expr, ex.Points) and not self.fixed_points):
            return False
        if isinstance(expr, ex.Zone) and self.slots.zones[expr.name].slot >= 0:
            return False
        bodies = _bodies(self.slots, expr) if isinstance(expr, (ex.Defined, ex.TableValue)) else []
        return all(self._lasts(part) for part in (*parts(expr), *bodies))

    def is_unordered(self, expr: ex.Expr) -> bool:
        """Whether it makes no difference which of a group's wild cards lies in which place."""
        ends = isinstance(expr, ex.Trait) and expr.trait in ("low", "high")
        place = isinstance(expr, ex.CardProperty) and expr.property in ("name", "place")
        if ends or place or isinstance(expr, ex.Neighbours) or (isinstance(expr, ex.Points) and not self.placeless):
            return False
        bodies = _bodies(self.slots, expr) if isinstance(expr, (ex.Defined, ex.TableValue)) else []
        return all(self.is_unordered(part) for part in (*parts(expr), *bodies))

    def putting(self, expr: ex.Expr) -> int:
        """How a condition changes when cards of the hand are put away."""
        if self._without_hand(expr):
            return UNCHANGED
        return LIKE_LAID if self._is_of_hand(expr) else UNKNOWN

    def _without_hand(self, expr: ex.Expr) -> bool:
        """Whether it speaks of nothing that putting cards away changes."""
        if isinstance(expr, PUT_CHANGES) or (isinstance(expr, ex.Points) and not self.fixed_points):
            return False
        bodies = _bodies(self.slots, expr) if isinstance(expr, (ex.Defined, ex.TableValue)) else []
        return all(self._without_hand(part) for part in (*parts(expr), *bodies))

    def _is_of_hand(self, expr: ex.Expr) -> bool:
        """Whether it asks what a sum over the cards of the own hand comes to, and nothing else that changes."""
        match expr:
            case ex.Points() if not self.fixed_points:
                return False
            case ex.Compare() | ex.Arithmetic(op="+" | "-"):
                sides = (expr.left, expr.right)
                return all(
                    (self.is_steady(side) and self._without_hand(side)) or self._is_of_hand(side) for side in sides
                )
            case ex.Negate():
                return self._is_of_hand(expr.value)
            case ex.Count() | ex.Points() | ex.IsEmpty() | ex.CardsIn():
                return self._is_of_hand(expr.of)
            case ex.Defined() if (body := self.inlined(expr)) is not None:
                return self._is_of_hand(body)
            case ex.Zone():
                return self.slots.zones[expr.name].slot < 0 and self.is_mine(expr)
        return False

    def _depends_only(self, expr: ex.Expr, also: tuple[type[ex.Expr], ...]) -> bool:
        if isinstance(expr, self.changes):
            return False
        if isinstance(expr, (ex.Defined, ex.TableValue)):
            return all(self._depends_only(part, also) for part in (*parts(expr), *_bodies(self.slots, expr)))
        if isinstance(expr, ex.PlayerFact):
            changed = self.moving and expr.name in ("opened", "opened-this-turn")
            return not changed and all(self._depends_only(part, also) for part in parts(expr))
        if isinstance(expr, ex.Zone):
            own = self.slots.zones[expr.name].slot < 0
            return not (own and self.moving) and all(self._depends_only(part, also) for part in parts(expr))
        if isinstance(expr, (ex.Table, ex.Melds, ex.Laid)):
            return not self.moving and all(self._depends_only(part, also) for part in parts(expr))
        if isinstance(expr, (ex.It, ex.Each)) and expr.type is ex.Type.LAYOUT:
            return False
        if isinstance(expr, ex.CardProperty) and expr.old:
            return False
        known = (*STEADY, ex.Named, ex.Top, ex.StockIsDry, ex.TurnIsOver, ex.ExtraTurnsAreOver, *also)
        if not also:
            known += (ex.Count, ex.IsEmpty) + (() if self.moving else (ex.Points,))
        return isinstance(expr, known) and all(self._depends_only(part, also) for part in parts(expr))


def _both(one: Among, other: Among) -> Among:
    if one is None or other is None:
        return other if one is None else one
    return frozenset((kind, plain or also_plain) for kind, plain in one for same, also_plain in other if kind == same)


def _united(one: Among, other: Among) -> Among:
    if one is None or other is None:
        return None
    return frozenset((kind, plain) for kind, plain in one | other if not plain or (kind, False) not in one | other)


def _bodies(slots: Slots, expr: ex.Defined | ex.TableValue) -> list[ex.Expr]:
    if isinstance(expr, ex.Defined):
        return [slots.definition(expr.name).body]
    table = slots.table(expr.name)
    return [table.key, *(value for _, value in table.rows)]


def _says_it(expr: ex.Expr) -> bool:
    """Whether it speaks of `it` and does not say itself what that is."""
    if isinstance(expr, ex.It):
        return True
    bound = {ex.Select: "things", ex.Aggregate: "things"}.get(type(expr))
    inner = parts(expr) if bound is None else (getattr(expr, bound),)
    return any(_says_it(part) for part in inner)


# ------------------------------------------------------------ what a group brings


def _nothing(_env: Env) -> int:
    return 0


def _itself(_env: Env, group: Group) -> Iterator[Any]:
    yield group


def _cards(_env: Env, group: Group) -> Iterator[Any]:
    yield from group.meld.cards


def _cards_of(source: Source) -> Source:
    """The cards of groups."""
    items = source.items

    def cards(env: Env, group: Group) -> Iterator[Any]:
        for each in items(env, group):
            yield from each.meld.cards

    return Source(cards, source.sign, True, source.in_hand, source.among)


def _sifted(source: Source, holds: Callable[[Env, Any], bool], each: bool) -> Source:
    """The things of which something holds; `each`: it is asked of `each`, while `it` stays what it is."""
    items, in_hand = source.items, source.in_hand

    def sifted(env: Env, group: Group) -> Iterator[Any]:
        it, meld = env.it, env.meld
        if each:
            env.it = None
        env.meld = None if in_hand else group.meld
        found = [thing for thing in items(env, group) if holds(env, thing)]
        env.it, env.meld = it, meld
        yield from found

    return source._replace(items=sifted)


def _counted(source: Source) -> Code:
    items, sign = source.items, source.sign
    if items is _itself:
        return lambda _env: sign
    if items is _cards:
        return lambda env: sign * len(env.it.meld.cards)
    return lambda env: sign * sum(1 for _ in items(env, env.it))


def _points(source: Source) -> Code:
    items, sign = source.items, source.sign

    def points(env: Env) -> int:
        group: Group = env.it
        rules = env.state.rules
        chosen = tuple(items(env, group))
        if not source.cards:
            return sign * rules.group_points(env, group) if chosen else 0
        if source.in_hand:
            return sign * rules.hand_points(env, mask_of(chosen), env.you)
        at = {card: index for index, card in enumerate(group.meld.cards)}
        return sign * sum(rules.card_points(env, group.meld, at[card], env.you) for card in chosen)

    return points


def _total(source: Source, number: Code) -> Code:
    items, sign = source.items, source.sign

    def total(env: Env) -> int:
        it, meld, group = env.it, env.meld, env.it
        found = 0
        for thing in tuple(items(env, group)):
            env.it = thing
            env.meld = None if source.in_hand else group.meld
            found += number(env)
        env.it, env.meld = it, meld
        return sign * found

    return total


def demand_of(move: model.MoveRule, slots: Slots, code: ThingCompiler) -> Demand | None:
    """What the conditions of a move ask of the groups it lays; None for moves that do not lay groups just once."""
    laying = [number for number, action in enumerate(move.does) if isinstance(action, model.LayMelds)]
    if len(laying) != 1 or any(isinstance(a, (model.LayOff, model.Swap, model.Rearrange)) for a in move.does):
        return None
    rest = move.does[laying[0] + 1 :]
    if not all(isinstance(action, (model.Add, model.SetTally, model.Pass)) for action in rest):
        return None
    changes = (ex.Tally, ex.PlayerFact) if any(not isinstance(action, model.Pass) for action in rest) else ()
    found = DemandCompiler(slots, code, True, changes)
    return every(tuple(found.demand(condition.expr) for condition in move.only)) if move.only else None
