"""Plays where the whole table may be rearranged: whether there is one, the best one, and a hint.

The answers are exact unless they say otherwise (see `table_solver`). A play is judged as any move is: groups,
conditions, duties, and that the turn can be ended. Of a move that does more than rearrange only listed plays are looked
at: whether there is one is exact, the best of them need not be the best there is, and there is no hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from interpreter.finishing import proposals
from interpreter.legality import legal_moves, open_kinds
from interpreter.moves import Meld, Move
from interpreter.pack import bits, mask_of
from interpreter.program import Program
from interpreter.proposals import Proposals, rearranges_only
from interpreter.state import State
from interpreter.table_question import Answer, Table

CARD: Final = 10_000
"""What each card counts beside its weight, so that the most cards come before the most weight."""


class Play(NamedTuple):
    """A play (None: there is none), and whether that is certain: no play is better, or none exists."""

    move: Move | None
    exact: bool


class Hint(NamedTuple):
    """A card of the hand that can be put down, and by which play; `changed` are the groups of the table (by index) that
    do not lie afterwards as they did; `rebuilds` says whether cards of the table must leave their group."""

    card: int
    move: Move
    changed: tuple[int, ...]
    rebuilds: bool


class Hinted(NamedTuple):
    """A hint (None: there is none), and whether that is certain."""

    hint: Hint | None
    exact: bool


def any_play(program: Program, state: State, move: int) -> Play:
    """Whether whoever is to act can make a move of this kind, and one such move."""
    asked = _asked(program, state, move)
    if asked is None:
        cut = state.bounds.cut
        found = next(legal_moves(program, state, move), None) if _does_more(program, state, move) else None
        return Play(found, found is not None or state.bounds.cut == cut)
    return _play(asked, asked.any())


def best_play(program: Program, state: State, move: int, weight: Sequence[int] | None = None) -> Play:
    """The play that puts down the most cards, of several the one with the most weight (by card, none below 0)."""
    worth = [CARD + (weight[card] if weight is not None else 0) for card in range(program.pack.size)]
    asked = _asked(program, state, move)
    if asked is not None:
        return _play(asked, asked.best(worth))
    if not _does_more(program, state, move):
        return Play(None, True)

    def put_down(play: Move) -> int:
        tables = (choice for choice in play.choices if isinstance(choice, tuple))
        cards = mask_of(card for table in tables for meld in table if isinstance(meld, Meld) for card in meld.cards)
        return sum(worth[card] for card in bits(cards & state.hands[state.to_act]))

    return Play(max(legal_moves(program, state, move), key=put_down, default=None), False)


def hint(program: Program, state: State, move: int) -> Hinted:
    """A card that can be put down; by a play for which no card of the table leaves its group, if there is one."""
    asked = _asked(program, state, move)
    if asked is None:
        return Hinted(None, not _does_more(program, state, move))
    for table in asked.simple():
        if asked.legal(asked.move(table), True):
            return Hinted(_hint(state, asked, table), True)
    found = asked.any()
    return Hinted(None if found.table is None else _hint(state, asked, found.table), found.exact)


def _play(asked: Proposals, answer: Answer) -> Play:
    return Play(None if answer.table is None else asked.move(answer.table), answer.exact)


def _does_more(program: Program, state: State, move: int) -> bool:
    """Whether the turn offers a move, and it does more than rearrange."""
    return not rearranges_only(program.moves[move]) and move in open_kinds(program, state)


def _asked(program: Program, state: State, move: int) -> Proposals | None:
    """What can be proposed; None where the turn does not offer the move, or it does more than rearrange."""
    rule = program.moves[move]
    if not rearranges_only(rule) or move not in open_kinds(program, state):
        return None
    return proposals(program, state, rule, finish=True)


def _hint(state: State, asked: Proposals, table: Table) -> Hint:
    now = {group.meld for group in asked.kept} | set(table)
    changed = tuple(number for number, group in enumerate(state.groups) if group.meld not in now)
    played = sum(meld.mask for meld in table) & asked.hand
    leaves = any(not any(not group.meld.mask & ~meld.mask for meld in now) for group in state.groups)
    return Hint(next(bits(played)), asked.move(table), changed, leaves)
