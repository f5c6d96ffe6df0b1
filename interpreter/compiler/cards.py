"""Questions about one card or one group to code."""

from __future__ import annotations

from interpreter.compiler.base import Makers
from interpreter.compiler.people import PeopleCompiler
from interpreter.moves import Group, Meld
from interpreter.program import HIGH, IN_HAND, LOW, UNPLACED, Code, Env
from interpreter.relations import (
    is_joined_only_from,
    is_replaced,
    keeps_group,
    keeps_name,
    keeps_neighbour,
    neighbours,
    old_place,
)
from rulespec import expressions as ex


class CardCompiler(PeopleCompiler):
    """What a card is, where it lies, and how it lay before."""

    def card_makers(self) -> Makers:
        return {
            ex.GroupOf: self.group_of,
            ex.Neighbours: self.neighbours,
            ex.CardProperty: self.card_property,
            ex.Trait: self.trait,
            ex.HasRank: self.has_rank,
            ex.HasSuit: self.has_suit,
            ex.HasFace: self.has_face,
            ex.IsKind: self.is_kind,
            ex.Contains: self.contains,
            ex.Accepts: self.accepts,
            ex.Keeps: self.keeps,
            ex.IsReplaced: self.is_replaced,
            ex.IsJoinedOnlyFrom: self.is_joined_only_from,
        }

    def card_property(self, e: ex.CardProperty) -> Code:
        of, pack = self(e.of), self.slots.pack
        if e.old:
            return lambda env: old.name if (old := old_place(env, of(env))) is not None else -1
        is_name = e.of.type is ex.Type.NAME

        def face(env: Env) -> int:
            value: int = of(env)
            return value if is_name or value < 0 else pack.face[value]

        match e.property:
            case "rank":
                return lambda env: pack.face_rank[f] if (f := face(env)) >= 0 else -1
            case "suit":
                return lambda env: pack.face_suit[f] if (f := face(env)) >= 0 else -1
            case "name":
                return lambda env: _name(env, of(env))
            case "pips":
                return lambda env: (
                    _pips(pack.ranks[r]) if (f := face(env)) >= 0 and (r := pack.face_rank[f]) >= 0 else 0
                )

        def place(env: Env) -> int:
            number = face(env)
            rank = pack.face_rank[number] if number >= 0 else -1
            if rank < 0:
                return 0
            if not is_name and (lies := _place(env, of(env))) is not None and lies[0].start >= 0:
                return (lies[0].start + lies[1]) % len(pack.place_rank) + 1
            return pack.rank_places[rank][0] + 1

        return place

    def trait(self, e: ex.Trait) -> Code:
        of, pack = self(e.of), self.slots.pack
        trait = e.trait
        if trait == "joker":
            return lambda env: (c := of(env)) >= 0 and pack.face[c] == pack.joker_face
        if trait in ("red", "black"):
            colour = 0 if trait == "red" else 1

            def coloured(env: Env) -> bool:
                card = of(env)
                suit = pack.face_suit[pack.face[card]] if card >= 0 else -1
                return suit >= 0 and pack.suit_colour[suit] == colour

            return coloured
        if trait in ("wild", "natural"):
            wanted = trait == "wild"
            return lambda env: (c := of(env)) >= 0 and _lies_wild(env, c) is wanted
        end = LOW if trait == "low" else HIGH
        return lambda env: (c := of(env)) >= 0 and _end(env, c) == end

    def has_rank(self, e: ex.HasRank) -> Code:
        of, pack = self(e.of), self.slots.pack
        ranks = frozenset(pack.ranks.index(r) for r in e.ranks if r in pack.ranks)
        if e.of.type is ex.Type.NAME:
            return lambda env: (f := of(env)) >= 0 and pack.face_rank[f] in ranks
        return lambda env: (c := of(env)) >= 0 and pack.face_rank[pack.face[c]] in ranks

    def has_suit(self, e: ex.HasSuit) -> Code:
        of, pack = self(e.of), self.slots.pack
        wanted = pack.suits.index(e.suit)
        if e.of.type is ex.Type.NAME:
            return lambda env: (f := of(env)) >= 0 and pack.face_suit[f] == wanted
        return lambda env: (c := of(env)) >= 0 and pack.face_suit[pack.face[c]] == wanted

    def has_face(self, e: ex.HasFace) -> Code:
        of, pack = self(e.of), self.slots.pack
        wanted = pack.parse_face(e.rank + e.suit)
        if e.of.type is ex.Type.NAME:
            return lambda env: of(env) == wanted
        return lambda env: (c := of(env)) >= 0 and pack.face[c] == wanted

    def is_kind(self, e: ex.IsKind) -> Code:
        of, kind = self(e.of), self.slots.kinds[e.kind]
        return lambda env: (g := of(env)) is not None and g.meld.kind == kind

    def contains(self, e: ex.Contains) -> Code:
        cards, kind = self.mask(e.of), self.slots.kinds[e.kind]
        return lambda env: any(True for _ in env.state.rules.melds.groups(cards(env), kind))

    def accepts(self, e: ex.Accepts) -> Code:
        group, card = self(e.group), self(e.card)
        return lambda env: (
            (g := group(env)) is not None and (c := card(env)) >= 0 and env.state.rules.melds.accepts(g.meld, c)
        )

    def group_of(self, e: ex.GroupOf) -> Code:
        of = self(e.of)
        if e.old:
            return lambda env: old.group if (old := old_place(env, of(env))) is not None else None

        def lies_in(env: Env) -> Group | None:
            card = of(env)
            index = env.state.group_of(card) if card >= 0 else -1
            return env.state.groups[index] if index >= 0 else None

        return lies_in

    def neighbours(self, e: ex.Neighbours) -> Code:
        of = self(e.of)
        if e.old:
            return lambda env: (
                neighbours(env.context.before, old.group.meld, old.at)
                if env.context is not None and (old := old_place(env, of(env))) is not None
                else 0
            )

        def beside(env: Env) -> int:
            place = _place(env, of(env))
            if place is None:
                return 0
            return neighbours(env.state, *place)

        return beside

    # -------------------------------------------------------- before and after

    def keeps(self, e: ex.Keeps) -> Code:
        card = self(e.card)
        ask = {"name": keeps_name, "group": keeps_group, "neighbour": keeps_neighbour}[e.what]
        return lambda env: ask(env, card(env))

    def is_replaced(self, e: ex.IsReplaced) -> Code:
        card = self(e.card)
        if e.zone is None:
            return lambda env: is_replaced(env, card(env))
        source = self.source(e.zone)
        return lambda env: is_replaced(env, card(env), source(env))

    def is_joined_only_from(self, e: ex.IsJoinedOnlyFrom) -> Code:
        card, source = self(e.card), self.source(e.zone)
        return lambda env: is_joined_only_from(env, card(env), source(env))

    def source(self, zone: str) -> Code:
        """The cards of a zone (of *you*) before the move, as a mask."""
        rule = self.slots.zones[zone]

        def before(env: Env) -> int:
            if env.context is None:
                return 0
            state = env.context.before
            if rule.slot < 0:
                return state.hands[env.you]
            owner = 0 if rule.of == "table" else env.program.side_of(env.you) if rule.of == "side" else env.you
            return sum(1 << card for card in state.piles[rule.slot + owner])

        return before


def _place(env: Env, card: int) -> tuple[Meld, int] | None:
    """The group a card lies in, and where in it: the one looked at before those on the table."""
    if env.meld is not None and card in env.meld.cards:
        return env.meld, env.meld.cards.index(card)
    index = env.state.group_of(card)
    if index < 0:
        return None
    meld = env.state.groups[index].meld
    return meld, meld.cards.index(card)


def _name(env: Env, card: int) -> int:
    if card < 0:
        return -1
    place = _place(env, card)
    return env.program.pack.face[card] if place is None else place[0].names[place[1]]


def _lies_wild(env: Env, card: int) -> bool:
    if not env.state.rules.wild >> card & 1:
        return False
    if env.place != UNPLACED:
        return env.place == IN_HAND or not env.itself
    return _place(env, card) is None or _name(env, card) != env.program.pack.face[card]


def _end(env: Env, card: int) -> int:
    if env.place != UNPLACED:
        return env.place
    place = _place(env, card)
    return IN_HAND if place is None else env.state.rules.place_in(*place)


def _pips(rank: str) -> int:
    return int(rank) if rank.isdigit() else 1 if rank == "A" else 0
