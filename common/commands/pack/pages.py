"""Pages and slides by pandoc, with a style of their own, each in one file."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from files import put, read, scratch_folder
from screen import fail

PAGE = """
<style>
:root { color-scheme: light; }
body { font: 11pt/1.4 sans-serif; max-width: 46rem; margin: 1.5rem auto; padding: 0 1rem; color: #1b1b1b; }
h1 { font-size: 1.6em; margin: 0 0 .4em; }
h2 { font-size: 1.2em; margin: 1em 0 .3em; border-bottom: 1px solid #999; }
h3 { font-size: 1em; margin: 1em 0 .2em; }
p, ul, ol { margin: .4em 0; }
table { border-collapse: collapse; width: 100%; margin: .4em 0; }
th, td { text-align: left; vertical-align: top; padding: .15em .6em .15em 0; border-bottom: 1px solid #ccc; }
code, pre { font: .9em/1.3 monospace; }
pre { background: #f3f3f3; padding: .5em .7em; overflow-x: auto; }
td:first-child code { white-space: nowrap; }
@page { size: A4; margin: 12mm 15mm; }
@media print {
  body { font-size: 9.5pt; line-height: 1.3; max-width: none; margin: 0; padding: 0; }
  pre { white-space: pre-wrap; background: none; border: 1px solid #bbb; }
  h2, h3 { break-after: avoid; } table, pre, li { break-inside: avoid; }
  p:has(+ .sourceCode) { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
</style>
"""

# Of pandoc's dzslides, whose slides have 800 times 600 points; on paper, a slide a page.
SLIDES = """
<style>
  section { background: #fff; color: #1b1b1b; }
  section h1 { font: bold 30px/1.2 sans-serif; margin: 40px 50px 0; text-align: left; color: #0b5fa5; }
  section p, section li { font: 25px/1.35 sans-serif; margin: 18px 50px 0; }
  section ol { font: 25px/1.35 sans-serif; margin: 18px 50px 0 90px; list-style-type: upper-alpha; }
  section ol li { margin: 10px 0 0; } section code { font-size: .9em; }
  section.title h1 { margin-top: 200px; font-size: 44px; }
  @page { size: 800px 600px; margin: 0; }
  @media print {
    html, body { overflow: visible !important; background: #fff; width: auto; height: auto; }
    section { position: relative !important; display: block !important; opacity: 1 !important;
              top: 0 !important; left: 0 !important; margin: 0 !important; transform: none !important;
              height: 590px !important; overflow: hidden; break-after: page; }
    section:last-of-type { break-after: auto; }
  }
</style>
"""


def of_lens(path: Path, folder: Path) -> None:
    """A page of the lens, with the style and the scripts that it links to beside it.  (It
    allows no others, nor any that stand in itself.)"""
    link = re.compile(
        r"""((?:src|href)=["'])((?:\.\./)+common/[a-z/]+/([a-z_]+\.(?:css|js)))"""
    )
    text = read(str(path))
    for _, target, name in link.findall(text):
        put(str(folder / name), read(str(path.parent / target)))
    put(str(folder / path.name), link.sub(r"\1\3", text))


def page(path: Path, text: str) -> None:
    _pandoc(path, text, "html5", PAGE)


def slides(path: Path, text: str) -> None:
    _pandoc(path, text, "dzslides", SLIDES)


def _pandoc(path: Path, text: str, form: str, style: str) -> None:
    """The first line of the text is its title, as "# The card"."""
    title = text.partition("\n")[0].lstrip("# ")
    with scratch_folder() as scratch:
        put(f"{scratch}/header", style)
        made = subprocess.run(
            [
                *("pandoc", "-f", "gfm", "-t", form, "-s", "-o", str(path)),
                *("--metadata", f"pagetitle={title}", "--metadata", "lang=en"),
                *("--include-in-header", f"{scratch}/header"),
            ],
            input=text,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    if made.returncode != 0:
        fail(f"pandoc cannot make {path}", made.stderr.strip()[-200:])
