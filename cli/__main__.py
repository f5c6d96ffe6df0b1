"""`python -m cli` is `rulespec`."""

from cli import main

main(prog_name="rulespec")
