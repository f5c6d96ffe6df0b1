"""A position of a game, and the values that expressions come to."""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.moves import LaidOff, Meld, Swapped
from rulespec.model import Duty, Window
from tests.slow.phrases import Rest


class Who(NamedTuple):
    """A player, or (in a line of scores) a side: the seats that are meant."""

    seats: tuple[int, ...]


class Group(NamedTuple):
    """A group on the table: whose it is, and who laid each card."""

    meld: Meld
    owner: int
    by: tuple[int, ...]


class Layout(NamedTuple):
    """Cards split into groups and a rest."""

    groups: tuple[Group, ...]
    cards: frozenset[int]
    rest: frozenset[int]


Choice = None | int | tuple[int, ...] | tuple[Meld, ...] | LaidOff | Swapped


class Move(NamedTuple):
    """The name of a move (`done` too) and what was chosen for each of its actions."""

    name: str
    choices: tuple[Choice, ...] = ()


DONE = Move("done")


class Walk(NamedTuple):
    """Somebody in the middle of a phrase: what may be left of it, and who is asked after him in the window."""

    rests: tuple[Rest, ...]
    seat: int
    queue: tuple[int, ...] = ()
    window: Window | None = None
    moved: bool = False


class Owed(NamedTuple):
    """An open duty, with the named cards as they were when it was opened, and how many walks there were."""

    duty: Duty
    seat: int
    depth: int
    named: tuple[tuple[str, frozenset[int]], ...]


@dataclass
class Position:
    """Everything that changes. Piles lie from the bottom to the top card; they and tallies are kept by name and owner
    (a seat, a side, or None for the table)."""

    hands: list[frozenset[int]]
    scores: list[int]
    rounds_won: list[int]
    dealer: int
    piles: dict[tuple[str, int | None], tuple[int, ...]] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    tallies: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    opened: frozenset[int] = frozenset()
    opened_this_turn: frozenset[int] = frozenset()
    folded: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    round: int = 1
    turn_number: int = 0
    idle_turns: int = 0
    renewed: int = 0
    mover: int | None = None
    ordinary: int | None = None
    ender: int | None = None
    ending: str | None = None
    winners: frozenset[int] = frozenset()
    losers: frozenset[int] = frozenset()
    stage: str = "deal"
    """What the walks are of: before-deal, turn, extra, after-round; deal: the next round begins; over."""
    walks: tuple[Walk, ...] = ()
    named: dict[str, frozenset[int]] = field(default_factory=dict)
    duties: tuple[Owed, ...] = ()
    made: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """How often each seat made each move this turn, round, game."""
    last_move: str | None = None
    last_changed: bool = False
    extra_done: frozenset[str] = frozenset()
    extra_now: str | None = None
    extra_queue: tuple[int, ...] = ()
    shuffles: int = 0
    wild: frozenset[int] = frozenset()
    """The wild cards of this round."""
    dealt: Position | None = None
    """As it was after the deal, for what `needs` looks at."""
    dead_ends: tuple[str, ...] = ()

    def copy(self) -> Position:
        """Another position equal to this one, to be changed."""
        other = copy(self)
        other.hands, other.scores, other.rounds_won = self.hands[:], self.scores[:], self.rounds_won[:]
        other.piles, other.tallies = dict(self.piles), Counter(self.tallies)
        other.named, other.made = dict(self.named), Counter(self.made)
        return other

    def key(self) -> tuple[object, ...]:
        """All that the rest of a turn can depend on."""
        return (
            tuple(self.hands), tuple(sorted(self.piles.items(), key=str)), frozenset(self.groups), self.walks,
            frozenset(self.tallies.items()), tuple(self.scores), self.opened, self.opened_this_turn, self.folded,
            frozenset(self.named.items()), self.duties, frozenset(self.made.items()), self.last_move, self.renewed,
            self.round, self.turn_number, self.stage, self.mover, self.dealer, self.extra_done, self.extra_now,
            self.wild,
        )  # fmt: skip


@dataclass
class Doing:
    """What a move has done so far: `it`, and what `played` says."""

    before: Position
    it: object = None
    cards: frozenset[int] = frozenset()
    groups: tuple[Group, ...] = ()
    changed: bool = False

    def copy(self) -> Doing:
        """The same, to be changed."""
        return copy(self)
