"""The command line as a user meets it: results, messages, exit codes, and what happens with bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulespec.choices import players_text
from rulespec.contents import Entry, contents
from rulespec.loader import bundled, check_file
from tests.command import FINE, PROBLEMS, WRONG_USAGE, run
from tests.conftest import QUICK

TURN_LINE = QUICK[: QUICK.index("turn:")].count("\n") + 1
TURN_PLACE = (TURN_LINE, len("turn: (draw or take) then any number of (meld or lay-off) then ") + 1)
OUT_PLACE = (QUICK[: QUICK.index("out:")].count("\n") + 1, len("    out: ") + 1)
"""Lines and columns of the two words that `faulty` misspells."""


# ------------------------------------------------------------ list and validate


def test_list_names_every_bundled_sheet() -> None:
    listed = json.loads(run("list", "--format", "json").stdout)
    by_id = {sheet["id"]: sheet for sheet in listed}

    assert by_id["gin"]["players"] == [2, 2]
    assert by_id["gin"]["name"]["de"] == "Gin Rommé"
    assert by_id["gin-one-deal"]["extends"] == ["gin", "standard"]
    assert by_id["romme-playgridia"]["options"]["length"] == ["one-deal", "to-200"]
    assert by_id["tahiti"]["extends"] == ["machiavelli", "rearranging", "standard"]
    assert "rearranging" not in by_id
    assert [line.split()[0] for line in run("list").stdout.splitlines()] == list(by_id)


def test_the_list_says_what_the_checked_sheets_say_though_it_checks_none() -> None:
    sheets = [sheet for name in bundled() if (sheet := check_file(name).sheet) is not None]

    assert [Entry(sheet.id, sheet.name["en"], players_text(sheet)) for sheet in sheets] == contents()


def test_the_list_is_made_without_the_parsers_and_checks() -> None:
    code = "import sys, cli; cli.main(['list'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1].split()

    assert "rulespec.contents" in modules
    assert not {"lark", "pydantic", "rulespec.checker", "rulespec.loader"} & set(modules)


def test_a_good_sheet_has_no_problems(quick: Path) -> None:
    done = run("validate", quick)

    assert done.exit_code == FINE
    assert done.stdout == "1 sheet: no problems\n"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A sheet with two mistakes: a move that is misspelt, and a zone that does not exist."""
    path = tmp_path / "quick.yaml"
    path.write_text(QUICK.replace("then discard", "then discrad").replace("hand is empty", "hnad is empty"))
    return path


def test_every_problem_comes_with_its_place_and_the_nearest_name(faulty: Path) -> None:
    done = run("validate", faulty)

    assert done.exit_code == PROBLEMS
    for (line, column), wrong, right in ((TURN_PLACE, "discrad", "discard"), (OUT_PLACE, "hnad", "hand")):
        assert f"{faulty}:{line}:{column}: " in done.stdout
        assert f'"{wrong}"' in done.stdout
        assert f'"{right}"' in done.stdout


def test_problems_as_data(faulty: Path) -> None:
    found = json.loads(run("validate", faulty, "--format", "json").stdout)["diagnostics"]

    assert {TURN_PLACE, OUT_PLACE} == {(one["line"], one["column"]) for one in found}
    assert {one["file"] for one in found} == {str(faulty)}


def test_problems_as_sarif_and_for_github(faulty: Path) -> None:
    sarif = run("validate", faulty, "--format", "sarif")
    github = run("validate", faulty, "--format", "github")

    assert sarif.exit_code == github.exit_code == PROBLEMS
    lines = {
        result["locations"][0]["physicalLocation"]["region"]["startLine"]
        for result in json.loads(sarif.stdout)["runs"][0]["results"]
    }
    assert lines == {TURN_PLACE[0], OUT_PLACE[0]}
    assert f"::error file={faulty},line={TURN_PLACE[0]},col={TURN_PLACE[1]}," in github.stdout


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_a_good_sheet_in_every_form(quick: Path, form: str) -> None:
    assert run("validate", quick, "--format", form).exit_code == FINE


def test_an_empty_and_a_binary_file_are_problems(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.yaml", tmp_path / "binary.yaml"
    empty.touch()
    binary.write_bytes(bytes(range(256)) * 20)
    done = run("validate", empty, binary)

    assert done.exit_code == PROBLEMS
    assert "empty.yaml" in done.stdout
    assert "binary.yaml" in done.stdout
    assert run("simulate", empty).exit_code == PROBLEMS
    assert run("simulate", binary).exit_code == PROBLEMS


def test_a_sheet_with_errors_is_not_played(faulty: Path) -> None:
    done = run("simulate", faulty)

    assert done.exit_code == PROBLEMS
    assert done.stdout == ""
    assert f"{faulty}:{TURN_PLACE[0]}:{TURN_PLACE[1]}: " in done.stderr


# ------------------------------------------------------------ wrong usage


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["validate"], "SHEET"),
        (["validate", "gim"], 'did you mean "gin"'),
        (["validate", "no/such.yaml"], 'there is no file "no/such.yaml"'),
        (["validate", "."], '"." is a folder'),
        (["validte", "gin"], 'did you mean "validate"'),
        (["validate", "gin", "--fromat", "json"], "--format"),
        (["validate", "gin", "--format", "yaml"], "'json'"),
        (["simulate", "gin", "--players", "1"], '"gin" is for 2 players, not 1'),
        (["simulate", "romme-500", "--players", "9"], '"romme-500" is for 2-7 players, not 9'),
        (["simulate", "gin", "--players", "two"], "'two' is not a valid integer"),
        (["simulate", "gin", "--games", "0"], "0 is not in the range"),
        (["simulate", "gin", "--games", "-5"], "-5 is not in the range"),
        (["simulate", "gin", "--games", "99999999999"], "not in the range"),
        (["simulate", "gin", "--workers", "0"], "0 is not in the range"),
        (["simulate", "gin", "--seed", "1.5"], "'1.5' is not a valid integer"),
        (["simulate", "gin", "--seed", "9" * 5000], "is not a valid integer"),
        (["simulate", "gin", "--set", "big-gni=yes"], 'did you mean "big-gin"'),
        (["simulate", "gin", "--set", "colour=red"], "it has: big-gin"),
        (["simulate", "gin", "--set", "big-gin=maybe"], '"big-gin" is no or yes, not "maybe"'),
        (["simulate", "gin", "--set", "big-gin"], 'expected OPTION=VALUE, not "big-gin"'),
        (["simulate", "gin", "--set", "big-gin=no", "--set", "big-gin=yes"], '"big-gin" is set twice'),
        (["simulate", "gin", "--seed", "1", "--seed=2"], "'--seed': given more than once; only one value counts"),
        (["simulate", "gin", "--games", "1", "--bot", "greedy", "--bot", "random"], "'--bot': given more than once"),
        (["validate", "gin", "--format", "json", "--format", "text"], "'--format': given more than once"),
        (["simulate", "gin", "--bot", "gredy"], 'did you mean "greedy"'),
        (["simulate", "gin", "--bot", "greedy,random,greedy"], "2 players need one name for all or 2 names, not 3"),
        (["simulate", "gin", "--bot", ""], 'there is no bot ""'),
        (["simulate", "gin", "--out", "no/such/folder/report.json"], 'there is no folder "no/such/folder"'),
        (["simulate", "gin", "--rounds", "3"], '"gin" ends by its own rule'),
        (["simulate", "shanghai", "--rounds", "0"], "after 1 to 1000 rounds, not 0"),
        (["simulate", "gin", "--first", "-1"], "-1 is not in the range"),
        (["simulate", "gin", "--time-limit", "nan"], "nan is no number to reckon with"),
        (["tune", "gin", "--vary", "deal.hand=7,8", "--to", "nan"], "nan is no number to reckon with"),
        (["tune", "gin", "--vary", "deal.hand=7,8", "--to", "-inf"], "-inf is no number to reckon with"),
        (["play", "gin", "--opponents", "5"], "'--opponents': \"gin\" is for 2 players, not 6"),
        (["test", "gni"], 'did you mean "gin"'),
        (["test", "gin", "--coverage", "--format", "junit"], "text or json"),
        (["show", "gin", "--stage", "programme"], "'program'"),
        (["show", "gin", "--stage", "program", "--players", "3"], '"gin" is for 2 players, not 3'),
        (["replay", "no-such.game"], "no-such.game"),
        (["new", "My Gin"], "lower case"),
        (["new", "gin"], '"gin" is a bundled sheet'),
    ],
)
def test_wrong_usage_says_what_would_be_right(words: list[str], says: str) -> None:
    done = run(*words)

    assert done.exit_code == WRONG_USAGE, done.output
    assert done.stdout == ""
    assert says in " ".join(done.stderr.split())


# ------------------------------------------------------------ scenarios

SCENARIOS = """\
sheet: quick
cases:
  - name: three of a rank
    source: the table of melds
    group: 7S 7H 7D
    valid: yes
    kind: set
  - name: two are too few
    source: the table of melds
    group: 7S 7H
    valid: no
    because: melds.set.cards
"""


@pytest.fixture
def scenarios(tmp_path: Path) -> Path:
    """The scenarios of the sheet `quick`, beside it."""
    (tmp_path / "quick.yaml").write_text(QUICK)
    path = tmp_path / "quick.test.yaml"
    path.write_text(SCENARIOS)
    return path


def test_scenarios_are_run_from_their_file_their_sheet_and_their_folder(scenarios: Path) -> None:
    for path in (scenarios, scenarios.with_name("quick.yaml"), scenarios.parent):
        done = run("test", path)
        assert done.exit_code == FINE, done.output
        assert done.stdout.splitlines()[-1].startswith("1 file, 2 cases, ")


def test_a_failed_scenario_shows_what_came_instead(scenarios: Path) -> None:
    scenarios.write_text(SCENARIOS.replace("group: 7S 7H\n", "group: 7S 7H 7C\n"))
    done = run("test", scenarios)
    junit = run("test", scenarios, "--format", "junit")

    assert done.exit_code == junit.exit_code == PROBLEMS
    assert "failed: two are too few (the table of melds)" in done.stdout
    assert ElementTree.fromstring(junit.stdout).attrib["failures"] == "1"
    assert json.loads(run("test", scenarios, "--format", "json").stdout)["failed"] == 1


def test_coverage_of_a_house_rule_lists_what_the_house_rule_says(tmp_path: Path) -> None:
    """And counts what it inherits, which the scenarios of its parent are for."""
    lines = ["rulespec: 1", "id: slow-gin", "extends: gin", "name: {en: Slow Gin}"]
    lines += ["moves:", "  knock:", "    only:", "      not-at-once: turn-number >= 3"]
    (tmp_path / "slow-gin.yaml").write_text("\n".join(lines))
    case = "sheet: slow-gin\ncases:\n  - name: three sevens\n    source: s\n    group: 7S 7H 7D\n    valid: yes\n"
    (tmp_path / "slow-gin.test.yaml").write_text(case)
    data = json.loads(run("test", tmp_path, "--coverage", "--format", "json").stdout)
    text = run("test", tmp_path, "--coverage").stdout.splitlines()

    own = ["knock: never made", "knock.only.not-at-once: never met", "knock.only.not-at-once: never refused"]
    assert data["unreached"] == {"slow-gin": own}
    assert text[-5:] == [
        "slow-gin: 3 things that no scenario reaches",
        *(f"  {line}" for line in own),
        f"  and {data['unreached_inherited']['slow-gin']} of what it inherits",
    ]


def test_the_resolved_sheet_is_shown_without_names_for_people_unless_asked() -> None:
    short, whole = run("show", "gin").stdout, run("show", "gin", "--words").stdout

    assert "\nwords:" not in short
    assert short.endswith(" names for people; --words shows them\n")
    assert "\nwords:" in whole


def test_coverage_lists_what_no_scenario_reaches(scenarios: Path) -> None:
    done = run("test", scenarios, "--coverage")
    lines = [line.strip() for line in done.stdout.splitlines()]
    data = json.loads(run("test", scenarios, "--coverage", "--format", "json").stdout)

    assert done.exit_code == FINE
    assert "melds.run: never valid" in lines
    assert "melds.set: never valid" not in lines
    assert {"discard: never made", "discard.only.another-card: never refused", "round.endings.dry: never came"} <= {
        *lines
    }
    assert (
        data["unreached"]["quick"]
        == lines[lines.index(f"quick: {len(data['unreached']['quick'])} things that no scenario reaches") + 1 :]
    )


def test_the_bundled_scenarios_are_found_by_id() -> None:
    assert run("test", "gin", "--format", "json").exit_code == FINE


def test_a_file_of_scenarios_is_not_checked_as_a_sheet(scenarios: Path) -> None:
    done = run("validate", scenarios)

    assert done.exit_code == PROBLEMS
    assert f"`rulespec test {scenarios.name}` runs them" in done.stdout
    assert "1 sheet: 1 error" in done.stdout


# ------------------------------------------------------------ show


def test_each_stage_is_shown(quick: Path) -> None:
    read, resolved, written, program = (
        run("show", quick, "--stage", stage) for stage in ("read", "resolved", "written", "program")
    )

    assert [done.exit_code for done in (read, resolved, written, program)] == [FINE] * 4
    assert "hand is empty" in read.stdout
    assert "draw 1 from stock" not in read.stdout
    assert "draw 1 from stock" in resolved.stdout
    assert "moves.discard.only.another-card: it is not taken  # " in written.stdout
    assert program.stdout.startswith("program quick, 2 players")


def test_the_program_is_that_of_the_players_and_options(quick: Path) -> None:
    done = run("show", quick, "--stage", "program", "--players", "3", "--set", "rounds=2")

    assert done.stdout.startswith("program quick, 3 players")
    assert "option rounds = 2" in done.stdout


def test_a_sheet_with_errors_is_shown_as_far_as_it_goes(faulty: Path) -> None:
    assert run("show", faulty, "--stage", "resolved").exit_code == FINE
    assert run("show", faulty, "--stage", "program").exit_code == PROBLEMS


# ------------------------------------------------------------ new


@pytest.mark.parametrize("more", [[], ["--from", "gin"], ["--from", "romme-playgridia"]])
def test_a_new_sheet_is_playable_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "my-game", *more)

    assert done.exit_code == FINE, done.stderr
    assert run("validate", "my-game.yaml").stdout == "1 sheet: no problems\n"
    assert run("simulate", "my-game.yaml", "--games", "1").exit_code == FINE
    assert run("new", "my-game", *more).exit_code == WRONG_USAGE


def test_a_house_rule_told_its_author_to_show_a_sheet_that_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "my-game")
    run("new", "my-rule", "--from", "my-game.yaml")

    command = re.findall("`rulespec (.*?)`", Path("my-rule.yaml").read_text())
    assert [run(*words.split()).exit_code for words in command] == [FINE]


@pytest.mark.parametrize("name", ["my-game", "my-gam.yaml", "my-game.yml", "my-gme"])
@pytest.mark.parametrize("command", ["simulate", "validate", "test"])
def test_a_sheet_of_this_folder_was_not_named_where_its_name_is_misspelt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "my-game")
    done = run(command, name)

    assert done.exit_code == WRONG_USAGE
    assert 'did you mean "my-game.yaml"?' in done.stderr


# ------------------------------------------------------------ start-up


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'pydantic', 'lark', 'ruamel', 'rich', 'interpreter', 'rulespec'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "Usage:" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_closed_pipe_is_no_fault() -> None:
    command = f"{sys.executable} -c \"import cli; cli.main(prog_name='rulespec')\" list | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)

    assert "fault" not in done.stderr
    assert "Traceback" not in done.stderr
