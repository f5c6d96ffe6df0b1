"""Commands that look at sheets, test them and begin new ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands import PROBLEMS, main
from cli.options import SHEET, TEXT_OR_JSON, aside
from cli.outputs import json_text
from cli.settings import load_sheet, seats_and_options, show_errors

if TYPE_CHECKING:
    from rulespec.diagnostics import Diagnostic
    from rulespec.model import Rulesheet


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
        click.echo(json_text([_sheet_data(sheet) for sheet in sheets]), nl=False)
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
        click.echo(json_text(as_data(found, sources)), nl=False)
    elif form == "sarif":
        click.echo(json_text(as_sarif(found, VERSION)), nl=False)
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
        click.echo(json_text(data), nl=False)
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
            message = f'no file, folder or variant "{path}"{aside(meant(path))}'
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

        rules = load_sheet(sheet)
        program = compile_sheet(rules, *seats_and_options(rules, players, settings))
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
        show_errors(sheet, checked)


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
        text = start_sheet(name, None if parent is None else load_sheet(parent).id, parent or "")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'NAME'") from None
    try:
        write_new(path, text)
    except FileExistsError:
        raise click.BadParameter(f'there is a file "{path}" already', param_hint="'NAME'") from None
    click.echo(f"{path} written; next: rulespec validate {path}")
