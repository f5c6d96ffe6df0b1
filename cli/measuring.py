"""Commands that play many games and measure them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands import FAULT, INTERRUPTED, PROBLEMS, main
from cli.options import (
    BOTS_LIKE_SIMULATE,
    OUT_FILE,
    PAGE,
    PLAYERS,
    SEED_OF_DEALS,
    SETTINGS,
    SHEET,
    TEXT_OR_JSON,
    WORKERS,
    NamedPath,
    finite,
    hint,
)
from cli.outputs import give, json_text, keeping_journal, make_ready, rounds_file, showing_progress
from cli.settings import bots_for, last_round, load_sheet, seats_and_options, two_bots

if TYPE_CHECKING:
    from interpreter.compiler.variation import Candidate
    from interpreter.program import Program
    from interpreter.simulation import Played, SimulationJob

MOST_GAMES = 10_000_000
GAMES_A_WORKER = 20
"""With fewer games for each, starting another worker takes longer than it saves."""


@main.command()
@click.argument("sheet", type=SHEET)
@PLAYERS
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
    callback=finite,
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

    rules = load_sheet(sheet)
    seats, options = seats_and_options(rules, players, settings)
    if question is not None:
        _check_question(sheet, question, records)
    build = partial(program_from, sheet, seats, options, last_round(rules, rounds), question=question)
    job = simulation.SimulationJob(build, bots_for(bots, seats), seed, records)
    if limit is not None:
        job.deadline = Deadline(limit)
    make_ready((sheet,), out, page, records)
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
        journal = None if by_round else open_files.enter_context(keeping_journal(out, about, resume))
        rows = open_files.enter_context(rounds_file(out, job.prepare().sides)) if out is not None and by_round else None
        progress = open_files.enter_context(showing_progress(games))
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
        text = json_text(report.to_json(result)) if form == "json" else report.to_text(result, places(rules))
        give(text, None if by_round else out)
        if page is not None:
            give(pages.simulation_page(result, places(rules)), page)
        if journal is not None and result.games + result.broken == games:
            journal.finish()
    if result.worker_lost:
        kept = "" if journal is None else "; go on with --resume"
        click.echo(f"error: {WorkerLost()}; the report is of the games finished by then{kept}", err=True)
        ctx.exit(PROBLEMS)
    _end_as_played(ctx, result.games + result.broken < games and limit is None, result.broken)


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
@SEED_OF_DEALS
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
    chosen = bots_for(bots, candidates[0].players)
    make_ready(sheets, out, page)
    with showing_progress(games) as progress:
        result = comparison.compare(
            comparison.ComparisonJob(tuple(candidate.build for candidate in candidates), chosen, seed),
            tuple(candidate.label for candidate in candidates),
            games=games,
            workers=_workers(workers, games * len(candidates)),
            progress=progress,
        )
    text = json_text(comparison_report.to_json(result)) if form == "json" else comparison_report.to_text(result)
    give(text, out)
    if page is not None:
        give(comparison_page(result), page)
    _end_as_played(ctx, result.deals + result.broken < games, result.broken)


@main.command()
@click.argument("sheet", type=SHEET)
@PLAYERS
@SETTINGS
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="Deals, each twice.")
@click.option("--rounds", type=int, metavar="N", help="As for simulate.")
@SEED_OF_DEALS
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

    rules = load_sheet(sheet)
    seats, options = seats_and_options(rules, players, settings)
    build = partial(program_from, sheet, seats, options, last_round(rules, rounds))
    job = skills.SkillJob(build, two_bots(bots), seed)
    try:
        job.prepare()
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'SHEET'") from None
    make_ready((sheet,), out)
    with showing_progress(games) as progress:
        result = skills.measure(job, deals=games, workers=_workers(workers, 2 * games), progress=progress)
    give(json_text(skill_report.to_json(result)) if form == "json" else skill_report.to_text(result), out)
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
    callback=finite,
    required=True,
    metavar="NUMBER",
    help="What the measure is to be; 0.5 is half.",
)
@PLAYERS
@SETTINGS
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=320, show_default=True, help="Most games a value.")
@SEED_OF_DEALS
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
        tuple(candidate.build for candidate in found), bots_for(bots, found[0].players), seed
    )
    _choose_measure(measure, job.prepare()[0])
    labels = tuple(candidate.label for candidate in found)
    with showing_progress(games) as progress:
        result = tuning.tune(
            job, labels, measure, target, games=games, workers=_workers(workers, games * len(found)), progress=progress
        )
    text = comparison_report.tuned_text(result)
    click.echo(json_text(comparison_report.tuned_json(result)) if form == "json" else text, nl=False)
    _end_as_played(ctx, False, result.broken)


def _choose_measure(name: str, program: Program) -> None:
    """See that a measure is one that games of the program give."""
    from interpreter.measures import names

    known = names(program)
    if name not in known:
        near = hint(name, known) or f"; there are: {', '.join(known)}"
        raise click.BadParameter(f'there is no measure "{name}"{near}', param_hint="'--measure'")


def _candidates(
    sheets: tuple[str, ...], vary: tuple[str, ...], players: int | None, settings: tuple[str, ...]
) -> list[Candidate]:
    """What is to be compared: each sheet with each value that is to be tried."""
    from interpreter.compiler.variation import candidates
    from rulespec.choices import ChoiceError

    rules = [(sheet, load_sheet(sheet)) for sheet in sheets]
    try:
        found = candidates(rules, vary, players, settings)
    except ChoiceError as error:
        raise click.UsageError(str(error)) from None
    if len(found) < 2:
        raise click.UsageError("there is only one thing to compare; name two sheets, or two values with --vary")
    return found


def _workers(workers: int | None, games: int) -> int:
    """As many processes as were asked for, or as pay."""
    return workers or max(1, min(os.cpu_count() or 1, games // GAMES_A_WORKER))


def _end_as_played(ctx: click.Context, interrupted: bool, broken: int) -> None:
    """Leave with the exit code that tells what became of a run of games."""
    if broken:
        ctx.exit(FAULT)
    if interrupted:
        click.echo("interrupted; the report is of the games finished by then", err=True)
        ctx.exit(INTERRUPTED)
