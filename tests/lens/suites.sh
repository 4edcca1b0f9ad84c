#!/bin/sh
# suites.sh oclgrind FOLDER     the lens beside the tests of Oclgrind, of which FOLDER is a checkout
# suites.sh gpuverify FOLDER    the same with the OpenCL suite of GPUVerify
#
# Ground truth that is not ours: for each kernel, others say whether it has a mistake.  It is
# not copied, and nothing is fetched: a checkout is needed, of
# https://github.com/jrprice/Oclgrind or https://github.com/mc-imperial/gpuverify.
# A line for each kernel on which `lens --races` says something else, and then the totals.
# `make all` has to come first.

. common/commands/files.sh
make_scratch
build=$PWD/${BUILD:-build}
any=$scratch/any
"${CC:-cc}" -std=c11 -O1 -DCL_TARGET_OPENCL_VERSION=120 -o "$any" tests/lens/any.c -lOpenCL || exit 2

# because NAME : why the lens and the suite differ: what was said, or what it cannot say.
because() {
    case $1 in
        async_work_group_copy/fail/test14/*)
            echo 'after the wait the copy has ended, by the specification; GPUVerify wants a barrier as well' ;;
        reducedstrengthnonloopbug/*) echo 'the function in question is never called' ;;
        array_bounds_tests/array_in_array_param/*) echo 'what an index is depends on the data: here it is 0' ;;
        *) grep -aE '^(error|note): |error: |not shown' "$scratch/said" | grep -v 'does not compile:' | head -n 1 ;;
    esac
}

# judge EXPECTED NAME ARGUMENTS : EXPECTED is fail or pass.
strict=''
judge() {
    expected=$1 name=$2
    shift 2
    # shellcheck disable=SC2086 # --strict, or nothing
    timeout 60 "$build/lens" --quiet --races $strict "$any" "$@" > "$scratch/said" 2>&1
    case $expected.$? in
        fail.1) verdict=found ;;
        pass.0) verdict=silent ;;
        fail.0) verdict=missed ;;
        pass.1) verdict='reported' ;;
        *.124) verdict='no end' ;;
        *.77 | *.2) verdict='not looked at' ;;
        *) verdict=crashed ;;
    esac
    echo "$expected $verdict" >> "$scratch/verdicts"
    case $verdict in
        found | silent) ;;
        *) printf '%-14s %s: %s\n' "$verdict" "$name" "$(because "$name")" ;;
    esac
}

oclgrind() {
    sed 's/#.*//' "$1/tests/kernels/TESTS" | while read -r name; do
        expected=pass
        ! grep -q '^ERROR' "$1/tests/kernels/$name.ref" || expected=fail
        judge "$expected" "$name" "$1/tests/kernels/$name.sim"
    done
}

annotations='requires|ensures|invariant|assert|assume|old|other|uniform|enabled|read|write|no_read'
annotations="$annotations|no_write|bad|good|barrier_invariant|global|function_wide"

# Only kernels without GPUVerify's own annotations; the second line has the sizes.
gpuverify() {
    find "$1/testsuite/OpenCL" -name kernel.cl | sort | while read -r file; do
        case $(head -n 1 "$file" | tr -d '\r') in
            //pass) expected=pass ;;
            //xfail:NOT_ALL_VERIFIED) expected=fail ;;
            *) continue ;;
        esac
        ! grep -qE "__($annotations)[a-z_]*\(|DECLARE_UF|__axiom" "$file" || continue
        sizes=$(sed -n 2p "$file" | tr -d '\r[]' | awk '
            function product(a, b,    x, y, i, n, text) {
                n = split(a, x, ",")
                split(b, y, ",")
                for (i = 1; i <= n; i++)
                    text = text (i > 1 ? "," : "") x[i] * (y[i] == "" ? 1 : y[i])
                return text
            }
            {
                for (i = 1; i <= NF; i++) {
                    split($i, part, "=")
                    sub(/^\/*/, "", part[1])
                    value[part[1]] = part[2]
                }
                local_size = value["--local_size"]
                global_size = value["--global_size"]
                if (global_size == "")
                    global_size = product(local_size, value["--num_groups"])
                print global_size, local_size
            }')
        strict=''
        ! sed -n 2p "$file" | grep -q -e --no-benign || strict=--strict # one value counts, too
        ANY_OPTIONS=$(sed -n 2p "$file" | tr ' ' '\n' | grep -E '^-(D|I)' | tr '\n' ' ')
        export ANY_OPTIONS
        judge "$expected" "${file#"$1/testsuite/OpenCL/"}" "$file" "${sizes% *}" "${sizes#* }"
    done
}

[ -d "$2" ] || fail 'suites.sh wants a suite and a folder' 'suites.sh oclgrind FOLDER'
: > "$scratch/verdicts"
case $1 in
    oclgrind | gpuverify) "$1" "$(cd "$2" && pwd)" ;;
    *) fail "there is no suite '$1'" 'oclgrind, or gpuverify' ;;
esac
echo 'expected and found, with how many:'
sort "$scratch/verdicts" | uniq -c
