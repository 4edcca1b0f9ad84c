load helper.bash

# The pictures that gnuplot draws.  `make test` needs no gnuplot: where there is none, what draws
# is skipped, and the data are compared all the same.

need_gnuplot() {
    [ -n "$(type -P gnuplot)" ] || skip "there is no gnuplot"
}

# Sets LIST to the names of all pictures, as `make plots` draws them.
pictures() {
    mapfile -t LIST < <(cd "$ROOT" && PYTHONPATH=common/commands/pages python3 -c '
import charts
print(*charts.plots(), sep="\n")')
    [ "${#LIST[@]}" -gt 40 ]
}

# data SVG : the comment at its end.
data() {
    sed -n '/^<!-- /,$p' "$1"
}

# near : each line of stdin has two numbers that differ by one in two hundred at most.
near() {
    awk '{ seen++; d = $1 - $2; if (d < 0) d = -d; if (d > 0.005 * $2) { print; bad = 1 } }
        END { exit bad || !seen }'
}

@test "plots: all stored pictures have the data that are stored" {
    pictures
    cd "$ROOT"
    for name in "${LIST[@]}"; do
        diff <(data "docs/pictures/$name.svg") <(pages plots --data "$name") || {
            echo "$name.svg is old: make plots draws it again"
            return 1
        }
    done
    # and no picture of a step that has none any more
    [ "$(find docs/pictures -name '*-bars.svg' -o -name '*-roofline.svg' | wc -l)" = \
        "$(printf '%s\n' "${LIST[@]}" | grep -cE -- '-(bars|roofline)$')" ]
}

@test "plots: each bar is as long as the value in the CSV, measured against the axis" {
    cd "$ROOT"
    for step in step02 step04 step05 step11c step13d step15 step20 step21; do
        python3 tests/bars.py "docs/pictures/$step-bars.svg" > "$BATS_TEST_TMPDIR/bars"
        near < "$BATS_TEST_TMPDIR/bars"
    done
    # the values of step 05 are those of the CSV, and not only what the comment says
    python3 tests/bars.py docs/pictures/step05-bars.svg | awk '{ print $1 }' > "$BATS_TEST_TMPDIR/drawn"
    for variant in coalesced "stride 2" "stride 4" "stride 8" "stride 16" "stride 32" contiguous; do
        for device in nvidia-h200 pocl-3.1; do
            awk -F '","|",|,"|,' -v variant="$variant" '
                $1 == "\"step05_dot_strided" && $2 == variant { print $11 }' \
                "docs/results/$device.csv"
        done
    done > "$BATS_TEST_TMPDIR/stored"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/stored")" = 14 ]
    paste -d ' ' "$BATS_TEST_TMPDIR/drawn" "$BATS_TEST_TMPDIR/stored" | near
}

@test "plots: gnuplot draws the stored pictures, and another value is another picture" {
    need_gnuplot
    cd "$ROOT"
    for name in readme-headlines step05-bars step12-bars step18-roofline step08-errors; do
        pages plots --one "$name" > "$BATS_TEST_TMPDIR/$name.svg"
        diff <(data "docs/pictures/$name.svg") <(data "$BATS_TEST_TMPDIR/$name.svg")
    done
    sed 's/^\("step05_dot_strided","stride 4",.*\),25\.2,/\1,61.5,/' docs/results/nvidia-h200.csv > "$BATS_TEST_TMPDIR/h200.csv"
    run -1 cmp -s docs/results/nvidia-h200.csv "$BATS_TEST_TMPDIR/h200.csv"
    pages plots --one step05-bars "$BATS_TEST_TMPDIR/h200.csv" docs/results/pocl-3.1.csv > "$BATS_TEST_TMPDIR/other.svg"
    python3 tests/bars.py "$BATS_TEST_TMPDIR/other.svg" > "$BATS_TEST_TMPDIR/bars"
    near < "$BATS_TEST_TMPDIR/bars"
    diff <(python3 tests/bars.py docs/pictures/step05-bars.svg) "$BATS_TEST_TMPDIR/bars" > "$BATS_TEST_TMPDIR/changed" && return 1
    [ "$(grep -c '^>' "$BATS_TEST_TMPDIR/changed")" = 1 ]
    grep -q '^> .* 61.5$' "$BATS_TEST_TMPDIR/changed"
}

@test "plots: a row with NaN, and half a row, are left out and named" {
    cd "$ROOT"
    local csv=$BATS_TEST_TMPDIR/mine.csv
    sed -e '1s/NVIDIA H200/Somebody'"'"'s/' -e 's/^\("step05_dot_strided","stride 8",.*\),12\.8,/\1,nan,/' \
        -e 's/^\("step05_dot_strided","stride 16",[^,]*,[^,]*\).*/\1/' docs/results/nvidia-h200.csv > "$csv"
    run -0 --separate-stderr pages plots --data step05-bars "$csv"
    [[ $stderr == *"left out: "*"mine.csv:"*": stride 8: its percent_of_limit is nan"* ]]
    [[ $stderr == *"left out: "*"mine.csv:"*": not as many fields as columns"* ]]
    [[ $output == *'93.6 3 "93.6" "" "coalesced"'* && $output != *nan* ]]
    [[ $output != *'"stride 8"'* && $output != *'"stride 16"'* ]]
}

@test "plots: without gnuplot one line says how to get it, and no picture is lost" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    ln -s "$(type -P python3)" "$BATS_TEST_TMPDIR/bin/python3"
    cd "$ROOT"
    run -2 --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin" "$(python3 -c 'import sys; print(sys.executable)')" \
        common/commands/pages plots --one step05-bars
    [ -z "$output" ]
    [[ $stderr == *"there is no gnuplot"*"make plots"* ]]
    run -2 --separate-stderr pages plots --one step99-bars
    [[ $stderr == "error: no plot step99-bars"* ]]
}

@test "plots: a name from a file ends neither a string nor the comment" {
    need_gnuplot
    cd "$ROOT"
    sed '1s/.*/# device: --> "\x27\\ <b> (GPU)/' docs/results/nvidia-h200.csv > "$BATS_TEST_TMPDIR/mine.csv"
    pages plots --one step05-bars "$BATS_TEST_TMPDIR/mine.csv" > "$BATS_TEST_TMPDIR/mine.svg"
    python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$BATS_TEST_TMPDIR/mine.svg"
}

@test "plots: README says of how many headlines the CPU says the opposite" {
    cd "$ROOT"
    local slower
    slower=$(pages plots --data readme-headlines | grep -c 'x slower')
    [ "$slower" = 4 ] && grep -q "in four of the six lessons the CPU says the opposite" README.md
    [ "$(pages plots --data readme-headlines | grep -c '"step ')" = 6 ]
    # the GPU's bars have the headlines beside them, and none of them is slower
    run -1 grep 'x slower.*"step ' <(pages plots --data readme-headlines)
}
