"""A second interpreter of checked sheets, slow and plain, to judge the first by.

It is written from docs/language.md and reads `rulespec.model` alone: no program, no automata, nothing of the engine's
legality, flow or search for groups. Groups come from the tests' oracle, which tries every card under every name. With
the engine it shares only values: card numbers (`Pack`), groups (`Meld`), and the order a seed shuffles cards in.
"""
