"""What stands in a source: lines of the preprocessor, places of a compiler's errors; and
what clang makes of it."""

import os
import re
import shutil
import struct
import subprocess
from collections import Counter
from math import isfinite, prod
from typing import Optional

STRING = r'"(?:\\.|[^"\\\n])*"?'
MOST = 1 << 52  # beyond that, no size can be


def _clang(file: str, *options: str) -> Optional[subprocess.CompletedProcess[str]]:
    """What clang prints of a kernel file, or a program; None if there is no clang."""
    names = [
        os.environ.get("LENS_CLANG") or "clang",
        *(f"clang-{version}" for version in range(15, 31)),
    ]
    clang = next(filter(shutil.which, names), None)
    if not clang:
        return None
    if file.endswith(".cl"):
        language = ["-x", "cl", "-cl-std=CL1.2", "-iquote", "kernels"]
    else:
        language = [
            "-std=c11",
            "-iquote",
            "common",
            "-D",
            "CL_TARGET_OPENCL_VERSION=120",
            "-D",
            'KERNEL_DIR=""',
            "-D",
            'BUILD_DIR=""',
        ]
    return subprocess.run(
        [clang, *language, *options, file],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )


def llvm_text(file: str, *options: str) -> str:
    """What clang makes of a file, with these options instead of ours; "" if there is no
    clang, or it cannot."""
    usual = ("-O1", "-fno-unroll-loops")
    form = ["-w", *(options or usual), "-S", "-emit-llvm", "-o", "-"]
    made = _clang(file, *form)
    return made.stdout if made and made.returncode == 0 else ""


def new_warnings(ours: str, file: str) -> list[str]:
    """What clang warns of in a file and not in ours, as in "line 34: expression result
    unused"; [] if there is no clang."""
    known = Counter(said for _, said in _warnings(ours))
    found: list[str] = []
    for line, said in _warnings(file):
        known[said] -= 1
        if known[said] < 0:
            found.append(f"line {line}: {said}")
    return found


def _warnings(file: str) -> list[tuple[int, str]]:
    made = _clang(file, "-fsyntax-only", "-Wall", "-fno-color-diagnostics")
    place = rf"^{re.escape(file)}:([0-9]+):[0-9]+: warning: (.*?)(?: \[-W[^]]*\])?$"
    found = re.findall(place, made.stderr, re.M) if made else []
    return [(int(line), said) for line, said in found]


def loads_between_branches(file: str, kernel: str) -> int:
    """How many loads from global memory clang's code for an NVIDIA GPU has between two
    branches of a kernel, where it has most.  A compiler may issue these before it uses the
    first of them.  -1 if clang makes no such code."""
    text = llvm_text(file, "-O2", "-target", "nvptx64")
    body = re.search(rf"^define [^\n]*@{re.escape(kernel)}\(.*?^}}", text, re.M | re.S)
    if not body:
        return -1
    load = r" = load [^\n]*addrspace\(1\)| call [^\n]*@[^\n(]*vload"
    blocks = re.split("^[0-9A-Za-z_.]+:", body[0], flags=re.M)
    return max(len(re.findall(load, block)) for block in blocks)


def constants(ours: str, text: str) -> set[int]:
    """The numbers above 1 that stand in LLVM's text of a kernel file, or a program, and
    not in that of ours: a row of `min(x, 1023)` pixels may be enough for what was run.
    Clang has worked out there what can be: 1024 * 1024 is 1048576, n / 1000 > 3 is n >
    3999, and i << 12 >> 12 is i & 1048575."""
    return set(Counter(_constants(text)) - Counter(_constants(ours)))


# Of functions that clang leaves to the device's library.
EXACT_UP_TO = {
    "convert_u?char": 255,
    "convert_u?short": 65535,
    "(convert_float|mul24|mad24)": 1 << 24,
}


def _constants(text: str) -> list[int]:
    """A shift counts as the power of two that it multiplies or divides by; a change
    between integer and float, and mul24(), as the largest number up to which all are
    exact; and a type of 8 or 16 bits as the largest that it can hold."""
    found: list[int] = []
    for line in text.split("\n"):
        # Only what functions compute with counts, and tables; sizes of types and names do not.
        if re.match(
            "[0-9]+:|!|attributes|declare|define|source_filename|target", line
        ) or re.search(' c"|llvm[.](lifetime|dbg)', line):
            continue
        line = re.sub(";.*", "", line)
        for function, limit in EXACT_UP_TO.items():
            if re.search(f" call .*@_Z[0-9]+{function}", line):
                found.append(limit)
        line = re.sub("[%@!#][A-Za-z0-9_.$-]+", "", line)
        line = re.sub(
            r'"[^"]*"|align [0-9]+|(addrspace|dereferenceable)\([0-9]+\)|[0-9]+ x ',
            "",
            line,
        )
        if re.search(" ([us]itofp|fpto[us]i) ", line):
            found.append(
                1 << 11 if " half" in line else 1 << 24 if " float" in line else 0
            )
        elif re.search(" trunc .* to .*i(8|16)>?$", line):
            found.append(255 if re.search("i8>?$", line) else 65535)
        values = map(_constant, re.split("[^-+A-Za-z0-9_.]+", line))
        shifts = re.search(" (shl|lshr|ashr) ", line)
        found += [1 << min(value, 64) if shifts else value for value in values]
    return [number for number in found if 2 <= number <= MOST]


def _constant(word: str) -> int:
    word = word.removeprefix("-")
    if re.fullmatch("[0-9]+", word):
        return int(word)
    if re.fullmatch("0x[0-9A-F]{16}", word):
        value = abs(
            struct.unpack(">d", bytes.fromhex(word[2:]))[0]
        )  # a double as its 64 bits
    elif re.fullmatch("[0-9][0-9.]*e[-+][0-9]+", word):
        value = float(word)
    else:
        return 0
    return int(value) if isfinite(value) else 0


def beyond(arguments: str, number: int, least: int) -> str:
    """Arguments with a number in place of what stands for it: M is the number itself; N
    is 2 more, or what it must be at least; and 32*N is a product."""
    value = {"N": max(number + 2, least), "M": number}

    def product(found: re.Match[str]) -> str:
        return str(
            prod(value.get(factor) or int(factor) for factor in found[0].split("*"))
        )

    return re.sub(r"(?<!\S)(?:[0-9]+\*)*[MN](?:\*[MN])?(?!\S)", product, arguments)


def directives(ours: str, text: str) -> list[str]:
    """The preprocessor's lines of a kernel file that ours does not have, and that can
    make it other code to another compiler, as in "line 12: #ifdef __x86_64__".  That is
    each condition and each file included; and a macro, if it is in a marked part.  So
    are the compiler's own macros, wherever they are used: "line 12:
    __OPENCL_VERSION__"."""
    known = Counter(name for _, name, _, _ in _directives(ours))
    found: list[str] = []
    for line, name, shown, matters in _directives(text):
        known[name] -= 1
        if known[name] < 0 and matters:
            found.append(f"line {line}: {shown}")
    return found


def _directives(text: str) -> list[tuple[int, str, str, bool]]:
    """Line, name, text of each, and whether it may be other code.  Of a macro only its
    name counts, because its text may be the exercise."""
    found: list[tuple[int, str, str, bool]] = []
    number, marked = 1, False
    for with_comments, line in _code_lines(text):
        if "/* exercise { */" in with_comments:
            marked = True
        if "/* } exercise */" in with_comments:
            marked = False
        shown, is_one = re.subn(
            r"^[ \t]*(#|%:|\?\?=)[ \t]*", "#", line.replace(SPLICE, "")
        )
        if is_one:
            shown = re.sub("[ \t]+", " ", shown).removesuffix(" ")
            macro = re.match("#define [A-Za-z0-9_]+", shown)
            condition = re.match("#(if|el|include)", shown) and not shown.startswith(
                '#include "simd.clh"'
            )
            matters = condition or (marked and re.match("#(define|undef)", shown))
            found.append((number, macro[0] if macro else shown, shown, bool(matters)))
        words = re.findall(
            "[A-Za-z_][A-Za-z0-9_]*", re.sub(STRING, "", line.replace(SPLICE, ""))
        )
        found += [(number, word, word, True) for word in words if _is_macro(word)]
        number += 1 + line.count(SPLICE)
    return found


SPLICE = "\0"  # for the end of a line that goes on in the next


def _code_lines(text: str) -> list[tuple[str, str]]:
    """The lines with and without comments, with those that a backslash continues put
    together."""
    spliced = re.sub(
        r"\\[ \t\r]*\n", SPLICE, text.replace(SPLICE, "").replace("??/", "\\")
    )

    def without(found: re.Match[str]) -> str:
        text = found[0]
        return (
            " " + re.sub(f"[^\n{SPLICE}]", "", text) if text.startswith("/") else text
        )

    code = re.sub(
        rf"{STRING}|'(?:\\.|[^'\\\n])*'?|/\*.*?(?:\*/|\Z)|//[^\n]*",
        without,
        spliced,
        flags=re.S,
    )
    return list(zip(spliced.split("\n"), code.split("\n")))


def _is_macro(word: str) -> bool:
    """Words of the language begin with two underscores as well, where they are no
    macros."""
    of_language = (
        "__(kernel|global|local|constant|private|generic|attribute__|read_only|write_only"
        "|read_write)"
    )
    return bool(
        re.match("__|CL_VERSION_|FP_FAST_", word)
        and not re.fullmatch(of_language, word)
    )


def compiler_errors(errors: str, file: str) -> list[str]:
    """The errors of a device's compiler in a file, each with its line and a mark below
    its column. Compilers write "FILE:61:47: ...", also behind "error: "; or
    "<kernel>:61:47: error: ...".  PoCL names its own file, too, if that has the word by
    another name: "FILE:61:47 <Spelling=/usr/share/...:140:24>: call to '_cl_min' is
    ambiguous"."""
    with open(file, encoding="utf-8", errors="surrogateescape") as text:
        source = text.read().removesuffix("\n").split("\n")
    place = re.compile(
        rf"(?:error: )?(?:{re.escape(file)}|<kernel>):([0-9]+):([0-9]+)"
        r"(?: <Spelling=[^>]*>)?: (?:error: )?(.*)"
    )
    shown: list[str] = []
    for found in filter(None, map(place.match, errors.split("\n"))):
        line, column = int(found[1]), int(found[2])
        shown.append(
            f"{os.path.basename(file)}:{line}:{column}: {_own_words(found[3])}"
        )
        if 1 <= line <= len(source):
            # A mark below what has tabs in it needs these tabs, too.
            margin = re.sub("[^\t]", " ", source[line - 1][: column - 1])
            shown += [f"  {source[line - 1]}", f"  {margin}^"]
    return shown


def _own_words(error: str) -> str:
    """As the kernel calls it; and what it then means that no function fits best."""
    error = error.replace("'_cl_", "'")
    if re.match("call to '[a-z_0-9]+' is ambiguous", error):
        error += ": its arguments must have the same type, so convert one: (uint)get_global_id(0)"
    return error
