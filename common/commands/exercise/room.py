"""`make room FILES='in/*'`: what a room has handed in, on one screen; with HTML=room.html, on
a page for the projector, too.

A file that is damaged is named, and the others are counted.  What stands in such a file
never reaches the terminal as it is: see form.py."""

import os

import form
from hands import Room, cell, devices, files_of, missed, read_all, steps_of
from projector import page
from screen import columns, fail, say, wrapped

WIDE = 96
ASKED = 5  # questions that are shown
MIN_GUESSES = 3
PASSED = "+123456789s"


def room() -> None:
    files = os.environ.get("FILES", "")
    if not files:
        fail("room needs files", "make room FILES='in/*'")
    found = read_all(files_of(files))
    for file, why in found.damaged:
        say(wrapped(f"left out: {file}: {why}"))
    if not found.handins:
        fail("no file is a hand-in", "`make handin AS=table3` writes one")
    say(screen(found), end="")
    notes = "".join(wrapped(f"note: {name}: {note}") + "\n" for name, note in found.odd)
    say(notes and f"\n{notes}", end="")
    target = os.environ.get("HTML", "")
    if target:
        page(target, found, steps_of(found.handins), missed(found.handins))
        say(f"{target} is the same for a projector")


# ---- One screen.
def screen(found: Room) -> str:
    handins = found.handins
    parts = [_exercises(handins), _questions(handins), _devices(handins)]
    return "\n".join(part for part in parts if part)


def _exercises(handins: list[form.HandIn]) -> str:
    steps = steps_of(handins)
    name = max(len(name) for name in ["passed", *(one.name for one in handins)]) + 2
    room_for = max((min(columns() or WIDE, WIDE) - name) // 5, 1)
    count = "1 hand-in" if len(handins) == 1 else f"{len(handins)} hand-ins"
    text = f"{count}: exercises, most passed first\n\n"
    ordered = sorted(handins, key=lambda one: -_passed(one))
    for first in range(0, len(steps), room_for):
        shown = steps[first : first + room_for]
        text += (
            f"{'':{name}}" + "".join(f"{step[4:]:5}" for step in shown).rstrip() + "\n"
        )
        for handin in ordered:
            cells = "".join(f"{cell(handin, step):5}" for step in shown)
            text += f"{handin.name:{name}}{cells.rstrip()}\n"
        passed = (sum(cell(one, step) in PASSED for one in handins) for step in shown)
        text += (
            f"{'passed':{name}}"
            + "".join(f"{one:<5}" for one in passed).rstrip()
            + "\n\n"
        )
    return text + (
        "+ passed   1 2 3 with that many hints   s after our solution was shown   g given\n"
        "o begun    . nothing yet\n"
        if steps
        else "no exercise was begun\n"
    )


def _passed(handin: form.HandIn) -> int:
    return sum(one.state == "passed" for one in handin.exercises)


def _questions(handins: list[form.HandIn]) -> str:
    found = [one for one in missed(handins) if one.missed > 0]
    found.sort(key=lambda one: one.guesses < MIN_GUESSES)  # of few, little is known
    if not found:
        return ""
    text = "guesses, those that most have missed first: begin there the next time\n\n"
    for one in found[:ASKED]:
        said = " and ".join(f"{value} ({times})" for value, times in one.said)
        right = f", right is {one.right}" if one.right else ""
        head = f"{one.step}, question {one.number}: {one.missed} of {one.guesses} missed it"
        text += wrapped(f"{head}; most said {said}{right}\n   {one.text}") + "\n"
    return text


def _devices(handins: list[form.HandIn]) -> str:
    text = "devices, by what they read from memory at most\n\n"
    for device, names in devices(handins):
        rate = f"{device.gb_per_s:.3g} GB/s" if device.gb_per_s else "not measured"
        head = f"{rate:>12}  {device.kind:5}  {device.name[:40]:40}  "
        text += head + _as_many(names, WIDE - len(head)) + "\n"
    return text


def _as_many(names: list[str], room_for: int) -> str:
    """As many names as there is room for: "table1, table2 and 11 more"."""
    for count in range(len(names), 1, -1):
        more = f" and {len(names) - count} more" if count < len(names) else ""
        text = ", ".join(names[:count]) + more
        if len(text) <= room_for:
            return text
    return names[0] if len(names) == 1 else f"{len(names)} of the room"
