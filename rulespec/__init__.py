"""The rulesheet language: reading, checking and resolving sheets.

The names below come from `rulespec.loader` and `rulespec.diagnostics` when they are first asked for, so that importing
one small module of the package does not load the parsers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec.diagnostics import Diagnostic, RulesheetError
    from rulespec.loader import Checked, bundled, check_file, check_text, load, load_text

__all__ = ["Checked", "Diagnostic", "RulesheetError", "bundled", "check_file", "check_text", "load", "load_text"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "diagnostics" if name in ("Diagnostic", "RulesheetError") else "loader"
    return getattr(import_module(f"{__name__}.{module}"), name)
