"""The shape of meld rules that whole tables are solved for rank by rank: sets of one rank, runs of one suit."""

from __future__ import annotations

from interpreter.meld_kinds import Kind
from interpreter.melds import MeldRules, StandsFor
from interpreter.pack import Pack

SHAPE = "shape of whole tables"
"""What the shape is called among the notes of meld rules."""


class Shape:
    """At most one kind of set (same rank, different suits) and one of runs (same suit, consecutive); wild cards are
    jokers, and nothing else is asked of a group but how many cards, natural and wild ones it has."""

    __slots__ = ("_hash", "named", "pack", "runs", "sets")

    def __init__(self, pack: Pack, sets: Kind | None, runs: Kind | None, named: bool) -> None:
        """`named`: whether a joker in a set stands for one card; else for its rank."""
        self.pack = pack
        self.sets = sets
        self.runs = runs
        self.named = named
        self._hash = hash((pack, sets, runs, named))
        """Worked out once: what is kept for a shape is looked up with each question."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Shape)
            and self.pack == other.pack
            and self.sets == other.sets
            and self.runs == other.runs
            and self.named == other.named
        )

    def __hash__(self) -> int:
        return self._hash

    def biggest_set(self) -> int:
        """Most cards in a set."""
        assert self.sets is not None
        return min(self.sets.cards[1], len(self.pack.suits)) if self.named else self.sets.cards[1]

    def sets_for(self, natural: int, wild: int, copies: int) -> int:
        """The fewest sets that so many natural cards (at most `copies` of one suit) and wild ones make; -1 for none."""
        if not natural + wild:
            return 0
        if self.sets is None:
            return -1
        kind, most = self.sets, self.biggest_set()
        for count in range(max(copies, 1), (natural + wild) // kind.cards[0] + 1):
            if (
                natural + wild <= count * most
                and kind.wild[0] * count <= wild <= kind.wild[1] * count
                and kind.natural[0] * count <= natural <= kind.natural[1] * count
            ):
                return count
        return -1


def shape_of(rules: MeldRules) -> Shape | None:
    """The shape of these rules, None if they have another one."""
    if SHAPE not in rules.notes:
        rules.notes[SHAPE] = _shape_of(rules)
    found: Shape | None = rules.notes[SHAPE]
    return found


def _shape_of(rules: MeldRules) -> Shape | None:
    pack = rules.pack
    jokers = pack.cards_of_face[pack.joker_face]
    if pack.round_the_corner or rules.wild != jokers:
        return None
    sets: Kind | None = None
    runs: Kind | None = None
    for kind in rules.kinds:
        if kind.of is not None or kind.apart is not None or kind.needs:
            return None
        if _is_set(kind) and sets is None:
            sets = kind
        elif _is_run(kind, pack) and runs is None:
            runs = kind
        else:
            return None
    last = len(pack.place_rank) - 1
    if any(len(places) > 1 and places != (0, last) for places in pack.rank_places):
        return None
    return Shape(pack, sets, runs, rules.stands_for is StandsFor.NAMED)


def _is_set(kind: Kind) -> bool:
    return kind.same == {"rank"} and kind.different == {"suit"} and not kind.consecutive and kind.cards[0] > 0


def _is_run(kind: Kind, pack: Pack) -> bool:
    """Whether it is a run of which longer ones can always be split, and whose limits can be kept card by card."""
    least, most = kind.cards
    return (
        kind.consecutive
        and kind.same == {"suit"}
        and not kind.different
        and least > 0
        and kind.wild[0] == 0
        and kind.natural[1] >= min(most, len(pack.place_rank))
        and (most >= len(pack.place_rank) or most >= 2 * least - 1)
    )
