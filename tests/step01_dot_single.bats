load helper.bash

@test "step01: the dot product is right" {
    right
    [[ $output == *"x . y = 912.6250"* ]]
}

@test "step01: size 1, and sizes in between" {
    for size in 1 2 1000 100003; do
        right --size $size
    done
}

@test "step01: other data for other seeds" {
    for seed in 0 1 7 1000000; do
        right --size 1000 --seed $seed
    done
}

# changed SED : the kernel file with this change.
changed() {
    sed "$1" "$ROOT/kernels/$STEM.cl" > "$BATS_TEST_TMPDIR/changed.cl"
    run -1 cmp -s "$ROOT/kernels/$STEM.cl" "$BATS_TEST_TMPDIR/changed.cl"
}

@test "step01: wrong data types, ranges and writes are found, and named" {
    changed 's/float total = 0.0f;/int total = 0;/'
    run -1 "$STEM" --kernel "$BATS_TEST_TMPDIR/changed.cl"
    [[ $output == *"wrong: the sum is "*", expected "*" (difference "* ]]
    changed 's/uint i = 0;/uint i = 24;/'
    run -1 "$STEM" --kernel "$BATS_TEST_TMPDIR/changed.cl"
    changed 's/float total = 0.0f;/float total = isnan(*sum) ? 0.0f : *sum;/'
    run -1 "$STEM" --kernel "$BATS_TEST_TMPDIR/changed.cl"
    changed 's/\*sum = total;/& sum[1] = total;/'
    run -1 "$STEM" --kernel "$BATS_TEST_TMPDIR/changed.cl"
    [[ $output == *"wrong: the kernel wrote sum[1]"* ]]
}

@test "step01: one row of json, csv and tsv" {
    right --format json
    [[ $output == '{"step": "step01_dot_single",'*'"result": "ok"'*'}' ]]
    right --format csv
    [ "${#lines[@]}" -eq 2 ]
    right --format tsv
    [[ ${lines[1]} == step01_dot_single$'\t1 work-item\t'*$'\tok\t\t\t\t' ]]
}

@test "step01: no such device, no such kernel file" {
    says 2 "no device matches 'nosuch'" "$STEM" --device nosuch
    says 2 "cannot read the kernel file: nosuch.cl" "$STEM" --kernel nosuch.cl
}

@test "step01: shows the compiler's log, and a missing kernel" {
    echo 'kernel void dot_single(global float *x) { x[0] = undefined_thing; }' \
        > "$BATS_TEST_TMPDIR/broken.cl"
    says 2 "undefined_thing" "$STEM" --kernel "$BATS_TEST_TMPDIR/broken.cl"
    echo 'kernel void another(global float *x) { x[0] = 1.0f; }' \
        > "$BATS_TEST_TMPDIR/another.cl"
    says 2 "dot_single" "$STEM" --kernel "$BATS_TEST_TMPDIR/another.cl"
}

@test "step01: refuses a lost tail" {
    refuses lost_tail
}

@test "step01: refuses a loop that reads too far" {
    refuses too_far
}

@test "step01: refuses a swapped index" {
    refuses swapped_index --size 1000
}

@test "step01: lens: one lane of 32 works, a sector for each element" {
    counts 1000 "1.0 of 32 lanes busy" \
        "load x 1000 x 1.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines 12.5 % used"
}

@test "step01: refuses a sum of whole numbers, and one that the last launch has left" {
    refuses whole_sum
    refuses carries_on
    refuses written_once
}

@test "step01: refuses sums in fixed point, of whichever width" {
    refuses int_sixteenths
    [[ $output == *"2^60 times smaller"* ]]
    refuses long_products
}

@test "step01: refuses 24 elements that are left out, and some that are taken again" {
    refuses starts_at_24
    refuses leaves_24_out
    refuses x_of_256
}

@test "step01: refuses a second cell that is written" {
    refuses second_cell
}

@test "step01: refuses one product alone, a square, and a sum added to an old one" {
    refuses only_the_last
    refuses squares
    refuses adds_to_old_sum
}

@test "step01: what learners get wrong is refused by the exercise, under its own name" {
    for mistake in lost_tail too_far only_the_last squares adds_to_old_sum; do
        named $mistake WRONG
    done
}

@test "step01: exercise: begins without its loop, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step01: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step01: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
