"""The picture that moves in README: an exercise from its first command to PASS.

    docs/results/pocl-3.1/exercise.txt  what a terminal showed, and a caption for each scene
    docs/pictures/exercise.svg          that text as a film, without a script

The text is of a real run: `make motion` types the commands and makes both changes.  In it a
line "# ..." is a caption, "$ ..." is typed, and a changed line of the kernel has its number
and a sign.  The picture is made of the text alone.  Who asks for less motion, and a viewer
that knows no animation, sees the scene with the race."""

from __future__ import annotations

import difflib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import files
from files import fail

TEXT = Path("docs/results/pocl-3.1/exercise.txt")
PICTURE = Path("docs/pictures/exercise.svg")
STEP, KERNELS = "step08", "step08_sum_accuracy.cl"

ALONE = """\
    if (item == 0)
        for (uint i = 1; i < SHARE; i++)
            tree[0] += tree[i];
"""
TOGETHER = """\
    for (uint width = SHARE / 2; width > 0; width /= 2) {
        for (uint i = item; i < width; i += items)
            tree[i] += tree[i + width];
    }
"""
IN_TURN = TOGETHER.replace("    }\n", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n")


# ---- The run.


def record() -> str:
    """The text of a run, in a work folder that goes at the end."""
    with files.scratch() as work:
        if len(str(work)) > len("/tmp/tmp12345678"):  # lines with it would be broken
            fail(f"{work} is too long a name for a terminal", "TMPDIR=/tmp make motion")
        mine = work / KERNELS

        def make(target: str, verdict: str = "") -> str:
            said = in_terminal(["make", STEP, target], work)
            if not said.startswith(verdict):
                fail(f"`make {STEP} {target}` does not say {verdict}", said)
            return f"$ make {STEP} {target}\n{said}"

        scenes = [
            "# Begin an exercise: in this kernel, one work-item adds up everything.",
            make("exercise"),
            "# Change the kernel: let all work-items add, level by level.",
            change(mine, ALONE, TOGETHER),
            "# Check it: one work-item reads a sum that another may not have written yet.",
            make("check", "RACE"),
            "# The repair is one line: a barrier, at which all wait. Now it passes.",
            change(mine, TOGETHER, IN_TURN),
            make("check", "PASS"),
        ]
        return "\n".join(scenes).replace("\n# ", "\n\n# ").replace(str(work), "work") + "\n"


def in_terminal(command: list[str], work: Path) -> str:
    """What this command shows on a terminal of 88 columns."""
    outer = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "FLAGS", "ARGS")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    environment["LOCKSTEP_WORK"] = str(work)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:
            pass  # so a terminal says on Linux that its other end is closed
    os.close(ours)
    text = said.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    text = re.sub("[^\n]*\r\x1b\\[K", "", text)  # a line that was erased
    return re.sub("\x1b\\[[0-9;]*m", "", text).rstrip("\n")  # colours


def change(mine: Path, old: str, new: str) -> str:
    """Changes the learner's file; returns the lines that differ, and two on each side."""
    before = files.read(mine)
    if old not in before:
        fail(f"{mine} has other lines than the exercise of {STEP}", f"expected:\n{old}")
    after = before.replace(old, new)
    files.put(mine, after)
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm=""))
    first = re.match(r"@@ -\d+,\d+ \+(\d+)", lines[2])
    number = int(first[1]) if first else 0
    text = f"{mine}:"
    for line in lines[3:]:
        text += f"\n     {line}" if line[0] == "-" else f"\n{number:4} {line}"
        number += line[0] != "-"
    return text


# ---- The picture.

COLUMNS, ROWS = 88, 24
LETTER, LEADING = 7.8, 19  # of a letter of 13 pixels
MARGIN, TOP = 16, 72
PAUSE = 0.4  # seconds between a command and what it prints


class Block(NamedTuple):
    """What appears at once; a command is typed before it."""

    command: str
    lines: list[str]

    def typed(self) -> float:
        """Seconds that the command takes."""
        return 0.05 * len(self.command) + PAUSE if self.command else 0

    def shown(self) -> float:
        """Seconds that a reader needs for the lines."""
        return 2.2 + 0.2 * len(self.lines)


class Scene(NamedTuple):
    caption: str
    blocks: list[Block]

    def rows(self) -> int:
        return sum(len(block.lines) + bool(block.command) + 1 for block in self.blocks) - 1


def scenes_of(text: str) -> list[Scene]:
    scenes: list[Scene] = []
    for part in re.split("^# ", text, flags=re.MULTILINE)[1:]:
        caption, _, rest = part.partition("\n")
        typed = re.split(r"^\$ (.*)\n", rest.rstrip("\n") + "\n", flags=re.MULTILINE)
        commands = ["", *typed[1::2]]
        blocks = [
            Block(command, shortened(said.rstrip("\n")))
            for command, said in zip(commands, typed[::2])
            if said
        ]
        scenes.append(Scene(caption, blocks))
    return scenes


def shortened(said: str) -> list[str]:
    """Lines as a film can show them: of many paragraphs, the first ones and the last."""
    paragraphs = said.split("\n\n")
    if len(paragraphs) > 4:
        paragraphs[3:-1] = ["..."]
    return "\n\n".join(paragraphs).split("\n")


LIGHT = {
    "ground": "#f6f8fa",
    "bar": "#dfe4ea",
    "text": "#3a424b",
    "strong": "#0d1117",
    "bad": "#b3201a",
    "good": "#116329",
    "place": "#7a4d00",
}
DARK = {
    "ground": "#1c2128",
    "bar": "#373e47",
    "text": "#c4ccd4",
    "strong": "#ffffff",
    "bad": "#ff8f87",
    "good": "#7ee787",
    "place": "#f2cc60",
}


def colours(of: dict[str, str]) -> str:
    """Rules that every viewer knows, with these colours."""
    return (
        f".ground {{ fill: {of['ground']} }} .bar {{ fill: {of['bar']} }}\n"
        f"text {{ fill: {of['text']} }} .strong {{ fill: {of['strong']} }}\n"
        f".bad {{ fill: {of['bad']} }} .good {{ fill: {of['good']} }}"
        f" .place {{ fill: {of['place']} }}\n"
    )


STYLE = f"""\
:root {{ color-scheme: light dark }}
text {{ font: 13px monospace; white-space: pre }} tspan {{ font-weight: 700 }}
.caption {{ font: 600 16px sans-serif }}
.scene, .cover {{ opacity: 0 }} .still {{ opacity: 1 }}
{colours(LIGHT)}@media (prefers-color-scheme: dark) {{
{colours(DARK)}}}
"""


def draw(text: str) -> str:
    """The picture of this text."""
    scenes = scenes_of(text)
    whole = sum(b.typed() + b.shown() for scene in scenes for b in scene.blocks)
    height = TOP + LEADING * max(map(Scene.rows, scenes)) + 2
    width = round(2 * MARGIN + COLUMNS * LETTER)
    rules, drawn, now = "", "", 0.0
    for number, scene in enumerate(scenes, 1):
        begin, row, inside = now, 0, ""
        for i, block in enumerate(scene.blocks):
            name = f"b{number}{i}"
            if block.command:
                inside += prompt(block.command, row, name)
                rules += typing(name, len(block.command), now, now + block.typed(), whole)
                row += 1
            now += block.typed()
            inside += f'<g class="{name}">\n{lines(block.lines, row)}</g>\n'
            rules += visible(name, now, whole, whole)
            row += len(block.lines) + 1
            now += block.shown()
        rules += visible(f"s{number}", begin, now, whole)
        still = " still" if "data race" in inside else ""
        drawn += f'<g class="scene{still} s{number}">\n'
        drawn += (
            f'<text class="caption strong" x="{MARGIN}" y="30">{escape(scene.caption)}</text>\n'
        )
        drawn += f'<text x="{width - MARGIN}" y="30" text-anchor="end">'
        drawn += f"{number}/{len(scenes)}</text>\n{inside}</g>\n"
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" \
viewBox="0 0 {width} {height}" role="img" xml:space="preserve">
<title>An exercise on a terminal, from its first command to PASS</title>
<style>
{STYLE}@media (prefers-reduced-motion: no-preference) {{
{rules}}}
</style>
<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" class="ground" \
stroke="#7d8590"/>
<path d="M1 47 V8.5 a8 8 0 0 1 8 -7.5 H{width - 9} a8 8 0 0 1 8 7.5 V47 z" class="bar"/>
{drawn}</svg>
"""


def prompt(command: str, row: int, name: str) -> str:
    """A line that is typed: a cover with the cursor at its left moves away from it."""
    y = TOP + row * LEADING
    x = MARGIN + 2 * LETTER
    wide = len(command) * LETTER
    return (
        f'<text class="strong" x="{MARGIN}" y="{y}">$</text>\n'
        f'<text class="strong" x="{x:g}" y="{y}" textLength="{wide:g}">{command}</text>\n'
        f'<g class="cover {name}c"><rect x="{x:g}" y="{y - 14}" width="{wide + LETTER:g}"'
        f' height="19" class="ground"/><rect x="{x:g}" y="{y - 12}" width="{LETTER}"'
        f' height="15" class="strong"/></g>\n'
    )


def lines(shown: list[str], row: int) -> str:
    text = ""
    for line in shown:
        if len(line) > COLUMNS:
            fail(f"{TEXT}: a line has more than {COLUMNS} columns", line)
        y = TOP + row * LEADING
        if line:
            text += f'<text x="{MARGIN}" y="{y}"{kind(line)}>{words(line)}</text>\n'
        row += 1
    return text


def kind(line: str) -> str:
    """The class of a whole line."""
    for pattern, name in (
        (r" {5}-", "bad"),
        (r" *\d+ \+", "good"),
        (r" +line \d+  item ", "place"),
    ):
        if re.match(pattern, line):
            return f' class="{name}"'
    return ""


def words(line: str) -> str:
    """A line, whose verdict is set off."""
    verdict = re.match("(RACE|PASS)(?= )", line)
    if not verdict:
        return escape(line)
    name = "good" if verdict[1] == "PASS" else "bad"
    return f'<tspan class="{name}">{verdict[1]}</tspan>{escape(line[verdict.end() :])}'


def visible(name: str, begin: float, end: float, whole: float) -> str:
    """It is seen from one second to another, of all of them, and over and over again."""
    frames = f"0% {{ opacity: {int(begin == 0)} }} "
    if begin > 0:
        frames += f"{100 * begin / whole:.2f}% {{ opacity: 1 }} "
    if end < whole:
        frames += f"{100 * end / whole:.2f}% {{ opacity: 0 }} "
    return (
        f"@keyframes {name} {{ {frames}}}\n"
        f".{name} {{ animation: {name} {whole:.1f}s step-end infinite }}\n"
    )


def typing(name: str, letters: int, begin: float, end: float, whole: float) -> str:
    """The cover goes one letter further each time; when all is typed, it goes."""
    start, done, away = (f"{100 * at / whole:.2f}%" for at in (begin, end - PAUSE, end))
    first = "0%, " if begin > 0 else ""
    moved = f"opacity: 1; transform: translateX({letters * LETTER:g}px)"
    return (
        f"@keyframes {name}c {{ {first}{start} {{ opacity: 1; transform: none;"
        f" animation-timing-function: steps({letters}) }} {done} {{ {moved};"
        f" animation-timing-function: step-end }} {away}, 100% {{ opacity: 0;"
        f" transform: translateX({letters * LETTER:g}px) }} }}\n"
        f".{name}c {{ animation: {name}c {whole:.1f}s infinite }}\n"
    )


def obey(text_only: bool, picture_only: bool) -> None:
    """Runs the commands and stores both files, or prints what one of them would be."""
    text = files.read(TEXT, "make motion writes it") if picture_only else record()
    if picture_only:
        print(draw(text), end="")
    elif text_only:
        print(text, end="")
    else:
        files.put(TEXT, text)
        files.put(PICTURE, draw(text))
        print(TEXT, PICTURE, sep="\n")
