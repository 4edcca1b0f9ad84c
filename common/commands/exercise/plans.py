"""Timetables: the tables of docs/workshop.md, of which `make next PLAN=half-day` follows
the exercises, and `make pack` prints what they need."""

import os
import re
from typing import NamedTuple

from facts import WORK, steps_with_exercise
from files import lines_of, put, read
from progress import make_work
from screen import fail

PAGE = "docs/workshop.md"
FILE = f"{WORK}/plan"
# Each by the heading of its table.
NAMES = {
    "90-minutes": "90 minutes: neighbouring lanes",
    "half-day": "Half a day: from a warp to a reduction",
    "busy-half-day": "Half a day: a busy device and its memory",
    "two-days": "Two days",
}


class Row(NamedTuple):
    minutes: int
    what: str
    step: str  # "" if it is about none


def rows_of(plan: str) -> list[Row]:
    """The lines of a plan's table."""
    text = read(PAGE)
    found = re.search(
        rf"^### {re.escape(NAMES[plan])}\n(.*?)(?=^##)", text, re.M | re.S
    )
    rows: list[Row] = []
    for line in (found[1] if found else "").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) >= 2 and cells[-2].isdigit():
            step = re.match(r"step ([0-9]{2}[a-z]?)\b", cells[-1])
            rows.append(
                Row(int(cells[-2]), cells[-1], f"step{step[1]}" if step else "")
            )
    return rows


def steps_of_plan(plan: str) -> list[str]:
    """The exercises of a plan, in its order; what is only shown is none."""
    known = steps_with_exercise()
    steps = [
        row.step
        for row in rows_of(plan)
        if row.step in known and not re.search("projected|shown", row.what)
    ]
    return list(dict.fromkeys(steps))


def check_name(plan: str) -> str:
    if plan not in NAMES:
        fail(f"there is no plan {plan}", f"plans are {', '.join(NAMES)}")
    return plan


def chosen_plan() -> str:
    """The plan that `make next` follows; "" if it goes through all exercises.
    PLAN=half-day: that one, from now on; PLAN=all: all of them again."""
    asked = os.environ.get("PLAN", "")
    if asked:
        name = asked if asked == "all" else check_name(asked)
        make_work()
        put(FILE, f"{name}\n")
    plan = "".join(lines_of(FILE)[:1])
    return plan if plan in NAMES else ""


def steps_to_do() -> list[str]:
    """The exercises in the order in which `make next` goes through them."""
    plan = chosen_plan()
    return steps_of_plan(plan) if plan else steps_with_exercise()
