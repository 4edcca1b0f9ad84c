#!/usr/bin/env python3
"""Runs tests on all cores, and closes with their numbers.

test.py [FILE ...]       all tests, or those of some files
test.py --quick STEM ... in seconds: those that run no step, and is each of these steps right
                         at one odd size?

The files that took longest the last time come first, so that none
of them is still running when all others are done.  A test that did not report (its file failed
to load, say) counts as failed.

ONLY=EXPRESSION in the environment: only those whose names match this regular expression.
PROFILE=1: which commands cost most?
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import typing

BUILD = pathlib.Path(os.environ.get("BUILD", "build"))
TIMES = BUILD / "test-times"  # what each file took, in seconds, when it last ran
SLOWEST = 10
COSTLIEST = 30

RESULT = re.compile(r"(?P<word>ok|not ok) \d+ (?P<title>.*)")
TIMING = re.compile(r"(?P<name>.*) in (?P<milliseconds>\d+)ms")


class Tally:
    """The numbers of all files together, and the lines of their tests, one count for all."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.planned = self.passed = self.failed = self.skipped = 0
        self.slowest: list[tuple[float, str]] = []

    def add(self, lines: list[str]) -> None:
        """Counts and prints lines of TAP that belong together."""
        with self.lock:
            for line in lines:
                if line.startswith("1.."):
                    self.planned += int(line[3:])
                    continue
                if result := RESULT.fullmatch(line):
                    line = self._count(result["word"], result["title"])
                print(line, flush=True)

    def _count(self, word: str, title: str) -> str:
        if word != "ok":
            self.failed += 1
        elif " # skip" in title:
            self.skipped += 1
        else:
            self.passed += 1
        if timing := TIMING.match(title):
            self.slowest.append((int(timing["milliseconds"]) / 1000, timing["name"]))
        return f"{word} {self.passed + self.failed + self.skipped} {title}"

    def close(self) -> bool:
        """Prints the numbers; True if all tests passed, or were skipped for a reason."""
        if self.planned > SLOWEST:
            print("the slowest:")
            for seconds, name in sorted(self.slowest, reverse=True)[:SLOWEST]:
                print(f"{seconds:7.1f} s {name}")
        failed = self.planned - self.passed - self.skipped
        print(f"{self.passed} passed, {failed} failed, {self.skipped} skipped")
        return failed == 0 and self.passed != 0


def fail(error: str, hint: str) -> typing.NoReturn:
    print(f"error: {error}\n  hint    {hint}", file=sys.stderr)
    sys.exit(2)


def files_with(pattern: str, files: list[str]) -> list[str]:
    """Those of the files in which a test has such a name.  (grep -E reads it as bats does.)"""
    chosen = []
    for file in files:
        names = re.findall(
            r'^@test "(.*)" \{$', pathlib.Path(file).read_text("utf-8"), re.M
        )
        grep = subprocess.run(
            ["grep", "-qE", "-e", pattern],
            input="\n".join(names) + "\n",
            encoding="utf-8",
            stderr=subprocess.PIPE,
            check=False,
        )
        if grep.returncode > 1:
            fail(
                f"ONLY='{pattern}' is no regular expression: {grep.stderr.rpartition(': ')[2].strip()}",
                "a character that is not meant as an operator has a \\ before it",
            )
        if grep.returncode == 0:
            chosen.append(file)
    if not chosen:
        fail(
            f"no test here has a name that matches ONLY='{pattern}'",
            f"their names: grep -rh '^@test' {' '.join(files) if len(files) < 3 else 'tests'}",
        )
    return chosen


def longest_first(files: list[str]) -> list[str]:
    """Those files first that took longest the last time."""
    took = {}
    if TIMES.exists():
        for line in TIMES.read_text(encoding="utf-8").splitlines():
            seconds, _, name = line.partition("\t")
            took[name] = float(seconds)
    unknown = max(took.values(), default=0)
    return sorted(files, key=lambda name: -took.get(name, unknown))


def remember(took: dict[str, float]) -> None:
    """Stores what each file took, beside what is known of the files that did not run."""
    if TIMES.exists():
        for line in TIMES.read_text(encoding="utf-8").splitlines():
            seconds, _, name = line.partition("\t")
            took.setdefault(name, float(seconds))
    BUILD.mkdir(exist_ok=True)
    TIMES.write_text(
        "".join(f"{seconds:.1f}\t{name}\n" for name, seconds in sorted(took.items())),
        encoding="utf-8",
    )


def run_file(name: str, words: list[str], tally: Tally) -> None:
    """Runs a file of tests."""
    failed = False
    failure: list[str] = []  # its explanation follows, and other files must not cut in
    with subprocess.Popen(
        ["bats", "--tap", "--timing", *words, name],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    ) as bats:
        assert bats.stdout
        for line in bats.stdout:
            line = line.rstrip("\n")
            if failure and line.startswith("#"):
                failure.append(line)
                continue
            tally.add(failure)
            failure = [line] if line.startswith("not ok") else []
            failed = failed or bool(failure)
            if not failure:
                tally.add([line])
        tally.add(failure)
    if bats.returncode != 0 and not failed:
        tally.add(
            [
                "1..1",
                f"not ok 1 {name} as a whole: bats ended with status {bats.returncode}",
            ]
        )


def run_step(stem: str, tally: Tally) -> None:
    """Is the step right at an odd size?  Counted as a test."""
    own = (
        ["--of", "3"] if stem.startswith("step22_") else []
    )  # of three shares one needs no MPI
    began = time.monotonic()
    run = subprocess.run(
        [BUILD / stem, "--size", "1003", "--repeats", "1", *own],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    title = f"{stem} is right at size 1003 in {(time.monotonic() - began) * 1000:.0f}ms"
    if run.returncode == 0 and re.search(r" right(,|$)", run.stdout, re.M):
        tally.add(["1..1", f"ok 1 {title}"])
    elif run.returncode == 77:
        tally.add(["1..1", f"ok 1 {title} # skip not on this device"])
    else:
        tally.add(
            [
                "1..1",
                f"not ok 1 {title}",
                f"# it ended with status {run.returncode}, and said:",
                *("# " + line for line in run.stdout.splitlines()),
            ]
        )


def on_all_cores(jobs: dict[str, typing.Callable[[], None]]) -> dict[str, float]:
    """Does them; the seconds that each took.  After Ctrl-C none begins."""
    took = {}

    def do(name: str) -> None:
        began = time.monotonic()
        jobs[name]()
        took[name] = time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for future in [pool.submit(do, name) for name in jobs]:
                future.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    return took


def prepare(scratch: pathlib.Path) -> None:
    """What tests need: a small PoCL, and limits of this device.

    Tests leave a user's limits as they are.  If none are known, PoCL measures them in a
    gigabyte of memory, which takes a fifth of the time: no test says how fast this device is.
    """
    small = pathlib.Path.cwd() / BUILD / "small-pocl"
    if (
        subprocess.run(
            ["sh", "tests/small_pocl.sh", str(small)], check=False
        ).returncode
        == 2
    ):
        sys.exit(2)  # there is no room for temporary files, as it has said

    known = pathlib.Path(os.environ.get("LIMITS_DIR", BUILD / "limits"))
    limits = scratch / "limits"
    limits.mkdir()
    for path in known.glob("*.txt"):
        shutil.copy(path, limits)
    os.environ["LIMITS_DIR"] = str(limits)
    step00 = BUILD / "step00_device_limits"
    if step00.exists():  # what keeps it from measuring, its own tests say
        subprocess.run(
            [step00, "--repeats", "3", "--unless-known"],
            check=False,
            env={**os.environ, "POCL_MEMORY_LIMIT": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def begin_profile(scratch: pathlib.Path) -> pathlib.Path:
    """From here on, each command of a test adds a line to the file; see tests/rusage.c."""
    library, log = scratch / "rusage.so", scratch / "rusage"
    subprocess.run(
        [
            os.environ.get("CC", "cc"),
            "-shared",
            "-fPIC",
            "-O1",
            "-o",
            library,
            "tests/rusage.c",
        ],
        check=True,
    )
    log.touch()
    os.environ.update(LD_PRELOAD=str(library), RUSAGE=str(log))
    return log


def name_of(test: str) -> str:
    """The name of a test, of what bats makes of it: "test_is_-2brong" is "is +rong"."""
    test = test.removeprefix("test_").replace("_", " ")
    return re.sub(r"-([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), test)


class Cost(typing.NamedTuple):
    """What a command of a test took: a line of tests/rusage.c."""

    seconds: float
    file: str
    test: str
    command: str


def costs_in(log: pathlib.Path) -> list[Cost]:
    found = []
    here = f"{pathlib.Path.cwd()}/"
    for line in log.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]:
        milliseconds, file, test, command = line.split("\t")
        name = os.path.relpath(file, "tests") if file else "-"
        command = command.replace(here, "")
        found.append(Cost(int(milliseconds) / 1000, name, name_of(test), command))
    return found


def print_profile(costs: list[Cost]) -> None:
    """Which files and which commands cost most."""
    of_file: dict[str, float] = {}
    for cost in costs:
        of_file[cost.file] = of_file.get(cost.file, 0) + cost.seconds
    all_of_them = sum(of_file.values())
    print(f"{len(costs)} commands took {all_of_them:.0f} s of the processors' time")
    print("the most expensive files:")
    for file, sum_of_file in sorted(of_file.items(), key=lambda item: -item[1])[
        :SLOWEST
    ]:
        print(f"{sum_of_file:7.1f} s {file}")
    print("the most expensive commands:")
    for cost in sorted(costs, reverse=True)[:COSTLIEST]:
        print(f"{cost.seconds:7.2f} s {cost.file}: {cost.test[:60]}")
        print(f"            {cost.command[:160]}")


def run_quickly(stems: list[str], tally: Tally) -> None:
    """The tests that run no step, and each of these steps at one size, as fast as may be."""
    small = pathlib.Path.cwd() / BUILD / "small-pocl" / "pocl.icd"
    if small.exists() and not os.environ.get("OCL_ICD_VENDORS"):
        os.environ["OCL_ICD_VENDORS"] = str(small)

    # PoCL 3 compiles in half the time if it does not optimize; see `quickly` of tests/helper.bash.
    devices = subprocess.run(
        [BUILD / "step00_device_limits", "--devices"],
        encoding="utf-8",
        stdout=subprocess.PIPE,
        check=False,
    ).stdout
    if not re.search(r" cpu +([4-9]|[1-9][0-9]+)\.", devices):
        os.environ["POCL_EXTRA_BUILD_FLAGS"] = "-cl-opt-disable"

    jobs = {
        name: functools.partial(run_file, name, [], tally)
        for name in ["tests/layout.bats", "tests/lens/unit.bats"]
    }
    on_all_cores(
        jobs | {stem: functools.partial(run_step, stem, tally) for stem in stems}
    )


def run_chosen(files: list[str], pattern: str, tally: Tally) -> None:
    """The tests in these files, of those names only if there is a pattern."""
    words = ["-f", pattern] if pattern else []
    took = on_all_cores(
        {
            name: functools.partial(run_file, name, words, tally)
            for name in longest_first(files)
        }
    )
    if not pattern:
        remember(took)


def main(asked: list[str]) -> int:
    pattern = os.environ.pop(
        "ONLY", ""
    )  # which is not for what tests call; nor is this:
    profile = os.environ.pop("PROFILE", "")
    stems = asked[1:] if asked[:1] == ["--quick"] else []
    files = asked or sorted(str(path) for path in pathlib.Path("tests").rglob("*.bats"))
    if pattern and not stems:
        files = files_with(pattern, files)

    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="lockstep.") as folder:
        scratch = pathlib.Path(folder)
        prepare(scratch)
        log = begin_profile(scratch) if profile else None
        if stems:
            run_quickly(stems, tally)
        else:
            run_chosen(files, pattern, tally)
        os.environ.pop("LD_PRELOAD", None)
        passed = tally.close()
        if log:
            print_profile(costs_in(log))
    return 0 if passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
