"""What a device has measured for its report:

    build/report/DEVICE/step05.csv   its rows, under lines that name the device
    build/report/DEVICE/step11.svg   the timeline of a step that draws one
    build/report/DEVICE/step00.csv   no rows, but a line with its limits"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

import files
import results
from results import Device, Row

SEEN = ("device", "driver")  # who measured


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
        for row in results.rows(path, own.left_out):
            own.device.add(step, row)
        if step in own.failed:  # who is faster, if one of them is wrong, says nothing
            own.device.headlines.pop(step, None)
        add_picture(own, step, path.with_suffix(".svg"))
    if limits := own.device.about.pop("limits", ""):
        own.device.rows["step00"] = list(limit_rows(limits))


def add_picture(own: Own, step: str, path: Path) -> None:
    if not path.is_file():
        return
    picture = files.read(path)
    if "<svg" in picture and picture.rstrip().endswith("</svg>"):
        own.pictures[step] = picture
    else:
        own.left_out.append(f"{path}: is not a whole picture")


def limit_rows(limits: str) -> Iterator[Row]:
    """The sentence "read 32.8, copy 28.2, fill 19.1 GB/s; multiply-add ..." as rows."""
    empty = dict.fromkeys(("size", "percent_of_limit", "note", "rate", "unit"), "")
    for part in limits.split(";"):
        unit = (part.split() or [""])[-1]
        for name, value in re.findall(r"([a-z-]+) ([0-9]+(?:\.[0-9]+)?)", part):
            row = dict(empty, variant=name, median_ms="0", result="ok")
            row.update({"median_ms": value} if unit == "ms" else {"rate": value, "unit": unit})
            yield row
