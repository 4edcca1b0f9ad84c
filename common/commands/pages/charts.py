"""The picture docs/pictures/step08-errors.svg: the errors of three ways to add, from the
stored rows of step 08.  Errors are the same on every device, so it takes one device's."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import files
from files import fail

PICTURE = Path("docs/pictures/step08-errors.svg")
ROWS = Path("docs/results/pocl-3.1.csv")
WAYS = ("one after another", "blocked, 32 x 32", "pairwise")
HEADING = "n in_order blocked pairwise in_order_at_most blocked_at_most pairwise_at_most"


def data(file: Path) -> str:
    """A line for each n: the errors in ulp, and the most that they can be: one ulp for each
    addition of the longest chain.  (Each rounds by 2^-24 of the sum at most, and an ulp of
    the sum is more than that.  Source: N. J. Higham, The accuracy of floating point
    summation, SIAM J. Sci. Comput. 14, 1993.)"""
    errors: dict[int, dict[str, str]] = {}
    for row in files.rows(file, "make measure writes it"):
        error = re.match("error ([^ ]+)", row["note"])
        if row["step"] == "step08_sum_accuracy" and row["variant"] in WAYS and error:
            errors.setdefault(int(row["size"]), {})[row["variant"]] = error[1]
    text = [f"# {HEADING}"]
    for n, found in errors.items():
        missing = [way for way in WAYS if way not in found]
        if missing:
            fail(f"{file} has no error of {missing[0]} for {n}", "it has rows of --all")
        blocked = chain(min(n, 1024), 32) + min(n, 32) + chain(n, 1024) - 3
        most = (n - 1, blocked, (n - 1).bit_length())
        text.append(" ".join(map(str, (n, *(found[way] for way in WAYS), *most))))
    return "\n".join(text) + "\n"


def chain(n: int, parts: int) -> int:
    """So many, rounded up, are in each part."""
    return -(-n // parts)


def draw() -> None:
    drawn = data(ROWS)
    script = "$data << end\n" + drawn + "end\nload 'common/commands/plots.gp'\n"
    done = subprocess.run(["gnuplot"], input=script.encode(), stdout=subprocess.PIPE)
    if done.returncode:
        fail("gnuplot has failed", "it says why above")
    picture = re.sub("[ \t]+$", "", done.stdout.decode(), flags=re.MULTILINE)
    # The data that were drawn stand at its end, where a test reads them.
    files.put(PICTURE, picture + "<!-- " + drawn.removeprefix("# ") + "-->\n")
    print(PICTURE)
