load helper.bash

# Random kernels: make fuzz.

# fuzz LENS WORD ... : tests/fuzz/fuzz.py with these words, on a folder whose lens is this one.
fuzz() {
    command -v python3 || skip "no Python, which writes the kernels"
    mkdir -p "$BATS_TEST_TMPDIR/build"
    ln -sf "$1" "$BATS_TEST_TMPDIR/build/lens"
    whole_pocl
    quickly
    run python3 "$ROOT/tests/fuzz/fuzz.py" --build "$BATS_TEST_TMPDIR/build" "${@:2}"
}

@test "fuzz: random kernels give the device's results, and races are found where they are" {
    fuzz "$BUILT/lens" --seed 19 --count 2
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'random kernels from seed 19 on' ]
    [ "${lines[-1]}" = '2 kernels, 0 found' ]
    [ -z "$(find "$BATS_TEST_TMPDIR/build/fuzz" -name '*.cl')" ]
    run -0 python3 "$ROOT/tests/fuzz/generate.py" 19
    [ "$output" = "$(python3 "$ROOT/tests/fuzz/generate.py" 19)" ]
}

@test "fuzz: what does not hold is found, kept, and named with the command that repeats it" {
    printf '#!/bin/sh\necho "error: 3 words differ"\ncase "$*" in kernel*) exit 0 ;; esac\nexit 1\n' \
        > "$BATS_TEST_TMPDIR/wrong"
    chmod +x "$BATS_TEST_TMPDIR/wrong"
    fuzz "$BATS_TEST_TMPDIR/wrong" --seed 30 --count 2
    [ "$status" -eq 1 ]
    [[ $output == *'found: seed 31: with 32 lanes, results differ'$'\n'*'error: 3 words differ'$'\n'*'repeat  make fuzz SEED=31 COUNT=1'* ]]
    [[ $output == *'found: seed 30: with 32 lanes, a barrier is missing, which --races does not find'* ]]
    [ "${lines[-1]}" = '2 kernels, 4 found' ]
    [ -e "$BATS_TEST_TMPDIR/build/fuzz/kernel-31.cl" ] && [ -e "$BATS_TEST_TMPDIR/build/fuzz/dropped-30.cl" ]
    # After its time, no more are begun.
    fuzz "$BATS_TEST_TMPDIR/wrong" --seed 30 --count 200 --seconds 0
    [[ $status -eq 0 && ${lines[-1]} == '0 kernels, 0 found' ]]
}

@test "fuzz: where the device alone is wrong, and only with its optimizer, the lens is not blamed" {
    cat > "$BATS_TEST_TMPDIR/optimized" <<'EOF'
#!/bin/sh
case "$*" in kernel*) exit 0 ;; esac
case ${POCL_EXTRA_BUILD_FLAGS-} in *-cl-opt-disable*)
    echo "the replay's results are the device's"
    exit 0 ;;
esac
echo 'error: 3 words differ'
exit 1
EOF
    chmod +x "$BATS_TEST_TMPDIR/optimized"
    command -v python3 || skip "no Python, which writes the kernels"
    mkdir -p "$BATS_TEST_TMPDIR/build"
    ln -sf "$BATS_TEST_TMPDIR/optimized" "$BATS_TEST_TMPDIR/build/lens"
    unset POCL_EXTRA_BUILD_FLAGS
    run python3 "$ROOT/tests/fuzz/fuzz.py" --build "$BATS_TEST_TMPDIR/build" --seed 30 --count 1
    echo "$output"
    [[ $output == *'not the lens: seed 30: without its optimizer, the device agrees'* ]]
    [[ $output != *'results differ'* ]]
    [ ! -e "$BATS_TEST_TMPDIR/build/fuzz/kernel-30.cl" ]

    # A device that never ends is wrong, too; and what it is doing is ended with the lens.
    sed -i "s/^echo 'error.*/sleep 999/" "$BATS_TEST_TMPDIR/optimized"
    run python3 "$ROOT/tests/fuzz/fuzz.py" --build "$BATS_TEST_TMPDIR/build" --seed 30 --count 1 \
        --longest 1
    [[ $output == *'not the lens: seed 30: without its optimizer, the device agrees'* ]]
    sed -i "s/^    exit 0 ;;/    sleep 999 ;;/" "$BATS_TEST_TMPDIR/optimized"
    run python3 "$ROOT/tests/fuzz/fuzz.py" --build "$BATS_TEST_TMPDIR/build" --seed 30 --count 1 \
        --longest 1
    [[ $output == *'results differ'*'nothing more came for 1 seconds'* ]]
}
