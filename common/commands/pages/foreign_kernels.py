"""docs/results/cuda/: what the lens says of kernels in CUDA of other projects.

projects.tsv and calls.tsv say which; common/commands/foreign.py writes kernels.tsv."""

from __future__ import annotations

from pathlib import Path

import files
import results
from files import fail
from markdown import table
from results import Row

FOLDER = results.FOLDER / "cuda"
HINT = "common/commands/foreign.py writes it"
SAID = {
    "shown": "shown",
    "mistake": "shown, with a mistake",
    "stopped": "stopped at a mistake",
    "refused": "refused",
}


def rows(name: str) -> list[Row]:
    return files.rows(FOLDER / f"{name}.tsv", HINT, "\t")


def both() -> list[tuple[Row, Row]]:
    """Each call, and what came out."""
    calls, found = rows("calls"), rows("kernels")
    if [(row["project"], row["call"]) for row in calls] != [
        (row["project"], row["call"]) for row in found
    ]:
        fail(f"{FOLDER}/kernels.tsv is not of the calls in calls.tsv", HINT)
    return list(zip(calls, found))


def kernel(call: Row) -> str:
    """Its name, with the arguments of a template."""
    return f"`{call['call'].partition('(')[0]}`"


def foreign(_page: Path) -> list[str]:
    """<!-- foreign -->: all of them, by project."""
    return table(
        ["project", "file", "kernel", "", "seconds", "sectors", "passes", "found"],
        [
            [
                call["project"],
                f"`{Path(call['file']).name}`",
                kernel(call),
                SAID[found["status"]],
                found["seconds"],
                found["sectors"],
                found["passes"],
                found["found"],
            ]
            for call, found in both()
        ],
        "llllrrrl",
    )


def projects(_page: Path) -> list[str]:
    """<!-- projects -->: how many of each project's kernels are shown, and its version."""
    counted = []
    for project in rows("projects"):
        name = project["project"]
        status = [found["status"] for call, found in both() if call["project"] == name]
        counted.append(
            [
                f"[{project['owner']}/{name}](https://github.com/{project['owner']}/{name})",
                project["commit"][:12],
                str(len(status)),
                str(status.count("shown") + status.count("mistake")),
                str(status.count("refused") or ""),
                str(status.count("mistake") + status.count("stopped") or ""),
            ]
        )
    return table(
        ["project", "commit", "kernels", "shown", "refused", "with a mistake"],
        counted,
        "ll",
    )


def counted_by_hand(_page: Path) -> list[str]:
    """<!-- byhand -->: what was worked out from the source, beside what the lens counts."""
    compared = []
    for call, found in both():
        for count in ("sectors", "passes"):
            if not call[count]:
                continue
            if call[count] != found[f"line_{count}"]:
                fail(f"{call['call']}: {count} by hand are not those counted", HINT)
            where = f"`{Path(call['file']).name}`, line {call['line']}"
            compared.append(
                [
                    *(kernel(call), where, call["why"]),
                    *(f"{call[count]} {count}", f"{found[f'line_{count}']} {count}"),
                ]
            )
    return table(["kernel", "where", "why", "by hand", "counted"], compared, "lll")
