"""The machine, and what runs on it, as a line under each table of figures."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from interpreter import compiler, flow  # the compiled core needs the compiler first


def described(*packages: str) -> str:
    """Processor, cores, load, Python, whether our core is compiled, versions of packages."""
    parts = [
        _processor(),
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        f"Python {platform.python_version()}",
        f"rulespec {'compiled' if compiled() else 'plain Python'}",
    ]
    for name in packages:
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            parts.append(f"no {name}")
    return ", ".join(parts)


def compiled() -> bool:
    """Whether the core runs as C."""
    assert compiler is not None
    return not str(flow.__file__).endswith(".py")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
