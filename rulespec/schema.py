"""The rulesheet as written: which keys there are, where they belong, and what kind of thing each one holds.

`RawSheet` is the sheet after `extends`, with lone phrases under their entry name. Every leaf is a `Text` that knows
its place, in the file of whoever wrote it. What a phrase means is not looked at. **An empty `Text` stands for a phrase
whose mistake has been reported already.** Sections a sheet may leave open are `None` (or empty) only in abstract
sheets, and where a mistake about them has been reported.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from rulespec.reader import Text
from rulespec.source import NOWHERE, Span

Phrase = Annotated[Text, "phrase"]
Words = Annotated[Text, "words"]
Name = Annotated[Text, "name"]
Phrases = dict[Name, Phrase]
"""Named phrases; a lone one is called `rule`."""
Lines = dict[Phrase, Phrases]
"""Lines of scores and bonus: the key is a phrase (`losers to winners`)."""


class Raw(BaseModel):
    """A part of a sheet. `span` is the key it stands under."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        alias_generator=lambda name: name.rstrip("_").replace("_", "-"),
    )

    span: Span = Field(default=NOWHERE, alias="\0")


class RawDeck(Raw):
    packs: Phrase | None = None
    jokers: Phrase | None = None
    suits: Phrase | None = None
    order: Phrase | None = None


class RawZone(Raw):
    of: Name
    seen_by: Name


class RawTally(Raw):
    of: Name
    for_: Name


class RawDeal(Raw):
    packets: Phrase | None = None
    zones: dict[Name, Phrase] = {}


class RawStock(Raw):
    empty: Phrase | None = None


class RawWild(Raw):
    cards: Phrase
    stands_for: Name


class RawMeld(Raw):
    """A kind of group; in `every`, `cards` too adds to each kind."""

    cards: Phrase | None = None
    natural: Phrase | None = None
    wild: Phrase | None = None
    same: Phrase | None = None
    different: Phrase | None = None
    consecutive: Phrase | None = None
    of: Phrase | None = None
    apart: Phrase | None = None
    needs: Phrases = {}


class RawMelds(Raw):
    every: RawMeld | None = None
    kinds: dict[Name, RawMeld] = {}


class RawValues(Raw):
    """Rows: the key is a card class."""

    hand: dict[Phrase, Phrase] = {}
    melds: dict[Phrase, Phrase] = {}
    everywhere: dict[Phrase, Phrase] = {}


class RawDefine(Raw):
    cards: Phrases = {}
    groups: Phrases = {}
    layouts: Phrases = {}
    players: Phrases = {}
    round: Phrases = {}


class RawEvery(Raw):
    """What `moves.every` adds to each move."""

    if_: Phrases = {}
    only: Phrases = {}
    duty: Phrases = {}


class RawMove(RawEvery):
    does: Phrase


class RawMoves(Raw):
    every: RawEvery | None = None
    named: dict[Name, RawMove] = {}


class RawAutomatic(Raw):
    when: Phrase
    does: Phrase


class RawExtraTurns(Raw):
    when: Phrase
    for_: Phrase
    turn: Phrase


class RawEnding(Raw):
    """One way a round ends, without the common part of the round and of the ending it is within."""

    within: Phrase | None = None
    when: Phrase
    wins: Phrase | None = None
    scores: Lines = {}
    times: Phrases = {}
    does: Phrase | None = None
    void: Name | None = None


class RawRound(Raw):
    starts: Phrase | None = None
    next: Phrase | None = None
    next_dealer: Phrase | None = None
    before_deal: Phrase | None = None
    wins: Phrase | None = None
    scores: Lines = {}
    times: Phrases = {}
    endings: dict[Name, RawEnding] = {}
    extra_turns: dict[Name, RawExtraTurns] = {}


class RawGame(Raw):
    leaves: Phrase | None = None
    after_round: Phrase | None = None
    ends: Phrase | None = None
    bonus: Lines = {}
    wins: Phrase | None = None
    tie: Name | None = None


class RawManners(Raw):
    private: Phrase | None = None
    undo: Phrase | None = None
    confirm: Phrase | None = None
    must: Phrase | None = None
    warn: Phrases = {}
    clock: Phrase | None = None
    time_up: Phrase | None = None


class RawSheet(Raw):
    """A whole sheet; `span.file` is the sheet's own file, a key or phrase with another file is an ancestor's."""

    rulespec: Words
    id: Words
    extends: Words | None = None
    name: dict[Name, Words] = {}
    sources: Words | None = None
    readings: Words | None = None
    notes: Words | None = None
    abstract: Name | None = None
    players: Phrase | None = None
    sides: Phrase | None = None
    options: Phrases = {}
    tables: dict[Phrase, dict[Phrase, Phrase]] = {}
    tallies: dict[Name, RawTally] = {}
    define: RawDefine = RawDefine()
    deck: RawDeck = RawDeck()
    zones: dict[Name, RawZone] = {}
    deal: RawDeal = RawDeal()
    stock: RawStock = RawStock()
    wild: RawWild | None = None
    melds: RawMelds = RawMelds()
    values: RawValues = RawValues()
    turn: Phrase | None = None
    phases: Phrases = {}
    moves: RawMoves = RawMoves()
    automatic: dict[Name, RawAutomatic] = {}
    round: RawRound = RawRound()
    game: RawGame = RawGame()
    manners: RawManners = RawManners()
    words: dict[Name, dict[Name, Words]] = {}
