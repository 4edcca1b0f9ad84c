"""foreign.py FOLDER: looks at the kernels of docs/results/cuda/calls.tsv, which come from other projects,
and stores what comes out in docs/results/cuda/kernels.tsv.

FOLDER has a clone of each project of docs/results/cuda/projects.tsv, at the commit that is named
there and under the project's name.  Each kernel is counted once and looked through for mistakes
once, in its unchanged file.  Lines of calls.tsv also say for some kernels what was worked out by
hand: the sectors of an access of the lanes of a warp, or the passes over the banks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path("docs/results/cuda")
Row = dict[str, str]


class Run(NamedTuple):
    """What the lens said."""

    status: int
    seconds: float
    rows: list[dict[str, Any]]
    said: str


def read(path: Path) -> list[Row]:
    """A file of tab-separated values, whose first line has the names."""
    names, *lines = path.read_text().splitlines()
    return [dict(zip(names.split("\t"), line.split("\t"))) for line in lines]


def run(lens: str, clone: Path, call: Row, options: list[str]) -> Run:
    command = [lens, "kernel", call["file"], call["call"], *call["options"].split()]
    begin = time.monotonic()
    ended = subprocess.run(
        [*command, *options, "--format", "json"],
        cwd=clone,
        env={**os.environ, "LENS_CACHE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - begin
    rows = [json.loads(line) for line in ended.stdout.splitlines() if line]
    return Run(ended.returncode, seconds, rows, ended.stderr)


def most(rows: list[dict[str, Any]], count: str, least: str) -> str:
    """Of the accesses that have this count, that of the worst one: first by how many times the
    least that it is, then by itself."""
    counted = [row for row in rows if row.get(count) and row.get(least)]
    if not counted:
        return ""
    worst = max(counted, key=lambda row: (row[count] / row[least], row[count]))
    return f"{worst[count]:g}"


def at_line(rows: list[dict[str, Any]], call: Row, count: str) -> str:
    """The largest count of an access in the line that was looked at by hand."""
    counts = [
        row[count]
        for row in rows
        if call["line"] and row.get("line") == int(call["line"]) and row.get(count)
    ]
    return f"{max(counts):g}" if counts else ""


def refused(said: str) -> str:
    """What the lens lacks, in its own words."""
    first = said.splitlines()[0]
    words = first.split("cannot be looked at: ")[-1].rstrip(":")
    return (
        words.partition(" has inline ")[2]
        and "inline PTX (asm) is not modelled"
        or words
    )


def mistakes(rows: list[dict[str, Any]]) -> str:
    """The kinds of mistakes, each once, and what is special about races."""
    kinds = []
    for row in rows:
        if row["row"] != "mistake":
            continue
        words = row["kind"]
        words += " of lanes of one warp" if row.get("same_warp") else ""
        words += ", of equal values" if row.get("same_value") else ""
        kinds.append(f"{words} (line {row['line']})")
    return "; ".join(dict.fromkeys(kinds))


def look(lens: str, clone: Path, call: Row, options: list[str]) -> list[str]:
    counted = run(lens, clone, call, [*options, "--all"])
    if counted.status not in (0, 1, 77):
        sys.exit(f"error: {call['call']}: {counted.said}")
    if counted.status == 77:
        status, found = "refused", refused(counted.said)
    else:
        found = mistakes(run(lens, clone, call, [*options, "--races"]).rows)
        status = "stopped" if counted.status else "mistake" if found else "shown"
    rows = counted.rows
    return [
        status,
        f"{counted.seconds:.1f}",
        most(rows, "sectors", "ideal_sectors"),
        most(rows, "passes", "ideal_passes"),
        at_line(rows, call, "sectors"),
        at_line(rows, call, "passes"),
        found,
    ]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(f"usage: {__doc__}")
    lens = os.path.abspath("build/lens")
    projects = {row["project"]: row for row in read(FOLDER / "projects.tsv")}
    names = "project\tcall\tstatus\tseconds\tsectors\tpasses\tline_sectors\tline_passes\tfound"
    lines = [names]
    for call in read(FOLDER / "calls.tsv"):
        project = call["project"]
        clone = Path(sys.argv[1]) / project
        found = look(lens, clone, call, projects[project]["options"].split())
        lines.append("\t".join([project, call["call"], *found]))
        print(lines[-1], file=sys.stderr)
    (FOLDER / "kernels.tsv").write_text("\n".join(lines) + "\n")


main()
