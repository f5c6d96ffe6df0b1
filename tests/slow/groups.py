"""Which groups there are and what cards count in one round, by trying everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.melds import Kind, StandsFor
from interpreter.moves import Meld
from interpreter.pack import bits
from rulespec.expressions import Expr, Or, Trait
from rulespec.model import UNBOUNDED, MeldKind, ValueRow
from tests.interpreter.meld_oracle import Oracle
from tests.interpreter.meld_oracle import Said as Known
from tests.slow.meaning import holds, number
from tests.slow.position import Group, Position, Who
from tests.slow.scene import Lie, Scene, scene

if TYPE_CHECKING:
    from tests.slow.game import Game

STANDS_FOR = {
    "a named card": StandsFor.NAMED,
    "its place": StandsFor.PLACE,
    "any place of its group": StandsFor.ANY_PLACE,
}


class Said(NamedTuple):
    """A face as text: `JK` has no suit, nor has a bare rank."""

    rank: str
    suit: str


class Remembering(Oracle):
    """The oracle, which remembers what it found."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._groups: dict[tuple[int, int], list[tuple[Known, int]]] = {}
        self._arrangements: dict[tuple[int, int], list[tuple[tuple[Kind, Known, int], ...]]] = {}
        self._lay_offs: dict[tuple[Meld, int, int], list[tuple[Known, int, int]]] = {}
        self._alike: dict[tuple[int, int], int] = {}

    def cards_of(self, mask: int) -> list[int]:
        """The cards of a mask."""
        return list(bits(mask))

    def alike(self, card: int, marked: int) -> int:
        """One number for all cards that cannot be told apart."""
        key = (card, marked)
        if key not in self._alike:
            self._alike[key] = super().alike(card, marked)
        return self._alike[key]

    def lay_offs(self, meld: Meld, hand: int, count: int) -> Iterator[tuple[Known, int, int]]:
        """Every group it becomes by `count` cards, one selection of cards after the other."""
        for cards in combinations(self.cards_of(hand & ~meld.mask), count):
            added = sum(1 << card for card in cards)
            key = (meld, added, count)
            if key not in self._lay_offs:
                self._lay_offs[key] = list(super().lay_offs(meld, added, count))
            yield from self._lay_offs[key]

    def groups(self, hand: int, kind: Kind) -> list[tuple[Known, int]]:
        """Every group of the hand."""
        key = (hand, kind.index)
        if key not in self._groups:
            self._groups[key] = super().groups(hand, kind)
        return self._groups[key]

    def heaps(self, hand: int, kind: Kind) -> Iterator[tuple[Known, int]]:
        """Every heap of cards of the hand under every name, of cards that have a name of the rank at all."""
        if "rank" not in kind.same:
            yield from super().heaps(hand, kind)
            return
        for rank in range(-1, len(self.pack.ranks)):
            names = {card: found for card in self.cards_of(hand) if (found := self.names(card, rank))}
            for size in range(1, min(kind.cards[1], len(names)) + 1):
                for chosen in combinations(names, size):
                    for said in product(*(names[card] for card in chosen)):
                        yield tuple(zip(chosen, said, strict=True)), -1

    def arrangements(self, hand: int, most: int) -> Iterator[tuple[tuple[Kind, Known, int], ...]]:
        """Every set of disjoint groups."""
        key = (hand, most)
        if key not in self._arrangements:
            self._arrangements[key] = list(super().arrangements(hand, most))
        return iter(self._arrangements[key])


def oracle_of(game: Game, dealt: Position) -> Oracle:
    """The groups of the round that was dealt so."""
    kinds = [_kind(game, dealt, index, kind) for index, kind in enumerate(game.sheet.melds)]
    wild = sum(1 << card for card in dealt.wild)
    stands_for = STANDS_FOR[game.sheet.wild.stands_for] if game.sheet.wild is not None else StandsFor.PLACE
    return Remembering(game.pack, kinds, wild, stands_for)


def _kind(game: Game, dealt: Position, index: int, kind: MeldKind) -> Kind:
    def cards_of(card: Expr | None) -> int | None:
        if card is None:
            return None
        about = scene(game, dealt, None)
        return sum(1 << c for c in range(game.pack.size) if holds(card, about.about(c)))

    def condition(need: Expr) -> Callable[[Meld], bool]:
        def asked(meld: Meld) -> bool:
            return holds(need, scene(game, dealt, None).about(Group(meld, -1, (-1,) * len(meld.cards))))

        return asked

    return Kind(
        index=index,
        name=kind.name,
        cards=(kind.cards.low, min(kind.cards.high, UNBOUNDED)),
        natural=(kind.natural.low, kind.natural.high),
        wild=(kind.wild.low, kind.wild.high),
        same=frozenset(kind.same),
        different=frozenset(kind.different),
        consecutive=kind.consecutive,
        of=cards_of(kind.of),
        apart=cards_of(kind.apart),
        needs=tuple((need.path, condition(need.expr)) for need in kind.needs),
    )


def _without_or(card_class: Expr) -> Iterator[Expr]:
    if isinstance(card_class, Or):
        for part in card_class.parts:
            yield from _without_or(part)
    else:
        yield card_class


class Item(NamedTuple):
    """A card (by its face) lying in some way, as a row of `values` sees it."""

    face: int
    place: str
    wild: bool


class Points:
    """What cards count, by the rows of `values`."""

    def __init__(self, game: Game, dealt: Position) -> None:
        self.game, self.dealt = game, dealt
        values = game.sheet.values
        self.hand = [(row, True) for row in values.hand] + [(row, False) for row in values.everywhere]
        self.melds = [(row, True) for row in values.melds] + [(row, False) for row in values.everywhere]
        self.card_of = {face: card for card, face in reversed(list(enumerate(game.pack.face)))}
        wild = {game.pack.face[card] for card in dealt.wild}
        self.held = [Item(face, "hand", face in wild) for face in self.card_of]
        self.lying = [
            Item(face, place, as_wild)
            for face in self.card_of
            for place in ("low", "middle", "high")
            for as_wild in (False, True)
            if not (as_wild and face not in wild)
        ]
        self.extents: dict[tuple[int, bool, bool], frozenset[Item]] = {}

    def fits(self, card_class: Expr, item: Item) -> bool:
        card = self.card_of[item.face]
        about = replace(scene(self.game, self.dealt, None), it=card, lie=Lie(item.place, item.wild))
        return holds(card_class, about)

    def extent(self, card_class: Expr, in_hand: bool, only_wild: bool = False) -> frozenset[Item]:
        """Everything that is of a class, perhaps only as it lies as a wild card."""
        key = (id(card_class), in_hand, only_wild)
        if key not in self.extents:
            items = [item for item in (self.held if in_hand else self.lying) if item.wild or not only_wild]
            self.extents[key] = frozenset(item for item in items if self.fits(card_class, item))
        return self.extents[key]

    def classes(self, row: ValueRow, item: Item) -> Iterator[tuple[int, bool]]:
        """How many are of the classes without `or` that the row names and the item is of, and whether not as `wild`."""
        for part in _without_or(row.card):
            wild = isinstance(part, Trait) and part.trait == "wild"
            for single in _without_or(self.game.sheet.wild.cards if wild and self.game.sheet.wild else part):
                extent = self.extent(single, item.place == "hand", wild)
                if item in extent:
                    yield len(extent), not wild

    def row(self, item: Item) -> ValueRow | None:
        """The row with the narrowest class that fits, of two with the same cards the one that says `wild`, then the
        narrower as a whole; a row of the table itself beats one of `everywhere`."""
        in_hand = item.place == "hand"
        found = [
            (not own, *narrow, len(self.extent(row.card, in_hand)), at, row)
            for at, (row, own) in enumerate(self.hand if in_hand else self.melds)
            for narrow in self.classes(row, item)
            if not (row.points == "its card" and not item.wild)
        ]
        return min(found, key=lambda each: each[:-1])[-1] if found else None

    def worth(self, item: Item, s: Scene, owner: Who | None) -> int:
        row = self.row(item)
        if row is None:
            return 0
        if row.points == "pips":
            return int(self.game.of_face(item.face, "pips"))
        assert not isinstance(row.points, str)
        return number(row.points, replace(s, you=owner, subject=owner, it=self.card_of[item.face]))

    def held_worth(self, s: Scene, card: int, owner: Who | None) -> int:
        """What a card of a hand counts."""
        return self.worth(Item(self.game.pack.face[card], "hand", card in self.dealt.wild), s, owner)

    def lying_worth(self, s: Scene, group: Group, index: int) -> int:
        """What a card of a group counts."""
        game, meld = self.game, group.meld
        card, name = meld.cards[index], meld.names[index]
        place = "middle"
        if game.sheet.melds[meld.kind].consecutive:
            place = "low" if index == 0 else "high" if index == len(meld.cards) - 1 else "middle"
        owner = Who((group.owner,)) if group.owner >= 0 else None
        item = Item(game.pack.face[card], place, game.lies_wild(self.dealt, card, (group, index)))
        row = self.row(item)
        if row is not None and row.points == "its card":
            said = game.said(name)
            face = name if said.suit else game.face(said.rank, game.pack.suits[0])
            item = Item(face, place, False)
        return self.worth(item, s, owner)
