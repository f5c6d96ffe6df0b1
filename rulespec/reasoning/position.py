"""A position seen from far away: whether there are cards in the stock, on the discards, in the hand; little else."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import SOME_OR_NONE, Between, exactly

Few = Literal[0, 1, 2]
"""How many cards: none, one, or more (2)."""
Stock = Literal["cards", "empty", "dry"]
Opened = Literal["no", "earlier", "now"]
MORE: Few = 2
NONE: frozenset[str] = frozenset()
FEWS: tuple[Few, ...] = (0, 1, 2)
SIZES: dict[Few, Between] = {0: exactly(0), 1: exactly(1), 2: Between(2, float("inf"))}


class Seat(NamedTuple):
    """What matters of a player."""

    hand: Few
    opened: Opened = "no"

    def at_rest(self) -> Seat:
        """The same when the turn is over."""
        return self._replace(opened="earlier") if self.opened == "now" else self


class Piles(NamedTuple):
    """What matters of the middle of the table."""

    stock: Stock
    discards: Few


class Position(NamedTuple):
    """`mover` is whose turn it is; `asked` the one who acts in a window, None outside windows. `over` names the extra
    turns that are over."""

    piles: Piles
    mover: Seat
    asked: Seat | None = None
    over: frozenset[str] = NONE

    @property
    def you(self) -> Seat:
        return self.mover if self.asked is None else self.asked

    def with_you(self, piles: Piles, seat: Seat) -> Position:
        """After something that changed the piles and the one who acts."""
        if self.asked is None:
            return self._replace(piles=piles, mover=seat)
        return self._replace(piles=piles, asked=seat)


class Done(NamedTuple):
    """What has been done in a turn: the last move, "" if there is none yet, and the ways it may have come about: how
    often the mover made some moves."""

    last: str
    ways: tuple[tuple[tuple[str, Between], ...], ...] = ((),)


NOTHING_DONE = Done("")


def known_in(base: Known, piles: Piles, seat: Seat | None, done: Done, in_window: bool) -> list[Known]:
    """What is known in a position, for each way it may have come about; of the player nothing if `seat` is None."""
    known = known_before(base, piles, seat, done.last, in_window)
    return [replace(known, times=dict(times)) for times in done.ways]


def known_before(base: Known, piles: Piles, seat: Seat | None, last: str | None, in_window: bool) -> Known:
    """The same, without how often moves were made; `last` is None where nothing is known of the last move."""
    sizes = {
        "stock": SOME_OR_NONE if piles.stock == "cards" else exactly(0),
        "discards": SIZES[piles.discards],
    }
    if piles.stock == "cards":
        sizes["stock"] = Between(1, float("inf"))
    if seat is not None:
        hand = SIZES[seat.hand]
        sizes["hand"] = Between(hand.low, max(min(hand.high, base.hand_limit), hand.low))
    return replace(
        base,
        sizes=sizes,
        dry=piles.stock == "dry",
        opened=None if seat is None else seat.opened != "no",
        opened_this_turn=None if seat is None else seat.opened == "now",
        mover=not in_window,
        last=last,
    )


def more(hand: Few, by: Between) -> set[Few]:
    """How many cards there may be when so many are added; at most so many as `by` says, at least one of them if any."""
    if by.high <= 0:
        return {hand}
    least, most = max(by.low, 0), by.high
    return {few for few in FEWS if _least(hand) + least <= _most(few) and _least(few) <= _most(hand) + most}


def fewer(hand: Few, by: Between) -> set[Few]:
    """How many may be left when so many are taken away; nothing if there are not enough."""
    return {few for few in FEWS if _least(few) + max(by.low, 0) <= _most(hand) and _least(hand) <= _most(few) + by.high}


def _least(few: Few) -> int:
    return few


def _most(few: Few) -> float:
    return float("inf") if few == MORE else few
