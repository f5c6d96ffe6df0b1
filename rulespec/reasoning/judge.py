"""Judging phrases by what is known: conditions come out as yes, no or "it depends", numbers as bounds.

A judgement never says more than holds: where it says yes or no, every game that fits what is known agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import inf
from typing import TypeVar

from rulespec import expressions as ex
from rulespec.expressions import Expr, Type
from rulespec.model import Rulesheet
from rulespec.reasoning import deck
from rulespec.reasoning.known import CardFace, Known, Value
from rulespec.reasoning.numbers import ANYTHING, ONE_OR_MORE, SOME_OR_NONE, Between, compare, exactly, hull
from rulespec.reasoning.tallies import tally_bounds
from rulespec.reasoning.walk import key, reached
from rulespec.reasoning.worth import Worth

T = TypeVar("T")


class Judge:
    """Judges the phrases of one sheet."""

    def __init__(self, sheet: Rulesheet) -> None:
        self.sheet = sheet
        self.worth = Worth(sheet, self)
        self._options = {option.name: option for option in sheet.options}
        self._tables = {table.name: table for table in sheet.tables}
        self._definitions = {definition.name: definition for definition in sheet.definitions}
        self._tallies: dict[str, Between] | None = None
        self._of_class: dict[tuple[object, ...], bool | None] = {}
        self._kinds = {kind.name: kind for kind in sheet.melds}
        self._options_of: dict[int, tuple[str, ...]] = {}
        self.asked = 0
        """How many conditions and numbers have been judged."""

    # -------------------------------------------------------- conditions

    def truth(self, expr: Expr, known: Known) -> bool | None:
        """Whether a condition holds: always, never, or None."""
        self.asked += 1
        match expr:
            case ex.Truth():
                return expr.value
            case ex.Compare():
                return self._compare(expr, known)
            case ex.Not():
                return opposite(self.truth(expr.value, known))
            case ex.And():
                return every(self.truth(part, known) for part in expr.parts)
            case ex.Or():
                return some(self.truth(part, known) for part in expr.parts)
            case ex.IfElse():
                return self._branches_agree(expr, known)
            case ex.OptionValue():
                return self._option_truth(expr.name, known)
            case ex.TurnIsOver():
                return known.turn_over
            case ex.ExtraTurnsAreOver():
                return known.over.get(expr.name)
            case ex.Defined():
                return self._inside_definition(expr, known, self.truth)
            case ex.PlayerFact():
                return self._player_fact(expr, known)
            case ex.After():
                return None if known.last is None else known.last == expr.move
            case ex.Quantified():
                return self._quantified(expr, known)
            case ex.IsEmpty():
                return compare(self.size(expr.of, known), "=", exactly(0))
            case ex.StockIsDry():
                stock = known.sizes.get("stock")
                return False if stock is not None and stock.low > 0 else known.dry
            case ex.IsSame():
                return self._same(expr, known)
            case ex.Trait() | ex.HasRank() | ex.HasSuit() | ex.HasFace():
                return self._class(expr, known)
            case ex.Contains():
                return self._contains(expr, known)
        return None

    def _compare(self, expr: ex.Compare, known: Known) -> bool | None:
        if expr.left.type is Type.NUMBER:
            if self._missing(expr.left, known) or self._missing(expr.right, known):
                return expr.op == "!="
            if key(expr.left) == key(expr.right):
                return expr.op in ("=", "<=", ">=")
            return compare(self.number(expr.left, known), expr.op, self.number(expr.right, known))
        left, right = self._words(expr.left, known), self._words(expr.right, known)
        if left is None or right is None:
            return None
        same: bool | None = bool(left & right)
        if same and (len(left) > 1 or len(right) > 1):
            same = None
        return same if expr.op == "=" else opposite(same)

    def _words(self, expr: Expr, known: Known) -> frozenset[str] | None:
        """The words, ranks, suits or names an expression may be; nothing at all where it is not there."""
        match expr:
            case ex.Word():
                return frozenset({expr.value})
            case ex.OptionValue():
                values = self._option_values(expr.name, known)
                return None if values is None else frozenset(str(value) for value in values)
            case ex.Face():
                return frozenset({expr.rank + expr.suit})
            case ex.CardProperty():
                face = self._face(expr.of, known)
                if face is None:
                    return None
                found = {"rank": face.rank, "suit": face.suit, "name": face.rank + face.suit}[expr.property]
                return frozenset({found} - {""})
            case ex.IfElse():
                parts = [self._words(part, known) for part in self._branches(expr, known)]
                return None if None in parts else frozenset().union(*(part for part in parts if part is not None))
            case ex.Defined():
                return self._inside_definition(expr, known, self._words)
        return None

    def _missing(self, expr: Expr, known: Known) -> bool:
        """Whether it is the place or the pips of a joker, which has none."""
        if isinstance(expr, ex.CardProperty) and expr.property in ("place", "pips"):
            face = self._face(expr.of, known)
            return face is not None and face.rank == deck.JOKER
        return False

    def _option_values(self, name: str, known: Known) -> tuple[Value, ...] | None:
        """What an option may be; None if nothing is known."""
        if name in known.options:
            return (known.options[name],)
        values = self._options[name].values
        return None if known.loose and len(values) == 1 else values

    def _option_truth(self, name: str, known: Known) -> bool | None:
        values = self._option_values(name, known)
        chosen = values[0] if values is not None and len(values) == 1 else None
        return chosen if isinstance(chosen, bool) else None

    def _player_fact(self, expr: ex.PlayerFact, known: Known) -> bool | None:
        if not self.is_you(expr.of, known):
            return None
        return {"opened": known.opened, "opened-this-turn": known.opened_this_turn}.get(expr.name)

    def _quantified(self, expr: ex.Quantified, known: Known) -> bool | None:
        players = expr.things.type in (Type.PLAYER, Type.PLAYERS)
        holds = self.truth(expr.condition, replace(known, bare=False) if players else known)
        among = self.size(expr.things, known)
        if among.high == 0 or holds is False:
            some_hold: bool | None = False
        else:
            some_hold = True if holds and among.low > 0 else None
        if expr.quantifier == "some":
            return some_hold
        if expr.quantifier == "no":
            return opposite(some_hold)
        if among.high == 0 or holds:
            return True
        return False if holds is False and among.low > 0 else None

    def _same(self, expr: ex.IsSame, known: Known) -> bool | None:
        left, right = expr.left, expr.right
        if isinstance(left, ex.It) or isinstance(right, ex.It):
            return None
        if key(left) == key(right) and left.type is Type.PLAYER:
            return True
        if self.is_you(right, known):
            left, right = right, left
        if not self.is_you(left, known):
            return None
        match right:
            case ex.Person(role="mover"):
                return known.mover
            case ex.Person(role="dealer"):
                return known.seat == "dealer" if known.seat else None
            case ex.Beside(side="left", of=ex.Person(role="dealer")):
                return known.seat == "left of dealer" if known.seat else None
        return None

    def _contains(self, expr: ex.Contains, known: Known) -> bool | None:
        least = self._kinds[expr.kind].cards.low if expr.kind in self._kinds else 0
        if expr.of.type is Type.CARDS and self.size(expr.of, known).high < least:
            return False
        return None

    # -------------------------------------------------------- cards

    def _face(self, expr: Expr, known: Known) -> CardFace | None:
        match expr:
            case ex.It():
                return known.face
            case ex.Face():
                return CardFace(expr.rank, expr.suit)
            case ex.CardProperty(property="name", old=False):
                face = self._face(expr.of, known)
                return face if face is not None and (not face.end or self.is_wild(face, known) is False) else None
        return None

    def _class(self, expr: ex.Trait | ex.HasRank | ex.HasSuit | ex.HasFace, known: Known) -> bool | None:
        face = self._face(expr.of, known)
        if face is None:
            return self._of_any_card(expr)
        match expr:
            case ex.HasRank():
                return face.rank in expr.ranks
            case ex.HasSuit():
                return face.suit == expr.suit
            case ex.HasFace():
                return (face.rank, face.suit) == (expr.rank, expr.suit)
            case ex.Trait(trait="joker"):
                return face.rank == deck.JOKER
            case ex.Trait(trait="wild"):
                return self.is_wild(face, known)
            case ex.Trait(trait="natural"):
                return opposite(self.is_wild(face, known))
            case ex.Trait(trait="red" | "black"):
                if not face.suit:
                    return False
                return deck.COLOUR[face.suit] == expr.trait if face.suit in deck.COLOUR else None
            case ex.Trait(trait="low" | "high"):
                return face.end == expr.trait
        return None

    def _of_any_card(self, expr: ex.Trait | ex.HasRank | ex.HasSuit | ex.HasFace) -> bool | None:
        return False if isinstance(expr, ex.Trait) and expr.trait == "wild" and self.sheet.wild is None else None

    def is_wild(self, face: CardFace, known: Known) -> bool | None:
        """Whether a card is of the class of `wild.cards`."""
        if self.sheet.wild is None:
            return False
        if known.wild is not None:
            return known.wild
        return self.holds_for(self.sheet.wild.cards, face, known)

    def holds_for(self, card_class: Expr, face: CardFace, known: Known) -> bool | None:
        """Whether a card is of a class."""
        options = tuple(known.options.get(name) for name in self._read_by(card_class))
        key = (id(card_class), face, known.players, known.round, known.loose, known.wild, options)
        if key not in self._of_class:
            self._of_class[key] = self.truth(card_class, replace(known.before_play(), face=face))
        return self._of_class[key]

    def _read_by(self, card_class: Expr) -> tuple[str, ...]:
        """The options that may decide whether a card is of a class."""
        if id(card_class) not in self._options_of:
            parts = (card_class, self.sheet.wild)
            names = {value.name for part in parts for value in reached(self.sheet, part, ex.OptionValue)}
            self._options_of[id(card_class)] = tuple(sorted(names))
        return self._options_of[id(card_class)]

    # -------------------------------------------------------- numbers

    def number(self, expr: Expr, known: Known) -> Between:
        """The bounds of a number."""
        self.asked += 1
        match expr:
            case ex.Number():
                return exactly(expr.value)
            case ex.Arithmetic():
                return self._arithmetic(expr, known)
            case ex.Negate():
                return -self.number(expr.value, known)
            case ex.Call():
                return self._call(expr, known)
            case ex.IfElse():
                return hull(self.number(part, known) for part in self._branches(expr, known))
            case ex.OptionValue():
                values = self._option_values(expr.name, known)
                return ANYTHING if values is None else hull(exactly(_whole(value)) for value in values)
            case ex.TableValue():
                return self._row(expr.name, known)
            case ex.Tally():
                return self.tallies.get(expr.name, ANYTHING)
            case ex.Fact():
                return self._fact(expr.name, known)
            case ex.Defined():
                return self._inside_definition(expr, known, self.number)
            case ex.Count():
                return self.size(expr.of, known)
            case ex.CountKinds():
                return self._kinds_among(expr, known)
            case ex.Aggregate():
                return self._aggregate(expr, known)
            case ex.Points():
                return self._points(expr, known)
            case ex.CardProperty():
                return self._card_number(expr, known)
            case ex.PlayerFact():
                return (known.score or ANYTHING) if expr.name == "score" else SOME_OR_NONE
            case ex.Times():
                return self._times(expr, known)
        return ANYTHING

    @property
    def tallies(self) -> dict[str, Between]:
        """Between which numbers each tally stays."""
        if self._tallies is None:
            self._tallies = {}
            self._tallies = tally_bounds(self.sheet, lambda amount: self.number(amount, Known()))
        return self._tallies

    def _arithmetic(self, expr: ex.Arithmetic, known: Known) -> Between:
        left, right = self.number(expr.left, known), self.number(expr.right, known)
        match expr.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left // right

    def _call(self, expr: ex.Call, known: Known) -> Between:
        numbers = [self.number(argument, known) for argument in expr.arguments]
        if expr.function == "min":
            return Between(min(n.low for n in numbers), min(n.high for n in numbers))
        if expr.function == "max":
            return Between(max(n.low for n in numbers), max(n.high for n in numbers))
        step = numbers[1].exact
        value = numbers[0].exact
        if step is not None and step > 0 and value is not None:
            return exactly(-(-value // step) * step)
        return Between(numbers[0].low, numbers[0].high + max(numbers[1].high, 0))

    def _row(self, name: str, known: Known) -> Between:
        table = self._tables[name]
        at = self.number(table.key, known)
        rows = [value for row, value in table.rows if at.meet(Between(row.low, row.high))]
        return hull(self.number(value, known) for value in rows) if rows else ANYTHING

    def _fact(self, name: str, known: Known) -> Between:
        match name:
            case "players":
                return known.players
            case "players-left":
                stay = self.sheet.game.leaves is None or not known.leaving
                return known.players if stay else Between(0, known.players.high)
            case "round":
                return known.round
            case "turn-number":
                return known.turn_number
            case "idle-turns":
                return known.idle_turns
        return ANYTHING

    def _kinds_among(self, expr: ex.CountKinds, known: Known) -> Between:
        cards = self.size(expr.of, known)
        there = set(self.sheet.deck.places) if expr.property == "rank" else set(self.sheet.deck.suits)
        return Between(min(cards.low, 1), min(cards.high, len(there)))

    def _aggregate(self, expr: ex.Aggregate, known: Known) -> Between:
        each = self.number(expr.number, self._looked_at(expr.things, known))
        many = self.size(expr.things, known)
        if expr.kind == "total":
            return many * each
        return each if many.low > 0 else hull([each, exactly(0)])

    def _points(self, expr: ex.Points, known: Known) -> Between:
        each = self.worth.bounds(self.worth.where(expr.of), known)
        if expr.of.type is Type.CARD:
            face = self._face(expr.of, known)
            return each if face is None else self.worth.of_card(face, self.worth.where(expr.of)[0], known)
        cards = self.size(ex.CardsIn(span=expr.span, type=Type.CARDS, of=expr.of), known)
        together = cards * each
        most = max(self.worth.most(where, cards.high, known) for where in self.worth.where(expr.of))
        return Between(together.low, max(min(together.high, most), together.low))

    def _card_number(self, expr: ex.CardProperty, known: Known) -> Between:
        highest = len(self.sheet.deck.places)
        face = self._face(expr.of, known)
        if face is None:
            return Between(0, max(highest, 14))
        if expr.property == "pips":
            return exactly(deck.pips(face.rank))
        where = deck.places(self.sheet, face.rank)
        return Between(min(where), max(where)) if where else exactly(0)

    def _times(self, expr: ex.Times, known: Known) -> Between:
        if known.last == "" and expr.scope == "turn":
            return exactly(0)
        mine = expr.of is None or self.is_you(expr.of, known)
        if not mine or known.mover is False:
            return SOME_OR_NONE
        made = known.times.get(expr.move, ONE_OR_MORE if known.last == expr.move else SOME_OR_NONE)
        return made if expr.scope == "turn" and expr.of is not None else Between(made.low, inf)

    # -------------------------------------------------------- how many

    def size(self, expr: Expr, known: Known) -> Between:
        """How many things a collection holds; one for a single thing that is there."""
        match expr:
            case ex.Zone():
                return self._zone(expr, known)
            case ex.Select():
                return self._selected(expr, known)
            case ex.People():
                return self._people(expr, known)
            case ex.Except():
                return Between(0, self.size(expr.players, known).high)
            case ex.Ranked():
                among = self.size(expr.players, known)
                return Between(min(among.low, 1), among.high)
            case ex.CardsIn():
                return self._cards_in(expr, known)
            case ex.GroupsIn(of=of) if of.type is Type.GROUPS:
                return self.size(of, known)
            case ex.Rest(of=ex.It()):
                return SOME_OR_NONE
            case ex.Layouts():
                return Between(1, inf)
            case ex.IfElse():
                return hull(self.size(part, known) for part in self._branches(expr, known))
            case ex.Defined():
                return self._inside_definition(expr, known, self.size)
        if expr.type is Type.PLAYER:
            return Between(0, 1) if isinstance(expr, ex.Partner | ex.Owner) else exactly(1)
        return Between(0, 1) if expr.type in (Type.CARD, Type.GROUP) else SOME_OR_NONE

    def _zone(self, expr: ex.Zone, known: Known) -> Between:
        mine = expr.of is None or self.is_you(expr.of, known)
        return known.sizes.get(expr.name, SOME_OR_NONE) if mine else SOME_OR_NONE

    def _selected(self, expr: ex.Select, known: Known) -> Between:
        among = self.size(expr.things, known)
        holds = self.truth(expr.condition, self._looked_at(expr.things, known))
        if holds:
            return among
        return exactly(0) if holds is False else Between(0, among.high)

    def _people(self, expr: ex.People, known: Known) -> Between:
        match expr.role:
            case "nobody":
                return exactly(0)
            case "everyone":
                return Between(1, known.players.high)
            case "others":
                return Between(0, known.players.high - 1)
        return Between(0, known.players.high)

    def _cards_in(self, expr: ex.CardsIn, known: Known) -> Between:
        if isinstance(expr.of, ex.It) and known.sizes.get("it") is not None:
            return known.sizes["it"]
        return self.size(expr.of, known) if expr.of.type is Type.CARDS else SOME_OR_NONE

    # -------------------------------------------------------- whose and which

    def is_you(self, expr: Expr | None, known: Known) -> bool:
        """Whether a player is certainly *you*."""
        match expr:
            case ex.Person(role="you"):
                return known.you
            case ex.Person(role="subject"):
                return known.bare
            case ex.Person(role="mover"):
                return known.mover is True
        return False

    def _looked_at(self, things: Expr, known: Known) -> Known:
        """What is known of one of the things a phrase goes through."""
        if things.type in (Type.PLAYER, Type.PLAYERS):
            return replace(known, bare=False)
        return replace(known, face=None, sizes={name: n for name, n in known.sizes.items() if name != "it"})

    def _inside_definition(self, expr: ex.Defined, known: Known, judged: Callable[[Expr, Known], T]) -> T:
        definition = self._definitions[expr.name]
        match definition.subject:
            case "round":
                inner = known.elsewhere()
            case "players":
                mine = self.is_you(expr.of, known)
                inner = replace(known, face=None, bare=mine, you=mine)
            case "cards" if expr.of is not None:
                inner = replace(known, face=self._face(expr.of, known))
            case _:
                inner = known if isinstance(expr.of, ex.It) else replace(known, face=None)
        return judged(definition.body, inner)

    def _branches(self, expr: ex.IfElse, known: Known) -> list[Expr]:
        holds = self.truth(expr.condition, known)
        if holds is None:
            return [expr.then, expr.otherwise]
        return [expr.then if holds else expr.otherwise]

    def _branches_agree(self, expr: ex.IfElse, known: Known) -> bool | None:
        found = {self.truth(part, known) for part in self._branches(expr, known)}
        return found.pop() if len(found) == 1 else None


def opposite(holds: bool | None) -> bool | None:
    return None if holds is None else not holds


def every(parts: Iterable[bool | None]) -> bool | None:
    """Whether all of several conditions hold."""
    found = set(parts)
    return False if False in found else None if None in found else True


def some(parts: Iterable[bool | None]) -> bool | None:
    """Whether any of several conditions holds."""
    found = set(parts)
    return True if True in found else None if None in found else False


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0
