"""Why is it wrong?  Where a file's kernels differ from ours, and which known mistake
they match."""

import os
import re
from glob import escape, glob

import lens
from facts import BUILD
from files import read
from parts import changed_elsewhere
from runs import PATIENCE, Run
from subject import Subject
from verdict import NAME, Details, last

NAMES = os.environ.get("NAMES") != "no"
AS_OURS = (
    "replayed by it, the file does what ours does; "
    "does another device agree (make devices)?"
)


def compare_with_ours(
    subject: Subject, arguments: str, ran: Run, details: Details
) -> tuple[str, Details]:
    """Where the learner's kernels differ from ours, and which known mistake they match;
    WRONG or RACE.  A wrong result may come of a race: the lens sees that, whatever the
    luck was.

    What the step itself says comes first, in its own words: "the sum is 5, expected
    7".  Where the lens cannot look, the details stay as they are."""
    if not NAMES:
        return "WRONG", details
    told = re.search("^wrong: (.*)", ran.err, re.M)
    options = ["--ours", subject.exercise.kernels]
    for file in known_mistakes(subject):
        options += ["--mistake", file]
    # All these files may have to be compiled.
    compared = subject.lens(arguments, *options, patience=5 * PATIENCE)
    seen = explained(compared, told[1] if told else "")
    if seen:
        results: list[lens.Line] = [("results", told[1])] if told else []
        details = [*results, *seen]
    details = details or last(3, compared.err)  # why the lens could not look
    details = [*details, *name_of(subject, lens.matched_file(compared))]
    return "RACE" if lens.found_race(compared) else "WRONG", details


def known_mistakes(subject: Subject) -> list[str]:
    """The mistakes that can be the file's: what is as ours elsewhere has none from
    there."""
    exercise = subject.exercise
    files = sorted(glob(f"{escape(BUILD)}/mistakes/{exercise.stem}.*.cl"))
    if not subject.same_elsewhere or not exercise.ours.endswith(".cl"):
        return files
    ours = read(exercise.ours)
    return [file for file in files if not changed_elsewhere(ours, read(file))]


def explained(compared: Run, told: str) -> list[lens.Line]:
    """What differs from ours first, beside what the step itself says is wrong.

    the sum is 5, expected 7     sums[0] is 3, ours has 2     which work-item adds what
                                                              is free: 3 may be right
    line 2944, character 1 ...   text[9] is 960051513, ...    these are characters
    """
    if lens.found_no_difference(compared):
        return [("the lens", AS_OURS)]
    seen = lens.differences(compared)[:7]
    difference = lens.first_difference(compared)
    if not difference or seen[0] != difference["message"]:  # a mistake comes first
        return lens.labelled(seen)
    first, *others = seen
    values = "value" in difference and " " not in difference.get("ours", " ")
    if values and re.match("line [0-9]+, character ", told):
        arguments = difference["arguments"] and f" ({difference['arguments']})"
        element = f"{difference['kernel']}{arguments}: {difference['element']}"
        first = f"{element} differs from ours"
    elif values and told.startswith("the sum is ") and difference["name"] == "sums":
        first += " (who adds what is up to you: only the total must be right)"
    return lens.labelled([first, *others])


def name_of(subject: Subject, file: str) -> list[lens.Line]:
    """A line that names a known mistake, and says what it is; [] without a file."""
    if not file:
        return []
    stem = subject.exercise.stem
    name = file.rpartition(f"{stem}.")[2].removesuffix(".cl")
    text = read(f"tests/mistakes/{stem}.diff")
    known = re.search(rf"^== {name}(?: \(race\))?: (.*)", text, re.M)
    return [(NAME, f"{name}: {known[1]}")] if known else []
