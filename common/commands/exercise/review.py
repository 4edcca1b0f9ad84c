"""`make review`: three old questions a day.

What was guessed once is soon forgotten, so a question comes back: a day after it was
answered, then after 3 days, 7, 16 and 35, as long as it is answered rightly; after a wrong
answer it begins with a day again (docs/sources.md, Learning).  NOW=yes asks at once, for the
end of a workshop; then a right answer changes nothing."""

import datetime
import os
from typing import NamedTuple

from facts import Exercise, choose, steps_with_exercise
from predict import Question, agrees, figure, guess_of, questions, show_question
from progress import events, happened, last_value
from screen import beside, say, wrapped

DAYS = (1, 3, 7, 16, 35)  # until it comes back
A_DAY = 3  # questions


class Due(NamedTuple):
    """A question that was answered before, and when it is due."""

    date: datetime.date
    exercise: Exercise
    question: Question
    outcome: str


def review() -> None:
    """Asks what is due today, the longest due first; or what is due next, for all."""
    today = datetime.date.today()
    now = os.environ.get("NOW", "no") not in ("", "no")
    known = _known()
    due = sorted(
        (one for one in known if now or one.date <= today),
        key=lambda one: (one.date, one.exercise.step, one.question.number),
    )
    if not known:
        say("no question was answered yet; make step05 predict asks the first ones")
    elif not due:
        next_one = min(one.date for one in known)
        say(f"nothing is due today; the next question is due on {next_one}")
    for number, one in enumerate(due[:A_DAY], 1):
        _ask(one, f"{number} of {min(len(due), A_DAY)}, {one.exercise.step}: ")
    if len(due) > A_DAY:
        say(f"\n{len(due) - A_DAY} more are due: make review asks them")


def _known() -> list[Due]:
    """All questions whose outcome is known, because `predict` has told it."""
    found: list[Due] = []
    for exercise in map(choose, steps_with_exercise()):
        for question in questions(exercise):
            outcome = last_value(exercise.step, "outcome", question.number)[:1]
            if outcome:
                date = _due(exercise.step, question.number)
                found.append(Due(date, exercise, question, outcome[0]))
    return found


def _due(step: str, number: int) -> datetime.date:
    """So many days after the last answer as it was right in a row."""
    row, last = 0, "2000-01-01"
    for one in events():
        if one.step != step or one.what not in ("outcome", "reviewed"):
            continue
        if one.values[:1] != [str(number)]:
            continue
        last = one.date
        if one.what == "reviewed":
            row = row + 1 if one.values[-1] == "right" else 0
    days = DAYS[min(row, len(DAYS) - 1)]
    try:
        return datetime.date.fromisoformat(last) + datetime.timedelta(days)
    except (ValueError, OverflowError):  # a line that was changed by hand
        return datetime.date.min


def _ask(one: Due, title: str) -> None:
    question, step = one.question, one.exercise.step
    show_question(question, title)
    guess = guess_of(question)
    how = "right" if agrees(guess, one.outcome, question.kind) else "missed"
    if how == "missed" or one.date <= datetime.date.today():
        happened(step, "reviewed", question.number, guess, how)
    shown = figure(one.outcome) if question.kind == "measured" else one.outcome
    say(beside("   the answer", f"{shown:8} {how}", 16))
    say(beside("   because", question.because, 16))
    if how == "missed":
        say(
            wrapped(
                f"   docs/{one.exercise.stem}.md explains it; it is asked again tomorrow"
            )
        )
