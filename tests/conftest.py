"""What several tests need: a small game that is played in a moment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("gate", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("gate")  # the gate tries the same examples each time; elsewhere every run tries new ones

QUICK = """\
rulespec: 1
id: quick
name: {en: Quick}
players: 2-4
options:
  rounds: 1 or 2
  dear: no or yes
deal:
  hand: 4
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
    A: 1
    2-10: pips
    J-K: 20 if dear else 10
turn: (draw or take) then any number of (meld or lay-off) then discard
moves:
  discard:
    only:
      another-card: it is not taken
round:
  wins: everyone with least points of hand
  scores:
    everyone: points of hand
  endings:
    out: hand is empty
    dry: turn is over and stock is dry
game:
  ends: round = rounds
  wins: everyone with least score
"""
"""Sets and runs of seven-card rummy with four cards; a game is one round or two."""


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the sheet QUICK."""
    path = tmp_path_factory.mktemp("sheets") / "quick.yaml"
    path.write_text(QUICK, encoding="utf-8")
    return path
