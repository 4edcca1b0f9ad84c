"""What devices have measured: docs/results/NAME.csv, a file for each of them."""

from __future__ import annotations

import functools
import math
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

import files
from markdown import number, significant

FOLDER = Path("docs/results")
GPU, CPU = (
    "nvidia-h200",
    "pocl-3.1",
)  # that have measured every step, and stand for such devices
Row = dict[str, str]  # variant, size, median_ms and the other columns of a step's table


@dataclass
class Device:
    about: dict[str, str]  # device, driver, units, date; only: it has these steps alone
    rows: dict[str, list[Row]] = field(default_factory=dict)  # of each step
    headlines: dict[str, Row] = field(default_factory=dict)  # the ratio of each step

    def add(self, step: str, row: Row) -> None:
        if row["variant"].startswith(RATIO):
            self.headlines[step] = {**row, "variant": row["variant"].removeprefix(RATIO)}
        else:
            self.rows.setdefault(step, []).append(row)


@functools.cache
def devices() -> list[Device]:
    return [read(path) for path in sorted(FOLDER.glob("*.csv"))]


HINT = "make measure writes it"
COLUMNS = "step variant size median_ms rate unit percent_of_limit result note".split()
RATIO = "headline: "  # begins the variant of a row that is the ratio of two others


def read(path: Path, leave_out: bool = False) -> Device:
    """The rows of a CSV.  One that is wrong is an error; or it is left out, and named on
    stderr."""
    left_out: list[str] = []
    device = Device(about(path))
    for row in rows(path, left_out if leave_out else None):
        device.add(row["step"].partition("_")[0], row)
    for problem in left_out:
        print(f"left out: {problem}", file=sys.stderr)
    return device


def rows(path: Path, left_out: list[str] | None = None) -> Iterator[Row]:
    """Those of a CSV that are right.  Another one is an error; or it is named in `left_out`."""
    for where, row in files.placed_rows(path, HINT, left_out=left_out):
        missing = [name for name in COLUMNS if name not in row]
        if missing:
            files.leave_out(f"{where}: there is no column {missing[0]}", HINT, left_out)
            return
        if problem := trouble(row):
            name = row["variant"] or "a row"
            files.leave_out(f"{where}: {name}: {problem}", HINT, left_out)
        else:
            yield row


def about(path: Path) -> dict[str, str]:
    """The lines `# name: value` of a CSV."""
    said = [line[2:].partition(": ") for line in files.lines(path) if line[:2] == "# "]
    return {name: value for name, _, value in said}


def facts_of(screen: str) -> dict[str, str]:
    """The device's name, driver and units, from the first lines of a step's screen."""

    def fact(name: str) -> str:
        found = re.search(f"^{name} +(.*)$", screen, re.MULTILINE)
        return " ".join(found[1].split()) if found else ""

    names = {"device": "device", "driver": "platform", "units": "compute units"}
    return {name: fact(of) for name, of in names.items()}


@functools.cache
def all_abouts() -> list[dict[str, str]]:
    """Of all stored devices."""
    return [about(path) for path in sorted(FOLDER.glob("*.csv"))]


def is_stored(device: Device) -> bool:
    """Or is it a reader's own?"""
    return device.about in all_abouts()


def trouble(row: Row) -> str:
    """Why a row cannot be used; "" if it can."""
    if not row["variant"]:
        return "it has no name"
    for column in ("median_ms", "rate", "percent_of_limit"):
        if row[column] and not is_above_0(row[column]):
            return f"its {column} is {row[column]}"
    if row["variant"].startswith(RATIO) and row["result"] == "ok" and not row["rate"]:
        return "its rate is missing"
    return "" if row["size"].isdecimal() else f"its size is {row['size']}"


def is_above_0(text: str) -> bool:
    try:
        return 0 < float(text) < math.inf
    except ValueError:
        return False


def whole() -> list[Device]:
    """Those that have measured every step."""
    return [device for device in devices() if "only" not in device.about]


def whole_gpus() -> list[Device]:
    return [device for device in whole() if not is_cpu(device)]


def with_step(step: str) -> list[Device]:
    """Those that have measured this step, and are meant to."""
    return [
        device
        for device in devices()
        if step in (device.about["only"].split() if "only" in device.about else device.rows)
    ]


def other_cards(device: Device, step: str) -> list[Device]:
    """A GPU's maker may have others, with the same driver, that have measured this step, and
    not all."""
    return [
        other
        for other in with_step(step)
        if other is not device
        and "only" in other.about
        and other.about["driver"] == device.about["driver"]
        and not is_cpu(device)
    ]


def is_cpu(device: Device) -> bool:
    return device.about["device"].endswith("(CPU)")


def title(device: Device) -> str:
    """A column's: of a CPU, which PoCL it is that runs there."""
    pocl = r"Portable Computing Language, driver ([0-9.]+)"
    version = re.match(pocl, device.about.get("driver", ""))
    return f"PoCL {version[1]} (CPU)" if version else device.about["device"]


def card(device: Device) -> str:
    """H100, of NVIDIA H100 80GB HBM3 (GPU)."""
    name = re.search(r"\b[A-Z]+[0-9]\w*", device.about["device"])
    return name[0] if name else device.about["device"]


def find(device: Device, step: str, variant: str, size: str = "") -> Row | None:
    """The row of that name with that many elements, or with the most."""
    found: Row | None = None
    for row in device.rows.get(step, []):
        if row["variant"] == variant and size in ("", row["size"]):
            if not found or number(row["size"]) > number(found["size"]):
                found = row
    return found


def of_one_size(device: Device, step: str, variants: list[str]) -> list[Row | None]:
    """A row for each variant, of the size that most of them have, and of several the
    largest; where one does not have it, its largest."""

    def how_common(size: str) -> tuple[int, float]:
        there = [name for name in variants if find(device, step, name, size)]
        return len(there), number(size)

    sizes = {row["size"] for row in device.rows.get(step, [])}
    size = max(sizes, key=how_common, default="")
    return [find(device, step, name, size) or find(device, step, name) for name in variants]


def share(row: Row) -> str:
    """Of the device's limit."""
    return row["percent_of_limit"] and row["percent_of_limit"] + " %"


def verdict(row: Row) -> str:
    """What makes a row implausible (common/measure/implausible.c) stands in for a share;
    plain notes do not.  Older files explain it behind a colon or a comma."""
    words = "clock-bound|too short|launch-bound|fits in|at the limit|beyond the limit"
    return re.split("[:,]", row["note"])[0] if re.match(words, row["note"]) else ""


def rate(row: Row) -> str:
    return row["rate"] and significant(row["rate"]) + " " + row["unit"]


def measured(row: Row | None, with_time: bool = False) -> str:
    """A row in one cell: the rate, and its share of the limit or a doubt.  The time comes
    first where it is wanted, and stands in for a rate that there is not."""
    if not row or not row["median_ms"]:
        return "–"
    time = significant(row["median_ms"]) + " ms" if with_time or not row["rate"] else ""
    of_limit = share(row) if row["rate"] else ""
    return ", ".join(filter(None, (time, rate(row), of_limit or verdict(row))))
