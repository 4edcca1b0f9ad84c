load helper.bash

# The example of docs/contributing.md, done as the page says, in a copy of the tree.
setup_file() {
    export TREE=$BATS_FILE_TMPDIR/tree
    mkdir "$TREE"
    cd "$BATS_TEST_DIRNAME/.." || return
    tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$TREE"
}

# block NUMBER : that block of code below the heading "Do these eight things".
block() {
    awk -v number="$1" '
        /^## / { below = $0 ~ /^## Do these eight things/ }
        below && /^```/ { inside = !inside; if (inside) count++; next }
        inside && count == number' "$ROOT/docs/contributing.md"
}

# add_kernel FILE : adds the page's kernel below the last one, and its line at the end.
add_kernel() {
    local first
    first=$(grep -n -m 1 '^// lens: ' "$1" | cut -d: -f1)
    sed "$first,\$d" "$1" > "$1.new"
    { block 2; echo; sed -n "$first,\$p" "$1"; } >> "$1.new"
    sed -n 's|^`\(// lens: dot_backwards.*\)`$|\1|p' "$ROOT/docs/contributing.md" >> "$1.new"
    mv "$1.new" "$1"
}

# Makes the changes that the page shows in three places of the program.
change_program() {
    block "$1" | python3 -c '
import re, sys
path = "steps/step05_dot_strided.c"
source = open(path, encoding="utf-8").read()
numbers, rows, kernels = sys.stdin.read().split("...\n")
last_row = rows.split("\n")[0].removesuffix(",")
for old, new in ((r"^enum { COALESCED, .*\n", numbers),
                 (re.escape(last_row) + r"};\n", rows),
                 (r"^ *const size_t of_each_kernel\[\] = .*\n", kernels)):
    source, count = re.subn(old, lambda match: new, source, flags=re.M)
    assert count == 1, old
open(path, "w", encoding="utf-8").write(source)'
}

@test "contributing: each command of the example prints what the page shows" {
    page=$(< "$ROOT/docs/contributing.md")
    [[ $page == *"\`$(grep -c '^@test' "$ROOT"/tests/step05_*.bats) passed, 0 failed, 0 skipped\`"* ]]
    [ "$(grep -c '^== ' "$ROOT/tests/mistakes/step05_dot_strided.diff")" = 13 ]
    [[ $page == *"any of the other 13."* ]]

    unset BUILD FLAGS MAKEFLAGS MFLAGS MAKELEVEL ARGS DEVICE_ARGS
    export SETUP=no CFLAGS=-O0
    cd "$TREE"
    add_kernel kernels/step05_dot_strided.cl
    run -0 bats -f 'each kernel has one' tests/lens/lines.bats
    change_program 4

    # Races; with the target, make builds the lens, too.
    run -0 make -s -j2 step05 races
    [[ $output == *"$(block 7)"* ]]

    # The lens prints the page's lines, in this order.
    shown=()
    while read -r line; do shown+=("$line"); done < <(block 3 | sed -n '/^\$/,/--check$/d; /^\.\.\.$/!p')
    [ "${#shown[@]}" -eq 4 ]
    run -0 sh -c "$(block 3 | sed -n '/^\$/,/--check$/s/^[$>] //p')"
    printed=$output
    for line in "${shown[@]}"; do
        [[ $printed == *"$line"* ]]
        printed=${printed#*"$line"}
    done

    # The program, and the mistake.
    run -0 make -s step05 run ARGS='--all --size 1000003 --repeats 1'
    grep -q '^backwards .* right' <<< "$output"
    { echo; block 11; } >> tests/mistakes/step05_dot_strided.diff
    run ! make -s step05 run MISTAKE=backwards_from_items ARGS='--all --size 1048576 --repeats 1'
    grep -q '^backwards .* WRONG' <<< "$output"
}
