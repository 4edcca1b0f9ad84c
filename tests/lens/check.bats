load helper.bash

# What fails a build: cllens check, --fail-on, --baseline and --format sarif.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    command -v python3 > /dev/null || skip_file "no Python, which reads SARIF"
}

# files : goes to a folder of the test, with two kernel files; in wrong.cl row() has a race.
files() {
    cd "$BATS_TEST_TMPDIR"
    cat > sums.cl <<- 'END'
	// lens: far(x[256]=random, y[64], n=64) --global 64 --local 64
	/* lens: row(x[64], sums[1], t[64]) --global 64
	 * lens: row(x[128], sums[2], t[64]) --global 128 --local 64 */
	kernel void far(global const float *x, global float *y, uint n) {
	    const uint item = get_global_id(0);
	    if (item < n)
	        y[item] = x[item * 4];
	}
	kernel void row(global const float *x, global float *sums, local float *t) {
	    const uint i = get_local_id(0);
	    t[i] = x[get_global_id(0)];
	    barrier(CLK_LOCAL_MEM_FENCE);
	    if (i == 0)
	        sums[get_group_id(0)] = t[0] + t[63];
	}
	END
    sed 's/    barrier(.*//' sums.cl > wrong.cl
}

# sarif STATUS WORD ... : the lens ends with this status, and $output is what sarif.py says of its
# log.  SARIF_SCHEMA may name the official schema.
sarif() {
    local wanted=$1
    run --separate-stderr lens --format sarif "${@:2}"
    [ "$status" -eq "$wanted" ] || { echo "status $status"; echo "$output$stderr"; return 1; }
    output=$(python3 "$ROOT/tests/lens/sarif.py" ${SARIF_SCHEMA:+"$SARIF_SCHEMA"} <<< "$output")
}

@test "check: all launches of all files are a table, and what is right passes" {
    files
    sed 's/\*x/*z/; s/x\[/z[/g' sums.cl > more.cl
    run -0 lens check sums.cl more.cl
    [[ $output == *'
sums.cl
  far                     16       4  '*'
  row       64 in 64       4     all        1     all  '*'
  row      128 in 64       4     all        1     all  '*'
more.cl
  far  '* ]]
    [ "${lines[-1]}" = 'no mistake found in 6 launches of 2 files' ]
}

@test "check: counts are those of cllens kernel" {
    files
    count() { # the rows of counts, without what says how long they took
        lens "$@" --format json 2> /dev/null | grep -E '^\{"row":"(launch|load|store|branch|barrier|total)"'
    }
    {
        count kernel sums.cl 'far(x[256]=random, y[64], n=64)' --global 64 --local 64
        count kernel sums.cl 'row(x[64], sums[1], t[64])' --global 64
        count kernel sums.cl 'row(x[128], sums[2], t[64])' --global 128 --local 64
    } > expected
    [ "$(wc -l < expected)" -gt 20 ]
    diff expected <(count check sums.cl)
}

@test "check: a mistake fails, and is shown with its launch, beside the others" {
    files
    run -1 lens check sums.cl wrong.cl
    [[ $output == *'
wrong.cl:2: row(x[64], sums[1], t[64]) --global 64
error: row: data race: t in local memory, '* ]]
    [[ $output == *'
wrong.cl:3: row(x[128], sums[2], t[64]) --global 128 --local 64
error: row: data race: '* ]]
    [[ $output == *'
fails    wrong.cl:14: race 1, limit 0: row, t'* ]]
    [[ ${lines[-1]} == *'in 6 launches of 2 files' ]]
    run -0 lens check wrong.cl --fail-on bounds # only these fail then
    [ "${lines[-1]}" = 'nothing fails in 3 launches of 1 file' ]
    run -1 lens check --fail-on bounds,race wrong.cl
}

@test "check: a wrong line is an error with its file and number, and so is a file without one" {
    files
    sed -i '1s/)//' sums.cl
    says 2 "error: sums.cl:1: a bracket is not closed: 'far(" lens check sums.cl
    echo 'kernel void k(global int *x) {} // lens: k(x)' > none.cl
    says 2 'none.cl does not say how to launch a kernel' lens check none.cl
    says 2 'no kernel files to check' lens check --lanes 32
    says 2 'cannot read nosuch.cl' lens check nosuch.cl
    says 2 '--all-sizes is not possible here' lens check --all-sizes none.cl
    says 2 "--fail-on cannot have 'nosuch'" lens check --fail-on nosuch none.cl
}

@test "check: what cannot be looked at hides no other launch" {
    files
    local line
    while IFS='|' read -r line text; do
        printf '%s\n' "// lens: $line" '// lens: k(x[64]) --global 64' \
            'int far(int);' 'kernel void k(global int *x) { x[get_global_id(0)] = 1; }' \
            'kernel void calls(global int *x) { x[0] = far(1); }' > some.cl
        run --separate-stderr lens check some.cl
        [[ $stderr == *": some.cl:1: $text"* ]] || { echo "$stderr"; return 1; }
        [ "${lines[-1]}" = 'no mistake found in 1 of 2 launches of 1 file' ]
        echo "$status" >> statuses
    done <<- 'END'
	k(y=1)|k has no argument y
	k(x) --nosuch 3|--nosuch is not an option
	k(x) more|more is one word too many
	k(x) --format json|--format is not possible here
	nosuch|some.cl has no kernel nosuch
	calls(x[1])|calls cannot be looked at: it calls far
	END
    [ "$(paste -sd ' ' statuses)" = '2 2 2 2 2 77' ]
    sarif 77 check some.cl
    [[ $output == *'hidden some.cl:1: calls(x[1]) was not looked at: calls cannot be looked at: it calls far'* ]]
}

@test "check: a launch that takes too long is seen as far as the lens went, beside the others" {
    files
    printf '%s\n' '// lens: long(x[4], n=100000000) --global 4' '// lens: long(x[4], n=10) --global 4' \
        'kernel void long(global uint *x, uint n) {' '    uint y = get_global_id(0);' \
        '    for (uint i = 0; i < n; i++)' '        y ^= y << 13 ^ y >> 7;' \
        '    x[get_global_id(0)] = y;' '}' | sed 's/long(/far_loop(/' > k.cl
    run --separate-stderr -77 lens check k.cl
    [[ $stderr == *'note: k.cl:1: far_loop: step limit exceeded'* ]]
    [ "${lines[-1]}" = 'no mistake found in 2 launches of 1 file; of 1 only the beginning was looked at' ]
}

@test "check: options of the command hold for all launches, and those of a line for its own" {
    files
    printf '%s\n' '// lens: k(x[64]) --global 64 -D BY=2 --lanes 16' '// lens: k(x[64]) --global 64' \
        '#ifndef BY' '#define BY 1' '#endif' \
        'kernel void k(global int *x) { x[get_global_id(0) * BY % 64] = 1; }' > k.cl
    run -0 lens check k.cl
    [[ $output == *'What 16 and 32 lanes '* && $output == *$'\n  k    '*16*4*2*$'\n  k    '*32*4*all* ]]
    run -0 lens check --lanes 8 k.cl
    [[ $output == *'What 8 lanes '* ]]
    run -1 lens check -D BY=0 k.cl --strict
    [ "$(grep -c '^error: k: data race' <<< "$output")" -eq 2 ]
}

@test "fail-on: limits hold for the worst access of a line, and for a launch" {
    files
    local call='far(x[256]=random, y[64], n=64)'
    run -1 lens kernel sums.cl "$call" --global 64 --fail-on 'sectors>15'
    [ "${lines[-1]}" = 'fails    sums.cl:7: sectors 16 (needed 4), limit 15: far, x' ]
    run -0 lens kernel sums.cl "$call" --global 64 --fail-on 'sectors>16,passes>1,idle>1%'
    run -1 lens kernel sums.cl "$call" --global 64 --fail-on 'sectors>3x'
    [[ ${lines[-1]} == *', limit 3x: far, x' ]]
    run -0 lens kernel sums.cl "$call" --global 64 --fail-on 'sectors>4x'
    run -1 lens kernel sums.cl 'far(x[256], y[64], n=8)' --global 64 --fail-on 'idle>5%'
    [[ ${lines[-1]} =~ ^'fails    sums.cl:6: idle '[0-9]+' %, limit 5 %: far'$ ]]
    says 2 '--fail-on race needs --races' lens kernel sums.cl far --fail-on race
    says 2 '--races leaves counts out' lens kernel --races sums.cl far --fail-on 'sectors>8'
    says 2 '--all-sizes is not possible here' lens kernel sums.cl far --all-sizes --fail-on mistake
}

@test "fail-on: a program fails by a count, and goes on after a mistake that does not fail" {
    files
    launcher
    run -1 lens --quiet --fail-on 'sectors>4' "$launch" sums.cl far 64 64 f256 f64 n=64
    [[ ${lines[-1]} == 'fails    kernel.cl:7: sectors 16 (needed 4), limit 4: far, x' ]]
    run -0 lens --quiet --fail-on 'sectors>16' "$launch" sums.cl far 64 64 f256 f64 n=64
    run -1 lens --quiet --races "$launch" wrong.cl row 64 64 f64 f1 l256
    run -0 lens --quiet --races --fail-on bounds "$launch" wrong.cl row 64 64 f64 f1 l256
    [[ $output == *'data race'* ]]
    # Where the launch itself goes no further, the device might not survive it.
    run --separate-stderr -77 lens --quiet --races --fail-on race "$launch" sums.cl far 64 64 f250 f64 n=64
    [[ $output == *'out-of-bounds access'* && $stderr == *'the program ends here'* ]]
}

@test "baseline: it is written once, and only what is worse than in it fails" {
    files
    run -1 lens check wrong.cl --baseline known
    [[ $output == *'written  known, with what was found'* ]]
    LC_ALL=C sort -c <(tail -n +2 known)
    grep -qx $'race\twrong.cl\trow\tt\tsums\\[get_group_id(0)] = t\\[0] + t\\[63];\t1' known
    grep -qx $'sectors\twrong.cl\tfar\tx\ty\\[item] = x\\[item \\* 4];\t16' known
    cp known before
    run -0 lens check wrong.cl --baseline known
    [[ $output == *'nothing fails that known does not have'* ]]
    diff known before
    # Lines that move, and such that are written in another way, are not new.
    sed -i '4i // more\n\n' wrong.cl
    sed -i 's/= x\[item \* 4];/= x[4 * item];/' wrong.cl
    run -0 lens check wrong.cl --baseline known
    [[ $output != *better* ]]
    # A larger count, a mistake that is new, and a count in a line that had none are.
    sed 's/4 \* item/8 * item % 256/' wrong.cl > worse.cl && mv worse.cl wrong.cl
    run -1 lens check wrong.cl --baseline known
    [[ $output == *'sectors 32 (needed 4), limit 16 (baseline): far, x'* ]]
    run -0 lens check wrong.cl --baseline known --fail-on 'sectors>32'
    sed -i 's/8 \* item % 256/item/; s/ y\[item]/ y[item + 1]/' wrong.cl
    run -1 lens check wrong.cl --baseline known
    [[ $output == *': bounds 1, limit 0 (baseline): far, y'* ]]
    [[ $output != *better* ]] # to write it again would keep the new mistake
    sed -i 's/ y\[item + 1]/ y[item]/' wrong.cl
    run -0 lens check wrong.cl --baseline known
    [[ $output == *$'\nbetter   1 line of known: to write it again, remove it and run the same command'* ]]
}

@test "check: a launch that stops at a mistake is counted up to there, which is said" {
    cd "$BATS_TEST_TMPDIR"
    cat > vector.cu <<'EOF'
// lens: copy(in[1028]=index, out[1024], n=1024, from=1) --grid 1 --block 256
__global__ void copy(const float *in, float *out, int n, int from) {
    const int i = 4 * threadIdx.x;
    if (i < n)
        *(float4 *)(out + i) = *(const float4 *)(in + i + from);
}
EOF
    run -1 lens check vector.cu
    [[ $output == *'A launch that stops at a mistake is counted up to there.'* ]]
    [[ $output == *'unaligned access: in in global memory'* ]]
    sed -i 's/from=1/from=4/' vector.cu
    run -0 lens check vector.cu
    [[ $output != *'stops at a mistake'* ]]
}

@test "baseline: of kernels and programs, too, and another file is kept" {
    files
    launcher
    run -1 lens --quiet --races --baseline known "$launch" wrong.cl row 64 64 f64 f1 l256
    [ -s known ]
    run -0 lens --quiet --races --baseline known "$launch" wrong.cl row 64 64 f64 f1 l256
    run -0 lens kernel sums.cl far --baseline counts
    run -0 lens kernel sums.cl far --baseline counts
    [ "${lines[-1]}" = 'nothing fails that counts does not have' ]
    says 2 'sums.cl is there, and is no baseline' lens kernel sums.cl far --baseline sums.cl
    printf 'nothing\n' >> counts
    says 2 'counts, line ' lens kernel sums.cl far --baseline counts
}

@test "sarif: mistakes are errors with both places, and counts are warnings or notes" {
    files
    sarif 1 check wrong.cl
    [[ $output == *'warning sectors wrong.cl:7:19 far: loads x: a warp moves 16 sectors of 32 bytes, where 4 are needed'* ]]
    [[ $output == *'error race wrong.cl:14:'*' row: data race: t in local memory, bytes '*'; item 0 of group 0 reads, item 63 of group 0 writes in line 11. Hint: put a barrier'* ]]
    [[ $output == *'warning idle wrong.cl:13:'* ]]
    sarif 0 kernel sums.cl row
    [[ $output != *error* ]]
    sarif 1 kernel --races wrong.cl 'row(t[64])' --global 64
    [[ $output == 'error race '* && $output != *warning* ]]
    sarif 0 kernel --races sums.cl 'row(t[64])' --global 64
    [ -z "$output" ]
    echo 'int far(int); kernel void k(global int *x) { x[0] = far(1); }' > far.cl
    sarif 77 kernel far.cl
    [ "$output" = 'hidden k was not looked at: it calls far, which the lens does not know' ]
    launcher
    sarif 1 --quiet --races "$launch" wrong.cl row 64 64 f64 f1 l256
    [[ $output == 'error race kernel.cl:14:'* ]]
    sarif 0 --quiet "$launch" sums.cl far 64 64 f256 f64 n=64
    [[ $output == *'warning sectors kernel.cl:7:'* ]]
}

@test "sarif: columns count characters, and a file's name is a URI" {
    files
    mkdir 'ä b%'
    printf '%s\n' '// lens: k(x[128]) --global 64' \
        'kernel void k(global int *x) { /* äöü */ x[2 * get_global_id(0)] = 1; }' > 'ä b%/k.cl'
    sarif 0 check './ä b%/k.cl'
    [[ $output == *'warning sectors %C3%A4%20b%25/k.cl:2:66 k: '* ]]
    sarif 0 check "$PWD/ä b%/k.cl"
    [[ $output == *'warning sectors %C3%A4%20b%25/k.cl:2:66 k: '* ]]
}

@test "rows: mistakes and worst accesses have rule, place, message and lanes, also as tsv" {
    files
    run --separate-stderr -1 lens check --format json wrong.cl
    printf '%s\n' "$output" > rows
    python3 - <<- 'END'
	import json
	rows = [json.loads(line) for line in open("rows")]
	assert [row["row"] for row in rows].count("launch") == 3
	assert [row["row"] == "verdict" for row in rows].index(True) == len(rows) - 1
	far = next(row for row in rows if row.get("rule") == "sectors")
	assert (far["line"], far["worst"], far["worst_needed"], far["worst_lanes"]) == (7, 16, 4, 32)
	race = next(row for row in rows if row.get("rule") == "race")
	assert (race["lane"], race["other_lane"], race["lanes"]) == (0, 31, 32)
	assert race["file"] == "wrong.cl" and race["column"] > 0 and race["message"].startswith("data race")
	idle = next(row for row in rows if row["row"] == "launch" and "rule" in row)
	assert idle["rule"] == "idle" and idle["line"] == 13
	assert rows[-1]["launches"] == 3 and rows[-1]["mistakes"] > 0
	END
    run --separate-stderr -1 lens check --format tsv wrong.cl
    [ "$(cut -f1 <<< "$output" | tail -n +2)" = "$(sed 's/^{"row":"\([a-z]*\)".*/\1/' rows)" ]
}

@test "check: docs/cllens.md shows what its example prints" {
    files
    local part
    part=$(awk '/^## In continuous/ { inside = 1 } /^## Rows/ { exit } inside' "$ROOT/docs/cllens.md")
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' <<< "$part" > scale.cl
    [ -s scale.cl ]
    grep -qxF "cllens check scale.cl --fail-on 'mistake,sectors>4'" <<< "$part"
    run -1 lens check scale.cl --fail-on 'mistake,sectors>4'
    [[ $part == *"$output"* ]]
    grep -qxF 'cllens check scale.cl --baseline lens.baseline' <<< "$part"
    run -1 lens check scale.cl --baseline lens.baseline
    [[ $part == *"$(tail -n 3 <<< "$output")"* && $part == *"$(< lens.baseline)"* ]]
    sarif 1 check scale.cl
    local rule
    for rule in $(lens check --fail-on= scale.cl 2>&1 | sed -n 's/^ *hint *choose one of //p' | tr -d ,); do
        [[ $part == *"\`$rule\`"* || $rule = angle ]] || { echo "$rule"; return 1; }
    done
}
