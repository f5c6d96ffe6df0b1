"""Every kind of group can lie on the table with this deck, and as large as it says."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf

from rulespec.diagnostics import Diagnostic
from rulespec.model import UNBOUNDED, MeldKind, Rulesheet
from rulespec.reasoning import deck
from rulespec.reasoning.known import CardFace, Known
from rulespec.reasoning.study import Study
from rulespec.source import Span


def check_meld_kinds(study: Study) -> list[Diagnostic]:
    """Counts, for each kind, how many cards a group of it can have at most."""
    found: list[Diagnostic] = []
    known = [setting.known() for setting in study.tables(study.sheet.deck, study.sheet.melds, study.sheet.wild)]
    for kind in study.sheet.melds:
        wrong = _sizes(study, kind, known)
        found += [wrong] if wrong else _all_wild(study, kind)
    return found


def _error(code: str, message: str, span: Span, help: str = "") -> Diagnostic:
    return Diagnostic(code, "error", message, span, help)


def _size_span(study: Study, kind: MeldKind) -> Span:
    own = study.key("melds", kind.name, "cards")
    return own if own != study.key("melds", kind.name) else study.key("melds", "every", "cards")


def _sizes(study: Study, kind: MeldKind, tables: list[Known]) -> Diagnostic | None:
    """Whether the deck has the cards for its least and its greatest size, at some table at least."""
    fitting = max((len(_fitting(study, kind, known)) for known in tables), default=0)
    wild_for_all = max((_wild_cards(study, kind, known) for known in tables), default=0)
    span = _size_span(study, kind)
    if not fitting and not wild_for_all:
        where = study.key("melds", kind.name, "of")
        return _error("meld-without-cards", f'no card of the deck fits into "{kind.name}"', where)
    if kind.wild.low and not wild_for_all:
        message = f'"{kind.name}" needs wild cards, but there are none'
        return _error(
            "meld-without-cards", message, study.key("melds", kind.name, "wild"), "`wild.cards` says which are"
        )
    most = max(_largest(study, kind, known) for known in tables)
    why = _why(study.sheet, kind)
    if most < kind.cards.low:
        message = f'"{kind.name}" needs {kind.cards.low} cards, but {why} it can have {_cards(most)} at most'
        return _error("impossible-meld", message, span)
    if most < kind.cards.high < UNBOUNDED:
        message = f'"{kind.name}" may have {kind.cards.high} cards, but {why} it can have {_cards(most)} at most'
        if study.own(span):
            return Diagnostic(
                "meld-too-large", "warning", message, span, f"write `{_range(kind.cards.low, int(most))}`"
            )
    return None


def _cards(number: float) -> str:
    return "1 card" if number == 1 else f"{int(number)} cards"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def _why(sheet: Rulesheet, kind: MeldKind) -> str:
    if kind.consecutive:
        return f"with {len(sheet.deck.places)} places in the order"
    return "with this deck"


def _fitting(study: Study, kind: MeldKind, known: Known) -> list[CardFace]:
    """The natural cards that may lie in it."""
    if kind.natural.high == 0:
        return []
    faces = deck.natural_faces(study.sheet)
    if study.judge.number(study.sheet.deck.jokers, known).high > 0:
        faces.append(CardFace(deck.JOKER, ""))
    return [
        face
        for face in faces
        if study.judge.is_wild(face, known) is not True
        and (kind.of is None or study.judge.holds_for(kind.of, face, known) is not False)
    ]


def _wild_cards(study: Study, kind: MeldKind, known: Known) -> float:
    """How many wild cards a group of it may hold at most."""
    packs = study.judge.number(study.sheet.deck.packs, known).high
    total = 0.0
    for face in deck.natural_faces(study.sheet):
        if study.judge.is_wild(face, known) is not False:
            total += packs
    if study.judge.is_wild(CardFace(deck.JOKER, ""), known) is not False:
        total += study.judge.number(study.sheet.deck.jokers, known).high
    return min(total, kind.wild.high)


def _largest(study: Study, kind: MeldKind, known: Known) -> float:
    """How many cards a group of it can have at most."""
    packs = study.judge.number(study.sheet.deck.packs, known).high
    naturals = min(_most_naturals(study, kind, known, packs), kind.natural.high)
    total = naturals + _wild_cards(study, kind, known)
    if kind.consecutive:
        total = min(total, len(study.sheet.deck.places))
    if study.sheet.wild is not None and study.sheet.wild.stands_for == "a named card":
        total = min(total, max(_most_names(study.sheet, kind, packs), 0))
    return total


def _most_naturals(study: Study, kind: MeldKind, known: Known, packs: float) -> float:
    jokers = study.judge.number(study.sheet.deck.jokers, known).high
    return _most_alike(study.sheet, kind, _fitting(study, kind, known), packs, jokers)


def _most_names(sheet: Rulesheet, kind: MeldKind, packs: float) -> float:
    """How many cards of different names, or of the same where that is allowed, can lie together."""
    unlimited = inf if not kind.different and not kind.consecutive else packs
    return _most_alike(sheet, kind, deck.natural_faces(sheet), unlimited, 0)


def _most_alike(sheet: Rulesheet, kind: MeldKind, faces: list[CardFace], packs: float, jokers: float) -> float:
    """The most cards of these faces that agree in what must be the same and differ in what must differ."""
    best = 0.0
    for shared in _shares(kind.same, faces):
        alike = [face for face in faces if not face.suit or _agrees(face, kind.same, shared)]
        count = sum(jokers if face.rank == deck.JOKER else packs for face in alike)
        for attribute in kind.different:
            values = {_attribute(face, attribute) for face in alike if face.suit}
            loose = sum(jokers for face in alike if face.rank == deck.JOKER and attribute != "rank")
            count = min(count, len(values) + loose)
        if kind.consecutive:
            ranks = {face.rank for face in alike}
            count = min(count, sum(1 for place in sheet.deck.places if place in ranks))
        best = max(best, count)
    return best


def _shares(same: tuple[str, ...], faces: Iterable[CardFace]) -> list[tuple[str, ...]]:
    suited = [face for face in faces if face.suit] or list(faces)
    return list(product(*({_attribute(face, attribute) for face in suited} for attribute in same)))


def _agrees(face: CardFace, same: tuple[str, ...], shared: tuple[str, ...]) -> bool:
    return all(_attribute(face, attribute) == value for attribute, value in zip(same, shared, strict=True))


def _attribute(face: CardFace, attribute: str) -> str:
    match attribute:
        case "rank":
            return face.rank
        case "suit":
            return face.suit
    return deck.COLOUR.get(face.suit, face.suit)


def _all_wild(study: Study, kind: MeldKind) -> list[Diagnostic]:
    """Asks where a group of wild cards alone is allowed among others."""
    if kind.natural.low > 0 or kind.natural.high == 0 or kind.of is not None or study.sheet.wild is None:
        return []
    if kind.wild.high < kind.cards.low:
        return []
    message = f'may "{kind.name}" be of wild cards alone?'
    span = study.key("melds", kind.name, "natural")
    return [Diagnostic("only-wild", "question", message, span, "if not, write `natural: 1+`")]
