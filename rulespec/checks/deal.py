"""The deck is large enough for every table, and packets make up the hand."""

from __future__ import annotations

from dataclasses import replace

from rulespec.diagnostics import Diagnostic
from rulespec.model import Draw, TurnUp
from rulespec.reasoning.dealt import dealt, deck_size, in_hand
from rulespec.reasoning.known import Known, Setting
from rulespec.reasoning.numbers import Between, exactly
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside
from rulespec.source import Span

ROUNDS = 12
"""So many rounds are dealt in thought where a game has no last round."""

REMEDY = "deal fewer cards, use more packs, or allow fewer players"


def check_deal(study: Study) -> list[Diagnostic]:
    """Deals every hand to every number of players with every choice of the options that the deck or deal reads."""
    sheet = study.sheet
    found: dict[str, Diagnostic] = {}
    for setting in study.tables(sheet.deck, sheet.deal, sheet.sides):
        for known in _rounds(study, setting):
            for diagnostic in _one_deal(study, setting, known):
                found.setdefault(diagnostic.code, diagnostic)
    return list(found.values())


def _rounds(study: Study, setting: Setting) -> list[Known]:
    known = setting.known()
    last = min(study.rounds(known).high, ROUNDS)
    return [replace(known, round=exactly(number)) for number in range(1, int(last) + 1)]


def _one_deal(study: Study, setting: Setting, known: Known) -> list[Diagnostic]:
    sheet, judge = study.sheet, study.judge
    deck = deck_size(sheet, judge, known)
    if deck.high <= 0:
        message = f"with {setting} there are no cards in the deck"
        return [Diagnostic("empty-deck", "error", message, study.key("deck", "packs"))]
    cards = dealt(sheet, judge, setting.players, known)
    who = _who(setting, known)
    found: list[Diagnostic] = []
    for line in sheet.deal.lines:
        count = judge.number(line.count, known)
        if count.high < 0:
            message = f"{who}, {int(count.high)} cards would be dealt to `{line.zone}`"
            found.append(Diagnostic("computed-out-of-range", "error", message, line.span))
    hand = in_hand(sheet, judge, known)
    span = _hand_span(study)
    if found:
        return found
    if hand.high <= 0:
        help = "`deal.hand` says how many cards each player gets"
        found.append(Diagnostic("nothing-dealt", "error", f"{who}, nobody is dealt a card", span, help))
    elif cards.low > deck.high:
        message = f"{who}, {_count(cards, True)} cards are dealt, but the deck has {_count(deck, False)}"
        found.append(Diagnostic("deal-too-large", "error", message, span, REMEDY))
    elif cards.low == deck.high and _uses_stock(study):
        message = f"{who}, the whole deck is dealt, and no card is left in the stock"
        found.append(Diagnostic("no-stock-left", "error", message, span, REMEDY))
    packets = sum(sheet.deal.packets)
    if sheet.deal.packets and hand.exact not in (None, packets):
        message = f"the packets make up {packets} cards, but {who} a hand has {hand.exact}"
        found.append(Diagnostic("packets-differ", "error", message, study.key("deal", "packets")))
    return found


def _who(setting: Setting, known: Known) -> str:
    round_ = known.round.exact or 1
    return f"with {setting}" + (f" in round {round_}" if round_ > 1 else "")


def _count(cards: Between, least: bool) -> str:
    return str(int(cards.low if least else cards.high))


def _hand_span(study: Study) -> Span:
    return next((line.span for line in study.sheet.deal.lines if line.zone == "hand"), study.key("deal"))


def _uses_stock(study: Study) -> bool:
    draws = any(action.zone == "stock" for action in inside(study.sheet.moves, Draw))
    return draws or any(True for _ in inside(study.sheet, TurnUp))
