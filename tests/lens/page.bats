load helper.bash

# The page of --html as a reader uses it.  What it counts is in html.bats.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    command -v python3 > /dev/null || {
        skip_file "no Python, which reads the page"
        return 0
    }
    lens --quiet --html "$BATS_FILE_TMPDIR/use.html" "$BATS_FILE_TMPDIR/launch" \
        tests/lens/page.cl chunks 2048 256 f65536 f2048 n=32 , \
        chunks 2048 32 f65536 f2048 n=32 , chunks 2048 16 f65536 f2048 n=32 , \
        wider_than_a_telephone_is_even_if_it_is_turned_on_its_side 256 256 f256 n=1000000 n=2000000 \
        > /dev/null
    lens --quiet --races --html "$BATS_FILE_TMPDIR/race.html" "$BATS_FILE_TMPDIR/launch" \
        tests/lens/races.cl no_barrier_before 64 64 f64 f64 > /dev/null || [ $? = 1 ]
}

# browse WHAT PAGE : in Chromium, without any network.
browse() {
    command -v chromium && command -v chromedriver || skip "no chromium with chromedriver"
    local apart=()
    ! unshare --net ip link set lo up 2> /dev/null ||
        apart=(unshare --net sh -c 'ip link set lo up; exec "$@"' sh)
    run "${apart[@]}" python3 "$ROOT/tests/lens/browse.py" "$@"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = ok ]
}

# line TEXT [FILE] : the number of the first such line.
line() {
    grep -nF -m 1 -- "$1" "$ROOT/tests/lens/${2:-page.cl}" | cut -d: -f1
}

@test "lens: on a terminal of 80 columns no line is wider, and no word is cut" {
    cd "$ROOT"
    fits 80 84 lens --quiet "$BATS_FILE_TMPDIR/launch" tests/lens/page.cl chunks 2048 256 f65536 f2048 n=32
    fits 80 90 lens --quiet --races "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 1048576 256 f1048576 f1048576 , coalesced 1048576 256 f1048576 f1048576
    fits 60 70 lens --quiet --races "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl no_barrier_before 64 64 f64 f64
}

@test "html: a branch leads to the line that lanes go to, not to what was moved there" {
    local loop=$(($(line 'uint i = get_global_id(0) * rounds;') + 1))
    run -0 python3 "$ROOT/tests/lens/page.py" ways "$BATS_FILE_TMPDIR/use.html" chunks
    [ "${lines[0]}" = "$loop to $((loop + 1)) $((loop + 2))" ]
}

@test "html: it opens at the worst access, its lists and its address are right, and it prints" {
    browse use "$BATS_FILE_TMPDIR/use.html"
}

@test "html: a race's two accesses are drawn, and a button leads to each" {
    grep -qE '"bytes":4,"at":\[\[[0-9]+,0\],\[[0-9]+,0\]\]' "$BATS_FILE_TMPDIR/race.html"
    browse race "$BATS_FILE_TMPDIR/race.html"
}
