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

# narrow : no line is wider than the screen that a report is made for.
narrow() {
    [ -z "$(grep -E '^.{97}' <<< "$output")" ]
}

@test "table: a line for each kernel, and what its columns are in words" {
    table -- coalesced 64 64 f64 f64 , tree_interleaved 256 256 f256 f1 , \
        if_else 64 64 f64 f64 , count_in_one 1024 256 z1 , transpose 32x32 32x32 f1024 f1024
    [[ $output == "What 32 lanes of a GPU would do: counted, not timed, the same on every machine"$'\n\n'* ]]
    row sectors of the passes of local lanes branches barriers most on
    row "worst access memory's banks busy, that split in a one"
    row kernel moved needed taken needed of 32 a warp group atomics address
    row coalesced 4 all 32.0
    row tree_interleaved 4 all 8 1 29.8 6 of 136 9
    row if_else 4 2 19.6 2 of 2
    row count_in_one 1 all 32.0 "1,024" all
    row transpose 4 all 32 1 32.0 1
    grep -qx "In a pass, each bank of local memory serves one word of 4 bytes." <<< "$output"
    [[ $output != *"Atomics on local memory"* ]]
    narrow
    [[ $output == *"The worst access: count_in_one, line "*", changes count"* ]]
}

@test "table: what was not counted has no column, and is not shown as 0" {
    table -- coalesced 64 64 f64 f64
    row sectors of the lanes
    row worst access busy,
    row kernel moved needed of 32
    row coalesced 4 all 32.0
    [[ $output == *"A good access: coalesced, line "*", loads in"* ]]
    [[ $output == *"[01234567][89abcdef][ghijklmn][opqrstuv]"* ]]
    [[ $output == *$'\n32 lanes asked for 128 bytes here, and memory moves 128.\n'* ]]
    [[ $output == *"Every load and store of a kernel: --kernel coalesced; "*$'\n'"The model: warps of 32 lanes, "* ]]
    table --lanes 8 -- coalesced 64 64 f64 f64
    row kernel moved needed of 8
    [[ $output != *"In a pass"* ]]
    [[ $output == "What 8 lanes of "*"The model: warps of 8 lanes, "* ]]
}

@test "table: branches that split no warp are none; others are counted in thousands" {
    echo 'kernel void k(global volatile float *x, uint n) {
        for (uint i = 0; i < n; i++)
            x[get_global_id(0)] = i;
        if (get_local_id(0) % 2)
            x[get_global_id(0)] = n;
    }' > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 2048 32 f2048 n=30 , k 2048 1 f2048 n=31
    echo "$output"
    grep -qE '^k n=30 +4 +2 +[0-9.]+ +64 of 2,048$' <<< "$output"
    grep -qE '^k n=31 +1 +all +1\.0 +none$' <<< "$output"
}

@test "table: arguments in which launches differ, and a sample" {
    echo 'kernel void k(global float *x, uint n, uint stride) {
        if (get_global_id(0) < n)
            x[stride * get_global_id(0)] = n;
    }' > "$BATS_TEST_TMPDIR/k.cl"
    local launches=(k 1048576 256 f2097152 n=1048576 n=1 , k 1048576 256 f2097152 n=1048576 n=2)
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" "${launches[@]}"
    echo "$output"
    grep -qE '^k stride=1 +4 +all +[0-9.]+ +none$' <<< "$output"
    grep -qE '^k stride=2 +8 +4 +[0-9.]+ +none$' <<< "$output"
    [[ $output == *$'\nOnly some groups of large launches were replayed.\n'* ]]
    [[ $output == *"The worst access: k stride=2, line 3, stores x"* ]]
    [[ $output == *$'\n32 lanes write 128 bytes here, and memory moves 256.\n'* ]]
    # All of it, for those who look after the lens: launches, samples and the compiler.
    run -0 lens --quiet --table --all "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" "${launches[@]}"
    echo "$output"
    grep -qE '^k stride=1  1,048,576 in 256 +4 +all .* [0-9]+ of 4,096$' <<< "$output"
    [[ $output == *"work-items"*"groups"$'\n'*"in groups of"*"replayed"*"Model: 32 lanes "*"; compiled by "* ]]
    # A launch of which all groups were replayed is no sample.
    run -0 lens --quiet --table --groups 9999 "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 2048 256 f4096 n=2048 n=1
    [[ $output == *"k"*"none"* && $output != *"replayed"* ]]
}

@test "table: the launch stands only where launches differ by nothing else" {
    table -- coalesced 64 64 f64 f64 , coalesced 96 48 f96 f96 , permuted 64 64 f64 f64
    row work-items worst access busy,
    row kernel in groups of moved needed of 32
    row coalesced 64 in 64 4 all 32.0
    row coalesced 96 in 48 4 all 24.0
    row permuted 4 all 32.0
    table -- coalesced 2048 64 f2048 f2048 , float4s 4096 64 f16384 f16384
    row coalesced 4 all 32.0
    row float4s 16 all 32.0
    [[ $output != *"in groups of"* ]]
    # Arguments tell launches apart, too.
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl \
        takes_long 64 32 z64 n=2 , takes_long 128 32 z128 n=3
    echo "$output"
    [[ $output == *"takes_long rounds=2 "*"takes_long rounds=3 "* && $output != *"in groups of"* ]]
}

# Of a flaw that is not there nothing is said: an access that needs all that it moves is no
# good one if a lane makes it alone, or if most of the bytes are of no use.
@test "picture: a kernel with one lane at work is not called good" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void one(global const float *x, global float *y, uint n) {
        float sum = 0;
        for (uint i = 0; i < n; i++)
            sum += x[i];
        y[0] = sum;
    }
    kernel void good(global const float *x, global float *y) {
        y[get_global_id(0)] = x[get_global_id(0)];
    }' > k.cl
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl one 1 1 f64 f1 n=64 , good 64 64 f64 f64
    echo "$output"
    row one 1 all 1.0 none
    [[ $output == *$'\nOne of 32 lanes works: one, line 4, loads x\n    4  sum += x[i];\n    x[0]  [0.......]\n'* ]]
    [[ $output == *$'\nOne lane asked for 4 bytes here, and memory moves 32.\n'* && $output != *good\ access* ]]
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl good 8 8 f8 f8
    [[ $output == *$'\n8 of 32 lanes work: good, line 8, loads x\n'*$'\n8 lanes asked for 32 bytes here, and memory moves 32.\n'* ]]
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl good 35 35 f35 f35
    [[ $output == *$'\n17.5 of 32 lanes work on average: good, line 8, loads x\n'* ]]
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl good 64 64 f64 f64
    [[ $output == *$'\nA good access: good, line 8, loads x\n'* && $output != *"lanes work"* ]]
    # The first steps have such a kernel.
    cd "$ROOT"
    for step in step01_dot_single step03_dot_coalesced; do
        BUILD=$BUILT run -0 sh common/commands/lens.sh $step --
        [[ $output == *$'\n''One of 32 lanes works: dot_single, line '*", loads x"$'\n'* ]]
        [[ $output == *$'\nOne lane asked for 4 bytes here, and memory moves 32.\n'* ]]
    done
}

@test "picture: most bytes are of no use; then lanes that wait; then the worst access" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void same(global const float *x, global float *y) {
        const float first = x[get_group_id(0)];
        if (first == 123)
            y[get_global_id(0)] = 1;
    }
    kernel void turns(global volatile float *x) {
        if (get_local_id(0) % 32 < 16)
            x[get_local_id(0)] = 1;
    }
    kernel void apart(global float *x) {
        x[2 * get_global_id(0)] = 1;
    }' > k.cl
    local launches=(same 64 64 f64 f64) picture
    for picture in 'Most of what is moved is not used: same, line 2, loads x' \
        'Lanes wait: turns, line 7 splits a warp' 'The worst access: apart, line 11, stores x'; do
        run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl "${launches[@]}"
        echo "$output"
        [[ $output == *$'\n'"$picture"$'\n'* && $output != *"good access"* ]]
        case $picture in
            Most*) launches+=(, turns 64 64 f64) ;;
            Lanes*) launches+=(, apart 64 64 f128) ;;
        esac
    done
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" k.cl same 64 64 f64 f64
    row same 1 all 32.0 none
    [[ $output == *$'\n32 lanes asked for 4 bytes here, and memory moves 32.\n'* ]]
}

@test "table: --pages adds cache lines and pages of the busiest access" {
    table --pages -- coalesced 2048 64 f2048 f2048
    row sectors of the busiest access, lanes
    row kernel moved needed lines pages of 32
    row coalesced 4 all 1.00 1.00 32.0
    table -- coalesced 2048 64 f2048 f2048
    [[ $output != *"busiest access"* ]]
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step14_sorted_gather --
    grep -qE '^sorted_gather_by_list partition=256 +8 +1 +7\.92 +1\.00 +18\.9 ' <<< "$output"
}

# The load that takes most passes in all is the one that is 32 elements apart.
@test "table: --banks adds the L1 passes of the busiest load, and draws banks of the L1" {
    table --banks -- strides 64 64 f2048 f64 , coalesced 64 64 f64 f64
    row strides 32 4 32.00 1.00 32.0
    row coalesced 4 all 1.00 1.00 32.0
    [[ $output == *"A column is a bank of the L1 cache, and a row is a pass."* ]]
    table -- strides 64 64 f2048 f64
    [[ $output != *"L1"* ]]
    run -0 lens kernel --quiet --banks --kernel '*' "$ROOT/tests/lens/banks.cl" \
        'loads_through_l1(x[1024], out[32])' --global 32 --local 32
    [[ $output == *"line 51, load x: 32 lanes, 32 passes"*"pass 32  v..............................."* ]]
}

@test "table: it says what to type for the lines of the kernel that is drawn" {
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step01_dot_single --
    [[ $output == *$'\nEvery load and store of a kernel: make step01 lens LENS_OPTIONS="--kernel dot_single"\n'* ]]
    BUILD=$BUILT run -0 sh common/commands/lens.sh step01_dot_single -- --size 100
    [[ $output == *'make step01 lens ARGS="--size 100" LENS_OPTIONS="--kernel dot_single"'* ]]
}

@test "table: a narrow terminal has names above the lines of their kernels" {
    command -v script > /dev/null || skip "no script, which makes a terminal"
    cd "$ROOT"
    run -0 script -qefc "stty cols 80; BUILD=${BUILT@Q} sh common/commands/lens.sh step06_reduce_local --" \
        /dev/null < /dev/null
    output=${output//$'\r'/}
    echo "$output"
    [[ $output == *$'\nreduce_local_dense\n'*$'\nreduce_local_sequential\n'* ]]
    [ "$(tr -s ' ' <<< "$output" | grep -cE '^ 4 all [0-9]+ (1|all) [0-9.]+ [0-9,]+ of [0-9,]+ 10$')" -eq 5 ]
    [ -z "$(sed 's/\x1b\[[0-9;]*m//g' <<< "$output" | grep -E '^.{81}')" ]
}

# Each step at the size that its header names.
@test "table: each step's screen has at most 96 columns, and says what it is" {
    cd "$ROOT"
    local step
    for step in steps/*.c; do
        step=${step##*/}
        BUILD=$BUILT run -0 --separate-stderr sh common/commands/lens.sh "${step%.c}" --
        echo "$step: $output"
        [[ $output == *"What 32 lanes of a GPU would do: "*$'\nEvery load and store of a kernel:'*"The model: "* ]]
        narrow
    done
}

@test "table: launches that are made less than half as often are left out" {
    local many=(coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64)
    table -- "${many[@]}" , coalesced 96 48 f96 f96
    row coalesced 4 all 32.0
    [[ $output == *$'\nLaunches left out: 1 made less often.  All: --table --all\n'* && $output != *" 24.0"* ]]
    table -- coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 96 48 f96 f96
    [[ $output == *"64 in 64"*"96 in 48"* && $output != *"left out"* ]]
    table -- "${many[@]}" , permuted 64 64 f64 f64 # of each kernel on its own
    row permuted 4 all 32.0
    [[ $output != *"left out"* ]]
    many=()
    for size in 1 2 3 4 5 6 7 8 9 10; do
        many+=(, coalesced $((32 * size)) 32 f320 f320)
    done
    table -- "${many[@]:1}"
    [ "$(grep -c ' in 32 ' <<< "$output")" -eq 8 ]
    [[ $output == *$'\nLaunches left out: 2 beyond the first 8 of a kernel.  All: --table --all\n'* ]]
    table -- coalesced 64 64 f64 f64 "${many[@]}" "${many[@]}" "${many[@]}"
    [[ $output == *$'\nLaunches left out: 1 made less often, 2 beyond the first 8 of a kernel.  All: --table --all\n'* ]]
    # What it says to type shows them.
    table --table --all -- "${many[@]:1}"
    [ "$(grep -c ' in 32 ' <<< "$output")" -eq 10 ]
    [[ $output != *"left out"* ]]
    # In the listing, those that differ in an argument are one line.
    many=()
    for n in 12 2 30 4 5 6 7 8 9 10 11 3 13 14 15 16 20 17 18 19; do
        many+=(, takes_long 64 32 z64 n=$n)
    done
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == *$'\nLaunches left out: 12 beyond the first 8 of a kernel.  '* && $output != *"alike"* ]]
    run -0 lens --quiet --kernel '*' "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == "takes_long (rounds=12), "*$'\nand 4 more of takes_long with other rounds: 17 to 20\n'* ]]
    [ "$(grep -c '^takes_long' <<< "$output")" -eq 16 ]
}

@test "table: the worst instance is drawn, not the line with most in all" {
    run -0 lens --quiet step06_reduce_local --repeats 3 --size 65536
    [[ $output == *"The worst access: reduce_local_dense, line 43 of kernels/step06_reduce_local.cl, loads t"* ]]
    [[ $output == *$'\nThe banks need 16 passes for these 32 lanes, where 1 would do.\n'* ]]
    [[ $output == *"pass 8  e...............f..............."$'\n    ... 8 more rows like these: --whole\n\n'* ]]
    [[ $output != *"pass 9 "* && $output != *" in 100 "* && $output != *" in 7 "* ]]
    narrow
    run -0 lens --quiet --whole step06_reduce_local --repeats 3 --size 65536
    [[ $output == *"pass 16  u...............v..............."* && $output != *"like these"* && $output != *" in 100 "* ]]
    # make's script says what to type for them, and all rows of all launches come with --all.
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step13b_transpose --
    [[ $output == *$'\n    ... 24 more rows like these: make step13b lens LENS_OPTIONS="--whole"\n'* ]]
    for option in --whole '--table --all'; do
        BUILD=$BUILT LENS_OPTIONS=$option run -0 sh common/commands/lens.sh step13b_transpose --
        [[ $output == *$'\n    pass 32  v...............................\n\n'* && $output != *"like these"* ]]
    done
}

@test "table: more than 8 launches of a kernel with the same counts are one line" {
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step11b_recorded_commands --
    echo "$output"
    row 'recorded_commands (64 launches)' 5 4 32.0 none
    row 'recorded_commands_four (16 launches)' 5 4 32.0 none
    [[ $output != *link=* && $output == *$'\nEach launch alone: make step11b lens LENS_OPTIONS="--table --all"\n'* ]]
    BUILD=$BUILT LENS_OPTIONS='--table --all' run -0 sh common/commands/lens.sh step11b_recorded_commands --
    [ "$(grep -cE '^recorded_commands link=[0-9]+ ' <<< "$output")" -eq 64 ]
    [ "$(grep -cE '^recorded_commands_four link=[0-9]+ ' <<< "$output")" -eq 16 ]
    # Eight are not too many; and of ten those that differ in what was counted are told apart.
    echo 'kernel void k(global float *x, uint n) {
        x[get_global_id(0) * (n == 100 ? 2 : 1)] = n;
    }' > "$BATS_TEST_TMPDIR/k.cl"
    local many=()
    for n in 1 2 3 4 5 6 7 8; do
        many+=(, k 64 32 f128 n=$n)
    done
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" "${many[@]:1}"
    [ "$(grep -cE '^k n=[1-8] +4 +all +32.0$' <<< "$output")" -eq 8 ]
    [[ $output != *alike* && $output != *"left out"* && $output != *"Each launch"* ]]
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" "${many[@]:1}" \
        , k 64 32 f128 n=9 , k 64 32 f128 n=100
    row 'k n=1 (9 launches)' 4 all 32.0
    row 'k n=100' 8 4 32.0
    [[ $output == *$'\nEach launch alone: --table --all\n'* && $output != *"left out"* ]]
}

# Of a sample, branches and atomics are those of the whole launch, so that a program which
# prints how many there are does not contradict the table.
@test "table: branches and atomics of a sample are scaled up to all groups" {
    echo 'kernel void k(global uint *all, global uint *own, local uint *here) {
        const uint group = get_group_id(0);
        if (get_local_id(0) % 2)
            atomic_inc(all);
        atomic_inc(own + group);
        atomic_inc(here);
    }
    kernel void each(global uint *own) {
        atomic_inc(own + get_group_id(0));
    }' > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet --table --groups 4 "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" \
        k 8192 64 z1 z128 l4 , each 8192 64 z128
    echo "$output"
    grep -qE '^k +.* 256 of 256 +20,480 +4,096$' <<< "$output"
    grep -qE '^each +.* 8,192 +64$' <<< "$output" # no group uses the word of another one
    grep -qx 'Atomics on local memory are counted, too.' <<< "$output"
    grep -qx 'Only some groups of large launches were replayed; branches and atomics are scaled up to all.' <<< "$output"
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step09_atomic_contention --
    grep -qE '^ +4 +all +32.0 +none +1,048,576 +all$' <<< "$output"
    # 36 for each of 4,096 groups: 32 to local memory, and 4 more; an exchange may be tried again
    grep -qE '^ +1,048,576 in 256 .* 147,[45][0-9]{2} +4,096$' <<< "$output"
}

@test "table: step 04 draws a kernel of its lesson, and names the others with --all" {
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step04_dot_groups --
    [[ $output == *$'\nA good access: dot_groups, '* && $output != *dot_groups_blocks* ]]
    BUILD=$BUILT LENS_OPTIONS='--table --all' run -0 sh common/commands/lens.sh step04_dot_groups --
    [[ $output == *$'\ndot_groups_blocks '* ]]
}

@test "table: atomics are drawn as lanes on addresses" {
    table -- count_in_one 1024 256 z1
    [[ $output == *"The worst access: count_in_one, "*", changes count"$'\n'*"atomic_inc"* ]]
    [[ $output == *"count[0]  0123456789abcdefghijklmnopqrstuv"* ]]
    [[ $output == *$'\nOne lane at a time can do that: 32 take turns here.\n'* ]]
    table -- count_in_32 1024 256 z32
    [[ $output == *"A good access: "* && $output != *"take turns"* ]]
}

@test "table: --kernel may be repeated; --table keeps it a table, --all is the listing" {
    local launches=(coalesced 64 64 f64 f64 , permuted 64 64 f64 f64 , strides 64 64 f2048 f64)
    table --kernel coalesced --kernel permuted -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"out[i] = in[i];"*"permuted, 64 items"* && $output != *strides* ]]
    table --table --kernel coalesced --kernel permuted -- "${launches[@]}"
    row permuted 4 all 32.0
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
    [[ $output == *$'\n'"dot_single "*" 1.0 "* && $output != *$'\n'"dot_coalesced "* && $output == *"sectors"* ]]
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
# worse than what it needs.
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
    [[ $output == *"Lanes wait: k, line 7 splits a warp"* ]]
    grep -qE '^ +8  #{8}\.{24}  put\(x \+ i, 3\);  \(x 3 rounds\)$' <<< "$output"
    grep -qE '^ +10  \.{8}#{24}  put\(x \+ i, 4\);  \(x 4 rounds\)$' <<< "$output"
    grep -qE '^ +11  #{32}  reconverge: x\[i\] = 2.0f;$' <<< "$output"
}

@test "table: warps of several widths are compared, each as if it were alone" {
    local lanes alone='' both
    local launches=(coalesced 64 64 f64 f64 , tree_interleaved 256 256 f256 f1 , if_else 64 64 f64 f64)
    for lanes in 64 8; do
        table --lanes "$lanes" -- "${launches[@]}"
        alone+=$(tr -s ' ' <<< "$output" | grep -E '^(coalesced|tree_interleaved|if_else) ' | sed "s/ / $lanes /")$'\n'
    done
    table --lanes 64,8 -- "${launches[@]}"
    [[ $output == "What 64 and 8 lanes of a GPU would do: "* ]]
    row "kernel warp moved needed taken needed of them a warp group"
    row coalesced 64 8 all 64.0
    both=$(tr -s ' ' <<< "$output" | awk '/^(coalesced|tree_interleaved|if_else) /, /^ 8 / { if ($1 + 0 == 0) name = $1; else $0 = name " " $0; $1 = $1; print }')
    echo "$both"
    [ "$(grep -c . <<< "$both")" -eq 6 ]
    diff <(sort <<< "$both") <(sed '/^$/d' <<< "$alone" | sort)
    [[ $output == *$'\n'"The model: warps of 64 and 8 lanes, "* && $output == *"64 lanes; dots"* ]]
    narrow
}

# splits : the branch of once() splits all warps, whichever width was first.
splits() {
    echo "$output"
    grep -qE '^once +4 .* 16 of 16$' <<< "$output"
    grep -qE '^ +64 .* 1 of 1$' <<< "$output"
    grep -qE '^ +16 .* 4 of 4$' <<< "$output"
}

@test "table: each width begins with what was in memory before the launch" {
    kernel once.cl 'kernel void once(global uint *x) {
    size_t i = get_global_id(0);
    if (x[i] == 0 && i % 2)
        x[i] = 1;
}'
    run -0 lens --quiet --lanes 4,64,16 "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/once.cl" once 64 64 z64
    splits
    run -0 lens --lanes 4,64,16 kernel "$BATS_TEST_TMPDIR/once.cl" 'once(x=0)' --global 64 --local 64
    splits
}
