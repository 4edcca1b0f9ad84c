load helper.bash

# Functions of the lens in C: tests/lens/unit/ has a table for each of what they are given, and
# what must come out.

setup_file() {
    cd "${BATS_TEST_DIRNAME%/tests*}"
    # shellcheck disable=SC2086 # words
    "${CC:-cc}" -std=c11 ${CFLAGS:-} -DCL_TARGET_OPENCL_VERSION=120 -iquote common -iquote common/lens \
        -o "$BATS_FILE_TMPDIR/unit" tests/lens/unit/*.c \
        "${BUILD:-build}/shared/parts.a" ${LDFLAGS:-} -lm -ldl -pthread
}

# unit GROUP : the checks of this group are made, and all hold.
unit() {
    run -0 "$BATS_FILE_TMPDIR/unit" "$1"
    [[ ${lines[-1]} =~ ^"$1: 0 of "[1-9][0-9]*" checks failed"$ ]]
}

@test "unit: formulas are read as C reads them, and what is none is refused" {
    unit formula
}

@test "unit: in a file, statements are told from comments, strings, heads of loops and directives" {
    unit gaps
}

@test "unit: calls have a kernel, arguments, sizes, types and values" {
    unit call
}

@test "unit: what cannot be read in a call has its message, and a mark at its place" {
    unit 'call errors'
}

@test "unit: values are numbers, lists, ranges and words, and fill memory of each type" {
    unit values
}

@test "unit: a value that is none, or that its type does not hold, has its message" {
    unit 'value errors'
}

@test "unit: ranges are read, guessed and refused" {
    unit range
}

@test "unit: of misspelt names the nearest one is meant, or none" {
    unit spelling
}

@test "unit: half: all of them convert both ways, and are rounded to the nearest" {
    unit half
}

@test "unit: elements have types and names, are printed, and differ by more than rounding" {
    unit elements
}

@test "unit: warps and groups run in the order that is asked for, each of them once" {
    unit order
}

@test "unit: JSON has its commas, and is valid whatever bytes a text has" {
    unit json
}

@test "unit: texts in SVG are escaped, and a style sheet has light and dark colours" {
    unit svg
}

@test "unit: thousands have commas" {
    unit digits
}

@test "unit: launches that are not shown are one line for each kernel" {
    unit folded
}

@test "unit: kernels and their arguments are read from what a compiler writes" {
    unit signature
}

@test "unit: a structure's members are read from what a compiler writes for debuggers" {
    unit members
}

@test "unit: a kernel is the same in two files only if all that it uses is" {
    unit digests
}

@test "unit: a source without comments keeps its texts and directives" {
    unit plain
}

@test "unit: divisions by what is not known are found, and guarded" {
    unit divide
}

@test "unit: lines of the source are found by file and number, and long ones cut" {
    unit lines
}

@test "unit: words of options and of scalar arguments" {
    unit words
}

@test "unit: one process replays a kernel on several models, and none remembers another" {
    unit replays
}

@test "unit: an instruction is work of a kind, and compilers may do less, never more" {
    unit work
}

@test "unit: what a round of a loop waits for, and whether it waits for other groups" {
    unit waits
}

@test "unit: a device's file is read, and what is wrong in it has a message" {
    unit profile
}

@test "unit: a time that no device beats, worked out by hand for each resource" {
    unit least
}

@test "unit: what a launch needs is written and read again" {
    unit demand
}

@test "unit: lines that say how to launch a kernel are found and taken apart" {
    unit 'launch lines'
}

@test "unit: a list says which mistakes fail, and which counts are too large" {
    unit 'fail on'
}
