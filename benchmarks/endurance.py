"""Many rounds of every bundled sheet, each option value at the smallest and largest table, every invariant looked at.

`python -m benchmarks.endurance [--rounds N] [--workers N] [--out FILE] [--tables] [--even WHAT] [SHEET…]` plays about N
rounds (default 10000), as evenly spread over the tables as whole games allow; with `--tables` tables of every size.
With `--even time` each table gets the same time of the processor instead, so that quick games give most rounds, and
with `--even speed` the more time the quicker it is, so that they come soon; but each table gets a batch of games.

Looked at is, after every move: every card lies in one place, every group is valid, no score changes but by a rule; of
every game: there is no dead end, no last resort, no answer cut short, and scores are what the rounds add up to. In one
game of ten (`THOROUGH`), half of them played by `random`, it is also looked at whether a legal move exists whenever
somebody is to act, whether duties are met when a turn ends, whether a view (at one decision of eight) changes when
cards that the seat cannot see are swapped, and whether the record replays to the same position. All other games are
played by `greedy`.

With `--out` each batch of games is kept as a line of JSON, and the same command goes on where a run was ended; the
first line says what is played. The last line printed gives the totals; the exit code is 1 if anything went wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import IO, Any

from interpreter import compiler  # before the bots: compiled, it must be
from interpreter.attempting import own_duties
from interpreter.bots import BOTS
from interpreter.errors import WorkerLost
from interpreter.game import Game
from interpreter.legality import judge
from interpreter.moves import DONE, Move
from interpreter.pack import bits
from interpreter.processes import done
from interpreter.program import ADD, SET, Action, Program
from interpreter.record import read, record_of, replay
from interpreter.state import State
from interpreter.version import VERSION
from interpreter.view import SeatView, view_of
from interpreter.walking import ways
from rulespec.loader import bundled, check_file
from rulespec.model import Rulesheet

BATCH = 10
"""Games to a line of the file."""
THOROUGH = 10
"""One game in so many is looked at thoroughly; every second of them is played by `random`."""
LOOKED_AT = 8
"""In such a game the view is looked at at one decision in so many."""
SEED = 1
"""Of every game; a record holds a number."""
SAID = 20
"""Faults that are kept of a batch."""

Options = dict[str, int | bool | str]


@dataclass(frozen=True)
class Table:
    """A sheet, how many play, and options that are not the default."""

    sheet: str
    players: int
    options: Options

    @property
    def name(self) -> str:
        """As a person writes it."""
        return f"{self.sheet} {self.players} {self.options or 'default'}"

    @property
    def first(self) -> int:
        """The number of its first game: other tables play other deals."""
        return zlib.crc32(self.name.encode()) % 1000 * 1_000_000


@dataclass
class Found:
    """What came of a batch of games."""

    table: int
    batch: int
    games: int = 0
    rounds: int = 0
    moves: int = 0
    thorough: int = 0
    views: int = 0
    cut: int = 0
    """Decisions for which an answer was cut short."""
    seconds: float = 0.0
    """Of the processor."""
    wrong: int = 0
    faults: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)

    def fault(self, game: Game | int, text: str) -> None:
        """Keep what went wrong."""
        index = game if isinstance(game, int) else game.index
        self.wrong += 1
        if len(self.faults) < SAID:
            self.faults.append(f"game {index}: {text}")


# ------------------------------------------------------------ one game


def books(actions: tuple[Action, ...]) -> bool:
    """Whether a chain of actions writes scores."""
    return any(action.kind in (ADD, SET) and action.pile < 0 for action in actions)


def check_position(found: Found, game: Game) -> None:
    """Every card lies in one place, and every group is valid."""
    state = game.state
    if state.card_count() != game.program.pack.size:
        found.fault(game, "a card is lost")
    if not all(state.rules.melds.fits(group.meld) for group in state.groups):
        found.fault(game, "a group is not valid")


def check_scores(found: Found, game: Game, before: State, move: Move) -> None:
    """Scores change by what the rounds give, and by moves that write them."""
    after, program = game.state, game.program
    ended = after.results[len(before.results) :]
    if after.scores == before.scores and not ended:
        return
    actions = program.moves[move.move].actions if move.move != DONE else ()
    automatic = any(books(rule.actions) for rule in program.automatic)
    if not ended:
        if not books(actions) and not automatic:
            found.fault(game, "a score has changed in a round")
        return
    by_ending = any(books(ending.does) for ending in program.endings if ending.name in {r.ending for r in ended})
    if by_ending or automatic or (after.outcome is not None and program.bonus):
        return
    env = judge(program, before, move)
    scores = (env.state if env is not None else before).scores
    due = tuple([score + sum(result.scores[side] for result in ended) for side, score in enumerate(scores)])
    if due != after.scores:
        found.fault(game, f"scores are {after.scores}, and the rounds add up to {due}")


def check_duties(found: Found, game: Game, before: State, move: Move) -> None:
    """No duty of the mover is open when his turn or window ends."""
    after, program = game.state, game.program
    same = (before.round, before.turn_number, len(before.results)) == (
        after.round,
        after.turn_number,
        len(after.results),
    )
    if same and len(after.frames) >= len(before.frames):
        return
    if move.move == DONE:
        if not ways(program, before, before.frame).windows and own_duties(before):
            found.fault(game, "a turn was ended while a duty was open")
        return
    env = judge(program, before, move)
    if env is not None and not env.state.folded >> env.you & 1 and own_duties(env.state):
        found.fault(game, f"{program.moves[move.move].name} ended a turn while a duty was open")


def swapped(state: State, one: int, two: int) -> State:
    """The position with two cards in each other's places, whatever is known or said of them."""
    turn, other = {one: two, two: one}, state.copy()

    def turned(mask: int) -> int:
        return sum(1 << turn.get(card, card) for card in bits(mask))

    other.piles = [tuple(turn.get(card, card) for card in pile) for pile in state.piles]
    other.hands = [turned(hand) for hand in state.hands]
    other.face_down, other.shown = turned(state.face_down), turned(state.shown)
    other.named = tuple(turned(mask) for mask in state.named)
    other.duties = tuple(duty._replace(named=tuple(turned(mask) for mask in duty.named)) for duty in state.duties)
    return other


def hidden_from(view: SeatView) -> list[int]:
    """The cards that a view shows nowhere."""
    seen = {c for pile in view.piles for c in pile if c >= 0} | {c for g in view.groups for c in g.meld.cards}
    seen |= {c for mask in view.known for c in bits(mask)}
    return sorted(set(range(view.program.pack.size)) - seen)


def check_sight(found: Found, game: Game, random: Random) -> None:
    """A view says the same when two cards that the seat cannot see are swapped."""
    seat, state = game.state.to_act, game.state
    view = game.view(seat)
    hidden = hidden_from(view)
    if len(hidden) < 2:
        return
    other = swapped(state, *random.sample(hidden, 2))
    found.views += 1
    if view_of(game.program, other, seat).key() != view.key():
        found.fault(game, f"seat {seat + 1} sees a difference between cards it cannot see")


def check_end(found: Found, game: Game) -> None:
    """The game came to an end of its own, and the scores are those of its outcome."""
    if game.capped:
        found.fault(game, "the last resort had to stop the game")
    for defect in game.defects:
        found.fault(game, defect)
    if game.outcome is None or game.state.scores != game.outcome.scores:
        found.fault(game, "the outcome has other scores")


def check_record(found: Found, game: Game, bots: tuple[str, ...]) -> None:
    """The record of a game leads to the same position."""
    again = replay(read(record_of(game, bots).to_text()), game.program)
    if again.state.key() != game.state.key() or again.rounds != game.rounds:
        found.fault(game, "the record replays to another position")


def play(program: Program, index: int, found: Found) -> None:
    """A whole game, looked at."""
    thorough, name = index % THOROUGH == 0, "random" if index % (2 * THOROUGH) == 0 else "greedy"
    game, random = Game(program, SEED, index), Random(f"endurance/{index}/looked at")
    bots = [BOTS[name](Random(f"endurance/{index}/{seat}")) for seat in range(program.players)]
    while game.to_act is not None:
        if thorough:
            if next(iter(islice(game.legal_moves, 1)), None) is None:
                found.fault(game, "no move is legal")
            if random.random() * LOOKED_AT < 1:
                check_sight(found, game, random)
        before, move = game.state, bots[game.to_act].choose(game.view(game.to_act))
        game.play(move)
        found.moves += 1
        check_position(found, game)
        check_scores(found, game, before, move)
        if thorough:
            check_duties(found, game, before, move)
    check_end(found, game)
    if thorough:
        check_record(found, game, (name,) * program.players)
    found.games += 1
    found.thorough += thorough
    found.rounds += len(game.rounds)
    found.cut += game.bounded
    found.ends.update(result.ending for result in game.rounds)


# ------------------------------------------------------------ many games


@dataclass
class EnduranceJob:
    """Batches of games of many tables, for any process: number n is batch n // tables of table n % tables."""

    tables: list[Table]
    programs: dict[int, Program] = field(default_factory=dict)
    sheets: dict[str, Rulesheet] = field(default_factory=dict)

    def prepare(self) -> None:
        """Programs are made when they are needed first."""

    def program(self, table: int) -> Program:
        """The program of a table."""
        if table not in self.programs:
            wanted = self.tables[table]
            if wanted.sheet not in self.sheets:
                sheet = check_file(wanted.sheet).sheet
                assert sheet is not None
                self.sheets[wanted.sheet] = sheet
            self.programs[table] = compiler.compile_sheet(self.sheets[wanted.sheet], wanted.players, wanted.options)
        return self.programs[table]

    def work(self, indices: range, stopped: Callable[[], bool]) -> Found | None:
        """Play one batch; None if it was not finished."""
        batch, table = divmod(indices.start, len(self.tables))
        found = Found(table, batch)
        program = self.program(table)
        started = time.process_time()
        first = self.tables[table].first + batch * BATCH
        for index in range(first, first + BATCH):
            if stopped():
                return None
            try:
                play(program, index, found)
            except Exception as error:  # kept with its game; the others go on
                found.fault(index, f"{type(error).__name__}: {error}")
        found.seconds = round(time.process_time() - started, 3)
        return found


class Spread:
    """Which batch is played next: one of the table with the fewest rounds so far, counting those being played.

    By time it is one of the table that has taken the least of it, by speed the least for the rounds it plays a second.
    """

    def __init__(self, tables: int, rounds: int, even: str) -> None:
        self.wanted = rounds
        self.even = even
        self.rounds = [0] * tables
        self.seconds = [0.0] * tables
        self.finished: list[set[int]] = [set() for _ in range(tables)]
        self.begun: list[set[int]] = [set() for _ in range(tables)]

    def add(self, found: Found) -> None:
        """Count a batch."""
        self.rounds[found.table] += found.rounds
        self.seconds[found.table] += found.seconds
        self.finished[found.table].add(found.batch)

    def expected(self, table: int, so_far: float, least: float) -> float:
        """What a table comes to when everything begun is finished, a batch being at least so much."""
        finished = len(self.finished[table])
        each = max(so_far / finished, least) if finished else BATCH * least
        return so_far + each * len(self.begun[table] - self.finished[table])

    def expected_rounds(self, table: int) -> float:
        return self.expected(table, self.rounds[table], 1)

    def spent(self, table: int) -> float:
        """What is to be even."""
        if self.even == "rounds":
            return self.expected_rounds(table)
        seconds = self.expected(table, self.seconds[table], 0.01)
        speed = self.expected_rounds(table) / seconds if self.even == "speed" and seconds else 1.0
        return seconds / speed

    def __iter__(self) -> Iterator[range]:
        tables = range(len(self.rounds))
        while sum(map(self.expected_rounds, tables)) < self.wanted:
            table = min(tables, key=self.spent)
            taken = self.finished[table] | self.begun[table]
            batch = next(number for number in range(len(taken) + 1) if number not in taken)
            self.begun[table].add(batch)
            number = batch * len(self.rounds) + table
            yield range(number, number + 1)


class Lines:
    """The file of finished batches, one a line behind a head; without a path nothing is kept."""

    def __init__(self, path: Path | None, head: dict[str, Any]) -> None:
        self.known: list[Found] = []
        self.file: IO[bytes] | None = None
        if path is None:
            return
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = [line for line in lines if line.endswith(b"\n")]  # the last one may be cut off
        if whole and json.loads(whole[0]) != head:
            raise SystemExit(f"{path} is of another run: {whole[0].decode().strip()}")
        for line in whole[1:]:
            entry = json.loads(line)
            self.known.append(Found(**{**entry, "ends": Counter(entry["ends"])}))
        self.file = path.open("r+b" if lines else "wb")
        self.file.truncate(sum(map(len, whole)))
        self.file.seek(0, os.SEEK_END)
        if not whole:
            self.write(head)

    def add(self, found: Found) -> None:
        """Keep a batch."""
        self.write(vars(found))

    def write(self, entry: dict[str, Any]) -> None:
        if self.file is not None:
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()


def tables_of(sheet: Rulesheet, every: bool) -> Iterator[Table]:
    """The default options, then each other value of each option on its own, at `every` table or the outermost two."""
    low, high = sheet.players.low, sheet.players.high
    others = [{option.name: value} for option in sheet.options for value in option.values[1:]]
    for players in range(low, high + 1) if every else sorted({low, high}):
        for options in [{}, *others]:
            yield Table(sheet.id, players, options)


def run(tables: list[Table], rounds: int, even: str, workers: int, out: Path | None) -> list[Found]:
    """Play until there are so many rounds, and say how it goes every minute; everything found, earlier runs too."""
    names = [[table.sheet, table.players, table.options] for table in tables]
    lines = Lines(out, {"endurance": 1, "version": VERSION, "tables": names})
    spread, everything = Spread(len(tables), rounds, even), list(lines.known)
    for known in everything:
        spread.add(known)
    started = said = time.monotonic()
    played = 0
    with (
        contextlib.suppress(KeyboardInterrupt),
        contextlib.closing(done(EnduranceJob(tables), spread, workers)) as parts,
    ):
        for _, found in parts:
            if found is None:
                continue
            spread.add(found)
            lines.add(found)
            everything.append(found)
            played += found.rounds
            for fault in found.faults:
                print(f"{tables[found.table].name}: {fault}", flush=True)
            if time.monotonic() > said + 60:
                said = time.monotonic()
                speed = played / (said - started)
                print(f"{sum(spread.rounds)} rounds of {rounds}, {speed:.1f} rounds/s", file=sys.stderr, flush=True)
    print(f"{played} rounds played now, {played / (time.monotonic() - started):.1f} rounds/s", flush=True)
    return everything


def report(tables: list[Table], everything: list[Found]) -> int:
    """A line for each table and one with the totals; 1 if anything went wrong."""
    for number, table in enumerate(tables):
        mine = [found for found in everything if found.table == number]
        ends = sum((found.ends for found in mine), Counter[str]())
        said = ", ".join(f"{name} {count}" for name, count in ends.most_common())
        wrong, cut = sum(found.wrong for found in mine), sum(found.cut for found in mine)
        print(f"{table.name}: {sum(found.games for found in mine)} games, {said}; {wrong} wrong, {cut} cut short")

    def total(name: str) -> int:
        return sum(getattr(found, name) for found in everything)

    print(
        f"total: {total('rounds')} rounds, {total('games')} games, {total('moves')} moves of {len(tables)} tables; "
        f"{total('thorough')} games looked at thoroughly, {total('views')} views; "
        f"{total('wrong')} wrong, {total('cut')} decisions cut short"
    )
    return 1 if total("wrong") else 0


def main() -> int:
    """Play what the command line says."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.endurance")
    words.add_argument("--rounds", type=int, default=10_000)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--out", type=Path)
    words.add_argument("--tables", action="store_true")
    words.add_argument("--even", choices=("rounds", "time", "speed"), default="rounds")
    words.add_argument("sheets", nargs="*")
    given = words.parse_args()
    sheets = [sheet for name in given.sheets or bundled() if (sheet := check_file(name).sheet) is not None]
    tables = [table for sheet in sheets for table in tables_of(sheet, given.tables)]
    try:
        everything = run(tables, given.rounds, given.even, given.workers, given.out)
    except WorkerLost as error:
        print(f"error: {error}; the same command goes on", file=sys.stderr)
        return 2
    return report(tables, everything)


if __name__ == "__main__":
    sys.exit(main())
