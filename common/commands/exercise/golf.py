"""`make golf`: whose kernel needs fewest strokes?  Counts alone decide, so a score is the
same on every machine.

A file must hold in all that an exercise looks at: results at all its sizes, no race, no
access out of bounds.  Then the lens counts one launch, at a size that the file's own
checksum says, of the file and of ours; and what is added up is

    accesses   loads, stores and atomics of a warp, to global or local memory
    sectors    32 bytes of global memory, as often as an access touches them
    passes     over the banks of local memory
    idle       instructions of a warp that its idle lanes would have had room for
    memory     32 bytes of global memory, each only once

1000 points are as much as ours needs.  docs/golf.md has the rules and the best.

A file that was sent in, docs/golf/step05.NAME.cl, is a kernel alone, which takes the place
of ours: "kernel void dot_coalesced(" up to the "}" at the beginning of a line."""

import os
import re
from glob import glob
from typing import NamedTuple, Optional

import lens
from check import bound_of, look, smaller
from facts import BUILD, Exercise, choose, steps_with_exercise
from files import put, read, scratch_folder
from form import NAME, shown
from runs import Run
from screen import beside, fail, say
from subject import Subject
from verdict import Verdict, no_verdict

GATES = ("run", "beyond", "races", "lockstep", "sizes")
ENTRIES = "docs/golf"  # STEP.NAME.cl
PAGE = "docs/golf.md"
TABLE = re.compile(r"^\| step \| whose \|.*?\n(?=\n)", re.M | re.S)
SECTOR, OURS = 32, 1000


class Strokes(NamedTuple):
    """What one launch needs; or the points of that."""

    accesses: float
    sectors: float
    passes: float
    idle: float
    memory: float


class Card(NamedTuple):
    """A file, with its points; or why it has none."""

    name: str
    points: int
    strokes: Strokes
    at_least: float  # ms that no run of a launch beats on an H200; 0: not known
    refused: str


def golf(steps: list[str]) -> None:
    """The learner's files beside ours and the best.  SAVE=name writes the learner's kernel
    as it is to be sent in; TABLE=docs/golf.md writes the page, with its table made
    again."""
    holes = [one for one in map(choose, steps or steps_with_exercise()) if hole(one)]
    if not holes:
        names = ", ".join(step for step in steps_with_exercise() if hole(choose(step)))
        fail(f"there is no golf in {' '.join(steps)}", f"make golf; it is in {names}")
    if os.environ.get("TABLE"):
        _write_page(holes, os.environ["TABLE"])
        return
    if os.environ.get("SAVE"):
        _save(holes, os.environ["SAVE"])
        return
    for exercise in holes:
        entries = _entries(exercise)
        if os.path.exists(exercise.mine):
            entries.append(("yours", exercise.mine))
        say(_screen(exercise, [card(exercise, *entry) for entry in entries]))
    say(
        f"fewer points are better, and {OURS} are what ours needs; {PAGE} has the rules"
    )


def hole(exercise: Exercise) -> str:
    """ "ARGUMENTS | KERNEL", of what is launched; "" if the step has no golf."""
    return "".join(exercise.facts("golf")[:1])


def _entries(exercise: Exercise) -> list[tuple[str, str]]:
    """The files that were sent in, and whose they are; ours first."""
    files = sorted(glob(f"{ENTRIES}/{exercise.step}.*.cl"))
    named = [(file.split(".")[-2], file) for file in files]
    return [("ours", exercise.kernels), *named]


def _kernel_name(exercise: Exercise) -> str:
    return hole(exercise).split("|")[-1].strip()


def span_of(text: str, kernel: str) -> tuple[int, int]:
    """Where a kernel begins in a text, and where it ends; (0, 0), if it is not there."""
    found = re.search(
        rf"^kernel (?:[^\n;{{]*\n?[^\n;{{]*)?\b{kernel}\(.*?^}}\n", text, re.M | re.S
    )
    return found.span() if found else (0, 0)


def _with_kernel(exercise: Exercise, file: str) -> str:
    """Ours, with the kernel of a file that was sent in."""
    ours, text = read(exercise.kernels), read(file)
    first, last = span_of(ours, _kernel_name(exercise))
    return ours[:first] + text + ours[last:]


def _save(holes: list[Exercise], name: str) -> None:
    if len(holes) != 1 or not NAME.fullmatch(name) or name in ("ours", "yours"):
        fail(f"SAVE={shown(name)[:40]} cannot be", "make step05 golf SAVE=yourname")
    exercise = holes[0]
    text = read(exercise.mine) if os.path.isfile(exercise.mine) else ""
    first, last = span_of(text, _kernel_name(exercise))
    if not last:
        what = f"{exercise.mine} has no {_kernel_name(exercise)}"
        fail(what, f"make {exercise.step} exercise")
    path = f"{ENTRIES}/{exercise.step}.{name}.cl"
    put(path, text[first:last])
    found = card(exercise, name, path)
    if found.refused:
        os.remove(path)
        fail(f"it is not saved: {found.refused}", f"make {exercise.step} check")
    say(f"{path} has {found.points} points")


# ---- Points.
def card(exercise: Exercise, name: str, file: str) -> Card:
    is_sent = file.startswith(f"{ENTRIES}/")
    with scratch_folder() as scratch:
        if is_sent:
            text = _with_kernel(exercise, file)
            file = f"{scratch}/{exercise.stem}.cl"
            put(file, text)
        subject = Subject(exercise, file, name == "yours", scratch, read(file))
        try:
            if not subject.is_ours:
                look(subject, GATES)
            return _counted(subject, name)
        except Verdict as why:
            nothing = Strokes(0.0, 0.0, 0.0, 0.0, 0.0)
            return Card(name, 0, nothing, 0.0, f"{why.word}: {why.what}")


def _counted(subject: Subject, name: str) -> Card:
    arguments, kernel = re.split(" *[|] *", hole(subject.exercise))
    arguments = smaller(subject, arguments) or arguments
    own = _strokes(subject, subject.command, arguments, kernel)
    program = [f"{BUILD}/{subject.exercise.stem}", "--repeats", "1"]
    ours = _strokes(subject, program, arguments, kernel)
    least = [bound_of(subject, call) for call in subject.exercise.facts("bound")]
    at_least = next((one["at_least_ms"] for one in least if one), 0.0)
    points = Strokes(*(OURS * count / sum(ours) for count in own))
    return Card(name, round(sum(points)), points, at_least, "")


def _strokes(
    subject: Subject, program: list[str], arguments: str, kernel: str
) -> Strokes:
    options = ["--all", "--kernel", kernel]
    counted = subject.run([*lens.COMMAND, *options, *program], arguments)
    found = strokes_of(counted)
    if not found:
        raise no_verdict(f"the lens does not count {kernel} ({arguments})")
    return found


def strokes_of(counted: Run) -> Optional[Strokes]:
    """Of the first launch that was counted."""
    rows = lens.rows(counted) if counted.status == 0 else []
    kinds = {row["row"]: row for row in reversed(rows)}
    if not {"launch", "least", "total"} <= set(kinds) or "demand" not in kinds["least"]:
        return None
    total, launch = kinds["total"], kinds["launch"]
    words = (word.split("=") for word in kinds["least"]["demand"].split())
    demand = {name: float(value) for name, value in words}
    idle = demand["instructions"] * (1 - launch["busy_lanes"] / launch["lanes"])
    return Strokes(
        float(total["requests"] + total["local_requests"]),
        total["bytes"] / SECTOR,
        float(total["local_passes"]),
        idle,
        demand.get("touched", 0.0) / SECTOR,
    )


# ---- What is shown.
def _screen(exercise: Exercise, cards: list[Card]) -> str:
    lines = [f"{exercise.step} {_kernel_name(exercise)}", ""]
    head = "".join(f"{title:>10}" for title in ("points", *Strokes._fields))
    has_bound = any(one.at_least for one in cards)
    lines.append(f"{'':12}{head}" + ("   at least, H200" if has_bound else ""))
    for one in _best_first(cards):
        if one.refused:
            lines.append(beside(one.name, one.refused, 14))
            continue
        counts = "".join(f"{count:10.0f}" for count in one.strokes)
        bound = f"   {one.at_least:.3g} ms" if one.at_least else ""
        lines.append(f"{one.name:12}{one.points:10}{counts}{bound}")
    return "\n".join(lines) + "\n"


def _best_first(cards: list[Card]) -> list[Card]:
    return sorted(cards, key=lambda one: (one.points or OURS * OURS, one.name))


def _write_page(holes: list[Exercise], path: str) -> None:
    """The page, with a table of the files that were sent in."""
    lines = [
        "| step | whose | points | " + " | ".join(Strokes._fields) + " |",
        "|---|---|--:|" + "--:|" * len(Strokes._fields),
    ]
    for exercise in holes:
        cards = [card(exercise, *entry) for entry in _entries(exercise)]
        for one in _best_first(cards):
            if one.refused:
                fail(
                    f"{exercise.step}, {one.name}: {one.refused}",
                    "take it out, or fix it",
                )
            counts = " | ".join(f"{count:.0f}" for count in one.strokes)
            step = f"[{exercise.step[4:]}](exercises/{exercise.stem}.md)"
            lines.append(f"| {step} | {one.name} | {one.points} | {counts} |")
    table = "\n".join(lines) + "\n"
    put(path, TABLE.sub(lambda _: table, read(PAGE), count=1))
    say(path)
