"""Simulations: the same games however they are divided, and sums that are right."""

from __future__ import annotations

import functools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from interpreter import report
from interpreter.bots import BOTS
from interpreter.compiler.rule_text import places
from interpreter.compiler.source import program_from
from interpreter.errors import RecordError
from interpreter.figures import Spread
from interpreter.game import Game
from interpreter.journal import Journal
from interpreter.measures import Estimate
from interpreter.moves import Move
from interpreter.processes import Deadline
from interpreter.program import Code, Program
from interpreter.simulation import MoveUse, Row, SeatResult, SimulationJob, SimulationResult, play_game, simulate
from interpreter.state import Outcome, RoundResult
from interpreter.tally import Defect, Tally
from interpreter.view import SeatView
from interpreter.watch import Facts
from rulespec.loader import load

BOTH = ("greedy", "random")


@pytest.fixture(scope="module")
def build(quick: Path) -> functools.partial[Program]:
    return functools.partial(program_from, str(quick), 2, {})


def without_speed(result: SimulationResult) -> dict[str, object]:
    data = report.to_json(result)
    del data["seconds"], data["games_per_second"]
    return data


# ------------------------------------------------------------ the same games


def test_workers_change_nothing(build: functools.partial[Program]) -> None:
    alone, together = (simulate(SimulationJob(build, BOTH, 3), games=33, workers=workers) for workers in (1, 2))

    assert without_speed(alone) == without_speed(together)
    assert alone.games == 33


def test_a_game_is_the_same_alone_and_among_others(build: functools.partial[Program], tmp_path: Path) -> None:
    simulate(SimulationJob(build, BOTH, 3, tmp_path), games=9)
    among = (tmp_path / "quick-3-7.game").read_text(encoding="utf-8")
    simulate(SimulationJob(build, BOTH, 3, tmp_path / ".."), games=1, first=7)
    alone = (tmp_path / ".." / "quick-3-7.game").read_text(encoding="utf-8")

    assert alone == among
    assert "game: 7\n" in alone


def test_games_of_one_seed_differ(build: functools.partial[Program]) -> None:
    program = build()
    deals = {play_game(program, BOTH, 3, index).shuffles[0] for index in range(8)}

    assert len(deals) == 8


def test_progress_counts_every_game(build: functools.partial[Program]) -> None:
    told: list[int] = []
    simulate(SimulationJob(build, BOTH, 3), games=20, progress=told.append)

    assert told == sorted(set(told))
    assert told[-1] == 20


def test_every_seat_needs_a_bot(build: functools.partial[Program]) -> None:
    with pytest.raises(ValueError, match="2 players need as many bots, not 3"):
        simulate(SimulationJob(build, ("greedy",) * 3, 1), games=1)


class Cheat:
    """A bot that breaks."""

    def __init__(self, random: object) -> None:
        pass

    def choose(self, view: SeatView) -> Move:  # noqa: ARG002
        raise KeyError("no plan")


def test_a_fault_is_kept_with_its_game_and_the_others_go_on(
    build: functools.partial[Program], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Seldom(Cheat):
        def choose(self, view: SeatView) -> Move:
            return super().choose(view) if view.turn_number > 12 else next(iter(view.legal_moves))

    monkeypatch.setitem(BOTS, "cheat", Seldom)
    result = simulate(SimulationJob(build, ("cheat", "cheat"), 2, tmp_path), games=12, first=5)

    assert result.games + result.broken == 12
    assert result.games
    assert [fault.text for fault in result.faults] == ["KeyError: 'no plan'"] * result.broken
    for fault in result.faults:
        assert f"game: {fault.game}\n" in (tmp_path / f"quick-2-{fault.game}.game").read_text(encoding="utf-8")
        assert "no plan" in (tmp_path / f"quick-2-{fault.game}.fault").read_text(encoding="utf-8")
    assert f"FAULT: {result.broken} games broke" in report.to_text(result)


def broken_build(build: functools.partial[Program]) -> Program:
    """A program that breaks in every game; at the top of the module, so that a worker can be told of it."""
    program = build()
    program.next = cast(Code, None)
    return program


def test_a_fault_in_a_worker_is_kept(build: functools.partial[Program]) -> None:
    result = simulate(SimulationJob(functools.partial(broken_build, build), BOTH, 2), games=14, workers=2)

    assert (result.games, result.broken) == (0, 14)
    assert [fault.game for fault in result.faults] == list(range(14))
    assert "0 games of 14" not in report.to_text(result)


# ------------------------------------------------------------ going on


ABOUT: dict[str, object] = {"sheet": "quick"}


def test_a_run_that_was_killed_goes_on_without_losing_a_game(build: functools.partial[Program], tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(done: int) -> None:
        if done >= 20:
            raise Killed

    path = tmp_path / "run.journal"
    first = Journal(path, ABOUT, resume=False)
    with pytest.raises(Killed):
        simulate(SimulationJob(build, BOTH, 3), games=45, journal=first, progress=kill)
    first.close()
    with path.open("ab") as file:
        file.write(b'{"start": 20, "ta')  # the machine went down while this was written

    played: list[int] = []
    second = Journal(path, ABOUT, resume=True)
    resumed = simulate(SimulationJob(build, BOTH, 3), games=45, journal=second, progress=played.append)
    second.finish()

    assert sorted(second.known) == [0, 10]
    assert played[0] == 30
    assert without_speed(resumed) == without_speed(simulate(SimulationJob(build, BOTH, 3), games=45))
    assert not path.exists()


def test_the_ranges_of_a_long_run_are_not_made_beforehand(build: functools.partial[Program], tmp_path: Path) -> None:
    """A list of them grew with the number of games; of so many it would be in no memory."""

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    journal = Journal(tmp_path / "run.journal", ABOUT, resume=False)
    rows: list[Row] = []
    job = SimulationJob(build, BOTH, 3)
    result = simulate(job, games=10**15, journal=journal, rows=rows.extend, progress=stop)
    journal.close()

    assert (result.games, result.wanted) == (10, 10**15)


def test_what_a_journal_holds_is_added_up_as_it_is_read(build: functools.partial[Program], tmp_path: Path) -> None:
    """Counts of each range were kept apart until the run went on: some kilobytes for ten games."""
    path = tmp_path / "run.journal"
    journal = Journal(path, ABOUT, resume=False)
    whole = simulate(SimulationJob(build, BOTH, 3), games=40, journal=journal)
    journal.close()
    again = Journal(path, ABOUT, resume=True)
    again.close()

    assert again.known == {0, 10, 20, 30}
    assert (again.before.games, sum(again.before.turns.values())) == (40, whole.rounds)


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    Journal(path, ABOUT, resume=False).close()

    with pytest.raises(RecordError, match="another run was begun there"):
        Journal(path, {"sheet": "slow"}, resume=True)
    with pytest.raises(FileExistsError):
        Journal(path, ABOUT, resume=False)


NOTHING = {"games": [0] * 5, "wins": {}, "ends": {}, "counters": [], "defects": {}, "measures": {}, "faults": []}


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"start": 0}',
        '{"start": 0, "tally": {"games": [1, 2]}}',
        json.dumps({"start": 0, "tally": {**NOTHING, "wins": []}}),
        json.dumps({"start": 0, "tally": {**NOTHING, "wins": {"0": "1/0"}}}),
        '{"start": Infinity}',
        "[" * 100_000,
    ],
    ids=["cut off", "list", "no tally", "short", "list of wins", "no number", "endless", "deep"],
)
def test_a_damaged_journal_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run.journal"
    Journal(path, ABOUT, resume=False).close()
    with path.open("a") as file:
        file.write(line + "\n")

    with pytest.raises(RecordError, match="line 2 is damaged"):
        Journal(path, ABOUT, resume=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_rounds_are_given_on_in_the_order_of_the_games(build: functools.partial[Program], workers: int) -> None:
    rows: list[Row] = []
    result = simulate(SimulationJob(build, BOTH, 3), games=33, workers=workers, rows=rows.extend)

    assert [row[:2] for row in rows] == sorted(row[:2] for row in rows)
    assert len(rows) == result.rounds
    assert Counter(row[2] for row in rows) == Counter({name: count for name, count in result.ends.items() if count})


def test_no_game_is_begun_after_the_time_is_up(build: functools.partial[Program]) -> None:
    result = simulate(SimulationJob(build, BOTH, 3, deadline=Deadline(0)), games=33)

    assert (result.games, result.wanted) == (0, 33)
    assert "0 games of 33, 0 rounds" in report.to_text(result)


# ------------------------------------------------------------ sums


def table(players: int, sides: int) -> Program:
    """A program as far as counting needs one."""
    return cast(
        Program,
        SimpleNamespace(
            players=players,
            sides=sides,
            members=tuple(tuple(range(side, players, sides)) for side in range(sides)),
            side_of=lambda seat: seat % sides,
            endings=(SimpleNamespace(name="a"), SimpleNamespace(name="b")),
            moves=(),
        ),
    )


def game(
    program: Program,
    winners: tuple[int, ...],
    scores: tuple[int, ...],
    turns: tuple[int, ...] = (5,),
    draw: bool = False,
    capped: bool = False,
    defects: tuple[str, ...] = (),
    index: int = 0,
) -> Facts:
    """A finished game as far as counting needs one; round i ends by `a`, `b`, `a` …"""
    rounds = tuple(RoundResult("ab"[i % 2], 0, winners, scores, count, False, 0) for i, count in enumerate(turns))
    outcome = Outcome(winners, scores, draw)
    played = SimpleNamespace(
        program=program, outcome=outcome, rounds=rounds, capped=capped, defects=defects, index=index, bounded=0
    )
    return Facts(cast(Game, played), starters=[0] * len(rounds))


def test_a_win_is_shared_between_sides_not_seats() -> None:
    tally = Tally()
    tally.add(game(table(4, 4), (1,), (0, 9, 0, 0)))
    tally.add(game(table(4, 4), (0, 1, 3), (9, 9, 0, 9)))

    assert tally.wins == {0: Fraction(1, 3), 1: Fraction(4, 3), 3: Fraction(1, 3)}


def test_partners_win_together() -> None:
    tally = Tally()
    tally.add(game(table(4, 2), (0, 2), (9, 4)))

    assert tally.wins == {0: 1, 2: 1}
    assert tally.scores == {0: 9, 1: 4, 2: 9, 3: 4}


def test_draws_and_stopped_games_are_nobodys() -> None:
    tally = Tally()
    tally.add(game(table(2, 2), (), (5, 5), draw=True))
    tally.add(game(table(2, 2), (), (-5, 5), capped=True, defects=("it loops", "it loops", "it hangs")))

    assert (tally.games, tally.draws, tally.capped, tally.wins) == (2, 1, 1, {})
    assert tally.defects == {"it loops": (1, 0), "it hangs": (1, 0)}
    assert tally.scores == {0: 0, 1: 10}


def test_tallies_add_up_in_any_order() -> None:
    program = table(2, 2)
    games = [
        game(program, (0,), (9, -9), turns=(3, 5, 3)),
        game(program, (0, 1), (-4, -4), turns=(8,)),
        game(program, (), (0, 0), draw=True, turns=(3,)),
        game(program, (), (0, 0), capped=True, defects=("it loops",), turns=(), index=7),
        game(program, (), (0, 0), capped=True, defects=("it loops",), turns=(), index=4),
    ]
    whole = Tally()
    for one in games:
        whole.add(one)
    for order in (games, games[::-1]):
        merged = Tally()
        for one in order:
            part = Tally()
            part.add(one)
            merged.merge(part)
        assert merged == whole
    assert Tally.from_json(json.loads(json.dumps(whole.to_json()))) == whole

    assert whole.ends == Counter(a=4, b=1)
    assert whole.turns == Counter({3: 3, 5: 1, 8: 1})
    assert whole.rounds == Counter({3: 1, 1: 2, 0: 2})
    assert whole.defects == {"it loops": (2, 4)}


# ------------------------------------------------------------ the report

RESULT = SimulationResult(
    sheet="quick",
    name={"en": "Quick", "de": "Schnell"},
    sheet_hash="0123456789abcdef" * 4,
    version="1.2",
    seed=7,
    players=2,
    options={"dear": True, "rounds": 2},
    stop_after=0,
    bots=BOTH,
    games=200,
    rounds=400,
    seats=(
        SeatResult(Fraction(121), 0.605, (0.535, 0.67), 12.5),
        SeatResult(Fraction(157, 2), 0.3925, (0.32, 0.46), -3.0),
    ),
    draws=0,
    ends={"out": 100, "dry": 300, "never": 0},
    turns={4: 100, 9: 200, 15: 100},
    turns_per_round=Spread(9.25, 4, 9, 15),
    rounds_per_game=Spread(2.0, 2, 2, 2),
    moves=(MoveUse("draw", 1000, 400, 5.25), MoveUse("swap", 0, 0, 0.0), MoveUse("done", 0, 0, 0.0)),
    kinds={"set": 30, "run": 0},
    measures={
        "turns_per_round": Estimate(9.25, 9.0, 9.5),
        "first_player_wins": Estimate(0.525, 0.48, 0.57),
        "opening_turn": Estimate(4.25, 4.0, 4.5),
        "lead_changes": None,
    },
    capped=0,
    defects={},
    bounded=0,
    broken=0,
    faults=(),
    wanted=200,
    seconds=4.0,
)


def test_the_text_says_what_was_played_and_what_came_of_it() -> None:
    assert report.to_text(RESULT) == (
        "Quick (quick), 2 players\n"
        "  200 games, 400 rounds, seed 7\n"
        "  options: dear=yes, rounds=2\n"
        "  players: 1 greedy, 2 random\n"
        "  sheet 0123456789ab, engine 1.2\n"
        "\n"
        "  seat   wins   share  95% interval  mean score\n"
        "     1    121   60.5%    53.5-67.0%        12.5\n"
        "     2  78.50   39.2%    32.0-46.0%        -3.0\n"
        "\n"
        "  how rounds ended\n"
        "  dry    300   75.0%  ######################\n"
        "  out    100   25.0%  ########\n"
        "  never    0    0.0%\n"
        "\n"
        "  what was done  a round  in rounds  turn\n"
        "  draw              2.50     100.0%   5.2\n"
        "  moves never made: swap\n"
        "  groups never laid: run\n"
        "  endings that never came: never\n"
        "\n"
        "  on average                        mean  95% interval\n"
        "  the first player wins the round    52.5%  48.0-57.0%\n"
        "  its first cards come in turn        4.2   4.0-4.5\n"
        "\n"
        "  turns per round  9.2 on average, half up to 9, 90% from 4 to 15\n"
        "  rounds per game  always 2\n"
        "  4.0 s, 50.0 games a second\n"
        "\n"
        "  Played by computer players; people may play otherwise. The intervals allow for chance alone.\n"
    )


def test_the_text_says_where_stands_what_was_never_used() -> None:
    """The lines are those of the sheet, and of the sheet it extends."""
    sheet = load("gin-one-deal")
    where = places(sheet)
    said = report.to_text(replace(RESULT, ends={"repeated": 0, "dead": 0}), where)
    lines = {name: line for name, line in where.items() if name.startswith("endings.")}

    assert f"endings that never came: repeated ({lines['endings.repeated']}), dead ({lines['endings.dead']})" in said
    for name in ("repeated", "dead"):
        file, line = lines[f"endings.{name}"].split(":")
        assert Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1].strip() == f"{name}:"


def test_the_text_warns_of_defects() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}
    defects = {"quick: no move at quick.yaml:20": Defect(3, 40), "quick: it loops": Defect(1, 17)}
    spoilt = SimulationResult(**(data | {"capped": 3, "defects": defects}))

    assert (
        "\n"
        "  WARNING: these figures may mean little, since the sheet has defects\n"
        "  3 games did not end by the rules and had to be stopped; nobody won\n"
        "  in 3 games, the first game 40: quick: no move at quick.yaml:20\n"
        "  in game 17: quick: it loops\n"
        "  game 17 again, to be looked at: --seed 7 --first 17 --games 1 --record FOLDER\n"
    ) in report.to_text(spoilt)
    assert "WARNING" not in report.to_text(RESULT)


def test_the_report_says_when_the_table_stopped() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}
    stopped = SimulationResult(**(data | {"stop_after": 12}))

    assert "\n  the table stops after 12 rounds (--rounds)\n" in report.to_text(stopped)
    assert report.to_json(stopped)["stopped_after"] == 12
    assert report.to_json(RESULT)["stopped_after"] is None


def test_the_report_says_where_a_search_was_cut_short() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}

    assert "  for 3 decisions the search was cut short" in report.to_text(SimulationResult(**(data | {"bounded": 3})))
    assert "cut short" not in report.to_text(RESULT)


def test_one_player_is_not_players() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}

    assert report.to_text(SimulationResult(**(data | {"players": 1}))).startswith("Quick (quick), 1 player\n")


def test_the_data_has_everything_in_its_order() -> None:
    data = report.to_json(RESULT)

    assert list(data) == [
        "sheet", "sheet_hash", "version", "seed", "players", "options", "stopped_after", "bots", "games", "rounds",
        "seats", "draws", "ends", "turns_per_round", "rounds_per_game", "moves", "melds", "measures", "capped",
        "defects", "bounded", "broken", "faults", "wanted", "seconds", "games_per_second",
    ]  # fmt: skip
    assert data["seats"] == [
        {"wins": 121, "win_share": 0.605, "ci95": [0.535, 0.67], "mean_score": 12.5},
        {"wins": 78.5, "win_share": 0.3925, "ci95": [0.32, 0.46], "mean_score": -3.0},
    ]
    assert data["turns_per_round"] == {"mean": 9.25, "p5": 4, "p50": 9, "p95": 15}
    assert data["games_per_second"] == 50.0


def test_the_interval_of_a_share_stays_within_it() -> None:
    """With few games the mean and its error alone would reach beyond it."""
    assert report.estimate_text(Estimate(0.667, 0.013, 1.32), share=True).split() == ["66.7%", "1.3-100.0%"]
    assert report.estimate_text(Estimate(0.033, -0.032, 0.099), share=True).split() == ["3.3%", "0.0-9.9%"]
    assert "-132.0" in report.estimate_text(Estimate(0.0, -1.32, 1.32), share=True, sign="+")
