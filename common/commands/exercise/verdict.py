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
COLUMN = 17  # in which what stands beside the labels begins
NAME = "looks like"  # a known mistake
WIDEST = 10000  # off a terminal, lines are not broken

STATUS = {"PASS": 0, "WRONG": 1, "RACE": 1, "NOT YET": 1, "BROKEN": 2, "NO VERDICT": 2}
GREEN, YELLOW, RED = 32, 33, 31
COLOURS = {"PASS": GREEN, "NOT YET": YELLOW, "NO VERDICT": YELLOW}  # red, the others

Details = Sequence[Union[str, Line]]  # what a program said, as it stands; or labelled


class Verdict(Exception):
    """Raised where it is found; nothing more is looked at then."""

    def __init__(
        self,
        word: str,
        what: str,
        details: Details = (),
        next: str = "",
        see: str = "",
    ) -> None:
        super().__init__(word, what)
        self.word, self.what, self.details, self.next = word, what, details, next
        self.see = see  # a command that shows the same


def no_verdict(what: str, details: Details = (), next: str = "") -> Verdict:
    return Verdict("NO VERDICT", what, details, next)


def show(verdict: Verdict, exercise: Exercise, known: Sequence[Line]) -> int:
    """Prints it, with what is known of the file apart from it; returns the exit
    status."""
    tasks = exercise.facts("rule") if verdict.word != "PASS" else []
    above = [*[("the task", task) for task in tasks], *known]
    head = fit(f"{verdict.word}  {exercise.step}: {verdict.what}").split("\n")
    head[0] = head[0].replace(verdict.word, _coloured(verdict.word), 1)
    for line in above:
        head += _shown(line, WIDEST)
    foot = _shown(("see it", verdict.see), WIDEST) if verdict.see else []
    foot += fit(f"next: {verdict.next or f'make {exercise.step} hint'}").split("\n")
    details = _cut(verdict.details, MAX_LINES - len(head) - len(foot))
    say("\n".join(head + details + foot))
    return STATUS[verdict.word]


def height(details: Details) -> int:
    """How many lines they take here."""
    return sum(len(_shown(line)) for line in details)


def _cut(details: Details, room: int) -> list[str]:
    """As many of the lines as there is room for; the name of a mistake comes last, and
    is worth more than what stands before it."""
    shown = [_shown(line) for line in details]
    name = shown.pop() if any(line[:1] == (NAME,) for line in details[-1:]) else []
    return [one for lines in shown for one in lines][: max(room - len(name), 0)] + name


def _shown(line: Union[str, Line], most: int = MAX_TEXT) -> list[str]:
    """The lines that it takes here; none, if nothing is said."""
    if isinstance(line, str):
        text = _short(f"  {line.removeprefix('error: ')}", most)
        return fit(text).split("\n") if text.strip() else []
    label, text = line
    wide = columns() or WIDEST
    return beside(f"  {label}", _short(text, most), COLUMN, wide).split("\n")


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _coloured(word: str) -> str:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if is_plain or not sys.stdout.isatty():
        return word
    return f"\033[{COLOURS.get(word, RED)}m{word}\033[m"


def last(number: int, text: str) -> list[str]:
    """The last lines of what was printed."""
    return text.rstrip("\n").split("\n")[-number:]
