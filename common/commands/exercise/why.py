"""Why is it wrong?  Where a file's kernels differ from ours, and which known mistake
they match."""

import os
import re
from glob import escape, glob

import lens
from facts import BUILD, OPEN
from files import put, read
from parts import changed_elsewhere
from runs import PATIENCE, Run, plain_run
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
    compared = beside_ours(subject, arguments, known_mistakes(subject))
    seen = explained(compared, told[1] if told else "")
    if seen:
        results: list[lens.Line] = [("results", told[1])] if told else []
        details = [*results, *seen]
    details = details or last(3, compared.err)  # why the lens could not look
    match = lens.matched_file(compared) or moved_match(subject, arguments)
    details = [*details, *name_of(subject, match)]
    return "RACE" if lens.found_race(compared) else "WRONG", details


def beside_ours(subject: Subject, arguments: str, mistakes: list[str]) -> Run:
    """The learner's kernels beside ours, and beside those with known mistakes."""
    options = ["--ours", subject.exercise.kernels]
    for file in mistakes:
        options += ["--mistake", file]
    # All these files may have to be compiled.
    return subject.lens(arguments, *options, patience=5 * PATIENCE)


def known_mistakes(subject: Subject) -> list[str]:
    """The mistakes that can be the file's: what is as ours elsewhere has none from
    there."""
    exercise = subject.exercise
    files = sorted(glob(f"{escape(BUILD)}/mistakes/{exercise.stem}.*.cl"))
    if not subject.same_elsewhere or not exercise.ours.endswith(".cl"):
        return files
    ours = read(exercise.ours)
    return [file for file in files if not changed_elsewhere(ours, read(file))]


def moved_match(subject: Subject, arguments: str) -> str:
    """The file with a moved mistake whose results are the same; "" if none has them.
    (Some have those of a mistake that is known of this kernel, so they are looked at
    last.)"""
    files = moved_mistakes(subject)
    return lens.matched_file(beside_ours(subject, arguments, files)) if files else ""


def moved_mistakes(subject: Subject) -> list[str]:
    """The step's known mistakes, made in the kernel with the marked part although they
    are known of another kernel, as far as both have the lines where they are made."""
    exercise, scratch = subject.exercise, subject.scratch
    if not exercise.ours.endswith(".cl"):
        return []
    mistakes = f"tests/mistakes/{exercise.stem}.diff"
    files: list[str] = []
    for name, kernels in mistakes_of(read(mistakes)):
        for kernel in marked_kernels(read(exercise.ours)):
            if kernel in kernels:
                continue
            settings = ["-v", f"name={name}", "-v", f"into={kernel}"]
            script = [*settings, "-f", "common/commands/mistake.awk"]
            made = plain_run(["awk", *script, mistakes, exercise.ours])
            if made.status == 0:
                files.append(f"{scratch}/{exercise.stem}.{name}.cl")
                put(files[-1], made.out)
    return files


def mistakes_of(text: str) -> list[tuple[str, list[str]]]:
    """The names of known mistakes, and of each the kernels and functions that have it, as
    "kernel void dot("."""
    each = re.split("^== ", text, flags=re.M)[1:]
    return [
        (re.split("[ :]", one, maxsplit=1)[0], re.findall(r"^@@ ([^(]*\()", one, re.M))
        for one in each
    ]


def marked_kernels(text: str) -> list[str]:
    """The kernels with marked parts, as "kernel void dot("."""
    found: list[str] = []
    for before in text.split(OPEN)[:-1]:
        kernel = re.findall(r"^(?:kernel [^(]*\(|\})", before, re.M)[-1:]
        found += [one for one in kernel if one != "}" and one not in found]
    return found


def explained(compared: Run, told: str) -> list[lens.Line]:
    """What differs from ours first, beside what the step itself says is wrong, and which
    elements are read otherwise.

    the sum is 5, expected 7     sums[0] is 3, ours has 2     which work-item adds what is
                                                              free, so 3 may be right, and
                                                              what is read says more
    line 2944, character 1 ...   text[9] is 960051513, ...    these are characters
    """
    if lens.found_no_difference(compared):
        return [("the lens", AS_OURS)]
    seen = lens.differences(compared)[:7]
    reads = lens.missed_reads(compared)
    difference = lens.first_difference(compared)
    if not difference or difference["message"] not in seen:
        return lens.labelled(seen + reads)
    place = seen.index(difference["message"])
    before, first, others = seen[:place], seen[place], seen[place + 1 :]
    values = "value" in difference and " " not in difference.get("ours", " ")
    if values and re.match("line [0-9]+, character ", told):
        arguments = difference["arguments"] and f" ({difference['arguments']})"
        element = f"{difference['kernel']}{arguments}: {difference['element']}"
        first = f"{element} differs from ours"
    elif values and told.startswith("the sum is ") and difference["name"] == "sums":
        if reads and not lens.reads_as_ours(compared):
            about = f"{difference['kernel']}: {reads[0].strip()}"
            return lens.labelled([*before, about, *reads[1:]])
        if not reads:
            first += " (who adds what is up to you: only the total must be right)"
    return lens.labelled([*before, first, *others, *reads])


def name_of(subject: Subject, file: str) -> list[lens.Line]:
    """A line that names a known mistake, and says what it is; [] without a file."""
    if not file:
        return []
    stem = subject.exercise.stem
    name = file.rpartition(f"{stem}.")[2].removesuffix(".cl")
    text = read(f"tests/mistakes/{stem}.diff")
    known = re.search(rf"^== {name}(?: \(race\))?: (.*)", text, re.M)
    return [(NAME, f"{name}: {known[1]}")] if known else []
