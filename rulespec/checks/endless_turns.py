"""No turn can go round for ever."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.model import Action, MoveRule
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import Between, exactly
from rulespec.reasoning.places import END, Guard, Turn, turn_of
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import reached

LONGEST = 3
"""Circles of more moves are not looked for."""
BOOKS = (model.Pass, model.Add, model.SetTally)

Circle = tuple[int, ...]
Change = dict[str, Between]
"""By pile: how many cards it gains."""


def check_endless_turns(study: Study) -> list[Diagnostic]:
    """Looks for circles of moves after which every pile may be as it was."""
    found: dict[frozenset[str], Diagnostic] = {}
    moves = {move.name: move for move in study.sheet.moves}
    phases = [study.sheet.turn, *(extra.turn for extra in study.sheet.round.extra_turns)]
    for turn in map(turn_of, phases):
        for circle in _circles(turn):
            made = [moves[turn.places[place].move] for place in circle]
            names = frozenset(move.name for move in made)
            if names in found or not _changes_nothing(study, made) or _limited(study, turn, circle, made):
                continue
            if study.own(*(turn.places[place].item.span for place in circle), *(move.span for move in made)):
                found[names] = _tell(turn, circle)
    return list(found.values())


def _circles(turn: Turn) -> Iterator[Circle]:
    """Circles of places of the mover, each begun at its first place."""
    leads_to = turn.leads_to()

    def walk(path: Circle) -> Iterator[Circle]:
        for way in turn.ways[path[-1]]:
            if way.target == path[0]:
                yield path
            elif way.target > path[0] and leads_to[way.target] >> path[0] & 1 and way.target not in path:
                yield from walk((*path, way.target)) if len(path) < LONGEST else ()

    for place, what in enumerate(turn.places):
        if not what.window:
            yield from (c for c in walk((place,)) if all(at != END and not turn.places[at].window for at in c))


def _changes_nothing(study: Study, made: list[MoveRule]) -> bool:
    total: Change = {}
    for move in made:
        for action in move.does:
            change = _change(study, action)
            if change is None:
                return False
            for pile, cards in change.items():
                total[pile] = total.get(pile, exactly(0)) + cards
    renewed = study.sheet.stock.how != "nothing" and study.sheet.stock.at_most is None
    if renewed and "stock" in total and study.sheet.stock.zone in total:
        total["stock"] = total["stock"] + total.pop(study.sheet.stock.zone)
    return all(0 in cards for cards in total.values())


def _change(study: Study, action: Action) -> Change | None:
    """What an action does to piles; None if it puts cards on the table for good."""
    match action:
        case model.Draw():
            count = study.judge.number(action.count, Known())
            drawn = Between(min(count.low, 1), count.high)
            return {action.zone: -drawn, "hand": drawn}
        case model.Take():
            taken = Between(1, action.count if action.what == "top" else 1 if action.what == "any" else inf)
            return {action.zone: -taken, "hand": taken}
        case model.Put() if isinstance(action.count, int):
            return {"hand": exactly(-action.count), action.zone: exactly(action.count)}
        case model.Put() | model.PutEvery():
            return {"hand": Between(-inf, -1), action.zone: Between(1, inf)}
        case model.Return():
            return {"hand": Between(-inf, -1), action.zone: Between(1, inf)}
        case model.TurnUp():
            return {"stock": exactly(-action.count), action.zone: exactly(action.count)}
        case model.Pass() | model.Add() | model.SetTally():
            return {}
    return None


def _limited(study: Study, turn: Turn, circle: Circle, made: list[MoveRule]) -> bool:
    """Whether a condition on the way round counts the moves, reads a tally they change, or the cards they name."""
    conditions: list[ex.Expr] = [c.expr for move in made for c in (*move.before, *move.only)]
    conditions += [guard.condition for guard in _guards(turn, circle)]
    names = {move.name for move in made}
    books = {a.tally for move in made for a in move.does if isinstance(a, model.Add | model.SetTally)}
    named = {getattr(action, "named", None) for move in made for action in move.does}
    for condition in conditions:
        for part in reached(study.sheet, condition, ex.Expr):
            match part:
                case ex.Times(move=move) if move in names:
                    return True
                case ex.After(move=move) if move not in names:
                    return True
                case ex.Tally(name=name) if name in books:
                    return True
                case ex.Count(of=ex.Named(name=name)) if name in named:
                    return True
    return False


def _guards(turn: Turn, circle: Circle) -> Iterator[Guard]:
    for place, then in zip(circle, (*circle[1:], circle[0]), strict=True):
        ways = [way for way in turn.ways[place] if way.target == then]
        if all(way.guards for way in ways):
            yield from (guard for way in ways for guard in way.guards)


def _tell(turn: Turn, circle: Circle) -> Diagnostic:
    names = [f'"{turn.places[place].move}"' for place in circle]
    many = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
    message = f"a turn may go round for ever: {many} can be made again and again, and nothing need be changed by it"
    help = "limit it: `up to 3 …`, or an `if` such as `times MOVE this turn = 0`"
    return Diagnostic("endless-turn", "warning", message, turn.places[circle[0]].item.span, help)
