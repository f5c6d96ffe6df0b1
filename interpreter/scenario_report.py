"""What running scenarios found, and its three printed forms: text, JSON, JUnit."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree import ElementTree

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that came out otherwise than written; `place` is `file:line` of what was written."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case that was run. `assertions` counts what was looked at, held or not."""

    name: str
    source: str
    place: str
    assertions: int
    failures: tuple[Failure, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class FileResult:
    """One scenario file. A file with `problems` (one printed diagnostic each) was not run."""

    file: str
    sheet: str
    cases: tuple[CaseResult, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def assertions(self) -> int:
        """How many things were looked at in all cases."""
        return sum(case.assertions for case in self.cases)

    @property
    def failed(self) -> int:
        """How many cases failed."""
        return sum(not case.passed for case in self.cases)


@dataclass(frozen=True, slots=True)
class TestReport:
    """Everything one run of the scenarios found."""

    __test__ = False

    files: tuple[FileResult, ...]
    reached: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    """By sheet, path of a named condition (`knock.if.rule`) and whether it allowed or refused: how often the moves
    the cases made and judged met it."""

    @property
    def cases(self) -> int:
        """How many cases were run."""
        return sum(len(file.cases) for file in self.files)

    @property
    def assertions(self) -> int:
        """How many things were looked at."""
        return sum(file.assertions for file in self.files)

    @property
    def failed(self) -> int:
        """How many cases failed."""
        return sum(file.failed for file in self.files)

    @property
    def problems(self) -> int:
        """How many problems kept files from being run."""
        return sum(len(file.problems) for file in self.files)

    @property
    def exit_code(self) -> int:
        """0 when everything held, else 1."""
        return 1 if self.failed or self.problems else 0


def counted(number: int, thing: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def to_text(report: TestReport) -> str:
    """One line a file, then each failed case with what was expected and what came; the totals last."""
    lines: list[str] = []
    for file in report.files:
        if file.problems:
            lines += [f"{file.file}: not run, {counted(len(file.problems), 'problem')}", *file.problems]
            continue
        bad = f", {file.failed} failed" if file.failed else ""
        lines.append(f"{file.file}: {counted(len(file.cases), 'case')}, {counted(file.assertions, 'assertion')}{bad}")
        for case in file.cases:
            if case.failures:
                lines.append(f"  failed: {case.name} ({case.source})")
                lines += [f"    {failure}" for failure in case.failures]
    totals = [counted(len(report.files), "file"), counted(report.cases, "case")]
    totals += [counted(report.assertions, "assertion"), f"{report.failed} failed"]
    if report.problems:
        totals.append(counted(report.problems, "problem"))
    return "\n".join([*lines, ", ".join(totals)]) + "\n"


def to_json(report: TestReport) -> str:
    """One object: the totals, the files with their cases, and the conditions reached."""
    reached: dict[str, dict[str, dict[str, int]]] = {}
    for (sheet, path, held), count in sorted(report.reached.items()):
        entry = reached.setdefault(sheet, {}).setdefault(path, {"allowed": 0, "refused": 0})
        entry["allowed" if held else "refused"] += count
    return (
        json.dumps(
            {
                "cases": report.cases,
                "assertions": report.assertions,
                "failed": report.failed,
                "problems": report.problems,
                "files": [_file_data(file) for file in report.files],
                "reached": reached,
            },
            ensure_ascii=False,
            indent=2,
        )
        + "\n"
    )


def _file_data(file: FileResult) -> dict[str, object]:
    return {
        "file": file.file,
        "sheet": file.sheet,
        "problems": list(file.problems),
        "cases": [
            {
                "name": case.name,
                "source": case.source,
                "place": case.place,
                "passed": case.passed,
                "assertions": case.assertions,
                "failures": [{"place": failure.place, "text": failure.text} for failure in case.failures],
            }
            for case in file.cases
        ],
    }


def to_junit(report: TestReport) -> str:
    """JUnit's XML: a suite a file; a file that was not run is a suite with one test case in error."""
    root = ElementTree.Element(
        "testsuites",
        name="rulespec test",
        tests=str(report.cases),
        failures=str(report.failed),
        errors=str(sum(bool(file.problems) for file in report.files)),
    )
    for file in report.files:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_xml(file.file),
            tests=str(len(file.cases) or len(file.problems[:1])),
            failures=str(file.failed),
            errors=str(len(file.problems[:1])),
        )
        if file.problems:
            case = ElementTree.SubElement(suite, "testcase", name="reading the file", classname=_xml(file.sheet))
            _outcome(case, "error", file.problems)
        for result in file.cases:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                name=_xml(result.name),
                classname=_xml(file.sheet),
                file=_xml(file.file),
                assertions=str(result.assertions),
            )
            if result.failures:
                _outcome(case, "failure", [str(failure) for failure in result.failures])
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _outcome(case: ElementTree.Element, kind: str, texts: Iterable[str]) -> None:
    texts = list(texts)
    ElementTree.SubElement(case, kind, message=_xml(texts[0])).text = _xml("\n".join(texts))


def _xml(text: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
