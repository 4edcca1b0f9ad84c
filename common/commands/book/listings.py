"""A program, a kernel or another text as a page with numbered lines, each with an anchor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Iterator

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.c_cpp import CLexer
from pygments.lexers.special import TextLexer
from pygments.token import Keyword, Name
from pygments.util import ClassNotFound

from problem import read

# Blanks, names and brackets have no colour of their own, and are most of a listing.
PLAIN = re.compile('<span class="(?:w|p|n)">([^<]*)</span>')


class OpenCL(CLexer):  # type: ignore[misc] # Pygments has no types
    """C, with what OpenCL C adds to its words."""

    name = "OpenCL C"
    aliases = ["opencl"]
    filenames = ["*.cl", "*.clh"]
    WORDS = re.compile(
        "(kernel|global|local|constant|private|barrier|read_only|write_only|half|sampler_t"
        "|image2d_t|(u?(char|short|int|long)|float|double|half)(2|3|4|8|16)|u(char|short|int|long))"
    )

    def get_tokens_unprocessed(
        self, text: str, stack: tuple[str, ...] = ("root",)
    ) -> Iterator[tuple[int, Any, str]]:
        for index, token, value in super().get_tokens_unprocessed(text, stack):
            is_word = token in Name and self.WORDS.fullmatch(value)
            yield index, Keyword if is_word else token, value


def lexer_of(name: str) -> Any:
    if name.endswith((".cl", ".clh")):
        return OpenCL(stripnl=False)
    try:
        return get_lexer_for_filename(name, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)


def numbered(coloured: str) -> str:
    """Lines of HTML, each with its number, which is also its anchor: #L36."""
    lines = coloured.removesuffix("\n").split("\n")
    return "".join(
        f'<span id="L{i}"><a href="#L{i}">{i}</a>{line}\n</span>'
        for i, line in enumerate(lines, 1)
    )


def body(source: Path) -> list[str]:
    """The listing, for a page in Markdown."""
    coloured = highlight(read(source), lexer_of(source.name), HtmlFormatter(nowrap=True))
    listing = numbered(PLAIN.sub(r"\1", coloured))
    return [
        "~~~~~~{raw} html",
        f'<div class="highlight lines"><pre>{listing}</pre></div>',
        "~~~~~~",
    ]
