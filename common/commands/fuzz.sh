#!/bin/sh
# fuzz.sh '' [SECONDS]    tries the lens with random kernels (tests/fuzz/fuzz.py)
# fuzz.sh WHAT [SECONDS]  tries what reads calls, formulas or kernels with texts that libFuzzer
#                         makes up from those of tests/fuzz/corpus/WHAT/; for a minute
# fuzz.sh --corpus        tries all of them with these texts alone: any compiler will do
#
# At most COUNT of them, and as SEED has it.  What does not hold, or a sanitizer refuses, stays
# in build/fuzz/.

. common/commands/files.sh
what=$1 seconds=$2
build=${BUILD:-build}

# compile WHAT COMPILER FLAG ... : its target, with the parts of the lens that it needs.
compile() {
    what=$1
    shift
    parts='base/memory base/progress'
    case $what in
        calls) parts="$parts alone/call alone/values base/half replay/elements" ;;
        formulas) parts="$parts alone/formula" ;;
        kernels) parts="$parts code/digests code/llvm attach/sources" ;;
    esac
    mkdir -p "$build/fuzz"
    # shellcheck disable=SC2046,SC2086 # lists of files are meant
    "$@" -std=c11 -g -O1 -iquote common -iquote common/lens -DCL_TARGET_OPENCL_VERSION=120 -Wl,--wrap=lens_die \
        -fsanitize=address,undefined -fno-sanitize-recover=all "tests/fuzz/$what.c" \
        tests/fuzz/target.c $(printf 'common/lens/%s.c ' $parts) -lm -o "$build/fuzz/$what" ||
        fail "tests/fuzz/$what.c does not compile" "the compiler says above what is missing"
}

# What was read is left when a text is refused; and a library may be preloaded, as for
# `make test PROFILE=1`.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0

if [ "$what" = --corpus ]; then
    for what in calls formulas kernels; do
        compile "$what" "${CC:-cc}" -DWITHOUT_LIBFUZZER
        "$build/fuzz/$what" tests/fuzz/corpus/"$what"/* || exit 1
    done
elif [ -z "$what" ]; then
    python3 tests/fuzz/fuzz.py --build "$build" ${SEED:+--seed "$SEED"} \
        ${COUNT:+--count "$COUNT"} ${seconds:+--seconds "$seconds"}
else
    corpus=tests/fuzz/corpus/$what log=$build/fuzz/$what.log
    [ -d "$corpus" ] || fail "there is nothing to try called WHAT=$what" \
        "calls, formulas and kernels are, and without WHAT the lens is tried with random kernels"
    compile "$what" clang -fsanitize=fuzzer
    mkdir -p "$build/fuzz/corpus/$what" # of what is made up, what reached another place
    "$build/fuzz/$what" -max_total_time="${seconds:-60}" -runs="${COUNT:--1}" -seed="${SEED:-1}" \
        -max_len=600 -timeout=10 -print_final_stats=1 -artifact_prefix="$build/fuzz/$what-" \
        "$build/fuzz/corpus/$what" "$corpus" > "$log" 2>&1 || {
        cat "$log"
        echo "found: the text in the file above; a copy of it belongs into $corpus"
        exit 1
    }
    sed -n "s/^stat::number_of_executed_units: *\([0-9]*\)/\1 $what, 0 found/p" "$log"
fi
