"""What a device has measured for its report:

    build/report/DEVICE/step05.csv   its rows, under lines that name the device
    build/report/DEVICE/step11.svg   the timeline of a step that draws one
    build/report/DEVICE/step00.csv   no rows, but a line with its limits"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

import files
import results
from results import Device, Row

SEEN = ("device", "driver")  # who measured
COLUMNS = ("variant", "size", "median_ms", "rate", "unit", "percent_of_limit", "result", "note")


@dataclass
class Own:
    """A device, the steps that it has measured, and what they said instead of rows."""

    device: Device
    folder: Path
    skipped: dict[str, str] = field(default_factory=dict)  # step: the reason
    failed: dict[str, str] = field(default_factory=dict)
    before: bool = False  # was it measured before, and cannot run now?
    left_out: list[str] = field(default_factory=list)  # rows that cannot be read, in words
    dates: list[str] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)  # step: its timeline, an SVG


def folder() -> Path:
    return files.build() / "report"


def devices() -> dict[Path, dict[str, str]]:
    """All that have measured here, with their folders: each is named in its first file."""
    found: dict[Path, dict[str, str]] = {}
    for path in sorted(folder().glob("*/step*.csv")):
        about = results.about(path)
        if about.get("device"):
            found.setdefault(path.parent, about)
    return found


def load(own: Own, steps: list[str]) -> None:
    """Fills in what these steps have measured on this device."""
    for step in steps:
        path = own.folder / f"{step}.csv"
        if not path.is_file():
            continue
        about = results.about(path)
        if any(about.get(name) != own.device.about[name] for name in SEEN):
            own.left_out.append(f"{path}: is of another device, {about.get('device', '?')}")
            continue
        for what, texts in ("skipped", own.skipped), ("failed", own.failed):
            if what in about:
                texts[step] = about[what] or "it does not say why"
        own.dates.append(about.get("date", ""))
        if step == "step00":
            own.device.about["limits"] = about.get("limits", "")
        add_rows(own, step, path)
        if step in own.failed:  # who is faster, if one of them is wrong, says nothing
            own.device.headlines.pop(step, None)
        add_picture(own, step, path.with_suffix(".svg"))
    if limits := own.device.about.pop("limits", ""):
        own.device.rows["step00"] = list(limit_rows(limits))


def add_rows(own: Own, step: str, path: Path) -> None:
    device = own.device
    for row in rows(own, path):
        if row["variant"].startswith("headline: "):
            row["variant"] = row["variant"][len("headline: ") :]
            device.headlines[step] = row
        else:
            device.rows.setdefault(step, []).append(row)


def add_picture(own: Own, step: str, path: Path) -> None:
    if not path.is_file():
        return
    picture = files.read(path)
    if "<svg" in picture and picture.rstrip().endswith("</svg>"):
        own.pictures[step] = picture
    else:
        own.left_out.append(f"{path}: is not a whole picture")


def rows(own: Own, path: Path) -> Iterator[Row]:
    """Those that are whole; the others are named."""
    text = files.lines(path)
    start = next((i for i, line in enumerate(text) if line[:1] != "#"), len(text))
    reader = csv.DictReader(text[start:])
    try:
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or COLUMNS)]
        if missing:
            own.left_out.append(f"{path}:{start + 1}: there is no column {missing[0]}")
            return
        for row in reader:
            where = f"{path}:{start + reader.line_num}"
            if problem := trouble(row):
                own.left_out.append(f"{where}: {row.get('variant') or 'a row'}: {problem}")
            else:
                yield row
    except csv.Error as error:
        own.left_out.append(f"{path}: what follows line {start + reader.line_num}: {error}")


def trouble(row: Row) -> str:
    """Why a row cannot be used; "" if it can."""
    if None in row or None in row.values() or not row.get("variant"):
        return "not as many fields as columns"
    if name := results.not_a_number(row):
        return f"its {name} is {row[name]}"
    if row["variant"].startswith("headline: ") and row["result"] == "ok" and not row["rate"]:
        return "its rate is missing"
    return "" if row["size"].isdecimal() else f"its size is {row['size']}"


def limit_rows(limits: str) -> Iterator[Row]:
    """The sentence "read 32.8, copy 28.2, fill 19.1 GB/s; multiply-add ..." as rows."""
    empty = dict.fromkeys(("size", "percent_of_limit", "note", "rate", "unit"), "")
    for part in limits.split(";"):
        unit = (part.split() or [""])[-1]
        for name, value in re.findall(r"([a-z-]+) ([0-9]+(?:\.[0-9]+)?)", part):
            row = dict(empty, variant=name, median_ms="0", result="ok")
            row.update({"median_ms": value} if unit == "ms" else {"rate": value, "unit": unit})
            yield row
