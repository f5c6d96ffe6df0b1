"""A position: everything that can change while a game is played.

`State` is treated as a value: whoever wants another position copies it first and changes the copy, so taking back is
keeping the old one. All names are slots (numbers of the program); sets of cards are bit masks.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from interpreter.moves import Group

if TYPE_CHECKING:
    from interpreter.legality import Offer
    from interpreter.rules import Rules

NOBODY: Final = -1
"""In place of a seat, a card, an ending, a move: none."""

BEFORE_DEAL: Final = 0
TURN: Final = 1
EXTRA_TURN: Final = 2
AFTER_ROUND: Final = 3
ROUND_DONE: Final = 4
OVER: Final = 5
"""What is going on (`State.stage`); ROUND_DONE: scored, and the next deal not yet begun."""

MOST_COUNTED: Final = 10**15
"""No score and no tally goes beyond it, either way: numbers without bounds would take for ever."""


def bounded(number: int) -> int:
    """The number, or the bound it goes beyond."""
    return max(-MOST_COUNTED, min(MOST_COUNTED, number))


class Frame:
    """Somebody walking an automaton: the turn itself, or a window in it. The last frame of a state is who moves.

    It is not changed once it is made.
    """

    __slots__ = ("at", "automaton", "moved", "queue", "seat", "window")

    def __init__(
        self, automaton: int, at: int, seat: int, queue: tuple[int, ...] = (), window: int = 0, moved: bool = False
    ) -> None:
        self.automaton = automaton
        self.at = at
        """Set of positions (bit mask) the walk may be in; bit 0 is the start."""
        self.seat = seat
        self.queue = queue
        """Seats asked after this one, in a window."""
        self.window = window
        """Position of the window in the automaton of the frame below."""
        self.moved = moved
        """Whether this seat made a move in this window."""

    def gone_on(self, at: int, moved: bool = False) -> Frame:
        """The same walk in another place, after a move if it is said so."""
        return Frame(self.automaton, at, self.seat, self.queue, self.window, self.moved or moved)

    def _key(self) -> tuple[int, int, int, tuple[int, ...], int, bool]:
        return (self.automaton, self.at, self.seat, self.queue, self.window, self.moved)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class OpenDuty(NamedTuple):
    """A duty somebody still has: `duty` is its number in the program."""

    duty: int
    seat: int
    depth: int
    """How many frames there were when it was opened; a window's duties do not bind the mover."""
    named: tuple[int, ...]
    """The named cards as they were then (masks by slot)."""


def is_seed(text: str) -> bool:
    """Whether a text can be a seed: one line of a record says it."""
    return bool(text) and text == text.strip() and text.isprintable()


class Chance:
    """The shuffles of one game: a fixed function of the seed, the game's index and the number of the shuffle.

    Orders that were recorded are given again as long as the cards are the same.
    """

    __slots__ = ("index", "recorded", "seed")

    def __init__(self, seed: int | str, index: int, recorded: tuple[tuple[int, ...], ...] = ()) -> None:
        self.seed = seed
        self.index = index
        self.recorded = recorded

    def order(self, number: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Shuffled cards, the top one last."""
        if number < len(self.recorded) and sorted(self.recorded[number]) == sorted(cards):
            return self.recorded[number]
        order = sorted(cards)
        Random(f"{self.seed}/{self.index}/shuffle/{number}").shuffle(order)
        return tuple(order)


class Lookahead:
    """What was found out about the rest of a turn from one position: positions the turn can be finished from, and
    positions it cannot; `tried` counts the moves that were tried for it."""

    __slots__ = ("fruitless", "good", "tried")

    def __init__(self) -> None:
        self.good: set[tuple[object, ...]] = set()
        self.fruitless: set[tuple[object, ...]] = set()
        self.tried = 0


class Bounds:
    """How many answers of one game were cut short by a stated bound, so that they may be wrong; its positions share
    it."""

    __slots__ = ("cut",)

    def __init__(self) -> None:
        self.cut = 0


class State:
    """One position of one game."""

    __slots__ = (
        "bounds",
        "capped",
        "chance",
        "dealer",
        "defects",
        "duties",
        "ender",
        "ending",
        "extra_done",
        "extra_now",
        "extra_queue",
        "face_down",
        "folded",
        "frames",
        "groups",
        "hands",
        "idle_turns",
        "last_changed",
        "last_move",
        "left",
        "lookahead",
        "losers",
        "mover",
        "moves_in_turn",
        "named",
        "offered",
        "opened",
        "opened_this_turn",
        "ordinary",
        "outcome",
        "piles",
        "renewed",
        "results",
        "round",
        "rounds_won",
        "rules",
        "scores",
        "shown",
        "shuffles",
        "stage",
        "stop_after",
        "stopped",
        "tallies",
        "times",
        "turn_number",
        "winners",
    )

    def __init__(self) -> None:
        self.hands: list[int] = []
        """Cards of each seat, as masks."""
        self.piles: list[tuple[int, ...]] = []
        """Every other pile by slot, from the bottom to the top card."""
        self.groups: tuple[Group, ...] = ()
        self.tallies: list[int] = []
        self.scores: list[int] = []
        """By side, as `rounds_won`."""
        self.rounds_won: list[int] = []
        self.opened: int = 0
        """Sides (bits) that laid a card this round; the other one: whose first it was this turn."""
        self.opened_this_turn: int = 0
        self.folded: int = 0
        """Seats (bits) out of this round; `left`: out of the game."""
        self.left: int = 0
        self.dealer: int = 0
        self.round: int = 1
        self.turn_number: int = 0
        self.idle_turns: int = 0
        self.renewed: int = 0
        self.mover: int = NOBODY
        """Whose turn it is; `ordinary`: whose the last turn was that was no extra one."""
        self.ordinary: int = NOBODY
        self.ender: int = NOBODY
        self.ending: int = NOBODY
        self.winners: tuple[int, ...] = ()
        """Seats that won the last round; `losers` all others then in the game."""
        self.losers: tuple[int, ...] = ()
        self.stopped: bool = False
        """Whether the table asked to stop; it does after so many rounds (0: never):"""
        self.stop_after: int = 0
        self.stage: int = OVER
        self.frames: tuple[Frame, ...] = ()
        self.named: tuple[int, ...] = ()
        """Masks by slot."""
        self.duties: tuple[OpenDuty, ...] = ()
        self.times: dict[int, tuple[int, int, int]] = {}
        """Moves made, this turn, round and game, by move * seats + seat."""
        self.last_move: int = NOBODY
        """The last move of this turn; `last_changed`: whether it changed a card's place."""
        self.last_changed: bool = False
        self.moves_in_turn: int = 0
        self.extra_done: int = 0
        """Extra turns (bits) that were looked for and held this round; `extra_now` is the one going on."""
        self.extra_now: int = NOBODY
        self.extra_queue: tuple[int, ...] = ()
        self.chance: Chance = Chance("", 0)
        self.shuffles: tuple[tuple[int, ...], ...] = ()
        """The order every shuffle so far gave, from the bottom card to the top one."""
        self.face_down: int = 0
        """Cards that lie face down in a pile whose cards are seen."""
        self.shown: int = 0
        """Cards in hands that everybody saw going there."""
        self.rules: Rules = None  # type: ignore[assignment]
        """The meld rules and points of this round; set by the deal."""
        self.results: tuple[RoundResult, ...] = ()
        self.outcome: Outcome | None = None
        self.lookahead: Lookahead | None = None
        """What is known of the rest of the turn; a copy begins with nothing."""
        self.offered: Offer | None = None
        """What is known of the moves there are; a copy begins with nothing. See `legality.offer_of`."""
        self.defects: tuple[str, ...] = ()
        self.capped: bool = False
        self.bounds: Bounds = Bounds()

    def copy(self) -> State:
        """Another position equal to this one, to be changed."""
        other = State.__new__(State)
        other.bounds = self.bounds
        other.capped = self.capped
        other.chance = self.chance
        other.dealer = self.dealer
        other.defects = self.defects
        other.duties = self.duties
        other.ender = self.ender
        other.ending = self.ending
        other.extra_done = self.extra_done
        other.extra_now = self.extra_now
        other.extra_queue = self.extra_queue
        other.face_down = self.face_down
        other.folded = self.folded
        other.frames = self.frames
        other.groups = self.groups
        other.hands = self.hands[:]
        other.idle_turns = self.idle_turns
        other.last_changed = self.last_changed
        other.last_move = self.last_move
        other.left = self.left
        other.lookahead = None
        other.losers = self.losers
        other.mover = self.mover
        other.moves_in_turn = self.moves_in_turn
        other.named = self.named
        other.offered = None
        other.opened = self.opened
        other.opened_this_turn = self.opened_this_turn
        other.ordinary = self.ordinary
        other.outcome = self.outcome
        other.piles = self.piles[:]
        other.renewed = self.renewed
        other.results = self.results
        other.round = self.round
        other.rounds_won = self.rounds_won[:]
        other.rules = self.rules
        other.scores = self.scores[:]
        other.shown = self.shown
        other.shuffles = self.shuffles
        other.stage = self.stage
        other.stop_after = self.stop_after
        other.stopped = self.stopped
        other.tallies = self.tallies[:]
        other.times = self.times.copy()
        other.turn_number = self.turn_number
        other.winners = self.winners
        return other

    @property
    def frame(self) -> Frame:
        """Where the walk of whoever is to act stands."""
        return self.frames[-1]

    @property
    def to_act(self) -> int:
        """The seat that has to move, NOBODY when the game is over."""
        return self.frames[-1].seat if self.frames else NOBODY

    def group_of(self, card: int) -> int:
        """Index of the group a card lies in, or NOBODY."""
        for index, group in enumerate(self.groups):
            if card in group.meld.cards:
                return index
        return NOBODY

    def key(self) -> tuple[object, ...]:
        """Everything in the position that play depends on; equal keys are equal positions."""
        return (
            tuple(self.hands), tuple(self.piles), tuple(self.tallies), tuple(self.scores), tuple(self.rounds_won),
            self.groups, self.opened, self.opened_this_turn, self.folded, self.left, self.dealer,
            self.round, self.turn_number, self.idle_turns, self.renewed, self.mover, self.ordinary, self.ender,
            self.ending, self.winners, self.losers, self.stage, self.frames, self.named, self.duties,
            tuple(sorted(self.times.items())), self.last_move, self.last_changed, self.extra_done, self.extra_now,
            self.extra_queue, self.face_down, self.shown, self.outcome,
        )  # fmt: skip

    def card_count(self) -> int:
        """How many cards are anywhere; raises ValueError where one is in two places."""
        seen = 0
        total = 0
        for mask in self.hands:
            total += mask.bit_count()
            seen |= mask
        for pile in self.piles:
            total += len(pile)
            for card in pile:
                seen |= 1 << card
        for group in self.groups:
            total += len(group.meld.cards)
            seen |= group.meld.mask
        if seen.bit_count() != total:
            raise ValueError("a card lies in two places")
        return total


class RoundResult(NamedTuple):
    """How a round ended: the ending, whose condition it was, the winning seats, what each side got.

    `caller` is the seat whose turn brought the end: where others had a last turn, who had the one before those. `asked`
    is the answer to the program's question.
    """

    ending: str
    ender: int
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    turns: int
    void: bool
    caller: int
    asked: bool = False


class Outcome(NamedTuple):
    """How a game ended: the winning seats (none in a draw or after a cap) and the final scores by side."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    draw: bool
