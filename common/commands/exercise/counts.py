"""What the lens counts, compared with what is wanted, and with what it counts for our
kernels.

A line of the plain file, "dot_strided stride=2 | load x | sectors | at most 5 | ours
4", names a kernel, which may be followed by an argument or, whatever it is above that,
"height>1", or by the size of its groups, as in "group=512"; an access, of which "load
local" is any one to local memory, whatever its array; and a count.

At the other size the limit is as far from ours as it is at the size that it is for.
And a load whose mean is wanted may be executed half as often again as ours at most:
the mean is good, too, where all lanes load all elements, and each uses its own."""

import os
import re
from dataclasses import dataclass
from typing import Iterator, NamedTuple, Optional

from files import read
from lens import Line, Row

OFTEN = 1.5  # times as often as ours
MAX_SOURCE = 54  # characters of a source's line: it fits into 80 columns

# What is said of an access, as in "load x moves 4 sectors"; of what begins with its
# number, the number says all.
SAID = {
    "sectors": "moves {} sector(s)",
    "lines_of_128": "touches {} line(s)",
    "pages_of_4096": "touches {} page(s)",
    "passes": "needs {} pass(es)",
    "l1_passes": "needs {} pass(es) in the L1",
    "lanes": "has {} busy lane(s)",
    "busy_lanes": "{} of 32 lanes busy",
    "used_bytes": "uses {} byte(s)",
    "accesses": "is executed {} time(s)",
    "moved_bytes": "moves {} byte(s)",
    "operations": "is done {} time(s)",
    "most_on_one_address": "is done {} time(s) on one address",
    "diverged": "{} branch(es) diverge",
    "executions": "{} branch(es) executed",
    "between_branches": "{} load(s) between two branches",
    "barriers_per_group": "{} barrier(s) in a group",
    "waits": "is called {} time(s)",
    "left": "leaves {} command(s) to do on average",
    "idle_waits": "leaves nothing to do {} time(s)",
}
# Means: by what they are weighed when rows are put together.
PER = {
    "sectors": "accesses",
    "lines_of_128": "accesses",
    "pages_of_4096": "accesses",
    "passes": "accesses",
    "l1_passes": "accesses",
    "lanes": "accesses",
    "used_bytes": "accesses",
    "left": "waits",
    "busy_lanes": "",
    "barriers_per_group": "",
}


class Wanted(NamedTuple):
    """A line of the plain file."""

    kernel: str
    argument: str
    access: str
    metric: str
    at_least: bool
    limit: float
    ours: float
    ours_shown: str

    @property
    def title(self) -> str:
        title = self.kernel + (f" {self.argument}" if self.argument else "")
        if not self.access:
            return title
        return self.access + ("" if title == "host" else f" of {title}")

    @property
    def is_mean(self) -> bool:
        return self.metric in PER


class Judged(NamedTuple):
    """A count beside its limit."""

    good: bool
    wanted: Wanted
    file: str  # where it is, and the line; "" if it is of the whole kernel
    line: str
    said: str  # "moves 4 sectors"
    limit: str  # "up to 5 will pass"

    @property
    def label(self) -> str:
        """What is counted in: a kernel, or the host."""
        return self.wanted.kernel

    @property
    def place(self) -> tuple[str, str]:
        return self.file, self.line


@dataclass
class Tally:
    """What was counted of one thing that is wanted, over all rows that tell of it."""

    sum: float = 0.0
    weights: float = 0.0
    executed: float = 0.0
    ideal: float = 0.0
    worst: float = 0.0
    line: str = ""  # of the worst
    file: str = ""

    def add(self, wanted: Wanted, row: Row, whole: float) -> None:
        value = float(row[wanted.metric])
        per = PER.get(wanted.metric)
        weight = float(row.get(per, 0)) if per else 1.0
        if wanted.metric == "used_bytes":
            value /= weight  # the lens has all of them together
        if wanted.metric == "most_on_one_address":
            self.sum = max(self.sum, value)
        elif wanted.kernel == "host" or wanted.is_mean:
            self.sum += value * weight
        else:
            self.sum += value * whole
        self.weights += weight
        self.executed += row.get("accesses", 0) * whole
        self.ideal += row.get("ideal_sectors", 0) * weight
        worse = value < self.worst if wanted.at_least else value > self.worst
        if worse or not self.line:
            of_line = row["row"] != "launch"  # which has that of its worst branch
            self.worst, self.line = value, str(row.get("line", 0) if of_line else 0)
            self.file = row.get("file", "") if of_line else ""

    @property
    def place(self) -> tuple[str, str]:
        return (self.file, self.line) if self.line not in ("", "0") else ("", "")

    def value(self, wanted: Wanted) -> float:
        return self.sum / (self.weights if wanted.is_mean and self.weights else 1)


def wanted_of(line: str) -> Wanted:
    kernel, access, metric, limit, ours = (part.strip() for part in line.split("|"))
    name, _, argument = kernel.partition(" ")
    at_least = limit.startswith("at least")
    return Wanted(
        name,
        argument.strip(),
        access,
        metric,
        at_least,
        float(limit.split()[-1]),
        float(ours.split()[-1]),
        ours.split()[-1],
    )


def tally(wanted: Wanted, rows: list[Row]) -> Optional[Tally]:
    """All rows about one thing, put together; None if there is none."""
    found: Optional[Tally] = None
    for row, whole in _rows_of(wanted, rows):
        if row["row"] == "launch" and wanted.access == "branch":
            found = found or Tally()  # without branches, none parts lanes
        if _is_about(row, wanted.access) and wanted.metric in row:
            found = found or Tally()
            found.add(wanted, row, whole)
    return found


def _rows_of(wanted: Wanted, rows: list[Row]) -> Iterator[tuple[Row, float]]:
    """The rows of a kernel's launches with an argument, and how many times as much the
    whole launch is as the groups that were replayed."""
    arguments, whole = "", 1.0
    for row in rows:
        if row["row"] == "launch":
            arguments = f" {row['arguments']} group={row['local'][0]} "
            replayed = row["groups_replayed"]
            whole = row["groups"] / replayed if replayed else 1.0
        if row.get("kernel") == wanted.kernel and _has_argument(
            arguments, wanted.argument
        ):
            yield row, whole


def _has_argument(arguments: str, wanted: str) -> bool:
    name, above, least = wanted.partition(">")
    if not above:
        return f" {wanted} " in arguments if wanted else True
    found = re.search(f" {re.escape(name)}=([0-9.]+)", arguments)
    return found is not None and float(found[1]) > float(least)


def _is_about(row: Row, access: str) -> bool:
    """Rows are called "load x", also "load local", "branch" or "barrier"; a launch has
    no name."""
    kind = row["row"]
    if kind == "launch":
        return access == ""
    if kind in ("branch", "barrier") and access == kind:
        return True
    return access in (f"{kind} {row.get('name')}", f"{kind} {row.get('memory')}")


def compare(
    lines: list[str], rows: list[Row], ours: Optional[list[Row]], margin: float
) -> tuple[list[Judged], list[str]]:
    """The counts beside what is wanted, and what was not counted.  With rows of ours,
    which are counted at another size than the limits are for, the limits follow them.
    A margin of 1.1 asks for a tenth more."""
    tallies: list[tuple[Wanted, Tally, Optional[Tally]]] = []
    missing: list[str] = []
    for wanted in map(wanted_of, lines):
        own = tally(wanted, rows)
        our = tally(wanted, ours) if ours is not None else None
        if own is None or (ours is not None and our is None):
            missing.append(f"{wanted.title}: {wanted.metric}")
        else:
            tallies.append((_at_this_size(wanted, our), own, our))
    widest: dict[str, float] = {}
    for wanted, own, _ in tallies:
        wide = _times_as_wide(wanted, own)
        widest[wanted.title] = max(widest.get(wanted.title, 1), wide)
    judged: list[Judged] = []
    loads: set[str] = set()  # whose accesses are looked at, once each
    for wanted, own, our in tallies:
        judged.append(_judge(wanted, own, margin))
        title = wanted.title
        if our and _is_load_with_mean(wanted) and title not in loads:
            loads.add(title)
            most = OFTEN * our.executed / widest[title]
            if own.executed > most:
                said = _said(wanted._replace(metric="accesses"), f"{own.executed:.0f}")
                limit = f"up to {most:.0f} will pass"
                often = wanted._replace(ours_shown=f"{our.executed:.0f}")
                judged.append(Judged(False, often, *own.place, said, limit))
    return judged, missing


def beside_limit(line: str, value: float, margin: float) -> Judged:
    """A count that is not the lens's, of a whole kernel, beside its limit."""
    return _judge(wanted_of(line), Tally(sum=value), margin)


def _is_load_with_mean(wanted: Wanted) -> bool:
    return wanted.access.startswith("load ") and PER.get(wanted.metric) == "accesses"


def _at_this_size(wanted: Wanted, our: Optional[Tally]) -> Wanted:
    """Its limit is so many times as much as what ours has as where the limit is for, or
    so much more, if that is nothing."""
    if our is None:
        return wanted
    there, here = wanted.ours, our.value(wanted)
    limit = (
        wanted.limit / there * here if there * here > 0 else wanted.limit - there + here
    )
    shown = f"{here:.2f}" if wanted.is_mean else f"{here:.0f}"
    return wanted._replace(limit=limit, ours=float(shown), ours_shown=shown)


def _times_as_wide(wanted: Wanted, own: Tally) -> float:
    """Where 16 bytes are loaded at once, four times as many sectors are as good, if the
    access is executed less often for it: how many times as many sectors as ours it
    needs at least."""
    if wanted.metric != "sectors" or wanted.at_least or wanted.ours <= 0:
        return 1.0
    needed = own.ideal / own.weights
    return needed / wanted.ours if needed > wanted.ours * 1.02 else 1.0


def _judge(wanted: Wanted, own: Tally, margin: float) -> Judged:
    value, wide = own.value(wanted), _times_as_wide(wanted, own)
    limit = wanted.limit * wide
    good = value >= limit * margin if wanted.at_least else value <= limit / margin
    limit_shown = f"{limit:.0f}" if limit == int(limit) else f"{limit:.4g}"
    enough = f"{limit_shown} or more" if wanted.at_least else f"up to {limit_shown}"
    limit_said = f"{enough} will pass" + (" for accesses as wide" if wide > 1 else "")
    shown = f"{value:.2f}" if wanted.is_mean else f"{value:.0f}"
    place = own.place if value else ("", "")
    return Judged(good, wanted, *place, _said(wanted, _short(shown)), limit_said)


def _short(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _said(wanted: Wanted, number: str) -> str:
    said = SAID.get(wanted.metric, f"{wanted.metric} {{}}")
    said = re.sub(r"\((e?s)\)", "" if number == "1" else r"\1", said)
    return said.format(number)


def _subject(wanted: Wanted) -> str:
    """What a count is said of: "group=512: load x "."""
    of = f"{wanted.argument}: " if wanted.argument else ""
    has_own = SAID.get(wanted.metric, "").startswith("{}")
    return of if has_own or not wanted.access else f"{of}{wanted.access} "


def _beside_ours(count: Judged) -> str:
    return f"{count.said} (ours {count.wanted.ours_shown})"


def missed(counts: list[Judged]) -> list[Line]:
    """The counts that are not as wanted, below the lines of source that they are of, as
    in "load x moves 32 sectors (ours 4); up to 5 will pass"."""
    return below_sources(
        [
            (count, f"{_subject(count.wanted)}{_beside_ours(count)}; {count.limit}")
            for count in counts
            if not count.good
        ]
    )


def reached(counts: list[Judged]) -> list[tuple[Judged, str]]:
    """The counts of a file that passes, a text for each access, as in "load x moves 4
    sectors (ours 4), has 32 busy lanes (ours 32)"."""
    firsts: dict[str, Judged] = {}
    texts: dict[str, dict[str, str]] = {}
    for count in counts:  # of two sizes, or of two limits, the first one
        title = count.wanted.title
        firsts.setdefault(title, count)
        text = _beside_ours(count)
        texts.setdefault(title, {}).setdefault(count.wanted.metric, text)
    return [
        (first, _subject(first.wanted) + ", ".join(texts[title].values()))
        for title, first in firsts.items()
    ]


def below_sources(
    said: list[tuple[Judged, str]], with_sources: bool = True
) -> list[Line]:
    """A kernel's name stands once, and so does a line of its source, above all that was
    counted there."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for count, text in said:
        place = (count.label, *count.place)
        if place not in places:
            places[place] = [_source(count)] if count.line and with_sources else []
        places[place].append(text)
    lines: list[Line] = []
    label = ""
    for place, texts in places.items():
        for text in texts:
            lines.append((place[0] if place[0] != label else "", text))
            label = place[0]
    return lines


def _source(count: Judged) -> str:
    """ "line 29  sum += x[i] * y[i];" """
    source = read(count.file).splitlines() if os.path.isfile(count.file) else []
    number = int(count.line)
    text = source[number - 1].strip() if number <= len(source) else ""
    if len(text) > MAX_SOURCE:
        text = text[: MAX_SOURCE - 3] + "..."
    return f"line {number}  {text}".rstrip()
