load helper.bash

# A replay in place of the device.

# instead STATUS STEM FILE ARGUMENTS : the step judges what a replay of the file's kernels
# has made.
instead() {
    run "-$1" --separate-stderr lens --instead "$3" "$2" --repeats 1 --format csv "${@:4}"
    output+=$'\n'$stderr # where the product is text, the rows go to stderr
}

# other_code STEM : kernels that do what the step's own do, but are other ones: every function
# has a statement more, which does nothing.
other_code() {
    sed 's/^}$/    volatile int other = 0;\n}/' "$ROOT/kernels/$1.cl" > "$BATS_TEST_TMPDIR/$1.cl"
    echo "$BATS_TEST_TMPDIR/$1.cl"
}

@test "instead: the program's own check judges what the replay makes" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    local stem=step03_dot_coalesced
    instead 1 $stem "$BUILT/mistakes/$stem.lost_tail.cl" --size 10007
    [[ $output == *'"32 work-items",'*'"WRONG"'* ]]
    instead 0 $stem "$(other_code $stem)" --size 10007
    [[ $output == *'"ok"'* && $output != *WRONG* && $output != *"note: "* ]]
    sed 's/^}$/    ;\n}/' "$ROOT/kernels/$stem.cl" > "$BATS_TEST_TMPDIR/words.cl"
    for file in "$ROOT/kernels/$stem.cl" "$BATS_TEST_TMPDIR/words.cl"; do # the same code
        instead 0 $stem "$file" --size 10007
        [[ $output == *'"ok"'* && $output != *WRONG* ]]
        [[ $stderr == *"note: no kernel was replaced"* ]]
    done
}

@test "instead: also with several queues, queues without order, threads, and recorded commands" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    local pair size
    quickly
    for pair in step11_timeline_gaps.next_word step12_concurrent_dispatch.own_mean \
        step20_fizzbuzz_uniform.stride_12 step21_fizzbuzz_devices.byte_phase; do
        size=4099
        [[ $pair != step12_* ]] || size=103 # so many launches
        instead 1 "${pair%.*}" "$BUILT/mistakes/$pair.cl" --size "$size"
        [[ $output == *'"WRONG"'* ]]
        instead 0 "${pair%.*}" "$(other_code "${pair%.*}")" --size "$size"
        [[ $output == *'"ok"'* && $output != *WRONG* && $stderr != *"note: "* ]]
    done
}

@test "instead: every launch is replayed, and the whole of it" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void plus(global int *x) { x[get_global_id(0)] += 1; }' > ours.cl
    echo 'kernel void plus(global int *x) { x[get_global_id(0)] += 2; }' > other.cl
    cat > look.c <<- 'END'
	#include <CL/cl.h>
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv) {
	    static int x[1 << 20];
	    const char *source = "kernel void plus(global int *x) { x[get_global_id(0)] += 1; }";
	    const size_t items = 1 << 20, group = 64;
	    cl_platform_id platform;
	    cl_device_id device;
	    clGetPlatformIDs(1, &platform, NULL);
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
	    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	    clBuildProgram(program, 1, &device, "", NULL, NULL);
	    cl_kernel kernel = clCreateKernel(program, "plus", NULL);
	    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_READ_ONLY,
	                                   sizeof x, x, NULL);
	    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
	    for (int i = 0; i < atoi(argv[argc - 1]); i++)
	        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
	    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL);
	    long sum = 0;
	    for (size_t i = 0; i < items; i++)
	        sum += x[i];
	    printf("%ld\n", sum);
	    return 0;
	}
	END
    "${CC:-cc}" -DCL_TARGET_OPENCL_VERSION=120 -o look look.c ${LDFLAGS:-} -lOpenCL
    run -0 lens --instead other.cl ./look 3
    [ "$output" = $((3 * 2 * 1024 * 1024)) ]
    run -0 ./look 3
    [ "$output" = $((3 * 1024 * 1024)) ]
}

@test "instead: what has to be stopped ends the program, and says what it was" {
    local stem=step03_dot_coalesced
    instead 1 $stem "$BUILT/mistakes/$stem.no_bounds_guard.cl" --size 10007
    [[ $output == *"error: dot_coalesced: out-of-bounds access: x in global memory, "* ]]
    stem=step06_reduce_local
    run -1 lens --races --instead "$BUILT/mistakes/$stem.no_barrier_in_rounds.cl" $stem \
        --repeats 1 --size 1003
    [[ $output == *"error: "*": data race: t in local memory, "* ]]
}

@test "instead: what cannot be replayed is an error" {
    echo 'kernel void other(global float *x) { *x = 0.0f; }' > "$BATS_TEST_TMPDIR/other.cl"
    says 2 "dot_single cannot be replaced: the file after --instead has no such kernel" \
        lens --instead "$BATS_TEST_TMPDIR/other.cl" step03_dot_coalesced --repeats 1 --size 103
    says 2 "--instead excludes --ours" lens --instead "$BATS_TEST_TMPDIR/other.cl" \
        --ours "$BATS_TEST_TMPDIR/other.cl" true
    preload_hold
    LD_PRELOAD=$hold HOLD=timeline_gaps:2 says 2 \
        "timeline_gaps cannot be replaced: it may wait for an event" lens \
        --instead "$BUILT/mistakes/step11_timeline_gaps.next_word.cl" step11_timeline_gaps \
        --repeats 1 --size 103
}
