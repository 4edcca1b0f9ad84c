"""What a workshop needs, to be printed or copied to a stick: `make pack` runs

    python3 common/commands/pack

and writes build/pack/.  PLAN=half-day says for which timetable; DEBS=yes also fetches the
packages that a laptop with this system needs.  Pages are made by pandoc, and no page needs
a network.

    parts     the texts of the pages: the teacher's, and the questions as slides
    pages     pandoc, and the style of the pages"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# What knows of plans, questions and exercises.
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "exercise"))

# pylint: disable=wrong-import-position
import pages
import parts
import plans
from facts import BUILD
from screen import fail, say

STEPPING = Path("docs/results/lens")
PACKAGES = (
    "make gcc libc6-dev libpng-dev ocl-icd-opencl-dev pocl-opencl-icd python3 bats git"
)


def main() -> int:
    plan = plans.check_name(os.environ.get("PLAN") or "half-day")
    if not shutil.which("pandoc"):
        fail("missing: pandoc", "make setup, or: apt-get install -y pandoc")
    folder = Path(BUILD) / "pack"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lens").mkdir(parents=True)
    steps = parts.steps_of(plan)
    shown = [step for step in steps if (STEPPING / f"{step}.html").exists()]
    for step in shown:
        pages.of_lens(STEPPING / f"{step}.html", folder / "lens")
    texts = ["card", "learners", *(["opening"] if parts.for_beginners(steps) else [])]
    for name in texts:
        pages.page(folder / f"{name}.html", parts.of_page(f"docs/workshop/{name}.md"))
    pages.page(folder / "teacher.html", parts.teacher(plan, steps))
    pages.slides(folder / "slides.html", parts.questions_of(steps))
    bring(folder)
    with_packages = os.environ.get("DEBS", "no") not in ("", "no")
    if with_packages:
        fetch_packages(folder / "debs")
    pages.page(folder / "index.html", parts.index(plan, shown, with_packages))
    say(f"{folder}/index.html")
    return 0


def bring(folder: Path) -> None:
    """The repository as it was committed; without git, as it is."""
    target = folder / "lockstep.tar.gz"
    git = ["git", "archive", "--prefix=lockstep/", "-o", str(target), "HEAD"]
    if subprocess.run(git, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return
    tar = ["tar", "czf", str(target), "--transform", "s,^[.],lockstep,"]
    left_out = ["--exclude=./build", "--exclude=./work", "--exclude=./.git"]
    if subprocess.run([*tar, *left_out, "."], check=False).returncode != 0:
        fail(f"cannot write {target}", "is there room?")


def fetch_packages(folder: Path) -> None:
    """All that a bare system of this kind lacks, whatever is installed here."""
    if not shutil.which("apt-get"):
        fail("DEBS=yes needs apt-get", "make pack without it, and a container image")
    folder.mkdir()
    bare = ["-qq", "--yes", "-o", "Dir::State::status=/dev/null"]
    asked = ["apt-get", *bare, "--print-uris", "install", "--no-install-recommends"]
    listed = subprocess.run(
        [*asked, *PACKAGES.split()], capture_output=True, encoding="utf-8", check=False
    )
    names = [line.split()[1].split("_")[0] for line in listed.stdout.splitlines()]
    if listed.returncode != 0 or not names:
        fail("apt-get does not say what is needed", "apt-get update, and try again")
    say(f"fetching {len(names)} packages ...")
    fetched = subprocess.run(
        ["apt-get", "-qq", "download", *names],
        cwd=folder,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    if fetched.returncode != 0:
        fail("not all packages could be fetched", fetched.stderr.strip()[-200:])


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent.parent.parent)
    sys.exit(main())
