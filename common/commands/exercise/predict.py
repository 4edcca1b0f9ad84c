"""Questions of an exercise: each is guessed first, and then set beside what comes out.

The plain file says for each question what is counted, by the lens or in the step's
program, with its answer; or which two variants are measured: how many times slower than
the second the first is here; or, of a question that asks why, which answer is right."""

import csv
import re
import sys
from typing import NamedTuple

import lens
from counts import tally, wanted_of
from facts import BUILD, Exercise
from files import read
from progress import happened, last_value
from runs import plain_run, step_rows
from screen import fail, say, wrapped

CARDS = ("H200", "H100")  # whose stored results are looked at, in this order


class Question(NamedTuple):
    """One of the page's questions, with its line of the plain file, split at the
    bars."""

    number: int
    text: str
    answers: list[str]
    because: str
    kind: str
    arguments: str
    parts: list[str]


def questions(exercise: Exercise) -> list[Question]:
    facts = dict(line.split(None, 1) for line in exercise.facts("predict"))
    return [
        _question(number, item, facts.get(str(number), ""))
        for number, item in enumerate(exercise.items("Predict"), 1)
    ]


def _question(number: int, item: str, fact: str) -> Question:
    asked, _, because = item.partition(" - because: ")
    text, *answers = re.split(" - [abc]: ", asked)
    first, *parts = re.split(r" *[|] *", fact)
    kind, _, arguments = first.partition(" ")
    return Question(number, text, answers, because, kind, arguments, parts)


# ---- Outcomes.
def outcome(exercise: Exercise, question: Question, *more: str) -> str:
    """What comes out, as a learner would guess it; "" if nothing does."""
    if question.kind == "counted":
        return _counted(exercise, question)
    if question.kind == "measured":
        return _measured(exercise, question, *more)
    if question.kind == "calls":
        return _calls(exercise, question)
    return question.parts[0]


def _counted(exercise: Exercise, question: Question) -> str:
    program = [f"{BUILD}/{exercise.stem}", "--repeats", "1"]
    ran = plain_run([*lens.COMMAND, "--waits", *program], question.arguments)
    wanted = wanted_of(" | ".join([*question.parts[:3], "at least 0", "ours 0"]))
    found = tally(wanted, lens.rows(ran))
    if not found:
        return ""
    return f"{found.value(wanted):.{2 if wanted.is_mean else 0}f}".removesuffix(".00")


def _measured(exercise: Exercise, question: Question, *more: str) -> str:
    command = [f"{BUILD}/{exercise.stem}", "--format", "tsv"]
    ran = plain_run(command, " ".join([question.arguments, *more]))
    return _ratio(exercise, question, step_rows(ran))


def _ratio(exercise: Exercise, question: Question, rows: list[dict[str, str]]) -> str:
    """Median times, of the first variant to the second."""
    ms: dict[str, float] = {}
    for row in rows:
        if row["step"] == exercise.stem:
            ms.setdefault(row["variant"], float(row["median_ms"] or 0))
    first, second = (ms.get(variant, 0) for variant in question.parts[:2])
    return f"{first / second:.2f}" if first > 0 and second > 0 else ""


def on_a_gpu(exercise: Exercise, question: Question) -> tuple[str, str]:
    """The ratio of stored results, and whose they are."""
    for card in CARDS:
        lines = read(f"docs/results/nvidia-{card.lower()}.csv").splitlines()
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        found = _ratio(exercise, question, list(rows))
        if found:
            return found, card
    return "", ""


def _calls(exercise: Exercise, question: Question) -> str:
    """OpenCL calls that a function of the step's program makes in front of one of
    them."""
    inside, last = question.arguments, question.parts[0]
    count, here = 0, False
    for line in read(f"steps/{exercise.stem}.c").splitlines():
        here = here or (f" {inside}(" in line and line[:1].islower())
        if here and f"{last}(" in line:
            return str(count)
        if here:
            code = re.sub(r'"[^"]*"', "", re.sub(r"/\*.*", "", line))
            count += len(re.findall(r"cl[A-Z][A-Za-z]*\(", code))
    return ""


def agrees(guess: str, outcome: str, kind: str) -> bool:
    """A count within 2 %, times within a factor of 1.5, and a letter only with
    itself."""
    near = 1.5 if kind == "measured" else 1.02
    if guess == outcome:
        return True
    try:
        said, found = float(guess), float(outcome)
    except ValueError:
        return False
    return said == found or (
        said > 0 and found > 0 and said <= found * near and found <= said * near
    )


def holds(exercise: Exercise, number: int) -> str:
    """Does a question's page say what is counted, name rows that this device and the
    stored results have, or offer the answers a, b and c, of which one is right?  The
    outcome; "" if not."""
    question = questions(exercise)[number - 1]
    if question.kind == "measured":
        found, stored = (
            outcome(exercise, question, "--repeats 1"),
            on_a_gpu(exercise, question)[0],
        )
        return f"{found}, stored {stored}" if found and stored else ""
    found = outcome(exercise, question)
    if question.kind == "why":
        return (
            found if len(question.answers) == 3 and re.fullmatch("[abc]", found) else ""
        )
    return found if agrees(question.parts[-1], found, question.kind) else ""


# ---- What is asked, and told.
def predict(exercise: Exercise) -> None:
    """Asks the questions that are still open, then tells all outcomes."""
    asked = questions(exercise)
    if asked and _guess(exercise, asked[-1]):
        say("You have guessed already; your guesses stay.")
    for question in asked:
        if not _guess(exercise, question):
            _ask(exercise, question, len(asked))
    for question in asked:
        _tell(exercise, question)
    say(f"\nnext: make {exercise.step} exercise")


def _guess(exercise: Exercise, question: Question) -> str:
    return "".join(last_value(exercise.step, "predicted", question.number)[:1])


def _show(question: Question, title: str) -> None:
    say(wrapped(f"\n{title}{question.text}"))
    for letter, answer in zip("abc", question.answers):
        say(wrapped(f"   {letter}: {answer}"))


def _ask(exercise: Exercise, question: Question, asked: int) -> None:
    _show(question, f"question {question.number} of {asked}: ")
    why = question.kind == "why"
    expected = "a, b or c" if why else "a number"
    while True:
        say(f"your guess, {expected}: ", end="")
        line = sys.stdin.readline()
        if not line:
            say()
            fail(
                "a guess is missing",
                f"{asked} questions are asked: type {expected} here",
            )
        guess = line.strip()
        if (
            re.fullmatch("[abc]", guess)
            if why
            else re.fullmatch(r"(?=.*[0-9])[0-9]*\.?[0-9]*", guess)
        ):
            break
        say(
            "one of the letters a, b and c, please"
            if why
            else "a number, such as 32 or 1.5, please"
        )
    happened(exercise.step, "predicted", question.number, guess)


def _tell(exercise: Exercise, question: Question) -> None:
    guess, found = _guess(exercise, question), outcome(exercise, question)
    if not found:
        fail(
            f"question {question.number} has no outcome",
            f"does `make {exercise.step} run` work, and `make {exercise.step} lens`?",
        )
    right, where = agrees(guess, found, question.kind), "on your device"
    stored, card = (
        on_a_gpu(exercise, question) if question.kind == "measured" else ("", "")
    )
    if not right and stored and agrees(guess, stored, question.kind):
        right, where = (
            True,
            "for a GPU",
        )  # which the lesson is about, whatever a CPU's clock says
    how = "right" if right else "missed"
    if last_value(exercise.step, "outcome", question.number)[:1] != [found]:
        happened(exercise.step, "outcome", question.number, found, how)
    _show(question, f"{question.number}. ")
    line = f"   you said {guess:8} it is {in_words(found, question.kind):8} {how}"
    if question.kind == "measured":
        line += f", {where}" + (
            f"; {in_words(stored, 'measured')} on an NVIDIA {card}" if stored else ""
        )
    say(line)
    say(wrapped(f"   because {question.because}"))


def in_words(outcome: str, kind: str) -> str:
    """0.7 is not how many times slower it is."""
    if kind != "measured":
        return outcome
    slower = float(outcome)
    return (
        f"{1 / slower:.3g} times faster" if slower < 1 else f"{slower:.3g} times slower"
    )


def told(exercise: Exercise) -> str:
    """Guesses and outcomes, for the teacher."""
    lines = ""
    for question in questions(exercise):
        guess = _guess(exercise, question)
        found, *how = last_value(exercise.step, "outcome", question.number) or [""]
        is_known = (
            f"is {in_words(found, question.kind)}, {''.join(how[:1])}"
            if found
            else "not told yet: a later question is open"
        )
        if guess:
            lines += f"  {exercise.step} question {question.number}: said {guess}, {is_known}\n"
    return lines
