"""What becomes of a player whose clock has run out: the moves the sheet has for him (`manners.time-up`)."""

from __future__ import annotations

from interpreter.attempting import own_duties
from interpreter.flow import apply
from interpreter.legality import legal_moves
from interpreter.moves import Move
from interpreter.pack import bits
from interpreter.program import Program
from interpreter.state import State

Past = list[tuple[State, Move]]
"""The positions a game came through, each with the move made there."""


def run_out(program: Program, past: Past, state: State, deal_on: bool = True) -> tuple[State, Past]:
    """The position after the clock of whoever is to act has run out, and the way to it.

    If a duty is open, the turn is first taken back to before the move that opened it. Then `time-up` is walked: what
    cannot be done now is left out, and of several cards the newest is put away.
    """
    past = past[:]
    if not state.frames or program.time_up < 0:
        return state, past
    duties = own_duties(state)
    while duties and past and duties[0] in state.duties:
        state, _ = past.pop()
    automaton = program.automata[program.time_up]
    turn = (len(state.results), state.turn_number, state.to_act)
    at = 1
    while at and state.frames and turn == (len(state.results), state.turn_number, state.to_act):
        targets = [edge.target for position in bits(at) for edge in automaton.edges[position]]
        at = 0
        for target in targets:
            at |= 1 << target
            move = _newest_first(program, past, state, automaton.labels[target])
            if move is not None:
                past.append((state, move))
                state = apply(program, state, move, deal_on)
                at = 1 << target
                break
    return state, past


def _newest_first(program: Program, past: Past, state: State, index: int) -> Move | None:
    """The legal move of a kind that puts away the cards that came to the hand last."""
    age: dict[int, int] = {}
    seat, now = state.to_act, state.hands[state.to_act]
    for steps, (before, _) in enumerate(reversed(past)):
        for card in bits(now & ~before.hands[seat]):
            age.setdefault(card, steps)
        now &= before.hands[seat]

    def oldness(move: Move) -> list[int]:
        put = [c for choice in move.choices if isinstance(choice, tuple) for c in choice if isinstance(c, int)]
        return [age.get(card, len(past)) for card in put]

    return min(legal_moves(program, state, index), key=oldness, default=None)
