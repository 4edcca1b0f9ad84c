"""A program, a kernel or another text as a page with numbered lines, each with an anchor."""

from __future__ import annotations

import re
from pathlib import Path

from problem import read

# What OpenCL C adds to the words of C.
OF_OPENCL = """kernel global local constant private read_only write_only barrier
    uint ulong uchar ushort half float2 float4 float8 int2 int4 uint2 uint4 image2d_t
    sampler_t""".split()

# Blanks, names and brackets have no colour of their own, and are most of a listing.
PLAIN = re.compile('<span class="(?:w|p|n)">([^<]*)</span>')


def highlighted(text: str, name: str) -> str:
    """The text in HTML, coloured where Pygments knows its language."""
    # Pygments comes with Sphinx; what needs neither must work without.
    from pygments import highlight
    from pygments.filters import NameHighlightFilter
    from pygments.formatters import HtmlFormatter
    from pygments.lexer import Lexer
    from pygments.lexers import get_lexer_for_filename
    from pygments.lexers.c_cpp import CLexer
    from pygments.lexers.special import TextLexer
    from pygments.token import Keyword
    from pygments.util import ClassNotFound

    lexer: Lexer
    if name.endswith((".cl", ".clh")):
        lexer = CLexer(stripnl=False)
        lexer.add_filter(NameHighlightFilter(names=OF_OPENCL, tokentype=Keyword))
    else:
        try:
            lexer = get_lexer_for_filename(name, stripnl=False)
        except ClassNotFound:
            lexer = TextLexer(stripnl=False)
    coloured = str(highlight(text, lexer, HtmlFormatter(nowrap=True)))
    return PLAIN.sub(r"\1", coloured)


def numbered(coloured: str) -> str:
    """Lines of HTML, each with its number, which is also its anchor: #L36."""
    lines = coloured.removesuffix("\n").split("\n")
    return "\n".join(
        f'<span id="L{i}"><a href="#L{i}">{i}</a>{line}</span>'
        for i, line in enumerate(lines, 1)
    )


def body(source: Path) -> list[str]:
    """The listing, for a page in Markdown."""
    digits = len(str(read(source).count("\n") + 1))
    coloured = numbered(highlighted(read(source), source.name))
    return [
        "~~~~~~{raw} html",
        f'<div class="highlight lines digits-{digits}"><pre>{coloured}</pre></div>',
        "~~~~~~",
    ]

