"""Files are written whole or not at all, and what is no ordinary file is left what it is."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file; whoever reads it meanwhile finds the old text or the new one.

    A link is followed. What stands there and is no ordinary file, such as a pipe or a device, is written to and stays.
    Raises OSError.
    """
    with naming(path):
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
            return
        with part_of(path) as (part, target):
            part.write_text(text, encoding="utf-8")
            part.replace(target)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of the disk say which file was written, which a full disk does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_new(path: Path, text: str) -> None:
    """Write a text to a file that is not there yet, or leave none. Raises FileExistsError and other errors."""
    with naming(path), path.open("x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
        except BaseException:
            path.unlink()
            raise


def try_writing(path: Path) -> None:
    """Raise the OSError that writing there would raise, as far as it can be known before there is a text."""
    if not path.name:
        raise IsADirectoryError(None, "a folder, not a file", str(path))
    if not _is_special(path):
        with part_of(path) as (part, _):
            part.touch()


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


@contextlib.contextmanager
def part_of(path: Path) -> Iterator[tuple[Path, Path]]:
    """A path for a file while it is written, with the permissions of the file it will replace, and that file; whoever
    has written it puts the one in the place of the other. What is left of the part is deleted. Raises OSError."""
    target = path.resolve()
    part = target.with_name(f".{os.getpid()}.part")
    try:
        if target.exists():
            with target.open("a"):
                part.touch()
            shutil.copymode(target, part)
        yield part, target
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)  # the part is nothing anybody asked for
        raise
    finally:
        part.unlink(missing_ok=True)
