"""The compiled core: modules of the interpreter that mypyc turns into C, where there is a C compiler.

Everything else about the package stands in pyproject.toml. Where mypyc or the compiler is missing, the package is
installed all the same and runs as plain Python; `rulespec --version` says which it is. RULESPEC_PURE=1 asks for plain
Python, and an editable installation always is, so that what is edited is what runs.
"""

from __future__ import annotations

import os
import sys

from setuptools import Extension, setup

CORE = (
    "actions", "attempting", "bots", "calling", "chains", "clock", "compiler/base", "compiler/cards",
    "compiler/demands", "compiler/expressions", "compiler/layouts", "compiler/outlook", "compiler/people",
    "compiler/things", "compiler/values", "deliberating", "demands", "finishing", "flow", "game", "greedy", "holding",
    "imagining", "laying", "legality", "meld_ceilings", "meld_growth", "meld_kinds", "meld_layouts", "meld_limits",
    "meld_readings", "meld_search", "melds", "moves", "notation", "pack", "piles", "planner", "plays", "program",
    "proposals", "prospects", "rearranging", "recent", "relations", "rules", "search", "state", "table_cover",
    "table_deal", "table_drawing", "table_few", "table_forward", "table_groups", "table_holding", "table_kernel",
    "table_layers", "table_notation", "table_problem", "table_question", "table_ranks", "table_runs", "table_shape",
    "table_solver", "view", "walking",
)  # fmt: skip
"""Where the time of a game goes: positions, legality, melds, the solver of whole tables, and the computer players."""


def core() -> list[Extension]:
    """The extensions of a wheel, each of which may fail to build; none where mypyc is missing or not wanted."""
    if os.environ.get("RULESPEC_PURE") or not {"bdist_wheel", "build_ext"} & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify  # noqa: PLC0415
    except ImportError:
        return []
    options = ["--config-file=", "--ignore-missing-imports"]
    extensions: list[Extension] = mypycify([*options, *(f"interpreter/{name}.py" for name in CORE)], opt_level="2")
    for extension in extensions:
        extension.optional = True
        if sys.platform == "linux":
            # nobody replaces functions of the core from outside: calls within it need not look for that
            extension.extra_compile_args.append("-fno-semantic-interposition")
            extension.extra_link_args.append("-Wl,-Bsymbolic-functions")
    return extensions


setup(ext_modules=core())
