"""Where an expression is asked: of which position, by whom, about what; and where a card lies in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tests.slow.position import Doing, Group, Layout, Position, Who

if TYPE_CHECKING:
    from tests.slow.game import Game


@dataclass(frozen=True)
class Lie:
    """How the card `it` is taken to lie where a class of `values` is asked: place "hand", "low", "high" or "middle"."""

    place: str
    wild: bool


@dataclass(frozen=True)
class Scene:
    """Where an expression is asked: of which position, by whom, about what."""

    game: Game
    now: Position
    you: Who | None
    subject: Who | None = None
    it: Any = None
    each: Any = None
    doing: Doing | None = None
    named: dict[str, frozenset[int]] | None = None
    turn_over: bool = False
    ender: Who | None = None
    giver: Who | None = None
    lie: Lie | None = None
    looked_at: tuple[Group, ...] = ()
    """Groups that are only thought of, the innermost first: a card in one is judged by its place there."""

    def of(self, who: Who | None) -> Scene:
        """The same, with bare words belonging to somebody else."""
        return replace(self, subject=who)

    def about(self, thing: Any) -> Scene:
        """The same with another `it`."""
        return replace(self, it=thing, looked_at=(*groups_of_thing(thing), *self.looked_at))

    def at_each(self, thing: Any) -> Scene:
        """The same with another thing that a quantifier looks at."""
        return replace(self, each=thing, looked_at=(*groups_of_thing(thing), *self.looked_at))


def groups_of_thing(thing: Any) -> tuple[Group, ...]:
    """The groups that come into view with a thing."""
    if isinstance(thing, Group):
        return (thing,)
    return thing.groups if isinstance(thing, Layout) else ()


def scene(game: Game, now: Position, you: int | Who | None) -> Scene:
    """A position looked at by a player."""
    who = Who((you,)) if isinstance(you, int) else you
    ender = Who((now.ender,)) if now.ender is not None else None
    return Scene(game, now, who, subject=who, ender=ender)


def lies(card: int | None, s: Scene, old: bool = False) -> tuple[Group, int] | None:
    """The group a card lies in (`old`: before the move), and the index in it."""
    if card is None:
        return None
    where: Iterable[Group] = (*s.looked_at, *s.now.groups)
    if old:
        where = s.doing.before.groups if s.doing is not None else ()
    return next(((g, g.meld.cards.index(card)) for g in where if card in g.meld.cards), None)


def neighbours(game: Game, group: Group, index: int) -> tuple[int, ...]:
    """The cards beside one in a run; all others in any other group."""
    cards = group.meld.cards
    if not game.sheet.melds[group.meld.kind].consecutive:
        return tuple(c for c in cards if c != cards[index])
    return tuple(cards[i] for i in (index - 1, index + 1) if 0 <= i < len(cards))
