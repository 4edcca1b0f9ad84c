"""What the learner has done, for `make report`: lines of fields with tabs between them.

    exercise  STEP  STATE  HINTS  OF  RIGHT  ASKED  TITLE  yes, if our solution was shown
    guess     STEP  NUMBER  KIND  QUESTION  GUESS  OUTCOME  right, missed or ""  HERE  DEVICE
                        of a question with three answers, guess and outcome have their words;
                        HERE is what this device has measured, and DEVICE cpu or gpu
    lost      TEXT      of lines that cannot be read"""

from facts import Exercise, choose, steps_with_exercise
from predict import Question, in_words, questions
from progress import (
    FILE,
    FORM,
    count_right,
    how_often,
    last_value,
    lost,
    solution_seen,
    state,
)


def record() -> str:
    lines: list[list[str]] = []
    for exercise in map(choose, steps_with_exercise()):
        lines.append(_exercise(exercise))
        lines += [_guess(exercise, question) for question in questions(exercise)]
    unread = lost(FILE, FORM).strip("()\n")
    lines += [["lost", unread]] if unread else []
    return "".join("\t".join(line) + "\n" for line in lines if line)


def _exercise(exercise: Exercise) -> list[str]:
    step = exercise.step
    of = (
        len(exercise.items("Hints")),
        count_right(exercise),
        len(exercise.items("Predict")),
    )
    seen = "yes" if solution_seen(step) else ""
    counts = map(str, (how_often(step, "hint"), *of))
    return ["exercise", step, state(step), *counts, exercise.title, seen]


def _guess(exercise: Exercise, question: Question) -> list[str]:
    """Nothing, if nothing was guessed."""
    step, number = exercise.step, question.number
    guess = last_value(step, "predicted", number)[:1]
    if not guess:
        return []
    found, how = (last_value(step, "outcome", number) + ["", ""])[:2]
    here, device = (last_value(step, "here", number) + ["", ""])[:2]
    said = [_answer(question, guess[0]), _answer(question, found), how]
    own = [_ratio(here), device]
    return ["guess", step, str(number), question.kind, question.text, *said, *own]


def _answer(question: Question, value: str) -> str:
    """b: its words; 4.38 times slower."""
    letters = dict(zip("abc", question.answers))
    if value in letters:
        return f"{value}: {letters[value]}"
    return _ratio(value) if question.kind == "measured" else value


def _ratio(value: str) -> str:
    """A guess may be 0, and a file may be changed by hand."""
    try:
        return in_words(value, "measured")
    except (ValueError, ZeroDivisionError):
        return value
