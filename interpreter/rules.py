"""What holds for one round once it is dealt: which groups are valid and what every card counts.

Classes of cards may depend on the round (a wild rank that was turned up), so this is worked out after the deal. Rounds
with the same classes share one `MeldRules`, whose caches then keep their worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from interpreter.errors import MachineFault
from interpreter.moves import Group, Meld
from interpreter.pack import Pack
from interpreter.program import HIGH, IN_HAND, LOW, MIDDLE, Code, Env

if TYPE_CHECKING:
    from interpreter.melds import MeldRules

PIPS: Final = "pips"
ITS_CARD: Final = "its card"

Worth = int | Code
"""What a card counts: a number, or an expression that needs its owner."""


class ValueRow(NamedTuple):
    """A part of a row of `values` without `or`: the class of cards, what they count, and whether it stands in the table
    itself (not in `everywhere`)."""

    card: Code
    points: Code | str
    constant: bool
    own: bool
    row: int
    """The number of the row, which may have other parts."""
    wild: bool
    """Whether the row says `wild` for these cards."""


class Rules:
    """Valid groups and points of one round."""

    __slots__ = ("consecutive", "fixed_worth", "hand_worth", "meld_worth", "melds", "pack", "wild")

    def __init__(self, pack: Pack, melds: MeldRules, consecutive: tuple[bool, ...], wild: int) -> None:
        self.pack = pack
        self.melds = melds
        self.consecutive = consecutive
        self.wild = wild
        self.hand_worth: tuple[Worth, ...] = ()
        """By card; `fixed_worth` too, if no card's worth depends on its owner."""
        self.fixed_worth: tuple[int, ...] | None = None
        self.meld_worth: dict[tuple[int, int, bool], Worth] = {}
        """By face, place and whether the card lies as itself."""

    def set_worth(self, hand: tuple[Worth, ...], melds: dict[tuple[int, int, bool], Worth]) -> None:
        """Say what cards count, in a hand by card and in groups by face, place and whether a card lies as itself."""
        self.hand_worth = hand
        self.meld_worth = melds
        fixed = tuple(worth for worth in hand if isinstance(worth, int))
        self.fixed_worth = fixed if len(fixed) == len(hand) else None

    def hand_points(self, env: Env, mask: int, owner: int) -> int:
        """What cards outside groups count for `owner`, together."""
        total = 0
        while mask:
            low = mask & -mask
            mask ^= low
            card = low.bit_length() - 1
            worth = self.hand_worth[card]
            total += worth if isinstance(worth, int) else _of_owner(env, worth, card, owner)
        return total

    def worth_in_hand(self, env: Env, owner: int) -> tuple[int, ...]:
        """What each card of the deck would count in the hand of `owner`, by card."""
        if self.fixed_worth is None:
            return tuple(self.hand_points(env, 1 << card, owner) for card in range(self.pack.size))
        return self.fixed_worth

    def place_in(self, meld: Meld, index: int) -> int:
        """Whether a card of a group lies at the low or the high end of a run, or elsewhere."""
        if not self.consecutive[meld.kind]:
            return MIDDLE
        return LOW if index == 0 else HIGH if index == len(meld.cards) - 1 else MIDDLE

    def card_points(self, env: Env, meld: Meld, index: int, owner: int) -> int:
        """What one card of a group counts in its place."""
        pack = self.pack
        face = pack.face[meld.cards[index]]
        place = self.place_in(meld, index)
        name = meld.names[index]
        worth = self.meld_worth[face, place, name == face]
        if worth is _its_card:
            stands = name if pack.face_suit[name] >= 0 else pack.face_of(pack.face_rank[name], 0)
            worth = self.meld_worth[stands, place, True]
        return worth if isinstance(worth, int) else _of_owner(env, worth, meld.cards[index], owner)

    def group_points(self, env: Env, group: Group) -> int:
        """What a group counts."""
        return sum(self.card_points(env, group.meld, i, group.owner) for i in range(len(group.meld.cards)))


def _its_card(_env: Env) -> int:
    """Stands in the table of worths for `its card`; the name of the card in its place decides."""
    raise MachineFault("`its card` has no worth of its own")


def _of_owner(env: Env, worth: Code, card: int, owner: int) -> int:
    you, subject, it = env.you, env.subject, env.it
    env.you = env.subject = owner
    env.it = card
    value: int = worth(env)
    env.you, env.subject, env.it = you, subject, it
    return value


def tabulate(
    env: Env, pack: Pack, wild: int, hand: tuple[ValueRow, ...], melds: tuple[ValueRow, ...]
) -> tuple[tuple[Worth, ...], dict[tuple[int, int, bool], Worth]]:
    """Work out what each card counts in a hand (by card) and in a group (by face, place, as itself or not).

    The narrowest class decides, of a class with `or` the part that holds the card; where two hold the same cards, the
    one that says `wild`, then the part of the narrower row. A row of the table itself beats one of `everywhere`; `its
    card` speaks of cards that stand for others only. A card without a row counts 0: the checker has made sure that it
    is never asked.
    """
    faces = {pack.face[card]: card for card in range(pack.size)}
    hand_items = [(face, IN_HAND, True) for face in faces]
    meld_items = [(face, place, True) for face in faces for place in (MIDDLE, LOW, HIGH)]
    meld_items += [(f, place, False) for f, card in faces.items() if wild >> card & 1 for place in (MIDDLE, LOW, HIGH)]
    by_face = _choose(env, pack, faces, hand, hand_items)
    return (
        tuple(by_face[pack.face[card], IN_HAND, True] for card in range(pack.size)),
        _choose(env, pack, faces, melds, meld_items),
    )


def _choose(
    env: Env, pack: Pack, faces: dict[int, int], rows: tuple[ValueRow, ...], items: list[tuple[int, int, bool]]
) -> dict[tuple[int, int, bool], Worth]:
    extents: list[set[tuple[int, int, bool]]] = []
    for row in rows:
        extent = set()
        for item in items:
            env.it, env.place, env.itself = faces[item[0]], item[1], item[2]
            if row.card(env):
                extent.add(item)
        extents.append(extent)
    whole: dict[int, set[tuple[int, int, bool]]] = {}
    for row, extent in zip(rows, extents, strict=True):
        whole.setdefault(row.row, set()).update(extent)
    sizes = [
        (not row.own, len(extent), not row.wild, len(whole[row.row])) for row, extent in zip(rows, extents, strict=True)
    ]
    table: dict[tuple[int, int, bool], Worth] = {}
    for item in items:
        itself = item[2] and item[0] != pack.joker_face
        fitting = [i for i in range(len(rows)) if item in extents[i] and not (itself and rows[i].points == ITS_CARD)]
        fitting.sort(key=lambda i: sizes[i])
        env.it, env.place, env.itself = faces[item[0]], item[1], item[2]
        table[item] = _worth(env, pack, item[0], rows[fitting[0]]) if fitting else 0
    return table


def _worth(env: Env, pack: Pack, face: int, row: ValueRow) -> Worth:
    if row.points == PIPS:
        rank = pack.ranks[pack.face_rank[face]] if face != pack.joker_face else ""
        return int(rank) if rank.isdigit() else 1 if rank == "A" else 0
    if row.points == ITS_CARD:
        return _its_card
    code = row.points
    if isinstance(code, str):
        raise MachineFault(f"unknown kind of points {code!r}")
    return int(code(env)) if row.constant else code
