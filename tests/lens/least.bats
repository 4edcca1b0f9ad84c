load helper.bash

# Times that no run beats: what the lens says of a launch on a GPU that is not here, what it
# refuses, and that no launch which was measured took less.

STORED='nvidia-h200 nvidia-h100' # in docs/results/least/

# alone FILE CALL OPTION ... : the table of a kernel without a program.
alone() {
    run -0 lens kernel --table "$@"
}

# A device on which a launch is nothing, and all else takes a second.
hand_made() {
    cat > "$BATS_TEST_TMPDIR/${1:-mine.txt}" <<'EOF'
name Hand-made GPU
units 1 units
launch 1e-12 s
memory 1024 bytes/s
cache 16 bytes
fma 1e9 warps/s/unit
issue 1e9 warps/s/unit
resident_warps 64 warps/unit
resident_groups 32 groups/unit
local_bytes 65536 bytes
EOF
}

setup_file() {
    begin
    cat > "$BATS_FILE_TMPDIR/k.cl" <<'EOF'
kernel void copy(global const float *x, global float *y) {
    y[get_global_id(0)] = x[get_global_id(0)];
}
kernel void spills(global const float *x, global float *y, uint n) {
    float t[300];
    for (uint i = 0; i < 300; i++)
        t[i] = x[i * n];
    y[get_global_id(0)] = t[(n * get_global_id(0)) % 300];
}
kernel void polls(volatile global int *flag, global float *y) {
    while (*flag == 0)
        ;
    y[get_global_id(0)] = 1.0f;
}
kernel void draws(read_only image2d_t from, global float *y) {
    y[get_global_id(0)] = read_imagef(from, (int2)(0, 0)).x;
}
kernel void uneven(global float *y, uint n) {
    float a = n, b = n, c = n, d = n;
    for (uint i = 0; i < 1u << get_group_id(0) % 7; i++) {
        a = a * 1.5f + n;
        b = b * 1.5f + n;
        c = c * 1.5f + n;
        d = d * 1.5f + n;
    }
    y[get_global_id(0)] = a + b + c + d;
}
EOF
}

@test "least: memory binds a copy, by hand: 2 x 4096 bytes at 1024 in a second" {
    hand_made
    alone "$BATS_FILE_TMPDIR/k.cl" 'copy(x[1024], y[1024])' --global 1024 --local 256 \
        --as "$BATS_TEST_TMPDIR/mine.txt"
    [[ $output == *$'On a Hand-made GPU (docs/lens.md)\n  copy    at least 8000 ms, bound by memory\n'* ]]
}

@test "least: the page shows what its command prints" {
    alone "$ROOT/kernels/step05_dot_strided.cl" \
        'dot_contiguous(x[4194304], y[4194304], n=4194304)' --global 65536 --local 256
    local line
    line=$(grep -A1 '^On an NVIDIA H200' <<< "$output")
    [[ $line == *'at least '*' ms, bound by the banks of the L1' ]]
    [[ $(< "$ROOT/docs/lens.md") == *"$line"* ]]
    [[ $output == *$'\nOf '*' launches bound by the banks of the L1 that were measured there, half took '* ]]
}

@test "least: nothing is said of a launch that takes less than a launch by itself" {
    alone "$BATS_FILE_TMPDIR/k.cl" 'copy(x[64], y[64])' --global 64 --local 64
    [[ $output != *'at least'* ]]
}

@test "least: nothing is said with --as none, nor of warps of 64 lanes" {
    alone "$BATS_FILE_TMPDIR/k.cl" copy --global 16777216 --local 256 --as none
    [[ $output != *'at least'* ]]
    alone "$BATS_FILE_TMPDIR/k.cl" copy --global 16777216 --local 256 --lanes 64
    [[ $output != *'at least'* ]]
    alone "$BATS_FILE_TMPDIR/k.cl" copy --global 16777216 --local 256
    [[ $output == *'at least '*' ms'* ]]
}

@test "least: private arrays, images, loops that wait and uneven samples are refused by name" {
    alone "$BATS_FILE_TMPDIR/k.cl" 'spills(x[300], n=1)' --global 64 --local 64
    [[ $output == *"nothing is said: its private arrays are more than a lane's registers hold"* ]]
    alone "$BATS_FILE_TMPDIR/k.cl" 'draws(from)' --global 64 --local 64
    [[ $output == *'nothing is said: it uses images, whose units are not modelled'* ]]
    alone "$BATS_FILE_TMPDIR/k.cl" 'polls(flag[1]=1)' --global 64 --local 64
    [[ $output == *'nothing is said: how long its loops go on depends on other groups'* ]]
    alone "$BATS_FILE_TMPDIR/k.cl" uneven --global 4194304 --local 256 --groups 6
    [[ $output == *'nothing is said: two halves of the sample differ by more than 1 %'* ]]
}

@test "least: a device that has no file, and a file that is none, are errors" {
    run -2 lens kernel "$BATS_FILE_TMPDIR/k.cl" copy --as nvidia-h300
    [[ $output == "error: --as: no file of a device is called nvidia-h300"*'nvidia-h200'* ]]
    hand_made
    sed -i 's/memory 1024/memory much/' "$BATS_TEST_TMPDIR/mine.txt"
    run -2 lens kernel "$BATS_FILE_TMPDIR/k.cl" copy --as "$BATS_TEST_TMPDIR/mine.txt"
    [[ $output == 'error: '*"mine.txt, line 4: memory is 'much'"*'a number above 0 belongs there'* ]]
}

@test "least: rows have the time, what binds, and with --all what the launch needs" {
    run -0 lens kernel --format json --all "$BATS_FILE_TMPDIR/k.cl" copy --global 16777216 --local 256
    local row
    row=$(grep '"row":"least"' <<< "$output")
    [[ $row == *'"device":"NVIDIA H200","at_least_ms":0.0'*'"binds":"'*'"demand":"groups=65536 '* ]]
    run -0 lens kernel --format tsv "$BATS_FILE_TMPDIR/k.cl" copy --global 16777216 --local 256
    [[ $output == *$'\tat_least_ms\tbinds\t'*$'\nleast\t'* ]]
}

@test "least: --times shows how long the device took" {
    run -0 lens --times --quiet step03_dot_coalesced --size 4096 --repeats 3
    [[ $output == *'dot_coalesced (n=4096): the device took '*' ms, the median of '* ]]
}

@test "least: the stored times follow from the stored demands" {
    cd "$ROOT"
    # shellcheck disable=SC2086 # words
    "${CC:-cc}" -std=c11 ${CFLAGS:-} -iquote common -iquote common/lens -o "$BATS_TEST_TMPDIR/recompute" \
        tests/lens/least/recompute.c "$BUILT/shared/parts.a" ${LDFLAGS:-} -lm -ldl -pthread
    for name in $STORED; do
        "$BATS_TEST_TMPDIR/recompute" "docs/devices/$name.txt" < "docs/results/least/$name.tsv" > "$BATS_TEST_TMPDIR/again.tsv"
        cmp "docs/results/least/$name.tsv" "$BATS_TEST_TMPDIR/again.tsv"
    done
}

@test "least: no launch that was measured took less, and rates are near" {
    cd "$ROOT"
    local name
    for name in $STORED; do
        awk -F '\t' '/^#/ { next }
            $1 == "whose" { for (i = 1; i <= NF; i++) column[$i] = i; next }
            $column["at_least_ms"] != "" {
                all++
                measured = $column["median_ms"]
                if (measured < $column["at_least_ms"]) { print "below: " $0; bad = 1 }
                if (measured > $column["at_most_ms"]) { print "above: " $0; bad = 1 }
            }
            END { exit bad || all < 200 }' "docs/results/least/$name.tsv"
    done
    local half
    for half in $(awk -F ' *[|] *' '$2 == "**any rate**" { print $5 }' docs/lens.md); do
        awk -v half="$half" 'BEGIN { exit !(half >= 1 && half <= 1.25) }'
    done
}
