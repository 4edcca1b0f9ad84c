"""calls: which calls of OpenCL C's built-ins are legal, and what they result in.

    calls.py write EVERY < DECLARATIONS > calls.cl
        every EVERY-th combination of argument types of each built-in, a line for each
    calls.py compare FILE LOG OTHER_LOG
        which of them one compiler refuses and another does not, from what they said
    calls.py prove FILE LOG > prove.cl
        kernels that make the calls that are not refused, of built-ins whose results are
        exact; for launch.c, each with the words  64 64 z131072

Declarations are clang's, one on each line, as builtins.awk reads them.  That a pointer
points to other things than a built-in expects, clang only warns of: those calls are left
out."""
import itertools
import re
import sys

SCALARS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float",
           "double", "half"]
ARGUMENTS = ["bool"] + SCALARS + [scalar + "4" for scalar in SCALARS] + ["int2", "float2"]
# Not here: what knows the work-item or waits, images, and conversions, which have one
# argument each and are all called by builtins.awk.
OTHER = r"depth|msaa|event_t|_fence|barrier|image|group|convert_|intel|a(rm|md)_|\bget_"
EXACT = r"u?(min|max|clamp|mad_hi|mad24|mul24|mad_sat|mul_hi|add_sat|sub_sat|hadd|rhadd|" \
        r"rotate|abs|abs_diff|select|shuffle2?|upsample|any|all|bitselect|fmin|fmax|fdim|" \
        r"fabs|floor|ceil|trunc|rint|round|copysign|maxmag|minmag|fma|mad|ldexp|step|" \
        r"sign|signbit|is[a-z]+|popcount|clz)$"


def parameters_of(text):
    """The types of "float x, __global int *p"."""
    for parameter in text.split(","):
        parameter = " ".join(parameter.split())
        if "*" in parameter:
            yield parameter[:parameter.index("*") + 1]
        else:
            yield re.sub(r"(?<=[a-z0-9]) [a-z]+$", "", parameter)


def overloads(lines):
    """By name and number of arguments, the types that each argument may have."""
    found = {}
    for line in lines:
        if "overloadable" not in line or re.search(OTHER, line):
            continue
        line = re.sub(r"__attribute__\(\([a-z_]*\)\) *", "", line)
        declaration = re.match(r".*?(\w+)\((.*)\)", line)
        if not declaration:
            continue
        types = list(parameters_of(declaration.group(2)))
        if types in (["void"], [""]):
            continue
        places = found.setdefault((declaration.group(1), len(types)), [])
        places.extend(set() for _ in range(len(types) - len(places)))
        for place, name in zip(places, types):
            place.add(name)
    return found


def choices(place):
    """The types with which an argument is tried: among them those that no overload has."""
    pointers = sorted(name for name in place if "*" in name)
    if pointers:
        return [name for name in pointers if not re.search(r"(3|8|16) ?\*", name)] or \
            pointers
    if place == {"size_t"}:
        return ["bool"] + SCALARS
    missing = place.isdisjoint(ARGUMENTS)
    return ARGUMENTS + (sorted(place) if missing else [])


def calls(declarations, every):
    number = 0
    for (name, _), places in overloads(declarations).items():
        for types in itertools.product(*map(choices, places)):
            number += 1
            if number % every == 0:
                yield name, types


def write(declarations, every):
    print("#pragma OPENCL EXTENSION cl_khr_fp16 : enable")
    for number, (name, types) in enumerate(calls(declarations, every)):
        formal = ", ".join(f"{kind} a{i}" for i, kind in enumerate(types))
        actual = ", ".join(f"a{i}" for i in range(len(types)))
        print(f"void call_{number}({formal}) {{ {name}({actual}); }}")


def refused(path, log_path):
    """The lines that a compiler refuses, and those where it only warns of pointers."""
    lines, warned = set(), set()
    with open(log_path, encoding="utf-8") as log:
        for line in log:
            found = re.match(rf"{re.escape(path)}:(\d+):.*? (fatal error|error|warning): ", line)
            if found:
                (warned if found.group(2) == "warning" else lines).add(int(found.group(1)))
            elif "error:" in line:
                sys.exit(line)
    return lines, warned


def compare(path, log_path, other_path):
    lines, warned = refused(path, log_path)
    others, _ = refused(path, other_path)
    with open(path, encoding="utf-8") as file:
        texts = file.read().splitlines()
    legal = len(texts) - 1 - len(lines | warned)
    print(f"{legal} legal, {len(lines - warned)} refused")
    for line in sorted((lines ^ others) - warned):
        print("accepted" if line in lines else "refused", texts[line - 1])


def prove(path, log_path):
    """Each argument is a small number of its type, and a work-item has others."""
    left_out = set().union(*refused(path, log_path))
    slot = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = re.match(r"void call_\d+\((.*?)\) { (\w+)\(", line)
            if number in left_out or not found or re.search(r"\*|half", line) or \
                    not re.match(EXACT, found.group(2)):
                continue
            if slot % 64 == 0:
                print("}" if slot else "", f"kernel void prove_{slot // 64}(global uchar *out) {{")
                print("    int i = get_global_id(0);\n    out += 8192 * i;")
            kinds = set(re.findall(r"float|double|[a-z]+(?=\d* a)", found.group(1)))
            mixed = kinds & {"float", "double"} and kinds - {"float", "double"}
            below = 0 if mixed or "24" in line else 31
            arguments = [f"({formal.split()[0]})((i * {7 + 4 * place} + {slot}) % 97 - {below})"
                         for place, formal in enumerate(found.group(1).split(", "))]
            call = f"{found.group(2)}({', '.join(arguments)})"
            print(f"    *(global __typeof__({call}) *)(out + {128 * (slot % 64)}) = {call};")
            slot += 1
    print("}")


if sys.argv[1] == "write":
    write(sys.stdin, int(sys.argv[2]))
else:
    {"compare": compare, "prove": prove}[sys.argv[1]](*sys.argv[2:])
