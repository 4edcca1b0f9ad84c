"""What the lens says, and the only module that reads it.

It is run for its rows (docs/cllens.md, "Rows for programs"): their fields say what was
found, and `report` holds the lines that a learner is shown, as they stand."""

import json
import re
from typing import Any, Iterable, Optional

from facts import BUILD
from runs import Run

LENS = f"{BUILD}/lens"
COMMAND = [LENS, "--quiet", "--format", "json"]
ONE_KERNEL = [LENS, "kernel", "--format", "json"]  # without a program

Row = dict[str, Any]  # a field that the row lacks is missing
Line = tuple[str, str]  # a label, or "", and what stands beside it


def rows(looked: Run) -> list[Row]:
    """What stands behind the last end of a line is a row that was cut short."""
    return [json.loads(line) for line in looked.out.split("\n")[:-1]]


def with_file(found: list[Row], file: str) -> list[Row]:
    """Step 01 hands its source to OpenCL by itself, and the lens, which has not seen a
    file, calls that kernel.cl."""
    for row in found:
        if row.get("file") == "kernel.cl":
            row["file"] = file
    return found


def _rows_called(looked: Run, *names: str) -> list[Row]:
    return [row for row in rows(looked) if row["row"] in names]


def _reports(found: Iterable[Row]) -> list[str]:
    return "".join(row.get("report", "") for row in found).splitlines()


def found_race(looked: Run) -> bool:
    """Is the first mistake a data race, or barrier divergence?"""
    first = _rows_called(looked, "mistake")[:1]
    return any(row["kind"] in ("data race", "barrier divergence") for row in first)


def found_mistake(looked: Run) -> bool:
    """With --compare, what differs from the device is one."""
    return bool(_rows_called(looked, "mistake", "difference"))


def first_found(looked: Run) -> Optional[Row]:
    """The first mistake, or difference; None if there is none."""
    return next(iter(_rows_called(looked, "mistake", "difference")), None)


def found_none(looked: Run) -> bool:
    """Was all looked at, without a mistake?"""
    return any(
        row["verdict"] == "no mistake found" and row["launches_cut_short"] == 0
        for row in _rows_called(looked, "verdict")
    )


def least(looked: Run) -> Optional[Row]:
    """The time that no run of a launch beats, as far as there is one; None if not."""
    found = _rows_called(looked, "least") if looked.status == 0 else []
    return next((row for row in found if "at_least_ms" in row), None)


def mistakes(looked: Run) -> list[str]:
    """The mistakes, as the lens reports them."""
    return _reports(_rows_called(looked, "mistake", "note"))


def endless_loop(looked: Run) -> list[str]:
    """A group that comes back to where it was: what the lens says of it; [] if none
    does."""
    found = _rows_called(looked, "mistake")
    return _reports(row for row in found if row["kind"] == "endless loop")


def step_limit(looked: Run) -> list[str]:
    """A group at which the lens stopped looking, and the line at which it is."""
    found = _rows_called(looked, "limit")
    limits = [row for row in found if row["kind"] == "step limit exceeded"]
    return [line.removeprefix("note: ") for line in _reports(limits[:1])]


def first_difference(compared: Run) -> Optional[Row]:
    """Where a launch differs from ours first; in last bits, if in nothing else."""
    found = _rows_called(compared, "difference")
    from_ours = [row for row in found if row["kind"] == "from ours"]
    return next(iter(from_ours + found), None)


def differences(compared: Run) -> list[str]:
    """The mistakes of a launch, and how it differs from ours first."""
    difference = first_difference(compared)
    found = _rows_called(compared, "mistake")
    return _reports([*found, difference] if difference else found)


def missed_reads(compared: Run) -> list[str]:
    """Which elements a kernel never reads, or reads again, unlike ours; [] where ours reads
    none, or where they are not known."""
    return _reports(_rows_called(compared, "reads"))


def reads_as_ours(compared: Run) -> bool:
    """Does each work-item read what it reads in ours?"""
    found = _rows_called(compared, "reads")
    return any(row["kind"] == "read as in ours" for row in found)


def labelled(report: list[str]) -> list[Line]:
    """A report, with what its lines are about as their labels: the kernel, as in
    "dot_coalesced (n=20003): sums[0] is 5.75, ours has 10.25", or the first word of
    "  hint    put a barrier between them"; but how often is said in words."""
    lines: list[Line] = []
    for one in report:
        text = re.sub("  +", "  ", one.removeprefix("error: ").strip())
        about = re.match(r"([a-z]\w*)(?:(?: \([^)]*\))?: |  )(.*)", text)
        label, said = about.groups() if about else ("", text)
        if label == "times":
            label, said = "how often", f"{said} times"
        lines.append((label, said))
    return lines


def found_no_difference(compared: Run) -> bool:
    verdicts = _rows_called(compared, "verdict")
    return any(row["verdict"] == "no difference found" for row in verdicts)


def matched_file(compared: Run) -> str:
    """The file with a known mistake whose results are the same; "" if none has them."""
    return "".join(row["file"] for row in _rows_called(compared, "match"))
