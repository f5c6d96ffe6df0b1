"""Noun phrases: `hand`, `points of hand of ender`, `red 3 in hand`, `old group of it`, `clean groups in melds`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lark import Token, Tree

from rulespec.diagnostics import did_you_mean
from rulespec.elaborate.ranks import rank_condition
from rulespec.elaborate.scope import SUBJECT_TYPE, Node, Phrase, Scope, pick
from rulespec.elaborate.walk import needs_subject
from rulespec.expressions import (
    ELEMENT,
    And,
    Beside,
    CardProperty,
    CardsIn,
    Defined,
    Expr,
    Fact,
    GroupOf,
    GroupsIn,
    IsKind,
    It,
    Laid,
    Layouts,
    Melds,
    Named,
    Neighbours,
    OptionValue,
    Owner,
    Partner,
    People,
    Person,
    Played,
    PlayerFact,
    Points,
    Rest,
    Select,
    Table,
    TableValue,
    Tally,
    Top,
    Trait,
    Truth,
    Type,
    Zone,
)
from rulespec.hints import meant_pile
from rulespec.parser import can_be_read
from rulespec.source import Span
from rulespec.vocabulary import ARTICLES, COLLECTIONS, EARLY, ENTRIES, OLD, PARTICLES, PREDICATES, TRAITS, Entry

PERSONAL = (Type.PLAYER, Type.PLAYERS)
HOLDERS = (Type.CARDS, Type.GROUP, Type.GROUPS, Type.LAYOUT)


def term(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    """The thing, number or condition that a noun phrase (`words` or `of`) names."""
    if tree.data == "words":
        return _bare(p, tree, scope)
    strange = _strange(p, split(pick(tree, 0))[0])
    if strange is not None:
        return _not_a_value(p, strange)
    return _asked(p, tree, scope, term(p, pick(tree, 2), scope))


def split(tree: Tree[Token]) -> tuple[list[Token], Tree[Token] | None]:
    """The words of a `words` tree without articles, and its rank."""
    names = [child for child in tree.children if isinstance(child, Token) and child not in ARTICLES]
    ranks = [child for child in tree.children if isinstance(child, Tree)]
    return names, (ranks[0] if ranks else None)


# ------------------------------------------------------------ bare words


def _bare(p: Phrase, tree: Tree[Token], scope: Scope) -> Expr:
    words, rank = split(tree)
    if not words:
        return p.fail(tree, "phrase-syntax", "a name is missing here")
    head = words[-1]
    if rank is not None or len(words) > 1:
        strange = _strange(p, words)
        if strange is not None:
            return _not_a_value(p, strange)
        if rank is not None or head in COLLECTIONS or _is_kind(p, head):
            source = p.source(tree)
            where = "on the table" if _is_kind(p, head) or head == "groups" else "in hand"
            return p.fail(tree, "not-a-thing", f'"{source}" where?', f'say for example "{source} {where}"')
        if head in ("empty", "dry", "over"):
            return p.fail(tree, "not-a-thing", f'"{p.source(tree)}" is no one thing', f'say "is {head}"')
        return p.fail(tree, "not-a-thing", f'"{p.source(tree)}" is no one thing', 'an "of", "in" or "and" is missing')
    return name(p, head, scope)


def _is_kind(p: Phrase, word: Token) -> bool:
    return word in p.names.kinds or word.removesuffix("s") in p.names.kinds


def _strange(p: Phrase, words: Sequence[Token]) -> Token | None:
    """The first word that means nothing."""
    known = p.names.nouns() | PARTICLES
    return next((word for word in words if word not in known), None)


def name(p: Phrase, word: Token, scope: Scope) -> Expr:
    """What a single word means where it stands."""
    names, span = p.names, p.span(word)
    if word == "it":
        if scope.it is None:
            help_ = 'say what you mean: "hand", "top of discards"'
            if scope.you and not scope.played:
                help_ += "; the card a move is made with is spoken of behind `only`"
            return p.fail(word, "no-it", 'there is no "it" here', help_)
        return It(span=span, type=scope.it)
    if word in names.options:
        return OptionValue(span=span, type=names.options[word].type, name=str(word))
    if word in names.tables:
        return _table(p, word, scope)
    if names.definitions.get(word) in ("players", "round"):
        return _definition(p, word, scope)
    owner = names.zones.get(word) or names.tallies.get(word)
    entry = ENTRIES.get(word)
    personal = owner in ("player", "side") or (entry is not None and entry.home == "player")
    if personal and not scope.subject:
        return _nobody(p, word)
    if scope.early and word not in EARLY and (owner or entry or word in names.named):
        return p.fail(word, "not-yet-known", f'"{word}" is not yet known when the game starts', _early_help(p))
    if word in names.zones:
        return Zone(span=span, type=Type.CARDS, name=str(word), of=_subject(span) if personal else None)
    if word in names.tallies:
        return Tally(span=span, type=Type.NUMBER, name=str(word), of=_subject(span) if personal else None)
    if word in names.named:
        return Named(span=span, type=names.named[word], name=str(word))
    if word in names.extra_turns:
        return Fact(span=span, type=Type.EVENT, name=str(word))
    if entry is not None:
        return _entry(p, word, entry, scope)
    return _not_a_value(p, word)


def _subject(span: Span) -> Person:
    return Person(span=span, type=Type.PLAYER, role="subject")


def _nobody(p: Phrase, word: Token) -> Expr:
    message = f'whose "{word}"? there is no player here it could belong to'
    whole = f"({p.text})" if re.search(r"\b(and|or|unless)\b", p.text) else p.text
    asked = f"some player has {whole}"
    if re.search(r"[<>=]| (is|are) ", p.text) and " has " not in p.text and can_be_read(asked, "expr"):
        return p.fail(word, "no-player", message, f'say "{asked}", or whose: "{word} of dealer"')
    return p.fail(word, "no-player", message, f'say whose: "{word} of dealer"')


def _early_help(p: Phrase) -> str:
    known = ["players", *p.names.options]
    return "known then: " + ", ".join(f'"{word}"' for word in known)


def _entry(p: Phrase, word: Token, entry: Entry, scope: Scope) -> Expr:
    span = p.span(word)
    if entry.of and entry.home == "table":
        return p.fail(word, "not-a-thing", f'"{word}" of what?', f'say for example "{word} of {_example(entry)}"')
    if entry.home == "player":
        return _of_player(p, word, _subject(span), span, scope)
    if entry.type is Type.PLAYER:
        if word == "you" and not scope.you:
            return p.fail(word, "no-player", 'there is no "you" here: nobody acts when this is asked')
        if word == "giver" and not scope.giver:
            return p.fail(word, "no-player", 'there is no "giver" here', 'there is one in the lines "P to Q"')
        return Person(span=span, type=Type.PLAYER, role=word.value)
    if entry.type is Type.PLAYERS:
        return People(span=span, type=Type.PLAYERS, role=word.value, of=None)
    if word in ("yes", "no"):
        return Truth(span=span, type=Type.TRUTH, value=word == "yes")
    if word == "table":
        return Table(span=span, type=Type.GROUPS)
    if word == "played":
        if not scope.played:
            return p.fail(word, "not-yet-known", '"played" is known only in "does", "only" and "duty" of a move')
        return Played(span=span, type=Type.LAYOUT)
    return Fact(span=span, type=entry.type, name=str(word))


def _example(entry: Entry) -> str:
    if Type.PLAYER in entry.of:
        return "you"
    return "hand" if Type.CARDS in entry.of else "it"


def _table(p: Phrase, word: Token, scope: Scope) -> Expr:
    table = p.names.table_of(str(word))
    if table is None:
        return p.fail(word, "defined-by-itself", f'"{word}" is worked out by itself')
    if not scope.subject and any(
        needs_subject(e, p.names.table_of) for e in (table.key, *(row[1] for row in table.rows))
    ):
        return _nobody(p, word)
    return TableValue(span=p.span(word), type=Type.NUMBER, name=str(word))


def _definition(p: Phrase, word: Token, scope: Scope) -> Expr:
    span = p.span(word)
    if p.names.definitions[word] == "players" and not scope.subject:
        return _nobody(p, word)
    kind = definition_type(p, word)
    of = _subject(span) if p.names.definitions[word] == "players" else None
    return Defined(span=span, type=kind, name=str(word), of=of)


def definition_type(p: Phrase, word: Token) -> Type:
    body = p.names.body_of(str(word))
    if body is None:
        p.report(word, "defined-by-itself", f'"{word}" is defined by itself')
        return Type.UNKNOWN
    return body.type


def _takes_away(word: str, nouns: set[str]) -> bool:
    """Whether a word reads as a difference of two values: `round-1`, `score-limit`."""
    parts = word.split("-")
    pairs = (("-".join(parts[:cut]), "-".join(parts[cut:])) for cut in range(1, len(parts)))
    return any(left in nouns and (right in nouns or right.isdecimal()) for left, right in pairs)


def _not_a_value(p: Phrase, word: Token) -> Expr:
    names = p.names
    if word in names.moves or word in names.unreached_moves:
        help_ = f'say "after {word}", "can {word}" or "times {word} this turn"'
        pile = meant_pile(word, names.zones)
        help_ = f"{pile}; of the move {help_}" if pile else help_
        if word == "meld":
            help_ += ', of groups "groups on the table"'
        return p.fail(word, "not-a-thing", f'"{word}" is a move', help_)
    if word in names.phases:
        return p.fail(word, "not-a-thing", f'"{word}" is a phase')
    if word in names.definitions:
        what = SUBJECT_TYPE[names.definitions[word]].value
        return p.fail(
            word, "not-a-thing", f'"{word}" is defined for {what}', f'say of what: "{word} of it", "it is {word}"'
        )
    if word in PREDICATES:
        return p.fail(word, "not-a-thing", f'"{word}" stands only behind "is"', f'say "is {word}" or "is not {word}"')
    if _is_kind(p, word) or word in ("groups", "group"):
        return p.fail(word, "not-a-thing", f'"{word}" where?', f'say for example "{word} on the table"')
    if word in COLLECTIONS or word in TRAITS:
        return p.fail(word, "not-a-thing", f'"{word}" where?', f'say for example "{word} in hand" or "it is {word}"')
    if word in names.unreached_named:
        return p.fail(word, "unreached-move", f'only moves that no turn reaches name cards "{word}"')
    if _takes_away(word, names.nouns()):
        return p.fail(word, "unknown-word", f'unknown word "{word}"', "minus stands between blanks")
    return p.unknown_word(word, "unknown word", names.nouns() | names.unreached)


# ------------------------------------------------------------ words asked of something


def _asked(p: Phrase, tree: Tree[Token], scope: Scope, inner: Expr) -> Expr:
    words, rank = split(pick(tree, 0))
    if not words:
        return p.fail(tree, "phrase-syntax", "a name is missing here")
    head, adjectives = words[-1], words[:-1]
    if rank is not None:
        return collection(p, tree, [*words, rank], inner, Type.CARD)
    singular = head[:-1] if head.endswith("s") else str(head)
    if head == "group" and (adjectives == ["old"] or (inner.type is Type.CARD and not adjectives)):
        return _attribute(p, tree, head, adjectives, inner)
    if head in COLLECTIONS:
        return collection(p, tree, [*adjectives, head] if head == "jokers" else adjectives, inner, COLLECTIONS[head])
    if head == "group" or head in p.names.kinds or singular in p.names.kinds:
        return collection(p, tree, adjectives if head == "group" else words, inner, Type.GROUP)
    if head == "joker":
        return collection(p, tree, words, inner, Type.CARD)
    if adjectives and not (head in OLD and adjectives == ["old"]):
        source = p.source(pick(tree, 0))
        return p.fail(pick(tree, 0), "not-a-thing", f'"{source}": too many words', 'an "of" or "in" is missing')
    if inner.type is Type.UNKNOWN:
        return p.unknown(tree)
    if head in ENTRIES and ENTRIES[head].of and ENTRIES[head].home == "table":
        value = _attribute(p, tree, head, adjectives, inner)
    else:
        value = _belonging(p, tree, head, scope, inner)
    if pick(tree, 1).data != "of_" and value.type is not Type.UNKNOWN:
        said = f"{head} {p.source(pick(tree, 1))}"
        return p.fail(pick(tree, 1), "not-a-thing", f'"{said} …" means nothing', f'say "{head} of …"')
    return value


def _belonging(p: Phrase, tree: Tree[Token], head: Token, scope: Scope, inner: Expr) -> Expr:
    names, span = p.names, p.span(tree)
    subject = names.definitions.get(head)
    owner = names.zones.get(head) or names.tallies.get(head)
    entry = ENTRIES.get(head)
    if subject in SUBJECT_TYPE:
        if inner.type is not SUBJECT_TYPE[subject]:
            return _cannot(p, tree, head, inner, [SUBJECT_TYPE[subject]])
        return Defined(span=span, type=definition_type(p, head), name=str(head), of=inner)
    if not (subject == "players" or owner in ("player", "side") or (entry is not None and entry.home == "player")):
        if owner == "table" or entry is not None or subject == "round" or head in names.options or head in names.tables:
            return p.fail(tree, "belongs-to-nobody", f'"{head}" belongs to nobody', f'say "{head}" alone')
        value = name(p, head, scope)
        return p.unknown(tree) if value.type is Type.UNKNOWN else _cannot(p, tree, head, inner, [])
    if inner.type not in PERSONAL:
        return _cannot(p, tree, head, inner, [Type.PLAYER])
    if head in names.zones:
        return Zone(span=span, type=Type.CARDS, name=str(head), of=inner)
    several = inner.type is Type.PLAYERS
    if several and head not in ("melds", "laid"):
        help_ = f'go through them: "total over {inner_words(p, tree)} of {head}"'
        return p.fail(tree, "several-players", f'"{head}" is asked of one player, not of several', help_)
    if head in names.tallies:
        return Tally(span=span, type=Type.NUMBER, name=str(head), of=inner)
    if subject == "players":
        return Defined(span=span, type=definition_type(p, head), name=str(head), of=inner)
    return _of_player(p, head, inner, span, scope)


def inner_words(p: Phrase, tree: Tree[Token]) -> str:
    return p.source(pick(tree, 2))


def _cannot(p: Phrase, tree: Node, head: str, inner: Expr, allowed: Sequence[Type]) -> Expr:
    of = " or ".join(kind.value for kind in allowed)
    help_ = f'"{head}" is asked of {of}' if of else ""
    if head == "melds" and inner.type is Type.GROUPS:
        help_ = 'say "groups on the table"; "melds" are the groups of your side'
    return p.fail(tree, "wrong-type", f'"{head}" of {inner.type.value} means nothing', help_)


def _of_player(p: Phrase, word: Token, of: Expr, span: Span, scope: Scope) -> Expr:
    if word == "melds":
        return Melds(span=span, type=Type.GROUPS, of=of)
    if word == "laid":
        return Laid(span=span, type=Type.CARDS, of=of)
    if word == "others":
        return People(span=span, type=Type.PLAYERS, role="others", of=of)
    if word == "partner":
        return Partner(span=span, type=Type.PLAYER, of=of)
    mine = isinstance(of, Person) and of.role in ("subject", "you")
    if word == "opened" and scope.laying and mine:
        return p.fail(word, "always-holds", 'after this move "opened" always holds', 'say "opened-before"')
    return PlayerFact(span=span, type=ENTRIES[word].type, name=word.value, of=of)


def _attribute(p: Phrase, tree: Tree[Token], head: Token, adjectives: list[Token], inner: Expr) -> Expr:
    entry, span, old = ENTRIES[head], p.span(tree), bool(adjectives)
    if inner.type is Type.UNKNOWN:
        return p.unknown(tree)
    if inner.type not in entry.of:
        allowed = [kind for kind in Type if kind in entry.of]
        return _cannot(p, tree, head, inner, allowed)
    if head == "top" and not _has_top(p, tree, inner):
        return p.unknown(tree)
    make: dict[str, Callable[[], Expr]] = {
        "group": lambda: GroupOf(span=span, type=Type.GROUP, of=inner, old=old),
        "neighbours": lambda: Neighbours(span=span, type=Type.CARDS, of=inner, old=old),
        "top": lambda: Top(span=span, type=Type.CARD, of=inner),
        "points": lambda: Points(span=span, type=Type.NUMBER, of=inner),
        "layouts": lambda: Layouts(span=span, type=Type.LAYOUTS, of=inner),
        "rest": lambda: Rest(span=span, type=Type.CARDS, of=inner),
        "owner": lambda: Owner(span=span, type=Type.PLAYER, of=inner),
        "left": lambda: Beside(span=span, type=Type.PLAYER, side="left", of=inner),
        "right": lambda: Beside(span=span, type=Type.PLAYER, side="right", of=inner),
    }
    if head in make:
        return make[head]()
    return CardProperty(span=span, type=entry.type, property=head.value, of=inner, old=old)


def _has_top(p: Phrase, tree: Tree[Token], inner: Expr) -> bool:
    """Whether these cards lie in one pile, in the order in which they came; if not, that is reported."""
    whose = inner.of if isinstance(inner, Zone) else None
    if whose is not None and whose.type is Type.PLAYERS:
        message = f'"{inner_words(p, tree)}" are the piles of several players, each with a top card of its own'
        p.report(tree, "several-players", message, "say whose: for example of one player")
    elif isinstance(inner, Zone) and inner.name != "hand":
        return True
    else:
        piles = [name for name in p.names.zones if name != "hand"]
        message = f'only a pile has a top card, and "{inner_words(p, tree)}" is none'
        p.report(tree, "wrong-type", message, "the piles are " + ", ".join(f'"{pile}"' for pile in piles))
    return False


# ------------------------------------------------------------ cards, groups and layouts of a class


def collection(p: Phrase, tree: Tree[Token], adjectives: Sequence[Node], inner: Expr, thing: Type) -> Expr:
    """The cards, groups or layouts in `inner` of which all `adjectives` hold."""
    conditions: list[Expr] = []
    for word in adjectives:
        conditions.append(adjective(p, word, It(span=p.span(word), type=thing)))
        if conditions[-1].type is Type.UNKNOWN:
            return p.unknown(tree)
    if inner.type is Type.UNKNOWN:
        return p.unknown(tree)
    span = p.span(tree)
    things: Expr
    if thing is Type.CARD:
        if inner.type not in HOLDERS:
            return p.fail(tree, "wrong-type", f"{inner.type.value} holds no cards")
        things = inner if inner.type is Type.CARDS else CardsIn(span=span, type=Type.CARDS, of=inner)
    elif thing is Type.GROUP:
        if inner.type not in (Type.GROUPS, Type.LAYOUT):
            return p.fail(tree, "wrong-type", f"{inner.type.value} holds no groups")
        things = inner if inner.type is Type.GROUPS else GroupsIn(span=span, type=Type.GROUPS, of=inner)
    else:
        if inner.type is not Type.CARDS:
            return p.fail(tree, "wrong-type", f"{inner.type.value} has no layouts", 'say "layouts of hand"')
        things = Layouts(span=span, type=Type.LAYOUTS, of=inner)
    if not conditions:
        return things
    return Select(span=span, type=things.type, things=things, condition=all_of(conditions))


def all_of(conditions: Sequence[Expr]) -> Expr:
    """One condition that holds where all do; at least one is given."""
    if len(conditions) == 1:
        return conditions[0]
    first, last = conditions[0].span, conditions[-1].span
    span = Span(first.file, first.line, first.column, last.end_line, last.end_column)
    return And(span=span, type=Type.TRUTH, parts=tuple(conditions))


def adjective(p: Phrase, word: Node, thing: Expr) -> Expr:
    """The condition that a word before a noun, or a rank, states of `thing`."""
    if isinstance(word, Tree):
        return rank_condition(p, word, thing)
    found = describes(p, word, thing)
    if found is not None:
        return found
    known = {*TRAITS} if thing.type is Type.CARD else {*p.names.kinds} if thing.type is Type.GROUP else set()
    known |= {"empty"} if thing.type in (Type.CARDS, Type.GROUPS) else set()
    known |= {n for n, subject in p.names.definitions.items() if SUBJECT_TYPE.get(subject) is thing.type}
    if word in p.names.nouns():
        help_ = did_you_mean(word, known)
        if thing.type in ELEMENT and word in TRAITS:
            help_ = f'go through them: "every card in hand is {word}"'
        return p.fail(word, "wrong-type", f'"{word}" says nothing of {thing.type.value}', help_)
    return p.unknown_word(word, f"no kind of {thing.type.value.removeprefix('a ')}", known)


def describes(p: Phrase, word: Token, thing: Expr) -> Expr | None:
    """`thing is word`, where the word is a trait, a kind of group or a defined condition; else None."""
    span, names = p.span(word), p.names
    trait = "joker" if word == "jokers" else str(word)
    if thing.type is Type.CARD and trait in TRAITS:
        return Trait(span=span, type=Type.TRUTH, of=thing, trait=trait)  # type: ignore[arg-type]
    if thing.type is Type.GROUP:
        kind = str(word) if word in names.kinds else word[:-1]
        if kind in names.kinds:
            return IsKind(span=span, type=Type.TRUTH, of=thing, kind=kind)
    subject = names.definitions.get(word)
    if subject is not None and SUBJECT_TYPE.get(subject) is thing.type:
        kind_of_body = definition_type(p, word)
        if kind_of_body in (Type.TRUTH, Type.UNKNOWN):
            return Defined(span=span, type=kind_of_body, name=str(word), of=thing)
    return None
