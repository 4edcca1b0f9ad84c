"""Verdicts, which are all that `check` says: at most 12 lines, and an exit status.

    0  PASS        all of it
    1  WRONG       a result is wrong, or an access is out of bounds
       RACE        work-items race, or do not all reach a barrier
       SHAPE       right, but not of the shape that was asked for: its access pattern, say
    2  BROKEN      it does not compile
       NO VERDICT  something kept us from telling; that is never a pass"""

from typing import Sequence

from facts import Exercise
from screen import fit, say

MAX_DETAILS, MAX_WIDTH = 9, 120  # lines, and characters of a line

STATUS = {"PASS": 0, "WRONG": 1, "RACE": 1, "SHAPE": 1, "BROKEN": 2, "NO VERDICT": 2}


class Verdict(Exception):
    """Raised where it is found; nothing more is looked at then."""

    def __init__(
        self, word: str, what: str, details: Sequence[str] = (), next: str = ""
    ) -> None:
        super().__init__(word, what)
        self.word, self.what, self.details, self.next = word, what, details, next


def no_verdict(what: str, details: Sequence[str] = (), next: str = "") -> Verdict:
    return Verdict("NO VERDICT", what, details, next)


def show(verdict: Verdict, exercise: Exercise) -> int:
    """Prints it, and returns the exit status."""
    lines = [f"{verdict.word}  {exercise.step}: {verdict.what}"]
    if verdict.word != "PASS":
        lines += [f"  rule  {rule}" for rule in exercise.facts("rule")]
    details = [
        f"  {line.removeprefix('error: ')}"[:MAX_WIDTH]
        for line in verdict.details
        if line.strip(" ")
    ]
    lines += details[:MAX_DETAILS]
    lines.append(f"next: {verdict.next or f'make {exercise.step} hint'}")
    say(fit("\n".join(lines)))
    return STATUS[verdict.word]


def last(number: int, text: str) -> list[str]:
    """The last lines of what was printed."""
    return text.rstrip("\n").split("\n")[-number:]
