"""Measures of games: what they are, their means over many games, and how sure those are.

A measure is a ratio, such as turns by rounds. Each game gives a numerator and a denominator, both whole numbers, and
the mean over games is the sum of the ones by the sum of the others. Its variance is that of the ratio of two sums (the
delta method: W. G. Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3). All sums are whole numbers, so that they
come out the same however the games are divided among workers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from interpreter.figures import Z95
from interpreter.moves import DONE
from interpreter.program import Program
from interpreter.state import RoundResult
from interpreter.watch import Facts

PARTS = 5040
"""A shared win is counted in so many parts, which every number of winners up to ten divides."""


class Part(NamedTuple):
    """What one game gives to a measure."""

    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games with its 95% interval; the ends are the mean itself where one game tells nothing of it."""

    mean: float
    low: float
    high: float
    counted: int = field(default=0, compare=False)
    """The games in which there was anything to count."""

    @property
    def chance(self) -> float:
        """How likely a mean so far from nought comes about where nought is the truth: the two-sided p-value."""
        error = (self.high - self.low) / (2 * Z95)
        if not error:
            return 0.0 if self.mean else 1.0
        return math.erfc(abs(self.mean) / error / math.sqrt(2))


@dataclass(slots=True)
class Sums:
    """The sums over games that the mean of one measure needs. `y` is the numerator, `x` the denominator."""

    games: int = 0
    y: int = 0
    x: int = 0
    yy: int = 0
    yx: int = 0
    xx: int = 0
    counted: int = 0
    """Games whose denominator is not nought."""

    def add(self, part: Part) -> None:
        """Count a game."""
        y, x = part
        self.merge(Sums(1, y, x, y * y, y * x, x * x, int(x != 0)))

    def merge(self, other: Sums) -> None:
        """Count other games too."""
        self.games += other.games
        self.y += other.y
        self.x += other.x
        self.yy += other.yy
        self.yx += other.yx
        self.xx += other.xx
        self.counted += other.counted

    @property
    def estimate(self) -> Estimate | None:
        """The mean; None where nothing was counted."""
        if not self.x:
            return None
        mean = self.y / self.x
        spread = Z95 * math.sqrt(_variance(self.games, self.yy - 2 * mean * self.yx + mean * mean * self.xx, self.x))
        return Estimate(mean, mean - spread, mean + spread, self.counted)


def _variance(games: int, squares: float, denominator: int) -> float:
    """The variance of a ratio of sums, from the sum of the squared residuals of the games."""
    if games < 2:
        return 0.0
    return max(0.0, squares) * games / (games - 1) / (denominator * denominator)


@dataclass(slots=True)
class PairedSums:
    """The same for a measure of the same games played in two ways; `cross` holds the products of one way's numerator
    and denominator with the other's: yy, yx, xy, xx."""

    one: Sums
    two: Sums
    cross: tuple[int, int, int, int] = (0, 0, 0, 0)

    def add(self, one: Part, two: Part) -> None:
        """Count a game played in both ways."""
        self.one.add(one)
        self.two.add(two)
        products = (one[0] * two[0], one[0] * two[1], one[1] * two[0], one[1] * two[1])
        self.cross = _added(self.cross, products)

    def merge(self, other: PairedSums) -> None:
        """Count other games too."""
        self.one.merge(other.one)
        self.two.merge(other.two)
        self.cross = _added(self.cross, other.cross)

    @property
    def difference(self) -> Estimate | None:
        """How much more the second way gives than the first; None where one of them counted nothing."""
        one, two = self.one, self.two
        if not one.x or not two.x:
            return None
        first, second = one.y / one.x, two.y / two.x
        yy, yx, xy, xx = self.cross
        squares = (two.yy - 2 * second * two.yx + second * second * two.xx) / (two.x * two.x)
        squares += (one.yy - 2 * first * one.yx + first * first * one.xx) / (one.x * one.x)
        squares -= 2 * (yy - second * yx - first * xy + first * second * xx) / (one.x * two.x)
        spread = Z95 * math.sqrt(_variance(one.games, squares, 1))
        counted = min(one.counted, two.counted)
        return Estimate(second - first, second - first - spread, second - first + spread, counted)


def _added(one: tuple[int, int, int, int], two: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3])


# ------------------------------------------------------------ the measures of a game

SAID = {
    "turns_per_round": "turns in a round",
    "decisions_per_round": "decisions in a round",
    "rounds_per_game": "rounds in a game",
    "points_per_round": "points a side gets or loses in a round",
    "first_player_wins": "the first player wins the round",
    "opened": "a side lays cards in a round",
    "opening_turn": "its first cards come in turn",
    "rebuilt": "a play takes cards out of a group",
    "ender_beaten": "who ended the round did not win it",
    "choices_per_decision": "legal moves at a decision",
    "lead_changes": "the lead changes after a round",
    "winner_behind": "the later winner does not lead",
}
SHARES = {"first_player_wins", "opened", "rebuilt", "ender_beaten", "lead_changes", "winner_behind"}
FAMILIES = {"ends": 'rounds that end by "{}"', "moves": '"{}" in a round', "seats": "games won by seat {}"}


def names(program: Program) -> tuple[str, ...]:
    """All measures of games of a program."""
    moves = (*(move.name for move in program.moves), "done")
    return (
        *SAID,
        *(f"ends.{ending.name}" for ending in program.endings),
        *(f"moves.{name}" for name in moves),
        *(f"seats.{seat + 1}" for seat in range(program.players)),
    )


def is_share(measure: str) -> bool:
    """Whether a measure is a share, to be shown in per cent; others are numbers."""
    return measure in SHARES or measure.startswith(("ends.", "seats."))


def said(measure: str) -> str:
    """A measure in words."""
    family, _, name = measure.partition(".")
    return FAMILIES[family].format(name) if name else SAID[measure]


def measured(facts: Facts) -> dict[str, Part]:
    """What a game gives to each measure, by name.

    `ends.NAME` is the share of rounds with this ending, `moves.NAME` how often a move is made in a round, `seats.N` the
    share of games seat N wins. `opening_turn` is the turn number of a side's first meld, `rebuilt` the share of
    moves that may rebuild the table which do.
    """
    program, rounds = facts.game.program, facts.game.rounds
    count = len(rounds)
    outcome = facts.game.outcome
    winners = outcome.winners if outcome else ()
    sides = {program.side_of(seat) for seat in winners}
    found = {
        "turns_per_round": Part(sum(result.turns for result in rounds), count),
        "decisions_per_round": Part(facts.decisions, count),
        "rounds_per_game": Part(count, 1),
        "points_per_round": Part(sum(abs(s) for result in rounds for s in result.scores), program.sides * count),
        "first_player_wins": Part(*_first_player(facts)),
        "opened": Part(facts.openings, program.sides * count),
        "opening_turn": Part(facts.opening_turns, facts.openings),
        "rebuilt": Part(facts.rebuilt, facts.plays),
        "ender_beaten": Part(sum(bool(r.winners) and r.caller not in r.winners for r in rounds), count),
        "choices_per_decision": Part(facts.choices, facts.counted),
    }
    for seat in range(program.players):
        share = PARTS // len(sides) if program.side_of(seat) in sides else 0
        found[f"seats.{seat + 1}"] = Part(share, PARTS)
    ends = [result.ending for result in rounds]
    for ending in program.endings:
        found[f"ends.{ending.name}"] = Part(ends.count(ending.name), count)
    for move in program.moves:
        found[f"moves.{move.name}"] = Part(facts.uses.moves[move.index], count)
    found["moves.done"] = Part(facts.uses.moves[DONE], count)
    changes, behind = _leads(rounds, sides) if count > 1 and sides else (0, 0)
    led = max(count - 1, 0) if sides else 0
    found["lead_changes"] = Part(changes, led)
    found["winner_behind"] = Part(behind, led)
    return found


def _first_player(facts: Facts) -> tuple[int, int]:
    """Rounds won by who had the first turn, in parts, and the rounds that somebody won."""
    program = facts.game.program
    won = 0
    counted = 0
    for starter, result in zip(facts.starters, facts.game.rounds, strict=True):
        if starter >= 0 and result.winners:
            counted += PARTS
            winning = {program.side_of(seat) for seat in result.winners}
            won += PARTS // len(winning) if program.side_of(starter) in winning else 0
    return won, counted


def _leads(rounds: tuple[RoundResult, ...], winners: set[int]) -> tuple[int, int]:
    """How often the lead changed hands between two rounds, and after how many rounds but the last no later winner led.

    Whether many points or few are good is seen from who won in the end.
    """
    totals = [list(rounds[0].scores)]
    for result in rounds[1:]:
        totals.append([a + b for a, b in zip(totals[-1], result.scores, strict=True)])
    best = max if totals[-1][min(winners)] == max(totals[-1]) else min
    leaders = [{side for side, total in enumerate(after) if total == best(after)} for after in totals]
    changes = sum(not (one & two) for one, two in pairwise(leaders))
    return changes, sum(not (led & winners) for led in leaders[:-1])


def estimates(sums: Mapping[str, Sums]) -> Iterator[tuple[str, Estimate]]:
    """The measures of which something was counted, in their order."""
    for name, found in sums.items():
        estimate = found.estimate
        if estimate is not None:
            yield name, estimate
