"""work/progress: what happened, a line each: DATE STEP WHAT [VALUE ...]."""

import os
import re
import time
from typing import NamedTuple

from facts import WORK, Exercise, choose, steps_with_exercise
from files import add, lines_of
from screen import fail, say

FILE = f"{WORK}/progress"
FORM = re.compile(r"[0-9]+-[0-9]+-[0-9]+ step[0-9]+[a-z]? [a-z]+( [ -~]*)?")


class Event(NamedTuple):
    date: str
    step: str
    what: str
    values: list[str]


def make_work() -> None:
    try:
        os.makedirs(WORK, exist_ok=True)
    except OSError:
        fail(f"cannot make {WORK}/", "may you write here?")


def happened(step: str, what: str, *values: object) -> None:
    make_work()
    add(
        FILE,
        " ".join([time.strftime("%Y-%m-%d"), step, what, *map(str, values)]) + "\n",
    )


def events() -> list[Event]:
    words = (line.split() for line in lines_of(FILE) if FORM.fullmatch(line))
    return [Event(date, step, what, values) for date, step, what, *values in words]


def lost(path: str, form: re.Pattern[str]) -> str:
    """Says how many lines of a file have another form, and are left out; "" if none
    has."""
    number = sum(not form.fullmatch(line) for line in lines_of(path))
    return (
        f"({number} of the lines in {path} cannot be read: they are left out)\n"
        if number
        else ""
    )


def begun_last() -> str:
    """The step whose exercise was begun last; "" without one."""
    return next((one.step for one in reversed(events()) if one.what == "started"), "")


def hints_needed(step: str) -> int:
    """How many hints were read before it passed for the first time."""
    count = 0
    for one in events():
        if one.step == step and one.what == "passed":
            break
        if one.step == step and one.what in ("hint", "reset"):
            count = count + 1 if one.what == "hint" else 0
    return count


def how_often(step: str, what: str) -> int:
    """How often it happened; what a reset took back did not."""
    count = 0
    for one in events():
        if one.step == step and one.what == "reset" and what != "predicted":
            count = 0
        elif one.step == step and one.what == what:
            count += 1
    return count


def state(step: str) -> str:
    """How far an exercise is: open, started, given or passed."""
    states = (what for what in ("passed", "given", "started") if how_often(step, what))
    return next(states, "open")


def solution_seen(step: str) -> bool:
    """Was ours shown before the exercise had passed?"""
    passed = seen = False
    for one in events():
        if one.step == step and one.what in ("reset", "passed"):
            passed = one.what == "passed"
        elif one.step == step and one.what == "solution":
            seen = seen or not passed
    return seen


def last_values(step: str, what: str) -> list[str]:
    """What was noted when it last happened; [] if it never did."""
    return next(
        (
            one.values
            for one in reversed(events())
            if one.step == step and one.what == what
        ),
        [],
    )


def last_value(step: str, what: str, question: int) -> list[str]:
    """What was noted last for a question, behind its number: a guess, or an outcome and
    how it compares; [] if nothing was."""
    values: list[str] = []
    for one in events():
        if one.step == step and one.what == what and one.values[:1] == [str(question)]:
            values = one.values[1:]
    return values


def count_right(exercise: Exercise) -> int:
    """How many predictions came true."""
    ends = (
        last_value(exercise.step, "outcome", number + 1)
        for number in range(len(exercise.items("Predict")))
    )
    return sum("right" in end[1:2] for end in ends)


def how_far(exercise: Exercise) -> str:
    """An exercise's line of `make progress`."""
    step = exercise.step
    hints, asked = len(exercise.items("Hints")), len(exercise.items("Predict"))
    seen = " (our solution was shown)" if solution_seen(step) else ""
    return (
        f"{step:7} {state(step):9} {how_often(step, 'hint')} of {hints}  {count_right(exercise)} of {asked}"
        f"     {exercise.title}{seen}\n"
    )


def table(steps: list[str], plan: str) -> str:
    """How far the learner is with these exercises, which are those of a plan, or all."""
    rows = "".join(how_far(choose(step)) for step in steps)
    of_plan = (
        f"(plan {plan}: {len(steps)} of {len(steps_with_exercise())} exercises; "
        "PLAN=all goes through all)\n"
    )
    return (
        "step    state     hints   guesses  exercise\n"
        + rows
        + (of_plan if plan else "")
        + lost(FILE, FORM)
    )
