"""The front door: from the path or id of a sheet to a checked rulesheet, with everything that is wrong in one run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulespec import shelf
from rulespec.checker import check
from rulespec.checks import analyse
from rulespec.diagnostics import Diagnostic, RulesheetError, arrange, has_errors
from rulespec.inheritance import Resolved, meaning_hash, resolve
from rulespec.model import Rulesheet
from rulespec.reader import MapNode, Reading, Text, read_text
from rulespec.schema import RawSheet
from rulespec.shape import check_shape
from rulespec.shelf import bundled
from rulespec.source import SourceFile, Span

__all__ = ["QUESTION", "Checked", "bundled", "check_file", "check_text", "load", "load_asking", "load_text"]

QUESTION = "question"
"""The file that places in a question name."""
RECORD = "rulespec-game"
"""The key by which a recorded game begins."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a sheet came to: each stage as far as it was reached, and every diagnostic, by place."""

    sheet: Rulesheet | None
    """None if there is an error, and for abstract sheets."""
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile]
    """The files of the sheet and its ancestors, by the name places give them."""
    tree: MapNode | None = None
    resolved: Resolved | None = None
    written: RawSheet | None = None


def check_file(sheet: str | Path, analysed: bool = True) -> Checked:
    """Check the sheet in a file, or the bundled one of this id; if not `analysed`, its words alone and not what they
    come to, which takes most of the time."""
    found = _find(sheet)
    if isinstance(found, Diagnostic):
        return Checked(None, (found,), {})
    reading, beside = found
    checked = _check(reading, beside, analysed)
    wrong = _wrong_id(checked.written, Path(reading.source.name).stem)
    if wrong is None:
        return checked
    found_all = arrange([*checked.diagnostics, wrong], reading.source.name)
    return Checked(checked.sheet, tuple(found_all), checked.sources, checked.tree, checked.resolved, checked.written)


def load(sheet: str | Path) -> Rulesheet:
    """The checked sheet of a file or id. Raises RulesheetError if it has errors or is abstract."""
    return _must(check_file(sheet))


def check_text(text: str, name: str = "sheet.yaml", beside: Path | None = None) -> Checked:
    """Check the text of a sheet, called `name` in places; what it extends may stand in the folder `beside`."""
    return _check(read_text(text, name), beside)


def load_asking(sheet: str | Path, question: str, analysed: bool = True) -> Rulesheet:
    """The checked sheet of a file or id, with a phrase about the end of a round, in its own words, as its `question`.
    `analysed` is as for `check_file`.

    Raises RulesheetError as `load` does, and for what is wrong with the question: its places are in the file QUESTION.
    """
    checked = check_file(sheet, analysed)
    known = _must(checked)
    assert checked.written is not None
    text = Text(question, Span(QUESTION, 1, 1, 1, len(question) + 1))
    found, wrong = check(checked.written, known.ancestors, known.hash, text)
    if found is None:
        raise RulesheetError([problem for problem in wrong if problem.severity == "error"])
    return found


def load_text(text: str, name: str = "sheet.yaml") -> Rulesheet:
    """The checked sheet of a text. Raises RulesheetError if it has errors or is abstract."""
    return _must(check_text(text, name))


def _must(checked: Checked) -> Rulesheet:
    if checked.sheet is None:
        errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error"]
        raise RulesheetError(errors or [_abstract(checked)])
    return checked.sheet


def _abstract(checked: Checked) -> Diagnostic:
    said = checked.written.abstract if checked.written else None
    span = said.span if said is not None else Span("", 0, 0, 0, 0)
    return Diagnostic("abstract-sheet", "error", "an abstract sheet cannot be played", span, "load one that extends it")


def _find(sheet: str | Path) -> tuple[Reading, Path | None] | Diagnostic:
    """The sheet a path or id stands for, or why there is none."""
    name = str(sheet)
    place = Span(name, 0, 0, 0, 0)
    path = Path(name)
    try:
        if path.is_file():
            return shelf.open_path(path, name)
        found = shelf.find(name, None) if isinstance(sheet, str) else None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file"
        return Diagnostic("unreadable-file", "error", f"the file cannot be read: {reason}", place)
    if found is not None:
        return found
    if shelf.ID.fullmatch(name):
        help = shelf.meant(name) or "`rulespec list` shows the bundled sheets"
        return Diagnostic("no-such-sheet", "error", f'there is no bundled sheet "{name}"', place, help)
    return Diagnostic("no-such-sheet", "error", "there is no such file", place, shelf.meant(name))


def _check(reading: Reading, beside: Path | None, analysed: bool = True) -> Checked:
    """Every stage over what the one before left usable."""
    found = list(reading.diagnostics)
    sources = {reading.source.name: reading.source}
    other = _another_file(reading)
    if other is not None:
        return Checked(None, (other,), sources, reading.tree)
    resolved = resolve(reading, beside)
    written: RawSheet | None = None
    sheet: Rulesheet | None = None
    if resolved is not None:
        sources |= resolved.sources
        found += resolved.diagnostics
        written, wrong = check_shape(resolved.tree, resolved.complete)
        found += wrong
        if written is not None and resolved.complete:
            sheet, wrong = check(written, resolved.ancestors, meaning_hash(resolved.tree))
            found += wrong
    if analysed and sheet is not None and resolved is not None and not has_errors(found):
        found += analyse(sheet, resolved)
    usable = None if has_errors(found) else sheet
    return Checked(usable, tuple(arrange(found, reading.source.name)), sources, reading.tree, resolved, written)


def _another_file(reading: Reading) -> Diagnostic | None:
    """What to say of scenarios or a recorded game in place of a sheet; everything else that is wrong says little."""
    name = Path(reading.source.name).name
    first = next((at for at, line in enumerate(reading.source.lines, 1) if not line.startswith("#")), 0)
    if reading.source.line(first).startswith(f"{RECORD}:"):
        span = Span(reading.source.name, first, 1, first, 1 + len(RECORD))
        help = f"`rulespec transcript {name}` prints it, and `rulespec replay {name}` checks it"
        return Diagnostic("recorded-game", "error", "this is a recorded game, not a sheet", span, help)
    keys = {str(key): key for key in reading.tree.entries} if reading.tree is not None else {}
    if "cases" in keys and "rulespec" not in keys:
        help = f"`rulespec test {name}` runs them"
        message = "this is a file of scenarios, not a sheet"
        return Diagnostic("scenario-file", "error", message, keys["cases"].span, help)
    return None


def _wrong_id(written: RawSheet | None, stem: str) -> Diagnostic | None:
    """A warning if others, who look for a sheet by its file, would not find it under its id."""
    if written is None or not written.id or written.id == stem:
        return None
    message = f'the id is "{written.id}", but the file is called "{stem}"'
    return Diagnostic("wrong-id", "warning", message, written.id.span, "`extends` looks for the name of the file")
