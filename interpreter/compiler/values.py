"""Meld kinds, wild cards and values to the rules of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.slots import BY_CARD, BY_GROUP, Slots, is_constant
from interpreter.meld_kinds import Kind, StandsFor
from interpreter.melds import MeldRules
from interpreter.moves import Group, Meld
from interpreter.program import Code, Env, Program
from interpreter.rules import Rules, ValueRow, tabulate
from interpreter.state import NOBODY, State
from rulespec import model
from rulespec.expressions import And, Expr, Trait
from rulespec.reasoning.walk import disjuncts

Needs = tuple[tuple[str, Callable[[Meld], bool]], ...]
"""The further conditions of a kind, each with its path."""

STANDS_FOR = {
    "a named card": StandsFor.NAMED,
    "its place": StandsFor.PLACE,
    "any place of its group": StandsFor.ANY_PLACE,
}


def rules_maker(slots: Slots, code: ExpressionCompiler) -> Callable[[Program, State], Rules]:
    """A function from a dealt position to the rules of its round; equal rounds share their meld rules."""
    sheet, pack = slots.sheet, slots.pack
    wild_class = code(sheet.wild.cards) if sheet.wild is not None else None
    stands_for = STANDS_FOR[sheet.wild.stands_for] if sheet.wild is not None else StandsFor.NAMED
    hand = _rows(sheet.values.hand, sheet.values.everywhere, slots, code)
    melds = _rows(sheet.values.melds, sheet.values.everywhere, slots, code)
    classes = [[code(c) if c is not None else None for c in (kind.of, kind.apart)] for kind in sheet.melds]
    needs = [[(c.path, code(c.expr)) for c in kind.needs] for kind in sheet.melds]
    consecutive = tuple(kind.consecutive for kind in sheet.melds)
    lasting = all(is_constant(expr, slots, BY_CARD) for expr in _class_expressions(sheet)) and all(
        is_constant(need.expr, slots, BY_GROUP) for kind in sheet.melds for need in kind.needs
    )
    fixed: list[Rules] = []

    def make(program: Program, state: State) -> Rules:
        if fixed:
            return fixed[0]
        env = Env(program, state, NOBODY)
        wild = _members(env, wild_class, pack.size) if wild_class is not None else 0
        dealt = state.copy()
        kinds = tuple(
            _kind(
                number, kind, [_members(env, c, pack.size) if c is not None else None for c in classes[number]], checks
            )
            for number, (kind, checks) in enumerate(zip(sheet.melds, _bound(needs, program, dealt), strict=True))
        )
        rules = Rules(pack, MeldRules(pack, kinds, wild, stands_for), consecutive, wild)
        state.rules = dealt.rules = rules
        rules.set_worth(*tabulate(env, pack, wild, hand, melds))
        if lasting:
            fixed.append(rules)
        return rules

    return make


def _class_expressions(sheet: model.Rulesheet) -> list[Expr]:
    rows = sheet.values.hand + sheet.values.melds + sheet.values.everywhere
    found = [row.card for row in rows] + [e for kind in sheet.melds for e in (kind.of, kind.apart) if e is not None]
    return found + ([sheet.wild.cards] if sheet.wild is not None else [])


def _rows(
    own: tuple[model.ValueRow, ...], everywhere: tuple[model.ValueRow, ...], slots: Slots, code: ExpressionCompiler
) -> tuple[ValueRow, ...]:
    """The rows that count in one place, each part of a class with `or` for itself."""
    found = []
    for number, row in enumerate((*own, *everywhere)):
        points: tuple[Code | str, bool] = (
            (row.points, True)
            if isinstance(row.points, str)
            else (code(row.points), is_constant(row.points, slots, BY_CARD))
        )
        for part, wild in _parts(row.card, slots.sheet.wild):
            found.append(ValueRow(code(part), *points, number < len(own), number, wild))
    return tuple(found)


def _parts(card: Expr, wild: model.Wild | None) -> Iterator[tuple[Expr, bool]]:
    """The parts of a class with `or`, and whether the row says `wild` there, which is the class of `wild.cards`."""
    for part in disjuncts(card):
        if isinstance(part, Trait) and part.trait == "wild" and wild is not None:
            for cards in disjuncts(wild.cards):
                yield And(span=part.span, type=part.type, parts=(part, cards)), True
        else:
            yield part, False


def _members(env: Env, card_class: Code, size: int) -> int:
    found = 0
    for card in range(size):
        env.it = card
        if card_class(env):
            found |= 1 << card
    return found


def _bound(
    needs: list[list[tuple[str, Code]]], program: Program, state: State
) -> list[tuple[tuple[str, Callable[[Meld], bool]], ...]]:
    """The `needs` of each kind as questions about one group, asked in this position."""

    def asks(code: Code) -> Callable[[Meld], bool]:
        def holds(meld: Meld) -> bool:
            env = Env(program, state, NOBODY)
            env.it = Group(meld, NOBODY, ())
            env.meld = meld
            return bool(code(env))

        return holds

    return [tuple((path, asks(code)) for path, code in kind) for kind in needs]


def _kind(number: int, kind: model.MeldKind, classes: list[int | None], needs: Needs) -> Kind:
    return Kind(
        number,
        kind.name,
        (kind.cards.low, kind.cards.high),
        (kind.natural.low, kind.natural.high),
        (kind.wild.low, kind.wild.high),
        frozenset(kind.same),
        frozenset(kind.different),
        kind.consecutive,
        classes[0],
        classes[1],
        needs,
    )
