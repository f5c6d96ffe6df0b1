"""The best groups to lay by one move, under its conditions: for computer players, who cannot look at all there are."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.actions import limited
from interpreter.attempting import attempt, own_duties, refuse_by_conditions
from interpreter.chains import Step, counted, steps, ways_to_meet
from interpreter.errors import IllegalMove
from interpreter.finishing import check_finish, must_lay
from interpreter.meld_limits import Book
from interpreter.moves import Move
from interpreter.pack import bits
from interpreter.program import ADD, LAY_MELDS, PASS, SET, Env, MoveContext, Program
from interpreter.state import State
from interpreter.walking import ways


def best_laying(program: Program, state: State, index: int, weight: Sequence[int]) -> Move | None:
    """Of a kind of move that lays groups once, the legal one whose cards weigh most, those it puts away too.

    Found for each choice of the actions before, under the conditions that are questions of sums; None where none of
    these is legal, or the move does something else that is to be chosen.
    """
    rule = program.moves[index]
    laying = [number for number, action in enumerate(rule.actions) if action.kind == LAY_MELDS]
    targets = dict(ways(program, state, state.frame).moves).get(index, 0) if state.frames else 0
    rest = len(rule.actions) - laying[0] - 1 if laying else 0
    if len(laying) != 1 or not targets or any(a.kind not in (ADD, SET, PASS) for a in rule.actions[laying[0] + 1 :]):
        return None
    if refuse_by_conditions(Env(program, state, state.frame.seat), rule):
        return None
    begun = Env(program, counted(program, state, rule), state.frame.seat)
    begun.context = MoveContext(state, begun.you)
    taken = [Step((), begun)]
    for _ in range(laying[0]):
        taken = [
            further
            for step in taken
            if step.env.context is not None
            for further in steps(program, step.env.state, rule, step.chosen, 0, step.env.context)
        ]
    must = must_lay(program, own_duties(state), rule)
    hand = state.hands[begun.you]
    most = sum(max(0, weight[card]) for card in bits(hand))

    def legal(move: Move) -> bool:
        try:
            check_finish(program, state, attempt(program, state, move, targets), rule)
        except IllegalMove:
            return False
        return True

    found: list[tuple[int, Move]] = []
    worths: dict[int, tuple[Book, list[int], list[int]]] = {}
    for step in taken:
        bounds = ways_to_meet(step.env, rule)
        search = limited(step.env, rule.actions[laying[0]], [[]] if bounds is None else bounds, must)
        book = search.book
        if id(book) not in worths:
            by_card = [max(weight[card] for card in twins.cards) for twins in book.layouts.held]
            worths[id(book)] = book, [sum(weight[card] for card in meld.cards) for meld in book.melds], by_card
        best = search.best(*worths[id(book)][1:])
        if best is None or len(best[1]) < rule.actions[laying[0]].least:
            continue
        total = best[0] + sum(weight[card] for card in bits(hand & ~step.env.state.hands[begun.you]))
        move = Move(index, (*step.chosen, best[1], *(None,) * rest))
        if total < most:
            found.append((-total, move))
        elif legal(move):
            return move
    found.sort(key=lambda each: each[0])
    return next((move for _, move in found if legal(move)), None)
