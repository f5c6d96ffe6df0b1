"""Commands that play games, as a user meets them: reports, comparisons, records, and what happens with bad input."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from interpreter import simulation
from interpreter.compiler.source import program_from
from interpreter.errors import MachineFault
from interpreter.watch import begun, play_on
from tests.command import FAULT, FINE, PROBLEMS, WRONG_USAGE, going_on, report, run
from tests.conftest import QUICK

SIMULATING = Path(__file__).parents[1] / "docs" / "simulating.md"

# ------------------------------------------------------------ simulate


def test_the_report_is_the_same_for_any_number_of_workers(quick: Path) -> None:
    words = (quick, "--players", "3", "--games", "24", "--seed", "5", "--bot", "greedy,random,greedy")

    assert report(*words, "--workers", "1") == report(*words, "--workers", "2")


def test_the_report_holds_what_was_asked_for(quick: Path) -> None:
    found = report(quick, "--players", "3", "--games", "10", "--seed", "5", "--set", "rounds=2", "--set", "dear=yes")

    assert found["sheet"] == "quick"
    assert found["players"] == len(found["seats"]) == 3
    assert found["options"] == {"rounds": 2, "dear": True}
    assert found["bots"] == ["greedy"] * 3
    assert found["games"] == 10
    assert found["seed"] == 5
    assert found["rounds"] == sum(found["ends"].values()) == 20
    assert found["rounds_per_game"] == {"mean": 2.0, "p5": 2, "p50": 2, "p95": 2}
    assert sum(seat["wins"] for seat in found["seats"]) + found["draws"] == pytest.approx(10)
    assert found["capped"] == 0
    assert found["defects"] == {}


@pytest.mark.parametrize("seed", ["0", "-3", str(10**40)])
def test_any_whole_number_is_a_seed(quick: Path, seed: str) -> None:
    assert report(quick, "--games", "1", "--seed", seed)["seed"] == int(seed)


def test_another_seed_plays_other_games(quick: Path) -> None:
    first, second = (report(quick, "--games", "20", "--seed", seed) for seed in ("1", "2"))

    assert first["turns_per_round"] != second["turns_per_round"] or first["seats"] != second["seats"]


def test_the_text_report_says_the_same(quick: Path) -> None:
    words = (quick, "--games", "10", "--seed", "5", "--bot", "greedy,random")
    found = report(*words)
    text = run("simulate", *words).stdout

    assert text.startswith("Quick (quick), 2 players\n  10 games, 10 rounds, seed 5\n")
    assert "options: rounds=1, dear=no" in text
    assert "1 greedy, 2 random" in text
    assert found["sheet_hash"][:12] in text
    assert f"{100 * found['seats'][0]['win_share']:.1f}%" in text
    assert "out" in text
    assert "WARNING" not in text


def test_a_report_goes_to_a_file_whole(quick: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    done = run("simulate", quick, "--games", "2", "--format", "json", "--out", out)

    assert done.exit_code == FINE
    assert done.stdout == ""
    assert json.loads(out.read_text())["games"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_our_own_fault_is_told_from_the_users(quick: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise MachineFault("the stock has a hole")

    monkeypatch.setattr(simulation, "play_on", broken)
    done = run("simulate", quick, "--games", "1", "--record", tmp_path)

    assert done.exit_code == FAULT
    assert "game 0: MachineFault: the stock has a hole" in done.stdout
    assert "please report" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert "Traceback" in (tmp_path / "quick-1-0.fault").read_text()


def test_a_fault_outside_a_game_is_ours_too(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise MachineFault("the stock has a hole")

    monkeypatch.setattr(simulation, "simulate", broken)
    monkeypatch.delenv("RULESPEC_DEBUG", raising=False)
    done = run("simulate", quick, "--games", "1")
    monkeypatch.setenv("RULESPEC_DEBUG", "1")
    loud = run("simulate", quick, "--games", "1")

    assert done.exit_code == loud.exit_code == FAULT
    assert done.stdout == ""
    assert "MachineFault: the stock has a hole" in done.stderr
    assert "please report" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in loud.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_simulation_reports_what_is_finished(quick: Path, tmp_path: Path, workers: str) -> None:
    out, records = tmp_path / "report.txt", tmp_path / "games"
    words = ["--games", "1000000", "--workers", workers, "--out", str(out), "--record", str(records)]
    process = going_on("simulate", str(quick), *words)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline and not list(records.glob("*")):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)

    assert process.returncode == 130, stderr
    assert (stdout, stderr) == ("", "interrupted; the report is of the games finished by then\n")
    assert " of 1000000, " in out.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "report.txt", "report.txt.journal"]


def test_a_run_goes_on_where_it_was_killed(quick: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    words = ("simulate", quick, "--games", "30", "--format", "json", "--out", out)
    assert run(*words, "--time-limit", "0").exit_code == FINE
    assert json.loads(out.read_text())["games"] == 0

    assert "go on with --resume" in run(*words).stderr
    assert run(*words, "--resume", "--seed", "8").exit_code == PROBLEMS
    assert run(*words, "--resume").exit_code == FINE
    assert json.loads(out.read_text())["games"] == 30
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert "needs --out" in run("simulate", quick, "--resume").stderr


# ------------------------------------------------------------ compare and tune


def test_a_comparison_finds_a_planted_difference(quick: Path) -> None:
    done = run("compare", quick, "--vary", "deal.hand=3,6", "--games", "40")

    assert done.exit_code == FINE, done.stderr
    assert "hand=6 against hand=3:\n    rounds are " in done.stdout
    assert " turns longer (" in done.stdout


def test_a_comparison_with_itself_finds_nothing(quick: Path) -> None:
    words = ("compare", quick, quick, "--games", "40", "--format", "json")
    found = json.loads(run(*words, "--workers", "1").stdout)

    assert found == json.loads(run(*words, "--workers", "2").stdout)
    assert found["verdict"] == ["quick against quick:", "  no difference detected"]
    assert {d["mean"] for d in found["programs"][1]["differences"].values()} == {0.0}


def test_done_is_only_compared_where_somebody_had_to_say_it(quick: Path) -> None:
    never = run("compare", quick, "--vary", "deal.hand=3,4", "--games", "4").stdout
    said = run("compare", "gin", "--vary", "deal.hand=7,8", "--games", "4").stdout

    assert '"draw" in a round' in never
    assert '"done" in a round' not in never
    assert '"done" in a round' in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument"),
        (["gin"], "there is only one thing to compare"),
        (["gin", "romme-austrian", "--players", "3"], '"gin" is for 2 players, not 3'),
        (["gin", "--vary", "big-gin"], 'expected WHAT=VALUE,VALUE..., not "big-gin"'),
        (["gin", "--vary", "big-gni=no,yes"], 'did you mean "big-gin"'),
        (["gin", "--vary", "deal.hand=1..90"], "at most 50 values"),
        (["gin", "--vary", "deal.hand=ten,7"], 'unknown word "ten"'),
        (["gin", "--vary", "deal.hnad=5,7"], 'no zone "hnad"'),
        (["gin", "--vary", "deal.hand=10..7"], 'the range "10..7" goes backwards: write 7..10'),
        (["gin", "--vary", "deal.hand=7.."], '"7.." is no range: write both ends, such as 7..10'),
        (["gin", "--vary", "deal.hand=..7,9"], '"..7" is no range'),
        (["gin", "--vary", "deal.hand=7,8", "--vary", "deal.hand=9"], '"deal.hand" is varied twice'),
        (
            ["gin", "--vary", "deal.hand=1..9", "--vary", "define.round.knock-limit=1..9"],
            "50 values can be tried, not 81",
        ),
        (["gin", "--vary", "defin.round.knock-limit=3,4"], 'is no place of a sheet; did you mean "define"?'),
        (["gin", "--vary", "trun=draw,take"], 'did you mean "turn"'),
        (["gin", "--vary", "name=A,B"], '"name" is no rule'),
        (["gin", "--vary", "players=2,3"], "players=3: this is for 3 players, not 2"),
        (["gin", "--vary", 'moves.discard.only="a, b",c'], "where a phrase holds commas, part values by ;"),
        (["gin", "samba"], '"gin" is for 2 players, "samba" is for 4 players'),
    ],
)
def test_what_cannot_be_compared_is_said(words: list[str], message: str) -> None:
    done = run("compare", *words)

    assert done.exit_code in (PROBLEMS, WRONG_USAGE)
    assert message in done.stderr


def test_a_value_that_does_not_fit_is_named_as_it_was_given() -> None:
    """Not by the line of a page that nobody wrote."""
    done = run("compare", "gin", "--vary", "deal.hand=7,x y")

    assert done.exit_code == WRONG_USAGE
    assert 'Error: deal.hand=x y: unknown word "x"\n' in done.stderr
    assert "what is changed" not in done.stderr


def test_two_variations_are_tried_with_each_other(quick: Path) -> None:
    done = run("compare", quick, "--vary", "deal.hand=3,4", "--vary", "rounds=1,2", "--games", "2", "--format", "json")
    labels = [program["label"] for program in json.loads(done.stdout)["programs"]]

    assert labels == ["hand=3, rounds=1", "hand=3, rounds=2", "hand=4, rounds=1", "hand=4, rounds=2"]


@pytest.mark.parametrize(
    "vary",
    ["turn=(draw or take) then discard,(draw or take) then any number of meld then discard", "game.tie=draw;shared"],
)
def test_any_phrase_can_be_varied(quick: Path, vary: str) -> None:
    """Those of the first level too, and with a semicolon those that hold commas."""
    done = run("compare", quick, "--vary", vary, "--games", "1", "--bot", "random")

    assert done.exit_code == FINE, done.stderr


def test_outputs_may_not_overwrite_each_other_or_the_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "quick.yaml"
    sheet.write_text(QUICK)
    out = tmp_path / "x"
    for words in (
        ("--out", out, "--report", tmp_path / "." / "x"),
        ("--out", out, "--record", out),
        ("--report", out, "--record", out),
        ("--out", out, "--report", tmp_path / "x.journal"),
        ("--out", sheet),
        ("--report", sheet),
    ):
        done = run("simulate", sheet, "--games", "1", *words)
        assert done.exit_code == WRONG_USAGE, words
        assert "are the same file" in done.stderr
    assert "are the same file" in run("compare", sheet, "gin", "--out", out, "--report", out).stderr
    assert sheet.read_text() == QUICK
    assert [path.name for path in tmp_path.iterdir()] == ["quick.yaml"]


@pytest.mark.parametrize("option", ["--record", "--out", "--report"])
def test_an_empty_name_is_no_path(quick: Path, option: str) -> None:
    done = run("simulate", quick, "--games", "1", option, "")

    assert done.exit_code == WRONG_USAGE
    assert f"'{option}': needs a name" in done.stderr


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a folder nobody can write to")
@pytest.mark.parametrize("name", ["/proc/x.csv", "/proc/x.txt"])
def test_a_file_that_cannot_be_written_is_named_as_it_was_given(quick: Path, name: str) -> None:
    done = run("simulate", quick, "--games", "1", "--out", name)

    assert done.exit_code == WRONG_USAGE
    assert f'cannot write to "{name}"' in done.stderr


def test_tuning_finds_the_value_that_comes_nearest(quick: Path) -> None:
    words = ("tune", quick, "--vary", "rounds=1,2", "--measure", "rounds_per_game", "--games", "40")
    done = run(*words, "--to", "1.8")

    assert done.exit_code == FINE, done.stderr
    assert "rounds=2 comes nearest\n" in done.stdout
    assert json.loads(run(*words, "--to", "1.8", "--format", "json").stdout)["best"] == "rounds=2"
    assert 'did you mean "rounds_per_game"' in run(*words[:5], "round_per_game", "--to", "3").stderr


def test_tuning_calls_nothing_sure_after_a_few_games(quick: Path) -> None:
    done = run("tune", quick, "--vary", "rounds=1,2", "--measure", "rounds_per_game", "--games", "2", "--to", "1.8")

    assert done.exit_code == FINE, done.stderr
    assert "surely" not in done.stdout


# ------------------------------------------------------------ skill


def test_what_decides_a_game_adds_up(quick: Path) -> None:
    words = ("skill", quick, "--games", "20", "--bot", "planner,random")
    done = run(*words)
    found = json.loads(run(*words, "--format", "json").stdout)

    assert done.exit_code == FINE, done.stderr
    assert "planner against random\n  20 deals, each played twice" in done.stdout
    for part in (found["round"], found["game"]):
        assert sum(each["mean"] for each in part["decided_by"].values()) == pytest.approx(1, abs=1e-4)
    assert (found["bots"], found["deals"]) == (["planner", "random"], 20)


@pytest.mark.parametrize(
    ("bots", "said"), [("greedy", "two names are needed"), ("greedy,randm", 'did you mean "random"')]
)
def test_skill_asks_for_two_players_there_are(quick: Path, bots: str, said: str) -> None:
    done = run("skill", quick, "--bot", bots)

    assert done.exit_code == WRONG_USAGE
    assert said in done.stderr


# ------------------------------------------------------------ records


def test_a_recorded_game_replays(quick: Path, tmp_path: Path) -> None:
    assert run("simulate", quick, "--games", "3", "--seed", "4", "--record", tmp_path / "games").exit_code == FINE
    files = sorted((tmp_path / "games").iterdir())
    done = run("replay", files[2], "--sheet", quick)

    assert [file.name for file in files] == ["quick-4-0.game", "quick-4-1.game", "quick-4-2.game"]
    assert done.exit_code == FINE, done.stderr
    assert "1 round, to its end; as recorded" in done.stdout


def test_a_game_that_was_stopped_early_replays(tmp_path: Path) -> None:
    going_on = tmp_path / "going-on.yaml"
    game = QUICK.replace("id: quick", "id: going-on").replace("ends: round = rounds", "ends: stopped")
    going_on.write_text(game.replace("  rounds: 1 or 2\n", ""))
    done = run("simulate", going_on, "--games", "1", "--rounds", "4", "--first", "6", "--record", tmp_path)

    assert "the table stops after 4 rounds" in done.stdout
    assert "4 rounds, to its end" in run("replay", tmp_path / "going-on-1-6.game", "--sheet", going_on).stdout


def test_a_record_is_refused_with_another_sheet(quick: Path, tmp_path: Path) -> None:
    run("simulate", quick, "--games", "1", "--record", tmp_path)
    other = tmp_path / "quick.yaml"
    other.write_text(QUICK.replace("hand: 4", "hand: 5"))
    done = run("replay", tmp_path / "quick-1-0.game", "--sheet", other)

    assert done.exit_code == PROBLEMS
    assert "another form of the sheet" in done.stderr


def test_a_record_cannot_name_a_file_as_its_sheet(quick: Path, tmp_path: Path) -> None:
    run("simulate", quick, "--games", "1", "--record", tmp_path)
    file = tmp_path / "quick-1-0.game"
    file.write_text(file.read_text().replace("sheet: quick\n", f"sheet: {quick}\n"))
    done = run("replay", file)

    assert done.exit_code == PROBLEMS
    assert "is not a bundled one; name its file with --sheet" in done.stderr


def test_what_is_no_record_is_a_problem(quick: Path, tmp_path: Path) -> None:
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\x00\xfe")

    for file in (quick, binary):
        done = run("replay", file, "--sheet", quick)
        assert done.exit_code == PROBLEMS
        assert file.name in done.stderr


# ------------------------------------------------------------ single games


def test_only_games_that_answer_the_question_are_kept(quick: Path, tmp_path: Path) -> None:
    words = ("simulate", quick, "--games", "30", "--record", tmp_path / "games", "--record-if")
    assert run(*words, "ending = dry and turn-number > 1").exit_code == FINE
    kept = {path.name for path in (tmp_path / "games").iterdir()}
    dry = {path.name for path in (tmp_path / "games").iterdir() if "= round dry" in path.read_text()}

    assert 0 < len(kept) < 30
    assert kept == dry


@pytest.mark.parametrize(
    ("question", "where", "message"),
    [
        ("ending = blokced", "1:10", '"ending" is never "blokced"'),
        ("turn-numbr > 3", "1:1", 'did you mean "turn-number"?'),
        ("turn-number > 3 and", "1:20", "the phrase ends too early"),
        ("turn-number", "1:1", "is a number, not a condition"),
        ("out", "1:1", 'of the ending say "ending = out"'),
        ("hand is empty", "1:1", "some player has hand is empty"),
        ("score of you > 3", "1:10", 'there is no "you" here'),
        ("played is empty", "1:1", '"played" is known only in'),
    ],
)
def test_a_question_that_cannot_be_asked_is_said(
    quick: Path, tmp_path: Path, question: str, where: str, message: str
) -> None:
    done = run("simulate", quick, "--games", "1", "--record", tmp_path, "--record-if", question)

    assert done.exit_code == WRONG_USAGE
    assert f"question:{where}: " in done.stderr
    assert message in done.stderr


def test_a_question_needs_words_and_a_folder(quick: Path, tmp_path: Path) -> None:
    assert "needs --record" in run("simulate", quick, "--record-if", "turn-number > 3").stderr
    assert "nothing is asked" in run("simulate", quick, "--record", tmp_path, "--record-if", " ").stderr


def test_the_question_is_asked_of_the_end_of_the_round(quick: Path) -> None:
    """Hands as they are when it ends, points already written down."""
    program = program_from(str(quick), 2, {"rounds": 2}, question="hand of ender is empty and score of ender >= 0")
    plain = program_from(str(quick), 2, {"rounds": 2})
    for index in range(12):
        facts, without = (begun(each, 1, index) for each in (program, plain))
        for each in (facts, without):
            play_on(each, ("greedy", "random"))

        assert [result._replace(asked=False) for result in facts.game.rounds] == list(without.game.rounds)
        assert [result.asked for result in facts.game.rounds] == [r.ending == "out" for r in facts.game.rounds]


def test_what_only_the_question_uses_of_a_sheet_can_be_asked(tmp_path: Path) -> None:
    """A definition that nothing else reached was not there to be asked."""
    sheet = tmp_path / "asked.yaml"
    sheet.write_text("rulespec: 1\nid: asked\nextends: gin\nname: {en: Asked}\n")
    program = program_from(str(sheet), 2, {}, question="refused")

    assert program.question is not None


@pytest.mark.parametrize("question", re.findall('--record-if "([^"]+)"', SIMULATING.read_text()))
def test_the_questions_of_the_page_keep_some_games_and_not_all(question: str, tmp_path: Path) -> None:
    done = run("simulate", "gin", "--games", "20", "--record", tmp_path, "--record-if", question)

    assert done.exit_code == FINE
    assert 0 < len(list(tmp_path.iterdir())) < 20


def test_a_transcript_tells_the_whole_game(quick: Path, tmp_path: Path) -> None:
    assert run("simulate", quick, "--games", "1", "--set", "rounds=2", "--record", tmp_path).exit_code == FINE
    record = tmp_path / "quick-1-0.game"
    moves = [
        line.split(" ", 1)[1] for line in record.read_text().partition("moves:\n")[2].splitlines() if line[0] != "="
    ]
    text = run("transcript", record, "--sheet", quick).stdout

    assert text.startswith("Quick, 2 players; rounds 2, dear no\n\nround 1, dealt by player 2\n")
    assert all(move in text for move in moves)
    assert "round 2 is over: " in text
    scores = [line.split()[-2:] for line in text.splitlines() if line.startswith(("round 1  ", "round 2  ", "total"))]
    assert [int(a) + int(b) for a, b in zip(scores[0], scores[1], strict=True)] == [int(n) for n in scores[2]]


def _told(folder: Path, sheet: str, text: str) -> list[str]:
    """The transcript of a game of a sheet laid over the quick one."""
    (folder / "quick.yaml").write_text(QUICK)
    path = folder / f"{sheet}.yaml"
    path.write_text(f"rulespec: 1\nid: {sheet}\nextends: quick\nname: {{en: Other}}\n{text}")
    assert run("simulate", path, "--games", "1", "--set", "rounds=2", "--record", folder / "games").exit_code == FINE
    return run("transcript", folder / "games" / f"{sheet}-1-0.game", "--sheet", path).stdout.splitlines()


def test_hands_were_told_empty_where_moves_come_before_the_deal(tmp_path: Path) -> None:
    lines = _told(tmp_path, "cut", "moves:\n  cut:\n    does: pass\nround:\n  before-deal: cut\n")

    hands = [line for line in lines if " holds " in line]
    assert len(hands) == 4
    assert not any("nothing" in line for line in hands)
    begin = lines.index("round 1, dealt by player 2")
    assert lines[begin + 1].endswith("player 2: cut")
    assert all(" holds " in line for line in lines[begin + 2 : begin + 4])


def test_a_first_round_that_was_over_as_dealt_was_not_told(tmp_path: Path) -> None:
    ending = "    dealt:\n      when: turn-number = 0 and round = 1\n      wins: nobody\n"
    lines = _told(tmp_path, "sudden", f"round:\n  endings:\n{ending}")

    assert lines[1:4] == ["", "round 1 is over: dealt, won by nobody", ""]
    assert lines[4] == "round 2, dealt by player 1"


def test_the_next_deal_was_told_before_what_comes_after_a_round(tmp_path: Path) -> None:
    lines = _told(tmp_path, "staying", "moves:\n  stay:\n    does: pass\ngame:\n  after-round: stay\n")

    over = next(number for number, line in enumerate(lines) if line.startswith("round 1 is over"))
    assert lines[over + 1].endswith("player 2: stay")
    assert lines[over + 2 : over + 4] == ["", "round 2, dealt by player 1"]
    assert sum(line.startswith("round 1, ") for line in lines) == 1
