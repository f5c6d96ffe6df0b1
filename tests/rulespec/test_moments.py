"""What a phrase asks before it can be known, and what it may not ask because a refusal would tell it."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic
from tests.rulespec.sheets import check_text, small

ZONES = (
    "  reserve: {of: player, seen-by: nobody}\n"
    "  dead: {of: table, seen-by: top}\n"
    "  open-pile: {of: table, seen-by: everyone}\n"
)
DEAL = "  hand: 7\n  discards: 1\n  reserve: 3\n  dead: 3\n  open-pile: 3\n"
DEFINE = (
    "  cards:\n"
    "    court: it is J-K\n"
    "  layouts:\n"
    "    light: points of rest of it <= 5\n"
    "  players:\n"
    "    heavy: points of hand > 50\n"
    "    long: number of cards in hand > 12\n"
)
USED = (
    "  out: hand is empty\n"
    "  used: turn is over and (heavy or long or number of court cards in hand = 9 or some layout of hand is light)\n"
)


def drawing(chain: str, condition: str, key: str = "only") -> list[Diagnostic]:
    """What is told of a condition of a move with this chain."""
    endings = "".join(f"  {line}\n" for line in USED.splitlines())
    text = small(
        zones=ZONES,
        deal=DEAL,
        define=DEFINE,
        moves=f"  get:\n    does: {chain}\n    {key}: {condition}\n",
        turn="(get or draw) then any number of (meld or lay-off) then discard",
        round=f"  wins: ender\n  endings:\n{endings}",
    )
    return check_text(text)[1]


TELLING = [
    ("draw 1", "points of hand <= 20"),
    ("draw 1", "some card in hand is joker"),
    ("draw 1", "number of red cards in hand >= 3"),
    ("draw 1", "points of hand of you <= 20"),
    ("draw 1", "some player has points of hand > 20"),
    ("draw 1", "not heavy"),
    ("draw 1", "can meld"),
    ("draw 1 as drawn", "drawn is A"),
    ("draw 2 as drawn", "every card in drawn is red"),
    ("take top of discards then draw 1", "deadwood <= 5"),
    ("take top of reserve", "points of hand <= 20"),
    ("take top 2 of dead", "points of hand <= 20"),
    ("draw 1 then lay any melds", "points of rest of played <= 5"),
    ("draw 1 then lay any melds", "played is light"),
    ("turn up 1 on open-pile", "top of open-pile is red"),
    ("turn up 1 on open-pile as turned", "turned is red"),
]


@pytest.mark.parametrize(("chain", "condition"), TELLING)
def test_a_refusal_would_tell_a_card_drawn_unseen(chain: str, condition: str) -> None:
    (found,) = drawing(chain, condition)
    assert found.code == "not-yet-known"
    assert found.message == "this would tell which cards the move draws unseen"


HARMLESS = [
    ("draw 1", "number of cards in hand <= 8"),
    ("draw 1", "hand is not empty"),
    ("draw 1", "long"),
    ("draw 1", "number of cards in stock >= 3"),
    ("draw 1", "total over others of points of hand >= 20"),
    ("draw 1", "points of hand of left of you >= 20"),
    ("draw 1", "some player has score >= 20"),
    ("draw 2 as drawn", "number of cards in drawn = 2"),
    ("take top of discards as got then draw 1", "got is red"),
    ("take top of discards as got then draw 1", "got is in hand"),
    ("draw 1 then lay any melds", "points of played >= 5"),
    ("take top of discards", "points of hand <= 20"),
    ("take top of dead", "points of hand <= 20"),
    ("take all of open-pile", "points of hand <= 20"),
    ("turn up 1 on open-pile", "points of hand <= 20"),
    ("turn up 1 on open-pile", "number of cards in open-pile >= 2"),
]


@pytest.mark.parametrize(("chain", "condition"), HARMLESS)
def test_what_tells_nothing_of_the_drawn_cards_may_be_asked(chain: str, condition: str) -> None:
    assert drawing(chain, condition) == []


def test_a_duty_would_tell_a_card_drawn_unseen() -> None:
    (found,) = drawing("draw 1 as drawn", "drawn is on the table before discard", "duty")
    assert found.code == "not-yet-known"
    assert drawing("take top of discards as got", "got is on the table before discard", "duty") == []


def test_before_the_draw_the_hand_may_be_asked() -> None:
    assert drawing("draw 1", "points of hand <= 20", "if") == []


def test_what_a_definition_tells_is_shown_at_the_condition_with_a_note() -> None:
    (found,) = drawing("draw 1", "not heavy")
    assert found.span.end_column - found.span.column == len("heavy")
    assert [text for _, text in found.notes] == ["this reads them"]


def test_conditions_of_every_move_are_asked_of_those_that_draw() -> None:
    moves = "  every:\n    only: points of hand <= 90\n"
    (found,) = check_text(small(moves=moves))[1]
    assert found.code == "not-yet-known"


# ------------------------------------------------------------ moments


def scored(**sections: str) -> list[Diagnostic]:
    return check_text(small(**sections))[1]


TOO_EARLY: list[tuple[dict[str, str], str]] = [
    ({"moves": "  discard:\n    if: turn is over\n"}, '"turn is over"'),
    ({"moves": "  discard:\n    only: turn is over or hand is empty\n"}, '"turn is over"'),
    ({"moves": "  discard:\n    duty: turn is over at once\n"}, '"turn is over"'),
    ({"turn": "draw then meld if turn is over then discard"}, '"turn is over"'),
    ({"automatic": "  reds:\n    when: turn is over\n    does: put every red 3 on discards\n"}, '"turn is over"'),
    ({"moves": "  discard:\n    if: every card on the table keeps its group\n"}, "how the table was before the move"),
    ({"moves": "  discard:\n    if: number of cards in old group of top of discards > 3\n"}, '"old"'),
    ({"deal": "  hand: 7 if mover is dealer else 6\n  discards: 1\n"}, '"mover"'),
    ({"deal": "  hand: 7 if opened else 6\n  discards: 1\n"}, '"opened"'),
    ({"deal": "  hand: 7 if times draw this round > 0 else 6\n  discards: 1\n"}, '"times draw this round"'),
    ({"deal": "  hand: 7 if after draw else 6\n  discards: 1\n"}, '"after draw"'),
    ({"deal": "  hand: 7 if taken is red else 6\n  discards: 1\n"}, '"taken"'),
    ({"wild": "  cards: card whose number of groups on the table > 2\n  stands-for: its place\n"}, '"table"'),
    ({"wild": "  cards: card whose rank of it = rank of taken\n  stands-for: its place\n"}, '"taken"'),
]


@pytest.mark.parametrize(("sections", "lacks"), TOO_EARLY, ids=[f"{s} {lacks}" for s, lacks in TOO_EARLY])
def test_a_word_is_asked_before_it_is_known(sections: dict[str, str], lacks: str) -> None:
    (found,) = scored(**sections)
    assert found.code == "not-yet-known"
    assert found.message.startswith(f"{lacks} cannot be asked")


@pytest.mark.parametrize(
    ("key", "phrase"), [("starts", "left of mover"), ("starts", "everyone whose opened"), ("wins", "winners")]
)
def test_a_player_is_asked_for_before_there_is_one(key: str, phrase: str) -> None:
    rest = "" if key == "wins" else "  wins: ender\n"
    (found,) = scored(round=f"  {key}: {phrase}\n{rest}  endings:\n    out: hand is empty\n")
    assert found.code == "not-yet-known"


def test_extra_turns_cannot_be_over_before_they_are_due() -> None:
    extra = "  extra-turns:\n    last-turns:\n      when: last-turns are over\n      for: everyone\n      turn: draw\n"
    (found,) = scored(round=f"  wins: ender\n{extra}  endings:\n    out: hand is empty\n")
    assert found.code == "not-yet-known"


def test_what_a_definition_asks_too_early_is_told_where_it_is_used() -> None:
    sections = {
        "define": "  round:\n    done: turn is over\n",
        "moves": "  discard:\n    if: done\n",
    }
    (found,) = scored(**sections)
    assert found.code == "not-yet-known"
    assert len(found.notes) == 1


KNOWN: list[dict[str, str]] = [
    {"round": "  wins: ender\n  starts: losers with most score\n  endings:\n    out: hand is empty\n"},
    {"round": "  wins: ender\n  next-dealer: winners\n  endings:\n    out: turn is over and hand is empty\n"},
    {"deal": "  hand: 7 if times draw this game > 0 else 6\n  discards: 1\n"},
    {"deal": "  hand: 7\n  discards: 1 as upcard\n", "wild": "  cards: card whose rank of it = rank of upcard\n"
     "  stands-for: its place\n"},
    {"deal": "  hand: 7 if after choose else 6\n  discards: 1\n", "moves": "  choose:\n    does: pass\n",
     "round": "  wins: ender\n  before-deal: may choose\n  endings:\n    out: hand is empty\n"},
    {"moves": "  lay-off:\n    only: every card on the table keeps its group\n"},
]  # fmt: skip


@pytest.mark.parametrize("sections", KNOWN, ids=str)
def test_what_can_be_known_may_be_asked(sections: dict[str, str]) -> None:
    assert scored(**sections) == []
