"""What programs write in docs/: tables, screens, reports and pictures.

    python3 common/commands/pages COMMAND ...     in the folder of the clone

Each command is a target of make: `make docs`, `make count`, `make measure`, `make plots`,
`make motion`.
The exit status is 2 where something is wrong with a page, a stored file or an argument.

    markers    what a marker is, and which function writes what stands behind it
    tables     the markers that many pages have
    one_page   the markers that one page has
    results    the rows that devices have measured
    answers    what a GPU answers, for the screens of the steps
    reports    what the lens has counted, and the markers that show it
    counting   runs the lens, and stores that
    measuring  runs the steps on a device, and stores their rows and screens
    charts     the pictures that gnuplot draws of stored rows
    bars       bars for the variants of a step, on one or more devices
    rooflines  what kernels reach, over the operations for each byte
    drawing    runs gnuplot
    motion     the picture of README that moves, made of a real run
    markdown   numbers, tables and links
    files      reads and writes files
"""

from __future__ import annotations

import argparse
import io
import sys

import charts
import counting
import files
import markers
import measuring
import motion


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="pages",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    docs = commands.add_parser("docs", help="write what stands between markers again")
    docs.add_argument("folder", nargs="?", default=".", help="where the pages go")
    count = commands.add_parser("count", help="store what the lens counts")
    check = "store nothing, and compare with what is stored"
    count.add_argument("--check", action="store_true", help=check)
    measure = commands.add_parser("measure", help="store what a device measures")
    measure.add_argument("name", help="what its files are called, as in pocl-3.1")
    measure.add_argument("steps", nargs="*", help="only these, as in step21")
    plots = commands.add_parser("plots", help="draw the pictures of stored rows")
    of = "of these CSVs in place of the stored rows"
    one = f"print this picture alone, as in step05-bars, {of}"
    plots.add_argument("--one", nargs="+", metavar=("PICTURE", "CSV"), help=one)
    data = f"print the data that it would draw, {of}; this needs no gnuplot"
    plots.add_argument("--data", nargs="+", metavar=("PICTURE", "CSV"), help=data)
    film = commands.add_parser("motion", help="run an exercise, and draw it for README")
    print_only = film.add_mutually_exclusive_group()
    only = "store nothing, and print"
    print_only.add_argument("--text", action="store_true", help=f"{only} what a run shows now")
    print_only.add_argument("--picture", action="store_true", help=f"{only} the stored run")
    return parser.parse_args()


def main() -> int:
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    arguments = parse()
    try:
        if arguments.command == "docs":
            markers.write_pages(arguments.folder)
        elif arguments.command == "count":
            return counting.check() if arguments.check else counting.store()
        elif arguments.command == "measure":
            measuring.measure(arguments.name, arguments.steps)
        elif arguments.command == "motion":
            motion.obey(arguments.text, arguments.picture)
        elif arguments.one:
            print(charts.one(*arguments.one).svg(), end="")
        elif arguments.data:
            print(charts.one(*arguments.data).data(), end="")
        else:
            charts.draw()
    except files.Problem as problem:
        print(problem, file=sys.stderr)
        return 2
    except OSError as error:  # such as a program that is not there
        what = f"{error.filename}: {error.strerror}"
        print(files.Problem(what, "try `make all` first"), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
