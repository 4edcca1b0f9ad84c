"""Runs a step, or the lens with a step, and sees to it that it ends."""

import csv
import os
import re
import resource
import shlex
import signal
import subprocess
import time
from glob import glob
from typing import IO, NamedTuple, Optional

from facts import BUILD

PATIENCE = int(os.environ.get("PATIENCE") or 60)  # seconds of a processor
ASLEEP = 20  # seconds: so long has a process done nothing
LOOK = 2  # seconds from look to look
ENOUGH = 64 << 20  # characters of what is printed

CPU_SPENT, TIMED_OUT, CANNOT, NOT_THERE = (
    152,
    124,
    126,
    127,
)  # exit statuses, as a shell has them


StepRow = dict[str, str]  # a row of a step: what stands in each column


class Run(NamedTuple):
    """What a program has printed, and how it ended."""

    status: int
    out: str
    err: str
    asleep: bool = False

    @property
    def endless(self) -> bool:
        return self.status in (CPU_SPENT, TIMED_OUT, 128 + signal.SIGKILL)


def run(
    command: list[str],
    arguments: str,
    scratch: str,
    patience: int,
) -> Run:
    """Runs a command with arguments as a shell would read them: quotes hold names
    together, as in --rung "local tile"; settings (LOCKSTEP_MAX_GROUP=100: groups of 100
    at most) go into the environment.

    What counts is the processors' time, because on a busy machine everything takes
    long.  What only waits uses none: it is ended a good while later, and what sleeps
    even before."""
    words = shlex.split(arguments)
    settings = dict(word.split("=", 1) for word in words if is_setting(word))
    command = command + [word for word in words if not is_setting(word)]
    environment = {
        **os.environ,
        **settings,
        "PATIENCE": "0",
    }  # the step itself would look at the clock

    def limit() -> None:
        _soft_limit(resource.RLIMIT_CORE, 0)
        _soft_limit(resource.RLIMIT_CPU, patience)

    with open(f"{scratch}/out", "w+b") as out, open(f"{scratch}/err", "w+b") as err:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
                preexec_fn=limit,
            )
        except OSError as error:
            return _not_started(command, error)
        status, asleep = _wait(child, 20 * patience)
        return Run(status, _printed(out), _printed(err), asleep)


def plain_run(command: list[str], arguments: str = "") -> Run:
    """Runs a program that ends by itself."""
    try:
        ran = subprocess.run(
            command + shlex.split(arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except OSError as error:
        return _not_started(command, error)
    return Run(ran.returncode, ran.stdout, ran.stderr)


def step_rows(ran: Run) -> list[StepRow]:
    """What a step has printed with --format tsv, whatever other lines stand around it:
    for each row, the name of each column and what stands there."""
    printed = ran.out + ran.err
    head = f"\n{printed}".find("\nstep\t")
    lines = printed[head:].split("\n") if head >= 0 else []
    return list(
        csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
    )


def on_a_gpu(rows: list[StepRow]) -> bool:
    """Has a GPU measured these rows of a step?"""
    if not rows:
        return False
    listed = plain_run([f"{BUILD}/step00_device_limits", "--devices"]).out
    name = re.escape(rows[0]["device"])
    return re.search(f"{name} +(gpu|other) ", listed) is not None


def _not_started(command: list[str], error: OSError) -> Run:
    status = NOT_THERE if isinstance(error, FileNotFoundError) else CANNOT
    return Run(status, "", f"{command[0]}: {error.strerror}\n")


def is_setting(word: str) -> bool:
    """Such as LOCKSTEP_MAX_GROUP=100, which goes into the environment."""
    return word.startswith("LOCKSTEP_") and "=" in word


def _soft_limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))


def _printed(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(ENOUGH).decode("utf-8", "surrogateescape")


def _wait(child: subprocess.Popen[bytes], seconds: int) -> tuple[int, bool]:
    """Its exit status, and whether it was ended because it slept.  Whatever happens,
    nothing that it has started is left."""
    ends, awake = time.monotonic() + seconds, time.monotonic()
    ticks: Optional[int] = None
    try:
        while True:
            try:
                status = child.wait(LOOK)
                return (status if status >= 0 else 128 - status), False
            except subprocess.TimeoutExpired:
                now, before, ticks = time.monotonic(), ticks, _ticks(child.pid)
            if now > ends:
                return TIMED_OUT, False
            if ticks is None or before is None or ticks - before >= 5:
                awake = now
            else:
                ticks = before
            if now - awake >= ASLEEP:
                return 128 + signal.SIGTERM, True
    finally:
        if child.poll() is None:
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends a program and all that it has started, which is a session of its own."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, how)
            child.wait(5)
            return
        except (subprocess.TimeoutExpired, ProcessLookupError):
            continue


def _ticks(session: int) -> Optional[int]:
    """The processors' time that a session has had; None where there is no /proc.  There
    stand, behind the command's name in brackets, the state, parent, group and session
    of a process, and as 12th to 15th the times, with those of children that have
    ended."""
    found: Optional[int] = None
    for path in glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            found = (found or 0) + sum(map(int, fields[11:15]))
    return found
