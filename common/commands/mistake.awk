# mistake.awk -v name=lost_tail MISTAKES KERNELS : writes the kernel file with a known mistake
# made in it.  MISTAKES is tests/mistakes/STEM.diff, which reads like this:
#
#     == lost_tail: the elements behind the last full round are forgotten.
#     @@ kernel void dot(global const float *x, uint n) {    below this line, the first place
#     -    for (uint i = rounds * items; i < n; i++)         that reads like this
#     -        sum += x[i];
#     +                                                      becomes this
#
# A name may be followed by "(race)": it is refused as a data race, or because a barrier is not
# reached by all; whatever comes out may be right by luck.  Lines that begin with a blank stay, and
# help to find the place.  A further "@@" of the same mistake looks on from there.  A place that is
# not found is an error: a kernel that has changed needs its mistakes changed, too.
#
# With -v into="kernel void dot_four(" the mistake is made in that kernel, if it has such places,
# and not in its own.

# The first file: the hunks of the mistake.
FNR == NR {
    if (/^== /)
        inside = index($0, "== " name ": ") == 1 || index($0, "== " name " (race): ") == 1
    else if (inside && /^@@/)
        below[++hunks] = substr($0, 4)
    else if (inside) {
        if (!/^\+/)
            old[hunks, ++old_count[hunks]] = substr($0, 2)
        if (!/^-/)
            new[hunks, ++new_count[hunks]] = substr($0, 2)
    }
    next
}

# The second file: the kernels.
{ line[++lines] = $0 }

# The marks of an exercise may be between the lines that are looked for.
function is_mark(text) {
    return text ~ /^ *\/\* (exercise [{]|[}] exercise) \*\/$/
}

# The last of the lines that read like a hunk, if they begin at line `at`; otherwise 0.
function end_of_match(hunk, at,    i) {
    for (i = 1; i <= old_count[hunk]; at++) {
        if (is_mark(line[at]) && i > 1)
            continue
        if (line[at] != old[hunk, i++])
            return 0
    }
    return at - 1
}

END {
    if (!hunks)
        fail("there is no mistake " name, "make " step() " mistakes lists those there are")
    at = 1
    last_line = lines
    if (into != "")
        look_into()
    changed = "the kernels have changed: change the mistake in " ARGV[1] ", too"
    for (hunk = 1; hunk <= hunks; hunk++) {
        for (first = 1; below[hunk] != "" && line[first] != below[hunk]; first++)
            if (first > lines)
                fail(name ": no line reads " below[hunk], changed)
        if (at < first)
            at = first
        while (at <= last_line && !(last = end_of_match(hunk, at)))
            at++
        if (at > last_line)
            fail(name ": no place reads like its hunk " hunk, changed)
        while (written < at - 1)
            print line[++written]
        for (i = 1; i <= new_count[hunk]; i++)
            print new[hunk, i]
        written = last
        at = last + 1
    }
    while (written < lines)
        print line[++written]
}

# All hunks are looked for between the first line of that kernel and its last.
function look_into(    first, hunk) {
    for (first = 1; first <= lines && index(line[first], into) != 1; first++)
        ;
    for (last_line = first; last_line < lines && line[last_line] != "}"; last_line++)
        ;
    for (hunk = 1; hunk <= hunks; hunk++)
        below[hunk] = line[first]
}

function step() {
    return match(ARGV[1], /step[0-9]+[a-z]?/) ? substr(ARGV[1], RSTART, RLENGTH) : ""
}

function fail(problem, hint) {
    printf "error: %s: %s\n  hint    %s\n", FILENAME, problem, hint > "/dev/stderr"
    exit 1
}
