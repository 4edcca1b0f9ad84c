"""In a page, what stands between `<!-- NAME: WORDS -->` and `<!-- end -->` is written by the
function that MARKERS has for that name."""

from __future__ import annotations

import difflib
import inspect
import re
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

import answers
import charts
import files
import foreign_kernels
import leasts
import one_page
import reports
import tables
import twice
from files import fail

MARKERS: dict[str, Callable[..., list[str]]] = {
    "contents": tables.contents,
    "screen": tables.screen,
    "asm": tables.asm,
    "task": tables.task,
    "table": tables.all_rows,
    "headlines": tables.headlines,
    "answer": tables.answer,
    "bound": tables.bound,
    "rows": tables.rows,
    "lens": reports.lens,
    "picture": reports.picture,
    "worst": reports.worst,
    "page": reports.stepping,
    "tiny": reports.tiny,
    "lessons": one_page.lessons,
    "flight": one_page.flight,
    "ladder": one_page.ladder,
    "gains": one_page.gains,
    "against": one_page.against,
    "reuse": one_page.reuse,
    "profile": one_page.profile,
    "banks": one_page.banks,
    "twice": twice.twice,
    "bars": charts.bars_of,
    "roofline": charts.roofline_of,
    "least": leasts.least,
    "leasts": leasts.leasts,
    "foreign": foreign_kernels.foreign,
    "projects": foreign_kernels.projects,
    "byhand": foreign_kernels.counted_by_hand,
}


def pages() -> list[Path]:
    """All that may have markers."""
    folders = [(".", "README.md"), ("docs", "*.md"), ("docs/results", "*.md")]
    return sorted(page for folder, name in folders for page in Path(folder).glob(name))


def parse(line: str) -> tuple[str, list[str]] | None:
    """The name and the words of a line that is a marker."""
    marker = re.fullmatch("<!-- ([a-z]+)(?:: (.*))? -->", line)
    return (marker[1], (marker[2] or "").split()) if marker else None


def find(*names: str) -> Iterator[tuple[str, list[str]]]:
    """The markers of these names on all pages."""
    for page in pages():
        for line in files.lines(page):
            marker = parse(line)
            if marker and marker[0] in names:
                yield marker


class Tiny(NamedTuple):
    """A command that a marker `tiny` shows, and the files in /tmp that its page has a reader
    write before: their paths and texts."""

    words: list[str]
    command: str
    typed: dict[str, str]


def tiny_commands() -> Iterator[Tiny]:
    """The command of each marker `tiny`: the last one above it that runs this kernel alone,
    with or without --all-sizes."""
    for page in pages():
        text = files.read(page)
        for marker in re.finditer("^<!-- tiny: (.*) -->$", text, re.MULTILINE):
            words = marker[1].split()
            above = re.findall("^```(.*)\n((?s:.*?))^```$", text[: marker.start()], re.M)
            shell = "".join(block for info, block in above if info in ("", "sh"))
            runs = rf"build/lens kernel .*\b{re.escape(words[1])}\("
            found = [
                line
                for line in shell.replace("\\\n", " ").split("\n")
                if re.match(runs, line) and ("--all-sizes" in line) == (len(words) > 2)
            ]
            if not found:
                what = " ".join(words[1:])
                fail(f"{page}: no command above runs {what} alone", "build/lens kernel ...")
            typed = {
                info.removeprefix("c "): block
                for info, block in above
                if info.startswith("c /tmp/")
            }
            yield Tiny(words, found[-1], typed)


def write(page: Path, name: str, words: list[str]) -> list[str]:
    """What a marker writes."""
    if name not in MARKERS:
        near = difflib.get_close_matches(name, MARKERS, 1)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(MARKERS)
        fail(f"there is no marker {name}", hint)
    try:
        inspect.signature(MARKERS[name]).bind(page, *words)
    except TypeError:
        form = (MARKERS[name].__doc__ or "").partition("\n")[0]
        fail(f"the marker {name} has other words", form)
    return MARKERS[name](page, *words)


def write_at(where: str, page: Path, name: str, words: list[str]) -> list[str]:
    """The same; an error says in which line of the page the marker stands."""
    try:
        return write(page, name, words)
    except files.Problem as problem:
        fail(f"{where}: {problem.problem}", problem.hint)
    except (KeyError, ValueError) as error:
        fail(f"{where}: a stored file has another form: {error!r}", "measure or count again")


def rewrite(page: Path) -> str:
    """The page, with what its markers write now."""
    text = []
    opened = 0  # the line of the marker whose end is still to come
    for number, line in enumerate(files.lines(page), 1):
        marker = parse(line)
        if not marker:
            if not opened:
                text.append(line)
        elif marker[0] == "end":
            if not opened:
                fail(f"{page}:{number}: this ends no marker", "remove it")
            text.append(line)
            opened = 0
        elif opened:
            break
        else:
            text += [line, *write_at(f"{page}:{number}", page, *marker)]
            opened = number
    if opened:
        where = f"{page}:{opened}"
        fail(f"{where}: this marker has no end", "write <!-- end --> below it")
    return "\n".join(text) + "\n"


def write_pages(folder: str) -> None:
    """Nothing is written if anything is wrong with one of them."""
    texts = {page: rewrite(page) for page in pages()}
    if answers.FILE.exists():
        texts[answers.FILE] = answers.text()
    if leasts.HABITS.exists():
        texts[leasts.HABITS] = leasts.habits()
    for page, text in texts.items():
        files.put(Path(folder) / page, text)
