"""What other engines say of gin is what `gin-one-deal` says; `python -m benchmarks.peer_rules` compares much more."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.peers.gin_players import PLAYERS

GAMES = {"uniform": 6, "melding": 12, "patient": 4}


def peer(package: str, module: str) -> Any:
    """A module that needs a package of the extra `peers`."""
    pytest.importorskip(package, reason=f"{package} is not installed (pip install 'rulespec[peers]')")
    return importlib.import_module(f"tests.peers.{module}")


@pytest.mark.parametrize("players", PLAYERS)
def test_openspiel_lists_the_same_moves_and_pays_the_same(players: str) -> None:
    counts = peer("pyspiel", "openspiel_gin").compare(range(GAMES[players]), players)
    assert counts.examples == []
    assert counts.returns == 2 * GAMES[players]


@pytest.mark.parametrize("rules", ["oklahoma", "strict"])
def test_openspiel_agrees_about_other_limits_and_bonuses(rules: str) -> None:
    counts = peer("pyspiel", "openspiel_gin").compare(range(8), "melding", rules)
    assert counts.examples == []
    assert counts.returns == 16


def test_rlcard_counts_the_same_and_knocks_with_the_same_cards() -> None:
    counts = peer("rlcard", "rlcard_hands").compare(range(60))
    assert counts.examples == []
    assert min(counts.able, counts.going) > 5
