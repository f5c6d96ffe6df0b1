"""A simulation that is ended from outside, or loses a worker, leaves no process and no half-written file behind, and
nothing that was finished is lost."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.errors import WorkerLost
from interpreter.processes import Deadline, done, ranges
from tests.command import going_on

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


def started(quick: Path, folder: Path, workers: str, *more: str) -> subprocess.Popen[str]:
    """A long simulation that has begun to play, in a process group of its own."""
    process = going_on(
        "simulate", str(quick), "--games", "1000000", "--workers", workers, "--record", str(folder), *more
    )
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline and not list(folder.glob("*.game")):
        time.sleep(0.1)
    return process


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_workers_end_with_the_process_that_started_them(quick: Path, tmp_path: Path, how: int, code: int) -> None:
    process = started(quick, tmp_path, "2")
    process.send_signal(how)
    try:
        # every process of the simulation holds these pipes, so they close when the last one has ended
        _, stderr = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    assert process.returncode == code, stderr
    assert "Traceback" not in stderr
    if how != signal.SIGKILL:
        assert not list(tmp_path.glob(".*"))


# ------------------------------------------------------------ a worker that is killed


def workers_of(parent: int) -> list[int]:
    """The worker processes of a simulation."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            father = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_text()
        except OSError:  # it has ended
            continue
        if father == parent and "spawn_main" in command:
            found.append(int(folder.name))
    return found


def games_said(report: str) -> int:
    """How many games a report says were played."""
    found = re.search(r"^\s*(\d+) games of 1000000", report, re.MULTILINE)
    assert found is not None, report
    return int(found[1])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no list of processes")
def test_what_was_finished_is_reported_when_a_worker_is_killed(quick: Path, tmp_path: Path) -> None:
    records, out = tmp_path / "records", tmp_path / "report.txt"
    records.mkdir()
    process = started(quick, records, "2", "--out", str(out))
    journal = tmp_path / "report.txt.journal"
    deadline = time.monotonic() + 60
    while journal.read_bytes().count(b"\n") < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    try:
        _, stderr = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    kept = sum(json.loads(line)["tally"]["games"][0] for line in journal.read_text().splitlines()[1:])

    assert process.returncode == 1, stderr
    assert stderr.startswith("error: a worker process was ended from outside, often for want of memory")
    assert "go on with --resume" in stderr
    assert games_said(out.read_text()) == kept >= 20
    assert not list(tmp_path.glob(".*"))


class DyingJob:
    """A job whose worker is killed at one of its ranges, once others have been finished."""

    def prepare(self) -> None:
        """Nothing is needed."""

    def work(self, indices: range, stopped: Callable[[], bool]) -> int:  # noqa: ARG002
        """How many numbers there are."""
        if indices.start == 40:
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGKILL)
        return len(indices)


def test_a_killed_worker_is_told_after_everything_that_was_finished() -> None:
    finished: list[int] = []

    def take_all() -> None:
        for indices, count in done(DyingJob(), ranges(0, 1000), 2):
            assert count == 10
            finished.append(indices.start)

    with pytest.raises(WorkerLost, match="ended from outside"):
        take_all()
    assert len(set(finished)) == len(finished) >= 4
    assert 40 not in finished


# ------------------------------------------------------------ clocks


def test_no_deadline_moves_when_the_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    deadline = Deadline(60)
    monkeypatch.setattr(time, "time", lambda: 1e12)

    assert not deadline.is_over()
    assert not pickle.loads(pickle.dumps(deadline)).is_over()
    assert Deadline(-1).is_over()
    assert pickle.loads(pickle.dumps(Deadline(-1))).is_over()
