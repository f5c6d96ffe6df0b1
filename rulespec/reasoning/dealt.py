"""How many cards a deck has and how many of them are dealt."""

from __future__ import annotations

from dataclasses import replace

from rulespec.model import DealLine, Rulesheet
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import SOME_OR_NONE, Between, exactly


def deck_size(sheet: Rulesheet, judge: Judge, known: Known) -> Between:
    """All cards of the deck, jokers included."""
    pack = len(set(sheet.deck.places)) * len(sheet.deck.suits)
    packs = judge.number(sheet.deck.packs, known)
    jokers = judge.number(sheet.deck.jokers, known)
    return (packs * exactly(pack)) + jokers


def in_hand(sheet: Rulesheet, judge: Judge, known: Known) -> Between:
    """How many cards a player is dealt to his hand."""
    counts = [judge.number(line.count, known) for line in sheet.deal.lines if line.zone == "hand"]
    return counts[0] if counts else exactly(0)


def on_zone(sheet: Rulesheet, judge: Judge, zone: str, known: Known) -> Between:
    """How many cards are dealt to a zone of the table."""
    counts = [judge.number(line.count, known) for line in sheet.deal.lines if line.zone == zone]
    return counts[0] if counts else exactly(0)


def dealt(sheet: Rulesheet, judge: Judge, players: int, known: Known) -> Between:
    """How many cards are dealt in all at a table of so many players; a side's zone counts once for each side."""
    total = exactly(0)
    for line in sheet.deal.lines:
        total += _of_line(sheet, judge, line, players, known)
    return total


def _of_line(sheet: Rulesheet, judge: Judge, line: DealLine, players: int, known: Known) -> Between:
    owners = {zone.name: zone.of for zone in sheet.zones} | {"hand": "player"}
    if owners.get(line.zone) == "side":
        sides = judge.number(sheet.sides, known).meet(Between(1, players)) or exactly(players)
        return sides * _count(judge, line, replace(known, seat=""))
    if owners.get(line.zone) != "player":
        return _count(judge, line, known)
    total = _count(judge, line, replace(known, seat="left of dealer"))
    if players > 1:
        total += _count(judge, line, replace(known, seat="dealer"))
    if players > 2:
        total += _count(judge, line, replace(known, seat="other")) * exactly(players - 2)
    return total


def _count(judge: Judge, line: DealLine, known: Known) -> Between:
    return judge.number(line.count, known).meet(SOME_OR_NONE) or exactly(0)
