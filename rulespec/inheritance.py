"""`extends`: a sheet laid over the sheets it names, key by key. Every key and value keeps the place of who wrote it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.reader import ListNode, MapNode, Node, Reading, Text
from rulespec.shelf import PRELUDE, find, known
from rulespec.source import SourceFile, Span

MAX_ANCESTORS = 8
MAX_KNOWN = 50
"""Keys looked at for the nearest one."""
OWN = ("rulespec", "id", "extends", "abstract")
"""Keys a sheet has for itself alone."""
TEXTS = ("id", "extends", "name", "sources", "readings", "notes", "words")
"""Keys that change what a sheet says, not what it means."""
NAMED = ("if", "only", "duty", "needs")
"""Keys of a move or meld whose lone phrase is the entry `rule`."""

Path_ = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A sheet with everything it inherits, lone phrases under their entry name."""

    tree: MapNode
    ancestors: tuple[str, ...]
    """The ids it extends, nearest first; the last is `standard`."""
    complete: bool
    """False if an ancestor, or a part of one, could not be read: what seems to be missing may be there."""
    sources: dict[str, SourceFile]
    """By file: the sheet and its ancestors."""
    diagnostics: tuple[Diagnostic, ...]
    inherited: MapNode | None = None
    """The tree of its ancestors alone; None for the prelude."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One sheet of a chain; `said` is where the sheet below names it."""

    id: str
    reading: Reading
    beside: Path | None
    said: Span


def resolve(reading: Reading, beside: Path | None) -> Resolved | None:
    """The sheet laid over its ancestors, which are looked for in the folder `beside` and among the bundled sheets.

    None if the sheet itself has no tree; its own diagnostics are not repeated.
    """
    if reading.tree is None:
        return None
    chain, found = _chain(reading, reading.tree, beside)
    complete = not found and all(sheet.reading.tree is not None for sheet in chain)
    tree: MapNode | None = None
    ancestors: MapNode | None = None
    for sheet in reversed(chain):
        if sheet.reading.tree is None:
            continue
        own = _tidy_map(sheet.reading.tree, ())
        ancestors = tree
        base = MapNode(own.span, {}) if tree is None else tree
        inherited = {key: node for key, node in base.entries.items() if key not in OWN}
        tree = merge(MapNode(base.span, inherited), own, "", found)
        found += _still_common(own, tree)
    assert tree is not None
    for sheet in chain[1:]:
        found += sheet.reading.diagnostics
    sources = {sheet.reading.source.name: sheet.reading.source for sheet in chain}
    return Resolved(tree, tuple(sheet.id for sheet in chain[1:]), complete, sources, tuple(found), ancestors)


# ------------------------------------------------------------ the chain


def _chain(reading: Reading, tree: MapNode, beside: Path | None) -> tuple[list[_Sheet], list[Diagnostic]]:
    """The sheet and its ancestors, nearest first, as far as they are found, and what is wrong with the chain."""
    own = tree.entries.get(_key("id"))
    name = str(own) if isinstance(own, Text) and own else Path(reading.source.name).stem
    chain = [_Sheet(name, reading, beside, tree.span)]
    while (parent := _parent(chain[-1])) is not None:
        if len(chain) > MAX_ANCESTORS:
            message = f"a chain of `extends` is at most {MAX_ANCESTORS} sheets long"
            return chain, [Diagnostic("extends-depth", "error", message, parent.span)]
        place = find(parent, chain[-1].beside)
        if place is None:
            return chain, [_unknown(parent, chain[-1])]
        if Path(place[0].source.name) in [Path(sheet.reading.source.name) for sheet in chain]:
            circle = " -> ".join([sheet.id for sheet in chain] + [str(parent)])
            notes = tuple((sheet.said, f"{sheet.id} is extended here") for sheet in chain[1:])
            return chain, [
                Diagnostic("extends-circle", "error", f"the sheet extends itself: {circle}", parent.span, "", notes)
            ]
        chain.append(_Sheet(str(parent), *place, parent.span))
    return chain, []


def _parent(sheet: _Sheet) -> Text | None:
    """The id a sheet extends; None for the prelude and for a sheet whose text has no tree or names no phrase."""
    if sheet.reading.tree is None or sheet.id == PRELUDE:
        return None
    said = sheet.reading.tree.entries.get(_key("extends"))
    return said if isinstance(said, Text) and said else Text(PRELUDE, sheet.reading.tree.span, exact=False)


def _unknown(parent: Text, sheet: _Sheet) -> Diagnostic:
    ids = [name for name in known(sheet.beside) if name != sheet.id]
    help = did_you_mean(parent, ids) or "it is looked for beside this file and among the bundled sheets"
    return Diagnostic("unknown-parent", "error", f'there is no sheet "{parent}"', parent.span, help)


def _key(name: str) -> Text:
    return Text(name, Span("", 0, 0, 0, 0))


# ------------------------------------------------------------ lone phrases


def tidy(node: Node, path: Path_) -> Node:
    """The node that stands at `path`, with lone phrases under the name of their entry."""
    if isinstance(node, MapNode):
        return _tidy_map(node, path)
    name = _entry_name(path)
    if name and isinstance(node, Text) and node and not _removes(node):
        key = Text(name, node.span, flow=node.flow, exact=False)
        return MapNode(node.span, {key: node}, node.flow)
    return node


def _tidy_map(node: MapNode, path: Path_) -> MapNode:
    return MapNode(node.span, {key: tidy(value, (*path, key)) for key, value in node.entries.items()}, node.flow)


def _entry_name(path: Path_) -> str:
    """What a lone phrase at `path` is called, or an empty text where only one phrase can stand."""
    match path:
        case ("moves" | "melds", _, key) if key in NAMED:
            return "rule"
        case ("round", "scores", _) | ("game", "bonus", _) | ("round", "endings", _, "scores", _):
            return "rule"
        case ("round", "times") | ("round", "endings", _, "times"):
            return "rule"
        case ("round", "endings", _):
            return "when"
    return ""


def _removes(node: Node) -> bool:
    return isinstance(node, Text) and node == "none" and node.style == "plain"


# ------------------------------------------------------------ laying over


def merge(base: MapNode, over: MapNode, where: str, found: list[Diagnostic]) -> MapNode:
    """`over` laid over `base`: maps key by key, anything else replaces, `none` removes; what is wrong goes to `found`.

    A key that both have is the one `over` wrote; new keys come last. `where` is the path of both, with a dot behind.
    """
    entries = dict(base.entries)
    for key, node in over.entries.items():
        old = entries.get(key)
        if _removes(node):
            if old is None:
                found.append(_nothing(key, where, base))
            entries.pop(key, None)
        elif isinstance(node, MapNode):
            under = old if isinstance(old, MapNode) else MapNode(node.span, {})
            entries[key] = merge(under, node, f"{where}{key}.", found)
        elif old is None or node:
            entries[key] = node
    writers = {key: key for key in over.entries}
    return MapNode(over.span, {writers.get(key, key): node for key, node in entries.items()}, over.flow)


def _still_common(own: MapNode, merged: MapNode) -> list[Diagnostic]:
    """Asks where an ending takes away with `none` what stands beside `endings` too, so that it still counts."""
    common = _at(merged, "round")
    found = []
    for name, ending in _entries(_at(_at(own, "round"), "endings")):
        for key, node in [*_entries(ending), *_entries(_at(ending, "scores"))]:
            line = _at(common if key in ("wins", "times") else _at(common, "scores"), key)
            if _removes(node) and line is not None:
                message = f'with `none`, the "{key}" of `round` counts for "{name}": is that meant?'
                help = "if not, write the line here with another phrase, such as `0`"
                found.append(Diagnostic("none-of-common", "question", message, key.span, help))
    return found


def _at(node: Node | None, key: str) -> Node | None:
    return node.entries.get(_key(key)) if isinstance(node, MapNode) else None


def _entries(node: Node | None) -> list[tuple[Text, Node]]:
    return list(node.entries.items()) if isinstance(node, MapNode) else []


def _nothing(key: Text, where: str, base: MapNode) -> Diagnostic:
    message = f'nothing to remove: no "{where}{key}" is inherited'
    known = list(base.entries)[:MAX_KNOWN]
    return Diagnostic("nothing-to-remove", "error", message, key.span, did_you_mean(key, known))


# ------------------------------------------------------------ text and hash

ORDER = (
    *("rulespec", "id", "extends", "name", "sources", "readings", "notes", "abstract", "players", "sides", "options"),
    *("tables", "tallies", "define", "deck", "zones", "deal", "stock", "wild", "melds", "values", "turn", "phases"),
    *("moves", "automatic", "round", "game", "manners", "words"),
)
"""Sections in the order of the reference."""


def canonical(tree: MapNode) -> str:
    """The tree as YAML in a fixed order: sections as in the reference, entries by name, endings as they are tried."""
    sections = sorted(tree.entries.items(), key=lambda entry: (_place(entry[0]), entry[0]))
    return "".join(line + "\n" for key, node in sections for line in _lines(key, node, (key,)))


def without_words(tree: MapNode) -> tuple[MapNode, int]:
    """The tree without the names for people, and how many there were."""
    words = tree.entries.get(_key("words"))
    entries = {key: node for key, node in tree.entries.items() if key != "words"}
    return MapNode(tree.span, entries, tree.flow), len(_entries(words))


def meaning_hash(tree: MapNode) -> str:
    """SHA-256 (hex) of what the tree means: names, words, notes, blanks and the order of keys do not count."""
    entries = {key: _spaced(node) for key, node in tree.entries.items() if key not in TEXTS}
    return hashlib.sha256(canonical(MapNode(tree.span, entries)).encode()).hexdigest()


def _place(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)


def _spaced(node: Node) -> Node:
    """The node with single blanks between words."""
    if isinstance(node, MapNode):
        return MapNode(node.span, {_one_spaced(key): _spaced(value) for key, value in node.entries.items()})
    return _one_spaced(node) if isinstance(node, Text) else node


def _one_spaced(text: Text) -> Text:
    return Text(" ".join(text.split()), text.span)


def _lines(key: Text, node: Node, path: Path_) -> list[str]:
    indent = "  " * (len(path) - 1)
    if isinstance(node, MapNode):
        if not node.entries:
            return [f"{indent}{scalar(key)}: {{}}"]
        entries = list(node.entries.items())
        if path != ("round", "endings"):
            entries.sort(key=lambda entry: entry[0])
        inner = [line for name, value in entries for line in _lines(name, value, (*path, name))]
        return [f"{indent}{scalar(key)}:", *inner]
    text = f"[{', '.join(map(_item, node.items))}]" if isinstance(node, ListNode) else scalar(node)
    return [f"{indent}{scalar(key)}: {text}"]


def _item(node: Node) -> str:
    if isinstance(node, Text):
        return scalar(node, flow=True)
    if isinstance(node, ListNode):
        return f"[{', '.join(map(_item, node.items))}]"
    entries = (f"{scalar(key, flow=True)}: {_item(value)}" for key, value in node.entries.items())
    return f"{{{', '.join(entries)}}}"


def scalar(text: str, flow: bool = False) -> str:
    """A text as a YAML scalar that reads as the same text: plain where that is possible; `flow` is inside brackets."""
    if "\\" in text or not text.isprintable():
        return '"' + "".join(_escaped(char) for char in text) + '"'
    plain = (
        text not in ("", "~", "null", "Null", "NULL", "none", "<<")
        and text.strip() == text
        and (text[0] not in "-?:,[]{}#&*!|>'\"%@`" or re.match(r"-\S", text) is not None)
        and re.search(r":(\s|$)|\s#", text) is None
        and not text.startswith(("---", "..."))
        and not (flow and re.search(r"[,\[\]{}:]", text))
    )
    return text if plain else "'" + text.replace("'", "''") + "'"


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\U{ord(char):08x}"
