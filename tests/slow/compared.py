"""The table before and after a move, looked at from one card: docs/language.md, "Rearranging the table"."""

from __future__ import annotations

from rulespec import expressions as e
from tests.slow.scene import Scene, lies, neighbours


def compared(expr: e.Keeps | e.IsReplaced | e.IsJoinedOnlyFrom, card: int | None, s: Scene) -> bool:
    """Whether it holds of a card that lay in a group before the move; of any other card each does."""
    if card is None:
        return False
    old = lies(card, s, old=True)
    if old is None:
        return True
    if isinstance(expr, e.IsReplaced):
        return _replaced(card, expr.zone, s)
    now = next((g for g in s.now.groups if card in g.meld.cards), None)
    if now is None:
        return False
    before, after = set(old[0].meld.cards), set(now.meld.cards)
    if isinstance(expr, e.IsJoinedOnlyFrom):
        return after - before <= _came_from(expr.zone, s)
    if expr.what == "name":
        return now.meld.names[now.meld.cards.index(card)] == old[0].meld.names[old[1]]
    if expr.what == "neighbour":
        return bool(set(neighbours(s.game, *old)) & after)
    names = dict(zip(old[0].meld.cards, old[0].meld.names, strict=True))
    return all(names[c] != s.game.pack.face[c] and _replaced(c, None, s) for c in before - after)


def _came_from(zone: str, s: Scene) -> set[int]:
    """The cards that were in a zone before the move."""
    assert s.doing is not None
    return set(s.game.zone(s.doing.before, zone, s.you))


def _replaced(card: int, zone: str | None, s: Scene) -> bool:
    """A natural card of its old name, not of its old group, lies in a group with another card of its old group."""
    old = lies(card, s, old=True)
    if old is None:
        return True
    group, pack = old[0].meld, s.game.pack
    others = set(group.cards) - {card}
    said = s.game.said(group.names[old[1]])
    for new in s.now.groups:
        if not others & set(new.meld.cards):
            continue
        for other, name in zip(new.meld.cards, new.meld.names, strict=True):
            real = s.game.said(pack.face[other])
            fits = real == said or (said.suit == "" and said.rank == real.rank and said.rank != "JK")
            fits = fits and other not in group.cards and name == pack.face[other]
            if fits and (zone is None or other in _came_from(zone, s)):
                return True
    return False
