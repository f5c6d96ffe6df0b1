"""A simulation that is ended from outside leaves no process and no half-written file behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


def started(quick: Path, folder: Path, workers: str) -> subprocess.Popen[str]:
    """A long simulation that has begun to play, in a process group of its own."""
    words = ["simulate", str(quick), "--games", "1000000", "--workers", workers, "--record", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
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
