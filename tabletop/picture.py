"""What a seat sees, as lines of text. Nothing here knows what kind of terminal it is shown on."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from interpreter.figures import counted
from interpreter.notation import card_text, cards_text, meld_text
from interpreter.view import UNSEEN, SeatView

HIDDEN = "##"
"""A card that the seat does not see."""
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

LEAST_WIDTH = 30
"""Columns that are used even where a terminal says it has less."""
_GAP = re.compile(r" *\S.*? {2,}(?=\S)")
_TIE = "\0"
_CARD = re.compile(r"\b([AJQK]|\d{1,2})([SHDC])\b")


def with_symbols(text: str) -> str:
    """A text with ♠♥♦♣ in its cards; those of other decks stay as they are written."""
    return _CARD.sub(lambda card: card[1] + SUITS[card[2]], text)


def with_letters(text: str) -> str:
    """A text with letters for ♠♥♦♣."""
    return text.translate({ord(symbol): letter for letter, symbol in SUITS.items()})


def visible(text: str) -> str:
    """A line without characters that a terminal would heed; they are spelled out."""
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text)


def fitted(line: str, width: int) -> list[str]:
    """A line in as many as have room. Those after the first begin below what stands behind a gap of the first (an
    explanation, a numbered move), else are indented deeper than it. Groups between slashes stay whole."""
    room = max(width, LEAST_WIDTH)
    if len(line) <= room:
        return [line]
    gap = _GAP.match(line)
    deeper = len(line) - len(line.lstrip()) + 4
    indent = " " * (len(gap[0]) if gap is not None and 2 * len(gap[0]) <= room else deeper)
    if " / " in line:
        line = _whole_groups(line, room - len(indent))
    wrapped = textwrap.wrap(line, room, subsequent_indent=indent, break_on_hyphens=False)
    return [part.replace(_TIE, " ") for part in wrapped]


def _whole_groups(line: str, room: int) -> str:
    """A line of groups between slashes in which ties stand for the spaces at which it must not be broken."""
    said, gap, beside = line.partition("   (")
    first, *groups = said.split(" / ")
    tied = [group.replace(" ", _TIE) if len(group) + 2 <= room else group for group in groups]
    return f"{_TIE}/ ".join([first, *tied]) + gap + beside


def columns(entries: list[str], width: int) -> list[str]:
    """Short entries side by side, read downwards, as many as have room."""
    wide = max(map(len, entries)) + 1
    across = max(1, width // wide)
    down = -(-len(entries) // across)
    return ["".join(f"{entry:<{wide}}" for entry in entries[row::down]).rstrip() for row in range(down)]


def picture(
    view: SeatView, names: Mapping[int, str], say: Mapping[str, str], width: int, by_rank: bool = False
) -> Iterator[str]:
    """The table, the piles, the other players and the own hand, by suit or by rank. `names` are those of the seats,
    `say` those of zones, tallies and groups for people."""
    program = view.program
    whose = "" if view.mover == view.seat else f": {names[view.mover]} has the turn, you are asked"
    yield f"round {view.round}, turn {view.turn_number}{whose}"
    for seat in range(program.players):
        yield "  " + _player(view, seat, names, say)
    yield from _piles(view, names, say)
    if view.groups:
        yield "table"
        for number, group in enumerate(view.groups, 1):
            whose = (
                names[group.owner] if program.sides == program.players else _side(view, program.side_of(group.owner))
            )
            kind = say.get(program.kind_names[group.meld.kind], program.kind_names[group.meld.kind])
            beside = f"({kind}, {whose})".replace(" ", _TIE)
            yield from _wrapped(f"{number:>3}. ", f"{meld_text(program, group.meld)}   {beside}", width)
    else:
        yield "table: empty"
    count = view.hand.bit_count()
    yield from _wrapped(f"your hand ({count}): ", cards_text(program, view.hand, by_rank) or "empty", width)
    for number, named in enumerate(program.named):
        held = view.named[number] & view.hand
        if held:
            yield f"  {say.get(named, named)}: {cards_text(program, held, by_rank)}"


def _side(view: SeatView, side: int) -> str:
    return "your side" if side == view.program.side_of(view.seat) else f"side {side + 1}"


def _player(view: SeatView, seat: int, names: Mapping[int, str], say: Mapping[str, str]) -> str:
    program = view.program
    size = view.hand_sizes[seat]
    side = "" if program.sides == program.players else f" ({_side(view, program.side_of(seat))})"
    parts = [f"{names[seat]}{side}: {counted(size, 'card')}", f"score {view.scores[program.side_of(seat)]}"]
    if view.has_opened(seat):
        parts.append("has laid cards")
    for tally in program.tallies:
        slot = tally.slot + {"player": seat, "side": program.side_of(seat)}.get(tally.of, 0)
        if tally.of != "table" and view.tallies[slot]:
            parts.append(f"{say.get(tally.name, tally.name)} {view.tallies[slot]}")
    if seat != view.seat and view.known[seat]:
        parts.append(f"shows {cards_text(program, view.known[seat])}")
    if seat == view.dealer:
        parts.append("dealt")
    return ", ".join(parts)


def _piles(view: SeatView, names: Mapping[int, str], say: Mapping[str, str]) -> Iterator[str]:
    """Each pile: how many cards, and those that are seen, the top one last. A pile of the table that the game never
    uses is left out."""
    program = view.program
    used = {action.pile for move in program.moves for action in move.actions} | {line.zone for line in program.deal}
    for index, zone in enumerate(program.zones):
        if zone.slot < 0:
            continue
        owners = {"table": 1, "side": program.sides}.get(zone.of, program.players)
        for owner in range(owners):
            pile = view.piles[zone.slot + owner]
            if not pile and (zone.of != "table" or index not in used):
                continue
            whose = "" if zone.of == "table" else f" of {_side(view, owner) if zone.of == 'side' else names[owner]}"
            name = say.get(zone.name, zone.name)
            seen = [HIDDEN if card == UNSEEN else card_text(program, card) for card in pile[-12:]]
            shown = ("… " if len(pile) > len(seen) else "") + " ".join(seen)
            known = any(card != UNSEEN for card in pile)
            count = f"{len(pile)}, top last" if len(pile) > 1 and zone.of == "table" else str(len(pile))
            yield f"{name}{whose} ({count}): {shown}" if known else f"{name}{whose}: {counted(len(pile), 'card')}"


def _wrapped(head: str, text: str, width: int) -> Iterator[str]:
    indent = " " * len(head)
    lines = textwrap.wrap(head + text, max(width, LEAST_WIDTH), subsequent_indent=indent, break_on_hyphens=False)
    yield from (line.replace(_TIE, " ") for line in lines)
