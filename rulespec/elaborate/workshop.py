"""Where the phrases of one sheet are worked out: its trees, its names, and what has been found wrong so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lark import Token, Tree

from rulespec.diagnostics import Diagnostic
from rulespec.elaborate import actions as acts
from rulespec.elaborate import data
from rulespec.elaborate.expr import check, expression, line, players, want
from rulespec.elaborate.moments import BEFORE_MOVE, Moment, at_the_deal
from rulespec.elaborate.phases import PhaseMaker, guards
from rulespec.elaborate.scope import (
    SOMEBODY,
    SUBJECT_TYPE,
    Names,
    Owner,
    Phrase,
    Scope,
    Subject,
    pick,
    token,
)
from rulespec.elaborate.walk import deep, walk
from rulespec.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Defined,
    Expr,
    Fact,
    IfElse,
    Negate,
    Not,
    Number,
    OptionValue,
    Or,
    TableValue,
    Truth,
    Type,
    Word,
)
from rulespec.model import Action, Amount, Condition, LookupTable, MoveItem, Option, Phase, Range, ScoreLine
from rulespec.parser import ParseTree
from rulespec.reach import Reached, words_of
from rulespec.reader import Text
from rulespec.schema import RawSheet
from rulespec.source import NOWHERE, Span
from rulespec.vocabulary import EARLY, RESERVED
from rulespec.written import Parsed, table_name

ANY = tuple(kind for kind in Type if kind is not Type.UNKNOWN)
FIXED = (Number, Truth, Word, Arithmetic, Negate, Call, Compare, Not, And, Or, IfElse, OptionValue)
"""What is known when the game starts if its parts are."""
OWNERS: dict[str, Owner] = {"table": "table", "player": "player", "side": "side"}
NO_PHASE = MoveItem(span=NOWHERE, name="")
NO_RANGE = Range(0, 0)


class Workshop:
    """Works out the phrases of one sheet, each once.

    Where a phrase holds a mistake, something stands in for its meaning (an expression of type UNKNOWN, an empty
    phase), so that everything else can still be looked at; `broken` tells that the result cannot be used, `lost_ways`
    that a turn phrase was among them, which may have reached what now seems unreached.
    """

    def __init__(self, raw: RawSheet, parsed: Parsed, reached: Reached) -> None:
        self.raw = raw
        self.parsed = parsed
        self.reached = reached
        self.problems: list[Diagnostic] = []
        self.broken = False
        self.lost_ways = False
        self.names = Names(raw.span.file, self.body_of, self.table_of)
        self.named_spans: dict[str, Span] = {}
        self._values: dict[tuple[int, Scope, tuple[Type, ...]], Expr] = {}
        self._bodies: dict[str, Expr | None] = {}
        self._tables: dict[str, LookupTable | None] = {}
        self._phases: dict[str, Phase | str | None] = {}
        self._definitions = self._define()
        self._declare()
        self._work_out()

    # -------------------------------------------------------- names

    def _declare(self) -> None:
        raw, reached, names = self.raw, self.reached, self.names
        for name, text in raw.options.items():
            tree = self.tree(text)
            if name in reached.names("options"):
                unread = Option(str(name), (), Type.UNKNOWN, text.span)
                names.options[str(name)] = unread if tree is None else data.option(self.phrase(text), name, tree)
        names.tables = reached.names("tables")
        for name, zone in raw.zones.items():
            if name in reached.names("zones") or name in names.zones:
                names.zones[str(name)] = OWNERS[zone.of]
        names.tallies = {
            str(name): OWNERS[tally.of] for name, tally in raw.tallies.items() if name in reached.names("tallies")
        }
        names.definitions = {name: subject for name, (subject, _) in self.definitions().items()}
        names.kinds = frozenset(str(kind) for kind in raw.melds.kinds)
        names.moves = reached.names("moves")
        names.unreached_moves = frozenset(str(name) for name in raw.moves.named) - names.moves
        extra = [extra.turn for extra in raw.round.extra_turns.values()]
        turns = [raw.turn, *raw.phases.values(), *extra, raw.round.before_deal, raw.game.after_round]
        own = (text.span for text in turns if text is not None and text.span.file == raw.span.file)
        names.own_turns = tuple(sorted(own, key=lambda span: (span.line, span.column)))
        names.unreached = reached.unreached
        names.phases = reached.names("phases")
        names.endings = frozenset(str(name) for name in raw.round.endings)
        names.extra_turns = frozenset(str(name) for name in raw.round.extra_turns)
        order = self.tree(raw.deck.order)
        if order is not None and raw.deck.order is not None:
            names.places, _ = data.order(Phrase(raw.deck.order, names, []), order)
        suits = self.tree(raw.deck.suits)
        if suits is not None and raw.deck.suits is not None:
            names.suits = data.suits(Phrase(raw.deck.suits, names, []), suits)
        self._name_cards()

    def definitions(self) -> Mapping[str, tuple[Subject, Text]]:
        """The words of `define` that are reached: what each is asked of, and its phrase."""
        return self._definitions

    def _define(self) -> dict[str, tuple[Subject, Text]]:
        define = self.raw.define
        groups: tuple[tuple[Subject, Mapping[Text, Text]], ...] = (
            ("cards", define.cards),
            ("groups", define.groups),
            ("layouts", define.layouts),
            ("players", define.players),
            ("round", define.round),
        )
        reached = self.reached.names("define")
        return {
            str(name): (subject, text) for subject, words in groups for name, text in words.items() if name in reached
        }

    def _name_cards(self) -> None:
        self.names.unreached_named = frozenset(
            str(word)
            for name, move in self.raw.moves.named.items()
            if name in self.names.unreached_moves and (tree := self.tree(move.does)) is not None
            for word, _ in acts.named_cards(tree)
        )
        for text, found in self._namings():
            if self.tree(text) is None:
                for unread in words_of(text) - RESERVED - set(self.names.zones):
                    self.names.named.setdefault(unread, Type.UNKNOWN)
                continue
            for word, kind in found:
                p = self.phrase(text)
                before = self.names.named.setdefault(str(word), kind)
                self.named_spans.setdefault(str(word), p.span(word))
                if before is not kind and before is not Type.UNKNOWN:
                    message = f'"{word}" names {kind.value} here and {before.value} elsewhere'
                    p.report(word, "wrong-type", message, "give them two names")

    def _namings(self) -> Iterable[tuple[Text, Iterable[tuple[Token, Type]]]]:
        for name, move in self.raw.moves.named.items():
            tree = self.tree(move.does)
            if name in self.names.moves:
                yield move.does, () if tree is None else acts.named_cards(tree)
        for automatic in self.raw.automatic.values():
            tree = self.tree(automatic.does)
            yield automatic.does, () if tree is None else acts.named_cards(tree)
        for zone, text in self.raw.deal.zones.items():
            tree = self.tree(text)
            if tree is None:
                yield text, ()
            elif isinstance(tree.children[1], Tree):
                one = _first_part(text, tree) == "1" and self.names.zones.get(zone) == "table"
                yield text, [(token(tree.children[1], 0), Type.CARD if one else Type.CARDS)]

    def _work_out(self) -> None:
        """Definitions, tables and phases before what needs them, so that no chain of them is deep in work at once.

        Those in which a circle closes count as being worked out until their turn comes.
        """
        for head, name in self.reached.circular:
            if head == "phases":
                self._phases[name] = name
            else:
                (self._tables if head == "tables" else self._bodies)[name] = None
        for head, name in self.reached.order:
            if head == "phases":
                self._phases.pop(name, None)
                self.phase_of(name)
            elif head == "tables":
                self._tables.pop(name, None)
                self.table_of(name)
            else:
                self._bodies.pop(name, None)
                self.body_of(name)

    # -------------------------------------------------------- phrases

    def tree(self, text: Text | None) -> ParseTree | None:
        return None if text is None else self.parsed.tree(text)

    def phrase(self, text: Text) -> Phrase:
        return Phrase(text, self.names, self.problems)

    def report(self, text: Text, code: str, message: str, help_: str = "") -> None:
        self.problems.append(Diagnostic(code, "error", message, text.span, help_))

    def _missing(self, text: Text | None) -> Expr:
        self.broken = True
        return Expr(span=NOWHERE if text is None else text.span, type=Type.UNKNOWN)

    def expr(self, text: Text | None, scope: Scope, *types: Type) -> Expr:
        """An expression of one of these types."""
        tree = self.tree(text)
        if text is None or tree is None:
            return self._missing(text)
        key = (id(text), scope, types)
        if key not in self._values:
            value = want(self.phrase(text), tree, scope, *types)
            if scope.early:
                self._check_early(value)
            self._values[key] = value
        return self._values[key]

    def number(self, text: Text | None, scope: Scope) -> Expr:
        return self.expr(text, scope, Type.NUMBER)

    def truth(self, text: Text | None, scope: Scope) -> Expr:
        return self.expr(text, scope, Type.TRUTH)

    def players(self, text: Text | None, scope: Scope) -> Expr:
        """One or several players."""
        tree = self.tree(text)
        if text is None or tree is None:
            return self._missing(text)
        key = (id(text), scope, (Type.PLAYERS,))
        if key not in self._values:
            self._values[key] = players(self.phrase(text), tree, scope)
        return self._values[key]

    def conditions(self, phrases: Mapping[Text, Text], path: str, scope: Scope) -> tuple[Condition, ...]:
        return tuple(
            Condition(str(name), f"{path}.{name}", self.truth(text, scope), text.span, str(text))
            for name, text in phrases.items()
        )

    def amounts(self, phrases: Mapping[Text, Text], scope: Scope) -> tuple[Amount, ...]:
        return tuple(Amount(str(name), self.number(text, scope), text.span) for name, text in phrases.items())

    def score_line(self, key: Text, amounts: Mapping[Text, Text], scope: Scope) -> ScoreLine | None:
        """A line of scores or of a bonus. Its key is asked of nobody; its numbers of each side it names."""
        tree = self.tree(key)
        if tree is None:
            self.broken = True
            return None
        first, second = line(self.phrase(key), tree, scope)
        given = Scope(you=True, subject=True, giver=second is not None)
        return ScoreLine(first, second, self.amounts(amounts, given), key.span)

    def known_at(self, value: Expr, moment: Moment) -> None:
        """Reports what a phrase asks before it can be known, also by way of definitions and tables."""
        for expr in walk(value):
            lacks = moment.lacks(expr)
            notes: tuple[tuple[Span, str], ...] = ()
            if not lacks and isinstance(expr, (Defined, TableValue)):
                found = ((part, moment.lacks(part)) for part in deep(expr, self.names.bodies))
                late = next((entry for entry in found if entry[1]), None)
                if late is not None:
                    lacks, notes = late[1], ((late[0].span, "this is known only at other times"),)
            if lacks:
                message = f"{lacks} cannot be asked {moment.said}"
                self.problems.append(Diagnostic("not-yet-known", "error", message, expr.span, notes=notes))

    def deal_moment(
        self,
        said: str,
    ) -> Moment:
        """A moment before the first turn; the only cards with names are those the deal names."""
        named: set[str] = set()
        for text in self.raw.deal.zones.values():
            tree = self.tree(text)
            if tree is not None and isinstance(tree.children[1], Tree):
                named.add(str(token(tree.children[1], 0)))
        return at_the_deal(said, self.raw.round.before_deal is not None, frozenset(named))

    def phase(self, text: Text | None) -> Phase:
        tree = self.tree(text)
        made = None
        if text is not None and tree is not None:
            made = PhaseMaker(self.phrase(text), self.phase_of).phase(tree, SOMEBODY)
        if made is None:
            self.broken = self.lost_ways = True
        else:
            for guard in guards(made):
                self.known_at(guard, BEFORE_MOVE)
        return NO_PHASE if made is None else made

    def maybe_phase(self, text: Text | None) -> Phase | None:
        return None if text is None else self.phase(text)

    def phase_of(self, name: str) -> Phase | str | None:
        """What a named phase stands for; its name where it would contain itself, None after a mistake."""
        if name not in self._phases:
            self._phases[name] = name
            text = next((text for key, text in self.raw.phases.items() if key == name), None)
            made = self.phase(text)
            self._phases[name] = None if made is NO_PHASE else made
        return self._phases[name]

    def actions(self, text: Text | None, scope: Scope, *, books_only: bool = False) -> tuple[Action, ...]:
        tree = self.tree(text)
        if text is None or tree is None:
            self.broken = True
            return ()
        return acts.actions(self.phrase(text), tree, scope, books_only=books_only)

    def range(self, text: Text | None) -> Range:
        tree = self.tree(text)
        found = None if text is None or tree is None else data.range_of(self.phrase(text), tree)
        self.broken = self.broken or found is None
        return NO_RANGE if found is None else found

    def inherited(self, text: Text) -> bool:
        return text.span.file != self.names.file

    # -------------------------------------------------------- definitions and tables

    def body_of(self, name: str) -> Expr | None:
        """The body of a definition; None while it is being worked out."""
        if name not in self._bodies:
            self._bodies[name] = None
            subject, text = self.definitions()[name]
            it = SUBJECT_TYPE.get(subject)
            somebody = subject == "players"
            self._bodies[name] = self.expr(text, Scope(it=it, you=somebody, subject=somebody), *ANY)
        return self._bodies[name]

    def table_of(self, name: str) -> LookupTable | None:
        """A look-up table; None while it is being worked out."""
        if name not in self._tables:
            self._tables[name] = None
            key, rows = next((key, rows) for key, rows in self.raw.tables.items() if table_name(key) == name)
            tree = self.tree(key)
            by = self._missing(key) if tree is None else self._table_key(key, pick(tree, 1))
            lines = tuple((self.range(row), self.number(text, SOMEBODY)) for row, text in rows.items())
            self._tables[name] = LookupTable(name, by, lines, key.span)
        return self._tables[name]

    def _table_key(self, key: Text, tree: ParseTree) -> Expr:
        """The number a table is looked up by."""
        p = self.phrase(key)
        by = expression(p, tree, SOMEBODY)
        if by.type is not Type.RANK:
            return check(p, tree, by, Type.NUMBER)
        place = re.sub(r"\brank\b", "place", p.source(tree), count=1)
        help_ = f'write "{place}": where the rank stands in `deck.order`, counted from 1'
        return p.fail(tree, "wrong-type", f'"{p.source(tree)}" is a rank: rows are looked up by a number', help_)

    def _check_early(self, value: Expr) -> None:
        """What is worked out when the game starts may not read anything later by way of a definition or table."""
        for expr in walk(value):
            if isinstance(expr, (Defined, TableValue)):
                late = self._late(expr)
                if late is not None:
                    message = f'"{expr.name}" is not yet known when the game starts'
                    notes = ((late, "this is known only later"),)
                    self.problems.append(Diagnostic("not-yet-known", "error", message, expr.span, notes=notes))

    def _late(self, expr: Expr) -> Span | None:
        """The first part of a definition or table that is not known when the game starts."""
        for part in deep(expr, self.names.bodies):
            known = isinstance(part, (*FIXED, Defined, TableValue)) or (isinstance(part, Fact) and part.name in EARLY)
            if not known:
                return None if part.type is Type.UNKNOWN else part.span
        return None


def _first_part(text: Text, tree: ParseTree) -> str:
    """The first part of a phrase as written."""
    first = pick(tree, 0)
    return text[first.meta.start_pos : first.meta.end_pos]
