"""docs/results/least/: what each launch needs at least, and how long it took.

NAME.tsv has a line for each launch that was measured on a device, as tests/lens/least/measure.sh
writes it.  habits.tsv is made of it here: how near the time that no run beats is to what was
measured, for each resource that binds."""

from __future__ import annotations

import functools
import math
import statistics
from pathlib import Path
from typing import Iterator

import files
import results
from files import fail
from markdown import grouped, number, significant, table
from results import Row

FOLDER = results.FOLDER / "least"
HABITS = FOLDER / "habits.tsv"
ENOUGH = 5  # launches, for a habit

# What arithmetic is, and what else is a rate of the device.
ARITHMETIC = ("arithmetic", "arithmetic in double", "the special functions", "instructions")
RATES = (
    *("memory", "the L2 cache", "the banks of the L1", "the lines of the L1"),
    *("the banks of local memory", "loads and stores", *ARITHMETIC),
)


@functools.cache
def launches(name: str) -> list[Row]:
    """Those that a device has measured: the columns of NAME.tsv."""
    path = FOLDER / f"{name}.tsv"
    return files.rows(path, "tests/lens/least/measure.sh writes it", "\t")


def is_stored(name: str) -> bool:
    """Has it been measured?"""
    return (FOLDER / f"{name}.tsv").exists()


def bounded(name: str) -> list[Row]:
    """Those of which a time is known."""
    return [row for row in launches(name) if row["at_least_ms"]]


def ratio(row: Row) -> float:
    """The measured median in times that none beats."""
    return number(row["median_ms"]) / number(row["at_least_ms"])


def ratios(name: str, binds: tuple[str, ...]) -> list[float]:
    return sorted(ratio(row) for row in bounded(name) if row["binds"] in binds)


def nine_in_ten(found: list[float]) -> float:
    return found[math.ceil(0.9 * len(found)) - 1]


def habits() -> str:
    """The text of habits.tsv."""
    lines = [
        "# How near the times are that follow from docs/devices/ to those that were measured: the",
        "# device, what binds, launches, and how many times that time half of them took at most.",
        "# Written by make docs.",
    ]
    for path in sorted(FOLDER.glob("nvidia-*.tsv")):
        device = results.about(path)["device"]
        for binds in RATES:
            found = ratios(path.stem, (binds,))
            if len(found) >= ENOUGH:
                half = f"{statistics.median(found):.2f}"
                lines.append("\t".join([device, binds, str(len(found)), half]))
    return "\n".join(lines) + "\n"


# Markers


def leasts(page: Path, name: str, what: str) -> list[str]:
    """leasts: NAME summary, misses or all: the launches that were measured there"""
    tables = {"summary": summary, "misses": misses, "all": all_launches}
    if what not in tables:
        fail(f"there is no table {what}", "there are " + ", ".join(tables))
    return tables[what](name)


def summary(name: str) -> list[str]:
    waiting = ("waiting",)
    others = ("atomics", "atomics on one address", "instructions that wait for each other")
    groups: list[tuple[str, tuple[str, ...]]] = [(binds, (binds,)) for binds in RATES]
    groups += [("**memory or arithmetic**", ("memory", *ARITHMETIC)), ("**any rate**", RATES)]
    groups += [("atomics", others[:2]), ("instructions that wait for each other", others[2:])]
    groups += [("the launch itself", ("the launch itself",)), ("waiting for loads", waiting)]
    cells = []
    for title, binds in groups:
        found = ratios(name, binds)
        if found:
            ends = [found[0], statistics.median(found), nine_in_ten(found), found[-1]]
            cells.append([title, str(len(found)), *(f"{end:.3g}" for end in ends)])
    titles = ["bound by", "launches", "smallest", "half below", "nine in ten below", "largest"]
    return table(titles, cells)


def shape(row: Row) -> str:
    """16,384 in groups of 256; 4,096 x 4,096 in groups of 32 x 8"""
    sizes = []
    for name in ("global", "local"):
        numbers = row[name].split("x")
        while len(numbers) > 1 and numbers[-1] == "1":
            numbers.pop()
        sizes.append(" x ".join(map(grouped, numbers)))
    return f"{sizes[0]} in groups of {sizes[1]}"


def cells_of(row: Row) -> list[str]:
    expected = number(row["expected_ms"])
    return [
        row["whose"],
        f"`{row['kernel']}` {row['arguments']}",
        shape(row),
        significant(row["at_least_ms"]),
        row["binds"],
        significant(expected) if expected else "",
        significant(row["median_ms"]),
        f"{ratio(row):.3g}",
    ]


TITLES = ["step or project", "kernel", "work-items", "at least ms", "bound by", "expected ms"]
TITLES += ["measured ms", "measured / at least"]


def misses(name: str) -> list[str]:
    """Rates that are far from what was measured, the farthest first, each with its reason."""
    why = {fields[0]: fields[1] for _, fields in files.columns(FOLDER / "misses.txt", 2)}
    cells = []
    far = [row for row in bounded(name) if row["binds"] in RATES and ratio(row) > 2.5]
    for row in sorted(far, key=ratio, reverse=True):
        reason = why.get(row["kernel"], "")
        cells.append([cell for i, cell in enumerate(cells_of(row)) if i != 2] + [reason])
    return table(
        [title for i, title in enumerate(TITLES) if i != 2] + ["why"], cells, "llrlrrrl"
    )


def all_launches(name: str) -> list[str]:
    known = [cells_of(row) for row in sorted(bounded(name), key=ratio, reverse=True)]
    refused = [
        [row["whose"], f"`{row['kernel']}` {row['arguments']}", row["why"]]
        for row in launches(name)
        if not row["at_least_ms"]
    ]
    text = table(TITLES, known, "lllrlrrr")
    if refused:
        text += ["No time is said of these:"]
        text += table(["step or project", "kernel", "why"], refused, "lll")
    return text


def least(page: Path, step: str) -> list[str]:
    """least: STEP: the time that an H200 cannot beat, beside what it took, for the variants of
    rungs.txt"""
    cells = []
    for variant, row in variants(step):
        expected = number(row["expected_ms"])
        cells.append(
            [
                variant,
                significant(row["at_least_ms"]),
                row["binds"],
                significant(expected) if expected else "",
                significant(row["median_ms"]),
                f"{ratio(row):.3g}",
            ]
        )
    if not cells:
        fail(f"no launch of {step} has a time that none beats", "is its name right?")
    titles = ["variant", "at least ms", "bound by", "expected ms", "measured ms", "measured / at least"]
    shown = [i for i in range(len(titles)) if i != 3 or any(row[3] for row in cells)]
    rows = [[row[i] for i in shown] for row in cells]
    return table([titles[i] for i in shown], rows, "lrlrrr" if 3 in shown else "lrlrr")


def in_words(step: str) -> dict[str, str]:
    """The same by variant, in words: 0.231 ms, memory."""
    return {
        variant: f"{significant(row['at_least_ms'])} ms, {row['binds']}"
        for variant, row in variants(step)
    }


def variants(step: str) -> Iterator[tuple[str, Row]]:
    """The variants of rungs.txt whose launch is bounded, and which the card has measured."""
    card = results.read(results.FOLDER / f"{results.GPU}.csv")
    for _, fields in files.columns(results.FOLDER / "rungs.txt", 2):
        of_step, variant, launch = (fields + [""])[:3]
        found = results.find(card, step, variant) if of_step == step and launch else None
        row = find_launch(step, launch, number(found["median_ms"])) if found else None
        if row:
            yield variant, row


def find_launch(step: str, launch: str, median_ms: float) -> Row | None:
    """A launch as rungs.txt names it.  There the lens has counted a smaller one, so of all
    with that kernel, and that argument or group, the one is meant that took as long as the
    variant did."""
    kernel, _, word = (launch.split() + ["*", "*"])[:3]
    best, nearest = None, math.log(1.25)
    for row in bounded(results.GPU):
        local = "local=" + row["local"].partition("x")[0]
        words = ["*", local, *row["arguments"].split()]
        if row["whose"] != step or row["kernel"] != kernel or word not in words:
            continue
        far = abs(math.log(number(row["median_ms"]) / median_ms)) if median_ms else math.inf
        if far < nearest:
            best, nearest = row, far
    return best
