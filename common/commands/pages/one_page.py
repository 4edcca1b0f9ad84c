"""The markers that one page has; each has the form of those in tables.py."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import answers
import files
import reports
import results
from files import fail
from markdown import grouped, link, number, quotient, significant, table
from results import Device, Row
from tables import measured_rows, rungs

# README.md


def lessons(page: Path) -> list[str]:
    """lessons: the headlines of all steps, what each device says of them, and what the lens
    counts

    A device that has measured another headline of that step has nothing to say.  Where a
    GPU has none, another one of its maker has the word, and is named."""
    devices = results.whole()
    cells = []
    for step in files.steps():
        speakers = [speaker(device, step) for device in devices]
        lessons = [who.headlines[step]["variant"] for who in speakers if who]
        if lessons:
            name = f"[{step[len('step') :]}]({link(page, results.FOLDER / f'{step}.md')})"
            row = [name, lessons[0], answers.in_words(step)]
            for device, who in zip(devices, speakers):
                row.append(what_it_says(device, who, step, lessons[0]))
            cells.append(row)
    titles = ["step", "compared", "counted for 32 lanes", *map(results.title, devices)]
    return table(titles, cells, "lll")


def speaker(device: Device, step: str) -> Device | None:
    """Who has measured the step's headline: the device, or another card like it."""
    cards = [device, *results.other_cards(device, step)]
    return next((who for who in cards if step in who.headlines), None)


def what_it_says(device: Device, who: Device | None, step: str, lesson: str) -> str:
    if not who or who.headlines[step]["variant"] != lesson:
        return "–"
    ratio = number(who.headlines[step]["rate"])
    if who.headlines[step]["note"].startswith("not told apart"):
        return "not told apart"
    name = "" if who is device else f" ({results.card(who)})"
    if ratio >= 1:
        return f"{times(ratio)} × faster{name}"
    return f"{times(1 / ratio)} × slower{name}"


def times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 99.5 else f"{ratio:.3g}"


# Step 04


def flight(page: Path, step: str) -> list[str]:
    """flight: STEP: Little's law for each of its variants `N groups of M`

    A GPU's bytes in flight, if every work-item waits for one float of x and one of y, and
    how long such a load would then take."""
    gpus = results.whole_gpus()
    titles = ["variant", "work-items", "bytes in flight, 8 for each"]
    for gpu in gpus:
        titles += [f"{results.title(gpu)}: rate", "time of a round: bytes / rate"]
    cells = []
    chosen = rungs(step)
    for rung, measured in zip(chosen, measured_rows(gpus, step, chosen)):
        shape = re.fullmatch("([0-9]+) groups? of ([0-9]+)", rung.variant)
        if not shape:
            continue
        items = int(shape[1]) * int(shape[2])
        row = [rung.variant, grouped(items), grouped(8 * items)]
        for of_gpu in measured:
            if of_gpu and of_gpu["rate"]:  # in bytes each nanosecond
                time = 8 * items / number(of_gpu["rate"])
                row += [results.rate(of_gpu), f"{time:.0f} ns"]
            else:
                row += ["–", "–"]
        cells.append(row)
    return table(titles, cells)


# Steps 05 and 06


def ladder(page: Path, last: str) -> list[str]:
    """ladder: STEP: the growing table, as far as this step: docs/results/ladder.txt"""
    devices = results.whole()
    titles = ["step", "", "sectors of an access (used of their bytes)"]
    titles += [f"{results.title(device)}: rate, share of its limit" for device in devices]
    cells = []
    for where, fields in files.columns(results.FOLDER / "ladder.txt", 4):
        step, variant, what, launch = fields[:4]
        if step <= last:
            sectors = reports.sectors_used(reports.counted(where, step, launch))
            rows = [results.find(device, step, variant) for device in devices]
            cells.append([step[len("step") :], what, sectors, *map(results.measured, rows)])
    return table(titles, cells, "ll")


# Step 06


def gains(page: Path, step: str) -> list[str]:
    """gains: STEP: for each change in docs/results/paper-harris.txt, how many times faster it
    is, and all changes so far, on a stored GPU and there; the first variant has its time"""
    card = answers.measurer(step)
    titles = ["variant", "problem", "change"]
    titles += [f"{who}: gain, together" for who in (results.title(card), "Harris, 2007")]
    cells = []
    ours: list[float] = []  # milliseconds so far
    theirs: list[float] = []
    for where, fields in files.columns(results.FOLDER / "paper-harris.txt", 4):
        variant, problem, change, ms = fields[:4]
        row = results.find(card, step, variant)
        if not row and ms == "–":
            fail(f"{where}: {variant} is not measured", "is it written as in the results?")
        of_both = [gain(ours, row["median_ms"] if row else "–"), gain(theirs, ms)]
        cells.append([variant, problem, change, *of_both])
    return table(titles, cells, "lll")


def gain(times_ms: list[float], ms: str) -> str:
    """Adds this time to the earlier ones: how many times faster it is than the last of them,
    and than the first.  Nothing where there is no time."""
    if ms == "–":
        return ms
    earlier = [times_ms[-1], times_ms[0]] if times_ms else []
    times_ms.append(number(ms))
    if not earlier:
        return f"{significant(ms)} ms"
    return ", ".join(f"{time / number(ms):.3g} ×" for time in earlier)


# Step 15, and the results of step 18


def against(page: Path, paper: str, *columns: str) -> list[str]:
    """against: PAPER [on NAME]: the programs of docs/results/paper-PAPER.txt, beside our
    fastest rows on all devices, or on that of docs/results/NAME.csv

    Milliseconds, and GFLOP/s as a share of this device's own limit.  A GFLOP is 10^9
    operations, in the file and here."""
    devices = results.whole()
    if columns:
        devices = [results.read(results.FOLDER / f"{name}.csv") for name in columns[1:]]
    titles = [
        "program",
        "the paper: ms",
        "GFLOP/s",
        "of its peak",
        "its CPU: ms",
        "CPU / GPU",
    ]
    for device in devices:
        titles += [f"{results.title(device)}: ms", "of the FMA limit"]
    cells = []
    for where, fields in files.columns(results.FOLDER / f"paper-{paper}.txt", 9):
        step, program, count, each, gpu, gflops, percent, cpu, variants = fields[:9]
        row = [program, gpu, "–", "–", cpu, "–"]
        if gpu != "–":
            of_peak, ratio = (
                f"{number(percent):.3g} %",
                f"{number(cpu) / number(gpu):.1f}",
            )
            row = [program, gpu, f"{number(gflops):.3g}", of_peak, cpu, ratio]
        wanted = [(step, variant, *fields[9:]) for variant in variants.split("|")]
        ours: list[str] = []
        for device in devices:
            ours += fastest(device, wanted, number(count), number(each))
        if devices and set(ours) == {"–"}:
            fail(f"{where}: no device has measured {variants}", "is it written as there?")
        cells.append(row + ours)
    return [*table(titles, cells), *UNIT, ""]


UNIT = [
    "A GFLOP is 10<sup>9</sup> operations in all columns. The paper's rates and shares are converted,",
    "because its MUL+ADD shows that it prints units of 2<sup>30</sup>. Each side counts the operations of",
    "its own program. Our times are computed from the measured rates, for the paper's sizes. Where",
    "several rows solve the same problem in the paper's way, the fastest one is shown.",
]


def fastest(
    device: Device, wanted: list[tuple[str, ...]], count: float, each: float
) -> list[str]:
    """The time of the fastest of these rows (step, variant, perhaps the size), and its share
    of the device's limit.  Where it has none, another card like it has the word, and is
    named."""
    for who in [device, *results.other_cards(device, wanted[0][0])]:
        found = filter(None, (results.find(who, *row) for row in wanted))
        rate = max((gflops(row, each) for row in found), default=0)
        if rate:
            limit = results.find(device, "step00", "multiply-add") or {"rate": "nan"}
            name = "" if who is device else f" ({results.card(who)})"
            share = 100 * rate / number(limit["rate"])
            return [f"{count * each / rate * 1e-6:.4g}{name}", f"{share:.3g} %"]
    return ["–", "–"]


def gflops(row: Row, each: float) -> float:
    """A row that gives bytes has elements of so many operations each."""
    if row["unit"] == "GFLOP/s":
        return number(row["rate"])
    return number(row["size"]) * each * 1e-6 / number(row["median_ms"])


# Step 18


def reuse(page: Path, step: str) -> list[str]:
    """reuse: STEP: for each variant of its product of matrices, how often data are used

    Operations for each byte that its loads and stores move; from a GPU's rate, how many
    bytes these are in a second; and what its source reports."""
    gpus = results.whole_gpus()
    titles = ["variant", "flop per byte"]
    for gpu in gpus:
        titles += [f"{results.title(gpu)}: rate", "bytes moved"]
    titles.append("S. Boehm, A6000: of cuBLAS")
    cells = []
    chosen = rungs(step)
    for rung, measured in zip(chosen, measured_rows(gpus, step, chosen)):
        launch = rung.launch or fail(f"{rung.where} names no launch", "write it there")
        flop, moved = flops(launch), number(launch["moved_bytes"])
        row = [rung.variant, quotient(flop, moved)]
        for of_gpu in measured:
            rate = number(of_gpu["rate"]) if of_gpu else 0  # GFLOP/s
            row.append(f"{significant(rate)} GFLOP/s" if rate else "–")
            row.append(quotient(rate * moved, flop * 1000, " TB/s"))
        cells.append([*row, rung.source])
    return table(titles, cells)


def flops(launch: reports.Launch) -> int:
    """Of a product of matrices: two for each of its m n k products."""
    m, n, k = map(int, re.findall("[0-9]+", launch["arguments"])[:3])
    return 2 * m * n * k


# The lens


def profile(page: Path, name: str) -> list[str]:
    """profile: NAME: what the lens and a profiler counted for the same launches

    The launches of docs/results/NAME/ncu.tsv and the rows of ncu.csv come in one order.
    """
    hint = "sh tests/peers/ncu.sh writes it"
    ours: list[dict[str, float]] = []
    for row in files.rows(results.FOLDER / name / "ncu.tsv", hint, "\t"):
        if row["row"] == "launch":
            ours.append(defaultdict(float, lanes=number(row["busy_lanes"])))
        else:
            add(ours[-1], row)
    theirs = files.rows(results.FOLDER / name / "ncu.csv", hint)
    theirs = [row for row in theirs if row["loops"] == "rolled"]
    if len(ours) != len(theirs):
        fail(f"{name}/ncu.tsv has {len(ours)} launches, ncu.csv {len(theirs)}", hint)
    titles = ["kernel"]
    for what in (
        "accesses → sectors",
        "branches (diverged)",
        "bank passes",
        "busy lanes",
    ):
        titles += [f"{what}: lens", "profiler"]
    return table(titles, [profile_row(*both) for both in zip(ours, theirs)])


def add(sums: dict[str, float], row: dict[str, str]) -> None:
    """Adds a row of the lens to what it has counted for the launch."""
    if row["row"] == "branch":
        sums["branches"] += number(row["executions"])
        sums["diverged"] += number(row["diverged"])
    elif row["passes"] and row["row"] in ("load", "store"):
        sums["passes"] += number(row["passes"]) * number(row["accesses"])
    elif row["moved_bytes"]:
        sums["accesses"] += number(row["accesses"])
        sums["sectors"] += number(row["moved_bytes"]) / 32


def profile_row(ours: dict[str, float], theirs: dict[str, str]) -> list[str]:
    def of_global(what: str) -> str:
        counts = [
            number(theirs[f"l1tex__t_{what}_pipe_lsu_mem_global_op_{kind}.sum"])
            for kind in ("ld", "st", "red", "atom")
        ]
        return grouped(sum(counts))

    numbers = re.search("(n=[0-9]+)(?: n=([0-9]+))?$", theirs["arguments"])
    said = f" ({numbers[1]})" if numbers else ""
    if numbers and numbers[2]:
        said = f" ({numbers[1]}, stride {numbers[2]})"
    wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
    passes = number(theirs[f"{wavefronts}ld.sum"]) + number(theirs[f"{wavefronts}st.sum"])
    has_passes = ours["passes"] + passes > 0
    branches = grouped(theirs["smsp__sass_branch_targets.sum"])
    diverged = grouped(theirs["smsp__sass_branch_targets_threads_divergent.sum"])
    lanes = number(theirs["smsp__thread_inst_executed_per_inst_executed.ratio"])
    return [
        f"`{theirs['kernel']}`{said}, {grouped(theirs['items'])} in groups of {theirs['group']}",
        f"{grouped(ours['accesses'])} → {grouped(ours['sectors'])}",
        f"{of_global('requests')} → {of_global('sectors')}",
        f"{grouped(ours['branches'])} ({grouped(ours['diverged'])})",
        f"{branches} ({diverged})",
        f"{grouped(ours['passes'])} | {grouped(passes)}" if has_passes else "|",
        f"{ours['lanes']:.1f}",
        f"{lanes:.1f}",
    ]


def banks(page: Path, name: str, memory: str, access: str) -> list[str]:
    """banks: NAME MEMORY ACCESS: what accesses of a warp cost: docs/results/NAME/banks.csv

    In cycles, in the profiler's wavefronts, and in the lens's passes, for the patterns that
    the text speaks of."""
    patterns = (
        "own: n|pairs: n / 2|n and n ^ 2 the same|rows: n / 16|same: 0|halves: n % 16|"
        "quarters: n % 8|stride 2|stride 8|stride 9|stride 32|stride 33"
    )
    file = results.FOLDER / name / "banks.csv"
    hint = "sh tests/peers/banks.sh writes it"
    costs = {
        (
            row["pattern"],
            row["bytes"],
        ): f"{row['cycles']} / {row['wavefronts']} / {row['passes']}"
        for row in files.rows(file, hint)
        if (row["memory"], row["access"]) == (memory, access)
    }
    cells = []
    for pattern in patterns.split("|"):
        sizes = [costs.get((pattern, size), "") for size in ("4", "8", "16")]
        if "" in sizes:
            fail(
                f"{file} has no {memory} {access} of {pattern}, of 4, 8 and 16 bytes",
                hint,
            )
        cells.append([pattern, *sizes])
    return table(["lane *n* takes element", *(f"{n} bytes each" for n in (4, 8, 16))], cells)
