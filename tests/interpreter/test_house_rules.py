"""House rules that were written from the documentation alone: short sheets, and scenarios for what they change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli

FOLDER = Path(__file__).resolve().parent.parent / "data" / "houserules"
SHEETS = sorted(path for path in FOLDER.glob("*.yaml") if not path.name.endswith(".test.yaml"))
CASES = 16
"""How many cases the scenario files have together."""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli.main, [str(word) for word in words], prog_name="rulespec")


def base_of(sheet: Path) -> str:
    (line,) = (line for line in sheet.read_text(encoding="utf-8").split("\n") if line.startswith("extends: "))
    return line.removeprefix("extends: ")


def test_there_are_five_for_five_games() -> None:
    assert len(SHEETS) == 5
    assert len({base_of(sheet) for sheet in SHEETS}) == 5


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_each_has_under_ten_lines_and_nothing_to_ask(sheet: Path) -> None:
    assert len(sheet.read_text(encoding="utf-8").splitlines()) < 10
    assert run("validate", sheet).output == "1 sheet: no problems\n"


def test_the_scenarios_pass() -> None:
    result = run("test", FOLDER, "--format", "json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["cases"], len(report["files"])) == (CASES, len(SHEETS))
    assert {file["sheet"] for file in report["files"]} == {sheet.stem for sheet in SHEETS}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_the_scenarios_fail_without_the_rule(sheet: Path, tmp_path: Path) -> None:
    plain = f"rulespec: 1\nid: {sheet.stem}\nextends: {base_of(sheet)}\nname: {{en: without the rule}}\n"
    (tmp_path / sheet.name).write_text(plain, encoding="utf-8")
    shutil.copy(sheet.with_suffix(".test.yaml"), tmp_path)
    result = run("test", tmp_path / f"{sheet.stem}.test.yaml")
    assert result.exit_code == 1, "these scenarios hold without the rule, so they do not show it"
