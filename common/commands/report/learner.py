"""What the learner has predicted, and how far the exercises are, from work/progress."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

from files import fail
from page import marked, table, text

KINDS = {"counted": "counted", "measured": "timed", "calls": "counted", "why": "asked"}


class Record(NamedTuple):
    """Lines of common/commands/exercise/record.py, which says what their fields are."""

    exercises: list[list[str]]
    guesses: list[list[str]]
    lost: list[str]


def read(steps: list[str]) -> Record:
    command = [sys.executable, "common/commands/exercise", "record"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        fail(f"cannot read {work()}/progress: {done.stderr.strip()}", "is it a text file?")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    chosen = [line[1:] for line in lines if line[1] in steps and line[0] == "exercise"]
    guesses = [line[1:] for line in lines if line[1] in steps and line[0] == "guess"]
    return Record(chosen, guesses, [line[1] for line in lines if line[0] == "lost"])


def work() -> str:
    return os.environ.get("LOCKSTEP_WORK") or "work"


def in_short(record: Record) -> str:
    passed = sum(line[1] == "passed" for line in record.exercises)
    outcomes = [line[6] for line in record.guesses if line[6]]
    right = outcomes.count("right")
    said = f"{passed} of {len(record.exercises)} exercises passed"
    return said + (f"; {right} of {len(outcomes)} predictions came true" if outcomes else "")


def predictions(record: Record) -> str:
    if not record.guesses:
        return "<p>Nothing was predicted yet: <code>make step05 predict</code> asks.</p>"
    rows = []
    for step, number, kind, question, guess, outcome, how, here, device in record.guesses:
        verdict = f'<span class="{how}">{how}</span>' if how else "not told yet"
        own = (
            here and f"{text(here)} ({'this GPU' if device == 'gpu' else 'a CPU, not scored'})"
        )
        asked = f"{marked(question)}"
        cells = [f"{step[len('step'):]}.{number}", asked, text(guess), text(outcome) or "–"]
        rows.append([*cells, verdict, own or "–"])
    titles = ["step", "question", "you said", "the answer", "", "measured here"]
    return table(titles, rows, "Predictions and outcomes", "lwllll")


def exercises(record: Record) -> str:
    rows = []
    for step, state, hints, of, right, asked, title, seen in record.exercises:
        said = f'<span class="{state}">{state}</span>' + (
            ", our solution was shown" * bool(seen)
        )
        cells = [step[len("step") :], marked(title), said, f"{hints} of {of}"]
        rows.append([*cells, f"{right} of {asked}"])
    notes = "".join(f"<p>{text(line)}.</p>" for line in record.lost)
    titles = ["step", "exercise", "state", "hints used", "predictions right"]
    return table(titles, rows, "Exercises", "lwl") + notes
