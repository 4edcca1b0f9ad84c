"""Makes a book of the repository: pages that a browser opens from the disk.

    python3 common/commands/book [book|pdf]      in the folder of the clone

`make book` and `make book-pdf` are these two.  The exit status is 2 where a page, a link or a
folder is wrong, or where something is missing.

    shelf     where the book has each file of the repository
    order     in which order pages are read, and what belongs to a chapter
    pages     makes the pages, and finds those that they link to
    markdown  reads Markdown: links, headings, anchors, prose
    words     links the words of the glossary
    pictures  a light and a dark file of each picture
    listings  programs and kernels with numbered lines
    building  runs Sphinx, and names the original page in its messages
    printing  the same book as a PDF
    problem   errors with a hint, and files
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import building
import printing
from problem import Problem


SYSTEM = "/usr/bin/python3"


def use_python_of_system() -> None:
    """Packages bring Sphinx for the system's own Python; another one may come before it."""
    if building.missing() and os.access(SYSTEM, os.X_OK) and not os.environ.get("BOOK_PYTHON"):
        surroundings = {**os.environ, "BOOK_PYTHON": SYSTEM}
        os.execve(SYSTEM, [SYSTEM, *sys.argv], surroundings)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="book", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("book", "pdf"), default="book")
    what = parser.parse_args().what
    use_python_of_system()
    folder = Path(os.environ.get("BUILD") or "build") / "book"
    try:
        if what == "book":
            print(building.build(folder))
        else:
            print(printing.print_book(folder))
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 2
    except OSError as error:  # such as a folder that cannot be moved
        what = f"{error.filename}: {error.strerror}"
        print(Problem(what, "is there room, and may you write there?"), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
