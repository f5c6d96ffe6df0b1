"""The program of every bundled variant, kept to be read: what changes in one shows in a diff.

`python -m tests.interpreter.test_listing` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.listing import program_text
from tests.interpreter.table import playable, program_of, sheet_of

GOLDEN = Path(__file__).parent.parent / "golden" / "programs"


def listing(sheet_id: str) -> str:
    """The program at the smallest table, with default options."""
    return program_text(program_of(sheet_id, sheet_of(sheet_id).players.low))


@pytest.mark.parametrize("sheet_id", playable())
def test_the_program_is_the_one_kept(sheet_id: str) -> None:
    assert listing(sheet_id) == (GOLDEN / f"{sheet_id}.txt").read_text(encoding="utf-8")


def test_no_listing_is_kept_of_a_variant_that_is_gone() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(playable())


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in playable():
        (GOLDEN / f"{name}.txt").write_text(listing(name), encoding="utf-8")
