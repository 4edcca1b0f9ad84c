"""`make handin AS=table3`: work/handin-table3.txt, for the teacher, who reads many of them
with `make room`.  form.py says what is in it.  Nothing personal is: no path, no machine
but its device, and no name but the one that the learner chooses."""

import os
import re
import subprocess
import time
from glob import glob

import form
from facts import BUILD, CLOSE, OPEN, WORK, Exercise, choose, steps_with_exercise
from files import checksum, lines_of, put, read
from predict import questions
from progress import FILE, FORM, hints_needed, last_value, last_values, lost, make_work
from progress import solution_seen, state
from screen import fail, say

MEASURED = f"{WORK}/measured"
# (A path has more "/".)
ROW = re.compile(
    "step[0-9]+[a-z]?  (yours|ours)   *[ -.0-~]*: [0-9.e+-]+ ms, [ -.0-~]*(/s)?[ -.0-~]*"
)


def handin() -> None:
    """AS=table3: whose it is.  CODE=yes: with the marked parts of what has passed."""
    make_work()
    name = os.environ.get("AS", "").strip()
    if name and not form.NAME.fullmatch(name):
        letters = "up to 31 letters, digits, dots, - and _, as in AS=table-3"
        fail(f"AS={form.shown(name)[:40]} is no name", f"take {letters}")
    exercises = [choose(step) for step in steps_with_exercise()]
    begun = [one for one in exercises if state(one.step) != "open"]
    whole = form.HandIn(
        name=name,
        date=time.strftime("%Y-%m-%d"),
        version=_version(),
        device=_device(),
        exercises=[_exercise(one) for one in begun],
        guesses=[guess for one in exercises for guess in _guesses(one)],
        times=[line for line in lines_of(MEASURED) if ROW.fullmatch(line)],
    )
    if os.environ.get("CODE", "no") not in ("", "no"):
        whole.code = [line for one in begun for line in _code(one)]
    path = f"{WORK}/handin{name and f'-{name}'}.txt"
    put(path, form.write(whole))
    for unread in (lost(FILE, FORM), lost(MEASURED, ROW)):
        say(unread, end="")
    if not begun and not whole.guesses:
        say("nothing was done yet")
    say(f"wrote {path}: read it, then send it to your teacher")
    if not name:
        say("AS=table3 tells it from those of others: make handin AS=table3")


def _version() -> str:
    with open("common/driver/version.h", encoding="utf-8") as file:
        found = re.search('LOCKSTEP_VERSION "([^"]*)"', file.read())
    return found[1] if found else "-"


def _device() -> form.Device:
    """The one that steps use by default, and what was measured of it."""
    said = subprocess.run(
        [f"{BUILD}/step00_device_limits", "--devices"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    if said.returncode != 0:
        raise SystemExit(said.returncode)
    rows = re.findall(r"^ *[0-9]+ +(.*?) +(cpu|gpu|other) ", said.stdout, re.M)
    if not rows:
        return form.Device("other", 0.0, 0.0, "unknown")
    name, kind = next((row for row in rows if row[1] == "gpu"), rows[0])
    for path in glob(f"{BUILD}/limits/*.txt"):
        text = read(path)
        if text.startswith(f"limits of {name}, "):
            limits = dict(re.findall(r"^(\w+) +([0-9.e+]+)$", text, re.M))
            rates = float(limits.get("read", 0)), float(limits.get("fma", 0))
            return form.Device(kind, *rates, name)
    return form.Device(kind, 0.0, 0.0, name)


def _exercise(exercise: Exercise) -> form.Exercise:
    step = exercise.step
    seen = "seen" if solution_seen(step) else "unseen"
    hints = hints_needed(step)
    return form.Exercise(step, state(step), hints, seen, _file_since(exercise))


def _file_since(exercise: Exercise) -> str:
    """Is the file that has passed still the file that is there?"""
    noted = last_values(exercise.step, "passed")
    if state(exercise.step) != "passed" or not noted:
        return "-"
    if not os.path.isfile(exercise.mine):
        return "gone"
    return "as passed" if noted[0] == str(checksum(read(exercise.mine))) else "changed"


def _guesses(exercise: Exercise) -> list[form.Guess]:
    found: list[form.Guess] = []
    for question in questions(exercise):
        said = last_value(exercise.step, "predicted", question.number)[:1]
        outcome, how = (
            last_value(exercise.step, "outcome", question.number) + ["", ""]
        )[:2]
        if said:
            found.append(
                form.Guess(
                    exercise.step, question.number, said[0], outcome, how or "open"
                )
            )
    return found


def _code(exercise: Exercise) -> list[tuple[str, str]]:
    """What stands between the marks, if it has passed."""
    if state(exercise.step) != "passed" or not os.path.isfile(exercise.mine):
        return []
    lines: list[tuple[str, str]] = []
    inside = False
    for line in read(exercise.mine).splitlines():
        if CLOSE in line:
            inside = False
        if inside:
            lines.append((exercise.step, line))
        if OPEN in line:
            inside = True
    return lines
