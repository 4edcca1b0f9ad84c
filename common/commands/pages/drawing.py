"""Draws with gnuplot: a script of common/commands/plots/, behind family.gp, which makes one
family of all pictures.  A picture is the text of an SVG; at its end stand the data that were
drawn, as a comment, where a test reads them."""

from __future__ import annotations

import html
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from files import fail

SCRIPTS = Path("common/commands/plots")

# A colour of family.gp, and what stands for it on a dark page.
DARK = {
    "#555555": "#b4bac2",  # text
    "#1f66b0": "#6cb0f5",  # a stored GPU
    "#b8802e": "#cf9a4c",  # a stored CPU
    "#1f8a4c": "#53c483",  # the reader's own device
    "#a9bed6": "#56708c",  # what an earlier chapter has shown
    "#777777": "#7d848d",  # edges and grid
}


class Block(NamedTuple):
    """$name of a script: the names of its columns, and its lines."""

    name: str
    columns: str
    lines: list[str]


class Picture(NamedTuple):
    """What SCRIPT.gp draws of these blocks; label: what it shows, for who cannot see it."""

    script: str
    label: str
    settings: dict[str, int | float | str]
    blocks: list[Block]

    def svg(self) -> str:
        told = [f"{name} = {setting(value)}" for name, value in self.settings.items()]
        for block in self.blocks:
            told += [f"${block.name} << end_of_block", *block.lines, "end_of_block"]
        told += [f"load '{SCRIPTS}/{name}.gp'" for name in ("family", self.script)]
        return dressed(gnuplot("\n".join(told) + "\n"), self.label) + self.data()

    def data(self) -> str:
        """What stands at the end of the SVG.  It needs no gnuplot."""
        parts = ["\n".join([block.columns, *block.lines]) for block in self.blocks]
        return "<!-- " + "\n\n".join(parts) + "\n-->\n"


def gnuplot(script: str) -> str:
    try:
        done = subprocess.run(["gnuplot"], input=script.encode(), stdout=subprocess.PIPE)
    except FileNotFoundError:
        fail("there is no gnuplot", "`make plots` installs it: the package gnuplot-nox")
    if done.returncode:
        fail("gnuplot has failed", "it says why above")
    return done.stdout.decode()


def setting(value: int | float | str) -> str:
    return (
        f"{value:.10g}" if not isinstance(value, str) else "'" + value.replace("'", "''") + "'"
    )


def quoted(text: str) -> str:
    """A field of a block.  A name from a file can end neither it nor the SVG's comment."""
    text = text.replace("\\", "/").replace('"', "'").replace("--", "- -")
    return '"' + "".join(sign for sign in text if sign.isprintable()) + '"'


def dressed(svg: str, label: str) -> str:
    """Without what gnuplot says of itself and what no picture uses; with a label, and with the
    colours of a dark page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub("<title>.*?</title>|<desc>.*?</desc>\n*|[ \t]+(?=\n)", "", svg)
    svg = re.sub(r"<filter .*?</filter>\s*", "", svg, flags=re.DOTALL)
    if "'#gp" not in svg.partition("</defs>")[2]:
        svg = re.sub(r"<defs>.*?</defs>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<g [^>]*>\s*</g>\n", "", svg)
    svg = re.sub(r"rgb\( *(\d+), *(\d+), *(\d+)\)", hexadecimal, svg)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(label)}"', 1)
    at = svg.index(">") + 1
    return svg[:at] + "\n" + style() + svg[at:].lstrip("\n")


def hexadecimal(colour: re.Match[str]) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in colour.groups())


def style() -> str:
    rules = [
        f'    [{what}="{light}"] {{ {what}: {dark} }}'
        for light, dark in DARK.items()
        for what in ("fill", "stroke", "color")
    ]
    dark_page = ["  @media (prefers-color-scheme: dark) {", *rules, "  }"]
    return "\n".join(
        ["<style>", "  :root { color-scheme: light dark }", *dark_page, "</style>", ""]
    )
