"""What the words of the user come to: a checked sheet, seats, options of the game, computer players."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from cli.commands import PROBLEMS
from cli.options import hint

if TYPE_CHECKING:
    from rulespec.loader import Checked
    from rulespec.model import Rulesheet


def seats_and_options(
    sheet: Rulesheet, players: int | None, settings: tuple[str, ...], said_by: str = "'--players'"
) -> tuple[int, dict[str, int | bool | str]]:
    """The number of players and the options that were asked for; `said_by` is the option that gave the number."""
    from rulespec.choices import ChoiceError, choose_options, choose_players

    try:
        seats = choose_players(sheet, players)
        said_by = "'--set'"
        return seats, choose_options(sheet, settings)
    except ChoiceError as error:
        raise click.BadParameter(str(error), param_hint=said_by) from None


def last_round(sheet: Rulesheet, rounds: int | None) -> int | None:
    """The round after which the table is to stop, looked at before any game is played."""
    from rulespec.choices import ChoiceError, choose_rounds

    try:
        choose_rounds(sheet, rounds)
    except ChoiceError as error:
        raise click.BadParameter(str(error), param_hint="'--rounds'") from None
    return rounds


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """The bot of each seat: one name for all, or a name for each."""
    from rulespec.diagnostics import counted

    chosen = _known_bots(names)
    if len(chosen) not in (1, players):
        several = "" if players == 1 else f" for all or {players} names"
        need = "needs" if players == 1 else "need"
        _bad_bot(f"{counted(players, 'player')} {need} one name{several}, not {len(chosen)}")
    return tuple(chosen * players if len(chosen) == 1 else chosen)


def two_bots(names: str) -> tuple[str, str]:
    """Two bots that are to play against each other."""
    chosen = _known_bots(names)
    if len(chosen) != 2:
        _bad_bot(f"two names are needed, the stronger and the weaker, such as greedy,random; not {len(chosen)}")
    return chosen[0], chosen[1]


def _known_bots(names: str) -> list[str]:
    """Names of bots that there are."""
    from interpreter.bots import BOTS

    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in BOTS:
            listed = ", ".join(BOTS)
            _bad_bot(f'there is no bot "{name}"{hint(name, BOTS) or f"; there are: {listed}"}')
    return chosen


def _bad_bot(message: str) -> NoReturn:
    raise click.BadParameter(message, param_hint="'--bot'")


def load_sheet(sheet: str) -> Rulesheet:
    """The checked sheet; if it has errors, they are printed and the command ends."""
    from rulespec.diagnostics import has_errors
    from rulespec.loader import check_file

    checked = check_file(sheet)
    if checked.sheet is None:
        if has_errors(checked.diagnostics):
            show_errors(sheet, checked)
        click.echo(f'"{sheet}" is abstract: it leaves things open and cannot be played', err=True)
        raise click.exceptions.Exit(PROBLEMS)
    return checked.sheet


def show_errors(sheet: str, checked: Checked) -> NoReturn:
    """Print what keeps a sheet from being used, and end."""
    from rulespec.diagnostics import printed

    errors = (diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error")
    for text in printed(errors, checked.sources):
        click.echo(text + "\n", err=True)
    click.echo(f'"{sheet}" has errors; correct them first', err=True)
    raise click.exceptions.Exit(PROBLEMS)
