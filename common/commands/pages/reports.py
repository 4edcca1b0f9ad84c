"""What the lens has counted, in docs/results/lens/: counts.csv, reports, pictures, pages."""

from __future__ import annotations

import functools
import re
import textwrap
from pathlib import Path

import files
from files import fail
from markdown import fenced, grouped, link, number

FOLDER = Path("docs/results/lens")
HINT = "make count writes it, if a marker names it"
TITLES = {
    "busy_lanes": "lanes busy",
    "sectors": "sectors of the busiest access",
    "lines": "cache lines of the busiest access",
    "pages": "4-KiB pages of the busiest access",
    "diverged": "branches that diverge",
    "l1_passes": "L1 passes of a load",
    "passes": "passes over the banks of local memory",
    "barriers": "barriers",
    "atomics": "global atomics",
    "load_sectors": "sectors of a load",
    "load_lines": "cache lines of a load",
    "load_used": "used of these lines",
    "store_sectors": "sectors of a store",
    "store_lines": "cache lines of a store",
    "store_used": "used of these lines",
}
Launch = dict[str, str]  # these columns of counts.csv, and some more


@functools.cache
def launches() -> list[Launch]:
    return files.rows(FOLDER / "counts.csv", "make count writes it")


def launches_of(step: str, kernel: str) -> list[Launch]:
    return [row for row in launches() if row["step"] == step and row["kernel"] == kernel]


def counted(where: str, step: str, launch: str) -> Launch:
    """The row of a launch as lists name it: `dot_coalesced 32`, or with an argument, or the
    size of its groups: `dot_strided 4096 stride=8`, `dot_groups 262144 local=256`.  * is any
    number of work-items.  where: the list's line, for a message."""
    kernel, items, word = (launch.split() + ["*", "*"])[:3]
    for row in launches_of(step, kernel):
        words = f"* {row['arguments']} local={row['local']}".split()
        if items in ("*", row["global"]) and word in words:
            return row
    problem = f"{where}: {FOLDER}/counts.csv has no {launch} of {step}"
    fail(problem, "make count counts again")


def sectors_used(launch: Launch) -> str:
    """What an access of a launch moves on average, and how much of it is used: of its loads
    or of its stores, whichever touch more sectors.  An access of a single lane touches one
    sector and uses little of it, so it is not mistaken for an ideal one."""
    loads, stores = number(launch["load_sectors"]), number(launch["store_sectors"])
    kind, sectors = ("load", loads) if loads >= stores else ("store", stores)
    if not sectors:
        return "–"
    lines = number(launch[f"{kind}_lines"])  # of four sectors each
    used = 4 * lines * number(launch[f"{kind}_used"]) / sectors
    return f"{sectors:g} ({min(used, 100):.3g} %)"


def ideal(launch: Launch, column: str) -> str:
    """The ideal of a launch's sectors.  counts.csv has that of its busiest access; it is
    that of all loads, too, where these need as many sectors on average."""
    of_all = column in ("load_sectors", "store_sectors")
    of_busiest = column == "sectors" or of_all and launch[column] == launch["sectors"]
    return launch["ideal"] if of_busiest else ""


def cell(launch: Launch | None, column: str) -> str:
    text = launch[column] if launch else ""
    if not launch or not text:
        return "–"
    if column == "busy_lanes":
        return f"{number(text):.4g} of 32"
    if column.endswith("_used"):
        return text + " %"
    if column == "l1_passes":
        return f"{number(text):g}"
    if re.search("sectors|lines|pages", column):
        least = ideal(launch, column)
        return f"{number(text):g}" + (f" ({number(least):g})" if least else "")
    return grouped(text)


def lens(page: Path, step: str, kernel: str) -> list[str]:
    """lens: STEP KERNEL: the report on that kernel's first launch, and its picture"""
    text = files.read(FOLDER / f"{step}-{kernel}.txt", HINT)
    report = re.split("^(?:  line |Model)", text, flags=re.MULTILINE)[0].split("\n")
    return fenced([line for line in report if line]) + image(page, step, kernel)


def picture(page: Path, step: str, kernel: str) -> list[str]:
    """picture: STEP KERNEL: the picture alone"""
    return image(page, step, kernel)


def worst(page: Path, step: str, kernel: str) -> list[str]:
    """worst: STEP KERNEL: the picture of that kernel's worst access"""
    return image(page, step, kernel, "-worst")


def image(page: Path, step: str, kernel: str, which: str = "") -> list[str]:
    file = link(page, existing(f"{step}-{kernel}{which}.svg"))
    return ["", f"![{kernel}, lane by lane]({file})", ""]


def tiny(page: Path, step: str, kernel: str, option: str = "") -> list[str]:
    """tiny: STEP KERNEL [--all-sizes]: what the command above prints of that kernel: results
    and picture, or with --all-sizes the verdict"""
    text = files.read(FOLDER / tiny_name(step, kernel, option), HINT)
    if option:
        launch, verdict = text.partition("\nTo see it alone:")[0].split("\n\n", 1)
        return fenced(verdict.rstrip("\n").split("\n"))
    results = re.findall(r"^\w+\[[0-9]+\]: .*$", text, re.MULTILINE)
    # "The worst access: ...", "24 of 32 lanes work: ..."
    picture = r"^[A-Z0-9][^\n:]*: \w+, line [0-9]+ of .*?(?=\n\n)"
    drawn = re.search(picture, text, re.MULTILINE | re.DOTALL)
    parts = [results, drawn[0].split("\n") if drawn else []]
    return fenced("\n\n".join("\n".join(part) for part in parts if part).split("\n"))


def tiny_name(step: str, kernel: str, option: str = "") -> str:
    """The file that has what the command of that marker prints."""
    return f"{step}-{kernel}{option}-tiny.txt"


def stepping(page: Path, step: str, *words: str) -> list[str]:
    """page: STEP OPTIONS KERNEL ...: a link to the page that steps through its kernels"""
    file = existing(f"{step}.html")
    stored = files.read(file)
    first, *others = re.findall(r'^\{"kernel":"(\w+)"', stored, re.MULTILINE)
    what, opens = "this kernel", "The page"
    if others:
        what, opens = "the kernels of this step", f"The page opens with `{first}`, and"
    # No chapter speaks of a barrier before a kernel has one.
    stops = "access, branch or barrier" if "barrier(" in stored else "access or branch"
    text = (
        f"[Step through {what}]({link(page, file)}), one {stops} of a warp at a time. "
        f"{opens} shows the source line, what each lane does, and the memory that "
        "the lanes touch."
    )
    return ["", *textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False), ""]


def existing(name: str) -> Path:
    files.read(FOLDER / name, HINT)
    return FOLDER / name
