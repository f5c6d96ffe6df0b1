"""What a condition asks of the groups that are laid, as far as it is a question of sums over them.

A sum is a number that every group adds its own part to: so many runs, so many cards, so many points. A condition on
sums is a demand: it can be met, or not, by groups yet to be chosen, and the search for them makes use of that.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from interpreter.meld_ceilings import Changes
from interpreter.meld_limits import Among, Weighed
from interpreter.moves import Group, Meld
from interpreter.native import mypyc_attr
from interpreter.pack import bit_list
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


def every(parts: tuple[Demand, ...]) -> Demand:
    """All of some demands."""
    return parts[0] if len(parts) == 1 else Every(parts)


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


@mypyc_attr(free_list_len=1)
class Limit:
    """A `Between` in one position: what the parts of the new groups come to lies from `low` to `high`."""

    __slots__ = ("between", "high", "low", "part")

    def __init__(self, between: Between, part: Code, base: int) -> None:
        self.between = between
        self.part = part
        self.low = between.low - base
        self.high = between.high - base

    def key(self, owner: int) -> Hashable:
        """The same for each limit to this sum over groups of an owner; None where it may change in the turn."""
        return (self.part, owner) if self.between.lasting else None


@mypyc_attr(free_list_len=1)
class Alternatives:
    """Ways to meet a demand: all limits of at least one of them hold. `exact`: and nothing else is asked."""

    __slots__ = ("exact", "ways")

    def __init__(self, ways: list[list[Limit]], exact: bool) -> None:
        self.ways = ways
        self.exact = exact


def alternatives(demand: Demand, env: Env, puts: bool = False) -> Alternatives:
    """The ways to meet a demand in a position in which no group has been laid yet; if the move `puts` cards away first,
    only what can be said before it does."""
    match demand:
        case Between():
            return _of_sum(demand, env, puts)
        case Depending():
            if puts and demand.putting == UNKNOWN:
                return alternatives(Either((demand.then, demand.otherwise)), env, puts)
            return alternatives(demand.then if demand.on(env) else demand.otherwise, env, puts)
        case Either():
            some = [alternatives(part, env, puts) for part in demand.parts]
            found = [way for each in some for way in each.ways]
            if [] in found or len(found) > MOST_ALTERNATIVES:
                return Alternatives([[]], any(each.exact and [] in each.ways for each in some))
            return Alternatives(found, all(each.exact for each in some))
        case Every():
            return _of_all([alternatives(part, env, puts) for part in demand.parts])
    return Alternatives([[]], False)


def _of_sum(demand: Between, env: Env, puts: bool) -> Alternatives:
    if puts and demand.putting == UNKNOWN:
        return Alternatives([[]], False)
    base: int = demand.base(env)
    if demand.part is None:
        return Alternatives([[]] if demand.low <= base <= demand.high else [], True)
    return Alternatives([[Limit(demand, demand.part, base)]], True)


def _of_all(parts: list[Alternatives]) -> Alternatives:
    """The ways to meet all of some demands."""
    together: list[list[Limit]] = [[]]
    whole = True
    for part in parts:
        exact = part.exact
        if not part.ways:
            return Alternatives([], True)
        if len(together) * len(part.ways) > MOST_ALTERNATIVES:
            exact = False
        else:
            together = [[*one, *other] for one in together for other in part.ways]
        whole = whole and exact
    return Alternatives(together, whole)


def weighed(ways: list[list[Limit]], env: Env, owner: int) -> list[list[Weighed]]:
    """The same for the search, with groups that would belong to `owner`."""
    return [[_weighed(limit, env, owner) for limit in way] for way in ways]


def _weighed(limit: Limit, env: Env, owner: int) -> Weighed:
    between = limit.between
    return Weighed(
        lambda meld: part_of(limit.part, env, meld, owner),
        limit.low,
        limit.high,
        limit.key(owner),
        between.among,
        between.unordered,
    )


def part_of(part: Code, env: Env, meld: Meld, owner: int) -> int:
    """What a group adds to a sum."""
    it, looked_at = env.it, env.meld
    env.it, env.meld = Group(meld, owner, (owner,) * len(meld.cards)), meld
    found: int = part(env)
    env.it, env.meld = it, looked_at
    return found


@mypyc_attr(free_list_len=1)
class PutAway:
    """How a sum changes when cards of the hand of *you* are put away, where that is known, and what it must be then, at
    least (`low`) and most."""

    __slots__ = ("changes", "env", "high", "like_laid", "low", "part")

    def __init__(self, limit: Limit, env: Env, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.part = limit.part
        self.like_laid = limit.between.putting == LIKE_LAID
        self.env = env
        key = limit.key(env.you)
        changes = env.state.rules.melds.put_away.get(key) if key is not None else None
        if changes is None:
            changes = Changes(env.program.pack.size)
            if key is not None:
                env.state.rules.melds.put_away[key] = changes
        self.changes = changes
        """Kept where they are always the same."""

    def changes_by(self, cards: tuple[int, ...]) -> int:
        """By how much these cards change it."""
        if not self.like_laid:
            return 0
        return self._by(cards[0]) if len(cards) == 1 else self._like_laid(cards)

    def may_be_enough(self, hand: int, count: int) -> bool:
        """Whether some cards of the hand, so many at most, may bring it there."""
        if not self.like_laid:
            return self.low <= 0 <= self.high
        for card in bit_list(hand & ~self.changes.asked):
            self._by(card)
        if count * self.changes.least > self.high or count * self.changes.most < self.low:
            return False  # not even the cards that change it most
        least = most = 0
        for card in bit_list(hand):
            change = self.changes.by_card[card]
            if change < least:
                least = change
            elif change > most:
                most = change
        return count * least <= self.high and count * most >= self.low

    def _by(self, card: int) -> int:
        if not self.changes.asked >> card & 1:
            self.changes.note(card, self._like_laid((card,)))
        return self.changes.by_card[card]

    def _like_laid(self, cards: tuple[int, ...]) -> int:
        return part_of(self.part, self.env, Meld(-1, cards, cards, -1), self.env.you)
