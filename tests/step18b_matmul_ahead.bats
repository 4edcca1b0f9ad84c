load helper.bash

@test "step18b: seven rows are right at an odd size, and csv has nothing but rows" {
    right --size 1003 --format csv
    [ "${#lines[@]}" -eq 9 ] # the heading, seven rows, the headline
    [[ $output == *'"vectors"'*'"two buffers"'*'"8 x 16, ahead"'*'"equal shares"'*'"small, equal shares"'* ]]
}

@test "step18b: a single element, tiles and their edges, a row, a column, many shares" {
    for size in 1 31 20003; do
        right --size $size --seed $size
    done
    right --m 1 --n 300 --k 7
    right --m 300 --n 1 --k 200 --groups 7 --tall 64
    right --m 1290 --n 140 --k 12 --groups 64
    right --rung "equal shares" --m 1100 --n 130 --k 20 --groups 5
    right --rung "equal shares" --m 1100 --n 130 --k 20 --groups 5 --tall 64
}

@test "step18b: a device whose groups are too small, and a share of nothing" {
    LOCKSTEP_MAX_GROUP=100 says 77 "this step needs groups of at least 256 work-items" \
        "$STEM" --size 31 --repeats 1
    says 2 "--tall needs a whole number from 64 to 128" "$STEM" --tall 1
    says 2 "--tall needs 64 or 128, not 65" "$STEM" --size 1 --tall 65
    says 2 "--tall needs 64 or 128, not 127" "$STEM" --size 1 --tall 127
    says 2 "no row is named 'nosuch'" "$STEM" --size 1 --rung nosuch
    says 2 "--k needs a whole number from 1 to 65536" "$STEM" --k 65537
}

@test "step18b: lens: two barriers for each slab or one, and fewer passes for more sums" {
    counts 16384 "matmul_vectors (n=128 k=128), 256 items in groups of 256" \
        "1 group of 8 warps; 32.00 barriers in each" \
        "1 group of 8 warps; 16.00 barriers in each" \
        "1 group of 4 warps; 17.00 barriers in each" \
        "1 group of 4 warps; 6.00 barriers in each" \
        "load A 128 x 32.0 lanes 16.00 sectors (ideal 16.00)" \
        "load b 1024 x 32.0 lanes 4.00 passes (ideal 4.00)" \
        "load b 2048 x 32.0 lanes 2.00 passes (ideal 2.00)"
}

@test "step18b: lens: make step18b lens shows the launch with the most slabs" {
    local report arguments
    read -ra arguments < <(sed -n 's/^ \* Lens  *//p' "$ROOT/steps/$STEM.c")
    run -0 lens --quiet "$BUILT/$STEM" --repeats 3 "${arguments[@]}"
    report=$(tr -s ' ' <<< "$output")
    [[ $report == *'matmul_vectors 16 all 4 all 32.0 none 32'* ]]
    [[ $report == *'matmul_buffers 16 all 4 all 32.0 none 16'* ]]
    [[ $report == *'matmul_ahead 16 all 4 all 32.0 none 17'* ]]
    [[ $report != *'k='* ]]
}

@test "step18b: no race in any kernel" {
    no_races --m 129 --n 30 --k 50 --groups 5
}

@test "step18b: the kernel to do by hand is right for odd and even numbers of slabs" {
    local file=$ROOT/kernels/$STEM.cl slabs count a b c d
    for slabs in '1 1 5 9 13' '2 6 22 38 54' '3 15 51 87 123'; do
        read -r count a b c d <<< "$slabs"
        run -0 lens kernel "$file" \
            "matmul_tiny(A[$((8 * count))]=index, B[$((4 * count))]=1, C[8], k=$((2 * count)))" \
            --global 8 --local 8 --lanes 8 --check
        [[ $output == *"C[8]: $a $a $b $b $c $c $d $d"* ]]
    done
    run -0 lens kernel "$file" 'matmul_tiny(A[24]=index, B[12]=1, C[8], k=6)' \
        --global 8 --local 8 --lanes 4 --races
}

@test "step18b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step18b: exercise: begins right but with two barriers, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step18b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step18b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}

# shares_meet FILE : the kernels' share_of(), compiled as C: do shares of many slabs, whose
# products need more than 32 bits, begin at 0, end at the last one, and differ by 1 at most?
shares_meet() {
    {
        echo '#include <stdint.h>
              typedef uint32_t uint; typedef uint64_t ulong;
              #define INLINE static'
        sed -n '/^INLINE uint share_of(/,/^}/p' "$1"
        echo 'int main(void) {
                  const uint all = 40000007, groups = 1320;
                  for (uint g = 0; g < groups; g++) {
                      const uint count = share_of(g + 1, groups, all) - share_of(g, groups, all);
                      if (count != all / groups && count != all / groups + 1) return 1;
                  }
                  return share_of(0, groups, all) != 0 || share_of(groups, groups, all) != all;
              }'
    } > "$BATS_TEST_TMPDIR/share.c"
    "${CC:-cc}" -o "$BATS_TEST_TMPDIR/share" "$BATS_TEST_TMPDIR/share.c"
    "$BATS_TEST_TMPDIR/share"
}

@test "step18b: shares are right, too, where a product needs more than 32 bits" {
    shares_meet "$ROOT/kernels/$STEM.cl"
    sed 's/(ulong)all \* group/all * group/' "$ROOT/kernels/$STEM.cl" > "$BATS_TEST_TMPDIR/short.cl"
    run ! cmp -s "$ROOT/kernels/$STEM.cl" "$BATS_TEST_TMPDIR/short.cl"
    run -1 shares_meet "$BATS_TEST_TMPDIR/short.cl"
}
