"""Predicates: what is said of a thing behind `is`, `are`, `keeps`, `contain` and `accepts`."""

from __future__ import annotations

from lark import Token, Tree

from rulespec.elaborate.ranks import face_condition, rank_condition
from rulespec.elaborate.scope import Node, Phrase, Scope, pick
from rulespec.elaborate.terms import adjective, all_of, describes, split, term
from rulespec.expressions import (
    Accepts,
    And,
    Contains,
    Expr,
    ExtraTurnsAreOver,
    Fact,
    IsEmpty,
    IsIn,
    IsJoinedOnlyFrom,
    IsReplaced,
    IsSame,
    Keeps,
    Not,
    Or,
    StockIsDry,
    TurnIsOver,
    Type,
    Zone,
)
from rulespec.source import Span
from rulespec.vocabulary import COLLECTIONS, TRAITS

KEEPS = {"its name": "name", "its group": "group", "a neighbour": "neighbour"}
INSIDE = {
    (Type.CARD, Type.CARDS),
    (Type.CARD, Type.GROUP),
    (Type.CARD, Type.GROUPS),
    (Type.CARD, Type.LAYOUT),
    (Type.CARDS, Type.CARDS),
    (Type.CARDS, Type.GROUPS),
    (Type.GROUP, Type.GROUPS),
    (Type.GROUP, Type.LAYOUT),
    (Type.PLAYER, Type.PLAYERS),
}
"""What can be in or on what."""
BY_VALUE = (Type.NUMBER, Type.RANK, Type.SUIT, Type.NAME)
SAME = (Type.CARD, Type.GROUP, Type.PLAYER)
"""What is compared by `is`."""


def tail(p: Phrase, tree: Tree[Token], subject: Expr, scope: Scope, span: Span) -> Expr:
    """What a predicate, or several joined by `and` and `or`, say of `subject`; `span` is the whole sentence."""
    if tree.data in ("or", "and"):
        parts = tuple(
            tail(p, child, subject, scope, p.span(child)) for child in tree.children if isinstance(child, Tree)
        )
        make = Or if tree.data == "or" else And
        return make(span=p.span(tree), type=Type.TRUTH, parts=parts)
    if tree.data == "is_":
        return _predicate(p, tree, subject, scope, span)
    if tree.data == "is_not":
        value = _predicate(p, tree, subject, scope, span)
        return Not(span=span, type=value.type, value=value)
    if tree.data == "keeps":
        words = p.source(pick(tree, 0))
        if words not in KEEPS:
            wanted = ", ".join(f'"{known}"' for known in KEEPS)
            return p.fail(pick(tree, 0), "unknown-word", f'nothing "keeps {words}"', f"a card keeps {wanted}")
        if not _wants(p, tree, subject, f"keeps {words}", Type.CARD):
            return p.unknown(tree)
        return Keeps(span=span, type=Type.TRUTH, card=subject, what=KEEPS[words])  # type: ignore[arg-type]
    if tree.data == "contains":
        return _contains(p, tree, subject, span)
    card = term(p, pick(tree, 1), scope)
    if not _wants(p, tree, subject, f"{p.source(pick(tree, 0))} something", Type.GROUP) or card.type is Type.UNKNOWN:
        return p.unknown(tree)
    if card.type is not Type.CARD:
        return p.fail(pick(tree, 1), "wrong-type", f"a group accepts a card, not {card.type.value}")
    return Accepts(span=span, type=Type.TRUTH, group=subject, card=card)


def _contains(p: Phrase, tree: Tree[Token], subject: Expr, span: Span) -> Expr:
    words, rank = split(pick(tree, 1))
    kind = str(words[0]) if len(words) == 1 and rank is None else p.source(pick(tree, 1))
    if kind not in p.names.kinds:
        if kind in TRAITS:
            help_ = f'say "some card in hand is {kind}"'
            return p.fail(pick(tree, 1), "unknown-word", f'no kind of meld "{kind}"', help_)
        return p.unknown_word(pick(tree, 1), "no kind of meld", p.names.kinds)
    if not _wants(p, tree, subject, f"contain a {kind}", Type.CARDS, Type.LAYOUT):
        return p.unknown(tree)
    return Contains(span=span, type=Type.TRUTH, of=subject, kind=kind)


def _wants(p: Phrase, tree: Tree[Token] | Token, subject: Expr, said: str, *types: Type) -> bool:
    """Whether this can be said of the subject; if not, that is reported (unless its type is unknown)."""
    if subject.type in types:
        return True
    if subject.type is not Type.UNKNOWN:
        wanted = " or ".join(kind.value for kind in types)
        help_ = 'numbers are compared by "=", "<" or ">="' if subject.type is Type.NUMBER else ""
        p.report(tree, "wrong-type", f'"{said}" is said of {wanted}, not of {subject.type.value}', help_)
    return False


def _predicate(p: Phrase, tree: Tree[Token], subject: Expr, scope: Scope, span: Span) -> Expr:
    """`is` or `is not` something: the condition without the `not`."""
    said = tree.children[1]
    if isinstance(said, Token):
        if not _wants(p, said, subject, f"is {said}", Type.CARD, Type.NAME):
            return p.unknown(tree)
        return face_condition(p, said, subject, span)
    if said.data == "rank":
        if not _wants(p, said, subject, f"is {p.source(said)}", Type.CARD, Type.NAME):
            return p.unknown(tree)
        return rank_condition(p, said, subject)
    if said.data == "in_":
        return _is_in(p, said, subject, scope, span)
    if said.data in ("from_", "only_from"):
        return _from(p, said, subject, scope, span)
    if said.data == "words":
        words, rank = split(said)
        if rank is not None:
            if not _wants(p, said, subject, f"is {p.source(said)}", Type.CARD):
                return p.unknown(tree)
            nodes: list[Node] = [*words, rank]
            return all_of([adjective(p, node, subject) for node in nodes])
        if len(words) == 1:
            found = _word(p, words[0], subject, span)
            if found is not None:
                return found
    return _is_same(p, said, subject, scope, span)


def _word(p: Phrase, word: Token, subject: Expr, span: Span) -> Expr | None:
    """What a single word says of the subject; None if it is no predicate but the name of a thing."""
    if word == "empty":
        if not _wants(p, word, subject, "is empty", Type.CARDS, Type.GROUPS):
            return p.unknown(word)
        return IsEmpty(span=span, type=Type.TRUTH, of=subject)
    if word == "dry":
        if subject.type is Type.UNKNOWN:
            return p.unknown(word)
        if not (isinstance(subject, Zone) and subject.name == "stock"):
            return p.fail(word, "wrong-type", 'only the stock is "dry"', 'of other piles say "is empty"')
        return StockIsDry(span=span, type=Type.TRUTH)
    if word == "over":
        if not _wants(p, word, subject, "is over", Type.EVENT):
            return p.unknown(word)
        assert isinstance(subject, Fact)
        if subject.name == "turn":
            return TurnIsOver(span=span, type=Type.TRUTH)
        return ExtraTurnsAreOver(span=span, type=Type.TRUTH, name=subject.name)
    if word == "replaced":
        if not _wants(p, word, subject, "is replaced", Type.CARD):
            return p.unknown(word)
        return IsReplaced(span=span, type=Type.TRUTH, card=subject, zone=None)
    return describes(p, word, subject)


def _is_in(p: Phrase, said: Tree[Token], subject: Expr, scope: Scope, span: Span) -> Expr:
    container = term(p, pick(said, 1), scope)
    if Type.UNKNOWN in (subject.type, container.type):
        return p.unknown(said)
    if (subject.type, container.type) not in INSIDE:
        where = p.source(pick(said, 0))
        return p.fail(said, "wrong-type", f"{subject.type.value} cannot be {where} {container.type.value}")
    return IsIn(span=span, type=Type.TRUTH, thing=subject, container=container)


def _from(p: Phrase, said: Tree[Token], subject: Expr, scope: Scope, span: Span) -> Expr:
    verb, place = pick(said, 0), pick(said, 1)
    wanted = "replaced" if said.data == "from_" else "joined"
    if p.source(verb) != wanted:
        help_ = 'say "is replaced from ZONE" or "is joined only from ZONE"'
        return p.fail(verb, "unknown-word", f'nothing is "{p.source(verb)}" from somewhere', help_)
    zone = term(p, place, scope)
    if not _wants(p, said, subject, f"is {wanted} from …", Type.CARD) or zone.type is Type.UNKNOWN:
        return p.unknown(said)
    if not isinstance(zone, Zone) or place.data != "words":
        return p.fail(place, "wrong-type", f'"{p.source(place)}" is not a pile', 'for example "hand"')
    if said.data == "from_":
        return IsReplaced(span=span, type=Type.TRUTH, card=subject, zone=zone.name)
    return IsJoinedOnlyFrom(span=span, type=Type.TRUTH, card=subject, zone=zone.name)


def _is_same(p: Phrase, said: Tree[Token], subject: Expr, scope: Scope, span: Span) -> Expr:
    words = split(said)[0] if said.data == "words" else []
    word = words[0] if len(words) == 1 else None
    if word is not None and not _is_noun(p, word):
        if subject.type is Type.UNKNOWN:
            return p.unknown(said)
        return adjective(p, word, subject)
    other = term(p, said, scope)
    if Type.UNKNOWN in (subject.type, other.type):
        return p.unknown(said)
    if subject.type is not other.type or subject.type not in SAME:
        help_ = 'compare numbers, ranks, suits and names by "="' if other.type in BY_VALUE else ""
        if subject.type is other.type is Type.TRUTH:
            help_ = "a condition stands alone, or behind `not`"
        if (subject.type, other.type) in INSIDE:
            help_ = f'say "is in {p.source(said)}"'
        message = f'{subject.type.value} cannot be "{p.source(said)}", which is {other.type.value}'
        return p.fail(said, "wrong-type", message, help_)
    return IsSame(span=span, type=Type.TRUTH, left=subject, right=other)


def _is_noun(p: Phrase, word: Token) -> bool:
    """Whether a word names a thing by itself, rather than a trait or class that does not fit here."""
    if word in TRAITS or word in COLLECTIONS or word in p.names.kinds:
        return False
    if p.names.definitions.get(word) in ("cards", "groups", "layouts"):
        return False
    return word in p.names.nouns() or word in p.names.unreached_named
