"""The first text of a new sheet: a whole small game, or a house rule over another sheet."""

from __future__ import annotations

from importlib.resources import files

from rulespec.shelf import ID, known


def start_sheet(sheet_id: str, parent: str | None = None, shown: str = "") -> str:
    """The text of a sheet that validates, ready to be changed.

    `shown` is how a command names the parent, if not by its id. Raises ValueError if `sheet_id` cannot be an id.
    """
    if not ID.fullmatch(sheet_id):
        raise ValueError(f'an id is lower case words and numbers joined by hyphens (my-gin), not "{sheet_id}"')
    if sheet_id in known(None):
        raise ValueError(f'"{sheet_id}" is a bundled sheet; choose another id')
    title = sheet_id.replace("-", " ").capitalize()
    if parent is None:
        text = (files("rulespec") / "starter.yaml").read_text(encoding="utf-8")
        return text.replace("NAME", sheet_id, 1).replace("TITLE", title, 1)
    names = ", ".join(
        f'{language}: "{title}"' for language in ("en", "de", "nl")
    )  # else it has its parent's name there
    return (
        f"rulespec: 1\nid: {sheet_id}\nextends: {parent}\nname: {{{names}}}\n\n"
        f"# Write here only what differs from {parent}; `rulespec show {shown or parent}` prints everything it says.\n"
    )
