"""Texts that name one card again and again: refused as any other, and in no time, however many twins there are."""

from __future__ import annotations

import pytest

from interpreter.compiler import compile_sheet
from interpreter.errors import IllegalMove
from interpreter.game import Game
from interpreter.moves import Meld
from rulespec.loader import load_text
from tests.conftest import QUICK

TWINS = (
    QUICK.replace("deal:\n", "deck:\n  suits: S H\n  order: 7\n  packs: 30\ndeal:\n")
    .replace("hand: 4", "hand: 9")
    .replace("cards: 3-4", "cards: 3+")
    .replace("    A: 1\n    2-10: pips\n    J-K: 20 if dear else 10\n", "    card: 7 if dear else 1\n")
    .replace("  run:\n    cards: 3-13\n    same: suit\n    consecutive: rank\n", "")
)
"""Thirty sevens of spades and as many of hearts; with nine cards one has at least five of a suit."""


@pytest.fixture
def game() -> Game:
    """After the draw, with ten cards in hand."""
    game = Game(compile_sheet(load_text(TWINS), players=2), seed=1)
    game.play("draw")
    return game


def in_hand(game: Game) -> dict[str, int]:
    """How often seat 1 holds each card."""
    pack = game.program.pack
    texts = [pack.text(card) for card in range(pack.size) if game.state.hands[0] >> card & 1]
    return {text: texts.count(text) for text in ("7S", "7H")}


def test_one_text_means_any_of_many_twins(game: Game) -> None:
    move = game.parse("meld " + " ".join(" ".join([text] * number) for text, number in in_hand(game).items()))
    (meld,) = move.choices[0]  # type: ignore[misc]

    assert isinstance(meld, Meld)
    assert len(set(meld.cards)) == sum(in_hand(game).values()) == 10


@pytest.mark.parametrize("move", ["meld", "discard"])
def test_more_twins_than_there_are_in_hand_are_refused(game: Game, move: str) -> None:
    for text, number in in_hand(game).items():
        with pytest.raises(IllegalMove, match=rf"{move}\.does"):
            game.parse(f"{move} " + " ".join([text] * (number + 1)))


def test_a_twin_named_by_its_number_is_not_taken_for_another(game: Game) -> None:
    pack, hand = game.program.pack, game.state.hands[0]
    first = next(card for card in range(pack.size) if hand >> card & 1)
    text = pack.text(first)
    others = " ".join([text] * (in_hand(game)[text] - 1))
    (meld,) = game.parse(f"meld {others} {text}#{pack.copy_number(first)}").choices[0]  # type: ignore[misc]

    assert isinstance(meld, Meld)
    assert first in meld.cards
    assert len(set(meld.cards)) == in_hand(game)[text]
    with pytest.raises(IllegalMove, match=r"meld\.does"):
        game.parse(f"meld {text}#{pack.copy_number(first)} {text}#{pack.copy_number(first)} {text}")
