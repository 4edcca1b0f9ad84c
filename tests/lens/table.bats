load helper.bash

# The table, which is what a report begins with, and the pictures below it.

# table [OPTIONS] -- KERNEL ... : the lens's report of these launches, in $output.
table() {
    run -0 lens_on launch counts.cl "$@"
    echo "$output"
}

# row TEXT ... : there is a line of these words, however wide its blanks are.
row() {
    grep -qxF -- "$*" < <(tr -s ' ' <<< "$output" | sed 's/^ //')
}

@test "table: a line for each kernel, with its worst access" {
    table -- coalesced 64 64 f64 f64 , tree_interleaved 256 256 f256 f1 , \
        if_else 64 64 f64 f64 , count_in_one 1024 256 z1 , transpose 32x32 32x32 f1024 f1024
    row work-items lanes sectors passes branches barriers atomics
    row kernel in groups of busy "(ideal)" "(ideal)" diverged a group "(on one)"
    row coalesced 64 in 64 32.0 4 "(4)"
    row tree_interleaved 256 in 256 29.8 4 "(4)" 8 "(1)" 6 of 136 9
    row if_else 64 in 64 19.6 4 "(2)" 2 of 2
    row count_in_one 1024 in 256 32.0 1 "(1)" 1024 "(1024)"
    row transpose 32x32 in 32x32 32.0 4 "(4)" 32 "(1)" 1
    [ -z "$(grep -E '^.{97}' <<< "$output")" ]
    [[ $output == *"The worst access: count_in_one, "*" 32 on one address"* ]]
}

@test "table: what was not counted has no column, and is not shown as 0" {
    table -- coalesced 64 64 f64 f64
    row work-items lanes sectors
    row kernel in groups of busy "(ideal)"
    row coalesced 64 in 64 32.0 4 "(4)"
    [[ $output == *"No access is worse than its ideal: coalesced, line "*", load in: 32 lanes, 4 sectors"* ]]
    [[ $output == *"[01234567][89abcdef][ghijklmn][opqrstuv]"* ]]
    [[ $output == *"--kernel NAME shows "*"Model: 32 lanes in lockstep; "* ]]
}

@test "table: arguments in which launches differ, and a sample" {
    echo 'kernel void k(global float *x, uint n, uint stride) {
        if (get_global_id(0) < n)
            x[stride * get_global_id(0)] = n;
    }' > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1048576 256 f2097152 n=1048576 n=1 , \
        k 1048576 256 f2097152 n=1048576 n=2
    echo "$output"
    grep -qE '^k stride=1  1048576 in 256 +[0-9.]+ +4 \(4\) .* [0-9]+ of 4096$' <<< "$output"
    grep -qE '^k stride=2  1048576 in 256 +[0-9.]+ +8 \(4\) .* [0-9]+ of 4096$' <<< "$output"
    [[ $output == *"groups"*"replayed"*"The worst access: k stride=2, line "*"8 sectors (ideal 4)"* ]]
}

@test "table: launches that are made less than half as often are left out" {
    local many=(coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64)
    table -- "${many[@]}" , coalesced 96 48 f96 f96
    [[ $output == *"coalesced"*"64 in 64"* && $output != *"96 in 48"* ]]
    [[ $output == *"1 launch is not shown: "* ]]
    table -- coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 96 48 f96 f96
    [[ $output == *"64 in 64"*"96 in 48"* && $output != *"not shown"* ]]
    table -- "${many[@]}" , permuted 64 64 f64 f64 # of each kernel on its own
    [[ $output == *"permuted"*"64 in 64"* && $output != *"not shown"* ]]
    many=()
    for size in 1 2 3 4 5 6 7 8 9 10; do
        many+=(, coalesced $((32 * size)) 32 f320 f320)
    done
    table -- "${many[@]:1}"
    [ "$(grep -c ' in 32 ' <<< "$output")" -eq 8 ]
    [[ $output == *"2 launches are not shown: "* ]]
    # Those that differ in an argument are one line, in the table and in the listing.
    many=()
    for n in 12 2 30 4 5 6 7 8 9 10 11 3 13 14 15 16 20 17 18 19; do
        many+=(, takes_long 64 32 z64 n=$n)
    done
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == *$'\nand 12 more of takes_long with other rounds: 3 to 20\n'* && $output != *"not shown"* ]]
    run -0 lens --quiet --kernel '*' "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == "takes_long (rounds=12), "*$'\nand 4 more of takes_long with other rounds: 17 to 20\n'* ]]
    [ "$(grep -c '^takes_long' <<< "$output")" -eq 16 ]
}

@test "table: the worst instance is drawn, not the line with most in all" {
    run -0 lens --quiet step06_reduce_local --repeats 3 --size 65536
    [[ $output == *"The worst access: reduce_local_dense, line "*": 32 lanes, 16 passes (ideal 1)"* ]]
    [[ $output == *"pass 16  u...............v..............."* && $output != *" in 100 "* && $output != *" in 7 "* ]]
    [ -z "$(sed '/The worst/,$d' <<< "$output" | grep -E '^.{97}')" ]
}

@test "table: atomics are drawn as lanes on addresses" {
    table -- count_in_one 1024 256 z1
    [[ $output == *"atomic count: 32 lanes, 32 on one address"*"atomic_inc"* ]]
    [[ $output == *"count[0]  0123456789abcdefghijklmnopqrstuv"* ]]
    table -- count_in_32 1024 256 z32
    [[ $output != *"on one address"* ]]
}

@test "table: --kernel may be repeated; --table keeps it a table, --all is the listing" {
    local launches=(coalesced 64 64 f64 f64 , permuted 64 64 f64 f64 , strides 64 64 f2048 f64)
    table --kernel coalesced --kernel permuted -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"out[i] = in[i];"*"permuted, 64 items"* && $output != *strides* ]]
    table --table --kernel coalesced --kernel permuted -- "${launches[@]}"
    row permuted 64 in 64 32.0 4 "(4)"
    [[ $output != *"64 items"* && $output != *strides* ]]
    table --kernel '*e[dr]*' -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"permuted, 64 items"* && $output != *strides* ]]
    table --all -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"permuted, 64 items"*"strides, 64 items"* ]]
}

@test "table: a step's header can name the kernels that are shown" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p steps common/commands
    cp "$ROOT"/common/commands/lens*.* common/commands/
    sed 's/^ \* Lens .*/ * Lens       --size 16384  dot_single\n *            dot_none/' \
        "$ROOT/steps/step03_dot_coalesced.c" > steps/step03_dot_coalesced.c
    BUILD=$BUILT run -0 sh common/commands/lens.sh step03_dot_coalesced --
    echo "$output"
    [[ $output == *"dot_single"* && $output != *"dot_coalesced "*" in 32"* && $output == *"sectors"* ]]
    BUILD=$BUILT LENS_OPTIONS="--kernel dot_coalesced" run -0 sh common/commands/lens.sh step03_dot_coalesced --
    [[ $output == *"dot_coalesced (n=16384)"* && $output != *"dot_single"* ]]
    BUILD=$BUILT run -0 sh common/commands/lens.sh --races step03_dot_coalesced -- --size 1003
    [[ $output == "no mistake found in 4 launches" ]] # those that are timed have another x
}

@test "divergence: a row for each arm, rounds of loops, and where lanes reconverge" {
    table --kernel nested -- nested 64 64 f512 f64
    [[ $output == *"diverges: the lanes of a warp take turns"* && $output == *"reconverge: "* ]]
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global volatile float *x) {
        const uint i = get_global_id(0);
        if (i % 2)
            for (uint round = 0; round < 12; round++)
                x[i] += 1.0f;
        else
            x[i] = 2.0f;
        x[i] *= 3.0f;
    }' > k.cl
    run -0 lens --quiet --kernel k "$BATS_FILE_TMPDIR/launch" k.cl k 32 32 f32
    echo "$output"
    [ "$(grep -cE '^ +[0-9]+  (\.#){16}' <<< "$output")" -eq 1 ]
    [ "$(grep -cE '^ +[0-9]+  (#\.){16}' <<< "$output")" -eq 1 ]
    grep -qE '^ +[0-9]+  (\.#){16}  .*x 12 rounds' <<< "$output"
    grep -qE '^ +8  #{32}  reconverge: x\[i\] \*= 3.0f;$' <<< "$output"
}

# Two arms call one function: lines 8 and 10 tell them apart, and not line 3.  No access is
# worse than its ideal.
@test "divergence: an arm in a function is shown by the call; the table has the picture, too" {
    cd "$BATS_TEST_TMPDIR"
    echo 'void put(global volatile float *x, uint count) {
        for (uint i = 0; i < count; i++)
            x[32 * i] = 1.0f;
    }
    kernel void k(global volatile float *x) {
        const uint i = get_global_id(0);
        if (i < 8)
            put(x + i, 3);
        else
            put(x + i, 4);
        x[i] = 2.0f;
    }' > k.cl
    run -0 lens --quiet --table --kernel k "$BATS_FILE_TMPDIR/launch" k.cl k 32 32 f128
    echo "$output"
    [[ $output == *"Lanes wait: k, line 7 diverges: the lanes of a warp take turns"* ]]
    grep -qE '^ +8  #{8}\.{24}  put\(x \+ i, 3\);  \(x 3 rounds\)$' <<< "$output"
    grep -qE '^ +10  \.{8}#{24}  put\(x \+ i, 4\);  \(x 4 rounds\)$' <<< "$output"
    grep -qE '^ +11  #{32}  reconverge: x\[i\] = 2.0f;$' <<< "$output"
}
