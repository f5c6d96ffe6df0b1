"""The closed words of the language: what each one is, whom or what it belongs to, and its line in the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulespec.expressions import Type

Home = Literal["table", "player"]
"""Whose a bare word is: nobody's in particular, or a player's."""

ONE_OR_MORE_CARDS = frozenset({Type.CARD, Type.CARDS, Type.GROUP, Type.GROUPS, Type.LAYOUT})
PERSONS = frozenset({Type.PLAYER, Type.PLAYERS})
NAMED_CARD = frozenset({Type.CARD, Type.NAME})


@dataclass(frozen=True, slots=True)
class Entry:
    """A word that is used like a noun. `of` are the types behind `of` it can be asked of; empty: of nothing."""

    word: str
    type: Type
    docs: str
    home: Home = "table"
    of: frozenset[Type] = frozenset()


ZONES: dict[str, Literal["table", "player"]] = {"stock": "table", "discards": "table", "hand": "player"}
"""The built-in piles of cards and whose they are."""

FACTS = (
    Entry("players", Type.NUMBER, "how many players began the game"),
    Entry("players-left", Type.NUMBER, "how many of them have not left it"),
    Entry("round", Type.NUMBER, "the number of the round, from 1"),
    Entry("turn-number", Type.NUMBER, "the number of the turn in this round; 0 before the first"),
    Entry("idle-turns", Type.NUMBER, "turns in a row whose last move changed no card's place"),
    Entry("ending", Type.WORD, "the name of the ending of the last round that is over"),
    Entry("stopped", Type.TRUTH, "the table asked to stop"),
    Entry("turn", Type.EVENT, "in `turn is over`: the phase of the turn is at its end"),
    Entry("yes", Type.TRUTH, "always holds"),
    Entry("no", Type.TRUTH, "never holds"),
)
THINGS = (
    Entry("table", Type.GROUPS, "all groups on the table"),
    Entry("played", Type.LAYOUT, "what the move brought: cards it put down, groups it made, the rest of the hand"),
    Entry("melds", Type.GROUPS, "the groups of your side", "player", PERSONS),
    Entry("laid", Type.CARDS, "cards your side laid this round and that lie on the table", "player", PERSONS),
)
PLAYERS = (
    Entry("you", Type.PLAYER, "who acts"),
    Entry("mover", Type.PLAYER, "whose turn it is, also in a window"),
    Entry("ender", Type.PLAYER, "for whom the ending held"),
    Entry("dealer", Type.PLAYER, "who deals this round"),
    Entry("giver", Type.PLAYER, "in `P to Q: N` the one who gives"),
    Entry("partner", Type.PLAYER, "the next player of your side", "player", PERSONS),
    Entry(
        "left", Type.PLAYER, "the next player to the left, passing over who left the game", of=frozenset({Type.PLAYER})
    ),
    Entry("right", Type.PLAYER, "the next player to the right", of=frozenset({Type.PLAYER})),
    Entry("owner", Type.PLAYER, "who laid a group or changed it last", of=frozenset({Type.GROUP})),
    Entry("everyone", Type.PLAYERS, "all players left in the game"),
    Entry("others", Type.PLAYERS, "everyone not of your side", "player", PERSONS),
    Entry("winners", Type.PLAYERS, "the sides that won the round"),
    Entry("losers", Type.PLAYERS, "all other sides"),
    Entry("nobody", Type.PLAYERS, "no player"),
)
OF_PLAYER = (
    Entry("score", Type.NUMBER, "the score of your side in this game", "player", PERSONS),
    Entry("rounds-won", Type.NUMBER, "how many rounds your side won", "player", PERSONS),
    Entry("opened", Type.TRUTH, "your side has laid a card this round", "player", PERSONS),
    Entry("opened-this-turn", Type.TRUTH, "your side laid the first of them this turn", "player", PERSONS),
    Entry("folded", Type.TRUTH, "out of this round", "player", PERSONS),
)
PROPERTIES = (
    Entry("rank", Type.RANK, "the rank of a card", of=NAMED_CARD),
    Entry("suit", Type.SUIT, "the suit of a card", of=NAMED_CARD),
    Entry("place", Type.NUMBER, "the number of its rank in `deck.order`", of=NAMED_CARD),
    Entry("pips", Type.NUMBER, "the number on a card", of=NAMED_CARD),
    Entry("name", Type.NAME, "what a card stands for", of=frozenset({Type.CARD})),
    Entry("group", Type.GROUP, "the group a card lies in", of=frozenset({Type.CARD})),
    Entry("neighbours", Type.CARDS, "the cards beside it in its group; in a set all others", of=frozenset({Type.CARD})),
    Entry("top", Type.CARD, "the top card of a pile", of=frozenset({Type.CARDS})),
    Entry("points", Type.NUMBER, "what a card, cards, a group or a layout count", of=ONE_OR_MORE_CARDS),
    Entry("layouts", Type.LAYOUTS, "every way to split cards into groups and a rest", of=frozenset({Type.CARDS})),
    Entry("rest", Type.CARDS, "the cards of a layout that are in no group", of=frozenset({Type.LAYOUT})),
)

ENTRIES: dict[str, Entry] = {e.word: e for part in (FACTS, THINGS, PLAYERS, OF_PLAYER, PROPERTIES) for e in part}

TRAITS: dict[str, str] = {
    "joker": "a joker",
    "wild": "of the class of `wild.cards`",
    "natural": "not wild",
    "red": "a heart or diamond",
    "black": "a spade or club",
    "low": "at the low end of a run",
    "high": "at the high end of a run",
}
"""What a card can be, before a noun or behind `is`."""

PREDICATES: dict[str, str] = {
    "empty": "without a card or group",
    "dry": "of the stock: empty, and no renewal is left that could yield a card",
    "over": "of `turn` and extra turns: at its end",
    "replaced": "a natural card of its old name lies with a card of its old group",
}
"""What stands only behind `is`."""

COLLECTIONS: dict[str, Type] = {
    "cards": Type.CARD,
    "card": Type.CARD,
    "jokers": Type.CARD,
    "groups": Type.GROUP,
    "layouts": Type.LAYOUT,
    "layout": Type.LAYOUT,
}
"""Nouns for things in something, with the type of each thing."""

OLD = frozenset({"group", "name", "neighbours"})
"""What can be asked of a card as it was before the move."""

ARTICLES = frozenset({"the", "a"})
"""What may stand before the words of a thing."""

PARTICLES = frozenset({"it", "old", *ARTICLES, "its", "joined", "only"})

BARE = frozenset(
    {"it", "you", *PREDICATES, *(trait for trait in TRAITS if trait != "joker")}
    | {entry.word for entry in ENTRIES.values() if entry.type is Type.TRUTH}
)
"""Words that are no things: no article stands before them alone."""

EARLY = frozenset({"players", "yes", "no"})
"""Facts known when the game starts."""

_JOINING = """
    accept accepts after and any anyone are as at before by can contain contains each else every except first from has
    highest if in is keeps least lowest max may min most next none not number of on or player ranks round-up some suits
    then this ties times to total under unless up whose with
"""
RESERVED = frozenset((*ENTRIES, *ZONES, *TRAITS, *PREDICATES, *COLLECTIONS, *PARTICLES, *_JOINING.split()))
"""Words that no sheet may use as a name of its own."""
