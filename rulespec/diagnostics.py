"""What is wrong with a rulesheet, said with a place: one record for every mistake, its forms for people and tools."""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulespec.foreign import in_english
from rulespec.source import SourceFile, Span

Severity = Literal["error", "warning", "question"]

CODES: dict[str, str] = {
    # reading
    "no-such-sheet": "there is no file or bundled sheet of this name",
    "unreadable-file": "the file cannot be read as text",
    "too-large": "the sheet is longer, deeper or has more entries than any sheet needs",
    "bad-character": "a character that cannot be seen or that changes the direction of writing",
    "yaml-syntax": "the text is not YAML",
    "tab-indentation": "lines are indented with blanks, not with tabs",
    "empty-file": "the file holds no entries",
    "scenario-file": "the file holds scenarios, not a sheet",
    "recorded-game": "the file holds a recorded game, not a sheet",
    "several-documents": "a file holds one document",
    "yaml-feature": "a part of YAML that sheets do not use (tags, anchors, aliases, directives, merge keys)",
    "double-key": "a key stands twice in the same map",
    "bad-key": "a key is not one word or phrase",
    "no-value": "a key without a value",
    # extends
    "unknown-parent": "the sheet named by `extends` is not found",
    "abstract-sheet": "an abstract sheet is only there to be extended",
    "wrong-id": "the id is not the name of the file",
    "extends-circle": "a sheet extends itself, directly or by way of others",
    "extends-depth": "a chain of `extends` is too long",
    "none-of-common": "what an ending takes away with `none` still stands for all endings",
    "nothing-to-remove": "`none` takes away what is not there",
    # shape
    "unknown-key": "a key that has no meaning here",
    "missing-key": "a key that has to be there",
    "wrong-shape": "a phrase where a map belongs, a map where a phrase belongs, or a list",
    "wrong-choice": "not one of the words that may stand here",
    "bad-name": "a name is not lower case words joined by hyphens",
    "phrase-in-braces": "a phrase stands inside { }",
    "phrase-layout": "a phrase is not written plainly on one line",
    "huge-number": "a number has more than nine digits",
    # phrases
    "phrase-syntax": "a phrase that cannot be read: a word is missing, misplaced or misspelt",
    "phrase-too-long": "a phrase is too long or has too many parts inside one another",
    # names and types
    "unknown-word": "a word that means nothing here",
    "reserved-word": "a word of the language is used as a name",
    "double-name": "two things have the same name",
    "double-value": "the same value stands twice in a list",
    "unreached": "something the sheet declares and no working phrase reaches",
    "unreached-move": "a phrase speaks of a move that no turn reaches",
    "wrong-type": "a thing, number, condition or word where another type belongs",
    "not-a-thing": "words that do not name one thing, number or condition",
    "no-it": "there is nothing that the word `it` could mean",
    "no-player": "there is no player a word could belong to",
    "several-players": "something is asked of several players that only one can have",
    "belongs-to-nobody": "a thing of the table is asked of a player",
    "not-yet-known": "a phrase reads what is known only later",
    "always-holds": "a condition that holds whenever it is asked",
    "defined-by-itself": "a definition or table needs itself",
    "wrong-range": "a range of numbers that holds none, or a number beyond the limits",
    "no-such-rank": "a rank or card that is not in the deck",
    "no-such-suit": "a suit that does not exist",
    "empty-alternative": "one alternative of `or` may be over without a move",
    "phase-contains-itself": "a phase needs itself",
    "books-only": "an ending does more than keep books",
    "impossible-meld": "no group can be of this kind",
    "no-winner": "an ending does not say who wins",
    "ending-within-itself": "an ending is a special case of itself",
    # analysis
    "empty-deck": "a deck without a card",
    "nothing-dealt": "nobody is dealt a card",
    "computed-out-of-range": "a number worked out when the game starts is one that no game can have",
    "deal-too-large": "more cards are dealt than the deck has",
    "no-stock-left": "the whole deck is dealt, though moves draw from the stock",
    "packets-differ": "packets do not make up the hand",
    "meld-without-cards": "a kind of group into which no card fits",
    "meld-too-large": "a kind of group may be larger than the deck allows",
    "hidden-wild": "which cards are wild goes by cards that not everybody sees: is that meant?",
    "only-wild": "a kind of group may be of wild cards alone: is that meant?",
    "uncounted-card": "a card is counted, but no row of values holds it",
    "row-without-card": "a row of values that holds no card of the deck",
    "rows-overlap": "a card falls under two rows of values, and neither class is inside the other",
    "its-card-of-natural": "`its card` stands beside cards that are not wild",
    "no-pips": "`pips` stands beside cards without a number",
    "table-overlap": "two rows of a table hold the same number",
    "table-gap": "a table has no row for a number it is asked for",
    "row-never-reached": "a row of a table for numbers that never come",
    "not-followed": "a round has too many positions to look through all of them",
    "dead-end": "a turn can come to a place where a move is due and none is legal",
    "return-of-nothing": "cards go back that were never in a hand",
    "never-legal": "a move of the turn can never be made",
    "endless-turn": "a turn can go round for ever",
    "renewal-unused": "the stock is never renewed, though a rule says how",
    "renewal-of-nothing": "the stock is renewed from a pile that gets no cards",
    "stock-without-limit": "the stock is renewed again and again: is that meant?",
    "stock-unspoken": "what happens when the stock is dry?",
    "over-at-once": "a round ends as soon as it is dealt",
    "ending-never": "an ending that can never hold",
    "endings-meet": "two endings may hold at once: which counts?",
    "ender-of-extra-turns": "the ender of a round that ends after extra turns: is who took the last of them meant?",
    "nobody-wins": "no round and so no game is ever won",
    "round-goes-on": "a round goes on for ever if everybody passes",
    "game-never-ends": "the condition that ends the game can never hold",
    "game-ends-at-once": "the condition that ends the game always holds",
    "tie-never-ends": "after a tie the game never ends",
    "wrong-side": "points only go to those whom they make lose",
    "open-ended": "the game goes on until the table stops it: is that meant?",
    "idle-tie": "a tie rule that changes nothing: what is it for?",
    "opening-out-of-reach": "no hand can meet what an opening asks for",
    "constant-condition": "a condition that always or never holds",
    "no-new-group": "a move that lays no new group is asked for its new groups",
    "values-alike": "values of an option that make no difference",
    "duty-out-of-reach": "a duty that can never be met",
    "deadline-out-of-reach": "the deadline of a duty never comes",
    "time-up-elsewhere": "when time is up, moves are made that no turn offers",
    "clock-without-time-up": "what happens when the time of a turn is up?",
    "undo-without-copy": "a move stands for undo, but no move is made in private",
    "condition-replaced": "a condition takes the place of an inherited one: is that meant?",
    # scenarios
    "no-scenarios": "a sheet or folder without scenario files",
    "unusable-sheet": "scenarios of a sheet that cannot be played",
    "asserts-nothing": "a case, or a file, that does not say what is expected",
    "double-case": "two cases of one file have the same name",
    "keys-together": "keys of a case that do not go together",
    "unknown-option": "an option, or a value of it, that the sheet does not have",
    "unknown-name": "a move, zone, tally, ending, kind of group or condition that the sheet does not have",
    "no-such-card": "a card that the deck does not have",
    "too-many-cards": "a card that is written more often than the deck has it",
    "no-such-seat": "a seat or side that nobody sits at",
    "wrong-number": "not a whole number, or not one that can stand here",
}
"""Every code with what it means; each stage adds its own here."""

MAX_EXCERPT = 110
"""Cells of a source line that an excerpt shows at most."""


MAX_PRINTED = 100
"""Diagnostics that are printed in one run at most: nobody reads more, and a broken file may have thousands."""
MAX_DATA = 1000
"""Diagnostics that the forms for tools hold at most."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, doubt or question, with its place, what helps, and other places that have to do with it."""

    code: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    notes: tuple[tuple[Span, str], ...] = ()


class RulesheetError(Exception):
    """A sheet that cannot be used; `diagnostics` says why, in the order of their places."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(_first_printed(self.diagnostics, one_line)))


# ------------------------------------------------------------ many of them


def arrange(diagnostics: Iterable[Diagnostic], first: str = "") -> list[Diagnostic]:
    """Sorted by place, those of the file `first` before others, each only once."""

    def key(diagnostic: Diagnostic) -> tuple[bool, str, int, int, int, int, str, str]:
        span = diagnostic.span
        place = (span.line, span.column, span.end_line, span.end_column)
        return (span.file != first, span.file, *place, diagnostic.code, diagnostic.message)

    return sorted(dict.fromkeys(diagnostics), key=key)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


# ------------------------------------------------------------ nearest names


def nearest(word: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The known words most like `word`, the likeliest first; capitals, blanks, hyphens and underscores do not count."""
    if len(word) > 60:
        return ()
    folded: dict[str, list[str]] = {}
    for name in sorted(set(known)):
        folded.setdefault(_fold(name), []).append(name)
    close = difflib.get_close_matches(_fold(word), list(folded), n=limit, cutoff=0.65)
    return tuple(name for match in close for name in folded[match])[:limit]


def counted(number: int, word: str) -> str:
    """`1 player`, `2 players`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def counted_players(low: int, high: int) -> str:
    """`1 player`, `2-4 players`."""
    return counted(low, "player") if low == high else f"{low}-{high} players"


def did_you_mean(word: str, known: Iterable[str], limit: int = 3) -> str:
    """A help line with the nearest names, or the one a German or Dutch word means; or an empty text."""
    known = list(known)
    meant = in_english(word)
    if meant in known:
        return f'did you mean "{meant}"?'
    return is_it_one_of(nearest(word, known, limit))


def is_it_one_of(names: Sequence[str]) -> str:
    """A help line that asks whether one of these was meant, or an empty text."""
    quoted = [f'"{name}"' for name in names]
    return f"did you mean {' or '.join(quoted)}?" if names else ""


def differ_by_one(one: str, two: str) -> bool:
    """Whether one letter was added, left out or changed, or two have changed places."""
    if len(one) == len(two):
        different = sum(a != b for a, b in zip(one, two, strict=True))
        return different == 1 or (different == 2 and sorted(one) == sorted(two))
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return len(longer) == len(shorter) + 1 and any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))


def _fold(word: str) -> str:
    return word.casefold().translate({ord(mark): None for mark in "-_ "})


# ------------------------------------------------------------ forms


def one_line(diagnostic: Diagnostic) -> str:
    """`file:line:col: message [code]`"""
    return f"{place(diagnostic.span)}{visible(diagnostic.message)} [{diagnostic.code}]"


def place(span: Span) -> str:
    """`file:line:col: `, as far as it is known."""
    where = visible(span.file) + (f":{span.line}:{span.column}" if span.line else "")
    return f"{where}: " if where else ""


def pretty(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> str:
    """The one-line form, the line of the source with the characters in question underlined, help, and other places."""
    lines = [one_line(diagnostic), *excerpt(diagnostic.span, sources)]
    if diagnostic.help:
        lines.append(f"  help: {visible(diagnostic.help)}")
    for span, text in diagnostic.notes:
        lines.append(f"  {place(span)}{visible(text)}")
        lines += excerpt(span, sources)
    return "\n".join(lines)


def printed(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> list[str]:
    """The pretty forms of the first `MAX_PRINTED`, and a line about how many more there are."""
    return _first_printed(tuple(diagnostics), lambda diagnostic: pretty(diagnostic, sources))


def _first_printed(diagnostics: tuple[Diagnostic, ...], form: Callable[[Diagnostic], str]) -> list[str]:
    texts = [form(diagnostic) for diagnostic in diagnostics[:MAX_PRINTED]]
    more = len(diagnostics) - len(texts)
    return [*texts, f"and {more} more; only the first {MAX_PRINTED} are shown"] if more else texts


def excerpt(span: Span, sources: Mapping[str, SourceFile]) -> list[str]:
    """The source line a span begins on and a line of carets under it; nothing if the source is not known.

    Long lines are cut around the span. Cells, not characters, are counted, so wide characters keep the caret in place.
    """
    source = sources.get(span.file)
    if source is None or not 0 < span.line <= len(source.lines):
        return []
    line = source.line(span.line)
    start = min(max(span.column - 1, 0), len(line))
    end = min(max(span.end_column - 1, start), len(line)) if span.end_line == span.line else len(line)
    before, marked, after = (visible(part, tab="    ") for part in (line[:start], line[start:end], line[end:]))
    room = MAX_EXCERPT // 2
    if width(before) > room:
        before = "…" + _keep(before[::-1], room)[::-1]
    if width(marked) > room:
        marked, after = _keep(marked, room) + "…", ""
    elif width(before) + width(marked) + width(after) > MAX_EXCERPT:
        after = _keep(after, MAX_EXCERPT - width(before) - width(marked)) + "…"
    margin = f"{span.line:>5} | "
    caret = "^" + "~" * (width(marked) - 1)
    return [f"{margin}{before}{marked}{after}".rstrip(), f"{'| ':>{len(margin)}}{' ' * width(before)}{caret}"]


def _keep(text: str, cells: int) -> str:
    """As much of the beginning of `text` as has room in `cells`."""
    used = 0
    for index, char in enumerate(text):
        used += width(char)
        if used > cells:
            return text[:index]
    return text


def visible(text: str, tab: str = " ") -> str:
    """`text` safe to print: control characters and marks that change the direction of writing are spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(tab if char == "\t" else _spell(char) for char in text)


def _spell(char: str) -> str:
    return f"<U+{ord(char):04X}>" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def width(text: str) -> int:
    """How many cells of a terminal a text fills."""
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def as_data(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    """The first `MAX_DATA` as plain data with a version: lists, texts, numbers. `left_off` counts the others."""
    found = list(diagnostics)
    told = [_one_as_data(diagnostic, sources) for diagnostic in found[:MAX_DATA]]
    return {"version": 1, "diagnostics": told, "left_off": len(found) - len(told)}


def as_json(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> str:
    """`as_data` as JSON text."""
    return json.dumps(as_data(diagnostics, sources), indent=2)


def _one_as_data(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": visible(diagnostic.message),
        **_span_as_data(diagnostic.span),
        "help": visible(diagnostic.help),
        "notes": [{**_span_as_data(span), "message": visible(text)} for span, text in diagnostic.notes],
        "excerpt": excerpt(diagnostic.span, sources),
    }


def _span_as_data(span: Span) -> dict[str, Any]:
    return {
        "file": visible(span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
