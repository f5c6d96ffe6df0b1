"""From the file of a recorded game to the game, played again."""

from __future__ import annotations

from pathlib import Path

from interpreter import record
from interpreter.compiler.source import program_from
from interpreter.errors import RecordError
from interpreter.game import Game
from rulespec.choices import ChoiceError, choose_options, choose_players, choose_rounds
from rulespec.loader import bundled, load


def game_from(file: Path, sheet: str | None) -> tuple[Game, record.Record]:
    """Play a recorded game again, with the sheet given or the bundled one it names.

    Raises RecordError where the file is no record, belongs to another sheet or does not come to what it says,
    RulesheetError where the sheet is wrong, and OSError.
    """
    try:
        with file.open(encoding="utf-8") as stream:
            recorded = record.read(stream.read(record.MOST_CHARACTERS + 1))
        return _game(recorded, sheet), recorded
    except (RecordError, UnicodeDecodeError) as error:
        reason = "not a text in UTF-8" if isinstance(error, UnicodeDecodeError) else error
        raise RecordError(f"{file}: {reason}") from error


def _game(recorded: record.Record, sheet: str | None) -> Game:
    if sheet is None and recorded.sheet not in bundled():  # never a path, whatever a strange file says
        raise RecordError(f'the sheet "{recorded.sheet}" is not a bundled one; name its file with --sheet')
    named = sheet or recorded.sheet
    rules = load(named)
    record.check_sheet(recorded, rules.id, rules.hash)
    try:
        seats = choose_players(rules, recorded.players)
        options = choose_options(rules, [f"{name}={value}" for name, value in recorded.options.items()])
        choose_rounds(rules, recorded.stop_after or None)
    except ChoiceError as error:
        raise RecordError(str(error)) from None
    return record.replay(recorded, program_from(named, seats, options, recorded.stop_after or None))
