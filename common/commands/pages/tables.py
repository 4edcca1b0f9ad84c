"""The markers that many pages have, but for those of the lens (reports.py).  Each gets its
page and its words, and returns the lines between the marker and its end."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import answers
import files
import leasts
import reports
import results
from files import fail
from markdown import fenced, grouped, link, number, significant, table
from results import Device, Row


class Rung(NamedTuple):
    """A variant that a chapter shows: a line of docs/results/rungs.txt."""

    where: str  # the file and its line
    variant: str
    launch: reports.Launch | None  # what the lens has counted, if there is something to count
    source: str  # what others report of it


def rungs(step: str) -> list[Rung]:
    found = []
    for where, fields in files.columns(results.FOLDER / "rungs.txt", 2):
        name, variant, launch, source = (fields + ["", ""])[:4]
        if name == step:
            counts = reports.counted(where, step, launch) if launch else None
            found.append(Rung(where, variant, counts, source))
    return found or fail(f"rungs.txt has no rows of {step}", "write them there")


def title(step: str) -> str:
    """Its name in words, from the first line of its program."""
    first = files.lines(files.steps()[step])[0]
    return re.sub(r"^/\* Step [0-9]+[a-z]?: ", "", first)


def said_of_steps() -> dict[tuple[str, str], str]:
    """docs/contents.txt: by step and kind, the head above it, or a note behind its name."""
    lines = files.columns(Path("docs/contents.txt"), 3)
    return {(step, kind): words for _, (step, kind, words) in lines}


def contents(page: Path) -> list[str]:
    """contents: the steps, from the first lines of their programs, with the heads and notes of
    docs/contents.txt"""
    said = said_of_steps()
    text = []
    for step, source in files.steps().items():
        chapter = link(page, Path(f"docs/{source.stem}.md"))
        head, note = said.pop((step, "head"), ""), said.pop((step, "note"), "")
        text += ["", f"**{head}**", ""] if head else []
        text.append(
            f"- {step[len('step'):]} [{title(step)}]({chapter})" + (note and f" ({note})")
        )
    if said:
        fail(f"docs/contents.txt has no step {next(iter(said))[0]}", "is it a step's name?")
    return [*text, ""]


def screen(page: Path, name: str, file: str) -> list[str]:
    """screen: NAME STEP: what the step printed there"""
    return measured_file(f"{name}/{file}.txt")


def asm(page: Path, name: str, step: str, kernel: str) -> list[str]:
    """asm: NAME STEP KERNEL: the machine code of that kernel there"""
    return measured_file(f"{name}/{step}-{kernel}.asm")


def measured_file(name: str) -> list[str]:
    hint = f"make measure NAME={name.partition('/')[0]} writes it"
    return fenced(files.lines(results.FOLDER / name, hint))


def task(page: Path, step: str) -> list[str]:
    """task: STEP: the step's exercise that checks itself"""
    exercise = Path("docs/exercises") / f"{Path(files.program(step)).name}.md"
    title = files.lines(exercise)[0][len("# ") :]
    return [
        f"**[{title}]({link(page, exercise)})** checks itself: guess with",
        f"`make {step} predict`, begin with `make {step} exercise`,"
        f" and let `make {step} check` see.",
        "",
    ]


def all_rows(page: Path, step: str) -> list[str]:
    """table: STEP: all its rows that have a time, device by device"""
    text = []
    for device in results.with_step(step):
        timed = [row for row in device.rows.get(step, []) if row["median_ms"]]
        if timed:
            about = device.about
            text.append(f"**{about['device']}**, {about['driver']}, {about['date']}")
            text += rows_of(device, step)
    return ["", *(text or ["This step measures no time.", ""])]


def rows_of(device: Device, step: str) -> list[str]:
    """A CPU is shared with others and its times drift, so its rows are compared with the
    first of their size that has a rate; a GPU's stand for themselves."""
    is_cpu = results.is_cpu(device)
    titles = ["variant", "elements", "time, first rate = 1" if is_cpu else "median ms"]
    titles += ["spread", "rate", "of the limit", ""]
    cells = []
    first: Row = {}
    for i, row in enumerate(device.rows[step]):
        if not row["median_ms"]:
            continue
        if row["size"] != first.get("size"):
            first = first_rate(device.rows[step][i:])
        time = significant(row["median_ms"])
        if is_cpu and step != "step00":
            time = f"{number(row['median_ms']) / number(first['median_ms']):.3g}"
        about = [row["variant"], grouped(row["size"]), time, spread(row)]
        cells.append([*about, results.rate(row), results.share(row), results.verdict(row)])
    return table(titles, cells, "lrrrrrl")


def first_rate(rows: list[Row]) -> Row:
    """The first of the rows that has a rate, as far as they have one size; else the last."""
    of_size = list(takewhile(lambda row: row["size"] == rows[0]["size"], rows))
    return next((row for row in of_size if row["rate"]), of_size[-1])


def spread(row: Row) -> str:
    fastest, median, slowest = (
        number(row[f"{which}_ms"]) for which in ("fastest", "median", "slowest")
    )
    return f"{fastest / median:.2f}–{slowest / median:.2f}"


def headlines(page: Path, step: str) -> list[str]:
    """headlines: STEP: what the step says in one ratio, on each device"""
    titles = ["device", "compared", "the first is", "quartiles", "on this device"]
    cells = [
        headline(device, device.headlines[step])
        for device in results.with_step(step)
        if step in device.headlines
    ]
    if not cells:
        return ["", "No ratio of this step is stored yet.", ""]
    return table(titles, cells, "llrrl")


def answer(page: Path, step: str) -> list[str]:
    """answer: STEP: its headline on a stored GPU, and what the lens counts for both"""
    card = answers.measurer(step)
    row = card.headlines.get(step)
    counted = answers.in_words(step)
    if not row:
        fail(f"no GPU has measured a headline of {step}", "remove the marker")
    times = headline(card, row)[2].replace(" × ", " times ")
    lines = [row["variant"], f"  on an {results.card(card)}  {times}"]
    return fenced(lines + ([f"  counted     {counted}"] if counted else []))


def bound(page: Path, step: str, *variant: str) -> list[str]:
    """bound: STEP VARIANT: the measured row that no version can beat"""
    name = " ".join(variant)
    card = answers.measurer(step)
    row = results.find(card, step, name)
    if not row:
        fail(f"no GPU has measured {name} of {step}", "is it written as in its results?")
    measured, size = results.measured(row, with_time=True), grouped(row["size"])
    return fenced([f"{name}, {size} elements on an {results.card(card)}: {measured}"])


def headline(device: Device, row: Row) -> list[str]:
    """Its note has the verdict and the quartiles: `true, 1.2 to 1.5`."""
    said, quartiles = row["note"].split(", ")
    lower, upper = map(number, quartiles.split(" to "))
    median = number(row["rate"])
    if said == "not told apart":
        times = "–"
    elif median >= 1:
        times = f"{median:.3g} × faster"
    else:
        times = f"{1 / median:.3g} × slower"
        lower, upper = 1 / upper, 1 / lower
    between = f"{lower:.3g} to {upper:.3g} ×"
    return [results.title(device), row["variant"], times, between, said]


def rows(page: Path, step: str, *columns: str) -> list[str]:
    """rows: STEP COLUMN ... [on NAME]: a row for each variant of docs/results/rungs.txt: these
    columns of the lens's counts, and the measured rates beside them, of all devices or of
    docs/results/NAME.csv; `time` adds the times, `least` the time that no H200 beats, and
    `result` the notes of the first device"""
    devices = results.with_step(step)
    if "on" in columns:
        at = columns.index("on")
        columns, names = columns[:at], columns[at + 1 :]
        devices = [results.read(results.FOLDER / f"{name}.csv") for name in names]
    with_time, with_result = "time" in columns, "result" in columns
    least = leasts.in_words(step) if "least" in columns else None
    counts = [column for column in columns if column not in ("time", "result", "least")]
    for column in counts:
        if column not in reports.TITLES:
            fail(f"counts.csv has no column {column}", ", ".join(reports.TITLES))
    chosen = rungs(step)
    measured = measured_rows(devices, step, chosen)
    values = ("time, " if with_time else "") + values_of(measured)
    titles = ["variant"]
    for column in counts:
        has_ideal = any(rung.launch and reports.ideal(rung.launch, column) for rung in chosen)
        titles.append(reports.TITLES[column] + (" (ideal)" if has_ideal else ""))
    titles += ["at least on an H200, bound by"] if least is not None else []
    titles += [f"{results.title(device)}: {values}" for device in devices]
    titles += ["result"] if with_result else []
    cells = []
    for rung, of_devices in zip(chosen, measured):
        of_lens = [reports.cell(rung.launch, column) for column in counts]
        of_all = [results.measured(row, with_time) for row in of_devices]
        of_least = [] if least is None else [least.get(rung.variant, "–")]
        cells.append([rung.variant, *of_lens, *of_least, *of_all])
        if with_result:
            cells[-1].append(of_devices[0]["note"] if of_devices[0] else "–")
    return table(titles, cells) + link_results(page, step)


def measured_rows(
    devices: list[Device], step: str, chosen: list[Rung]
) -> list[list[Row | None]]:
    """For each of these variants, each device's row.  At least one must have measured it, if
    the lens has not counted it."""
    variants = [rung.variant for rung in chosen]
    of_devices = [results.of_one_size(device, step, variants) for device in devices]
    of_variants = [[rows[i] for rows in of_devices] for i in range(len(chosen))]
    for rung, found in zip(chosen, of_variants):
        if devices and not rung.launch and not any(found):
            hint = "is it written as in docs/results/*.csv?"
            fail(f"{rung.where}: {rung.variant} is neither measured nor counted", hint)
    return of_variants


def values_of(measured: list[list[Row | None]]) -> str:
    """What the cells of these rows hold: do some have a share of a limit, or its doubt?"""
    for row in sum(measured, []):
        if row and (results.share(row) or results.verdict(row)):
            return "rate, share of its limit"
    return "rate"


def link_results(page: Path, step: str) -> list[str]:
    """Where all rows stand, if the step has such a page."""
    file = results.FOLDER / f"{step}.md"
    if not file.exists():
        return []
    return [f"Every measured row, with its spread: [{file}]({link(page, file)}).", ""]
