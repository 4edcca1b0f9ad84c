"""Which device this is, and what it has not measured yet.  A step is measured as `make run` does
it, and again only when its program or its kernels are newer than its rows."""

from __future__ import annotations

import csv
import datetime
import io
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import files
import results
import store
from files import SKIPPED, fail
from results import Device
from store import Own

OPTIONS = ["--repeats", "5", "--brief"]
TIMELINES = ("step10b", "step11", "step12")
SECONDS = 3  # that a step takes, with two cores


class Unable(Exception):
    """Nothing can run, and nothing was measured before: what a step has said of it."""


# ---- Which device it is.
def find() -> Own:
    """The device that DEVICE chooses, or that steps choose by themselves.  Where nothing can
    run, one that has measured before."""
    program = [files.program("step00"), "--size", "1000", "--repeats", "1"]
    try:
        done = subprocess.run(program, capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        return stored_before(f"error: cannot run {program[0]}: {error.strerror}")
    about = results.facts_of(done.stdout)
    if done.returncode or not about["device"]:
        said = (done.stderr or done.stdout).strip()
        return stored_before(said or f"error: {program[0]} ended with status {done.returncode}")
    called = f"{about['device']} {about['driver'].partition('driver ')[2]}"
    name = re.sub("[^A-Za-z0-9.+-]+", "-", called)
    return Own(Device(about), store.folder() / name.strip("-"))


def stored_before(why: str) -> Own:
    known = store.devices()
    found = [where for where, about in known.items() if is_meant(about)]
    if not found:
        raise Unable(why)
    if len(found) > 1:
        names = "\n".join(f"  there   {known[where]['device']}" for where in found)
        hint = "choose one by a part of its name: make report DEVICE=..."
        fail(f"no device can run here, and several have measured before\n{names}", hint)
    about = known[found[0]]
    said = f"report: nothing can run here; {about['device']} has measured before"
    print(said, file=sys.stderr)
    about = {name: about.get(name, "") for name in (*store.SEEN, "units")}
    return Own(Device(about), found[0], before=True)


def is_meant(about: dict[str, str]) -> bool:
    """Is it the device that DEVICE names, by a part of its name, or as gpu or cpu?"""
    chosen, name = os.environ.get("DEVICE", "").lower(), about["device"].lower()
    return name.endswith(f"({chosen})") or chosen in name


# ---- Measuring.
def measure(own: Own, steps: list[str]) -> None:
    """What is missing of these steps, and the limits, which may have become better."""
    keep_limits(own)
    missing = [step for step in steps if step != "step00" and not is_fresh(own, step)]
    if not missing:
        print(f"report: all is measured already, in {own.folder}/", file=sys.stderr)
        return
    minutes = math.ceil(len(missing) * SECONDS / 60)
    long = f"about {minutes} minutes" if minutes > 1 else "less than a minute"
    count = f"{len(missing)} steps" if len(missing) > 1 else missing[0]
    name = own.device.about["device"]
    print(f"report: measures {count} on {name}; this takes {long}", file=sys.stderr)
    began = time.monotonic()
    for number, step in enumerate(missing, 1):
        progress(f"{step} ({number} of {len(missing)}) ...")
        measure_step(own, step)
    progress("")
    print(f"report: measured in {time.monotonic() - began:.0f} s", file=sys.stderr)


def keep_limits(own: Own) -> None:
    program = [files.program("step00"), "--unless-known"]
    done = subprocess.run(program, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    found = re.search("^limits: (.*)$", done.stdout, re.MULTILINE)
    limits, path = found[1] if found else "", own.folder / "step00.csv"
    known = results.about(path).get("limits") if path.is_file() else None
    if known is None or limits not in ("", known):  # "": step 00 has failed, and says why
        files.put(path, above(dict(about_now(own), limits=limits)))


def about_now(own: Own) -> dict[str, str]:
    return dict(own.device.about, date=datetime.date.today().isoformat())


def above(about: dict[str, str]) -> str:
    return "".join(f"# {name}: {value}\n" for name, value in about.items())


def progress(text: str) -> None:
    """On a terminal, until the next line takes its place."""
    if sys.stderr.isatty():
        print(f"\r{'':79}\r{text}", end="", file=sys.stderr, flush=True)


def is_fresh(own: Own, step: str) -> bool:
    stored = own.folder / f"{step}.csv"
    if not stored.is_file() or "failed" in results.about(stored):
        return False
    source = files.steps()[step].stem
    made_of = [Path(files.program(step)), Path(f"kernels/{source}.cl")]
    newest = max(path.stat().st_mtime for path in made_of if path.exists())
    return stored.stat().st_mtime >= newest


def measure_step(own: Own, step: str) -> None:
    """Runs it; of one that is skipped or fails, its reason is kept in place of rows.  Some steps
    write a text to stdout, so the rows come as a file."""
    picture, rows = own.folder / f"{step}.svg", own.folder / f"{step}.tsv"
    picture.unlink(missing_ok=True)
    command = ["sh", "common/commands/ranks.sh", files.program(step), "--rows", str(rows)]
    command += [*OPTIONS, *story(step)]
    if step in TIMELINES:
        command += ["--timeline", str(picture)]
    silent = subprocess.DEVNULL
    done = subprocess.run(command, stdout=silent, stderr=subprocess.PIPE, errors="replace")
    about = about_now(own)
    if done.returncode == SKIPPED:
        about["skipped"] = reason(done.stderr)
    elif done.returncode:
        about["failed"] = reason(done.stderr) or f"ended with status {done.returncode}"
    files.put(own.folder / f"{step}.csv", above(about) + in_commas(rows))
    rows.unlink(missing_ok=True)


def in_commas(rows: Path) -> str:
    """A file of rows, whose fields have tabs between them, as CSV."""
    written = io.StringIO()
    lines = files.lines(rows) if rows.is_file() else []
    fields = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    csv.writer(written, lineterminator="\n").writerows(fields)
    return written.getvalue()


def story(step: str) -> list[str]:
    """An option that the step's header has for `make run`, such as fewer repeats."""
    header = files.read(files.steps()[step])
    found = re.search(r"^ \* Story +(--[a-z]+) ([0-9]+)", header, re.MULTILINE)
    return [found[1], found[2]] if found else []


def reason(said: str) -> str:
    """The sentence with which a step ends, in one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = [line for line in lines if re.match("(error|wrong|skipped): ", line)]
    return (told or lines or [""])[0]
