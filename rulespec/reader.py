"""YAML text to a tree of nodes with places. Every scalar is text; nothing is interpreted here.

Only the event stream of ruamel.yaml is used, no constructor: nothing in a file can make an object, and whatever is
wrong becomes a diagnostic. Parts that are not part of the language (tags, anchors, merge keys …) are reported, and
reading goes on, so that one run shows as much as it can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from rulespec.characters import BAD, BLANKS, Places, screen, without_value
from rulespec.diagnostics import Diagnostic
from rulespec.source import SourceFile, Span
from rulespec.yamlwords import COLON_ALONE, explain, missing_blank

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 20_000
LANGUAGE = re.compile("[a-z]{2}").fullmatch
TYPOGRAPHIC = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
MAX_REPAIRS = 8
"""Mistakes of YAML itself after which reading goes on."""

Style = Literal["plain", "quoted", "block"]


class Text(str):
    """A scalar as it reads, with its place: a key, a phrase or a text.

    `span` covers the characters themselves, without quotes. If `exact`, the text stands on one line just so, and
    character `i` of it is character `i` of the span (a tab reads as a blank); else (escapes, several lines) only the
    whole span is known. `flow` is whether it stands inside `{ }` or `[ ]`. An empty text stands for a value whose
    mistake has been reported.
    """

    __slots__ = ("exact", "flow", "span", "style")

    span: Span
    flow: bool
    style: Style
    exact: bool

    def __new__(cls, value: str, span: Span, *, flow: bool = False, style: Style = "plain", exact: bool = True) -> Text:
        text = super().__new__(cls, value)
        text.span = span
        text.flow = flow
        text.style = style
        text.exact = exact
        return text

    def within(self, start: int, end: int) -> Span:
        """The place of the characters from `start` up to `end` (from 0)."""
        return self.span.within(start, end) if self.exact else self.span


@dataclass(frozen=True, slots=True)
class MapNode:
    """A map in the order written. A key that stands twice is kept once: two maps together, else the first value."""

    span: Span
    entries: dict[Text, Node]
    flow: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list; sheets have none, scenario files do."""

    span: Span
    items: tuple[Node, ...]
    flow: bool = False


Node: TypeAlias = Text | MapNode | ListNode


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the text of the file, its tree if there is one, and what is wrong with it."""

    source: SourceFile
    tree: MapNode | None
    diagnostics: tuple[Diagnostic, ...]


# ------------------------------------------------------------ bytes and characters


def read_bytes(data: bytes, name: str) -> Reading:
    """The tree of a file's bytes; `name` is the file in all places."""
    start = Span(name, 1, 1, 1, 2)
    if len(data) > MAX_BYTES:
        size = f"the file has {len(data) // 1024} kB, {MAX_BYTES // 1024} are allowed"
        return Reading(SourceFile(name, ""), None, (Diagnostic("too-large", "error", size, start),))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _unreadable(name, start, "the file is in UTF-16, a sheet is in UTF-8")
    try:
        return read_text(data.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        if b"\0" in data:
            return _unreadable(name, start, "the file is not a text")
        before = data[: error.start].decode("utf-8").split("\n")
        place = Span(name, len(before), len(before[-1]) + 1, len(before), len(before[-1]) + 2)
        wrong = Diagnostic(
            "unreadable-file", "error", f"byte {data[error.start]:#04x} is not UTF-8", place, "save the file as UTF-8"
        )
        rest = read_text(data.decode("utf-8", errors="replace"), name)
        return Reading(rest.source, rest.tree, (wrong, *rest.diagnostics))


def _unreadable(name: str, start: Span, message: str) -> Reading:
    wrong = Diagnostic("unreadable-file", "error", message, start, "save the file as UTF-8")
    return Reading(SourceFile(name, ""), None, (wrong,))


def read_text(text: str, name: str) -> Reading:
    """The tree of a text; `name` is the file in all places."""
    text = text.removeprefix("\ufeff")
    source = SourceFile(name, text)
    if len(text) > MAX_BYTES:
        size = f"the text has {len(text) // 1024} kB, {MAX_BYTES // 1024} are allowed"
        return Reading(source, None, (Diagnostic("too-large", "error", size, Span(name, 1, 1, 1, 2)),))
    places = Places(name, text)
    screened, found = screen(text, places)
    tabs = any(diagnostic.code == "tab-indentation" for diagnostic in found)
    tree: MapNode | None = None
    emptied: set[int] = set()
    for _ in range(MAX_REPAIRS):
        builder = _Builder(places, screened, emptied)
        try:
            tree = builder.build()
        except _Stop as stop:
            found.append(stop.diagnostic)
        except MarkedYAMLError as error:
            fault = explain(error, screened, places)
            if not tabs:
                found.append(fault.diagnostic)
            if fault.value_start is not None and fault.diagnostic.span.line not in emptied:
                emptied.add(fault.diagnostic.span.line)
                screened = without_value(screened, fault.value_start)
                continue
        except Exception:
            # the parser leaks errors of other kinds for some escapes and versions; none may reach the author
            where = builder.last
            found.append(Diagnostic("yaml-syntax", "error", "this cannot be read as YAML", places.at(where, where + 1)))
        break
    return Reading(source, tree, (*found, *builder.found))


# ------------------------------------------------------------ events to nodes


class _Stop(Exception):
    """Reading ends here; the diagnostic says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _Open:
    """A collection that is being read. For maps, `key` is the key whose value comes next."""

    start: int
    flow: bool
    is_map: bool
    entries: dict[Text, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    key: Text | None = None
    skips_value: bool = False


class _Builder:
    """Builds the tree of one text from the parser's events."""

    def __init__(self, places: Places, text: str, emptied: set[int]) -> None:
        self.places = places
        self.text = text
        self.emptied = emptied
        self.found: list[Diagnostic] = []
        self.told: set[Span] = set()
        """Empty values whose mistake is reported."""
        self.last = 0
        self.nodes = 0

    def say(self, code: str, message: str, span: Span, help: str = "", *notes: tuple[Span, str]) -> None:
        self.found.append(Diagnostic(code, "error", message, span, help, notes))

    def build(self) -> MapNode | None:
        """The tree; None if there is none. Raises what the parser raises, and `_Stop`."""
        root: Node | None = None
        documents = 0
        open_: list[_Open] = []
        for event in self.events():
            self.last = max(self.last, event.start_mark.index)
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    where = self.places.at(event.start_mark.index, event.end_mark.index)
                    self.say("several-documents", "a second document begins here, a file holds one", where)
                    break
            node = self.node(event, open_)
            if node is None:
                continue
            if open_:
                self.put(open_[-1], node)
            else:
                root = node
        return self.checked(root)

    def checked(self, root: Node | None) -> MapNode | None:
        if isinstance(root, MapNode):
            return root
        if root is None or (isinstance(root, Text) and not root):
            help = "`rulespec new NAME` writes a sheet to begin with"
            self.say("empty-file", "the file holds no entries", self.places.at(0, 1), help)
        else:
            self.say("wrong-shape", "a file is a map of keys with values", root.span)
        return None

    def events(self) -> Iterator[Any]:
        yield from YAML(typ="safe", pure=True).parse(self.text)

    def node(self, event: Any, open_: list[_Open]) -> Node | None:
        """The node that is complete with this event, if one is."""
        if isinstance(event, NodeEvent):
            self.nodes += 1
            if self.nodes > MAX_NODES:
                raise _Stop(self.limit(event, f"a file has at most {MAX_NODES} keys and values"))
            self.refuse_features(event)
        flow = bool(open_) and open_[-1].flow
        if isinstance(event, ScalarEvent):
            return self.text_of(event, flow)
        if isinstance(event, AliasEvent):
            span = self.places.at(event.start_mark.index, event.end_mark.index)
            self.told.add(span)
            return Text("", span, flow=flow)
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            if len(open_) >= MAX_DEPTH:
                raise _Stop(self.limit(event, f"maps stand in one another at most {MAX_DEPTH} deep"))
            open_.append(
                _Open(event.start_mark.index, flow or bool(event.flow_style), isinstance(event, MappingStartEvent))
            )
            return None
        if isinstance(event, CollectionEndEvent):
            done = open_.pop()
            span = self.places.at(
                done.start, max(event.end_mark.index if done.flow else self.last_end(event), done.start)
            )
            if done.is_map:
                return MapNode(span, done.entries, done.flow)
            return ListNode(span, tuple(done.items), done.flow)
        return None

    def last_end(self, event: Any) -> int:
        """The end of what was written before a block ends: its own mark stands on the next entry."""
        index: int = event.end_mark.index
        return len(self.text[:index].rstrip())

    def limit(self, event: Any, message: str) -> Diagnostic:
        index = event.start_mark.index
        return Diagnostic("too-large", "error", message, self.places.at(index, index + 1))

    def refuse_features(self, event: Any) -> None:
        start = event.start_mark.index
        if isinstance(event, AliasEvent):
            where = self.places.at(start, event.end_mark.index)
            self.say("yaml-feature", "aliases are not used in sheets", where, "write it out, or use `extends`")
            return
        written = re.compile(r"[&!][^\s,\[\]{}]*").match(self.text, start)
        where = self.places.at(start, written.end() if written else start + 1)
        if event.anchor is not None:
            self.say("yaml-feature", "anchors are not used in sheets", where, "remove it; to share rules use `extends`")
        if getattr(event, "tag", None) is not None and self.text[start : start + 1] in ("!", "&"):
            self.say("yaml-feature", "tags are not used in sheets, every value is text", where, "remove it")

    def text_of(self, event: Any, flow: bool) -> Text:
        start, end, value = event.start_mark.index, event.end_mark.index, str(event.value)
        if event.style in ("|", ">"):
            text = Text(
                value,
                self.places.at(start, max(len(self.text[:end].rstrip()), start)),
                flow=flow,
                style="block",
                exact=False,
            )
        else:
            quoted = event.style in ("'", '"')
            close = end - 1 if quoted else end
            begin = start + quoted
            if event.anchor is not None or event.tag is not None:
                begin = max(begin, close - len(value))
            exact = self.text[begin:close] == value and "\n" not in value
            style: Style = "quoted" if quoted else "plain"
            text = Text(value, self.places.at(begin, max(close, begin)), flow=flow, style=style, exact=exact)
        if BAD.search(value):
            self.say("bad-character", "an escape makes a character that may not stand in a sheet", text.span)
            return Text(BAD.sub("\ufffd", value), text.span, flow=flow, style=text.style, exact=False)
        return text

    # -------------------------------------------------------- keys and values

    def put(self, parent: _Open, node: Node) -> None:
        """Put a complete node where it belongs."""
        if not parent.is_map:
            if isinstance(node, Text) and not node and node.span not in self.told:
                self.say("no-value", "an item of a list is empty", node.span)
            parent.items.append(node)
        elif parent.skips_value:
            parent.skips_value = False
        elif parent.key is None:
            parent.key = self.key(node)
            parent.skips_value = parent.key is None
        else:
            key, parent.key = parent.key, None
            key, node = self.parted(key, node)
            if not self.continues(parent, key, node):
                self.enter(parent.entries, key, self.value(key, node))

    def key(self, node: Node) -> Text | None:
        """The node as a key, or None if it is none."""
        if not isinstance(node, Text):
            self.say("bad-key", "a key is a word or a phrase, not a map or a list", node.span, "put it in quotes")
            return None
        if not node:
            self.say("bad-key", "a value without a key", node.span)
            return None
        if not node.exact and "\ufffd" not in node:
            self.say("bad-key", "a key stands on one line, without escapes", node.span)
        if node == "<<" and node.style == "plain":
            self.say("yaml-feature", "merge keys are not used in sheets", node.span, "use `extends`")
            return None
        return node

    def parted(self, key: Text, node: Node) -> tuple[Text, Node]:
        """An entry `{key:value}`, which reads as a key alone, as what was meant; the missing blank is reported."""
        plain = key.flow and key.exact and key.style == "plain"
        alone = COLON_ALONE.fullmatch(key) if plain and node == "" else None
        if alone is None:
            return key, node
        colon = alone.start("colon")
        self.found.append(missing_blank(alone, key.within(colon, colon + 1)))
        value = Text(alone["value"], key.within(colon + 1, len(key)), flow=True)
        return Text(alone["key"], key.within(0, colon), flow=True), value

    def continues(self, parent: _Open, key: Text, node: Node) -> bool:
        """Whether a key without a value is the rest of the text before it, which holds a comma: that is reported."""
        if not parent.entries or not parent.flow or node != "" or LANGUAGE(key):
            return False
        before, text = next(reversed(parent.entries.items()))
        if not isinstance(text, Text) or text.style != "plain" or not all(map(LANGUAGE, parent.entries)):
            return False
        whole = Text(f"{text}, {key}", text.span, flow=True, exact=False)
        parent.entries[before] = whole
        help = f'put the text in quotes: {before}: "{whole.strip(TYPOGRAPHIC)}"'
        self.say("no-value", "a text in braces ends at its comma", key.span, help)
        return True

    def value(self, key: Text, node: Node) -> Node:
        """The node as a value; what says nothing is reported and becomes an empty text."""
        if not isinstance(node, Text):
            return node
        nothing = node in ("", "~", "null", "Null", "NULL") and node.style == "plain"
        if node.strip() and not nothing:
            return node
        if key.span.line not in self.emptied and node.span not in self.told:
            help = "write a value, or leave the key out; `none` takes away what is inherited"
            self.say("no-value", f'"{key}" has no value', key.span, help)
        return Text("", key.span, flow=node.flow)

    def enter(self, entries: dict[Text, Node], key: Text, value: Node) -> None:
        if key not in entries:
            entries[key] = value
            return
        first = next(known for known in entries if known == key)
        self.say("double-key", f'"{key}" stands here twice', key.span, "", (first.span, "the first one"))
        old = entries[key]
        if isinstance(old, MapNode) and isinstance(value, MapNode):
            for inner, node in value.entries.items():
                self.enter(old.entries, inner, node)


# ------------------------------------------------------------ phrases


def phrase_problems(text: Text) -> list[Diagnostic]:
    """What is wrong with the way a phrase is written down, whatever it says."""
    found: list[Diagnostic] = []
    if not text:
        return found

    def say(code: str, message: str, span: Span, help: str = "") -> None:
        found.append(Diagnostic(code, "error", message, span, help))

    if text.flow:
        say("phrase-in-braces", "a phrase may not stand inside { } or [ ]", text.span, "give it a line of its own")
    if text.style == "block" or text.span.line != text.span.end_line:
        say("phrase-layout", "a phrase stands on one line", text.span, "write it behind its key, without | or >")
    elif not text.exact:
        say("phrase-layout", "a phrase has no escapes", text.span, "write it without quotes")
    for match in re.finditer(r"\d{10,}", text):
        say("huge-number", "a number has at most nine digits", text.within(*match.span()))
    for match in BLANKS.finditer(text):
        say("bad-character", "a no-break blank", text.within(*match.span()), "write an ordinary blank")
    return found
