"""The cards of a deck, and which of them a class of cards holds."""

from __future__ import annotations

from rulespec.model import Rulesheet
from rulespec.reasoning.known import CardFace, End

JOKER = "JK"
COLOUR = {"S": "black", "C": "black", "H": "red", "D": "red"}


def natural_faces(sheet: Rulesheet) -> list[CardFace]:
    """Each rank in each suit once, outside groups."""
    ranks = list(dict.fromkeys(sheet.deck.places))
    return [CardFace(rank, suit) for suit in sheet.deck.suits for rank in ranks]


def places(sheet: Rulesheet, rank: str) -> list[int]:
    """Where a rank stands in the order, from 1; a joker stands nowhere, an ace may stand twice."""
    return [n for n, place in enumerate(sheet.deck.places, start=1) if place == rank]


def pips(rank: str) -> int:
    """The number printed on a card: 1 on an ace, none on a picture or a joker, which counts as 0."""
    return int(rank) if rank.isdigit() else int(rank == "A")


def ends(sheet: Rulesheet, rank: str) -> list[End]:
    """Where in a run a card of this rank can lie."""
    if rank == JOKER or sheet.deck.round_the_corner:
        return ["low", "high", "inside"]
    where = places(sheet, rank)
    last = len(sheet.deck.places)
    found: list[End] = []
    if any(place < last for place in where):
        found.append("low")
    if any(place > 1 for place in where):
        found.append("high")
    if any(1 < place < last for place in where):
        found.append("inside")
    return found
