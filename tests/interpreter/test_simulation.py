"""Simulations: the same games however they are divided, and sums that are right."""

from __future__ import annotations

import functools
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from interpreter import report
from interpreter.bots import BOTS
from interpreter.compiler.source import program_from
from interpreter.errors import MachineFault
from interpreter.figures import Spread
from interpreter.game import Game
from interpreter.moves import Move
from interpreter.program import Program
from interpreter.simulation import Defect, SeatResult, SimulationResult, Tally, play_game, simulate
from interpreter.state import Outcome, RoundResult
from interpreter.view import SeatView

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
    alone, together = (simulate(build, bots=BOTH, games=18, seed=3, workers=workers) for workers in (1, 2))

    assert without_speed(alone) == without_speed(together)
    assert alone.games == 18


def test_a_game_is_the_same_alone_and_among_others(build: functools.partial[Program], tmp_path: Path) -> None:
    simulate(build, bots=BOTH, games=9, seed=3, records=tmp_path)
    among = (tmp_path / "quick-3-7.game").read_text(encoding="utf-8")
    simulate(build, bots=BOTH, games=1, first=7, seed=3, records=tmp_path / "..")
    alone = (tmp_path / ".." / "quick-3-7.game").read_text(encoding="utf-8")

    assert alone == among
    assert "game: 7\n" in alone


def test_games_of_one_seed_differ(build: functools.partial[Program]) -> None:
    program = build()
    deals = {play_game(program, BOTH, 3, index).shuffles[0] for index in range(8)}

    assert len(deals) == 8


def test_progress_counts_every_game(build: functools.partial[Program]) -> None:
    told: list[int] = []
    simulate(build, bots=BOTH, games=20, seed=3, progress=told.append)

    assert told == sorted(set(told))
    assert told[-1] == 20


def test_every_seat_needs_a_bot(build: functools.partial[Program]) -> None:
    with pytest.raises(ValueError, match="2 players need as many bots, not 3"):
        simulate(build, bots=("greedy",) * 3, games=1, seed=1)


class Cheat:
    """A bot that breaks."""

    def __init__(self, random: object) -> None:
        pass

    def choose(self, view: SeatView) -> Move:  # noqa: ARG002
        raise KeyError("no plan")


def test_a_fault_names_its_game(build: functools.partial[Program], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "cheat", Cheat)
    with pytest.raises(MachineFault, match="game 5 of seed 2: KeyError: 'no plan'"):
        simulate(build, bots=("cheat", "cheat"), games=1, first=5, seed=2)


def broken_build(build: functools.partial[Program]) -> Program:
    """A program that breaks in every game; at the top of the module, so that a worker can be told of it."""
    program = build()
    program.turn = 99
    return program


def test_a_fault_in_a_worker_names_its_game(build: functools.partial[Program]) -> None:
    with pytest.raises(MachineFault, match=r"game \d+ of seed 2: "):
        simulate(functools.partial(broken_build, build), bots=BOTH, games=4, seed=2, workers=2)


# ------------------------------------------------------------ sums


def table(players: int, sides: int) -> Program:
    """A program as far as counting needs one."""
    members = tuple(tuple(range(side, players, sides)) for side in range(sides))
    return cast(
        Program, SimpleNamespace(players=players, sides=sides, members=members, side_of=lambda seat: seat % sides)
    )


def game(
    winners: tuple[int, ...],
    scores: tuple[int, ...],
    turns: tuple[int, ...] = (5,),
    draw: bool = False,
    capped: bool = False,
    defects: tuple[str, ...] = (),
    index: int = 0,
) -> Game:
    """A finished game as far as counting needs one; round i ends by `a`, `b`, `a` …"""
    rounds = tuple(RoundResult("ab"[i % 2], 0, winners, scores, count, False) for i, count in enumerate(turns))
    outcome = Outcome(winners, scores, draw)
    return cast(Game, SimpleNamespace(outcome=outcome, rounds=rounds, capped=capped, defects=defects, index=index))


def test_a_win_is_shared_between_sides_not_seats() -> None:
    tally = Tally()
    tally.add(table(4, 4), game((1,), (0, 9, 0, 0)))
    tally.add(table(4, 4), game((0, 1, 3), (9, 9, 0, 9)))

    assert tally.wins == {0: Fraction(1, 3), 1: Fraction(4, 3), 3: Fraction(1, 3)}


def test_partners_win_together() -> None:
    tally = Tally()
    tally.add(table(4, 2), game((0, 2), (9, 4)))

    assert tally.wins == {0: 1, 2: 1}
    assert tally.scores == {0: 9, 1: 4, 2: 9, 3: 4}


def test_draws_and_stopped_games_are_nobodys() -> None:
    tally = Tally()
    tally.add(table(2, 2), game((), (5, 5), draw=True))
    tally.add(table(2, 2), game((), (-5, 5), capped=True, defects=("it loops", "it loops", "it hangs")))

    assert (tally.games, tally.draws, tally.capped, tally.wins) == (2, 1, 1, {})
    assert tally.defects == {"it loops": (1, 0), "it hangs": (1, 0)}
    assert tally.scores == {0: 0, 1: 10}


def test_tallies_add_up_in_any_order() -> None:
    program = table(2, 2)
    games = [
        game((0,), (9, -9), turns=(3, 5, 3)),
        game((0, 1), (-4, -4), turns=(8,)),
        game((), (0, 0), draw=True, turns=(3,)),
        game((), (0, 0), capped=True, defects=("it loops",), turns=(), index=7),
        game((), (0, 0), capped=True, defects=("it loops",), turns=(), index=4),
    ]
    whole = Tally()
    for one in games:
        whole.add(program, one)
    for order in (games, games[::-1]):
        merged = Tally()
        for one in order:
            part = Tally()
            part.add(program, one)
            merged.merge(part)
        assert merged == whole

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
    turns_per_round=Spread(9.25, 4, 9, 15),
    rounds_per_game=Spread(2.0, 2, 2, 2),
    capped=0,
    defects={},
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
        "  turns per round  9.2 on average, half up to 9, 90% from 4 to 15\n"
        "  rounds per game  always 2\n"
        "  4.0 s, 50.0 games a second\n"
    )


def test_the_text_warns_of_defects() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}
    defects = {"quick: no move at quick.yaml:20": Defect(3, 40), "quick: it loops": Defect(1, 17)}
    spoilt = SimulationResult(**(data | {"capped": 3, "defects": defects}))

    assert report.to_text(spoilt).endswith(
        "\n"
        "  WARNING: these figures may mean little, since the sheet has defects\n"
        "  3 games did not end by the rules and had to be stopped; nobody won\n"
        "  in 3 games, the first game 40: quick: no move at quick.yaml:20\n"
        "  in game 17: quick: it loops\n"
        "  game 17 again, to be looked at: --seed 7 --first 17 --games 1 --record FOLDER\n"
    )
    assert "WARNING" not in report.to_text(RESULT)


def test_the_report_says_when_the_table_stopped() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}
    stopped = SimulationResult(**(data | {"stop_after": 12}))

    assert "\n  the table stops after 12 rounds (--rounds)\n" in report.to_text(stopped)
    assert report.to_json(stopped)["stopped_after"] == 12
    assert report.to_json(RESULT)["stopped_after"] is None


def test_one_player_is_not_players() -> None:
    data = {name: getattr(RESULT, name) for name in SimulationResult.__slots__}

    assert report.to_text(SimulationResult(**(data | {"players": 1}))).startswith("Quick (quick), 1 player\n")


def test_the_data_has_everything_in_its_order() -> None:
    data = report.to_json(RESULT)

    assert list(data) == [
        "sheet", "sheet_hash", "version", "seed", "players", "options", "stopped_after", "bots", "games", "rounds",
        "seats", "draws", "ends", "turns_per_round", "rounds_per_game", "capped", "defects", "seconds",
        "games_per_second",
    ]  # fmt: skip
    assert data["seats"] == [
        {"wins": 121, "win_share": 0.605, "ci95": [0.535, 0.67], "mean_score": 12.5},
        {"wins": 78.5, "win_share": 0.3925, "ci95": [0.32, 0.46], "mean_score": -3.0},
    ]
    assert data["turns_per_round"] == {"mean": 9.25, "p5": 4, "p50": 9, "p95": 15}
    assert data["games_per_second"] == 50.0
