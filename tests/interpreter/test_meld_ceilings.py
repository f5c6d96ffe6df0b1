"""What is soon told of the groups of a hand is never less than what they come to."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.meld_limits import MANY, Weighed
from interpreter.melds import Kind, MeldRules, StandsFor
from interpreter.moves import Meld
from interpreter.pack import Pack, mask_of

RANKS = ("A", "2", "3", "4", "5")
RUN = Kind(
    index=0, name="run", cards=(3, 5), natural=(0, 5), wild=(0, 2), same=frozenset({"suit"}), different=frozenset(),
    consecutive=True, of=None, apart=None, needs=(),
)  # fmt: skip
SET = replace(
    RUN, index=1, name="set", cards=(3, 4), same=frozenset({"rank"}), different=frozenset({"suit"}), consecutive=False
)
FLUSH = replace(RUN, index=2, name="flush", consecutive=False)
TWO_PACKS = Pack(RANKS, False, ("S", "H", "D", "C"), 2, 2)
JOKERS = TWO_PACKS.cards_of_face[TWO_PACKS.joker_face]
RULES = MeldRules(TWO_PACKS, (RUN, SET), JOKERS, StandsFor.NAMED)
HANDS = st.lists(st.sampled_from(range(40)), min_size=3, max_size=11, unique=True).map(mask_of)
WEIGHTS = st.lists(st.integers(-9, 9), min_size=11, max_size=11)


def weighed(weights: list[int]) -> Weighed:
    """A sum to which a group adds something by its kind, its size and its first rank."""

    def part(meld: Meld) -> int:
        return weights[meld.kind] + weights[2 + len(meld.cards)] + weights[TWO_PACKS.face_rank[meld.names[0]]]

    return Weighed(part, -MANY, MANY, tuple(weights))


@given(HANDS, WEIGHTS)
@settings(deadline=None)
def test_no_groups_of_a_hand_change_a_sum_by_more_than_its_ceiling(hand: int, weights: list[int]) -> None:
    one = weighed(weights)
    sums = [sum(map(one.part, melds)) for melds in RULES.arrangements(hand)]

    found = RULES.ceiling(one, hand)

    assert found is not None
    adds, lessens = found
    assert -lessens <= min(sums)
    assert max(sums) <= adds


def test_a_hand_without_groups_changes_no_sum() -> None:
    hand = mask_of([TWO_PACKS.parse_face(card) for card in ("AS", "2S", "4S", "AH", "3D", "5D")])

    assert RULES.ceiling(weighed([1] * 11), hand) == (0, 0)


def test_nothing_is_soon_told_with_wild_cards_or_of_kinds_without_parts() -> None:
    hand = mask_of([TWO_PACKS.parse_face(card) for card in ("AS", "2S", "3S")])
    loose = MeldRules(TWO_PACKS, (RUN, SET, FLUSH), JOKERS, StandsFor.NAMED)

    assert RULES.ceiling(weighed([1] * 11), hand | JOKERS) is None
    assert loose.ceiling(weighed([1] * 11), hand) is None
