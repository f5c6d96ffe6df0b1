"""A call of the program, as a user makes it in a terminal, and what it answers."""

from __future__ import annotations

import json
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
