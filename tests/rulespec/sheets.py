"""Sheets for the tests of the language: the bundled ones, and small ones that a test writes around a phrase."""

from __future__ import annotations

import re
from pathlib import Path

from rulespec.checker import check
from rulespec.diagnostics import Diagnostic
from rulespec.inheritance import meaning_hash, resolve
from rulespec.model import Rulesheet
from rulespec.reader import read_text
from rulespec.shape import check_shape

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "variants"
ALL = sorted(path.name for path in FOLDER.glob("*.yaml") if not path.name.endswith(".test.yaml"))
"""Every bundled sheet."""

SMALL = """\
rulespec: 1
id: small
name: {en: Small}
players: 2-4
deal:
  hand: 7
  discards: 1
melds:
  set:
    cards: 3-4
    same: rank
  run:
    cards: 3-13
    same: suit
    consecutive: rank
values:
  hand:
    card: 1
turn: (draw or take) then any number of (meld or lay-off) then discard
round:
  wins: ender
  endings:
    out: hand is empty
    dry: turn is over and stock is dry
game:
  ends: some player has score >= 100
  wins: everyone with least score
"""


def text_of(name: str) -> str:
    """The text of a bundled sheet, or of a rule of the cookbook (`cookbook/eights-skip`)."""
    kind, _, rule = name.rpartition("/")
    if kind != "cookbook":
        return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
    rules: list[str] = re.findall(r"(?ms)^```yaml sheet\n(.*?)^```$", page)
    return next(text for text in rules if f"\nid: {rule}\n" in text)


def check_text(text: str, name: str = "small.yaml") -> tuple[Rulesheet | None, list[Diagnostic]]:
    """What the checker makes of a sheet without mistakes of shape; what it extends may be bundled."""
    reading = read_text(text, name)
    resolved = resolve(reading, FOLDER)
    assert resolved is not None
    raw, wrong = check_shape(resolved.tree, resolved.complete)
    assert raw is not None
    assert [*reading.diagnostics, *resolved.diagnostics, *wrong] == []
    return check(raw, resolved.ancestors, meaning_hash(resolved.tree))


def small(**sections: str) -> str:
    """The small sheet with sections added or replaced; each is the text below its key, or the phrase behind it."""
    blocks: dict[str, str] = {}
    for line in SMALL.splitlines(keepends=True):
        if not line.startswith(" "):
            key = line.split(":")[0]
        blocks[key] = blocks.get(key, "") + line
    for key, text in sections.items():
        behind = f"\n{text.rstrip()}" if text.startswith(" ") else f" {text}"
        blocks[key] = f"{key}:{behind}\n"
    return "".join(blocks.values())


def checked(text: str) -> Rulesheet:
    """The checked sheet of a text without mistakes."""
    sheet, problems = check_text(text)
    assert problems == []
    assert sheet is not None
    return sheet


def problems(text: str) -> list[Diagnostic]:
    """What is wrong with a text that holds mistakes; no sheet comes of it."""
    sheet, found = check_text(text)
    assert sheet is None
    return found


def place(text: str, at: str) -> tuple[int, int]:
    """Line and column of the character behind the bar in `at`, which stands once in the text without the bar."""
    before, after = at.split("|")
    assert text.count(before + after) == 1, at
    start = text.index(before + after) + len(before)
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
