"""collect.py DEVICE DRIVER FILE.json ...: what `lens --all --times --format json` has written
of programs, as one table: a line for each launch with a lower bound and a time.

A file is named after what ran: step05.json, or OWNER+NAME.json with the rows of all kernels of
that project.  Launches that were made fewer than 21 times are left out."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path

COLUMNS = (
    "whose kernel arguments global local times median_ms fastest_ms at_least_ms binds "
    "expected_ms at_most_ms why demand other_demand"
).split()
ENOUGH = 21
Launch = tuple[str, str, str, str]


def key_of(row: dict[str, object]) -> Launch:
    shapes = ["x".join(str(n) for n in row[name]) for name in ("global", "local")]
    return str(row["kernel"]), str(row["arguments"]), shapes[0], shapes[1]


def launches(path: Path) -> list[list[str]]:
    """The lines of a file, in its order."""
    leasts: dict[Launch, dict[str, object]] = {}
    whose = path.stem.replace("+", "/")
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["row"] == "least":  # of several programs, the last one's
            leasts[key_of(row)] = row
        elif row["row"] == "time" and row["times"] >= ENOUGH and key_of(row) in leasts:
            least = leasts[key_of(row)]
            cells = [least.get(name, row.get(name, "")) for name in COLUMNS[5:]]
            lines.append([whose, *key_of(row), *map(str, cells)])
    return lines


def main() -> None:
    device, driver, *files = sys.argv[1:]
    print(f"# device: {device}\n# driver: {driver}\n# date: {datetime.date.today()}")
    print("\t".join(COLUMNS))
    for path in map(Path, files):
        for line in launches(path):
            print("\t".join(line))


main()
