"""The group of all commands, and what becomes of that which goes wrong in one: messages and exit codes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

import click

from cli.options import hint

PROBLEMS, WRONG_USAGE, FAULT, INTERRUPTED, TERMINATED = 1, 2, 3, 130, 143


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
            ctx.fail(f'no command "{args[0]}"{hint(args[0], self.list_commands(ctx))}')
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


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from interpreter.version import VERSION, compiled

        click.echo(f"rulespec {VERSION} ({'compiled' if compiled() else 'plain Python'})")
        ctx.exit()


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
