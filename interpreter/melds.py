"""Finding groups: what a hand can lay, how groups grow, what the best arrangement leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.meld_kinds import Kind, StandsFor
from interpreter.moves import Meld
from interpreter.pack import Pack

__all__ = ["Kind", "MeldRules", "StandsFor"]


class MeldRules:
    """The kinds of groups of one game and its wild cards (`wild` is a mask of cards).

    Twins (equal cards) are interchangeable: only groups that differ by more than that are found, and of twins the
    lowest ids are used, in ascending order along `Meld.cards`. Each card of `marked` is a card of its own.
    """

    def __init__(self, pack: Pack, kinds: Sequence[Kind], wild: int, stands_for: StandsFor) -> None:
        self.pack = pack
        self.kinds = tuple(kinds)
        self.wild = wild
        self.stands_for = stands_for

    def wild_in(self, meld: Meld) -> int:
        """The cards of a group that are wild there, as a mask."""
        raise NotImplementedError

    def fits(self, meld: Meld) -> bool:
        """Whether a fully said group is valid."""
        raise NotImplementedError

    def why_not(self, kind: int | None, group: Meld | Sequence[int]) -> str | None:
        """The first condition a group breaks (`melds.run.apart`), None if it is valid.

        Cards alone are taken in the order written, names open. Without a kind, the nearest kind answers: the one
        that breaks the fewest conditions.
        """
        raise NotImplementedError

    def readings(self, cards: Sequence[int], names: Sequence[int | None], kind: int | None = None) -> list[Meld]:
        """Every valid group that cards in this written order can be; `names` are faces said for wild cards."""
        raise NotImplementedError

    def groups(self, hand: int, kind: int | None = None, must: int = 0, marked: int = 0) -> Iterator[Meld]:
        """Every valid group made of cards of the hand that holds all cards of `must`."""
        raise NotImplementedError

    def arrangements(
        self, hand: int, least: int = 0, most: int | None = None, must: int = 0, marked: int = 0
    ) -> Iterator[tuple[Meld, ...]]:
        """Every set of `least` to `most` disjoint groups of cards of the hand that together hold all of `must`."""
        raise NotImplementedError

    def lay_offs(
        self, meld: Meld, hand: int, count: int = 1, marked: int = 0
    ) -> Iterator[tuple[Meld, tuple[int, ...]]]:
        """Every group `meld` can become by adding exactly `count` cards of the hand, with the cards added."""
        raise NotImplementedError

    def swaps(self, meld: Meld, hand: int, marked: int = 0) -> Iterator[tuple[int, int, Meld]]:
        """Every exchange of a wild card of the group for a natural card of the hand, with the group after it."""
        raise NotImplementedError

    def accepts(self, meld: Meld, card: int) -> bool:
        """Whether the group is valid with the card added, as in `lay_offs`; false of a card it holds."""
        raise NotImplementedError

    def best(self, hand: int, points: Callable[[int], int] | Sequence[int]) -> tuple[int, tuple[Meld, ...]]:
        """The arrangement that leaves the fewest points in the hand, and these points."""
        raise NotImplementedError
