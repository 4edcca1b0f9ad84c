load helper.bash

# A kernel beside ours.

# beside STATUS STEM FILE [MISTAKE ...] : FILE in place of the step's own kernels, which are
# ours; the names of files after it are known mistakes.
beside() {
    local mistakes=()
    for file in "${@:4}"; do
        mistakes+=(--mistake "$file")
    done
    quickly
    run "-$1" --separate-stderr lens --quiet --ours "$ROOT/kernels/$2.cl" "${mistakes[@]}" \
        "$2" --repeats 1 --size 1003 --kernel "$3"
}

# wrote WHO FILE SOURCE : the second line of the report tells who, where, and the source.
wrote() {
    local number
    number=$(grep -nF -m 1 -- "$3" "$2" | cut -d: -f1)
    [[ ${lines[1]} =~ ^"  line $number "\ *"$1"\ +"$3" ]]
}

@test "beside ours: a lost tail is shown, and named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    beside 1 step03_dot_coalesced "$wrong.lost_tail.cl" "$wrong".{forgets_last_item,lost_tail}.cl
    [[ ${lines[0]} == "dot_coalesced (n=1003): sums[0] is 0.9375, ours has 0" ]]
    wrote "item 0 of group 0, lane 0, wrote it" "$wrong.lost_tail.cl" 'sums[item] = sum;'
    [ "${lines[2]}" = '  11 elements of x and of y are never read, the first is x[992]' ]
    [ "${lines[3]}" = "matches the known mistake $wrong.lost_tail.cl" ]
}

@test "beside ours: what was never written, and who writes it in ours" {
    local stem=step02_dot_timed
    beside 1 $stem "$(mistake nothing_written $stem)"
    [ "${lines[0]}" = "dot_timed (n=1003): sum[0] was never written, ours has -15.8125" ]
    wrote "item 0 of group 0, lane 0, writes it in ours" "$ROOT/kernels/$stem.cl" '*sum = total;'
    [ "${lines[2]}" = '  each element of x and of y is read as in ours' ]
    [ "${#lines[@]}" -eq 3 ]
}

@test "beside ours: which elements are never read, and which are read again, by whom" {
    local wrong=$BUILT/mistakes/step05_dot_strided.overlapping_chunks.cl line
    beside 1 step05_dot_strided "$wrong"
    [ "${lines[2]}" = '  x[767] and y[767] are never read' ]
    [ "${lines[3]}" = '  x[2] and y[2] are read twice' ]
    line=$(grep -n 'max(item' "$wrong")
    line="  line $((${line%%:*} + 2))   item %d of group 0 reads  sum += x[i] * y[i];"
    # shellcheck disable=SC2059 # a format
    [ "${lines[4]}" = "$(printf "$line" 1)" ]
    # shellcheck disable=SC2059
    [ "${lines[5]}" = "$(printf "$line" 0)" ]
    # A stencil reads again by right, and so does what reads its own results.
    beside 1 step16_shock_filter "$(mistake own_neighbour step16_shock_filter)"
    [[ ${lines[0]} == *" ours has "* && $output != *"read more than once"* && $output != *" times"* ]]
    local ours=$BATS_TEST_TMPDIR/ours.cl
    cat > "$ours" <<- 'CL'
	kernel void all(global const float *x, global float *y, uint n) {
	    const uint i = get_global_id(0);
	    if (i >= n)
	        return;
	    y[i] = x[i];
	    y[i] += y[i] + 1;
	}
	CL
    sed 's/x\[i\]/x[i \& ~1u]/' "$ours" > "$BATS_TEST_TMPDIR/wrong.cl"
    run -1 lens kernel "$BATS_TEST_TMPDIR/wrong.cl" 'all(x[n]=index, y[n], n)' --all-sizes --local 4 \
        --ours "$ours"
    [[ $output == *$'\n  x[1] is never read\n  x[0] is read twice\n  line 5 '* && $output != *y\[0\]\ is\ read* ]]
}

@test "beside ours: what is read as often, but by others" {
    local ours=$BATS_TEST_TMPDIR/ours.cl wrong=$BATS_TEST_TMPDIR/wrong.cl
    cat > "$ours" <<- 'CL'
	kernel void scaled(global const float *x, global const float *f, global float *y, uint n) {
	    const uint i = get_global_id(0);
	    if (i < n)
	        y[i] = x[i] * f[i];
	}
	CL
    sed 's/f\[i\]/f[i < n \/ 2 * 2 ? i ^ 1 : i]/' "$ours" > "$wrong"
    run -1 lens kernel "$wrong" 'scaled(x[n]=index, f[n]=index, y[n], n)' --all-sizes --ours "$ours"
    [[ $output == *$'\n  each element of f is read as often as in ours, but 2 of them by other work-items, the first is f[0]\n  line 4 '*' item 0 of group 1 reads '* ]]
    # With as many mistakes in how often it is read, nothing is said of by whom.
    sed -i 's/x\[i\]/x[i \& ~1u]/' "$wrong"
    run -1 lens kernel "$wrong" 'scaled(x[n]=index, f[n]=index, y[n], n)' --all-sizes --ours "$ours"
    [[ $output == *'x[1] is never read'* && $output != *'other work-items'* ]]
}

@test "beside ours: two races whose results are right are told apart" {
    local wrong=$BUILT/mistakes/step06_reduce_local
    for mistake in no_barrier_after_store last_warp_without_barrier; do
        beside 0 step06_reduce_local "$wrong.$mistake.cl" \
            "$wrong".{no_barrier_after_store,last_warp_without_barrier}.cl
        [[ ${lines[0]} == "error: "*": data race: t in local memory, "* ]]
        [ "${lines[-1]}" = "matches the known mistake $wrong.$mistake.cl" ]
    done
}

@test "beside ours: what the device might not survive ends the program, but is named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    beside 1 step03_dot_coalesced "$wrong.no_bounds_guard.cl" "$wrong".{lost_tail,no_bounds_guard}.cl
    [[ ${lines[0]} == "error: dot_coalesced: out-of-bounds access: x in global memory, "* ]]
    [ "${lines[-1]}" = "matches the known mistake $wrong.no_bounds_guard.cl" ]
}

@test "beside ours: of two files with one mistake, and of files without the kernel, not a word" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    cp "$wrong.lost_tail.cl" "$BATS_TEST_TMPDIR/twin.cl"
    echo 'kernel void dot_coalesced(global float *x) { *x = 0; }' > "$BATS_TEST_TMPDIR/other.cl"
    echo 'kernel void dot_coalesced(' > "$BATS_TEST_TMPDIR/broken.cl"
    beside 1 step03_dot_coalesced "$wrong.lost_tail.cl" "$wrong.lost_tail.cl" \
        "$BATS_TEST_TMPDIR"/{twin,other,broken}.cl
    [[ ${lines[0]} == *"sums[0] is 0.9375, ours has 0" ]]
    [[ $output != *"matches the known mistake"* ]]
}

@test "beside ours: a kernel or a function that was added keeps no mistake from being named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    {
        echo 'static float half_of(float x) { return 0.5f * x; }'
        cat "$wrong.lost_tail.cl"
        echo 'kernel void another(global float *x) { *x = half_of(*x); }'
    } > "$BATS_TEST_TMPDIR/mine.cl"
    beside 1 step03_dot_coalesced "$BATS_TEST_TMPDIR/mine.cl" "$wrong".{forgets_last_item,lost_tail}.cl
    [ "${lines[-1]}" = "matches the known mistake $wrong.lost_tail.cl" ]
    [[ $stderr != *"note: "* ]]
}

@test "beside ours: our own kernel makes no difference" {
    beside 0 step03_dot_coalesced "$ROOT/kernels/step03_dot_coalesced.cl" \
        "$(mistake lost_tail step03_dot_coalesced)"
    [ "$output" = "no difference from $ROOT/kernels/step03_dot_coalesced.cl in 4 launches" ] # two of each, with other numbers
}

@test "beside ours: a component, a byte, a double, and last of all a last bit" {
    local head='kernel void f(global float4 *x, global uchar *c, global double *d) {
        const uint i = get_global_id(0);
        x[i] = i + 0.5f, c[i] = i, d[i] = i;' text statement mistakes=()
    cd "$BATS_TEST_TMPDIR"
    echo "$head }" > ours.cl
    : > wanted
    while IFS='|' read -r text statement; do # what is said of a statement more than ours has
        echo "f: $text" >> wanted
        echo "$head $statement }" > "${#mistakes[@]}.cl"
        mistakes+=(--mistake "${#mistakes[@]}.cl")
    done <<- 'END'
	x[5].s2 is 99, ours has 5.5|if (i == 5) x[i].s2 = 99;
	x[5].s2 is 99, ours has 5.5|if (i == 5) x[i].s2 = 99; else x[i] *= 1.00001f;
	x[0].s0 is 0.500005, ours has 0.5|x[i] *= 1.00001f;
	c[7] is 207, ours has 7|c[i] = i + 200 * (i == 7);
	d[3] is nan, ours has 3|if (i == 3) d[i] = nan(0ul);
	c[20] is 1, which ours never writes|if (i == 0) c[20] = 1;
	END
    local launch=(f 16 16 e64 e8 e32)
    lens --quiet --ours ours.cl "${mistakes[@]}" --each "$BATS_FILE_TMPDIR/launch" ours.cl \
        "${launch[@]}" > said
    cut -f 4 said | diff wanted -
    # The same as when the program has it.
    run -0 --separate-stderr lens --quiet --ours ours.cl "$BATS_FILE_TMPDIR/launch" 2.cl "${launch[@]}"
    [ "${lines[0]}" = "$(sed -n 2p wanted)" ]
}

@test "beside ours: a kernel that ours lacks is not compared" {
    echo 'kernel void g(global float *x) { *x = 0; }' > "$BATS_TEST_TMPDIR/ours.cl"
    run --separate-stderr -0 lens --quiet --ours "$BATS_TEST_TMPDIR/ours.cl" \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64
    [ -z "$output" ]
    [[ $stderr == *"note: coalesced is not compared: "* ]]
    says 2 "--ours: cannot read nosuch.cl" lens --ours nosuch.cl true
    says 2 "--mistake needs --ours FILE" lens --mistake "$BATS_TEST_TMPDIR/ours.cl" true
}
