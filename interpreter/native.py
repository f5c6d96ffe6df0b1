"""What the compiler of the core is told about classes; in plain Python it makes no difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

Class = TypeVar("Class", bound=type)

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_kept: object) -> Callable[[Class], Class]:
        """Say something of a class to mypyc: `free_list_len=1`: memory of an object let go serves for the next one."""
        return lambda native: native


__all__ = ["mypyc_attr"]
