load helper.bash

@test "step00: every limit is measured and right" {
    right --size 1000000 --format csv
    for row in launch read copy fill multiply-add; do
        [[ $output == *"\"$row\","* ]] || { echo "no row $row"; return 1; }
    done
}

@test "step00: --all measures copies, from and to ordinary and pinned memory" {
    quickly
    right --all --size 16777216 --format csv
    [[ $output == *'"from ordinary memory"'*'"to pinned memory"'* ]]
}

@test "step00: size 1, and a size that nothing divides" {
    right --size 1
    right --size 100003
}

@test "step00: the table says what the device is" {
    right --size 1000000
    [[ $output == *"compute units"* && $output == *"driver"* ]]
}

@test "step00: a partial measurement is not kept" {
    LIMITS_DIR=$BATS_TEST_TMPDIR right --size 1000000
    [ -z "$(ls "$BATS_TEST_TMPDIR")" ]
}

@test "step00: damaged limits are measured again, not trusted" {
    "$STEM" --unless-known > /dev/null # one file there has the name that belongs to this device
    local known=${LIMITS_DIR:-$BUILT/limits}
    export LIMITS_DIR=$BATS_TEST_TMPDIR/limits POCL_MEMORY_LIMIT=1 # GiB, for time's sake
    mkdir "$LIMITS_DIR"
    for file in "$known"/*.txt; do
        : > "$LIMITS_DIR/$(basename "$file")"
    done
    run -0 "$STEM" --repeats 3 --unless-known
    [[ $output == *multiply-add* ]]
    run -0 step03_dot_coalesced --repeats 3 --format csv
    [[ $output != *',"GB/s",,"ok",""'* ]] # but a share of the limit, or a doubt about it
    file=$(find "$LIMITS_DIR" -size +0 -name '*.txt')
    [ -f "$file" ]
    run -0 "$STEM" --unless-known
    [[ $output == "limits: read "* && ${#lines[@]} = 1 ]]
    cp "$file" "$BATS_TEST_TMPDIR/good"
    for damage in '$d' 's/^read .*/read -1/' 's/^copy .*/copy nan/' '1s/of/for/' 's/fma/fmb/'; do
        sed "$damage" "$BATS_TEST_TMPDIR/good" > "$file"
        run -0 step03_dot_coalesced --repeats 3 --format csv
        [[ $output == *',"GB/s",,"ok",""'* ]] || { echo "trusted: $damage"; return 1; }
    done
}

@test "step00: limits that cannot be written are an error" {
    LIMITS_DIR=/proc/nowhere says 2 "cannot write /proc/nowhere" "$STEM" --repeats 3
}

@test "step00: refuses a sum of half the vectors" {
    refuses half_the_vectors --size 1000000
}

@test "step00: refuses sums that are only added to" {
    refuses no_multiplication --size 1000000
}

@test "step00: refuses loops that end a round early" {
    refuses lost_last_round --size 1000000
}

@test "step00: refuses rounds that are left out where sums no longer change" {
    refuses rounds_cut64 --size 100003
    [[ $output == *"ms"*"multiply-add"*WRONG* ]]
}

@test "step00: refuses constants for the factor and for what fills memory" {
    refuses factor_half --size 100003
    refuses fill_half --size 100003
}

@test "step00: refuses an empty kernel that writes, and a sum of rounded quarters" {
    refuses launch_writes --size 100003
    [[ $output == *"the empty launch wrote out[0]"* ]]
    refuses quarters_added --size 100003
}
