"""What several commands are told alike: kinds of words, and options."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click


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
            self.fail(f'there is no {kind} "{value}"{aside(meant(value))}', param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        from rulespec.shelf import bundled

        files = CompletionItem(incomplete, type="file")
        return [*(CompletionItem(name) for name in bundled() if name.startswith(incomplete)), files]


SHEET = SheetParam()


def hint(word: str, known: Iterable[str]) -> str:
    """The names that a word may mean, behind a message on the same line; empty if none is near."""
    from rulespec.diagnostics import did_you_mean

    return aside(did_you_mean(word, known))


def aside(hint: str) -> str:
    """A hint behind a message on the same line, if there is one."""
    return f"; {hint}" if hint else ""


class NamedPath(click.Path):
    """A path that is not empty: an empty one would be the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("needs a name", param, ctx)
        return super().convert(value, param, ctx)


OUT_FILE = NamedPath(dir_okay=False, path_type=Path)
IN_FILE = NamedPath(exists=True, dir_okay=False, path_type=Path)


def finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A number one can reckon with: neither `nan`, which no bound refuses, nor without end."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number to reckon with", ctx, param)
    return value


TEXT_OR_JSON = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
PLAYERS = click.option("--players", type=int, metavar="N", help="Seats; the least the sheet allows if not given.")
SETTINGS = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="An option of the sheet; repeatable."
)
SEED_OF_DEALS = click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same deals."
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
