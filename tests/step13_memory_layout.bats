load helper.bash

@test "step13: every pattern, layout and shape is right, and the re-laying, too" {
    right --format csv
    [ "${#lines[@]}" -eq 39 ] # the heading, 37 rows, the headline
    [[ $output == *'"copy"'*'"blur, Morton, 1 x 256"'*'"blur, rows, 16 each"'*'"blur, rows, 16 each, local"'* ]]
    [[ $output == *'"transpose, rows, local"'*'"transpose, Morton, 4 each"'*'"rows to Morton'* ]]
}

@test "step13: one pixel, fewer than a tile, whole blocks, and sides that nothing divides" {
    for size in 1 2 50 1003 1024 10007 1000000; do
        right --size $size
    done
    right --size 10007
    [[ $output == *"101 x 101 pixels"* ]]
}

@test "step13: says what is best, and what it costs to leave the rows" {
    right --size 65536
    [[ $output == *": blur, "*" copies ("*": transpose, "*" copies ("*"rows to tiles"*" copies with each blur, "* ]]
}

@test "step13: a size beyond the device's memory is an error" {
    says 2 "are too many for" "$STEM" --size 1000000000000
}

@test "step13: lens: a copy uses all it moves, a transposition of rows an eighth" {
    counts 65536 "load in 512 x 32.0 lanes 16.00 sectors (ideal 16.00) 4.00 lines 100.0 % used" \
        "memory_layout_transpose_rows (pitch=256 side=256), 256 x 256 items in groups of 256 x 1: 32.0 of 32" \
        "store out 2048 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used"
}

# accesses KERNEL SHAPE TEXT : under the lens, the launch of this kernel in groups of this
# shape has such a line.
accesses() {
    run -0 lens --quiet --all --kernel "memory_layout_$1" "$BUILT/$STEM" --repeats 1 --size 65536
    tr -s ' ' <<< "$output" | awk -v shape="groups of $2:" -v text="$3" '
        / items in groups of / { here = index($0, shape) }
        here && index($0, text) { found = 1 }
        END { exit !found }' || { echo "$1, $2: not there: $3"; return 1; }
}

@test "step13: lens: lines that a group of each shape loads from rows and from tiles" {
    accesses transpose_rows "256 x 1" "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    accesses transpose_rows "16 x 16" "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 2.00 lines"
    accesses transpose_rows "8 x 32" "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 4.00 lines"
    accesses transpose_tiles "8 x 32" "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    accesses transpose_tiles "8 x 32" "store out 2048 x 32.0 lanes 8.00 sectors (ideal 4.00) 2.00 lines"
}

@test "step13: lens: 16 each: 3 loads in each row; with local memory 1, and some beside the group" {
    accesses blur_columns "256 x 1" "load in 2304 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    accesses blur_local "256 x 1" "load in 2352 x 32.0 lanes 4.57 sectors (ideal 4.00) 1.63 lines"
    accesses blur_local "256 x 1" "load sums 2048 x 32.0 lanes 1.00 passes"
}

@test "step13: lens: 8 x 32 in Morton order: 4 sectors on both sides" {
    accesses transpose_morton "8 x 32" "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    accesses transpose_morton "8 x 32" "store out 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 2.00 lines"
}

@test "step13: the image's side in place of the rows' pitch is right where they are the same" {
    right --size 1024 --kernel "$(mistake side_for_pitch)"
}

@test "step13: no race in any kernel" {
    no_races --size 10007
    no_races --size 65536
}

@test "step13: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step13: exercise: begins right but with groups that lie wrong, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step13: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step13: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
