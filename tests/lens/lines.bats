load helper.bash

# The lines at the end of kernel files that say how to look at their kernels:
#
#     // lens: NAME(ARGUMENTS) --global ... --local ...
#
# What such a line holds follows `lens kernel FILE`.

# Kernels that have none, and why not.
exceptions="
recorded_commands_by_device  it enqueues launches on the device
"

# lines_of FILE : what these lines of the file hold.
lines_of() {
    sed -n 's|^// lens: ||p' "$1"
}

# look FILE LINE : looks for mistakes in the launch that the line describes; there must be none, and
# all of it must have been looked at.
look() {
    local report call="${2%)*})"
    # shellcheck disable=SC2086 # options are several words
    if ! report=$(lens kernel "$1" "$call" ${2##*)} --races 2>&1) ||
        [[ $report != *$'\nno mistake found in 1 launch' ]]; then
        echo "$1: $2: $report"
        return 1
    fi
}

@test "lines: each launch is right, and small enough to be looked at as a whole" {
    local file line
    export -f look
    for file in kernels/*.cl; do
        while IFS= read -r line; do
            printf '%s\0%s\0' "$file" "$line"
        done < <(lines_of "$file")
    done > "$BATS_TEST_TMPDIR/lines"
    [ -s "$BATS_TEST_TMPDIR/lines" ]
    # shellcheck disable=SC2016 # the inner shell expands it
    run -0 xargs -0 -n 2 -P "$(getconf _NPROCESSORS_ONLN)" bash -c 'look "$0" "$1"' < "$BATS_TEST_TMPDIR/lines"
    [ -z "$output" ]
}

@test "lines: lens check reads the same ones" {
    local file
    for file in kernels/step0[3-5]*.cl kernels/step13c*.cl kernels/step20b*.cl; do
        run -0 lens check "$file"
        [[ $output == *$'\nno mistake found in '"$(lines_of "$file" | wc -l) launch"* ]]
    done
}

@test "lines: each kernel has one, or a reason why not" {
    local file name names failed=0
    for file in kernels/*.cl; do
        names=$(lines_of "$file" | sed 's/(.*//')
        for name in $(awk '/^kernel / { sub(/\(.*/, ""); sub(/.* /, ""); print }
                           /^SPECIAL\(/ { sub(/SPECIAL\(/, "special_"); sub(/,.*/, ""); print }
                          ' <(sed 's/GROUP([0-9A-Z_]*) //' "$file")) ; do
            if grep -q "^$name  " <<< "$exceptions"; then
                ! grep -qx "$name" <<< "$names" || { echo "$file: $name is no exception"; failed=1; }
            elif ! grep -qx "$name" <<< "$names"; then
                echo "$file: $name has no line"
                failed=1
            fi
        done
    done
    [ "$failed" -eq 0 ]
    for name in $(awk '{ print $1 }' <<< "$exceptions"); do
        grep -qE "^kernel .*\b$name\(" kernels/*.cl || { echo "there is no $name"; return 1; }
    done
}

@test "lines: they are at the end of the file, below a blank line" {
    awk 'FNR == 1 { inside = 0; before = "" }
         /^\/\/ lens: / { if (!inside && before != "") print FILENAME ": no blank line above"; inside = 1 }
         inside && !/^\/\/ lens: / { print FILENAME ": this is below: " $0 }
         { before = $0 }' kernels/*.cl > "$BATS_TEST_TMPDIR/wrong"
    cat "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
}
