"""The learner's exercises: `make step05 check` runs

    python3 common/commands/exercise check step05

    learner   begins an exercise, gives hints, shows the solution, watches, catches up
    check     the stages of a check, one after another
    subject   the file that is looked at
    why       why it is wrong: where it differs from ours
    verdict   what a check says
    counts    what the lens counts, beside what is wanted
    source    numbers, lines of the preprocessor and compilers' errors in a source
    lens      what the lens says
    runs      runs a step or the lens, and sees to it that it ends
    predict   questions, guesses and answers
    order     lines to be put in order
    review    old questions again, some days later
    golf      points for kernels, by counts alone
    cards     what GPUs have measured, as it is stored
    progress  what happened so far
    handin    all of that, for the teacher
    form      what a hand-in looks like
    hands     the hand-ins of a room
    room      these on one screen
    projector these on a page
    record    the same for `make report`, which is a program
    parts     the learner's file, and its marked parts
    facts     the exercises, their pages and their plain files
    files     files of the learner
    screen    errors, and lines that fit a terminal
"""

import argparse
import io
import os
import signal
import sys
from typing import Callable

import learner
from check import check
from facts import Exercise, choose
from golf import golf
from handin import handin
from order import order
from parts import assemble
from plans import chosen_plan, steps_to_do
from predict import holds, predict, told
from progress import begun_last, count_right, table
from record import record
from review import review
from room import room
from screen import fail, say

ONE_AT_A_TIME: dict[str, Callable[[Exercise], None]] = {
    "exercise": learner.begin,
    "hint": learner.hint,
    "solution": learner.solution,
    "predict": predict,
    "order": order,
    "reset": learner.reset,
    "watch": learner.watch,
}


def chosen(command: str, steps: list[str]) -> list[str]:
    """These steps; without any, the one whose exercise was begun last."""
    steps = steps or [step for step in [begun_last()] if step]
    if not steps:
        fail(f"{command} needs a step", f"make step05 {command}, or first: make next")
    return steps


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="exercise", description="The learner's exercises."
    )
    parser.add_argument(
        "command",
        choices=[
            *ONE_AT_A_TIME,
            "check",
            "next",
            "progress",
            "catch-up",
            "handin",
            "room",
            "golf",
            "review",
            "assemble",
            "record",
        ],
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="STEP",
        help="as step05; `check` also takes a FILE, `assemble` a PAGE and a SECTION",
    )
    parser.add_argument(
        "--holds", type=int, metavar="N", help="of predict: is question N's page true?"
    )
    parser.add_argument(
        "--count-right",
        action="store_true",
        help="of predict: how many guesses came true",
    )
    parser.add_argument(
        "--told", action="store_true", help="of predict: guesses and outcomes"
    )
    asked = parser.parse_args()
    try:
        return obey(asked.command, asked.words, asked)
    except KeyboardInterrupt:
        if asked.command == "check":
            return 2
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)  # make says "Interrupt" then
        return 130


def obey(command: str, words: list[str], asked: argparse.Namespace) -> int:
    """Does what is asked, and returns the exit status."""
    if command == "check":
        return check_all(words)
    if command == "predict" and (asked.holds or asked.told or asked.count_right):
        return look_at_predictions(choose(words[0]), asked)
    if command in ONE_AT_A_TIME:
        for step in chosen(command, words):
            ONE_AT_A_TIME[command](choose(step))
    elif command == "assemble":
        say(assemble(choose(words[0]), *words[1:]), end="")
    elif command == "next":
        learner.next_one(*words[:1])
    elif command == "catch-up":
        learner.catch_up(*words[:1])
    elif command == "progress":
        say(table(steps_to_do(), chosen_plan()), end="")
    elif command == "record":
        say(record(), end="")
    elif command == "golf":
        golf(words)
    elif command == "review":
        review()
    elif command == "room":
        room()
    else:
        handin()
    return 0


def check_all(words: list[str]) -> int:
    """A step's own file; or another one, behind the step; or several steps, up to the
    first that does not pass."""
    if len(words) == 2 and words[1].endswith((".c", ".cl")):
        return check(*words)
    return next(filter(None, map(check, chosen("check", words))), 0)


def look_at_predictions(exercise: Exercise, asked: argparse.Namespace) -> int:
    if asked.count_right:
        say(str(count_right(exercise)))
    elif asked.told:
        say(told(exercise), end="")
    else:
        found = holds(exercise, asked.holds)
        if not found:
            return 1
        say(f"holds: {found}")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.chdir(os.path.join(os.path.dirname(__file__), "../../.."))
    sys.exit(main())
