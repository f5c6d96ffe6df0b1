"""Many games of one program between computer players, and what came of them.

Every game has its own random streams, made from the seed, its index and their purpose. So a game is the same alone or
among a million, and a result is the same whatever the number of workers.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import NamedTuple

from interpreter.bots import BOTS
from interpreter.errors import MachineFault
from interpreter.figures import Spread, counted, spread, wilson
from interpreter.files import write_whole
from interpreter.game import Game
from interpreter.program import Program
from interpreter.record import record_of
from interpreter.version import VERSION

MOST_IN_A_RANGE = 20
"""Games handed to a worker at a time, at most: often enough to show progress, seldom enough to cost nothing."""
WAITING = 4
"""Ranges waiting for each worker, so that none is ever idle."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat did. `wins` is whole unless wins were shared; `ci95` is the Wilson interval of `win_share`."""

    wins: Fraction
    win_share: float
    ci95: tuple[float, float]
    mean_score: float
    """Final score of its side, over all games."""


class Defect(NamedTuple):
    """In how many games a defect of the sheet came up, and the index of the first of them."""

    games: int
    first: int


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What came of the games; everything but `seconds` follows from the sheet, the settings and the seed.

    A win shared by n sides counts as 1/n for every seat of each; partners win together. `draws` are games the sheet
    leaves without a winner.
    """

    sheet: str
    name: dict[str, str]
    sheet_hash: str
    version: str
    seed: int
    players: int
    options: dict[str, int | bool | str]
    stop_after: int
    """The round after which the table stopped each game; 0 where games end by their own rule."""
    bots: tuple[str, ...]
    games: int
    rounds: int
    seats: tuple[SeatResult, ...]
    draws: int
    ends: dict[str, int]
    """Ending to rounds that ended so, in the order of the sheet; those that never came count 0."""
    turns_per_round: Spread | None
    rounds_per_game: Spread | None
    capped: int
    """Games stopped by the engine's last-resort cap: a defect of the sheet."""
    defects: dict[str, Defect]
    """What the engine has to say about the sheet, and where it came up; most frequent first."""
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Speed over all workers, their start included."""
        return self.games / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Tally:
    """Counts over some games; tallies of different games add up, in any order."""

    games: int = 0
    draws: int = 0
    capped: int = 0
    wins: dict[int, Fraction] = field(default_factory=dict)
    scores: Counter[int] = field(default_factory=Counter)
    """Seat to the sum of its final scores."""
    ends: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    """Turns in a round to rounds; `rounds` likewise rounds in a game to games."""
    rounds: Counter[int] = field(default_factory=Counter)
    defects: dict[str, Defect] = field(default_factory=dict)

    def add(self, program: Program, game: Game) -> None:
        """Count one finished game."""
        outcome = game.outcome
        if outcome is None:
            raise MachineFault("a game was counted that is not over")
        self.games += 1
        self.capped += game.capped
        self.draws += outcome.draw
        sides = sorted({program.side_of(seat) for seat in outcome.winners})
        for side in sides:
            for seat in program.members[side]:
                self._win(seat, Fraction(1, len(sides)))
        for seat in range(program.players):
            self.scores[seat] += outcome.scores[program.side_of(seat)]
        for result in game.rounds:
            self.ends[result.ending] += 1
            self.turns[result.turns] += 1
        self.rounds[len(game.rounds)] += 1
        for text in set(game.defects):
            self._defect(text, Defect(1, game.index))

    def merge(self, other: Tally) -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.draws += other.draws
        self.capped += other.capped
        for seat, share in other.wins.items():
            self._win(seat, share)
        self.scores.update(other.scores)
        self.ends.update(other.ends)
        self.turns.update(other.turns)
        self.rounds.update(other.rounds)
        for text, defect in other.defects.items():
            self._defect(text, defect)

    def _defect(self, text: str, more: Defect) -> None:
        known = self.defects.get(text, Defect(0, more.first))
        self.defects[text] = Defect(known.games + more.games, min(known.first, more.first))

    def _win(self, seat: int, share: Fraction) -> None:
        self.wins[seat] = self.wins.get(seat, Fraction(0)) + share


@dataclass(frozen=True, slots=True)
class Plan:
    """What every worker has to know."""

    build: Callable[[], Program]
    """Makes the program; picklable, so that a worker process can call it."""
    bots: tuple[str, ...]
    """A name of BOTS for each seat."""
    seed: int
    records: Path | None
    """Folder for the record of each game."""


def simulate(
    build: Callable[[], Program],
    *,
    bots: tuple[str, ...],
    games: int,
    seed: int,
    first: int = 0,
    workers: int = 1,
    records: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> SimulationResult:
    """Play `games` games, those with the indices from `first`, and count.

    `build` makes the program and must be picklable for more than one worker. `bots` are names of BOTS, one a seat.
    `progress` is told the number of games finished so far. Raises MachineFault naming the game in which something of
    ours broke, and whatever `build` raises.
    """
    program = build()
    if len(bots) != program.players:
        raise ValueError(f"{counted(program.players, 'player')} need as many bots, not {len(bots)}")
    plan = Plan(build, bots, seed, records)
    started = time.perf_counter()
    tally = Tally()
    ranges = _ranges(first, games, workers)
    for part in _in_processes(plan, ranges, workers) if workers > 1 else _in_process(plan, program, ranges):
        tally.merge(part)
        progress(tally.games)
    return _result(program, plan, tally, time.perf_counter() - started)


def play_game(program: Program, bots: tuple[str, ...], seed: int, index: int) -> Game:
    """Play game `index` of a seed to its end."""
    game = Game(program, seed=seed, index=index)
    players = [BOTS[name](Random(f"{seed}/{index}/bot{seat}")) for seat, name in enumerate(bots)]
    while game.to_act is not None:
        seat = game.to_act
        game.play(players[seat].choose(game.view(seat)))
    return game


def _ranges(first: int, games: int, workers: int) -> Iterator[range]:
    """The indices in ranges, several for each worker so that none waits long for another."""
    size = max(1, min(MOST_IN_A_RANGE, games // (workers * 16)))
    for start in range(first, first + games, size):
        yield range(start, min(start + size, first + games))


def _play_range(program: Program, plan: Plan, indices: range, stopped: Callable[[], bool] = lambda: False) -> Tally:
    tally = Tally()
    for index in indices:
        if stopped():
            break
        try:
            game = play_game(program, plan.bots, plan.seed, index)
        except Exception as error:
            # A plain text goes safely from a worker process to the main one; many exceptions do not.
            raise MachineFault(f"game {index} of seed {plan.seed}: {type(error).__name__}: {error}") from error
        tally.add(program, game)
        if plan.records is not None:
            text = record_of(game, plan.bots).to_text()
            write_whole(plan.records / f"{program.sheet_id}-{plan.seed}-{index}.game", text)
    return tally


def _in_process(plan: Plan, program: Program, ranges: Iterator[range]) -> Iterator[Tally]:
    for indices in ranges:
        yield _play_range(program, plan, indices)


# ------------------------------------------------------------ worker processes


class _Worker:
    """What one worker process keeps between ranges; a pool passes it only by the module."""

    plan: Plan
    program: Program
    stop: Event


def _start_worker(plan: Plan, stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process tells workers when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Worker.plan = plan
    _Worker.program = plan.build()
    _Worker.stop = stop


def _end_with_parent() -> None:
    """A main process that was killed tells nobody, and its workers would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(indices: range) -> Tally:
    return _play_range(_Worker.program, _Worker.plan, indices, _Worker.stop.is_set)


def _in_processes(plan: Plan, ranges: Iterator[range], workers: int) -> Iterator[Tally]:
    # Spawned, not forked: a fork copies the threads' locks of whoever called, such as a progress display.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, context, _start_worker, (plan, stop))
    try:
        with _interrupts_held():
            waiting = {pool.submit(_work, indices) for indices in islice(ranges, WAITING * workers)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for part in done:
                waiting |= {pool.submit(_work, indices) for indices in islice(ranges, 1)}
                yield part.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C where the system can; processes started meanwhile never see it, and so print no traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ------------------------------------------------------------ summing up


def _result(program: Program, plan: Plan, tally: Tally, seconds: float) -> SimulationResult:
    ends = {ending.name: 0 for ending in program.endings}
    ends.update(tally.ends)
    return SimulationResult(
        sheet=program.sheet_id,
        name=program.name,
        sheet_hash=program.sheet_hash,
        version=VERSION,
        seed=plan.seed,
        players=program.players,
        options=program.options,
        stop_after=program.stop_after,
        bots=plan.bots,
        games=tally.games,
        rounds=sum(tally.turns.values()),
        seats=tuple(_seat(tally, seat) for seat in range(program.players)),
        draws=tally.draws,
        ends=ends,
        turns_per_round=spread(tally.turns),
        rounds_per_game=spread(tally.rounds),
        capped=tally.capped,
        defects=dict(sorted(tally.defects.items(), key=lambda item: (-item[1].games, item[0]))),
        seconds=seconds,
    )


def _seat(tally: Tally, seat: int) -> SeatResult:
    wins = tally.wins.get(seat, Fraction(0))
    return SeatResult(
        wins=wins,
        win_share=float(wins / tally.games),
        ci95=wilson(float(wins), tally.games),
        mean_score=tally.scores[seat] / tally.games,
    )
