"""Every phrase of a sheet as written: the start rule it is parsed by, and the declared thing it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rulespec.diagnostics import Diagnostic
from rulespec.parser import ParseTree, Start, parse
from rulespec.reader import Text
from rulespec.schema import RawEnding, RawEvery, RawMeld, RawSheet

Head: TypeAlias = Literal["options", "tables", "zones", "tallies", "define", "moves", "phases"]
Thing: TypeAlias = tuple[Head, str]
"""Something a sheet declares and may leave unreached: its section and its name."""


@dataclass(frozen=True, slots=True)
class Written:
    """`owner` is the thing the phrase belongs to; the phrases of None are those that work by themselves."""

    text: Text
    start: Start
    owner: Thing | None


@dataclass(frozen=True, slots=True)
class Parsed:
    """The phrases of a sheet with their trees. A phrase without a tree is empty or holds a mistake."""

    phrases: tuple[Written, ...]
    trees: Mapping[int, ParseTree]
    """By the identity of the `Text`."""

    def tree(self, text: Text) -> ParseTree | None:
        return self.trees.get(id(text))


def parse_sheet(raw: RawSheet, question: Text | None = None) -> tuple[Parsed, list[Diagnostic]]:
    """All phrases parsed, that of a question too, and what is wrong with those that cannot be."""
    phrases = (*written(raw), *_some((question, "expr")))
    trees: dict[int, ParseTree] = {}
    problems = []
    for phrase in phrases:
        if phrase.text:
            result = parse(phrase.text, phrase.start)
            if isinstance(result, Diagnostic):
                problems.append(result)
            else:
                trees[id(phrase.text)] = result
    return Parsed(phrases, trees), problems


def table_name(key: Text) -> str:
    """The name in the head of a table, `NAME by EXPR`."""
    return key.split(" ")[0]


def written(raw: RawSheet) -> Iterator[Written]:
    """Every phrase of a sheet, in the order of its sections."""
    yield from _some((raw.players, "range"), (raw.sides, "expr"))
    for name, text in raw.options.items():
        yield Written(text, "options", ("options", name))
    for key, rows in raw.tables.items():
        owner: Thing = ("tables", table_name(key))
        yield Written(key, "tablekey", owner)
        for row, text in rows.items():
            yield Written(row, "tablerow", owner)
            yield Written(text, "expr", owner)
    for words in (raw.define.cards, raw.define.groups, raw.define.layouts, raw.define.players, raw.define.round):
        for name, text in words.items():
            yield Written(text, "expr", ("define", name))
    yield from _cards(raw)
    yield from _turns(raw)
    yield from _rounds(raw)
    yield from _manners(raw)


def _some(*pairs: tuple[Text | None, Start]) -> Iterator[Written]:
    for text, start in pairs:
        if text is not None:
            yield Written(text, start, None)


def _all(texts: Mapping[Text, Text], start: Start, owner: Thing | None = None) -> Iterator[Written]:
    for text in texts.values():
        yield Written(text, start, owner)


def _cards(raw: RawSheet) -> Iterator[Written]:
    deck = raw.deck
    yield from _some((deck.packs, "expr"), (deck.jokers, "expr"), (deck.suits, "suits"), (deck.order, "order"))
    yield from _some((raw.deal.packets, "numbers"))
    yield from _all(raw.deal.zones, "dealt")
    yield from _some((raw.stock.empty, "stockrule"))
    if raw.wild is not None:
        yield Written(raw.wild.cards, "cardclass", None)
    if raw.melds.every is not None:
        yield from _meld(raw.melds.every)
    for kind in raw.melds.kinds.values():
        yield from _meld(kind)
    for rows in (raw.values.hand, raw.values.melds, raw.values.everywhere):
        for key, text in rows.items():
            yield Written(key, "cardclass", None)
            yield Written(text, "expr", None)


def _meld(meld: RawMeld) -> Iterator[Written]:
    yield from _some((meld.cards, "range"), (meld.natural, "range"), (meld.wild, "range"))
    yield from _some((meld.same, "attributes"), (meld.different, "attributes"), (meld.consecutive, "attributes"))
    yield from _some((meld.of, "cardclass"), (meld.apart, "cardclass"))
    yield from _all(meld.needs, "expr")


def _turns(raw: RawSheet) -> Iterator[Written]:
    yield from _some((raw.turn, "phase"))
    for name, text in raw.phases.items():
        yield Written(text, "phase", ("phases", name))
    if raw.moves.every is not None:
        yield from _conditions(raw.moves.every, None)
    for name, move in raw.moves.named.items():
        yield Written(move.does, "does", ("moves", name))
        yield from _conditions(move, ("moves", name))
    for automatic in raw.automatic.values():
        yield from _some((automatic.when, "expr"), (automatic.does, "does"))


def _conditions(move: RawEvery, owner: Thing | None) -> Iterator[Written]:
    yield from _all(move.if_, "expr", owner)
    yield from _all(move.only, "expr", owner)
    yield from _all(move.duty, "duty", owner)


def _rounds(raw: RawSheet) -> Iterator[Written]:
    round_ = raw.round
    yield from _some((round_.starts, "players"), (round_.next, "players"), (round_.next_dealer, "players"))
    yield from _some((round_.before_deal, "phase"), (round_.wins, "players"))
    yield from _lines(round_.scores)
    yield from _all(round_.times, "expr")
    for ending in round_.endings.values():
        yield from _ending(ending)
    for extra in round_.extra_turns.values():
        yield from _some((extra.when, "expr"), (extra.for_, "players"), (extra.turn, "phase"))
    game = raw.game
    yield from _some((game.leaves, "expr"), (game.after_round, "phase"), (game.ends, "expr"), (game.wins, "players"))
    yield from _lines(game.bonus)


def _ending(ending: RawEnding) -> Iterator[Written]:
    yield from _some((ending.within, "name"), (ending.when, "expr"), (ending.wins, "players"))
    yield from _lines(ending.scores)
    yield from _all(ending.times, "expr")
    yield from _some((ending.does, "does"))


def _lines(lines: Mapping[Text, Mapping[Text, Text]]) -> Iterator[Written]:
    for key, amounts in lines.items():
        yield Written(key, "line", None)
        yield from _all(amounts, "expr")


def _manners(raw: RawSheet) -> Iterator[Written]:
    manners = raw.manners
    for text in (manners.private, manners.undo, manners.confirm, manners.must):
        if text is not None:
            yield Written(text, "name", ("moves", str(text)))
    for name, text in manners.warn.items():
        yield Written(text, "expr", ("moves", name))
    yield from _some((manners.clock, "expr"), (manners.time_up, "phase"))
