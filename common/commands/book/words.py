"""Links the words of the glossary where a chapter uses them first.

The glossary says in which step a word comes up; earlier chapters may use it in its everyday
sense, and are left alone.  So are words that mostly have an everyday sense later, too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import markdown
import shelf
from problem import read

GLOSSARY = Path("docs/glossary.md")
ROW = re.compile(
    r'^\| \*\*(?P<word>[^*]+)\*\*<a id="(?P<anchor>[^"]+)"></a>(?P<rest>[^|]*)'
    r"\| (?P<meaning>.*) \| (?P<steps>[^|]*) \|$",
    re.MULTILINE,
)
# What begins with such a tag is HTML up to an empty line, where Markdown has no links.
HTML = re.compile(
    r"^ {0,3}</?(?:details|div|p|summary|table)\b(?:(?!\n[ \t]*\n).)*", re.MULTILINE | re.DOTALL
)
# English has these without the glossary: `the next page`, `one round`, `a set of tests`.
EVERYDAY = set(
    """batch bus chain conversion control gap gather half identity image integrated issue map
    page pass peers rank relaxed round set stable visible""".split()
)


class Word(NamedTuple):
    word: str
    anchor: str
    meaning: str
    first: str  # the step in which it comes up


def read_words(glossary: str) -> list[Word]:
    """The longest first, so that `bank conflict` is not taken for `bank`."""
    found = []
    for row in ROW.finditer(glossary):
        word, rest = row["word"], row["rest"].strip()
        if word in EVERYDAY and re.fullmatch(r"\w+", rest):
            word += f" {rest}"  # an integrated GPU, but not all that is integrated
        first = re.search(r"\((step[0-9]+[a-z]*)_", row["steps"])
        if word not in EVERYDAY and first:
            found.append(Word(word, row["anchor"], markdown.plain(row["meaning"]), first[1]))
    return sorted(found, key=lambda word: (-len(word.word), word.word))


def pattern(word: str) -> str:
    """The word, its plural, and both at the beginning of a sentence or at a line's end."""
    head, last = re.escape(word[:-1]), re.escape(word[-1])
    ending = rf"(?:{last}(?:e?s)?|ies)" if re.search("[^aeiou]y$", word) else rf"{last}(?:e?s)?"
    first = head[0] if word[:2].isupper() else f"(?i:{head[0]})"
    return (first + head[1:]).replace(r"\ ", r"\s+") + ending


def link(text: str, page: Path, words: list[Word]) -> str:
    """The page of a step, with the first use of each word in its running text linked."""
    step = shelf.step_of(page)
    open_words = {f"w{i}": word for i, word in enumerate(words) if word.first <= step}
    found: set[str] = set()
    html = [block.span() for block in HTML.finditer(text)]
    if not open_words:
        return text
    any_word = re.compile(
        r"(?<![\w-])(?:"
        + "|".join(f"(?P<{name}>{pattern(word.word)})" for name, word in open_words.items())
        + r")(?![\w-])"
    )

    def linked(match: re.Match[str]) -> str:
        name = str(match.lastgroup)
        word = open_words[name]
        if name in found:
            return match[0]
        found.add(name)
        meaning = word.meaning.replace('"', "'").replace("\\", "").replace("&", "&amp;")
        meaning = meaning.replace("<", "&lt;")
        return f'[{match[0]}](word:{word.anchor} "{meaning}")'

    def change(kind: str, at: int, _match: re.Match[str] | None, piece: str) -> str:
        if kind != "prose" or any(start < at < end for start, end in html):
            return piece
        lines = piece.split("\n")
        begins = text[text.rfind("\n", 0, at) + 1 : at]
        for i, line in enumerate(lines):
            if not is_prose((begins if i == 0 else "") + line):
                lines[i] = f"\0{line}\0"  # a word may go on behind a line's end, but not here
        parts = re.split("(\0[^\0]*\0)", "\n".join(lines))
        return "".join(
            part[1:-1] if part.startswith("\0") else any_word.sub(linked, part)
            for part in parts
        )

    return markdown.rewrite(text, change)


def is_prose(line: str) -> bool:
    """Neither a heading nor a row of a table."""
    return not re.match(r"\s*(#|\|)", line)


def of_repository() -> list[Word]:
    return read_words(read(GLOSSARY)) if GLOSSARY.exists() else []
