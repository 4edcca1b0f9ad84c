"""Is the learner's file right, free of races, and of the shape that the exercise asks
for?

With MARGIN=1.1 the lens's counts must be better than asked for by a tenth; with
NAMES=no a wrong result is not looked into, which takes longest; with STAGES=count
nothing else is looked at, and nothing passes.  No time is judged.  What is run, and
what the lens must count, stands in docs/exercises/STEM.txt."""

import os
import re
from typing import NoReturn, Optional, Sequence

import counts
import lens
import source
from cards import stored
from facts import BUILD, WORK, Exercise, Statement, choose
from files import add, checksum, read, scratch_folder
from parts import changed_elsewhere
from progress import happened
from runs import (
    CANNOT,
    CPU_SPENT,
    NOT_THERE,
    PATIENCE,
    Run,
    StepRow,
    is_setting,
    on_a_gpu,
    plain_run,
    step_rows,
)
from screen import fail
from subject import Subject
from verdict import MAX_LINES, Details, Verdict, height, last, no_verdict, show
from why import compare_with_ours

MARGIN = max(1.0, float(os.environ.get("MARGIN") or 1))
ONLY = os.environ.get("STAGES", "").split()
MAX_WARNINGS = 2
LIMITS_TRIED = 8  # at most, the largest
RIGHT_BY_LUCK = "the results are right by luck"


def check(step: str, file: str = "") -> int:
    """Prints the verdict on the learner's file, or on another one, and returns the exit
    status."""
    exercise = choose(step)
    path = file or exercise.mine
    if not os.path.isfile(path):
        fail(f"there is no {path}", f"`make {step} exercise` writes it")
    with scratch_folder() as scratch:
        subject = Subject(exercise, path, not file, scratch, read(path))
        try:
            verdict = judge(subject)
        except Verdict as found:
            verdict = found
    return show(verdict, exercise, [*warnings(subject, verdict), *subject.known])


def judge(subject: Subject) -> Verdict:
    """All stages, one after the other."""
    look(subject, ONLY or list(STAGES))
    if ONLY:
        raise no_verdict(f"nothing but {' '.join(ONLY)} was looked at")
    return passed(subject)


def look(subject: Subject, stages: Sequence[str]) -> None:
    """These stages.  What is found is raised, and nothing more is looked at."""
    if subject.is_kernels:
        refuse_directives(subject)
    else:
        build(subject)
    exercise = subject.exercise
    subject.warned = source.new_warnings(subject.ours, subject.file)
    subject.same_elsewhere = not changed_elsewhere(read(exercise.ours), subject.text)
    subject.checks = [
        check
        for check in exercise.statements()
        if not (check.elsewhere and subject.same_elsewhere)
    ]
    if "run" in stages:
        ends(subject)
    for stage in stages:
        checks = [check for check in subject.checks if check.word == stage]
        if not checks and stage not in NOT_EVERYWHERE:
            what = f"{exercise.plain} says nothing about {stage}"
            raise no_verdict(what, next=f"correct {exercise.plain}")
        for check in checks:
            STAGES[stage](subject, check)
        if stage in KNOWN and checks:
            subject.known.append(KNOWN[stage](checks))
    if read(subject.file) != subject.text:
        what = f"{subject.file} was saved meanwhile"
        raise no_verdict(what, next=f"make {exercise.step} check")


def warnings(subject: Subject, verdict: Verdict) -> list[lens.Line]:
    """What the compiler says may be the reason of what is not right."""
    if verdict.word in ("PASS", "BROKEN"):
        return []
    return [("warning", text) for text in subject.warned[:MAX_WARNINGS]]


# ---- Before anything runs.
def refuse_directives(subject: Subject) -> None:
    """The device's compiler and the lens's must see the same code."""
    found = source.directives(read(subject.exercise.ours), subject.text)
    if found:
        what = "another compiler may read other code here"
        raise Verdict("NOT YET", f"{what}: write it without the preprocessor", found)


def build(subject: Subject) -> None:
    exercise, program = subject.exercise, subject.command[0]
    if subject.file != exercise.mine:
        fail(f"cannot check {subject.file}", f"copy it to {exercise.mine} first")
    if os.path.exists(program):  # that of another file, perhaps
        os.remove(program)
    make = (os.environ.get("MAKE") or "make").split()
    made = plain_run([*make, "-s", "SETUP=no", program])
    if made.status != 0:
        said = re.findall("^.*(?:error:|undefined).*", made.out + made.err, re.M)
        raise broken(exercise, said[:4])


def broken(exercise: Exercise, errors: list[str]) -> Verdict:
    next = f"correct that, then make {exercise.step} check"
    return Verdict("BROKEN", "your file does not compile", errors, next)


def ends(subject: Subject) -> None:
    """Does it end?  The device might never tell; the lens stops looking.  What it
    says of mistakes is kept for later."""
    for check in subject.checks:
        if check.word == "races":
            looked = subject.lens(check.text, "--races", "--strict", "--give-up")
            subject.looked[check.text] = looked
            refuse_endless(looked, check.text)
            return


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
    what = f"a kernel does not end ({arguments})"
    raise Verdict("WRONG", what, lens.labelled(details))


# ---- Results.
def results(subject: Subject, check: Statement) -> None:
    results_at(subject, check.text)


def results_at(
    subject: Subject,
    arguments: str,
    patience: int = PATIENCE,
    room_may_lack: bool = False,
) -> Run:
    """The step must find its results right."""
    command = [*subject.command, "--format", "tsv"]
    ran = subject.run(command, arguments, patience)
    if ran.endless:
        refuse_unended(subject, ran, arguments, patience)
        if (
            ran.status == CPU_SPENT
        ):  # compiling took the time, perhaps: now that is done
            ran = subject.run(command, arguments, patience)
        if ran.endless:
            raise no_verdict(f"{unended(ran, patience)} ({arguments}): {riddle(ran)}")
    rows = step_rows(ran)
    wrong = [row["variant"] for row in rows if row.get("result") == "WRONG"]
    if ran.status == 0 and not wrong or room_may_lack and lacks_room(ran):
        return ran
    refuse_unable(subject, ran, arguments)
    what = f"{what_is_wrong(ran, wrong)} ({arguments})"
    word: str = "WRONG"
    details: Details = last(5, ran.err)
    if subject.is_kernels:  # of host code the step itself tells
        word, details = compare_with_ours(subject, arguments, ran, details)
    raise Verdict(word, what, details, see=as_typed(subject, "run", arguments))


def as_typed(subject: Subject, target: str, arguments: str) -> str:
    """What a learner types to see the same; "" of a file that is not theirs."""
    if not subject.learners:
        return ""
    words = re.findall(r'(?:[^ "]|"[^"]*")+', arguments)
    settings = [word for word in words if is_setting(word)]
    options = " ".join(word for word in words if not is_setting(word))
    if not subject.is_kernels:
        return " ".join([*settings, subject.command[0], options])
    quote = "'" if '"' in options else '"'
    options = f"ARGS={quote}--kernel {subject.file} {options}{quote}"
    return " ".join([*settings, "make", subject.exercise.step, target, options])


def lacks_room(ran: Run) -> bool:
    told = "^error: .*( elements are too many for | has no room for )"
    return ran.status == 2 and re.search(told, ran.err, re.M) is not None


def refuse_unable(subject: Subject, ran: Run, arguments: str) -> None:
    """A step that cannot run says nothing of its results."""
    details = last(5, ran.err)
    if ran.status == 2 and "does not compile" in ran.err:
        raise broken(subject.exercise, why_broken(subject, ran))
    if ran.status == 2 and "driver was ended" not in ran.err:  # why, the lens sees
        raise no_verdict(f"it cannot run ({arguments})", details)
    if ran.status in (CANNOT, NOT_THERE):
        what = f"{subject.command[0]} cannot be run"
        raise no_verdict(what, details, f"make {subject.exercise.step} check")
    if ran.status == 77:
        what = f"this device cannot show it ({arguments})"
        raise no_verdict(what, details, "make devices")


def what_is_wrong(ran: Run, wrong: list[str]) -> str:
    if len(wrong) == 1:
        return f'the results are wrong in the row "{wrong[0]}"'
    if wrong:
        return f'the results are wrong in {len(wrong)} rows, first in "{wrong[0]}"'
    if ran.status > 2:
        return f"it ends with status {ran.status}"
    said = re.search("^error: (.*)", ran.err, re.M)
    return said[1] if said else ""


def why_broken(subject: Subject, ran: Run) -> list[str]:
    """The compiler's errors, with their lines; or another compiler's words."""
    errors = source.compiler_errors(ran.err, subject.file)[:9]
    others = re.findall("^(?!  hint).*", ran.err, re.M)[:4]
    return errors or others


def unended(ran: Run, patience: int) -> str:
    if ran.status == CPU_SPENT:
        return f"no end after {patience} seconds of computing"
    return f"no end after {20 * patience} seconds"


def riddle(ran: Run) -> str:
    if ran.status == CPU_SPENT:
        return "does a loop end?"
    return "does it wait for what never comes?"


def refuse_unended(subject: Subject, ran: Run, arguments: str, patience: int) -> None:
    """Barrier divergence, perhaps, or a loop: the lens sees that, and does not hang."""
    options = ["--races", "--strict", "--give-up"]
    looked = subject.lens(arguments, *options, patience=5 * patience)
    if lens.found_mistake(looked) and not lens.endless_loop(looked):
        mistakes = lens.labelled(lens.mistakes(looked)[:7])
        word, details = compare_with_ours(subject, arguments, looked, mistakes)
        raise Verdict(word, f"{unended(ran, patience)} ({arguments})", details)
    refuse_endless(looked, arguments)


def all_right(checks: list[Statement]) -> lens.Line:
    """ "right at 3 sizes: 20,003, 5 and 100,003" """
    found = [re.search("--size ([0-9]+)", check.text) for check in checks]
    sizes = list(dict.fromkeys(f"{int(one[1]):,}" for one in found if one))
    if len(sizes) < 2 or not all(found):
        return "results", f"right in {len(checks)} runs"
    listed = f"{', '.join(sizes[:-1])} and {sizes[-1]}"
    return "results", f"right at {len(sizes)} sizes: {listed}"


# ---- Results at a size beyond a number that the file has and ours has not.
def beyond(subject: Subject, check: Statement) -> None:
    """Of what says min(n, 4096u) the other sizes may know nothing.  "M" is such a
    number itself, so that each is tried; beyond the largest are the others, too.  What
    the device has no room for is left out."""
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
    """Those that clang makes of the source; the largest first."""
    if subject.is_ours:
        return []
    texts = [source.llvm_text(file) for file in (subject.ours, subject.file)]
    if not all(texts):
        raise no_verdict("clang cannot compile it here", next="make doctor")
    return sorted(source.constants(*texts), reverse=True)


# ---- Under the lens.
def races(subject: Subject, check: Statement) -> None:
    """Races, and out-of-bounds accesses."""
    looked = subject.looked.get(check.text)
    looked = looked or subject.lens(check.text, "--races", "--strict")
    see = as_typed(subject, "races", check.text) if subject.is_kernels else ""
    ended(subject, looked, check.text, RIGHT_BY_LUCK, see)
    if not lens.found_none(looked):
        refuse_unseen(looked, check.text)


def no_race(checks: list[Statement]) -> lens.Line:
    return "races", "none"


def lockstep(subject: Subject, check: Statement) -> None:
    """Does the step find right what 32 lanes in lockstep compute?  Asked before the
    device is, of what a device may do in some order by luck."""
    step = [f"{BUILD}/{subject.exercise.stem}", "--repeats", "1"]
    command = [lens.LENS, "--instead", subject.file, *step]
    what = "32 lanes in lockstep get a wrong result"
    ended(subject, subject.run(command, check.text), check.text, what)


def ended(
    subject: Subject, looked: Run, arguments: str, what: str, see: str = ""
) -> None:
    """How the lens ended.  With 1 it found something, or the step did."""
    if looked.status == 0:
        return
    if looked.status != 1 and not lens.found_mistake(looked):
        refuse_unseen(looked, arguments)
    word, details = compare_with_ours(subject, arguments, looked, [])
    raise Verdict(word, f"{what} ({arguments})", details, see=see)


def refuse_unseen(looked: Run, arguments: str) -> NoReturn:
    next = "make doctor" if "`make doctor`" in looked.err else ""
    what = f"the lens cannot look at it ({arguments})"
    raise no_verdict(what, last(5, looked.err), next)


def shape(subject: Subject, check: Statement) -> None:
    """Counts: at the size that the plain file has, and at one that only the file's own
    checksum says, where ours is counted, too."""
    plain = subject.exercise.plain
    if not check.below:
        raise no_verdict(f"{plain} wants no counts", next=f"correct {plain}")
    kernels = {re.split("[ |]", line.strip())[0] for line in check.below}
    options = ["--waits"]
    if len(kernels) == 1 and "host" not in kernels:  # the others need no replay
        options += ["--kernel", *kernels]
    looked = counted(subject, check.text, options)
    subject.judged += refuse_shape(subject, check, check.text, looked, None)
    arguments = smaller(subject, check.text)
    if arguments:
        looked = ours = counted(subject, arguments, options)
        if not subject.is_ours:
            ours = counted_of_ours(subject, arguments, options)
        refuse_shape(subject, check, arguments, looked, ours)


def counted(subject: Subject, arguments: str, options: list[str]) -> Run:
    looked = subject.lens(arguments, *options)
    ended(subject, looked, arguments, RIGHT_BY_LUCK)
    return looked


def counted_of_ours(subject: Subject, arguments: str, options: list[str]) -> Run:
    exercise = subject.exercise
    program = [f"{BUILD}/{exercise.stem}", "--repeats", "1"]
    ran = subject.run([*lens.COMMAND, *options, *program], arguments)
    if ran.status != 0:
        what = f"the lens cannot look at ours ({arguments})"
        raise no_verdict(what, next=f"does `make {exercise.step} run` work?")
    return ran


def refuse_shape(
    subject: Subject,
    check: Statement,
    arguments: str,
    looked: Run,
    ours: Optional[Run],
) -> list[counts.Judged]:
    """The lens counts for the learner's file what is wanted, or, beside what it counts
    for ours, nothing worse than that; returns the counts."""
    rows_of_ours = lens.rows(ours) if ours else None
    rows = lens.with_file(lens.rows(looked), subject.file)
    judged, missing = counts.compare(check.below, rows, rows_of_ours, MARGIN)
    if missing:
        what = f"the lens does not find what it is to count ({arguments})"
        details = [("not found", one) for one in missing]
        details += [
            ("hint", "keep the names of kernels and arguments that your copy had")
        ]
        raise no_verdict(what, [*details, *last(3, looked.err)])
    bad = counts.missed(judged)
    if bad:
        what = "right, but not yet what the task asks for"
        what += f" ({arguments})" if ours else ""
        raise Verdict("NOT YET", what, [*bad, *how_to_see(subject, kernel=bad[0][0])])
    return judged


def how_to_see(subject: Subject, kernel: str) -> list[lens.Line]:
    """The picture of the worst access in the learner's file, and how to see one of its
    kernels.  Both options are called --kernel, so each is shown with what it takes."""
    if not subject.learners or not subject.is_kernels:
        return []
    options = f'ARGS="--kernel {subject.file}"'
    return [
        ("see the lanes", f"your file: make {subject.exercise.step} lens {options}"),
        ("", f'one kernel of it: add LENS_OPTIONS="--kernel {kernel}"'),
    ]


def smaller(subject: Subject, arguments: str) -> str:
    """The arguments with a smaller size, by up to a tenth; the plain file says what
    varies, if not --size.  "" if they have no such option."""
    options = " ".join(subject.exercise.facts("vary") or ["--size"]).split()
    words = arguments.split()
    for place, word in enumerate(words[:-1], 1):
        if word in options:
            size = int(words[place])
            less = 1 + checksum(subject.text) % max(size // 10, 1)
            words[place] = str(size - less)
    return " ".join(words) if set(options) & set(words[:-1]) else ""


def loads(subject: Subject, check: Statement) -> None:
    """Loads that can be in flight together, because there is no branch between them."""
    kernel, limits = check.text.split("|", 1)
    found = source.loads_between_branches(subject.file, kernel.strip())
    if found < 0:
        raise no_verdict(
            "clang makes no code for an NVIDIA GPU here", next="make doctor"
        )
    count = counts.beside_limit(
        f"{kernel} | | between_branches | {limits}", found, MARGIN
    )
    bad = counts.missed([count])
    if bad:
        what = "right, but not yet what the task asks for"
        raise Verdict(
            "NOT YET", what, [*bad, ("", "in clang's code for an NVIDIA GPU")]
        )
    subject.judged.append(count)


def sizes(subject: Subject, check: Statement) -> None:
    """At each size up to 300, in groups of several sizes, a kernel makes no mistake, and
    leaves what ours leaves: all that a step's own sizes may miss at an edge."""
    options = ["-Ikernels", "--all-sizes", "--quick", "--ours", subject.ours]
    looked = subject.run([*lens.ONE_KERNEL, *options, subject.file], check.text)
    if looked.status == 0:
        return
    refuse_endless(looked, check.text)
    found = lens.first_found(looked)
    if not found:
        refuse_unseen(looked, check.text)
    word = "RACE" if lens.found_race(looked) else "WRONG"
    what = f"right at the sizes that were run, but not where {found['arguments']}"
    alone = f"{BUILD}/{last(1, looked.err)[0].strip()}" if subject.learners else ""
    report = found["report"].splitlines() + lens.missed_reads(looked)
    raise Verdict(word, what, lens.labelled(report), see=alone)


def all_sizes(checks: list[Statement]) -> lens.Line:
    return "all sizes", "as ours from 1 to 300, without a mistake"


# ---- The size at which times are taken.
def measure(subject: Subject, check: Statement) -> None:
    """Results must be right there, too."""
    arguments, _, variant = check.text.partition(" | ")
    if not subject.learners:
        once = re.sub("--repeats [0-9]*", "--repeats 1", arguments, count=1)
        results_at(subject, once)
        return
    yours = results_at(subject, arguments)
    program = f"{BUILD}/{subject.exercise.stem}"
    ours = subject.run([program, "--format", "tsv"], arguments)
    rows = [step_rows(ran) for ran in (yours, ours)]
    for whose, own in zip(("yours", "ours"), rows):
        subject.times += measured(whose, variant, own)
    subject.on_a_gpu = on_a_gpu(rows[0])


def measured(whose: str, variant: str, rows: list[StepRow]) -> list[str]:
    """The row of a variant, as in
    "yours  262144 items, contiguous: 5.206 ms, 25.8 GB/s, 81.7 % of the limit"."""
    for row in rows:
        if row["variant"] == variant:
            share = row["percent_of_limit"]
            note = row["note"] or (share and f"{share} % of the limit")
            rate = f"{row['median_ms']} ms, {row['rate']} {row['unit']}"
            return [f"{whose:5}  {variant}: {rate}" + (note and f", {note}")]
    return []


def passed(subject: Subject) -> Verdict:
    """Nothing was found: what was counted, and what that is worth on a GPU; of the
    learner's file that is noted, with its times."""
    exercise = subject.exercise
    if subject.learners:
        happened(exercise.step, "passed", checksum(subject.text))
    if subject.times:
        rows = "".join(f"{exercise.step}  {row}\n" for row in subject.times)
        add(f"{WORK}/measured", rows)
    worth = own_times(subject) if subject.on_a_gpu else worth_elsewhere(subject)
    reached = counts.reached(subject.judged)
    details = [*counts.below_sources(reached), *worth]
    if height([*subject.known, *details]) > MAX_LINES - 2:  # of which others are two
        details = [*counts.below_sources(reached, with_sources=False), *worth]
    what = "right, free of races, and what the task asks for"
    return Verdict("PASS", what, details, "make next")


def own_times(subject: Subject) -> list[lens.Line]:
    """Each of one run, so that nothing is judged by them."""
    rows = [row.split(None, 1) for row in subject.times]
    labels = ["on this GPU", *[""] * len(rows)]
    return [(label, f"{whose}, {text}") for label, (whose, text) in zip(labels, rows)]


def worth_elsewhere(subject: Subject) -> list[lens.Line]:
    """On a GPU that is not here: what was stored, and what no run beats."""
    lines = worth_on_a_gpu(subject.exercise)
    for text in subject.exercise.facts("bound"):
        lines += bound(subject, text)
    return lines


def worth_on_a_gpu(exercise: Exercise) -> list[lens.Line]:
    """The stored times of two rows of the course: one does what the learner's copy
    began with, and one what ours does.  A CPU's times would say nothing of that, or the
    opposite."""
    for variants in exercise.facts("worth"):
        found = stored(exercise.stem, re.split(" *[|] *", variants))
        if found.rows:
            before, after = (
                f"{float(row['median_ms']):.4g} ms ({row['variant']})"
                for row in found.rows
            )
            return [
                (f"on an {found.card}", f"our own code took {before} and {after}"),
                (
                    "",
                    f"stored times of {found.date}{_at_size(found.rows)}"
                    "; yours was not timed there",
                ),
            ]
    return []


def _at_size(rows: list[StepRow]) -> str:
    """Their size, if it is one; what follows may be said of another."""
    sizes = {row["size"] for row in rows}
    return f" at size {int(sizes.pop()):,}" if len(sizes) == 1 else ""


def bound(subject: Subject, call: str) -> list[lens.Line]:
    """What no run of a launch beats on a GPU, with the learner's kernel and with ours."""
    yours, ours = bound_of(subject, call), bound_of(subject, call, subject.ours)
    if not yours or not ours:
        return []
    binds = f"bound by {yours['binds']}"
    if yours["binds"] == "waiting":
        binds = "and it waits for loads"
    card = yours["device"].removeprefix("NVIDIA ")
    return [
        ("at least", f"{yours['at_least_ms']:.3g} ms on an {card}, {binds}"),
        ("", f"ours at least {ours['at_least_ms']:.3g} ms; {size_in(call)}"),
    ]


def bound_of(subject: Subject, call: str, file: str = "") -> Optional[lens.Row]:
    """The lens's row "least" of a launch of the subject's file, or of another one; None
    if it has none."""
    options = ["-Ikernels", "--as", "nvidia-h200", file or subject.file]
    return lens.least(subject.run([*lens.ONE_KERNEL, *options], call))


def size_in(call: str) -> str:
    """Of which launch that is said: its whole numbers, as in n=16777216."""
    numbers = re.findall(r"[(,] *([a-z]+=[0-9]+)(?=[,)])", call)
    return "with " + ", ".join(numbers)


STAGES = {
    "lockstep": lockstep,
    "run": results,
    "beyond": beyond,
    "races": races,
    "count": shape,
    "loads": loads,
    "sizes": sizes,
    "measure": measure,
}
NOT_EVERYWHERE = ("beyond", "lockstep", "loads", "sizes", "measure")
# What is known once a stage has found nothing.
KNOWN = {"run": all_right, "races": no_race, "sizes": all_sizes}
