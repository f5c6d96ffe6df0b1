"""Files that are odd, cannot be written or are none: a message and an exit code, and nothing broken or half written."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from interpreter.files import write_new, write_whole

FINE, PROBLEMS, WRONG_USAGE = 0, 1, 2
LONG = "a" * 300
"""No file system takes such a name."""


def run(*words: str | Path) -> Result:
    """One call of the program."""
    return CliRunner().invoke(cli.main, [str(word) for word in words], prog_name="rulespec")


# ------------------------------------------------------------ writing


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_written_to_and_not_replaced_by_a_file(quick: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    done = run("simulate", quick, "--games", "1", "--out", pipe)
    reader.join(10)

    assert done.exit_code == FINE, done.stderr
    assert read[0].startswith("Quick (quick), 2 players\n")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_followed_and_stays_a_link(quick: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "report.txt", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)

    assert run("simulate", quick, "--games", "1", "--out", link).exit_code == FINE
    assert link.is_symlink()
    assert target.read_text().startswith("Quick")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "report.txt"]


@pytest.mark.parametrize("option", ["--out", "--record"])
@pytest.mark.parametrize("place", [f"{LONG}", "file/inside"])
def test_what_cannot_be_written_is_said_before_a_game_is_played(
    quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    done = run("simulate", quick, "--games", "1000000", option, place)

    assert done.exit_code == WRONG_USAGE
    assert option in done.stderr
    assert place.removesuffix("/inside") in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_no_name_is_no_file_to_write_to(quick: Path) -> None:
    done = run("simulate", quick, "--games", "1000000", "--out", "")

    assert done.exit_code == WRONG_USAGE
    assert "'--out': needs a name" in done.stderr


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_old_file_and_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "report.txt"
    file.write_text("old")
    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, "new")
    monkeypatch.undo()

    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]


def test_a_new_file_is_not_left_half_written(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_new(tmp_path / "sheet.yaml", "fine until \udcff")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_the_output_is_no_fault_of_ours(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )

    assert done.returncode == PROBLEMS
    assert done.stderr == "error: No space left on device\n"


def within_bytes(blocks: int, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """One call of the program that may write no file longer than so many blocks of 1024 bytes, as on a full disk."""
    command = f'ulimit -f {blocks} && exec "$0" "$@"'
    return subprocess.run(
        ["bash", "-c", command, sys.executable, "-m", "cli", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


no_ulimit = pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")


@no_ulimit
def test_a_disk_that_fills_during_a_run_loses_nothing_that_was_finished(quick: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "report.json", tmp_path / "whole.json"
    words = ("simulate", quick, "--games", "60", "--seed", "3", "--format", "json", "--out", out)
    done = within_bytes(4, *words)

    assert done.returncode == PROBLEMS, done.stderr
    assert done.stderr == f"error: {out}.journal: File too large\n"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json.journal"]

    assert run(*words, "--resume").exit_code == FINE
    assert run(*words[:-1], whole).exit_code == FINE
    told, expected = json.loads(out.read_text()), json.loads(whole.read_text())
    speed = {"seconds", "games_per_second"}
    assert {k: v for k, v in told.items() if k not in speed} == {k: v for k, v in expected.items() if k not in speed}


@no_ulimit
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_disk_too_full_for_a_record_is_said_with_its_name(quick: Path, tmp_path: Path, workers: str) -> None:
    done = within_bytes(1, "simulate", quick, "--games", "20", "--workers", workers, "--record", tmp_path)

    assert done.returncode == PROBLEMS, done.stderr
    assert re.fullmatch(rf"error: {tmp_path}/quick-\d+-\d+\.game: File too large\n", done.stderr), done.stderr
    assert list(tmp_path.iterdir()) == []


@no_ulimit
def test_a_journal_that_cannot_be_begun_is_not_left(quick: Path, tmp_path: Path) -> None:
    done = within_bytes(0, "simulate", quick, "--games", "20", "--out", tmp_path / "report.txt")

    assert done.returncode == PROBLEMS, done.stderr
    assert done.stderr == f"error: {tmp_path}/report.txt.journal: File too large\n"
    assert list(tmp_path.iterdir()) == []


@no_ulimit
@pytest.mark.parametrize("name", ["rounds.csv", "page.html"])
def test_no_other_file_is_left_half_written(quick: Path, tmp_path: Path, name: str) -> None:
    option = "--out" if name.endswith("csv") else "--report"
    done = within_bytes(1, "simulate", quick, "--games", "100", option, tmp_path / name)

    assert done.returncode == PROBLEMS, done.stderr
    assert done.stderr == f"error: {tmp_path / name}: File too large\n"
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------ reading


@pytest.mark.parametrize("command", ["simulate", "validate", "show", "test"])
def test_a_name_no_file_can_have_is_that_of_no_sheet(command: str) -> None:
    done = run(command, LONG)

    assert done.exit_code == WRONG_USAGE
    assert "aaaa" in done.stderr


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="there is no endless file")
def test_an_endless_file_is_no_record(quick: Path) -> None:
    done = run("replay", "/dev/zero", "--sheet", quick)

    assert done.exit_code == PROBLEMS
    assert "longer than" in done.stderr
