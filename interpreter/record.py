"""A game as a text that people can read and the engine can play again: the shuffled orders, the moves, what came of it.

    rulespec-game: 1
    sheet: our-rummy
    sheet-hash: 5a3c…
    engine: 0.1.0
    players: 2
    options: target=100
    seed: 7
    game: 12
    bots: greedy, random
    shuffle: 4S 10H KD …
    moves:
    1 draw
    1 discard KD
    2 take
    = round out, won by 1, scores 25 0
    = game won by 1, scores 125 40

A move stands behind the seat that made it. Each `shuffle` gives the cards that were shuffled in their new order, the
top one first; of twins the second is `7H#2`. What the rounds and the game came to is checked, never believed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interpreter.errors import AmbiguousMove, IllegalMove, MachineFault, MoveSyntaxError, RecordError
from interpreter.figures import counted
from interpreter.game import Game
from interpreter.moves import Move
from interpreter.notation import move_text
from interpreter.pack import Pack, bits
from interpreter.program import Program
from interpreter.state import Outcome, RoundResult
from interpreter.version import VERSION

FORMAT = 1
MOST_CHARACTERS = 20_000_000
"""No game is longer; a larger file is something else."""

_HEAD = re.compile(r"([a-z-]+):(?: (.*))?")
_MOVE = re.compile(r"([0-9]{1,3}) (\S.*)")
_CARD = re.compile(r"([^#]+)(?:#([0-9]{1,3}))?")
_REQUIRED = ("sheet", "sheet-hash", "engine", "players", "seed", "game")
_OPTIONAL = ("options", "stopped-after", "bots")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the part `moves`: a move of a seat (from 0), or with seat -1 a result. `line` counts from 1."""

    line: int
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded game, as its text says; nothing is checked against a program yet."""

    sheet: str
    sheet_hash: str
    engine: str
    players: int
    options: dict[str, str]
    stop_after: int
    """The round after which the table stops the game; 0 where it ends by its own rule."""
    seed: str
    game: int
    bots: tuple[str, ...]
    """What chose the moves, a name a seat; empty if people did."""
    shuffles: tuple[tuple[int, tuple[str, ...]], ...]
    """Line and cards of each shuffle."""
    entries: tuple[Entry, ...]

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return sum(entry.seat >= 0 for entry in self.entries)

    def to_text(self) -> str:
        """The text form, ending with a line break."""
        head = {
            "rulespec-game": str(FORMAT),
            "sheet": self.sheet,
            "sheet-hash": self.sheet_hash,
            "engine": self.engine,
            "players": str(self.players),
            "options": _settings(self.options) if self.options else "",
            "stopped-after": str(self.stop_after or ""),
            "seed": self.seed,
            "game": str(self.game),
            "bots": ", ".join(self.bots),
        }
        lines = [f"{key}: {value}" for key, value in head.items() if value]
        lines += [f"shuffle: {' '.join(cards)}" for _, cards in self.shuffles]
        lines.append("moves:")
        lines += [f"{entry.seat + 1} {entry.text}" if entry.seat >= 0 else f"= {entry.text}" for entry in self.entries]
        return "\n".join(lines) + "\n"


# ------------------------------------------------------------ making one


def record_of(game: Game, bots: tuple[str, ...] = ()) -> Record:
    """The record of a game, finished or not. `bots` name what chose the moves, one a seat."""
    program = game.program
    again = Game(program, seed=game.seed, index=game.index, shuffles=game.shuffles)
    entries = [Entry(0, -1, result) for result in _results(again, 0)]
    for move in game.moves:
        seat = again.to_act
        if seat is None:
            raise RecordError("the game went on after its end")
        text = _move_text(again, move)
        known = len(again.rounds)
        again.play(move)
        entries.append(Entry(0, seat, text))
        entries += [Entry(0, -1, result) for result in _results(again, known)]
    return Record(
        sheet=program.sheet_id,
        sheet_hash=program.sheet_hash,
        engine=VERSION,
        players=program.players,
        options={name: option_text(value) for name, value in program.options.items()},
        stop_after=program.stop_after,
        seed=str(game.seed),
        game=game.index,
        bots=bots,
        shuffles=tuple((0, tuple(card_text(program.pack, card) for card in order[::-1])) for order in game.shuffles),
        entries=tuple(entries),
    )


def _move_text(game: Game, move: Move) -> str:
    """The text of a move that is read as this very move, twins included: later shuffles need the same cards."""
    for exact in (False, True):
        text = move_text(game.program, game.state, move, exact)
        with contextlib.suppress(AmbiguousMove):
            if game.parse(text) == move:
                return text
    raise MachineFault(f"the move {text!r} is not read again as it was made")


def card_text(pack: Pack, card: int) -> str:
    """A card so that no other has the same text: `7H`, and `7H#2` for its twin."""
    number = pack.copy_number(card)
    return pack.text(card) + (f"#{number}" if number > 1 else "")


def _settings(options: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "no options"


def option_text(value: int | bool | str) -> str:
    """The value of an option as a sheet writes it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _results(game: Game, known: int) -> Iterator[str]:
    """What happened since there were `known` results of rounds: rounds that ended, and the end of the game."""
    for result in game.rounds[known:]:
        yield _round_text(result)
    if game.outcome is not None:
        yield _outcome_text(game.outcome, game.capped)


def _round_text(result: RoundResult) -> str:
    void = ", void" if result.void else ""
    return f"round {result.ending}, {_won_by(result.winners)}, scores {_numbers(result.scores)}{void}"


def _outcome_text(outcome: Outcome, capped: bool) -> str:
    how = "stopped by the cap" if capped else "drawn" if outcome.draw else _won_by(outcome.winners)
    return f"game {how}, scores {_numbers(outcome.scores)}"


def _won_by(seats: tuple[int, ...]) -> str:
    return f"won by {_numbers(seat + 1 for seat in seats)}" if seats else "won by nobody"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


# ------------------------------------------------------------ reading one


def read(text: str) -> Record:
    """The record a text holds. Raises RecordError naming the line for anything that is no record of this version."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"longer than {MOST_CHARACTERS} characters, which no recorded game is")
    if strange := next((number for number, line in enumerate(text.splitlines(), 1) if not line.isprintable()), None):
        raise RecordError(f"line {strange}: there are characters in it that cannot be seen")
    head: dict[str, str] = {}
    shuffles: list[tuple[int, tuple[str, ...]]] = []
    lines = enumerate(text.splitlines(), 1)
    for number, line in lines:
        match = _HEAD.fullmatch(line.rstrip())
        if match is None:
            raise RecordError(f'line {number}: expected "key: value", not {_shown(line)}')
        key, value = match[1], (match[2] or "").strip()
        if number == 1 and (key, value) != ("rulespec-game", str(FORMAT)):
            raise RecordError(f'line 1: a recorded game begins with "rulespec-game: {FORMAT}", not {_shown(line)}')
        if key == "moves":
            break
        if key == "shuffle":
            shuffles.append((number, tuple(value.split())))
        elif key in head:
            raise RecordError(f'line {number}: "{key}" stands twice')
        elif number > 1 and key not in (*_REQUIRED, *_OPTIONAL):
            raise RecordError(f'line {number}: unknown key "{key}"')
        else:
            head[key] = value
    else:
        raise RecordError('the line "moves:" is missing' if text.strip() else "the file is empty")
    missing = [key for key in _REQUIRED if not head.get(key)]
    if missing:
        raise RecordError(f'"{missing[0]}" is missing before "moves:"')
    return Record(
        sheet=head["sheet"],
        sheet_hash=head["sheet-hash"],
        engine=head["engine"],
        players=_number(head, "players"),
        options=_options(head.get("options", "")),
        stop_after=_number(head, "stopped-after") if "stopped-after" in head else 0,
        seed=head["seed"],
        game=_number(head, "game"),
        bots=_list(head.get("bots", "")),
        shuffles=tuple(shuffles),
        entries=tuple(_entry(number, line) for number, line in lines if line.strip()),
    )


def _entry(number: int, line: str) -> Entry:
    if line.startswith("= "):
        return Entry(number, -1, line[2:].strip())
    match = _MOVE.fullmatch(line.strip())
    if match is None or match[1] == "0":
        raise RecordError(f'line {number}: expected a seat and its move, or "=" and a result, not {_shown(line)}')
    return Entry(number, int(match[1]) - 1, match[2])


def _number(head: dict[str, str], key: str) -> int:
    try:
        return int(head[key])
    except ValueError:
        raise RecordError(f'"{key}" has to be a whole number, not {_shown(head[key])}') from None


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in _list(text):
        name, equals, value = part.partition("=")
        if not equals:
            raise RecordError(f'"options" has to hold NAME=VALUE, not {_shown(part)}')
        options[name] = value
    return options


def _shown(text: str) -> str:
    """A piece of a strange file, short and safe to print."""
    return ascii(text[:60] + "…" if len(text) > 60 else text)


# ------------------------------------------------------------ playing it again


def replay(record: Record, program: Program) -> Game:
    """Play a record again and check each move and result. Gives the game as far as the record goes.

    Raises RecordError, with the line, if the record belongs to another sheet, players or options, a move is not legal,
    or the rounds or the game came to something else.
    """
    _check_program(record, program)
    shuffles = tuple(_order(program.pack, line, cards) for line, cards in record.shuffles)
    game = Game(program, seed=record.seed, index=record.game, shuffles=shuffles)
    expected = list(_results(game, 0))
    for entry in record.entries:
        _check_shuffles(record, shuffles, game)
        if entry.seat < 0:
            _check_result(entry, expected)
            continue
        if expected:
            raise RecordError(f'line {entry.line}: "= {expected[0]}" is missing before it')
        known = len(game.rounds)
        _replay_move(game, entry)
        expected = list(_results(game, known))
    if expected:
        raise RecordError(f'the line "= {expected[0]}" is missing at the end')
    _check_shuffles(record, shuffles, game)
    if len(game.shuffles) < len(shuffles):
        raise RecordError(f"line {record.shuffles[len(game.shuffles)][0]}: there was no such shuffle")
    return game


def check_sheet(record: Record, sheet_id: str, sheet_hash: str) -> None:
    """Raise RecordError if the record was made with a sheet that means something else."""
    if record.sheet_hash != sheet_hash:
        raise RecordError(
            f'the game was played with another form of the sheet "{record.sheet}" (hash {record.sheet_hash[:12]}) than '
            f'"{sheet_id}" has now (hash {sheet_hash[:12]})'
        )


def _check_program(record: Record, program: Program) -> None:
    check_sheet(record, program.sheet_id, program.sheet_hash)
    if record.players != program.players:
        raise RecordError(f"the game had {counted(record.players, 'player')}, not {program.players}")
    options = {name: option_text(value) for name, value in program.options.items()}
    if record.options != options:
        raise RecordError(f"the game was played with {_settings(record.options)}, not {_settings(options)}")
    if record.stop_after != program.stop_after:
        raise RecordError(f"the table stopped after {counted(record.stop_after, 'round')}, not {program.stop_after}")


def _check_result(entry: Entry, expected: list[str]) -> None:
    if not expected:
        raise RecordError(f"line {entry.line}: nothing ended here")
    now = expected.pop(0)
    if entry.text != now:
        raise RecordError(f'line {entry.line}: it came to "{now}", not {_shown(entry.text)}')


def _replay_move(game: Game, entry: Entry) -> None:
    if game.to_act != entry.seat:
        turn = "the game is over" if game.to_act is None else f"it is the turn of seat {game.to_act + 1}"
        raise RecordError(f"line {entry.line}: {turn}, not of seat {entry.seat + 1}")
    try:
        game.play(entry.text)
    except (IllegalMove, MoveSyntaxError, AmbiguousMove) as error:
        raise RecordError(f"line {entry.line}: {error}") from error


def _order(pack: Pack, line: int, cards: tuple[str, ...]) -> tuple[int, ...]:
    """The cards of a shuffle. Raises RecordError for what is no card of the deck."""
    order = []
    for text in cards:
        match = _CARD.fullmatch(text)
        try:
            twins = list(bits(pack.cards_of_face[pack.parse_face(match[1])])) if match else []
        except (KeyError, IndexError):
            twins = []
        number = int(match[2] or 1) if match else 0
        if not 0 < number <= len(twins):
            raise RecordError(f"line {line}: {_shown(text)} is no card of this deck")
        order.append(twins[number - 1])
    return tuple(order[::-1])


def _check_shuffles(record: Record, shuffles: tuple[tuple[int, ...], ...], game: Game) -> None:
    """The engine shuffles anew where a recorded order has other cards than lie there; that is no replay."""
    if len(game.shuffles) > len(shuffles):
        raise RecordError(f'"shuffle" is missing for shuffle {len(game.shuffles)}')
    for (line, _), recorded, used in zip(record.shuffles, shuffles, game.shuffles, strict=False):
        if recorded != used:
            raise RecordError(f"line {line}: these are not the cards that were shuffled")
