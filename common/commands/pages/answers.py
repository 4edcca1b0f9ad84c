"""docs/results/answers.tsv: what a GPU answers, for the screens of the steps.

A learner at a CPU cannot measure what a lesson is about.  So the steps have it with them: for
each row what the lens counts, and what an H200 has measured; or an H100, where the H200 lacks
rows.  All of it is stored elsewhere in docs/results/, and joined here, because a program reads
no CSV.  Lines of fields with tabs between them:

    device    CARD  DRIVER  DATE       who measures, in front of all steps
    measured  STEP  CARD               whose times its rows have
    counted   STEP  TITLE  TITLE  MEANING  SIZE
                                       what the counts of a step's rows are, in two short lines
                                       and in a long one; and of how many elements, where a
                                       count grows with them
    row       STEP  VARIANT  COUNT  MS  SHARE  ELEMENTS  LEAST
                                       LEAST: the milliseconds that no run beats there
    headline  STEP  VARIANT  RATIO  VERDICT  CARD  COUNT  OTHER  TITLE  TITLE
                                       how many times faster the first is there; and the counts
                                       of both, for readers (4,096), as the header's line
                                       `Story` names them"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Iterator, NamedTuple

import files
import leasts
import reports
import results
from markdown import grouped, number
from results import Device, Row

FILE = results.FOLDER / "answers.tsv"
CARDS = (results.GPU, "nvidia-h100")  # the second, where the first lacks rows or a headline

# Columns of counts.csv, as the heading of a column, in two lines.
TITLES = {
    "busy_lanes": ("lanes", "busy"),
    "load_sectors": ("sectors", "a load"),
    "store_sectors": ("sectors", "a store"),
    "passes": ("passes", "of banks"),
    "l1_passes": ("L1 passes", "a load"),
    "barriers": ("barriers", ""),
    "atomics": ("atomics", ""),
    "diverged": ("branches", "diverge"),
    "sectors": ("sectors", "at most"),
    "pages": ("pages", "at most"),
    "moved_bytes": ("bytes", "moved"),
}

MEANINGS = {
    "busy_lanes": "of the 32 lanes of a warp, how many are at work, on average",
    "load_sectors": "pieces of 32 bytes that a load of 32 lanes touches",
    "store_sectors": "pieces of 32 bytes that a store of 32 lanes touches",
    "passes": "rounds in which the banks of local memory serve all warps",
    "l1_passes": "rounds in which the L1 serves a load of 32 lanes",
    "barriers": "how often a group waits until all its work-items are there",
    "atomics": "atomic operations, of which an address takes one at a time",
    "moved_bytes": "for each element, by loads and stores, if no cache helps",
}
TOTALS = ("passes", "barriers", "atomics")  # these grow with the size


def text() -> str:
    lines = [
        ["device", results.card(card), card.about["driver"], card.about["date"]]
        for card in cards()
    ]
    for step, source in files.steps().items():
        lesson = story(source)
        of_rows = lesson.of_rows
        if of_rows:
            at = f"{size(step):,}" if of_rows in TOTALS else ""
            lines.append(["counted", source.stem, *TITLES[of_rows], MEANINGS[of_rows], at])
        card = measurer(step)
        if timed(card, step):
            lines.append(["measured", source.stem, results.card(card)])
        lines += rows(card, step, source.stem, of_rows)
        in_turn = sorted(cards(), key=lambda other: other is not card)
        lines += headline(in_turn, step, source.stem, lesson)
    return "".join("\t".join(line) + "\n" for line in lines)


@functools.cache
def cards() -> list[Device]:
    return [results.read(results.FOLDER / f"{name}.csv") for name in CARDS]


def measurer(step: str) -> Device:
    """The card that answers for a step: the one with the most rows; of equals, one with a
    headline; or else the first."""
    return max(cards(), key=lambda card: (len(timed(card, step)), step in card.headlines))


class Lesson(NamedTuple):
    """Columns of counts.csv that are the lesson of a step, of its headline and of its rows
    (mostly one); and the two launches of the headline.  Nothing is counted where it is "".
    """

    of_headline: str
    of_rows: str
    launches: list[str]


def story(source: Path) -> Lesson:
    """What the header of a step says behind `Story`: a column, launches, and for another
    column of the rows "; rows COLUMN"."""
    header = re.match(r"/\*.*?\*/", files.read(source), re.DOTALL)
    found = re.search(r"^ \* Story +((?:.*\n \*   +)*.*)$", header[0] if header else "", re.M)
    text = re.sub(r"--[a-z]+ [0-9]+|\n \*", " ", found[1]) if found else ""
    words, _, rows_column = text.partition("; rows ")
    column, *launches = words.split() or [""]
    return Lesson(column, rows_column.strip() or column, launches)


def timed(card: Device, step: str) -> set[str]:
    """The variants of which the card has a time."""
    return {row["variant"] for row in card.rows.get(step, []) if row["median_ms"]}


def rows(card: Device, step: str, stem: str, column: str) -> Iterator[list[str]]:
    """A line for each row that the card has measured, or that the lens has counted."""
    measured = {row["variant"]: row for row in card.rows.get(step, [])}
    counts = dict(counted(step, column)) if column else {}
    least = {}
    if card is cards()[0] and leasts.is_stored(results.GPU):
        least = {name: [row["at_least_ms"]] for name, row in leasts.variants(step)}
    for variant in [*measured, *(name for name in counts if name not in measured)]:
        row = measured.get(variant)
        found = results.find(card, step, variant) if row else None
        said = [counts.get(variant, ""), *time(found), *least.get(variant, [])]
        if any(said[:2]):
            yield ["row", stem, variant, *said]


def size(step: str) -> int:
    """Of how many elements its launches were counted."""
    found = re.search(r"^ \* Lens +.*--size ([0-9]+)", files.read(files.steps()[step]), re.M)
    return int(found[1]) if found else 1


def count(launch: reports.Launch, step: str, column: str) -> str:
    """Bytes are counted for each element, because they grow with the size; all else is whole."""
    if column == "moved_bytes":
        return f"{number(launch[column]) / size(step):.4g}"
    if column == "l1_passes":
        return f"{number(launch[column]):g}"
    return launch[column]


def time(row: Row | None) -> list[str]:
    if not row or not row["median_ms"]:
        return ["", "", ""]
    share = "~100" if results.verdict(row) == "at the limit" else row["percent_of_limit"]
    return [row["median_ms"], share, row["size"]]


def counted(step: str, column: str) -> Iterator[tuple[str, str]]:
    """The variants of rungs.txt, each with its count."""
    for where, fields in files.columns(results.FOLDER / "rungs.txt", 2):
        of_step, variant, launch = (fields + [""])[:3]
        if of_step == step and launch:
            yield variant, count(reports.counted(where, step, launch), step, column)


def headline(
    in_turn: list[Device], step: str, stem: str, lesson: Lesson
) -> Iterator[list[str]]:
    """What the first of these cards says that has a headline."""
    column = lesson.of_headline
    counts = [short(count(launch(step, name), step, column)) for name in lesson.launches]
    counted = (counts + ["", ""])[:2] + list(TITLES.get(column, ("", "")))
    for card in in_turn:
        if step in card.headlines:
            row = card.headlines[step]
            verdict = row["note"].partition(",")[0]
            yield [
                "headline",
                stem,
                row["variant"],
                row["rate"],
                verdict,
                results.card(card),
                *counted,
            ]
            return
    if counts:
        yield ["headline", stem, "", "", "", "", *counted]


def launch(step: str, kernel: str) -> reports.Launch:
    """KERNEL, its first launch in counts.csv; KERNEL@WORD, the first with that argument (n=64),
    or that shape of all work-items, or of a group (32x8)."""
    name, _, word = kernel.partition("@")
    for row in reports.launches_of(step, name):
        shapes = [row[shape].replace(" ", "") for shape in ("global", "local")]
        if not word or word in [*row["arguments"].split(), *shapes]:
            return row
    problem = f"{reports.FOLDER}/counts.csv has no {kernel} of {step}, which its header names"
    files.fail(problem, "make count counts again")


def in_words(step: str) -> str:
    """What the lens counts for both launches of a headline: 4 sectors a load, not 32."""
    column, _, launches = story(files.steps()[step])
    if len(launches) != 2:
        return ""
    first, second = (short(count(launch(step, name), step, column)) for name in launches)
    unit = " ".join(filter(None, TITLES[column]))
    return f"{first} {unit}, not {second}" if first != second else f"both {first} {unit}"


def short(text: str) -> str:
    """4.58, and above ten whole: 32; 4,096."""
    return f"{number(text):.3g}" if number(text) < 9.995 else grouped(text)
