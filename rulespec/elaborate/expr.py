"""Expressions, players and kinds of cards: parse tree and scope to a checked expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lark import Token, Tree

from rulespec.diagnostics import Diagnostic, did_you_mean, is_it_one_of, nearest
from rulespec.elaborate.ranks import face, face_condition, rank_condition
from rulespec.elaborate.scope import Node, Phrase, Scope, pick, token
from rulespec.elaborate.tails import tail
from rulespec.elaborate.terms import adjective, all_of, collection, split, term
from rulespec.expressions import (
    ELEMENT,
    After,
    Aggregate,
    And,
    Arithmetic,
    Call,
    Can,
    Compare,
    Count,
    CountKinds,
    Each,
    Except,
    Expr,
    Face,
    Fact,
    IfElse,
    It,
    Negate,
    Not,
    Number,
    OptionValue,
    Or,
    People,
    Person,
    Quantified,
    Ranked,
    Select,
    Times,
    Truth,
    Type,
    Word,
)
from rulespec.vocabulary import PREDICATES

COMPARISONS = {"le": "<=", "ge": ">=", "ne": "!=", "lt": "<", "gt": ">", "eq": "="}
SIGNS = {"plus": "+", "minus_": "-", "times_": "*", "over_": "/"}
FUNCTIONS = {"min": "min", "max": "max", "round_up": "round-up"}
QUANTIFIERS = {"every": "every", "some": "some", "none": "no"}
AGGREGATES: dict[str, Literal["total", "highest", "lowest"]] = {
    "total": "total",
    "highest": "highest",
    "lowest": "lowest",
}
KINDS: dict[str, Literal["rank", "suit"]] = {"ranks": "rank", "suits": "suit"}
SCOPES = {"this_turn": "turn", "this_round": "round", "this_game": "game"}
PERSONS = (Type.PLAYER, Type.PLAYERS)
BY_VALUE = (Type.NUMBER, Type.RANK, Type.SUIT, Type.NAME)
"""What is compared by `=`."""


def expression(p: Phrase, tree: Node, scope: Scope) -> Expr:
    """The meaning of an `expr` or `players` tree, or of any part of one; type UNKNOWN where a mistake was reported."""
    if isinstance(tree, Token):
        return p.fail(tree, "phrase-syntax", f'unexpected "{tree}"')
    return RULES[tree.data](p, tree, scope)


def want(p: Phrase, tree: Node, scope: Scope, *types: Type) -> Expr:
    """An expression that has one of these types; another type is reported."""
    value = expression(p, tree, scope)
    return check(p, tree, value, *types)


def check(p: Phrase, tree: Node, value: Expr, *types: Type) -> Expr:
    if value.type in types or value.type is Type.UNKNOWN:
        return value
    if isinstance(value, OptionValue) and _blames_option(p, value, types[0]):
        return p.unknown(tree)
    help_ = ""
    if value.type in ELEMENT and Type.NUMBER in types:
        help_ = _count_help(p, tree, value)
    elif value.type is Type.EVENT:
        help_ = f'say "{p.source(tree)} is over"'
    elif isinstance(value, Number) and Type.TRUTH in types:
        help_ = f'write out each comparison: "score = {value.value}"'
    elif value.type is Type.NUMBER and Type.TRUTH in types:
        help_ = f'compare it with something: "{p.source(tree)} >= 10"'
    elif isinstance(value, OptionValue) and value.type is Type.WORD and Type.TRUTH in types:
        first = p.names.options[value.name].values[0]
        help_ = f'ask which it is: "{value.name} = {first}"; an option with the values "no or yes" is a condition'
    message = f'"{p.source(tree)}" is {value.type.value}, not {types[0].value}'
    return p.fail(tree, "wrong-type", message, help_)


def _blames_option(p: Phrase, value: OptionValue, wanted: Type) -> bool:
    """Whether the sheet's own values of an inherited option are what does not fit an inherited phrase; if so, that is
    reported at the option."""
    option = p.names.options[value.name]
    if not p.inherited or option.span.file != p.names.file:
        return False
    values = {Type.NUMBER: "numbers", Type.TRUTH: '"no" and "yes"'}.get(wanted, wanted.value)
    message = f'the values of "{value.name}" have to be {values}'
    p.problems.append(Diagnostic("wrong-type", "error", message, option.span))
    return True


def _count_help(p: Phrase, tree: Node, value: Expr) -> str:
    if value.type is Type.CARDS and not (isinstance(tree, Tree) and tree.data == "of" and _is_collection(tree)):
        return f'say "number of cards in {p.source(tree)}" or "points of {p.source(tree)}"'
    return f'write "number of {p.source(tree)}"'


def _is_collection(tree: Tree[Token]) -> bool:
    """Whether a noun phrase says that it means cards in something (`red cards in hand`), not the something."""
    if tree.data != "of":
        return False
    words, rank = split(pick(tree, 0))
    return rank is not None or str(words[-1]) in ("cards", "card", "jokers", "joker")


# ------------------------------------------------------------ operators


def _number(p: Phrase, tree: Tree[Token], _scope: Scope) -> Expr:
    return Number(span=p.span(tree), type=Type.NUMBER, value=int(token(tree, 0)))


def _never(p: Phrase, tree: Tree[Token], _scope: Scope) -> Expr:
    return Truth(span=p.span(tree), type=Type.TRUTH, value=False)


def _card(p: Phrase, tree: Tree[Token], _scope: Scope) -> Expr:
    rank, suit = face(p, token(tree, 0))
    return Face(span=p.span(tree), type=Type.NAME, rank=rank, suit=suit)


def _arith(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    left, right = (want(p, tree.children[i], scope, Type.NUMBER) for i in (0, 2))
    op = SIGNS[pick(tree, 1).data]
    return Arithmetic(span=p.span(tree), type=Type.NUMBER, op=op, left=left, right=right)  # type: ignore[arg-type]


def _minus(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    return Negate(span=p.span(tree), type=Type.NUMBER, value=want(p, tree.children[0], scope, Type.NUMBER))


def _or(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    if all(isinstance(child, Tree) and child.data == "number" for child in tree.children):
        first, second = (p.source(child) for child in tree.children[:2])
        help_ = f'say which of them holds when: "{first} if opened else {second}"'
        return p.fail(tree, "wrong-type", '"or" stands between conditions, not between numbers', help_)
    parts = tuple(want(p, child, scope, Type.TRUTH) for child in tree.children)
    return Or(span=p.span(tree), type=Type.TRUTH, parts=parts)


def _and(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    parts = tuple(want(p, child, scope, Type.TRUTH) for child in tree.children)
    return And(span=p.span(tree), type=Type.TRUTH, parts=parts)


def _not(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    return Not(span=p.span(tree), type=Type.TRUTH, value=want(p, tree.children[0], scope, Type.TRUTH))


def _call(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    function = FUNCTIONS[pick(tree, 0).data]
    arguments = tuple(want(p, child, scope, Type.NUMBER) for child in tree.children[1:])
    if len(arguments) < 2 or (function == "round-up" and len(arguments) != 2):
        wanted = "two numbers" if function == "round-up" else "two numbers or more"
        return p.fail(tree, "wrong-type", f'"{function}" takes {wanted}, not {len(arguments)}')
    return Call(span=p.span(tree), type=Type.NUMBER, function=function, arguments=arguments)  # type: ignore[arg-type]


def _if_else(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    then = expression(p, tree.children[0], scope)
    condition = want(p, tree.children[1], scope, Type.TRUTH)
    otherwise = expression(p, tree.children[2], scope)
    kind = then.type
    if Type.UNKNOWN in (then.type, otherwise.type):
        kind = Type.UNKNOWN
    elif then.type in PERSONS and otherwise.type in PERSONS:
        kind = then.type if then.type is otherwise.type else Type.PLAYERS
    elif then.type is not otherwise.type:
        message = f"{then.type.value} if …, else {otherwise.type.value}: both must be of one type"
        return p.fail(tree.children[2], "wrong-type", message)
    return IfElse(span=p.span(tree), type=kind, then=then, condition=condition, otherwise=otherwise)


def _compare(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    op = COMPARISONS[pick(tree, 1).data]
    left = expression(p, tree.children[0], scope)
    if left.type is Type.WORD:
        return _compare_word(p, tree, left, op)
    if left.type is Type.UNKNOWN and pick(tree, 2).data == "words":
        return p.unknown(tree)
    said = p.source(tree.children[2])
    if said in PREDICATES and op in ("=", "!="):
        better = f"{p.source(tree.children[0])} is {'not ' if op == '!=' else ''}{said}"
        return p.fail(tree, "wrong-type", f'"{op}" does not compare with "{said}"', f'say "{better}"')
    right = expression(p, tree.children[2], scope)
    for side, value in ((tree.children[0], left), (tree.children[2], right)):
        if value.type in ELEMENT:
            message = f'"{p.source(side)}" is {value.type.value}, not a number'
            return p.fail(side, "wrong-type", message, _count_help(p, side, value))
    if Type.UNKNOWN in (left.type, right.type):
        return p.unknown(tree)
    if left.type is Type.RANK and isinstance(right, Number):
        help_ = f'say "it is {right.value}", or compare the place: "place of it = {right.value}"'
        return p.fail(tree.children[2], "wrong-type", "a rank is compared with a rank, not with a number", help_)
    if left.type is Type.TRUTH:
        return p.fail(tree, "wrong-type", f'"{p.source(tree.children[0])}" is a condition already', "write it alone")
    if left.type is not right.type:
        message = f"{left.type.value} is compared with {right.type.value}"
        help_ = 'the number of the turn is "turn-number"' if left.type is Type.EVENT else ""
        return p.fail(tree.children[2], "wrong-type", message, help_)
    if left.type not in BY_VALUE:
        return p.fail(tree, "wrong-type", f'{left.type.value} is compared by "is"')
    if left.type is not Type.NUMBER and op not in ("=", "!="):
        return p.fail(tree, "wrong-type", f"{left.type.value} has no order", 'compare places: "place of it"')
    return Compare(span=p.span(tree), type=Type.TRUTH, op=op, left=left, right=right)  # type: ignore[arg-type]


def _compare_word(p: Phrase, tree: Tree[Token], left: Expr, op: str) -> Expr:
    node = pick(tree, 2)
    word = p.source(node)
    if isinstance(left, OptionValue):
        values = tuple(str(value) for value in p.names.options[left.name].values)
    elif isinstance(left, Fact):
        values = tuple(sorted(p.names.endings))
    else:
        return p.fail(tree, "wrong-type", "a word is compared only where it is an option or the ending")
    if word not in values and not _narrowed(p, left, word, values):
        known = ", ".join(f'"{value}"' for value in values)
        help_ = did_you_mean(word, values) or f"one of {known}"
        return p.fail(node, "unknown-word", f'"{p.source(tree.children[0])}" is never "{word}"', help_)
    if op not in ("=", "!="):
        return p.fail(tree, "wrong-type", "words have no order", 'compare them by "=" or "!="')
    right = Word(span=p.span(node), type=Type.WORD, value=word)
    return Compare(span=p.span(tree), type=Type.TRUTH, op=op, left=left, right=right)  # type: ignore[arg-type]


def _narrowed(p: Phrase, left: Expr, word: str, values: tuple[str, ...]) -> bool:
    """Whether the sheet itself chose among the values of an inherited option, so that an inherited phrase may ask for
    one that is gone. A value that looks like a slip for it is reported at the option."""
    if not isinstance(left, OptionValue) or not p.inherited:
        return False
    option = p.names.options[left.name]
    if option.span.file != p.names.file:
        return False
    if nearest(word, values):
        message = f'no phrase asks whether "{left.name}" is "{nearest(word, values)[0]}"'
        p.problems.append(Diagnostic("unknown-word", "error", message, option.span, is_it_one_of([word])))
    return True


# ------------------------------------------------------------ moves made


def known_move(p: Phrase, word: Token) -> bool:
    """Whether a move of this name is reached; if not, that is reported."""
    if word in p.names.moves:
        return True
    if word in p.names.unreached_moves:
        p.problems.append(_unreached(p, word))
    else:
        p.unknown_word(word, "no move", p.names.moves)
    return False


def _unreached(p: Phrase, word: Token) -> Diagnostic:
    message, span = f'"{word}" is a move that no turn reaches', p.span(word)
    if not p.inherited or not p.names.own_turns:
        return Diagnostic("unreached-move", "error", message, span)
    message += " any more, but an inherited phrase speaks of it"
    help_ = f'let a turn reach it: "… or {word}"; or write that phrase anew in this sheet, or take it away by `none`'
    return Diagnostic("unreached-move", "error", message, p.names.own_turns[0], help_, ((span, "spoken of here"),))


def _times(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    move, anyone, when = token(tree, 0), tree.children[1], SCOPES[pick(tree, 2).data]
    if not known_move(p, move):
        return Expr(span=p.span(tree), type=Type.NUMBER)
    if scope.early:
        return p.fail(tree, "not-yet-known", "no move has been made when the game starts")
    if anyone is None and not scope.subject:
        return p.fail(tree, "no-player", f'whose "{move}"? there is no player here', 'say "by anyone"')
    of = None if anyone is not None else Person(span=p.span(move), type=Type.PLAYER, role="subject")
    return Times(span=p.span(tree), type=Type.NUMBER, move=str(move), of=of, scope=when)  # type: ignore[arg-type]


def _after(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    move = token(tree, 0)
    if not known_move(p, move):
        return p.unknown(tree)
    if scope.early:
        return p.fail(tree, "not-yet-known", "no move has been made when the game starts")
    return After(span=p.span(tree), type=Type.TRUTH, move=str(move))


def _can(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    move = token(tree, 0)
    if not known_move(p, move):
        return p.unknown(tree)
    if not scope.you:
        return p.fail(tree, "no-player", f'who can "{move}"? nobody acts when this is asked')
    return Can(span=p.span(tree), type=Type.TRUTH, move=str(move))


# ------------------------------------------------------------ counting and quantifying


def _count_of(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    counted = pick(tree, 0)
    kinds = _kinds_of(counted)
    if kinds is not None:
        return _count_kinds(p, tree, counted, kinds, scope)
    value = expression(p, counted, scope)
    if value.type is Type.UNKNOWN:
        return Expr(span=p.span(tree), type=Type.UNKNOWN)
    if value.type not in ELEMENT:
        source = p.source(counted)
        help_ = f'"{source}" alone is the number' if value.type is Type.NUMBER else ""
        return p.fail(counted, "wrong-type", f'"{source}" is {value.type.value}, nothing to count', help_)
    if value.type is Type.CARDS and counted.data in ("words", "of") and not _is_collection(counted):
        source = p.source(counted)
        return p.fail(
            counted, "wrong-type", f'"{source}" is a pile, not a number', f'say "number of cards in {source}"'
        )
    return Count(span=p.span(tree), type=Type.NUMBER, of=value)


def _kinds_of(counted: Tree[Token]) -> Literal["rank", "suit"] | None:
    """What is told apart in `ranks in THINGS` or `suits in THINGS`."""
    if counted.data != "of":
        return None
    words, rank = split(pick(counted, 0))
    return KINDS.get(str(words[0])) if len(words) == 1 and rank is None else None


def _count_kinds(
    p: Phrase, tree: Tree[Token], counted: Tree[Token], kinds: Literal["rank", "suit"], scope: Scope
) -> Expr:
    inner = term(p, pick(counted, 2), scope)
    natural = Token("NAME", "natural", start_pos=tree.meta.start_pos)
    cards = collection(p, counted, [natural], inner, Type.CARD)
    if cards.type is Type.UNKNOWN:
        return Expr(span=p.span(tree), type=Type.UNKNOWN)
    return CountKinds(span=p.span(tree), type=Type.NUMBER, property=kinds, of=cards)


def _of_rank(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    return collection(p, tree, [pick(tree, 0)], term(p, pick(tree, 2), scope), Type.CARD)


def _inside(p: Phrase, tree: Node, things: Expr, scope: Scope) -> Scope | None:
    """The scope of what is asked of each of `things`; None after a mistake."""
    if things.type in PERSONS:
        return scope.of_player()
    if things.type in ELEMENT:
        return scope.of_thing(ELEMENT[things.type])
    if things.type is not Type.UNKNOWN:
        message = f'"{p.source(tree)}" is {things.type.value}: there is nothing to go through'
        help_ = 'all players are "everyone"' if isinstance(things, Fact) and things.name == "players" else ""
        p.report(tree, "wrong-type", message, help_)
    return None


def _aggregate(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    things = expression(p, tree.children[1], scope)
    inside = _inside(p, tree.children[1], things, scope)
    if inside is None:
        return Expr(span=p.span(tree), type=Type.UNKNOWN)
    number = want(p, tree.children[2], inside, Type.NUMBER)
    kind = AGGREGATES[pick(tree, 0).data]
    return Aggregate(span=p.span(tree), type=Type.NUMBER, kind=kind, things=things, number=number)


def _quantified(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    phrase = Tree("of", list(tree.children[1:4]), tree.meta)
    things = term(p, phrase, scope)
    if things.type is Type.UNKNOWN:
        return p.unknown(tree)
    if things.type not in ELEMENT:
        return p.fail(pick(tree, 1), "wrong-type", f'"{p.source(pick(tree, 1))}" is {things.type.value}, not several')
    each = Each(span=p.span(pick(tree, 1)), type=ELEMENT[things.type])
    condition = tail(p, pick(tree, 4), each, scope, p.span(pick(tree, 4)))
    quantifier = QUANTIFIERS[pick(tree, 0).data]
    return Quantified(
        span=p.span(tree),
        type=Type.TRUTH,
        quantifier=quantifier,  # type: ignore[arg-type]
        things=things,
        condition=condition,
    )


def _players_have(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    if scope.early:
        return p.fail(tree, "not-yet-known", "nobody has anything yet when the game starts")
    condition = want(p, tree.children[1], scope.of_player(), Type.TRUTH)
    span = p.span(pick(tree, 0))
    everyone = People(span=span, type=Type.PLAYERS, role="everyone", of=None)
    quantifier = QUANTIFIERS[pick(tree, 0).data]
    return Quantified(
        span=p.span(tree),
        type=Type.TRUTH,
        quantifier=quantifier,  # type: ignore[arg-type]
        things=everyone,
        condition=condition,
    )


def _says(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    subject = expression(p, tree.children[0], scope)
    return tail(p, pick(tree, 1), subject, scope, p.span(tree))


# ------------------------------------------------------------ players and things one by one


def _ranked(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    players = expression(p, tree.children[0], scope)
    inside = _inside(p, tree.children[0], players, scope)
    if inside is None:
        return p.unknown(tree)
    by = want(p, tree.children[2], inside, Type.NUMBER)
    ties, whom = None, None
    if tree.children[3] is not None:
        tie = pick(tree, 3)
        ties = "for" if tie.data == "ties_for" else "against"
        whom = want(p, tie.children[0], scope, *PERSONS)
    return Ranked(
        span=p.span(tree),
        type=Type.PLAYERS if players.type in PERSONS else players.type,
        players=players,
        most=pick(tree, 1).data == "most",
        by=by,
        ties=ties,  # type: ignore[arg-type]
        whom=whom,
    )


def _except(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    players, without = (want(p, child, scope, *PERSONS) for child in tree.children)
    return Except(span=p.span(tree), type=Type.PLAYERS, players=players, without=without)


def _whose(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    things = expression(p, tree.children[0], scope)
    inside = _inside(p, tree.children[0], things, scope)
    if inside is None:
        return p.unknown(tree)
    condition = want(p, tree.children[1], inside, Type.TRUTH)
    kind = Type.PLAYERS if things.type in PERSONS else things.type
    return Select(span=p.span(tree), type=kind, things=things, condition=condition)


def players(p: Phrase, tree: Node, scope: Scope) -> Expr:
    """A phrase that names players: one or several."""
    value = expression(p, tree, scope)
    if value.type in PERSONS or value.type is Type.UNKNOWN:
        return value
    return p.fail(tree, "wrong-type", f'"{p.source(tree)}" is {value.type.value}, not players')


def line(p: Phrase, tree: Tree[Token], scope: Scope) -> tuple[Expr, Expr | None]:
    """The key of a line of scores: who gets it, or who gives it and whom it is given to."""
    first, second = tree.children
    return players(p, first, scope), None if second is None else players(p, second, scope)


# ------------------------------------------------------------ kinds of cards


def card_class(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    """The condition on `it` that a kind of card states: `joker or 2`, `red 3`, `card whose place of it = round`."""
    inside = scope.of_thing(Type.CARD)
    parts = tuple(_card_part(p, child, inside) for child in tree.children)
    return parts[0] if len(parts) == 1 else Or(span=p.span(tree), type=Type.TRUTH, parts=parts)


def _card_part(p: Phrase, node: Node, scope: Scope) -> Expr:
    it = It(span=p.span(node), type=Type.CARD)
    if isinstance(node, Token):
        return face_condition(p, node, it, p.span(node))
    if node.data == "any_card":
        return Truth(span=p.span(node), type=Type.TRUTH, value=True)
    if node.data == "card_whose":
        return want(p, node.children[0], scope, Type.TRUTH)
    if node.data == "rank":
        return rank_condition(p, node, it)
    return words_class(p, node)


def words_class(p: Phrase, tree: Tree[Token]) -> Expr:
    """The condition on `it` (a card) of a class in plain words: `red 3`, `natural`, `jokers`."""
    words, rank = split(tree)
    if [str(word) for word in words] in (["card"], ["cards"]) and rank is None:
        return Truth(span=p.span(tree), type=Type.TRUTH, value=True)
    nodes: list[Node] = [word for word in words if word not in ("card", "cards")]
    if rank is not None:
        nodes.append(rank)
    if not nodes:
        return p.fail(tree, "phrase-syntax", "expected a kind of card")
    return all_of([adjective(p, node, It(span=p.span(node), type=Type.CARD)) for node in nodes])


RULES: dict[str, Callable[[Phrase, Tree[Token], Scope], Expr]] = {
    "number": _number,
    "never": _never,
    "card": _card,
    "arith": _arith,
    "minus": _minus,
    "or": _or,
    "unless": _or,
    "and": _and,
    "not": _not,
    "call": _call,
    "if_else": _if_else,
    "compare": _compare,
    "times": _times,
    "after": _after,
    "can": _can,
    "count_of": _count_of,
    "of_rank": _of_rank,
    "aggregate": _aggregate,
    "quantified": _quantified,
    "players_have": _players_have,
    "says": _says,
    "ranked": _ranked,
    "except_": _except,
    "whose": _whose,
    "words": term,
    "of": term,
}
