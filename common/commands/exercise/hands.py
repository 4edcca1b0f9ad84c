"""What a room has handed in: files are read, those that are damaged are named, and of all
others it is counted how far they are, what most have missed, and which devices there are."""

import os
import re
import shlex
from collections import Counter
from glob import escape, glob
from typing import NamedTuple, Optional

import form
from facts import choose, steps_with_exercise
from predict import Question, figure, questions
from screen import fail

MAX_SAID = 2  # wrong answers of a question


class Missed(NamedTuple):
    """A question, and what the room has guessed."""

    step: str
    number: int
    text: str
    guesses: int
    missed: int
    right: str  # the answer; "" if it differs from device to device
    said: list[tuple[str, int]]  # what was most often said wrongly


class Room(NamedTuple):
    handins: list[form.HandIn]
    damaged: list[tuple[str, str]]  # file, and why
    odd: list[tuple[str, str]]


# ---- Files.
def files_of(patterns: str) -> list[str]:
    """All that the patterns match; of a folder, what is in it."""
    files: list[str] = []
    for pattern in shlex.split(patterns):
        matched = sorted(glob(pattern))
        if not matched:
            fail(f"no file is called {form.shown(pattern)}", "make room FILES='in/*'")
        for path in matched:
            files += sorted(glob(f"{escape(path)}/*")) or [path]
    return list(dict.fromkeys(files))


def in_order(name: str) -> list[tuple[int, str]]:
    """So that table2 comes before table10."""
    parts = re.findall("[0-9]+|[^0-9]+", name)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def read_all(files: list[str]) -> Room:
    handins: list[form.HandIn] = []
    damaged: list[tuple[str, str]] = []
    odd: list[tuple[str, str]] = []
    for path in files:
        name = form.shown(os.path.basename(path))
        try:
            handin = form.read(_bytes(path))
        except (OSError, form.Damaged) as why:
            text = why.strerror if isinstance(why, OSError) else str(why)
            damaged.append((name, text or "it cannot be read"))
            continue
        if handin.name in ("", "-"):
            handin.name = name.removesuffix(".txt")
        before = [one.name for one in handins]
        while handin.name in before:
            odd.append(
                (
                    name,
                    f"is shown as {handin.name}', since another one is of {handin.name}",
                )
            )
            handin.name += "'"
        odd += [(handin.name, note) for note in handin.notes]
        handins.append(handin)
    handins.sort(key=lambda one: in_order(one.name))
    return Room(handins, damaged, odd)


def _bytes(path: str) -> bytes:
    """A pipe would never end."""
    if not os.path.isfile(path):
        raise form.Damaged("it is no file")
    with open(path, "rb") as file:
        return file.read(form.LARGEST + 1)


# ---- What the room has done.
def steps_of(handins: list[form.HandIn]) -> list[str]:
    """The exercises that at least one has begun."""
    begun = {one.step for handin in handins for one in handin.exercises}
    return [step for step in steps_with_exercise() if step in begun]


def cell(handin: form.HandIn, step: str) -> str:
    """How far one is: "+" passed; "2" with two hints; "s" after our solution was shown;
    "g" a finished file was given; "o" begun; "." not begun."""
    found: Optional[form.Exercise] = None
    for one in handin.exercises:
        found = one if one.step == step else found
    if not found:
        return "."
    if found.state != "passed":
        return {"given": "g", "started": "o"}[found.state]
    if found.solution == "seen":
        return "s"
    return str(min(found.hints, 9)) if found.hints else "+"


def missed(handins: list[form.HandIn]) -> list[Missed]:
    """The questions that were guessed, those that most have missed first."""
    each: dict[tuple[str, int], list[form.Guess]] = {}
    for handin in handins:
        for guess in handin.guesses:
            if guess.how != "open":
                each.setdefault((guess.step, guess.number), []).append(guess)
    known = steps_with_exercise()
    found = [
        _missed(step, number, guesses)
        for (step, number), guesses in each.items()
        if step in known
    ]
    return sorted(
        found, key=lambda one: (-one.missed / one.guesses, -one.guesses, one.step)
    )


def _missed(step: str, number: int, guesses: list[form.Guess]) -> Missed:
    wrong = [guess for guess in guesses if guess.how == "missed"]
    said = Counter(guess.said for guess in wrong).most_common(MAX_SAID)
    outcomes = {guess.outcome for guess in guesses}
    right = figure(outcomes.pop()) if len(outcomes) == 1 else ""
    asked = [one for one in questions(choose(step)) if one.number == number]
    text = _short(asked[0]) if asked else ""
    return Missed(step, number, text, len(guesses), len(wrong), right, said)


def _short(question: Question) -> str:
    """Its last sentence, which asks."""
    return question.text.rsplit(". ", 1)[-1].replace("*", "").replace("`", "")


def devices(handins: list[form.HandIn]) -> list[tuple[form.Device, list[str]]]:
    """Each, with its owners; the fastest first."""
    owners: dict[form.Device, list[str]] = {}
    for handin in handins:
        owners.setdefault(handin.device, []).append(handin.name)
    return sorted(owners.items(), key=lambda one: -one[0].gb_per_s)
