"""Runs every step under the lens and stores what it counts, for docs/.

    docs/results/lens/step05-dot_tree.txt  the report of a kernel, and its picture (.svg), for
                                           each marker `lens` or `picture`
    docs/results/lens/step06-dot_tree-worst.txt  the table with that kernel alone, and the
                                           picture of its worst access, for each `worst`
    docs/results/lens/step05-dot_tree-tiny.txt  what the command above a marker `tiny` prints:
                                           that kernel with a few lanes, or at all sizes
    docs/results/lens/step05.html          the page of lens --html, for each `page`: see
                                           stepping.py
    docs/results/lens/counts.csv           what every launch does, and its busiest access
    docs/results/lens/clang-18/step05-dot_tree.txt
                                           the same report where another clang differs

The same clang counts the same on every machine.  docs/ show what clang 15 counts, which
Debian 12 brings.  Another one may unroll a loop or merge branches that it does not; then only
the reports that differ are stored, beside the others.  LENS_CLANG=clang-18 chooses another
clang than the lens does."""

from __future__ import annotations

import csv
import difflib
import io
import re
import subprocess
import sys
from pathlib import Path

import files
import markers
import reports
import stepping
from files import fail
from markdown import number
from reports import FOLDER, HINT

SHOWN_CLANG = "clang-15"
COLUMNS = (
    "step,kernel,arguments,global,local,busy_lanes,line,name,sectors,ideal,diverged,passes,"
    "barriers,atomics,load_sectors,load_lines,load_used,store_sectors,store_lines,store_used,"
    "lines,pages,moved_bytes,l1_passes"
).split(",")
Rows = list[dict[str, str]]


def store() -> int:
    clang = ""
    for name in report_names():
        print(name, file=sys.stderr)
        report, picture = make_report(name)
        clang = clang_of(report) or fail("the lens does not name its clang", "see its report")
        shown, other = FOLDER / f"{name}.txt", FOLDER / clang / f"{name}.txt"
        if clang == SHOWN_CLANG:
            files.put(shown, report)
            files.put(shown.with_suffix(".svg"), picture)
        elif difference(files.read(shown, f"count with {SHOWN_CLANG} first"), report):
            files.put(other, report)
        else:
            other.unlink(missing_ok=True)
    if clang not in ("", SHOWN_CLANG):
        return 0
    for name, words in page_names().items():
        print(name, file=sys.stderr)
        files.put(FOLDER / name, stepping.make(*words))
    for name, tiny in tiny_names().items():
        print(name, file=sys.stderr)
        files.put(FOLDER / name, make_tiny(tiny))
    files.put(FOLDER / "counts.csv", counts())
    return 0


def check() -> int:
    """Stores nothing, and says what is not as it is stored: 0 nothing; 1 something; 77 some
    reports, and none is stored of this clang, which the last line names."""
    clang, differ = "", []
    for name in report_names():
        report, _ = make_report(name)
        clang = clang_of(report)
        places = [FOLDER / clang / f"{name}.txt", FOLDER / f"{name}.txt"]
        stored = next((files.read(place) for place in places if place.exists()), "")
        lines = difference(stored, report)
        if lines:
            print(*lines, name, sep="\n")
            differ.append(name)
    # What another clang makes of a page differs in too much to compare them.
    for name, words in page_names().items() if clang in ("", SHOWN_CLANG) else ():
        stored = files.read(FOLDER / name) if (FOLDER / name).exists() else ""
        if stored != stepping.make(*words):
            print(f"{name} is not what the lens makes")
            differ.append(name)
    for name, tiny in tiny_names().items() if clang in ("", SHOWN_CLANG) else ():
        if files.read(FOLDER / name, HINT) != make_tiny(tiny):
            print(f"{name} is not what its command prints")
            differ.append(name)
    problems = check_stored()
    for problem in problems:
        print(problem)
    if problems or not differ:
        return 1 if problems else 0
    if clang != SHOWN_CLANG and not (FOLDER / (clang or "unknown")).is_dir():
        who = clang or "this compiler"
        print(f"nothing is stored of {who}, which leads to other reports:", *differ)
        return 77
    print(f"make count stores what {clang} counts now")
    return 1


def check_stored() -> list[str]:
    """Are all stored reports and pages in their place, and needed?"""
    problems = []
    names = report_names()
    for file in sorted(FOLDER.glob("*.txt")) + sorted(FOLDER.glob("clang-*/*.txt")):
        report, shown = files.read(file), FOLDER / file.name
        maker = SHOWN_CLANG if file == shown else file.parent.name
        if file.name in tiny_names():
            continue
        if file.stem not in names:
            problems.append(f"{file}: no page shows this report")
        elif clang_of(report) != maker:
            problems.append(f"{file}: {maker} did not make this report")
        elif file != shown and not difference(files.read(shown), report):
            problems.append(f"{file}: this report is not needed: {shown} is the same")
    for file in sorted(FOLDER.glob("*.html")):
        if file.name not in page_names():
            problems.append(f"{file}: no chapter links to it")
    return problems


def report_names() -> list[str]:
    """step05-dot_tree, or step05-dot_tree-worst, for each report that pages show."""
    ends = {"lens": "", "picture": "", "worst": "-worst"}
    return sorted({"-".join(words) + ends[name] for name, words in markers.find(*ends)})


def page_names() -> dict[str, list[str]]:
    """step05.html, and its marker's words, for each page that chapters link to."""
    return {f"{words[0]}.html": words for _, words in markers.find("page")}


def tiny_names() -> dict[str, markers.Tiny]:
    """step05-dot_tree-tiny.txt, and the command that prints it, for each marker `tiny`."""
    return {reports.tiny_name(*tiny.words): tiny for tiny in markers.tiny_commands()}


def make_tiny(tiny: markers.Tiny) -> str:
    """What its command prints, but for the seconds that it has taken.  What a page has a
    reader write to /tmp is in another folder here, because he may have such a file; its name
    is as long, since lines are broken by length.  With --all-sizes a mistake is an answer,
    too."""
    with files.scratch() as folder:
        (folder / "here").mkdir()
        (folder / "build").symlink_to(files.build().resolve())
        for name in ("kernels", "docs"):
            (folder / name).symlink_to(Path(name).resolve())
        for path, text in tiny.typed.items():
            files.put(folder / "here" / Path(path).name, text)
        command = tiny.command.replace("/tmp/", "here/")
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE)
        if done.returncode not in ((0, 1) if "--all-sizes" in tiny.words else (0,)):
            fail(f"status {done.returncode} of {command}", "does `make all` help?")
        printed = done.stdout.decode("utf-8", "surrogateescape").replace("here/", "/tmp/")
    return re.sub(r" \([0-9.]+ s\)", "", printed)


def make_report(name: str) -> tuple[str, str]:
    """A report, and its picture."""
    step, _, kernel = name.removesuffix("-worst").partition("-")
    options, arguments = ["--kernel", kernel, *asked_of(step)], arguments_of(step)
    with files.scratch() as folder:
        drawn = [*options, "--svg", str(folder / "svg")]
        if not name.endswith("-worst"):
            return lens(step, drawn, arguments), files.read(folder / "svg")
        # As `make stepNN lens` shows it: repeats tell what is measured from what is checked.
        # The table does not say what compiled the kernel; the listing does, at its end.
        table = lens(step, ["--table", "--whole", *drawn], [*arguments, "--repeats", "3"])
        compiler = lens(step, options, arguments).splitlines()[-1]
        return f"{table}{compiler}\n", files.read(folder / "svg")


def lens(step: str, options: list[str], arguments: list[str]) -> str:
    """What the lens says of a step; its own messages go to stderr."""
    command = [str(files.build() / "lens"), "--quiet", *options]
    command += [files.program(step), "--repeats", "1", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if done.returncode:
        fail(f"status {done.returncode} of {' '.join(command)}", "does `make all` help?")
    return done.stdout.decode("utf-8", "surrogateescape")


def arguments_of(step: str) -> list[str]:
    """At which size its counts are best read: its header's line `Lens`."""
    header = ["awk", "-v", "want=arguments", "-f", "common/commands/lens_header.awk"]
    return subprocess.check_output([*header, files.steps()[step]], text=True).split()


def asked_of(step: str) -> list[str]:
    """Its pictures are of the L1's banks, if its header has a line `Banks`."""
    header = files.read(files.steps()[step])
    return ["--banks"] if re.search(r"^ \* Banks ", header, re.MULTILINE) else []


def clang_of(report: str) -> str:
    """What compiled it, as in clang-18; nothing if it does not say."""
    version = re.search("; compiled by clang ([0-9]+)$", report, re.MULTILINE)
    return f"clang-{version[1]}" if version else ""


def difference(stored: str, now: str) -> list[str]:
    """How two reports differ.  What compiled them does not count, nor do busy lanes: those
    are a mean over instructions, and compilers differ a little in these."""

    def plain(report: str) -> list[str]:
        report = re.sub("[0-9.]* of [0-9]* lanes busy", "lanes busy", report)
        return re.sub("; compiled by .*", "", report).split("\n")

    lines = difflib.unified_diff(plain(stored), plain(now), "stored", "now", lineterm="")
    return list(lines)


def counts() -> str:
    """counts.csv: a row for each launch of each step."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for step in files.steps():
        if step == "step00":
            continue  # what it launches depends on the device's speed
        print(step, file=sys.stderr)
        listing = lens(step, ["--format", "tsv"], arguments_of(step)).split("\n")[:-1]
        launches: list[tuple[dict[str, str], Rows]] = []
        for row in csv.DictReader(listing, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["row"] == "launch":
                launches.append((row, []))
            else:
                launches[-1][1].append(row)
        writer.writerows(summary(step, *launch) for launch in launches)
    return text.getvalue()


def summary(step: str, launch: dict[str, str], rows: Rows) -> dict[str, str]:
    """A launch's row in counts.csv, of the lens's rows for it: its access that moves the most
    bytes, and what all of its groups do together: branches that diverge, passes over the
    banks of local memory, barriers, atomics on global memory.  Then, for its loads from
    global memory on average, and for its stores: sectors, lines of 128 bytes, and how much of
    the lines was used.  Then the bytes that all of these move.  Last, the passes over the L1's
    banks that a load takes, on average: the one that takes most of them in all."""
    groups = number(launch["groups"])
    sampled = groups / number(launch["groups_replayed"])
    branches = [row for row in rows if row["row"] == "branch"]
    in_memory = [row for row in rows if row["memory"] == "global"]
    loads, stores, atomics = (
        [row for row in in_memory if row["row"] == kind] for kind in ("load", "store", "atomic")
    )
    in_l1 = max(
        loads, key=lambda row: number(row["l1_passes"]) * number(row["accesses"]), default=None
    )
    nothing = dict.fromkeys(launch, "")
    busiest = max(in_memory, key=lambda row: number(row["moved_bytes"]), default=nothing)
    return {
        "step": step,
        "kernel": launch["kernel"],
        "arguments": launch["arguments"],
        "global": shape(launch["global"]),
        "local": shape(launch["local"]),
        "busy_lanes": launch["busy_lanes"],
        "line": busiest["line"],
        "name": busiest["name"],
        "sectors": busiest["sectors"],
        "ideal": busiest["ideal_sectors"],
        "diverged": f"{total(branches, 'diverged') * sampled:.0f}",
        "passes": f"{total(rows, 'passes', 'accesses') * sampled:.0f}",
        "barriers": f"{number(launch['barriers_per_group']) * groups:.0f}",
        "atomics": f"{total(atomics, 'operations') * sampled:.0f}",
        **on_average("load", loads),
        **on_average("store", stores),
        "lines": busiest["lines_of_128"],
        "pages": busiest["pages_of_4096"],
        "moved_bytes": f"{total(loads + stores, 'moved_bytes') * sampled:.0f}",
        "l1_passes": in_l1["l1_passes"] if in_l1 else "",
    }


def total(rows: Rows, column: str, times: str = "") -> float:
    """The sum of a column, each field multiplied with the row's other one."""
    return sum(number(row[column]) * number(row[times] if times else "1") for row in rows)


def on_average(kind: str, rows: Rows) -> dict[str, str]:
    accesses, lines = total(rows, "accesses"), total(rows, "lines_of_128", "accesses")
    sectors, used = total(rows, "moved_bytes") / 32, total(rows, "used_bytes")
    if not accesses:
        return {}
    return {
        f"{kind}_sectors": f"{sectors / accesses:.2f}",
        f"{kind}_lines": f"{lines / accesses:.2f}",
        f"{kind}_used": f"{100 * used / (128 * lines):.3g}",
    }


def shape(sizes: str) -> str:
    """256x1x1 is `256`, 16x16x1 is `16 x 16`."""
    return re.sub("x1x1$|x1$", "", sizes).replace("x", " x ")
