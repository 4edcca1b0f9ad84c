load helper.bash

# A copy of the tree in a folder with a space in its name, built once for this file.
setup_file() {
    export TREE="$BATS_FILE_TMPDIR/a folder" COMPILED=$POCL_CACHE_DIR
    mkdir "$TREE"
    cd "$BATS_TEST_DIRNAME/.." || return
    tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$TREE"
    unset BUILD FLAGS MAKEFLAGS MFLAGS MAKELEVEL POCL_CACHE_DIR ARGS DEVICE_ARGS
    export SETUP=no
    make -C "$TREE" -s -j2 all 2> "$BATS_FILE_TMPDIR/log" || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
}

setup() {
    ROOT=$TREE
    unset BUILD FLAGS MAKEFLAGS MFLAGS MAKELEVEL POCL_CACHE_DIR
    cd "$TREE" || return
    mkdir -p build/limits
    cp "$BATS_TEST_DIRNAME"/../build/limits/*.txt build/limits/ 2> /dev/null || true
    QUICK='ARGS=--size 1000 --repeats 1'
}

@test "make step03 run, run step03, and two steps at once" {
    run -0 make step03 run "$QUICK"
    [[ $output == *step03_dot_coalesced* && $output != *step05* ]]
    run -0 make run step03 "$QUICK"
    [[ $output == *step03_dot_coalesced* ]]
    run -0 make -j2 step03 step05 run "$QUICK"
    [[ $output == *step03_dot_coalesced*step05_dot_strided* ]]
}

@test "make -j2 run: every step, in order, and nothing but their words on stdout" {
    [ -z "$COMPILED" ] || export POCL_CACHE_DIR=$COMPILED # what other tests compiled
    run -0 --separate-stderr make -j2 run "ARGS=--size 1000 --repeats 1 --format json"
    [[ $output == *step00_*step01_*step02_*step03_*step04_*step05_* ]]
    for line in "${lines[@]}"; do # a row of a table, or a line of FizzBuzz
        [[ $line == '{"step": '*'}' || $line =~ ^([0-9]+|Fizz|Buzz|FizzBuzz)$ ]]
    done
}

@test "make step03 asm: the machine code of each kernel" {
    run make -s step03 asm
    [ "$status" -ne 77 ] || skip "this device's code is not known"
    [ "$status" -eq 0 ]
    [[ $output == *dot_single*dot_coalesced* || $output == *dot_coalesced*dot_single* ]]
    [ "${#lines[@]}" -gt 20 ]
}

@test "make step05 builds, and no more" {
    run -0 make step05
    [[ $output != *"median ms"* ]]
}

@test "a step or a target that is not there is refused by its name" {
    run -2 make step99 run
    [[ $output == *"there is no step99"* ]]
    run -2 make step05 nosuch
    [[ $output == *nosuch* ]]
}

@test "list and help, by name" {
    run -0 make list
    [ "${#lines[@]}" -eq "$(ls steps/step*.c | wc -l)" ]
    [[ ${lines[0]} == "Step 00: "* ]]
    run -0 make help
    for target in run test bench list devices doctor lint clean; do
        [[ $output == *"  $target "* ]]
    done
}

@test "devices and doctor say what is here" {
    run -0 make devices
    [[ ${lines[-1]} =~ ^\ +[0-9]+\ \  ]]
    run -0 make doctor
    [[ $output == *"a C compiler"*found*"an OpenCL device"*found* ]]
}

@test "doctor: a missing device is named, with the command that brings one" {
    OCL_ICD_VENDORS=/nonexistent run make doctor
    [[ $output == *missing* ]] || skip "this loader finds its drivers elsewhere"
    [ "$status" -eq 2 ]
    [[ $output == *"an OpenCL device"*"missing  try: "* ]]
}

@test "set-up: with SETUP=no nothing is installed, and the command is shown" {
    OCL_ICD_VENDORS=/nonexistent run make step03 run
    [ "$status" -eq 2 ] || skip "this loader finds its drivers elsewhere"
    [[ $output == *"missing: an OpenCL device"* ]]
    [[ $output == *"  hint    "*install* ]]
}

@test "a build folder that cannot be made is an error with a hint" {
    mkdir "$BATS_TEST_TMPDIR/locked"
    cp -r Makefile common steps kernels "$BATS_TEST_TMPDIR/locked"
    : > "$BATS_TEST_TMPDIR/locked/build"
    run -2 make -C "$BATS_TEST_TMPDIR/locked" step03 run
    [[ $output == *"cannot write to the folder build"* ]]
    [[ $output == *"  hint    "* ]]
}

@test "a wrong result makes make fail" {
    run -2 make step03 run MISTAKE=lost_tail "ARGS=--size 33 --repeats 1"
    [[ $output == *WRONG* ]]
}

@test "other flags, or another folder, compile everything anew" {
    run -0 make step03
    [ -z "$output" ]
    run -0 make step03 CFLAGS=-O1
    [[ $output == *"cc steps/step03_dot_coalesced.c"* ]]
    run -0 make step03
    [[ $output == *"cc steps/step03_dot_coalesced.c"* ]]
}
