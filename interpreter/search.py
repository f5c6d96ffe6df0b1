"""The computer player `search`: tries its best few moves in positions that may be the real one, and plays on from them.

Everything comes from the view: a world is dealt from the cards the seat does not see (see `imagining`). With a number
of samples it is the same for the same random stream; with seconds it tries as much as there is time for.
"""

from __future__ import annotations

import math
import time
from itertools import islice
from random import Random
from typing import Final

from interpreter.greedy import kinds_of
from interpreter.imagining import Draws, followed, imagined, never, profit, share_of
from interpreter.moves import DONE, Move
from interpreter.planner import PlannerBot
from interpreter.program import PUT, MoveProgram
from interpreter.state import State
from interpreter.view import SeatView

SAMPLES: Final = 128
"""Positions that are looked at before a move, at most, if nothing else is said."""
WORK: Final = 4000
"""Moves that are played on in them, at most, before no further position is begun."""
REBUILT: Final = 10
"""How many moves one counts for where the table may be rebuilt, which takes that much longer."""
RIVALS: Final = 6
"""Moves that are tried beside the usual one."""
PUTS: Final = 4
"""Cards that are thought of being thrown, the usual one among them."""
OTHERS: Final = 2
"""Moves of another kind that are thought of."""
MOVES: Final = 80
"""Moves of each player after which a round that is not over is judged by what is in the hands."""
FIRST: Final = 8
"""Positions after which rivals that are behind are given up, and again after twice as many."""
LATE: Final = 32
"""Positions after which rivals must be ahead by more than a little."""
SURE: Final = 2.0
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
        rivals = self.rivals(view, usual)
        return self._best(view, usual, rivals) if rivals else usual

    # -------------------------------------------------------- what is tried

    def rivals(self, view: SeatView, usual: Move) -> list[Move]:
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
        if rule.rearranges:
            return []
        if kinds_of(rule) == {PUT} and len(rule.actions) == 1 and rule.actions[0].least == rule.actions[0].most == 1:
            worth = self.keeps(view)
            cards = sorted(worth, key=lambda card: (worth[card], card))
            return [Move(rule.index, ((card,),)) for card in cards[: 1 if rule.calls else PUTS]]
        return list(islice(view.legal_moves.of(rule.index), OTHERS))

    # -------------------------------------------------------- trying

    def _best(self, view: SeatView, usual: Move, rivals: list[Move]) -> Move:
        """The usual move, or the rival that is clearly ahead of it, in as many positions as there is time for.

        Each position is the same for all moves that are still tried. After some, rivals that are not ahead are given up
        and the worse half of the others, and again after twice as many (Z. Karnin, T. Koren, O. Somekh, Almost Optimal
        Exploration in Multi-Armed Bandits, 2013).
        """
        until = None if self.seconds is None else time.monotonic() + self.seconds
        tried = Tried(view)
        left = rivals
        halving = FIRST
        while left and (
            (tried.number < self.samples and tried.work < WORK) if until is None else time.monotonic() < until
        ):
            left = tried.once_more(usual, left, self.random)
            if tried.number == halving:
                left = better_half(left, {move: tried.gaps(move) for move in left})
                halving *= 2
        best = max(left, key=lambda move: sum(tried.gaps(move)), default=usual)
        return best if best != usual and clear(tried.gaps(best)) else usual


class Tried:
    """What some moves came to in the same worlds, compared with the usual one."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.number = 0
        """Worlds so far; and, in `work`, the moves played on in them, each as long as it takes."""
        self.work = 0
        self._weight = REBUILT if any(rule.rearranges for rule in view.program.moves) else 1
        self._usual: list[tuple[float, float]] = []
        self._gaps: dict[Move, list[tuple[float, float]]] = {}

    def once_more(self, usual: Move, rivals: list[Move], random: Random) -> list[Move]:
        """Try the moves in one more world; the rivals that can be made in it."""
        world = imagined(self.view, random)
        luck = random.getrandbits(32)
        base = self._outcome(world, usual, luck)
        self.number += 1
        if base is None:
            return rivals
        self._usual.append(base)
        made = []
        for move in rivals:
            found = self._outcome(world, move, luck)
            if found is not None:
                self._gaps.setdefault(move, []).append((found[0] - base[0], found[1] - base[1]))
                made.append(move)
        return made

    def gaps(self, move: Move) -> list[float]:
        """How far a rival was ahead of the usual move in each world: in what the round brought, as a share of what it
        usually brings somebody, and in winning it, which counts as much."""
        scale = sum(abs(points) for points, _ in self._usual) / max(1, len(self._usual)) or 1.0
        return [points / scale + 2 * won for points, won in self._gaps.get(move, [])]

    def _outcome(self, world: State, move: Move, luck: int) -> tuple[float, float] | None:
        """What a move comes to in a world, where everybody plays on as `planner` does: what the seat has from the
        round, and its share in winning it. None where the move cannot be made there."""
        view, program = self.view, self.view.program
        draws = Draws(view, world)
        after = followed(program, world, move, PlannerBot(Random(luck)), MOVES, never, draws)
        if after is None:
            return None
        self.work += draws.moves * self._weight
        won = 1 / program.sides
        if len(after.results) > len(world.results):
            result = after.results[len(world.results)]
            if result.winners and not result.void:
                won = share_of(program, result.winners, program.side_of(view.seat))
        return profit(program, world, after, view.seat), won


def ahead_by(gaps: list[float]) -> float:
    """The mean of some differences in standard errors of it; nought where there are none."""
    if not gaps:
        return 0.0
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1)
    if not spread:
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / math.sqrt(spread / len(gaps))


def clear(gaps: list[float]) -> bool:
    """Whether differences are above nought by more than chance explains easily."""
    return len(gaps) >= FIRST and ahead_by(gaps) > SURE


def better_half(moves: list[Move], gaps: dict[Move, list[float]]) -> list[Move]:
    """Of moves tried in the same positions those that are ahead, at most the better half."""
    least = {move: 0.5 if len(gaps[move]) >= LATE else 0.0 for move in moves}
    ahead = sorted((move for move in moves if ahead_by(gaps[move]) > least[move]), key=lambda m: -sum(gaps[m]))
    return ahead[: (len(moves) + 1) // 2]
