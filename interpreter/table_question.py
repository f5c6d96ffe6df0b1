"""Questions about rearranging a table, and their answers: what the searches are asked and what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from interpreter.melds import MeldRules
from interpreter.moves import Meld

Table = tuple[Meld, ...]


class Answer(NamedTuple):
    """A table (None: no play was found), what its cards from the hand are worth, and whether there is nothing better
    for certain."""

    table: Table | None
    worth: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Judge:
    """The conditions of a move, as the searches ask them.

    `accepts`: whether a whole table is legal as its twins lie; `accepts_twins`: whether it is so for one way of telling
    twins apart. `holds(card, groups)`: whether the conditions that ask about old cards hold of one of them, as far as
    part of a new table shows; more groups never undo it. `enough(cards)`: whether those that ask about the cards put
    down hold; more cards never undo it. `few`: the most groups there may be that did not lie so before, None for any
    number. `known`: whether there are no other conditions.
    """

    accepts: Callable[[Table], bool]
    accepts_twins: Callable[[Table], bool]
    holds: Callable[[int, Table], bool] | None = None
    enough: Callable[[int], bool] | None = None
    few: int | None = None
    known: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A table to be rearranged, a hand and a pile cards may come from (masks), cards of the hand that must be put down;
    `worth` by card, all above 0."""

    rules: MeldRules
    table: Table
    hand: int
    pile: int
    worth: Sequence[int]
    judge: Judge
    must: int = 0
