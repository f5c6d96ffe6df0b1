"""The command line: each command reads its options, calls the library, prints, and gives an exit code.

0 fine, 1 problems found, 2 wrong usage, 3 a fault of the program itself. Results go to stdout, progress and messages to
stderr. Libraries are imported by the command that needs them, so that `--help` and completion start quickly.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from interpreter.compiler.variation import Candidate
    from interpreter.export import Write
    from interpreter.journal import Journal
    from interpreter.program import Program
    from interpreter.simulation import Played, SimulationJob
    from rulespec.diagnostics import Diagnostic
    from rulespec.loader import Checked
    from rulespec.model import Rulesheet

PROBLEMS, WRONG_USAGE, FAULT, INTERRUPTED, TERMINATED = 1, 2, 3, 130, 143
MOST_GAMES = 10_000_000
MOST_THOUGHT = 600
"""Seconds a computer player may think about a move."""
GAMES_A_WORKER = 20
"""With fewer games for each, starting another worker takes longer than it saves."""


class OnceCommand(click.Command):
    """A command that refuses an option of one value that is given more than once; else the last would count."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=args[:])
        for option in given:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag) and given.count(option) > 1:
                raise click.BadParameter("given more than once; only one value counts", ctx, option)
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """The group of all commands: turns what can go wrong into messages and exit codes."""

    command_class = OnceCommand

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a name with an accent must not end in a fault
        try:
            with _ending_when_told():
                return super().invoke(ctx)
        except click.ClickException as error:
            error.message = _visible(error.message)  # type: ignore[misc]  # click says so, and prints it later
            raise
        except (click.exceptions.Exit, click.Abort, BrokenPipeError):
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


@contextlib.contextmanager
def _ending_when_told() -> Iterator[None]:
    """Let SIGTERM end the program as an exit does, so that what was begun is cleared away."""

    def end(*_: object) -> NoReturn:
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _explain(ctx: click.Context, error: Exception) -> NoReturn:
    """Say what an exception means to the user and exit: a bad sheet, record or disk is a problem, the rest ours."""
    from interpreter.errors import NotPlayable, RecordError, WorkerLost
    from rulespec.diagnostics import RulesheetError

    if isinstance(error, RulesheetError | NotPlayable | RecordError | WorkerLost):
        click.echo(f"error: {_visible(str(error))}", err=True)
        ctx.exit(PROBLEMS)
    if isinstance(error, OSError):
        about = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {_visible(f'{about}{error.strerror or error}')}", err=True)
        _write_no_more()
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


def _visible(text: str) -> str:
    """A message without characters that a terminal would heed, such as those of a strange file's name."""
    from rulespec.diagnostics import visible

    return "\n".join(visible(line) for line in text.split("\n"))


def _write_no_more() -> None:
    """Send nowhere what a full disk did not take, so that leaving does not try it again."""
    with contextlib.suppress(OSError, ValueError):  # ValueError: there is no file behind the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class SheetParam(click.ParamType[str]):
    """A rulesheet: the path of a file, or the id of a bundled variant."""

    name = "sheet"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from rulespec.shelf import bundled, meant

        path = Path(value)
        if value in bundled():
            return value
        try:
            is_file, is_folder = path.is_file(), path.is_dir()
        except OSError as error:
            self.fail(f'"{value[:60]}" is no file: {error.strerror}', param, ctx)
        if is_folder:
            self.fail(f'"{value}" is a folder; a sheet is a file, or one of the bundled ids', param, ctx)
        if not is_file:
            kind = "file" if "/" in value or "\\" in value or path.suffix in (".yaml", ".yml") else "bundled sheet"
            self.fail(f'there is no {kind} "{value}"{_aside(meant(value))}', param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        from rulespec.shelf import bundled

        files = CompletionItem(incomplete, type="file")
        return [*(CompletionItem(name) for name in bundled() if name.startswith(incomplete)), files]


SHEET = SheetParam()


def _hint(word: str, known: Iterable[str]) -> str:
    from rulespec.diagnostics import did_you_mean

    return _aside(did_you_mean(word, known))


def _aside(hint: str) -> str:
    """A hint behind a message on the same line, if there is one."""
    return f"; {hint}" if hint else ""


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from interpreter.version import VERSION, compiled

        click.echo(f"rulespec {VERSION} ({'compiled' if compiled() else 'plain Python'})")
        ctx.exit()


class NamedPath(click.Path):
    """A path that is not empty: an empty one would be the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("needs a name", param, ctx)
        return super().convert(value, param, ctx)


OUT_FILE = NamedPath(dir_okay=False, path_type=Path)
IN_FILE = NamedPath(exists=True, dir_okay=False, path_type=Path)


def _finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A number one can reckon with: neither `nan`, which no bound refuses, nor without end."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number to reckon with", ctx, param)
    return value


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def main() -> None:
    """Rules as data for card games of the rummy family.

    A SHEET is a page of YAML: the path of a file, or the id of a bundled variant (see `rulespec list`).

    \b
    Exit codes: 0 fine, 1 problems found, 2 wrong usage, 3 a fault of rulespec itself.
    """


# ------------------------------------------------------------ options of several commands

TEXT_OR_JSON = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
SETTINGS = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="An option of the sheet; repeatable."
)
BOTS_LIKE_SIMULATE = click.option(
    "--bot", "bots", default="greedy", show_default=True, metavar="NAME[,NAME...]", help="As for simulate."
)
WORKERS = click.option(
    "--workers", type=click.IntRange(1, 64), metavar="N", help="Processes; as many as it pays if not given."
)
PAGE = click.option("--report", "page", type=OUT_FILE, help="Write an HTML page, with plots.")
RECORD_FILE = click.argument("file", type=IN_FILE)
SHEET_OF_RECORD = click.option(
    "--sheet", type=SHEET, help="The sheet it was played with; the bundled one it names if not given."
)


# ------------------------------------------------------------ sheets


@main.command("list")
@TEXT_OR_JSON
def list_sheets(form: str) -> None:
    """List the bundled variants that can be played; abstract sheets are there to be extended.

    \b
    Example: rulespec list --format json
    """
    if form == "json":
        from rulespec.loader import bundled, check_file

        sheets = [sheet for name in bundled() if (sheet := check_file(name, analysed=False).sheet) is not None]
        click.echo(_json([_sheet_data(sheet) for sheet in sheets]), nl=False)
        return
    from rulespec.contents import contents

    entries = contents()
    wide = max((len(entry.id) for entry in entries), default=0)
    for entry in entries:
        click.echo(f"{entry.id:<{wide}}  {entry.players:<12}  {entry.name}")


def _sheet_data(sheet: Rulesheet) -> dict[str, object]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "players": [sheet.players.low, sheet.players.high],
        "options": {option.name: list(option.values) for option in sheet.options},
        "extends": list(sheet.ancestors),
        "hash": sheet.hash,
    }


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
    from rulespec.diagnostics import as_data, counted, has_errors, printed
    from rulespec.loader import check_file
    from rulespec.tool_formats import as_github, as_sarif

    checked = [check_file(sheet) for sheet in dict.fromkeys(sheets)]
    found = list(dict.fromkeys(diagnostic for one in checked for diagnostic in one.diagnostics))
    sources = {name: source for one in checked for name, source in one.sources.items()}
    if form == "json":
        click.echo(_json(as_data(found, sources)), nl=False)
    elif form == "sarif":
        click.echo(_json(as_sarif(found, VERSION)), nl=False)
    elif form == "github":
        click.echo(as_github(found), nl=False)
    else:
        for text in printed(found, sources):
            click.echo(text + "\n")
        click.echo(f"{counted(len(checked), 'sheet')}: {_summary(found)}")
    if has_errors(found):
        ctx.exit(PROBLEMS)


def _summary(found: list[Diagnostic]) -> str:
    from rulespec.diagnostics import counted

    counts = [
        counted(number, kind)
        for kind in ("error", "warning", "question")
        if (number := sum(diagnostic.severity == kind for diagnostic in found))
    ]
    return ", ".join(counts) or "no problems"


def _json(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"


@main.command()
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option("--coverage", is_flag=True, help="Also show what no scenario reaches.")
@click.option("--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True)
@click.pass_context
def test(ctx: click.Context, paths: tuple[str, ...], coverage: bool, form: str) -> None:
    """Run scenarios: tests of a sheet, written as data in a file beside it (my-gin.test.yaml).

    A PATH is such a file, a sheet, the id of a bundled variant, or a folder with all that is in it. Without one, the
    scenarios of all bundled variants are run.

    \b
    Example: rulespec test my-gin.yaml --coverage
    """
    from interpreter import scenario_report
    from interpreter.compiler.cases import run_scenarios
    from interpreter.compiler.coverage import unreached
    from rulespec.diagnostics import counted

    if coverage and form == "junit":
        raise click.BadParameter("coverage is shown as text or json", param_hint="'--coverage'")
    _known_paths(paths)
    report = run_scenarios(paths)
    if form == "junit":
        click.echo(scenario_report.to_junit(report), nl=False)
    elif form == "json":
        data = json.loads(scenario_report.to_json(report))
        if coverage:
            lacks = unreached(report)
            data["unreached"] = {sheet: found.own for sheet, found in lacks.items()}
            data["unreached_inherited"] = {sheet: found.inherited for sheet, found in lacks.items()}
        click.echo(_json(data), nl=False)
    else:
        click.echo(scenario_report.to_text(report), nl=False)
        for sheet, found in unreached(report).items() if coverage else ():
            click.echo(f"{sheet}: {counted(len(found.own), 'thing')} that no scenario reaches")
            for lack in found.own:
                click.echo(f"  {lack}")
            if found.inherited:
                click.echo(f"  and {found.inherited} of what it inherits")
    ctx.exit(report.exit_code)


def _known_paths(paths: tuple[str, ...]) -> None:
    """A path that is neither there nor the id of a bundled variant is wrong usage, not a failed test."""
    from rulespec.shelf import bundled, meant

    ids = bundled()
    for path in paths:
        try:
            there = path in ids or Path(path).exists()
        except OSError:  # a name that is too long
            there = False
        if not there:
            message = f'no file, folder or variant "{path}"{_aside(meant(path))}'
            raise click.BadParameter(message, param_hint="'PATH'")


@main.command()
@click.argument("sheet", type=SHEET)
@click.option(
    "--stage",
    type=click.Choice(["read", "resolved", "written", "program"]),
    default="resolved",
    show_default=True,
    help="read: its own keys with places; resolved: with everything it inherits; written: every phrase and who wrote "
    "it; program: what is played.",
)
@click.option("--words", is_flag=True, help="Of the resolved sheet: the names for people, too.")
@click.option("--players", type=int, metavar="N", help="Of the program: seats; the least if not given.")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Of the program: an option; repeatable.")
def show(sheet: str, stage: str, words: bool, players: int | None, settings: tuple[str, ...]) -> None:
    """Show a sheet at a stage on its way from text to program.

    \b
    Example: rulespec show my-gin.yaml --stage resolved
    """
    from rulespec import printing
    from rulespec.diagnostics import counted
    from rulespec.inheritance import canonical, without_words
    from rulespec.loader import check_file

    if stage == "program":
        from interpreter.compiler import compile_sheet
        from interpreter.listing import program_text

        rules = _load(sheet)
        program = compile_sheet(rules, *_choose(rules, players, settings))
        click.echo(program_text(program), nl=False)
        return
    checked = check_file(sheet)
    if stage == "read" and checked.tree is not None:
        click.echo(printing.tree_text(checked.tree), nl=False)
    elif stage == "resolved" and checked.resolved is not None:
        tree, left_out = (checked.resolved.tree, 0) if words else without_words(checked.resolved.tree)
        click.echo(canonical(tree), nl=False)
        if left_out:
            click.echo(f"# words: {counted(left_out, 'name')} for people; --words shows them")
    elif stage == "written" and checked.written is not None:
        click.echo(printing.written_text(checked.written), nl=False)
    else:
        _show_errors(sheet, checked)


# ------------------------------------------------------------ settings of a game


def _choose(
    sheet: Rulesheet, players: int | None, settings: tuple[str, ...], hint: str = "'--players'"
) -> tuple[int, dict[str, int | bool | str]]:
    """The number of players and the options that were asked for; `hint` is the option that gave the number."""
    from rulespec.choices import ChoiceError, choose_options, choose_players

    try:
        seats = choose_players(sheet, players)
        hint = "'--set'"
        return seats, choose_options(sheet, settings)
    except ChoiceError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None


def _choose_rounds(sheet: Rulesheet, rounds: int | None) -> int | None:
    """The round after which the table is to stop, looked at before any game is played."""
    from rulespec.choices import ChoiceError, choose_rounds

    try:
        choose_rounds(sheet, rounds)
    except ChoiceError as error:
        raise click.BadParameter(str(error), param_hint="'--rounds'") from None
    return rounds


def _choose_bots(names: str, players: int) -> tuple[str, ...]:
    """The bot of each seat: one name for all, or a name for each."""
    from rulespec.diagnostics import counted

    chosen = _known_bots(names)
    if len(chosen) not in (1, players):
        several = "" if players == 1 else f" for all or {players} names"
        need = "needs" if players == 1 else "need"
        _bad_bot(f"{counted(players, 'player')} {need} one name{several}, not {len(chosen)}")
    return tuple(chosen * players if len(chosen) == 1 else chosen)


def _choose_opponents(names: str) -> tuple[str, str]:
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
            _bad_bot(f'there is no bot "{name}"{_hint(name, BOTS) or f"; there are: {listed}"}')
    return chosen


def _bad_bot(message: str) -> NoReturn:
    raise click.BadParameter(message, param_hint="'--bot'")


def _load(sheet: str) -> Rulesheet:
    """The checked sheet; if it has errors, they are printed and the command ends."""
    from rulespec.diagnostics import has_errors
    from rulespec.loader import check_file

    checked = check_file(sheet)
    if checked.sheet is None:
        if has_errors(checked.diagnostics):
            _show_errors(sheet, checked)
        click.echo(f'"{sheet}" is abstract: it leaves things open and cannot be played', err=True)
        raise click.exceptions.Exit(PROBLEMS)
    return checked.sheet


def _show_errors(sheet: str, checked: Checked) -> NoReturn:
    """Print what keeps a sheet from being used, and end."""
    from rulespec.diagnostics import printed

    errors = (diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error")
    for text in printed(errors, checked.sources):
        click.echo(text + "\n", err=True)
    click.echo(f'"{sheet}" has errors; correct them first', err=True)
    raise click.exceptions.Exit(PROBLEMS)


# ------------------------------------------------------------ simulation and records


@main.command()
@click.argument("sheet", type=SHEET)
@click.option("--players", type=int, metavar="N", help="Seats; the least the sheet allows if not given.")
@SETTINGS
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, metavar="N")
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="Of a game that goes on until the table stops: the round after which it does; 10 if not given.",
)
@click.option(
    "--first", type=click.IntRange(0), default=0, metavar="N", help="Number of the first game; they count from 0."
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same games.")
@click.option(
    "--bot",
    "bots",
    default="greedy",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="One for all seats, or one each.",
)
@WORKERS
@TEXT_OR_JSON
@click.option(
    "--out",
    type=OUT_FILE,
    help="Write the report to this file; a .csv or .parquet file gets a line for each round instead.",
)
@PAGE
@click.option("--resume", is_flag=True, help="Go on with a run that was killed; needs the same --out and settings.")
@click.option(
    "--time-limit",
    "limit",
    type=click.FloatRange(0),
    callback=_finite,
    metavar="SECONDS",
    help="Begin no game after this.",
)
@click.option(
    "--record", "records", type=NamedPath(file_okay=False, path_type=Path), help="Folder for every game's record."
)
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster there, such as tcp://10.0.0.1:8786.")
@click.option(
    "--record-if",
    "question",
    metavar="PHRASE",
    help='Keep only games with such a round: "ending = blocked and turn-number > 60".',
)
@click.pass_context
def simulate(
    ctx: click.Context,
    sheet: str,
    players: int | None,
    settings: tuple[str, ...],
    games: int,
    rounds: int | None,
    first: int,
    seed: int,
    bots: str,
    workers: int | None,
    form: str,
    out: Path | None,
    page: Path | None,
    resume: bool,
    limit: float | None,
    records: Path | None,
    question: str | None,
    dask: str | None,
) -> None:
    """Play many games between computer players and report who wins, how rounds end and how long they are.

    The report follows from the sheet, the settings and the seed alone, whatever the number of workers; only the speed
    differs. Ctrl-C gives the report of what is finished. With --out, finished games are kept beside the report while
    the run lasts, and --resume goes on after it was killed.

    \b
    Example: rulespec simulate romme-playgridia --players 4 --games 100 --seed 1
             rulespec simulate gin --set big-gin=yes --bot greedy,random --format json
    """
    from functools import partial

    from interpreter import export, report, simulation
    from interpreter import page as pages
    from interpreter.compiler.rule_text import places
    from interpreter.compiler.source import program_from
    from interpreter.errors import WorkerLost
    from interpreter.processes import Deadline

    rules = _load(sheet)
    seats, options = _choose(rules, players, settings)
    if question is not None:
        _check_question(sheet, question, records)
    build = partial(program_from, sheet, seats, options, _choose_rounds(rules, rounds), question=question)
    job = simulation.SimulationJob(build, _choose_bots(bots, seats), seed, records)
    if limit is not None:
        job.deadline = Deadline(limit)
    _make_ready((sheet,), out, page, records)
    about: dict[str, object] = {
        "sheet": rules.hash,
        "settings": [seats, options, rounds, job.bots],
        "games": [seed, first, games],
    }
    by_round = out is not None and out.suffix in export.SUFFIXES
    if by_round and resume:
        raise click.BadParameter(
            "rounds are not kept while a run lasts; only a report goes on", param_hint="'--resume'"
        )
    with contextlib.ExitStack() as open_files:
        journal = None if by_round else open_files.enter_context(_journal(out, about, resume))
        rows = (
            open_files.enter_context(_rounds_file(out, job.prepare().sides)) if out is not None and by_round else None
        )
        progress = open_files.enter_context(_progress(games))
        result = simulation.simulate(
            job,
            games=games,
            first=first,
            workers=_workers(workers, games),
            journal=journal,
            rows=rows,
            elsewhere=None if dask is None else partial(_on_cluster, dask),
            progress=progress,
        )
        text = _json(report.to_json(result)) if form == "json" else report.to_text(result, places(rules))
        _give(text, None if by_round else out)
        if page is not None:
            _give(pages.simulation_page(result, places(rules)), page)
        if journal is not None and result.games + result.broken == games:
            journal.finish()
    if result.worker_lost:
        kept = "" if journal is None else "; go on with --resume"
        click.echo(f"error: {WorkerLost()}; the report is of the games finished by then{kept}", err=True)
        ctx.exit(PROBLEMS)
    _end_as_played(ctx, result.games + result.broken < games and limit is None, result.broken)


def _give(text: str, file: Path | None) -> None:
    """Write a report to a file, whole or not at all, or to stdout."""
    from interpreter.files import write_whole

    if file is None:
        click.echo(text, nl=False)
    else:
        write_whole(file, text)


def _end_as_played(ctx: click.Context, interrupted: bool, broken: int) -> None:
    """Leave with the exit code that tells what became of a run of games."""
    if broken:
        ctx.exit(FAULT)
    if interrupted:
        click.echo("interrupted; the report is of the games finished by then", err=True)
        ctx.exit(INTERRUPTED)


def _workers(workers: int | None, games: int) -> int:
    """As many processes as were asked for, or as pay."""
    return workers or max(1, min(os.cpu_count() or 1, games // GAMES_A_WORKER))


def _on_cluster(
    address: str, job: SimulationJob, parts: Iterator[range]
) -> Generator[tuple[range, Played], None, None]:
    """The games of a job, played on a Dask cluster."""
    try:
        from interpreter.adapters.dask_cluster import done_on

        yield from done_on(address, job, parts)
    except ImportError:
        raise click.UsageError("--dask needs Dask: pip install 'rulespec[dask]'") from None
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"no cluster at {address}: {error}", param_hint="'--dask'") from None


def _check_question(sheet: str, text: str, records: Path | None) -> None:
    """Refuse what cannot be asked of a round, with its place in the question."""
    from rulespec.diagnostics import RulesheetError, printed
    from rulespec.loader import QUESTION, load_asking
    from rulespec.source import SourceFile

    if records is None:
        raise click.BadParameter("needs --record, the folder for the games", param_hint="'--record-if'")
    if not text.strip():
        raise click.BadParameter('nothing is asked; say such as "ending = out"', param_hint="'--record-if'")
    try:
        load_asking(sheet, text, analysed=False)
    except RulesheetError as error:
        shown = "\n\n".join(printed(error.diagnostics, {QUESTION: SourceFile(QUESTION, text)}))
        raise click.BadParameter(f"\n{shown}", param_hint="'--record-if'") from None


@contextlib.contextmanager
def _rounds_file(out: Path, sides: int) -> Iterator[Write]:
    """What adds a line for each round to a file."""
    from interpreter.export import MissingLibrary, open_rounds

    try:
        with open_rounds(out, sides) as write:
            yield write
    except MissingLibrary as error:
        raise click.UsageError(str(error)) from None


@contextlib.contextmanager
def _journal(out: Path | None, about: dict[str, object], resume: bool) -> Iterator[Journal | None]:
    """The journal beside the report's file, while games are played; none without a file."""
    from interpreter.journal import Journal
    from interpreter.version import VERSION

    if out is None or (out.exists() and not out.is_file()):
        if resume:
            raise click.BadParameter("needs --out, beside which it finds what was finished", param_hint="'--resume'")
        yield None
        return
    path = _journal_of(out)
    if path.exists() and not resume:
        raise click.UsageError(f'"{path}" is of a run that was not finished; go on with --resume, or delete it')
    journal = Journal(path, {**about, "version": VERSION}, resume=resume)
    try:
        yield journal
    finally:
        journal.close()


def _make_ready(sheets: Iterable[str], out: Path | None, page: Path | None = None, records: Path | None = None) -> None:
    """See that there is room for what will be written, and that nothing overwrites anything else, before hours are
    spent on it."""
    from interpreter import files

    _keep_apart(sheets, out, page, records)
    hint = ""
    try:
        for hint, file in (("'--out'", out), ("'--report'", page)):
            if file is not None and not file.parent.is_dir():
                raise click.BadParameter(f'there is no folder "{file.parent}"', param_hint=hint)
            if file is not None:
                files.try_writing(file)
        hint = "'--record'"
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(f'cannot write to "{error.filename}": {error.strerror}', param_hint=hint) from None


def _keep_apart(sheets: Iterable[str], out: Path | None, page: Path | None, records: Path | None) -> None:
    """Refuse two options that name one file, and one that names a sheet. What is no ordinary file, such as /dev/null,
    takes everything."""
    journal = None if out is None else _journal_of(out)
    named = [("the sheet", Path(sheet)) for sheet in sheets if Path(sheet).is_file()]
    outputs = (("--out", out), ("the file --resume reads", journal), ("--report", page), ("--record", records))
    seen = {path.resolve(): what for what, path in named}
    for what, path in outputs:
        if path is None or _is_device(path):
            continue
        first = seen.setdefault(path.resolve(), what)
        if first != what:
            raise click.UsageError(f'{first} and {what} are the same file "{path}"')


def _is_device(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder; a name that cannot be is refused elsewhere."""
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except OSError:
        return False


def _journal_of(out: Path) -> Path:
    """Where finished games are kept while a run lasts."""
    return out.with_name(out.name + ".journal")


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


@main.command()
@click.argument("sheets", metavar="SHEET...", type=SHEET, nargs=-1, required=True)
@click.option("--players", type=int, metavar="N", help="Seats; the least all sheets allow if not given.")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="An option of every sheet; repeatable.")
@click.option(
    "--vary",
    multiple=True,
    metavar="WHAT=VALUE,VALUE...",
    help="An option, or a place such as deal.hand=7..10; given twice, each value of one with each of the other.",
)
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=200, show_default=True, metavar="N")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same deals.")
@BOTS_LIKE_SIMULATE
@WORKERS
@TEXT_OR_JSON
@click.option("--out", type=OUT_FILE, help="Write the report to this file.")
@PAGE
@click.pass_context
def compare(
    ctx: click.Context,
    sheets: tuple[str, ...],
    players: int | None,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    games: int,
    seed: int,
    bots: str,
    workers: int | None,
    form: str,
    out: Path | None,
    page: Path | None,
) -> None:
    """Play the same deals under two or more sheets, options or values and say how the games differ.

    Each is compared with the first. A star marks a difference that is not due to chance, and the sentences above the
    table say those in words.

    \b
    Example: rulespec compare gin my-gin.yaml --games 500
             rulespec compare romme-500 --vary target=250,500,1000
             rulespec compare gin --vary define.round.knock-limit=5..10
    """
    from interpreter import comparison, comparison_report
    from interpreter.page import comparison_page

    candidates = _candidates(sheets, vary, players, settings)
    chosen = _choose_bots(bots, candidates[0].players)
    _make_ready(sheets, out, page)
    with _progress(games) as progress:
        result = comparison.compare(
            comparison.ComparisonJob(tuple(candidate.build for candidate in candidates), chosen, seed),
            tuple(candidate.label for candidate in candidates),
            games=games,
            workers=_workers(workers, games * len(candidates)),
            progress=progress,
        )
    text = _json(comparison_report.to_json(result)) if form == "json" else comparison_report.to_text(result)
    _give(text, out)
    if page is not None:
        _give(comparison_page(result), page)
    _end_as_played(ctx, result.deals + result.broken < games, result.broken)


@main.command()
@click.argument("sheet", type=SHEET)
@click.option("--players", type=int, metavar="N", help="Seats; the least the sheet allows if not given.")
@SETTINGS
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="Deals, each twice.")
@click.option("--rounds", type=int, metavar="N", help="As for simulate.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same deals.")
@click.option(
    "--bot", "bots", default="greedy,random", show_default=True, metavar="NAME,NAME", help="The stronger, the weaker."
)
@WORKERS
@TEXT_OR_JSON
@click.option("--out", type=OUT_FILE, help="Write the report to this file.")
@click.pass_context
def skill(
    ctx: click.Context,
    sheet: str,
    players: int | None,
    settings: tuple[str, ...],
    games: int,
    rounds: int | None,
    seed: int,
    bots: str,
    workers: int | None,
    form: str,
    out: Path | None,
) -> None:
    """Tell how much of a game is decided by skill and how much by luck.

    Two computer players, sitting alternately, play each deal twice, the second time with the seats changed about. What
    the same seats win both times was in the cards; what the same player wins both times was skill.

    \b
    Example: rulespec skill gin --games 500
             rulespec skill tonk --bot planner,greedy --format json
    """
    from functools import partial

    from interpreter import skill as skills
    from interpreter import skill_report
    from interpreter.compiler.source import program_from

    rules = _load(sheet)
    seats, options = _choose(rules, players, settings)
    build = partial(program_from, sheet, seats, options, _choose_rounds(rules, rounds))
    job = skills.SkillJob(build, _choose_opponents(bots), seed)
    try:
        job.prepare()
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'SHEET'") from None
    _make_ready((sheet,), out)
    with _progress(games) as progress:
        result = skills.measure(job, deals=games, workers=_workers(workers, 2 * games), progress=progress)
    _give(_json(skill_report.to_json(result)) if form == "json" else skill_report.to_text(result), out)
    _end_as_played(ctx, result.deals + result.broken < games, result.broken)


@main.command()
@click.argument("sheet", type=SHEET)
@click.option(
    "--vary",
    multiple=True,
    metavar="WHAT=VALUE,VALUE...",
    required=True,
    help="An option, or a place such as deal.hand=7..10; repeatable, as for compare.",
)
@click.option("--measure", default="turns_per_round", show_default=True, metavar="NAME", help="As in simulate's JSON.")
@click.option(
    "--to",
    "target",
    type=float,
    callback=_finite,
    required=True,
    metavar="NUMBER",
    help="What the measure is to be; 0.5 is half.",
)
@click.option("--players", type=int, metavar="N", help="Seats; the least the sheet allows if not given.")
@SETTINGS
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=320, show_default=True, help="Most games a value.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same deals.")
@BOTS_LIKE_SIMULATE
@WORKERS
@TEXT_OR_JSON
@click.pass_context
def tune(
    ctx: click.Context,
    sheet: str,
    vary: tuple[str, ...],
    measure: str,
    target: float,
    players: int | None,
    settings: tuple[str, ...],
    games: int,
    seed: int,
    bots: str,
    workers: int | None,
    form: str,
) -> None:
    """Search the value of an option, or of a phrase of the sheet, that brings a measure nearest to a number.

    \b
    Example: rulespec tune gin --vary define.round.knock-limit=4..12 --to 12
             rulespec tune romme-500 --vary target=250,500,1000 --measure rounds_per_game --to 6
    """
    from interpreter import comparison, comparison_report, tuning

    found = _candidates((sheet,), vary, players, settings)
    job = comparison.ComparisonJob(
        tuple(candidate.build for candidate in found), _choose_bots(bots, found[0].players), seed
    )
    _choose_measure(measure, job.prepare()[0])
    labels = tuple(candidate.label for candidate in found)
    with _progress(games) as progress:
        result = tuning.tune(
            job, labels, measure, target, games=games, workers=_workers(workers, games * len(found)), progress=progress
        )
    text = comparison_report.tuned_text(result)
    click.echo(_json(comparison_report.tuned_json(result)) if form == "json" else text, nl=False)
    _end_as_played(ctx, False, result.broken)


def _choose_measure(name: str, program: Program) -> None:
    """See that a measure is one that games of the program give."""
    from interpreter.measures import names

    known = names(program)
    if name not in known:
        hint = _hint(name, known) or f"; there are: {', '.join(known)}"
        raise click.BadParameter(f'there is no measure "{name}"{hint}', param_hint="'--measure'")


def _candidates(
    sheets: tuple[str, ...], vary: tuple[str, ...], players: int | None, settings: tuple[str, ...]
) -> list[Candidate]:
    """What is to be compared: each sheet with each value that is to be tried."""
    from interpreter.compiler.variation import candidates
    from rulespec.choices import ChoiceError

    rules = [(sheet, _load(sheet)) for sheet in sheets]
    try:
        found = candidates(rules, vary, players, settings)
    except ChoiceError as error:
        raise click.UsageError(str(error)) from None
    if len(found) < 2:
        raise click.UsageError("there is only one thing to compare; name two sheets, or two values with --vary")
    return found


@main.command()
@RECORD_FILE
@SHEET_OF_RECORD
def replay(file: Path, sheet: str | None) -> None:
    """Play a recorded game again and check that every move is legal and comes to what was recorded.

    \b
    Example: rulespec simulate gin --games 3 --record games
             rulespec replay games/gin-1-2.game
    """
    from interpreter.compiler.replaying import game_from
    from rulespec.diagnostics import counted

    game, recorded, _ = game_from(file, sheet)
    ended = "to its end" if game.outcome else "unfinished"
    click.echo(f"{file}: {counted(recorded.moves, 'move')}, {counted(len(game.rounds), 'round')}, {ended}; as recorded")


@main.command()
@RECORD_FILE
@SHEET_OF_RECORD
def transcript(file: Path, sheet: str | None) -> None:
    """Print a recorded game as people write one down: the hands, the turns, the score sheet.

    \b
    Example: rulespec simulate gin --games 3 --record games
             rulespec transcript games/gin-1-2.game
    """
    from interpreter.compiler.replaying import game_from
    from interpreter.compiler.rule_text import names_for_people
    from interpreter.transcript import transcript as lines

    game, _, rules = game_from(file, sheet)
    for line in lines(game, names_for_people(rules, "en")):
        click.echo(line)


# ------------------------------------------------------------ playing


@main.command()
@click.argument("sheet", type=SHEET)
@click.option("--opponents", type=int, metavar="N", help="Computer players; as few as the sheet allows if not given.")
@SETTINGS
@click.option("--rounds", type=int, metavar="N", help="As for simulate.")
@click.option("--level", type=click.IntRange(1, 4), default=2, show_default=True, help="How well they play.")
@click.option(
    "--think",
    type=click.FloatRange(0, MOST_THOUGHT, min_open=True),
    callback=_finite,
    metavar="SECONDS",
    help="How long level 4 thinks about a move; by itself it tries so many positions.",
)
@click.option("--seat", type=int, default=1, show_default=True, metavar="N", help="Where you sit.")
@click.option("--seed", type=int, metavar="N", help="Deal a certain game; another one each time if not given.")
@click.option("--load", type=IN_FILE, help="Go on with a saved game.")
def play(
    sheet: str,
    opponents: int | None,
    settings: tuple[str, ...],
    rounds: int | None,
    level: int,
    think: float | None,
    seat: int,
    seed: int | None,
    load: Path | None,
) -> None:
    """Play a game against computer players, here in the terminal.

    You type moves as they are written, or their numbers; `help` shows what else can be said. Works in a pipe, too.

    \b
    Example: rulespec play gin
             rulespec play machiavelli --opponents 3 --level 3
    """
    import random
    import time

    from interpreter.bots import BOTS, LEVELS, Bot
    from interpreter.compiler import compile_sheet
    from interpreter.compiler.replaying import game_from
    from interpreter.compiler.rule_text import names_for_people, rule_lines
    from interpreter.game import Game
    from interpreter.search import SearchBot
    from tabletop.session import Session
    from tabletop.terminal import Terminal

    if load is not None:
        game, recorded, rules = game_from(load, sheet)
        bots = recorded.bots or (LEVELS[level],) * game.program.players
    else:
        rules = _load(sheet)
        seats, options = _choose(rules, None if opponents is None else opponents + 1, settings, "'--opponents'")
        program = compile_sheet(rules, seats, options, _choose_rounds(rules, rounds))
        game = Game(program, seed=random.SystemRandom().randrange(10**9) if seed is None else seed)
        bots = (LEVELS[level],) * seats
    if not 1 <= seat <= game.program.players:
        raise click.BadParameter(f"there are seats 1 to {game.program.players}", param_hint="'--seat'")
    if think is not None and "search" not in bots:
        raise click.BadParameter("only level 4 thinks for a time; add --level 4", param_hint="'--think'")
    others: dict[int, Bot] = {}
    for other, bot in enumerate(bots):
        chance = random.Random(f"{game.seed}/{game.index}/bot{other}")
        timed = bot == "search" and think is not None
        if other != seat - 1:
            others[other] = SearchBot(chance, seconds=think) if timed else BOTS[bot](chance)
    known = rule_lines(rules)
    terminal = Terminal(bots=bots, kept=load)
    session = Session(
        game,
        seat - 1,
        others,
        terminal,
        names_for_people(rules, "en"),
        lambda because: known.get(because, because),
        terminal.width,
        time.monotonic if terminal.person else None,
    )
    if not session.run():
        click.echo("the game is not over; `save FILE` would have kept it", err=True)


# ------------------------------------------------------------ starting a sheet


@main.command()
@click.argument("name")
@click.option("--from", "parent", metavar="SHEET", type=SHEET, help="The sheet to change; a whole game if not given.")
def new(name: str, parent: str | None) -> None:
    """Start the sheet NAME.yaml in this folder, ready to be changed.

    \b
    Example: rulespec new my-gin --from gin
    """
    from interpreter.files import write_new
    from rulespec.starter import start_sheet

    path = Path(f"{name}.yaml")
    try:
        text = start_sheet(name, None if parent is None else _load(parent).id, parent or "")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'NAME'") from None
    try:
        write_new(path, text)
    except FileExistsError:
        raise click.BadParameter(f'there is a file "{path}" already', param_hint="'NAME'") from None
    click.echo(f"{path} written; next: rulespec validate {path}")


if __name__ == "__main__":
    main()
