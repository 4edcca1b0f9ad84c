load helper.bash

# What clang made is kept.

# look [FILE] : the report on a step, whose kernels are compiled under our eyes.
look() {
    count_clang
    run -0 lens --quiet step03_dot_coalesced --size 1003 --repeats 1 "$@"
}

@test "cache: a second run compiles nothing, and reports the same; another compiler compiles" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    compiled 1
    local report=$output
    look
    compiled 0
    [ "$output" = "$report" ]
    echo '# another' >> "$LENS_CLANG"
    look
    compiled 1
    PATH=$BATS_TEST_TMPDIR:$PATH LENS_CLANG=clang run -0 lens --quiet step03_dot_coalesced \
        --size 1003 --repeats 1 # found in PATH, it is the same compiler
    compiled 1
    [ "$output" = "$report" ]
    echo "$(< "$ROOT/kernels/step03_dot_coalesced.cl") // changed" > "$BATS_TEST_TMPDIR/k.cl"
    look --kernel "$BATS_TEST_TMPDIR/k.cl"
    compiled 1
    LENS_CACHE='' look
    compiled 1
    [ "$output" = "$report" ]
}

@test "cache: an entry that is cut off or damaged is made anew" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    local report=$output entry
    entry=$(echo "$LENS_CACHE"/*)
    cp "$entry" "$BATS_TEST_TMPDIR/entry"
    for damage in 'truncate -s 10000' 'truncate -s 7' 'sed -i s/define/DEFINE/'; do
        $damage "$entry"
        look
        compiled 1
        [ "$output" = "$report" ]
        look
        compiled 0
    done
}

@test "cache: builtins.cl is precompiled once, changes nothing, and is made anew if damaged" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    local report header
    again() { # another run, that compiles; the first one made the folder
        rm -f "$LENS_CACHE"/*
        look
        [ "$output" = "$report" ]
    }
    look
    report=$output
    again
    grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    again
    compiled 1
    grep -q -- '-include-pch' "$BATS_TEST_TMPDIR/calls"
    run ! grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    header=$(echo "$LENS_CACHE"/.*.pch)
    for damage in 'truncate -s 5000' 'truncate -s 0' 'sed -i 1s/^..../else/'; do
        $damage "$header"
        again
        [ ! -e "$header" ]
        again
        [ -s "$header" ]
    done
}

@test "cache: a folder that takes no files, or is none, does no harm" {
    look
    local report=$output
    : > "$BATS_TEST_TMPDIR/file"
    for folder in /proc /dev/full "$BATS_TEST_TMPDIR/file" /nonexistent/cache; do
        LENS_CACHE=$folder look
        compiled 1
        [ "$output" = "$report" ]
    done
}

@test "cache: a file that includes others is compiled each time" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    echo 'constant float factor = 2.0f;' > "$BATS_TEST_TMPDIR/factor.clh"
    printf '%s\n' '#include "factor.clh"' 'kernel void k(global float *x) { *x = factor; }' \
        > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1 1 f1
    [ ! -e "$LENS_CACHE" ]
}
