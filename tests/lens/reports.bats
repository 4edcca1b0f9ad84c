load helper.bash

# The report as text, as a drawing and as rows.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    all_counts
    report counts -- "${kernels[@]}"
    report counts_again -- "${kernels[@]}"
    report counts_a_third_time -- "${kernels[@]}"
    report drawn --svg "$BATS_FILE_TMPDIR/drawn.svg" -- coalesced 64 64 f64 f64
    lens --quiet --all "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 64 64 f64 f64 , strides 64 64 f2048 f64 , if_else 64 64 f64 f64 \
        > "$BATS_FILE_TMPDIR/text"
}

@test "lens: three runs, one report" {
    cmp "$BATS_FILE_TMPDIR/counts.json" "$BATS_FILE_TMPDIR/counts_again.json"
    cmp "$BATS_FILE_TMPDIR/counts.json" "$BATS_FILE_TMPDIR/counts_a_third_time.json"
}

@test "lens: the report shows the source, and what it is a model of" {
    says_text '^ +[0-9]+      out\[i\] = in\[i\];$'
    says_text '^ +load in +2 x 32.0 lanes +4.00 sectors \(ideal 4.00\) +1.00 lines'
    says_text '^coalesced, 64 items in groups of 64: 32.0 of 32 lanes busy$'
    says_text '^Model: 32 lanes in lockstep; '
}

@test "lens: the report draws sectors, and lanes that work or wait" {
    says_text '^ +[a-z]+\[0\]  \[01234567\]\[89abcdef\]\[ghijklmn\]\[opqrstuv\]$'
    [ "$(grep -oF '.......]' "$BATS_FILE_TMPDIR/text" | wc -l)" -eq 32 ]
    for lane in {0..9} {a..v}; do
        says_text "\\[$lane\.{7}]"
    done
    says_text '^ +[0-9]+  #{32}  if \(i % 2\)$'
    says_text '^ +[0-9]+  (\.#){16}  out\[i\] = in\[i\] \+ 20\.0f;$'
    says_text '^ +[0-9]+  (#\.){16}  out\[i\] = in\[i\] \* 21\.0f;$'
}

@test "lens: --svg draws a square for each of 32 cells, with its lane's number" {
    local file=$BATS_FILE_TMPDIR/drawn.svg
    [[ $(head -n 1 "$file") == "<svg "* ]]
    [ "$(tail -n 1 "$file")" = "</svg>" ]
    [ "$(grep -c '<rect ' "$file")" -eq 36 ] # with 4 frames, and no ground
    [ "$(grep -c 'class="lane"' "$file")" -eq 1 ]
    [ "$(grep -oE '<tspan x="[0-9]*">[0-9]+<' "$file" | sed 's/.*>\(.*\)</\1/' | xargs)" = \
        "$(seq -s ' ' 0 31)" ]
    [[ $(< "$file") == *">0 to 31: lanes; *: several; grey: "* ]]
    [[ $(< "$file") == *"@media(prefers-color-scheme:dark){text{fill:"* ]]
    command -v xmllint > /dev/null || skip "no xmllint, which reads the drawing"
    xmllint --noout "$file"
}

# fields_of_json, fields_of_tsv : "ROW NAME=VALUE" for each field that is not empty.
fields_of_json() {
    sed 's/\[\([0-9]*\),\([0-9]*\),\([0-9]*\)\]/\1x\2x\3/g; s/^{"//; s/}$//' |
        awk -F ',"' '{
            for (i = 1; i <= NF; i++) {
                gsub(/"/, "", $i)
                sub(/:/, "=", $i)
                if ($i !~ /=$/)
                    print NR, $i
            }
        }'
}

fields_of_tsv() {
    awk -F '\t' '
        NR == 1 { columns = split($0, names) }
        NF != columns { print "row", NR, "has", NF, "fields" }
        NR > 1 {
            for (i = 1; i <= NF; i++)
                if ($i != "")
                    print NR - 1, names[i] "=" $i
        }'
}

@test "lens: tab-separated values have the fields of json, and no others" {
    lens --quiet --format tsv "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 64 64 f64 f64 , count_in_groups 1024 256 z1 , if_else 64 64 f64 f64 \
        > "$BATS_TEST_TMPDIR/tsv"
    lens --quiet --format json "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 64 64 f64 f64 , count_in_groups 1024 256 z1 , if_else 64 64 f64 f64 |
        fields_of_json | sort > "$BATS_TEST_TMPDIR/json"
    [[ $(head -n 1 "$BATS_TEST_TMPDIR/tsv") == row$'\t'kernel$'\t'arguments*idle_waits ]]
    fields_of_tsv < "$BATS_TEST_TMPDIR/tsv" | sort | diff "$BATS_TEST_TMPDIR/json" -
    for field in row=atomic row=branch row=barrier global=1024x1x1 most_on_one_address=256; do
        grep -q " $field\$" "$BATS_TEST_TMPDIR/json"
    done
    host waits
    lens --quiet --waits --format tsv "$BATS_FILE_TMPDIR/waits" two_queues |
        fields_of_tsv | sort > "$BATS_TEST_TMPDIR/tsv"
    lens --quiet --waits --format json "$BATS_FILE_TMPDIR/waits" two_queues |
        fields_of_json | sort | diff "$BATS_TEST_TMPDIR/tsv" -
    grep -qx '1 name=for a write' "$BATS_TEST_TMPDIR/tsv"
}

@test "lens: an included file keeps its name and its lines" {
    local folder="$BATS_TEST_TMPDIR/my kernels"
    mkdir "$folder"
    printf '%s\n' '' '' 'float twice(global const float *in, uint i) {' \
        '    return 2.0f * in[i];' '}' > "$folder/twice.clh"
    printf '%s\n' '#include "twice.clh"' \
        'kernel void doubled(global const float *in, global float *out) {' \
        '    out[get_global_id(0)] = twice(in, get_global_id(0));' '}' > "$folder/k.cl"
    run -0 lens --quiet --all "$BATS_FILE_TMPDIR/launch" "$folder/k.cl" doubled 64 64 f64 f64
    [[ $output == *"twice.clh"*"4      return 2.0f * in[i];"*"load in "*" sectors"* ]]
    [[ $output == *"3      out[get_global_id(0)] = twice("*"store out "*" sectors"* ]]
}

@test "lens: --kernel shows one of two" {
    run -0 lens --quiet --kernel permuted --format json "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64 , permuted 64 64 f64 f64
    [[ $output == *'"kernel":"permuted"'* && $output != *'"kernel":"coalesced"'* ]]
}

@test "lens: a kernel prints once, and its buffers are not touched before" {
    whole_pocl # of the small one, printf() crashes
    run --separate-stderr -0 lens --format json "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/counts.cl" prints 1 1 z1
    [[ $output == *'"kernel":"prints"'* && $output != *"count was"* ]]
    [ "$(grep -c 'count was 0' <<< "$stderr")" -eq 1 ]
}

@test "lens: a kernel file shows its lines, wherever it lies" {
    mkdir -p "$BUILT/here" "$BATS_TEST_TMPDIR/there"
    for folder in "$BUILT/here" "$BATS_TEST_TMPDIR/there"; do
        cp "$ROOT/kernels/step03_dot_coalesced.cl" "$folder/mine.cl"
        run -0 lens --quiet --all step03_dot_coalesced --kernel "$folder/mine.cl" --size 1000 --repeats 1
        [[ $output == *"sum += x[i] * y[i];"* ]]
    done
    rm -r "$BUILT/here"
}
