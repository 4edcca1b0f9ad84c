"""Errors with a hint, and files: those of ../pages, but for texts that Sphinx has to read."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "pages"))

# pylint: disable=wrong-import-position
import files
from files import Problem, fail
from files import put as write


def read(path: Path) -> str:
    """A text, also one that is not UTF-8."""
    text = files.read(path, "is the clone complete?")
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


__all__ = ["Problem", "fail", "read", "write"]
