"""Commands about one game: playing it, and playing it again from its record."""

from __future__ import annotations

from pathlib import Path

import click

from cli.commands import main
from cli.options import IN_FILE, RECORD_FILE, SETTINGS, SHEET, SHEET_OF_RECORD, finite
from cli.settings import last_round, load_sheet, seats_and_options

MOST_THOUGHT = 600
"""Seconds a computer player may think about a move."""


@main.command()
@click.argument("sheet", type=SHEET)
@click.option("--opponents", type=int, metavar="N", help="Computer players; as few as the sheet allows if not given.")
@SETTINGS
@click.option("--rounds", type=int, metavar="N", help="As for simulate.")
@click.option("--level", type=click.IntRange(1, 4), default=2, show_default=True, help="How well they play.")
@click.option(
    "--think",
    type=click.FloatRange(0, MOST_THOUGHT, min_open=True),
    callback=finite,
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
        rules = load_sheet(sheet)
        seats, options = seats_and_options(
            rules, None if opponents is None else opponents + 1, settings, "'--opponents'"
        )
        program = compile_sheet(rules, seats, options, last_round(rules, rounds))
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
