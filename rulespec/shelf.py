"""Where sheets are found: beside the sheet that names them, among the bundled variants, and the prelude."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rulespec.diagnostics import is_it_one_of, nearest
from rulespec.reader import MAX_BYTES, Reading, read_bytes

PRELUDE = "standard"
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What names a sheet. It holds no dot and no slash, so it is never a path."""


def bundled() -> list[str]:
    """The ids of the bundled variants, sorted; the prelude is not among them."""
    names = (entry.name for entry in files("variants").iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if _is_sheet(name))


def known(beside: Path | None) -> list[str]:
    """Every id that `find` would find."""
    near = [path.stem for path in beside.glob("*.yaml") if _is_sheet(path.name)] if beside else []
    return sorted({*near, *bundled(), PRELUDE})


def meant(name: str) -> str:
    """A help line with the files of that folder and the bundled sheets that `name`, which is neither, may mean."""
    path = Path(name)
    try:
        beside = {file.stem: str(file) for file in path.parent.glob("*.yaml") if _is_sheet(file.name)}
    except (OSError, ValueError):
        beside = {}
    if path.stem in beside:
        return is_it_one_of([beside[path.stem]])
    written = {sheet_id: sheet_id for sheet_id in bundled()} | beside
    return is_it_one_of([written[sheet_id] for sheet_id in nearest(path.stem, written)])


def find(sheet_id: str, beside: Path | None) -> tuple[Reading, Path | None] | None:
    """The sheet of an id and the folder beside which it looks for others; None if there is none.

    A bundled sheet is called `variants/ID.yaml` in places, the prelude `rulespec/standard.yaml`.
    """
    if not ID.fullmatch(sheet_id):
        return None
    if sheet_id == PRELUDE:
        return _read(files("rulespec") / "standard.yaml", "rulespec/standard.yaml"), None
    if beside is not None and _stands_in(path := beside / f"{sheet_id}.yaml", beside):
        return _read(path, str(path)), beside
    if sheet_id in bundled():
        return _read(files("variants") / f"{sheet_id}.yaml", f"variants/{sheet_id}.yaml"), None
    return None


def open_path(path: Path, name: str) -> tuple[Reading, Path | None]:
    """The sheet in a file, called `name` in places. Raises OSError."""
    return _read(path, name), path.parent


def _stands_in(path: Path, folder: Path) -> bool:
    """Whether there is such a file and no link leads out of the folder."""
    return path.is_file() and path.resolve().parent == folder.resolve()


def _is_sheet(name: str) -> bool:
    return name.endswith(".yaml") and ID.fullmatch(name.removesuffix(".yaml")) is not None


def _read(file: Path | Traversable, name: str) -> Reading:
    with file.open("rb") as stream:
        return read_bytes(stream.read(MAX_BYTES + 1), name)
