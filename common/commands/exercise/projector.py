"""A page of what a room has handed in, to be shown to the room: large, in colours that do
not depend on red and green, and in one file that needs no network."""

from html import escape

import form
from files import put
from hands import Missed, Room, cell, devices

ASKED = 8  # questions that are shown
MEANING = {
    "+": ("passed", "passed without a hint"),
    "s": ("seen", "passed after our solution was shown"),
    "g": ("given", "a finished file was given"),
    "o": ("begun", "begun"),
    ".": ("open", "not begun"),
}
STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #ccc; --full: #0b5fa5;
        --some: #7fb2dc; --few: #e6a23c; --none: #eee; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #161616; --line: #444;
        --full: #4aa3ee; --some: #24557d; --few: #9a6a1c; --none: #262626; } }
body { color: var(--ink); background: var(--paper); font: 1.3rem/1.4 sans-serif; margin: 2rem auto;
       max-width: 75rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .15em .5em; text-align: left; font-weight: normal; }
thead th { border-bottom: 1px solid var(--line); }
td.cell { text-align: center; min-width: 1.8em; border: 2px solid var(--paper);
          background: var(--none); }
td.passed { background: var(--full); color: var(--paper); font-weight: bold; }
td.hints { background: var(--some); }
td.seen, td.given { background: var(--few); }
td.bar { min-width: 16em; }
td.bar div { background: var(--full); height: 1em; }
td.number { text-align: right; white-space: nowrap; }
small { opacity: .8; }
"""


def page(path: str, found: Room, steps: list[str], missed: list[Missed]) -> None:
    """Writes it; what is in a hand-in is text there, whatever it is."""
    parts = [
        "<h1>What the room has done</h1>",
        _exercises(found.handins, steps),
        _questions(missed),
        _devices(found.handins),
        _left_out(len(found.damaged)),
    ]
    put(
        path,
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<title>What the room has done</title>\n<link rel="icon" href="data:,">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n",
    )


def _table(head: list[str], rows: list[str], label: str) -> str:
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{label}">\n<table>\n'
        f"<thead><tr>{titles}</tr></thead>\n<tbody>\n"
        + "\n".join(rows)
        + "\n</tbody></table></div>"
    )


def _cell(mark: str) -> str:
    if mark.isdigit():
        hints = "1 hint" if mark == "1" else f"{mark} hints"
        return f'<td class="cell hints" title="passed with {hints}">{mark}</td>'
    kind, meaning = MEANING[mark]
    return (
        f'<td class="cell {kind}" title="{meaning}">{"" if mark == "." else mark}</td>'
    )


def _exercises(handins: list[form.HandIn], steps: list[str]) -> str:
    rows = []
    for handin in handins:
        cells = "".join(_cell(cell(handin, step)) for step in steps)
        rows.append(f'<tr><th scope="row">{escape(handin.name)}</th>{cells}</tr>')
    return (
        "<h2>Exercises</h2>\n"
        + _table(["", *(step[4:] for step in steps)], rows, "exercises")
        + "\n<p><small>+ passed, 1 2 3 with that many hints, s after our solution was shown, "
        "g a finished file was given, o begun</small></p>"
    )


def _bar(share: float) -> str:
    return f'<td class="bar"><div style="width: {100 * share:.0f}%"></div></td>'


def _questions(missed: list[Missed]) -> str:
    rows = [
        f"<tr><td>{escape(one.step[4:])}</td><td>{escape(one.text)}</td>"
        f'<td class="number">{one.missed} of {one.guesses}</td>{_bar(one.missed / one.guesses)}</tr>'
        for one in missed[:ASKED]
        if one.missed > 0
    ]
    if not rows:
        return ""
    head = ["step", "question", "missed", ""]
    return "<h2>Guesses that most have missed</h2>\n" + _table(head, rows, "guesses")


def _left_out(count: int) -> str:
    files = "1 file is" if count == 1 else f"{count} files are"
    return f"<p><small>{files} damaged, and left out.</small></p>" if count else ""


def _devices(handins: list[form.HandIn]) -> str:
    all_of_them = devices(handins)
    most = max(device.gb_per_s for device, _ in all_of_them) or 1.0
    rows = [
        f'<tr><td class="number">{device.gb_per_s:.3g} GB/s</td>{_bar(device.gb_per_s / most)}'
        f"<td>{escape(device.name)}</td><td>{len(names)}</td></tr>"
        for device, names in all_of_them
        if device.gb_per_s > 0
    ]
    if not rows:
        return ""
    head = ["from memory", "", "device", "how many"]
    return "<h2>Devices</h2>\n" + _table(head, rows, "devices")
