"""The computer player `search`: tries its best few moves in positions that may be the real one, and plays on from them.

Everything comes from the view: a world is dealt from the cards the seat does not see (see `imagining`). With a number
of samples it is the same for the same random stream; with seconds it tries as much as there is time for.
"""

from __future__ import annotations

import time
from itertools import islice
from random import Random

from interpreter.greedy import GreedyBot, kinds_of
from interpreter.imagining import NOWHERE, followed, imagined, lead, many_are_good, profit
from interpreter.moves import DONE, Move
from interpreter.planner import PlannerBot
from interpreter.program import DRAW, FOLD, PASS, PUT, MoveProgram, Program
from interpreter.prospects import prospects
from interpreter.state import State
from interpreter.view import SeatView, view_of

SAMPLES = 12
"""Positions that are looked at before a move, if nothing else is said."""
CANDIDATES = 4
"""Moves that are tried in each."""
PUTS = 3
"""Cards that are thought of being thrown."""
TURNS = 2
"""Turns of each player that are played on before a position is judged by what the hands may become."""
MOVES = 12
"""Moves of each player in that time, at most."""
FIRST = 4
"""Positions after which moves that fall behind are given up."""
BEHIND = 1.0
"""How far behind the best a move may be, in standard errors of the difference; SURE: how far ahead of the usual move
another one must be."""
SURE = 1.3


class SearchBot(PlannerBot):
    """See the module. `samples` positions are looked at for each move, or as many as `seconds` allow."""

    def __init__(
        self, random: Random, thinks: bool = True, samples: int = SAMPLES, seconds: float | None = None
    ) -> None:
        super().__init__(random, thinks)
        self.samples = samples
        self.seconds = seconds

    def choose(self, view: SeatView) -> Move:
        """The move that does best on average."""
        usual = super().choose(view)
        if usual.move != DONE and (view.program.moves[usual.move].rearranges or view.program.moves[usual.move].calls):
            return usual
        moves = self._candidates(view, usual)
        return self._best(view, moves) if len(moves) > 1 else usual

    # -------------------------------------------------------- what is tried

    def _candidates(self, view: SeatView, usual: Move) -> list[Move]:
        """The usual move first, then others that may be better."""
        program = view.program
        found = [usual]
        for kind in view.legal_moves.kinds():
            if kind == DONE:
                found.append(Move(DONE))
            elif kind not in (program.undo, program.must):
                found += self._some(view, program.moves[kind])
        distinct = list(dict.fromkeys(found))
        return [move for move in distinct if move == usual or move in view.legal_moves][:CANDIDATES]

    def _some(self, view: SeatView, rule: MoveProgram) -> list[Move]:
        kinds = kinds_of(rule)
        if rule.rearranges or rule.calls:
            return []
        if kinds == {PUT} and len(rule.actions) == 1 and rule.actions[0].least == rule.actions[0].most == 1:
            worth = self.keeps(view)
            cards = sorted(worth, key=lambda card: (worth[card], card))
            return [Move(rule.index, ((card,),)) for card in cards[:PUTS]]
        if kinds <= {DRAW, PASS, FOLD} or not rule.lays:
            return list(islice(view.legal_moves.of(rule.index), 2))
        return []

    # -------------------------------------------------------- trying

    def _best(self, view: SeatView, moves: list[Move]) -> Move:
        """The move that does best; those that fall behind are not tried to the end."""
        player = GreedyBot(self.random, thinks=False)
        until = None if self.seconds is None else time.monotonic() + self.seconds
        results: dict[Move, list[float]] = {move: [] for move in moves}
        left = moves
        number = 0
        while len(left) > 1 and (number < self.samples if until is None else time.monotonic() < until):
            world = imagined(view, self.random)
            for move in left:
                results[move].append(_tried(view, world, move, player))
            number += 1
            if number >= FIRST:
                left = _still_good(left, results)
        best = max(left, key=lambda move: sum(results[move]) / max(1, len(results[move])))
        return best if _ahead(results[best], results[moves[0]]) else moves[0]


def _tried(view: SeatView, world: State, move: Move, player: GreedyBot) -> float:
    """What a move comes to in a world: played to the end of the round if that is near, else judged some turns later."""
    program = view.program
    last = view.turn_number + TURNS * program.players
    after = followed(program, world, move, player, MOVES, lambda state: state.turn_number > last)
    if after is None:
        return NOWHERE
    if len(after.results) > len(world.results):
        return profit(program, world, after, view.seat)
    gained = [now - before for now, before in zip(after.scores, world.scores, strict=True)]
    hands = [_hopes(program, after, seat) for seat in range(program.players)]
    by_side = [sum(hands[seat] for seat in seats) / len(seats) for seats in program.members]
    return many_are_good(program, world) * lead(program, gained, view.seat) + lead(program, by_side, view.seat)


def _hopes(program: Program, state: State, seat: int) -> float:
    """What a hand may become, in a world."""
    view = view_of(program, state, seat)
    return prospects(view).worth(view.hand)


def _ahead(one: list[float], other: list[float]) -> bool:
    """Whether results are better than others in the same positions by more than chance explains easily."""
    gaps = [a - b for a, b in zip(one, other, strict=False)]
    if len(gaps) < FIRST:
        return False
    mean, error = _mean_and_error(gaps)
    return mean > SURE * error


def _mean_and_error(gaps: list[float]) -> tuple[float, float]:
    """The mean of differences, and its standard error."""
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1)
    return mean, (spread / len(gaps)) ** 0.5


def _still_good(moves: list[Move], results: dict[Move, list[float]]) -> list[Move]:
    """The moves that are not clearly behind the best one in the same positions."""
    best = max(moves, key=lambda move: sum(results[move]))
    found = []
    for move in moves:
        mean, error = _mean_and_error([a - b for a, b in zip(results[best], results[move], strict=True)])
        if mean <= BEHIND * error or move == best:
            found.append(move)
    return found
