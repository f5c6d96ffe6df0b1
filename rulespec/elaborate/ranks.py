"""Ranks and cards as they are written in phrases, against the deck of the sheet."""

from __future__ import annotations

from lark import Token, Tree

from rulespec.elaborate.scope import Phrase, token
from rulespec.expressions import Expr, HasFace, HasRank, HasSuit, Type
from rulespec.source import Span

LADDER = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def expand(low: str, high: str, places: tuple[str, ...]) -> tuple[str, ...] | None:
    """The ranks from `low` to `high` that the deck has, in its order; None where there is no such stretch.

    A range speaks of the deck's own order, or of the usual ladder where one of its ends is not in the deck.
    """
    written: tuple[str, ...]
    if low == high and low in LADDER:
        written = (low,)
    elif low.isdigit() and high.isdigit():
        if int(low) > int(high):
            return None
        written = tuple(rank for rank in places if rank.isdigit() and int(low) <= int(rank) <= int(high))
    else:
        ladder = places if low in places and high in places else LADDER
        if low not in ladder or high not in ladder:
            return None
        start = ladder.index(low)
        stop = len(ladder) - 1 - ladder[::-1].index(high)
        if start > stop:
            return None
        written = ladder[start : stop + 1]
    return tuple(dict.fromkeys(rank for rank in written if rank in places))


def ranks_of(p: Phrase, tree: Tree[Token]) -> tuple[str, ...]:
    """The ranks a `rank` tree names. What an ancestor wrote may name none of this deck; in the sheet itself that is
    reported."""
    written = token(tree, 0)
    low, _, high = written.partition("-")
    if not p.names.places:
        return ()
    found = expand(low, high or low, p.names.places)
    if found is None and "-" in written:
        p.report(written, "no-such-rank", f'"{written}" is no range of ranks of this deck', _deck_help(p))
    elif not found and not p.inherited:
        p.report(written, "no-such-rank", f'there is no rank "{written}" in this deck', _deck_help(p))
    return found or ()


def _deck_help(p: Phrase) -> str:
    return "its ranks are " + " ".join(dict.fromkeys(p.names.places)) if p.names.places else ""


def rank_condition(p: Phrase, tree: Tree[Token], thing: Expr) -> Expr:
    """`thing` has one of these ranks, or this suit."""
    written = token(tree, 0)
    if written in p.names.suits and written not in p.names.places:
        return HasSuit(span=p.span(tree), type=Type.TRUTH, of=thing, suit=str(written))
    return HasRank(span=p.span(tree), type=Type.TRUTH, of=thing, ranks=ranks_of(p, tree))


def face(p: Phrase, card: Token) -> tuple[str, str]:
    """Rank and suit of a card written out; the suit of a joker is empty. One that is not in the deck is reported."""
    if card == "JK":
        return "JK", ""
    rank, suit = card[:-1], card[-1]
    if (rank not in p.names.places or suit not in p.names.suits) and not p.inherited:
        p.report(card, "no-such-rank", f'there is no card "{card}" in this deck', _deck_help(p))
    return rank, suit


def face_condition(p: Phrase, card: Token, thing: Expr, span: Span) -> Expr:
    """`thing` is this card."""
    rank, suit = face(p, card)
    return HasFace(span=span, type=Type.TRUTH, of=thing, rank=rank, suit=suit)
