"""How much of a game is skill and how much luck: the parts of made-up results are known beforehand."""

from __future__ import annotations

from functools import partial

import pytest

from interpreter import skill_report
from interpreter.measures import PARTS
from interpreter.program import Program
from interpreter.skill import Pair, SkillJob, beyond_its_part, estimated, measure, parts_of, to_tell
from tests.interpreter import small

WON, LOST = PARTS // 2, -PARTS // 2
"""What winning and losing a game of two sides is, beyond a half."""


def pairs(*results: tuple[int, int]) -> list[Pair]:
    """Deals with these results of the two games, a hundred of each."""
    return [Pair(index, one, two) for index, (one, two) in enumerate(100 * results)]


def shares(*results: tuple[int, int]) -> list[float]:
    """The parts of the players, of the deal and of the rest, in hundredths."""
    return [round(100 * part.mean) for part in parts_of(pairs(*results)).values()]


def test_who_wins_every_game_on_either_seat_wins_by_skill() -> None:
    assert shares((WON, WON)) == [100, 0, 0]


def test_where_the_same_seat_wins_both_games_the_cards_decide() -> None:
    assert shares((WON, LOST), (LOST, WON)) == [0, 100, 0]


def test_what_seat_and_player_do_not_tell_is_the_rest() -> None:
    assert shares((WON, WON), (LOST, LOST), (WON, LOST), (LOST, WON)) == [0, 0, 100]


def test_the_first_seat_winning_always_is_luck_of_the_seat() -> None:
    assert shares((WON, LOST)) == [0, 100, 0]


def test_half_of_the_deals_won_twice_and_half_once_each() -> None:
    # The mean is a quarter above a half: 1/16 of the whole 1/4. The deal: 1/16 less the mean product, which is nought.
    assert shares((WON, WON), (WON, LOST), (WON, WON), (LOST, WON)) == [25, 25, 50]


def test_nothing_won_tells_nothing() -> None:
    assert parts_of(pairs((0, 0))) == {}
    assert to_tell(pairs((0, 0)), estimated(pairs((0, 0)), lambda means: 0.5 + means.mean)) is None


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
@pytest.mark.parametrize("winning", [{0}, {1}, {0, 1}, set()])
def test_a_result_that_the_seats_decide_gives_neither_player_more(sides: int, winning: set[int]) -> None:
    assert beyond_its_part(sides, winning, 0) + beyond_its_part(sides, winning, 1) == 0


def test_games_needed_to_tell_the_better_player() -> None:
    # 60 of 100 games: 1.645² · 0.24 / 0.1² = 64.9.
    found = pairs(*[(WON, WON)] * 3, *[(LOST, LOST)] * 2)

    assert to_tell(found, estimated(found, lambda means: 0.5 + means.mean)) == 65


def test_an_interval_of_deals_that_are_all_alike_has_a_width() -> None:
    wins = estimated(pairs((WON, WON))[:20], lambda means: 0.5 + means.mean)

    assert (wins.mean, wins.high) == (1.0, 1.0)
    assert 0.8 < wins.low < 0.9


# ------------------------------------------------------------ played


def racing() -> Program:
    """A small game: whoever is first without cards wins."""
    return small.program(2)


def test_a_player_against_itself_wins_just_half() -> None:
    result = measure(SkillJob(racing, ("greedy", "greedy"), 1), deals=6)

    assert result.of_game.wins.mean == 0.5
    assert (result.of_game.better, result.of_game.worse) == (0, 0)


def test_a_better_player_is_found_out_and_the_report_says_so() -> None:
    result = measure(SkillJob(racing, ("greedy", "random"), 1), deals=12)
    text = skill_report.to_text(result)

    assert result.deals == 12
    assert result.of_game.wins.mean > 0.5
    assert sum(part.mean for part in result.of_round.parts.values()) == pytest.approx(1)
    assert "greedy against random" in text
    assert "who plays better" in text


def test_the_report_is_the_same_with_several_processes() -> None:
    job = partial(SkillJob, racing, ("greedy", "random"), 3)
    one, two = (measure(job(), deals=20, workers=workers) for workers in (1, 2))

    assert skill_report.to_json(one) == skill_report.to_json(two)
