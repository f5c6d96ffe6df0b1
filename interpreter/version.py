"""The version of the engine, as reports and recorded games name it, and whether its core is compiled."""

from __future__ import annotations

from importlib.util import find_spec

VERSION = "0.1.0"


def compiled() -> bool:
    """Whether the core runs as C; otherwise it is plain Python, with the same results."""
    core = find_spec("interpreter.melds")
    return core is not None and core.origin is not None and not core.origin.endswith(".py")
