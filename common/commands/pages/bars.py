"""Bars for a step's variants on one or more devices.

    import bars, results
    mine = results.read(Path("build/mine.csv"), leave_out=True)
    svg = bars.bars("step05", [mine, *bars.shown("step05")])
    # in a page: as an <img>, so that the style of the SVG stays its own

bars() returns the text of an SVG, or "" where a step has nothing to draw (see NONE) or none of
these devices has measured it.  The first device has the widest bars.  A device that is not
one of those in docs/results/ is called "your device", and has a colour of its own.  It needs
gnuplot; bars_data() does not, and returns what would be drawn.

The values are those of the CSV.  What a bar means depends on the step:

    share  what the row reaches of its device's limit, in %: percent_of_limit.  So devices
           whose rates differ a hundred times can stand beside each other.
    speed  how many times as fast as an earlier row, where there is no limit
    rate   GFLOP/s or GB/s
    time   milliseconds, where the rows are different things and not a contest
"""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import files
import results
import tables
from drawing import Block, Picture, quoted
from markdown import number, significant
from results import Device, Row

# Steps whose bars are not shares of a limit, and why.
KINDS = {
    "step02": "time",  # of the parts of one launch
    "step10b": "speed",  # a staircase that a logarithmic axis would flatten
    "step11": "speed",  # rows with times alone, as in 11b and 11c
    "step11b": "speed",
    "step11c": "speed",
    "step12": "speed",  # an image is too small for a limit
    "step13d": "rate",  # the L1 cache is the limit, which step 00 does not measure
    "step15b": "speed",  # fewer bytes are its lesson, so a share would praise the widest number
    "step17b": "speed",  # and fewer operations that of this one
    "step19": "speed",  # its rows write texts of different lengths
    "step20b": "rate",  # the pipe is the limit
    "step21": "speed",  # what several devices gain
    "step22": "speed",
}
# The rows of which the later ones are so many times as fast; without any, the first row.
REFERENCES = {
    "step11c": ("copied, used once", "copied, 100 uses"),
    "step12": ("in order, 1 image", "in order, 2 images", "in order, 3 images"),
    "step21": ("device 0, to the host", "device 0, kept there"),
}
# Rows of another task, whose bytes or operations are no measure for the other rows.
OTHERS = {
    "step07": ("maximum by hand, int",),  # it also stores a number for each work-item
    "step17": ("nothing but sines",),  # its rate counts sines, and all others count pairs
}
# Steps without bars, and why.
NONE = {
    "step00": "its rows are the limits themselves, in three units",
    "step01": "it measures nothing",
    "step14c": "step14c-loads.svg draws its rows, and more of them",
}
TITLES = {
    "share": "% of what the device can do",
    "speed": "times as fast as the row with 1",
    "rate": "",
    "time": "ms",
}
LINES = {"share": (100.0, "its limit"), "speed": (1.0, "1")}


class Bar(NamedTuple):
    variant: str
    device: int  # the place in the list of devices
    length: float | None
    text: str  # at the end of the bar
    instead: str  # of a bar: why there is none


def kind(step: str) -> str:
    return KINDS.get(step, "share")


def shown(step: str) -> list[Device]:
    """The devices that a chapter's picture shows: the GPU of its table, and PoCL 3.1."""
    chapter = files.read(Path("docs") / f"{files.steps()[step].stem}.md")
    marker = re.search(f"^<!-- rows: {step} .*on (nvidia-[^ ]+)", chapter, re.MULTILINE)
    names = [marker[1] if marker else results.GPU, results.CPU]
    return [results.read(results.FOLDER / f"{name}.csv", leave_out=True) for name in names]


def bars_data(step: str, devices: list[Device]) -> list[Bar]:
    """Variant by variant, a bar for each device, in the order of rungs.txt.  A variant that no
    device has measured in the step's unit is not there."""
    if step in NONE:
        return []
    others = OTHERS.get(step, ())
    variants = [each.variant for each in tables.rungs(step) if each.variant not in others]
    rows = [results.of_one_size(device, step, variants) for device in devices]
    timed = [[row if row and row["median_ms"] else None for row in own] for own in rows]
    unit = common_unit(step, timed)
    of_unit = [[row if row and row["unit"] in unit else None for row in own] for own in timed]
    found = []
    for i, variant in enumerate(variants):
        if any(own[i] for own in of_unit):
            for j, own in enumerate(of_unit):
                found.append(bar(step, variants, own, i, j))
    return found


def common_unit(step: str, rows: list[list[Row | None]]) -> tuple[str, ...]:
    """The units of the rows that can be compared: of rates, the one that most rows have."""
    units = [row["unit"] for own in rows for row in own if row]
    rates = [unit for unit in units if unit]
    if kind(step) == "time" or not rates:
        return tuple(set(units))
    return tuple(set(rates)) if kind(step) == "share" else (most_common(rates),)


def most_common(rates: list[str]) -> str:
    return Counter(rates).most_common(1)[0][0]


def bar(step: str, variants: list[str], rows: list[Row | None], i: int, device: int) -> Bar:
    row = rows[i]
    if not row:
        return Bar(variants[i], device, None, "", "not measured")
    if row["result"] != "ok":
        return Bar(variants[i], device, None, "", "wrong result")
    if kind(step) == "share":
        return share(row, device)
    if kind(step) == "speed":
        base = reference(step, variants, rows, i)
        value = times_as_fast(row, base) if base else 0
    else:
        value = number(row["median_ms"] if kind(step) == "time" else row["rate"])
    if not value:
        return Bar(variants[i], device, None, "", results.verdict(row) or "nothing to compare")
    return Bar(row["variant"], device, value, shortened(value), "")


def share(row: Row, device: int) -> Bar:
    """A row at the limit has no share in the CSV, because its limit is not known better."""
    if row["percent_of_limit"]:
        percent = row["percent_of_limit"]
        return Bar(row["variant"], device, number(percent), percent, "")
    verdict = results.verdict(row)
    if verdict == "at the limit":
        return Bar(row["variant"], device, 100.0, "~100", "")
    return Bar(row["variant"], device, None, "", verdict or "no limit known")


def reference(step: str, variants: list[str], rows: list[Row | None], i: int) -> Row | None:
    """The last of the step's references that is not behind row i."""
    names = REFERENCES.get(step, variants[:1])
    at = max((j for j, name in enumerate(variants[: i + 1]) if name in names), default=0)
    base = rows[at]
    return base if base and base["result"] == "ok" else None


def times_as_fast(row: Row, base: Row) -> float:
    """The same task: by its time.  Another size: by the rate, which knows how much it is."""
    if row["size"] != base["size"] and row["rate"] and base["rate"]:
        return number(row["rate"]) / number(base["rate"])
    return number(base["median_ms"]) / number(row["median_ms"])


def shortened(value: float) -> str:
    return f"{value:.3g}" if value < 999.5 else significant(f"{value:.4g}")


class Axis(NamedTuple):
    low: float
    high: float
    is_log: bool


def axis(kind_of_step: str, found: list[Bar]) -> Axis:
    """From 0; logarithmic where the values span more than two decades, and then from a power
    of ten that leaves something of the shortest bar."""
    lengths = [each.length for each in found if each.length]
    line = [LINES[kind_of_step][0]] if kind_of_step in LINES else []
    most = max(lengths + line)
    if max(lengths) <= 100 * min(lengths):
        return Axis(0, most if most in line else most * 1.02, False)
    low = 10 ** math.floor(math.log10(min(lengths) * 0.8))
    return Axis(low, most if most in line else most * 1.1, True)


# Units of the picture.
HIGH = {0: 7.5, 1: 4.0}  # half of a bar: of the first device, and of each other one
LINE = 18  # from one device's bar to the next one's
GAP = 12  # between variants
HEAD = 22  # a line of the key


def bars(step: str, devices: list[Device]) -> str:
    picture = plan(step, devices)
    return picture.svg() if picture else ""


def plan(step: str, devices: list[Device]) -> Picture | None:
    found = bars_data(step, devices)
    if not any(each.length for each in found):
        return None
    of_kind, scale = kind(step), axis(kind(step), found)
    pitch = LINE * len(devices) + GAP
    lines, names = [], []
    for i, each in enumerate(found):
        middle = i // len(devices) * pitch + GAP / 2 + LINE * (each.device + 0.5)
        drawn = "?" if each.length is None else f"{each.length:.6g}"
        fields = (quoted(each.text), quoted(each.instead), quoted(each.variant))
        colour = palette(devices[each.device])
        half = HIGH[min(each.device, 1)]
        lines.append(f"{middle:g} {half:g} {drawn} {colour} {' '.join(fields)}")
        if each.device == 0:
            centre = i // len(devices) * pitch + pitch / 2
            names += in_two_lines(each.variant, centre)
    tall = pitch * (len(found) // len(devices))
    top = HEAD * len(devices) + 32
    limit, limit_name = LINES.get(of_kind, (scale.low, ""))
    unit = next((row["unit"] for row in devices[0].rows.get(step, []) if row["unit"]), "")
    settings: dict[str, int | float | str] = {
        "height": top + tall + 66,
        "top": top,
        "tall": tall,
        **scale._asdict(),
        "limit": limit,
        "limit_name": limit_name,
        "title": (TITLES[of_kind] or unit) + (" (logarithmic)" if scale.is_log else ""),
        "devices": key(devices),
    }
    blocks = [
        Block("data", "middle half length colour text instead variant", lines),
        Block("names", "middle variant", names),
    ]
    return Picture("bars", in_words(step, devices), settings, blocks)


def in_two_lines(text: str, centre: float) -> list[str]:
    """A long name is parted behind a comma, or at the blank that is nearest to its middle."""
    blanks = [i for i, sign in enumerate(text) if sign == " "]
    if len(text) < 14 or not blanks:
        return [f"{centre:g} {quoted(text)}"]
    commas = [i for i in blanks if text[i - 1] == "," and max(i, len(text) - i) <= 15]
    at = min(commas or blanks, key=lambda i: abs(2 * i - len(text)))
    halves = enumerate((text[:at], text[at + 1 :]))
    return [f"{centre + LINE * (i - 0.5):g} {quoted(half)}" for i, half in halves]


def name(device: Device) -> str:
    return results.title(device) if results.is_stored(device) else "your device"


def key(devices: list[Device]) -> str:
    """The colours and the names, for a script."""
    return " ".join(f"{palette(each)} {quoted(name(each))}" for each in devices)


def palette(device: Device) -> int:
    """The number of its colour in family.gp."""
    if not results.is_stored(device):
        return 3
    return 2 if results.is_cpu(device) else 1


def in_words(step: str, devices: list[Device]) -> str:
    """The picture for who cannot see it: the longest and the shortest bar of each device."""
    found = bars_data(step, devices)
    said = []
    for i, device in enumerate(devices):
        own = [each for each in found if each.device == i and each.length]
        if len(own) > 1:
            longest, shortest = max(own, key=length), min(own, key=length)
            said.append(
                f"on {name(device)} from {shortest.text} ({shortest.variant})"
                f" to {longest.text} ({longest.variant})"
            )
    unit = next((row["unit"] for row in devices[0].rows.get(step, []) if row["unit"]), "")
    return f"Bars for {step}, {TITLES[kind(step)] or unit}: {'; '.join(said)}"


def length(of: Bar) -> float:
    return of.length or 0
