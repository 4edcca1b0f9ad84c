"""All pictures that gnuplot draws of stored rows, docs/pictures/: bars for each step (bars),
the roofline that grows (rooflines), the headlines of README, the errors of step 08, and what a
load takes in step 14c.  The data that were drawn stand at the end of a picture, where a test
reads them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

import bars
import files
import results
import rooflines
from drawing import Block, Picture, quoted
from files import fail
from markdown import link, number

WAYS = ("one after another", "blocked, 32 x 32", "pairwise")
BYTES = 4  # that a load of step 14c brings


def errors(rows: Path) -> Block:
    """A line for each n: the errors in ulp, and the most that they can be: one ulp for each
    addition of the longest chain.  (Each rounds by 2^-24 of the sum at most, and an ulp of
    the sum is more than that.  Source: N. J. Higham, The accuracy of floating point
    summation, SIAM J. Sci. Comput. 14, 1993.)  They are the same on every device."""
    found: dict[int, dict[str, str]] = {}
    for row in files.rows(rows, "make measure writes it"):
        error = re.match("error ([^ ]+)", row["note"])
        if row["step"] == "step08_sum_accuracy" and row["variant"] in WAYS and error:
            found.setdefault(int(row["size"]), {})[row["variant"]] = error[1]
    lines = []
    for n, of_ways in found.items():
        missing = [way for way in WAYS if way not in of_ways]
        if missing:
            fail(f"{rows} has no error of {missing[0]} for {n}", "it has rows of --all")
        blocked = chain(min(n, 1024), 32) + min(n, 32) + chain(n, 1024) - 3
        most = (n - 1, blocked, (n - 1).bit_length())
        lines.append(" ".join(map(str, (n, *(of_ways[way] for way in WAYS), *most))))
    columns = "n in_order blocked pairwise in_order_at_most blocked_at_most pairwise_at_most"
    return Block("data", columns, lines)


def chain(n: int, parts: int) -> int:
    """So many, rounded up, are in each part."""
    return -(-n // parts)


def loads(*rows: Path) -> Block:
    """A line for each number of lines: the ns that a load takes of packed lines, and of a
    line in each page, on each device; ? where it has not measured that."""
    columns = "n"
    found: dict[int, list[str]] = {}
    for i, file in enumerate(rows):
        columns += f" {file.stem}_lines {file.stem}_pages"
        for row in files.rows(file, "make measure writes it"):
            ring = re.fullmatch("([0-9]+) (lines|pages)", row["variant"])
            if row["step"] == "step14c_address_translation" and ring:
                times = found.setdefault(int(ring[1]), ["?"] * 2 * len(rows))
                times[2 * i + (ring[2] == "pages")] = f"{BYTES / float(row['rate']):.4g}"
    lines = [f"{n} {' '.join(times)}" for n, times in sorted(found.items())]
    return Block("data", columns, lines)


# README.md: a lesson for each of these steps, of which a CPU says the opposite for some.
HEADLINES = ("step03", "step05", "step07b", "step09", "step15", "step18")


def headlines(*rows: Path) -> Block:
    """A line for each headline and device: how many times faster the first is; below 1, it is
    slower."""
    devices = [results.read(file, leave_out=True) for file in rows]
    lines = []
    for i, step in enumerate(HEADLINES):
        for j, device in enumerate(devices):
            row = device.headlines.get(step) or fail(f"no headline of {step}", "measure it")
            middle = i * HEADLINE + 38 + bars.LINE * j
            words = f"step {step[len('step'):]}: {row['variant']}" if j == 0 else ""
            text = in_short(number(row["rate"]))
            fields = f"{bars.palette(device)} {quoted(text)} {quoted(words)}"
            lines.append(f"{middle:g} {bars.HIGH[j]:g} {row['rate']} {fields}")
    return Block("data", "middle half ratio colour text headline", lines)


HEADLINE = 72  # of the picture's height, for each headline


def in_short(ratio: float) -> str:
    return f"{ratio:.3g} x faster" if ratio >= 1 else f"{1 / ratio:.3g} x slower"


PICTURES = Path("docs/pictures")
GPU, CPU = (results.FOLDER / f"{name}.csv" for name in (results.GPU, results.CPU))


def plan_errors(*rows: Path) -> Picture:
    label = "Errors of three ways to add, over the number of elements, and the most they can be"
    return Picture("errors", label, {"height": 440}, [errors(*rows or (CPU,))])


def plan_loads(*rows: Path) -> Picture:
    label = "What a load takes over the number of lines, packed and with a page for each line"
    return Picture("loads", label, {"height": 420}, [loads(*rows or (CPU, GPU))])


def plan_headlines(*rows: Path) -> Picture:
    block = headlines(*rows or (GPU, CPU))
    devices = [results.read(file, leave_out=True) for file in rows or (GPU, CPU)]
    settings: dict[str, int | float | str] = {
        "height": HEADLINE * len(HEADLINES) + 130,
        "tall": HEADLINE * len(HEADLINES),
        "devices": bars.key(devices),
    }
    label = "Six lessons, on a GPU and on a CPU: which way is faster, and how many times"
    return Picture("headlines", label, settings, [block])


def plan_bars(step: str) -> Callable[..., Picture]:
    def plan_step(*rows: Path) -> Picture:
        devices = [results.read(file, leave_out=True) for file in rows] or bars.shown(step)
        return bars.plan(step, devices) or fail(f"{step} is not measured", "measure it there")

    return plan_step


def plan_roofline(step: str) -> Callable[..., Picture]:
    return lambda *rows: rooflines.in_chain(step, *rows)


def plots() -> dict[str, Callable[..., Picture]]:
    """Each picture's name, and what it is of the stored rows or of other ones."""
    found: dict[str, Callable[..., Picture]] = {
        "readme-headlines": plan_headlines,
        "step08-errors": plan_errors,
        "step14c-loads": plan_loads,
    }
    for step in files.steps():
        if step not in bars.NONE:
            found[f"{step}-bars"] = plan_bars(step)
    for step in rooflines.CHAIN:
        found[f"{step}-roofline"] = plan_roofline(step)
    return found


def one(name: str, *rows: str) -> Picture:
    """That picture, of the stored rows or of these."""
    if name not in plots():
        fail(f"no plot {name}", f"there are {', '.join(plots())}")
    return plots()[name](*map(Path, rows))


def draw() -> None:
    """All of them.  Nothing is written if one of them fails."""
    drawn = {name: plan().svg() for name, plan in plots().items()}
    for name, svg in drawn.items():
        files.put(PICTURES / f"{name}.svg", svg)
        print(PICTURES / f"{name}.svg")


# The markers that show them.


def bars_of(page: Path, step: str) -> list[str]:
    """bars: STEP: the bars of its variants"""
    return image(page, f"{step}-bars", bars.in_words(step, bars.shown(step)))


def roofline_of(page: Path, step: str) -> list[str]:
    """roofline: STEP: the roofline as far as this step"""
    if step not in rooflines.CHAIN:
        fail(f"{step} has no roofline", f"there are {', '.join(rooflines.CHAIN)}")
    return image(page, f"{step}-roofline", rooflines.label(step))


def image(page: Path, name: str, words: str) -> list[str]:
    return ["", f"![{words}]({link(page, PICTURES / name)}.svg)", ""]
