"""The exercises: where their files are, and what stands in docs/exercises/STEM.md,
which is for readers, and in STEM.txt beside it, which says what is run, counted and
measured:

    rule     SENTENCE                              the task, which every verdict repeats
    run      ARGUMENTS                             results must be right
    beyond   [LEAST-]MOST ARGUMENTS                the same at a size beyond each number up to
                                                   MOST that ours has not: N is 2 more, or
                                                   LEAST, and M the number itself
    races    ARGUMENTS                             the lens must find no mistake
    lockstep ARGUMENTS                             32 lanes in lockstep get the same result
    count    ARGUMENTS                             what the lens counts, on indented lines:
        KERNEL [ARGUMENT=N] | ACCESS | COUNT | at most N | ours N
    vary     OPTION ...                            what is smaller when it counts again, if
                                                   not --size
    loads    KERNEL | at least N | ours N          what clang's code for a GPU has between two
                                                   branches of it
    sizes    [OPTIONS] 'KERNEL(ARGUMENTS)'         the lens finds no mistake, and no result
                                                   that ours has not, at each size up to 300
    bound    OPTIONS 'KERNEL(ARGUMENTS)'           a launch, for a PASS: what no run of it
                                                   beats on a GPU, of the learner's and ours
    golf     ARGUMENTS | KERNEL                    the launch whose counts are points: make golf
    measure  ARGUMENTS | VARIANT                   results must be right, times are noted;
                                                   only of steps that measure times
    worth    VARIANT | VARIANT                     rows of stored results, for a PASS: what
                                                   the start does, and what ours does
    predict  N counted ARGUMENTS | KERNEL | ACCESS | COUNT | ANSWER
    predict  N measured ARGUMENTS | VARIANT | VARIANT    how many times slower the first is,
                                                   in stored results and here
    predict  N calls FUNCTION | CALL | ANSWER      OpenCL calls there, in front of that call
    predict  N why | LETTER                        the right one of the page's three answers
    vote     N ANSWER | ANSWER ...                 wrong answers to that question, for slides

Lines that begin with "elsewhere" are left out if only the marked parts have changed."""

import os
import re
import subprocess
from glob import escape, glob
from typing import NamedTuple, NoReturn

from files import read
from screen import fail

BUILD = os.environ.get("BUILD") or "build"
WORK = os.environ.get("LOCKSTEP_WORK") or "work"
OPEN, CLOSE = "/* exercise { */", "/* } exercise */"  # around a marked part


class Statement(NamedTuple):
    """A line of the plain file, with the indented lines below it."""

    word: str
    text: str
    elsewhere: bool
    below: list[str]


class Exercise(NamedTuple):
    """The exercise of a step: `ours` has the marked parts, `mine` is the learner's copy
    of it."""

    step: str
    stem: str
    ours: str
    mine: str

    @property
    def page(self) -> str:
        return f"docs/exercises/{self.stem}.md"

    @property
    def plain(self) -> str:
        return f"docs/exercises/{self.stem}.txt"

    @property
    def kernels(self) -> str:
        return f"kernels/{self.stem}.cl"

    @property
    def title(self) -> str:
        return read(self.page).split("\n", 1)[0].removeprefix("# ")

    def section(self, name: str = "") -> list[str]:
        """A section's lines, without blank ones around them; "" stands before the
        first."""
        lines: list[str] = []
        here = ""
        for line in read(self.page).split("\n")[1:]:
            if line.startswith("## "):
                here = line[3:]
            elif here == name:
                lines.append(line if line.strip() else "")
        return "\n".join(lines).strip("\n").split("\n")

    def items(self, section: str) -> list[str]:
        """A section's numbered paragraphs, each in one line."""
        items: list[str] = []
        for line in self.section(section):
            if re.match(r"[0-9]+\. ", line):
                items.append(line.split(" ", 1)[1])
            elif line and items:
                items[-1] += " " + line.lstrip(" ")
        return items

    def statements(self) -> list[Statement]:
        found: list[Statement] = []
        for line in read(self.plain).splitlines():
            if line.startswith(" "):
                found[-1].below.append(line)
            elif line and not line.startswith("#"):
                plain = line.removeprefix("elsewhere ")
                word, _, text = plain.partition(" ")
                found.append(Statement(word, text.strip(), plain != line, []))
        return found

    def facts(self, word: str) -> list[str]:
        """What stands behind a word, a text for each time."""
        return [one.text for one in self.statements() if one.word == word]


def steps_with_exercise() -> list[str]:
    """All of them; step07b stands behind step07."""
    return sorted(
        os.path.basename(page).split("_")[0] for page in glob("docs/exercises/*.md")
    )


def choose(step: str) -> Exercise:
    """The exercise of a step; without one, says why, and ends."""
    pages = sorted(glob(f"docs/exercises/{escape(step)}_*.md"))
    if not pages:
        _no_exercise(step)
    stem = os.path.basename(pages[0])[: -len(".md")]
    ours = f"kernels/{stem}.cl"
    if OPEN not in read(ours):
        ours = f"steps/{stem}.c"
    return Exercise(step, stem, ours, f"{WORK}/{os.path.basename(ours)}")


def _no_exercise(step: str) -> NoReturn:
    if glob(f"steps/{escape(step)}_*.c"):
        fail(f"{step} has no exercise", "`make progress` shows those there are")
    # The Makefile looks for its targets with the same program.
    like = subprocess.run(
        [
            "awk",
            "-v",
            f"word={step}",
            "-v",
            "known=" + " ".join(steps_with_exercise()),
            "-f",
            "common/commands/nearest.awk",
        ],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ).stdout.strip()
    fail(f"there is no {step}{like}", "`make list` shows every step")
