"""Checked expressions: what a phrase means once its words are resolved and its types are known.

The checker makes them from the parsed phrase; the compiler turns them into code. A bare word has become an
explicit owner here: `hand` is `Zone("hand", of=Person("subject"))`, `hand of ender` is
`Zone("hand", of=Person("ender"))`. Card classes (`red 3`, `joker or 2`) are conditions on `It`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from rulespec.source import Span


class Type(Enum):
    """The types of expressions; the value is what a message calls one."""

    NUMBER = "a number"
    TRUTH = "a condition"
    WORD = "a word"
    RANK = "a rank"
    SUIT = "a suit"
    NAME = "a card's name"
    CARD = "a card"
    CARDS = "cards"
    GROUP = "a group"
    GROUPS = "groups"
    LAYOUT = "a layout"
    LAYOUTS = "layouts"
    PLAYER = "a player"
    PLAYERS = "players"
    EVENT = "something that ends"
    UNKNOWN = "unknown"
    """What an expression with a mistake has: it fits everywhere, so one mistake makes one message."""


ELEMENT = {
    Type.CARDS: Type.CARD,
    Type.GROUPS: Type.GROUP,
    Type.LAYOUTS: Type.LAYOUT,
    Type.PLAYERS: Type.PLAYER,
}
"""Collections and what they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """Any checked expression."""

    span: Span
    type: Type


# ------------------------------------------------------------ literals and operators


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Expr):
    """`10`"""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth(Expr):
    """`yes`, `no`"""

    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Expr):
    """One value of an option with words, or the name of an ending, on the right of `=`."""

    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Face(Expr):
    """A card written out where a name is compared: `name of it = 7H`. `suit` is empty for `JK`, whose rank is "JK"."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic(Expr):
    """Whole numbers; `/` rounds down, and dividing by 0 gives 0."""

    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Negate(Expr):
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """`min(a, b, …)`, `max(a, b, …)`, `round-up(x, 5)` (to the next multiple)."""

    function: Literal["min", "max", "round-up"]
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(Expr):
    """Numbers by every operator; words, ranks, suits and names by `=` and `!=`. What is not there makes it false
    (`!=` true)."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Not(Expr):
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class And(Expr):
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or(Expr):
    """`a or b`, and `a unless b`."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IfElse(Expr):
    """`then if condition else otherwise`, of any type."""

    then: Expr
    condition: Expr
    otherwise: Expr


# ------------------------------------------------------------ what is declared or known


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionValue(Expr):
    """The chosen value of an option: NUMBER, TRUTH or WORD."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableValue(Expr):
    """The row of a look-up table its key falls in; the key is read here and now, with the same *you*."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally(Expr):
    """A counter; `of` is None for one of the table."""

    name: str
    of: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Expr):
    """Numbers: `players players-left round turn-number idle-turns`; a condition: `stopped`; a word: `ending`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIsOver(Expr):
    """`turn is over`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraTurnsAreOver(Expr):
    """`last-turns are over`, the name of an entry of `round.extra-turns`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined(Expr):
    """A word of `define`. `of` is the player, card, group or layout it is asked of; None for GROUP `round`."""

    name: str
    of: Expr | None


# ------------------------------------------------------------ things


@dataclass(frozen=True, slots=True, kw_only=True)
class It(Expr):
    """The thing the phrase is about: CARD, CARDS, GROUP or LAYOUT. Binders (`Select`, `Aggregate`, `Ranked`) bind it
    anew for each thing looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Each(Expr):
    """The thing a `Quantified` looks at. Never nested: the tail of a quantifier holds no other quantifier. `It` keeps
    its meaning there: `some group on the table accepts it` asks of each group (`Each`) whether it takes the card
    (`It`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone(Expr):
    """CARDS of a pile; `of` is None for one of the table, else a player (or players: all together)."""

    name: str
    of: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Top(Expr):
    """CARD on top of a pile; not there when it is empty."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Expr):
    """CARD or CARDS that `as NAME` named; not there before."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Expr):
    """GROUPS: all groups on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Melds(Expr):
    """GROUPS owned by the side of a player."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid(Expr):
    """CARDS the side of a player laid this round and that lie on the table."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Expr):
    """LAYOUT: what the move brought (hand cards it put down, groups it made, rest of the hand)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsIn(Expr):
    """CARDS of a group, of groups, of a layout (the cards in its groups), or of cards (themselves)."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsIn(Expr):
    """GROUPS of a layout, or of groups (themselves)."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Expr):
    """CARDS of a layout that are in no group of it."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Layouts(Expr):
    """LAYOUTS: every way to split cards into groups and a rest."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOf(Expr):
    """GROUP a card lies in (`old`: lay in before the move)."""

    of: Expr
    old: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours(Expr):
    """CARDS beside a card in its group (in a set: all others)."""

    of: Expr
    old: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(Expr):
    """The things for which `condition` holds. Things are CARDS, GROUPS or LAYOUTS (bound to `It`) or PLAYERS
    (bound to the person "subject")."""

    things: Expr
    condition: Expr


# ------------------------------------------------------------ players


@dataclass(frozen=True, slots=True, kw_only=True)
class Person(Expr):
    """PLAYER. `you`: who acts. `subject`: whose bare words these are — you, or the player looked at."""

    role: Literal["you", "subject", "mover", "ender", "dealer", "giver"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner(Expr):
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Expr):
    """PLAYER next to another, passing over who left the game."""

    side: Literal["left", "right"]
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner(Expr):
    """PLAYER who owns a group."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class People(Expr):
    """PLAYERS. `of` only for `others`: everybody not of that player's side."""

    role: Literal["everyone", "others", "winners", "losers", "nobody"]
    of: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Except(Expr):
    """PLAYERS without some; both sides may be one player or several."""

    players: Expr
    without: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(Expr):
    """Those of `players` (or, for a lone player, that one) who have the most or least of a number, all who share it.
    `ties`: "for" drops the others when some of `whom` are among several, "against" drops `whom` when they share."""

    players: Expr
    most: bool
    by: Expr
    ties: Literal["for", "against"] | None
    whom: Expr | None


# ------------------------------------------------------------ numbers and other properties


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Expr):
    """`number of THINGS`"""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class CountKinds(Expr):
    """`number of ranks|suits in THINGS`: how many different ones cards have; `of` are CARDS, the natural ones."""

    property: Literal["rank", "suit"]
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(Expr):
    """`total|highest|lowest over THINGS of NUMBER`; of nothing it is 0."""

    kind: Literal["total", "highest", "lowest"]
    things: Expr
    number: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Points(Expr):
    """What a card, cards, a group, groups or a layout count."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class CardProperty(Expr):
    """`rank suit place pips name` of a card or of a name; `old name`: before the move."""

    property: Literal["rank", "suit", "place", "pips", "name"]
    of: Expr
    old: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFact(Expr):
    """`score rounds-won opened opened-this-turn folded` of a player (or of his side)."""

    name: Literal["score", "rounds-won", "opened", "opened-this-turn", "folded"]
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Times(Expr):
    """`times MOVE [by anyone] this turn|round|game`; `of` is None for `by anyone`."""

    move: str
    of: Expr | None
    scope: Literal["turn", "round", "game"]


# ------------------------------------------------------------ conditions


@dataclass(frozen=True, slots=True, kw_only=True)
class After(Expr):
    """`after MOVE`: the last move of this turn was it."""

    move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Can(Expr):
    """`can MOVE`: a legal one exists."""

    move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expr):
    """`every|some|no THING … TAIL`. CARDS, GROUPS or LAYOUTS are bound to `Each`, players (`some player has …`) to the
    person "subject"."""

    quantifier: Literal["every", "some", "no"]
    things: Expr
    condition: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class IsEmpty(Expr):
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class StockIsDry(Expr):
    """Empty, and no renewal is left that could yield a card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IsIn(Expr):
    """`is in|on`: a card in cards, a group, groups or a layout; cards (all of them) in cards or groups; a group in
    groups or a layout; a player among players."""

    thing: Expr
    container: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class IsSame(Expr):
    """`is` between two cards, groups or players."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait(Expr):
    """A card is `joker wild natural red black`, or lies at the `low` or `high` end of a run."""

    of: Expr
    trait: Literal["joker", "wild", "natural", "red", "black", "low", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HasRank(Expr):
    """A card (or name) has one of these ranks."""

    of: Expr
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HasSuit(Expr):
    """A card (or name) has this suit."""

    of: Expr
    suit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HasFace(Expr):
    """A card (or name) is this card: `QS`, or `JK` with an empty suit."""

    of: Expr
    rank: str
    suit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IsKind(Expr):
    """A group is of a kind of `melds`."""

    of: Expr
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeps(Expr):
    """`keeps its name|its group|a neighbour`, of the table before and after a move."""

    card: Expr
    what: Literal["name", "group", "neighbour"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IsReplaced(Expr):
    """`is replaced`, `is replaced from ZONE`."""

    card: Expr
    zone: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IsJoinedOnlyFrom(Expr):
    """`is joined only from ZONE`"""

    card: Expr
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains(Expr):
    """Cards or a layout `contain a KIND`: some of these cards form one."""

    of: Expr
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepts(Expr):
    """A group `accepts` a card: valid with it added, as in `lay off`; false of a card it holds."""

    group: Expr
    card: Expr
