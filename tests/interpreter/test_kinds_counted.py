"""How many different ranks or suits natural cards have, as `number of ranks in THINGS` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.compiler.cases import run_file

SHEET = """\
rulespec: 1
id: small
name: {en: Small}
players: 2
deck:
  packs: 2
  jokers: 2
deal:
  hand: 7
  discards: 1
wild:
  cards: joker
  stands-for: its place
melds:
  set:
    cards: 3-4
    same: rank
values:
  everywhere:
    card: 1
turn: draw then may spread then discard
moves:
  spread:
    only: CONDITION
round:
  wins: ender
  scores:
    losers: points of hand
  endings:
    dry: turn is over and stock is dry
game:
  ends: some player has score >= 10
  wins: everyone with least score
"""


def allowed(folder: Path, condition: str, hand: str, move: str) -> bool:
    """Whether the groups may be laid."""
    (folder / "small.yaml").write_text(SHEET.replace("CONDITION", condition))
    case = (
        f"  - name: c\n    source: s\n    hand: {hand}\n    stock: 9C 9D\n    moves: [draw, {move}]\n    legal: yes\n"
    )
    file = folder / "small.test.yaml"
    file.write_text(f"sheet: small\ncases:\n{case}")
    result, _ = run_file(str(file))
    assert result.problems == ()
    return not result.cases[0].failures


SETS = "7S 7H 7D 7C 7S 7H KS KH JK 2D 3D"
TWICE_SEVEN = "spread 7S 7H 7D / 7C 7S 7H"
SEVEN_AND_KING = "spread 7S 7H 7D / KS KH JK"


@pytest.mark.parametrize(
    ("condition", "move", "right"),
    [
        # of two sets of sevens there is one rank, of sevens and kings there are two; the joker has none
        ("number of ranks in sets in played = number of sets in played", TWICE_SEVEN, False),
        ("number of ranks in sets in played = number of sets in played", SEVEN_AND_KING, True),
        ("number of ranks in played = 2", SEVEN_AND_KING, True),
        # spades, hearts and diamonds lie there; in the hand are left 7C, twins of 7S and 7H, 2D, 3D and the drawn 9C
        ("number of suits in played = 3", SEVEN_AND_KING, True),
        ("number of suits in hand = 4", SEVEN_AND_KING, True),
        ("number of ranks in hand = 4", SEVEN_AND_KING, True),
        ("number of ranks in hand = 3", SEVEN_AND_KING, False),
    ],
)
def test_different_ranks_and_suits_are_counted(tmp_path: Path, condition: str, move: str, right: bool) -> None:
    assert allowed(tmp_path, condition, SETS, move) is right
