#!/bin/sh
# quick.sh STEM ...   in seconds, on all cores: the tests that run no step, and whether each of
#                     these steps is right at one odd size
# quick.sh -1 PART    one of these: a file of tests, or a step's program

build=${BUILD:-build}

# A file that does not load reports no test, and has failed.
file_of_tests() { # file_of_tests FILE
    said=$(bats --tap "$1" 2>&1)
    printf '%s\n' "$said" | awk -v status=$? -v file="$1" '
        /^1\.\.[0-9]+$/ { next }
        /^not ok / { failed = 1; sub(/^not ok [0-9]+ /, "FAIL ") }
        / # skip/ { sub(/^ok [0-9]+ /, "skip ") }
        { sub(/^ok [0-9]+ /, "ok   "); print }
        END { if (status && !failed) print "FAIL " file " as a whole" }'
}

step() { # step STEM
    one='' log=$build/quick/$1.txt
    [ "$1" != step22_dot_machines ] || one='--of 3' # one rank, which needs no MPI
    # shellcheck disable=SC2086 # a list of words is meant
    "$build/$1" --size 1003 --repeats 1 $one > "$log" 2>&1
    status=$?
    if [ $status = 77 ]; then
        echo "skip $1"
    elif [ $status = 0 ] && grep -qE '[[:blank:]]ok(,|[[:blank:]]|$)' "$log"; then
        echo "ok   $1 at size 1003"
    else
        echo "FAIL $1 at size 1003, status $status"
        sed 's/^/     /' "$log"
    fi
}

[ "$1" != -1 ] || {
    case $2 in *.bats) file_of_tests "$2" ;; *) step "$2" ;; esac
    exit
}

mkdir -p "$build/quick"
sh tests/small_pocl.sh "$PWD/$build/small-pocl"
[ ! -f "$build/small-pocl/pocl.icd" ] || export OCL_ICD_VENDORS="$PWD/$build/small-pocl/pocl.icd"

# PoCL 3 compiles in half the time if it does not optimize; see `quickly` of tests/helper.bash.
"$build/step00_device_limits" --devices | grep -qE ' cpu +([4-9]|[1-9][0-9]+)\.' ||
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable

{ ls tests/layout.bats tests/lens/unit.bats 2> /dev/null; printf '%s\n' "$@"; } |
    xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" -1 | tee "$build/quick/all"
count() { grep -c "^$1 " "$build/quick/all"; }
failed=$(count FAIL)
echo "$(count 'ok  ') passed, $failed failed, $(count skip) skipped"
[ "$failed" = 0 ]
