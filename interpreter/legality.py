"""Which moves are legal: the turn offers them, conditions hold, no duty forbids them, and the turn can be finished.

The engine never picks for the player: what can be chosen is listed in full, lazily and in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from interpreter.actions import choices, perform
from interpreter.chains import Tables, chains, count_move, ways_to_meet
from interpreter.errors import IllegalMove
from interpreter.moves import DONE, Choice, Move
from interpreter.pack import bits
from interpreter.piles import Impossible
from interpreter.program import (
    AT_ONCE,
    BEFORE,
    BY,
    LAY_MELDS,
    LAY_OFF,
    REARRANGE,
    SWAP,
    Env,
    MoveContext,
    MoveProgram,
    Program,
)
from interpreter.proposals import Legal, Proposals, rearranges_only
from interpreter.rearranging import twin_variants
from interpreter.state import EXTRA_TURN, NOBODY, TURN, Frame, Lookahead, OpenDuty, State

SEARCH_LIMIT = 20_000
"""Moves tried from one position to see whether a turn can be finished; beyond it moves are refused and that is said."""
DEEPEST = 150
"""Moves in a row that are looked at for it."""

MAX_AUTOMATIC = 1_000
"""Automatic moves in a row before the sheet is held to be defective."""


class Ways(NamedTuple):
    """Where a walk can go: moves (number, positions it leads to), windows, and whether it may stop."""

    moves: tuple[tuple[int, int], ...]
    windows: tuple[int, ...]
    final: bool


def ways(program: Program, state: State, frame: Frame) -> Ways:
    """What the phrase offers to whoever walks `frame`, guards asked now."""
    automaton = program.automata[frame.automaton]
    known: dict[int, bool] = {}
    env: Env | None = None

    def holds(guards: tuple[tuple[int, bool], ...]) -> bool:
        nonlocal env
        for number, wanted in guards:
            if number not in known:
                env = env or Env(program, state, frame.seat)
                known[number] = bool(automaton.guards[number](env))
            if known[number] != wanted:
                return False
        return True

    moves: dict[int, int] = {}
    windows: list[int] = []
    final = False
    for position in bits(frame.at):
        for target, guards in automaton.edges[position]:
            if not guards or holds(guards):
                label = automaton.labels[target]
                if label < 0:
                    windows.append(target)
                else:
                    moves[label] = moves.get(label, 0) | 1 << target
        final = final or any(holds(guards) for guards in automaton.finals[position])
    return Ways(tuple(moves.items()), tuple(dict.fromkeys(windows)), final)


def own_duties(state: State) -> tuple[OpenDuty, ...]:
    """The open duties of whoever is to move, those of this window only."""
    depth = len(state.frames)
    seat = state.frame.seat
    return tuple(d for d in state.duties if d.seat == seat and d.depth == depth)


# ------------------------------------------------------------ one move


def refuse_by_conditions(program: Program, state: State, move: MoveProgram) -> str:
    """Path of the first `if` that fails or of the duty that forbids the move; empty if none does."""
    env = Env(program, state, state.frame.seat)
    for check in move.before:
        if not check.code(env):
            return check.path
    for duty in own_duties(state):
        rule = program.duties[duty.duty]
        if rule.deadline == BEFORE and rule.move == move.index:
            return rule.path
    return ""


def attempt(program: Program, state: State, move: Move, targets: int) -> Env:
    """Make a move in a copy of the position, up to its duties; the `Env` holds the copy.

    `if` and deadlines of duties are not asked here (see `refuse_by_conditions`). A rearrangement is legal if it is so
    for one way of telling twins apart. Raises IllegalMove.
    """
    try:
        return _attempt(program, state, move, targets)
    except IllegalMove as reason:
        rule = program.moves[move.move]
        if not rule.rearranges or not reason.because.startswith(f"{rule.name}.only."):
            raise
        cut = state.bounds.cut
        for other in twin_variants(program, state, rule, move):
            try:
                return _attempt(program, state, other, targets)
            except IllegalMove:
                continue
        if state.bounds.cut > cut:
            raise IllegalMove(
                rule.name, reason.because, f"{reason.detail} (not every way to tell twins apart was tried)"
            ) from None
        raise


def _attempt(program: Program, state: State, move: Move, targets: int) -> Env:
    rule = program.moves[move.move]
    after = state.copy()
    frame = state.frame
    env = Env(program, after, frame.seat)
    env.context = MoveContext(state, frame.seat)
    count_move(program, after, rule)
    if len(move.choices) != len(rule.actions):
        raise IllegalMove(rule.name, f"{rule.name}.does", "something is left to choose")
    for action, choice in zip(rule.actions, move.choices, strict=True):
        env.it = env.context.it
        try:
            perform(env, action, choice)
        except Impossible as reason:
            raise IllegalMove(rule.name, reason.path or f"{rule.name}.does", reason.reason) from None
    env.it = env.context.it
    for check in rule.only:
        if not check.code(env):
            raise IllegalMove(rule.name, check.path, f"only when, after this move, {check.text}")
    after.last_changed = env.context.changed
    after.frames = (*after.frames[:-1], frame._replace(at=targets, moved=True))
    _settle_duties(program, env, rule)
    return env


def _settle_duties(program: Program, env: Env, move: MoveProgram) -> None:
    """Close the duties that are met, refuse the move if a deadline passes, open those the move brings."""
    state = env.state
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
    """The first ending whose conditions hold for *you*, or NOBODY."""
    env.ender = env.you
    for index, ending in enumerate(env.program.endings):
        if all(check.code(env) for check in ending.when):
            return index
    return NOBODY


# ------------------------------------------------------------ can the turn be finished?


class _Search:
    """Looks for a way from a position to the end of the turn, or of the window, with every duty met.

    `known` is what was found out from the same position before; it learns what this search finds out.
    """

    def __init__(self, program: Program, seat: int, known: Lookahead) -> None:
        self.program = program
        self.seat = seat
        self.known = known
        self.seen: set[tuple[object, ...]] = set()
        self.exhausted = False
        """Whether something was not looked at, so that a way may have been missed."""

    def leads_on(self, state: State) -> bool:
        """Whether the turn can be finished from here."""
        found = self.finds(state, 0)
        if not found and not self.exhausted:
            self.known.fruitless |= self.seen
        return found

    def finds(self, state: State, depth: int) -> bool:
        """The same, `depth` moves on. Positions seen on the way count as dead ends until a way is found."""
        program = self.program
        duties = own_duties(state)
        if state.folded >> self.seat & 1:
            return True
        if not duties and state.stage in (TURN, EXTRA_TURN) and ending_now(Env(program, state, self.seat)) != NOBODY:
            return True
        moves, windows, final = ways(program, state, state.frame)
        if not duties and (final or not (moves or windows)):
            return True
        key = self.key(state)
        if key in self.known.good:
            return True
        if key in self.seen or key in self.known.fruitless:
            return False
        if depth == DEEPEST:
            self.exhausted = True
            return False
        self.seen.add(key)
        for window in windows:
            declined = state.copy()
            declined.frames = (*state.frames[:-1], state.frame._replace(at=1 << window))
            if self.finds(declined, depth + 1):
                self.known.good.add(key)
                return True
        order = sorted(moves, key=lambda m: program.moves[m[0]].finish_rank)
        for index, targets in order:
            if self.by(state, program.moves[index], targets, duties, depth):
                self.known.good.add(key)
                return True
        return False

    def key(self, state: State) -> tuple[object, ...]:
        """Everything that the moves of a turn can change and that what is legal can depend on."""
        times = state.times
        players, seat = self.program.players, self.seat
        return (
            state.hands[seat], frozenset(state.groups), state.frames, state.duties, state.named, state.last_move,
            tuple(state.piles), tuple(state.tallies), tuple(state.scores), state.opened, state.opened_this_turn,
            *(
                min(times[at][count.scope], count.most) if (at := count.move * players + seat) in times else 0
                for count in self.program.counted
            ),
        )  # fmt: skip

    def by(self, state: State, move: MoveProgram, targets: int, duties: tuple[OpenDuty, ...], depth: int) -> bool:
        """Whether some such move leads to the end."""
        program = self.program
        if refuse_by_conditions(program, state, move):
            return False
        for candidate in candidates(program, state, move, must_lay(program, duties, move)):
            if self.known.tried >= SEARCH_LIMIT:
                self.exhausted = True
                return False
            self.known.tried += 1
            try:
                env = attempt(program, state, candidate, targets)
            except IllegalMove:
                continue
            if move.draws_hidden:
                if not own_duties(env.state):
                    return True
                continue
            run_automatic(program, env.state)
            if self.finds(env.state, depth + 1):
                return True
        return False


def must_lay(program: Program, duties: tuple[OpenDuty, ...], move: MoveProgram) -> int:
    """The cards that a move must put on the table, by duties that are due with it."""
    found = 0
    if sum(action.kind in (LAY_MELDS, LAY_OFF, SWAP, REARRANGE) for action in move.actions) == 1:
        for duty in duties:
            rule = program.duties[duty.duty]
            if rule.must_lay >= 0 and (rule.deadline == AT_ONCE or (rule.deadline == BY and rule.move == move.index)):
                found |= duty.named[rule.must_lay]
    return found


def check_finish(program: Program, before: State, env: Env, move: MoveProgram) -> None:
    """Raise IllegalMove where the turn could not be finished after a move that was made in `env`.

    Where that was not found out within bounds, the move is refused, and the bounds of the game count it.
    """
    state, seat = env.state, env.you
    duties = own_duties(state)
    if move.draws_hidden:
        if not duties:
            return
        state = state.copy()
        state.hands[seat] &= before.hands[seat]
    probe = state
    if program.automatic:
        probe = state.copy()
        run_automatic(program, probe)
    before.lookahead = before.lookahead or Lookahead()
    search = _Search(program, seat, before.lookahead)
    if search.leads_on(probe):
        return
    if search.exhausted:
        before.bounds.cut += 1
        said = f"no way to end the turn was found among {SEARCH_LIMIT} moves, {DEEPEST} in a row; there may be one"
        raise IllegalMove(move.name, "unfinished", said)
    after = ways(program, probe, probe.frame)
    if duties and not after.moves and not after.windows:
        rule = program.duties[duties[0].duty]
        raise IllegalMove(move.name, rule.path, rule.text)
    raise IllegalMove(move.name, "unfinished", "the turn could not be ended after it")


# ------------------------------------------------------------ all legal moves


def judge(program: Program, state: State, move: Move) -> Env | None:
    """Make a move in a copy if it is legal; the `Env` holds the copy (None for `done`). Raises IllegalMove."""
    offered = ways(program, state, state.frame)
    if move.move == DONE:
        _judge_done(program, state, offered)
        return None
    rule = program.moves[move.move]
    targets = dict(offered.moves).get(move.move, 0)
    if not targets:
        raise IllegalMove(rule.name, "phase", "the turn does not offer it now")
    because = refuse_by_conditions(program, state, rule)
    if because:
        raise IllegalMove(rule.name, because, _text_of(program, rule, because))
    env = attempt(program, state, move, targets)
    check_finish(program, state, env, rule)
    return env


def _text_of(program: Program, rule: MoveProgram, path: str) -> str:
    for check in rule.before:
        if check.path == path:
            return f"only if {check.text}"
    return next((d.text for d in program.duties if d.path == path), "")


def _judge_done(program: Program, state: State, offered: Ways) -> None:
    if not offered.moves or not (offered.final or offered.windows):
        raise IllegalMove("done", "phase", "something must still be done")
    for duty in own_duties(state):
        rule = program.duties[duty.duty]
        if rule.deadline == AT_ONCE or not offered.windows:
            raise IllegalMove("done", rule.path, rule.text)


def proposals(program: Program, state: State, rule: MoveProgram, must: int = 0, finish: bool = False) -> Proposals:
    """The plays of whoever is to act by a kind of move that rearranges the table; `must` are cards to be put down.

    With `finish` a play is legal only if the turn can be ended after it.
    """
    return Proposals(program, state, rule, _legal(program, state, rule, finish), must)


def _legal(program: Program, state: State, rule: MoveProgram, finish: bool) -> Legal:
    """Whether a move of a kind that is offered is legal, and with `finish` whether the turn can be ended after it."""
    targets = dict(ways(program, state, state.frame).moves).get(rule.index, 0)

    def legal(move: Move, twins: bool) -> bool:
        try:
            env = (attempt if twins else _attempt)(program, state, move, targets)
            if finish:
                check_finish(program, state, env, rule)
        except IllegalMove:
            return False
        return True

    return legal


def candidates(
    program: Program, state: State, move: MoveProgram, must: int = 0, finish: bool = False
) -> Iterator[Move]:
    """Every choice for a kind of move, whether legal or not; of groups only those with all cards of `must`.

    Of a move that rearranges the table a selection (see `proposals`), in which there is a play if any is legal; with
    `finish` one after which the turn can be ended.
    """
    if rearranges_only(move):
        yield from proposals(program, state, move, must, finish).listed()
        return
    context = MoveContext(state, state.frame.seat)
    if len(move.actions) == 1:
        env = Env(program, state, state.frame.seat)
        env.context = context
        for choice in choices(env, move.actions[0], must, ways_to_meet(env, move)):
            yield Move(move.index, (choice,))
        return
    tables = _tables(program, state, move, must, finish)
    # no generator expression: the compiled core works those out whole
    for chosen in chains(program, state, move, (), must, context, tables):
        yield Move(move.index, chosen)


def _tables(program: Program, state: State, rule: MoveProgram, must: int, finish: bool) -> Tables:
    """The tables to choose from where a move that does more rearranges: each can be followed by what the rest of the
    move needs."""
    whole = _legal(program, state, rule, finish)

    def tables(env: Env, chosen: tuple[Choice, ...]) -> Iterator[Choice]:
        def legal(move: Move, twins: bool) -> bool:
            step = Env(program, env.state.copy(), env.you)
            context = env.context.copy() if env.context is not None else MoveContext(state, env.you)
            step.context, step.it = context, env.it
            try:
                perform(step, rule.actions[len(chosen)], move.choices[-1])
            except Impossible:
                return False
            rest = chains(program, step.state, rule, move.choices, must, context, tables)
            return any(whole(move._replace(choices=each), twins) for each in rest)

        asked = Proposals(program, env.state, rule, legal, must, chosen, state)
        for move in asked.listed():
            yield move.choices[-1]

    return tables


def legal_moves(program: Program, state: State, only: int | None = None) -> Iterator[Move]:
    """Every legal move of whoever is to act (of one kind, if `only` says which), then `done` where it is legal.

    Of moves that rearrange the table a selection, see `proposals`.
    """
    if not state.frames:
        return
    offered = ways(program, state, state.frame)
    for index, targets in offered.moves:
        rule = program.moves[index]
        if (only is not None and only != index) or refuse_by_conditions(program, state, rule):
            continue
        for move in candidates(program, state, rule, must_lay(program, own_duties(state), rule), finish=True):
            try:
                env = attempt(program, state, move, targets)
                check_finish(program, state, env, rule)
            except IllegalMove:
                continue
            yield move
    if only is None or only == DONE:
        try:
            _judge_done(program, state, offered)
        except IllegalMove:
            return
        yield Move(DONE)


def open_kinds(program: Program, state: State) -> tuple[int, ...]:
    """The kinds of move whose edge is there and whose `if`s hold, `done` (last) if it is legal."""
    if not state.frames:
        return ()
    offered = ways(program, state, state.frame)
    kinds = [index for index, _ in offered.moves if not refuse_by_conditions(program, state, program.moves[index])]
    return tuple(kinds + [move.move for move in legal_moves(program, state, DONE)])


def can_make(program: Program, state: State, move: int) -> bool:
    """Whether a legal move of this kind exists."""
    return next(legal_moves(program, state, move), None) is not None


def offered_names(program: Program, state: State) -> tuple[str, ...]:
    """Names of the moves of which a legal one exists, in the order of the phrase."""
    if not state.frames:
        return ()
    offered = ways(program, state, state.frame)
    names = [program.moves[index].name for index, _ in offered.moves if can_make(program, state, index)]
    return tuple(names + (["done"] if next(legal_moves(program, state, DONE), None) is not None else []))
