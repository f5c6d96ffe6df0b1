"""Every value of an option makes a difference."""

from __future__ import annotations

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Type
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside


def check_option_values(study: Study) -> list[Diagnostic]:
    """A word of an option has a meaning only where it is compared; two words that never are mean the same."""
    found: list[Diagnostic] = []
    for option in study.sheet.options:
        if option.type is not Type.WORD or not study.own(option.span):
            continue
        compared = {
            compare.right.value
            for compare in inside(study.sheet, ex.Compare)
            if isinstance(compare.left, ex.OptionValue) and compare.left.name == option.name
            if isinstance(compare.right, ex.Word)
        }
        alike = [str(value) for value in option.values if value not in compared]
        if len(alike) > 1:
            names = f"{', '.join(alike[:-1])} and {alike[-1]}"
            message = f'"{option.name}": {names} make no difference, because no condition asks for them'
            help = f"compare it: `{option.name} = {alike[-1]}`, or take one of them out"
            found.append(Diagnostic("values-alike", "warning", message, option.span, help))
    return found
