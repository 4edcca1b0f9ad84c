"""The form of a hand-in, which `make handin` writes and `make room` reads:

    Lockstep hand-in, form 1
    name      table3
    date      2026-11-28
    version   0.3.0
    device    cpu  16.6 GB/s  228 GFLOP/s  pthread-skylake-avx512
    exercise  step05  passed  hints 1  solution unseen  file as passed
    guess     step05  2  said 8  is 4.38  missed
    time      step05  yours  coalesced: 5.206 ms, 25.8 GB/s
    code      step05  |    float sum = 0.0f;
    end       9 lines, 2837462934

It is a text that a person can read before it is sent.  Editors may change how its lines
end, add a mark at its beginning, or save it as UTF-16, and all of this is read; the last
line tells whether it is whole, and whether anything else has changed.  Whatever stands in
such a file, what read() returns can be shown on any terminal."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import NamedTuple

from files import checksum

NUMBER = 1  # of the form
FIRST = f"Lockstep hand-in, form {NUMBER}"
LARGEST = 1 << 20  # bytes
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,30}")


class Damaged(Exception):
    """Nothing of the file can be used; the text says why."""


class Device(NamedTuple):
    kind: str  # cpu, gpu or other
    gb_per_s: float  # that it reads at most; 0, if that was not measured
    gflop_per_s: float
    name: str


class Exercise(NamedTuple):
    step: str
    state: str  # started, given or passed
    hints: int
    solution: str  # unseen, or seen before it had passed
    file: str  # as passed, changed, or gone since; - if it has not passed


class Guess(NamedTuple):
    step: str
    number: int
    said: str
    outcome: str
    how: str  # right, missed or open


@dataclass
class HandIn:
    name: str = ""
    date: str = ""
    version: str = ""
    device: Device = Device("", 0.0, 0.0, "")
    exercises: list[Exercise] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    times: list[str] = field(default_factory=list)  # "step05  yours  coalesced: ..."
    code: list[tuple[str, str]] = field(default_factory=list)  # step, line
    notes: list[str] = field(default_factory=list)  # of what was read: what is odd


def write(handin: HandIn) -> str:
    device = handin.device
    lines = [
        FIRST,
        f"name      {handin.name or '-'}",
        f"date      {handin.date}",
        f"version   {handin.version}",
        f"device    {device.kind}  {device.gb_per_s:.3g} GB/s  "
        f"{device.gflop_per_s:.3g} GFLOP/s  {device.name}",
    ]
    for one in handin.exercises:
        lines.append(
            f"exercise  {one.step}  {one.state}  hints {one.hints}  "
            f"solution {one.solution}  file {one.file}"
        )
    for guess in handin.guesses:
        outcome = f"is {guess.outcome}  " if guess.outcome else ""
        said = f"{guess.step}  {guess.number}  said {guess.said}"
        lines.append(f"guess     {said}  {outcome}{guess.how}")
    lines += [f"time      {row}" for row in handin.times]
    lines += [f"code      {step}  |{line}" for step, line in handin.code]
    lines = [shown(line).rstrip() for line in lines]
    lines.append(f"end       {len(lines)} lines, {_sum(lines)}")
    return "".join(f"{line}\n" for line in lines)


def _sum(lines: list[str]) -> int:
    """Of the words alone: editors may change the blanks between them."""
    return checksum("\n".join(" ".join(line.split()) for line in lines))


STEP = "(step[0-9]{2}[a-z]?)"
VALUE = r"([0-9.]{1,20}|[abc])"
LINES = {
    "name": f"({NAME.pattern}|-)",
    "date": "([0-9]{4}-[0-9]{2}-[0-9]{2})",
    "version": "([0-9A-Za-z.+-]{1,40})",
    "device": r"(cpu|gpu|other) ([0-9.e+]{1,12}) GB/s ([0-9.e+]{1,12}) GFLOP/s (.{1,120})",
    "exercise": f"{STEP} (started|given|passed) hints ([0-9]{{1,2}}) solution (unseen|seen)"
    " file (as passed|changed|gone|-)",
    "guess": f"{STEP} ([0-9]) said {VALUE}(?: is {VALUE})? (right|missed|open)",
    "time": f"({STEP} (?:yours|ours) .{{1,200}})",
    "code": rf"{STEP} +\|.*",
}


def read(data: bytes) -> HandIn:
    """A hand-in, and in its notes what is odd about it.  Raises Damaged, if it is none, or
    is not whole."""
    if len(data) > LARGEST:
        raise Damaged(f"it has more than {LARGEST} bytes")
    lines = _lines(data)
    if not lines:
        raise Damaged("it is empty")
    _look_at_first(lines[0])
    end = re.fullmatch("end +([0-9]{1,6}) lines, ([0-9]{1,10})", lines[-1])
    if not end:
        raise Damaged("its end is missing")
    handin = HandIn()
    unread = [
        number for number, line in enumerate(lines[1:-1], 2) if not _take(handin, line)
    ]
    if int(end[1]) > len(lines) - 1:
        raise Damaged(f"{int(end[1]) - len(lines) + 1} of its lines are missing")
    if int(end[2]) != _sum(lines[:-1]):
        handin.notes.append("it was changed by hand")
    if unread:
        shown_first = f"line {unread[0]}: {lines[unread[0] - 1][:50]}"
        more = f", and {len(unread) - 1} more" if len(unread) > 1 else ""
        handin.notes.append(f"it has a line that cannot be read{more}; {shown_first}")
    return handin


def _lines(data: bytes) -> list[str]:
    """As Windows's editors save them, too."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = data.decode("utf-8-sig", "replace")
    lines = [shown(line).rstrip() for line in re.split("\r\n|\r|\n", text)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _look_at_first(line: str) -> None:
    form = re.fullmatch("Lockstep hand-in, form ([0-9]{1,4})", line)
    if not form:
        raise Damaged("it is no hand-in")
    if int(form[1]) != NUMBER:
        raise Damaged(f"its form is {form[1]}, and this clone reads form {NUMBER}")


def _take(handin: HandIn, line: str) -> bool:
    """Puts what a line says into its place; False: it says nothing that can be read."""
    key, _, text = line.partition(" ")
    if key not in LINES:
        return not line.strip()
    text = text.strip() if key == "code" else " ".join(text.split())
    found = re.fullmatch(LINES[key], text)
    if not found:
        return False
    try:
        _put(handin, key, text, found)
    except ValueError:  # a number such as 1.2.3
        return False
    return True


def _put(handin: HandIn, key: str, text: str, found: re.Match[str]) -> None:
    words = [word or "" for word in found.groups()]
    if key == "name":
        handin.name = words[0]
    elif key == "date":
        handin.date = words[0]
    elif key == "version":
        handin.version = words[0]
    elif key == "device":
        handin.device = Device(words[0], float(words[1]), float(words[2]), words[3])
    elif key == "exercise":
        handin.exercises.append(
            Exercise(words[0], words[1], int(words[2]), *words[3:5])
        )
    elif key == "guess":
        handin.guesses.append(Guess(words[0], int(words[1]), *words[2:5]))
    elif key == "time":
        handin.times.append(text)
    else:
        handin.code.append((words[0], text.partition("|")[2]))


def shown(text: str) -> str:
    """A text that no terminal takes for a command: what controls it, or turns its
    direction, becomes a question mark, and a tab a blank."""
    return "".join(
        " "
        if letter == "\t"
        else "?"
        if unicodedata.category(letter)[0] == "C"
        else letter
        for letter in text
    )
