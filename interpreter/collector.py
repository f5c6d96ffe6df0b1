"""The collector of cycles while many games are played.

Positions and moves make no cycles, so there is next to nothing to collect; and what would be looked through over and
over, the sheet and the program, stays as it is.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000
"""New objects after which the collector looks at those that are left: more than a game leaves, some megabytes."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Meanwhile the collector looks seldom, and not at what was there before. Afterwards all is as it was.

    Who turned it off, or has put objects out of its sight, is left alone in that.
    """
    before = gc.get_threshold()
    ours = gc.get_freeze_count() == 0
    if ours:
        gc.freeze()
    if before[0]:
        gc.set_threshold(max(SELDOM, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if ours:
            gc.unfreeze()
