"""What cards count (language reference, `values`), where it once went wrong."""

from __future__ import annotations

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
