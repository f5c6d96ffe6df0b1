"""The order of events: docs/language.md, "Rounds" and "Games"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulespec import model as m
from rulespec.expressions import Expr
from tests.slow.doing import do
from tests.slow.legal import automatic, ending_of, legal_of, may_be_done, offered
from tests.slow.meaning import everyone, holds, number, seats, value
from tests.slow.phrases import whole
from tests.slow.position import Doing, Position, Walk, Who
from tests.slow.scene import scene

if TYPE_CHECKING:
    from tests.slow.game import Game


def start(game: Game) -> Position:
    """A game in which somebody has to decide for the first time."""
    now = game.first_position()
    settle(game, now)
    return now


def after(game: Game, before: Position, made: Position | None) -> Position:
    """What follows from a legal move (`made`: the position right after it; None: `done`)."""
    if made is None:
        now = before.copy()
        windows = [one for one in offered(game, now) if one.window is not None]
        if windows:
            _open_window(game, now)
        else:
            _end_walk(game, now)
        settle(game, now)
        return now
    now = made.copy()
    seat = now.walks[-1].seat
    automatic(game, now)
    ending = ending_of(game, now, seat, False) if now.stage in ("turn", "extra") else None
    if ending is not None:
        _finish_round(game, now, ending, seat, False)
    elif seat in now.folded:
        _end_walk(game, now)
    settle(game, now)
    return now


def settle(game: Game, now: Position) -> None:
    """Go on until somebody has to decide, or the game is over."""
    while now.stage != "over":
        if now.stage == "deal":
            _begin_round(game, now)
            continue
        found = offered(game, now)
        moves = list(dict.fromkeys(one.move for one in found if one.move is not None))
        if not moves:
            if any(one.window is not None for one in found):
                _open_window(game, now)
            else:
                _end_walk(game, now)
            continue
        asked_in_window = len(now.walks) > 1 and not now.walks[-1].moved
        if any(True for name in moves for _ in legal_of(game, now, name)):
            return
        if not asked_in_window and may_be_done(now, found):
            return
        if not (len(now.walks) > 1 and any(one.ends for one in found)):
            now.dead_ends = (*now.dead_ends, f"dead end: {' or '.join(moves)}")
        _end_walk(game, now)


# ------------------------------------------------------------ windows


def _open_window(game: Game, now: Position) -> None:
    one = next(one for one in offered(game, now) if one.window is not None)
    walk = now.walks[-1]
    now.walks = (*now.walks[:-1], walk._replace(rests=(one.rest,)))
    assert one.window is not None
    _ask_next(game, now, one.window, tuple(_asked(game, now, one.window, walk.seat)))


def _asked(game: Game, now: Position, window: m.Window, seat: int) -> list[int]:
    playing = [s for s in game.around(seat) if s not in now.folded and s not in now.left]
    if window.who == "each whose":
        return playing
    others = [s for s in playing if s != seat]
    if window.who == "next":
        return others[:1]
    if window.who == "partner":
        return [s for s in others if s % game.sides == seat % game.sides][:1]
    return others


def _ask_next(game: Game, now: Position, window: m.Window, queue: tuple[int, ...]) -> None:
    for at, seat in enumerate(queue):
        if seat in now.folded or seat in now.left:
            continue
        if window.whose is None or holds(window.whose, scene(game, now, seat)):
            now.walks = (*now.walks, Walk((whole(window.item),), seat, queue[at + 1 :], window))
            return


def _end_walk(game: Game, now: Position) -> None:
    if len(now.walks) == 1:
        _end_turn(game, now)
        return
    walk = now.walks[-1]
    now.duties = tuple(duty for duty in now.duties if duty.depth < len(now.walks))
    now.walks = now.walks[:-1]
    assert walk.window is not None
    if not (walk.window.who == "first other" and walk.moved):
        _ask_next(game, now, walk.window, walk.queue)


# ------------------------------------------------------------ turns


def _end_turn(game: Game, now: Position) -> None:
    if now.stage == "before-deal":
        _deal(game, now)
        return
    if now.stage == "after-round":
        _after_scoring(game, now)
        return
    assert now.mover is not None
    you = now.mover
    now.walks, now.duties = (), ()
    now.idle_turns = 0 if now.last_changed else now.idle_turns + 1
    if _round_ends(game, now, you):
        return
    if now.stage == "extra":
        while now.extra_queue:
            seat, now.extra_queue = now.extra_queue[0], now.extra_queue[1:]
            if seat not in now.folded and seat not in now.left:
                _start_turn(game, now, seat, "extra")
                return
        now.extra_now = None
        if _round_ends(game, now, you):
            return
    else:
        now.ordinary = you
    if _extra_turns(game, now, [you], True):
        return
    assert now.ordinary is not None
    asked = replace(scene(game, now, now.ordinary), turn_over=True)
    following = _one_seat(game, now, value(game.sheet.round.next, asked), now.ordinary)
    _start_turn(game, now, following, "turn")


def _round_ends(game: Game, now: Position, you: int) -> bool:
    ending = ending_of(game, now, you, True)
    if ending is not None:
        _finish_round(game, now, ending, you, True)
    return ending is not None


def _extra_turns(game: Game, now: Position, people: list[int], turn_over: bool) -> bool:
    for extra in game.sheet.round.extra_turns:
        for you in people:
            asked = replace(scene(game, now, you), turn_over=turn_over)
            if extra.name in now.extra_done or not holds(extra.when, asked):
                continue
            now.extra_done |= {extra.name}
            players = seats(value(extra.players, asked))
            queue = [s for s in game.around(you) if s in players and s not in now.folded and s not in now.left]
            if queue:
                now.extra_now, now.extra_queue = extra.name, tuple(queue[1:])
                _start_turn(game, now, queue[0], "extra")
                return True
            ending = ending_of(game, now, you, turn_over)
            if ending is not None:
                _finish_round(game, now, ending, you, turn_over)
                return True
    return False


def _one_seat(game: Game, now: Position, people: object, base: int) -> int:
    """The first of those named from the left of `base`; who folded or left is passed over, to the left."""
    named = set(seats(people))
    around = [s for s in game.around(base) if s not in now.folded and s not in now.left]
    if len(named) == 1:
        first = next(iter(named))
        order = [first, *[s for s in game.around(first) if s != first]]
        return next(s for s in order if s not in now.folded and s not in now.left)
    return next((s for s in around if s in named), around[0])


def _start_turn(game: Game, now: Position, seat: int, stage: str) -> None:
    now.turn_number += 1
    now.stage, now.mover = stage, seat
    _fresh(game, now, ("turn",))
    phrase = game.sheet.turn
    if stage == "extra":
        phrase = next(extra.turn for extra in game.sheet.round.extra_turns if extra.name == now.extra_now)
    now.walks = (Walk((whole(phrase),), seat),)


def _fresh(game: Game, now: Position, scopes: tuple[str, ...]) -> None:
    """Put back what lasts for a turn, or for a turn and a round."""
    for tally in game.sheet.tallies:
        if tally.lasts in scopes:
            for key in [key for key in now.tallies if key[0] == tally.name]:
                del now.tallies[key]
    for key3 in [key for key in now.made if key[2] in scopes]:
        del now.made[key3]
    kept = {line.named for line in game.sheet.deal.lines} if "round" not in scopes else set()
    now.named = {name: cards for name, cards in now.named.items() if name in kept}
    now.opened_this_turn = frozenset()
    now.duties = ()
    now.last_move, now.last_changed = None, False


# ------------------------------------------------------------ the deal


def _begin_round(game: Game, now: Position) -> None:
    _fresh(game, now, ("turn", "round"))
    now.folded = now.opened = frozenset()
    now.renewed = now.idle_turns = now.turn_number = 0
    now.extra_done, now.extra_now, now.extra_queue, now.ordinary = frozenset(), None, (), None
    now.groups, now.hands, now.wild, now.dealt = (), [frozenset()] * game.players, frozenset(), None
    now.piles = {("stock", None): game.shuffle(now, tuple(range(game.pack.size)))}
    now.mover = now.dealer
    if game.sheet.round.before_deal is not None:
        now.stage = "before-deal"
        now.walks = (Walk((whole(game.sheet.round.before_deal),), now.dealer),)
        return
    _deal(game, now)


def _deal(game: Game, now: Position) -> None:
    now.walks, now.stage = (), "turn"
    for line in game.sheet.deal.lines:
        _deal_line(game, now, line)
    if game.sheet.wild is not None:
        asked = scene(game, now, None)
        now.wild = frozenset(c for c in range(game.pack.size) if holds(game.sheet.wild.cards, asked.about(c)))
    now.dealt = now.copy()
    starter = _one_seat(game, now, value(game.sheet.round.starts, scene(game, now, None)), now.dealer)
    now.mover = starter
    automatic(game, now)
    people = [s for s in [starter, *game.around(starter)[:-1]] if s not in now.left]
    for ending in game.sheet.round.endings:
        for seat in people:
            asked = replace(scene(game, now, seat), ender=Who((seat,)))
            if all(holds(condition.expr, asked) for condition in ending.when):
                _finish_round(game, now, ending.name, seat, False)
                return
    if not _extra_turns(game, now, people, False):
        _start_turn(game, now, starter, "turn")


def _deal_line(game: Game, now: Position, line: m.DealLine) -> None:
    of = game.zones[line.zone].of if line.zone != "hand" else "player"
    around = [s for s in game.around(now.dealer) if s not in now.left]
    owners: list[int | None] = [None]
    if of == "player":
        owners = list(around)
    elif of == "side":
        owners = list(dict.fromkeys(s % game.sides for s in around))
    wanted = {}
    for owner in owners:
        who = None if owner is None else Who((owner,))
        wanted[owner] = number(line.count, scene(game, now, who))
    dealt: dict[int | None, list[int]] = {owner: [] for owner in owners}
    packets = game.sheet.deal.packets if line.zone == "hand" and game.sheet.deal.packets else (1,) * 100
    stock = list(now.piles["stock", None])
    for packet in packets:
        for owner in owners:
            for _ in range(packet):
                if len(dealt[owner]) < wanted[owner] and stock:
                    dealt[owner].append(stock.pop())
    now.piles["stock", None] = tuple(stock)
    for owner, cards in dealt.items():
        if line.zone == "hand":
            assert owner is not None
            now.hands[owner] |= set(cards)
        else:
            now.piles[line.zone, owner] = (*now.piles.get((line.zone, owner), ()), *cards)
        if line.named is not None:
            now.named[line.named] = now.named.get(line.named, frozenset()) | set(cards)


# ------------------------------------------------------------ the end of a round


def _finish_round(game: Game, now: Position, name: str, ender: int, turn_over: bool) -> None:
    ending = next(e for e in game.sheet.round.endings if e.name == name)
    now.walks, now.duties = (), ()
    now.ender, now.ending = ender, name
    asked = replace(scene(game, now, None), turn_over=turn_over, ender=Who((ender,)))
    playing = frozenset(s for s in range(game.players) if s not in now.left)
    sides: set[int] = set()
    if ending.wins is not None and not ending.void:
        sides = game.sides_of(everyone(value(ending.wins, asked)))
    now.winners = frozenset(s for s in playing if s % game.sides in sides)
    now.losers = playing - now.winners
    if not ending.void:
        for side in sides:
            now.rounds_won[side] += 1
        gained = lines(game, now, ending.scores, Who((ender,)), turn_over)
        as_ender = replace(scene(game, now, ender), turn_over=turn_over)
        for times in ending.times:
            gained = [number(times.expr, as_ender) * g for g in gained]
        now.scores = [score + g for score, g in zip(now.scores, gained, strict=True)]
        doing = Doing(now.copy())
        for action in ending.does:
            do(replace(scene(game, now, ender), turn_over=turn_over, doing=doing), action, ())
        if game.sheet.game.after_round is not None:
            now.stage, now.mover = "after-round", now.dealer
            now.walks = (Walk((whole(game.sheet.game.after_round),), now.dealer),)
            return
    _after_scoring(game, now)


def lines(
    game: Game, now: Position, score_lines: tuple[m.ScoreLine, ...], ender: Who | None, turn_over: bool = False
) -> list[int]:
    """What each side gets, worked out before any is booked."""
    gained = [0] * game.sides
    nobody = replace(scene(game, now, None), ender=ender, turn_over=turn_over)
    members = [Who(tuple(s for s in range(game.players) if s % game.sides == side)) for side in range(game.sides)]

    def named(expr: Expr) -> list[int]:
        return list(dict.fromkeys(s % game.sides for s in seats(everyone(value(expr, nobody)))))

    for line in score_lines:
        for giver in named(line.players):
            if line.to is None:
                asked = replace(nobody, you=members[giver], subject=members[giver])
                gained[giver] += sum(number(amount.expr, asked) for amount in line.amounts)
                continue
            for receiver in named(line.to):
                if receiver != giver:
                    asked = replace(nobody, you=members[receiver], subject=members[receiver], giver=members[giver])
                    paid = sum(number(amount.expr, asked) for amount in line.amounts)
                    gained[receiver] += paid
                    gained[giver] -= paid
    return gained


def _after_scoring(game: Game, now: Position) -> None:
    now.walks = ()
    rules = game.sheet.game
    void = next(e.void for e in game.sheet.round.endings if e.name == now.ending)
    if not void:
        if rules.leaves is not None:
            for side in range(game.sides):
                members = [s for s in range(game.players) if s % game.sides == side]
                staying = [s for s in members if s not in now.left]
                if staying and holds(rules.leaves, scene(game, now, Who(tuple(members)))):
                    now.left |= set(members)
        if holds(rules.ends, scene(game, now, None)) and _game_over(game, now):
            return
        folded, now.folded = now.folded, frozenset()
        if len(now.left) < game.players:
            dealers = value(game.sheet.round.next_dealer, scene(game, now, None))
            now.dealer = _one_seat(game, now, dealers, now.dealer)
        now.folded = folded
        now.round += 1
    now.stage = "deal"


def _game_over(game: Game, now: Position) -> bool:
    rules = game.sheet.game
    scores, left = now.scores[:], now.left
    if len(left) == game.players:
        now.left = frozenset()
    now.scores = [s + b for s, b in zip(scores, lines(game, now, rules.bonus, None), strict=True)]
    winning = game.sides_of(everyone(value(rules.wins, scene(game, now, None))))
    now.left = left
    if len(winning) > 1 and rules.tie == "another round":
        now.scores = scores
        return False
    now.stage, now.walks = "over", ()
    return True
