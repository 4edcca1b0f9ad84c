load helper.bash

# What the page of --html counts.  How a reader uses it is in page.bats.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    all_counts
    report counts -- "${kernels[@]}"
}

# page WHAT PAGE ... : looks into a page, with tests/lens/page.py.
page() {
    run -0 python3 "$ROOT/tests/lens/page.py" "$@"
}

@test "html: totals are the hand-counted ones, and those of the report" {
    command -v python3 || skip "no Python, which reads the page"
    local file=$BATS_TEST_TMPDIR/page.html kernels
    all_counts
    lens --quiet --format json --html "$file" "$BATS_FILE_TMPDIR/launch" \
        tests/lens/counts.cl "${kernels[@]}" > "$file.json"
    diff "$file.json" "$BATS_FILE_TMPDIR/counts.json" # a page changes no report
    page sums "$file" "$file.json" # of every launch, place by place
    [[ $output =~ ^1[0-9][0-9]' places agree'$ ]]
    page totals "$file" coalesced accesses lanes sectors ideal_sectors used_bytes
    [ "$output" = "4 128 16 16 512" ]
    page totals "$file" strides accesses sectors ideal_sectors # 2 warps x (8 + 16 + 32 + 32 + 4)
    [ "$output" = "10 184 40" ]
    page totals "$file" transpose passes ideal_passes barriers # 32 warps x (1 + 32)
    [ "$output" = "1056 64 1" ]
    page totals "$file" if_else branches diverged
    [ "$output" = "2 2" ]
    page totals "$file" count_in_one operations
    [ "$output" = 256 ] # of one group
}

@test "html: of many groups the worst one, of a million steps the first 2,000" {
    command -v python3 || skip "no Python, which reads the page"
    local file=$BATS_TEST_TMPDIR/page.html
    lens --quiet --html "$file" "$BATS_FILE_TMPDIR/launch" tests/lens/page.cl \
        long_loop 1 1 z8 n=500000 , one_bad_group 128 32 f1024 f128 > /dev/null
    page facts "$file"
    [ "${lines[0]}" = "long_loop 2000 1000001" ]
    [[ ${lines[1]} == "one_bad_group "* ]]
    [ "$(grep -o '"group":[0-9]*' "$file" | xargs)" = "group:0 group:2" ]
    page totals "$file" long_loop accesses branches
    [ "$output" = "500000 500001" ]
    grep -q '"open":1,' "$file" # the launch with the worst access
    [ "$(wc -c < "$file")" -lt 2000000 ]
}

@test "html: a kernel's text stays text, whatever it is" {
    command -v python3 || skip "no Python, which reads the page"
    local file=$BATS_TEST_TMPDIR/page.html kernel=$BATS_TEST_TMPDIR/kernel.cl
    printf '%b\n' 'kernel void hostile(global float *x) {' \
        '    const uint i = get_global_id(0); /* </script><script>alert(1)</script><!-- */' \
        "    x[i] *= 2; // \"quotes\" ' \\\\\\\\ &amp; ]]> </style> \\0303\\0251" \
        '    x[i] += 1; // no UTF-8: \0377 \0303( \0355\0240\0200 \0360\0237 end' '}' > "$kernel"
    run ! iconv -f UTF-8 -t UTF-8 "$kernel"
    lens --quiet --html "$file" "$BATS_FILE_TMPDIR/launch" "$kernel" hostile 64 64 f64 > /dev/null
    page safe "$file" "$kernel"
    [[ $(< "$file") == *"<noscript>"*"<svg "*"</svg>"*"</noscript>"* ]]
}

@test "html: --races shows both lines of a race" {
    local file=$BATS_TEST_TMPDIR/page.html
    run -1 lens --quiet --races --html "$file" "$BATS_FILE_TMPDIR/launch" \
        tests/lens/races.cl no_barrier_before 64 64 f64 f64
    grep -q '"title":"error: no_barrier_before: data race: t in local memory' "$file"
    grep -q '"who":\[\[[0-9]*,"item [0-9]* of group 0 reads"\],\[[0-9]*,"item [0-9]* of group 0 writes"\]' "$file"
}

@test "html: a page that cannot be written is an error, and the old one stays" {
    with_disk 16 true
    local launch=("$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64)
    # shellcheck disable=SC2016 # the words of the inner shell
    run with_disk 16 bash -c 'echo "<!doctype html>old" > "$disk/page.html"
        lens --quiet --html "$disk/page.html" "$@"
        echo "status $?: $(cat "$disk"/*)"' bash "${launch[@]}"
    [[ $output == *"cannot write $disk/page.html: No space left"*"status 2: <!doctype html>old" ]]
    says 2 "cannot write /dev/full" lens --quiet --html /dev/full "${launch[@]}"
    says 2 "cannot write /nowhere/page.html" lens --quiet --html /nowhere/page.html "${launch[@]}"
    says 2 "--html excludes" lens --html page.html --instead "$ROOT/tests/lens/counts.cl" true
    says 77 "made no OpenCL call" lens --html "$BATS_TEST_TMPDIR/none.html" true
    [ ! -e "$BATS_TEST_TMPDIR/none.html" ]
}

# In Chromium, without any network: keys, the slider, the address, widths; and it says nothing
# on the console.
@test "html: a browser steps through the page" {
    command -v chromium && command -v chromedriver && command -v python3 ||
        skip "no chromium with chromedriver, or no Python"
    local file=$BATS_TEST_TMPDIR/page.html apart=()
    lens --quiet --html "$file" "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        transpose 32x32 32x32 f1024 f1024 , if_else 64 64 f64 f64 > /dev/null
    ! unshare --net ip link set lo up 2> /dev/null ||
        apart=(unshare --net sh -c 'ip link set lo up; exec "$@"' sh)
    run -0 "${apart[@]}" python3 tests/lens/browse.py check "$file"
    [ "$output" = ok ]
    lens --quiet --html "$file" "$BATS_FILE_TMPDIR/launch" tests/lens/page.cl one_bad_group \
        64 32 f1024 f64 , wider_than_a_telephone_is_even_if_it_is_turned_on_its_side \
        256 256 f256 n=1000000 n=2000000 > /dev/null
    run -0 "${apart[@]}" python3 tests/lens/browse.py widths "$file#k=1&t=1"
    [ "$output" = ok ]
}
