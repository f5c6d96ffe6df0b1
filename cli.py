"""The command line: each command reads its options, calls the library, prints, and gives an exit code.

0 fine, 1 problems found, 2 wrong usage, 3 a fault of the program itself. Results go to stdout, progress and messages to
stderr. Libraries are imported by the command that needs them, so that `--help` and completion start quickly.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from rulespec.diagnostics import Diagnostic
    from rulespec.model import Rulesheet

PROBLEMS, WRONG_USAGE, FAULT, INTERRUPTED = 1, 2, 3, 130
MOST_GAMES = 10_000_000
GAMES_A_WORKER = 20
"""With fewer games for each, starting another worker takes longer than it saves."""


class Commands(click.Group):
    """The group of all commands: turns what can go wrong into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a name with an accent must not end in a fault
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:
            _explain(ctx, error)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            ctx.fail(f'no command "{args[0]}"{_hint(args[0], self.list_commands(ctx))}')
        return super().resolve_command(ctx, args)


def _explain(ctx: click.Context, error: Exception) -> NoReturn:
    """Say what an exception means to the user and exit: a bad sheet or record is a problem, anything else our fault."""
    from interpreter.errors import NotPlayable, RecordError
    from rulespec.diagnostics import RulesheetError

    if isinstance(error, RulesheetError | NotPlayable | RecordError):
        click.echo(f"error: {error}", err=True)
        ctx.exit(PROBLEMS)
    if os.environ.get("RULESPEC_DEBUG") == "1":
        click.echo("".join(traceback.format_exception(error)), err=True)
    click.echo(
        f"internal fault: {type(error).__name__}: {error}\n"
        "this is a mistake of rulespec, not yours; please report it with the command and the sheet "
        "(RULESPEC_DEBUG=1 shows where it happened)",
        err=True,
    )
    ctx.exit(FAULT)


class SheetParam(click.ParamType[str]):
    """A rulesheet: the path of a file, or the id of a bundled variant."""

    name = "sheet"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from rulespec.loader import bundled

        ids = bundled()
        path = Path(value)
        if path.is_dir() and value not in ids:
            self.fail(f'"{value}" is a folder; a sheet is a file, or one of the bundled ids', param, ctx)
        if not path.is_file() and value not in ids:
            kind = "file" if "/" in value or "\\" in value or path.suffix in (".yaml", ".yml") else "bundled sheet"
            self.fail(f'there is no {kind} "{value}"{_hint(path.stem, ids)}', param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        from rulespec.loader import bundled

        files = CompletionItem(incomplete, type="file")
        return [*(CompletionItem(name) for name in bundled() if name.startswith(incomplete)), files]


SHEET = SheetParam()


def _hint(word: str, known: Iterable[str]) -> str:
    from rulespec.diagnostics import did_you_mean

    hint = did_you_mean(word, known)
    return f"; {hint}" if hint else ""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "--version", package_name="rulespec")
def main() -> None:
    """Rules as data for card games of the rummy family.

    A SHEET is a page of YAML: the path of a file, or the id of a bundled variant (see `rulespec list`).

    \b
    Exit codes: 0 fine, 1 problems found, 2 wrong usage, 3 a fault of rulespec itself.
    """


# ------------------------------------------------------------ sheets


@main.command("list")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def list_sheets(form: str) -> None:
    """List the bundled variants.

    \b
    Example: rulespec list --format json
    """
    from rulespec.loader import bundled, load

    sheets = [load(name) for name in bundled()]
    if form == "json":
        _print_json([_sheet_data(sheet) for sheet in sheets])
        return
    wide = max((len(sheet.id) for sheet in sheets), default=0)
    for sheet in sheets:
        click.echo(f"{sheet.id:<{wide}}  {_players_text(sheet):<12}  {sheet.name.get('en', sheet.id)}")


def _sheet_data(sheet: Rulesheet) -> dict[str, object]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "players": [sheet.players.low, sheet.players.high],
        "options": {option.name: list(option.values) for option in sheet.options},
        "extends": list(sheet.ancestors),
        "hash": sheet.hash,
    }


def _players_text(sheet: Rulesheet) -> str:
    low, high = sheet.players.low, sheet.players.high
    return f"{low} players" if low == high else f"{low}-{high} players"


@main.command()
@click.argument("sheets", metavar="SHEET...", type=SHEET, nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text", show_default=True
)
@click.pass_context
def validate(ctx: click.Context, sheets: tuple[str, ...], form: str) -> None:
    """Check sheets and show every problem, each with its place and what helps.

    Ends with 1 if a sheet has an error; warnings and questions alone do not fail it.

    \b
    Example: rulespec validate my-gin.yaml
    """
    from interpreter.version import VERSION
    from rulespec.diagnostics import as_data, has_errors, pretty
    from rulespec.loader import check_file
    from rulespec.tool_formats import as_github, as_sarif

    checked = [check_file(sheet) for sheet in dict.fromkeys(sheets)]
    found = list(dict.fromkeys(diagnostic for one in checked for diagnostic in one.diagnostics))
    sources = {name: source for one in checked for name, source in one.sources.items()}
    if form == "json":
        _print_json(as_data(found, sources))
    elif form == "sarif":
        _print_json(as_sarif(found, VERSION))
    elif form == "github":
        click.echo(as_github(found), nl=False)
    else:
        for diagnostic in found:
            click.echo(pretty(diagnostic, sources) + "\n")
        click.echo(f"{_counted(len(checked), 'sheet')}: {_summary(found)}")
    if has_errors(found):
        ctx.exit(PROBLEMS)


def _summary(found: list[Diagnostic]) -> str:
    counts = [
        _counted(number, kind)
        for kind in ("error", "warning", "question")
        if (number := sum(diagnostic.severity == kind for diagnostic in found))
    ]
    return ", ".join(counts) or "no problems"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _print_json(data: object) -> None:
    click.echo(json.dumps(data, indent=2))


# ------------------------------------------------------------ settings of a game


def _choose_players(sheet: Rulesheet, players: int | None) -> int:
    """The number of players asked for, or the least the sheet allows."""
    if players is None:
        return sheet.players.low
    if players not in sheet.players:
        raise click.BadParameter(f'"{sheet.id}" is for {_players_text(sheet)}, not {players}', param_hint="'--players'")
    return players


def _choose_options(sheet: Rulesheet, settings: tuple[str, ...]) -> dict[str, int | bool | str]:
    """The values of `--set OPTION=VALUE`, as the sheet means them."""
    known = {option.name: option for option in sheet.options}
    chosen: dict[str, int | bool | str] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            _bad_set(f'expected OPTION=VALUE, not "{setting}"')
        if name not in known:
            listed = ", ".join(known) or "none"
            _bad_set(f'"{sheet.id}" has no option "{name}"{_hint(name, known) or f"; it has: {listed}"}')
        if name in chosen:
            _bad_set(f'"{name}" is set twice')
        values = {_option_text(value): value for value in known[name].values}
        if text not in values:
            _bad_set(f'"{name}" is {" or ".join(values)}, not "{text}"{_hint(text, values)}')
        chosen[name] = values[text]
    return chosen


def _bad_set(message: str) -> NoReturn:
    raise click.BadParameter(message, param_hint="'--set'")


def _option_text(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _choose_bots(names: str, players: int) -> tuple[str, ...]:
    """The bot of each seat: one name for all, or a name for each."""
    from interpreter.bots import BOTS

    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in BOTS:
            listed = ", ".join(BOTS)
            _bad_bot(f'there is no bot "{name}"{_hint(name, BOTS) or f"; there are: {listed}"}')
    if len(chosen) not in (1, players):
        _bad_bot(f"{players} players need one name for all or {players} names, not {len(chosen)}")
    return tuple(chosen * players if len(chosen) == 1 else chosen)


def _bad_bot(message: str) -> NoReturn:
    raise click.BadParameter(message, param_hint="'--bot'")


def _load(sheet: str) -> Rulesheet:
    """The checked sheet; if it has errors, they are printed and the command ends."""
    from rulespec.diagnostics import pretty
    from rulespec.loader import check_file

    checked = check_file(sheet)
    if checked.sheet is None:
        for diagnostic in checked.diagnostics:
            if diagnostic.severity == "error":
                click.echo(pretty(diagnostic, checked.sources) + "\n", err=True)
        click.echo(f'"{sheet}" has errors that come first', err=True)
        raise click.exceptions.Exit(PROBLEMS)
    return checked.sheet


# ------------------------------------------------------------ simulation and records


@main.command()
@click.argument("sheet", type=SHEET)
@click.option("--players", type=int, metavar="N", help="Seats; the least the sheet allows if not given.")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="An option of the sheet; repeatable.")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=1000, show_default=True, metavar="N")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same games.")
@click.option(
    "--bot",
    "bots",
    default="greedy",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="One for all seats, or one each.",
)
@click.option("--workers", type=click.IntRange(1, 64), metavar="N", help="Processes; as many as it pays if not given.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
@click.option(
    "--record", "records", type=click.Path(file_okay=False, path_type=Path), help="Folder for every game's record."
)
def simulate(
    sheet: str,
    players: int | None,
    settings: tuple[str, ...],
    games: int,
    seed: int,
    bots: str,
    workers: int | None,
    form: str,
    out: Path | None,
    records: Path | None,
) -> None:
    """Play many games between computer players and report who wins, how rounds end and how long they are.

    The report follows from the sheet, the settings and the seed alone, whatever the number of workers; only the speed
    differs.

    \b
    Example: rulespec simulate romme-playgridia --players 4 --games 100 --seed 1
             rulespec simulate gin --set big-gin=yes --bot greedy,random --format json
    """
    from functools import partial

    from interpreter import report, simulation
    from interpreter.compiler.source import program_from

    rules = _load(sheet)
    seats = _choose_players(rules, players)
    chosen = _choose_bots(bots, seats)
    build = partial(program_from, sheet, seats, _choose_options(rules, settings))
    if out is not None and not out.parent.is_dir():
        raise click.BadParameter(f'there is no folder "{out.parent}"', param_hint="'--out'")
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    with _progress(games) as progress:
        result = simulation.simulate(
            build,
            bots=chosen,
            games=games,
            seed=seed,
            workers=workers or max(1, min(os.cpu_count() or 1, games // GAMES_A_WORKER)),
            records=records,
            progress=progress,
        )
    text = json.dumps(report.to_json(result), indent=2) + "\n" if form == "json" else report.to_text(result)
    if out is None:
        click.echo(text, nl=False)
    else:
        _write(out, text)


@contextlib.contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told how many games are finished; shows it only to somebody who looks at a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.update(task, completed=done)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror or str(error)) from error
    finally:
        part.unlink(missing_ok=True)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--sheet", type=SHEET, help="The sheet it was played with; the bundled one it names if not given.")
def replay(file: Path, sheet: str | None) -> None:
    """Play a recorded game again and check that every move is legal and comes to what was recorded.

    \b
    Example: rulespec simulate gin --games 3 --record games
             rulespec replay games/gin-1-2.game
    """
    from interpreter.errors import RecordError

    try:
        done = _replay(file, sheet)
    except (RecordError, UnicodeDecodeError) as error:
        reason = "not a text in UTF-8" if isinstance(error, UnicodeDecodeError) else error
        raise RecordError(f"{file}: {reason}") from error
    click.echo(f"{file}: {done}; as recorded")


def _replay(file: Path, sheet: str | None) -> str:
    """Play the game in a file again; what it came to, in a few words. Raises RecordError and UnicodeDecodeError."""
    from interpreter import record
    from interpreter.compiler.source import program_from
    from interpreter.errors import RecordError

    recorded = record.read(file.read_text(encoding="utf-8"))
    named = sheet or SHEET.convert(recorded.sheet, None, None)
    rules = _load(named)
    record.check_sheet(recorded, rules.id, rules.hash)
    try:
        seats = _choose_players(rules, recorded.players)
        options = _choose_options(rules, tuple(f"{name}={value}" for name, value in recorded.options.items()))
    except click.BadParameter as error:
        raise RecordError(error.message) from None
    game = record.replay(recorded, program_from(named, seats, options))
    ended = "to its end" if game.outcome else "unfinished"
    return f"{_counted(recorded.moves, 'move')}, {_counted(len(game.rounds), 'round')}, {ended}"


# ------------------------------------------------------------ starting a sheet


@main.command()
@click.argument("name")
@click.option(
    "--from", "parent", metavar="SHEET", type=SHEET, help="The bundled sheet to change; a whole game if not given."
)
def new(name: str, parent: str | None) -> None:
    """Start the sheet NAME.yaml in this folder, ready to be changed.

    \b
    Example: rulespec new my-gin --from gin
    """
    from rulespec.starter import start_sheet

    path = Path(f"{name}.yaml")
    try:
        text = start_sheet(name, None if parent is None else _load(parent).id)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'NAME'") from None
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.BadParameter(f'there is a file "{path}" already', param_hint="'NAME'") from None
    click.echo(f"{path} written; next: rulespec validate {path}")


if __name__ == "__main__":
    main()
