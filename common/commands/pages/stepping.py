"""Makes the stored page in which a reader steps through the kernels of a step.

    <!-- page: step05 --size 65536 dot_contiguous dot_coalesced dot_strided@stride=2 -->

The step runs under the lens with these options.  The page opens with the launch that the first
word names, and has one launch for each word, in this order; then one of each other kernel of
the step's file.  Of several launches of a kernel it has the first one, or behind @ the first
one with these words: arguments as the page shows them, global=256x128, local=32.

What a kernel does that the step does not launch here, or that it launches differently on every
machine, is shown by `lens kernel`.  A word for that has brackets, and its options follow it:

    <!-- page: step00 limit_read() limit_read_blocks(in[64],n=64) --global 2 --local 1 -->

`lens --html` writes a page that needs no other file.  A stored page links to the style and the
script instead, which all of them share."""

from __future__ import annotations

import itertools
import json
import operator
import os
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import files
from files import fail
from reports import FOLDER

PARTS = Path("common/lens/report/page")
HINT = "did `make all` build the lens from these files?"

# The first steps of a group are stored, where the lens has not recorded all of them, or where
# they are many, and no word asks for this launch.
FIRST_STEPS, MANY_STEPS = 250, 750

# It enqueues launches itself, on the device, which the lens does not do.
NOT_REPLAYED = {"recorded_commands_by_device"}

# Nothing in the page itself, such as a kernel's text, is executed.
POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'self'; script-src 'self';
 img-src data:; base-uri 'none'; form-action 'none'">"""

NO_SCRIPTS = """<noscript>
<p>This page steps through a kernel with scripts, which this browser does not execute.</p>
</noscript>"""

Launch = dict[str, Any]


class Choice(NamedTuple):
    """A launch of the page: of the step, with these words; or of `lens kernel`."""

    kernel: str
    words: list[str]
    call: str
    options: list[str]


def make(step: str, *words: str) -> str:
    arguments, choices = parse(words)
    source = kernel_file(step)
    named = [choice.kernel for choice in choices]
    others = [kernel for kernel in kernels(source) if kernel not in named]
    choices += [Choice(kernel, [], "", []) for kernel in others]
    page, launches = "", []
    of_step: list[Launch] = []
    asked = [["--kernel", choice.kernel] for choice in choices if not choice.call]
    if asked:
        command = ["--table", *sum(asked, []), str(files.program(step)), "--repeats", "1"]
        page, of_step = replay([*command, *arguments])
    for choice in choices:
        launch = find(of_step, choice)
        if launch is None:
            call = choice.call.removesuffix("()") or choice.kernel
            page, alone = replay(["kernel", str(source), call, *choice.options])
            launch = alone[0]
        shorten(launch, is_named=choice.kernel in named)
        launches.append(launch)
    return sharing(page, launches)


def parse(words: tuple[str, ...]) -> tuple[list[str], list[Choice]]:
    """The step's options, and what the page shows."""
    arguments: list[str] = []
    choices: list[Choice] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            options = choices[-1].options if choices else arguments
            options += [word] if word == "--all" else [word, next(rest, "")]
        elif "(" in word:
            choices.append(Choice(word.partition("(")[0], [], word, []))
        else:
            kernel, *wanted = word.split("@")
            choices.append(Choice(kernel, wanted, "", []))
    return arguments, choices


def kernel_file(step: str) -> Path:
    return Path("kernels") / f"{Path(files.program(step)).name}.cl"


def kernels(source: Path) -> list[str]:
    """The names of the kernels in a file, in order."""
    found = re.findall(r"^kernel (?:\w+\(.*?\) )?void (\w+)\(", files.read(source), re.M)
    return [kernel for kernel in found if kernel not in NOT_REPLAYED]


def replay(command: list[str]) -> tuple[str, list[Launch]]:
    """The page that the lens writes, and its launches."""
    with files.scratch() as folder:
        html = ["--html", str(folder / "page")]
        first = [command[0], *html] if command[0] == "kernel" else [*html, command[0]]
        run = [str(files.build() / "lens"), *quiet(command), *first, *command[1:]]
        done = subprocess.run(run, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        if done.returncode:
            fail(f"status {done.returncode} of {' '.join(run)}", "does `make all` help?")
        page = files.read(folder / "page")
    return page, data_of(page)["launches"]


def quiet(command: list[str]) -> list[str]:
    return [] if command[0] == "kernel" else ["--quiet"]


def find(launches: list[Launch], choice: Choice) -> Launch | None:
    """The first launch that is meant.  None: the step does not launch this kernel."""
    of_kernel = [launch for launch in launches if launch["kernel"] == choice.kernel]
    for launch in of_kernel:
        if not choice.call and set(choice.words) <= set(words_of(launch)):
            return launch
    if choice.words:
        known = "; ".join(" ".join(words_of(launch)) for launch in of_kernel)
        fail(f"no launch of {choice.kernel} has {' '.join(choice.words)}", f"there are {known}")
    return None


def words_of(launch: Launch) -> list[str]:
    sizes = [f"{name}={'x'.join(map(str, launch[name]))}" for name in ("global", "local")]
    return [*launch["arguments"].split(), *sizes]


def shorten(launch: Launch, is_named: bool) -> None:
    steps = launch["steps"]
    if len(steps) < launch["steps_in_all"] or (len(steps) > MANY_STEPS and not is_named):
        del steps[FIRST_STEPS:]
        # They are numbered in the order in which steps come to need them.
        del launch["patterns"][1 + max(number for number, *_ in steps) :]


# ---- The page.


def sharing(page: str, launches: list[Launch]) -> str:
    """The page that shares its style and its script with others, and has these launches."""
    data = data_of(page) | {"launches": launches, "open": 0, "left_out": 0}
    page = replace(page, "<noscript>.*?</noscript>", NO_SCRIPTS)
    page = replace(page, '<meta http-equiv="Content-Security-Policy" content="[^"]*">', POLICY)
    page = replace(page, rf"(?<={DATA}\n).*?\n(?=</script>)", f"{dumped(data)}\n")
    for tag, end in ("style", "css"), ("script", "js"):
        element = rf"<{tag}>(.*?)</{tag}>"
        inline = re.findall(element, page, re.DOTALL) or fail(f"no {tag} in the page", HINT)
        for text in inline:
            page = page.replace(f"<{tag}>{text}</{tag}>", links(text, end))
    return page


DATA = '<script type="application/json" id="data">'


def data_of(page: str) -> dict[str, Any]:
    found = re.search(f"{DATA}\n(.*?)</script>", page, re.DOTALL)
    data: dict[str, Any] = json.loads(found[1] if found else fail("no data in the page", HINT))
    return data


def dumped(data: dict[str, Any]) -> str:
    """In the lines of lens --html: readers of a change see which launches have changed, and
    at which places.  Nothing in it can end the element."""
    launches = ",\n".join(dumped_launch(launch) for launch in data["launches"])
    rest = packed({name: data[name] for name in data if name != "launches"})
    return f'{{"launches":[\n{launches}],\n{rest[1:]}'


def dumped_launch(launch: Launch) -> str:
    text = packed(launch | {"patterns": []})
    of_places = itertools.groupby(launch["patterns"], operator.itemgetter(5))
    lines = ",\n".join(packed(list(patterns))[1:-1] for _, patterns in of_places)
    text = text.replace('"patterns":[]', f'"patterns":[\n{lines}]', 1)
    return re.sub(',(?="(steps_in_all|patterns|places)":)', ",\n", text)


def packed(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c")


def replace(page: str, pattern: str, new: str) -> str:
    page, count = re.subn(pattern, lambda _: new, page, flags=re.DOTALL)
    if count != 1:
        fail(f"the page of lens --html has {count} times, not once: {pattern}", HINT)
    return page


def links(text: str, end: str) -> str:
    """To the files that are this style or script, one after the other."""
    found = []
    while text:
        for file in sorted(PARTS.glob(f"page*.{end}")):
            content = files.read(file)
            if content and text.startswith(content):
                break
        else:
            fail(f"what is in the page of lens --html is no {PARTS}/page*.{end}", HINT)
        text = text.removeprefix(content)
        address = os.path.relpath(file, FOLDER)
        found.append(
            f'<link rel="stylesheet" href="{address}">'
            if end == "css"
            else f'<script src="{address}"></script>'
        )
    return "\n".join(found)
