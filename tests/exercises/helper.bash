# Loaded by the tests of exercises; what every exercise must hold, the steps' own tests say.
load ../helper.bash

setup_file() {
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    find_folders
    export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$BUILT/pocl}
}

# exercise COMMAND [STEP] : what `make STEP COMMAND` does, in a work folder of its own.
# What it says is printed, too: where a test fails, one sees why.
exercise() {
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    mine=$LOCKSTEP_WORK/step05_dot_strided.cl
    run python3 "$ROOT/common/commands/exercise" "$@"
    echo "$output"
}

# of_source FUNCTION TEXT ... : what a function of the package's source.py returns, a line for each.
of_source() {
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import sys, source
print(*getattr(source, sys.argv[1])(*sys.argv[2:]), sep="\n")' "$@"
}

solve() {
    cp "$ROOT/kernels/step05_dot_strided.cl" "$mine"
}

# judged STEP FILE : the verdict on kernels that are not the learner's, in $output.
judged() {
    [ -n "${OPTIMIZED:-}" ] || quickly
    run python3 "$ROOT/common/commands/exercise" check "$1" "$2"
    echo "$output"
    [ "${#lines[@]}" -le 12 ]
}

# with_part STEM < LINES : our kernels with these lines in the marked part, in $file.
with_part() {
    file=$BATS_TEST_TMPDIR/$1.cl
    awk '
        FILENAME == "-" { part = part $0 "\n"; next }
        index($0, "/* } exercise */") { inside = 0 }
        !inside
        index($0, "/* exercise { */") { inside = 1; printf "%s", part }' - "$ROOT/kernels/$1.cl" > "$file"
}
