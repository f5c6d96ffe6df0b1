"""The private copy on which a player rebuilds the table."""

from __future__ import annotations

import pytest

from interpreter.game import Game
from interpreter.notation import move_text
from interpreter.working_copy import WorkingCopy
from tests.interpreter.rebuilding import position, program


def _copy(sheet: str, hand: str, *table: str) -> WorkingCopy:
    rules = program(sheet)
    return WorkingCopy(rules, position(rules, hand, *table), rules.move_index("play"))


def _card(copy: WorkingCopy, text: str) -> int:
    """The card of a text that is in the hand, else on the table."""
    pack = copy.program.pack
    mask = pack.cards_of_face[pack.parse_face(text)]
    lying = sum(1 << card for heap in copy.heaps for card in heap)
    found = mask & copy.left or mask & lying
    return (found & -found).bit_length() - 1


def _texts(copy: WorkingCopy) -> list[str]:
    return sorted(move_text(copy.program, copy.state, move) for move in copy.finish().moves)


def test_a_group_is_split_and_its_card_joins_cards_of_the_hand() -> None:
    copy = _copy("machiavelli", "3S 3D KC", "3H 4H 5H 6H")
    assert not copy.touched
    copy.split(0, 1)
    assert [len(heap) for heap in copy.heaps] == [1, 3]
    copy.put([_card(copy, "3S"), _card(copy, "3D")], 0)
    assert copy.touched
    (move,) = copy.finish().moves
    game = Game(copy.program, state=copy.state)
    game.play(move)
    assert sorted(len(group.meld.cards) for group in game.state.groups) == [3, 3]


def test_two_groups_are_joined() -> None:
    copy = _copy("machiavelli", "8H KC", "2H 3H 4H", "5H 6H 7H")
    copy.join(0, 1)
    assert (copy.heaps[1], len(copy.heaps[0])) == ((), 6)
    copy.put([_card(copy, "8H")], 0)
    assert _texts(copy) == ["play 2H 3H 4H 5H 6H 7H 8H"]


def test_a_card_is_put_between_two_others() -> None:
    copy = _copy("machiavelli", "4H KC", "3H 5H 6H".replace("3H 5H", "4H 5H"), "9C 9D 9S")
    copy.put([_card(copy, "9C")], 0, 1)
    assert [copy.program.pack.text(card) for card in copy.heaps[0]] == ["4H", "9C", "5H", "6H"]


def test_only_cards_of_the_hand_go_back_to_it() -> None:
    copy = _copy("machiavelli", "8H KC", "5H 6H 7H")
    card = _card(copy, "8H")
    copy.put([card], 0)
    assert not copy.left >> card & 1
    copy.take_back(card)
    assert copy.left >> card & 1
    with pytest.raises(ValueError, match="did not come from the hand"):
        copy.take_back(_card(copy, "5H"))
    with pytest.raises(ValueError, match="neither on the table nor in the hand"):
        copy.put([next(c for c in range(copy.program.pack.size) if copy.program.pack.text(c) == "QD")])


def test_dragging_everything_back_leaves_the_copy_touched_and_undoing_all_does_not() -> None:
    copy = _copy("machiavelli", "8H KC", "5H 6H 7H")
    before = copy.heaps
    copy.put([_card(copy, "8H")], 0)
    copy.take_back(_card(copy, "8H") if copy.left else copy.heaps[0][-1])
    assert (copy.heaps, copy.touched) == (before, True)
    copy.undo()
    copy.undo()
    assert (copy.heaps, copy.touched) == (before, True)
    with pytest.raises(ValueError, match="nothing has been changed"):
        copy.undo()
    copy.put([_card(copy, "8H")], 0)
    copy.undo_all()
    assert (copy.heaps, copy.touched) == (before, False)


def test_open_names_of_a_joker_are_listed_and_a_single_one_is_filled_in() -> None:
    copy = _copy("carousel", "7H 7S JK KC", "2C 3C 4C")
    copy.put([_card(copy, "7H"), _card(copy, "7S"), _card(copy, "JK")])
    assert _texts(copy) == ["play 2C 3C 4C / 7S 7H JK=7C", "play 2C 3C 4C / 7S 7H JK=7D"]
    copy = _copy("carousel", "7H 7S 7D JK", "2C 3C 4C")
    copy.put([_card(copy, text) for text in ("7H", "7S", "7D", "JK")])
    assert _texts(copy) == ["play 2C 3C 4C / 7S 7H 7D JK=7C"]


def test_a_heap_that_is_no_group_is_named() -> None:
    copy = _copy("machiavelli", "8H KC", "5H 6H 7H", "9C 9D 9S")
    copy.put([_card(copy, "KC")], 0)
    refused = copy.finish().refused
    assert refused is not None
    assert (refused.heap, refused.because.split(".")[0]) == (0, "melds")
    assert "KC" in refused.text


def test_a_copy_without_a_card_of_the_hand_is_no_play() -> None:
    copy = _copy("machiavelli", "8H KC", "2H 3H 4H 5H 6H 7H")
    copy.split(0, 3)
    refused = copy.finish().refused
    assert refused is not None
    assert refused.text == "at least one card of the hand must be added"


def test_a_joker_that_breaks_its_rule_is_named() -> None:
    copy = _copy("carousel", "3H 9D", "4H 5H JK=6H 7H 8H 9H", "QC QD QS")
    joker = copy.heaps[0][2]
    copy.put([_card(copy, "3H")], 0, 0)
    copy.split(0, 4)
    copy.put([joker], 1)
    refused = copy.finish().refused
    assert refused is not None
    assert (refused.because, refused.heap, refused.cards) == ("play.only.joker-name", 1, (joker,))


def test_a_joker_of_the_table_keeps_its_name_wherever_it_is_put() -> None:
    copy = _copy("carousel", "3H 9D", "4H 5H JK=6H 7H 8H 9H", "QC QD QS")
    copy.put([_card(copy, "3H")], 0, 0)
    copy.split(0, 4)
    copy.put([copy.heaps[0][3]], 2)
    assert _texts(copy) == ["play 3H 4H 5H / QS QD QC / JK=6H 7H 8H 9H"]


def test_several_copies_at_once_leave_the_game_as_it_is() -> None:
    copy = _copy("machiavelli", "8H KC", "5H 6H 7H")
    key = copy.state.key()
    copy.put([_card(copy, "8H")], 0)
    copy.finish()
    assert copy.state.key() == key
