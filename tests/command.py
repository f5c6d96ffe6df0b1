"""A call of the program, as a user makes it in a terminal, and what it answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

import cli

FINE, PROBLEMS, WRONG_USAGE, FAULT = 0, 1, 2, 3


def run(*words: str | Path) -> Result:
    """One call of the program; its streams apart."""
    return CliRunner().invoke(cli.main, [str(word) for word in words], prog_name="rulespec")


def report(*words: str | Path) -> dict[str, Any]:
    """The JSON report of a simulation, without its last two entries, which hold the speed."""
    done = run("simulate", *words, "--format", "json")
    assert done.exit_code == FINE, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert list(found)[-2:] == ["seconds", "games_per_second"]
    del found["seconds"], found["games_per_second"]
    return found


HEEDING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""What is begun in the background ignores Ctrl-C, and so does all it begins; a command under test is to heed it."""


def going_on(*words: str) -> subprocess.Popen[str]:
    """A command that goes on, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{HEEDING}; import cli; cli.main(prog_name='rulespec')", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
