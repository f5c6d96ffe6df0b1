"""Other programs at the table: the step interface, PettingZoo's own test, data frames, a cluster losing a worker."""

from __future__ import annotations

import functools
import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import report
from interpreter.adapters.environment import Environment
from interpreter.compiler.source import program_from
from interpreter.processes import done
from interpreter.simulation import SimulationJob, simulate
from tests.interpreter.table import program_of

SHEETS = [("gin-one-deal", 2), ("romme-500", 3), ("machiavelli", 2), ("samba", 4)]


@pytest.mark.parametrize(("sheet", "players"), SHEETS)
def test_steps_lead_to_returns_that_add_up_to_nought(sheet: str, players: int) -> None:
    environment = Environment(program_of(sheet, players))
    random = Random(3)
    size = environment.size
    environment.reset(5)
    for _ in range(60):
        seat = environment.current
        if seat is None:
            break
        assert len(environment.observation(seat)) == size
        assert len(environment.texts) == len(environment.legal) > 0
        environment.step(random.choice(environment.legal))
    assert sum(environment.returns()) == pytest.approx(0)


def test_the_same_number_deals_the_same_game_and_a_wrong_action_is_refused() -> None:
    environment = Environment(program_of("gin-one-deal", 2))
    environment.reset(7)
    first = environment.observation(0)
    environment.reset(8)
    other = environment.observation(0)
    environment.reset(7)

    assert environment.observation(0) == first != other
    with pytest.raises(ValueError, match="action 99 is not legal; there are 2"):
        environment.step(99)


def test_an_observation_does_not_tell_what_a_seat_cannot_see() -> None:
    environment = Environment(program_of("gin-one-deal", 2))
    before = environment.observation(0)
    state = environment.game.state
    stock = state.piles[environment.program.stock]
    state.piles[environment.program.stock] = stock[::-1]

    assert environment.observation(0) == before


@pytest.mark.parametrize(("sheet", "players"), SHEETS[:3])
def test_pettingzoo_accepts_any_sheet(sheet: str, players: int) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test  # noqa: PLC0415

    from interpreter.adapters.pettingzoo_env import RulesheetEnv  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(RulesheetEnv(program_of(sheet, players)), num_cycles=40)


def test_a_game_of_pettingzoo_comes_to_its_end(quick: Path) -> None:
    pytest.importorskip("pettingzoo")
    from interpreter.adapters.pettingzoo_env import RulesheetEnv  # noqa: PLC0415

    env = RulesheetEnv(program_from(str(quick), 3, {}))
    env.reset(seed=4)
    random = Random(1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(5000):
        seen, reward, over, cut, _ = env.last()
        totals[agent] += reward
        legal = [number for number, allowed in enumerate(seen["action_mask"]) if allowed]
        env.step(None if over or cut else random.choice(legal))

    assert env.agents == []
    assert sum(totals.values()) == pytest.approx(0)
    assert any(totals.values())


def test_rounds_are_a_data_frame(quick: Path) -> None:
    pytest.importorskip("pandas")
    from interpreter.adapters.frames import rounds_frame  # noqa: PLC0415

    frame = rounds_frame(functools.partial(program_from, str(quick), 2, {"rounds": 2}), ("greedy",) * 2, games=5)

    assert len(frame) == 10
    assert list(frame["round"]) == [1, 2] * 5
    assert set(frame["ending"]) <= {"out", "dry"}


def test_a_cluster_that_loses_a_worker_loses_and_doubles_no_game(quick: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from interpreter.adapters.dask_cluster import done_on  # noqa: PLC0415

    build = functools.partial(program_from, str(quick), 2, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            killed: list[int] = []

            def losing(job: SimulationJob, parts: Iterator[range]) -> Any:
                for number, part in enumerate(done_on(cluster.scheduler_address, job, parts)):
                    if number == 2:
                        killed.append(next(iter(cluster.workers.values())).pid)
                        os.kill(killed[0], signal.SIGKILL)
                    yield part

            lost = simulate(SimulationJob(build, ("greedy",) * 2, 3), games=150, elsewhere=losing)
    here = simulate(SimulationJob(build, ("greedy",) * 2, 3), games=150)
    data, same = report.to_json(lost), report.to_json(here)
    for figures in (data, same):
        del figures["seconds"], figures["games_per_second"]

    assert len(killed) == 1
    assert lost.games == 150
    assert data == same


def test_ranges_come_with_what_became_of_them(quick: Path) -> None:
    job = SimulationJob(functools.partial(program_from, str(quick), 2, {}), ("greedy",) * 2, 3)
    job.prepare()
    found = dict(done(job, [range(4), range(4, 6)], 1))

    assert {indices: played.tally.games for indices, played in found.items()} == {range(4): 4, range(4, 6): 2}
