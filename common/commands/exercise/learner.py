"""What a learner asks for beside verdicts and predictions, one exercise at a time."""

import os
import sys
import time
from difflib import unified_diff

from check import check
from facts import Exercise, choose, steps_with_exercise
from files import put, read, unused
from parts import assemble
from plans import steps_to_do
from progress import begun_last, happened, how_often, last_value, make_work, state
from screen import fail, fit, fit_text, say, wrapped

YES = "--yes" in os.environ.get("ARGS", "").split()  # to all that is asked


def begin(exercise: Exercise) -> None:
    """Writes the learner's file with the task in it, unless there is one, and prints
    the task."""
    step, mine = exercise.step, exercise.mine
    if os.path.exists(mine):
        again = f"`make {step} reset` begins again"
        say(fit(f"{mine} is there already, and stays as it is; {again}"))
    else:
        make_work()
        put(mine, assemble(exercise, exercise.page))
        say(fit(f"{mine} is yours: open it in your editor."))
    happened(step, "started")
    say(f"\n{step}: {exercise.title}\n")
    say(fit_text("\n".join(exercise.section())))
    help = f"make {step} hint helps; make watch checks on every save"
    say("\n" + fit(f"next: make {step} check     ({help})"))


def hint(exercise: Exercise) -> None:
    """One hint more than the last time."""
    hints = exercise.items("Hints")
    given = how_often(exercise.step, "hint")
    if given < len(hints):
        given += 1
        happened(exercise.step, "hint", given)
    for number, text in enumerate(hints[:given], 1):
        say(wrapped(f"hint {number} of {len(hints)}: {text}"))
    if given >= len(hints):
        say(f"that was the last one; make {exercise.step} solution shows ours")


def solution(exercise: Exercise) -> None:
    """How the learner's file differs from ours.  Asks first, unless the exercise has
    passed."""
    step, mine = exercise.step, exercise.mine
    _must_exist(exercise)
    not_yet = f"{step} has not passed yet"
    passed = how_often(step, "passed") > 0
    if not passed and not _agrees(f"{not_yet}: show the solution all the same?"):
        show = f"make {step} solution ARGS=--yes shows it"
        fail(not_yet, f"make {step} hint helps; {show}")
    happened(step, "solution")
    theirs, ours = read(mine).splitlines(), assemble(exercise).splitlines()
    lines = list(unified_diff(theirs, ours, mine, exercise.ours, lineterm=""))
    say("\n".join(lines) or f"{mine} is the same as ours")


def reset(exercise: Exercise) -> None:
    """Begins an exercise again.  Asks first, and keeps the old file."""
    step, mine, kept = exercise.step, exercise.mine, ""
    if os.path.exists(mine):
        kept = unused(f"{mine}.old")
        if not _agrees(f"begin {step} again? {mine} is kept as {kept}"):
            fail(
                f"{mine} is there",
                f"make {step} reset ARGS=--yes begins again, and keeps it as {kept}",
            )
    happened(step, "reset")
    if kept:
        try:
            os.replace(mine, kept)
        except OSError:
            fail(f"cannot move {mine}", "may you write here?")
    try:
        begin(exercise)
    except SystemExit:
        if kept:
            os.replace(kept, mine)
        raise


def watch(exercise: Exercise) -> None:
    """Checks the learner's file now, and whenever it is saved."""
    _must_exist(exercise)
    say(f"watching {exercise.mine}; Ctrl-C ends")
    while True:
        before = _text(exercise.mine)  # what is saved during a check is checked next
        try:
            if check(exercise.step) == 0:
                say(f"(still watching {exercise.mine})")
        except SystemExit:
            pass  # an error was printed: the file is gone, say
        while _text(exercise.mine) == before:
            time.sleep(0.5)


def _text(path: str) -> str:
    try:
        return read(path)
    except OSError:
        return ""  # an editor may be about to put another one in its place


def next_one(step: str = "") -> None:
    """Goes to the next open exercise after the step, or after the one begun last, and
    from the first again; of a timetable, if one is followed."""
    make_work()
    steps = steps_to_do()
    last = step or begun_last()
    behind = steps.index(last) + 1 if last in steps else 0
    for one in steps[behind:] + steps[:behind]:
        if state(one) in ("open", "started"):
            _say_next(steps, last, one)
            begin(choose(one))
            return
    if len(steps) < len(steps_with_exercise()):
        say(
            "all exercises of this plan are done; make next PLAN=all goes on with others"
        )
    else:
        say("all exercises are done; `make progress` shows them")


def _say_next(steps: list[str], last: str, step: str) -> None:
    """Which exercise it is; that the last one is still open; that one guesses first."""
    if last and last != step and state(last) == "started":
        say(f"{last} has not passed yet: make {last} check goes on with it\n")
    asked = choose(step).items("Predict")
    guessed = all(last_value(step, "predicted", n + 1) for n in range(len(asked)))
    first = "" if guessed else f"; before you begin: make {step} predict"
    if len(steps) < len(steps_with_exercise()) or first:
        say(f"{steps.index(step) + 1} of {len(steps)}: {step}{first}\n")


def catch_up(step: str = "") -> None:
    """Writes finished files for all exercises before that step (or STEP=07), of a
    timetable if one is followed.  What the learner wrote is moved aside, never written
    over: an editor may have it open."""
    until = os.environ.get("STEP") or step or begun_last()
    if not until:
        fail("catch-up needs a step", "make catch-up STEP=07")
    until = choose("step" + until.removeprefix("step")).step
    make_work()
    steps = steps_to_do()
    if until not in steps:
        steps = steps_with_exercise()
    for before in map(choose, steps[: steps.index(until)]):
        _finish(before)


def _finish(exercise: Exercise) -> None:
    step, mine, kept = exercise.step, exercise.mine, ""
    text = assemble(exercise)
    if how_often(step, "passed"):
        say(f"{step}  passed already")
    elif os.path.isfile(mine) and read(mine) == text:
        say(f"{step}  {mine} is finished already")
    else:
        if os.path.exists(mine):
            kept = unused(".mine".join(os.path.splitext(mine)))
        put(mine, text, kept)
        happened(step, "given")
        say(f"{step}  {mine} is finished" + (f"; yours is {kept}" if kept else ""))


def _must_exist(exercise: Exercise) -> None:
    if not os.path.exists(exercise.mine):
        fail(
            f"there is no {exercise.mine}", f"`make {exercise.step} exercise` writes it"
        )


def _agrees(question: str) -> bool:
    """Asks once, if there is a terminal; ARGS=--yes answers."""
    if YES or not sys.stdin.isatty():
        return YES
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() in ("y", "Y", "yes")
