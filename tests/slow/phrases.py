"""Turn phrases by their derivatives: what may come next, and what is then left of the phrase.

A *rest* is what is still to come, a tuple of steps with their guards. Nothing is built in advance: each time moves are
offered, the rest is taken apart anew, and guards are asked then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rulespec.expressions import Expr
from rulespec.model import UNBOUNDED, Choice, MoveItem, Phase, PhaseItem, Repeat, Sequence, Window

Rest = tuple[tuple[Phase, Expr | None], ...]


class Next(NamedTuple):
    """One thing that may come next: a move (its name), a window, or, where both are None, the end."""

    move: str | None
    window: Window | None
    rest: Rest

    @property
    def ends(self) -> bool:
        """Whether this is the end of the phrase."""
        return self.move is None and self.window is None


def whole(phrase: Phase) -> Rest:
    """A phrase of which nothing has happened yet."""
    return ((phrase, None),)


def nexts(rest: Rest, holds: Callable[[Expr], bool]) -> Iterator[Next]:
    """Everything that may come next."""
    if not rest:
        yield Next(None, None, ())
        return
    (phrase, guard), later = rest[0], rest[1:]
    if guard is not None and not holds(guard):
        yield from nexts(later, holds)
        return
    match phrase:
        case MoveItem():
            yield Next(phrase.name, None, later)
        case Window():
            yield Next(None, phrase, later)
        case PhaseItem():
            yield from nexts(((phrase.body, None), *later), holds)
        case Sequence():
            yield from nexts((*phrase.steps, *later), holds)
        case Choice():
            for item in phrase.items:
                yield from nexts(((item, None), *later), holds)
        case Repeat():
            yield from _repeated(phrase, later, holds)
        case _:
            raise NotImplementedError(phrase)


def _repeated(phrase: Repeat, later: Rest, holds: Callable[[Expr], bool]) -> Iterator[Next]:
    may_stop = phrase.least == 0
    if phrase.most > 0:
        most = phrase.most if phrase.most == UNBOUNDED else phrase.most - 1
        again = Repeat(item=phrase.item, least=max(phrase.least - 1, 0), most=most, span=phrase.span)
        for one in nexts(whole(phrase.item), holds):
            if one.ends:
                may_stop = True
            else:
                yield Next(one.move, one.window, (*one.rest, (again, None), *later))
    if may_stop:
        yield from nexts(later, holds)
