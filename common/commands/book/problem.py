"""What is wrong with a page or a file, and a hint for who can change it."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn


class Problem(Exception):
    def __init__(self, problem: str, hint: str):
        super().__init__(f"error: {problem}\n  hint    {hint}")


def fail(problem: str, hint: str) -> NoReturn:
    raise Problem(problem, hint)


def read(path: Path) -> str:
    """A text, also one that is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}", "is the clone complete?")


def write(path: Path, content: str | bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}", "is there room, and may you write here?")
