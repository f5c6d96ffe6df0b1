"""Scenario files: finding them, reading them, checking every case against its sheet.

A scenario file (`ID.test.yaml`) names a sheet and lists cases: a position, a question, the answer expected. What the
keys mean is said in docs/scenarios.md; running the cases is the interpreter's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rulespec.diagnostics import Diagnostic, arrange, did_you_mean, has_errors
from rulespec.loader import check_file
from rulespec.model import Rulesheet
from rulespec.reader import MAX_BYTES, Reading, Text, read_bytes
from rulespec.scenario_checks import Case, CaseChecker
from rulespec.scenario_shape import RawScenarios, shape
from rulespec.shelf import ID, bundled, known
from rulespec.source import SourceFile, Span

SUFFIX = ".test.yaml"
MOST_NOTES = 3
"""Mistakes of a sheet that are shown where its scenarios cannot be run."""


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A checked scenario file; every case can be run."""

    name: str
    """The file as the user named it, or `variants/ID.test.yaml`."""
    sheet: Rulesheet
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class CheckedScenarios:
    """What was read: the file if it can be used, what is wrong with it or its sheet, and the texts for excerpts."""

    file: ScenarioFile | None
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile]


# ------------------------------------------------------------ finding


def find_scenarios(paths: tuple[str, ...]) -> tuple[list[str], list[Diagnostic]]:
    """The scenario files that `paths` mean, in order and each once, and what is wrong with the paths.

    A path is a scenario file, a sheet (the scenarios beside it), the id of a bundled variant, or a folder (every
    scenario file in it, however deep). Without paths: the scenarios of all bundled variants.
    """
    found: dict[str, None] = {}
    wrong: list[Diagnostic] = []
    for path in paths or tuple(f"variants/{name}{SUFFIX}" for name in bundled() if _bundled_bytes(name) is not None):
        names = _found(path)
        if isinstance(names, Diagnostic):
            wrong.append(names)
        else:
            found.update(dict.fromkeys(names))
    return list(found), wrong


def _found(path: str) -> list[str] | Diagnostic:
    where = Path(path)
    place = Span(path, 0, 0, 0, 0)
    if where.is_dir():
        names = sorted(str(file) for file in where.rglob(f"*{SUFFIX}") if file.is_file())
        return names or Diagnostic("no-scenarios", "error", f"no file *{SUFFIX} in this folder", place)
    if where.is_file():
        if path.endswith(SUFFIX) or _holds_cases(where):
            return [path]
        beside = where.with_name(where.name.removesuffix(".yaml") + SUFFIX)
        if beside.is_file():
            return [str(beside)]
        return Diagnostic("no-scenarios", "error", f"the sheet has no scenarios: there is no {beside.name}", place)
    sheet_id = _bundled_id(path)
    if _bundled_bytes(sheet_id) is not None:
        return [f"variants/{sheet_id}{SUFFIX}"]
    if sheet_id in bundled():
        return Diagnostic("no-scenarios", "error", "this variant has no scenarios", place)
    message = f'no file, folder or variant "{path}"'
    return Diagnostic("no-such-sheet", "error", message, place, did_you_mean(path, bundled()))


def _holds_cases(file: Path) -> bool:
    tree = _read(file, str(file)).tree
    return tree is not None and any(key == "cases" for key in tree.entries)


def _bundled_id(name: str) -> str:
    return name.removeprefix("variants/").removesuffix(SUFFIX)


def _bundled_bytes(sheet_id: str) -> bytes | None:
    """The scenario file of a bundled variant, None if there is none."""
    if not ID.fullmatch(sheet_id):
        return None
    file = files("variants") / f"{sheet_id}{SUFFIX}"
    return file.read_bytes()[: MAX_BYTES + 1] if file.is_file() else None


def _read(file: Path, name: str) -> Reading:
    with file.open("rb") as stream:
        return read_bytes(stream.read(MAX_BYTES + 1), name)


# ------------------------------------------------------------ reading and checking


def check_scenarios(path_or_id: str) -> CheckedScenarios:
    """Read and check one scenario file, or that of a bundled variant. Nothing in it makes this raise."""
    path = Path(path_or_id)
    if path.is_file():
        try:
            reading = _read(path, path_or_id)
        except OSError as error:
            return _unusable("unreadable-file", f"the file cannot be read: {error.strerror}", path_or_id)
        return _checked(reading, path_or_id, path.parent)
    data = _bundled_bytes(_bundled_id(path_or_id))
    if data is None:
        return _unusable("no-such-sheet", f'no scenario file "{path_or_id}"', path_or_id)
    name = f"variants/{_bundled_id(path_or_id)}{SUFFIX}"
    return _checked(read_bytes(data, name), name, None)


def check_scenario_text(text: str, name: str, beside: Path | None = None) -> CheckedScenarios:
    """Check scenarios from a text; their sheet is looked for in the folder `beside`, then among the bundled ones."""
    return _checked(read_bytes(text.encode(), name), name, beside)


def _unusable(code: str, message: str, name: str) -> CheckedScenarios:
    return CheckedScenarios(None, (Diagnostic(code, "error", message, Span(name, 0, 0, 0, 0)),), {})


def _checked(reading: Reading, name: str, beside: Path | None) -> CheckedScenarios:
    found = list(reading.diagnostics)
    sources = {name: reading.source}
    if reading.tree is None:
        return CheckedScenarios(None, tuple(arrange(found, name)), sources)
    raw, wrong = shape(reading.tree)
    found += wrong
    file = None
    if raw is not None:
        sheet = _sheet(raw.sheet, beside, found, sources)
        if sheet is not None:
            file = _against(sheet, raw, name, found)
    if has_errors(found):
        file = None
    return CheckedScenarios(file, tuple(arrange(found, name)), sources)


def _sheet(
    text: Text, beside: Path | None, found: list[Diagnostic], sources: dict[str, SourceFile]
) -> Rulesheet | None:
    """The sheet the scenarios are about; where it has mistakes, the first of them are shown."""
    there = known(beside)
    if text not in there:
        message, help_ = f'there is no sheet "{text}"', did_you_mean(text, there)
        found.append(Diagnostic("no-such-sheet", "error", message, text.span, help_))
        return None
    own = beside / f"{text}.yaml" if beside is not None else None
    checked = check_file(str(own) if own is not None and own.is_file() else str(text))
    errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error"]
    if checked.sheet is None:
        message = f'the sheet "{text}" has mistakes' if errors else f'"{text}" is abstract and cannot be played'
        notes = tuple((e.span, f"{e.message}; {e.help}" if e.help else e.message) for e in errors[:MOST_NOTES])
        help_ = f"there are {len(errors)}; `rulespec validate` shows all of them" if len(errors) > MOST_NOTES else ""
        found.append(Diagnostic("unusable-sheet", "error", message, text.span, help_, notes))
        sources.update(checked.sources)
    return checked.sheet


def _against(sheet: Rulesheet, raw: RawScenarios, name: str, found: list[Diagnostic]) -> ScenarioFile:
    checker = CaseChecker(sheet, found)
    if not raw.cases and not has_errors(found):
        found.append(Diagnostic("asserts-nothing", "error", "the file has no cases", raw.sheet.span))
    cases = [case for written in raw.cases if (case := checker.check(written)) is not None]
    return ScenarioFile(name, sheet, tuple(cases))
