"""How much of a game is skill and how much is luck: a stronger and a weaker player on the same deals, each deal played
twice with the seats changed about.

What a player wins beyond its part of the seats is split by the mean of its square (a random effects model: deal by
seating). If m is the mean, and e and f are what one player wins in the two games of a deal, then m² is the part of the
players; the cards and the seats favour the same seats in both games, so that the mean of e f is m² less the part of the
deal; what is left is everything else: what came of the same cards by other moves.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from interpreter.figures import Z95, wilson
from interpreter.measures import PARTS, Estimate
from interpreter.processes import done, ranges
from interpreter.program import Program
from interpreter.tally import Fault
from interpreter.watch import Facts, begun, play_on

ONE_SIDED_95 = 1.6448536269514722
"""The standard normal's one-sided 95% point."""


class Pair(NamedTuple):
    """What the first player won of a deal that was played twice beyond its part of the seats, in parts of a win
    (PARTS)."""

    deal: int
    one: int
    two: int


@dataclass(frozen=True, slots=True)
class Decided:
    """What decides a round, or a game. Shares are between 0 and 1; the three of `parts` add up to 1."""

    wins: Estimate
    """What the first player wins, as if it had half of the seats; a win shared by n sides counts 1/n for each."""
    better: int
    """Deals of which it won more than its part in both together; `worse`: less."""
    worse: int
    parts: dict[str, Estimate]
    """`players`, `deal` (with the seats) and `rest`: their parts in the result; empty where nothing is won."""
    to_tell: int | None
    """Rounds or games, each on cards of its own, after which the better of the two is ahead in 95 of 100 matches; None
    where it is not known who is."""


@dataclass(frozen=True, slots=True)
class SkillResult:
    """What came of the deals."""

    program: Program
    bots: tuple[str, str]
    """The player that is measured, and the one it is measured against."""
    seed: int
    deals: int
    wanted: int
    of_round: Decided
    """The first round of each game, whose cards are the same both times; `of_game`: the whole game."""
    of_game: Decided
    capped: int
    broken: int
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class Pairs:
    """Deals that were played."""

    rounds: list[Pair] = field(default_factory=list)
    games: list[Pair] = field(default_factory=list)
    capped: int = 0
    """Games that the engine had to stop."""
    faults: list[Fault] = field(default_factory=list)

    def add(self, index: int, one: Facts, two: Facts) -> None:
        """Count a deal and its two games, the first player having every other side, in the second game the others."""
        sides = one.game.program.sides

        def pair(winners: Callable[[Facts], tuple[int, ...]]) -> Pair:
            won = [{seat % sides for seat in winners(facts)} for facts in (one, two)]
            return Pair(index, beyond_its_part(sides, won[0], 0), beyond_its_part(sides, won[1], 1))

        self.rounds.append(pair(lambda facts: facts.game.rounds[0].winners if facts.game.rounds else ()))
        self.games.append(pair(lambda facts: facts.game.outcome.winners if facts.game.outcome else ()))
        self.capped += one.game.capped + two.game.capped

    def merge(self, other: Pairs) -> None:
        """Count other deals too."""
        self.rounds += other.rounds
        self.games += other.games
        self.capped += other.capped
        self.faults += other.faults


@dataclass(slots=True)
class SkillJob:
    """Deals of one program, each played twice by two players, for any process. `build` must be picklable."""

    build: Callable[[], Program]
    bots: tuple[str, str]
    seed: int
    program: Program | None = None

    def prepare(self) -> Program:
        """Make the program, unless it is there. Raises ValueError where nobody plays against anybody."""
        if self.program is None:
            self.program = self.build()
        if self.program.sides < 2:
            raise ValueError("skill is measured between sides; in this game all play together")
        return self.program

    def work(self, indices: range, stopped: Callable[[], bool]) -> Pairs:
        """Play the deals of a range."""
        program = self.prepare()
        found = Pairs()
        for index in indices:
            if stopped():
                break
            try:
                found.add(index, self._played(program, index, 0), self._played(program, index, 1))
            except Exception as error:
                found.faults.append(Fault(index, f"{type(error).__name__}: {error}"))
        return found

    def _played(self, program: Program, index: int, turned: int) -> Facts:
        """A game with the sides taken alternately, by the first player first unless `turned`."""
        facts = begun(program, self.seed, index)
        play_on(facts, tuple(self.bots[(program.side_of(seat) + turned) % 2] for seat in range(program.players)))
        return facts


def beyond_its_part(sides: int, winning: set[int], turned: int) -> int:
    """What a player wins that has every other side, from `turned` on, less its part of the sides; in PARTS of a win.

    Nothing where nobody wins.
    """
    if not winning:
        return 0
    held = set(range(turned, sides, 2))
    return PARTS * len(held & winning) // len(winning) - PARTS * len(held) // sides


def measure(
    job: SkillJob, *, deals: int, workers: int = 1, progress: Callable[[int], None] = lambda _: None
) -> SkillResult:
    """Play the deals and tell what decides the game. Ctrl-C ends it with the deals finished by then."""
    program = job.prepare()
    total = Pairs()
    unprepared = replace(job, program=None)  # what a program holds cannot go to another process
    running = done(unprepared if workers > 1 else job, ranges(0, deals), workers)
    with contextlib.suppress(KeyboardInterrupt), closing(running) as parts:
        for _, part in parts:
            total.merge(part)
            progress(len(total.games))
    return SkillResult(
        program,
        job.bots,
        job.seed,
        len(total.games),
        deals,
        decided(sorted(total.rounds)),
        decided(sorted(total.games)),
        total.capped,
        len(total.faults),
        tuple(sorted(total.faults)[:20]),
    )


# ------------------------------------------------------------ figures


class Means(NamedTuple):
    """Means over pairs, of shares of a win: the result of a game, its square, and the product of a pair's two."""

    deals: int
    mean: float
    squares: float
    products: float


def decided(pairs: Sequence[Pair]) -> Decided:
    """What the deals tell."""
    wins = estimated(pairs, lambda means: 0.5 + means.mean)
    sums = [pair.one + pair.two for pair in pairs]
    better, worse = sum(each > 0 for each in sums), sum(each < 0 for each in sums)
    return Decided(wins, better, worse, parts_of(pairs), to_tell(pairs, wins))


def _means(pairs: int, sums: Sequence[int]) -> Means:
    won, squares, products = sums
    scale = PARTS * pairs
    return Means(pairs, won / scale / 2, squares / scale / PARTS / 2, products / scale / PARTS)


def _sums(pairs: Iterable[Pair]) -> tuple[int, int, int]:
    won = squares = products = 0
    for pair in pairs:
        won += pair.one + pair.two
        squares += pair.one**2 + pair.two**2
        products += pair.one * pair.two
    return won, squares, products


def estimated(pairs: Sequence[Pair], figure: Callable[[Means], float]) -> Estimate:
    """A share made of the means, with its 95% interval, by leaving out one deal after the other (the jackknife: B.
    Efron, C. Stein, The Jackknife Estimate of Variance, 1981); where all deals are alike, Wilson's interval."""
    count = len(pairs)
    if not count:
        return Estimate(0.5, 0.0, 1.0)
    sums = _sums(pairs)
    found = figure(_means(count, sums))
    if len({pair[1:3] for pair in pairs}) == 1:
        return Estimate(found, *wilson(found * count, count))
    without = []
    for pair in pairs:
        less = [all_of - its for all_of, its in zip(sums, _sums((pair,)), strict=True)]
        without.append(figure(_means(count - 1, less)))
    middle = math.fsum(without) / count
    spread = Z95 * math.sqrt((count - 1) / count * math.fsum((each - middle) ** 2 for each in without))
    return Estimate(found, max(0.0, found - spread), min(1.0, found + spread))


def _split(means: Means) -> tuple[float, float, float]:
    """The parts of the players, of the deal and of the rest in a result, none below nought."""
    players = means.mean**2
    if means.deals > 1:  # less what the square of a mean is too large by
        players -= (means.squares + means.products - 2 * players) / 2 / (means.deals - 1)
    players = max(0.0, players)
    deal = min(max(0.0, players - means.products), max(0.0, means.squares - players))
    return players, deal, max(0.0, means.squares - players - deal)


def parts_of(pairs: Sequence[Pair]) -> dict[str, Estimate]:
    """The parts of the players, of the deal and of the rest in a result."""
    if not any(pair.one or pair.two for pair in pairs):
        return {}

    def part(number: int) -> Callable[[Means], float]:
        def share(means: Means) -> float:
            parts = _split(means)
            return parts[number] / sum(parts) if sum(parts) else 0.0

        return share

    return {name: estimated(pairs, part(number)) for number, name in enumerate(("players", "deal", "rest"))}


def to_tell(pairs: Sequence[Pair], wins: Estimate) -> int | None:
    """Games on cards of their own after which the better player has won more than its part in 95 of 100 matches, by
    the normal distribution; None where the interval of its wins holds one half."""
    if not pairs or wins.low <= 0.5 <= wins.high:
        return None
    means = _means(len(pairs), _sums(pairs))
    variance = means.squares - means.mean**2
    return max(1, math.ceil(ONE_SIDED_95**2 * variance / means.mean**2))
