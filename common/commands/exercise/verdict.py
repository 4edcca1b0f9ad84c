"""Verdicts, which are all that `check` says: at most 12 lines, and an exit status.

    0  PASS        all of it
    1  NOT YET     right, but not yet what the task asks for: its access pattern, say
       WRONG       a result is wrong, or an access is out of bounds
       RACE        work-items race, or do not all reach a barrier
    2  BROKEN      it does not compile
       NO VERDICT  something kept us from telling; that is never a pass

Below the word stand the task, what is known of results and races, and then what is to
be seen of the file itself, each behind its label."""

import os
import sys
from typing import Sequence, Union

from facts import Exercise
from lens import Line
from screen import beside, columns, fit, say

MAX_LINES, MAX_TEXT = 12, 120  # characters of what a program says
FIRST_COLUMN = 17  # of what stands beside the labels
WIDEST = 10000  # off a terminal, lines are not broken

STATUS = {"PASS": 0, "WRONG": 1, "RACE": 1, "NOT YET": 1, "BROKEN": 2, "NO VERDICT": 2}
GREEN, YELLOW, RED = 32, 33, 31
COLOURS = {"PASS": GREEN, "NOT YET": YELLOW, "NO VERDICT": YELLOW}  # red, the others

Details = Sequence[Union[str, Line]]  # what a program said, as it stands; or labelled


class Verdict(Exception):
    """Raised where it is found; nothing more is looked at then."""

    def __init__(
        self, word: str, what: str, details: Details = (), next: str = ""
    ) -> None:
        super().__init__(word, what)
        self.word, self.what, self.details, self.next = word, what, details, next


def no_verdict(what: str, details: Details = (), next: str = "") -> Verdict:
    return Verdict("NO VERDICT", what, details, next)


def show(verdict: Verdict, exercise: Exercise, known: Sequence[Line]) -> int:
    """Prints it, with what is known of the file apart from it; returns the exit
    status."""
    tasks = exercise.facts("rule") if verdict.word != "PASS" else []
    above = [*[("the task", task) for task in tasks], *known]
    labels = [line[0] for line in [*above, *verdict.details] if isinstance(line, tuple)]
    column = max(FIRST_COLUMN, *(len(f"  {label}  ") for label in labels), 0)
    head = fit(f"{verdict.word}  {exercise.step}: {verdict.what}").split("\n")
    head[0] = head[0].replace(verdict.word, _coloured(verdict.word), 1)
    for line in above:
        head += _shown(line, column)
    foot = fit(f"next: {verdict.next or f'make {exercise.step} hint'}").split("\n")
    details = [one for line in verdict.details for one in _shown(line, column)]
    say("\n".join(head + details[: MAX_LINES - len(head) - len(foot)] + foot))
    return STATUS[verdict.word]


def _shown(line: Union[str, Line], column: int) -> list[str]:
    """The lines that it takes here; none, if nothing is said."""
    if isinstance(line, str):
        text = f"  {line.removeprefix('error: ')}"[:MAX_TEXT]
        return fit(text).split("\n") if text.strip() else []
    label, text = line
    wide = columns() or WIDEST
    return beside(f"  {label}", text[:MAX_TEXT], column, wide).split("\n")


def _coloured(word: str) -> str:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if is_plain or not sys.stdout.isatty():
        return word
    return f"\033[{COLOURS.get(word, RED)}m{word}\033[m"


def last(number: int, text: str) -> list[str]:
    """The last lines of what was printed."""
    return text.rstrip("\n").split("\n")[-number:]
