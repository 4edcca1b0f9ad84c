"""Measures the steps on one device and stores what they say, for the tables and screens in
docs/.  DEVICE=... chooses the device, as for make.  With some steps, only those: results that
only their own chapters show.  TITLE="two such GPUs" is what tables call the device, if not by
its name.

    docs/results/NAME.csv         every row at full size, under lines that name the device
    docs/results/NAME/step03.txt  the screen of an ordinary run
    docs/results/NAME/step18b-peers.txt  what `make step18b peers` prints, if docs/ show it
    docs/results/NAME/step09-f.asm  the machine code of kernel f, for each marker `asm`"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys

import files
import markers
from files import SKIPPED, fail
from results import FOLDER, facts_of

FULL = ["--full", "--format", "csv"]


def measure(name: str, only: list[str]) -> None:
    check_arguments(name, only)
    if os.geteuid() == 0:  # then a screen does not say that they are set (ranks.sh)
        os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
        os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    rows: list[bytes] = []
    for step in files.steps():
        program = files.program(step)
        if only and step not in ["step00", *only]:
            continue
        print(program, file=sys.stderr)
        screen = FOLDER / name / f"{step}.txt"
        if step == "step00":
            printed = run(program).stdout
            measured = run(program, *FULL).stdout.splitlines(keepends=True)
            rows += about(printed.decode("utf-8", "surrogateescape"), only)
            rows += without_answers(measured[:1] if only else measured)  # its columns, at least
        else:
            ranks = ["sh", "common/commands/ranks.sh", program]
            done = run(*ranks, errors=subprocess.STDOUT)  # has the table beside a text
            if done.returncode == SKIPPED:
                print(f"{program} is skipped", file=sys.stderr)
                screen.unlink(missing_ok=True)
                continue
            printed = done.stdout
            rows += without_answers(run(*ranks, *FULL).stdout.splitlines(keepends=True)[1:])
        files.put(screen, printed)
    files.put(FOLDER / f"{name}.csv", b"".join(rows))
    store_shown(name)


def without_answers(rows: list[bytes]) -> list[bytes]:
    """What is stored elsewhere, in answers.tsv, stands in the last three columns."""
    return [row.rsplit(b",", 3)[0] + b"\n" for row in rows]


def check_arguments(name: str, only: list[str]) -> None:
    table, folder = FOLDER / f"{name}.csv", FOLDER / name
    if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9.-]*", name):
        hint = "letters, digits, dots and hyphens, as in make measure NAME=pocl-3.1"
        fail(f"NAME={name} cannot be the name of results", hint)
    if folder.exists() and not (folder / "step00.txt").exists():
        fail(f"{folder} has other files than results", "choose another name")
    if only and table.exists() and b"\n# only:" not in b"\n" + table.read_bytes():
        fail(f"{table} has every step", "choose another name")
    for step in only:
        files.program(step)


def run(*command: str, errors: int | None = None) -> subprocess.CompletedProcess[bytes]:
    """A command that must be right, or skip itself; what it prints is in its stdout."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors)
    if done.returncode not in (0, SKIPPED):
        sys.stderr.buffer.write(done.stdout)
        fail(f"status {done.returncode} of {' '.join(command)}", "nothing of it is stored")
    return done


def about(screen: str, only: list[str]) -> list[bytes]:
    """The lines that name the device, from step 00's screen."""
    said = {"only": " ".join(only)} if only else {}
    said |= facts_of(screen)
    said["device"] = os.environ.get("TITLE") or said["device"]
    said["date"] = datetime.date.today().isoformat()
    return [f"# {name}: {value}\n".encode() for name, value in said.items()]


def store_shown(name: str) -> None:
    """What pages show of this device besides: peers and machine code."""
    folder = FOLDER / name
    screens = [words for _, words in markers.find("screen")]
    for step, peer in ("step14b", "sort"), ("step18b", "matmul_ahead"):
        if [name, f"{step}-peers"] in screens:
            printed = run("sh", f"tests/peers/{peer}.sh").stdout
            files.put(folder / f"{step}-peers.txt", printed)
    for _, (device, step, kernel) in markers.find("asm"):
        if device == name:
            asm = ["sh", "common/commands/asm.sh", "--kernel", kernel]
            code = run(*asm, files.steps()[step].stem, "--").stdout
            files.put(folder / f"{step}-{kernel}.asm", code)
