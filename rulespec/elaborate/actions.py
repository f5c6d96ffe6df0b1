"""What moves do, and the duties they open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from lark import Token, Tree

from rulespec.diagnostics import did_you_mean
from rulespec.elaborate.expr import PERSONS, known_move, want, words_class
from rulespec.elaborate.scope import Phrase, Scope, pick, token
from rulespec.elaborate.terms import term
from rulespec.elaborate.walk import deep
from rulespec.expressions import Expr, Named, Person, Type
from rulespec.hints import meant_pile
from rulespec.model import (
    UNBOUNDED,
    Action,
    Add,
    Draw,
    Fold,
    LayMelds,
    LayOff,
    Pass,
    Put,
    PutEvery,
    Rearrange,
    Return,
    SetTally,
    Swap,
    Take,
    TurnUp,
)

LAYING = frozenset({"lay_meld", "lay_melds", "swap", "rearrange"})
"""Actions that always lay a card, after which somebody has opened."""
BOOKS = frozenset({"add", "set"})
TAKES = {"pick_top": "top", "pick_all": "all", "pick_any": "any", "pick_dig": "dig"}
DEADLINES = {"before": "before", "by": "by", "at_once": "at once", "before_end": "before turn ends"}


# ------------------------------------------------------------ what can be known before anything is worked out


def it_type(tree: Tree[Token]) -> Type | None:
    """What `it` is in `does`, `only` and `duty` of a move: the card put, else the group laid off on or swapped in."""
    for action in tree.children:
        assert isinstance(action, Tree)
        if action.data in ("put", "put_every"):
            return Type.CARD if action.data == "put" and _count(pick(action, 0)) == 1 else Type.CARDS
    if any(isinstance(action, Tree) and action.data in ("lay_off", "swap") for action in tree.children):
        return Type.GROUP
    return None


def lays(tree: Tree[Token]) -> bool:
    """Whether who made the move has surely laid a card by it; `lay any melds` may lay none."""
    return any(
        isinstance(action, Tree) and (action.data in LAYING or (action.data == "lay_off" and _is_positive(action)))
        for action in tree.children
    )


def _is_positive(lay_off: Tree[Token]) -> bool:
    count = pick(lay_off, 0)
    return count.data == "number" and int(token(count, 0)) > 0


def named_cards(tree: Tree[Token]) -> Iterable[tuple[Token, Type]]:
    """The names that the actions of a `does` give, and whether each names one card or several."""
    for action in tree.children:
        assert isinstance(action, Tree)
        for child in action.children:
            if isinstance(child, Tree) and child.data == "named":
                yield token(child, 0), Type.CARD if _names_one(action) else Type.CARDS


def _names_one(action: Tree[Token]) -> bool:
    if action.data == "swap":
        return True
    first = action.children[0]
    if action.data == "take":
        taken = pick(action, 0)
        return taken.data in ("pick_any", "pick_dig") or (
            taken.data == "pick_top" and (taken.children[0] is None or taken.children[0] == "1")
        )
    if action.data == "put":
        return _count(pick(action, 0)) == 1
    if action.data == "turn_up":
        return str(first) == "1"
    return action.data == "draw" and isinstance(first, Tree) and first.data == "number" and token(first, 0).value == "1"


def _count(tree: Tree[Token]) -> int | Literal["any", "all"]:
    if tree.data == "any_number":
        return "any"
    return "all" if tree.data == "all_cards" else int(token(tree, 0))


# ------------------------------------------------------------ actions


def actions(p: Phrase, tree: Tree[Token], scope: Scope, *, books_only: bool = False) -> tuple[Action, ...]:
    """The actions of a `does`; those with a mistake are left out. With `books_only` only tallies may change."""
    made = []
    for action in tree.children:
        assert isinstance(action, Tree)
        if books_only and action.data not in BOOKS:
            p.report(action, "books-only", "an ending only keeps books: add and set")
            continue
        result = MAKERS[action.data](p, action, scope)
        if result is not None:
            made.append(result)
    return tuple(made)


def _pile(p: Phrase, tree: Tree[Token], scope: Scope) -> tuple[str, Expr | None] | None:
    """The name of a pile and whose it is; None if there is no such pile."""
    zone, of = token(tree, 0), tree.children[1]
    if not _is_pile(p, zone):
        return None
    if p.names.zones[zone] == "table":
        if of is not None:
            p.report(tree, "belongs-to-nobody", f'"{zone}" belongs to nobody', f'say "{zone}" alone')
        return str(zone), None
    if of is None:
        return str(zone), Person(span=p.span(zone), type=Type.PLAYER, role="subject")
    return str(zone), want(p, of, scope, Type.PLAYER)


def _is_pile(p: Phrase, zone: Token) -> bool:
    """Whether cards can be taken from a zone of this name and put there; if not, that is reported."""
    if zone == "hand":
        help_ = "they come to the hand by `draw` and `take`; give them away on a zone of the other player"
        p.report(zone, "wrong-type", '"hand" is no pile: cards are taken from piles and put on piles', help_)
    elif zone == "table":
        help_ = "cards come there as groups: `lay a meld`, `lay off 1`; for loose cards declare a zone"
        p.report(zone, "wrong-type", '"table" holds groups, not loose cards', help_)
    elif zone not in p.names.zones:
        help_ = meant_pile(zone, p.names.zones) or did_you_mean(zone, p.names.zones)
        p.report(zone, "unknown-word", f'no zone "{zone}"', help_)
    else:
        return True
    return False


def _name(node: Tree[Token] | Token | None) -> str | None:
    return str(token(node, 0)) if isinstance(node, Tree) else None


def _draw(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    count = want(p, tree.children[0], scope, Type.NUMBER)
    pile = ("stock", None) if tree.children[1] is None else _pile(p, pick(tree, 1), scope)
    if pile is None:
        return None
    return Draw(span=p.span(tree), count=count, zone=pile[0], of=pile[1], named=_name(tree.children[2]))


def _take(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    taken = pick(tree, 0)
    pile = _pile(p, pick(tree, 1), scope)
    count = taken.children[0] if taken.data == "pick_top" else None
    if pile is None:
        return None
    return Take(
        span=p.span(tree),
        what=TAKES[taken.data],  # type: ignore[arg-type]
        count=1 if count is None else int(str(count)),
        zone=pile[0],
        of=pile[1],
        named=_name(tree.children[2]),
    )


def _put(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    what, down, end, where, named = tree.children
    assert isinstance(what, Tree)
    assert isinstance(end, Tree)
    assert isinstance(where, Tree)
    pile = _pile(p, where, scope)
    if tree.data == "put_every":
        card = words_class(p, what)
        if pile is None:
            return None
        return PutEvery(
            span=p.span(tree),
            card=card,
            face_down=down is not None,
            under=end.data == "below",
            zone=pile[0],
            of=pile[1],
            named=_name(named),
        )
    if pile is None:
        return None
    return Put(
        span=p.span(tree),
        count=_count(what),
        face_down=down is not None,
        under=end.data == "below",
        zone=pile[0],
        of=pile[1],
        named=_name(named),
    )


def _return(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    name = token(tree, 0)
    if name not in p.names.named:
        p.unknown_word(name, "no cards are called", p.names.named)
    pile = _pile(p, pick(tree, 2), scope)
    if pile is None or name not in p.names.named:
        return None
    return Return(span=p.span(tree), name=str(name), under=pick(tree, 1).data == "below", zone=pile[0], of=pile[1])


def _lay(p: Phrase, tree: Tree[Token], _scope: Scope) -> Action:
    least, most = {"lay_meld": (1, 1), "lay_melds": (1, UNBOUNDED), "lay_any_melds": (0, UNBOUNDED)}[tree.data]
    return LayMelds(span=p.span(tree), least=least, most=most)


def _lay_off(p: Phrase, tree: Tree[Token], scope: Scope) -> Action:
    return LayOff(span=p.span(tree), count=want(p, tree.children[0], scope, Type.NUMBER))


def _swap(p: Phrase, tree: Tree[Token], _scope: Scope) -> Action:
    return Swap(span=p.span(tree), named=_name(tree.children[0]))


def _rearrange(p: Phrase, tree: Tree[Token], _scope: Scope) -> Action | None:
    zone = tree.children[1]
    if isinstance(zone, Token) and not _is_pile(p, zone):
        return None
    own = tree.children[0] is not None
    return Rearrange(span=p.span(tree), own=own, zone=None if zone is None else str(zone))


def _turn_up(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    pile = _pile(p, pick(tree, 1), scope)
    if pile is None:
        return None
    count, named = int(token(tree, 0)), _name(tree.children[2])
    return TurnUp(span=p.span(tree), count=count, zone=pile[0], of=pile[1], named=named)


def _pass(p: Phrase, tree: Tree[Token], _scope: Scope) -> Action:
    return Pass(span=p.span(tree))


def _fold(p: Phrase, tree: Tree[Token], _scope: Scope) -> Action:
    return Fold(span=p.span(tree))


def _books(p: Phrase, tree: Tree[Token], scope: Scope) -> Action | None:
    amount_at, tally_at, whose_at = (0, 1, 2) if tree.data == "add" else (2, 0, 1)
    amount = want(p, tree.children[amount_at], scope, Type.NUMBER)
    tally, whose = pick(tree, tally_at), tree.children[whose_at]
    name = p.source(tally)
    owner = "side" if name == "score" else p.names.tallies.get(name)
    if owner is None:
        p.unknown_word(tally, "no tally", {*p.names.tallies, "score"})
        return None
    of: Expr | None = None
    if owner == "table":
        if whose is not None:
            p.report(tree, "belongs-to-nobody", f'"{name}" belongs to nobody', f'say "{name}" alone')
    elif whose is None:
        of = Person(span=p.span(tally), type=Type.PLAYER, role="subject")
    else:
        assert isinstance(whose, Tree)
        of = term(p, whose, scope)
        if of.type not in PERSONS and of.type is not Type.UNKNOWN:
            p.report(whose, "wrong-type", f'"{p.source(whose)}" is {of.type.value}, not a player')
    if tree.data == "add":
        return Add(span=p.span(tree), amount=amount, tally=name, of=of)
    return SetTally(span=p.span(tree), tally=name, of=of, amount=amount)


MAKERS: dict[str, Callable[[Phrase, Tree[Token], Scope], Action | None]] = {
    "draw": _draw,
    "take": _take,
    "put": _put,
    "put_every": _put,
    "return_to": _return,
    "lay_meld": _lay,
    "lay_melds": _lay,
    "lay_any_melds": _lay,
    "lay_off": _lay_off,
    "swap": _swap,
    "rearrange": _rearrange,
    "turn_up": _turn_up,
    "pass": _pass,
    "fold": _fold,
    "add": _books,
    "set": _books,
}


# ------------------------------------------------------------ duties

Deadline = Literal["before", "by", "at once", "before turn ends"]


def duty(p: Phrase, tree: Tree[Token], scope: Scope) -> tuple[Expr, Deadline, str, tuple[str, ...]]:
    """Condition, deadline, move of the deadline (or an empty text), and the named cards the condition speaks of."""
    condition = want(p, tree.children[0], scope, Type.TRUTH)
    when = pick(tree, 1)
    move = ""
    if when.data in ("before", "by"):
        word = token(when, 0)
        move = str(word)
        known_move(p, word)
    deadline: Deadline = DEADLINES[when.data]  # type: ignore[assignment]
    cards = (part.name for part in deep(condition, p.names.bodies) if isinstance(part, Named))
    return condition, deadline, move, tuple(dict.fromkeys(cards))
