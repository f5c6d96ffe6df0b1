"""Thinking ahead without looking at hidden cards: positions that may be the real one, played on by a quick player.

A `World` is such a position. What a move is worth in it is told by the sheet's own scores and winners.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from interpreter.errors import IllegalMove
from interpreter.flow import apply, people_of
from interpreter.holding import usefulness
from interpreter.moves import Move
from interpreter.pack import bits, mask_of
from interpreter.program import Env, Program
from interpreter.state import NOBODY, State
from interpreter.view import UNSEEN, SeatView, view_of

if TYPE_CHECKING:
    from interpreter.bots import Bot

GAME: Final = 400.0
"""What winning the game is worth beside points; ROUND: winning a round in which no points are written."""
ROUND: Final = 25.0
NOWHERE: Final = -1e9
"""What a move is worth that cannot be made."""
BETTERED: Final = 4
"""Most cards of a hidden hand that are taken to have been exchanged for better ones since the deal."""


def many_are_good(program: Program, state: State) -> int:
    """1 if the game is won by many points, -1 if by few, 0 if points do not tell."""
    probe = state.copy()
    probe.ending = NOBODY
    probe.winners = probe.losers = ()
    probe.scores = (1, *(0,) * (program.sides - 1))
    sides = {program.side_of(person) for person in people_of(program.wins(Env(program, probe, NOBODY)))}
    if not sides:
        return 0
    return 1 if sides == {0} else -1 if 0 not in sides else 0


def lead(program: Program, points: Sequence[float], seat: int) -> float:
    """What the side of a seat has more than the others on average."""
    side = program.side_of(seat)
    if program.sides == 1:
        return float(points[side])
    return points[side] - (sum(points) - points[side]) / (program.sides - 1)


def profit(program: Program, before: State, after: State, seat: int) -> float:
    """What a seat has from what happened between two positions: the game, rounds, and what is left in the hands."""
    sign = many_are_good(program, before)
    side = program.side_of(seat)
    found = 0.0
    for result in after.results[len(before.results) :]:
        gained = sign * lead(program, result.scores, seat)
        if not gained and result.winners and not result.void:
            gained = ROUND * (share_of(program, result.winners, side) - 1 / program.sides)
        found += gained
    if after.outcome is not None:
        found += GAME * (share_of(program, after.outcome.winners, side) - 1 / program.sides)
    elif (after.left & ~before.left) >> seat & 1:
        found -= GAME / 2
    if len(after.results) == len(before.results):
        found += sign * lead(program, [a - b for a, b in zip(after.scores, before.scores, strict=True)], seat)
        found -= lead(program, _in_hands(program, after), seat) / 2
    return found


def share_of(program: Program, winners: tuple[int, ...], side: int) -> float:
    """A side's part of what some seats won together."""
    sides = {program.side_of(winner) for winner in winners}
    return (side in sides) / len(sides) if sides else 0.0


def _in_hands(program: Program, state: State) -> list[int]:
    """What the cards in the hands of each side count, for its first seat."""
    env = Env(program, state, NOBODY)
    return [sum(state.rules.hand_points(env, state.hands[s], s) for s in seats) for seats in program.members]


def imagined(view: SeatView, random: Random) -> State:
    """A world: what the seat does not see is dealt anew, and the others have had time to better their hands."""
    world = view.possible(random)
    program = view.program
    swaps = min(BETTERED, view.turn_number // program.players)
    for seat in range(program.players):
        hidden = world.hands[seat] & ~view.known[seat]
        stock = world.piles[program.stock]
        if not hidden or not swaps or len(stock) <= swaps:
            continue
        drawn = mask_of(stock[:swaps])
        world.hands[seat] |= drawn
        worth = usefulness(view_of(program, world, seat), world.hands[seat])
        thrown = sorted(bits(hidden | drawn), key=lambda c: (worth[c], c))[:swaps]
        world.hands[seat] &= ~mask_of(thrown)
        world.piles[program.stock] = (*thrown, *stock[swaps:])
    return world


def played_on(
    program: Program,
    state: State,
    player: Bot,
    moves: int,
    until: Callable[[State], bool],
    draws: Draws | None = None,
) -> State:
    """The position after everybody has been played for, at most so many moves, until something holds or the round is
    over."""
    rounds = len(state.results)
    for _ in range(moves):
        if not state.frames or len(state.results) > rounds or until(state):
            break
        if draws is not None:
            draws.keep_order(state)
        seat = state.to_act
        state = apply(program, state, player.choose(view_of(program, state, seat)), deal_on=False)
    state.offered = None  # they hold each other, and the collector looks seldom
    return state


class Draws:
    """Lets each turn find the card of the stock that it would find had each turn before drawn one, so that a world is
    the same for two moves of which one takes a card of another pile: what nobody draws goes under the stock.

    Only where the `view` sees nothing of the stock, so that its cards are as likely in one order as in another.
    """

    def __init__(self, view: SeatView, world: State) -> None:
        program = view.program
        self._stock = program.stock
        self._hidden = all(card == UNSEEN for card in view.piles[program.stock])
        self._shuffles = len(world.shuffles)
        self._depth = len(world.piles[program.stock]) + world.turn_number
        self.moves = 0
        """How often it was asked: the moves that were played on."""

    def keep_order(self, state: State) -> None:
        """Put the cards under the stock that turns before this one left; of a position nobody looks at yet."""
        self.moves += 1
        if not self._hidden:
            return
        stock = state.piles[self._stock]
        left = len(stock) + state.turn_number - self._depth
        if 0 < left < len(stock) and len(state.shuffles) == self._shuffles:
            state.piles[self._stock] = (*stock[-left:], *stock[:-left])
            self._depth += left


def never(_: State) -> bool:
    """Nothing to wait for but the end of the round."""
    return False


def after_move(program: Program, world: State, move: Move) -> State:
    """The position after a move in a world. Raises IllegalMove where it cannot be made there."""
    return apply(program, world, move, deal_on=False)


def followed(
    program: Program,
    world: State,
    move: Move,
    player: Bot,
    moves: int,
    until: Callable[[State], bool] = never,
    draws: Draws | None = None,
) -> State | None:
    """The position after a move in a world and what `player` then does for everybody, at most so many moves for each,
    until something holds or the round is over; None where the move cannot be made there."""
    try:
        after = after_move(program, world, move)
    except IllegalMove:
        return None
    return played_on(program, after, player, moves * program.players, until, draws)
