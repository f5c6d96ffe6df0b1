"""From the file of a recorded game to the game, played again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from interpreter import record
from interpreter.compiler.compile import compile_sheet
from interpreter.errors import RecordError
from interpreter.game import Game
from interpreter.record import Record
from rulespec.choices import ChoiceError, choose_options, choose_players, choose_rounds
from rulespec.loader import bundled, load
from rulespec.model import Rulesheet


class Replayed(NamedTuple):
    """A recorded game played again, its record, and the sheet it was played with."""

    game: Game
    record: Record
    rules: Rulesheet


def game_from(file: Path, sheet: str | None) -> Replayed:
    """Play a recorded game again, with the sheet given or the bundled one it names.

    Raises RecordError where the file is no record, belongs to another sheet or does not come to what it says,
    RulesheetError where the sheet is wrong, and OSError.
    """
    try:
        with file.open(encoding="utf-8") as stream:
            recorded = record.read(stream.read(record.MOST_CHARACTERS + 1))
        return _replayed(recorded, sheet)
    except (RecordError, UnicodeDecodeError) as error:
        reason = "not a text in UTF-8" if isinstance(error, UnicodeDecodeError) else error
        raise RecordError(f"{file}: {reason}") from error


def _replayed(recorded: Record, sheet: str | None) -> Replayed:
    if sheet is None and recorded.sheet not in bundled():  # never a path, whatever a strange file says
        raise RecordError(f'the sheet "{recorded.sheet}" is not a bundled one; name its file with --sheet')
    rules = load(sheet or recorded.sheet)
    record.check_sheet(recorded, rules.id, rules.hash)
    try:
        seats = choose_players(rules, recorded.players)
        options = choose_options(rules, [f"{name}={value}" for name, value in recorded.options.items()])
        choose_rounds(rules, recorded.stop_after or None)
    except ChoiceError as error:
        raise RecordError(str(error)) from None
    program = compile_sheet(rules, seats, options, recorded.stop_after or None)
    return Replayed(record.replay(recorded, program), recorded, rules)
