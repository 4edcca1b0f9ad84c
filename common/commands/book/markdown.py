"""Reads Markdown as far as the book must: what is code, a link, a picture, or prose."""

from __future__ import annotations

import re
from typing import Callable, Iterator

# None of these goes beyond an empty line, but listings and comments do.
INSIDE = r"(?:(?!\n[ \t]*\n).)*?"
TOKEN = re.compile(
    rf"""
      (?P<listing> ^[ ]* (?P<fence>`{{3,}}|~{{3,}}) [^\n]* \n .*? ^[ ]*(?P=fence)[ ]*$ )
    | (?P<comment> <!-- .*? --> )
    | (?P<code>    (?P<ticks>`+)(?!`) {INSIDE} (?<!`)(?P=ticks)(?!`) )
    | (?P<image>   !\[ (?P<alt>[^\]]*) \]\( (?P<source>[^)\s]+) \) )
    | (?P<link>    \[ (?P<text>(?:`[^`]*`|\[[^\]]*\]|[^\[\]`])*) \]\( (?P<target>[^)\s]+)
                   (?P<title>\s+"[^"]*")? \) )
    | (?P<html>    </?[A-Za-z][^>]*> )
    | (?P<bare>    https?://[^\s)>]+ )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
LANGUAGES = {"", "c", "diff", "sh", "text"}
KINDS = ("listing", "comment", "code", "image", "link", "html", "bare")


def tokens(text: str) -> Iterator[tuple[str, int, "re.Match[str] | None", str]]:
    """The kind of each piece of a text, where it begins, its match, and itself; what none of
    the patterns matches is of the kind `prose`."""
    at = 0
    for match in TOKEN.finditer(text):
        if match.start() > at:
            yield "prose", at, None, text[at : match.start()]
        kind = next(kind for kind in KINDS if match[kind] is not None)
        yield kind, match.start(), match, match[0]
        at = match.end()
    if at < len(text):
        yield "prose", at, None, text[at:]


def rewrite(text: str, change: Callable[[str, int, "re.Match[str] | None", str], str]) -> str:
    """The text, with each piece changed.  It keeps its number of lines, by which Sphinx's
    messages are led back to the page in the repository."""
    changed = "".join(change(*token) for token in tokens(text))
    assert changed.count("\n") == text.count("\n"), "a page must keep its lines"
    return changed


def slug(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = "".join(sign for sign in title.lower() if sign.isalnum() or sign in "_- ")
    return kept.strip().replace(" ", "-")


def unique(name: str, seen: dict[str, int]) -> str:
    """The same for the second heading of that name: why-1."""
    seen[name] = seen.get(name, -1) + 1
    return f"{name}-{seen[name]}" if seen[name] else name


def plain(text: str) -> str:
    """Words without their marks: **bold**, `code`, [link](target)."""
    text = re.sub(r"<[^>]*>", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", text)


def headings(text: str) -> list[str]:
    outside = rewrite_listings(text)
    return [plain(title) for title in re.findall(r"^#{1,6} +(.*?) *#*$", outside, re.MULTILINE)]


def rewrite_listings(text: str) -> str:
    """The text without what stands in its listings and comments."""
    hidden = ("listing", "comment")
    return rewrite(
        text, lambda kind, _at, _match, piece: blank(piece) if kind in hidden else piece
    )


def of_known_language(listing: str) -> str:
    """A listing whose language Pygments knows.  Some are marked for our own tests, and a file
    behind the mark says where an excerpt comes from."""
    head, line, rest = listing.partition("\n")
    language, _, file = head.strip(" `~").partition(" ")
    if file.startswith("kernels/"):
        return head.replace(f"{language} {file}", "opencl") + line + rest
    return listing if language in LANGUAGES else head.replace(language, "text") + line + rest


def blank(piece: str) -> str:
    return "\n" * piece.count("\n")


def title(text: str) -> str:
    """The first heading."""
    return (headings(text) or [""])[0]


def anchors(text: str) -> set[str]:
    """All that a link can lead to within a page."""
    seen: dict[str, int] = {}
    found = {unique(slug(heading), seen) for heading in headings(text)}
    return found | set(re.findall(r'<a id="([^"]+)">', text))
