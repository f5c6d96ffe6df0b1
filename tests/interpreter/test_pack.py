"""Cards as masks: from cards to a mask and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.pack import WORD, bit_list, bits, mask_of


@given(st.sets(st.integers(0, 5 * WORD)))
def test_a_mask_gives_back_its_cards_from_the_lowest(cards: set[int]) -> None:
    mask = sum(1 << card for card in cards)

    assert mask_of(cards) == mask_of(tuple(cards)) == mask
    assert bit_list(mask) == list(bits(mask)) == sorted(cards)
