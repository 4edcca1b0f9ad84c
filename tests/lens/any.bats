load helper.bash

# Any kernel: what its file may be, and what is refused.

# looks FILE KERNEL ... : the lens at launches of a kernel file, here, in $output.
looks() {
    run lens --quiet ${RACES:+--races} --all "$BATS_FILE_TMPDIR/launch" "$@"
    echo "$output"
}

@test "any kernel: OpenCL C 1.1, and an include of the folder we are in" {
    cd "$BATS_TEST_TMPDIR"
    echo '#define FACTOR 2.0f' > memory.h # the lens has one of its own, too
    printf '%s\n' '#include "memory.h"' '#if __OPENCL_C_VERSION__ >= 120' '#error new' '#endif' \
        'kernel void k(global float *x) { x[get_global_id(0)] = FACTOR; }' > k.cl
    LAUNCH_OPTIONS=-cl-std=CL1.1 looks k.cl k 32 32 f32
    [ "$status" -eq 0 ]
    [[ $output == *"store x"*"4.00 sectors"* ]]
}

@test "any kernel: of one that stands in a single long line, the beginning, or the statement" {
    cd "$BATS_TEST_TMPDIR"
    printf 'kernel void k(global float *x) { x[0] = get_global_id(0);%200s}\n' ' ' > k.cl
    printf '%s' 'kernel void far(global int *out, global const int *in) { local int4 t[2]; int sum = 0; ' \
        'const int item = get_global_id(0); if (item == 0) { t[0].x = 1; t[1].x = 2; } ' \
        'for (int i = 0; i < 3; i++) sum += in[item * 3 + i]; barrier(CLK_LOCAL_MEM_FENCE); ' \
        'if (item == get_global_size(0) - 1) atomic_add(out, sum); if (item < 4) out[item] = sum + t[1].x; }' \
        >> k.cl
    RACES=1 looks k.cl k 32 32 f32
    [[ $status -eq 1 && $output == *"data race"*"kernel void k(global float *x) { x[0] = "* ]]
    [ "$(wc -L <<< "$output")" -le 160 ]
    # Each access has its own statement, and what is left of an array its name.
    looks k.cl far 64 64 z64 z192
    [[ $output == *"     2  ... i++) sum += in[item * 3 + i]; "*"load in "*"     2  ... if (item < 4) out[item] = sum + t[1].x; }"* ]]
    [[ $output == *"load t "*"1.00 passes"* ]]
    # Texts are below each other, however large the numbers before them.
    RACES=1 looks k.cl far 2097152 256 z64 z6291456
    [[ $output == *$'\n  line 2    item 255 of group 8191 does an atomic  ... '* ]]
    [[ $output == *$'\n  line 2    item 0 of group 0 writes               ... '* ]]
}

@test "any kernel: an unknown built-in, or what clang refuses, is named and hides that alone" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	#ifdef cl_khr_subgroups // defined in the replay, so that the device need not have it
	int through(int x) { return x + get_enqueued_num_sub_groups(); }
	#else
	int through(int x) { return x; }
	#endif
	kernel void knows(global int *x) { x[get_global_id(0)] = 3; }
	kernel void asks(global int *x) { x[get_global_id(0)] = through(x[0]); }
	END
    LAUNCH_OPTIONS=-cl-std=CL2.0 looks k.cl asks 32 32 i32 , knows 32 32 i32
    if [[ $output == *"support that OpenCL C version"* ]]; then # PoCL 6: then without the driver
        run -77 lens kernel k.cl 'asks(x)' --global 32 --local 32 --build -cl-std=CL2.0
        [[ $output == *"it calls get_enqueued_num_sub_groups, which the lens does not know"* ]]
        run -0 lens kernel k.cl 'knows(x)' --global 32 --local 32 --build -cl-std=CL2.0 --all
    else
        [[ $output == *"note: asks is not shown: it calls get_enqueued_num_sub_groups, which the lens does not know"* ]]
    fi
    [[ $output == *"store x"* ]]
    echo '#ifdef cl_khr_subgroups
kernel void k(global float *x) { float y; x[0] = sincos(x, &y); }
#else
kernel void k(global float *x) { x[0] = 1; }
#endif' > k.cl
    looks k.cl k 1 1 f1
    # (A device that has sub-groups refuses it, too: then without the driver.)
    [[ $output != *"failed to build the program"* ]] || run lens kernel k.cl k --global 1
    [ "$status" -ne 0 ]
    [[ $output == *"the replay lacks something that "*" needs"*".cl:2:"*"error: "* ]]
    [[ $output != *builtins.cl* ]]
    [ "$(grep -c ': note: candidate function' <<< "$output")" -le 3 ] # of some sixty
}

@test "any kernel: private memory that is uninitialised is named" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void index(global int *o) {
	    int i;
	    o[i] = 3;
	}
	kernel void array(global int *o, global const float *in) {
	    float a[8];
	    a[get_global_id(0) & 3] = 5;
	    o[get_global_id(0)] = a[(get_global_id(0) + (int)in[0]) & 7];
	}
	kernel void integers(global int *o, global const int *in) {
	    int a[8];
	    a[in[0] & 7] = 5;
	    o[get_global_id(0)] = a[get_global_id(0) & 7];
	}
	kernel void scalar(global int *o) {
	    int x;
	    o[get_global_id(0)] = x;
	}
	kernel void component(global float *o) {
	    float4 x;
	    x.xyz = 1;
	    vstore4(x, get_global_id(0), o);
	}
	struct pair {
	    int sum, other;
	};
	kernel void copied(global int *o, local struct pair *all) {
	    struct pair own;
	    own.sum = get_global_id(0);
	    all[get_local_id(0)] = own;
	    o[get_global_id(0)] = all[get_local_id(0)].sum;
	}
	kernel void right(global float *o, global const int *in) {
	    float a[8], x;
	    int3 y;
	    for (int i = 0; i < 8; i++)
	        a[i] = -in[i];
	    if (in[0] == 1)
	        x = 1;
	    else
	        x = 2;
	    y.x = y.y = y.z = in[2];
	    o[get_global_id(0)] = a[(get_global_id(0) + in[0]) & 7] + x + y.z;
	}
	END
    export RACES=yes
    looks k.cl index 8 8 z8
    [[ $output == *"error: index: out-of-bounds access: far from any buffer"*"  line 3 "*"was it ever written?"* ]]
    for kernel in 'array 8 8 z8 f8' 'integers 8 8 z8 i8' 'scalar 8 8 z8' 'component 8 8 z32'; do
        eval "looks k.cl $kernel"
        [ "$status" -eq 1 ]
        [[ $output == *"error: ${kernel%% *}: uninitialised read: a private variable or array"* ]]
        [[ $output == *"  hint    write it first"* ]]
    done
    looks k.cl right 8 8 z8 i8
    [ "$status" -eq 0 ]
    looks k.cl copied 8 8 z8 l64
    [ "$status" -eq 0 ]
}

@test "any kernel: what crashes in the replay is named, with its line" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void smashes(global int *o) {
	    int a[8];
	    for (int i = 0; i < 200; i++)
	        a[i + o[0]] = i;
	    o[1] = a[o[2]];
	}
	END
    looks k.cl smashes 8 8 z8
    [ "$status" -eq 1 ]
    [[ $output == *"error: smashes: "*"  line "[345]" "* ]]
}

@test "any kernel: buffers that kernels may only read, or only write; flags of a barrier" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void copy(global int *o, global int *in) {
	    o[get_global_id(0)] = in[get_global_id(0)];
	}
	kernel void fences(global int *o) {
	    local int t[8];
	    const int i = get_local_id(0);
	    t[i] = i;
	    if (i < 4)
	        barrier(CLK_LOCAL_MEM_FENCE);
	    else
	        barrier(CLK_GLOBAL_MEM_FENCE);
	    o[i] = t[7 - i];
	}
	kernel void flags(global int *o) {
	    local int t[8];
	    const int i = get_local_id(0);
	    t[i] = i;
	    barrier(i < 4 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
	    o[i] = t[7 - i];
	}
	END
    export RACES=yes
    looks k.cl copy 8 8 w8 r8
    [ "$status" -eq 0 ]
    looks k.cl copy 8 8 r8 z8
    [[ $output == *"error: copy: access against buffer flags: o in global memory, bytes 0 to 3 of 32"*"line 2 "*" writes "* ]]
    looks k.cl copy 8 8 z8 w8
    [[ $output == *"error: copy: access against buffer flags: in in global memory"*" reads "* ]]
    looks k.cl flags 8 8 z8
    [[ $output == *"error: flags: barrier with different flags: work-items of the group fence different memory"*"line 18 "* ]]
    looks k.cl fences 8 8 z8
    [[ $output == *"error: fences: barrier divergence: not reached by all"* ]]
}

@test "any kernel: global variables of the file keep what they had, and what a launch left" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	global int count = 5;
	global int table[64] = {1, 2, 3, 4};
	kernel void bump(global int *o) {
	    const int i = get_global_id(0);
	    o[i] = table[i];
	    table[i] += i;
	    if (i == 0)
	        count++;
	}
	kernel void ask(global int *o) {
	    local int t[32];
	    t[get_local_id(0)] = count;
	    barrier(CLK_LOCAL_MEM_FENCE);
	    if (count == 6) // as bump leaves it
	        o[get_global_id(0)] = t[31 - get_local_id(0)] + table[get_global_id(0)];
	}
	kernel void race(global int *o) { count++; }
	END
    export LAUNCH_OPTIONS=-cl-std=CL2.0
    "$BATS_FILE_TMPDIR/launch" k.cl ask 64 32 z64 ||
        skip "this device has no global variables"
    looks k.cl bump 64 32 z64 , ask 64 32 z64
    [ "$status" -eq 0 ]
    [[ $output == *"load table"*"4.00 sectors (ideal 4.00)"* ]]
    [[ $output == *"store t "*"1.00 passes"*"load t "*"1.00 passes"* ]]
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" k.cl \
        bump 64 32 z64 , bump 64 32 z64 , bump 64 32 z64 # (PoCL 3: a copy for each kernel)
    [[ $output == *"the replay's results are the device's"* ]]
    RACES=yes looks k.cl bump 64 32 z64 , ask 64 32 z64
    [ "$status" -eq 0 ]
    RACES=yes looks k.cl race 64 32 z64
    [[ $output == *"error: race: data race: count in global memory"* ]]
}

@test "any kernel: shared virtual memory, and what a kernel reaches there through pointers" {
    local host=$BATS_TEST_TMPDIR/shared file=$ROOT/tests/lens/shared.cl
    "${CC:-cc}" -std=c11 -o "$host" "$ROOT/tests/lens/shared.c" ${LDFLAGS:-} -lOpenCL
    "$host" "$file" add_up told || skip "this device has no SVM"
    run -0 lens --all "$host" "$file" add_up told # which checks its results
    [[ $output == *"load heads         2 x 32.0 lanes   8.00 sectors (ideal 8.00)"* ]]
    [[ $output == *"load SVM 1         6 x 32.0 lanes  16.00 sectors (ideal 4.00)"* ]]
    run -0 lens --races "$host" "$file" add_up later
    [[ $output == *"no mistake found in 2 launches"* ]]
    run -0 lens --compare "$host" "$file" add_up later
    [[ $output == *"the replay's results are the device's"* ]]
    run -1 lens --races "$host" "$file" overrun told
    [[ $output == *"overrun: out-of-bounds access: sums in global memory, bytes 256 to 259 of 256"* ]]
    run -1 lens "$host" "$file" add_up untold
    [[ $output == *"error: add_up: access to memory that the kernel was not told of: SVM 1 in global memory"* ]]
    sed 's/= node->next/= 0/' "$file" > "$BATS_TEST_TMPDIR/first.cl"
    run -1 lens --instead "$BATS_TEST_TMPDIR/first.cl" "$host" "$file" add_up told
    [[ $output == *"error: sum 1 is 1"* ]]
}
