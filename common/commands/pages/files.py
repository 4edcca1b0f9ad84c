"""Reads and writes files: UTF-8 in every locale, and what is not UTF-8 stays as it is."""

from __future__ import annotations

import contextlib
import csv
import os
import re
import tempfile
from pathlib import Path
from typing import Iterator, NoReturn


SKIPPED = 77  # the status of a step that cannot run here, which says why


class Problem(Exception):
    """What is wrong with an argument, a page or a file, and a hint for who can change it."""

    def __init__(self, problem: str, hint: str):
        super().__init__(f"error: {problem}\n  hint    {hint}")
        self.problem, self.hint = problem, hint


def fail(problem: str, hint: str) -> NoReturn:
    raise Problem(problem, hint)


def read(path: Path, hint: str = "is its name right?") -> str:
    """The text of a file; the hint is for one that cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            return file.read()
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}", hint)


def lines(path: Path, hint: str = "is its name right?") -> list[str]:
    return read(path, hint).removesuffix("\n").split("\n")


def columns(path: Path, least: int) -> Iterator[tuple[str, list[str]]]:
    """A list such as rungs.txt: where each line stands, and its columns, two blanks apart,
    of which it needs so many."""
    for number, line in enumerate(lines(path), 1):
        fields = re.split("  +", line)
        if len(fields) < least and not line.startswith("#"):
            fail(f"{path}:{number}: {least} columns are needed, two blanks apart", line)
        if not line.startswith("#"):
            yield f"{path}:{number}", fields


def rows(path: Path, hint: str, delimiter: str = ",") -> list[dict[str, str]]:
    """The rows of a table that begins with the names of its columns."""
    return [row for _, row in placed_rows(path, hint, delimiter)]


def placed_rows(
    path: Path, hint: str, delimiter: str = ",", left_out: list[str] | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """The same, each with the place where it stands.  One that is not whole is an error; or it
    is left out, and named in `left_out`."""
    text = lines(path, hint)
    body = [line for line in text if not line.startswith("#")]
    above = len(text) - len(body)
    quoting = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
    reader = csv.DictReader(body, delimiter=delimiter, quoting=quoting)
    try:
        for row in reader:
            where = f"{path}:{above + reader.line_num}"
            if None not in row and None not in row.values():
                yield where, row
            else:
                name = row.get("variant") or "a row"
                leave_out(f"{where}: {name}: not as many fields as columns", hint, left_out)
    except csv.Error as error:
        what = f"{path}: what follows line {above + reader.line_num}: {error}"
        leave_out(what, hint, left_out)


def leave_out(problem: str, hint: str, left_out: list[str] | None) -> None:
    """Notes what cannot be read; without a list for it, it is an error."""
    if left_out is None:
        fail(problem, hint)
    left_out.append(problem)


def put(path: Path, content: str | bytes) -> None:
    """Writes a file beside the old one first, because on a full disk that has to stay."""
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    new = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
        new.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink()
        hint = "is there room, and may you write here?"
        fail(f"cannot write {path}: {error.strerror}", hint)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder for temporary files, which goes at the end.  It must have room: what fails
    there would seem to have another reason."""
    where = os.environ.get("TMPDIR") or "/tmp"
    try:
        folder = tempfile.TemporaryDirectory(dir=where)
        (Path(folder.name) / "room").write_bytes(bytes(1 << 20))
        (Path(folder.name) / "room").unlink()
    except OSError as error:
        hint = "it is for temporary files: make room there, or name another in TMPDIR"
        fail(f"cannot write to the folder {where}: {error.strerror}", hint)
    with folder:
        yield Path(folder.name)


def steps() -> dict[str, Path]:
    """step05: steps/step05_dot_strided.c, and all others, in the order of their names."""
    return {
        source.stem.partition("_")[0]: source
        for source in sorted(Path("steps").glob("step*.c"))
    }


def build() -> Path:
    return Path(os.environ.get("BUILD") or "build")


def program(step: str) -> str:
    """The path of a step's program."""
    if step not in steps():
        fail(f"there is no {step}", "`make list` shows every step")
    return str(build() / steps()[step].stem)
