"""work/handin.txt for the teacher: the device, what passed, predictions, measured
rows.  Nothing personal is in it: no name, no path, no machine but its device."""

import re
import subprocess

from facts import BUILD, WORK, choose, steps_with_exercise
from files import lines_of, put
from predict import told
from progress import FILE, lost, make_work, table
from screen import say

MEASURED = f"{WORK}/measured"
# (A path has more "/".)
ROW = re.compile(
    "step[0-9]+[a-z]?  (yours|ours)   *[ -.0-~]*: [0-9.e+-]+ ms, [ -.0-~]*(/s)?[ -.0-~]*"
)


def handin() -> None:
    make_work()
    lines_of(FILE)
    rows = [f"{line}\n" for line in lines_of(MEASURED) if ROW.fullmatch(line)]
    devices = subprocess.run(
        [f"{BUILD}/step00_device_limits", "--devices"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    if devices.returncode != 0:
        raise SystemExit(devices.returncode)
    parts = {
        "devices": _indented(devices.stdout),
        "exercises": ("" if lines_of(FILE) else "  nothing was done yet\n")
        + _indented(table()),
        "predictions": "".join(told(choose(step)) for step in steps_with_exercise()),
        "measured": _indented("".join(rows) + lost(MEASURED, ROW)),
    }
    put(
        f"{WORK}/handin.txt",
        "Lockstep: what was done\n"
        + "".join(f"\n{title}\n{text}" for title, text in parts.items()),
    )
    say(f"{WORK}/handin.txt is there to be handed in; read it first")


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())
