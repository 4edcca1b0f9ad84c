"""Pictures in two themes.

An SVG chooses its colours by `@media (prefers-color-scheme: dark)`, which follows the system.
The book has a button for its theme, so each such picture becomes two files with that choice
made, of which the page shows the one for its theme."""

from __future__ import annotations

import html
import re
import struct
from pathlib import Path

from problem import fail, read

DARK = re.compile(r"@media\s*\(\s*prefers-color-scheme\s*:\s*dark\s*\)\s*\{")


def split(svg: str) -> tuple[str, str] | None:
    """The picture in light and in dark colours; None if it has the same in both."""
    if not DARK.search(svg):
        return None
    light = dark = svg
    while found := DARK.search(light):
        light = light[: found.start()] + light[closing(light, found.end()) + 1 :]
    while found := DARK.search(dark):
        end = closing(dark, found.end())
        dark = dark[: found.start()] + dark[found.end() : end] + dark[end + 1 :]
    scheme = re.compile(r"color-scheme\s*:\s*light dark")
    return scheme.sub("color-scheme:light", light), scheme.sub("color-scheme:dark", dark)


def closing(text: str, at: int) -> int:
    """Where the bracket ends that was opened before `at`."""
    depth = 1
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at - 1


def files(source: Path, name: str) -> dict[str, bytes]:
    """What the book has of a picture: its files by their names."""
    if source.suffix == ".svg" and (both := split(read(source))):
        stem = name[: -len(".svg")]
        return {f"{stem}.{theme}.svg": svg.encode() for theme, svg in zip(THEMES, both)}
    return {name: source.read_bytes()}


WIDE = 560  # pixels; made to fit a telephone, its words would be too small
THEMES = ("light", "dark")


def size(source: Path) -> tuple[int, int]:
    """Width and height in pixels, so that nothing moves when the picture comes."""
    if source.suffix == ".png":
        width, height = struct.unpack(">II", source.read_bytes()[16:24])
        return width, height
    head = re.search(r"<svg\b[^>]*>", read(source), re.DOTALL)
    if head:
        sides = [
            re.search(rf'\s{side}="([0-9.]+)(?:px)?"', head[0]) for side in ("width", "height")
        ]
        if sides[0] and sides[1]:
            return round(float(sides[0][1])), round(float(sides[1][1]))
        box = re.search(r'viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"', head[0])
        if box:
            return round(float(box[1])), round(float(box[2]))
    fail(f"{source} has no width and height", "write them into its first line")


def tags(source: Path, names: list[str], alt: str) -> str:
    """The picture in HTML, by the names of its files as the page sees them."""
    width, height = size(source)
    text = html.escape(" ".join(alt.split()))
    ways = [f"only-{theme}" for theme in THEMES] if len(names) == 2 else [""]
    images = [
        f'<img src="{html.escape(name)}" alt="{text}" width="{width}" height="{height}"'
        + (f' class="{way}">' if way else ">")
        for name, way in zip(names, ways)
    ]
    kind = "picture wide" if width > WIDE else "picture"
    return f'<span class="{kind}">{"".join(images)}</span>'
