"""Writes the pages, lets Sphinx make the book of them, and puts it into its place.

The book is made beside the old one, which stays until the new one is finished."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import markdown
import order
import shelf
import words
from pages import Book, Line
from problem import fail, read, write

CONFIGURATION = Path("docs/book")
NEEDS = {
    "sphinx": "Sphinx",
    "myst_parser": "MyST",
    "furo": "Furo",
    "sphinx_copybutton": "sphinx-copybutton",
}
SHARED = Path("common/lens/report/page")  # script and style that pages of the lens link to


def collect() -> Book:
    """The whole book, from what is in the repository."""
    book = Book()
    for path in [
        Path("README.md"),
        *sorted(Path("docs").glob("*.md")),
        *sorted(Path("docs/exercises").glob("*.md")),
        *sorted(Path("docs/results").glob("*.md")),
        *sorted(Path("steps").glob("*.c")),
        *sorted(Path("kernels").glob("*.cl*")),
        *sorted(shelf.STEPPING.glob("*.html")),
    ]:
        book.add(path)
    book.finish()
    share_pages_of_lens(book)
    if book.problems:
        fail("\n       ".join(sorted(book.problems)), "correct these links")
    return book


def share_pages_of_lens(book: Book) -> None:
    """One copy of the script and the style that all pages of the lens link to; and each page
    leads back to its chapter."""
    link = re.compile(rb"""((?:src|href)=["']?)(?:\.\./)+common/lens/report/page/([a-z_.]+)""")
    for name in [name for name in book.files if name.startswith("lens/")]:
        for _, shared in link.findall(book.files[name]):
            file = SHARED / shared.decode()
            book.files[f"lens/{file.name}"] = file.read_bytes()
        leading_back = book.files[name].replace(b"<header>", b"<header>" + way_back(name), 1)
        book.files[name] = link.sub(rb"\1\2", leading_back)


def way_back(name: str) -> bytes:
    """From a page of the lens, a link to the chapter of its step."""
    chapter = order.chapter_of(Path(name))
    if not chapter:
        return b""
    title = html.escape(markdown.title(read(chapter)))
    return f'\n<a href="../{shelf.place(chapter).name}.html">← {title}</a>'.encode()


def write_source(book: Book, folder: Path) -> None:
    for name, lines in book.pages.items():
        write(folder / f"{name}.md", "\n".join(line.text for line in lines) + "\n")


def missing() -> list[str]:
    return [title for module, title in NEEDS.items() if not importlib.util.find_spec(module)]


def build(folder: Path) -> str:
    """Makes the book in this folder, and says what it has become."""
    lacking = missing()
    if lacking:
        hint = "`make book` brings it, or says how if SETUP=no"
        fail(f"missing: {', '.join(lacking)}", hint)
    book = collect()
    source, new = folder.with_name("book-source"), folder.with_name("book.new")
    for old in (source, new):
        empty(old)
    write_source(book, source)
    run_sphinx(book, source, new)
    for name, content in book.files.items():
        if content:
            write(new / name, content)
    without_absolute_import(new)
    finish_index(new / "searchindex.js")
    empty(folder)
    new.rename(folder)
    shutil.rmtree(source)
    pages = len(list(folder.rglob("*.html")))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    steps = len(order.chapters())
    return f"{folder}/index.html: {steps} chapters, {pages} pages, {size / 1e6:.1f} MB"


def empty(folder: Path) -> None:
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
    except NotADirectoryError:
        return  # what is above it is a file; who writes there says so
    except OSError as error:
        fail(f"cannot remove {error.filename}: {error.strerror}", "may you write there?")


def run_sphinx(book: Book, source: Path, target: Path) -> None:
    options = "-q -W --keep-going -j auto -b html".split()
    doctrees = source / ".doctrees"
    command = [sys.executable, "-m", "sphinx", *options, "-c", str(CONFIGURATION)]
    command += ["-d", str(doctrees), str(source), str(target)]
    # The order of sets, which Sphinx writes into its index, is the same in each run then.
    surroundings = {**os.environ, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        print(original(book, source, said), end="", file=sys.stderr)
        fail("Sphinx has warnings, or has failed", "they are above")


def original(book: Book, source: Path, said: str) -> str:
    """Sphinx's messages, with the page of the repository and its line."""

    def place(match: re.Match[str]) -> str:
        lines = book.pages.get(match["name"], [])
        number = int(match["line"] or 1)
        if not lines:
            return match[0]
        line: Line = lines[min(max(number, 1), len(lines)) - 1]
        return f"{line.source}:{line.number}: "

    # For MyST's own warnings, Sphinx 8 takes the name of the file for the page's, and adds .rst.
    where = re.escape(str(source.resolve()))
    return re.sub(rf"{where}/(?P<name>\S+)\.md(?:\.rst)?(?::(?P<line>\d+))?: ", place, said)


def without_absolute_import(folder: Path) -> None:
    """Debian's Furo imports a style from the root of a server; lockstep.css has its rules."""
    for style in (folder / "_static" / "styles").glob("*.css"):
        write(style, re.sub(r"@import url\(/javascript[^)]*\);", "", read(style)))


def finish_index(index: Path) -> None:
    """Words of the glossary are found as headings are.  And Sphinx writes some of its index in
    the order in which its processes finished."""
    head, _, rest = read(index).partition("(")
    found = json.loads(rest.removesuffix(")"))
    titles = found.setdefault("alltitles", {})
    for word in words.ROW.finditer(read(words.GLOSSARY)):
        place = [found["docnames"].index(words.GLOSSARY.stem), word["anchor"]]
        titles.setdefault(word["word"], []).append(place)
    for places in titles.values():
        places.sort(key=str)
    write(index, f"{head}({json.dumps(found, sort_keys=True, separators=(',', ':'))})")
