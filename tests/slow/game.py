"""One game as a sheet says it: seats, sides, options, cards, and what expressions ask about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.pack import Pack
from interpreter.state import Chance
from rulespec.model import MoveRule, Rulesheet
from tests.interpreter.meld_oracle import Oracle
from tests.slow import legal
from tests.slow.groups import Points, Said, oracle_of
from tests.slow.meaning import number, seats
from tests.slow.position import Group, Layout, Position, Who
from tests.slow.scene import Scene, scene


class Game:
    """A sheet with a number of players, options, and a seed and index for its shuffles."""

    def __init__(
        self, sheet: Rulesheet, players: int, options: Mapping[str, Any] | None = None, seed: str = "", index: int = 0
    ) -> None:
        self.sheet, self.players = sheet, players
        self.options = {o.name: o.values[0] for o in sheet.options} | dict(options or {})
        self.moves: dict[str, MoveRule] = {move.name: move for move in sheet.moves}
        self.zones = {zone.name: zone for zone in sheet.zones}
        self.tallies = {tally.name: tally for tally in sheet.tallies}
        self.chance = Chance(seed, index)
        self.pack = Pack(("A",), False, ("S",), 1, 0)
        nothing = Position([frozenset()] * players, [0] * players, [0] * players, players - 1)
        self.sides = players
        self.sides = number(sheet.sides, scene(self, nothing, None))
        deck = sheet.deck
        packs, jokers = (number(n, scene(self, nothing, None)) for n in (deck.packs, deck.jokers))
        self.pack = Pack(deck.places, deck.round_the_corner, deck.suits, packs, jokers)
        self._rounds: dict[int, tuple[Position, Oracle, Points]] = {}
        self._layouts: dict[tuple[int, frozenset[int], int], tuple[Layout, ...]] = {}
        self.finishable: dict[tuple[object, ...], bool] = {}

    def first_position(self) -> Position:
        """Before the first deal; the last seat deals first, so that the first one begins."""
        return Position([frozenset()] * self.players, [0] * self.sides, [0] * self.sides, self.players - 1)

    # ------------------------------------------------------------ people

    def sides_of(self, people: Any) -> set[int]:
        """The sides of a player or of several."""
        return {seat % self.sides for seat in seats(people)}

    def around(self, seat: int) -> list[int]:
        """All seats from the left of one; it comes last."""
        return [(seat + step) % self.players for step in range(1, self.players + 1)]

    def beside(self, now: Position, who: Who | None, step: int) -> Who | None:
        """The next player on the left (1) or right (-1), passing over who left the game."""
        if who is None:
            return None
        seat = who.seats[0]
        for _ in range(self.players):
            seat = (seat + step) % self.players
            if seat not in now.left:
                return Who((seat,))
        return None

    def partner(self, who: Who | None) -> Who | None:
        """The next player of the same side."""
        if who is None:
            return None
        seat = who.seats[0]
        mates = [s for s in self.around(seat) if s != seat and s % self.sides == seat % self.sides]
        return Who((mates[0],)) if mates else None

    def owners(self, tally: str, who: Who | None) -> list[int | None]:
        """Whose counters a tally of somebody is."""
        of = self.tallies[tally].of
        return self._owners(of, who)

    def _owners(self, of: str, who: Any) -> list[int | None]:
        if of == "table":
            return [None]
        return [*(seats(who) if of == "player" else sorted(self.sides_of(who)))]

    # ------------------------------------------------------------ cards

    def face(self, rank: str, suit: str) -> int:
        """The number of a face."""
        if rank == "JK":
            return self.pack.joker_face
        return self.pack.face_of(self.pack.ranks.index(rank), self.pack.suits.index(suit) if suit else -1)

    def said(self, face: int) -> Said:
        """A face as text."""
        if face == self.pack.joker_face:
            return Said("JK", "")
        suit = self.pack.face_suit[face]
        return Said(self.pack.ranks[self.pack.face_rank[face]], self.pack.suits[suit] if suit >= 0 else "")

    def of_face(self, face: int, asked: str) -> Any:
        """The rank, suit, place or pips of a face."""
        said = self.said(face)
        if asked == "rank":
            return said.rank if said.rank != "JK" else None
        if asked == "suit":
            return said.suit or None
        if asked == "place":
            return self.sheet.deck.places.index(said.rank) + 1 if said.rank != "JK" else 0
        return int(said.rank) if said.rank.isdigit() else 1 if said.rank == "A" else 0

    def printed(self, card: int, asked: str) -> Any:
        """The same of what is printed on a card."""
        return self.of_face(self.pack.face[card], asked)

    def lies_wild(self, now: Position, card: int, lies: tuple[Group, int] | None) -> bool:
        """Whether a card stands for another; outside groups, whether it may."""
        if card not in now.wild:
            return False
        if lies is None:
            return True
        own = self.pack.face[card]
        return own == self.pack.joker_face or lies[0].meld.names[lies[1]] != own

    def pile_key(self, zone: str, who: Who | None) -> tuple[str, int | None]:
        """Which pile somebody's zone is."""
        of = self.zones[zone].of
        if of == "table":
            return zone, None
        assert who is not None
        return zone, who.seats[0] if of == "player" else who.seats[0] % self.sides

    def zone(self, now: Position, zone: str, who: Any) -> tuple[int, ...]:
        """The cards of a zone: the table's, or those of all these people together."""
        if zone == "hand":
            return tuple(card for seat in seats(who) for card in sorted(now.hands[seat]))
        owners = self._owners(self.zones[zone].of, who)
        return tuple(card for owner in owners for card in now.piles.get((zone, owner), ()))

    # ------------------------------------------------------------ groups and points of a round

    def _round(self, now: Position) -> tuple[Position, Oracle, Points]:
        dealt = now.dealt if now.dealt is not None else now
        if id(dealt) not in self._rounds:
            self._rounds[id(dealt)] = (dealt, oracle_of(self, dealt), Points(self, dealt))
        return self._rounds[id(dealt)]

    def oracle(self, now: Position) -> Oracle:
        """The groups of this round."""
        return self._round(now)[1]

    def points_held(self, s: Scene, card: int, owner: Who | None) -> int:
        """What a card of a hand counts."""
        return self._round(s.now)[2].held_worth(s, card, owner)

    def points_lying(self, s: Scene, group: Group, index: int) -> int:
        """What a card of a group counts."""
        return self._round(s.now)[2].lying_worth(s, group, index)

    def contains(self, now: Position, cards: tuple[int, ...], kind: str) -> bool:
        """Whether some of these cards form a group of a kind."""
        oracle = self.oracle(now)
        mask = sum(1 << card for card in set(cards))
        return any(oracle.groups(mask, k) for k in oracle.kinds if k.name == kind)

    def accepts(self, now: Position, group: Group | None, card: int | None) -> bool:
        """Whether a group is valid with a card laid off on it; not with one it holds."""
        if group is None or card is None or card in group.meld.cards:
            return False
        return any(True for _ in self.oracle(now).lay_offs(group.meld, 1 << card, 1))

    def layouts(self, now: Position, cards: tuple[int, ...], who: Who | None) -> tuple[Layout, ...]:
        """Every way to split cards into groups and a rest; those that differ by twins only once."""
        oracle, owner = self.oracle(now), who.seats[0] if who is not None else -1
        key = (id(oracle), frozenset(cards), owner)
        if key not in self._layouts:
            found: dict[object, Layout] = {}
            for chosen in oracle.arrangements(sum(1 << card for card in cards), len(cards)):
                melds = [oracle.meld(kind, said, start) for kind, said, start in chosen]
                groups = tuple(Group(meld, owner, (owner,) * len(meld.cards)) for meld in melds)
                inside = frozenset(card for meld in melds for card in meld.cards)
                alike = tuple(sorted(str(oracle.key_of(meld)) for meld in melds))
                found.setdefault(alike, Layout(groups, inside, frozenset(cards) - inside))
            self._layouts[key] = tuple(found.values())
        return self._layouts[key]

    # ------------------------------------------------------------ the stock

    def stock_is_dry(self, now: Position) -> bool:
        """Empty, and no renewal left that could yield a card."""
        rule = self.sheet.stock
        if now.piles.get(("stock", None)):
            return False
        return rule.how == "nothing" or self.renewals_used_up(now) or len(now.piles.get((rule.zone, None), ())) <= 1

    def renewals_used_up(self, now: Position) -> bool:
        """Whether the stock was renewed as often as it may be."""
        limit = self.sheet.stock.at_most
        return limit is not None and now.renewed >= number(limit, scene(self, now, None))

    def shuffle(self, now: Position, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The cards in the order that chance gives next, the top one last."""
        now.shuffles += 1
        return self.chance.order(now.shuffles - 1, cards)

    def can(self, now: Position, move: str) -> bool:
        """Whether a legal move of this name exists."""
        return any(True for _ in legal.legal_of(self, now, move))
