"""The cards of a sheet: deck, zones, deal, stock, wild cards, kinds of melds and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.elaborate import data
from rulespec.elaborate.expr import card_class, want
from rulespec.elaborate.ranks import LADDER
from rulespec.elaborate.scope import EARLY, NOBODY, SOMEBODY, Scope, pick, token
from rulespec.elaborate.walk import deep
from rulespec.elaborate.workshop import Workshop
from rulespec.expressions import And, Expr, HasRank, Number, Trait, Type
from rulespec.model import (
    UNBOUNDED,
    Deal,
    DealLine,
    Deck,
    MeldKind,
    Range,
    StockRule,
    ValueRow,
    Values,
    Wild,
    ZoneRule,
)
from rulespec.reader import Text
from rulespec.schema import RawMeld
from rulespec.source import NOWHERE
from rulespec.vocabulary import ZONES

SEEN_BY: dict[str, Literal["everyone", "owner", "nobody"]] = {
    "stock": "nobody",
    "discards": "everyone",
    "hand": "owner",
}
"""Who sees the built-in piles unless the sheet says otherwise."""
MOST_PACKS, MOST_JOKERS = 50, 300
OF_CARD = Scope(it=Type.CARD)
OF_GROUP = Scope(it=Type.GROUP)
OF_OWNER = Scope(it=Type.CARD, you=True, subject=True)


def deck(shop: Workshop) -> Deck:
    raw = shop.raw.deck
    suits: tuple[str, ...] = ()
    tree = shop.tree(raw.suits)
    if raw.suits is not None and tree is not None:
        suits = data.suits(shop.phrase(raw.suits), tree)
    places: tuple[str, ...] = LADDER
    joined = False
    tree = shop.tree(raw.order)
    if raw.order is not None and tree is not None:
        places, joined = data.order(shop.phrase(raw.order), tree)
    else:
        shop.broken = True
    packs, jokers = _written_out(shop, raw.packs, MOST_PACKS), _written_out(shop, raw.jokers, MOST_JOKERS)
    return Deck(packs, jokers, suits, places, joined, raw.span)


def _written_out(shop: Workshop, text: Text | None, most: int) -> Expr:
    """A number of packs or jokers. One that is worked out is judged when the game is known."""
    found = shop.number(text, EARLY)
    if text is not None and isinstance(found, Number) and found.value > most:
        message = f"a deck has at most {most} of them"
        shop.problems.append(Diagnostic("wrong-range", "error", message, text.span))
    return found


def zones(shop: Workshop) -> tuple[ZoneRule, ...]:
    """The built-in piles and the declared ones that are reached."""
    found: dict[str, ZoneRule] = {name: ZoneRule(name, owner, SEEN_BY[name], NOWHERE) for name, owner in ZONES.items()}
    for name, zone in shop.raw.zones.items():
        if name not in shop.names.zones:
            continue
        owner = shop.names.zones[name]
        if name in ZONES and owner != ZONES[name]:
            shop.report(zone.of, "wrong-type", f'"{name}" is always of {_belongs(ZONES[name])}')
        if owner == "table" and zone.seen_by in ("owner", "side"):
            shop.report(zone.seen_by, "wrong-type", f'"{name}" is of the table and has no {zone.seen_by}')
        found[str(name)] = ZoneRule(str(name), owner, str(zone.seen_by), name.span)  # type: ignore[arg-type]
    return tuple(found.values())


def who_sees(shop: Workshop) -> dict[str, str]:
    """Of each pile, who may look through it."""
    declared = {str(name): str(zone.seen_by) for name, zone in shop.raw.zones.items()}
    return {name: declared.get(name, SEEN_BY.get(name, "everyone")) for name in shop.names.zones}


def _belongs(owner: str) -> str:
    return "the table" if owner == "table" else f"a {owner}"


def deal(shop: Workshop) -> Deal:
    raw, names = shop.raw.deal, shop.names
    lines: list[tuple[int, DealLine]] = []
    for zone, text in raw.zones.items():
        if zone not in names.zones or zone == "stock":
            if zone == "stock":
                shop.report(zone, "wrong-type", "the stock is what is left after the deal")
            else:
                shop.report(zone, "unknown-word", f'no zone "{zone}"', did_you_mean(zone, names.zones))
            continue
        tree = shop.tree(text)
        if tree is None:
            shop.broken = True
            continue
        owned = names.zones[zone] != "table"
        count = want(shop.phrase(text), pick(tree, 0), SOMEBODY if owned else NOBODY, Type.NUMBER)
        shop.known_at(count, shop.deal_moment("when the cards are dealt"))
        named = None if tree.children[1] is None else str(token(pick(tree, 1), 0))
        turn = 0 if zone == "hand" else 1 if owned else 2
        lines.append((turn, DealLine(str(zone), count, named, text.span)))
    packets: tuple[int, ...] = ()
    tree = shop.tree(raw.packets)
    if tree is not None:
        packets = data.numbers(tree)
    return Deal(tuple(line for _, line in sorted(lines, key=lambda entry: entry[0])), packets)


def stock(shop: Workshop) -> StockRule:
    text = shop.raw.stock.empty
    tree = shop.tree(text)
    if text is None or tree is None:
        shop.broken = True
        return StockRule("nothing", "", None, NOWHERE)
    return data.stock_rule(shop.phrase(text), tree)


def wild(shop: Workshop) -> Wild | None:
    raw = shop.raw.wild
    if raw is None:
        return None
    cards = _class(shop, raw.cards, NOBODY)
    shop.known_at(cards, shop.deal_moment("when wild cards are worked out"))
    for part in deep(cards, shop.names.bodies):
        if isinstance(part, Trait) and part.trait in ("wild", "natural"):
            help_ = "say which cards: a rank, a suit, jokers"
            message = f'which cards are wild cannot be asked of what is "{part.trait}"'
            shop.problems.append(Diagnostic("defined-by-itself", "error", message, raw.cards.span, help_))
            break
    return Wild(cards, str(raw.stands_for), raw.span)  # type: ignore[arg-type]


def _class(shop: Workshop, text: Text, scope: Scope) -> Expr:
    tree = shop.tree(text)
    if tree is None:
        shop.broken = True
        return Expr(span=text.span, type=Type.UNKNOWN)
    return card_class(shop.phrase(text), tree, scope)


# ------------------------------------------------------------ melds


def melds(shop: Workshop) -> tuple[MeldKind, ...]:
    """Each kind with what `every` adds to it."""
    return tuple(_meld(shop, name, kind) for name, kind in shop.raw.melds.kinds.items())


def _meld(shop: Workshop, name: Text, kind: RawMeld) -> MeldKind:
    every = shop.raw.melds.every or RawMeld()
    cards = _both(shop, [kind.cards, every.cards], Range(0, UNBOUNDED))
    if any(text is not None and shop.tree(text) is None for text in (kind.cards, every.cards)):
        cards = Range(1, UNBOUNDED)
    elif cards.low == 0 and (kind.cards or every.cards or (kind.cards is None and every.cards is None)):
        text = kind.cards or every.cards or name
        shop.report(text, "impossible-meld", f'how many cards are in a "{name}"?', 'say "cards: 3-4" or "cards: 3+"')
    natural = _both(shop, [kind.natural, every.natural], Range(1, UNBOUNDED))
    wilds = _both(shop, [kind.wild, every.wild], Range(0, UNBOUNDED))
    if natural.low > natural.high or wilds.low > wilds.high or cards.low > cards.high:
        shop.report(name, "impossible-meld", f'no "{name}" can fit both its own lines and those of "every"')
    elif natural.low + wilds.low > cards.high or natural.high + wilds.high < cards.low:
        _too_many(shop, name, kind, every)
    if kind.apart is not None and every.apart is not None:
        shop.report(kind.apart, "double-value", '"apart" stands here and in "every"')
    of = [_class(shop, text, NOBODY) for text in (kind.of, every.of) if text is not None]
    apart = kind.apart or every.apart
    path = f"melds.{name}.needs"
    return MeldKind(
        name=str(name),
        cards=cards,
        natural=natural,
        wild=wilds,
        same=_attributes(shop, [kind.same, every.same]),
        different=_attributes(shop, [kind.different, every.different]),
        consecutive=bool(_attributes(shop, [kind.consecutive, every.consecutive], ("rank",))),
        of=None if not of else of[0] if len(of) == 1 else And(span=of[0].span, type=Type.TRUTH, parts=tuple(of)),
        apart=None if apart is None else _class(shop, apart, NOBODY),
        needs=(*shop.conditions(kind.needs, path, OF_GROUP), *shop.conditions(every.needs, path, OF_GROUP)),
        span=name.span,
    )


def _too_many(shop: Workshop, name: Text, kind: RawMeld, every: RawMeld) -> None:
    text = kind.natural or every.natural or kind.wild or every.wild or kind.cards or name
    cards = kind.cards or every.cards or name
    message = f'no "{name}" can have so many natural and wild cards'
    notes = ((cards.span, "its cards"),)
    shop.problems.append(Diagnostic("impossible-meld", "error", message, text.span, notes=notes))


def _both(shop: Workshop, texts: list[Text | None], default: Range) -> Range:
    """What all of the ranges hold; the default where there is none."""
    ranges = [shop.range(text) for text in texts if text is not None]
    if not ranges:
        return default
    return Range(max(one.low for one in ranges), min(one.high for one in ranges))


def _attributes(
    shop: Workshop, texts: list[Text | None], allowed: tuple[str, ...] = data.ATTRIBUTES
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for text in texts:
        tree = shop.tree(text)
        if text is not None and tree is not None:
            found.update(dict.fromkeys(data.attributes(shop.phrase(text), tree, allowed)))
    return tuple(found)


# ------------------------------------------------------------ values


def values(shop: Workshop) -> Values:
    raw = shop.raw.values
    return Values(_rows(shop, raw.hand), _rows(shop, raw.melds), _rows(shop, raw.everywhere))


def _rows(shop: Workshop, rows: Mapping[Text, Text]) -> tuple[ValueRow, ...]:
    """The rows of a table; inherited ones for ranks that this deck lacks are left out."""
    found = []
    for key, text in rows.items():
        card = _class(shop, key, SOMEBODY)
        points: Expr | Literal["pips", "its card"]
        if text == "pips":
            points = "pips"
        elif text == "its card":
            points = "its card"
        else:
            points = shop.number(text, OF_OWNER)
        if not _names_no_card(card):
            found.append(ValueRow(card, points, key.span))
    return tuple(found)


def _names_no_card(card: Expr) -> bool:
    if isinstance(card, And):
        return any(_names_no_card(part) for part in card.parts)
    return isinstance(card, HasRank) and not card.ranks
