"""What can be tried by a kind of move, and whether the turn can be ended after a move that was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from interpreter.actions import can_be_done, choices, distinct, marked_cards, perform
from interpreter.attempting import (
    attempt,
    attempt_as_it_lies,
    ending_now,
    own_duties,
    refuse_by_conditions,
    run_automatic,
)
from interpreter.chains import Tables, begun, chains
from interpreter.errors import IllegalMove
from interpreter.moves import Choice, Move
from interpreter.piles import Impossible
from interpreter.program import (
    AT_ONCE,
    BY,
    LAY_MELDS,
    LAY_OFF,
    PUT,
    REARRANGE,
    SWAP,
    Check,
    Env,
    MoveContext,
    MoveProgram,
    Program,
)
from interpreter.proposals import Legal, Proposals, rearranges_only
from interpreter.state import EXTRA_TURN, NOBODY, TURN, Lookahead, OpenDuty, State
from interpreter.walking import Ways, onward, ways

SEARCH_LIMIT: Final = 20_000
"""Moves tried from one position to see whether a turn can be finished; beyond it moves are refused and that is said."""
DEEPEST: Final = 150
"""Moves in a row that are looked at for it."""


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
        found = ways(program, state, state.frame)
        moves, windows = found.moves, found.windows
        if not duties and (found.final or not (moves or windows)):
            return True
        if not duties and any(self.surely(state, program.moves[index], targets) for index, targets in moves):
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
            declined.frames = (*state.frames[:-1], state.frame.gone_on(1 << window))
            if self.finds(declined, depth + 1):
                self.known.good.add(key)
                return True
        for index, targets in found.soonest(program):
            if self.by(state, program.moves[index], targets, duties, depth):
                self.known.good.add(key)
                return True
        return False

    def key(self, state: State) -> tuple[object, ...]:
        """Everything that the moves of a turn can change and that what is legal can depend on."""
        seat = self.seat
        return (
            state.hands[seat], frozenset(state.groups), state.frames, state.duties, state.named, state.last_move,
            tuple(state.piles), state.tallies, state.scores, state.opened, state.opened_this_turn,
            *(
                min(state.times[count.first + seat], count.most)
                for count in self.program.counted
            ),
        )  # fmt: skip

    def surely(self, state: State, move: MoveProgram, targets: int) -> bool:
        """Whether a move ends the turn, or may, of which it is soon known."""
        if not is_sure(self.program, state, move, targets, ()):
            return False
        env = Env(self.program, state, self.seat)
        return not refuse_by_conditions(env, move) and len(sure_moves(env, move)) > 0

    def by(self, state: State, move: MoveProgram, targets: int, duties: tuple[OpenDuty, ...], depth: int) -> bool:
        """Whether some such move leads to the end."""
        program = self.program
        if refuse_by_conditions(Env(program, state, self.seat), move):
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


def is_sure(program: Program, state: State, move: MoveProgram, targets: int, duties: tuple[OpenDuty, ...]) -> bool:
    """Whether, of a kind of move that is offered and whose `if`s hold, everything is legal that can be chosen and of
    which its `only`s hold: the turn can then be ended, soon or at once, or what comes is not known."""
    if not move.plain or duties:
        return False
    if move.draws_hidden:
        return True
    then = onward(program.automata[state.frame.automaton], targets)
    if then.stops_by_itself or not then.last_moves or program.automatic:
        return then.stops_by_itself
    left = state.hands[state.frame.seat].bit_count()
    if move.actions[0].kind == PUT:
        left = max(0, left - move.actions[0].most)
    return any(program.moves[last].cards <= left for last in then.last_moves)


def sure_moves(env: Env, move: MoveProgram) -> list[Move]:
    """The legal moves of a kind of which that is so, by *you*, whoever is to act."""
    action = move.actions[0]
    if action.kind == PUT and action.least == action.most == 1:
        cards = distinct(env, env.state.hands[env.you], marked_cards(env.state))
        return [move.putting(card) for card in cards if not move.only or _hold(move.only, env, card)]
    if move.reach == 0:
        return [move.bare()] if can_be_done(env, action) else []
    rest: tuple[Choice, ...] = (None,) * (len(move.actions) - 1)
    return [Move(move.index, (choice, *rest)) for choice in choices(env, action)]


def _hold(checks: tuple[Check, ...], env: Env, card: int) -> bool:
    env.it = card
    hold = all(check.code(env) for check in checks)
    env.it = None
    return hold


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
    if not duties and (
        move.draws_hidden or onward(program.automata[state.frame.automaton], state.frame.at).stops_by_itself
    ):
        return
    if move.draws_hidden:
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
    raise IllegalMove(move.name, "unfinished", _unfinished(program, duties, after))


def _unfinished(program: Program, duties: tuple[OpenDuty, ...], after: Ways) -> str:
    """Why the turn could not be ended: by which moves it would go on, and what would have to be done by then."""
    moves = " or ".join(dict.fromkeys(program.moves[index].name for index, _ in after.moves))
    due = " and ".join(dict.fromkeys(program.duties[duty.duty].text for duty in duties))
    if not moves:
        return "no move could follow it"
    return f"no way to go on by {moves} ends the turn" + (f' and meets "{due}"' if due else "")


# ------------------------------------------------------------ what can be tried


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
            env = (attempt if twins else attempt_as_it_lies)(program, state, move, targets)
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
    start = begun(program, state, move)
    tables = _tables(program, state, move, must, finish) if move.rearranges else None
    # no generator expression: the compiled core works those out whole
    for chosen in chains(program, start, move, (), must, context, tables):
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
