load helper.bash

@test "every step has its four files, and no file is an orphan" {
    cd "$ROOT"
    for file in steps/step* kernels/step* tests/step* docs/step*; do
        stem=$(basename "${file%.*}")
        for one in "steps/$stem.c" "kernels/$stem.cl" "tests/$stem.bats" "docs/$stem.md"; do
            [ -f "$one" ] || { echo "$file has no $one"; return 1; }
        done
    done
}

@test "every step says at which size its counts are best read" {
    cd "$ROOT"
    for step in steps/*.c; do
        grep -q '^ \* Lens  *--size [0-9]' "$step" || { echo "$step has no such line"; return 1; }
    done
}

@test "every wrong kernel belongs to a step and is refused by a test, and named by the exercise" {
    cd "$ROOT/tests/mistakes"
    for file in *; do
        stem=${file%.diff}
        names=$(sed -n 's/^== \([a-z0-9_]*\)\( (race)\)\{0,1\}: ..*/\1/p' "$file")
        [ "$(wc -w <<< "$names")" -eq "$(grep -c '^== ' "$file")" ]
        [ -z "$(sort <<< "$names" | uniq -d)" ]
        ! grep -qx '    mistakes_refused' "../$stem.bats" || continue
        for mistake in $names; do
            grep -qE "^ *refuses $mistake( |$)" "../$stem.bats" ||
                { echo "not tested: $stem, $mistake"; return 1; }
        done
    done
    for source in ../../steps/step*.c; do
        stem=$(basename "$source" .c)
        [ "$(grep -c '^== ' "$stem.diff")" -ge 2 ] || { echo "too few: $stem"; return 1; }
    done
}

@test "code quoted in docs/ stands in the source, word for word" {
    cd "$ROOT"
    for page in README.md docs/*.md; do
        awk -f tests/quotes.awk "$page"
    done
}

@test "generated tables, screens and contents are up to date" {
    cd "$ROOT"
    sh common/commands/docs.sh "$BATS_TEST_TMPDIR"
    for page in README.md docs/*.md; do
        diff "$page" "$BATS_TEST_TMPDIR/$page" || { echo "make docs writes $page anew"; return 1; }
    done
}

@test "links between pages lead somewhere" {
    cd "$ROOT"
    for page in README.md docs/*.md; do
        grep -oE '\]\([^)#:]+[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link"; exit 1; }
        done
    done
}

@test "chapters are short: under 900 words besides what is generated" {
    cd "$ROOT"
    for page in docs/step*.md; do
        words=$(awk '/^<!-- end/ { inside = 0 } !inside && !/^<!-- / { print } /^<!-- [alrst]/ { inside = 1 }' \
            "$page" | wc -w)
        [ "$words" -lt 900 ] || { echo "$page: $words words"; return 1; }
    done
}

@test "on a CPU every step is right with other data, and ends by pointing to the lens" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        DEVICE=cpu run -0 "$stem" --size 1000 --repeats 1 --seed 7
        [[ ${lines[-1]} == *"make ${stem%%_*} lens" ]] || { echo "$stem: ${lines[-1]}"; return 1; }
    done
}

# The commands of README are run by tests/fresh-machine.sh and tests/make.bats; here
# those of the chapters are run as they stand.
@test "commands in chapters work" {
    cd "$ROOT"
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/step*.md docs/workshop.md |
        sort -u > "$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    while read -r command; do
        echo "$command"
        (
            case $command in *MISTAKE=*) quickly ;; esac
            exec sh -c "$command" < /dev/null > "$BATS_TEST_TMPDIR/out" 2>&1
        ) || { cat "$BATS_TEST_TMPDIR/out"; return 1; }
    done < "$BATS_TEST_TMPDIR/commands"
}
