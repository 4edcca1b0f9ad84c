# Loaded by the lens's own tests: how they begin, programs for the lens to look into, and what
# several files of tests ask of it.
load ../helper.bash

# A file of tests begins so, unless it has a setup_file of its own.
setup_file() {
    begin
}

# begin : from here on we are in the root, the lens is the one that was built there, and
# $BATS_FILE_TMPDIR/launch launches kernels of any file.  More may follow unless SKIP_FILE is set.
begin() {
    find_folders
    cd "$ROOT"
    export POCL_WORK_GROUP_SPECIALIZATION=0 # PoCL compiles a kernel once for all sizes of groups
    host launch
    if lens true 2>&1 | grep -q 'no clang'; then
        skip_file "no clang that the lens could compile kernels with"
    fi
}

# host NAME : builds tests/lens/NAME.c, once for each file of tests.
host() {
    [ -e "$BATS_FILE_TMPDIR/$1" ] || "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$BATS_FILE_TMPDIR/$1" "$ROOT/tests/lens/$1.c" ${LDFLAGS:-} -lOpenCL -ldl
}

# launcher : the same for launch.c, and sets $launch to it.
launcher() {
    host launch
    launch=$BATS_FILE_TMPDIR/launch
}

# kernel FILE TEXT : writes a kernel file into the test's folder.
kernel() {
    printf '%s\n' "$2" > "$BATS_TEST_TMPDIR/$1"
}

# lens_on PROGRAM FILE OPTION ... -- WORD ... : the lens with these options on a program of the
# tests, which gets the kernel file and the words.
lens_on() {
    local program=$1 file=$2 options=()
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    lens --quiet "${options[@]}" "$BATS_FILE_TMPDIR/$program" "$ROOT/tests/lens/$file" "${@:2}"
}

# report NAME [OPTIONS] -- KERNEL ... : keeps what the lens says of these launches.
report() {
    lens_on launch counts.cl --format json "${@:2}" > "$BATS_FILE_TMPDIR/$1.json"
}

# says_text PATTERN : a line of the report that is kept as text looks like this.
says_text() {
    grep -qE -- "$1" "$BATS_FILE_TMPDIR/text"
}

# all_counts : sets $kernels to the launches of counts.txt; between them stands a comma.
all_counts() {
    read -r -d '' -a kernels < <(sed '$!s/$/ ,/' "$ROOT/tests/lens/counts.txt") || true
}

# alone CALL OPTIONS ... : the report on a kernel of tests/lens/alone.cl; no driver is there.
alone() {
    run env OCL_ICD_VENDORS=/nowhere lens kernel tests/lens/alone.cl -D COUNT=1 "$@"
}

# replays_agree FIRST LAST : what the lens computes with the kernels of the steps from this number
# to that one is what the device computes.
replays_agree() {
    local source stem size count=0
    quickly
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        [[ ! ${stem:4:2} < $1 && ! ${stem:4:2} > $2 ]] || continue
        case $stem in
            step00_*) continue ;;  # it launches as much as it can
            step07_*) continue ;;  # asks for the device's own way
            step10b_*) continue ;; # its kernel writes down the time
            step11c_*) continue ;; # a kernel of it writes down where its buffer is
            step17*) continue ;;   # libraries' sines have last digits of their own
            step16_*) size=14400 ;; # what follows a line's end means nothing
            *) size=20003 ;;
        esac
        run lens --compare --quiet "$stem" --size "$size" --repeats 1
        [ "$status" -ne 77 ] || continue # this device lacks what the step needs, or MPI is missing
        [ "$status" -eq 0 ]
        [[ $output == *"the replay's results are the device's"* ]] || { echo "$stem: $output"; return 1; }
        count=$((count + 1))
    done
    [ "$count" -gt 0 ]
}

# ---- Mistakes in kernels of tests/lens/races.cl.

# caught TEXT KERNEL GLOBAL LOCAL ARGUMENT ... : the first mistake that is found in this
# kernel is of this kind.
caught() {
    local text=$1 kernel=$2
    shift
    run -1 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        "$@"
    [[ ${lines[0]} == "error: $kernel: "*"$text"* ]]
    [[ $output == *"  hint    "* ]]
}

# at SOURCE ... : and the report shows these lines of that kernel, with their numbers.
at() {
    local source number kernel=${lines[0]#error: }
    for source in "$@"; do
        number=$(awk -v kernel="void ${kernel%%:*}(" -v source="$source" '
            /^kernel void / { inside = index($0, kernel) }
            inside && index($0, source) { print FNR; exit }
            ' "$ROOT/tests/lens/races.cl")
        [[ $output =~ "  line $number "[^$'\n']*"  ${source}" ]]
    done
}

# ---- Compilers.

# newest_clang : sets CLANG to the newest compiler here, and HEADER to its declarations of
# OpenCL C's built-ins.
newest_clang() {
    local number
    CLANG=clang
    for number in {40..15}; do
        if command -v clang-$number > /dev/null; then CLANG=clang-$number; fi
    done
    HEADER=$("$CLANG" -print-resource-dir)/include/opencl-c.h
    [ -f "$HEADER" ] || skip "$CLANG has no opencl-c.h"
}

# count_clang : from here on, kernels are compiled under our eyes.
count_clang() {
    local clang
    : > "$BATS_TEST_TMPDIR/calls"
    export LENS_CLANG=$BATS_TEST_TMPDIR/clang
    [ ! -e "$LENS_CLANG" ] || return 0
    clang=$(compgen -c clang- | grep -xE 'clang-(1[5-9]|[2-4][0-9])' | sort -V | head -n 1)
    printf '#!/bin/sh\necho "$@" >> "%s/calls"\nexec %s "$@"\n' "$BATS_TEST_TMPDIR" \
        "${clang:-clang}" > "$LENS_CLANG"
    chmod +x "$LENS_CLANG"
}

# compiled COUNT : so many kernel files did it compile, one clang perhaps several.
compiled() {
    [ "$(grep -- '-emit-llvm' "$BATS_TEST_TMPDIR/calls" | grep -v -- '-g0' | grep -o '/main\.cl' |
        wc -l)" -eq "$1" ]
}

# digested COUNT : so many did it only read, for what tells their kernels apart.
digested() {
    [ "$(grep -- '-g0' "$BATS_TEST_TMPDIR/calls" | grep -o '/main\.cl' | wc -l)" -eq "$1" ]
}
