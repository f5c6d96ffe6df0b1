"""From the path or id of a sheet straight to its program, by names alone: what a worker process can be told to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from interpreter.compiler.compile import compile_sheet
from interpreter.program import Program
from rulespec.diagnostics import RulesheetError
from rulespec.inheritance import scalar
from rulespec.loader import check_text, load, load_asking
from rulespec.model import Rulesheet

CHANGED = "what is changed"
"""The file that places name where the mistake is in a changed phrase itself."""
Changes = tuple[tuple[str, str], ...]
"""Places of a sheet, such as `deal.hand`, and what is to stand there instead."""


def program_from(
    sheet: str,
    players: int,
    options: Mapping[str, int | bool | str],
    rounds: int | None = None,
    changes: Changes = (),
    question: str | None = None,
) -> Program:
    """Read, check and compile a sheet, perhaps changed, or with a question about the end of a round.

    Raises RulesheetError, ValueError and NotPlayable as the stages do.
    """
    if question is not None:
        return compile_sheet(load_asking(sheet, question), players, options, rounds)
    return compile_sheet(changed(sheet, changes) if changes else load(sheet), players, options, rounds)


def changed(sheet: str, changes: Changes) -> Rulesheet:
    """A sheet with other phrases at some places, by the rule of `extends`.

    Raises RulesheetError where the sheet or what is written there is wrong.
    """
    base = load(sheet)
    path = Path(sheet)
    text = f"rulespec: 1\nid: {base.id}-changed\nextends: {path.stem if path.is_file() else base.id}\n"
    text += f"name: {{en: {base.id} changed}}\n" + lines_of(changes)
    checked = check_text(text, CHANGED, path.parent if path.is_file() else None)
    if checked.sheet is None:
        raise RulesheetError([found for found in checked.diagnostics if found.severity == "error"])
    return checked.sheet


def lines_of(changes: Changes) -> str:
    """The lines of a sheet that put the phrases at their places. Raises ValueError where one place lies in another."""
    return _yaml(_tree(changes))


def _tree(changes: Changes) -> dict[str, object]:
    """Places and phrases as nested maps."""
    tree: dict[str, object] = {}
    for place, phrase in changes:
        *outer, last = place.split(".")
        node = tree
        for key in outer:
            deeper = node.setdefault(key, {})
            if not isinstance(deeper, dict):
                raise ValueError(f'"{place}" lies inside another place that is changed')
            node = deeper
        node[last] = phrase
    return tree


def _yaml(tree: dict[str, object], indent: str = "") -> str:
    lines = ""
    for key, value in tree.items():
        rest = f"\n{_yaml(value, indent + '  ')}" if isinstance(value, dict) else f" {_phrase(str(value))}\n"
        lines += f"{indent}{scalar(key)}:{rest}"
    return lines


def _phrase(text: str) -> str:
    """A phrase as a value of a sheet; `none` stays the word that takes away what is inherited."""
    return text if text == "none" else scalar(text)
