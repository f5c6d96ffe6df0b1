"""The checked rulesheet: every phrase parsed and typed, `extends` and defaults resolved, unreached parts dropped.

Frozen dataclasses only. The checker makes a `Rulesheet`, the compiler reads it; nothing else is known of the YAML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulespec.expressions import Expr, Type
from rulespec.source import Span

UNBOUNDED = 1_000_000
"""The high end of a range without one (`3+`)."""


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class Condition:
    """A named condition. `path` is what a refusal and `because` say: `play.only.joker-name`, `melds.run.needs.x`."""

    name: str
    path: str
    expr: Expr
    span: Span
    text: str
    """The phrase as written (of a duty: with its deadline)."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A named number of a line of scores, of `times` or of `bonus`; a lone phrase is called `rule`."""

    name: str
    expr: Expr
    span: Span


# ------------------------------------------------------------ declared things


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the table. `type` is NUMBER, TRUTH or WORD; the first value is the default."""

    name: str
    values: tuple[int | bool | str, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class LookupTable:
    """Rows of numbers by a key. `key` is an Expr of type NUMBER."""

    name: str
    key: Expr
    rows: tuple[tuple[Range, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TallyRule:
    name: str
    of: Literal["player", "side", "table"]
    lasts: Literal["turn", "round", "game"]
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """`subject` is the GROUP it stands in: what `it` (or, for players, a bare word and "you") means in `body`."""

    name: str
    subject: Literal["cards", "groups", "layouts", "players", "round"]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class ZoneRule:
    """Built in are `stock`, `discards` (table), `hand` (player); `table` is no zone of cards."""

    name: str
    of: Literal["table", "player", "side"]
    seen_by: Literal["everyone", "owner", "side", "nobody", "top"]
    span: Span


# ------------------------------------------------------------ cards


@dataclass(frozen=True, slots=True)
class Deck:
    """`places` is the order of ranks written out, from low to high: a rank at both ends stands there twice
    (`A 2 … K A` has 14 places). With `round_the_corner` the ends join."""

    packs: Expr
    jokers: Expr
    suits: tuple[str, ...]
    places: tuple[str, ...]
    round_the_corner: bool
    span: Span


@dataclass(frozen=True, slots=True)
class DealLine:
    """Cards for each owner of a zone (`count` has *you* for zones with owners), perhaps named."""

    zone: str
    count: Expr
    named: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Deal:
    """In the order they are dealt: hands, other zones with an owner, zones of the table. `packets` may be empty."""

    lines: tuple[DealLine, ...]
    packets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StockRule:
    """How an empty stock is renewed; `how` is "nothing", "reshuffle" or "turn over" (then from `zone`, except its top
    card, `at_most` times or without limit)."""

    how: Literal["nothing", "reshuffle", "turn over"]
    zone: str
    at_most: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Wild:
    """Which cards may stand for others: `cards` is a condition on `It` (CARD)."""

    cards: Expr
    stands_for: Literal["a named card", "its place", "any place of its group"]
    span: Span


@dataclass(frozen=True, slots=True)
class MeldKind:
    """A kind of group, `melds.every` already in it. `of` and `apart` are conditions on `It` (CARD), `needs` on `It`
    (GROUP). `same` and `different` hold "rank", "suit", "colour"."""

    name: str
    cards: Range
    natural: Range
    wild: Range
    same: tuple[str, ...]
    different: tuple[str, ...]
    consecutive: bool
    of: Expr | None
    apart: Expr | None
    needs: tuple[Condition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ValueRow:
    """Points of the cards of a class (a condition on `It`). `points` is an expression, or "pips", or "its card"."""

    card: Expr
    points: Expr | Literal["pips", "its card"]
    span: Span


@dataclass(frozen=True, slots=True)
class Values:
    hand: tuple[ValueRow, ...]
    melds: tuple[ValueRow, ...]
    everywhere: tuple[ValueRow, ...]


# ------------------------------------------------------------ what a move does


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """`draw N [from ZONE] [as X]`"""

    count: Expr
    zone: str
    of: Expr | None
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """`take top [N]|all|any|any with all above of ZONE [as X]`; `count` only for "top"."""

    what: Literal["top", "all", "any", "dig"]
    count: int
    zone: str
    of: Expr | None
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Put(Action):
    """`put N|any|all [face down] on|under ZONE [as X]`"""

    count: int | Literal["any", "all"]
    face_down: bool
    under: bool
    zone: str
    of: Expr | None
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutEvery(Action):
    """`put every CLASS on ZONE [as X]`; `card` is a condition on `It`."""

    card: Expr
    face_down: bool
    under: bool
    zone: str
    of: Expr | None
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Action):
    """`return X to|under ZONE`; duties that name X end."""

    name: str
    under: bool
    zone: str
    of: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LayMelds(Action):
    """`lay a meld` (1 to 1), `lay melds` (1 or more), `lay any melds` (0 or more)."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LayOff(Action):
    count: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Action):
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rearrange(Action):
    own: bool
    zone: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Action):
    count: int
    zone: str
    of: Expr | None
    named: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Action):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Action):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Action):
    """`add N to TALLY [of P]`; the tally may be `score`. `of` None: a tally of the table."""

    amount: Expr
    tally: str
    of: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTally(Action):
    tally: str
    of: Expr | None
    amount: Expr


@dataclass(frozen=True, slots=True)
class Duty:
    """A condition and a deadline; `move` only for "before" and "by". Its `names` are the named cards it speaks of."""

    condition: Condition
    deadline: Literal["before", "by", "at once", "before turn ends"]
    move: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveRule:
    """One kind of move, `moves.every` already in it."""

    name: str
    does: tuple[Action, ...]
    before: tuple[Condition, ...]
    """Its `if`s."""
    only: tuple[Condition, ...]
    duties: tuple[Duty, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Automatic:
    name: str
    when: Expr
    does: tuple[Action, ...]
    span: Span


# ------------------------------------------------------------ phases


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A turn phrase, or a part of one."""

    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveItem(Phase):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseItem(Phase):
    """The name of a phase and what it stands for."""

    name: str
    body: Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence(Phase):
    """`A then B`; each step with its guard, or None. A step whose guard fails is passed over."""

    steps: tuple[tuple[Phase, Expr | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Phase):
    items: tuple[Phase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Phase):
    """`may A` (0 to 1), `any number of A` (0 to UNBOUNDED), `up to 3 A` (0 to 3), `3 times A` (3 to 3)."""

    item: Phase
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Window(Phase):
    """Others act. `whose` only for "each whose"."""

    who: Literal["each other", "first other", "next", "partner", "each whose"]
    whose: Expr | None
    item: Phase


# ------------------------------------------------------------ rounds and games


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`P: N` or `P to Q: N`; the amounts add up."""

    players: Expr
    to: Expr | None
    amounts: tuple[Amount, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Ending:
    """One way a round ends, the common part of `round` and the ending it is `within` already laid under it.
    All of `when` must hold (its own and those it is within)."""

    name: str
    within: str | None
    when: tuple[Condition, ...]
    wins: Expr | None
    scores: tuple[ScoreLine, ...]
    times: tuple[Amount, ...]
    does: tuple[Action, ...]
    void: bool
    span: Span


@dataclass(frozen=True, slots=True)
class ExtraTurns:
    name: str
    when: Expr
    players: Expr
    turn: Phase
    span: Span


@dataclass(frozen=True, slots=True)
class Round:
    """`endings` in the order they are tried: a special case before what it is within."""

    starts: Expr
    next: Expr
    next_dealer: Expr
    before_deal: Phase | None
    endings: tuple[Ending, ...]
    extra_turns: tuple[ExtraTurns, ...]


@dataclass(frozen=True, slots=True)
class GameRules:
    leaves: Expr | None
    after_round: Phase | None
    ends: Expr
    bonus: tuple[ScoreLine, ...]
    wins: Expr
    tie: Literal["shared", "draw", "another round"]


@dataclass(frozen=True, slots=True)
class Manners:
    """For the table's software and computer players; never changes what is legal."""

    private: str | None
    undo: str | None
    confirm: str | None
    must: str | None
    warn: tuple[tuple[str, Expr], ...]
    clock: Expr | None
    time_up: Phase | None


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """A whole game, ready to be compiled."""

    id: str
    name: dict[str, str]
    """By language: `en`, `de`, `nl`."""
    ancestors: tuple[str, ...]
    """The ids it extends, nearest first; the last is `standard`."""
    sources: str
    readings: str
    notes: str
    hash: str
    """SHA-256 (hex) of the resolved sheet: the same meaning, the same hash."""
    players: Range
    sides: Expr
    options: tuple[Option, ...]
    tables: tuple[LookupTable, ...]
    tallies: tuple[TallyRule, ...]
    definitions: tuple[Definition, ...]
    deck: Deck
    zones: tuple[ZoneRule, ...]
    deal: Deal
    stock: StockRule
    wild: Wild | None
    melds: tuple[MeldKind, ...]
    values: Values
    moves: tuple[MoveRule, ...]
    automatic: tuple[Automatic, ...]
    turn: Phase
    round: Round
    game: GameRules
    manners: Manners
    words: dict[str, dict[str, str]]
    """By declared name, then by language."""
    question: Expr | None = None
    """What somebody asks of each round, at its end; not a part of the rules."""
