"""cuda_counts: launches of kernels in CUDA, counted by the lens and by NVIDIA's profiler.

    cuda_counts.py prepare FOLDER PROJECTS
        writes a program for each launch of cuda_launches.txt into FOLDER, with copies of the
        kernels' own files and cuda_measure.sh; PROJECTS holds a folder for each project
    sh FOLDER/cuda_measure.sh OUT
        on a machine with a GPU, nvcc and ncu: writes OUT/measured.tar.gz
    cuda_counts.py count FOLDER
        writes what the lens, build/lens, counts of each launch into FOLDER
    cuda_counts.py compare FOLDER MEASURED RESULT.tsv
        writes a line for each launch and each way to compile it, with both sides; MEASURED is
        the unpacked archive.  Prints the launches that are not there, and why

Never part of a test, but what reads the profiler's files is."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from typing import Iterator, NamedTuple, NoReturn

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = HERE / "cuda_launches.txt"
BUILDS = ("usual", "rolled")

GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
INSTRUCTIONS = "smsp__sass_inst_executed_op_shared_{}.sum"
OF_ATOMICS = ("atom", "red")

# A count of the lens, and the sum of which of the profiler's counters it is compared with.
COUNTS = {
    "load_accesses": [GLOBAL.format("requests", "ld")],
    "load_sectors": [GLOBAL.format("sectors", "ld")],
    "store_accesses": [GLOBAL.format("requests", "st")],
    "store_sectors": [GLOBAL.format("sectors", "st")],
    "atomic_accesses": [GLOBAL.format("requests", kind) for kind in OF_ATOMICS],
    "atomic_sectors": [GLOBAL.format("sectors", kind) for kind in OF_ATOMICS],
    "shared_loads": [INSTRUCTIONS.format("ld")],
    "shared_stores": [INSTRUCTIONS.format("st")],
    "bank_passes": [WAVEFRONTS.format(kind) for kind in ("ld", "st")],
    "branches": ["smsp__sass_branch_targets.sum"],
    "diverged": ["smsp__sass_branch_targets_threads_divergent.sum"],
    "busy_lanes": ["smsp__thread_inst_executed_per_inst_executed.ratio"],
}
INSTRUCTIONS_OF_ALL = "smsp__inst_executed.sum"


def fail(what: str, hint: str) -> NoReturn:
    sys.exit(f"error: {what}\n  hint    {hint}")


# ---- The list


class Project(NamedTuple):
    name: str
    folders: list[str]

    def place(self, projects: pathlib.Path) -> pathlib.Path:
        return ROOT if self.name == "lockstep" else projects / self.name


class Argument(NamedTuple):
    elements: int
    value: str


class Launch(NamedTuple):
    number: str
    project: Project
    file: str
    call: str
    sizes: str

    @property
    def kernel(self) -> str:
        return self.call[: self.call.index("(")]

    def size(self, option: str) -> str:
        found = re.search(rf"--{option} ([0-9,]+)", self.sizes)
        return found[1] if found else "0"

    def arguments(self) -> list[Argument]:
        words = self.call[self.call.index("(") + 1 : -1]
        return [self.argument(word) for word in re.split(r", *", words) if word]

    def argument(self, word: str) -> Argument:
        found = re.fullmatch(r"\w+(?:\[(\d+)\])?=([-+\w.]+)", word)
        if not found:
            fail(f"{LIST.name}: cannot read '{word}' of {self.call}", "as in x[8]=random or n=8")
        return Argument(int(found[1] or 1), found[2])


def read_list() -> Iterator[Launch]:
    project = Project("", [])
    number = 0
    for line in LIST.read_text().splitlines():
        if line.startswith("project "):
            _, name, _, *folders = line.split()
            project = Project(name, folders)
        elif line and not line.startswith("#"):
            file, call, sizes = line.split(" | ")
            number += 1
            yield Launch(f"{number:02}", project, file, call, sizes)


# ---- Prepare

PROGRAM = """/* {call} {sizes} */
#include "cuda_launch.cuh"
#define main main_of_the_file
#ifdef ROLLED
#define for _Pragma("unroll 1") for
#endif
#include "{path}"
#undef for
#undef main

int main() {{
    launching::launch({kernel}, dim3({grid}), dim3({block}), {shared}, {{{arguments}}});
    return 0;
}}
"""


def program(launch: Launch) -> str:
    return PROGRAM.format(
        call=launch.call,
        sizes=launch.sizes,
        path=f"files/{launch.project.name}/{launch.file}",
        kernel=launch.kernel,
        grid=launch.size("grid"),
        block=launch.size("block"),
        shared=launch.size("shared"),
        arguments=", ".join(f'{{{a.elements}, "{a.value}"}}' for a in launch.arguments()),
    )


def copy_files(launch: Launch, projects: pathlib.Path, folder: pathlib.Path) -> None:
    """The folder of the kernel's file, which may include others, and those of headers."""
    place = launch.project.place(projects)
    copy = folder / "files" / launch.project.name
    if not (place / launch.file).exists():
        fail(f"no {place / launch.file}", "PROJECTS has a folder OWNER+NAME for each project")
    for part in [str(pathlib.Path(launch.file).parent), *launch.project.folders]:
        if not (copy / part).exists():
            shutil.copytree(place / part, copy / part)


def prepare(folder: pathlib.Path, projects: pathlib.Path) -> None:
    shutil.rmtree(folder / "files", ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("cuda_launch.cuh", "cuda_measure.sh"):
        shutil.copy(HERE / name, folder)
    lines = []
    for launch in read_list():
        copy_files(launch, projects, folder)
        (folder / f"{launch.number}.cu").write_text(program(launch))
        headers = [f"-I files/{launch.project.name}/{part}" for part in launch.project.folders]
        lines.append(" ".join([launch.number, *headers]) + "\n")
    (folder / "launches").write_text("".join(lines))
    print(f"{len(lines)} launches: sh {folder}/cuda_measure.sh OUT, where a GPU is")


# ---- Count


def count(folder: pathlib.Path) -> None:
    lens = pathlib.Path(os.environ.get("BUILD", "build")) / "lens"
    (folder / "lens").mkdir(exist_ok=True)
    for launch in read_list():
        files = folder / "files" / launch.project.name
        words = [str(lens), "kernel", str(files / launch.file), launch.call]
        words += launch.sizes.split() + ["--format", "json", "--groups", "1000000"]
        for part in launch.project.folders:
            words += ["-I", str(files / part)]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=300)
        (folder / "lens" / f"{launch.number}.json").write_text(done.stdout)
        (folder / "lens" / f"{launch.number}.log").write_text(done.stderr)
        if done.returncode != 0:
            print(f"{launch.number} {launch.kernel}: the lens: {first_line(done.stderr)}")


def first_line(text: str) -> str:
    """What a tool complains of, in one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE)]
    return (errors or lines or ["nothing was said"])[0]


def of_the_lens(path: pathlib.Path) -> dict[str, float]:
    """The counts of one launch; none if there is no launch in the file.

    The profiler has no count of what atomics in shared memory take alone, so their bank passes
    are left out; the sum of all passes is more exact than that of the rows."""
    sums: dict[str, float] = defaultdict(float)
    passes = atomics = 0.0
    for line in path.read_text().splitlines() if path.exists() else []:
        row = json.loads(line)
        kind, memory = row["row"], row.get("memory")
        if kind == "launch":
            sums["busy_lanes"] = row["busy_lanes"]
        elif kind in ("load", "store", "atomic") and memory == "global":
            sums[f"{kind}_accesses"] += row["accesses"]
            sums[f"{kind}_sectors"] += row["moved_bytes"] / 32
        elif kind in ("load", "store") and memory == "local":
            sums[f"shared_{kind}s"] += row["accesses"]
            passes += row["accesses"] * row["passes"]
        elif kind == "atomic":
            atomics += row["accesses"]
        elif kind == "total":
            sums["bank_passes"] = round(passes) if atomics else row["local_passes"]
            sums["branches"] = row["branches"]
            sums["diverged"] = row["branches_diverged"]
    return sums


# ---- Compare


def of_the_profiler(path: pathlib.Path) -> dict[str, float]:
    """The counters of one launch, from `ncu --csv --page raw`; none if there is no launch.

    Below what the program says there are a line of names, one of units, and one of values,
    some of which have commas: "1,024"."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text(errors="replace").splitlines() if line[:1] == '"']
    rows = [row for row in csv.DictReader(lines) if row["ID"].isdigit()]
    if len(rows) != 1:
        return {}
    counters = {}
    for name, text in rows[0].items():
        try:
            counters[name] = float((text or "").replace(",", ""))
        except ValueError:
            continue
    return counters


def why_not(measured: pathlib.Path, name: str) -> str:
    """Why a launch has no counters: what the tools have said, the last one first."""
    for kind in ("profile", "compile"):
        log = measured / f"{name}.{kind}.log"
        if log.exists() and log.read_text(errors="replace").strip():
            return first_line(log.read_text(errors="replace"))
    return "not reached"


def compared(launch: Launch, build: str, ours: dict[str, float], theirs: dict[str, float]) -> str:
    cells = [launch.project.name, launch.file, launch.call, launch.sizes, build]
    for name, counters in COUNTS.items():
        has_all = all(counter in theirs for counter in counters)
        total = sum(theirs[counter] for counter in counters) if has_all else None
        cells += [shown(ours.get(name, 0.0)), "" if total is None else shown(total)]
    cells.append(shown(theirs[INSTRUCTIONS_OF_ALL]) if INSTRUCTIONS_OF_ALL in theirs else "")
    return "\t".join(cells)


def shown(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:.2f}"


def compare(folder: pathlib.Path, measured: pathlib.Path, result: pathlib.Path) -> None:
    titles = ["project", "file", "call", "sizes", "build"]
    for name in COUNTS:
        titles += [f"{name}_lens", f"{name}_profiler"]
    lines = [(measured / "about").read_text() + "\t".join(titles + ["instructions"])]
    for launch in read_list():
        ours = of_the_lens(folder / "lens" / f"{launch.number}.json")
        for build in BUILDS:
            name = f"{launch.number}.{build}"
            theirs = of_the_profiler(measured / f"{name}.csv")
            if ours and theirs:
                lines.append(compared(launch, build, ours, theirs))
                continue
            log = folder / "lens" / f"{launch.number}.log"
            if not ours:
                why = "the lens: " + first_line(log.read_text() if log.exists() else "")
            else:
                why = "the profiler: " + why_not(measured, name)
            print(f"{name} {launch.kernel}: {why}")
    result.write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} rows in {result}")


def main() -> None:
    actions = {"prepare": (prepare, 2), "count": (count, 1), "compare": (compare, 3)}
    action, wanted = actions.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if action is None or len(sys.argv) != 2 + wanted:
        sys.exit(__doc__)
    action(*map(pathlib.Path, sys.argv[2:]))  # type: ignore[operator]


if __name__ == "__main__":
    main()
