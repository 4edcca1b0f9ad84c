load helper.bash

# The reports and the pages that are stored for docs/.

@test "lens: the reports in docs/ are what it says" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    cd "$ROOT"
    DEVICE=cpu run pages count --check
    echo "$output"
    [ "$status" -ne 77 ] || skip "${lines[-1]}"
    [ "$status" -eq 0 ]
}

# The data are JSON, or page.py fails.
@test "lens: each step has a page with every kernel of its file, and its chapter links to it" {
    local not_replayed=" recorded_commands_by_device " # it enqueues launches on the device
    local file step page kernels kernel
    cd "$ROOT"
    for file in kernels/step*.cl; do
        step=$(basename "$file" .cl)
        page=docs/results/lens/${step%%_*}.html
        grep -qF "(results/lens/${step%%_*}.html)" "docs/$step.md"
        kernels=$(python3 tests/lens/page.py facts "$page" | cut -d' ' -f1)
        for kernel in $(grep -oE '^kernel .*void \w+' "$file" | grep -oE '\w+$'); do
            echo "$page: $kernel"
            [[ $not_replayed == *" $kernel "* ]] || grep -qx "$kernel" <<< "$kernels"
        done
        [ -n "$kernel" ]
    done
}

@test "lens: a stored page has no style and no script of its own, but links to those of the lens" {
    local page address
    cd "$ROOT/docs/results/lens"
    for page in *.html; do
        echo "$page"
        [ "$(grep -cE '<style|<script>' "$page")" -eq 0 ]
        grep -q '<link rel="stylesheet" href="../../../common/lens/report/page/page[a-z_]*.css">' "$page"
        grep -q '<script src="../../../common/lens/report/page/page[a-z_]*.js"></script>' "$page"
        for address in $(grep -oE '(href|src)="\.[^"]*"' "$page" | cut -d'"' -f2); do
            [ -s "$address" ]
        done
        [ "$(wc -c < "$page")" -lt 300000 ] # a clone has all of them
        [ "$(wc -l < "$page")" -lt 500 ]    # and so has a diff of a change of all
    done
}

@test "lens: a browser opens a stored page at the launch that its marker names first" {
    command -v chromium && command -v chromedriver || skip "no chromium with chromedriver"
    run python3 "$ROOT/tests/lens/browse.py" check "$ROOT/docs/results/lens/step05.html"
    echo "$output"
    [ "$output" = ok ]
    grep -q '^{"kernel":"dot_contiguous",' "$ROOT/docs/results/lens/step05.html"
    grep -q '^<!-- page: step05 --size [0-9]* dot_contiguous ' "$ROOT/docs/step05_dot_strided.md"
}

@test "lens: what is wrong with a marker of a page is named" {
    cd "$BATS_TEST_TMPDIR"
    mkdir docs
    ln -s "$ROOT"/{common,kernels,steps} .
    ln -s "$ROOT/docs/results" docs/results
    local words problem make='
import sys
sys.path.insert(0, "common/commands/pages")
import files, stepping
try:
    stepping.make(*sys.argv[1].split())
except files.Problem as problem:
    sys.exit(print(problem, file=sys.stderr) or 2)'
    while IFS='|' read -r words problem; do
        echo "$words"
        BUILD=$ROOT/build says 2 "error: $problem" python3 -c "$make" "$words"
    done << 'END'
step99 x|there is no step99
step05 --size 4096 dot_strided@stride=3|no launch of dot_strided has stride=3
step05 --size 4096 dot_strded|status 2 of
END
}
