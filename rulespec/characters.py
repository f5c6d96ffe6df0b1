"""What stands before YAML: characters that may not be in a sheet, indentation, directives, offsets and places."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from rulespec.diagnostics import Diagnostic
from rulespec.source import Span

MAX_REPORTED = 20
"""Bad characters reported one by one."""

BAD = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
    r"|\r(?!\n)|[\U000e0000-\U000e0fff]"
)
"""Characters that cannot be seen, end a line unseen, or change the direction of writing."""

BLANKS = re.compile("[\u00a0\u2007\u202f]")
"""Blanks that do not part words."""

INDENTATION = re.compile(r"^ *([\t\u00a0][ \t\u00a0]*)(?=[^\s#])", re.MULTILINE)
HEAD = re.compile(r"(?P<directive>%[^\r\n]*)(?:\r?\n|$)|[ ]*(?:#[^\r\n]*)?\r?\n")


SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})
"""Letters that other languages write with two letters, or that are no letter with an accent."""


def plain_letters(word: str) -> str:
    """A word in the small letters of names, as people write it who have no others: `käufe` is `kaeufe`."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", word).casefold().translate(SPELT))
    return "".join(part for part in parts if not unicodedata.combining(part))


class Places:
    """Turns offsets of a text into spans."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, start: int, end: int) -> Span:
        line, end_line = bisect_right(self.starts, start), bisect_right(self.starts, end)
        return Span(self.name, line, start - self.starts[line - 1] + 1, end_line, end - self.starts[end_line - 1] + 1)


def screen(text: str, places: Places) -> tuple[str, list[Diagnostic]]:
    """The text with as many characters in which the YAML parser finds only what may be there, and what is wrong.

    Bad characters become U+FFFD, tabs become blanks (in indentation they are reported), directives comments.
    """
    found = _bad_characters(text, places)
    text = BAD.sub("\ufffd", text)
    found += _indentation(text, places)
    text = re.sub(r"^[ \t\u00a0]+", lambda match: " " * len(match.group()), text, flags=re.MULTILINE).replace("\t", " ")
    for start, end in _directives(text):
        where = places.at(start, end)
        found.append(
            Diagnostic("yaml-feature", "error", "YAML directives are not used in sheets", where, "remove the line")
        )
        text = text[:start] + "#" * (end - start) + text[end:]
    return text, found


def without_value(text: str, start: int) -> str:
    """The text with the rest of the line from `start` made a comment, which begins behind a blank."""
    blank = "" if text[:start].endswith(" ") else " "
    comment = re.sub(r"^[^\r\n]*", lambda match: "#" * len(match.group()), text[start + len(blank) :], count=1)
    return text[:start] + blank + comment


def _bad_characters(text: str, places: Places) -> list[Diagnostic]:
    found = []
    for index, match in enumerate(BAD.finditer(text)):
        if index == MAX_REPORTED:
            message = "there are more characters that may not stand in a sheet"
            found.append(Diagnostic("bad-character", "error", message, places.at(*match.span())))
            break
        message = f"character U+{ord(match.group()):04X} may not stand in a sheet"
        found.append(Diagnostic("bad-character", "error", message, places.at(*match.span()), "remove it"))
    return found


def _indentation(text: str, places: Places) -> list[Diagnostic]:
    found = []
    for match in INDENTATION.finditer(text):
        tab = "\t" in match.group(1)
        code, what = ("tab-indentation", "a tab") if tab else ("bad-character", "a no-break blank")
        message = f"the line is indented with {what}"
        found.append(Diagnostic(code, "error", message, places.at(*match.span(1)), "indent with blanks"))
    return found


def _directives(text: str) -> list[tuple[int, int]]:
    """Lines that begin with `%` before anything else."""
    found = []
    end = 0
    while end < len(text) and (match := HEAD.match(text, end)):
        if match.group("directive"):
            found.append(match.span("directive"))
        end = match.end()
    return found
