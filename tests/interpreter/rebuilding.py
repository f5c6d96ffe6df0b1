"""Positions of games in which the table is rebuilt."""

from __future__ import annotations

from functools import cache

from interpreter.compiler import compile_sheet
from interpreter.position import Position, Said, set_up, stand_before
from interpreter.program import Program
from interpreter.state import State
from rulespec.loader import load


@cache
def program(sheet: str) -> Program:
    """A bundled sheet for two."""
    return compile_sheet(load(sheet), 2)


def position(program: Program, hand: str, *table: str, singles: str = "", held_by_others: str = "KS KH") -> State:
    """Seat 1 is about to play: its hand, the groups on the table, open single cards; what seat 2 holds (without it: as
    many cards of the rest as are dealt)."""
    hands = {0: Said(hand, "")}
    if held_by_others:
        hands[1] = Said(held_by_others, "")
    piles = {("singles", 0): Said(singles, "")} if singles else {}
    groups = tuple((Said(group, ""), 1) for group in table)
    state = set_up(program, Position(hands=hands, table=groups, piles=piles, turn=0, opened={0: True, 1: True}))
    stand_before(program, state, program.move_index("play"))
    return state
