"""One move made in a copy of the position, whether or not the turn can be ended after it: actions, `only`s, duties.

What happens by itself besides is here too: automatic moves, and whether an ending is reached.
"""

from __future__ import annotations

from typing import Final

from interpreter.actions import perform
from interpreter.chains import count_move
from interpreter.errors import IllegalMove
from interpreter.moves import Move
from interpreter.piles import Impossible
from interpreter.program import AT_ONCE, BEFORE, BY, Code, Env, MoveContext, MoveProgram, Program
from interpreter.rearranging import twin_variants
from interpreter.state import NOBODY, OpenDuty, State

MAX_AUTOMATIC: Final = 1_000
"""Automatic moves in a row before the sheet is held to be defective."""


def own_duties(state: State) -> tuple[OpenDuty, ...]:
    """The open duties of whoever is to move, those of this window only."""
    if not state.duties:
        return ()
    depth = len(state.frames)
    seat = state.frame.seat
    return tuple(d for d in state.duties if d.seat == seat and d.depth == depth)


def refuse_by_conditions(env: Env, move: MoveProgram) -> str:
    """Path of the first `if` that fails for *you*, whoever is to act, or of the duty that forbids the move; empty if
    none does."""
    for check in move.before:
        if not check.code(env):
            return check.path
    for duty in own_duties(env.state):
        rule = env.program.duties[duty.duty]
        if rule.deadline == BEFORE and rule.move == move.index:
            return rule.path
    return ""


def attempt(program: Program, state: State, move: Move, targets: int) -> Env:
    """Make a move in a copy of the position, up to its duties; the `Env` holds the copy.

    `if` and deadlines of duties are not asked here (see `refuse_by_conditions`). A rearrangement is legal if it is so
    for one way of telling twins apart. Raises IllegalMove.
    """
    try:
        return attempt_as_it_lies(program, state, move, targets)
    except IllegalMove as reason:
        rule = program.moves[move.move]
        if not rule.rearranges or not reason.because.startswith(f"{rule.name}.only."):
            raise
        cut = state.bounds.cut
        for other in twin_variants(program, state, rule, move):
            try:
                return attempt_as_it_lies(program, state, other, targets)
            except IllegalMove:
                continue
        if state.bounds.cut > cut:
            raise IllegalMove(
                rule.name, reason.because, f"{reason.detail} (not every way to tell twins apart was tried)"
            ) from None
        raise


def attempt_as_it_lies(program: Program, state: State, move: Move, targets: int) -> Env:
    """The same, with twins as the move says them."""
    rule = program.moves[move.move]
    after = state.copy()
    frame = state.frame
    env = Env(program, after, frame.seat)
    env.context = MoveContext(state, frame.seat)
    count_move(program, after, rule)
    if len(move.choices) != len(rule.actions):
        raise IllegalMove(rule.name, f"{rule.name}.does", "something is left to choose")
    for at, action in enumerate(rule.actions):
        env.it = env.context.it
        try:
            perform(env, action, move.choices[at])
        except Impossible as reason:
            raise IllegalMove(rule.name, reason.path or f"{rule.name}.does", reason.reason) from None
    env.it = env.context.it
    for check in rule.only:
        if not check.code(env):
            raise IllegalMove(rule.name, check.path, f"only when, after this move, {check.text}")
    after.last_changed = env.context.changed
    gone_on = frame.gone_on(targets, moved=True)
    after.frames = (gone_on,) if len(after.frames) == 1 else (*after.frames[:-1], gone_on)
    _settle_duties(program, env, rule)
    return env


def _settle_duties(program: Program, env: Env, move: MoveProgram) -> None:
    """Close the duties that are met, refuse the move if a deadline passes, open those the move brings."""
    state = env.state
    if not state.duties and not move.duties:
        return
    depth, seat = len(state.frames), state.frame.seat
    still: list[OpenDuty] = []
    for duty in state.duties:
        rule = program.duties[duty.duty]
        env.named = duty.named
        met = rule.code(env)
        env.named = None
        if met:
            continue
        if (
            duty.seat == seat
            and duty.depth == depth
            and (rule.deadline == AT_ONCE or (rule.deadline == BY and rule.move == move.index))
        ):
            raise IllegalMove(move.name, rule.path, rule.text)
        still.append(duty)
    opened = (number for number in move.duties if not program.duties[number].code(env))
    still.extend(OpenDuty(number, seat, depth, state.named) for number in opened)
    state.duties = tuple(still)


def run_automatic(program: Program, state: State) -> None:
    """Make the automatic moves that are due, for each seat from the mover on, again as long as one is."""
    if not program.automatic:
        return
    start = max(state.mover, 0)
    for _ in range(MAX_AUTOMATIC):
        acted = False
        for step in range(program.players):
            seat = (start + step) % program.players
            if state.left >> seat & 1:
                continue
            for rule in program.automatic:
                env = Env(program, state, seat)
                if rule.when(env):
                    env.context = MoveContext(state, seat)
                    for action in rule.actions:
                        perform(env, action, ())
                    acted = True
        if not acted:
            return
    note_defect(program, state, "automatic moves go on for ever")
    state.capped = True


def note_defect(program: Program, state: State, text: str) -> None:
    """Remember that the sheet has a defect; each is told once."""
    message = f"{program.sheet_id}: {text}"
    if message not in state.defects:
        state.defects = (*state.defects, message)


def ending_now(env: Env) -> int:
    """The first ending whose conditions hold for *you*, or NOBODY.

    Endings within another share its conditions: one that failed just now is not asked again.
    """
    env.ender = env.you
    refused: Code | None = None
    for index, ending in enumerate(env.program.endings):
        if (ending.at_turn_end and not env.turn_over) or (ending.after >= 0 and ending.after != env.state.last_move):
            continue
        for check in ending.when:
            if check.code is refused:
                break
            if not check.code(env):
                refused = check.code
                break
        else:
            return index
    return NOBODY
