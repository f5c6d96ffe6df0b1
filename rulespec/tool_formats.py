"""Diagnostics in the forms of other tools: SARIF for code scanning, workflow commands for annotations on GitHub."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from rulespec.diagnostics import CODES, MAX_DATA, Diagnostic, Severity, visible
from rulespec.source import Span

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SARIF_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "question": "note"}
GITHUB_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "question": "notice"}


def as_sarif(diagnostics: Iterable[Diagnostic], version: str) -> dict[str, Any]:
    """A SARIF 2.1.0 log with one run of the tool in this `version`; columns count Unicode code points.

    It holds the first `MAX_DATA`; a notification of the run says if there were more.
    """
    everything = list(diagnostics)
    found = everything[:MAX_DATA]
    codes = sorted({diagnostic.code for diagnostic in found})
    rules = [{"id": code, "shortDescription": {"text": CODES.get(code, code)}} for code in codes]
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulespec", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in found],
                **_left_off(len(everything) - len(found)),
            }
        ],
    }


def _left_off(more: int) -> dict[str, Any]:
    if not more:
        return {}
    notification = {"level": "warning", "message": {"text": f"{more} more are left off"}}
    return {"invocations": [{"executionSuccessful": True, "toolExecutionNotifications": [notification]}]}


def _sarif_result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": SARIF_LEVELS[diagnostic.severity],
        "message": {"text": _message(diagnostic)},
    }
    if diagnostic.span.file:
        result["locations"] = [_sarif_location(diagnostic.span)]
    notes = [(span, text) for span, text in diagnostic.notes if span.file]
    if notes:
        result["relatedLocations"] = [
            {"id": number, **_sarif_location(span), "message": {"text": visible(text)}}
            for number, (span, text) in enumerate(notes, 1)
        ]
    return result


def _sarif_location(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(span.file)}}
    if span.line:
        place["region"] = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        }
    return {"physicalLocation": place}


def _uri(file: str) -> str:
    """A file's name as a URI: relative names stay relative, so that a viewer finds them in its checkout."""
    path = file.replace("\\", "/")
    escaped = quote(path, safe="/:" if path[1:2] == ":" else "/")
    return f"file://{'' if escaped.startswith('/') else '/'}{escaped}" if _is_absolute(path) else escaped


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def as_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a line, for the first `MAX_DATA`, and a notice if there are more. Text of the sheet is
    escaped, so that it cannot give commands of its own."""
    found = list(diagnostics)
    lines = [_command(diagnostic) for diagnostic in found[:MAX_DATA]]
    if len(found) > len(lines):
        lines.append(f"::notice::{len(found) - len(lines)} more are left off")
    return "".join(f"{line}\n" for line in lines)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {"file": span.file} if span.file else {}
    if span.line:
        properties |= {"line": str(span.line), "col": str(span.column), "endLine": str(span.end_line)}
        if span.end_line == span.line:
            properties["endColumn"] = str(span.end_column)
    properties["title"] = diagnostic.code
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{GITHUB_LEVELS[diagnostic.severity]} {listed}::{_data(_message(diagnostic))}"


def _message(diagnostic: Diagnostic) -> str:
    return visible(diagnostic.message) + (f" ({visible(diagnostic.help)})" if diagnostic.help else "")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
