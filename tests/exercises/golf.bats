# Points for kernels.
load helper.bash

# golf STEP : its screen, with one's own file in the work folder.
golf() {
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    mkdir -p "$LOCKSTEP_WORK"
    mine=$LOCKSTEP_WORK/$(basename "$(ls "$ROOT/kernels/$1"_*.cl)")
    run python3 "$ROOT/common/commands/exercise" golf "$1"
    echo "$output"
}

@test "golf: the page's table is that of the files, ours has 1000 points, and all others are right" {
    TABLE=$BATS_TEST_TMPDIR/golf.md run -0 python3 "$ROOT/common/commands/exercise" golf
    # (Another version of clang may count a few more.)
    diff <(sed 's/| [0-9 |]*|$//' docs/golf.md) <(sed 's/| [0-9 |]*|$//' "$BATS_TEST_TMPDIR/golf.md")
    paste -d '|' <(grep '^| \[' docs/golf.md) <(grep '^| \[' "$BATS_TEST_TMPDIR/golf.md") |
        awk -F '|' '
            { lines++ }
            / ours / && ($4 + 0 != 1000 || $14 + 0 != 1000) { wrong++ }
            ($4 > $14 ? $4 - $14 : $14 - $4) > 10 { wrong++ }
            END { exit lines < 7 || wrong > 0 }'
    # Every file of the folder is in it.
    [ "$(grep -c '^| \[' docs/golf.md)" -eq $((4 + $(ls docs/golf/*.cl | wc -l))) ]
}

@test "golf: the same file has the same points each time, and a better one fewer" {
    golf step05
    run ! grep -q '^yours' <<< "$output"
    sed 's/float sum = 0.0f;/float sum = 0;/' kernels/step05_dot_strided.cl > "$mine"
    golf step05
    [[ $output =~ yours\ +(999|1000|1001)\ + ]]
    # Contiguous chunks: 32 sectors for 4.
    sed '/void dot_coalesced/,/^}/{
        s/uint i = item;/uint i = item * rounds;/
        s/i += items)/i++)/
        s/if (i < n) .*/i = rounds * items + item;\n    if (i < n)/
    }' kernels/step05_dot_strided.cl > "$mine"
    golf step05
    local first=$output
    [[ $output =~ yours\ +([0-9]+) && ${BASH_REMATCH[1]} -gt 3000 ]]
    golf step05
    [ "$output" = "$first" ]
}

@test "golf: what is wrong, or races, has no points, and is not saved" {
    golf step13b
    cp "$(mistake blocks_only step13b_transpose)" "$mine"
    golf step13b
    [[ $status -eq 0 && $output == *"yours"*"WRONG: the results are wrong in the row"* ]]
    cp "$(mistake no_barrier step13b_transpose)" "$mine"
    golf step13b
    [[ $output == *"yours"*"RACE: "* ]]
    SAVE=bats-test golf step13b
    [[ $status -eq 2 && $output == *"error: it is not saved: RACE: "*"  hint    make step13b check"* ]]
    [ ! -e docs/golf/step13b.bats-test.cl ]
    SAVE='../x' golf step13b
    [[ $status -eq 2 && $output == *"error: SAVE=../x cannot be"* ]]
    SAVE=ours golf step13b
    [[ $status -eq 2 && $output == *"error: SAVE=ours cannot be"* ]]
    golf step18
    [[ $output != *yours* ]]
    SAVE=bats-test golf step18
    [[ $status -eq 2 && $output == *" has no matmul_local"*"  hint    make step18 exercise"* ]]
    run python3 "$ROOT/common/commands/exercise" golf step06
    [[ $status -eq 2 && $output == "error: there is no golf in step06"*"step05, step13b, step18, step20" ]]
}

@test "golf: one's kernel is saved alone, and counts as it did" {
    golf step18
    python3 - kernels/step18_matmul.cl docs/golf/step18.float4.cl > "$mine" << 'END'
import re, sys
ours, other = (open(name).read() for name in sys.argv[1:])
print(re.sub(r"kernel void matmul_local\(.*?^}\n", lambda found: other, ours, flags=re.M | re.S), end="")
END
    golf step18
    points=$(sed -n 's/^yours *\([0-9]*\) .*/\1/p' <<< "$output")
    mkdir -p "$BATS_TEST_TMPDIR/clone"
    cp -r "$ROOT"/{common,docs,kernels,steps,tests} "$BATS_TEST_TMPDIR/clone"
    cd "$BATS_TEST_TMPDIR/clone"
    SAVE=me BUILD=$BUILT run -0 python3 common/commands/exercise golf step18
    [[ $output =~ ^docs/golf/step18.me.cl\ has\ ([0-9]+)\ points$ ]]
    # (Its checksum is another one, and so is the size.)
    [ $((BASH_REMATCH[1] - points)) -le 20 ] && [ $((points - BASH_REMATCH[1])) -le 20 ]
    diff docs/golf/step18.me.cl docs/golf/step18.float4.cl
}
