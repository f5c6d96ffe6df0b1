"""A cache that forgets what was not asked for lately."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """What was worked out lately. It forgets what was not asked for among the last `size` new things, or earlier; a
    thing may `weigh` more than one."""

    def __init__(self, size: int, weigh: Callable[[Value], int] | None = None) -> None:
        self.size = size
        self.weigh = weigh
        self.filled = 0
        self.young: dict[Key, Value] = {}
        self.old: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """What is known about a key."""
        found = self.young.get(key)
        if found is None:
            found = self.old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, and return it."""
        if self.filled >= self.size:
            self.old = self.young
            self.young = {}
            self.filled = 0
        self.filled += 1 if self.weigh is None else self.weigh(value)
        self.young[key] = value
        return value
