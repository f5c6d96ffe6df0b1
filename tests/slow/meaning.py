"""What an expression comes to, by walking its tree: docs/language.md, "Expressions" and "Vocabulary".

None stands for what is not there: comparisons with it are false (`!=` holds), numbers of it are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.pack import BLACK_SUITS, RED_SUITS
from rulespec import expressions as e
from rulespec.expressions import Expr, Type
from tests.slow.compared import compared
from tests.slow.position import Doing, Group, Layout, Who
from tests.slow.scene import Scene, lies, neighbours

if TYPE_CHECKING:
    pass


def holds(expr: Expr, s: Scene) -> bool:
    """Whether a condition holds."""
    return bool(value(expr, s))


def number(expr: Expr, s: Scene) -> int:
    """What a number comes to."""
    found = value(expr, s)
    return 0 if found is None else int(found)


def seats(found: Any) -> tuple[int, ...]:
    """All seats of a player, of a side, or of several."""
    if found is None:
        return ()
    if isinstance(found, Who):
        return found.seats
    return tuple(dict.fromkeys(seat for who in found for seat in who.seats))


def everyone(found: Any) -> list[Who]:
    """A player or players as a list."""
    return [] if found is None else [found] if isinstance(found, Who) else list(found)


def value(expr: Expr, s: Scene) -> Any:
    """What any expression comes to."""
    if not isinstance(expr, e.Select):
        known = _MEANINGS.get(type(expr))
        if known is not None:
            return known(expr, s)
    for meaning in (_logic, _known, _things, _people, _numbers, _conditions):
        found = meaning(expr, s)
        if found is not NotImplemented:
            _MEANINGS[type(expr)] = meaning
            return found
    raise NotImplementedError(type(expr).__name__)


_MEANINGS: dict[type, Callable[[Expr, Scene], Any]] = {}
"""Which function knows a kind of expression, once it was asked."""


# ------------------------------------------------------------ literals and operators

COMPARE = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _arithmetic(op: str, left: int, right: int) -> int:
    if op == "/":
        return left // right if right else 0
    return {"+": left + right, "-": left - right, "*": left * right}[op]


def _logic(expr: Expr, s: Scene) -> Any:
    match expr:
        case e.Number() | e.Truth() | e.Word():
            return expr.value
        case e.Face():
            return s.game.face(expr.rank, expr.suit)
        case e.Arithmetic():
            return _arithmetic(expr.op, number(expr.left, s), number(expr.right, s))
        case e.Negate():
            return -number(expr.value, s)
        case e.Call(function="min"):
            return min(number(a, s) for a in expr.arguments)
        case e.Call(function="max"):
            return max(number(a, s) for a in expr.arguments)
        case e.Call():
            amount, step = (number(a, s) for a in expr.arguments)
            return -(-amount // step) * step if step else amount
        case e.Compare():
            left, right = value(expr.left, s), value(expr.right, s)
            if expr.left.type is Type.NUMBER:
                left, right = left or 0, right or 0
            if expr.op == "!=":
                return left is None or right is None or left != right
            return left is not None and right is not None and COMPARE[expr.op](left, right)
        case e.Not():
            return not holds(expr.value, s)
        case e.And():
            return all(holds(part, s) for part in expr.parts)
        case e.Or():
            return any(holds(part, s) for part in expr.parts)
        case e.IfElse():
            return value(expr.then if holds(expr.condition, s) else expr.otherwise, s)
    return NotImplemented


# ------------------------------------------------------------ what is declared or known


def _known(expr: Expr, s: Scene) -> Any:
    game, now = s.game, s.now
    match expr:
        case e.OptionValue():
            return game.options[expr.name]
        case e.TableValue():
            table = next(t for t in game.sheet.tables if t.name == expr.name)
            key = number(table.key, s)
            return next((value(row, s) for rows, row in table.rows if key in rows), 0)
        case e.Tally():
            who = value(expr.of, s) if expr.of is not None else None
            return sum(now.tallies[expr.name, owner] for owner in game.owners(expr.name, who))
        case e.Fact():
            return _fact(expr.name, s)
        case e.TurnIsOver():
            return s.turn_over
        case e.ExtraTurnsAreOver():
            return s.turn_over and expr.name in now.extra_done and now.extra_now != expr.name
        case e.Defined():
            return _defined(expr, s)
    return NotImplemented


def _fact(name: str, s: Scene) -> Any:
    now = s.now
    return {
        "players": s.game.players,
        "players-left": s.game.players - len(now.left),
        "round": now.round,
        "turn-number": now.turn_number,
        "idle-turns": now.idle_turns,
        "ending": now.ending,
        "stopped": False,
    }[name]


def _defined(expr: e.Defined, s: Scene) -> Any:
    word = next(d for d in s.game.sheet.definitions if d.name == expr.name)
    thing = value(expr.of, s) if expr.of is not None else None
    if word.subject == "players":
        return value(word.body, replace(s, you=thing, subject=thing, it=None, each=None))
    if word.subject == "round":
        return value(word.body, replace(s, it=None, each=None))
    if thing is None:
        return None
    return value(word.body, s.about(thing))


# ------------------------------------------------------------ things


def _things(expr: Expr, s: Scene) -> Any:
    game, now = s.game, s.now
    match expr:
        case e.It():
            return s.it
        case e.Each():
            return s.each
        case e.Zone():
            who = value(expr.of, s) if expr.of is not None else None
            return game.zone(now, expr.name, who)
        case e.Top():
            pile = value(expr.of, s)
            return pile[-1] if pile else None
        case e.Named():
            found = (s.named if s.named is not None else now.named).get(expr.name, frozenset())
            return tuple(sorted(found)) if expr.type is Type.CARDS else next(iter(sorted(found)), None)
        case e.Table():
            return now.groups
        case e.Melds():
            sides = game.sides_of(value(expr.of, s))
            return tuple(g for g in now.groups if g.owner % game.sides in sides)
        case e.Laid():
            sides = game.sides_of(value(expr.of, s))
            laid = [pair for g in now.groups for pair in zip(g.meld.cards, g.by, strict=True)]
            return tuple(card for card, by in laid if by % game.sides in sides)
        case e.Played():
            doing = s.doing or Doing(now)
            rest = now.hands[s.you.seats[0]] if s.you else frozenset()
            return Layout(doing.groups, doing.cards, rest)
        case e.CardsIn():
            return _cards_in(expr.of, s)
        case e.GroupsIn():
            inside = value(expr.of, s)
            return inside.groups if isinstance(inside, Layout) else inside
        case e.Rest():
            return tuple(sorted(value(expr.of, s).rest))
        case e.Layouts():
            return game.layouts(now, value(expr.of, s), s.subject)
        case e.GroupOf():
            place = lies(value(expr.of, s), s, expr.old)
            return place[0] if place else None
        case e.Neighbours():
            place = lies(value(expr.of, s), s, expr.old)
            return neighbours(game, *place) if place else ()
        case e.Select() if expr.things.type is not Type.PLAYERS and expr.things.type is not Type.PLAYER:
            return tuple(t for t in value(expr.things, s) if holds(expr.condition, s.about(t)))
    return NotImplemented


def _cards_in(of: Expr, s: Scene) -> tuple[int, ...]:
    inside = value(of, s)
    if inside is None:
        return ()
    if isinstance(inside, Group):
        return inside.meld.cards
    if isinstance(inside, Layout):
        return tuple(sorted(inside.cards))
    if isinstance(inside, int):
        return (inside,)
    if of.type is Type.GROUPS:
        return tuple(card for group in inside for card in group.meld.cards)
    return tuple(inside)


# ------------------------------------------------------------ players


def _people(expr: Expr, s: Scene) -> Any:
    game, now = s.game, s.now
    match expr:
        case e.Person(role="you"):
            return s.you
        case e.Person(role="subject"):
            return s.subject
        case e.Person(role="mover"):
            return Who((now.mover,)) if now.mover is not None else None
        case e.Person(role="ender"):
            return s.ender
        case e.Person(role="dealer"):
            return Who((now.dealer,))
        case e.Person(role="giver"):
            return s.giver
        case e.Partner():
            return game.partner(value(expr.of, s))
        case e.Beside():
            return game.beside(now, value(expr.of, s), 1 if expr.side == "left" else -1)
        case e.Owner():
            group = value(expr.of, s)
            return Who((group.owner,)) if group is not None else None
        case e.People():
            return _many(expr, s)
        case e.Except():
            without = seats(value(expr.without, s))
            return [w for w in everyone(value(expr.players, s)) if not set(w.seats) & set(without)]
        case e.Select():
            return [w for w in everyone(value(expr.things, s)) if holds(expr.condition, s.of(w))]
        case e.Ranked():
            return _ranked(expr, s)
    return NotImplemented


def _many(expr: e.People, s: Scene) -> list[Who]:
    now = s.now
    playing = [seat for seat in range(s.game.players) if seat not in now.left]
    if expr.role == "winners":
        playing = [seat for seat in range(s.game.players) if seat in now.winners]
    elif expr.role == "losers":
        playing = [seat for seat in range(s.game.players) if seat in now.losers]
    elif expr.role == "nobody":
        playing = []
    elif expr.role == "others":
        sides = s.game.sides_of(value(expr.of, s)) if expr.of is not None else set()
        playing = [seat for seat in playing if seat % s.game.sides not in sides]
    return [Who((seat,)) for seat in playing]


def _ranked(expr: e.Ranked, s: Scene) -> list[Who]:
    people = everyone(value(expr.players, s))
    counts = [number(expr.by, s.of(who)) for who in people]
    if not people:
        return []
    best = max(counts) if expr.most else min(counts)
    found = [who for who, count in zip(people, counts, strict=True) if count == best]
    if expr.ties is not None and expr.whom is not None and len(found) > 1:
        whom = set(seats(value(expr.whom, s)))
        among = [who for who in found if set(who.seats) & whom]
        if among:
            return among if expr.ties == "for" else [who for who in found if who not in among]
    return found


# ------------------------------------------------------------ numbers and other properties


def _numbers(expr: Expr, s: Scene) -> Any:
    game = s.game
    match expr:
        case e.Count():
            things = value(expr.of, s)
            return 0 if things is None else len(things)
        case e.CountKinds():
            cards = value(expr.of, s)
            found = {game.printed(c, expr.property) for c in cards}
            return len(found - {None})
        case e.Aggregate():
            return _aggregate(expr, s)
        case e.Points():
            return _points(expr.of, s)
        case e.CardProperty():
            return _property(expr, s)
        case e.PlayerFact():
            return _player_fact(expr.name, value(expr.of, s), s)
        case e.Times():
            who = value(expr.of, s) if expr.of is not None else Who(tuple(range(game.players)))
            return sum(s.now.made[expr.move, seat, expr.scope] for seat in seats(who))
    return NotImplemented


def _aggregate(expr: e.Aggregate, s: Scene) -> int:
    things = value(expr.things, s)
    if expr.things.type in (Type.PLAYERS, Type.PLAYER):
        counts = [number(expr.number, s.of(who)) for who in everyone(things)]
    else:
        counts = [number(expr.number, s.about(thing)) for thing in things]
    if not counts:
        return 0
    if expr.kind == "total":
        return sum(counts)
    return max(counts) if expr.kind == "highest" else min(counts)


def _points(of: Expr, s: Scene) -> int:
    thing = value(of, s)
    if thing is None:
        return 0
    if isinstance(thing, Group):
        return sum(s.game.points_lying(s, thing, index) for index in range(len(thing.meld.cards)))
    if isinstance(thing, Layout):
        return sum(s.game.points_lying(s, g, index) for g in thing.groups for index in range(len(g.meld.cards)))
    if of.type is Type.GROUPS:
        return sum(s.game.points_lying(s, g, index) for g in thing for index in range(len(g.meld.cards)))
    cards = (thing,) if isinstance(thing, int) else thing
    owner = value(of.of, s) if isinstance(of, e.Zone) and of.of is not None else None
    return sum(points_of_card(card, s, owner) for card in cards)


def points_of_card(card: int, s: Scene, owner: Who | None = None) -> int:
    """What a card counts where it lies: in its group, else as one of a hand."""
    place = lies(card, s)
    if place is not None:
        return s.game.points_lying(s, *place)
    holder = next((Who((seat,)) for seat, hand in enumerate(s.now.hands) if card in hand), s.subject)
    return s.game.points_held(s, card, owner if owner is not None and len(owner.seats) == 1 else holder)


def _property(expr: e.CardProperty, s: Scene) -> Any:
    thing, pack = value(expr.of, s), s.game.pack
    if thing is None:
        return 0 if expr.property in ("place", "pips") else None
    if expr.of.type is Type.NAME:
        return s.game.of_face(thing, expr.property)
    place = lies(thing, s, expr.old)
    if expr.property == "name":
        if place is None:
            return None if expr.old else pack.face[thing]
        return place[0].meld.names[place[1]]
    if expr.property == "place" and place is not None and s.game.sheet.melds[place[0].meld.kind].consecutive:
        return (place[0].meld.start + place[1]) % len(pack.place_rank) + 1
    return s.game.printed(thing, expr.property)


def _player_fact(name: str, who: Who | None, s: Scene) -> Any:
    now = s.now
    if who is None:
        return 0 if name in ("score", "rounds-won") else False
    sides = s.game.sides_of(who)
    return {
        "score": sum(now.scores[side] for side in sides),
        "rounds-won": sum(now.rounds_won[side] for side in sides),
        "opened": bool(sides & now.opened),
        "opened-this-turn": bool(sides & now.opened_this_turn),
        "folded": set(who.seats) <= now.folded,
    }[name]


# ------------------------------------------------------------ conditions


def _conditions(expr: Expr, s: Scene) -> Any:
    game, now = s.game, s.now
    match expr:
        case e.After():
            return now.last_move == expr.move
        case e.Can():
            return game.can(now, expr.move)
        case e.Quantified():
            return _quantified(expr, s)
        case e.IsEmpty():
            return not value(expr.of, s)
        case e.StockIsDry():
            return game.stock_is_dry(now)
        case e.IsIn():
            return _is_in(expr, s)
        case e.IsSame():
            return _is_same(value(expr.left, s), value(expr.right, s))
        case e.Trait():
            return _trait(expr.trait, value(expr.of, s), s)
        case e.HasRank():
            thing = value(expr.of, s)
            return thing is not None and _rank(expr.of, thing, s) in expr.ranks
        case e.HasSuit():
            thing = value(expr.of, s)
            return thing is not None and _face(expr.of, thing, s).suit == expr.suit
        case e.HasFace():
            thing = value(expr.of, s)
            return thing is not None and _face(expr.of, thing, s) == (expr.rank, expr.suit)
        case e.IsKind():
            group = value(expr.of, s)
            return group is not None and game.sheet.melds[group.meld.kind].name == expr.kind
        case e.Contains():
            return game.contains(now, _cards_in(expr.of, s), expr.kind)
        case e.Accepts():
            return game.accepts(now, value(expr.group, s), value(expr.card, s))
        case e.Keeps() | e.IsReplaced() | e.IsJoinedOnlyFrom():
            return compared(expr, value(expr.card, s), s)
    return NotImplemented


def _face(of: Expr, thing: int, s: Scene) -> Any:
    return s.game.said(thing if of.type is Type.NAME else s.game.pack.face[thing])


def _rank(of: Expr, thing: int, s: Scene) -> str:
    return str(_face(of, thing, s).rank)


def _quantified(expr: e.Quantified, s: Scene) -> bool:
    things = value(expr.things, s)
    if things is None:
        things = ()
    if expr.things.type in (Type.PLAYERS, Type.PLAYER):
        found = [holds(expr.condition, s.of(who)) for who in everyone(things)]
    else:
        found = [holds(expr.condition, s.at_each(thing)) for thing in things]
    return {"every": all(found), "some": any(found), "no": not any(found)}[expr.quantifier]


def _is_in(expr: e.IsIn, s: Scene) -> bool:
    thing, container = value(expr.thing, s), value(expr.container, s)
    if thing is None or container is None:
        return False
    if expr.thing.type in (Type.PLAYER, Type.PLAYERS):
        return bool(seats(thing)) and set(seats(thing)) <= set(seats(container))
    if isinstance(thing, Group):
        return thing in (container.groups if isinstance(container, Layout) else container)
    cards = {thing} if isinstance(thing, int) else set(thing)
    return bool(cards) and cards <= set(_cards_in(expr.container, s))


def _is_same(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return False
    if isinstance(left, (Who, list)) or isinstance(right, (Who, list)):
        one, other = set(seats(left)), set(seats(right))
        return bool(one) and one == other
    return bool(left == right)


def _trait(trait: str, card: int | None, s: Scene) -> bool:
    if card is None:
        return False
    game = s.game
    face = game.said(game.pack.face[card])
    if trait == "joker":
        return face.rank == "JK"
    if trait in ("red", "black"):
        return face.suit in (RED_SUITS if trait == "red" else BLACK_SUITS)
    if s.lie is not None and card == s.it:
        return s.lie.wild == (trait == "wild") if trait in ("wild", "natural") else s.lie.place == trait
    place = lies(card, s)
    if trait in ("wild", "natural"):
        return game.lies_wild(s.now, card, place) == (trait == "wild")
    if place is None or not game.sheet.melds[place[0].meld.kind].consecutive:
        return False
    return place[1] == (0 if trait == "low" else len(place[0].meld.cards) - 1)
