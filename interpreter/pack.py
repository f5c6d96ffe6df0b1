"""The cards of one game as numbers: ids, faces, places, and their texts.

A *card* is an id from 0; twins (equal cards of several packs) have different ids. A *face* is what a card is or
stands for: rank and suit, the joker, or a rank without a suit (a joker in a set that may be any missing suit).
Sets of cards are integers with one bit a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from interpreter.errors import NotPlayable

MOST_CARDS: Final = 3000
"""Larger decks take more memory and time than a game is worth."""
RED_SUITS: Final = frozenset("HD")
BLACK_SUITS: Final = frozenset("SC")


WORD: Final = 60
"""Bits that the compiled core reckons with at once: a longer number is an object of its own at each step."""
WHOLE_WORD: Final = (1 << WORD) - 1


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask, from the lowest."""
    return iter(bit_list(mask))


def bit_list(mask: int) -> list[int]:
    """The same as a list."""
    found: list[int] = []
    first = 0
    while mask:
        word = mask & WHOLE_WORD
        while word:
            low = word & -word
            found.append(first + low.bit_length() - 1)
            word ^= low
        mask >>= WORD
        first += WORD
    return found


def mask_of(cards: Iterable[int]) -> int:
    """Cards as a mask."""
    found = 0
    for card in tuple(cards):  # the compiled core goes through what is known to be a tuple much faster
        found |= 1 << card
    return found


class Pack:
    """The deck of one game: `packs` times every rank in every suit, then the jokers. Raises NotPlayable."""

    def __init__(
        self, places: tuple[str, ...], round_the_corner: bool, suits: tuple[str, ...], packs: int, jokers: int
    ) -> None:
        self.ranks: tuple[str, ...] = tuple(dict.fromkeys(places))
        self.suits = suits
        self.round_the_corner = round_the_corner
        self.place_rank: tuple[int, ...] = tuple(self.ranks.index(r) for r in places)
        """Place in the order (from 0) to rank. A rank at both ends has two places."""
        self.rank_places: tuple[tuple[int, ...], ...] = tuple(
            tuple(p for p, r in enumerate(self.place_rank) if r == rank) for rank in range(len(self.ranks))
        )
        self.packs = packs
        self.jokers = jokers
        n_suits = len(suits)
        self.joker_face = len(self.ranks) * n_suits
        self.size = packs * self.joker_face + jokers
        if self.size > MOST_CARDS:
            raise NotPlayable(f"the deck has {self.size} cards, and at most {MOST_CARDS} are played with")
        self.face: tuple[int, ...] = tuple(
            card % self.joker_face if card < packs * self.joker_face else self.joker_face for card in range(self.size)
        )
        """Card to face."""
        self.face_rank: tuple[int, ...] = (
            *(f // n_suits for f in range(self.joker_face)),
            -1,
            *range(len(self.ranks)),
        )
        """Face to rank; -1 for the joker."""
        self.face_suit: tuple[int, ...] = tuple(f % n_suits for f in range(self.joker_face)) + (-1,) * (
            1 + len(self.ranks)
        )
        """Face to suit; -1 for the joker and for a rank without a suit."""
        self.suit_colour: tuple[int, ...] = tuple(0 if s in RED_SUITS else 1 if s in BLACK_SUITS else -1 for s in suits)
        """0 red, 1 black, -1 neither."""
        self.all_cards = (1 << self.size) - 1
        self.cards_of_face: tuple[int, ...] = tuple(
            sum(1 << c for c in range(self.size) if self.face[c] == f) for f in range(self.joker_face + 1)
        )
        """Face to the mask of its cards (twins)."""
        self.has_twins = any(mask & (mask - 1) for mask in self.cards_of_face)

    def face_of(self, rank: int, suit: int) -> int:
        """The face of a rank in a suit; without a suit (-1), the bare rank."""
        return rank * len(self.suits) + suit if suit >= 0 else self.joker_face + 1 + rank

    def face_text(self, face: int) -> str:
        """`10H`, `JK`, or `7` for a rank without a suit."""
        if face == self.joker_face:
            return "JK"
        suit = self.face_suit[face]
        return self.ranks[self.face_rank[face]] + (self.suits[suit] if suit >= 0 else "")

    def copy_number(self, card: int) -> int:
        """Which of its twins a card is, from 1."""
        if self.face[card] == self.joker_face:
            return card - self.packs * self.joker_face + 1
        return card // self.joker_face + 1

    def text(self, card: int) -> str:
        """A card by its face."""
        return self.face_text(self.face[card])

    def parse_face(self, text: str) -> int:
        """The face of a text; `TH`, `♥` and lower case are understood. Raises KeyError for what is no card here."""
        clean = text.strip().upper()
        for symbol, letter in zip("♠♥♦♣", "SHDC", strict=True):
            clean = clean.replace(symbol, letter)
        if clean in ("JK", "JOKER"):
            return self.joker_face
        if clean.startswith("T") and "T" not in self.ranks:
            clean = "10" + clean[1:]
        if clean in self.ranks:
            return self.face_of(self.ranks.index(clean), -1)
        for number, suit in enumerate(self.suits):
            if clean.endswith(suit.upper()) and clean[: -len(suit)] in self.ranks:
                return self.face_of(self.ranks.index(clean[: -len(suit)]), number)
        raise KeyError(text)
