"""What is legal: docs/language.md, "When a move is legal", point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rulespec import model as m
from rulespec.model import MoveRule
from tests.slow.doing import CannotBeDone, choices, do
from tests.slow.meaning import holds
from tests.slow.phrases import Next, Rest, nexts
from tests.slow.position import DONE, Choice, Doing, Move, Owed, Position, Who
from tests.slow.scene import Scene, scene

if TYPE_CHECKING:
    from tests.slow.game import Game

MOST_AUTOMATIC = 1000


def offered(game: Game, now: Position) -> list[Next]:
    """What the phrase of whoever is to act leads on to."""
    walk = now.walks[-1]
    asked = scene(game, now, walk.seat)
    found = [one for rest in walk.rests for one in nexts(rest, lambda guard: holds(guard, asked))]
    return list(dict.fromkeys(found))


def rests_after(found: list[Next], move: str) -> tuple[Rest, ...]:
    """What may be left of the phrase after a move."""
    return tuple(dict.fromkeys(one.rest for one in found if one.move == move))


def own_duties(now: Position) -> list[Owed]:
    """The open duties of whoever is to act, of this window only."""
    walk = now.walks[-1]
    return [duty for duty in now.duties if duty.seat == walk.seat and duty.depth == len(now.walks)]


def refused(game: Game, now: Position, rule: MoveRule) -> bool:
    """Whether an `if`, or a duty that must be met before it, forbids a move."""
    asked = scene(game, now, now.walks[-1].seat)
    if any(not holds(condition.expr, asked) for condition in rule.before):
        return True
    return any(d.duty.deadline == "before" and d.duty.move == rule.name for d in own_duties(now))


def attempts(game: Game, now: Position, rule: MoveRule) -> Iterator[tuple[Move, Position]]:
    """Every way to make a move that the turn offers, its `only`s and duties kept, and the position after it; of ways
    that look alike one."""
    rests = rests_after(offered(game, now), rule.name)
    if not rests or refused(game, now, rule):
        return
    seat = now.walks[-1].seat
    begun = now.copy()
    for scope in ("turn", "round", "game"):
        begun.made[rule.name, seat, scope] += 1
    begun.last_move = rule.name
    seen: set[object] = set()
    for chosen, looks, after, doing in _chains(game, begun, rule, (), (), Doing(now), seat):
        if looks in seen:
            continue
        seen.add(looks)
        asked = replace(scene(game, after, seat), it=doing.it, doing=doing)
        asked = asked.about(doing.it)
        if not all(holds(condition.expr, asked) for condition in rule.only):
            continue
        after.last_changed = doing.changed
        after.walks = (*now.walks[:-1], now.walks[-1]._replace(rests=rests, moved=True))
        if _duties_kept(asked, rule):
            yield Move(rule.name, chosen), after


def _chains(
    game: Game,
    now: Position,
    rule: MoveRule,
    chosen: tuple[Choice, ...],
    looks: tuple[object, ...],
    doing: Doing,
    seat: int,
) -> Iterator[tuple[tuple[Choice, ...], tuple[object, ...], Position, Doing]]:
    if len(chosen) == len(rule.does):
        yield chosen, looks, now.copy(), doing
        return
    action = rule.does[len(chosen)]
    for choice, look in choices(replace(scene(game, now, seat), doing=doing).about(doing.it), action):
        after, done = now.copy(), doing.copy()
        try:
            do(replace(scene(game, after, seat), doing=done).about(done.it), action, choice)
        except CannotBeDone:
            continue
        yield from _chains(game, after, rule, (*chosen, choice), (*looks, look), done, seat)


def _duties_kept(asked: Scene, rule: MoveRule) -> bool:
    """Close the duties that are met and open new ones; False where a deadline passes."""
    now, seat, depth = asked.now, now_seat(asked.now), len(asked.now.walks)
    still: list[Owed] = []
    for owed in now.duties:
        who = Who((owed.seat,))
        if holds(owed.duty.condition.expr, replace(asked, you=who, subject=who, named=dict(owed.named))):
            continue
        due = owed.duty.deadline == "at once" or (owed.duty.deadline == "by" and owed.duty.move == rule.name)
        if due and owed.seat == seat and owed.depth == depth:
            return False
        still.append(owed)
    named = tuple(sorted(now.named.items()))
    still += [Owed(duty, seat, depth, named) for duty in rule.duties if not holds(duty.condition.expr, asked)]
    now.duties = tuple(still)
    return True


def now_seat(now: Position) -> int:
    """Who is to act."""
    return now.walks[-1].seat


def may_be_done(now: Position, found: list[Next]) -> bool:
    """Whether `done` is legal: the phrase may end or go on to a window, and also goes on to moves."""
    windows = any(one.window is not None for one in found)
    ends = any(one.ends for one in found)
    if not any(one.move is not None for one in found) or not (windows or ends):
        return False
    return not any(duty.duty.deadline == "at once" or not windows for duty in own_duties(now))


def legal_of(game: Game, now: Position, name: str) -> Iterator[tuple[Move, Position]]:
    """The legal moves of one name, and the positions after them (before automatic moves)."""
    rule = game.moves[name]
    for move, after in attempts(game, now, rule):
        if _can_be_finished_after(game, now, after, rule):
            yield move, after


def legal(game: Game, now: Position) -> Iterator[tuple[Move, Position | None]]:
    """Every legal move of whoever is to act; of `done` no position."""
    found = offered(game, now)
    for name in dict.fromkeys(one.move for one in found if one.move is not None):
        yield from legal_of(game, now, name)
    if may_be_done(now, found):
        yield DONE, None


# ------------------------------------------------------------ can the turn be finished?


def draws_unseen(game: Game, rule: MoveRule) -> bool:
    """Whether a move brings cards nobody has seen."""
    for action in rule.does:
        if isinstance(action, m.TurnUp):
            return True
        if isinstance(action, (m.Draw, m.Take)) and game.zones[action.zone].seen_by == "nobody":
            return True
        if isinstance(action, m.Draw) and game.zones[action.zone].seen_by == "top":
            return True
    return False


def _can_be_finished_after(game: Game, before: Position, after: Position, rule: MoveRule) -> bool:
    seat = now_seat(after)
    if draws_unseen(game, rule):
        if not own_duties(after):
            return True
        after = after.copy()
        after.hands[seat] &= before.hands[seat]
    probe = after.copy()
    automatic(game, probe)
    seen: set[tuple[object, ...]] = set()
    found = finishable(game, probe, seen)
    if not found:
        game.finishable.update(dict.fromkeys(seen, False))
    return found


def finishable(game: Game, now: Position, seen: set[tuple[object, ...]]) -> bool:
    """Whether the end of the turn (or of the window) can be reached with every duty met; others decline."""
    seat = now_seat(now)
    owed = own_duties(now)
    if seat in now.folded:
        return True
    if not owed and now.stage in ("turn", "extra") and ending_of(game, now, seat, False) is not None:
        return True
    found = offered(game, now)
    moves = list(dict.fromkeys(one.move for one in found if one.move is not None))
    windows = [one for one in found if one.window is not None]
    if not owed and (any(one.ends for one in found) or not (moves or windows)):
        return True
    key = now.key()
    if key in game.finishable:
        return game.finishable[key]
    if key in seen:
        return False
    seen.add(key)
    for window in windows:
        declined = now.copy()
        declined.walks = (*now.walks[:-1], now.walks[-1]._replace(rests=(window.rest,)))
        if finishable(game, declined, seen):
            game.finishable[key] = True
            return True
    for name in moves:
        rule = game.moves[name]
        for _, after in attempts(game, now, rule):
            if draws_unseen(game, rule):
                if own_duties(after):
                    continue
                return True
            automatic(game, after)
            if finishable(game, after, seen):
                game.finishable[key] = True
                return True
    return False


def automatic(game: Game, now: Position) -> None:
    """Make the automatic moves that are due."""
    first = now.mover if now.mover is not None else 0
    for _ in range(MOST_AUTOMATIC):
        acted = False
        for seat in [(first + step) % game.players for step in range(game.players)]:
            if seat in now.left:
                continue
            for rule in game.sheet.automatic:
                if holds(rule.when, scene(game, now, seat)):
                    doing = Doing(now.copy())
                    for action in rule.does:
                        do(replace(scene(game, now, seat), doing=doing).about(doing.it), action, ())
                    acted = True
        if not acted:
            return
    raise RecursionError("automatic moves go on for ever")


def ending_of(game: Game, now: Position, you: int, turn_over: bool) -> str | None:
    """The first ending that holds for a player."""
    asked = replace(scene(game, now, you), ender=Who((you,)), turn_over=turn_over)
    for ending in game.sheet.round.endings:
        if all(holds(condition.expr, asked) for condition in ending.when):
            return ending.name
    return None
