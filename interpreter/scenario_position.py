"""Comparing a position, or the end of a round, with what a scenario expects of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from interpreter.errors import MoveSyntaxError
from interpreter.moves import Group, Meld
from interpreter.notation import cards_text, meld_text, read_group
from interpreter.pack import bits, mask_of
from interpreter.position import EMPTY, Said
from interpreter.program import Program
from interpreter.state import NOBODY, ROUND_DONE, State

YOURS = -1
"""In place of an owner: the seat that was on turn when the case began."""


class CardsIn(NamedTuple):
    """The cards of a zone: their texts, how many there are, or `empty`. `owner` is a seat or side, 0 for the table."""

    zone: str
    owner: int
    said: Said


class OnTable(NamedTuple):
    """All groups of the table, or, where owners are said, all of those owners."""

    groups: tuple[tuple[Said, int], ...]
    place: str


class Booked(NamedTuple):
    """A number that is written down: `turn turn-number dealer round renewed scores rounds-won opened`, or a tally.

    Seats are from 0 here too; `opened` is 0 or 1; `owner` is the side or seat it belongs to, 0 for the table.
    """

    what: str
    owner: int
    number: int
    place: str


Expected = CardsIn | OnTable | Booked


class Ends(NamedTuple):
    """How the round is expected to have ended, and the game. What is None is not asked."""

    place: str
    ending: Said | None
    winners: tuple[tuple[int, ...], str] | None
    scores: tuple[Booked, ...]
    game: tuple[str | tuple[int, ...], str] | None
    """`no`, `yes`, `draw`, or the seats that win it."""
    totals: tuple[Booked, ...]
    dealer: tuple[int, str] | None
    """The seat that deals the next round, and where that is said."""


Finding = tuple[str, str]
"""The place of an expectation, and what is wrong with it; an empty text if nothing is."""


def compare(
    program: Program, state: State, expected: tuple[Expected, ...], subject: int, books: tuple[int, int]
) -> Iterator[Finding]:
    """A finding for each thing expected of the position. `books` are the dealer and the number of the round."""
    for wanted in expected:
        match wanted:
            case CardsIn():
                yield wanted.said.place, _cards(program, state, wanted, subject)
            case OnTable():
                yield wanted.place, _table(program, state, wanted)
            case Booked():
                yield wanted.place, _booked(program, state, wanted, books)


# ------------------------------------------------------------ cards


def pack_cards(program: Program, text: str) -> int:
    """Cards of the pack with the faces of a text, whoever holds them; its kind may stand first.

    Raises MoveSyntaxError.
    """
    found = 0
    for number, word in enumerate(text.split()):
        if number == 0 and word in program.kind_names:
            continue
        try:
            twins = program.pack.cards_of_face[program.pack.parse_face(word.partition("=")[0])]
        except (KeyError, IndexError):
            raise MoveSyntaxError(f'"{word}" is no card of this deck') from None
        card = next(bits(twins & ~found), None)
        if card is None:
            raise MoveSyntaxError(f'the deck has fewer of "{word}"')
        found |= 1 << card
    return found


def _cards(program: Program, state: State, wanted: CardsIn, subject: int) -> str:
    owner = subject if wanted.owner == YOURS else wanted.owner
    zone = next(z for z in program.zones if z.name == wanted.zone)
    pack = program.pack
    if zone.slot < 0:
        cards: tuple[int, ...] = tuple(bits(state.hands[owner]))
    else:
        cards = state.piles[zone.slot + owner]
    ordered = cards[::-1] if zone.slot == program.stock else cards
    text = wanted.said.text
    name = zone.name if zone.of == "table" or wanted.owner == YOURS else f"{zone.name} of {owner + 1}"
    if text.isdecimal():
        return "" if int(text) == len(cards) else f"expected {name}: {text} cards, got {len(cards)}"
    faces = [] if text == EMPTY else [pack.parse_face(word) for word in text.split()]
    got = [pack.face[card] for card in ordered]
    if zone.of != "table":
        faces, got = sorted(faces), sorted(got)
    if faces == got:
        return ""
    shown = " ".join(map(pack.text, ordered)) if zone.of == "table" else cards_text(program, mask_of(cards))
    return f"expected {name}: {text}, got {shown or EMPTY}"


# ------------------------------------------------------------ groups


def alike(program: Program, state: State, text: str, meld: Meld) -> bool:
    """Whether a text can mean a group, twins aside."""
    try:
        found = read_group(program, state, text, pack_cards(program, text))
    except MoveSyntaxError:
        return False
    return any(_key(program, each) == _key(program, meld) for each in found)


def _key(program: Program, meld: Meld) -> tuple[object, ...]:
    faces = [program.pack.face[card] for card in meld.cards]
    return (meld.kind, meld.start, sorted(zip(faces, meld.names, strict=True)))


def _table(program: Program, state: State, wanted: OnTable) -> str:
    owners = {owner for _, owner in wanted.groups if owner != NOBODY}
    left: list[Group] = [group for group in state.groups if not owners or group.owner in owners]
    missing: list[str] = []
    for said, owner in wanted.groups:
        same = next((g for g in left if owner in (NOBODY, g.owner) and alike(program, state, said.text, g.meld)), None)
        if same is None:
            missing.append(said.text)
        else:
            left.remove(same)
    if not missing and not left:
        return ""
    table = ", ".join(meld_text(program, group.meld) for group in state.groups)
    what = f"no {', no '.join(missing)}" if missing else f"also {', '.join(meld_text(program, g.meld) for g in left)}"
    return f"expected another table: it has {what}; got [{table}]"


# ------------------------------------------------------------ books


def _booked(program: Program, state: State, wanted: Booked, books: tuple[int, int]) -> str:
    got = _number(program, state, wanted, books)
    if got == wanted.number:
        return ""
    whose = f" of {wanted.owner + 1}" if wanted.what in ("scores", "rounds-won", "opened") else ""
    return f"expected {wanted.what}{whose}: {_said(wanted.what, wanted.number)}, got {_said(wanted.what, got)}"


def _number(program: Program, state: State, wanted: Booked, books: tuple[int, int]) -> int:
    match wanted.what:
        case "turn":
            return state.to_act
        case "turn-number":
            return state.turn_number
        case "dealer":
            return books[0]
        case "round":
            return books[1]
        case "renewed":
            return state.renewed
        case "scores":
            return state.scores[wanted.owner]
        case "rounds-won":
            return state.rounds_won[wanted.owner]
        case "opened":
            return state.opened >> wanted.owner & 1
        case name:
            tally = next(t for t in program.tallies if t.name == name)
            return state.tallies[tally.slot + wanted.owner]


def _said(what: str, number: int) -> str:
    if what in ("turn", "dealer"):
        return str(number + 1) if number != NOBODY else "nobody"
    if what == "opened":
        return "yes" if number else "no"
    return str(number)


# ------------------------------------------------------------ the end of a round


def compare_end(program: Program, state: State, expected: Ends, ended: bool) -> Iterator[Finding]:
    """A finding for each thing expected of the round that ended last. `ended`: whether one did in this case."""
    if not ended:
        yield expected.place, "expected the round to end, but it goes on"
        return
    result = state.results[-1]
    if expected.ending is not None:
        same = expected.ending.text == result.ending
        text = "" if same else f"expected round: {expected.ending.text}, got {result.ending}"
        yield expected.ending.place, text
    if expected.winners is not None:
        seats, place = expected.winners
        yield place, _seats("winners", program, seats, result.winners)
    for score in expected.scores:
        got = result.scores[score.owner]
        text = "" if got == score.number else f"expected scores of {score.owner + 1}: {score.number}, got {got}"
        yield score.place, text
    if expected.game is not None:
        yield expected.game[1], _game(program, state, expected.game[0])
    for total in expected.totals:
        got = state.scores[total.owner]
        text = "" if got == total.number else f"expected totals of {total.owner + 1}: {total.number}, got {got}"
        yield total.place, text
    if expected.dealer is not None:
        seat, place = expected.dealer
        got = state.dealer if state.stage == ROUND_DONE else NOBODY
        text = "" if got == seat else f"expected dealer of the next round: {seat + 1}, got {_said('dealer', got)}"
        yield place, text


def _game(program: Program, state: State, expected: str | tuple[int, ...]) -> str:
    outcome = state.outcome
    if isinstance(expected, tuple):
        if outcome is None or outcome.draw:
            return f"expected game: won by {_listed(expected)}, got {'no' if outcome is None else 'draw'}"
        return _seats("game: won by", program, expected, outcome.winners)
    got = "no" if outcome is None else "draw" if outcome.draw else "yes"
    if expected == got or (expected == "yes" and got == "draw"):
        return ""
    return f"expected game: {expected}, got {got}"


def _seats(what: str, program: Program, expected: tuple[int, ...], got: tuple[int, ...]) -> str:
    """Compare seats; where several play for a side, one stands for all of them."""
    if {program.side_of(seat) for seat in expected} == {program.side_of(seat) for seat in got}:
        return ""
    return f"expected {what} {_listed(expected)}, got {_listed(got)}"


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(str(seat + 1) for seat in seats) or "nobody"
