"""Where the book has each file of the repository.

docs/ is the root of the book.  Markdown is a page; data, pictures and pages of the lens are
files as they are; every other text is a page with numbered lines; a folder is its README, or a
page that lists its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

FRONT = "index"
STEPPING = Path("docs/results/lens")
DATA = {".csv", ".tsv"}
PICTURES = {".svg", ".png"}


class Place(NamedTuple):
    kind: str  # page, listing, folder, data, stepping or picture
    name: str  # of a page, without .html; or of a file, both from the root of the book
    source: Path


def place(path: Path) -> Place:
    """The place of a file or folder of the repository."""
    if path in (Path("README.md"), Path("docs/README.md"), Path("docs"), Path(".")):
        return Place("page", FRONT, Path("README.md"))
    if path.is_dir():
        if (path / "README.md").exists():
            return place(path / "README.md")
        return Place("folder", str(inside(path) / "index"), path)
    if path.suffix == ".md":
        name = inside(path).with_suffix("")
        named = name.with_name("index") if name.name == "README" else name
        return Place("page", str(named), path)
    if path.parent == STEPPING and path.suffix == ".html":
        return Place("stepping", f"lens/{path.name}", path)
    if path.suffix in DATA:
        return Place("data", str(inside(path)), path)
    if path.suffix in PICTURES:
        return Place("picture", str(inside(path)), path)
    return Place("listing", str(inside(path)), path)


def inside(path: Path) -> Path:
    return path.relative_to("docs") if path.parts[0] == "docs" else path


def resolve(page: Path, target: str) -> Path:
    """The path of what a page of the repository links to."""
    return Path(os.path.normpath(page.parent / target))


def relative(page: str, file: str) -> str:
    """From a page of the book to a file of it."""
    return os.path.relpath(file, Path(page).parent)


def step_of(path: Path) -> str:
    """step05, of any file that belongs to step 05; empty, if it belongs to none."""
    number = path.stem.partition("_")[0].partition("-")[0]
    return number if number.startswith("step") else ""
