load helper.bash

@test "step13: each layout in each shape is right, and so is the conversion" {
    right --size 10007 --format csv
    [ "${#lines[@]}" -eq 13 ] # the heading, 11 rows, the headline
    [[ $output == *'"copy, 256 x 1"'*'"blur, rows, 8 x 32"'*'"blur, tiles, 1 x 256"'* ]]
    [[ $output == *'"blur, Morton, 8 x 32"'*'"rows to tiles, 256 x 1"'* ]]
}

@test "step13: one pixel, less than a block, whole blocks, small groups" {
    for size in 1 31 1003 1024; do
        right --size $size
    done
    right --size 100003 --seed 5
    LOCKSTEP_MAX_GROUP=100 right --size 1003
    [[ $output == *"blur, rows, 8 x 8"* ]]
}

# A line for each launch: its kernel and its group, and what a load and a store of 32 lanes
# touch on average: sectors, lines of 128 bytes; a load of more than one pass of the L1 also
# these passes.
@test "step13: lens: wide groups fit rows, 8 x 32 fits tiles, Morton order halves the worst" {
    run -0 lens --quiet --all --kernel '*' "$BUILT/$STEM" --repeats 1 --size 16384
    tr -s ' ' <<< "$output" |
        sed -n 's/^memory_layout_\([a-z_]*\) .* in groups of \([0-9x ]*\):.*/= \1 \2/p
            s/^ \(load in\|store out\) .* lanes \([0-9.]*\) sectors (ideal [0-9.]*) \([0-9.]*\) lines\(.*\)/\1 \2 \3\4/p' |
        awk '$1 == "=" { name = substr($0, 3); next }
            { passes = ""; for (i = 5; i < NF; i++) if ($(i + 1) == "L1") passes = " " $i
              touched[name " " $1] = $3 " " $4 passes }
            END { for (name in touched) if (name ~ / (load|store)$/) print name, touched[name] }' |
        sort > "$BATS_TEST_TMPDIR/touched"
    diff "$BATS_TEST_TMPDIR/touched" - <<'END'
blur_morton 1 x 256 load 16.50 8.50 8.00
blur_morton 1 x 256 store 16.00 8.00
blur_morton 256 x 1 load 8.50 4.50 4.00
blur_morton 256 x 1 store 8.00 4.00
blur_morton 8 x 32 load 6.95 2.67
blur_morton 8 x 32 store 4.00 1.00
blur_rows 1 x 256 load 31.83 31.83 31.83
blur_rows 1 x 256 store 32.00 32.00
blur_rows 256 x 1 load 4.50 1.50
blur_rows 256 x 1 store 4.00 1.00
blur_rows 8 x 32 load 6.47 4.48 3.98
blur_rows 8 x 32 store 4.00 4.00
blur_tiles 1 x 256 load 31.83 8.50 8.00
blur_tiles 1 x 256 store 32.00 8.00
blur_tiles 256 x 1 load 4.50 4.50 4.00
blur_tiles 256 x 1 store 4.00 4.00
blur_tiles 8 x 32 load 6.47 2.67
blur_tiles 8 x 32 store 4.00 1.00
copy 256 x 1 load 4.00 1.00
copy 256 x 1 store 4.00 1.00
to_tiles 256 x 1 load 4.00 4.00 4.00
to_tiles 256 x 1 store 4.00 1.00
END
}

@test "step13: the image's side in place of the rows' pitch is right where they are the same" {
    right --size 1024 --kernel "$(mistake side_for_pitch)"
}

@test "step13: no race in any kernel" {
    no_races --size 1100
}

@test "step13: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step13: exercise: begins right but down the columns, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step13: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step13: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
