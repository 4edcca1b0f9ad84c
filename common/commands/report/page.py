"""HTML: text, tables and figures, and the page around them."""

from __future__ import annotations

import html
import re
from pathlib import Path

import files

STYLE = Path(__file__).with_name("style.css")


def text(words: str) -> str:
    """Also what was no UTF-8 in a file becomes some."""
    return html.escape(words.encode("utf-8", "replace").decode("utf-8", "replace"))


def marked(words: str) -> str:
    """Text with `code` and *emphasis*, as the pages of exercises have it."""
    escaped = re.sub("`([^`]+)`", r"<code>\1</code>", text(words))
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", escaped)


def table(titles: list[str], rows: list[list[str]], label: str, sides: str = "l") -> str:
    """Of cells that are HTML already.  label: what it is, for who cannot see it.  sides: for each
    column l, r (a number), n (a name) or w (words); r where it does not say.  It scrolls by
    itself where it is too wide."""
    kinds = {"l": "", "r": ' class="number"', "n": ' class="name"', "w": ' class="words"'}
    of_columns = [kinds[side] for side in sides.ljust(len(titles), "r")]
    head = "".join(
        f'<th scope="col"{kind}>{title}</th>' for kind, title in zip(of_columns, titles)
    )
    lines = [f"<thead><tr>{head}</tr></thead>"]
    for row in rows:
        cells = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(of_columns, row))
        lines.append(f"<tr>{cells}</tr>")
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{label}">\n<table>\n'
        + "\n".join(lines)
        + "\n</table>\n</div>"
    )


def facts(pairs: list[tuple[str, str]]) -> str:
    """Names, and beside each what it is, in HTML."""
    lines = "\n".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in pairs)
    return f"<dl>\n{lines}\n</dl>"


def figure(svg: str, name: str, kind: str, caption: str) -> str:
    """A picture within the page.  There are several, so each gets names and a style that are
    its own.  kind: timeline or plot, for the page's style."""
    picture = svg[svg.index("<svg") :]
    picture = re.sub(r"""\b(id|name)=(["'])""", rf"\1=\2{name}-", picture)
    picture = re.sub(r"""(href=['"]#|url\(#)""", rf"\g<1>{name}-", picture)
    picture = picture.replace("xlink:href", "href")
    picture = re.sub(
        r"(?<=<style>).*?(?=</style>)", lambda all: own_rules(all[0], name), picture, flags=re.S
    )
    head, _, rest = picture.partition(">")
    head = re.sub(r' (width|height|xmlns(:\w+)?)="[^"]*"', "", head)
    label = "" if "aria-label=" in head else f' role="img" aria-label="{text(caption)}"'
    head = head.replace("<svg", f'<svg id="{name}"{label}', 1)
    said = f"<figcaption>{text(caption)}</figcaption>"
    return f'<figure class="{kind}">\n{head}>{rest.strip()}\n{said}\n</figure>'


def own_rules(style: str, name: str) -> str:
    """Rules that are for this picture alone; on paper it is a light one."""

    def rule(found: re.Match[str]) -> str:
        selectors = [one.strip() for one in found[2].split(",")]
        own = [f"#{name}" if one == ":root" else f"#{name} {one}" for one in selectors]
        return found[1] + ", ".join(own) + " {"

    style = re.sub(r"@media *\(", "@media screen and (", style)
    return re.sub(r"(^|[{}])\s*([^{}@\s][^{}@]*)\{", rule, style)


def whole(title: str, body: str) -> str:
    style = files.read(STYLE).strip()
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)}</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""
