"""Many games of one program between computer players, and what came of them.

Every game has its own random streams, made from the seed, its index and their purpose. So a game is the same alone or
among a million, and a result is the same whatever the number of workers.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from interpreter.errors import WorkerLost
from interpreter.figures import Spread, counted, spread, wilson
from interpreter.files import write_whole
from interpreter.game import Game
from interpreter.journal import Journal
from interpreter.measures import Estimate
from interpreter.moves import DONE
from interpreter.processes import Deadline, done, ranges
from interpreter.program import Program
from interpreter.record import record_of
from interpreter.tally import Defect, Fault, Tally
from interpreter.version import VERSION
from interpreter.watch import Facts, begun, play_on

Row = tuple[int, int, str, int, str, int, int, tuple[int, ...]]
"""A round: its game, its number, its ending, the ender's seat, the winning seats, its turns, whether it is void, and
what each side got. Seats count from 1."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat did. `wins` is whole unless wins were shared; `ci95` is the Wilson interval of `win_share`."""

    wins: Fraction
    win_share: float
    ci95: tuple[float, float]
    mean_score: float
    """Final score of its side, over all games."""


@dataclass(frozen=True, slots=True)
class MoveUse:
    """How a kind of move was used: times in all, rounds with at least one, and the mean turn number of it."""

    name: str
    times: int
    rounds: int
    turn: float


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
    turns: dict[int, int]
    """Turns to rounds that took so many."""
    turns_per_round: Spread | None
    rounds_per_game: Spread | None
    moves: tuple[MoveUse, ...]
    """Every move of the sheet in its order, also those never made."""
    kinds: dict[str, int]
    """Kind of meld to groups of it that were laid; those never laid count 0."""
    measures: dict[str, Estimate | None]
    """Means with their intervals, by the names of `interpreter.measures`."""
    capped: int
    """Games stopped by the engine's last-resort cap: a defect of the sheet."""
    defects: dict[str, Defect]
    """What the engine has to say about the sheet, and where it came up; most frequent first."""
    bounded: int
    """Decisions for which an answer was cut short by a bound of the engine, so that a play may have been missed."""
    broken: int
    """Games in which something of ours broke; they count nowhere else. `faults` are the first of them."""
    faults: tuple[Fault, ...]
    wanted: int
    """Games that were asked for; more than were played if somebody stopped the run."""
    seconds: float
    worker_lost: bool = False
    """Whether a worker process was ended from outside, and the run with it."""

    @property
    def games_per_second(self) -> float:
        """Speed over all workers, their start included."""
        return self.games / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Played:
    """What came of a range of games: counts, and their rounds if they were asked for."""

    tally: Tally
    rows: list[Row]


@dataclass(slots=True)
class SimulationJob:
    """The games of one program, for any process. `build` makes the program and must be picklable."""

    build: Callable[[], Program]
    bots: tuple[str, ...]
    """A name of BOTS for each seat."""
    seed: int
    records: Path | None = None
    """Folder for the record of each game; where the program has a question, only of those with a round for which it
    holds. A game that broke leaves there how far it came, and where it broke."""
    with_rows: bool = False
    deadline: Deadline | None = None
    """After it no game is begun."""
    program: Program | None = None

    def prepare(self) -> Program:
        """Make the program, unless it is there."""
        if self.program is None:
            self.program = self.build()
        return self.program

    def work(self, indices: range, stopped: Callable[[], bool]) -> Played:
        """Play the games of a range."""
        program = self.prepare()
        played = Played(Tally(), [])
        for index in indices:
            if stopped() or (self.deadline is not None and self.deadline.is_over()):
                break
            facts = begun(program, self.seed, index)
            try:
                play_on(facts, self.bots)
                played.tally.add(facts)
            except Exception as error:
                played.tally.add_fault(Fault(index, f"{type(error).__name__}: {error}"))
                self._record_fault(facts.game, error)
                continue
            if self.with_rows:
                played.rows += _rows(facts)
            self._record(facts.game)
        return played

    def _record(self, game: Game) -> None:
        wanted = game.program.question is None or any(result.asked for result in game.rounds)
        if self.records is not None and wanted:
            write_whole(self._file(game, "game"), record_of(game, self.bots).to_text())

    def _record_fault(self, game: Game, error: Exception) -> None:
        """Keep where it broke, and the game as far as it can still be written down."""
        if self.records is None:
            return
        write_whole(self._file(game, "fault"), "".join(traceback.format_exception(error)))
        with contextlib.suppress(Exception):  # what broke may break the record too
            write_whole(self._file(game, "game"), record_of(game, self.bots).to_text())

    def _file(self, game: Game, suffix: str) -> Path:
        assert self.records is not None
        return self.records / f"{game.program.sheet_id}-{self.seed}-{game.index}.{suffix}"


def _rows(facts: Facts) -> Iterator[Row]:
    for number, result in enumerate(facts.game.rounds, 1):
        winners = "+".join(str(seat + 1) for seat in result.winners)
        yield (
            facts.game.index,
            number,
            result.ending,
            result.ender + 1,
            winners,
            result.turns,
            int(result.void),
            result.scores,
        )


def simulate(
    job: SimulationJob,
    *,
    games: int,
    first: int = 0,
    workers: int = 1,
    journal: Journal | None = None,
    rows: Callable[[list[Row]], None] | None = None,
    elsewhere: Callable[[SimulationJob, Iterator[range]], Generator[tuple[range, Played], None, None]] | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> SimulationResult:
    """Play `games` games, those with the indices from `first`, and count. What is kept of them does not grow with their
    number.

    `journal` keeps what is finished, and what it holds already is not played again. `rows` is given the rounds in the
    order of the games. `elsewhere` plays the games instead of processes of this machine. `progress` is told the number
    of games finished so far. Ctrl-C ends the run, as does the end of a worker process, and the result is that of the
    games finished by then. Raises whatever the job's `build` raises.
    """
    program = job.prepare()
    if len(job.bots) != program.players:
        raise ValueError(f"{counted(program.players, 'player')} need as many bots, not {len(job.bots)}")
    job.with_rows = rows is not None
    started = time.perf_counter()
    tally = Tally()
    known: set[int] = set()
    if journal is not None:
        known = journal.known
        tally.merge(journal.before)

    def waiting() -> Iterator[range]:
        return (indices for indices in ranges(first, games) if indices.start not in known)

    passing_on = _in_order((indices.start for indices in waiting()), rows)
    unprepared = replace(job, program=None)  # what a program holds cannot go to another process
    if elsewhere is not None:
        running = elsewhere(unprepared, waiting())
    else:
        running = done(unprepared if workers > 1 else job, waiting(), workers)
    worker_lost = False
    try:
        with contextlib.suppress(KeyboardInterrupt), closing(running) as parts:
            for indices, played in parts:
                tally.merge(played.tally)
                if journal is not None and played.tally.games + played.tally.broken == len(indices):
                    journal.add(indices.start, played.tally)
                passing_on(indices.start, played.rows)
                progress(tally.games)
    except WorkerLost:
        worker_lost = True
    return replace(_result(program, job, tally, games, time.perf_counter() - started), worker_lost=worker_lost)


def _in_order(starts: Iterator[int], give: Callable[[list[Row]], None] | None) -> Callable[[int, list[Row]], None]:
    """A function that takes ranges of rounds as they are finished and gives them on in the order of `starts`."""
    held: dict[int, list[Row]] = {}
    wanted = next(starts, None)

    def take(start: int, rows: list[Row]) -> None:
        nonlocal wanted
        if give is None:
            return
        held[start] = rows
        while wanted is not None and wanted in held:
            give(held.pop(wanted))
            wanted = next(starts, None)

    return take


def play_game(program: Program, bots: tuple[str, ...], seed: int, index: int) -> Game:
    """Play game `index` of a seed to its end."""
    facts = begun(program, seed, index)
    play_on(facts, bots)
    return facts.game


# ------------------------------------------------------------ summing up


def _result(program: Program, job: SimulationJob, tally: Tally, wanted: int, seconds: float) -> SimulationResult:
    ends = {ending.name: 0 for ending in program.endings}
    ends.update(tally.ends)
    return SimulationResult(
        sheet=program.sheet_id,
        name=program.name,
        sheet_hash=program.sheet_hash,
        version=VERSION,
        seed=job.seed,
        players=program.players,
        options=program.options,
        stop_after=program.stop_after,
        bots=job.bots,
        games=tally.games,
        rounds=sum(tally.turns.values()),
        seats=tuple(_seat(tally, seat) for seat in range(program.players)),
        draws=tally.draws,
        ends=ends,
        turns=dict(sorted(tally.turns.items())),
        turns_per_round=spread(tally.turns),
        rounds_per_game=spread(tally.rounds),
        moves=tuple(_moves(program, tally)),
        kinds={name: tally.uses.kinds[kind] for kind, name in enumerate(program.kind_names)},
        measures={name: sums.estimate for name, sums in tally.measures.items()},
        capped=tally.capped,
        defects=dict(sorted(tally.defects.items(), key=lambda item: (-item[1].games, item[0]))),
        bounded=tally.bounded,
        broken=tally.broken,
        faults=tuple(tally.faults),
        wanted=wanted,
        seconds=seconds,
    )


def _moves(program: Program, tally: Tally) -> Iterator[MoveUse]:
    names = {move.index: move.name for move in program.moves} | {DONE: "done"}
    for index, name in names.items():
        times = tally.uses.moves[index]
        yield MoveUse(name, times, tally.uses.rounds_with[index], tally.uses.turns_of[index] / times if times else 0.0)


def _seat(tally: Tally, seat: int) -> SeatResult:
    wins = tally.wins.get(seat, Fraction(0))
    games = max(tally.games, 1)
    return SeatResult(wins, float(wins / games), wilson(float(wins), tally.games), tally.scores[seat] / games)
