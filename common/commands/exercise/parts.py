"""The learner's file: ours, with other text in its marked parts, under the task."""

import re
from difflib import SequenceMatcher

from facts import CLOSE, OPEN, Exercise
from files import read


def assemble(exercise: Exercise, page: str = "ours", section: str = "Start") -> str:
    """Ours, with the blocks of the page's section as its parts; for the page "ours",
    with our own."""
    task = "".join(f" * {line}".rstrip(" ") + "\n" for line in exercise.section())
    task = f"/* Exercise: {exercise.title}\n *\n{task} */\n"
    if page == "ours":
        return task + read(exercise.ours)
    parts = iter(blocks(page, section))
    inside = False
    lines: list[str] = []
    for line in read(exercise.ours).splitlines(keepends=True):
        if CLOSE in line:
            inside = False
        if not inside:
            lines.append(line)
        if OPEN in line:
            inside = True
            lines.append(next(parts, ""))
    return task + "".join(lines)


def blocks(page: str, section: str) -> list[str]:
    """The texts between ``` and ``` in a section of a page."""
    found: list[str] = []
    here = inside = False
    for line in read(page).splitlines(keepends=True):
        if line.startswith("## "):
            here = line.rstrip("\n") == f"## {section}"
        if here and line.startswith("```"):
            inside = not inside
            if inside:
                found.append("")
        elif inside:
            found[-1] += line
    return found


def body(text: str) -> list[str]:
    """A file's lines without the comments at its top, where the task stands."""
    lines = text.split("\n")
    comment = False
    for number, line in enumerate(lines):
        if line.lstrip(" ").startswith("/*") and OPEN not in line:
            comment = True
        if not comment and line.strip():
            return lines[number:]
        if "*/" in line:
            comment = False
    return []


def changed_elsewhere(ours: str, other: str) -> bool:
    """Is anything of our text changed outside of the marked parts?  What is inserted
    belongs to the line in front of it."""
    lines, others = body(ours), body(other)
    marked, inside = [False], False
    for line in lines:
        inside = inside or OPEN in line
        marked.append(inside)
        inside = inside and CLOSE not in line
    matcher = SequenceMatcher(None, lines, others, autojunk=False)
    return any(
        not all(
            marked[first + 1 : last + 1] if last > first else marked[first : first + 1]
        )
        for what, first, last, _, _ in matcher.get_opcodes()
        if what != "equal"
    )
