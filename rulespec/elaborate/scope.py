"""What a phrase may speak of: the names its sheet declares, and who and what is known where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from lark import Token, Tree

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.expressions import Expr, Type
from rulespec.hints import everyday
from rulespec.model import LookupTable, Option
from rulespec.reader import Text
from rulespec.source import Span
from rulespec.vocabulary import COLLECTIONS, ENTRIES, PREDICATES, TRAITS, ZONES

EVERYDAY_TOO = ("unknown word", "no kind of card")
"""What is said of a word where any thing or class could stand, so that it may be one of everyday speech."""
Node: TypeAlias = Tree[Token] | Token
Owner: TypeAlias = Literal["table", "player", "side"]
Subject: TypeAlias = Literal["cards", "groups", "layouts", "players", "round"]

SUBJECT_TYPE: dict[str, Type] = {"cards": Type.CARD, "groups": Type.GROUP, "layouts": Type.LAYOUT}
"""What `it` is in a definition of each group; players and the round have none."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Who and what is known where a phrase stands."""

    it: Type | None = None
    """The type of `it`."""
    you: bool = False
    """Somebody acts."""
    subject: bool = False
    """A bare word belongs to somebody: to you, or to the player looked at."""
    played: bool = False
    """A move has been made whose `played` can be asked."""
    giver: bool = False
    early: bool = False
    """Worked out when the game starts: only players and options are known."""
    laying: bool = False
    """Asked after a move that lays cards, so `opened` always holds."""

    def of_player(self) -> Scope:
        """Behind something that looks at players one by one."""
        return replace(self, subject=True, laying=False)

    def of_thing(self, thing: Type) -> Scope:
        """Behind something that looks at cards, groups or layouts one by one."""
        return replace(self, it=thing)


NOBODY = Scope()
SOMEBODY = Scope(you=True, subject=True)
EARLY = Scope(early=True)


@dataclass(slots=True)
class Names:
    """What a sheet declares and something reaches. `body_of` and `table_of` work a definition or table out when it is
    first asked for; they give None for one that is just being worked out (it would be defined by itself)."""

    file: str
    """The sheet's own file; what stands in others is inherited."""
    body_of: Callable[[str], Expr | None]
    table_of: Callable[[str], LookupTable | None]
    options: dict[str, Option] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    zones: dict[str, Owner] = field(default_factory=lambda: dict[str, Owner](ZONES))
    tallies: dict[str, Owner] = field(default_factory=dict)
    definitions: dict[str, Subject] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    moves: frozenset[str] = frozenset()
    phases: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    extra_turns: frozenset[str] = frozenset()
    named: dict[str, Type] = field(default_factory=dict)
    """Cards that `as NAME` names: CARD or CARDS."""
    unreached_moves: frozenset[str] = frozenset()
    own_turns: tuple[Span, ...] = ()
    """The phrases of turns that the sheet itself writes: what made an inherited move unreached."""
    unreached_named: frozenset[str] = frozenset()
    """What only those moves name."""
    unreached: frozenset[str] = frozenset()
    """Other declared names that nothing reaches: a misspelt word may mean one of them."""
    places: tuple[str, ...] = ()
    """The ranks of the deck in their order, as in `Deck.places`."""
    suits: tuple[str, ...] = ()

    def bodies(self, name: str) -> list[Expr]:
        """What a definition or table is worked out from."""
        if name in self.tables:
            table = self.table_of(name)
            return [] if table is None else [table.key, *(row[1] for row in table.rows)]
        body = self.body_of(name)
        return [] if body is None else [body]

    def nouns(self) -> set[str]:
        """Every word that may stand where a value is expected."""
        found = {*ENTRIES, *COLLECTIONS, *TRAITS, *PREDICATES, "it"}
        for part in (
            self.options,
            self.tables,
            self.zones,
            self.tallies,
            self.definitions,
            self.extra_turns,
            self.named,
            self.kinds,
            {f"{kind}s" for kind in self.kinds},
        ):
            found.update(part)
        return found


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that is being worked out, with the names it may use and a place for what is wrong with it."""

    text: Text
    names: Names
    problems: list[Diagnostic]

    def span(self, node: Node) -> Span:
        start, end = self._extent(node)
        return self.text.within(start, end)

    def source(self, node: Node) -> str:
        """The words of a part as written."""
        start, end = self._extent(node)
        return self.text[start:end]

    def _extent(self, node: Node) -> tuple[int, int]:
        if isinstance(node, Token):
            start = node.start_pos or 0
            return start, start + len(node)
        if node.meta.empty:
            return 0, len(self.text)
        return node.meta.start_pos, node.meta.end_pos

    @property
    def inherited(self) -> bool:
        return self.text.span.file != self.names.file

    def report(self, node: Node, code: str, message: str, help_: str = "") -> None:
        self.problems.append(Diagnostic(code, "error", message, self.span(node), help_))

    def fail(self, node: Node, code: str, message: str, help_: str = "") -> Expr:
        """Reports a mistake; what stands there has no type, so nothing else is said of it."""
        self.report(node, code, message, help_)
        return Expr(span=self.span(node), type=Type.UNKNOWN)

    def unknown(self, node: Node) -> Expr:
        """What an expression is that holds a mistake reported before."""
        return Expr(span=self.span(node), type=Type.UNKNOWN)

    def unknown_word(self, node: Node, what: str, known: Iterable[str]) -> Expr:
        word = str(node) if isinstance(node, Token) else self.source(node)
        help_ = everyday(word, self.names.zones) if what in EVERYDAY_TOO else ""
        if word in self.names.endings:
            help_ = help_ or f'of the ending say "ending = {word}"'
        known = list(known)
        help_ = help_ or self._joined(node, word, known) or did_you_mean(word, known)
        if not help_ and len(known) == 1:
            help_ = f'write "{known[0]}"'
        return self.fail(node, "unknown-word", f'{what} "{word}"', help_)

    def _joined(self, node: Node, word: str, known: list[str]) -> str:
        """What to say where a word and the one before or after it are one name, whose hyphen is missing."""
        start, end = self._extent(node)
        before, after = self.text[:start].split(), self.text[end:].split()
        both = [f"{before[-1]}-{word}"] if before else []
        both += [f"{word}-{after[0]}"] if after else []
        return next((f'with a hyphen it is one name: "{name}"' for name in both if name in known), "")


def pick(tree: Tree[Token], index: int) -> Tree[Token]:
    """The child at `index`, which the grammar says is a tree."""
    child = tree.children[index]
    assert isinstance(child, Tree), (tree.data, index)
    return child


def token(tree: Tree[Token], index: int) -> Token:
    """The child at `index`, which the grammar says is a token."""
    child = tree.children[index]
    assert isinstance(child, Token), (tree.data, index)
    return child
