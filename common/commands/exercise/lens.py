"""What the lens says, and the only module that reads it.

A learner is shown its report as it stands, so the report is what is read; counts come
as a table."""

import csv
import re

from runs import Run

Row = dict[str, str]  # of a table: the name of each column, and what stands there
MATCH = "matches the known mistake "


def found_race(looked: Run) -> bool:
    """Is the first mistake a data race, or barrier divergence?"""
    first = looked.out.split("\n", 1)[0]
    return ": data race: " in first or ": barrier divergence: " in first


def found_mistake(looked: Run) -> bool:
    return re.search("^error: ", looked.out, re.M) is not None


def found_none(looked: Run) -> bool:
    return re.search("^no mistake found", looked.out, re.M) is not None


def mistakes(looked: Run) -> list[str]:
    """The mistakes, as the lens reports them."""
    return [
        line for line in looked.out.splitlines() if not line.startswith("no mistake")
    ]


def endless_loop(looked: Run) -> list[str]:
    """A group that comes back to where it was: what the lens says of it; [] if none
    does."""
    to_hint = r"^error: .*: endless loop: .*(?:\n(?! *hint ).*)*(?:\n *hint .*)?"
    return "\n".join(re.findall(to_hint, looked.out, re.M)).splitlines()


def step_limit(looked: Run) -> list[str]:
    """A group at which the lens stopped looking, and the line at which it is."""
    at_line = r"^note: (.*: step limit exceeded: .*)(?:\n(  line .* still at work .*))?"
    found = re.search(at_line, looked.err, re.M)
    return [line for line in found.groups() if line] if found else []


def differences(compared: Run) -> list[str]:
    """How a launch differs from ours first."""
    return [line for line in compared.out.splitlines() if not line.startswith(MATCH)]


def matched_file(compared: Run) -> str:
    """The file with a known mistake whose results are the same; "" if none has them."""
    found = re.search(f"^{MATCH}(.*)", compared.out, re.M)
    return found[1] if found else ""


def table(printed: str, first: str) -> list[Row]:
    """The rows of what is printed with --format tsv; the first column has that
    name.  Other lines may stand around them."""
    head = f"\n{printed}".find(f"\n{first}\t")
    lines = printed[head:].split("\n") if head >= 0 else []
    return list(
        csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
    )
