"""Questions of an exercise: each is guessed first, and then compared with the answer.

The plain file says for each question what is counted, by the lens or in the step's
program, with its answer; or which two variants are measured: how many times slower than
the second the first is; or, of a question that asks why, which answer is right.

The lessons are about GPUs.  So a question about times asks for those that are stored in
docs/results/, and what a CPU measures is shown below the answer, and is not scored.  On
a GPU its own times are scored in place of the stored ones.  What was counted or measured
for a guess is noted in work/progress, and shown again when the learner asks again."""

import math
import re
import sys
from typing import NamedTuple, NoReturn

import lens
from cards import pair, stored
from counts import tally, wanted_of
from facts import BUILD, Exercise
from files import read
from progress import happened, last_value
from runs import StepRow, on_a_gpu, plain_run, step_rows
from screen import beside, fail, say, wrapped


class Question(NamedTuple):
    """One of the page's questions, with its line of the plain file, split at the
    bars."""

    number: int
    text: str
    answers: list[str]
    because: str
    on_a_cpu: str  # what a CPU does; "..." stands for what it has measured
    kind: str
    arguments: str
    parts: list[str]


class Own(NamedTuple):
    """What the reader's device has measured; "" if it could not."""

    ratio: str
    device: str  # cpu or gpu
    unclear: bool  # is the ratio within the noise of so few launches?


def questions(exercise: Exercise) -> list[Question]:
    facts = dict(line.split(None, 1) for line in exercise.facts("predict"))
    return [
        _question(number, item, facts.get(str(number), ""))
        for number, item in enumerate(exercise.items("Predict"), 1)
    ]


def _question(number: int, item: str, fact: str) -> Question:
    asked, _, because = item.partition(" - because: ")
    because, _, on_a_cpu = because.partition(" - on a CPU: ")
    text, *answers = re.split(" - [abc]: ", asked)
    first, *parts = re.split(r" *[|] *", fact)
    kind, _, arguments = first.partition(" ")
    return Question(number, text, answers, because, on_a_cpu, kind, arguments, parts)


# ---- Answers.
def answer(exercise: Exercise, question: Question) -> str:
    """What is right, as a learner would guess it, of all but times; "" if nothing is."""
    if question.kind == "counted":
        return _counted(exercise, question)
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


def _times(exercise: Exercise, question: Question, *more: str) -> Own:
    """A CPU has the question's size, and a GPU its own, at which it has enough to do."""
    command = [f"{BUILD}/{exercise.stem}", "--format", "tsv"]
    rows = step_rows(plain_run(command, " ".join([question.arguments, *more])))
    is_gpu = on_a_gpu(rows)
    if is_gpu:
        arguments = re.sub("--size [0-9]+ ?", "", question.arguments)
        rows = step_rows(plain_run(command, " ".join([arguments, *more])))
    both = pair(rows, exercise.stem, question.parts)
    return Own(times_slower(both), "gpu" if is_gpu else "cpu", _unclear(both))


def times_slower(both: list[StepRow]) -> str:
    """How many times slower the first is; "" without rows."""
    ms = [float(row["median_ms"]) for row in both]
    return f"{ms[0] / ms[1]:.2f}" if ms else ""


def _unclear(both: list[StepRow]) -> bool:
    """Was a launch of the slower one as fast as half of the other's launches?"""
    if not both:
        return False
    faster, slower = sorted(both, key=lambda row: float(row["median_ms"]))
    return float(slower["fastest_ms"]) <= float(faster["median_ms"])


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
    """Does a question's page say what is counted; or does it ask about the card whose
    rows are stored, at their size, and are these rows of this device, too; or offer the
    answers a, b and c, of which one is right?  The answer; "" if not."""
    question = questions(exercise)[number - 1]
    if question.kind == "measured":
        there = stored(exercise.stem, question.parts)
        own = _times(exercise, question, "--repeats 1")
        sizes = {int(row["size"]) for row in there.rows}
        asks = re.search(f"[Aa]n NVIDIA {there.card}[^0-9]", question.text)
        if not asks or not sizes & _numbers(question.text) or not own.ratio:
            return ""
        found = f"{own.ratio}, stored {times_slower(there.rows)}"
        return found if question.on_a_cpu.count(" ... here") == 1 else ""
    found = answer(exercise, question)
    if question.kind == "why":
        is_one_of = re.fullmatch("[abc]", found) and len(question.answers) == 3
        return found if is_one_of else ""
    return found if agrees(question.parts[-1], found, question.kind) else ""


def _numbers(text: str) -> set[int]:
    """Those of a text, such as 4,096; and 16,777,216 where it says 4,096 x 4,096."""
    found = re.findall("[0-9][0-9,]*(?: x [0-9][0-9,]*)*", text)
    sides = ([int(side.replace(",", "")) for side in one.split(" x ")] for one in found)
    return {math.prod(one) for one in sides}


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
    say()
    for note in _notes(exercise, asked):
        say(wrapped(note))
    say(f"next: make {exercise.step} exercise")


def _notes(exercise: Exercise, asked: list[Question]) -> list[str]:
    """Where the answers come from, each source once."""
    notes: list[str] = []
    for question in asked:
        if question.kind == "counted":
            notes.append(
                f"counted: by the lens, lane by lane (make {exercise.step} lens)"
            )
        if question.kind == "measured":
            there = stored(exercise.stem, question.parts)
            if there.rows:
                notes.append(f"NVIDIA {there.card}: stored times of {there.date}")
    return list(dict.fromkeys(notes))


def _guess(exercise: Exercise, question: Question) -> str:
    return "".join(last_value(exercise.step, "predicted", question.number)[:1])


def show_question(question: Question, title: str) -> None:
    """The question, and below it the answers of one that asks why."""
    say(wrapped(f"\n{title}{question.text}"))
    for letter, answer in zip("abc", question.answers):
        say(wrapped(f"   {letter}: {answer}"))


def _ask(exercise: Exercise, question: Question, asked: int) -> None:
    show_question(question, f"question {question.number} of {asked}: ")
    guess = guess_of(question)
    happened(exercise.step, "predicted", question.number, guess)


def guess_of(question: Question) -> str:
    """What is typed, as soon as it is a guess."""
    why = question.kind == "why"
    expected = "a, b or c" if why else "a number"
    while True:
        say(f"your guess, {expected}: ", end="")
        line = sys.stdin.readline()
        if not line:
            say()
            fail("a guess is missing", f"type {expected} here, for each question")
        guess = line.strip()
        if (
            re.fullmatch("[abc]", guess)
            if why
            else re.fullmatch(r"(?=.*[0-9])[0-9]*\.?[0-9]*", guess)
        ):
            return guess
        say(
            "one of the letters a, b and c, please"
            if why
            else "a number, such as 32 or 1.5, please"
        )


def _tell(exercise: Exercise, question: Question) -> None:
    guess = _guess(exercise, question)
    show_question(question, f"{question.number}. ")
    _line("you said", guess)
    if question.kind == "measured":
        _tell_times(exercise, question, guess)
    else:
        found = _noted(exercise, question, "outcome")[0] or answer(exercise, question)
        if not found:
            _fail_without_answer(exercise, question)
        how = _score(exercise, question, guess, found)
        label = "counted" if question.kind == "counted" else "the answer"
        _line(label, f"{found:8} {how}")
        _line("because", question.because)


def _tell_times(exercise: Exercise, question: Question, guess: str) -> None:
    """The stored answer, and the device's own."""
    there, own = stored(exercise.stem, question.parts), _own(exercise, question)
    ratio = times_slower(there.rows)
    scored = own.ratio if own.device == "gpu" else ratio
    if not scored:
        _fail_without_answer(exercise, question)
    how = _score(exercise, question, guess, scored)
    if how == "right":
        how += " (within a factor of 1.5)"
    here = f"{figure(own.ratio):8} {how}"
    if ratio:
        told = f"{figure(ratio):8} {how if own.device == 'cpu' else ''}"
        _line(f"NVIDIA {there.card}", told.rstrip())
    _line("because", question.because)
    if own.device == "gpu":
        _line("this GPU", here)
    elif own.ratio:
        compared = question.on_a_cpu.replace("...", _compared(own), 1)
        _line("this CPU", f"{compared} Not scored.")
    else:
        _line(
            "this CPU", f"nothing was measured: does `make {exercise.step} run` work?"
        )


def _own(exercise: Exercise, question: Question) -> Own:
    """What was measured for the guess; measured now, if nothing was yet."""
    ratio, device = _noted(exercise, question, "here")
    if ratio:
        noted = last_value(exercise.step, "here", question.number)
        return Own(ratio, device, "unclear" in noted)
    own = _times(exercise, question)
    if own.ratio:
        unclear = ["unclear"] if own.unclear else []
        happened(exercise.step, "here", question.number, *own[:2], *unclear)
    return own


def _noted(exercise: Exercise, question: Question, what: str) -> tuple[str, str]:
    first, second = (last_value(exercise.step, what, question.number) + ["", ""])[:2]
    return first, second


def _score(exercise: Exercise, question: Question, guess: str, found: str) -> str:
    """Is the guess right?  Notes that, if it is new."""
    how = "right" if agrees(guess, found, question.kind) else "missed"
    if _noted(exercise, question, "outcome") != (found, how):
        happened(exercise.step, "outcome", question.number, found, how)
    return how


def _line(label: str, text: str) -> None:
    say(beside(f"   {label}", text, 16))


def _fail_without_answer(exercise: Exercise, question: Question) -> NoReturn:
    fail(
        f"question {question.number} has no answer",
        f"does `make {exercise.step} run` work, and `make {exercise.step} lens`?",
    )


def figure(ratio: str, digits: int = 3) -> str:
    """A ratio, with so many digits that say something: 4.38, 151 and 1017."""
    try:
        value = float(ratio)
    except ValueError:
        return ratio
    return f"{value:.0f}" if value >= 100 else f"{value:.{digits}g}"


def _compared(own: Own) -> str:
    """How many times slower, of a device's few launches: the third digit is chance, and
    so is a tenth."""
    ratio = float(own.ratio)
    if 1 / 1.1 <= ratio <= 1.1:
        return "about as fast"
    if own.unclear:
        return "not clearly faster or slower"
    if ratio < 1:
        return f"{figure(str(1 / ratio), 2)} times FASTER"
    return f"{figure(str(ratio), 2)} times slower"


def in_words(outcome: str, kind: str) -> str:
    """0.7 is not how many times slower it is."""
    if kind != "measured":
        return outcome
    slower = float(outcome)
    return (
        f"{figure(str(1 / slower))} times faster"
        if slower < 1
        else f"{figure(outcome)} times slower"
    )


def told(exercise: Exercise) -> str:
    """Guesses and outcomes, for the teacher."""
    lines = ""
    for question in questions(exercise):
        guess = _guess(exercise, question)
        found, how = _noted(exercise, question, "outcome")
        is_known = (
            f"is {in_words(found, question.kind)}, {how}"
            if found
            else "not told yet: a later question is open"
        )
        if guess:
            lines += f"  {exercise.step} question {question.number}: said {guess}, {is_known}\n"
    return lines
