"""Diagnostics as SARIF and as GitHub's workflow commands."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic, Severity
from rulespec.source import NOWHERE, Span
from rulespec.tool_formats import as_github, as_sarif

AT = Span("house rules/my,gin.yaml", 14, 11, 14, 15)


def diagnostic(message: str = "unknown name", severity: Severity = "error", span: Span = AT) -> Diagnostic:
    return Diagnostic("unknown-name", severity, message, span, help='did you mean "stock"?')


def test_github_command_has_the_place_and_the_code() -> None:
    assert as_github([diagnostic()]) == (
        "::error file=house rules/my%2Cgin.yaml,line=14,col=11,endLine=14,endColumn=15,title=unknown-name"
        '::unknown name (did you mean "stock"?)\n'
    )


def test_github_text_cannot_begin_a_command_of_its_own() -> None:
    evil = diagnostic("100%\n::error file=x::gotcha\r", span=Span("a\n::error::b.yaml", 1, 1, 2, 1))
    printed = as_github([evil])

    assert printed.count("\n") == 1
    assert "\r" not in printed
    assert "100%25" in printed
    assert "::b" not in printed.split("title=")[0][2:]


@pytest.mark.parametrize(
    ("severity", "github", "sarif"),
    [("error", "::error ", "error"), ("warning", "::warning ", "warning"), ("question", "::notice ", "note")],
)
def test_severities_have_a_level_in_each_form(severity: Severity, github: str, sarif: str) -> None:
    found = [diagnostic(severity=severity)]

    assert as_github(found).startswith(github)
    assert as_sarif(found, "1")["runs"][0]["results"][0]["level"] == sarif


def test_sarif_names_the_tool_the_rule_and_the_region() -> None:
    log = as_sarif([diagnostic()], "0.1.0")
    run = log["runs"][0]
    result = run["results"][0]

    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["version"] == "0.1.0"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "unknown-name"
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "house%20rules/my%2Cgin.yaml"},
                "region": {"startLine": 14, "startColumn": 11, "endLine": 14, "endColumn": 15},
            }
        }
    ]


@pytest.mark.parametrize(
    ("file", "uri"),
    [("/tmp/x.yaml", "file:///tmp/x.yaml"), ("C:\\rules\\x.yaml", "file:///C:/rules/x.yaml"), ("x.yaml", "x.yaml")],
)
def test_sarif_places_are_uris(file: str, uri: str) -> None:
    result = as_sarif([diagnostic(span=Span(file, 1, 1, 1, 2))], "1")["runs"][0]["results"][0]

    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_problem_without_a_place_has_no_location() -> None:
    found = [diagnostic(span=NOWHERE)]

    assert "locations" not in as_sarif(found, "1")["runs"][0]["results"][0]
    assert as_github(found) == '::error title=unknown-name::unknown name (did you mean "stock"?)\n'


def test_other_places_are_related_locations() -> None:
    other = Span("gin.yaml", 3, 1, 3, 4)
    found = Diagnostic("double-key", "error", "twice", AT, notes=((other, "first here"),))
    related = as_sarif([found], "1")["runs"][0]["results"][0]["relatedLocations"]

    assert [place["message"]["text"] for place in related] == ["first here"]
    assert related[0]["physicalLocation"]["region"]["startLine"] == 3


def test_nothing_found_is_still_a_log() -> None:
    assert as_sarif([], "1")["runs"][0]["results"] == []
    assert as_github([]) == ""
