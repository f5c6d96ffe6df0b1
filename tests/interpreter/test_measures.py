"""Means, intervals and differences: right sums, intervals that hold as often as they say, few false alarms."""

from __future__ import annotations

import functools
from pathlib import Path
from random import Random

import pytest

from interpreter.comparison import ComparisonJob, Totals, compare, differences
from interpreter.compiler.source import program_from
from interpreter.measures import Estimate, PairedSums, Part, Sums, measured, names
from interpreter.moves import Meld
from interpreter.report import estimate_json
from interpreter.tuning import tune
from interpreter.watch import begun, play_on, rebuilds


def summed(parts: list[Part]) -> Sums:
    found = Sums()
    for part in parts:
        found.add(part)
    return found


def paired(ones: list[Part], twos: list[Part]) -> PairedSums:
    found = PairedSums(Sums(), Sums())
    for one, two in zip(ones, twos, strict=True):
        found.add(one, two)
    return found


def test_a_mean_is_the_sum_by_the_sum() -> None:
    estimate = summed([Part(10, 2), Part(3, 1), Part(5, 3)]).estimate

    assert estimate is not None
    assert estimate.mean == 3.0
    # residuals 4, 0, -4; variance 32 * 3 / 2 / 36
    assert estimate.high - estimate.mean == pytest.approx(1.959963984540054 * (48 / 36) ** 0.5)


def test_nothing_counted_has_no_mean_and_one_game_no_spread() -> None:
    assert summed([Part(0, 0)]).estimate is None
    assert summed([Part(3, 2)]).estimate == Estimate(1.5, 1.5, 1.5)


def test_a_difference_of_pairs_is_that_of_theirdifferences() -> None:
    """With denominators of one the paired interval is the textbook one of the single differences."""
    ones, twos = [3, 8, 5, 9], [4, 8, 9, 12]
    difference = paired([Part(n, 1) for n in ones], [Part(n, 1) for n in twos]).difference

    assert difference is not None
    assert difference.mean == 2.0
    # single differences 1, 0, 4, 3 around 2: squares 1 + 4 + 4 + 1, by 3 for the variance, by 4 for the mean
    assert difference.high - difference.mean == pytest.approx(1.959963984540054 * (10 / 3 / 4) ** 0.5)


def test_what_is_always_the_same_has_no_difference() -> None:
    parts = [Part(3, 2), Part(1, 1), Part(4, 5)]
    difference = paired(parts, parts).difference

    assert difference is not None
    assert (difference.mean, difference.low, difference.high) == pytest.approx((0, 0, 0), abs=1e-9)
    assert Estimate(0.0, 0.0, 0.0).chance == 1.0
    assert Estimate(0.5, 0.5, 0.5).chance == 0.0


def rounds_of(random: Random) -> Part:
    """A game of some rounds that each take 5 to 15 turns, longer games having longer rounds."""
    rounds = random.randint(1, 6)
    return Part(sum(random.randint(5, 9 + rounds) for _ in range(rounds)), rounds)


def test_intervals_hold_as_often_as_they_say() -> None:
    random = Random(4)
    truth = sum(r * (14 + r) / 2 for r in range(1, 7)) / sum(range(1, 7))
    held = 0
    for _ in range(400):
        estimate = summed([rounds_of(random) for _ in range(100)]).estimate
        assert estimate is not None
        held += estimate.low <= truth <= estimate.high

    assert 0.92 <= held / 400 <= 0.98


def test_programs_that_play_alike_seldom_raise_an_alarm() -> None:
    random = Random(5)
    alarms = 0
    for _ in range(200):
        pairs = {
            str(measure): paired([rounds_of(random) for _ in range(40)], [rounds_of(random) for _ in range(40)])
            for measure in range(10)
        }
        alarms += any(found.clear for found in differences(pairs).values())

    assert 0.01 <= alarms / 200 <= 0.1


def test_what_few_games_counted_is_never_clear() -> None:
    """Legal moves are counted in one game of twenty: three games of sixty made one comparison of seven an alarm."""
    random = Random(6)
    often = {"a": paired([Part(1, 1)] * 60, [Part(2, 1)] * 60)}
    seldom = {
        "a": paired(
            [Part(random.randint(1, 3), 1) if n % 20 == 0 else Part(0, 0) for n in range(60)],
            [Part(random.randint(7, 9), 1) if n % 20 == 0 else Part(0, 0) for n in range(60)],
        )
    }

    assert differences(often)["a"].clear
    assert not differences(seldom)["a"].clear
    assert differences(seldom)["a"].estimate.counted == 3


def test_few_deals_call_nothing_clear() -> None:
    for deals, clear in ((20, False), (29, False), (30, True)):
        pairs = {"a": paired([Part(1, 1)] * deals, [Part(9, 1)] * deals)}

        assert differences(pairs)["a"].clear is clear


def test_deals_add_up_in_any_order() -> None:
    deals = [
        ([{"a": Part(1, 2)}, {"a": Part(3, 2)}], [False, True]),
        ([{"a": Part(5, 1)}, {"a": Part(0, 4)}], [False] * 2),
    ]
    totals = []
    for order in (deals, deals[::-1]):
        total = Totals.none(2)
        for parts, capped in order:
            part = Totals.none(2)
            part.add(parts, capped)
            total.merge(part)
        totals.append(total)

    assert totals[0] == totals[1]
    assert totals[0].capped == [0, 1]
    assert totals[0].paired[0]["a"].cross == (3, 22, 6, 8)


# ------------------------------------------------------------ of games


def test_every_measure_of_a_game_is_named_and_counted(quick: Path) -> None:
    program = program_from(str(quick), 3, {"rounds": 2})
    facts = begun(program, 3, 0)
    play_on(facts, ("greedy", "random", "greedy"))
    found = measured(facts)

    assert set(found) == set(names(program))
    assert found["rounds_per_game"] == Part(2, 1)
    assert found["turns_per_round"] == Part(sum(r.turns for r in facts.game.rounds), 2)
    assert found["decisions_per_round"] == Part(len(facts.game.moves), 2)
    assert sum(found[f"ends.{ending.name}"].numerator for ending in program.endings) == 2
    assert sum(part.numerator for name, part in found.items() if name.startswith("moves.")) == len(facts.game.moves)
    assert facts.starters == [0, 1]
    assert facts.counted == len(facts.game.moves)


@pytest.mark.parametrize(
    ("laid", "rebuilt"),
    [
        (["3S 4S 5S 6S", "9H 9D 9C"], False),
        (["3S 4S 5S 6S 7S", "9H 9D 9C", "2S 2H 2D"], False),
        (["4S 5S 6S", "9H 9D 9C", "3S 3H 3D"], True),
        (["2S 3S 4S", "5S 6S 7S", "9H 9D 9C"], True),
    ],
)
def test_a_play_rebuilds_the_table_only_where_a_group_loses_a_card(laid: list[str], rebuilt: bool) -> None:
    pack = program_from("machiavelli", 2, {}).pack

    def meld(text: str) -> Meld:
        cards = tuple(pack.cards_of_face[pack.parse_face(card)].bit_length() - 1 for card in text.split())
        return Meld(0, cards, (), -1)

    lying = {meld("3S 4S 5S 6S"), meld("9H 9D 9C")}

    assert rebuilds(lying, [meld(text) for text in laid]) is rebuilt


def test_what_is_rebuilt_is_counted_only_where_the_table_can_be() -> None:
    counted = {}
    for sheet in ("machiavelli", "romme-500"):
        facts = begun(program_from(sheet, 2, {}), 1, 0)
        play_on(facts, ("greedy", "greedy"))
        counted[sheet] = measured(facts)["rebuilt"]

    assert counted["romme-500"] == Part(0, 0)
    assert 0 < counted["machiavelli"].numerator < counted["machiavelli"].denominator


def test_who_knocked_called_the_round_though_others_had_the_last_turns() -> None:
    program = program_from("viennese-rummy", 3, {})
    knock = program.move_index("knock")
    facts = begun(program, 2, 0)
    game = facts.game
    play_on(facts, ("greedy",) * 3)
    knockers = [state.to_act for state, move in game._past if move.move == knock]

    assert [r.caller for r in game.rounds if r.ending in ("knocked", "rummy")] == knockers
    assert any(r.caller != r.ender for r in game.rounds)


def test_the_same_deals_are_compared_whatever_the_number_of_workers(quick: Path) -> None:
    builds = tuple(functools.partial(program_from, str(quick), 2, {"rounds": rounds}) for rounds in (1, 2))
    alone, together = (
        compare(ComparisonJob(builds, ("greedy", "random"), 3), ("one", "two"), games=30, workers=workers)
        for workers in (1, 2)
    )

    assert [c.measures for c in alone.programs] == [c.measures for c in together.programs]
    assert alone.programs[1].differences == together.programs[1].differences
    assert alone.programs[1].differences["rounds_per_game"].estimate == Estimate(1.0, 1.0, 1.0)
    assert alone.programs[1].differences["rounds_per_game"].clear


def test_hopeless_values_are_dropped_early(quick: Path) -> None:
    builds = tuple(functools.partial(program_from, str(quick), 2, {"rounds": rounds}) for rounds in (2, 1))
    result = tune(ComparisonJob(builds, ("greedy",) * 2, 1), ("two", "one"), "rounds_per_game", 1.1, games=80)

    assert result.best == "one"
    assert [(one.open, one.games) for one in result.tried] == [(False, 20), (True, 20)]


def test_no_interval_of_a_share_reaches_beyond_nought_and_one() -> None:
    """Of a number it may reach below nought, and of a difference of shares, too."""
    wide = Estimate(0.9, 0.7, 1.1)
    assert estimate_json(wide, share=True) == {"mean": 0.9, "ci95": [0.7, 1.0]}
    assert estimate_json(Estimate(0.1, -0.1, 0.3), share=True) == {"mean": 0.1, "ci95": [0.0, 0.3]}
    assert estimate_json(wide) == {"mean": 0.9, "ci95": [0.7, 1.1]}
