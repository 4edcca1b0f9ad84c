"""What is shown: errors with a hint, and lines that fit the terminal."""

import os
import re
import sys
from textwrap import wrap
from typing import NoReturn

WIDE = 88  # columns of what is always wrapped


def fail(problem: str, hint: str) -> NoReturn:
    """Says what is wrong and what can be done about it, and ends the program."""
    sys.stdout.flush()
    print(f"error: {problem}\n  hint    {hint}", file=sys.stderr)
    raise SystemExit(2)


def say(text: str = "", end: str = "\n") -> None:
    """Prints at once: who reads through a pipe waits for it."""
    try:
        print(text, end=end, flush=True)
    except OSError as error:
        print(
            f"error: cannot print: {error.strerror}\n  hint    is there room?",
            file=sys.stderr,
        )
        os._exit(2)  # Python would try to print it once more


def columns() -> int:
    """The columns of the terminal that stdout is; 0: none, or of unknown width."""
    try:
        width = os.get_terminal_size(1).columns
    except OSError:
        return 0
    return width if width >= 10 else 0


def fit(text: str) -> str:
    """On a terminal, no line is wider than that, and no word is cut."""
    width = columns()
    if not width:
        return text
    return "\n".join(_narrow(line, width, deeper=2) for line in text.split("\n"))


def fit_text(text: str) -> str:
    """The same, but a paragraph that has too wide a line is filled again as a whole."""
    width = columns()
    if not width:
        return text
    done: list[str] = []
    paragraph: list[str] = []
    fenced = False

    def end_paragraph() -> None:
        if any(len(line) > width for line in paragraph):
            joined = " ".join(
                [paragraph[0], *(line.lstrip(" ") for line in paragraph[1:])]
            )
            done.append(_narrow(joined, width, deeper=0))
        else:
            done.extend(paragraph)
        paragraph.clear()

    for line in text.split("\n"):
        fence = re.match(" *```", line)
        if fence or fenced or not line.strip(" ") or line.startswith("|"):
            end_paragraph()
            done.append(line)
            fenced ^= bool(fence)
            continue
        if re.match(r" *(-|[0-9]+\.) ", line) or (
            line.startswith(" ") and not paragraph
        ):
            end_paragraph()
        paragraph.append(line)
    end_paragraph()
    return "\n".join(done)


def wrapped(text: str) -> str:
    """Lines of at most 88 columns, on any terminal; what does not fit stands further
    in."""
    width = min(columns() or WIDE, WIDE)
    return "\n".join(
        _fill(" ".join(line.split()), width, margin := _margin(line), margin + "   ")
        for line in text.split("\n")
    )


def beside(label: str, text: str, column: int, wide: int = WIDE) -> str:
    """A label, and beside it its text, whose lines begin in that column; the first one
    further on, if the label is long."""
    width = min(columns() or wide, wide)
    return _fill(text, width, f"{label:{column - 2}}  ", " " * column)


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _narrow(line: str, width: int, deeper: int) -> str:
    """A line that is too wide, broken at blanks; its rest stands further in, or below
    the text behind a short name ("  hint    Each ...")."""
    if len(line) <= width:
        return line
    margin = _margin(line)
    depth = len(margin) + deeper
    name = re.match(" *[^ ]+  +", line)
    item = re.match(r" *(-|[0-9]+\.) ", line)
    if name and name.end() < width / 2:
        depth = name.end()
    elif item:
        depth = item.end()
    return _fill(line[len(margin) :], width, margin, " " * depth)


def _fill(text: str, width: int, first: str, rest: str) -> str:
    """Breaks a text at its blanks; a word that is wider than a line is not cut."""
    lines = wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )
    return "\n".join(lines) or first
