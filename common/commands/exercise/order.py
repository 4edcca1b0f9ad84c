"""`make step05 order`: the lines of the exercise's kernel, shuffled, to be put in order.

One line more is among them, of a known mistake.  Which order is right is not a matter of
taste: an order that is not ours is put into the kernel and checked as any other file,
because two declarations may well change places."""

import difflib
import os
import random
import re
import sys
import time
from typing import NamedTuple, NoReturn

from check import judge
from facts import CLOSE, OPEN, Exercise
from files import put, read, scratch_folder
from progress import happened
from screen import fail, say, wrapped
from subject import Subject
from verdict import Verdict

MIN_LINES, MAX_LINES = 4, 14
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Puzzle(NamedTuple):
    """The lines as they are shown, and what is known of them."""

    above: list[str]  # of the file, before them and behind them
    below: list[str]
    lines: list[str]  # in the right order
    wrong: str  # the line of a mistake; "" if none has one
    name: str  # of the mistake, and what it is
    shuffled: list[str]


def order(exercise: Exercise) -> None:
    """Asks for the order until it is right, or nothing more is typed."""
    puzzle = _puzzle(exercise)
    _show(exercise, puzzle)
    while True:
        say("the letters, in order: ", end="")
        line = sys.stdin.readline()
        if not line:
            say()
            fail(
                "an order is missing",
                "type the letters of the lines here, as in c a d b",
            )
        letters = re.findall("[a-z]", line.lower())
        if _is_right(exercise, puzzle, letters):
            break
    happened(exercise.step, "ordered")
    say(f"right: now type them into {exercise.mine}")
    say(
        f"next: make {exercise.step} {'check' if os.path.exists(exercise.mine) else 'exercise'}"
    )


# ---- The puzzle.
def _puzzle(exercise: Exercise) -> Puzzle:
    if not exercise.ours.endswith(".cl"):
        _no_lines(exercise)
    text = read(exercise.ours).splitlines()
    first, last = _span(text)
    lines = [line for line in _without_comments(text[first:last]) if line.strip()]
    if not MIN_LINES <= len(lines) <= MAX_LINES:
        _no_lines(exercise)
    chance = random.Random(f"{exercise.step} {time.strftime('%Y-%m-%d')}")
    wrong, name = _wrong_line(exercise, lines, chance)
    shuffled = lines + ([wrong] if wrong else [])
    chance.shuffle(shuffled)
    return Puzzle(text[:first], text[last:], lines, wrong, name, shuffled)


def _no_lines(exercise: Exercise) -> NoReturn:
    fail(
        f"{exercise.step} has no lines to be put in order: its exercise is no short kernel",
        f"make {exercise.step} hint helps",
    )


def _span(text: list[str]) -> tuple[int, int]:
    """The body of the kernel with the first marked part; or this part alone, if the
    body is too long."""
    opened = next(i for i, line in enumerate(text) if OPEN in line)
    closed = next(i for i, line in enumerate(text) if CLOSE in line and i > opened)
    begin = max((i for i in range(opened) if text[i].endswith(") {")), default=0)
    end = next((i for i in range(closed, len(text)) if text[i] == "}"), 0)
    is_kernel = any(
        line.startswith("kernel ") for line in text[max(begin - 3, 0) : begin + 1]
    )
    body = [line for line in _without_comments(text[begin + 1 : end]) if line.strip()]
    if is_kernel and len(body) <= MAX_LINES:
        return begin + 1, end
    return opened + 1, closed


def _without_comments(lines: list[str]) -> list[str]:
    return re.sub(r" */\*.*?\*/", "", "\n".join(lines), flags=re.S).split("\n")


def _wrong_line(
    exercise: Exercise, lines: list[str], chance: random.Random
) -> tuple[str, str]:
    """A line that a known mistake has in place of one of these, and its name."""
    found: list[tuple[str, str]] = []
    text = read(f"tests/mistakes/{exercise.stem}.diff")
    for mistake in re.split("^== ", text, flags=re.M)[1:]:
        title, _, hunks = mistake.partition("\n")
        for old, new in re.findall(r"^-(.+)\n\+(.+)$", hunks, re.M):
            is_alike = difflib.SequenceMatcher(None, old, new).ratio() > 0.6
            if old in lines and new not in lines and is_alike:
                found.append((new, title.replace(" (race)", "")))
    return chance.choice(found) if found else ("", "")


# ---- What is shown, and judged.
def _show(exercise: Exercise, puzzle: Puzzle) -> None:
    headers = re.findall(r"^[a-zA-Z].*?(\w+)\(", "\n".join(puzzle.above), re.M)
    about = headers[-1] if headers else exercise.step
    extra = (
        "; one of them belongs to a known mistake, so leave it out"
        if puzzle.wrong
        else ""
    )
    say(wrapped(f"These are the lines of {about}, shuffled{extra}.") + "\n")
    for letter, line in zip(LETTERS, puzzle.shuffled):
        say(f"  {letter}  {line.strip()}")
    say()


def _is_right(exercise: Exercise, puzzle: Puzzle, letters: list[str]) -> bool:
    """Says what is wrong with it, if it is not right."""
    known = LETTERS[: len(puzzle.shuffled)]
    unknown = [letter for letter in letters if letter not in known]
    twice = [letter for letter in letters if letters.count(letter) > 1]
    if unknown or twice or len(letters) < len(puzzle.lines):
        said = (
            f"{unknown[0]} is no line"
            if unknown
            else f"{twice[0]} is there twice"
            if twice
            else ""
        )
        missing = f"{len(puzzle.lines)} lines are needed, and you gave {len(letters)}"
        say(said or missing)
        return False
    chosen = [puzzle.shuffled[known.index(letter)] for letter in letters]
    if chosen == puzzle.lines:
        return True
    if puzzle.wrong in chosen and puzzle.wrong:
        letter = known[puzzle.shuffled.index(puzzle.wrong)]
        say(wrapped(f"{letter} is the line of a known mistake: {puzzle.name}"))
        return False
    verdict = _checked(exercise, puzzle, chosen)
    if verdict.word in ("PASS", "NOT YET"):
        return True
    right = next(i for i, line in enumerate(chosen) if line != puzzle.lines[i])
    why = "these lines do not compile" if verdict.word == "BROKEN" else "not yet"
    say(f"{why}: {_are_right(right)}")
    return False


def _are_right(count: int) -> str:
    if count == 0:
        return "another line comes first"
    return (
        "the first line is right"
        if count == 1
        else f"the first {count} lines are right"
    )


def _checked(exercise: Exercise, puzzle: Puzzle, chosen: list[str]) -> Verdict:
    """The verdict on the kernel with its lines in that order."""
    text = "\n".join([*puzzle.above, *chosen, *puzzle.below]) + "\n"
    with scratch_folder() as scratch:
        path = f"{scratch}/{os.path.basename(exercise.ours)}"
        put(path, text)
        try:
            return judge(Subject(exercise, path, False, scratch, read(path)))
        except Verdict as found:
            return found
