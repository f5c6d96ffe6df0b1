from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.diagnostics import (
    CODES,
    Diagnostic,
    RulesheetError,
    arrange,
    as_data,
    as_json,
    did_you_mean,
    excerpt,
    has_errors,
    nearest,
    one_line,
    pretty,
    printed,
    visible,
    width,
)
from rulespec.source import SourceFile, Span
from rulespec.tool_formats import as_github, as_sarif

FILE = "carousel.yaml"
ANY_TEXT = st.text(st.characters(exclude_characters="\n"), max_size=60)


def span(line: int, column: int, end: int, file: str = FILE) -> Span:
    return Span(file, line, column, line, end)


def sources(text: str) -> dict[str, SourceFile]:
    return {FILE: SourceFile(FILE, text)}


def marked(text: str, place: Span) -> str:
    """The characters of the excerpt that stand above the caret line's marks."""
    shown, carets = excerpt(place, sources(text))
    found = re.search(r"\^~*", carets)
    assert found is not None
    cells = 0
    under = ""
    for char in shown:
        if found.start() <= cells < found.end():
            under += char
        cells += width(char)
    return under


def test_one_line_has_place_message_and_code() -> None:
    diagnostic = Diagnostic("unknown-key", "error", 'unknown key "trun"', span(3, 5, 9))
    assert one_line(diagnostic) == 'carousel.yaml:3:5: unknown key "trun" [unknown-key]'


def test_pretty_underlines_the_characters_and_shows_help_and_other_places() -> None:
    text = "turn: draw\n  if: points of hnad\nturn: pass\n"
    diagnostic = Diagnostic(
        "double-key", "error", "twice", span(3, 1, 5), 'did you mean "hand"?', ((span(1, 1, 5), "the first one"),)
    )
    assert pretty(diagnostic, sources(text)).split("\n") == [
        "carousel.yaml:3:1: twice [double-key]",
        "    3 | turn: pass",
        "      | ^~~~",
        '  help: did you mean "hand"?',
        "  carousel.yaml:1:1: the first one",
        "    1 | turn: draw",
        "      | ^~~~",
    ]


def test_pretty_without_the_source_is_the_line_and_the_help() -> None:
    diagnostic = Diagnostic("no-such-sheet", "error", "there is no such file", Span("x.yaml", 0, 0, 0, 0), "look again")
    assert pretty(diagnostic, {}) == "x.yaml: there is no such file [no-such-sheet]\n  help: look again"


@pytest.mark.parametrize(
    ("line", "start", "word"),
    [
        ("if: points of hnad", 14, "hnad"),
        ("name: 日本語 hnad x", 10, "hnad"),
        ("name: 🃏🂡 hnad", 9, "hnad"),
        ("name: e\u0301\u0301 hnad", 10, "hnad"),
        ("name: 日本語", 6, "日本語"),
    ],
)
def test_the_caret_stands_under_the_word(line: str, start: int, word: str) -> None:
    assert line[start : start + len(word)] == word
    assert marked(line, span(1, start + 1, start + len(word) + 1)) == word


def test_the_caret_counts_a_tab_as_it_is_shown() -> None:
    assert marked("\tturn\there", span(1, 7, 11)) == "here"


def test_a_span_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    place = Span(FILE, 1, 7, 3, 4)
    assert marked("notes: one\n two\n three", place) == " one"


def test_an_empty_span_has_one_caret() -> None:
    assert excerpt(span(1, 4, 4), sources("ab: cd"))[1].strip("| ") == "^"


def test_a_span_behind_the_end_of_the_line_has_one_caret() -> None:
    assert excerpt(span(1, 90, 95), sources("ab: cd"))[1].strip("| ") == "^"


@pytest.mark.parametrize("start", [0, 300, 5000, 9996])
def test_long_lines_are_cut_around_the_place(start: int) -> None:
    text = "x" * start + "hnad" + "y" * (10_000 - start - 4)
    place = span(1, start + 1, start + 5)
    assert marked(text, place) == "hnad"
    assert all(width(line) < 150 for line in excerpt(place, sources(text)))


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_excerpts_stay_on_their_line_and_mark_what_they_should(before: str, word: str, after: str) -> None:
    place = span(1, len(before) + 1, len(before) + len(word) + 1)
    lines = excerpt(place, sources(before + word + after))
    assert len(lines) == 2
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for line in lines for char in line)
    assert lines[1].count("^") == 1


@pytest.mark.parametrize(
    "char", ["\x1b", "\x07", "\r", "\x9b", "\u202e", "\u2066", "\u200f", "\ufeff", "\u2028", "\ud800"]
)
def test_control_characters_and_direction_marks_are_never_printed(char: str) -> None:
    text = f"name: {char}[31m"
    diagnostic = Diagnostic("x", "error", f"no {char}", span(1, 7, 8), f"not {char}", ((span(1, 1, 5), f"{char}!"),))
    whole = pretty(diagnostic, sources(text)) + one_line(diagnostic) + as_json([diagnostic], sources(text))
    assert char not in whole
    assert f"<U+{ord(char):04X}>" in whole


def test_a_file_name_is_made_safe_too() -> None:
    assert "\x1b" not in one_line(Diagnostic("x", "error", "m", span(1, 1, 2, "a\x1b[2J.yaml")))


def test_visible_keeps_what_can_be_seen() -> None:
    assert visible("Überraschung: 7♥ 🃏 日本") == "Überraschung: 7♥ 🃏 日本"


def test_data_has_a_version_and_every_field() -> None:
    diagnostic = Diagnostic("double-key", "warning", "twice", span(2, 3, 7), "help", ((span(1, 3, 7), "first"),))
    data = as_data([diagnostic], sources("  turn: a\n  turn: b"))
    assert data == {
        "version": 1,
        "diagnostics": [
            {
                "code": "double-key",
                "severity": "warning",
                "message": "twice",
                "file": FILE,
                "line": 2,
                "column": 3,
                "end_line": 2,
                "end_column": 7,
                "help": "help",
                "notes": [{"file": FILE, "line": 1, "column": 3, "end_line": 1, "end_column": 7, "message": "first"}],
                "excerpt": ["    2 |   turn: b", "      |   ^~~~"],
            }
        ],
        "left_off": 0,
    }
    assert json.loads(as_json([diagnostic], sources("  turn: a\n  turn: b"))) == data


def many(count: int) -> list[Diagnostic]:
    return [Diagnostic("unknown-word", "error", f"number {n}", span(1, 1, 2)) for n in range(count)]


def test_thousands_of_mistakes_are_not_printed_without_end() -> None:
    lines = printed(many(2345), {})
    assert len(lines) == 101
    assert lines[-1] == "and 2245 more; only the first 100 are shown"
    assert len(printed(many(100), {})) == 100
    assert len(str(RulesheetError(many(2345))).split("\n")) == 101


def test_tools_are_given_a_thousand_mistakes_and_told_of_the_others() -> None:
    data = as_data(many(2345), {})
    assert (len(data["diagnostics"]), data["left_off"]) == (1000, 1345)
    (run,) = as_sarif(many(2345), "1")["runs"]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (len(run["results"]), notification["message"]["text"]) == (1000, "1345 more are left off")
    commands = as_github(many(2345)).splitlines()
    assert (len(commands), commands[-1]) == (1001, "::notice::1345 more are left off")


def test_arrange_sorts_by_place_with_the_own_file_first_and_drops_doubles() -> None:
    late, early, wide = (
        Diagnostic("x", "error", "m", place) for place in (span(9, 1, 2), span(2, 7, 8), span(2, 3, 9))
    )
    other = Diagnostic("x", "error", "m", span(1, 1, 2, "another.yaml"))
    assert arrange([late, other, early, wide, late], FILE) == [wide, early, late, other]


def test_only_errors_are_errors() -> None:
    soft = [Diagnostic("x", "warning", "m", span(1, 1, 2)), Diagnostic("x", "question", "m", span(1, 1, 2))]
    assert not has_errors(soft)
    assert has_errors([*soft, Diagnostic("x", "error", "m", span(1, 1, 2))])


def test_the_exception_says_every_line() -> None:
    error = RulesheetError(
        [Diagnostic("x", "error", "one", span(1, 1, 2)), Diagnostic("y", "error", "two", span(2, 1, 2))]
    )
    assert str(error) == "carousel.yaml:1:1: one [x]\ncarousel.yaml:2:1: two [y]"


@pytest.mark.parametrize(
    ("word", "first"),
    [("hnad", "hand"), ("knokc", "knock"), ("layoff", "lay-off"), ("Lay_Off", "lay-off"), ("STOCK", "stock")],
)
def test_nearest_finds_slips_of_the_pen(word: str, first: str) -> None:
    assert nearest(word, ["stock", "hand", "knock", "lay-off", "discards"])[0] == first


def test_nearest_is_silent_about_what_is_unlike() -> None:
    assert nearest("zebra", ["stock", "hand"]) == ()
    assert did_you_mean("zebra", ["stock", "hand"]) == ""


def test_nearest_is_limited_and_says_so_in_words() -> None:
    names = ["turn", "turns", "turned", "turner", "burn"]
    assert len(nearest("trun", names, limit=2)) == 2
    assert did_you_mean("hnad", ["hand", "stock"]) == 'did you mean "hand"?'


def test_nearest_takes_words_of_any_length() -> None:
    assert nearest("x" * 100_000, ["stock"]) == ()


def test_every_code_in_the_package_is_explained() -> None:
    root = Path(rulespec.__file__).parent
    used = {
        code
        for path in root.rglob("*.py")
        for code in re.findall(
            r'Diagnostic\(\s*"([a-z-]+)"|\.?say\(\s*"([a-z]+-[a-z-]+)"', path.read_text(encoding="utf-8")
        )
        for code in code
        if code
    }
    assert used
    assert used <= set(CODES), f"not in CODES: {sorted(used - set(CODES))}"
