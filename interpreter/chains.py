"""Chains of actions: every way to choose for one action after the other, in the position the ones before lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from interpreter.actions import choices, hopes_of, perform
from interpreter.demands import Limit, PutAway, alternatives, weighed
from interpreter.meld_limits import Bounds, Weighed
from interpreter.moves import Choice
from interpreter.native import mypyc_attr
from interpreter.piles import Impossible
from interpreter.program import LAY_MELDS, PUT, REARRANGE, Env, Layout, MoveContext, MoveProgram, Program
from interpreter.state import SCOPES, State

Tables = Callable[[Env, tuple[Choice, ...]], Iterator[Choice]]
"""The tables to choose from where a chain rearranges, from the position there and what was chosen before."""


def count_move(program: Program, state: State, move: MoveProgram) -> None:
    """Write down that a move is made."""
    times = state.times
    at = move.index * program.players + state.frame.seat
    while at < len(times):
        made = times[at]
        times[at] = made + 1
        at += len(times) // len(SCOPES)
    state.last_move = move.index
    state.moves_in_turn += 1


def counted(program: Program, state: State, move: MoveProgram) -> State:
    """A copy of the position in which a move is written down as made."""
    after = state.copy()
    count_move(program, after, move)
    return after


def begun(program: Program, state: State, move: MoveProgram) -> State:
    """The position in which choices for a move are made: it counts as made where counts are asked for."""
    return counted(program, state, move) if move.demand is not None and move.asks_for_counts else state


def ways_to_meet(env: Env, move: MoveProgram) -> Bounds | None:
    """The limits that the conditions of a move set to the groups it lays, from the position just before it lays them,
    in which it is `counted`; None where none are known."""
    if move.demand is None:
        return None
    asked = _asked(env)
    return weighed(alternatives(move.demand, asked).ways, asked, env.you)


def _asked(env: Env) -> Env:
    """Where conditions on the groups that are laid are asked, before any is."""
    asked = Env(env.program, env.state, env.you)
    asked.context = env.context
    asked.it = Layout((), 0, env.state.hands[env.you])
    return asked


@mypyc_attr(free_list_len=1)
class _Hopeful:
    """Whether groups can still be laid as conditions ask once cards were put away, as far as that is soon known."""

    def __init__(self, env: Env, ways: list[list[Limit]], must: int, most: int) -> None:
        """`env` as in `_asked`; at most so many cards are put away."""
        hand, rules = env.state.hands[env.you], env.state.rules.melds
        self.ways: list[list[PutAway]] = []
        """Those that some cards leave open."""
        kept: list[list[Weighed]] = []
        for at, limits in enumerate(weighed(ways, env, env.you)):
            sums: list[PutAway] = []
            for place, sought in enumerate(limits):
                low, high = rules.span(sought, hand)
                one = PutAway(ways[at][place], env, low, high)
                if not one.may_be_enough(hand, most):
                    break
                sums.append(one)
            else:
                self.ways.append(sums)
                kept.append(limits)
        self.hopes = hopes_of(env, kept, must) if kept else None

    def without(self, cards: tuple[int, ...]) -> bool:
        """Whether they can without these cards."""
        for at, way in enumerate(self.ways):
            so_far: list[int] = []
            for one in way:
                total = one.changes_by(cards)
                if not one.low <= total <= one.high:
                    break
                so_far.append(total)
            else:
                if self.hopes is not None and self.hopes.without(at, cards, so_far):
                    return True
        return False


def _hopeful(env: Env, move: MoveProgram, number: int, must: int) -> _Hopeful | None:
    """What can still be laid once cards were put away by an action; None where nothing is soon known."""
    laying = number + 1
    action = move.actions[number]
    if move.demand is None or action.kind != PUT or action.most < 0 or action.of is not None:
        return None
    if laying == len(move.actions) or move.actions[laying].kind != LAY_MELDS:
        return None
    asked = _asked(env)
    ways = alternatives(move.demand, asked, puts=True).ways
    return None if [] in ways else _Hopeful(asked, ways, must, action.most)


def is_hopeless(program: Program, state: State, move: MoveProgram, must: int) -> bool:
    """Whether it is soon known that no cards can be put away to lay groups as a move asks."""
    if move.demand is None or move.actions[0].kind != PUT:
        return False
    env = Env(program, begun(program, state, move), state.frame.seat)
    env.context = MoveContext(state, env.you)
    hopeful = _hopeful(env, move, 0, must)
    return hopeful is not None and not hopeful.ways


def chains(
    program: Program,
    state: State,
    move: MoveProgram,
    chosen: tuple[Choice, ...],
    must: int,
    context: MoveContext,
    tables: Tables | None = None,
) -> Iterator[tuple[Choice, ...]]:
    """Every way to choose for the actions of a move, those before `chosen` included; cards of `must` are laid.

    The last choice is not tried out, nor what follows it.
    """
    open_actions = move.reach - len(chosen)
    rest: tuple[Choice, ...] = (None,) * (len(move.actions) - move.reach)
    if open_actions <= 0:
        yield (*chosen, *(None,) * (len(move.actions) - len(chosen)))
    elif open_actions == 1:
        for choice in _next_choices(program, state, move, chosen, must, context, tables):
            yield (*chosen, choice, *rest)
    else:
        for step in steps(program, state, move, chosen, must, context, tables):
            assert step.env.context is not None
            yield from chains(program, step.env.state, move, step.chosen, must, step.env.context, tables)


@mypyc_attr(free_list_len=1)
class Step:
    """Some actions of a chain done: with which choices, and what came of it."""

    __slots__ = ("chosen", "env")

    def __init__(self, chosen: tuple[Choice, ...], env: Env) -> None:
        self.chosen = chosen
        self.env = env


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
    for choice in _next_choices(program, state, move, chosen, must, context, tables):
        step = Env(program, state.copy(), state.frame.seat)
        step.context, step.it = context.copy(), context.it
        try:
            perform(step, action, choice)
        except Impossible:
            continue
        yield Step((*chosen, choice), step)


def _next_choices(
    program: Program,
    state: State,
    move: MoveProgram,
    chosen: tuple[Choice, ...],
    must: int,
    context: MoveContext,
    tables: Tables | None,
) -> Iterator[Choice]:
    """What can be chosen for the next action of a chain."""
    action = move.actions[len(chosen)]
    env = Env(program, state, state.frame.seat)
    env.context, env.it = context, context.it
    if action.kind == REARRANGE:
        return tables(env, chosen) if tables is not None else iter(())
    if action.kind == LAY_MELDS:
        return choices(env, action, must, ways_to_meet(env, move))
    hopeful = _hopeful(env, move, len(chosen), must)
    if hopeful is None:
        return choices(env, action, must)
    return _sifted(choices(env, action, must), hopeful) if hopeful.ways else iter(())


def _sifted(found: Iterator[Choice], hopeful: _Hopeful) -> Iterator[Choice]:
    for choice in found:
        if hopeful.without(cast(tuple[int, ...], choice)):
            yield choice
