"""Every counted card has a value, every row of values a card, and where rows overlap one is the narrower."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Expr
from rulespec.model import ValueRow
from rulespec.reasoning import deck
from rulespec.reasoning.judge import some
from rulespec.reasoning.known import CardFace, Known
from rulespec.reasoning.settings import choices
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import disjuncts, inside
from rulespec.reasoning.worth import Where

SHOWN = 8
"""So many cards are named in a message."""

MOST_HELD = 200_000
"""So many cards are held against rows at most, for all choices of options together."""
LEAST_TABLES = 4
"""So many choices are looked at anyway."""


def check_values(study: Study) -> list[Diagnostic]:
    """Holds every card, at every place where it may lie, against every row, with every choice of options."""
    sheet = study.sheet
    read = choices(sheet, (sheet.values, sheet.wild, sheet.deck.jokers))
    rows = len(sheet.values.hand) + len(sheet.values.melds) + len(sheet.values.everywhere) + 1
    at_most = max(LEAST_TABLES, MOST_HELD // (rows * sum(1 for _ in study.judge.worth.lying("melds"))))
    tables = [Known(players=study.players, options=options) for options in read[:at_most]]
    return [
        *_uncounted(study, tables),
        *_unused_rows(study, tables),
        *_overlaps(study, tables),
        *_strange_points(study, tables),
    ]


def _cards(study: Study, where: Where, known: Known) -> list[CardFace]:
    jokers = study.judge.number(study.sheet.deck.jokers, known).high > 0
    faces = study.judge.worth.lying(where, jokers)
    return [face for face in faces if where == "hand" or _fits(study, face, known)]


def _fits(study: Study, face: CardFace, known: Known) -> bool:
    """Whether a card may lie in a group of some kind."""
    if study.judge.is_wild(face, known) is not False:
        return True
    return any(
        kind.of is None or study.judge.holds_for(kind.of, face, known) is not False for kind in study.sheet.melds
    )


# ------------------------------------------------------------ cards without a row


def _uncounted(study: Study, tables: list[Known]) -> Iterator[Diagnostic]:
    for where in ("hand", "melds"):
        counting = next((p for p in _counting(study) if _certainly(study, p, where)), None)
        if counting is None:
            continue
        for known in tables:
            missing = [face for face in _cards(study, where, known) if not _has_row(study, face, where, known)]
            if missing:
                yield _tell_uncounted(study, where, missing, counting)
                break


def _counting(study: Study) -> Iterator[ex.Points]:
    return inside(study.sheet, ex.Points)


def _certainly(study: Study, counting: ex.Points, where: Where) -> bool:
    """Whether what is counted lies there, or is a card with a name, which keeps it wherever it comes to lie."""
    places = study.judge.worth.where(counting.of)
    return places == (where,) or (isinstance(counting.of, ex.Named) and where in places)


def _has_row(study: Study, face: CardFace, where: Where, known: Known) -> bool:
    """Whether it may fall under a row in every case; two rows that split a class (`red 3`, `black 3`) are enough."""
    return bool(study.judge.worth.matching(face, where, known))


def _tell_uncounted(study: Study, where: Where, missing: list[CardFace], counting: ex.Points) -> Diagnostic:
    rows = study.judge.worth.rows(where)
    place = {"hand": "in a hand", "melds": "in a group"}[where]
    message = f"{_named(study, missing)} {'has' if len(missing) == 1 else 'have'} no value {place}"
    if not rows:
        help = f"add `values.{where}` with a row for every card"
        return Diagnostic("uncounted-card", "error", message, counting.span, help)
    notes = ((counting.span, "counted here"),)
    help = f"add a row to `values.{where}` or `values.everywhere`"
    return Diagnostic("uncounted-card", "error", message, rows[-1].span, help, notes)


def _named(study: Study, faces: list[CardFace]) -> str:
    """Cards in short: a rank for all its suits."""
    whole = not study.judge.worth.by_suit
    names: list[str] = []
    for face in faces:
        end = f"{face.end} " if face.end in ("low", "high") else ""
        alike = {other.suit for other in faces if (other.rank, other.end) == (face.rank, face.end)}
        names.append(end + face.rank + ("" if whole or len(alike) > 1 else face.suit))
    names = list(dict.fromkeys(names))
    if len(names) > SHOWN:
        return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"
    return ", ".join(names)


# ------------------------------------------------------------ rows without a card


def _unused_rows(study: Study, tables: list[Known]) -> Iterator[Diagnostic]:
    values = study.sheet.values
    for rows, places in ((values.hand, ("hand",)), (values.melds, ("melds",)), (values.everywhere, ("hand", "melds"))):
        for row in rows:
            if study.own(row.span) and not _matches(study, row, places, tables):
                message = "no card of this deck is of this class"
                yield Diagnostic("row-without-card", "error", message, row.span, "take the row out, or see `deck`")


def _matches(study: Study, row: ValueRow, places: tuple[str, ...], tables: list[Known]) -> bool:
    return any(
        study.judge.holds_for(row.card, face, known) is not False
        for known in tables
        for where in places
        for face in _cards(study, "hand" if where == "hand" else "melds", known)
    )


# ------------------------------------------------------------ overlapping rows


@dataclass(frozen=True, slots=True)
class _Class:
    """A class of cards without `or`: the number of its row, and a bit for each card that certainly is of it, and that
    certainly is not."""

    row: int
    of: int
    not_of: int


def _overlaps(study: Study, tables: list[Known]) -> Iterator[Diagnostic]:
    values = study.sheet.values
    for rows, where in ((values.hand, "hand"), (values.melds, "melds"), (values.everywhere, "melds")):
        told: set[tuple[int, int]] = set()
        for known in tables:
            cards = [
                (face, replace(known, wild=wild))
                for face in _cards(study, "hand" if where == "hand" else "melds", known)
                for wild in _wild(study, face, known)
            ]
            parts = [
                _class(study, number, card, cards)
                for number, row in enumerate(rows)
                for card in _alternatives(study, row)
            ]
            for one, two in combinations(parts, 2):
                pair = (one.row, two.row)
                both = _crossing(one, two) if one.row != two.row and pair not in told else None
                if both is not None:
                    told.add(pair)
                    yield _tell_overlap(study, rows[one.row], rows[two.row], *cards[both])


def _wild(study: Study, face: CardFace, known: Known) -> tuple[bool | None, ...]:
    """Whether a card is wild: both, where that is only known when it lies there."""
    return (None,) if study.judge.is_wild(face, known) is not None else (True, False)


def _class(study: Study, row: int, card: Expr, cards: list[tuple[CardFace, Known]]) -> _Class:
    holds = [study.judge.holds_for(card, face, known) for face, known in cards]
    if study.sheet.wild is not None and any(card is part for part in disjuncts(study.sheet.wild.cards)):
        holds = [known.wild if held is None else held for held, (_, known) in zip(holds, cards, strict=True)]
    bits = [1 << place for place in range(len(holds))]
    of = sum(bit for bit, held in zip(bits, holds, strict=True) if held)
    return _Class(row, of, sum(bit for bit, held in zip(bits, holds, strict=True) if held is False))


def _alternatives(study: Study, row: ValueRow) -> Iterator[Expr]:
    """The parts of a class joined by `or`; `wild` is the class of `wild.cards`."""
    for part in disjuncts(row.card):
        if isinstance(part, ex.Trait) and part.trait == "wild" and study.sheet.wild is not None:
            yield from disjuncts(study.sheet.wild.cards)
        else:
            yield part


def _crossing(one: _Class, two: _Class) -> int | None:
    """The place of a card that is certainly of both classes, if each also holds a card that the other does not."""
    both = one.of & two.of
    if not (both and one.of & two.not_of and one.not_of & two.of):
        return None
    return (both & -both).bit_length() - 1


def _tell_overlap(study: Study, one: ValueRow, two: ValueRow, face: CardFace, known: Known) -> Diagnostic:
    card = _named(study, [face]) + (" as a wild card" if known.wild else "")
    message = f"{card} falls under two rows, and neither class is inside the other"
    help = "write a row for what both hold, or narrow one of them"
    if known.wild:
        help = "write `natural` before the class that is not meant for wild cards: `natural A`"
    return Diagnostic("rows-overlap", "error", message, two.span, help, ((one.span, "the other row"),))


# ------------------------------------------------------------ points that mean nothing


def _strange_points(study: Study, tables: list[Known]) -> Iterator[Diagnostic]:
    values = study.sheet.values
    for row in (*values.hand, *values.melds, *values.everywhere):
        if not study.own(row.span):
            continue
        judged = [
            face
            for known in tables
            for face in _cards(study, "hand", known)
            if study.judge.holds_for(row.card, face, known)
        ]
        if row.points == "its card":
            wild = [study.judge.is_wild(face, known) for known in tables for face in judged]
            if study.sheet.wild is None or (wild and some(wild) is False):
                message = "`its card` is for wild cards, and none of these is one"
                yield Diagnostic(
                    "its-card-of-natural", "error", message, row.span, "`wild.cards` says which cards are wild"
                )
        if row.points == "pips":
            blank = [face for face in judged if deck.pips(face.rank) == 0]
            if blank:
                message = f"there is no number on {_named(study, list(dict.fromkeys(blank)))}: `pips` counts 0 there"
                yield Diagnostic(
                    "no-pips", "warning", message, row.span, "give pictures and jokers a row with a number"
                )
