"""What a condition on a rearranged table asks about, as far as the search for plays can make use of it."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.slots import Slots, parts
from interpreter.program import ANYTHING, NEW_CARDS, NEW_GROUPS, OLD_CARDS, CardCode, Code, Env
from rulespec import expressions as ex

STEADY = (
    ex.Number, ex.Truth, ex.Word, ex.OptionValue, ex.Arithmetic, ex.Negate, ex.Call, ex.Compare, ex.Not, ex.And, ex.Or,
    ex.IfElse, ex.Fact, ex.Tally, ex.PlayerFact, ex.Times, ex.Person, ex.People, ex.TableValue, ex.Defined,
)  # fmt: skip
"""Expressions that are the same after every play, if their parts are."""

OF_A_CARD = (ex.It, ex.Each, ex.HasRank, ex.HasSuit, ex.HasFace, ex.CardsIn, ex.Count, ex.IsKind, ex.IsSame, ex.IsIn)
"""Expressions that depend on the card looked at, not on the new table, if their parts do not."""


class Outlook:
    """Sorts the conditions of one sheet."""

    def __init__(self, slots: Slots, code: Callable[[ex.Expr], Code]) -> None:
        self.slots = slots
        self.code = code
        wild = slots.sheet.wild
        self.only_jokers_are_wild = wild is None or (isinstance(wild.cards, ex.Trait) and wild.cards.trait == "joker")

    def asks(self, expr: ex.Expr) -> int:
        """What a condition asks about: one of the numbers of `program`."""
        for kind, is_one in (
            (OLD_CARDS, self._is_of_old_cards),
            (NEW_CARDS, self._is_of_new_cards),
            (NEW_GROUPS, self._is_of_new_groups),
        ):
            if self._all(expr, is_one):
                return kind
        return ANYTHING

    def of_card(self, expr: ex.Expr) -> CardCode:
        """A condition that asks about old cards, of one card."""
        if isinstance(expr, (ex.And, ex.Or)):
            parts = [self.of_card(part) for part in expr.parts]
            if isinstance(expr, ex.And):
                return lambda env, card: all(part(env, card) for part in parts)
            return lambda env, card: any(part(env, card) for part in parts)
        if not isinstance(expr, ex.Quantified):
            steady = self.code(expr)
            return lambda env, _: bool(steady(env))
        among = [self.code(condition) for condition in _classes(expr.things)]
        condition = self.code(expr.condition)

        def holds(env: Env, card: int) -> bool:
            it, each = env.it, env.each
            env.it = env.each = card
            if all(code(env) for code in among):
                env.it = it
                found = bool(condition(env))
            else:
                found = True
            env.it, env.each = it, each
            return found

        return holds

    # -------------------------------------------------------- the kinds

    def _all(self, expr: ex.Expr, is_one: Callable[[ex.Expr], bool]) -> bool:
        """Whether a condition is made of such conditions and steady ones."""
        if isinstance(expr, (ex.And, ex.Or)):
            return all(self._all(part, is_one) for part in expr.parts)
        return self._is_steady(expr, ()) or is_one(expr)

    def _is_of_old_cards(self, expr: ex.Expr) -> bool:
        if not isinstance(expr, ex.Quantified) or expr.quantifier != "every":
            return False
        things = expr.things
        while isinstance(things, ex.Select):
            if not self._is_steady(things.condition, OF_A_CARD):
                return False
            things = things.things
        return isinstance(things, ex.CardsIn) and isinstance(things.of, ex.Table) and self._relates(expr.condition)

    def _relates(self, expr: ex.Expr) -> bool:
        """Whether it is a relation of the card looked at, or several: none of which more groups can undo."""
        if isinstance(expr, (ex.And, ex.Or)):
            return all(self._relates(part) for part in expr.parts)
        if isinstance(expr, (ex.Keeps, ex.IsReplaced, ex.IsJoinedOnlyFrom)):
            return isinstance(expr.card, ex.Each)
        return self._is_steady(expr, OF_A_CARD)

    def _is_of_new_cards(self, expr: ex.Expr) -> bool:
        if isinstance(expr, ex.Contains):
            return self._are_played(expr.of)
        return (
            isinstance(expr, ex.Compare)
            and expr.op in (">", ">=")
            and isinstance(expr.left, ex.Count)
            and self._are_played(expr.left.of)
            and self._is_steady(expr.right, ())
        )

    def _are_played(self, expr: ex.Expr) -> bool:
        while isinstance(expr, ex.Select):
            if not self._is_steady(expr.condition, OF_A_CARD):
                return False
            expr = expr.things
        return isinstance(expr, ex.CardsIn) and isinstance(expr.of, ex.Played)

    def _is_of_new_groups(self, expr: ex.Expr) -> bool:
        return (
            isinstance(expr, ex.Compare)
            and expr.op in ("<", "<=")
            and isinstance(expr.left, ex.Count)
            and isinstance(expr.left.of, ex.GroupsIn)
            and isinstance(expr.left.of.of, ex.Played)
            and self._is_steady(expr.right, ())
        )

    def _is_steady(self, expr: ex.Expr, also: tuple[type[ex.Expr], ...]) -> bool:
        if isinstance(expr, ex.Defined):
            body = self.slots.definition(expr.name).body
            return self._is_steady(body, also) and (expr.of is None or self._is_steady(expr.of, also))
        if isinstance(expr, ex.TableValue):
            table = self.slots.table(expr.name)
            return self._is_steady(table.key, ()) and all(self._is_steady(value, ()) for _, value in table.rows)
        if also and isinstance(expr, ex.Trait):
            of_face = ("joker", "red", "black", *(("wild", "natural") if self.only_jokers_are_wild else ()))
            return expr.trait in of_face and self._is_steady(expr.of, also)
        if also and isinstance(expr, (ex.GroupOf, ex.Neighbours)):
            return expr.old and self._is_steady(expr.of, also)
        if also and isinstance(expr, ex.CardProperty):
            return (expr.old or expr.property in ("rank", "suit", "pips")) and self._is_steady(expr.of, also)
        if not isinstance(expr, STEADY + also):
            return False
        return all(self._is_steady(part, also) for part in parts(expr))


def _classes(things: ex.Expr) -> list[ex.Expr]:
    """The conditions a card must meet to be looked at."""
    found = []
    while isinstance(things, ex.Select):
        found.append(things.condition)
        things = things.things
    return found
