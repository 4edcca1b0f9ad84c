"""Is the learner's file right, free of races, and of the shape that the exercise asks
for?

With MARGIN=1.1 the lens's counts must be better than asked for by a tenth; with
NAMES=no a wrong result is not looked into, which takes longest; with STAGES=count
nothing else is looked at, and nothing passes.  No time is judged.  What is run, and what
the lens must count, stands in docs/exercises/STEM.txt."""

import os
import re
import subprocess
from typing import Optional

import counts
import lens
import source
from facts import BUILD, WORK, Statement, choose
from files import add, checksum, read, scratch_folder
from parts import changed_elsewhere
from progress import happened
from runs import CANNOT, CPU_SPENT, NOT_THERE, PATIENCE, Run
from screen import fail
from subject import Subject
from verdict import Verdict, last, show
from why import compare_with_ours

MARGIN = max(1.0, float(os.environ.get("MARGIN") or 1))
ONLY = os.environ.get("STAGES", "").split()
LIMITS_TRIED = 8  # at most, the largest


def check(step: str, file: str = "") -> int:
    """Prints the verdict on the learner's file, or on another one, and returns the exit
    status."""
    exercise = choose(step)
    path = file or exercise.mine
    if not os.path.isfile(path):
        fail(f"there is no {path}", f"`make {step} exercise` writes it")
    with scratch_folder() as scratch:
        try:
            verdict = judge(Subject(exercise, path, not file, scratch, read(path)))
        except Verdict as found:
            verdict = found
    return show(verdict, exercise)


def judge(subject: Subject) -> Verdict:
    """All stages, in turn.  What is found is raised, and nothing more is looked at."""
    if subject.is_kernels:
        refuse_directives(subject)
    else:
        build(subject)
    exercise = subject.exercise
    subject.same_elsewhere = not changed_elsewhere(read(exercise.ours), subject.text)
    subject.checks = [
        check
        for check in exercise.statements()
        if not (check.elsewhere and subject.same_elsewhere)
    ]
    if not ONLY or "run" in ONLY:
        ends(subject)
    for stage in ONLY or STAGES:
        checks = [check for check in subject.checks if check.word == stage]
        if not checks and stage not in NOT_EVERYWHERE:
            raise Verdict(
                "NO VERDICT",
                f"{exercise.plain} says nothing about {stage}",
                (),
                f"correct {exercise.plain}",
            )
        for check in checks:
            STAGES[stage](subject, check)
    if read(subject.file) != subject.text:
        raise Verdict(
            "NO VERDICT",
            f"{subject.file} was saved meanwhile",
            (),
            f"make {exercise.step} check",
        )
    if ONLY:
        raise Verdict("NO VERDICT", f"nothing but {' '.join(ONLY)} was looked at")
    return passed(subject)


# ---- Before anything runs.
def refuse_directives(subject: Subject) -> None:
    """The device's compiler and the lens's must see the same code."""
    found = source.directives(read(subject.exercise.ours), subject.text)
    if found:
        raise Verdict(
            "SHAPE",
            "to another compiler this can be other code: write it without the preprocessor",
            found,
        )


def build(subject: Subject) -> None:
    exercise, program = subject.exercise, subject.command[0]
    if subject.file != exercise.mine:
        fail(f"cannot check {subject.file}", f"copy it to {exercise.mine} first")
    if os.path.exists(program):  # that of another file, perhaps
        os.remove(program)
    made = subprocess.run(
        [*(os.environ.get("MAKE") or "make").split(), "-s", "SETUP=no", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if made.returncode != 0:
        said = [
            line
            for line in made.stdout.splitlines()
            if re.search("error:|undefined", line)
        ]
        raise Verdict("BROKEN", "it does not compile", said[:4])


def ends(subject: Subject) -> None:
    """Does it end?  The device might never tell; the lens stops looking.  What it says of
    mistakes is kept for later."""
    arguments = next(
        (check.text for check in subject.checks if check.word == "races"), None
    )
    if arguments is not None:
        subject.looked[arguments] = subject.lens(
            arguments, "--races", "--strict", "--give-up"
        )
        refuse_endless(subject.looked[arguments], arguments)


def refuse_endless(looked: Run, arguments: str) -> None:
    """Has the lens seen a group that comes back to where it was, or stopped looking at
    one?"""
    details = lens.endless_loop(looked)
    if not details:
        details = lens.step_limit(looked)
        if not details:
            return
        details.append(
            "does the loop there end?  Its condition must become false; "
            "no group may wait for another one"
        )
    raise Verdict("WRONG", f"a kernel does not end ({arguments})", details)


# ---- Results.
def results(subject: Subject, check: Statement) -> None:
    results_at(subject, check.text)


def results_at(
    subject: Subject,
    arguments: str,
    patience: int = PATIENCE,
    room_may_lack: bool = False,
    compiled: bool = False,
) -> Run:
    """The step must find its results right."""
    ran = subject.run([*subject.command, "--format", "tsv"], arguments, patience)
    rows = lens.table(ran.out + ran.err, "step")
    wrong = [row["variant"] for row in rows if row.get("result") == "WRONG"]
    if ran.status == 0 and not wrong:
        return ran
    details = last(5, ran.err)
    if ran.status == 2:
        if "does not compile" in ran.err:
            raise Verdict("BROKEN", "it does not compile", why_broken(subject, ran))
        if room_may_lack and re.search(
            "^error: .*( elements are too many for | has no room for )", ran.err, re.M
        ):
            return ran
        if "driver was ended" not in ran.err:  # what ended it, the lens sees
            raise Verdict("NO VERDICT", f"it cannot run ({arguments})", details)
    elif ran.status in (CANNOT, NOT_THERE):
        raise Verdict(
            "NO VERDICT",
            f"{subject.command[0]} cannot be run",
            details,
            f"make {subject.exercise.step} check",
        )
    elif ran.status == 77:
        raise Verdict(
            "NO VERDICT",
            f"this device cannot show it ({arguments})",
            details,
            "make devices",
        )
    elif ran.endless:
        refuse_unended(subject, ran, arguments, patience)
        if ran.status == CPU_SPENT and not compiled:  # compiling took the time, perhaps
            return results_at(
                subject, arguments, patience, room_may_lack, compiled=True
            )
        raise Verdict(
            "NO VERDICT",
            f"{unended(ran, patience)} ({arguments}): "
            + (
                "does a loop end?"
                if ran.status == CPU_SPENT
                else "does it wait for what never comes?"
            ),
        )
    what = f"{what_is_wrong(ran, wrong)} ({arguments})"
    if not subject.is_kernels:
        raise Verdict("WRONG", what, details)  # of host code the step itself tells
    word, details = compare_with_ours(subject, arguments, ran, details)
    raise Verdict(word, what, details)


def what_is_wrong(ran: Run, wrong: list[str]) -> str:
    if len(wrong) == 1:
        return f'a row is wrong, "{wrong[0]}"'
    if wrong:
        return f'{len(wrong)} rows are wrong, the first is "{wrong[0]}"'
    if ran.status > 2:
        return f"it ends with status {ran.status}"
    said = re.search("^error: (.*)", ran.err, re.M)
    return said[1] if said else ""


def why_broken(subject: Subject, ran: Run) -> list[str]:
    """The compiler's errors, with their lines; or another compiler's words."""
    errors = source.compiler_errors(ran.err, subject.file)[:9]
    return (
        errors
        or [line for line in ran.err.split("\n") if not line.startswith("  hint")][:4]
    )


def unended(ran: Run, patience: int) -> str:
    if ran.status == CPU_SPENT:
        return f"no end after {patience} seconds of computing"
    return f"no end after {20 * patience} seconds"


def refuse_unended(subject: Subject, ran: Run, arguments: str, patience: int) -> None:
    """Barrier divergence, perhaps, or a loop: the lens sees that, and does not hang; it
    takes longer."""
    looked = subject.lens(
        arguments, "--races", "--strict", "--give-up", patience=5 * patience
    )
    if lens.found_mistake(looked) and not lens.endless_loop(looked):
        word, details = compare_with_ours(
            subject, arguments, looked, lens.mistakes(looked)[:7]
        )
        raise Verdict(word, f"{unended(ran, patience)} ({arguments})", details)
    refuse_endless(looked, arguments)


# ---- Results at a size beyond a number that the file has and ours has not.
def beyond(subject: Subject, check: Statement) -> None:
    """Of what says min(n, 4096u) the other sizes may know nothing.  "M" is such a number
    itself, so that each is tried; beyond the largest are the others, too.  What the
    device has no room for is left out."""
    limits, arguments = check.text.split(None, 1)
    least, _, most = limits.rpartition("-")
    if subject.numbers is None:
        subject.numbers = new_numbers(subject)
    numbers = [number for number in subject.numbers if number <= int(most)]
    each = re.search(r"(?:^|[ *])M(?:$|[ *])", arguments)
    for number in numbers[: LIMITS_TRIED if each else 1]:
        results_at(
            subject,
            source.beyond(arguments, number, int(least or 0)),
            3 * PATIENCE if number > 30_000_000 else PATIENCE,
            room_may_lack=True,
        )


def new_numbers(subject: Subject) -> list[int]:
    """Those of the source, and those that clang makes of it; the largest first."""
    if subject.is_ours:
        return []
    numbers = source.numbers(read(subject.known), subject.text)
    texts = [source.llvm_text(file) for file in (subject.known, subject.file)]
    if all(texts):
        numbers |= source.constants(*texts)
    return sorted(numbers, reverse=True)


# ---- Under the lens.
def races(subject: Subject, check: Statement) -> None:
    """Races, and out-of-bounds accesses."""
    looked = subject.looked.get(check.text) or subject.lens(
        check.text, "--races", "--strict"
    )
    ended(subject, looked, check.text, "its results are right by luck")
    if not lens.found_none(looked):
        refuse_unseen(looked, check.text)


def lockstep(subject: Subject, check: Statement) -> None:
    """The same on lanes in lockstep?  Asked only of what is exact in any order, and what
    a device may do in some order by luck."""
    ended(
        subject,
        subject.lens(check.text, "--compare"),
        check.text,
        "right by luck: 32 lanes in lockstep get another result",
    )


def ended(subject: Subject, looked: Run, arguments: str, what: str) -> None:
    """How the lens ended.  With 1 it found something, or the step did, of what was right
    by luck before."""
    if looked.status == 0:
        return
    if looked.status != 1 and not lens.found_mistake(looked):
        refuse_unseen(looked, arguments)
    word, details = compare_with_ours(subject, arguments, looked, [])
    raise Verdict(word, f"{what} ({arguments})", details)


def refuse_unseen(looked: Run, arguments: str) -> None:
    raise Verdict(
        "NO VERDICT", f"the lens cannot look at it ({arguments})", last(5, looked.err)
    )


def shape(subject: Subject, check: Statement) -> None:
    """Counts: at the size that the plain file has, and at one that only the file's own
    checksum says, where ours is counted, too."""
    exercise = subject.exercise
    if not check.below:
        raise Verdict(
            "NO VERDICT",
            f"{exercise.plain} wants no counts",
            (),
            f"correct {exercise.plain}",
        )
    kernels = {re.split("[ |]", line.strip())[0] for line in check.below}
    options = ["--waits", "--format", "tsv"]
    if len(kernels) == 1 and "host" not in kernels:  # the others need no replay
        options += ["--kernel", *kernels]
    looked = counted(subject, check.text, options)
    subject.judged += refuse_shape(check, check.text, looked, None)
    arguments = smaller(subject, check.text)
    if arguments:
        looked = counted(subject, arguments, options)
        ours = (
            looked if subject.is_ours else counted_of_ours(subject, arguments, options)
        )
        refuse_shape(check, arguments, looked, ours)


def counted(subject: Subject, arguments: str, options: list[str]) -> Run:
    looked = subject.lens(arguments, *options)
    ended(subject, looked, arguments, "its results are right by luck")
    return looked


def counted_of_ours(subject: Subject, arguments: str, options: list[str]) -> Run:
    program = f"{BUILD}/{subject.exercise.stem}"
    ran = subject.run(
        [f"{BUILD}/lens", "--quiet", *options, program, "--repeats", "1"], arguments
    )
    if ran.status != 0:
        raise Verdict(
            "NO VERDICT",
            f"the lens cannot look at ours ({arguments})",
            (),
            f"does `make {subject.exercise.step} run` work?",
        )
    return ran


def refuse_shape(
    check: Statement, arguments: str, looked: Run, ours: Optional[Run]
) -> list[counts.Judged]:
    """The lens counts for the learner's file what is wanted, or, beside what it counts
    for ours, nothing worse than that; returns the counts."""
    judged, missing = counts.compare(
        check.below,
        lens.table(looked.out, "row"),
        lens.table(ours.out, "row") if ours else None,
        MARGIN,
    )
    if missing:
        raise Verdict(
            "NO VERDICT",
            f"the lens counted no such thing ({arguments}); "
            "are names and arguments still ours?",
            missing + last(3, looked.err),
        )
    bad = [count.text for count in judged if not count.good]
    if bad:
        raise Verdict(
            "SHAPE",
            f"right, but not of the shape that was asked for ({arguments})",
            bad,
        )
    return judged


def smaller(subject: Subject, arguments: str) -> str:
    """The arguments with a smaller size, by up to a tenth; the plain file says what
    varies, if not --size.  "" if they have no such option."""
    options = " ".join(subject.exercise.facts("vary") or ["--size"]).split()
    words = arguments.split()
    for place, word in enumerate(words[:-1], 1):
        if word in options:
            number = int(words[place])
            words[place] = str(
                number - 1 - checksum(subject.text) % max(number // 10, 1)
            )
    return " ".join(words) if set(options) & set(words[:-1]) else ""


# ---- The size at which times are taken.
def measure(subject: Subject, check: Statement) -> None:
    """Results must be right there, too."""
    arguments, _, variant = check.text.partition(" | ")
    # A test may have kept the device from optimizing.  At this size unoptimized kernels take long;
    # but for lanes that no other test has, compiling them would take longer.
    if "--lanes" not in arguments:
        subject.environment["POCL_EXTRA_BUILD_FLAGS"] = ""
    if not subject.learners:
        results_at(
            subject, re.sub("--repeats [0-9]*", "--repeats 1", arguments, count=1)
        )
        return
    yours = results_at(subject, arguments)
    ours = subject.run(
        [f"{BUILD}/{subject.exercise.stem}", "--format", "tsv"], arguments
    )
    subject.times += measured("yours", variant, yours) + measured("ours", variant, ours)


def measured(whose: str, variant: str, ran: Run) -> list[str]:
    """The row of a variant, as in
    "yours  262144 items, contiguous: 5.206 ms, 25.8 GB/s, 81.7 % of the limit"."""
    for row in lens.table(ran.out + ran.err, "step"):
        if row["variant"] == variant:
            share = row["percent_of_limit"]
            note = row["note"] or (
                f"{share} % of the limit" if float(share or 0) else ""
            )
            return [
                f"{whose:5}  {variant}: {row['median_ms']} ms, {row['rate']} {row['unit']}"
                + (f", {note}" if note else "")
            ]
    return []


def passed(subject: Subject) -> Verdict:
    """Nothing was found: what was counted, and times; of the learner's file that is
    noted."""
    step = subject.exercise.step
    details = counts.shape(subject.judged)
    if subject.learners:
        happened(step, "passed")
    if subject.times:
        details += [
            *subject.times,
            "(times of a run each, not judged: what else the machine does shows, too)",
        ]
        add(f"{WORK}/measured", "".join(f"{step}  {row}\n" for row in subject.times))
    runs = sum(check.word in ("run", "measure") for check in subject.checks)
    return Verdict(
        "PASS",
        f"right in {runs} runs, no race, and of the shape asked for",
        details,
        "make next",
    )


STAGES = {
    "run": results,
    "beyond": beyond,
    "races": races,
    "lockstep": lockstep,
    "count": shape,
    "measure": measure,
}
NOT_EVERYWHERE = ("beyond", "lockstep", "measure")
