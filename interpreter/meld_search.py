"""Every group of one kind in a hand: runs place by place, everything else as subsets.

Both searches go through the choices of a card and a name in a fixed order and give up as soon as no more cards can
mend what is broken. Runs and sets cost about as many steps as there are groups. A kind without rank and place costs
as many steps as there are subsets of the hand that break none of `same`, `different`, `of`, `apart` and the upper
ends of the ranges: with none of these conditions, all subsets up to the greatest size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter.meld_kinds import Fitting, Kind, Twins
from interpreter.moves import Meld

WHOLE: Final = -1
"""In place of a part: all of them."""


class Choice:
    """A card of a hand under a name."""

    __slots__ = ("apart", "clash", "name", "twins", "wild")

    def __init__(self, twins: int, name: int, wild: bool, apart: bool, clash: int) -> None:
        self.twins = twins
        """Which of the hand's `Twins`."""
        self.name = name
        self.wild = wild
        self.apart = apart
        self.clash = clash
        """One bit for each property of the name that no other card of the group may share."""


def find(
    fitting: Fitting,
    kind: Kind,
    held: Sequence[Twins],
    least: int = 0,
    most: int = 1_000_000,
    condensed: bool = False,
    part: int = WHOLE,
) -> list[Meld]:
    """Every group of a kind from cards of `held`, of `least` to `most` cards, valid but for `needs`.

    Only those of one `part` (see `parts_of`), if one is named.

    If `condensed`, of runs that differ only by which of their wild cards lies in which place at least one is found.

    Order: runs by suit (or colour), start, then card by card, natural before wild; sets by rank, others by suit, then
    in the same way. Of twins the lower id comes first in `Meld.cards`.
    """
    least = max(least, kind.cards[0], kind.natural[0] + kind.wild[0], 1)
    most = min(most, kind.cards[1], sum(len(twins.cards) for twins in held))
    if least > most:
        return []
    search = _Runs(fitting, kind, held, least, most) if kind.consecutive else _Subsets(fitting, kind, held, least, most)
    search.condensed = condensed
    search.search(part)
    return search.found


def parts_of(fitting: Fitting, kind: Kind) -> list[int]:
    """The cards of which each part of the groups of a kind is made, but for wild ones (masks), in the order of `find`.

    Runs are parted by suit or colour, those of wild cards alone come last; sets by rank. Other kinds have no parts.
    """
    pack = fitting.pack
    usable = pack.all_cards if kind.of is None else kind.of
    if kind.consecutive:
        suits = [0] * len(pack.suits)
        for face in range(pack.joker_face):
            suits[pack.face_suit[face]] |= pack.cards_of_face[face] & usable
        return [*(sum(suits[suit] for suit in track) for track in fitting.tracks[kind.index]), 0]
    if not kind.one_rank:
        return []
    ranks = [0] * len(pack.ranks)
    for face in range(pack.joker_face):
        ranks[pack.face_rank[face]] |= pack.cards_of_face[face] & usable
    return [*ranks, pack.cards_of_face[pack.joker_face] & usable & ~fitting.wild]


class _Search:
    """What both searches share: the hand, the cards chosen so far, the groups found."""

    def __init__(self, fitting: Fitting, kind: Kind, held: Sequence[Twins], least: int, most: int) -> None:
        pack = fitting.pack
        self.fitting = fitting
        self.pack = pack
        self.kind = kind
        self.held = held
        self.least = least
        self.most = most
        self.least_natural, self.most_natural = kind.natural
        self.least_wild, self.most_wild = kind.wild
        self.cards: list[int] = []
        self.names: list[int] = []
        self.taken = [0] * len(held)
        self.found: list[Meld] = []
        self.condensed = False
        self.fixed_suit = "suit" in kind.same
        """Whether the suit of the natural cards is that of the wild ones."""
        self.wild_held = [number for number, twins in enumerate(held) if twins.wild]
        self.may_be_wild = sum(len(held[number].cards) for number in self.wild_held)
        self.lone_names = fitting.named and not kind.loose
        """Whether the names of wild cards have a suit without a natural card."""

    def choice(self, number: int, name: int, wild: bool) -> Choice:
        """A choice with its conflicts."""
        card = self.held[number].cards[0]
        different = self.kind.different
        clash = 0
        if different:
            suit = self.pack.face_suit[name]
            if "suit" in different and suit >= 0:
                clash |= 2 << suit
            if "colour" in different and suit >= 0:
                clash |= 2 << len(self.pack.suits) + 1 + self.pack.suit_colour[suit]
            if "rank" in different and not (wild and name == self.pack.joker_face):
                clash |= 2 << len(self.pack.suits) + 4 + self.pack.face_rank[name]
        apart = self.kind.apart
        return Choice(number, name, wild, apart is not None and apart >> card & 1 == 1, clash)

    def usable(self, twins: Twins) -> bool:
        """Whether `of` lets a card lie as itself."""
        return self.kind.of is None or self.kind.of >> twins.cards[0] & 1 == 1

    def wild_names(self, rank: int, suits: tuple[int, ...]) -> list[int]:
        """What a wild card of a rank may be called."""
        if self.fitting.named or (self.fixed_suit and suits):
            return [self.pack.face_of(rank, suit) for suit in suits]
        return [self.pack.face_of(rank, -1)]


class _Runs(_Search):
    """Groups on consecutive places."""

    def search(self, part: int) -> None:
        if "rank" in self.kind.same:
            self.most = min(self.most, 1)
        tracks = self.fitting.tracks[self.kind.index]
        by_suit: list[list[int]] = [[] for _ in self.pack.suits]
        for number, twins in enumerate(self.held):
            suit = self.pack.face_suit[twins.face]
            if suit >= 0 and self.usable(twins):
                by_suit[suit].append(number)
        lone_names = self.lone_names or (len(tracks) == 1 and not self.fixed_suit)
        if not lone_names:
            self.least_natural = max(self.least_natural, 1)
        for suits in tracks if part == WHOLE else tracks[part : part + 1]:
            self._search_track([number for suit in suits for number in by_suit[suit]], suits)
        if not lone_names and part in (WHOLE, len(tracks)):
            self.least_natural = self.kind.natural[0]
            self._search_track([], ())

    def _search_track(self, natural: list[int], suits: tuple[int, ...]) -> None:
        """Runs of these suits; without suits, those of nothing but wild cards."""
        pack = self.pack
        count = len(pack.place_rank)
        wild = min(self.most_wild, self.may_be_wild)
        held_at = 0
        for number in natural:
            for place in pack.rank_places[pack.face_rank[self.held[number].face]]:
                held_at |= 1 << place
        if held_at.bit_count() + wild < self.least or self.least > count:
            return
        starts = range(count if pack.round_the_corner else count - self.least + 1)
        if pack.round_the_corner:
            held_at |= held_at << count
        window = (1 << self.least) - 1
        hopeful = [start for start in starts if (held_at >> start & window).bit_count() + wild >= self.least]
        if not hopeful:
            return
        self.options = self._options(natural, suits, count)
        self.in_any_place = set(self.wild_held)
        """The wild cards that may lie before others of a lower number: all, or those that may lie as themselves."""
        if self.condensed:
            self.in_any_place = {n for n in self.wild_held if pack.face_suit[self.held[n].face] in suits}
        longest = min(self.most, count)
        for start in hopeful:
            self.longest = longest if pack.round_the_corner else min(longest, count - start)
            self.start = start
            self._extend(start, 0, 0, False, 0, -1)

    def _options(self, natural: list[int], suits: tuple[int, ...], count: int) -> list[list[Choice]]:
        """What may lie in each place."""
        pack = self.pack
        options: list[list[Choice]] = [[] for _ in range(count)]
        for number in natural:
            face = self.held[number].face
            for place in pack.rank_places[pack.face_rank[face]]:
                options[place].append(self.choice(number, face, False))
        if self.wild_held and self.most_wild:
            for place, here in enumerate(options):
                for name in self.wild_names(pack.place_rank[place], suits):
                    here += [self.choice(n, name, True) for n in self.wild_held if self.held[n].face != name]
        return options

    def _extend(self, place: int, natural: int, wild: int, apart: bool, clash: int, last: int) -> None:
        """Put every card in the next place that may lie there, and go on from it; `last`: the wild card before it that
        no lower one may follow."""
        size = natural + wild + 1
        for choice in self.options[place]:
            number, is_wild = choice.twins, choice.wild
            if (apart and choice.apart) or clash & choice.clash:
                continue
            following_wild = last
            if is_wild and number not in self.in_any_place:
                if number < last:
                    continue
                following_wild = number
            cards = self.held[number].cards
            taken = self.taken[number]
            now_natural, now_wild = (natural, wild + 1) if is_wild else (natural + 1, wild)
            if taken == len(cards) or now_wild > self.most_wild or now_natural > self.most_natural:
                continue
            self.cards.append(cards[taken])
            self.names.append(choice.name)
            if size >= self.least and now_natural >= self.least_natural and now_wild >= self.least_wild:
                self.found.append(Meld(self.kind.index, tuple(self.cards), tuple(self.names), self.start))
            if size < self.longest:
                self.taken[number] = taken + 1
                following = place + 1
                if following == len(self.options):
                    following = 0
                self._extend(following, now_natural, now_wild, choice.apart, clash | choice.clash, following_wild)
                self.taken[number] = taken
            self.cards.pop()
            self.names.pop()


class _Subsets(_Search):
    """Groups without an order: of one rank, or of any cards."""

    def search(self, part: int) -> None:
        tracks = self.fitting.tracks[self.kind.index]
        bound = self.fixed_suit or "colour" in self.kind.same
        ranks: list[int | None] = [None]
        if self.kind.one_rank:
            ranks = [*range(len(self.pack.ranks)), -1]
            if part != WHOLE:
                ranks = [ranks[part]]
        wild = min(self.most_wild, self.may_be_wild)
        by_rank: dict[int | None, list[int]] = {rank: [] for rank in ranks}
        for number, twins in enumerate(self.held):
            if self.usable(twins) and (not twins.wild or twins.face != self.pack.joker_face):
                rank = self.pack.face_rank[twins.face] if self.kind.one_rank else None
                if rank in by_rank:
                    by_rank[rank].append(number)
        for rank in ranks:
            natural = by_rank[rank]
            copies = wild
            for number in natural:
                copies += len(self.held[number].cards)
            if copies < self.least:
                continue
            for suits in tracks if rank != -1 or not bound else ():
                self._search_among(natural, rank, suits, bound)
            if bound:
                self._search_among(natural, rank, (), False)

    def _search_among(self, natural: list[int], rank: int | None, suits: tuple[int, ...], suited: bool) -> None:
        """Groups of these suits and of cards without one; if `suited`, at least one card has a suit."""
        suit_of = self.pack.face_suit
        held = self.held
        order = sorted(natural, key=lambda n: (suit_of[held[n].face], held[n].cards[0]))
        choices = [self.choice(n, held[n].face, False) for n in order if suit_of[held[n].face] in suits]
        self.roots = len(choices)
        choices += [self.choice(n, held[n].face, False) for n in order if suit_of[held[n].face] < 0]
        if self.most_wild:
            for name in self._names(rank, suits):
                choices += [self.choice(n, name, True) for n in self.wild_held if held[n].face != name or rank is None]
        if not suited or self.lone_names:
            self.roots = len(choices)
        self.choices = choices
        self.rest: list[int] = []
        copies = 0
        seen: set[int] = set()
        for choice in reversed(choices):
            if choice.twins not in seen:
                seen.add(choice.twins)
                copies += len(held[choice.twins].cards)
            self.rest.append(copies)
        self.rest.reverse()
        self._extend(0, self.roots, 0, 0, False, 0)

    def _names(self, rank: int | None, suits: tuple[int, ...]) -> list[int]:
        if rank is None:
            return [self.pack.joker_face]
        return self.wild_names(rank, suits) if rank >= 0 else []

    def _extend(self, first: int, end: int, natural: int, wild: int, apart: bool, clash: int) -> None:
        """Add every choice from `first` on that may lie with those made, and go on from it."""
        size = natural + wild + 1
        for at in range(first, end):
            if size - 1 + self.rest[at] < self.least:
                break
            choice = self.choices[at]
            number, is_wild = choice.twins, choice.wild
            if is_wild and natural < self.least_natural:
                break
            if (apart and choice.apart) or clash & choice.clash:
                continue
            cards = self.held[number].cards
            taken = self.taken[number]
            now_natural, now_wild = (natural, wild + 1) if is_wild else (natural + 1, wild)
            if taken == len(cards) or now_wild > self.most_wild or now_natural > self.most_natural:
                continue
            self.cards.append(cards[taken])
            self.names.append(choice.name)
            if size >= self.least and now_natural >= self.least_natural and now_wild >= self.least_wild:
                self.found.append(self.fitting.meld(self.kind, tuple(zip(self.cards, self.names, strict=True))))
            if size < self.most:
                self.taken[number] = taken + 1
                now_apart, now_clash = apart or choice.apart, clash | choice.clash
                self._extend(at, len(self.choices), now_natural, now_wild, now_apart, now_clash)
                self.taken[number] = taken
            self.cards.pop()
            self.names.pop()
