"""One page about one device: `make report` runs

    python3 common/commands/report [STEP ...]     in the folder of the clone

and writes build/report.html.  DEVICE=... chooses the device, as for make; with some steps, the
page is about these.  The exit status is 1 where a result was wrong, and 2 where a step has failed
otherwise, or no page can be made.

    running   finds the device, and measures what is missing
    store     what was measured: build/report/DEVICE/STEP.csv
    sections  the device, its steps and its pictures, in HTML
    learner   predictions and exercises
    page      tables, figures, and the page around them

What stored devices have measured comes from ../pages."""

from __future__ import annotations

import argparse
import io
import signal
import sys
from pathlib import Path

# Before what is installed: others have a module `markdown`, too.
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "pages"))

# pylint: disable=wrong-import-position
import files
import learner
import page
import running
import sections
import store
import tables
from page import text
from store import Own

FEW = 8  # messages of one kind
BAR = (
    "Most bars show how much of its device’s limit a variant reaches: at 100 % nothing can be "
    "faster on that device. Where bars show something else, the line below them says what."
)
CPU = (
    "A CPU’s clock often says the opposite of what a GPU’s would say, because a core runs one "
    "work-item after another, and the lessons are about 32 that go in lockstep."
)


def main() -> int:
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    parser = argparse.ArgumentParser(
        prog="report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("steps", nargs="*", help="only these, as in step21")
    try:
        return report(parser.parse_args().steps)
    except files.Problem as problem:
        print(problem, file=sys.stderr)
        return 2
    except running.Unable as why:
        print(why, file=sys.stderr)
        print("report: no rows of such a device are stored here, either", file=sys.stderr)
        if "  hint " not in str(why):
            print("  hint    try `make doctor`, and then `make report` again", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        running.progress("")
        print("report: interrupted; what is measured is kept", file=sys.stderr)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
        return 130


def report(asked: list[str]) -> int:
    for step in asked:
        files.program(step)
    steps = [step for step in files.steps() if not asked or step in asked]
    own = running.find()
    if not own.before:
        running.measure(own, steps)
    store.load(own, ["step00", *(step for step in steps if step != "step00")])
    for problem in own.left_out[:FEW]:
        print(f"report: left out: {problem}", file=sys.stderr)
    if len(own.left_out) > FEW:
        print(
            f"report: and {len(own.left_out) - FEW} more, named in the report", file=sys.stderr
        )
    if own.left_out and not own.before:
        print(
            "  hint    remove these files, and the next report measures again", file=sys.stderr
        )
    for step, why in own.failed.items():
        print(f"report: {step} did not succeed: {why}", file=sys.stderr)
    for folder, about in store.devices().items():
        if folder != own.folder:
            other = f"report: is not about {about['device']}: make report DEVICE=..."
            print(other, file=sys.stderr)
    if not sections.can_draw():
        print("report: there is no gnuplot, so there are tables and no plots", file=sys.stderr)
    written = files.build() / "report.html"
    files.put(
        written, page.whole(f"Lockstep on {own.device.about['device']}", body(own, steps))
    )
    print(written)
    if any(why.startswith("wrong") for why in own.failed.values()):
        return 1
    return 2 if own.failed else 0


def body(own: Own, steps: list[str]) -> str:
    record = learner.read(steps)
    shown = [step for step in steps if step != "step00"]
    parts = {
        "device": ("The device", sections.device(own)),
        "steps": ("The steps", of_steps(own, shown)),
        "rooflines": ("Rooflines", sections.rooflines_of(own, shown)),
        "timelines": ("Timelines", sections.timelines(own, shown)),
        "predictions": ("Predictions", learner.predictions(record)),
        "exercises": ("Exercises", learner.exercises(record)),
    }
    if own.left_out:
        named = "".join(f"<li>{text(line)}</li>\n" for line in own.left_out)
        parts["left-out"] = ("Rows that were left out", f"<ul>\n{named}</ul>")
    parts = {name: part for name, part in parts.items() if part[1]}
    about = own.device.about
    lines = [f"<h1>Lockstep on {text(about['device'])}</h1>"]
    lines.append(
        f'<p class="dim">{text(in_short(own, shown))}; {learner.in_short(record)}.</p>'
    )
    lines.append(contents(parts, shown))
    for name, (title, said) in parts.items():
        lines.append(f'<section>\n<h2 id="{name}">{title}</h2>\n{said}\n</section>')
    return "\n".join(lines)


def in_short(own: Own, steps: list[str]) -> str:
    measured = [step for step in steps if step in own.device.headlines]
    opposite = sum(sections.is_opposite(own, step) for step in measured)
    of_them = f"{opposite} of them with the opposite of a GPU’s answer"
    return f"{len(measured)} lessons measured, {of_them}"


def contents(parts: dict[str, tuple[str, str]], steps: list[str]) -> str:
    lines = []
    for name, (title, _) in parts.items():
        of_steps = "".join(
            f'<li><a href="#{step}">{step[len("step"):]} {text(tables.title(step))}</a></li>\n'
            for step in steps
        )
        below = f"\n<details><summary>each of them</summary>\n<ul>\n{of_steps}</ul></details>"
        below = below if name == "steps" else ""
        lines.append(f'<li><a href="#{name}">{title}</a>{below}</li>')
    return '<nav aria-label="Contents">\n<ol>\n' + "\n".join(lines) + "\n</ol>\n</nav>"


def of_steps(own: Own, steps: list[str]) -> str:
    parts = [f"<p>{BAR} {CPU}</p>"]
    said = tables.said_of_steps()
    for step in steps:
        if head := said.get((step, "head")):
            parts.append(f"<h3>{text(head)}</h3>")
        parts.append(sections.step(own, step))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
