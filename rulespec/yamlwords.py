"""The YAML parser's complaints in words an author can use."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ruamel.yaml.error import MarkedYAMLError

from rulespec.characters import Places
from rulespec.diagnostics import Diagnostic
from rulespec.source import Span

QUOTES = "put the text in quotes, or write it without this mark"
KEY = re.compile(r""" *(?:"[^"\n]*"|'[^'\n]*'|[^\s'"\[{#&*!|>%@`-][^:\n]*): +(?=\S)""")
"""A key in front of a value on the same line."""
MAX_SHOWN = 40
"""Characters of a value that are shown again."""
KEY_LINE = re.compile(r"(?:[ ]*(?:#.*)?\n)*( *)[a-z][^\s:,\[\]{}]*:(?:\s|$)")
COLON_ALONE = re.compile(r" *(?:- )?(?P<key>[A-Za-z0-9][\w -]*)(?P<colon>:)(?P<value>(?!//)[^\s:].*)")
"""A colon without a blank behind it, after what looks like a key."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A diagnostic, and where the value on its line begins if the mistake is in that value alone: reading can go on
    as if the value were not there."""

    diagnostic: Diagnostic
    value_start: int | None = None


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where the parser stopped: at `at`, reading what began at `begin`; and what it said."""

    text: str
    places: Places
    at: int
    begin: int
    problem: str

    def value_start(self, at: int) -> int | None:
        """Where the value begins on the line of `at`, if `at` stands in it."""
        match = KEY.match(self.text, self.text.rfind("\n", 0, at) + 1)
        return match.end() if match and match.end() <= at else None

    def value_left_open(self) -> int | None:
        """Where the value begins that was not closed, if the next line is a key again."""
        start = self.text.rfind("\n", 0, self.begin) + 1
        indent = len(self.text[start:]) - len(self.text[start:].lstrip(" "))
        end = self.text.find("\n", self.begin)
        following = KEY_LINE.match(self.text, end + 1) if end >= 0 else None
        closed = following is not None and len(following.group(1)) <= indent
        return self.value_start(self.begin) if closed else None

    def colon_alone(self, at: int) -> Fault | None:
        """The fault that a blank is missing behind a colon, if it is so on the line of `at` or on those before it that
        read as one text with it: the parser finds out only at the next key."""
        found: Fault | None = None
        last = start = self.text.rfind("\n", 0, at) + 1
        while True:
            end = self.text.find("\n", start)
            line = self.text[start : len(self.text) if end < 0 else end]
            if (match := COLON_ALONE.match(line)) is not None:
                place = start + match.start("colon")
                found = Fault(missing_blank(match, self.char(place)), place + 1)
            elif start < last and re.search(r":(\s|$)", line):
                return found
            if start == 0:
                return found
            start = self.text.rfind("\n", 0, start - 1) + 1

    def dash_before(self, at: int) -> Span | None:
        """The place of "- " where the line before that of `at` begins with it."""
        match = re.search(r"^ *(-) [^\n]*\n[^\n]*\Z", self.text[:at], re.MULTILINE)
        return self.char(match.start(1)) if match else None

    def char(self, at: int) -> Span:
        return self.places.at(at, at + 1)

    def rest(self, at: int) -> Span:
        """From `at` to the end of its line."""
        end = self.text.find("\n", at)
        return self.places.at(at, at + max(len(self.text[at : len(self.text) if end < 0 else end].rstrip()), 1))

    def line(self, at: int) -> Span:
        """The line of `at` without its indentation."""
        start = self.text.rfind("\n", 0, at) + 1
        while self.text[start : start + 1] == " ":
            start += 1
        return self.rest(start)


def key_without_blank(text: str, span: Span) -> Diagnostic | None:
    """What to say of a text that stands where keys belong, if only the blank behind its colon is missing; `span` begins
    with the text."""
    match = COLON_ALONE.match(text)
    return missing_blank(match, span.within(match.start("colon"), match.end("colon"))) if match else None


def missing_blank(match: re.Match[str], span: Span) -> Diagnostic:
    """What to say where COLON_ALONE matches; `span` is its colon."""
    value = match["value"].strip()
    help = f'a blank after the colon: "{match["key"]}: {value if len(value) <= MAX_SHOWN else "…"}"'
    return Diagnostic("yaml-syntax", "error", "a blank is missing behind the colon", span, help)


def explain(error: MarkedYAMLError, text: str, places: Places) -> Fault:
    """What the parser could not read in `text`, in words."""
    problem, context = str(error.problem or ""), str(error.context or "")
    at = error.problem_mark.index if error.problem_mark else 0
    begin = error.context_mark.index if error.context_mark else at
    stop = _Stop(text, places, at, begin, problem)
    for pattern, words in FAULTS:
        if re.search(pattern, f"{context} | {problem}"):
            return words(stop)
    return _fault("this is not YAML: " + re.sub(r"[<>]", "", problem), stop.char(at))


def _fault(message: str, span: Span, help: str = "", *notes: tuple[Span, str], value: int | None = None) -> Fault:
    return Fault(Diagnostic("yaml-syntax", "error", message, span, help, notes), value)


def _colon(stop: _Stop) -> Fault:
    value = stop.value_start(stop.at)
    if value is None:
        if (alone := stop.colon_alone(stop.at)) is not None:
            return alone
        if (dash := stop.dash_before(stop.at)) is not None:
            return _dash_for_name(dash)
        help = "take that value away, or let this line begin in the column of its key"
        return _fault("a map begins under a key that has a value already", stop.line(stop.at), help)
    help = "a phrase holds no colon; a text with one goes in quotes"
    return _fault('a second ": " on this line', stop.char(stop.at), help, value=value)


def _no_colon(stop: _Stop) -> Fault:
    if (alone := stop.colon_alone(stop.begin)) is not None:
        return alone
    return _fault('a line without ": "', stop.line(stop.begin), "a key is followed by a colon and a blank")


def _indentation(stop: _Stop) -> Fault:
    if (alone := stop.colon_alone(stop.at)) is not None:
        return alone
    if (dash := stop.dash_before(stop.at)) is not None:
        return _dash_for_name(dash)
    help = "keys of one map begin in one column"
    return _fault("this line is indented unlike the others of its map", stop.line(stop.at), help)


def _dash_for_name(place: Span) -> Fault:
    help = 'a sheet has no lists: give each phrase a name, "NAME: PHRASE"'
    return _fault('a phrase does not begin with "- "', place, help)


def _dash(stop: _Stop) -> Fault:
    help = 'a sheet has no lists; a minus stands close to its number or word: "-stake"'
    return _fault('a phrase does not begin with "- "', stop.char(stop.at), help, value=stop.value_start(stop.at))


def _open_quote(stop: _Stop) -> Fault:
    return _fault("the quote is not closed", stop.char(stop.begin), value=stop.value_left_open())


def _open_bracket(stop: _Stop) -> Fault:
    bracket = stop.text[stop.begin : stop.begin + 1]
    if stop.text[stop.at : stop.at + 2] == ": " and "\n" not in stop.text[stop.begin : stop.at]:
        help = 'a text that holds a colon stands in quotes: {en: "Rummy: the long game"}'
        return _fault('a second ": " in this entry', stop.char(stop.at), help, value=stop.value_start(stop.begin))
    help = f'after each entry comes "," or "{"]" if bracket == "[" else "}"}"'
    note = (stop.char(stop.at), "read up to here")
    return _fault(f'"{bracket}" is not closed', stop.char(stop.begin), help, note, value=stop.value_left_open())


def _bad_start(stop: _Stop) -> Fault:
    mark = stop.text[stop.at : stop.at + 1]
    return _fault(f'nothing begins with "{mark}"', stop.char(stop.at), QUOTES, value=stop.value_start(stop.at))


def _bad_reference(stop: _Stop) -> Fault:
    mark = stop.text[stop.begin : stop.begin + 1]
    return _fault(f'nothing begins with "{mark}"', stop.char(stop.begin), QUOTES, value=stop.value_start(stop.begin))


def _no_content(stop: _Stop) -> Fault:
    mark = stop.text[stop.at : stop.at + 1]
    return _fault(f'a value is missing before "{mark}"', stop.char(stop.at), value=stop.value_start(stop.at))


def _escape(stop: _Stop) -> Fault:
    help = r'in double quotes "\" begins an escape; use single quotes'
    span = stop.places.at(stop.at - 1, stop.at + 1)
    return _fault("an unknown escape", span, help, value=stop.value_start(stop.begin))


def _trailing(stop: _Stop) -> Fault:
    value = stop.value_start(stop.at)
    if value is None:
        return _indentation(stop)
    return _fault("nothing may follow here", stop.rest(stop.at), "the value ends before this", value=value)


FAULTS: tuple[tuple[str, Callable[[_Stop], Fault]], ...] = (
    (r"mapping values are not allowed", _colon),
    (r"could not find expected ':'", _no_colon),
    (r"sequence entries are not allowed", _dash),
    (r"quoted scalar \| found unexpected (end|document)", _open_quote),
    (r"double-quoted scalar \| (found unknown escape|expected escape)", _escape),
    (r"scanning a block scalar", _bad_reference),
    (r"scanning an? (alias|anchor)|parsing a tag|scanning a tag|tag (handle|shorthand)", _bad_reference),
    (r"flow (sequence|mapping) \| expected", _open_bracket),
    (r"expected the node content", _no_content),
    (r"cannot start any token|mapping keys are not allowed", _bad_start),
    (r"expected <block end>, but found '(<scalar>|[\]},\[{:])'", _trailing),
    (r"expected <block end>|expected '<document start>'|inconsistent indent", _indentation),
)
"""Patterns over `context | problem` of the parser's error, and who puts it into words."""
