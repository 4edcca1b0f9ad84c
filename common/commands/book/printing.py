"""The book as a PDF: its pages one after the other in a single one, which Chromium prints.

A link from page to page is a link within that page then: every anchor gets the name of its page
in front."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import order
import shelf
from problem import fail, read, write

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARTICLE = re.compile(r'<article role="main"[^>]*>(.*)</article>', re.DOTALL)
ATTRIBUTE = re.compile(r'(\s)(href|src|id)="([^"]*)"')
TAG = re.compile(r"<[a-z][^>]*>")
DARK = re.compile(r'<img [^>]*class="only-dark"[^>]*>')


def reading_order() -> list[str]:
    """The front page, each chapter with its exercise, and the pages beside them."""
    pages = [Path("README.md")]
    for chapter in order.chapters():
        pages += [chapter, Path("docs/exercises") / chapter.name]
    pages += [page for _, page in order.beside_chapters()]
    return [shelf.place(page).name for page in pages if page.exists()]


def anchor(page: str, name: str = "") -> str:
    """Of a page of the book within the single page."""
    return re.sub("[^a-z0-9]", "-", page) + (f"--{name}" if name else "")


def moved(page: str, text: str, pages: set[str]) -> str:
    """An article, with its links and anchors as the single page has them."""

    def change(match: re.Match[str]) -> str:
        start, name, value = match.groups()
        if name == "id":
            return f'{start}id="{anchor(page, value)}"'
        if re.match("[a-z]+:", value):
            return match[0]
        file, _, place = value.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), file))
        other = target.removesuffix(".html") if file else page
        if name == "href" and other in pages:
            return f'{start}href="#{anchor(other, place)}"'
        return f'{start}{name}="{target}"'

    opened = text.replace("<details>", "<details open>")
    return TAG.sub(lambda tag: ATTRIBUTE.sub(change, tag[0]), opened)


def single_page(folder: Path) -> str:
    """All articles, in the style of the front page."""
    names = reading_order()
    front = read(folder / "index.html")
    head = re.sub(
        '<script.*?</script>|<link [^>]*rel="(?:next|prev|search|index)"[^>]*>',
        "",
        front[: front.index("</head>")],
        flags=re.DOTALL,
    )
    text = [
        head,
        '</head><body data-theme="light"><div class="page"><div class="main">',
        '<div class="content">',
    ]
    for name in names:
        article = ARTICLE.search(read(folder / f"{name}.html"))
        if article:
            body = moved(name, DARK.sub("", article[1]), set(names))
            text.append(f'<article class="printed" id="{anchor(name)}">{body}</article>')
    return "\n".join([*text, "</div></div></div></body></html>"])


def print_book(folder: Path) -> str:
    if not (folder / "index.html").exists():
        fail(f"{folder} has no book", "make book")
    found = [path for path in map(shutil.which, BROWSERS) if path]
    if not found:
        fail("missing: chromium", "`make book-pdf` brings it, unless SETUP=no")
    page, target = folder / "printed.html", folder / "lockstep.pdf"
    new = folder / "new.pdf"  # the old one stays, if there is no new one
    write(page, single_page(folder))
    options = (
        "--headless=new --disable-gpu --no-pdf-header-footer --disable-dev-shm-usage".split()
    )
    options += ["--no-sandbox"] if os.geteuid() == 0 else []
    command = [
        found[0],
        *options,
        f"--print-to-pdf={new.resolve()}",
        page.resolve().as_uri(),
    ]
    new.unlink(missing_ok=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    page.unlink()
    if done.returncode or not new.exists():
        print(done.stdout.decode("utf-8", "replace"), end="", file=sys.stderr)
        fail("Chromium has printed nothing", "it says why above")
    new.replace(target)
    content = target.read_bytes()
    pages = len(re.findall(rb"/Type\s*/Page\b", content))
    return f"{target}: {pages} pages, {len(content) / 1e6:.1f} MB"
