"""The order of the book: the front page, the chapters with their exercises, and the rest.

Nothing lists the steps.  Their files, the first lines of these, the heads in docs/contents.txt
and the list at the end of docs/README.md decide."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import markdown
import shelf
from problem import read

if TYPE_CHECKING:
    from pages import Line

DOCS = Path("docs")
BESIDE = DOCS / "README.md"
ABOUT, START = DOCS / "book" / "front.md", "## Start"
CONTENTS, END = "<!-- contents -->", "<!-- end -->"


def chapters() -> list[Path]:
    return sorted(DOCS.glob("step*_*.md"))


def is_step(source: Path) -> bool:
    """A chapter, or an exercise."""
    return bool(shelf.step_of(source)) and source.parent in (DOCS, DOCS / "exercises")


def is_results(source: Path) -> bool:
    return bool(shelf.step_of(source)) and source.parent == DOCS / "results"


def is_in_tree(place: shelf.Place) -> bool:
    """Is it among the pages that are read one after the other?"""
    return place.name == shelf.FRONT or (
        place.source.parts[0] == "docs" and not is_results(place.source)
    )


def short(source: Path) -> str:
    """05 coalescing, of a page that begins with `# Step 05: coalescing: the same work ...`."""
    title = markdown.title(read(source))
    found = re.match(r"Step (\w+): ([^:]+)", title)
    return f"{found[1]} {found[2]}" if found else title


def heading(source: Path, line: str) -> str:
    """The first line of a page.  An exercise says which one it is, as a reader who has
    searched for a word does not know where its page is."""
    if source.parent != DOCS / "exercises" or not is_step(source):
        return line
    number = shelf.step_of(source).removeprefix("step")
    return re.sub("^# ", f"# Exercise {number}: ", line)


def chapter_of(source: Path) -> Path | None:
    """The chapter that a file belongs to."""
    step = shelf.step_of(source)
    return next(iter(sorted(DOCS.glob(f"{step}_*.md"))), None) if step else None


def parts(source: Path) -> dict[str, Path]:
    """What else belongs to the chapter of a file, by the names of its links."""
    chapter = chapter_of(source)
    if not chapter:
        return {}
    stem, step = chapter.stem, shelf.step_of(source)
    kernels = sorted(Path("kernels").glob(f"{stem}*.cl"))
    found = {
        "Chapter": chapter,
        "Program": Path("steps") / f"{stem}.c",
        **{
            f"Kernels{'' if i == 0 else f' {i + 1}'}": kernel
            for i, kernel in enumerate(kernels)
        },
        "Exercise": DOCS / "exercises" / f"{stem}.md",
        "Step through it": shelf.STEPPING / f"{step}.html",
        "All measured rows": DOCS / "results" / f"{step}.md",
    }
    return {name: path for name, path in found.items() if path.exists() and path != source}


def front(lines: list[Line]) -> list[Line]:
    """README.md, with what docs/README.md has behind its list of steps in place of the
    paragraph that leads there, and with a section for those who only read."""
    beside = read(BESIDE).removesuffix("\n").split("\n")
    last = len(beside) - 1 - beside[::-1].index(END) if END in beside else -1
    rest = taken(lines[0], BESIDE, beside[last + 1 :], last + 2)
    kept = []
    for paragraph in paragraphs(lines):
        leads = any("](docs/README.md)" in line.text for line in paragraph)
        kept += [] if leads else paragraph
    texts = [line.text for line in kept]
    at = texts.index(END, texts.index(CONTENTS)) + 1 if CONTENTS in texts else len(kept)
    kept[at:at] = rest
    start = texts.index(START) if START in texts else len(kept)
    about = taken(lines[0], ABOUT, read(ABOUT).split("\n"), 1)
    return kept[:start] + about + kept[start:]


def taken(like: Line, source: Path, texts: list[str], first: int) -> list[Line]:
    """Lines of another page, of which the first has that number."""
    return [
        like._replace(text=text, source=source, number=number)
        for number, text in enumerate(texts, first)
    ]


def paragraphs(lines: list[Line]) -> list[list[Line]]:
    """Cut behind each empty line."""
    found: list[list[Line]] = [[]]
    for line in lines:
        found[-1].append(line)
        if not line.text:
            found.append([])
    return found


def tree(caption: str, entries: list[tuple[str, Path]]) -> str:
    head = ["", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    body = [f"{title} </{shelf.place(path).name}>" for title, path in entries]
    return "\n".join([*head, *body, "```"]) if entries else ""


def trees(place: shelf.Place) -> str:
    """What comes below a page in the order of reading."""
    if place.name == shelf.FRONT:
        return "\n".join([*steps_by_head(), tree("Beside the chapters", beside_chapters())])
    exercise = DOCS / "exercises" / place.source.name
    if place.source.parent == DOCS and is_step(place.source) and exercise.exists():
        title = f"Exercise: {markdown.title(read(exercise))}"
        return tree("", [(title, exercise)])
    return ""


def steps_by_head() -> list[str]:
    """The chapters, under the heads of docs/contents.txt."""
    contents = read(DOCS / "contents.txt")
    heads = dict(re.findall(r"^(step\w+)  head  (.*)$", contents, re.MULTILINE))
    notes = dict(re.findall(r"^(step\w+)  note  \*\*(.*)\*\*$", contents, re.MULTILINE))
    groups: list[tuple[str, list[tuple[str, Path]]]] = []
    for chapter in chapters():
        step = shelf.step_of(chapter)
        if step in heads or not groups:
            groups.append((heads.get(step, ""), []))
        note = f" ({notes[step]})" if step in notes else ""
        groups[-1][1].append((short(chapter) + note, chapter))
    return [tree(caption, entries) for caption, entries in groups]


def beside_chapters() -> list[tuple[str, Path]]:
    """In the order of docs/README.md; then those that it does not name."""
    text = read(BESIDE).rpartition(END)[2]
    named = [
        shelf.resolve(BESIDE, target)
        for target in re.findall(r"\]\(([^)#\s]+\.md)\)", text)
        if not target.startswith("step")
    ]
    others = [
        page for page in sorted(DOCS.glob("*.md")) if not is_step(page) and page != BESIDE
    ]
    pages = dict.fromkeys([page for page in named if page.exists()] + others)
    return [(short(page), page) for page in pages]
