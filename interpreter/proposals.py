"""Plays to choose from where the whole table may be rearranged.

There are far too many legal tables to list them: what is listed is a selection, whether a move is legal is exact. The
first play is found as cheaply as can be and there is one if, and only if, any play is legal; then come the best play,
groups laid from the hand, cards laid off, and for each card of the hand the best play that puts it down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.actions import marked_cards
from interpreter.moves import Choice, Group, Meld, Move
from interpreter.pack import bits, mask_of
from interpreter.program import (
    ANYTHING,
    NEW_CARDS,
    NEW_GROUPS,
    OLD_CARDS,
    REARRANGE,
    CardCode,
    Env,
    MoveContext,
    MoveProgram,
    Program,
)
from interpreter.rearranging import pile_cards, stays
from interpreter.state import State
from interpreter.table_question import Answer, Judge, Question, Table
from interpreter.table_solver import best, simple, some

Legal = Callable[[Move, bool], bool]
"""Whether a move is legal; as its twins lie, or (True) for one way of telling them apart."""


class Proposals:
    """The plays of one seat in one position by one kind of move.

    Where the move does more than rearrange, `chosen` is what was chosen for the actions before that, `before` is the
    position before the move, and its plays end with the new table; `legal` answers for what may follow.
    """

    def __init__(
        self,
        program: Program,
        state: State,
        rule: MoveProgram,
        legal: Legal,
        must: int = 0,
        chosen: tuple[Choice, ...] = (),
        before: State | None = None,
    ) -> None:
        self.chosen = chosen
        self.before = before or state
        self.program = program
        self.state = state
        self.rule = rule
        self.legal = legal
        self.must = must
        self.seat = state.frame.seat
        self.action = rule.actions[len(chosen)]
        env = Env(program, state, self.seat)
        kept = stays(env, self.action)
        self.table: Table = tuple(group.meld for group in state.groups if group not in kept)
        self.kept = kept
        self.hand = state.hands[self.seat]
        self.pile = pile_cards(env, self.action)

    def move(self, table: Table) -> Move:
        """The move that makes a table."""
        return Move(self.rule.index, (*self.chosen, table))

    def question(self, worth: list[int] | None = None, must: int = 0) -> Question:
        """The question for the solver; without `worth` every card counts 1."""
        return Question(
            self.state.rules.melds,
            self.table,
            self.hand,
            self.pile,
            worth or [1] * self.program.pack.size,
            self._judge(),
            must | self.must,
        )

    def best(self, worth: list[int] | None = None, must: int = 0) -> Answer:
        """The play worth most."""
        return self._counted(best(self.question(worth, must)))

    def any(self) -> Answer:
        """Some play, if there is one: a quick look first, then the exact search."""
        return self._counted(some(self.question(), marked_cards(self.state)))

    def _counted(self, answer: Answer) -> Answer:
        """An answer, noted where it was cut short."""
        self.state.bounds.cut += not answer.exact
        return answer

    def simple(self) -> Iterator[Table]:
        """Tables that differ by one group from the hand, or by one card laid off, legal or not."""
        return simple(self.question(), marked_cards(self.state))

    def listed(self) -> Iterator[Move]:
        """The selection; each play once."""
        seen: set[frozenset[Meld]] = set()
        for table in self._tables():
            key = frozenset(table)
            if key not in seen:
                seen.add(key)
                yield self.move(table)

    def _tables(self) -> Iterator[Table]:
        first = self.any().table
        if first is None:
            return
        yield first
        everything = self.best().table or first
        yield everything
        yield from self.simple()
        put_down = mask_of(card for meld in everything for card in meld.cards)
        for card in bits(self.hand & ~put_down):
            answer = self.best(must=1 << card)
            if answer.table is not None:
                yield answer.table

    # -------------------------------------------------------- conditions

    def _judge(self) -> Judge:
        checks = self.rule.only
        old = [check for check in checks if check.asks == OLD_CARDS]
        new = [check for check in checks if check.asks == NEW_CARDS]

        def holds(card: int, table: Table) -> bool:
            env = self._after(table)
            return all(check.of_card is None or check.of_card(env, card) for check in old)

        def enough(cards: int) -> bool:
            env = self._after(self.table)
            assert env.context is not None
            env.context.played_cards = cards
            env.state.hands[self.seat] = self.hand & ~cards
            return all(check.code(env) for check in new)

        return Judge(
            lambda table: self.legal(self.move(table), False),
            lambda table: self.legal(self.move(table), True),
            holds if old else None,
            enough if new else None,
            self._most_new_groups(),
            not any(check.asks == ANYTHING for check in checks),
        )

    def _most_new_groups(self) -> int | None:
        """How many groups there may be that did not lie so before, None for any number."""
        checks = [check for check in self.rule.only if check.asks == NEW_GROUPS]
        if not checks:
            return None
        env = self._after(self.table)
        assert env.context is not None
        most = len(self.table) + self.hand.bit_count()
        for count in range(1, most + 1):
            env.context.played_groups = (Group(Meld(0, (), (), -1), self.seat, ()),) * count
            if not all(check.code(env) for check in checks):
                return count - 1
        return None

    def failing(self, of_card: CardCode, table: Table) -> tuple[int, ...]:
        """The old cards of which a condition does not hold once a table lies."""
        env = self._after(table)
        return tuple(card for meld in self.table for card in meld.cards if not of_card(env, card))

    def _after(self, table: Table) -> Env:
        """A position in which (part of) a table lies, for conditions to be asked of."""
        after = self.state.copy()
        after.groups = (*self.kept, *(Group(meld, self.seat, (self.seat,) * len(meld.cards)) for meld in table))
        side = 1 << self.program.side_of(self.seat)
        if not after.opened & side:
            after.opened |= side
            after.opened_this_turn |= side
        env = Env(self.program, after, self.seat)
        env.context = MoveContext(self.before, self.seat)
        return env


def rearranges_only(rule: MoveProgram) -> bool:
    """Whether a move is one rearrangement and nothing else."""
    return len(rule.actions) == 1 and rule.actions[0].kind == REARRANGE
