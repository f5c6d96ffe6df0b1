"""The rulesheet as written: which keys there are, where they belong, and what kind of thing each one holds.

`RawSheet` is the sheet after `extends`, with lone phrases under their entry name. Every leaf is a `Text` that knows
its place, in the file of whoever wrote it. What a phrase means is not looked at. **An empty `Text` stands for a phrase
whose mistake has been reported already.** Sections a sheet may leave open are `None` (or empty) only in abstract
sheets, and where a mistake about them has been reported.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from rulespec.characters import plain_letters
from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.reader import Text, phrase_problems
from rulespec.source import NOWHERE, Span

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SPAN = "\0"
"""The key under which a part's place is handed to its model; no author can write it."""


def _say(info: ValidationInfo, *diagnostics: Diagnostic) -> None:
    """Report what leaves a value usable: the context of the validation is the list of what is wrong."""
    if isinstance(info.context, list):
        info.context.extend(diagnostics)


def _phrase(text: Text, info: ValidationInfo) -> Text:
    _say(info, *phrase_problems(text))
    return text


def _name(text: Text, info: ValidationInfo) -> Text:
    if text and not NAME.fullmatch(text):
        message = f'"{text}" is no name: names are lower case, letters and digits, with inner hyphens'
        better = "-".join(re.findall("[a-z0-9]+", plain_letters(text)))
        help = f'write "{better}"' if NAME.fullmatch(better) else ""
        _say(info, Diagnostic("bad-name", "error", message, text.span, help))
    return text


def _id(text: Text, info: ValidationInfo) -> Text:
    if text and not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", text):
        message = f'"{text}" is no id: ids are lower case letters and digits, with inner hyphens'
        _say(info, Diagnostic("bad-name", "error", message, text.span))
    return text


def _language(text: Text, info: ValidationInfo) -> Text:
    if text and not re.fullmatch("[a-z]{2}", text):
        message = f'"{text}" is no language: two letters, as in "en", "de", "nl"'
        _say(info, Diagnostic("bad-name", "error", message, text.span))
    return text


def _choice(*words: str, otherwise: str = "") -> AfterValidator:
    """One of these words; anything else is reported, with `otherwise` where none is near, and read as the first."""

    def check(text: Text, info: ValidationInfo) -> Text:
        if text in words:
            return text
        if text:
            quoted = [f'"{word}"' for word in words]
            expected = f"{', '.join(quoted[:-1])} or {quoted[-1]}" if len(quoted) > 1 else quoted[0]
            message = f'"{text}" is not {expected}'
            help = did_you_mean(text, words) or otherwise
            _say(info, Diagnostic("wrong-choice", "error", message, text.span, help))
        return Text(words[0], text.span, flow=text.flow, exact=False)

    return AfterValidator(check)


Phrase = Annotated[Text, AfterValidator(_phrase)]
Name = Annotated[Text, AfterValidator(_name)]
Id = Annotated[Text, AfterValidator(_id)]
Words = dict[Annotated[Text, AfterValidator(_language)], Text]
"""A text per language."""
Yes = Annotated[Text, _choice("yes", otherwise="or leave the line out")]
Owner = Annotated[Text, _choice("table", "player", "side")]
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
        alias_generator=lambda name: name.rstrip("_").replace("_", "-"),
    )

    rest: ClassVar[str] = ""
    """The field that takes all keys which are no field themselves, where there is one."""

    span: Span = Field(default=NOWHERE, alias="\0")


class RawDeck(Raw):
    packs: Phrase | None = None
    jokers: Phrase | None = None
    suits: Phrase | None = None
    order: Phrase | None = None


class RawZone(Raw):
    of: Owner
    seen_by: Annotated[Text, _choice("everyone", "owner", "side", "nobody", "top")]


class RawTally(Raw):
    of: Owner
    for_: Annotated[Text, _choice("turn", "round", "game")]


class RawDeal(Raw):
    rest = "zones"

    packets: Phrase | None = None
    zones: dict[Name, Phrase] = {}


class RawStock(Raw):
    empty: Phrase | None = None


class RawWild(Raw):
    cards: Phrase
    stands_for: Annotated[Text, _choice("a named card", "its place", "any place of its group")]


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
    rest = "kinds"

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
    rest = "named"

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
    void: Yes | None = None


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
    tie: Annotated[Text, _choice("shared", "draw", "another round")] | None = None


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

    rulespec: Annotated[Text, _choice("1", otherwise="the version of the language, not of the sheet")]
    """The version of the language."""
    id: Id
    extends: Id | None = None
    name: Words = {}
    sources: Text | None = None
    readings: Text | None = None
    notes: Text | None = None
    abstract: Yes | None = None
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
    words: dict[Name, Words] = {}
