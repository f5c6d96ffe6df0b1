"""The program: a sheet compiled for one number of players and one choice of options.

Names have become numbers (slots), expressions have become functions of an `Env`, turn phrases have become automata.
Nothing in it changes during play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interpreter.moves import Group, Meld, Move
from interpreter.native import mypyc_attr
from interpreter.pack import Pack

if TYPE_CHECKING:
    from interpreter.demands import Demand
    from interpreter.rules import Rules
    from interpreter.state import State
    from interpreter.walking import Onward

SIDE: Final = 1000
"""Added to the number of a side where a side stands for a player (a line of scores): its players together."""


UNPLACED: Final = 0
IN_HAND: Final = 1
MIDDLE: Final = 2
LOW: Final = 3
HIGH: Final = 4
"""Where a card lies, as far as its points go: low and high are the ends of a run."""


@mypyc_attr(free_list_len=1)
class Layout:
    """Cards split into groups and a rest; `cards` are those in the groups (for what a move brought: those from the
    hand)."""

    __slots__ = ("cards", "groups", "rest")

    def __init__(self, groups: tuple[Group, ...], cards: int, rest: int) -> None:
        self.groups = groups
        self.cards = cards
        self.rest = rest


@mypyc_attr(free_list_len=1)
class MoveContext:
    """What a move did so far, for `it`, `played` and the conditions that look back."""

    __slots__ = ("before", "changed", "it", "played_cards", "played_groups", "seat")

    def __init__(self, before: State, seat: int) -> None:
        self.before = before
        self.seat = seat
        self.it: Any = None
        self.played_cards = 0
        self.played_groups: tuple[Group, ...] = ()
        self.changed = False

    def copy(self) -> MoveContext:
        """Another one that knows the same."""
        other = MoveContext(self.before, self.seat)
        other.it = self.it
        other.played_cards = self.played_cards
        other.played_groups = self.played_groups
        other.changed = self.changed
        return other


@mypyc_attr(free_list_len=1)
class Env:
    """Where an expression is worked out: the position, who is *you*, whose the bare words are, what `it` is."""

    __slots__ = (
        "context", "each", "ender", "giver", "it", "itself", "meld", "named", "place", "program", "state",
        "subject", "turn_over",
        "you",
    )  # fmt: skip

    def __init__(self, program: Program, state: State, you: int) -> None:
        self.program = program
        self.state = state
        self.you = you
        self.subject = you
        self.it: Any = None
        self.each: Any = None
        """What `every`, `some`, `no` look at; `it` keeps its meaning in what they say of it."""
        self.meld: Meld | None = None
        """The group being looked at; a card in it is judged by its place there."""
        self.place = UNPLACED
        """Where the card looked at is taken to lie when points are tabulated, and whether as itself."""
        self.itself = True
        self.context: MoveContext | None = None
        self.named: tuple[int, ...] | None = None
        """Named cards instead of those of the position (an open duty keeps its own)."""
        self.turn_over = False
        self.ender = state.ender
        self.giver = -1


class Nowhere(Env):
    """Where constants are worked out: there is nothing to look at."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


Code = Callable[[Env], Any]
"""A compiled expression."""


CardCode = Callable[[Env, int], bool]
"""A compiled condition, asked of one card."""

ANYTHING: Final = 0
OLD_CARDS: Final = 1
NEW_CARDS: Final = 2
NEW_GROUPS: Final = 3
"""What a condition of a rearrangement asks about, for the search for plays. OLD_CARDS: of each of some cards of the
table, how it and its old group lie now; more groups never undo it. NEW_CARDS: which cards of the hand were put down;
more cards never undo it. NEW_GROUPS: that there are no more than so many new groups."""


@dataclass(frozen=True, slots=True)
class Check:
    """A compiled named condition: `path` as `because` says it, the phrase as written and where."""

    path: str
    code: Code
    text: str
    asks: int = ANYTHING
    of_card: CardCode | None = None
    """Where it asks about OLD_CARDS: the same of one card."""


# ------------------------------------------------------------ automata


Guards = tuple[tuple[int, bool], ...]
"""Guards (by number) and the values they must have."""


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A way on: to a position, under guards."""

    target: int
    guards: Guards


@dataclass(frozen=True, slots=True)
class WindowRule:
    """Others act in the middle of a turn. `who`: see WHO_*; `whose` only for WHO_EACH_WHOSE."""

    who: int
    whose: Code | None
    automaton: int


WHO_EACH_OTHER: Final = 0
WHO_FIRST_OTHER: Final = 1
WHO_NEXT: Final = 2
WHO_PARTNER: Final = 3
WHO_EACH_WHOSE: Final = 4


@dataclass(frozen=True, slots=True)
class Automaton:
    """A turn phrase as positions: position 0 is the start, every other one is a move or a window that just happened."""

    name: str
    labels: tuple[int, ...]
    """By position: number of the move, or -1 for a window."""
    windows: tuple[WindowRule | None, ...]
    edges: tuple[tuple[Edge, ...], ...]
    finals: tuple[tuple[Guards, ...], ...]
    """By position: the sets of guards under which the walk may stop there."""
    guards: tuple[Code, ...]
    places: tuple[str, ...]
    """Where each guard is written, for the listing."""
    onward: dict[int, Onward] = field(default_factory=dict, compare=False, repr=False)
    """What may follow sets of positions (masks), as far as it was asked for; see `walking`."""


# ------------------------------------------------------------ actions


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a chain, flattened: `kind` is one of the numbers below, the other fields as it needs them."""

    kind: int
    count: Code | None = None
    pile: int = -1
    """Zone, or tally for ADD and SET (-1: the score)."""
    of: Code | None = None
    """Whose zone or tally; None: yours, or the table's."""
    named: int = -1
    least: int = 0
    most: int = 0
    flag: bool = False
    """Face down (PUT), one's own groups only (REARRANGE)."""
    under: bool = False


DRAW: Final = 0
TAKE_TOP: Final = 1
TAKE_ALL: Final = 2
TAKE_ANY: Final = 3
DIG: Final = 4
PUT: Final = 5
PUT_EVERY: Final = 6
RETURN: Final = 7
LAY_MELDS: Final = 8
LAY_OFF: Final = 9
SWAP: Final = 10
REARRANGE: Final = 11
TURN_UP: Final = 12
PASS: Final = 13
FOLD: Final = 14
ADD: Final = 15
SET: Final = 16


@dataclass(frozen=True, slots=True)
class Aim:
    """What the groups a move lays must come to, as its conditions say: so many of some kinds (no kinds: points)."""

    kinds: frozenset[int]
    number: Code
    over: int
    """Added to the number: 1 where it has to be exceeded."""
    exact: bool


@dataclass(frozen=True, slots=True)
class DutyRule:
    """A compiled duty; `move` is the move of the deadline or -1."""

    path: str
    code: Code
    deadline: int
    move: int
    names: tuple[int, ...]
    """Slots of the named cards it speaks of."""
    must_lay: int
    """Slot of the card that must lie on the table (`X is on the table`), or -1 for any other condition."""
    text: str


BEFORE: Final = 0
BY: Final = 1
AT_ONCE: Final = 2
BEFORE_TURN_ENDS: Final = 3


ENDLESS: Final = 10**9
"""More than any count of moves, or of cards."""
NO_CARD: Final = -1


@dataclass(frozen=True, slots=True)
class MoveProgram:
    """A kind of move."""

    index: int
    name: str
    actions: tuple[Action, ...]
    before: tuple[Check, ...]
    only: tuple[Check, ...]
    duties: tuple[int, ...]
    draws_hidden: bool
    """Whether it brings cards the player cannot know before."""
    lays: bool
    """Whether it puts cards on the table; `rearranges`: whether it rebuilds it."""
    rearranges: bool
    finish_rank: int
    """Order in which ways to end a turn are tried: likely and cheap ones first."""
    doings: frozenset[int]
    """What its actions do, bookkeeping left out."""
    reach: int
    """How many actions there are up to the last one for which something can be chosen."""
    plain: bool
    """Whether it can be made with whatever can be chosen for it, if its `only`s hold; these ask, if anything, about the
    one card that is put away, and their answer can be told before it is."""
    cards: int
    """With how many cards in the hand it can be made in every position in which no duty is open; ENDLESS: unknown."""
    calls: bool = False
    """Whether an ending or extra turns ask for it by name: making it calls the end of the round."""
    aims: tuple[Aim, ...] = ()
    demand: Demand | None = None
    """What its `only`s ask of the groups it lays, where it lays groups once and nothing else."""
    asks_for_counts: bool = True
    """Whether what is asked while choices are made for it looks at which moves were made before."""
    by_card: list[Move | None] = field(default_factory=list, compare=False, repr=False)
    """The moves that put one card away and choose nothing else, as far as they were asked for, by card of the pack; at
    the end, NO_CARD, the one that chooses nothing at all."""

    def putting(self, card: int) -> Move:
        """The move that puts a card away, where that is all there is to choose."""
        found = self.by_card[card]
        if found is None:
            found = self.by_card[card] = Move(self.index, ((card,), *(None,) * (len(self.actions) - 1)))
        return found

    def bare(self) -> Move:
        """The move, where there is nothing to choose."""
        found = self.by_card[NO_CARD]
        if found is None:
            found = self.by_card[NO_CARD] = Move(self.index, (None,) * len(self.actions))
        return found


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of a move that conditions ask for, a number for each seat from `first` on in `State.times`. From `most` on
    it makes no difference how often the move was made."""

    first: int
    most: int


@dataclass(frozen=True, slots=True)
class AutomaticProgram:
    name: str
    when: Code
    actions: tuple[Action, ...]


# ------------------------------------------------------------ zones, rounds, games


@dataclass(frozen=True, slots=True)
class ZoneProgram:
    """A zone: its name, whose, who sees it, and its first slot in `State.piles` (-1 for hands)."""

    name: str
    of: str
    seen_by: str
    slot: int


SEES_NOTHING: Final = 0
SEES_TOP: Final = 1
SEES_ALL: Final = 2


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees by the rules of the zones: hands of seats (bits), and of each pile how much (SEES_*)."""

    hands: int
    piles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TallyProgram:
    name: str
    of: str
    lasts: str
    slot: int
    size: int


@dataclass(frozen=True, slots=True)
class DealProgram:
    zone: int
    count: Code
    named: int


@dataclass(frozen=True, slots=True)
class ScoreProgram:
    players: Code
    to: Code | None
    amounts: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class EndingProgram:
    name: str
    when: tuple[Check, ...]
    at_turn_end: bool
    """Whether it can come only when a turn is over; `after`: only after this kind of move (NOBODY: after any)."""
    after: int
    wins: Code | None
    scores: tuple[ScoreProgram, ...]
    times: tuple[Code, ...]
    does: tuple[Action, ...]
    void: bool


@dataclass(frozen=True, slots=True)
class ExtraProgram:
    name: str
    when: Code
    players: Code
    automaton: int


@dataclass(slots=True)
class Program:
    """Everything needed to play; see the parts. Text fields are for people only."""

    sheet_id: str
    sheet_hash: str
    name: dict[str, str]
    players: int
    sides: int
    options: dict[str, int | bool | str]
    pack: Pack
    zones: tuple[ZoneProgram, ...]
    pile_count: int
    stock: int
    """Slot of the stock in `State.piles`."""
    tallies: tuple[TallyProgram, ...]
    named: tuple[str, ...]
    named_in_deal: int
    """Bits of the named slots that last for the round."""
    moves: tuple[MoveProgram, ...]
    duties: tuple[DutyRule, ...]
    automatic: tuple[AutomaticProgram, ...]
    automata: tuple[Automaton, ...]
    turn: int
    before_deal: int
    after_round: int
    time_up: int
    deal: tuple[DealProgram, ...]
    packets: tuple[int, ...]
    renew: int
    """RENEW_*: how an empty stock is renewed; from the pile `renew_from`, at most `renew_limit` times."""
    renew_from: int
    renew_limit: Code | None
    starts: Code
    next: Code
    next_dealer: Code
    endings: tuple[EndingProgram, ...]
    extras: tuple[ExtraProgram, ...]
    leaves: Code | None
    ends: Code
    bonus: tuple[ScoreProgram, ...]
    wins: Code
    tie: int
    kind_names: tuple[str, ...]
    make_rules: Callable[[Program, State], Rules]
    """The meld rules and points of a round, once it is dealt."""
    stop_after: int = 0
    """Rounds after which the table asks to stop, for a game that goes on until it does; 0: never."""
    question: Code | None = None
    """What is asked of each round, at its end."""
    clock: Code | None = None
    warn: dict[int, Code] = field(default_factory=dict)
    private: int = -1
    undo: int = -1
    confirm: int = -1
    must: int = -1
    members: tuple[tuple[int, ...], ...] = ()
    """Seats of each side."""
    counted: tuple[Counted, ...] = ()
    sights: dict[int, Sight] = field(default_factory=dict)
    """What each seat sees, as far as it was asked for; see `view.sight_of`."""

    def seats_of(self, person: int) -> tuple[int, ...]:
        """The seats a person stands for: one, or all of a side."""
        return self.members[person - SIDE] if person >= SIDE else (person,)

    def side_of(self, person: int) -> int:
        """The side a person plays for."""
        return person - SIDE if person >= SIDE else person % self.sides

    def move_index(self, name: str) -> int:
        """The number of a move by its name; KeyError if there is none."""
        for move in self.moves:
            if move.name == name:
                return move.index
        raise KeyError(name)


RENEW_NOT: Final = 0
RENEW_SHUFFLED: Final = 1
RENEW_TURNED: Final = 2
TIE_SHARED: Final = 0
TIE_DRAW: Final = 1
TIE_ANOTHER_ROUND: Final = 2
