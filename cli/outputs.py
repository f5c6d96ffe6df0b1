"""Where results go: reports, files that grow while games are played, progress."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from interpreter.export import Write
    from interpreter.journal import Journal


def json_text(data: object) -> str:
    """Data as every command prints it."""
    return json.dumps(data, indent=2) + "\n"


def give(text: str, file: Path | None) -> None:
    """Write a report to a file, whole or not at all, or to stdout."""
    from interpreter.files import write_whole

    if file is None:
        click.echo(text, nl=False)
    else:
        write_whole(file, text)


@contextlib.contextmanager
def rounds_file(out: Path, sides: int) -> Iterator[Write]:
    """What adds a line for each round to a file."""
    from interpreter.export import MissingLibrary, open_rounds

    try:
        with open_rounds(out, sides) as write:
            yield write
    except MissingLibrary as error:
        raise click.UsageError(str(error)) from None


@contextlib.contextmanager
def keeping_journal(out: Path | None, about: dict[str, object], resume: bool) -> Iterator[Journal | None]:
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


def make_ready(sheets: Iterable[str], out: Path | None, page: Path | None = None, records: Path | None = None) -> None:
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
def showing_progress(games: int) -> Iterator[Callable[[int], None]]:
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
