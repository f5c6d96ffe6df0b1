"""Conditions of a move that would tell which cards the same move draws unseen: a refusal would give them away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from rulespec.elaborate.walk import parts
from rulespec.expressions import (
    Aggregate,
    Beside,
    Can,
    CardsIn,
    Count,
    Defined,
    Expr,
    IsEmpty,
    IsIn,
    It,
    Named,
    Number,
    People,
    Person,
    Played,
    Quantified,
    Ranked,
    Rest,
    Select,
    TableValue,
    Type,
    Zone,
)
from rulespec.model import Action, Draw, Take, TurnUp

Bodies: TypeAlias = Callable[[str], list[Expr]]


@dataclass(frozen=True, slots=True)
class Unseen:
    """The cards that a move brings to light: what they are called, whether they come to the hand, and the zones on
    which they are turned up."""

    names: frozenset[str]
    hand: bool
    zones: frozenset[str]

    def __bool__(self) -> bool:
        return self.hand or bool(self.zones)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a condition one is: whether `you`, and whether a bare word, is who made the move, and whether `it` is
    what was played."""

    you: bool = True
    subject: bool = True
    it_is_played: bool = False


def drawn_unseen(actions: Iterable[Action], seen_by: Mapping[str, str]) -> Unseen:
    """What a chain of actions draws from where nobody could look; `seen_by` says of each zone who can."""
    names: set[str] = set()
    zones: set[str] = set()
    hand = False
    for action in actions:
        if isinstance(action, TurnUp) and seen_by["stock"] == "nobody":
            zones.add(action.zone)
        elif isinstance(action, (Draw, Take)) and _unseen(action, seen_by):
            hand = True
        else:
            continue
        if action.named is not None:
            names.add(action.named)
    return Unseen(frozenset(names), hand, frozenset(zones))


def _unseen(action: Draw | Take, seen_by: Mapping[str, str]) -> bool:
    """Whether who makes the move cannot know all the cards; those he chooses himself he must see."""
    if isinstance(action, Take) and action.what in ("any", "dig"):
        return False
    match seen_by[action.zone]:
        case "nobody":
            return True
        case "top":
            return not _takes_one(action)
        case "owner":
            return isinstance(action.of, Beside)
    return False


def _takes_one(action: Draw | Take) -> bool:
    if isinstance(action, Take):
        return action.what == "top" and action.count == 1
    return isinstance(action.count, Number) and action.count.value <= 1


def telling(condition: Expr, unseen: Unseen, bodies: Bodies) -> Iterator[tuple[Expr, Expr]]:
    """The parts of a condition that tell more of the unseen cards than how many they are; with each the part that does,
    which is another where the first asks a definition or a table."""
    todo = [(condition, _Place())]
    while todo:
        expr, place = todo.pop()
        if _tells(expr, unseen, place):
            yield expr, expr
        elif isinstance(expr, (Defined, TableValue)):
            inside = _told_within(expr, unseen, place, bodies)
            if inside is not None:
                yield expr, inside
        else:
            todo += _below(expr, unseen, place)


def _told_within(expr: Defined | TableValue, unseen: Unseen, place: _Place, bodies: Bodies) -> Expr | None:
    """What a definition or table tells, by way of whatever it asks itself."""
    seen: set[tuple[str, _Place]] = set()
    todo: list[tuple[Expr, _Place]] = [(expr, place)]
    while todo:
        part, at = todo.pop()
        if _tells(part, unseen, at):
            return part
        if isinstance(part, (Defined, TableValue)):
            within = _asked_of(part, at)
            if (part.name, within) not in seen:
                seen.add((part.name, within))
                todo += [(body, within) for body in bodies(part.name)]
        else:
            todo += _below(part, unseen, at)
    return None


def _asked_of(expr: Defined | TableValue, place: _Place) -> _Place:
    if isinstance(expr, TableValue) or expr.of is None:
        return place
    if expr.of.type in (Type.PLAYER, Type.PLAYERS):
        mine = _is_mine(expr.of, place)
        return _Place(mine, mine)
    return replace(place, it_is_played=_is_played(expr.of, place))


def _tells(expr: Expr, unseen: Unseen, place: _Place) -> bool:
    match expr:
        case Zone(name="hand", of=of):
            return unseen.hand and of is not None and _is_mine(of, place)
        case Zone(name=name):
            return name in unseen.zones
        case Named(name=name):
            return name in unseen.names
        case Rest(of=of):
            return unseen.hand and _is_played(of, place)
        case Can():
            return unseen.hand
    return False


def _below(expr: Expr, unseen: Unseen, place: _Place) -> Iterator[tuple[Expr, _Place]]:
    """The parts right below, without those of which only the number is asked or that are known all the same."""
    match expr:
        case Count(of=things) | IsEmpty(of=things) if _tells(_bare(things), unseen, place):
            return
        case IsIn(thing=thing, container=container) if _tells(container, unseen, place):
            yield thing, place
        case Select(things=things) | Aggregate(things=things) | Quantified(things=things) | Ranked(players=things) if (
            things.type in (Type.PLAYER, Type.PLAYERS)
        ):
            inside = replace(place, subject=_is_mine(things, place))
            for part in parts(expr):
                yield part, place if part is things else inside
        case Select() | Aggregate() | Quantified():
            for part in parts(expr):
                yield part, place if part is expr.things else replace(place, it_is_played=False)
        case _:
            for part in parts(expr):
                yield part, place


def _bare(things: Expr) -> Expr:
    while isinstance(things, CardsIn):
        things = things.of
    return things


def _is_mine(person: Expr, place: _Place) -> bool:
    """Whether who made the move is surely (among) these."""
    match person:
        case Person(role="you"):
            return place.you
        case Person(role="subject"):
            return place.subject
        case People(role="everyone"):
            return True
    return False


def _is_played(thing: Expr, place: _Place) -> bool:
    return isinstance(thing, Played) or (isinstance(thing, It) and thing.type is Type.LAYOUT and place.it_is_played)
