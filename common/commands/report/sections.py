"""The sections of a report, as HTML.  A GPU's answer comes first, then what is here."""

from __future__ import annotations

import functools
import shutil

import answers
import bars as plots
import one_page
import results
import rooflines
from markdown import grouped, number, significant
from page import facts, figure, table, text
from results import Device, Row
from store import Own
from tables import title

LIMITS = ("read", "copy", "fill", "multiply-add", "launch")

# What the bars of a step are (bars.kind).
CAPTIONS = {
    "share": "how much of its device’s limit each variant reaches, in %",
    "speed": "how many times as fast as the row with 1 each variant is",
    "rate": "the rate of each variant",
    "time": "the time of each part, in ms",
}
ROOF = (
    "Each point is a variant. The farther it is to the right, the more operations it does for each "
    "byte that it moves, and the higher it is, the more operations it does in a second. The roof is "
    "the most that this device can do, as step 00 has measured it: its slope is the limit of memory, "
    "and its flat part the limit of arithmetic. The distance of a point from the roof is what was "
    "lost. The lens counts the bytes, so the operations for each byte are the same on a GPU. A "
    "point above the roof has found data in a cache, which the lens does not know."
)

TIMES = (
    "What this device did, and when: time goes from left to right, and coloured parts are work. "
    "Between them the unit, the queue or the host of that line waits."
)

# What makes a row doubtful (common/measure/implausible.c), in words.
DOUBTS = {
    "clock-bound": "too short for this device’s clock",
    "too short": "too short for this device’s clock",
    "launch-bound": "no longer than an empty launch",
    "fits in cache": "at least a part of the data stays in a cache, which is faster than memory",
    "at the limit": "a little faster than the limit that step 00 has measured",
    "beyond the limit": "faster than the limit, which should be measured again",
}


def stored_cpu() -> Device:
    return results.read(results.FOLDER / f"{results.CPU}.csv")


# ---- The device.
def device(own: Own) -> str:
    about = own.device.about
    days = sorted(filter(None, own.dates))
    when = " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "never"
    pairs = [("device", about["device"]), ("driver", about["driver"])]
    pairs += [("compute units", about.get("units", "")), ("measured", when)]
    others = [answers.cards()[0], stored_cpu()]
    here = own.device
    rows = []
    for limit in LIMITS:
        cells = [limit_of(other, limit) for other in (others[0], here, others[1])]
        rows.append([limit, *cells])
    titles = ["limit", f"an {results.card(others[0])}", "this device", results.title(others[1])]
    said = table(titles, rows, "Limits")
    about_them = "<p>The most that each device has reached (step 00):</p>"
    return facts([(name, text(value)) for name, value in pairs]) + about_them + said


def limit_of(of: Device, name: str) -> str:
    row = results.find(of, "step00", name)
    if not row:
        return "–"
    return f"{significant(row['median_ms'])} ms" if name == "launch" else results.rate(row)


# ---- A step.
def step(own: Own, name: str) -> str:
    head = f'<h4 id="{name}">{name[len("step"):]} {text(title(name))}</h4>'
    parts = []
    if name in own.device.headlines or own.device.rows.get(name):
        together = "\n".join(filter(None, (head, lesson(own, name), bars(own, name))))
        head = f'<div class="together">\n{together}\n</div>'
        parts += [in_words(own, name), numbers(own, name)]
    if name in own.skipped:
        parts.append(f"<p>It was skipped here: {text(own.skipped[name])}</p>")
    if name in own.failed:
        parts.append(f'<p class="missed">It did not succeed here: {text(own.failed[name])}</p>')
    if not parts:
        parts.append("<p>It has not been measured here.</p>")
    return "\n".join([head, *filter(None, parts)])


def lesson(own: Own, name: str) -> str:
    """Its headline: what the lens counts, what a GPU has measured, and what this device has."""
    row = own.device.headlines.get(name)
    if not row:
        return ""
    of = row["variant"]
    card = answers.measurer(name)
    pairs = [("counted, for 32 lanes", text(answers.in_words(name)))]
    pairs.append((f"on an {results.card(card)}", text(said_by(card, name, of))))
    here = text(said_by(own.device, name, of))
    if is_opposite(own, name):
        here += ' <span class="opposite">(the opposite)</span>'
    pairs.append(("on this device", here))
    pairs.append((f"on {results.title(stored_cpu())}", text(said_by(stored_cpu(), name, of))))
    known = [(who, what) for who, what in pairs if what not in ("", "–")]
    return f'<div class="lesson"><p>{text(of)}</p>{facts(known)}</div>'


def said_by(who: Device, name: str, lesson: str) -> str:
    said = one_page.what_it_says(who, who if name in who.headlines else None, name, lesson)
    return said.replace("not told apart", "the two cannot be told apart")


def is_opposite(own: Own, name: str) -> bool:
    """Is the second faster here, and the first on a GPU?  Only where both can tell."""
    rows = [who.headlines.get(name) for who in (own.device, answers.measurer(name))]
    told = [row for row in rows if row and not row["note"].startswith("not told apart")]
    if len(told) < 2 or told[0]["variant"] != told[1]["variant"]:
        return False
    return (number(told[0]["rate"]) < 1) != (number(told[1]["rate"]) < 1)


def bars(own: Own, name: str) -> str:
    """This device first, then a GPU and PoCL."""
    of_all = [own.device, *plots.shown(name)]
    svg = plots.bars(name, of_all) if can_draw() else ""
    caption = f"Step {name[len('step'):]}: {CAPTIONS[plots.kind(name)]}."
    return figure(svg, f"bars-{name}", "plot", caption) if svg else ""


@functools.cache
def can_draw() -> bool:
    """Without gnuplot there are tables, and no plots."""
    return shutil.which("gnuplot") is not None


def in_words(own: Own, name: str) -> str:
    """Rows whose time says less than it seems, and those without one; what is said of several
    is said once."""
    said: dict[str, list[str]] = {}
    for row in own.device.rows.get(name, []):
        if what := doubt(row):
            said.setdefault(what, []).append(f"<b>{text(row['variant'])}</b>")
    lines = [f"<li>{'; '.join(rows)}: {text(what)}.</li>" for what, rows in said.items()]
    return "<ul>\n" + "\n".join(lines) + "\n</ul>" if lines else ""


def doubt(row: Row) -> str:
    if row["result"] != "ok":
        return f"no right result ({row['result']})"
    if kind := results.verdict(row):
        return DOUBTS.get(kind, kind)
    if row["note"].startswith("not told apart"):
        return "cannot be told apart" + row["note"][len("not told apart") :]
    return "" if number(row["median_ms"]) else "checked, and not timed"


def numbers(own: Own, name: str) -> str:
    """Every row, beside what the card and PoCL have stored of the same variant."""
    card, pocl = answers.measurer(name), stored_cpu()
    cells = []
    for row in own.device.rows.get(name, []):
        theirs = [
            results.measured(results.find(of, name, row["variant"])) for of in (card, pocl)
        ]
        cells.append(
            [
                text(row["variant"]),
                grouped(row["size"]) if row["size"] else "",
                text(theirs[0]),
                time_of(row),
                text(results.rate(row)),
                results.share(row),
                text(theirs[1]),
                text(row["note"]),
            ]
        )
    titles = ["variant", "elements here", f"an {results.card(card)}", "time here", "rate here"]
    titles += ["of the limit here", results.title(pocl), "note"]
    said = table(titles, cells, f"Step {name[len('step'):]}, all rows", "nrrrrrrw")
    return folded(said)


def time_of(row: Row) -> str:
    return f"{significant(row['median_ms'])} ms" if number(row["median_ms"]) else "–"


# ---- Rooflines.
def rooflines_of(own: Own, steps: list[str]) -> str:
    """Of each step whose operations are counted: a picture, or without gnuplot a table."""
    roof = rooflines.limits(own.device)
    parts = [one_roofline(own, name, roof) for name in steps if name in rooflines.CHAIN]
    said = "\n".join(filter(None, parts)) if roof else ""
    return f"<p>{ROOF}</p>\n{said}" if said else ""


def one_roofline(own: Own, name: str, roof: rooflines.Limits | None) -> str:
    points = rooflines.points(name, own.device)
    if not roof or not points:
        return ""
    caption = f"Step {name[len('step'):]}, {title(name)}"
    svg = rooflines.roofline(points, roof) if can_draw() else ""
    picture = figure(svg, f"roofline-{name}", "plot", caption) if svg else ""
    rows = []
    for point in points:
        at_most = min(point.intensity * roof.gbytes, roof.gflops)
        values = (point.intensity, point.gflops, at_most)
        rows.append([text(point.variant), *map(significant, values)])
    titles = ["variant", "operations a byte", "GFLOP/s", "the roof there, GFLOP/s"]
    return picture + folded(table(titles, rows, f"Roofline of step {name[len('step'):]}", "n"))


def folded(said: str) -> str:
    """The table behind a picture; without pictures it is open."""
    is_open = "" if can_draw() else " open"
    return f"<details{is_open}><summary>All numbers</summary>\n{said}\n</details>"


# ---- Timelines.
def timelines(own: Own, steps: list[str]) -> str:
    parts = []
    for name in steps:
        if name in own.pictures and name not in own.failed:
            caption = f"Step {name[len('step'):]}, {title(name)}"
            parts.append(figure(own.pictures[name], f"timeline-{name}", "timeline", caption))
    return "\n".join([f"<p>{TIMES}</p>", *parts]) if parts else ""
