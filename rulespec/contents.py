"""The list of bundled sheets, from the lines of each that say what it is called and for how many: nothing is checked.

Reading and checking every sheet takes seconds, and the list needs four lines of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from rulespec.diagnostics import counted_players
from rulespec.reader import MapNode, Node, read_text
from rulespec.shelf import PRELUDE, bundled

KEYS = ("id", "extends", "abstract", "name", "players")
"""What is read of a sheet."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bundled sheet that can be played."""

    id: str
    name: str
    """In English."""
    players: str
    """`2 players`, `2-4 players`."""


def contents() -> list[Entry]:
    """The bundled sheets that are not abstract, by their ids."""
    heads = {name: _head((files("variants") / f"{name}.yaml").read_text(encoding="utf-8"), name) for name in bundled()}
    return [_entry(name, heads) for name, head in heads.items() if str(head.get("abstract", "no")) != "yes"]


def _head(text: str, name: str) -> dict[str, Node]:
    tree = read_text(excerpt(text), f"variants/{name}.yaml").tree
    return {} if tree is None else {str(key): node for key, node in tree.entries.items()}


def excerpt(text: str) -> str:
    """The entries of KEYS in the text of a sheet, each with the lines under it that are indented."""
    kept: list[str] = []
    keeping = False
    for line in text.splitlines(keepends=True):
        if line[0] not in " \t#\r\n":
            keeping = line.partition(":")[0].rstrip() in KEYS
        if keeping:
            kept.append(line)
    return "".join(kept)


def _entry(name: str, heads: dict[str, dict[str, Node]]) -> Entry:
    names = _said("name", name, heads)
    by_language = {str(key): str(word) for key, word in names.entries.items()} if isinstance(names, MapNode) else {}
    return Entry(name, by_language.get("en", name), _players(str(_said("players", name, heads))))


def _said(key: str, name: str, heads: dict[str, dict[str, Node]]) -> Node | None:
    """What the sheet says under a key, or the nearest of those it extends that says something."""
    for _ in heads:
        head = heads.get(name, {})
        if key in head:
            return head[key]
        name = str(head.get("extends", PRELUDE))
    return None


def _players(said: str) -> str:
    low, _, high = said.partition("-")
    return counted_players(int(low), int(high or low))
