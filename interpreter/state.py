"""A position: everything that can change while a game is played.

`State` is treated as a value: whoever wants another position copies it first and changes the copy, so taking back is
keeping the old one. All names are slots (numbers of the program); sets of cards are bit masks.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from interpreter.moves import Group
from interpreter.native import mypyc_attr

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

SCOPES: Final = ("turn", "round", "game")
"""What moves are counted for (`State.times`)."""

MOST_COUNTED: Final = 10**15
"""No score and no tally goes beyond it, either way: numbers without bounds would take for ever."""


def bounded(number: int) -> int:
    """The number, or the bound it goes beyond."""
    return max(-MOST_COUNTED, min(MOST_COUNTED, number))


@mypyc_attr(free_list_len=1)
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
        shuffle(order, Random(f"{self.seed}/{self.index}/shuffle/{number}").getrandbits)
        return tuple(order)


def shuffle(order: list[int], random_bits: Callable[[int], int]) -> None:
    """Shuffle as `random.shuffle` does (R. A. Fisher and F. Yates, as given by R. Durstenfeld, 1964), but always in the
    same way, whatever a later Python does; `random_bits` gives a number of so many bits."""
    for last in range(len(order) - 1, 0, -1):
        width = (last + 1).bit_length()
        other = random_bits(width)
        while other > last:
            other = random_bits(width)
        order[last], order[other] = order[other], order[last]


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


@mypyc_attr(free_list_len=1)
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

    hands: list[int]
    """Cards of each seat, as masks."""
    piles: list[tuple[int, ...]]
    """Every other pile by slot, from the bottom to the top card."""
    groups: tuple[Group, ...]
    tallies: tuple[int, ...]
    scores: tuple[int, ...]
    """By side, as `rounds_won`."""
    rounds_won: tuple[int, ...]
    opened: int
    """Sides (bits) that laid a card this round; the other one: whose first it was this turn."""
    opened_this_turn: int
    folded: int
    """Seats (bits) out of this round; `left`: out of the game."""
    left: int
    dealer: int
    round: int
    turn_number: int
    idle_turns: int
    renewed: int
    mover: int
    """Whose turn it is; `ordinary`: whose the last turn was that was no extra one."""
    ordinary: int
    ender: int
    ending: int
    winners: tuple[int, ...]
    """Seats that won the last round; `losers` all others then in the game."""
    losers: tuple[int, ...]
    stopped: bool
    """Whether the table asked to stop; it does after so many rounds (0: never):"""
    stop_after: int
    stage: int
    frames: tuple[Frame, ...]
    named: tuple[int, ...]
    """Masks by slot."""
    duties: tuple[OpenDuty, ...]
    times: list[int]
    """How often each seat made each move: by scope, then move, then seat."""
    last_move: int
    """The last move of this turn; `last_changed`: whether it changed a card's place."""
    last_changed: bool
    moves_in_turn: int
    extra_done: int
    """Extra turns (bits) that were looked for and held this round; `extra_now` is the one going on."""
    extra_now: int
    extra_queue: tuple[int, ...]
    chance: Chance
    shuffles: tuple[tuple[int, ...], ...]
    """The order every shuffle so far gave, from the bottom card to the top one."""
    face_down: int
    """Cards that lie face down in a pile whose cards are seen."""
    shown: int
    """Cards in hands that everybody saw going there."""
    rules: Rules
    """The meld rules and points of this round; set by the deal."""
    results: tuple[RoundResult, ...]
    outcome: Outcome | None
    lookahead: Lookahead | None
    """What is known of the rest of the turn; a copy begins with nothing."""
    offered: Offer | None
    """What is known of the moves there are; a copy begins with nothing. See `legality.offer_of`."""
    defects: tuple[str, ...]
    capped: bool
    bounds: Bounds

    def __init__(self, original: State | None = None) -> None:
        """A position of a game that has not begun, or one equal to the original, to be changed."""
        if original is not None:
            self.bounds = original.bounds
            self.capped = original.capped
            self.chance = original.chance
            self.dealer = original.dealer
            self.defects = original.defects
            self.duties = original.duties
            self.ender = original.ender
            self.ending = original.ending
            self.extra_done = original.extra_done
            self.extra_now = original.extra_now
            self.extra_queue = original.extra_queue
            self.face_down = original.face_down
            self.folded = original.folded
            self.frames = original.frames
            self.groups = original.groups
            self.hands = original.hands[:]
            self.idle_turns = original.idle_turns
            self.last_changed = original.last_changed
            self.last_move = original.last_move
            self.left = original.left
            self.lookahead = None
            self.losers = original.losers
            self.mover = original.mover
            self.moves_in_turn = original.moves_in_turn
            self.named = original.named
            self.offered = None
            self.opened = original.opened
            self.opened_this_turn = original.opened_this_turn
            self.ordinary = original.ordinary
            self.outcome = original.outcome
            self.piles = original.piles[:]
            self.renewed = original.renewed
            self.results = original.results
            self.round = original.round
            self.rounds_won = original.rounds_won
            self.rules = original.rules
            self.scores = original.scores
            self.shown = original.shown
            self.shuffles = original.shuffles
            self.stage = original.stage
            self.stop_after = original.stop_after
            self.stopped = original.stopped
            self.tallies = original.tallies
            self.times = original.times[:]
            self.turn_number = original.turn_number
            self.winners = original.winners
            return
        self.hands = []
        self.piles = []
        self.groups = ()
        self.tallies = ()
        self.scores = ()
        self.rounds_won = ()
        self.opened = 0
        self.opened_this_turn = 0
        self.folded = 0
        self.left = 0
        self.dealer = 0
        self.round = 1
        self.turn_number = 0
        self.idle_turns = 0
        self.renewed = 0
        self.mover = NOBODY
        self.ordinary = NOBODY
        self.ender = NOBODY
        self.ending = NOBODY
        self.winners = ()
        self.losers = ()
        self.stopped = False
        self.stop_after = 0
        self.stage = OVER
        self.frames = ()
        self.named = ()
        self.duties = ()
        self.times = []
        self.last_move = NOBODY
        self.last_changed = False
        self.moves_in_turn = 0
        self.extra_done = 0
        self.extra_now = NOBODY
        self.extra_queue = ()
        self.chance = Chance("", 0)
        self.shuffles = ()
        self.face_down = 0
        self.shown = 0
        self.rules = None  # type: ignore[assignment]
        self.results = ()
        self.outcome = None
        self.lookahead = None
        self.offered = None
        self.defects = ()
        self.capped = False
        self.bounds = Bounds()

    def copy(self) -> State:
        """Another position equal to this one, to be changed."""
        return State(self)

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
            tuple(self.hands), tuple(self.piles), self.tallies, self.scores, self.rounds_won,
            self.groups, self.opened, self.opened_this_turn, self.folded, self.left, self.dealer,
            self.round, self.turn_number, self.idle_turns, self.renewed, self.mover, self.ordinary, self.ender,
            self.ending, self.winners, self.losers, self.stage, self.frames, self.named, self.duties,
            tuple(self.times), self.last_move, self.last_changed, self.extra_done, self.extra_now,
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
