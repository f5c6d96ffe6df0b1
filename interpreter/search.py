"""The computer player `search`: tries its best few moves in positions that may be the real one, and plays on from them.

Everything comes from the view: a world is dealt from the cards the seat does not see (see `imagining`). With a number
of samples it is the same for the same random stream; with seconds it tries as much as there is time for.
"""

from __future__ import annotations

import math
import time
from itertools import islice
from random import Random

from interpreter.greedy import GreedyBot, kinds_of
from interpreter.imagining import NOWHERE, followed, imagined, lead, many_are_good, profit
from interpreter.moves import DONE, Move
from interpreter.planner import PlannerBot
from interpreter.program import PUT, MoveProgram, Program
from interpreter.prospects import prospects
from interpreter.state import State
from interpreter.view import SeatView, view_of

SAMPLES = 64
"""Positions that are looked at before a move, at most, if nothing else is said."""
RIVALS = 3
"""Moves that are tried beside the usual one."""
PUTS = 2
"""Cards that are thought of being thrown."""
TURNS = 8
"""Turns of each player that are played on before a position is judged by what the hands may become."""
MOVES = 40
"""Moves of each player in that time, at most."""
FIRST = 8
"""Positions after which rivals that are behind are given up, and again after twice as many."""
SURE = 1.5
"""How far ahead of the usual move another one must be, in standard errors of the difference."""


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
        if usual.move != DONE and _settles(view.program.moves[usual.move]):
            return usual
        rivals = self._rivals(view, usual)
        return self._best(view, usual, rivals) if rivals else usual

    # -------------------------------------------------------- what is tried

    def _rivals(self, view: SeatView, usual: Move) -> list[Move]:
        """Moves that may be better than the usual one."""
        program = view.program
        found: list[Move] = []
        for kind in view.legal_moves.kinds():
            if kind == DONE:
                found.append(Move(DONE))
            elif kind not in (program.undo, program.must):
                found += self._some(view, program.moves[kind])
        rivals = (move for move in dict.fromkeys(found) if move != usual and move in view.legal_moves)
        return list(islice(rivals, RIVALS))

    def _some(self, view: SeatView, rule: MoveProgram) -> list[Move]:
        kinds = kinds_of(rule)
        if _settles(rule):
            return []
        if kinds == {PUT} and len(rule.actions) == 1 and rule.actions[0].least == rule.actions[0].most == 1:
            worth = self.keeps(view)
            cards = sorted(worth, key=lambda card: (worth[card], card))
            return [Move(rule.index, ((card,),)) for card in cards[:PUTS]]
        return list(islice(view.legal_moves.of(rule.index), 2))

    # -------------------------------------------------------- trying

    def _best(self, view: SeatView, usual: Move, rivals: list[Move]) -> Move:
        """The usual move, or the rival that is clearly ahead of it, in as many positions as there is time for.

        Each position is the same for all moves that are still tried. After some, rivals that are not ahead are given up
        and the worse half of the others, and again after twice as many (Z. Karnin, T. Koren, O. Somekh, Almost Optimal
        Exploration in Multi-Armed Bandits, 2013).
        """
        player = GreedyBot(self.random, thinks=False)
        until = None if self.seconds is None else time.monotonic() + self.seconds
        gaps: dict[Move, list[float]] = {move: [] for move in rivals}
        left = rivals
        number = 0
        halving = FIRST
        while left and (number < self.samples if until is None else time.monotonic() < until):
            world = imagined(view, self.random)
            base = _tried(view, world, usual, player)
            for move in left:
                gaps[move].append(_tried(view, world, move, player) - base)
            number += 1
            if number == halving:
                left = better_half(left, gaps)
                halving *= 2
        best = max(left, key=lambda move: sum(gaps[move]), default=usual)
        return best if best != usual and clear(gaps[best]) else usual


def _settles(rule: MoveProgram) -> bool:
    """Whether a move lays cards or calls the round. It is not weighed: the quick player lays at its next turn what it
    could have laid before, so that putting it off always seems to cost little."""
    return rule.lays or rule.rearranges or rule.calls


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


def clear(gaps: list[float]) -> bool:
    """Whether differences are above nought by more than chance explains easily."""
    if len(gaps) < FIRST:
        return False
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
    return mean > SURE * math.sqrt(spread / len(gaps))


def better_half(moves: list[Move], gaps: dict[Move, list[float]]) -> list[Move]:
    """Of moves tried in the same positions those that are ahead, at most the better half."""
    ahead = sorted((move for move in moves if sum(gaps[move]) > 0), key=lambda move: -sum(gaps[move]))
    return ahead[: (len(moves) + 1) // 2]
