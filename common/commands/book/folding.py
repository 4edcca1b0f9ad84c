"""In the book, an exercise folds what a reader should not see at once: the reason behind a guess, and
each hint.  `make step05 predict` and `make step05 hint` show them one by one, too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Iterator

if TYPE_CHECKING:
    from pages import Line

REASON = re.compile(r"( +)- (?:because|on a CPU): ")
ITEM = re.compile(r"(\d+\. )(.*)")


def folded(lines: list[Line], step: str) -> list[Line]:
    return list(hints(reasons(lines, step)))


def reasons(lines: list[Line], step: str) -> Iterator[Line]:
    """What comes behind the reason belongs to it, up to the next question or section.  It may
    have a gap for what the reader's own device has measured."""
    filled = f" ... here (`make {step} predict` fills this in)"
    indent = ""
    for line in lines:
        if indent and (ITEM.match(line.text) or line.text.startswith("#")):
            yield from closed(line, indent)
            indent = ""
        reason = REASON.match(line.text)
        if reason and not indent:
            indent = reason[1]
            yield from opened(line, indent, "Why?")
        yield line._replace(text=line.text.replace(" ... here", filled))
    if indent:
        yield from closed(lines[-1], indent)


def hints(lines: Iterator[Line]) -> Iterator[Line]:
    """Each item of the list under the heading Hints."""
    is_below = False
    indent: str | None = None
    for line in lines:
        item = ITEM.match(line.text) if is_below else None
        if indent is not None and (item or line.text.startswith("#")):
            yield from closed(line, "")
            indent = None
        if line.text.startswith("#"):
            is_below = line.text == "## Hints"
        if item:
            indent = " " * len(item[1])
            yield from opened(line, "", f"Hint {item[1][:-2]}")
            yield line._replace(text=item[2])
        else:
            yield line._replace(text=line.text.removeprefix(indent or ""))
        last = line
    if indent is not None:
        yield from closed(last, "")


def opened(line: Line, indent: str, summary: str) -> list[Line]:
    texts = ["", f"{indent}<details><summary>{summary}</summary>", ""]
    return [line._replace(text=text) for text in texts]


def closed(line: Line, indent: str) -> list[Line]:
    return [line._replace(text=text) for text in ["", f"{indent}</details>", ""]]
