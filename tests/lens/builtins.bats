load helper.bash

# Results: what the replay computes with built-in functions is what the device computes.

# declarations : OpenCL C's built-ins with all their types, from clang's own header.
declarations() {
    newest_clang
    "$CLANG" -E -P -x cl -cl-std=CL1.2 -include "$HEADER" - < /dev/null \
        -Xclang -cl-ext=-all,+cl_khr_fp64,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics \
        > "$BATS_TEST_TMPDIR/declarations"
}

# same_results < LAUNCHES : of builtins.cl, a kernel and the types of what it writes and reads
# on each line; their replay computes what the device does.
same_results() {
    local words=() name out in
    whole_pocl
    quickly
    while read -r name out in; do
        words+=(, "$name" 128 32 "${out}8192" "${in}2048" n=128)
    done
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/builtins.cl" "${words[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]] || { echo "$output"; return 1; }
}

@test "lens: its built-ins give the device's results" {
    same_results <<- 'END'
	work_items z i
	math f f
	math_vectors f f
	math_doubles f f
	exact_math f f
	integers z i
	integer_vectors z i
	loads f f
	halves f f
	directed_halves f f
	second_results f f
	conversions z f
	relational z f
	geometric f f
	atomics z i
	END
    # PoCL 5 and 6 lack something that copies between memories need, and give up.
    ! "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/builtins.cl" copies 128 32 f8192 f2048 n=128 ||
        same_results <<< 'copies f f'
}

@test "lens: it knows each built-in that clang declares, with all of its types" {
    declarations
    cd "$BATS_TEST_TMPDIR"
    awk -v calls=1 -f "$ROOT/tests/lens/builtins.awk" declarations > calls.cl
    [ "$(wc -l < calls.cl)" -gt 9000 ]
    "$CLANG" -x cl -w -O1 -Xclang -disable-llvm-passes -Xclang -cl-ext=+all -cl-std=CL1.2 -S -emit-llvm \
        -include "$ROOT/common/lens/code/builtins.cl" -o calls.ll calls.cl
    run ! grep -E '^declare .*@_Z[0-9]' calls.ll
}

@test "lens: a sample of all built-ins whose results are exact gives the device's, bit by bit" {
    local kernels=() number # each=1 takes minutes
    declarations
    whole_pocl
    quickly
    cd "$BATS_TEST_TMPDIR"
    awk -v each=23 -f "$ROOT/tests/lens/builtins.awk" declarations > prove.cl
    for ((number = 0; number < $(grep -c '^kernel' prove.cl); number++)); do
        kernels+=(, prove_$number 64 64 z131072 x16384)
    done
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" prove.cl "${kernels[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "lens: a replay that goes wrong would be noticed" {
    whole_pocl
    quickly
    run -1 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/builtins.cl" file_name 64 64 z64
    [[ $output == *"differ from the device's"* ]]
}

@test "builtins: lanes of which some have been elsewhere see what all of them show" {
    cat > "$BATS_TEST_TMPDIR/kernel.cl" <<- 'CL'
	kernel void sums(global int *y) {
	    const int lane = get_local_id(0);
	    int first = 0;
	    if (lane < 16)
	        first = sub_group_non_uniform_reduce_add(1);
	    y[lane] = 100 * sub_group_non_uniform_reduce_add(lane % 3) + first;
	}
	CL
    run -0 lens kernel "$BATS_TEST_TMPDIR/kernel.cl" 'sums(y[32])' --global 32 --local 32 --check
    [[ $output == *$'\ny[32]: 3116 3116 '* ]] # 10 x (0 + 1 + 2) + 0 + 1
}

@test "builtins: lanes come together again behind a switch that has all cases" {
    cat > "$BATS_TEST_TMPDIR/kernel.cl" <<- 'CL'
	kernel void cases(global const int *x, global int *y) {
	    const int i = get_local_id(0);
	    int value;
	    switch (i & 3) {
	    case 0: value = x[i]; break;
	    case 1: value = x[i + 1] * 3; break;
	    case 2: value = x[i] ^ 5; break;
	    case 3: value = x[i] + 7; break;
	    default: __builtin_unreachable();
	    }
	    y[i] = 100 * value + sub_group_non_uniform_reduce_add(1);
	}
	CL
    run -0 lens kernel "$BATS_TEST_TMPDIR/kernel.cl" 'cases(x[64]=1, y[32])' --global 32 --local 32 --check
    [[ $output == *$'\ny[32]: 132 332 432 832 132 '* ]]
}
