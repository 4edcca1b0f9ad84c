"""Makes the pages of the book, in the Markdown that Sphinx reads, from those of the repository.

Every line remembers where it comes from, so that a message of Sphinx's can name that place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import folding
import markdown
import order
import pictures
import shelf
import words
from problem import read

HIDDEN = "---\nnosearch: true\norphan: true\n---"  # found by links, and not by words


class Line(NamedTuple):
    text: str
    source: Path
    number: int


def lines_of(source: Path, texts: list[str], first: int = 1) -> list[Line]:
    return [Line(text, source, first + i) for i, text in enumerate(texts)]


def added(source: Path, text: str) -> list[Line]:
    """Lines that the page does not have in the repository; they belong to its first one."""
    return [Line(line, source, 1) for line in text.split("\n")]


def titled(page: Path, link: re.Match[str]) -> str:
    """The text of a link; if it is the name of a page, which the book does not show, that
    page's title."""
    path = shelf.resolve(page, link["target"].partition("#")[0])
    is_name = path.suffix == ".md" and f"/{path}".endswith("/" + link["text"])
    return markdown.title(read(path)) if is_name and path.exists() else link["text"]


class Book:
    """All pages and files, as far as something leads to them."""

    def __init__(self) -> None:
        self.pages: dict[str, list[Line]] = {}
        self.files: dict[str, bytes] = {}
        self.problems: list[str] = []
        self.words = words.of_repository()
        self.anchors: dict[Path, set[str]] = {}
        self.open: list[shelf.Place] = []

    def add(self, path: Path) -> shelf.Place:
        """Puts a file or folder into the book, if it is not there yet."""
        place = shelf.place(path)
        if place.name not in self.pages and place.name not in self.files:
            if place.kind in ("page", "listing", "folder"):
                self.pages[place.name] = []
                self.open.append(place)
            elif place.kind == "picture":
                self.files.update(pictures.files(path, place.name))
                self.files.setdefault(place.name, b"")  # seen; an empty one is not written
            else:
                self.files[place.name] = path.read_bytes()
        return place

    def finish(self) -> None:
        """Makes each page, and those that it links to."""
        while self.open:
            place = self.open.pop()
            make = {"page": self.page, "listing": self.listing, "folder": self.folder}
            self.pages[place.name] = make[place.kind](place)

    def page(self, place: shelf.Place) -> list[Line]:
        texts = read(place.source).removesuffix("\n").split("\n")
        texts[0] = order.heading(place.source, texts[0])
        lines = lines_of(place.source, texts)
        if place.name == shelf.FRONT:
            lines = order.front(lines)
        lines = self.rewritten(place.name, lines)
        if place.source.parent == order.DOCS / "exercises":
            lines = folding.folded(lines, shelf.step_of(place.source))
        lines[1:1] = added(place.source, "\n" + self.parts(place))
        if order.is_results(place.source):
            lines[:0] = added(place.source, HIDDEN)
        elif not order.is_in_tree(place):
            lines[:0] = added(place.source, "---\norphan: true\n---")
        return lines + added(place.source, order.trees(place))

    def parts(self, place: shelf.Place) -> str:
        """Links to all that belongs to the same step; empty, if there is no such step."""
        found = order.parts(place.source)
        return f'<div class="parts">\n\n{self.links(place, found)}\n\n</div>\n' if found else ""

    def links(self, place: shelf.Place, targets: dict[str, Path]) -> str:
        """A line of links, by their titles."""
        return " · ".join(
            f"[{title}]({self.address(place.name, path)})" for title, path in targets.items()
        )

    def listing(self, place: shelf.Place) -> list[Line]:
        import listings  # which needs Pygments; what comes without it works without it

        source = place.source
        text = [HIDDEN, f"# {source}", "", self.parts(place)]
        return added(source, "\n".join([*text, *listings.body(source)]))

    def folder(self, place: shelf.Place) -> list[Line]:
        """A list of what is in a folder: the titles of its pages, or else its files."""
        files = sorted(path for path in place.source.iterdir() if path.is_file())
        shown = [path for path in files if path.suffix == ".md"] or files
        text = [HIDDEN, f"# {place.source}/", ""]
        for path in shown:
            title = markdown.title(read(path)) if path.suffix == ".md" else path.name
            step = shelf.step_of(path).removeprefix("step")
            link = f"[{title}]({self.address(place.name, path)})"
            text.append(f"- {step} {link}" if step else f"- {link}")
        return added(place.source, "\n".join(text))

    def rewritten(self, name: str, lines: list[Line]) -> list[Line]:
        """The lines, with links, pictures and words as the book has them."""
        text = "\n".join(line.text for line in lines)

        def change(kind: str, at: int, match: re.Match[str] | None, piece: str) -> str:
            if kind == "comment":
                return markdown.blank(piece)
            if kind == "listing":
                return markdown.of_known_language(piece)
            if match is None or kind not in ("link", "image"):
                return piece
            where = lines[text.count("\n", 0, at)]
            if kind == "image":
                return self.picture(name, where, match) + markdown.blank(piece)
            target = self.target(name, where, match["target"])
            inner = markdown.rewrite(titled(where.source, match), change)
            lost = piece.count("\n") - inner.count("\n")
            return f"[{inner}]({target})" + "\n" * lost

        text = markdown.rewrite(text, change)
        if order.is_step(lines[0].source):
            text = words.link(text, lines[0].source, self.words)
        return [line._replace(text=new) for line, new in zip(lines, text.split("\n"))]

    def picture(self, name: str, where: Line, match: re.Match[str]) -> str:
        source = shelf.resolve(where.source, match["source"])
        if not source.is_file():
            self.lost(where, f"there is no picture {match['source']}")
            return ""
        place = self.add(source)
        files = [shelf.relative(name, file) for file in pictures.files(source, place.name)]
        return pictures.tags(source, files, match["alt"])

    def target(self, name: str, where: Line, link: str) -> str:
        """What a link of the repository is in the book."""
        if re.match("[a-z]+:", link):
            return link
        file, _, anchor = link.partition("#")
        path = shelf.resolve(where.source, file) if file else where.source
        if not path.exists():
            self.lost(where, f"there is no {link}")
            return link
        place = shelf.place(path)
        if anchor and place.kind != "stepping" and anchor not in self.anchors_of(path):
            self.lost(where, f"{path} has no #{anchor}")
        return self.address(name, path) + (f"#{anchor}" if anchor else "")

    def address(self, name: str, path: Path) -> str:
        """The address that conf.py makes a link of.  A page that is a file has its own."""
        place = self.add(path)
        if place.kind in ("page", "listing", "folder"):
            return f"book:{place.name}"
        return f"bookfile:{place.name}"

    def anchors_of(self, path: Path) -> set[str]:
        if path not in self.anchors:
            if path.suffix == ".md":
                self.anchors[path] = markdown.anchors(read(path))
            else:
                self.anchors[path] = {f"L{i}" for i in range(1, read(path).count("\n") + 1)}
        return self.anchors[path]

    def lost(self, where: Line, problem: str) -> None:
        self.problems.append(f"{where.source}:{where.number}: {problem}")
