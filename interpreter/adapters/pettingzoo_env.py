"""Any sheet as a PettingZoo environment (https://pettingzoo.farama.org): `pip install 'rulespec[pettingzoo]'`."""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from interpreter.adapters.environment import MOST_ACTIONS, Environment
from interpreter.program import Program

FARTHEST = 10**9
"""No number of an observation is larger."""


class RulesheetEnv(AECEnv):  # type: ignore[misc]
    """One game after the other of a program. An observation is a dictionary of numbers and an action mask."""

    def __init__(self, program: Program, most_actions: int = MOST_ACTIONS) -> None:
        super().__init__()
        self.metadata = {"name": program.sheet_id, "is_parallelizable": False, "render_modes": []}
        self.render_mode = None
        self._inner = Environment(program, most_actions)
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(program.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._numbers = Box(-FARTHEST, FARTHEST, (self._inner.size,), numpy.int64)
        self._mask = Box(0, 1, (most_actions,), numpy.int8)
        self._action_space = Discrete(most_actions)
        self._observation_space = Dict({"observation": self._numbers, "action_mask": self._mask})

    def observation_space(self, agent: str) -> Dict:  # noqa: ARG002
        """The same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> Discrete:  # noqa: ARG002
        """The same for every agent."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; without a seed another one each time."""
        self._inner.reset(int(numpy.random.default_rng(seed).integers(2**31)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; only who is to act has actions."""
        seat = self._seats[agent]
        mask = numpy.zeros(self._mask.shape, numpy.int8)
        if self._inner.current == seat:
            mask[list(self._inner.legal)] = 1
        return {"observation": numpy.array(self._inner.observation(seat), numpy.int64), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the move of the agent selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._inner.step(int(action))  # type: ignore[arg-type]
        if self._inner.current is None:
            returns = self._inner.returns()
            self.rewards = {agent: returns[seat] for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        current = self._inner.current
        self.agent_selection = self.possible_agents[current] if current is not None else self.agents[0]
