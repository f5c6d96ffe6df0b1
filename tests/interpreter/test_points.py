"""What cards count (language reference, `values`), where it once went wrong."""

from __future__ import annotations

import pytest

from interpreter.moves import Group
from interpreter.program import Env
from tests.interpreter.small import game


def test_a_wild_rank_lying_as_itself_counts_by_the_next_row_not_by_its_card() -> None:
    table = game(
        wild="  cards: joker or 2\n  stands-for: its place",
        values="  everywhere:\n    A: 1\n    2-10: pips\n    J-K: 10\n  melds:\n    2: its card",
        round="  scores:\n    everyone: points of laid - points of hand\n  wins: everyone with most points of laid\n"
        "  endings:\n    out: hand is empty\n    dry: turn is over and stock is dry",
        turn="draw then any number of meld then discard",
    )
    pack, melds = table.program.pack, table.state.rules.melds
    cards = {text: pack.parse_face(text) for text in ("2S", "3S", "4S", "9S", "10S")}
    env = Env(table.program, table.state, 0)

    def points(texts: str) -> int:
        (meld,) = melds.readings([cards[t] for t in texts.split()], [None] * 3, kind=1)
        return table.state.rules.group_points(env, Group(meld, 0, (0, 0, 0)))

    assert points("2S 3S 4S") == 2 + 3 + 4
    assert points("2S 9S 10S") == 8 + 9 + 10


def _counted(values: str, wild: str = "joker") -> tuple[dict[str, int], dict[str, int]]:
    """What aces and queens of spades count in a hand, and as wild cards in a set of fives."""
    table = game(
        deck="  jokers: 2",
        wild=f"  cards: {wild}\n  stands-for: its place",
        values=f"  everywhere:\n    joker: 25\n{values}",
        turn="draw then any number of meld then discard",
    )
    rules, pack = table.state.rules, table.program.pack
    env = Env(table.program, table.state, 0)
    cards = {text: pack.parse_face(text) for text in ("AS", "QS", "QD", "2S", "5S", "5H")}
    lying = {}
    for text in ("AS", "2S"):
        for meld in rules.melds.readings([cards["5S"], cards["5H"], cards[text]], [None] * 3, kind=0):
            lying[text] = rules.card_points(env, meld, 2, 0)
    return {text: rules.hand_points(env, 1 << card, 0) for text, card in cards.items()}, lying


@pytest.mark.parametrize("wild", ["A", "joker or A", "A or 2", "joker or A or 2-4 or K"])
@pytest.mark.parametrize("rows", ["    wild: 0\n    A: 10\n", "    A: 10\n    wild: 0\n"])
def test_what_a_wild_ace_counts_hung_on_how_many_other_cards_are_wild(wild: str, rows: str) -> None:
    hand, lying = _counted(f"{rows}    2-10: pips\n    J-K: 10\n", wild)

    assert (hand["AS"], lying["AS"]) == (0, 0)


def test_a_card_in_a_class_with_or_counted_by_the_row_of_its_rank() -> None:
    """`QS` is narrower than `Q`, whatever else stands in its row."""
    hand, _ = _counted("    QS or A or 2-10: 40\n    Q: 10\n    J: 10\n    K: 10\n")

    assert (hand["QS"], hand["QD"], hand["AS"]) == (40, 10, 40)


def test_of_the_same_part_in_two_rows_the_narrower_row_counts() -> None:
    hand, _ = _counted("    A or J-K: 10\n    A: 11\n    2-10: pips\n")

    assert (hand["AS"], hand["QD"]) == (11, 10)
