"""The texts of the pack, in Markdown: out of docs/workshop.md and the exercises."""

from __future__ import annotations

import re
import zlib
from math import log
from textwrap import dedent

import plans
from cards import stored
from facts import CLOSE, OPEN, Exercise, choose, steps_with_exercise
from files import read
from predict import Question, figure, questions, times_slower

WORKSHOP = "docs/workshop.md"


def steps_of(plan: str) -> list[str]:
    """All steps that a plan has, also those that are only shown."""
    return list(dict.fromkeys(row.step for row in plans.rows_of(plan) if row.step))


def for_beginners(steps: list[str]) -> bool:
    """The opening has the words that step 05 needs."""
    return "step05" in steps


def of_page(path: str) -> str:
    return without_links(read(path))


def without_links(text: str) -> str:
    """On paper, and beside other pages, a link into docs/ leads nowhere."""
    return re.sub(r"\[([^]]+)\]\((?!http)[^)\s]*\)", r"\1", text)


# ---- The teacher's page.
def teacher(plan: str, steps: list[str]) -> str:
    """The timetable, what to do when it goes wrong, and the steps in their order."""
    text = f"# {plans.NAMES[plan]}: for the teacher\n\n"
    text += _section(f"### {plans.NAMES[plan]}") + "\n\n"
    text += "\n\n".join(
        "#" + _section(title) if title.startswith("## ") else _section(title)
        for title in ("## How a step goes", "## If something goes wrong")
    )
    known = steps_with_exercise()
    for step in steps:
        text += "\n\n## " + _card(step)
        if step in known:
            text += "\n\n" + _exercise(choose(step))
    return without_links(text) + "\n"


def _section(title: str) -> str:
    """A section of the workshop's page, with its title."""
    depth = len(title.split(" ")[0])
    found = re.search(
        rf"^{re.escape(title)}\n.*?(?=^#{{2,{depth}}} |\Z)", read(WORKSHOP), re.M | re.S
    )
    return found[0].rstrip() if found else ""


def _card(step: str) -> str:
    """What the page says of a step: misconception, drawing, questions, where one sticks."""
    number = step.removeprefix("step")
    found = re.search(
        rf"^### ({number} .*?)\n(.*?)(?=^###? |\Z)", read(WORKSHOP), re.M | re.S
    )
    return f"{found[1]}\n{found[2].rstrip()}" if found else number


def _exercise(exercise: Exercise) -> str:
    """What the learners have to do, and the parts of our file that they have to write."""
    marked = re.findall(
        rf"^ *{re.escape(OPEN)}\n(.*?)\n *{re.escape(CLOSE)}",
        read(exercise.ours),
        re.M | re.S,
    )
    code = "\n...\n".join(map(dedent, marked))
    task = "\n".join(exercise.section())
    title = exercise.title + ("" if exercise.title.endswith("?") else ".")
    return f"**Exercise: {title}** {task}\n\n**Ours:**\n\n```c\n{code}\n```"


# ---- Questions as slides.
def questions_of(steps: list[str]) -> str:
    """A slide with the question and four answers to vote on, then one with the right one."""
    slides = ["# Guess first\n\nVote, talk to your neighbour, vote again."]
    for exercise in map(choose, [one for one in steps if one in steps_with_exercise()]):
        for question in questions(exercise):
            votes = dict(vote.split(" ", 1) for vote in exercise.facts("vote"))
            found = _options(exercise.stem, question, votes.get(str(question.number), ""))
            if found:
                slides += _two_slides(exercise.step, question, *found)
    return "\n\n".join(slides) + "\n"


def _two_slides(step: str, question: Question, options: list[str], right: int) -> list[str]:
    head = f"# Step {step.removeprefix('step')}, question {question.number}"
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(options, 1))
    answer = f"**{'ABCD'[right]}**: {options[right]}\n\nBecause {question.because}"
    return [f"{head}\n\n{question.text}\n\n{listed}", f"{head}: the answer\n\n{answer}"]


def _options(stem: str, question: Question, votes: str) -> tuple[list[str], int] | None:
    """Answers to vote on, and the place of the right one: those of the page; or the right
    number among those that the plain file has for votes; or among others that are twice,
    or of times four times, as large or as small."""
    if question.kind == "why":
        return question.answers, "abc".index(question.parts[0])
    if question.kind == "measured":
        value = times_slower(stored(stem, question.parts).rows)
    else:
        value = question.parts[-1]
    try:
        number = float(value)
    except ValueError:
        return None
    numbers = sorted([number, *(float(vote) for vote in votes.split("|") if vote.strip())])
    if len(numbers) == 1:
        step = 4.0 if question.kind == "measured" else 2.0
        least = 1 if number / step > 1 else 0  # nothing is 0.3 times slower
        place = min(least + zlib.crc32(question.text.encode()) % 2, int(log(number, step)))
        numbers = [number * step ** (i - place) for i in range(4)]
    return [_number(one) for one in numbers], numbers.index(number)


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"about {figure(str(value), 2)}"


# ---- What there is.
def index(plan: str, shown: list[str], with_packages: bool) -> str:
    text = f"# Lockstep: {plans.NAMES[plan]}\n\n"
    text += (
        "- [For the teacher](teacher.html): the timetable, and step by step what to ask and draw\n"
        f"- For all: `make next PLAN={plan}` goes through its exercises\n"
        "- [Questions as slides](slides.html), with answers to vote on: arrow keys\n"
        "- [The card](card.html): print one for each learner\n"
        "- [For those who take part](learners.html): send it a week before\n"
    )
    if for_beginners(shown):
        text += "- [An opening of five minutes](opening.html), to be said aloud\n"
    for step in shown:
        text += f"- [Step {step.removeprefix('step')}, lane by lane](lens/{step}.html)\n"
    text += "- [The repository](lockstep.tar.gz): `tar xzf lockstep.tar.gz`\n"
    if with_packages:
        text += (
            "- debs/: packages for laptops with this system and without a network: "
            "`sudo apt-get install --no-download ./debs/*.deb`\n"
        )
    return text
