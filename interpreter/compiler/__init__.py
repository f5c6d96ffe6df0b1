"""Fourth stage: a checked rulesheet, a number of players and a choice of options to a program.

The only part of the engine that sees the language. A checked sheet always compiles, but for what is not played yet
(`NotPlayable`); a failure otherwise is our own fault.
"""

from interpreter.compiler.compile import compile_sheet, option_values

__all__ = ["compile_sheet", "option_values"]
