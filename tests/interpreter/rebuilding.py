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


def position(program: Program, hand: str, *table: str, singles: str = "") -> State:
    """Seat 1 is about to play: its hand, the groups on the table, open single cards."""
    said = {"hands": {0: Said(hand, ""), 1: Said("KS KH", "")}}
    piles = {("singles", 0): Said(singles, "")} if singles else {}
    groups = tuple((Said(group, ""), 1) for group in table)
    state = set_up(program, Position(hands=said["hands"], table=groups, piles=piles, turn=0, opened={0: True, 1: True}))
    stand_before(program, state, program.move_index("play"))
    return state
