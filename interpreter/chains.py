"""Chains of actions: every way to choose for one action after the other, in the position the ones before lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from interpreter.actions import choices, perform
from interpreter.demands import alternatives, weighed
from interpreter.meld_limits import Bounds
from interpreter.moves import Choice
from interpreter.piles import Impossible
from interpreter.program import LAY_MELDS, REARRANGE, Env, Layout, MoveContext, MoveProgram, Program
from interpreter.state import State

Tables = Callable[[Env, tuple[Choice, ...]], Iterator[Choice]]
"""The tables to choose from where a chain rearranges, from the position there and what was chosen before."""


def count_move(program: Program, state: State, move: MoveProgram) -> None:
    """Write down that a move is made."""
    key = move.index * program.players + state.frame.seat
    turn, round_, game = state.times.get(key, (0, 0, 0))
    state.times[key] = (turn + 1, round_ + 1, game + 1)
    state.last_move = move.index
    state.moves_in_turn += 1


def ways_to_meet(env: Env, move: MoveProgram) -> Bounds | None:
    """The limits that the conditions of a move set to the groups it lays, from the position just before it lays them;
    None where none are known."""
    if move.demand is None:
        return None
    asked = Env(env.program, env.state.copy(), env.you)
    asked.context = env.context
    asked.it = Layout((), 0, asked.state.hands[env.you])
    count_move(env.program, asked.state, move)
    found = alternatives(move.demand, asked)
    return weighed(found, asked, env.you)


def chains(
    program: Program,
    state: State,
    move: MoveProgram,
    chosen: tuple[Choice, ...],
    must: int,
    context: MoveContext,
    tables: Tables | None = None,
) -> Iterator[tuple[Choice, ...]]:
    """Every way to choose for the actions of a move, those before `chosen` included; cards of `must` are laid."""
    if len(chosen) == len(move.actions):
        yield chosen
        return
    for step in steps(program, state, move, chosen, must, context, tables):
        assert step.env.context is not None
        yield from chains(program, step.env.state, move, step.chosen, must, step.env.context, tables)


class Step(NamedTuple):
    """Some actions of a chain done: with which choices, and what came of it."""

    chosen: tuple[Choice, ...]
    env: Env


def steps(
    program: Program,
    state: State,
    move: MoveProgram,
    chosen: tuple[Choice, ...],
    must: int,
    context: MoveContext,
    tables: Tables | None = None,
) -> Iterator[Step]:
    """The next action of a chain done in every way."""
    action = move.actions[len(chosen)]
    env = Env(program, state, state.frame.seat)
    env.context, env.it = context, context.it
    limits = ways_to_meet(env, move) if action.kind == LAY_MELDS else None
    if action.kind == REARRANGE:
        found = tables(env, chosen) if tables is not None else iter(())
    else:
        found = choices(env, action, must, limits)
    for choice in found:
        step = Env(program, state.copy(), state.frame.seat)
        step.context, step.it = context.copy(), context.it
        try:
            perform(step, action, choice)
        except Impossible:
            continue
        yield Step((*chosen, choice), step)
