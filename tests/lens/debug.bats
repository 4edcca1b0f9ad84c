load helper.bash

# gdb on a kernel, lane by lane: LENS_DEBUG, and the commands of common/lens/gdb.py.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    if ! command -v gdb > /dev/null; then
        skip_file "no gdb"
    elif ! gdb -q -batch -ex run --args true 2>&1 | grep -q 'exited normally'; then
        skip_file "gdb cannot run a program here"
    elif ! gdb -q -batch -ex 'python print("has Python")' 2>&1 | grep -q 'has Python'; then
        skip_file "gdb has no Python here"
    fi
}

# under_gdb COMMAND ... -- PROGRAM ARGUMENTS : runs the program under gdb, with these commands.
under_gdb() {
    local words=(gdb -q -batch -nx -x "$ROOT/common/lens/gdb.py" -ex 'set width 0')
    while [ "$1" != -- ]; do
        words+=(-ex "$1")
        shift
    done
    shift
    cd "$ROOT"
    LENS_DEBUG=1 run timeout 100 "${launcher[@]}" "${words[@]}" --args "$@"
    cd - > /dev/null
}

# has TEXT ... : in the output stand these lines, in this order.
has() {
    local rest=$'\n'$output$'\n' text
    for text; do
        [[ $rest == *$'\n'"$text"$'\n'* ]] || { printf 'no line %s in\n%s\n' "$text" "$output"; return 1; }
        rest=$'\n'${rest#*$'\n'"$text"$'\n'}
    done
}

tree=(lens kernel kernels/step06_reduce_local.cl
    'reduce_local_divergent(x[128]=index, sums[2], t[64], n=128)' --global 128 --local 64)
line=$(grep -n 't\[id\] += t\[id + far\]' "${BATS_TEST_DIRNAME%/tests*}/kernels/step06_reduce_local.cl" | head -n 1 | cut -d: -f1)

@test "debug: at a line of a kernel stand the lane and its values, and next-lane goes to the next one" {
    under_gdb "break step06_reduce_local.cl:$line" run delete lane 'print id' 'print t[id + far]' \
        next-lane 'print id' 'print t[id + far]' 'print t[0]@4' next lane -- "${tree[@]}"
    local even='0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30'
    has "$line"$'\t            t[id] += t[id + far];' \
        "lane 0 of warp 0: work-item 0 of group 0; together: $even" '$1 = 0' '$2 = 1' \
        "lane 2 of warp 0: work-item 2 of group 0; together: $even" '$3 = 2' '$4 = 3' \
        '$5 = {1, 1, 2, 3}' $((line + 1))$'\t        barrier(CLK_LOCAL_MEM_FENCE);' \
        'lane 2 of warp 0: work-item 2 of group 0; together: 0-31'
}

@test "debug: warp shows who waits, and lanes one variable in each lane" {
    under_gdb "break step06_reduce_local.cl:$line" run warp 'lanes id' 'lanes t[0]' \
        "tbreak step06_reduce_local.cl:$((line + 4))" 'delete 1' continue warp next-lane warp \
        next-lane -- "${tree[@]}"
    has "at work at line $line: 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30" \
        "together again at line $((line + 1)): 0-31" \
        'lane  0:    0  (1)    2  (3)    4  (5)    6  (7)' \
        'lane 24:   24 (25)   26 (27)   28 (29)   30 (31)' \
        "at work at line $((line + 4)): 0" 'together again at the end: 0-31' \
        'lane 0 of warp 0: work-item 0 of group 1; together: 0'
    [[ $output == *'no other lane has come here: the program has ended'* ]]
    [[ $output == *'t[0] is no private variable'* ]]
}

@test "debug: commands say what they need" {
    under_gdb lane -- "${tree[@]}"
    [[ $output == *'no lane is at work: break at a line of a kernel first'* ]]
    under_gdb lanes -- "${tree[@]}"
    [[ $output == *'it is called as `lanes NAME`'* ]]
}

@test "debug: a file that is included has its own lines, and a function its variables" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'int twice(int x) {' '    int result = 2 * x;' '    return result;' '}' > twice.h
    printf '%s\n' '#include "twice.h"' 'kernel void k(global int *x) {' \
        '    const int i = get_global_id(0);' '    x[i] = twice(i + 5);' '}' > k.cl
    under_gdb 'break twice.h:3' run 'print result' 'up' 'print i' next-lane 'print result' -- \
        lens kernel "$BATS_TEST_TMPDIR/k.cl" 'k(x[4])' --global 4 --local 4
    has '$1 = 10' '$2 = 0' 'lane 1 of warp 0: work-item 1 of group 0; together: 0-3' '$3 = 12'
}

@test "debug: a program is run by a gdb that the lens runs" {
    launcher=("$BUILT/lens")
    under_gdb "break step06_reduce_local.cl:$line" run lane 'print n' next-lane -- \
        "$BUILT/step06_reduce_local" --size 1000 --repeats 1
    has '$1 = 1000'
    [[ $output == *$'\nlane 0 of warp 0: work-item 0 of group 0; '*$'\nlane 2 of warp 0: '* ]]
}

@test "debug: what is kept for a debugger and what is not are two things, and count the same accesses" {
    cd "$ROOT"
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    local kind
    for kind in plain debug plain debug; do
        [ $kind = plain ] || export LENS_DEBUG=1
        "${tree[@]}" --format tsv 2> /dev/null | awk -F '\t' '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            $at["row"] ~ /^(load|store)$/ { print $at["line"], $at["name"], $at["accesses"], $at["sectors"], $at["passes"] }
        ' | sort > "$BATS_TEST_TMPDIR/$kind"
        unset LENS_DEBUG
    done
    [ "$(find "$LENS_CACHE" -type f -name '[0-9a-f]*' | wc -l)" -eq 2 ]
    [ -s "$BATS_TEST_TMPDIR/plain" ]
    diff "$BATS_TEST_TMPDIR/plain" "$BATS_TEST_TMPDIR/debug"
    # The library stays for gdb, in a folder that a later lens removes.
    [ "$(find "$TMPDIR" -path '*/lens-??????/kernel.so' | wc -l)" -eq 2 ]
}
