"""The markers of docs/cuda-counts.md: launches that the lens and NVIDIA's profiler have counted, from
docs/results/NAME/cuda.tsv, and why they differ, from docs/results/cuda-reasons.txt."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

import files
import results
from files import fail
from markdown import grouped, table

HINT = "tests/peers/cuda_counts.py writes it"
REASONS = results.FOLDER / "cuda-reasons.txt"

# What must be equal unless there is a reason, and what two compilers may well do differently.
COUNTS = {
    "load_accesses": "loads of global memory, by warps",
    "load_sectors": "sectors that they touch",
    "store_accesses": "stores to global memory",
    "store_sectors": "sectors that they touch",
    "atomic_accesses": "atomics on global memory",
    "atomic_sectors": "sectors that they touch",
    "shared_loads": "loads of shared memory",
    "shared_stores": "stores to shared memory",
    "bank_passes": "bank passes of both",
}
OF_COMPILERS = {
    "branches": "branches",
    "diverged": "branches that split a warp",
    "busy_lanes": "busy lanes",
}
SHOWN = {
    "load_accesses": "loads",
    "load_sectors": "their sectors",
    "store_sectors": "sectors of stores",
    "bank_passes": "bank passes",
}


class Counted(NamedTuple):
    """A launch: its rows, as nvcc compiles the kernel and with loops as they are written."""

    usual: dict[str, str]
    rolled: dict[str, str]

    @property
    def kernel(self) -> str:
        return self.usual["call"].partition("(")[0]

    def lens(self, count: str) -> float:
        return float(self.usual[f"{count}_lens"])

    def is_equal(self, count: str, build: str) -> bool:
        theirs = float(getattr(self, build)[f"{count}_profiler"])
        return abs(self.lens(count) - theirs) < (0.05 if count == "busy_lanes" else 0.5)

    def has_any(self, count: str) -> bool:
        return self.lens(count) > 0 or not self.is_equal(count, "usual")

    def is_unrolled(self, count: str) -> bool:
        """Unrolling can only have taken something away."""
        fewer = float(self.usual[f"{count}_profiler"]) < self.lens(count)
        return fewer and self.is_equal(count, "rolled")


class Reason(NamedTuple):
    letter: str
    counts: dict[str, list[str]]  # by kernel; none: where unrolling alone makes the difference
    words: str


def launches(name: str) -> list[Counted]:
    of: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    path = results.FOLDER / name / "cuda.tsv"
    for row in files.rows(path, HINT, "\t"):
        key = row["project"], row["file"], row["call"], row["sizes"]
        of.setdefault(key, {})[row["build"]] = row
    for key, builds in of.items():
        if set(builds) != {"usual", "rolled"}:
            fail(f"{path} has no two builds of {key[2]}", HINT)
    return [Counted(**builds) for builds in of.values()]


def reasons() -> list[Reason]:
    found = []
    for _, (letter, where, words) in files.columns(REASONS, 3):
        counts = {}
        for one in where.split(", ") if where != "unrolled" else []:
            kernel, *counts[kernel] = one.split(" ")
        found.append(Reason(letter, counts, words))
    return found


def why(launch: Counted, count: str, all_reasons: list[Reason]) -> str:
    """The letter of the reason for which a count differs; "" if it does not."""
    if all(launch.is_equal(count, build) for build in ("usual", "rolled")):
        return ""
    for reason in all_reasons:
        if count in reason.counts.get(launch.kernel, []):
            return reason.letter
    for reason in all_reasons:
        if not reason.counts and launch.is_unrolled(count):
            return reason.letter
    fail(f"{launch.kernel}: {count} differs, and {REASONS} says not why", "find the reason")


def letters(launch: Counted, all_reasons: list[Reason]) -> set[str]:
    return {why(launch, count, all_reasons) for count in COUNTS} - {""}


def twice(page: Path, name: str, what: str) -> list[str]:
    """twice: NAME WHAT: launches that the lens and a profiler have counted: docs/results/NAME/cuda.tsv

    WHAT is `device`, `sentence`, `counts`, `launches` or `reasons`."""
    if what == "device":
        return device_table(name)
    parts = {
        "sentence": sentence,
        "counts": count_table,
        "launches": launch_table,
        "reasons": reason_list,
    }
    if what not in parts:
        fail(f"twice: there is no {what}", "there are device, " + ", ".join(parts))
    return parts[what](launches(name))


def device_table(name: str) -> list[str]:
    """What the lines above the rows say."""
    path = results.FOLDER / name / "cuda.tsv"
    heads = [line[2:].partition(": ") for line in files.lines(path) if line.startswith("# ")]
    titles = [title for title, _, _ in heads]
    return table([*titles, "file"], [[*(what for _, _, what in heads), f"`{path}`"]], "l" * (len(titles) + 1))


def sentence(all_launches: list[Counted]) -> list[str]:
    single = [(one, count) for one in all_launches for count in COUNTS if one.has_any(count)]

    def equal(build: str) -> tuple[int, int]:
        whole = [all(one.is_equal(count, build) for count in COUNTS) for one in all_launches]
        return sum(whole), sum(one.is_equal(count, build) for one, count in single)

    (rolled, rolled_counts), (usual, usual_counts) = equal("rolled"), equal("usual")
    words = (
        f"Of {len(all_launches)} launches, {rolled} have all {len(COUNTS)} counts of memory exactly as"
        f" the lens says if loops are left as they are written, and {usual} as nvcc unrolls them;"
        f" that is {rolled_counts} and {usual_counts} of the {len(single)} counts that are not 0."
    )
    return ["", *textwrap.wrap(words, 100), ""]


def count_table(all_launches: list[Counted]) -> list[str]:
    cells = []
    for count, words in {**COUNTS, **OF_COMPILERS}.items():
        having = [one for one in all_launches if one.has_any(count)]
        equal = [
            str(sum(one.is_equal(count, build) for one in having))
            for build in ("rolled", "usual")
        ]
        cells.append([words, str(len(having)), *equal])
    titles = ["count", "launches that have any", "equal, loops as written", "equal, unrolled"]
    return table(titles, cells)


def launch_table(all_launches: list[Counted]) -> list[str]:
    all_reasons = reasons()
    titles = ["project", "kernel", "blocks × threads"]
    for words in SHOWN.values():
        titles += [f"{words}: lens", "profiler"]
    cells = [launch_row(one, all_reasons) for one in all_launches]
    return table([*titles, "why"], cells, "lll" + "r" * 2 * len(SHOWN) + "l")


def launch_row(launch: Counted, all_reasons: list[Reason]) -> list[str]:
    project = launch.usual["project"].replace("+", "/", 1)
    words = launch.usual["sizes"].split()
    sizes = dict(zip(words[::2], words[1::2]))
    cells = [
        "ours" if project == "lockstep" else project,
        f"`{launch.kernel}`",
        f"{sizes['--grid']} × {sizes['--block']}",
    ]
    for count in SHOWN:
        theirs = grouped(launch.usual[f"{count}_profiler"])
        cells.append(grouped(launch.usual[f"{count}_lens"]))
        cells.append(theirs if launch.is_equal(count, "usual") else f"**{theirs}**")
    return [*cells, " ".join(sorted(letters(launch, all_reasons)))]


def reason_list(all_launches: list[Counted]) -> list[str]:
    all_reasons = reasons()
    of_each = [letters(launch, all_reasons) for launch in all_launches]
    text = []
    for letter, _, words in all_reasons:
        count = sum(letter in of_one for of_one in of_each)
        if count == 0:
            fail(f"{REASONS}: no launch differs for reason {letter}", "take it out")
        launches_of_it = "1 launch" if count == 1 else f"{count} launches"
        text += textwrap.wrap(
            f"- **{letter}**, {launches_of_it}: {words}", 100, subsequent_indent="  "
        )
    return ["", *text, ""]
