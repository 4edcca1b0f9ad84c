"""The pictures that gnuplot draws of stored rows, docs/pictures/: the errors of step 08,
what a load takes in step 14c, and the roofline of step 18. The data that were drawn stand at
the end of a picture, where a test reads them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Callable, NamedTuple

import files
import one_page
import results
import tables
from files import fail
from markdown import number

WAYS = ("one after another", "blocked, 32 x 32", "pairwise")
BYTES = 4  # that a load of step 14c brings


def errors(rows: Path) -> str:
    """A line for each n: the errors in ulp, and the most that they can be: one ulp for each
    addition of the longest chain.  (Each rounds by 2^-24 of the sum at most, and an ulp of
    the sum is more than that.  Source: N. J. Higham, The accuracy of floating point
    summation, SIAM J. Sci. Comput. 14, 1993.)  They are the same on every device."""
    found: dict[int, dict[str, str]] = {}
    for row in files.rows(rows, "make measure writes it"):
        error = re.match("error ([^ ]+)", row["note"])
        if row["step"] == "step08_sum_accuracy" and row["variant"] in WAYS and error:
            found.setdefault(int(row["size"]), {})[row["variant"]] = error[1]
    text = "# n in_order blocked pairwise in_order_at_most blocked_at_most pairwise_at_most\n"
    for n, of_ways in found.items():
        missing = [way for way in WAYS if way not in of_ways]
        if missing:
            fail(f"{rows} has no error of {missing[0]} for {n}", "it has rows of --all")
        blocked = chain(min(n, 1024), 32) + min(n, 32) + chain(n, 1024) - 3
        most = (n - 1, blocked, (n - 1).bit_length())
        text += " ".join(map(str, (n, *(of_ways[way] for way in WAYS), *most))) + "\n"
    return text


def chain(n: int, parts: int) -> int:
    """So many, rounded up, are in each part."""
    return -(-n // parts)


def loads(*rows: Path) -> str:
    """A line for each number of lines: the ns that a load takes of packed lines, and of a
    line in each page, on each device; ? where it has not measured that."""
    text = "# n"
    found: dict[int, list[str]] = {}
    for i, file in enumerate(rows):
        text += f" {file.stem}_lines {file.stem}_pages"
        for row in files.rows(file, "make measure writes it"):
            ring = re.fullmatch("([0-9]+) (lines|pages)", row["variant"])
            if row["step"] == "step14c_address_translation" and ring:
                times = found.setdefault(int(ring[1]), ["?"] * 2 * len(rows))
                times[2 * i + (ring[2] == "pages")] = f"{BYTES / float(row['rate']):.4g}"
    lines = [f"{n} {' '.join(times)}" for n, times in sorted(found.items())]
    return "\n".join([text, *lines]) + "\n"


def roofline(rows: Path) -> str:
    """A line for each variant of step 18: the flop for each byte that the lens has counted,
    the GFLOP/s that were measured, and its name; ? where it has not been measured.  Three
    more lines have the roof, which is the third number, in place of a rate and a name."""
    device = results.read(rows)
    limits = {
        row["variant"]: float(row["rate"]) for row in device.rows["step00"] if row["rate"]
    }
    bytes_at_most, flops_at_most = limits["read"], limits["multiply-add"]
    chosen = tables.rungs("step18")
    text = "# flop_per_byte GFLOP_per_s roof variant\n"
    for rung, (row, *_) in zip(chosen, tables.measured_rows([device], "step18", chosen)):
        launch = rung.launch or fail(f"{rung.where} names no launch", "write it there")
        at = one_page.flops(launch) / number(launch["moved_bytes"])
        rate = row["rate"] if row else "?"
        text += f'{at:.4g} {rate} ? "{rung.variant}"\n'
    for at in (0.03, flops_at_most / bytes_at_most, 1000):
        text += f"{at:.4g} ? {min(at * bytes_at_most, flops_at_most):.5g} ?\n"
    return text


class Plot(NamedTuple):
    picture: Path
    data: Callable[..., str]
    rows: tuple[Path, ...]


STORED = Path("docs/results")
PLOTS = {
    "step08": Plot(Path("docs/pictures/step08-errors.svg"), errors, (STORED / "pocl-3.1.csv",)),
    "step14c": Plot(
        Path("docs/pictures/step14c-loads.svg"),
        loads,
        (STORED / "pocl-3.1.csv", STORED / "nvidia-h200.csv"),
    ),
    "step18": Plot(
        Path("docs/pictures/step18-roofline.svg"), roofline, (STORED / "nvidia-h200.csv",)
    ),
}


def data(step: str, *rows: str) -> str:
    """What `make plots` draws of that step, or would draw of these rows."""
    if step not in PLOTS:
        fail(f"no plot of {step}", f"there are {', '.join(PLOTS)}")
    return PLOTS[step].data(*(map(Path, rows) if rows else PLOTS[step].rows))


def draw() -> None:
    for step, plot in PLOTS.items():
        drawn = data(step)
        script = f"$data << end\n{drawn}end\nstep = '{step}'\n"
        script += "load 'common/commands/plots.gp'\n"
        done = subprocess.run(["gnuplot"], input=script.encode(), stdout=subprocess.PIPE)
        if done.returncode:
            fail("gnuplot has failed", "it says why above")
        picture = re.sub("[ \t]+$", "", done.stdout.decode(), flags=re.MULTILINE)
        files.put(plot.picture, picture + "<!-- " + drawn.removeprefix("# ") + "-->\n")
        print(plot.picture)
