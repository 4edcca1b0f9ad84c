"""coverage: what the programs that have run since it was built do not reach.

    coverage.py BUILD

Prints for each file of common/ how many of its lines were executed, then the functions that
were never called, and the kinds of mistakes of the lens that were never shown."""
import glob
import json
import os
import re
import subprocess
import sys

HINTS = "common/lens/mistakes.c"  # whose mistake_hint() has a case for each kind


def measured(build):
    """{file: ({line: count}, {function: count})}; what is linked twice is added up."""
    files = {}
    objects = sorted(glob.glob(os.path.join(build, "**", "*.gcno"), recursive=True))
    for number in range(0, len(objects), 50):
        said = subprocess.run(["gcov", "--json-format", "--stdout"] + objects[number:number + 50],
                              capture_output=True, check=True, text=True).stdout
        for line in said.splitlines():
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


def unshown(lines):
    """The kinds of mistakes whose hint was never given: those of one `case`, together."""
    kinds, unseen, inside = [], [], False
    with open(HINTS, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            inside = text.startswith("const char *mistake_hint(") or inside and text != "}\n"
            if not inside:
                continue
            case = re.match(r" +(?:case ([A-Z_]+)|(default)):", text)
            if case:
                kinds.append(case.group(1) or "all others")
            elif kinds and number in lines:
                if not lines[number]:
                    unseen.append(", ".join(kinds))
                kinds = []
    return unseen


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
    print("  " + ("\n  ".join(unshown(files[HINTS][0])) or "none"))


if __name__ == "__main__":
    sys.exit(main())
