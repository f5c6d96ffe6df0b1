"""What a condition asks of the groups that are laid, as far as it is a question of sums over them.

A sum is a number that every group adds its own part to: so many runs, so many cards, so many points. A condition on
sums is a demand: it can be met, or not, by groups yet to be chosen, and the search for them makes use of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.meld_limits import Among, Weighed
from interpreter.moves import Group, Meld
from interpreter.program import Code, Env

BOUNDLESS: Final = 10**12
"""Beyond any sum."""

UNKNOWN: Final = 0
UNCHANGED: Final = 1
LIKE_LAID: Final = 2
"""How a sum changes when cards of the hand are put away before groups are laid: LIKE_LAID: as if they were laid."""
MOST_ALTERNATIVES: Final = 16
"""Ways to meet a demand that are told apart; of a demand with more, only the common part is used."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known of the condition."""


@dataclass(frozen=True, slots=True)
class Between:
    """`base`, the sum before any group is laid, and the part of each new group together lie from `low` to `high`.

    `part` is worked out with a group as `it`; None: no group adds anything. `lasting`: it says the same of a group
    whatever else happens in the turn. Only groups of `among` add anything.
    `unordered` as in `Weighed`; `putting`: how it changes by cards that are put away.
    """

    base: Code
    part: Code | None
    low: int
    high: int
    lasting: bool
    among: Among = None
    unordered: bool = False
    putting: int = UNKNOWN


@dataclass(frozen=True, slots=True)
class Every:
    """All of them."""

    parts: tuple[Demand, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of them."""

    parts: tuple[Demand, ...]


@dataclass(frozen=True, slots=True)
class Depending:
    """One of two, by something that no group changes; `putting`: how it changes by cards that are put away."""

    on: Code
    then: Demand
    otherwise: Demand
    putting: int = UNKNOWN


Demand = Anything | Between | Every | Either | Depending


class Limit(NamedTuple):
    """A `Between` in one position: what the parts of the new groups come to lies from `low` to `high`."""

    part: Code
    low: int
    high: int
    lasting: bool
    among: Among
    unordered: bool
    putting: int


class Alternatives(NamedTuple):
    """Ways to meet a demand: all limits of at least one of them hold. `exact`: and nothing else is asked."""

    ways: list[list[Limit]]
    exact: bool


def alternatives(demand: Demand, env: Env, puts: bool = False) -> Alternatives:
    """The ways to meet a demand in a position in which no group has been laid yet; if the move `puts` cards away first,
    only what can be said before it does."""
    return Alternatives(*_ways(demand, env, puts))


def _ways(demand: Demand, env: Env, puts: bool) -> tuple[list[list[Limit]], bool]:
    """The ways, and whether they say all that the demand says."""
    match demand:
        case Between():
            if puts and demand.putting == UNKNOWN:
                return [[]], False
            base = int(demand.base(env))
            if demand.part is None:
                return ([[]] if demand.low <= base <= demand.high else []), True
            low, high = demand.low - base, demand.high - base
            lasting, among, unordered = demand.lasting, demand.among, demand.unordered
            return [[Limit(demand.part, low, high, lasting, among, unordered, demand.putting)]], True
        case Depending():
            if puts and demand.putting == UNKNOWN:
                return _ways(Either((demand.then, demand.otherwise)), env, puts)
            return _ways(demand.then if demand.on(env) else demand.otherwise, env, puts)
        case Either():
            some = [_ways(part, env, puts) for part in demand.parts]
            found = [way for ways, _ in some for way in ways]
            if [] in found or len(found) > MOST_ALTERNATIVES:
                return [[]], any(exact and [] in ways for ways, exact in some)
            return found, all(exact for _, exact in some)
        case Every():
            together: list[list[Limit]] = [[]]
            whole = True
            for part in demand.parts:
                ways, exact = _ways(part, env, puts)
                if not ways:
                    return [], True
                if len(together) * len(ways) > MOST_ALTERNATIVES:
                    exact = False
                else:
                    together = [[*one, *other] for one in together for other in ways]
                whole = whole and exact
            return together, whole
    return [[]], False


def weighed(found: Alternatives, env: Env, owner: int) -> list[list[Weighed]]:
    """The same for the search, with groups that would belong to `owner`."""

    def part(limit: Limit) -> Weighed:
        key = (limit.part, owner) if limit.lasting else None
        return Weighed(
            lambda meld: part_of(limit.part, env, meld, owner), limit.low, limit.high, key, limit.among, limit.unordered
        )

    return [[part(limit) for limit in way] for way in found.ways]


def part_of(part: Code, env: Env, meld: Meld, owner: int) -> int:
    """What a group adds to a sum."""
    it, looked_at = env.it, env.meld
    env.it, env.meld = Group(meld, owner, (owner,) * len(meld.cards)), meld
    found = int(part(env))
    env.it, env.meld = it, looked_at
    return found


class PutAway:
    """How a sum changes when cards of the hand of *you* are put away, where that is known."""

    __slots__ = ("between", "env", "known")

    def __init__(self, limit: Limit, env: Env) -> None:
        self.between = limit
        self.env = env
        self.known: dict[int, int] | None = None
        """By card, where it is always the same."""
        if limit.lasting:
            self.known = env.state.rules.melds.put_away.setdefault((limit.part, env.you), {})

    def by(self, cards: tuple[int, ...]) -> int:
        """By how much these cards change it."""
        if self.between.putting != LIKE_LAID:
            return 0
        if self.known is None or len(cards) != 1:
            return self._like_laid(cards)
        found = self.known.get(cards[0])
        if found is None:
            found = self.known[cards[0]] = self._like_laid(cards)
        return found

    def _like_laid(self, cards: tuple[int, ...]) -> int:
        return part_of(self.between.part, self.env, Meld(-1, cards, cards, -1), self.env.you)
