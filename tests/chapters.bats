load helper.bash

# Columns are looked at but for the line that names the device, which may have a long name.
# Step 00 has the same rows at a size that takes less than ten seconds.
@test "steps print at most 12 rows and 96 columns on a CPU" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    problems=$BATS_TEST_TMPDIR/problems
    : > "$problems"
    cd "$ROOT" # whose name may have a blank
    sources=$(ls steps/step*.c)
    for source in $sources; do
        stem=$(basename "$source" .c)
        screen=$BATS_TEST_TMPDIR/$stem
        size=''
        [[ $stem != step00_* ]] || size='--size 1000000'
        DEVICE=cpu run "$stem" --repeats 1 $size --rows "$screen.rows"
        [ "$status" -ne 77 ] || continue # step 22, without MPI
        [ "$status" -eq 0 ]
        echo "$output" > "$screen"
        [[ $output == *"$stem: "* ]]
        awk -F '\t' -v stem="$stem" '
            FNR > 1 && $2 !~ /^headline: / { rows++ }
            END { if (rows > 12) printf "%s: %d rows, at most 12\n", stem, rows }' \
            "$screen.rows" >> "$problems"
        sed "0,/^$stem: /d; /^here: /d" "$screen" | LC_ALL=C.UTF-8 grep -E '^.{97}' |
            sed "s/^/$stem, more than 96 columns: /" >> "$problems"
    done
    [ ! -s "$problems" ] || { cat "$problems"; return 1; }
}

@test "on a CPU every step is right with other data, and ends by pointing to the lens" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        DEVICE=cpu run "$stem" --size 1000 --repeats 1 --seed 7
        [ "$status" -ne 77 ] || continue # step 22, without MPI
        [ "$status" -eq 0 ]
        [[ ${lines[-1]} == *"make ${stem%%_*} lens" ]] || { echo "$stem: ${lines[-1]}"; return 1; }
    done
}

# The commands of README are run by tests/fresh-machine.sh and tests/make.bats; here
# those of the chapters are run as they stand, except that a plain run of a step times each
# launch once, and on a CPU at a small size: here it is the way through make that counts.  The
# tests above have run it there at its default size, and have compiled it for the size 1000.
# A block ```c /tmp/FILE is a file that the reader writes.
@test "commands in chapters work" {
    cd "$ROOT"
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 }
        inside { if (sub(/\\$/, "")) printf "%s", $0; else print }' docs/step*.md docs/workshop.md |
        sort -u > "$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    awk -v folder="$BATS_TEST_TMPDIR" '
        /^```c \/tmp\// { file = folder substr($2, 5); if (files[file]++) exit twice = 1; next }
        /^```/ { file = "" }
        file { print > file }
        END { if (twice) print "two chapters write " file; exit twice }' docs/step*.md
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    local small=''
    [[ $(step03_dot_coalesced --devices) != *" cpu "* ]] || small=' --size 1000'
    while read -r command; do
        case $command in
            'make step22 run'*) [ -s "$BUILT/mpi" ] || continue ;; # a test installs nothing
        esac
        case $command in
            'make step'*' run') command="$command ARGS='--repeats 1$small'" ;;
        esac
        command=${command//\/tmp\//$BATS_TEST_TMPDIR/} # where another user may have such a file
        [ "$BUILT" = "$ROOT/build" ] || command=${command//build\//$BUILT/}
        echo "$command"
        (
            # (A large size takes longer unoptimized than compiling it takes.)
            ! [[ $command =~ MISTAKE=.*--size\ [0-9]{1,6}[^0-9] ]] || quickly
            exec sh -c "$command" < /dev/null > "$BATS_TEST_TMPDIR/out" 2>&1
        ) || { cat "$BATS_TEST_TMPDIR/out"; return 1; }
    done < "$BATS_TEST_TMPDIR/commands"
}
