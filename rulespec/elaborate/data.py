"""The small closed forms: ranges, orders of ranks, suits, values of options, rows of tables, rules of the stock."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token, Tree

from rulespec.diagnostics import differ_by_one, is_it_one_of
from rulespec.elaborate.expr import want
from rulespec.elaborate.ranks import LADDER
from rulespec.elaborate.scope import NOBODY, Phrase, pick, token
from rulespec.expressions import Type
from rulespec.model import UNBOUNDED, Option, Range, StockRule
from rulespec.reader import Text

ATTRIBUTES = ("rank", "suit", "colour")
FOR_RANK = ("value", "values", "number", "numbers", "figure", "figures")
"""What people call the rank of a card."""
RANK_ROWS = "a table is looked up by a number, of a card by its place; what cards count stands under `values`"
SUIT_LETTERS = ("S", "H", "D", "C")


def range_of(p: Phrase, tree: Tree[Token]) -> Range | None:
    """The numbers that a `range` or `tablerow` names; None after a mistake."""
    written = token(tree, 0)
    if tree.data.endswith("_up"):
        return Range(int(written), UNBOUNDED)
    if tree.data.endswith("_below"):
        return Range(-UNBOUNDED, int(written) - 1)
    low, _, high = written.partition("-")
    high = high or low
    if not (low.isdigit() and high.isdigit()):
        message = f'"{written}" is a range of ranks; numbers are expected here'
        p.report(written, "wrong-range", message, RANK_ROWS if tree.data.startswith("row") else "")
        return None
    if int(low) > int(high):
        p.report(written, "wrong-range", f'"{written}" runs downwards', f'write "{high}-{low}"')
        return None
    return Range(int(low), int(high))


def option(p: Phrase, name: Text, tree: Tree[Token]) -> Option:
    """A choice of the table."""
    words: Sequence[Token] = [token(pick(tree, index), 0) for index in range(len(tree.children))]
    values: tuple[int | bool | str, ...]
    for index, word in enumerate(words):
        if word in words[:index]:
            p.report(word, "double-value", f'"{word}" stands here twice')
    words = _as_yes_and_no(p, words)
    if all(word.isdigit() for word in words):
        kind, values = Type.NUMBER, tuple(int(word) for word in words)
    elif all(word in ("no", "yes") for word in words):
        kind, values = Type.TRUTH, tuple(word == "yes" for word in words)
    else:
        kind, values = Type.WORD, tuple(str(word) for word in words)
    return Option(str(name), values, kind, p.text.span)


def _as_yes_and_no(p: Phrase, words: Sequence[Token]) -> Sequence[Token]:
    """`yes` and `no` where one of the two values is one of them and the other nearly so; the slip is reported."""
    if len(words) == 2:
        for word, beside in (words, words[::-1]):
            meant = {"yes": "no", "no": "yes"}.get(beside)
            if meant is not None and word != meant and differ_by_one(word, meant):
                message = f'"{word}" stands beside "{beside}" and is not "{meant}"'
                p.report(word, "unknown-word", message, is_it_one_of([meant]))
                return [word.update(value=meant) if one is word else one for one in words]
    return words


def order(p: Phrase, tree: Tree[Token]) -> tuple[tuple[str, ...], bool]:
    """The places of the deck's ranks, and whether the ends join."""
    parts = [child for child in tree.children if isinstance(child, Token)]
    joined = any(isinstance(child, Tree) for child in tree.children)
    places: list[str] = []
    for part in parts:
        places += _ranks(p, part)
    for index, rank in enumerate(places):
        first = places.index(rank)
        ends = first == 0 and index == len(places) - 1
        if first < index and (joined or not ends):
            node = next(part for part in reversed(parts) if rank in _ranks(None, part))
            what = "with joined ends every rank stands once" if joined else "only the ends may be the same rank"
            p.report(node, "double-value", f'rank "{rank}" stands here twice', what)
            break
    return tuple(places), joined


def _ranks(p: Phrase | None, part: Token) -> Sequence[str]:
    low, _, high = part.partition("-")
    high = high or low
    if low.isdigit() and high.isdigit() and int(low) <= int(high) <= 99:
        return [str(number) for number in range(int(low), int(high) + 1)]
    if low in LADDER and high in LADDER and LADDER.index(low) <= LADDER.index(high):
        return LADDER[LADDER.index(low) : LADDER.index(high) + 1]
    if p is not None:
        p.report(part, "no-such-rank", f'"{part}" is no rank or range of ranks', "ranks are A J Q K and numbers")
    return []


def suits(p: Phrase, tree: Tree[Token]) -> tuple[str, ...]:
    """Letters (S H D C) or names of suits."""
    found: list[str] = []
    for word in tree.children:
        assert isinstance(word, Token)
        if word.type == "FACE" and word not in SUIT_LETTERS:
            p.report(word, "no-such-suit", f'there is no suit "{word}"', "suits are S H D C, or names of your own")
        elif word in found:
            p.report(word, "double-value", f'suit "{word}" stands here twice')
        else:
            found.append(str(word))
    return tuple(found)


def attributes(p: Phrase, tree: Tree[Token], allowed: tuple[str, ...] = ATTRIBUTES) -> tuple[str, ...]:
    """A list of rank, suit, colour."""
    for word in tree.children:
        assert isinstance(word, Token)
        if word not in allowed:
            meant = ("rank",) if word in FOR_RANK and "rank" in allowed else allowed
            p.unknown_word(word, f"expected {' or '.join(allowed)}, not", meant)
    return tuple(str(word) for word in tree.children)


def numbers(tree: Tree[Token]) -> tuple[int, ...]:
    """A list of numbers."""
    return tuple(int(str(word)) for word in tree.children)


def stock_rule(p: Phrase, tree: Tree[Token]) -> StockRule:
    """What happens when a card is to be drawn and the stock is empty."""
    if not tree.children:
        return StockRule("nothing", "", None, p.text.span)
    zone = token(tree, 1)
    if zone not in p.names.zones:
        p.unknown_word(zone, "no zone", p.names.zones)
    elif p.names.zones[zone] != "table" or zone == "stock":
        p.report(zone, "wrong-type", f'the stock is renewed from a pile of the table, not from "{zone}"')
    most = None if tree.children[2] is None else want(p, tree.children[2], NOBODY, Type.NUMBER)
    how = "reshuffle" if pick(tree, 0).data == "reshuffle" else "turn over"
    return StockRule(how, str(zone), most, p.text.span)  # type: ignore[arg-type]
