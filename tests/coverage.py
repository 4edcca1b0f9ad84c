"""coverage: what the programs of a build for gcov did not reach.

    coverage.py COUNTS

The folder has the counts (.gcda) beside the notes (.gcno).  Prints for each file of common/ how
many of its lines were executed, then the functions that were never called, and the kinds of
mistakes of the lens that were never shown."""
import glob
import json
import os
import re
import subprocess
import sys

MISTAKES = "common/lens/report/mistake_words.c"  # whose mistake_hint() has a case for each kind


def measured(counts):
    """{file: ({line: count}, {function: count})}; what is linked twice is added up."""
    files = {}
    objects = sorted(glob.glob(os.path.join(counts, "**", "*.gcno"), recursive=True))
    for number in range(0, len(objects), 50):
        gcov = subprocess.run(["gcov", "--json-format", "--stdout"] + objects[number:number + 50],
                              capture_output=True, check=False, text=True)
        if gcov.returncode != 0 or "mismatch" in gcov.stderr:
            print(f"error: counts were lost: {gcov.stderr.strip()}\n"
                  "  hint    no file of common/ may change while this runs; repeat it",
                  file=sys.stderr)
            sys.exit(2)
        for line in gcov.stdout.splitlines():
            for file in json.loads(line)["files"]:
                lines, functions = files.setdefault(file["file"], ({}, {}))
                for at in file["lines"]:
                    key = at["line_number"]
                    lines[key] = lines.get(key, 0) + at["count"]
                for function in file["functions"]:
                    key = function["name"]
                    functions[key] = functions.get(key, 0) + function["execution_count"]
    return {name: files[name] for name in sorted(files)
            if name.startswith("common/") and name.endswith(".c")}


def body(function):
    """The lines of this function, with their numbers."""
    inside = False
    with open(MISTAKES, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            inside = re.match(rf"\w.*\b{function}\(", text) or inside and text != "}\n"
            if inside:
                yield number, text.rstrip()


def shown(lines):
    """{kind of mistake: how often was it shown?}  Where several kinds have one hint, their
    titles tell them apart."""
    counts, kinds = {}, []
    for number, text in body("mistake_hint"):
        if case := re.match(r" +case ([A-Z_]+):", text):
            kinds.append(case[1])
        elif number in lines:
            counts.update(dict.fromkeys(kinds, lines[number]))
            kinds = []
    kind = None
    for number, text in body("mistake_title"):
        if kind:
            counts[kind] = min(counts[kind], lines[number])
        title = re.search(r"\(mistake->kind == ([A-Z_]+)\)$", text)
        kind = title[1] if title else None
    return counts


def main():
    files = measured(sys.argv[1])
    print("lines  reached")
    for name, (lines, _) in files.items():
        reached = sum(count > 0 for count in lines.values())
        print(f"{len(lines):5}  {100 * reached / len(lines):5.1f} %  {name}")
    print("never called:")
    for name, (_, functions) in files.items():
        for function, count in functions.items():
            if not count:
                print(f"  {function}  {name}")
    print("kinds of mistakes that no test shows:")
    unshown = [kind for kind, count in shown(files[MISTAKES][0]).items() if not count]
    print("  " + ("\n  ".join(unshown) or "none"))


if __name__ == "__main__":
    sys.exit(main())
