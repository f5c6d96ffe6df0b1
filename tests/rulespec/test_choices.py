"""What people may choose for a game, from text."""

from __future__ import annotations

import pytest

from rulespec.choices import ChoiceError, choose_options, choose_players, choose_rounds, players_text, value_text
from rulespec.loader import load_text
from rulespec.model import Rulesheet
from rulespec.starter import start_sheet
from tests.conftest import QUICK


@pytest.fixture(scope="module")
def sheet() -> Rulesheet:
    return load_text(QUICK)


def test_players_are_in_the_range_of_the_sheet(sheet: Rulesheet) -> None:
    assert players_text(sheet) == "2-4 players"
    assert choose_players(sheet, None) == 2
    assert choose_players(sheet, 4) == 4
    for wrong in (1, 5, 0, -2):
        with pytest.raises(ChoiceError, match=f'"quick" is for 2-4 players, not {wrong}'):
            choose_players(sheet, wrong)


def test_options_get_the_values_of_the_sheet(sheet: Rulesheet) -> None:
    assert choose_options(sheet, []) == {}
    assert choose_options(sheet, ["rounds=2", "dear = yes"]) == {"rounds": 2, "dear": True}
    assert [value_text(value) for value in (True, False, 30, "to-200")] == ["yes", "no", "30", "to-200"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (["rouns=2"], 'no option "rouns"; did you mean "rounds"?'),
        (["x=2"], 'no option "x"; it has: rounds, dear'),
        (["rounds"], 'expected OPTION=VALUE, not "rounds"'),
        (["rounds=3"], '"rounds" is 1 or 2, not "3"'),
        (["dear=True"], '"dear" is no or yes, not "True"'),
        (["rounds=1", "rounds=1"], '"rounds" is set twice'),
        (["="], 'no option ""'),
    ],
)
def test_a_wrong_setting_says_what_there_is(sheet: Rulesheet, settings: list[str], says: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        choose_options(sheet, settings)

    assert says in str(caught.value)


@pytest.mark.parametrize("parent", [None, "gin", "romme-playgridia"])
def test_a_started_sheet_is_a_sheet_of_its_own(parent: str | None) -> None:
    sheet = load_text(start_sheet("our-rummy", parent), "our-rummy.yaml")

    assert sheet.id == "our-rummy"
    assert sheet.name["en"] == "Our rummy"
    assert set(sheet.name.values()) == {"Our rummy"}
    assert sheet.ancestors == ((parent,) if parent else ()) + ("standard",)


@pytest.mark.parametrize("name", ["", "Our-Rummy", "our rummy", "../x", "ünser", "-x", "gin", "standard"])
def test_a_started_sheet_needs_an_id_of_its_own(name: str) -> None:
    with pytest.raises(ValueError, match=r"an id is|is a bundled sheet"):
        start_sheet(name)


def test_only_a_game_that_the_table_stops_is_stopped_after_so_many_rounds(sheet: Rulesheet) -> None:
    text = QUICK.replace("ends: round = rounds", "ends: enough or round = rounds")
    going_on = load_text(text.replace("game:\n", "define:\n  round:\n    enough: stopped\ngame:\n"))

    assert choose_rounds(going_on, None) == 10
    assert choose_rounds(going_on, 3) == 3
    assert choose_rounds(sheet, None) == 0
    with pytest.raises(ChoiceError, match='"quick" ends by its own rule'):
        choose_rounds(sheet, 3)
    for wrong in (0, -1, 1001):
        with pytest.raises(ChoiceError, match=f"after 1 to 1000 rounds, not {wrong}"):
            choose_rounds(going_on, wrong)


def test_a_table_for_one_is_for_a_player() -> None:
    assert players_text(load_text(QUICK.replace("players: 2-4", "players: 1"))) == "1 player"
