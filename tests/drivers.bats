load helper.bash

# Faults of drivers: tests/drivers/ shows each by a kernel.  Where a fault is known, our
# programs get round it; a driver that has one and is not known to must be found here.

setup_file() {
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_FILE_TMPDIR/show" \
        "$BATS_TEST_DIRNAME/drivers/show.c" ${LDFLAGS:-} -lOpenCL
}

# shows NAME [BUILD_OPTION ...] : prints what the kernel leaves; nothing compiled before counts.
shows() {
    POCL_CACHE_DIR=$BATS_TEST_TMPDIR/cache "$BATS_FILE_TMPDIR/show" "$ROOT/tests/drivers/$1.cl" \
        -cl-std=CL1.2 "${@:2}" 2> /dev/null
}

# head_of NAME WORD : what the head of the kernel's file says behind this word.
head_of() {
    sed -n "s|^// $2 *||p" "$ROOT/tests/drivers/$1.cl"
}

# is_faulty NAME : the kernel does not do what is right, and its file names this driver.  Where the
# file does not, the test fails.
is_faulty() {
    local left driver
    left=$(shows "$1")
    echo "$1: $left"
    [ "$left" != "$(head_of "$1" right)" ] || return 1
    driver=$(step00_device_limits --devices | sed -n 's/.* cpu  *\([0-9]*\.[0-9]*\).*/PoCL \1/p')
    [[ ", $(head_of "$1" faulty)," == *", $driver,"* ]] || {
        echo "a fault that $driver was not known to have" >&2
        exit 1
    }
}

@test "drivers: PoCL 7.0 and 7.1 read again behind a barrier; it is named, and got round" {
    whole_pocl
    local said
    step00_device_limits --devices | grep -q ' cpu ' || skip "a fault of PoCL is meant"
    run step07_reduce_simd --size 1003 --repeats 1
    said=$output
    if is_faulty read_again; then
        [[ $said == *"Known fault: PoCL 7."*" reads again behind a barrier "*POCL_PREGION_VALUE_REMAT=0.* ]]
        POCL_WORK_GROUP_METHOD=loopvec POCL_PREGION_VALUE_REMAT=0 shows read_again |
            grep -qx "$(head_of read_again right)"
        [[ $said != *WRONG* ]]
        # It is the setting that does it.
        POCL_CACHE_DIR=$BATS_TEST_TMPDIR/other POCL_PREGION_VALUE_REMAT=1 \
            run -1 step07_reduce_simd --size 1003 --repeats 1
        [[ $output == *"7 operations"*WRONG* ]]
    fi
    [[ $said == *'7 operations, every lane '*'  right, int, float'* ]]
}

@test "drivers: PoCL 6.0 and 7.1 leave nothing of a loop over dimensions, or end the program" {
    whole_pocl
    is_faulty dimension || true # a fault that is not known ends the test
}

@test "drivers: PoCL 7.1 has no images in OpenCL C 1.2, unless a macro is defined" {
    whole_pocl
    ! is_faulty images || [ "$(shows images -D__opencl_c_images=1)" = "$(head_of images right)" ]
}
