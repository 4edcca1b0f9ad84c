"""Rooflines: what kernels reach, over the operations that they do for each byte.

    import results, rooflines
    mine = results.read(Path("build/mine.csv"), leave_out=True)
    svg = rooflines.roofline(rooflines.points("step18", mine), rooflines.limits(mine))

The bytes are those of the sectors that loads and stores touch, as the lens has counted them;
they are the same on every device.  The operations of a variant are counted by a formula, whose
source stands beside it.  The rate is the device's.  points() leaves out a variant that the
device has not measured; limits() is None if it has not measured step 00.

From chapter to chapter the picture grows: CHAIN.  Earlier points are pale there."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Callable, NamedTuple, Sequence

import bars
import files
import one_page
import reports
import results
import tables
from drawing import Block, Picture, quoted
from files import fail
from markdown import number
from results import Device, Row

CHAIN = (
    "step15",
    "step15b",
    "step16",
    "step16b",
    "step17",
    "step17b",
    "step18",
    "step18b",
)


class Point(NamedTuple):
    variant: str
    intensity: float  # operations for each byte
    gflops: float


class Limits(NamedTuple):
    device: str
    gbytes: float  # each second
    gflops: float


def limits(device: Device) -> Limits | None:
    found = {row["variant"]: number(row["rate"]) for row in device.rows.get("step00", [])}
    if not (found.get("read") and found.get("multiply-add")):
        return None
    return Limits(bars.name(device), found["read"], found["multiply-add"])


class Work(NamedTuple):
    """Of a variant: the operations of the launch that the lens has counted, and the
    operations behind the measured time where the CSV has no GFLOP/s."""

    counted: float
    for_each: float  # element of a measured row


def points(step: str, device: Device) -> list[Point]:
    chosen = [each for each in tables.rungs(step) if each.launch]
    variants = [each.variant for each in chosen]
    found = []
    for rung, row in zip(chosen, results.of_one_size(device, step, variants)):
        is_right = row and row["median_ms"] and row["result"] == "ok"
        work = WORK[step](rung) if rung.launch and is_right else None
        if rung.launch and row and work:
            moved = number(rung.launch["moved_bytes"])
            found.append(Point(rung.variant, work.counted / moved, rate(row, work)))
    return found


def rate(row: Row, work: Work) -> float:
    if row["unit"] == "GFLOP/s":
        return number(row["rate"])
    return number(row["size"]) * work.for_each * 1e-6 / number(row["median_ms"])


# The operations.  None: a variant without operations, such as a copy.


def counted_launch(rung: tables.Rung) -> reports.Launch:
    return rung.launch or fail(f"{rung.where} names no launch", "write it there")


def argument(rung: tables.Rung, name: str) -> int:
    found = re.search(rf"\b{name}=([0-9]+)", counted_launch(rung)["arguments"])
    return int(found[1]) if found else fail(f"{rung.where}: no argument {name}", "count again")


def each_element(rung: tables.Rung) -> Work:
    """Step 15 adds two numbers and multiplies the sum; step 15b squares a number and adds the
    square: two operations for each element, in every variant.  Source: the kernels."""
    arguments = counted_launch(rung)["arguments"]
    matrix = "width=" in arguments
    n = argument(rung, "width") * argument(rung, "height") if matrix else argument(rung, "n")
    return Work(2 * n, 2)


SHARPEN, BLUR = (
    23,
    7,
)  # operations for a pixel, if none is done twice.  Source: chapters 16, 16b


def each_pixel(rung: tables.Rung) -> Work | None:
    """Step 16: those that the filter needs; what a kernel computes again does not count."""
    if rung.variant == "copy":
        return None
    pixels = argument(rung, "width") * argument(rung, "height")
    return Work(SHARPEN * pixels, SHARPEN)


def each_iteration(rung: tables.Rung) -> Work:
    """Step 16b: a launch makes some of the four iterations that a row's time is for.  Source:
    ITERATIONS and `per_launch` in the program."""
    per_launch = re.search("([0-9]+) per launch", rung.variant)
    here = int(per_launch[1]) if per_launch else 1
    operations = BLUR if rung.variant.startswith("blur") else SHARPEN
    pixels = argument(rung, "width") * argument(rung, "height")
    in_all = constant("step16b", "ITERATIONS")
    return Work(here * operations * pixels, in_all * operations)


def each_pair(rung: tables.Rung) -> Work | None:
    """Steps 17 and 17b: pairs of a pixel and a point, and of factors, as the programs count them
    for their rates."""
    arguments = counted_launch(rung)["arguments"]
    if "count=" not in arguments:
        return None  # nothing but sines
    name = "FLOPS_PER_PRODUCT" if rung.variant.startswith("factors") else "FLOPS_PER_PAIR"
    pairs = argument(rung, "count") * argument(rung, "width") * argument(rung, "height")
    return Work(constant(counted_launch(rung)["step"], name) * pairs, 0)


def product(rung: tables.Rung) -> Work:
    return Work(one_page.flops(counted_launch(rung)), 0)


def square_product(rung: tables.Rung) -> Work:
    """Step 18b counts a product of one tile: C and A have as many rows as C has columns."""
    return Work(2 * argument(rung, "n") ** 2 * argument(rung, "k"), 0)


def constant(step: str, name: str) -> int:
    """An enum's constant of a step's program."""
    source = files.steps()[step]
    found = re.search(rf"\b{name} = ([0-9]+)", files.read(source))
    return int(found[1]) if found else fail(f"{source} has no constant {name}", "name it here")


WORK: dict[str, Callable[[tables.Rung], Work | None]] = {
    "step15": each_element,
    "step15b": each_element,
    "step16": each_pixel,
    "step16b": each_iteration,
    "step17": each_pair,
    "step17b": each_pair,
    "step18": product,
    "step18b": square_product,
}

# The picture

TALL = 300  # of the plot, in the units of the picture
LINE = 20  # from one name to the next
LEFT, RIGHT = 0.01, 1000.0  # operations for each byte
BOTTOM, HIGHEST = 40.0, 150000.0  # GFLOP/s, of a GPU as fast as this:
FAST = 15000.0


def roofline(shown: list[Point], roof: Limits, pale: Sequence[Point] = ()) -> str:
    """pale: points of earlier steps, without names.  "" if there are no points."""
    return plan(shown, roof, pale).svg() if shown else ""


def plan(shown: list[Point], roof: Limits, pale: Sequence[Point]) -> Picture:
    everything = [*shown, *pale]
    lowest = 10 ** math.floor(math.log10(min(point.gflops for point in everything) * 0.9))
    is_fast = roof.gflops > FAST
    bottom, highest = (min(BOTTOM, lowest), HIGHEST) if is_fast else (lowest, 3 * roof.gflops)
    tall = max(TALL, LINE * (len(shown) + 1))
    heights = names_beside([point.gflops for point in shown], bottom, highest, tall)
    data = [
        f"{point.intensity:.4g} {point.gflops:.5g} {height:.5g} {quoted(point.variant)}"
        for point, height in zip(shown, heights)
    ]
    corners = (LEFT, roof.gflops / roof.gbytes, RIGHT)
    blocks = [
        Block("data", "operations_per_byte GFLOP_per_s name_at variant", data),
        Block(
            "roof",
            "operations_per_byte GFLOP_per_s",
            [f"{at:.4g} {min(at * roof.gbytes, roof.gflops):.5g}" for at in corners],
        ),
        Block(
            "pale",
            "operations_per_byte GFLOP_per_s",
            [f"{point.intensity:.4g} {point.gflops:.5g}" for point in pale],
        ),
    ]
    settings: dict[str, int | float | str] = {
        "height": 34 + tall + 104,
        "left": LEFT,
        "right": RIGHT,
        "bottom": bottom,
        "highest": highest,
        "has_pale": int(bool(pale)),
        "roof_name": f"roof: {roof.device}",
    }
    return Picture("roofline", in_words(shown, roof), settings, blocks)


def names_beside(rates: list[float], bottom: float, highest: float, tall: int) -> list[float]:
    """Where the names stand beside the plot, as GFLOP/s: at the height of their points, but a
    line apart, and none above or below the plot."""
    decade = tall / math.log10(highest / bottom)
    order = sorted(range(len(rates)), key=lambda i: -rates[i])
    wanted = [decade * math.log10(highest / rates[i]) for i in order]  # below the top
    for i in range(1, len(wanted)):
        wanted[i] = max(wanted[i], wanted[i - 1] + LINE)
    floor = float(tall)
    for i in reversed(range(len(wanted))):
        wanted[i] = min(wanted[i], floor)
        floor = wanted[i] - LINE
    heights = [0.0] * len(rates)
    for i, down in zip(order, wanted):
        heights[i] = highest / 10 ** (down / decade)
    return heights


def in_words(shown: list[Point], roof: Limits) -> str:
    """The picture for who cannot see it: where each point is, from left to right."""
    order = sorted(shown, key=lambda point: point.intensity)
    said = [f"{each.variant} {each.intensity:.3g} and {each.gflops:,.0f}" for each in order]
    return (
        f"Roofline of {roof.device}; operations for each byte, and GFLOP/s, from left to right: "
        + "; ".join(said)
    )


def chapter(step: str, path: Path | None = None) -> tuple[list[Point], Limits, list[Point]]:
    """The points of a step, the roof, and the points of the steps before it: of one device,
    because a roof is one device's."""
    device = results.read(path or results.FOLDER / f"{results.GPU}.csv", leave_out=True)
    roof = limits(device) or fail(
        f"{path or results.GPU} has no limits", "measure step00 there"
    )
    earlier = CHAIN[: CHAIN.index(step)]
    pale = [point for name in earlier for point in points(name, device)]
    return points(step, device), roof, pale


def in_chain(step: str, path: Path | None = None) -> Picture:
    """The picture of a step's chapter; path: of another CSV than the stored one."""
    return plan(*chapter(step, path))


def label(step: str) -> str:
    shown, roof, _ = chapter(step)
    return in_words(shown, roof)
