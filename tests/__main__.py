"""Every check of the project, cheap ones first: `python -m tests`. All run, whatever fails; pytest comes last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
CHECKS = (
    ("format", [PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."]),
    ("lint", [PYTHON, "-m", "ruff", "check", "--quiet", "."]),
    ("types", [PYTHON, "-m", "mypy"]),
    ("imports", [PYTHON, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]),
    ("tests", [PYTHON, "-m", "pytest", "-n", "2"]),
)


def main() -> int:
    """Run every check in the checkout; the exit code of the first that failed, or 0."""
    failed = 0
    for name, command in CHECKS:
        print(f"== {name}", flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            print(f"== {name} failed", flush=True)
        failed = failed or code
    return failed


if __name__ == "__main__":
    sys.exit(main())
