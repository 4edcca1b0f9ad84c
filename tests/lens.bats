load helper.bash

# What the lens counts, and which mistakes it finds.  The kernels lie in tests/lens/;
# comments there work out by hand the numbers that stand here.

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    PATH=$PWD/${BUILD:-build}:$PATH
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_FILE_TMPDIR/launch" \
        tests/lens/launch.c ${LDFLAGS:-} -lOpenCL
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_FILE_TMPDIR/waits" \
        tests/lens/waits.c ${LDFLAGS:-} -lOpenCL
    if lens true 2>&1 | grep -q 'no clang'; then
        skip "no clang that the lens could compile kernels with"
    fi
    local kernels # a launch on each line; between them stands a comma
    read -r -d '' -a kernels < <(sed '$!s/$/ ,/' tests/lens/counts.txt) || true
    report counts -- "${kernels[@]}"
    report counts_again -- "${kernels[@]}"
    report counts_a_third_time -- "${kernels[@]}"
    report groups_of_48 -- coalesced 96 48 f96 f96
    report few_items -- coalesced 5 5 f5 f5
    report lanes_8 --lanes 8 -- coalesced 64 64 f64 f64
    report lanes_16 --lanes 16 -- coalesced 64 64 f64 f64
    report lanes_64 --lanes 64 -- coalesced 64 64 f64 f64
    report sample -- coalesced 1048576 256 f1048576 f1048576
    report five_groups --groups 5 -- coalesced 1048576 256 f1048576 f1048576
    report drawn --svg "$BATS_FILE_TMPDIR/drawn.svg" -- coalesced 64 64 f64 f64
    lens --quiet --all "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 64 64 f64 f64 , strides 64 64 f2048 f64 , if_else 64 64 f64 f64 \
        > "$BATS_FILE_TMPDIR/text"
}

# report NAME [OPTIONS] -- KERNEL ... : keeps what the lens says of these launches.
report() {
    local name=$1 options=()
    while shift && [ "$1" != -- ]; do
        options+=("$1")
    done
    lens --quiet --format json "${options[@]}" "$BATS_FILE_TMPDIR/launch" \
        tests/lens/counts.cl "${@:2}" > "$BATS_FILE_TMPDIR/$name.json"
}

# says_text PATTERN : a line of the text report looks like this.
says_text() {
    grep -qE -- "$1" "$BATS_FILE_TMPDIR/text"
}

# counted KERNEL ROW [NAME] [@TEXT] FIELD=VALUE ... : the report $REPORT has such rows,
# for this memory and for source lines with this text, and all have these values.
# rows=N says how many there are.
counted() {
    local kernel=$1 row=$2 rows word field value lines
    rows=$(grep -F "{\"row\":\"$row\",\"kernel\":\"$kernel\"" \
        "$BATS_FILE_TMPDIR/${REPORT:-counts}.json") || rows=''
    for word in "${@:3}"; do
        field=${word%%=*} value=${word#*=}
        case $word in
            @*)
                lines=$(grep -nF -- "${word#@}" "$ROOT/tests/lens/counts.cl" |
                    cut -d: -f1)
                rows=$(grep -E "\"line\":(${lines//$'\n'/|})," <<< "$rows") || rows=''
                ;;
            rows=*) [ "$(grep -c . <<< "$rows")" = "$value" ] || break ;;
            *=*)
                [ -n "$rows" ] || break
                ! grep -vqF -e "\"$field\":$value," -e "\"$field\":$value}" \
                    -e "\"$field\":\"$value\"" <<< "$rows" || break
                ;;
            *) rows=$(grep -F "\"name\":\"$word\"" <<< "$rows") || rows='' ;;
        esac
        word=''
    done
    [ -z "$word" ] || {
        printf '%s: not %s in\n%s\n' "$*" "$word" "$rows"
        return 1
    }
}

# ---- Global memory.

@test "lens: lanes side by side touch 4 sectors" {
    counted coalesced launch groups=1 groups_replayed=1 busy_lanes=32.00 lanes=32
    counted coalesced load in memory=global rows=1 accesses=2 lanes=32.00 sectors=4.00 \
        ideal_sectors=4.00 lines_of_128=1.00 used_bytes=256 moved_bytes=256
    counted coalesced store out rows=1 accesses=2 lanes=32.00 sectors=4.00 \
        lines_of_128=1.00
}

@test "lens: 2, 4, 8 and 32 elements apart they touch 8, 16, 32 and 32" {
    counted strides load in rows=4 accesses=2 lanes=32.00 ideal_sectors=4.00 \
        used_bytes=256
    counted strides load '@in[2 * i]' sectors=8.00 lines_of_128=2.00 moved_bytes=512
    counted strides load '@in[4 * i]' sectors=16.00 lines_of_128=4.00 moved_bytes=1024
    counted strides load '@in[8 * i]' sectors=32.00 lines_of_128=8.00 moved_bytes=2048
    counted strides load '@in[32 * i]' sectors=32.00 lines_of_128=32.00 moved_bytes=2048
}

@test "lens: misaligned 5 sectors, broadcast 1, in any order 4" {
    counted misaligned load in rows=1 sectors=5.00 ideal_sectors=4.00 lines_of_128=2.00
    counted broadcast load in rows=1 accesses=2 lanes=32.00 sectors=1.00 \
        ideal_sectors=1.00 lines_of_128=1.00 used_bytes=8 moved_bytes=64
    counted permuted load in rows=2 lanes=32.00 sectors=4.00 lines_of_128=1.00
}

@test "lens: pages of 4096 bytes: one, two, one for every second lane, one for each" {
    counted coalesced load in pages_of_4096=1.00
    counted pages load '@in[1024 * i]' lines_of_128=32.00 pages_of_4096=32.00
    counted pages load '@in[512 * i]' lines_of_128=32.00 pages_of_4096=16.00
    counted pages load '@in[1008 + i]' lines_of_128=2.00 pages_of_4096=2.00
    counted pages store out pages_of_4096=1.00
    says_text 'load in .* 4\.00 sectors .* 1\.00 lines  100\.0 % used   1\.00 pages$' # with --all
    [[ $(lens --quiet --kernel coalesced "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl \
        coalesced 64 64 f64 f64) != *"100.0 % used "* ]] # the columns without it
}

@test "lens: bytes, and vectors of 3, 4 and 16" {
    counted bytes load in sectors=1.00 ideal_sectors=1.00 lines_of_128=1.00 \
        used_bytes=64
    counted float4s load in sectors=16.00 ideal_sectors=16.00 lines_of_128=4.00
    counted float4s store out sectors=16.00 ideal_sectors=16.00 lines_of_128=4.00
    counted float16s load in rows=2 accesses=2 sectors=64.00 ideal_sectors=64.00 \
        lines_of_128=16.00
    counted float3s load '@wide = in[i]' accesses=2 sectors=16.00 lines_of_128=4.00
    counted float3s load '@vload3' rows=1 accesses=6 sectors=12.00 ideal_sectors=4.00 \
        lines_of_128=3.00 used_bytes=768
}

@test "lens: one field of a structure, and the whole of it" {
    counted one_field load bodies sectors=32.00 ideal_sectors=4.00 lines_of_128=8.00 \
        used_bytes=256 moved_bytes=2048
    counted whole_struct load bodies sectors=32.00 ideal_sectors=32.00 used_bytes=2048
    counted whole_struct store out sectors=32.00 ideal_sectors=32.00 used_bytes=2048
}

@test "lens: groups of two and three dimensions" {
    counted wide_16 load picture accesses=8 lanes=32.00 sectors=4.00 lines_of_128=2.00
    counted tall_16 load picture accesses=8 lanes=32.00 sectors=16.00 lines_of_128=16.00
    counted wide_8 load picture accesses=2 lanes=32.00 sectors=4.00 lines_of_128=4.00
    counted tall_8 load picture accesses=2 lanes=32.00 sectors=8.00 lines_of_128=8.00
    counted box load in accesses=2 lanes=32.00 sectors=8.00 lines_of_128=2.00 \
        used_bytes=256 moved_bytes=512
    counted box store out sectors=4.00 lines_of_128=1.00
}

# ---- Lanes.

@test "lens: groups that no warp divides, and a launch smaller than a warp" {
    REPORT=groups_of_48 counted coalesced launch groups=2 groups_replayed=2
    REPORT=groups_of_48 counted coalesced load in accesses=4 lanes=24.00 sectors=3.00 \
        lines_of_128=1.25
    REPORT=few_items counted coalesced launch busy_lanes=5.00
    REPORT=few_items counted coalesced load in accesses=1 lanes=5.00 sectors=1.00 \
        used_bytes=20
}

@test "lens: warps of 8, 16 and 64 lanes" {
    REPORT=lanes_8 counted coalesced load in accesses=8 lanes=8.00 sectors=1.00
    REPORT=lanes_16 counted coalesced load in accesses=4 lanes=16.00 sectors=2.00
    REPORT=lanes_64 counted coalesced load in accesses=1 lanes=64.00 sectors=8.00
    REPORT=lanes_64 counted coalesced launch lanes=64 busy_lanes=64.00
}

@test "lens: lanes with different numbers of turns meet behind the loop" {
    counted nested branch '@round < 4' executions=8 diverged=0
    counted nested load '@in[256 + round]' accesses=8 lanes=32.00 sectors=1.00
    counted nested branch '@turn < (i + round)' executions=32 diverged=24
    counted nested load '@in[turn * 64 + i]' rows=1 accesses=24 lanes=16.00
    counted nested store out accesses=2 lanes=32.00
}

@test "lens: a function that is called twice is one line" {
    counted called_twice load in rows=1 accesses=4 lanes=32.00 sectors=6.00 \
        lines_of_128=1.50
}

@test "lens: an early return, if and else, and a switch" {
    counted early_return branch rows=1 executions=2 diverged=1
    counted early_return load in accesses=2 lanes=20.00 sectors=2.50
    counted if_else branch rows=1 executions=2 diverged=2
    counted if_else load in rows=2 accesses=2 lanes=16.00 sectors=4.00 \
        ideal_sectors=2.00
    counted if_else store out rows=2 accesses=2 lanes=16.00 sectors=4.00
    counted four_cases branch rows=1 executions=2 diverged=2
    counted four_cases load in rows=4 accesses=2 lanes=8.00 sectors=4.00 \
        ideal_sectors=1.00
    counted four_cases store out rows=4 accesses=2 lanes=8.00
}

@test "lens: break, continue, && and ||" {
    counted while_true branch '@turn > i % 4' executions=8 diverged=6
    counted while_true branch '@(turn + i / 4)' executions=6 diverged=6
    counted while_true load in rows=1 accesses=6 lanes=8.00
    counted while_true store out accesses=2 lanes=32.00
    counted and_or load '@lane < 16' accesses=2 lanes=16.00
    counted and_or store '@= 30.0f' accesses=2 lanes=16.00
    counted and_or load '@lane < 24' accesses=2 lanes=8.00
    counted and_or store '@= 31.0f' accesses=4 lanes=16.00
}

# ---- Local memory, barriers and atomics.

@test "lens: local memory 1, 2, 32 and 33 words apart" {
    counted local_strides store '@t[l] = 1' passes=1.00 ideal_passes=1.00 memory=local
    counted local_strides store '@t[2 * l] = 2' passes=2.00 ideal_passes=1.00
    counted local_strides store '@t[32 * l] = 3' passes=32.00 ideal_passes=1.00
    counted local_strides store '@t[33 * l] = 4' passes=1.00 ideal_passes=1.00
    counted local_strides load t rows=1 passes=1.00 ideal_passes=1.00
    counted local_float4 store t passes=4.00 ideal_passes=4.00
    counted local_float4 load t passes=4.00 ideal_passes=4.00
}

@test "lens: an interleaved tree takes 3.92 passes, a sequential one 1" {
    for kernel in tree_interleaved tree_sequential; do
        counted $kernel launch barriers_per_group=9.00
        counted $kernel barrier '@    barrier(CLK' rows=2
        counted $kernel load in accesses=8 lanes=32.00 sectors=4.00
        counted $kernel store '@t[l] = in[get_global_id(0)]' accesses=8 passes=1.00
        counted $kernel store sums accesses=1 lanes=1.00
    done
    counted tree_interleaved load '@t[i] += t[i + s]' rows=2 accesses=12 lanes=21.25 \
        passes=3.92 ideal_passes=1.00
    counted tree_interleaved store '@t[i] += t[i + s]' accesses=12 lanes=21.25 \
        passes=3.92
    counted tree_sequential load '@t[l] += t[l + s]' rows=2 accesses=12 lanes=21.25 \
        passes=1.00 ideal_passes=1.00
    counted tree_sequential store '@t[l] += t[l + s]' accesses=12 lanes=21.25 \
        passes=1.00
}

@test "lens: a transposed tile takes 32 passes, with padding 1" {
    counted transpose store tile accesses=32 lanes=32.00 passes=1.00
    counted transpose load tile accesses=32 lanes=32.00 passes=32.00 ideal_passes=1.00
    counted transpose_padded store tile accesses=32 lanes=32.00 passes=1.00
    counted transpose_padded load tile accesses=32 lanes=32.00 passes=1.00 \
        ideal_passes=1.00
}

@test "lens: atomics on one address, on 32, and first in the group" {
    counted count_in_one atomic count accesses=32 lanes=32.00 sectors=1.00 \
        operations=1024 most_on_one_address=1024 lanes_at_one_address=32.00
    counted count_in_32 atomic counts accesses=32 lanes=32.00 sectors=4.00 \
        operations=1024 most_on_one_address=32 lanes_at_one_address=1.00
    counted count_in_groups launch groups=4 barriers_per_group=2.00
    counted count_in_groups atomic count memory=global operations=4 \
        most_on_one_address=4 lanes=1.00
    counted count_in_groups atomic in_group memory=local operations=1024 passes=1.00 \
        lanes_at_one_address=32.00 most_on_one_address=256
}

@test "lens: a compare-exchange that comes too late tries again" {
    counted compare_exchange atomic sum accesses=32 lanes=16.50 operations=528 \
        most_on_one_address=528 lanes_at_one_address=16.50
    counted compare_exchange load sum accesses=32 lanes=16.50
    counted compare_exchange branch executions=32 diverged=31
}

# ---- Kinds of memory, and of kernel files.

@test "lens: volatile, constant and private memory; a structure by value" {
    counted read_twice load in rows=2 accesses=2 sectors=4.00
    counted constants load weights memory=constant accesses=2 addresses=4.00 ideal_addresses=1.00
    counted constants load table memory=constant accesses=2 addresses=1.00
    counted private_array load rows=1 name=in accesses=2
    counted private_array store rows=1 name=out accesses=2
    counted by_value load rows=1 name=in sectors=8.00 lines_of_128=2.00
    counted by_value store rows=1 name=out
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
    run --separate-stderr -0 lens --format json "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/counts.cl" prints 1 1 z1
    [[ $output == *'"kernel":"prints"'* && $output != *"count was"* ]]
    [ "$(grep -c 'count was 0' <<< "$stderr")" -eq 1 ]
}

# ---- Reports.

@test "lens: three runs, one report" {
    cmp "$BATS_FILE_TMPDIR/counts.json" "$BATS_FILE_TMPDIR/counts_again.json"
    cmp "$BATS_FILE_TMPDIR/counts.json" "$BATS_FILE_TMPDIR/counts_a_third_time.json"
}

@test "lens: of a large launch it takes a sample, and says so" {
    REPORT=sample counted coalesced launch groups=4096
    REPORT=sample counted coalesced load in lanes=32.00 sectors=4.00
    [[ $(< "$BATS_FILE_TMPDIR/sample.json") =~ \"groups_replayed\":([0-9]+), ]]
    [ "${BASH_REMATCH[1]}" -ge 100 ]
    [ "${BASH_REMATCH[1]}" -lt 4096 ]
    REPORT=five_groups counted coalesced launch groups=4096 groups_replayed=5
    REPORT=five_groups counted coalesced load in accesses=40
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
    lens --quiet --waits --format tsv "$BATS_FILE_TMPDIR/waits" two_queues |
        fields_of_tsv | sort > "$BATS_TEST_TMPDIR/tsv"
    lens --quiet --waits --format json "$BATS_FILE_TMPDIR/waits" two_queues |
        fields_of_json | sort | diff "$BATS_TEST_TMPDIR/tsv" -
    grep -qx '1 name=for a write' "$BATS_TEST_TMPDIR/tsv"
}

@test "lens: each mistake in its options has its own message and a hint" {
    says 2 "no program to look at" lens
    says 2 "error: --lanes " lens --lanes 5 true
    [[ $stderr == *"'5'"*16*64* ]]
    says 2 "error: --format " lens --format x true
    [[ $stderr == *"'x'"*text*json*tsv* ]]
    says 2 "--groups needs a whole number of at least 1, not '0'" lens --groups 0 true
    says 2 "--colour is not an option" lens --colour true
    says 2 "--lanes needs a value" lens --lanes
    says 2 "cannot run nosuch" lens nosuch
    LENS_CLANG=/nonexistent says 2 "cannot run /nonexistent" \
        lens "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        coalesced 64 64 f64 f64
    run -0 lens --help
    for option in all-launches give-up strict races ours mistake each instead lanes groups kernel all table format \
        svg html preload quiet \
        version help; do
        [[ $output == *"--$option"* ]]
    done
    run -0 lens --version
    [ "$output" = "lens, Lockstep $(sed -n 's/^#define LOCKSTEP_VERSION "\(.*\)"$/\1/p' \
        "$ROOT/common/driver/version.h")" ]
}

# host NAME : builds tests/lens/NAME.c, once for each file of tests.
host() {
    [ -e "$BATS_FILE_TMPDIR/$1" ] || "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_FILE_TMPDIR/$1" \
        "$ROOT/tests/lens/$1.c" ${LDFLAGS:-} -lOpenCL -ldl
}

@test "lens: a program is linked, loads OpenCL late, or is in Python: the report is the same" {
    local launch=("$BATS_FILE_TMPDIR/launch" k.cl odd 64 64 f64 f64) late=("$BATS_FILE_TMPDIR/late" k.cl)
    local python=(/usr/bin/python3 "$ROOT/tests/lens/twice.py" k.cl) names=$BATS_TEST_TMPDIR/names
    host late
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl << 'EOK'
kernel void odd(global const float *in, global float *out) {
    uint i = get_global_id(0);
    if (i % 2)
        out[i] = in[i / 2];
}
kernel void racy(global float *in, global float *out) {
    out[0] = get_global_id(0);
}
EOK
    lens --quiet --all "${launch[@]}" > wanted
    grep -q 'branch  *2 of 2 diverged' wanted
    prints wanted lens --quiet --preload --all "${launch[@]}"
    prints wanted lens --quiet --all "${late[@]}" odd
    run -1 lens --quiet --races "${late[@]}" racy
    [[ $output == "error: racy: data race: "* ]]
    says 77 "late made no launch that was looked at" lens --preload --races "${late[@]}" racy
    # The user's own layers stay, and no call comes to us twice.
    OPENCL_LAYERS=$names/nosuch.so LD_LIBRARY_PATH='' run -0 lens sh -c 'echo "$OPENCL_LAYERS" >&2; exec "$@"' sh "${launch[@]}"
    [[ $output == "$names/nosuch.so:$BUILT/liblens.so"* ]]
    "${python[0]}" -c 'import pyopencl' 2> /dev/null || skip "no PyOpenCL here"
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    "${python[@]}" odd # from now on it is in PyOpenCL's cache
    prints wanted lens --quiet --all "${python[@]}" odd 2> said
    [ "$(cat said)" = "note: PyOpenCL's cache, which hides sources, is off for this run (PYOPENCL_NO_CACHE=1)" ]
}

@test "lens: kernels that are linked of parts, or cloned, and launches beside a user event" {
    host parts
    export POCL_CACHE_DIR=$BATS_TEST_TMPDIR/cache # where PoCL puts headers: it takes no blank there
    for way in linked cloned beside; do
        run -0 lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
        [ "$output" = "no mistake found in 1 launch" ]
        run -1 lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way racy
        [[ $output == "error: racy: data race: "* ]]
    done
    run -0 lens --quiet --all "$BATS_FILE_TMPDIR/parts" linked
    [[ $output == *"3      out[get_global_id(0)] = in[next(get_global_id(0))];"* ]]
    for way in behind after; do
        says 77 "it may wait for an event that the program sets later" \
            lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
    done
    for way in binary unlike; do
        says 77 "its source was not seen: it came as a binary, or was linked from one" \
            lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
        [ "$(grep -c 'its source was not seen' <<< "$stderr")" -eq 1 ]
    done
    # As a driver that has taken SPIR-V answers: PoCL takes none.
    printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <CL/cl.h>' \
        'cl_int clGetProgramInfo(cl_program p, cl_uint what, size_t room, void *to, size_t *size) {' \
        '    cl_int (*real)(cl_program, cl_uint, size_t, void *, size_t *);' \
        '    *(void **)&real = dlsym(RTLD_NEXT, "clGetProgramInfo");' \
        '    return what == 0x1169 && size ? (*size = 4, CL_SUCCESS) : real(p, what, room, to, size); }' \
        > "$BATS_TEST_TMPDIR/il.c"
    "${CC:-cc}" -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_TEST_TMPDIR/il.so" \
        "$BATS_TEST_TMPDIR/il.c" -ldl
    LD_PRELOAD=$BATS_TEST_TMPDIR/il.so says 77 "is not shown: SPIR-V (clCreateProgramWithIL) is not modelled" \
        lens --quiet --races "$BATS_FILE_TMPDIR/parts" binary
    # Nor does it take C++, which stands here where it does no harm.
    LAUNCH_OPTIONS='-cl-std=CL1.2 -DUNUSED=-cl-std=clc++' says 77 "coalesced is not shown: C++ for OpenCL is not" \
        lens --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64
    says 77 "C++ for OpenCL is not modelled" lens kernel --build -cl-std=CLC++ "$ROOT/tests/lens/alone.cl" wide
}

@test "lens: launches of a command buffer are looked at one after another, in either way" {
    host recorded
    "$BATS_FILE_TMPDIR/recorded" second || skip "this device cannot record"
    for option in --races --preload; do
        run -0 lens --quiet --races $option "$BATS_FILE_TMPDIR/recorded" second
        [ "$output" = "no mistake found in 4 launches (2 replayed, the others equal to one of these)" ]
        run -1 lens --quiet --races $option "$BATS_FILE_TMPDIR/recorded" racy
        [[ $output == "error: racy: data race: "* ]]
    done
    run -0 lens --quiet --waits "$BATS_FILE_TMPDIR/recorded" second
    [[ $(tr -s ' ' <<< "$output") == *" for a replay 2 x 0.00 commands left, 2 x none"* ]]
    [[ $output == *"first "*"second "* ]]
    says 77 "a command buffer is not shown: it may hold more than launches" \
        lens --quiet --races "$BATS_FILE_TMPDIR/recorded" second fill
}

@test "lens: what it could not look at is named, and is status 77" {
    local folder=$BATS_TEST_TMPDIR/colon:name quiet=$BATS_TEST_TMPDIR/quiet
    mkdir "$folder"
    cp "$BUILT/lens" "$BUILT/liblens.so" "$BUILT/builtins.cl" "$BUILT/conversions.cl" "$folder"
    says 2 "programs cannot load the lens from $folder" "$folder/lens" --races true
    mkdir "$BATS_TEST_TMPDIR/alone"
    cp "$BUILT/lens" "$BATS_TEST_TMPDIR/alone"
    says 2 "builtins.cl is missing" "$BATS_TEST_TMPDIR/alone/lens" true
    for option in --races --all --format=json; do
        says 77 "true made no OpenCL call that the lens could see" lens $option true
        [ -z "$output" ]
    done
    says 77 "true made no launch that was looked at" lens --preload --races true
    says 1 "false made no OpenCL call that the lens could see" lens --races false
    says 77 "env made no OpenCL call that the lens could see" lens --races env -u OPENCL_LAYERS \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" tree 64 64 f64 f64
    echo 'int main(void) { return 0; }' > "$quiet.c"
    if "${CC:-cc}" -static -o "$quiet" "$quiet.c" 2> /dev/null; then
        for option in --races --preload; do
            says 77 "$quiet made no OpenCL call that the lens could see" lens $option "$quiet"
            [ -z "$output" ]
        done
    fi
    # make races ends with it, too, and goes on with the other steps; make lens does not end so.
    printf '#!/bin/sh\nexit 77\n' > "$BATS_TEST_TMPDIR/lens"
    chmod +x "$BATS_TEST_TMPDIR/lens"
    cd "$ROOT"
    for races in '' --races; do
        BUILD=$BATS_TEST_TMPDIR run -$((${#races} ? 77 : 0)) \
            sh common/commands/lens.sh $races step03_dot_coalesced step05_dot_strided --
        [ "${lines[1]}" = "step05_dot_strided was not looked at, for the reason above" ]
    done
    preload_hold
    LD_PRELOAD=$hold HOLD=mean_of_rows:1 says 77 "could not be looked at" \
        lens --quiet --races step12_concurrent_dispatch --repeats 1 --size 103
    [ -z "$output" ]
}

@test "lens: a signal to it, or to the program, ends both, and is named if it is a crash" {
    says 2 "sh was ended by signal 6" lens --races sh -c 'kill -ABRT $$'
    run -143 lens sh -c 'kill -TERM $$'
    lens sh -c 'kill -TERM $PPID; exec sleep 600' &
    local status=0
    wait $! || status=$?
    [ "$status" -eq 143 ]
}

@test "lens: a full disk is an error, for reports, pictures and what it compiles" {
    [ -e /dev/full ] || skip "no /dev/full here"
    local launch=("$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64)
    for option in --races --all --format=json --format=tsv; do
        says 2 "cannot write the report" sh -c 'lens --quiet "$@" > /dev/full' sh $option "${launch[@]}"
    done
    says 2 "cannot write /dev/full" lens --quiet --all --svg /dev/full "${launch[@]}"
    LENS_CACHE='' TMPDIR=/dev/full says 2 "cannot make /dev/full/lens-" lens --quiet "${launch[@]}"
    run --separate-stderr -0 lens --quiet --races --svg "$BATS_TEST_TMPDIR/none.svg" "${launch[@]}"
    [[ $stderr == *"there was nothing to draw, so "*"none.svg is not written"* ]]
}

# ---- The page of --html.

# page WHAT PAGE ... : looks into a page, with tests/lens/page.py.
page() {
    run -0 python3 "$ROOT/tests/lens/page.py" "$@"
}

@test "html: totals are the hand-counted ones, and those of the report" {
    command -v python3 || skip "no Python, which reads the page"
    local file=$BATS_TEST_TMPDIR/page.html kernels
    read -r -d '' -a kernels < <(sed '$!s/$/ ,/' tests/lens/counts.txt) || true
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

@test "html: of many groups the worst one, of ten million steps the first 2,000" {
    command -v python3 || skip "no Python, which reads the page"
    local file=$BATS_TEST_TMPDIR/page.html
    lens --quiet --html "$file" "$BATS_FILE_TMPDIR/launch" tests/lens/page.cl \
        long_loop 1 1 z8 n=5000000 , one_bad_group 128 32 f1024 f128 > /dev/null
    page facts "$file"
    [ "${lines[0]}" = "long_loop 2000 10000001" ]
    [[ ${lines[1]} == "one_bad_group "* ]]
    [ "$(grep -o '"group":[0-9]*' "$file" | xargs)" = "group:0 group:2" ]
    page totals "$file" long_loop accesses branches
    [ "$output" = "5000000 5000001" ]
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

@test "lens: the reports in docs/ are what it says" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    cd "$ROOT"
    DEVICE=cpu run sh common/commands/count.sh --check
    echo "$output"
    [ "$status" -ne 77 ] || skip "${lines[-1]}"
    [ "$status" -eq 0 ]
}

# ---- Results: what the replay computes is what the device computes.

# same_results < LAUNCHES : of builtins.cl, a kernel and the types of what it writes and reads
# on each line; their replay computes what the device does.
same_results() {
    local words=() name out in
    whole_pocl
    while read -r name out in; do
        words+=(, "$name" 128 32 "${out}8192" "${in}2048" n=128)
    done
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/builtins.cl" "${words[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]] || { echo "$output"; return 1; }
}

@test "lens: its built-ins give the device's results" {
    same_results <<- 'END'
	work_items z i
	math f f
	math_vectors f f
	math_doubles f f
	exact_math f f
	integers z i
	integer_vectors z i
	loads f f
	halves f f
	directed_halves f f
	second_results f f
	conversions z f
	relational z f
	geometric f f
	atomics z i
	END
    # PoCL 5 and 6 lack something that copies between memories need, and give up.
    ! "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/builtins.cl" copies 128 32 f8192 f2048 n=128 ||
        same_results <<< 'copies f f'
}

# lens_on PROGRAM FILE OPTION ... -- WORD ... : the lens with these options on a program of the
# tests, which gets the kernel file and the words.
lens_on() {
    local program=$1 file=$2 options=()
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    lens --quiet "${options[@]}" "$BATS_FILE_TMPDIR/$program" "$ROOT/tests/lens/$file" "${@:2}"
}

# with_images WORDS -- NAME ... : the lens with these words on images.c, which launches all
# that images can do, or these kernels of images.cl.
with_images() {
    [ -e "$BATS_FILE_TMPDIR/images" ] || "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$BATS_FILE_TMPDIR/images" "$ROOT/tests/lens/images.c" ${LDFLAGS:-} -lOpenCL
    lens_on images images.cl "$@"
}

@test "images: reads and writes in each format, with each sampler, give the device's results" {
    whole_pocl
    quickly
    run -0 with_images --compare --
    [ "$output" = "the replay's results are the device's" ]
}

@test "images: texels, those that differ, and sectors of two rows are the hand-counted ones" {
    whole_pocl
    run -0 with_images --kernel '*texels' -- copy_texels between_texels
    output=$(tr -s ' \n' ' ' <<< "$output")
    [[ $output == *' load src (image) 4 x 32.0 lanes 32.00 texels, 32.00 of them different 16.00 sectors (ideal 16.00) 8.00 lines 100.0 % used store to (image) 4 x 32.0 lanes 32.00 texels, 32.00 of them different 16.00 sectors (ideal 16.00) '* ]]
    [[ $output == *' load src (image) 4 x 32.0 lanes 128.00 texels, 44.00 of them different 28.00 sectors (ideal 22.00) '* ]]
    [[ $output == *' src(0,0) 0123456789abcdef src(0,1) ghijklmnopqrstuv '* ]]
    run -0 with_images --format json -- copy_texels
    [[ $output == *'"memory":"image","name":"src","accesses":4,'*'"texels":32.00,"different_texels":32.00,'* ]]
}

@test "images: --races finds races on texels, coordinates outside, functions for other numbers" {
    whole_pocl
    local kernel
    while IFS=: read -r kernel text; do
        run -1 with_images --races -- "$kernel"
        [ "${lines[0]}" = "error: $kernel: $text" ] || { echo "$output"; return 1; }
        [[ $output == *'  hint    '* ]]
    done <<- 'END'
	same_texel:data race: to, an image of 16 x 8, texel (0, 0)
	behind_image:out-of-bounds access: to, an image of 16 x 8, texel (16, 0)
	before_image:out-of-bounds access: src, an image of 16 x 8, texel (0, -1)
	other_numbers:access against image format: src, an image of 16 x 8
	unwritten:uninitialised read: src, an image of 16 x 8, texel (0, 0)
	END
    run -0 with_images --races -- around_image copy_texels between_texels
    [[ $output == 'no mistake found in 3 launches' ]]
}

# declarations : OpenCL C's built-ins with all their types, from clang's own header.
declarations() {
    local compiler=clang number folder
    for number in {40..15}; do
        ! command -v clang-$number > /dev/null || compiler=clang-$number
    done
    folder=$("$compiler" -print-resource-dir)/include
    [ -f "$folder/opencl-c.h" ] || skip "$compiler has no opencl-c.h"
    CLANG=$compiler
    "$compiler" -E -P -x cl -cl-std=CL1.2 -include "$folder/opencl-c.h" - < /dev/null \
        -Xclang -cl-ext=-all,+cl_khr_fp64,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics \
        > "$BATS_TEST_TMPDIR/declarations"
}

@test "lens: it knows each built-in that clang declares, with all of its types" {
    declarations
    cd "$BATS_TEST_TMPDIR"
    awk -v calls=1 -f "$ROOT/tests/lens/builtins.awk" declarations > calls.cl
    [ "$(wc -l < calls.cl)" -gt 9000 ]
    "$CLANG" -x cl -w -O1 -Xclang -disable-llvm-passes -Xclang -cl-ext=+all -cl-std=CL1.2 -S -emit-llvm \
        -include "$ROOT/common/lens/builtins.cl" -o calls.ll calls.cl
    run ! grep -E '^declare .*@_Z[0-9]' calls.ll
}

@test "lens: a sample of all built-ins whose results are exact gives the device's, bit by bit" {
    local kernels=() number # each=1 takes minutes
    declarations
    whole_pocl
    quickly
    cd "$BATS_TEST_TMPDIR"
    awk -v each=23 -f "$ROOT/tests/lens/builtins.awk" declarations > prove.cl
    for ((number = 0; number < $(grep -c '^kernel' prove.cl); number++)); do
        kernels+=(, prove_$number 64 64 z131072 x16384)
    done
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" prove.cl "${kernels[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "lens: every step's kernels give the device's results" {
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        [ "$stem" = step00_device_limits ] && continue # it launches as much as it can
        [ "$stem" = step07_reduce_simd ] && continue   # asks for the device's own way
        [[ $stem == step17* ]] && continue             # libraries' sines have last digits of their own
        [ "$stem" = step10b_group_tail ] && continue   # its kernel writes down the time
        size=20003
        [ "$stem" = step16_shock_filter ] && size=14400 # what follows a line's end means nothing
        run lens --compare --quiet "$stem" --size "$size" --repeats 1
        [ "$status" -ne 77 ] || continue # this device lacks what the step needs, or MPI is missing
        [ "$status" -eq 0 ]
        [[ $output == *"the replay's results are the device's"* ]] || { echo "$stem: $output"; return 1; }
    done
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

@test "lens: a replay that goes wrong would be noticed" {
    whole_pocl
    run -1 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/builtins.cl" file_name 64 64 z64
    [[ $output == *"differ from the device's"* ]]
}

# ---- The table, which is what a report begins with.

# table [OPTIONS] -- KERNEL ... : the lens's report of these launches, in $output.
table() {
    run -0 lens_on launch counts.cl "$@"
    echo "$output"
}

# row TEXT ... : there is a line of these words, however wide its blanks are.
row() {
    grep -qxF -- "$*" < <(tr -s ' ' <<< "$output" | sed 's/^ //')
}

@test "table: a line for each kernel, with its worst access" {
    table -- coalesced 64 64 f64 f64 , tree_interleaved 256 256 f256 f1 , \
        if_else 64 64 f64 f64 , count_in_one 1024 256 z1 , transpose 32x32 32x32 f1024 f1024
    row work-items lanes sectors passes branches barriers atomics
    row kernel in groups of busy "(ideal)" "(ideal)" diverged a group "(on one)"
    row coalesced 64 in 64 32.0 4 "(4)"
    row tree_interleaved 256 in 256 29.8 4 "(4)" 8 "(1)" 6 of 136 9
    row if_else 64 in 64 19.6 4 "(2)" 2 of 2
    row count_in_one 1024 in 256 32.0 1 "(1)" 1024 "(1024)"
    row transpose 32x32 in 32x32 32.0 4 "(4)" 32 "(1)" 1
    [ -z "$(grep -E '^.{97}' <<< "$output")" ]
    [[ $output == *"The worst access: count_in_one, "*" 32 on one address"* ]]
}

@test "table: what was not counted has no column, and is not shown as 0" {
    table -- coalesced 64 64 f64 f64
    row work-items lanes sectors
    row kernel in groups of busy "(ideal)"
    row coalesced 64 in 64 32.0 4 "(4)"
    [[ $output == *"No access is worse than its ideal: coalesced, line "*", load in: 32 lanes, 4 sectors"* ]]
    [[ $output == *"[01234567][89abcdef][ghijklmn][opqrstuv]"* ]]
    [[ $output == *"--kernel NAME shows "*"Model: 32 lanes in lockstep; "* ]]
}

@test "table: arguments in which launches differ, and a sample" {
    echo 'kernel void k(global float *x, uint n, uint stride) {
        if (get_global_id(0) < n)
            x[stride * get_global_id(0)] = n;
    }' > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1048576 256 f2097152 n=1048576 n=1 , \
        k 1048576 256 f2097152 n=1048576 n=2
    echo "$output"
    grep -qE '^k stride=1  1048576 in 256 +[0-9.]+ +4 \(4\) .* [0-9]+ of 4096$' <<< "$output"
    grep -qE '^k stride=2  1048576 in 256 +[0-9.]+ +8 \(4\) .* [0-9]+ of 4096$' <<< "$output"
    [[ $output == *"groups"*"replayed"*"The worst access: k stride=2, line "*"8 sectors (ideal 4)"* ]]
}

@test "table: launches that are made less than half as often are left out" {
    local many=(coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64)
    table -- "${many[@]}" , coalesced 96 48 f96 f96
    [[ $output == *"coalesced"*"64 in 64"* && $output != *"96 in 48"* ]]
    [[ $output == *"1 launch is not shown: "* ]]
    table -- coalesced 64 64 f64 f64 , coalesced 64 64 f64 f64 , coalesced 96 48 f96 f96
    [[ $output == *"64 in 64"*"96 in 48"* && $output != *"not shown"* ]]
    table -- "${many[@]}" , permuted 64 64 f64 f64 # of each kernel on its own
    [[ $output == *"permuted"*"64 in 64"* && $output != *"not shown"* ]]
    many=()
    for size in 1 2 3 4 5 6 7 8 9 10; do
        many+=(, coalesced $((32 * size)) 32 f320 f320)
    done
    table -- "${many[@]:1}"
    [ "$(grep -c ' in 32 ' <<< "$output")" -eq 8 ]
    [[ $output == *"2 launches are not shown: "* ]]
    # Those that differ in an argument are one line, in the table and in the listing.
    many=()
    for n in 12 2 30 4 5 6 7 8 9 10 11 3 13 14 15 16 20 17 18 19; do
        many+=(, takes_long 64 32 z64 n=$n)
    done
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == *$'\nand 12 more of takes_long with other rounds: 3 to 20\n'* && $output != *"not shown"* ]]
    run -0 lens --quiet --kernel '*' "$BATS_FILE_TMPDIR/launch" tests/lens/races.cl "${many[@]:1}"
    [[ $output == "takes_long (rounds=12), "*$'\nand 4 more of takes_long with other rounds: 17 to 20\n'* ]]
    [ "$(grep -c '^takes_long' <<< "$output")" -eq 16 ]
}

@test "table: the worst instance is drawn, not the line with most in all" {
    run -0 lens --quiet step06_reduce_local --repeats 3 --size 65536
    [[ $output == *"The worst access: reduce_local_dense, line "*": 32 lanes, 16 passes (ideal 1)"* ]]
    [[ $output == *"pass 16  u...............v..............."* && $output != *" in 100 "* && $output != *" in 7 "* ]]
    [ -z "$(sed '/The worst/,$d' <<< "$output" | grep -E '^.{97}')" ]
}

@test "table: atomics are drawn as lanes on addresses" {
    table -- count_in_one 1024 256 z1
    [[ $output == *"atomic count: 32 lanes, 32 on one address"*"atomic_inc"* ]]
    [[ $output == *"count[0]  0123456789abcdefghijklmnopqrstuv"* ]]
    table -- count_in_32 1024 256 z32
    [[ $output != *"on one address"* ]]
}

@test "table: --kernel may be repeated; --table keeps it a table, --all is the listing" {
    local launches=(coalesced 64 64 f64 f64 , permuted 64 64 f64 f64 , strides 64 64 f2048 f64)
    table --kernel coalesced --kernel permuted -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"out[i] = in[i];"*"permuted, 64 items"* && $output != *strides* ]]
    table --table --kernel coalesced --kernel permuted -- "${launches[@]}"
    row permuted 64 in 64 32.0 4 "(4)"
    [[ $output != *"64 items"* && $output != *strides* ]]
    table --kernel '*e[dr]*' -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"permuted, 64 items"* && $output != *strides* ]]
    table --all -- "${launches[@]}"
    [[ $output == *"coalesced, 64 items"*"permuted, 64 items"*"strides, 64 items"* ]]
}

@test "table: a step's header can name the kernels that are shown" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p steps common/commands
    cp "$ROOT"/common/commands/lens*.* common/commands/
    sed 's/^ \* Lens .*/ * Lens       --size 16384  dot_single\n *            dot_none/' \
        "$ROOT/steps/step03_dot_coalesced.c" > steps/step03_dot_coalesced.c
    BUILD=$BUILT run -0 sh common/commands/lens.sh step03_dot_coalesced --
    echo "$output"
    [[ $output == *"dot_single"* && $output != *"dot_coalesced "*" in 32"* && $output == *"sectors"* ]]
    BUILD=$BUILT LENS_OPTIONS="--kernel dot_coalesced" run -0 sh common/commands/lens.sh step03_dot_coalesced --
    [[ $output == *"dot_coalesced (n=16384)"* && $output != *"dot_single"* ]]
    BUILD=$BUILT run -0 sh common/commands/lens.sh --races step03_dot_coalesced -- --size 1003
    [[ $output == "no mistake found in 4 launches" ]] # those that are timed have another x
}

@test "divergence: a row for each arm, rounds of loops, and where lanes reconverge" {
    table --kernel nested -- nested 64 64 f512 f64
    [[ $output == *"diverges: the lanes of a warp take turns"* && $output == *"reconverge: "* ]]
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global volatile float *x) {
        const uint i = get_global_id(0);
        if (i % 2)
            for (uint round = 0; round < 12; round++)
                x[i] += 1.0f;
        else
            x[i] = 2.0f;
        x[i] *= 3.0f;
    }' > k.cl
    run -0 lens --quiet --kernel k "$BATS_FILE_TMPDIR/launch" k.cl k 32 32 f32
    echo "$output"
    [ "$(grep -cE '^ +[0-9]+  (\.#){16}' <<< "$output")" -eq 1 ]
    [ "$(grep -cE '^ +[0-9]+  (#\.){16}' <<< "$output")" -eq 1 ]
    grep -qE '^ +[0-9]+  (\.#){16}  .*x 12 rounds' <<< "$output"
    grep -qE '^ +8  #{32}  reconverge: x\[i\] \*= 3.0f;$' <<< "$output"
}

# Two arms call one function: lines 8 and 10 tell them apart, and not line 3.  No access is
# worse than its ideal.
@test "divergence: an arm in a function is shown by the call; the table has the picture, too" {
    cd "$BATS_TEST_TMPDIR"
    echo 'void put(global volatile float *x, uint count) {
        for (uint i = 0; i < count; i++)
            x[32 * i] = 1.0f;
    }
    kernel void k(global volatile float *x) {
        const uint i = get_global_id(0);
        if (i < 8)
            put(x + i, 3);
        else
            put(x + i, 4);
        x[i] = 2.0f;
    }' > k.cl
    run -0 lens --quiet --table --kernel k "$BATS_FILE_TMPDIR/launch" k.cl k 32 32 f128
    echo "$output"
    [[ $output == *"Lanes wait: k, line 7 diverges: the lanes of a warp take turns"* ]]
    grep -qE '^ +8  #{8}\.{24}  put\(x \+ i, 3\);  \(x 3 rounds\)$' <<< "$output"
    grep -qE '^ +10  \.{8}#{24}  put\(x \+ i, 4\);  \(x 4 rounds\)$' <<< "$output"
    grep -qE '^ +11  #{32}  reconverge: x\[i\] = 2.0f;$' <<< "$output"
}

# ---- Mistakes.

# caught TEXT KERNEL GLOBAL LOCAL ARGUMENT ... : the first mistake that is found in this
# kernel of races.cl is of this kind.
caught() {
    local text=$1 kernel=$2
    shift
    run -1 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        "$@"
    [[ ${lines[0]} == "error: $kernel: "*"$text"* ]]
    [[ $output == *"  hint    "* ]]
}

# at SOURCE ... : and the report shows these lines of that kernel, with their numbers.
at() {
    local source number kernel=${lines[0]#error: }
    for source in "$@"; do
        number=$(awk -v kernel="void ${kernel%%:*}(" -v source="$source" '
            /^kernel void / { inside = index($0, kernel) }
            inside && index($0, source) { print FNR; exit }
            ' "$ROOT/tests/lens/races.cl")
        [[ $output =~ "  line $number "[^$'\n']*"  ${source}" ]]
    done
}

@test "races: a missing barrier" {
    caught "data race: t in local memory, bytes 128 to 131 of 256" \
        no_barrier_before 64 64 f64 f1
    at 't[l] = in[get_global_id(0)];' 't[l] += t[l + s];'
    caught "data race: t in local memory" no_barrier_inside 64 64 f64 f1
    at 't[l] += t[l + s];'
    caught "data race: t in local memory" one_barrier_of_two 64 64 f64 f64
    at 'const float before' 't[l] += before;'
    caught "data race: bins in local memory" histogram_no_barrier 64 64 i64 i64
    at 'atomic_inc(&bins' 'counts[get_global_id(0)] = bins[l];'
}

@test "races: several items write one element" {
    caught "data race: out in global memory, bytes 0 to 3 of 4" all_add_to_one 64 64 f1
    at 'out[0] = out[0] + 1.0f;'
    caught "data race: out in global memory, bytes 0 to 3 of 256" two_write_one 64 64 f64 f64
    at 'out[i / 2] = in[i];'
    [[ $output != *"same value"* ]]
    caught "data race: x in global memory, bytes 4 to 7 of 256" moves_in_place 64 64 f64
    at 'x[i] = x[i + 1];'
}

@test "races: one value from all items is a note if it must be one, and a mistake if it need not" {
    local value="  value   all write the same value" file=$ROOT/tests/lens/races.cl
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$file" \
        all_write_one_value 64 64 f64 z1 , all_write_one_value 64 64 f64 z2 , \
        all_write_an_argument 128 64 z1 n=7
    [ "$(grep -c "^note: all_write_one_value: data race: found in global memory" <<< "$output")" -eq 1 ]
    [[ $output == *"$value, and must: most devices forgive that, "* ]]
    [[ $output == *"note: all_write_an_argument: data race: found in global memory"* ]]
    [[ $output == *"no mistake found in 3 launches" && $output != *error:* ]]
    caught "data race: found in global memory" all_write_what_they_read 64 64 z64 z1
    [[ $output == *"$value here: most devices forgive that, "* ]]
    caught "data race: found in global memory" two_arguments 64 64 z1 n=7 n=7
    [[ $output == *"$value here: "* ]]
    run -1 lens --quiet --races --strict "$BATS_FILE_TMPDIR/launch" "$file" \
        all_write_one_value 64 64 f64 z1
    [[ ${lines[0]} == "error: all_write_one_value: data race: found in global memory"* ]]
}

@test "races: between groups, behind a barrier for other memory, without a fence" {
    caught "data race: out in global memory" groups_add_to_same 128 64 f128 f64
    at 'out[l] = in[get_global_id(0)] + out[l];'
    [[ $output == *"of group 1 "*"of group 0 "* ]]
    caught "data race: shared in global memory" wrong_fence 64 64 f64 f64 f64
    [[ $output == *"lacks the fence flag of this memory"* ]]
    at 'shared[i] = in[i];' 'out[i] = shared[i ^ 1];'
    caught "data race: sums in global memory" last_group_no_fence 256 64 f256 f4 z1 f1
    at 'sums[get_group_id(0)] = in' 'total += sums[g];'
    [[ $output == *"missing fence: "* ]]
}

@test "races: a plain access beside atomics, also those of the item itself" {
    caught "data race: count in local memory" reads_after_own_atomic 64 64 z1
    at 'atomic_inc(&count);' 'out[get_group_id(0)] = count;'
    caught "data race: h in local memory" clears_before_atomics 64 64 z64
    at 'h[l] = 0;' 'atomic_inc(&h[l ^ 1]);'
    caught "data race: count in local memory" clears_one_count 32 32 z1
    at 'count = 0;' 'atomic_inc(&count);'
    caught "data race: count in global memory" reads_count_of_groups 128 64 z1 z2
    at 'atomic_inc(count);' 'out[get_group_id(0)] = *count;'
    caught "data race: flag in global memory" writes_beside_exchange 64 64 z1 z64
    caught "data race: flag in global memory" writes_beside_failed_exchange 64 64 z1 z64
    caught "data race: sum in global memory" one_group_without_atomics 128 64 z1
    caught "data race: count in local memory" reads_between_atomics 64 64 z1
    caught "data race: count in global memory" clears_for_all_groups 128 64 z1
    [[ $output == *" item 0 of group 1 does an atomic "*" item 0 of group 0 writes "* ]]
}

@test "races: an access that the compiler removes is looked at all the same, and not counted" {
    caught "data race: last in local memory, bytes 0 to 3 of 4" stores_unread 64 64 z64
    at 'last = get_local_id(0);'
    caught "in in global memory, bytes 256 to 259 of 256" loads_unused 64 64 i64 z64
    [[ $output == *"return in[i];"* ]]
    run -0 lens --quiet --format tsv "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        stores_unread 64 64 z64 , loads_unused 64 64 i64 z64
    [ "$(grep -c ^store <<< "$output")" -eq 2 ]
    run -1 grep -E $'^load\t|\tlast\t' <<< "$output"
}

@test "races: to set components of a vector is not to read it" {
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        sets_components 64 64 e256
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        sets_components 64 64 w256
    caught "uninitialised read: out in global memory, bytes 0 to 15 of 1024" \
        turns_components 64 64 e256
}

@test "races: an element that does not lie where its type must" {
    caught "unaligned access: in in global memory, bytes 4 to 19 of 256" \
        casts_to_int4 16 16 z64 z64
    [[ $output == *"  align   to 4 bytes; the type needs 16"* ]]
    caught "unaligned access: in in global memory, bytes 2 to 5 of 256" \
        casts_to_int 16 16 z64 z64
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        loads_four_anywhere 16 16 z64 z64
}

@test "races: of a large launch, between groups that are neighbours, in x and in y" {
    caught "data race: p in global memory, bytes 4096 to 4099 " \
        writes_next_groups_first 1048576 1024 z1048577
    [[ $output == *"of group 1 "*"of group 0 "* ]]
    caught "data race: p in global memory, bytes 8192 to 8195 " \
        writes_next_row 2048x512 1024x1 z1050624
    [[ $output == *"of group 2 "*"of group 0 "* ]]
}

@test "lens: counts that differ because of other data are shown if all launches are" {
    local launches=(scatter 64 64 i64 z64 , scatter 64 64 b0 z64 , join_pairs 64 64 b0 ,
        scatter 64 64 b0 z64)
    run --separate-stderr -0 lens --quiet --table --kernel scatter "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/races.cl" "${launches[@]}"
    [ "$(grep -c '^scatter ' <<< "$output")" -eq 1 ]
    [[ $output == *"ideal"*": scatter, "*"4 sectors"* ]]
    run --separate-stderr -0 lens --quiet --all-launches --format json --kernel scatter \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" "${launches[@]}"
    [ "$(grep -c '"row":"launch"' <<< "$output")" -eq 2 ]
    [[ $output == *'"name":"out","accesses":2,"lanes":32.00,"sectors":4.00'* ]]
    [[ $output == *'"name":"out","accesses":2,"lanes":32.00,"sectors":2.00'* ]]
    [ -z "$stderr" ]
}

# again [OPTIONS] -- KERNEL ... : what --races says of these launches of races.cl.
again() {
    run lens_on launch races.cl --races "$@"
}

@test "races: of launches with equal arguments those with other data are looked at, too" {
    local same=(, scatter 64 64 b0 z64) many
    again -- scatter 64 64 i64 z64 "${same[@]}" "${same[@]}"
    [ "$status" -eq 0 ] # what scatter writes to is not what it reads
    [ "$output" = "no mistake found in 3 launches (1 replayed, the others equal to one of these)" ]
    again -- scatter 64 64 i64 z64 , join_pairs 64 64 b0 , scatter 64 64 b0 z64
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "error: scatter: data race: out in global memory, bytes 0 to 3 of 256" ]]
    again -- scatter 64 64 i64 z64 , add_to_all 64 64 b0 n=1 , scatter 64 64 b0 z64
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "error: scatter: out-of-bounds access: out in global memory, bytes 256 to "* ]]
    # With new data each time, and so much to do, there is an end of it, unless all is asked for.
    many=(takes_long 64 64 z64 n=100000 , takes_long 64 64 b0 n=100000 , takes_long 64 64 b0 n=100000)
    again -- "${many[@]}"
    [ "$output" = "no mistake found in 2 of 3 launches; --all-launches looks at all" ]
    again --all-launches -- "${many[@]}"
    [ "$output" = "no mistake found in 3 launches" ]
}

@test "races: out of bounds of a buffer" {
    caught "in in global memory, bytes 256 to 259 of 256" reads_past_end 64 64 f64 f64
    at 'out[i] = in[i + 1];'
    caught "in in global memory, bytes -4 to -1 of 256" reads_before_begin 64 64 f64 f64
    at 'out[i] = in[i - 1];'
    caught "out in global memory, bytes 256 to 259 of 256" writes_past_end 64 64 f64 f64
    at 'out[i + 1] = in[i];'
}

@test "races: partly out of bounds of a buffer" {
    caught "in in global memory, bytes 248 to 263 of 256" reaches_past_end 16 16 f64 f64
    at 'out[i] = vload4('
}

@test "races: out of bounds of local memory that is an argument" {
    caught "t in local memory, bytes 256 to 259 of 256" past_local_argument 64 64 l256 f64
    at 't[l + 1] = 1.0f;'
}

@test "races: out of bounds of an array in local memory" {
    caught out-of-bounds past_local_array 64 64 f64
    at 't[l + 1] = 1.0f;'
}

@test "races: out of bounds of a private array" {
    caught out-of-bounds past_private_array 64 64 i64 i64
    at 'digits[in[i]] = 1;'
}

@test "races: uninitialised memory" {
    caught "uninitialised read: t in local memory, bytes 252 to 255 of 256" \
        reads_unwritten_local 64 64 f64 f64
    at 'out[l] = t[l];'
    [[ $output == *"  hint    "*"local memory is uninitialised in each group"* ]]
    caught "uninitialised read: in in global memory, bytes 0 to 3 of 256" \
        reads_unwritten_buffer 64 64 e64 f64
    at 'out[i] = in[i];'
    [[ $output == *"  hint    "*"neither the host nor a kernel"* && $output != *"local memory"* ]]
    caught "uninitialised read: flag in local memory" exchanges_unwritten_local 64 64 z64 n=3
    at 'before = atomic_xchg(&flag, i);'
}

@test "races: a barrier that not all work-items reach" {
    caught "barrier divergence: not reached by all work-items of the group (32 of 64)" \
        barrier_in_branch 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    caught "barrier divergence: not reached by all work-items of the group (63 of 64)" \
        barrier_after_return 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    [[ $output != *constant* ]]
}

@test "races: two barriers instead of one" {
    caught "work-items of the group wait at different barriers" two_barriers 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    [[ $output != *"64 of 64"* ]]
}

# copies_wrong TEXT KERNEL : this mistake is found in this kernel of async.cl.
copies_wrong() {
    run -1 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/async.cl" \
        "$2" 128 64 i256 z256
    echo "$2: $output"
    [[ ${lines[0]} == "error: $2: $1"* ]]
}

@test "races: an asynchronous copy is its group's, and goes on until its event is waited for" {
    # (The driver is not asked: PoCL 6 gives up.)
    for call in 'waits_then_reads()' 'shares_an_event(in[256])' 'copies_every_second(out[256])'; do
        run -0 lens kernel --races "$ROOT/tests/lens/async.cl" "$call" --global 64 --local 64
        [[ $output == *"no mistake found"* ]]
    done
    copies_wrong "data race: tile in local memory, bytes 0 to 3 of 256" reads_before_wait
    [[ $output == *" item 0 of group 0 reads "*" out[l] = tile[l];"*" async copy of group 0 writes "* ]]
    [[ $output == *"  hint    before that, wait for the copy's event"* ]]
    copies_wrong "data race: tile in local memory, bytes 0 to 3 of 256" copies_before_barrier
    [[ $output == *" async copy of group 0 reads "*"  hint    put a barrier before the copy"* ]]
    copies_wrong "data race: tile in local memory, bytes 128 to 131 of 256" two_copies_to_one_place
    copies_wrong "data race: out in global memory, bytes 0 to 3 of 1024" strided_beside_writes
    copies_wrong "out-of-bounds access: tile in local memory" copies_past_end
}

@test "races: asynchronous copies and waits are the same for all items; events come from copies" {
    copies_wrong "async copy divergence: not reached by all work-items of the group (48 of 64)" \
        some_items_copy
    copies_wrong "async copy divergence: work-items of the group want different copies" \
        each_item_copies_its_own
    copies_wrong "wait divergence: work-items of the group wait for different events" \
        waits_for_different
    copies_wrong "wrong event: " waits_for_no_copy
    copies_wrong "async copy without a wait: " never_waits
    copies_wrong "data race: tile in local memory, bytes 256 to 259 of 512" waits_for_one_of_two
    [[ $output == *"error: waits_for_one_of_two: async copy without a wait: "* ]]
}

@test "races: more local memory than the device has, or private arrays than a lane, is an error" {
    echo 'kernel void local_huge(global float *x) {
        local float t[1 << 26];
        t[get_local_id(0)] = x[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0)] = t[get_local_id(0) ^ 1];
    }
    kernel void private_huge(global float *x) {
        float t[1 << 24];
        for (uint i = 0; i < 1 << 24; i++)
            t[i] = i * x[get_global_id(0)];
        x[get_global_id(0)] = t[(uint)x[0] * 7919];
    }' > "$BATS_TEST_TMPDIR/huge.cl"
    # (PoCL 3.1 tells what a kernel needs, and the step stops; PoCL 6 would give up at the
    # launch, where the lens has seen it already.)
    run --separate-stderr lens --races \
        "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/huge.cl" local_huge 32 32 f32
    if [ "$status" = 1 ]; then
        [[ $output == *"local_huge: too much local memory: a group needs 268435456 bytes"* ]]
    else
        [ "$status" = 2 ]
        [[ $stderr == *"local_huge needs 268435456 bytes of local memory for each group"* ]]
        [[ $stderr == *"this device has "* ]]
        [ -z "$output" ]
    fi
    says 2 "private_huge has private arrays of more than 262144 bytes" lens --races \
        "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/huge.cl" private_huge 32 32 f32
    [ -z "$output" ]
}

@test "lens: a kernel that takes long is no mistake: what was counted stays, and a note says so" {
    local launch=("$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" takes_long 64 64 z64)
    run --separate-stderr -0 lens --quiet --races "${launch[@]}" n=3000000
    [[ $stderr == "note: takes_long: step limit exceeded: after 67108864 steps of one group "* ]]
    [ "$output" = "of 1 launch the lens saw only the beginning; apart from that, no mistake found in 1 launch" ]
    run --separate-stderr -77 timeout 60 lens --quiet --kernel takes_long --give-up \
        "${launch[@]}" n=4294967295
    [[ $stderr == "note: takes_long: step limit exceeded: "* && $output != *error* ]]
    [[ $output == *"64 items in groups of 64: 32.0 of 32 lanes busy"*"the last one was not seen to its end"* ]]
    [[ $output == *"branch "*" 0 of 2"[0-9]*" diverged"* ]]
}

@test "races: what the step itself finds wrong is said to be no race" {
    quickly
    run --separate-stderr -1 lens --quiet --races step05_dot_strided --repeats 1 --size 1000 \
        --kernel "$(mistake first_of_each_stride step05_dot_strided)"
    [[ $output == "no mistake found in "* ]]
    [[ $stderr == *"wrong: the sum is "*"ended with status 1: what it found wrong is no race"* ]]
}

@test "races: silent on right kernels" {
    run -0 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        tree 128 64 f128 f2 , tree_in_argument 128 64 f128 f2 l256 , \
        histogram 128 64 i128 z64 , counter 128 64 i128 z1 , \
        float_add 128 64 f128 z1 , ping_pong 128 64 f128 f128 , \
        bytes 64 64 i16 i16 , in_place 64 64 f64 , \
        right_fence 64 64 f64 f64 f64 , branch_of_group 256 64 f256 f256 , \
        reads_own 32 32 f32 f32 , failed_exchange 64 64 z1 z64 , count_in_order 64 64 z64 , \
        sets_by_exchange 128 64 e128 i128
    [ "$output" = "no mistake found in 14 launches" ]
}

@test "races: silent on a last group that adds up behind a fence" {
    run -0 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        last_group 256 64 f256 f4 z1 f1
    [ "$output" = "no mistake found in 1 launch" ]
}

# ---- The steps.

@test "races: silent on every kernel of the steps" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    for file in "$ROOT"/steps/step*.c; do
        grep -q no_races "$ROOT/tests/$(basename "$file" .c).bats" && continue # there
        run lens --races --quiet "$(basename "$file" .c)" --repeats 1 --size 16387
        [ "$status" -eq 77 ] && continue # this device lacks what the step needs
        [ "$status" -eq 0 ]
        [[ $output == *"no mistake found in "* ]]
    done
}

# wrong STEM.MISTAKE TEXT : the mistake is caught before the kernel has run.
wrong() {
    quickly
    run -1 lens --races --quiet "${1%%.*}" --repeats 1 --size 16387 \
        --kernel "$BUILT/mistakes/$1.cl"
    [[ $output == *"error: "*"$2"* ]]
}

@test "races: wrong kernels of the steps that go outside, or race" {
    wrong step02_dot_timed.too_far "out-of-bounds access"
    wrong step03_dot_coalesced.no_bounds_guard "out-of-bounds access"
    wrong step04_dot_groups.no_bounds_guard "out-of-bounds access"
    wrong step04_dot_groups.local_index "data race"
}

# ---- A kernel beside ours.

# beside STATUS STEM FILE [MISTAKE ...] : FILE in place of the step's own kernels, which are
# ours; the names of files after it are known mistakes.
beside() {
    local mistakes=()
    for file in "${@:4}"; do
        mistakes+=(--mistake "$file")
    done
    quickly
    run "-$1" --separate-stderr lens --quiet --ours "$ROOT/kernels/$2.cl" "${mistakes[@]}" \
        "$2" --repeats 1 --size 1003 --kernel "$3"
}

# wrote WHO FILE SOURCE : the second line of the report tells who, where, and the source.
wrote() {
    local number
    number=$(grep -nF -m 1 -- "$3" "$2" | cut -d: -f1)
    [[ ${lines[1]} =~ ^"  line $number "\ *"$1"\ +"$3" ]]
}

@test "beside ours: a lost tail is shown, and named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    beside 1 step03_dot_coalesced "$wrong.lost_tail.cl" "$wrong".{forgets_last_item,lost_tail}.cl
    [[ ${lines[0]} == "dot_coalesced (n=1003): sums[0] is 0.9375, ours has 0" ]]
    wrote "item 0 of group 0, lane 0, wrote it" "$wrong.lost_tail.cl" 'sums[item] = sum;'
    [ "${lines[2]}" = "matches the known mistake $wrong.lost_tail.cl" ]
}

@test "beside ours: what was never written, and who writes it in ours" {
    local stem=step02_dot_timed
    beside 1 $stem "$(mistake nothing_written $stem)"
    [ "${lines[0]}" = "dot_timed (n=1003): sum[0] was never written, ours has -15.8125" ]
    wrote "item 0 of group 0, lane 0, writes it in ours" "$ROOT/kernels/$stem.cl" '*sum = total;'
    [ "${#lines[@]}" -eq 2 ]
}

@test "beside ours: two races whose results are right are told apart" {
    local wrong=$BUILT/mistakes/step06_reduce_local
    for mistake in no_barrier_after_store last_warp_without_barrier; do
        beside 0 step06_reduce_local "$wrong.$mistake.cl" \
            "$wrong".{no_barrier_after_store,last_warp_without_barrier}.cl
        [[ ${lines[0]} == "error: "*": data race: t in local memory, "* ]]
        [ "${lines[-1]}" = "matches the known mistake $wrong.$mistake.cl" ]
    done
}

@test "beside ours: what the device might not survive ends the program, but is named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    beside 1 step03_dot_coalesced "$wrong.no_bounds_guard.cl" "$wrong".{lost_tail,no_bounds_guard}.cl
    [[ ${lines[0]} == "error: dot_coalesced: out-of-bounds access: x in global memory, "* ]]
    [ "${lines[-1]}" = "matches the known mistake $wrong.no_bounds_guard.cl" ]
}

@test "beside ours: of two files with one mistake, and of files without the kernel, not a word" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    cp "$wrong.lost_tail.cl" "$BATS_TEST_TMPDIR/twin.cl"
    echo 'kernel void dot_coalesced(global float *x) { *x = 0; }' > "$BATS_TEST_TMPDIR/other.cl"
    echo 'kernel void dot_coalesced(' > "$BATS_TEST_TMPDIR/broken.cl"
    beside 1 step03_dot_coalesced "$wrong.lost_tail.cl" "$wrong.lost_tail.cl" \
        "$BATS_TEST_TMPDIR"/{twin,other,broken}.cl
    [[ ${lines[0]} == *"sums[0] is 0.9375, ours has 0" ]]
    [[ $output != *"matches the known mistake"* ]]
}

@test "beside ours: a kernel or a function that was added keeps no mistake from being named" {
    local wrong=$BUILT/mistakes/step03_dot_coalesced
    {
        echo 'static float half_of(float x) { return 0.5f * x; }'
        cat "$wrong.lost_tail.cl"
        echo 'kernel void another(global float *x) { *x = half_of(*x); }'
    } > "$BATS_TEST_TMPDIR/mine.cl"
    beside 1 step03_dot_coalesced "$BATS_TEST_TMPDIR/mine.cl" "$wrong".{forgets_last_item,lost_tail}.cl
    [ "${lines[-1]}" = "matches the known mistake $wrong.lost_tail.cl" ]
    [[ $stderr != *"note: "* ]]
}

@test "beside ours: our own kernel makes no difference" {
    beside 0 step03_dot_coalesced "$ROOT/kernels/step03_dot_coalesced.cl" \
        "$(mistake lost_tail step03_dot_coalesced)"
    [ "$output" = "no difference from $ROOT/kernels/step03_dot_coalesced.cl in 4 launches" ] # two of each, with other numbers
}

# differs TEXT STATEMENT : a kernel with one more statement than ours differs so.
differs() {
    local head='kernel void f(global float4 *x, global uchar *c, global double *d) {
        const uint i = get_global_id(0);
        x[i] = i + 0.5f, c[i] = i, d[i] = i;'
    echo "$head }" > "$BATS_TEST_TMPDIR/ours.cl"
    echo "$head $2 }" > "$BATS_TEST_TMPDIR/k.cl"
    cd "$BATS_TEST_TMPDIR"
    run -0 lens --quiet --ours ours.cl "$BATS_FILE_TMPDIR/launch" k.cl \
        f 16 16 e64 e8 e32 2> /dev/null
    [[ ${lines[0]} == "f: $1" ]] || { echo "$output"; return 1; }
}

@test "beside ours: a component, a byte, a double, and last of all a last bit" {
    differs "x[5].s2 is 99, ours has 5.5" 'if (i == 5) x[i].s2 = 99;'
    differs "x[5].s2 is 99, ours has 5.5" 'if (i == 5) x[i].s2 = 99; else x[i] *= 1.00001f;'
    differs "x[0].s0 is 0.500005, ours has 0.5" 'x[i] *= 1.00001f;'
    differs "c[7] is 207, ours has 7" 'c[i] = i + 200 * (i == 7);'
    differs "d[3] is nan, ours has 3" 'if (i == 3) d[i] = nan(0ul);'
    differs "c[20] is 1, which ours never writes" 'if (i == 0) c[20] = 1;'
}

@test "beside ours: a kernel that ours lacks is not compared" {
    echo 'kernel void g(global float *x) { *x = 0; }' > "$BATS_TEST_TMPDIR/ours.cl"
    run --separate-stderr -0 lens --quiet --ours "$BATS_TEST_TMPDIR/ours.cl" \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64
    [ -z "$output" ]
    [[ $stderr == *"note: coalesced is not compared: "* ]]
    says 2 "--ours: cannot read nosuch.cl" lens --ours nosuch.cl true
    says 2 "--mistake needs --ours FILE" lens --mistake "$BATS_TEST_TMPDIR/ours.cl" true
}

# ---- Every mistake of a file in one run.  ours.cl has three kernels; a function and a macro
# serve one of them.

# count_clang : from here on, kernels are compiled under our eyes.
count_clang() {
    local clang
    : > "$BATS_TEST_TMPDIR/calls"
    export LENS_CLANG=$BATS_TEST_TMPDIR/clang
    [ ! -e "$LENS_CLANG" ] || return 0
    clang=$(compgen -c clang- | grep -xE 'clang-(1[5-9]|[2-4][0-9])' | sort -V | head -n 1)
    printf '#!/bin/sh\necho "$@" >> "%s/calls"\nexec %s "$@"\n' "$BATS_TEST_TMPDIR" \
        "${clang:-clang}" > "$LENS_CLANG"
    chmod +x "$LENS_CLANG"
}

# compiled COUNT : so many kernel files did it compile, one clang perhaps several.
compiled() {
    [ "$(grep -- '-emit-llvm' "$BATS_TEST_TMPDIR/calls" | grep -o '/main\.cl' | wc -l)" -eq "$1" ]
}

# each FILE=SED ... : what --each says of ours.cl, changed so.
each() {
    local names=()
    cd "$BATS_TEST_TMPDIR"
    cat > ours.cl <<- 'END'
	#define TWICE(x) (2.0f * (x))
	static inline float more(float x) {
	    return TWICE(x) + 1.0f;
	}
	kernel void turned(global const float *x, global float *out) {
	    local float t[64];
	    const uint i = get_local_id(0);
	    t[i] = x[i];
	    barrier(CLK_LOCAL_MEM_FENCE);
	    out[i] = t[63 - i];
	}
	kernel void plain(global const float *x, global float *out) {
	    const uint i = get_global_id(0);
	    out[i] = more(x[i]);
	}
	kernel void ones(global float *out) { out[get_global_id(0)] = 1.0f; }
	END
    for change in "$@"; do
        sed "${change#*=}" ours.cl > "${change%%=*}"
        names+=(--mistake "${change%%=*}")
    done
    run --separate-stderr -0 lens --quiet --ours ours.cl "${names[@]}" --each \
        "$BATS_FILE_TMPDIR/launch" ours.cl turned 64 64 f64 e64 , plain 64 64 f64 e64
    echo "$output"
    [ "${#lines[@]}" -eq $# ]
}

# verdict NUMBER FILE VERDICT TEXT : so says a line of that.
verdict() {
    IFS=$'\t' read -r file word digest text <<< "${lines[$1]}"
    [ "$file" = "$2" ]
    [ "$word" = "$3" ]
    [[ $text == "$4"* && (-n $4 || -z $text) ]]
}

@test "each: a line for each mistake, with its verdict" {
    each race.cl='s/barrier(.*;//' outside.cl='s/out\[i\] = more/out[i + 1] = more/' \
        unwritten.cl='s/t\[i\] = x/if (i > 0) t[i] = x/' wrong.cl='s/63 - i/62 - min(i, 62u)/' \
        endless.cl='s/out\[i\] = more.*/while (*(volatile global float *)x == 1.0f);/' \
        same.cl='s!{!{ /* begins */!' lacks.cl='s/void plain/void plane/' \
        broken.cl='s/ = t\[63 - i\]/ = t[63 - ]/' unused.cl='s/= 1.0f;/= 1.0f/'
    verdict 0 race.cl RACE 'error: turned: data race: t in local memory, '
    verdict 1 outside.cl OUTSIDE 'error: plain: out-of-bounds access: out in global memory, bytes 256 to 259'
    verdict 2 unwritten.cl UNWRITTEN 'error: turned: uninitialised read: t in local'
    verdict 3 wrong.cl WRONG 'turned: out[0] is 63, ours has 64'
    verdict 4 endless.cl ENDLESS 'error: plain: step limit exceeded: does the kernel terminate? group 0 still runs'
    verdict 5 same.cl SAME ''
    verdict 6 lacks.cl BROKEN ''
    verdict 7 broken.cl BROKEN ''
    verdict 8 unused.cl BROKEN ''
    [[ $stderr == *"broken.cl:"*"error: expected expression"* ]]
}

@test "each: mistakes that cannot be told apart have one digest, others have not" {
    each one.cl='s/63 - i/62 - min(i, 62u)/' two.cl='s/63 - i/i < 63 ? 62 - i : 0/' \
        three.cl='s/63 - i/62 - min(i, 61u)/' four.cl='s!barrier!// barrier!' \
        five.cl='s/^ *barrier.*//' six.cl='s/CLK_LOCAL_MEM_FENCE/CLK_GLOBAL_MEM_FENCE/' \
        seven.cl='s/turned/turned/'
    local digests=()
    for number in 0 1 2 3 4 5 6; do
        IFS=$'\t' read -r _ _ digest _ <<< "${lines[$number]}"
        [[ $digest =~ ^[0-9a-f]{16}$ ]]
        digests+=("$digest")
    done
    [ "${digests[0]}" = "${digests[1]}" ]
    [ "${digests[3]}" = "${digests[4]}" ]
    [ "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" -eq 4 ]
}

@test "each: only kernels that a change may concern are compiled, and none by mistake" {
    count_clang
    each function.cl='s/ + 1.0f/ + 1.5f/' macro.cl='s/2.0f/3.0f/' one.cl='s/63 - i/i/' \
        comment.cl='s!;!; /* so */!' later.cl='s/out\[get_global_id(0)\]/*out/' \
        renamed.cl='s/^static/#define t y\nstatic/'
    verdict 0 function.cl WRONG 'plain: out[0] is 3.5, ours has 3'
    verdict 1 macro.cl WRONG 'plain: out[0] is 4, ours has 3'
    verdict 2 one.cl WRONG 'turned: out[0] is 1, ours has 64'
    verdict 3 comment.cl SAME ''
    verdict 4 later.cl SAME ''
    verdict 5 renamed.cl SAME ''
    compiled 8
}

# Losses, races, and out-of-bounds accesses.  (Of some others a later launch would tell more;
# but a step that has been wrong does not come to it.)
@test "each: the same mistake and the same difference as when the program has it" {
    local stem mistakes options
    quickly
    for stem in step03_dot_coalesced step06_reduce_local; do
        mistakes=("$BUILT/mistakes/$stem".{[lw],no_b}*.cl) options=()
        for file in "${mistakes[@]}"; do
            options+=(--mistake "$file")
        done
        lens --quiet --ours "$ROOT/kernels/$stem.cl" "${options[@]}" --each "$stem" \
            --repeats 1 --size 1003 | cut -f 4 > "$BATS_TEST_TMPDIR/each"
        for file in "${mistakes[@]}"; do
            lens --quiet --ours "$ROOT/kernels/$stem.cl" "$stem" --repeats 1 --size 1003 \
                --kernel "$file" | sed -n '1 { s/^no difference.*//; p; }'
        done > "$BATS_TEST_TMPDIR/alone"
        diff "$BATS_TEST_TMPDIR/alone" "$BATS_TEST_TMPDIR/each"
    done
}

@test "each: wants ours, and a program whose kernels are ours" {
    says 2 "--each needs --ours FILE" lens --each true
    each same.cl=''
    echo 'kernel void f(global float *x) { *x = 0.0f; }' > other.cl
    run --separate-stderr -0 lens --quiet --ours other.cl --mistake same.cl --each \
        "$BATS_FILE_TMPDIR/launch" ours.cl ones 64 64 f64
    [ -z "$output" ]
    [[ $stderr == *"note: ones is not compared: "* ]]
    sed 's/t\[i\] = x\[i\]/t[i] = x[i + 1]/' ours.cl > wrong.cl
    says 2 "own turned is wrong" lens --quiet --ours wrong.cl --mistake same.cl --each \
        "$BATS_FILE_TMPDIR/launch" wrong.cl turned 64 64 f64 e64
}

# ---- A replay in place of the device.

# instead STATUS STEM FILE ARGUMENTS : the step judges what a replay of the file's kernels
# has made.
instead() {
    run "-$1" --separate-stderr lens --instead "$3" "$2" --repeats 1 --format csv "${@:4}"
    output+=$'\n'$stderr # where the product is text, the rows go to stderr
}

# other_text STEM : the step's own kernels, but in other words: every function has an empty
# statement more.
other_text() {
    sed 's/^}$/    ;\n}/' "$ROOT/kernels/$1.cl" > "$BATS_TEST_TMPDIR/$1.cl"
    echo "$BATS_TEST_TMPDIR/$1.cl"
}

@test "instead: the program's own check judges what the replay makes" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    local stem=step03_dot_coalesced
    instead 1 $stem "$BUILT/mistakes/$stem.lost_tail.cl" --size 10007
    [[ $output == *'"32 work-items",'*'"WRONG"'* ]]
    instead 0 $stem "$(other_text $stem)" --size 10007
    [[ $output == *'"ok"'* && $output != *WRONG* && $output != *"note: "* ]]
    instead 0 $stem "$ROOT/kernels/$stem.cl" --size 10007
    [[ $output == *'"ok"'* && $output != *WRONG* ]]
    [[ $stderr == *"note: no kernel was replaced"* ]]
}

@test "instead: also with several queues, queues without order, threads, and recorded commands" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    for pair in step11_timeline_gaps.next_word step12_concurrent_dispatch.own_mean \
        step20_fizzbuzz_uniform.stride_12 step21_fizzbuzz_devices.byte_phase; do
        instead 1 "${pair%.*}" "$BUILT/mistakes/$pair.cl" --size 4099
        [[ $output == *'"WRONG"'* ]]
        instead 0 "${pair%.*}" "$(other_text "${pair%.*}")" --size 4099
        [[ $output == *'"ok"'* && $output != *WRONG* && $stderr != *"note: "* ]]
    done
}

@test "instead: every launch is replayed, and the whole of it" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void plus(global int *x) { x[get_global_id(0)] += 1; }' > ours.cl
    echo 'kernel void plus(global int *x) { x[get_global_id(0)] += 2; }' > other.cl
    cat > look.c <<- 'END'
	#include <CL/cl.h>
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv) {
	    static int x[1 << 20];
	    const char *source = "kernel void plus(global int *x) { x[get_global_id(0)] += 1; }";
	    const size_t items = 1 << 20, group = 64;
	    cl_platform_id platform;
	    cl_device_id device;
	    clGetPlatformIDs(1, &platform, NULL);
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
	    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	    clBuildProgram(program, 1, &device, "", NULL, NULL);
	    cl_kernel kernel = clCreateKernel(program, "plus", NULL);
	    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_READ_ONLY,
	                                   sizeof x, x, NULL);
	    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
	    for (int i = 0; i < atoi(argv[argc - 1]); i++)
	        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
	    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL);
	    long sum = 0;
	    for (size_t i = 0; i < items; i++)
	        sum += x[i];
	    printf("%ld\n", sum);
	    return 0;
	}
	END
    "${CC:-cc}" -DCL_TARGET_OPENCL_VERSION=120 -o look look.c ${LDFLAGS:-} -lOpenCL
    run -0 lens --instead other.cl ./look 3
    [ "$output" = $((3 * 2 * 1024 * 1024)) ]
    run -0 ./look 3
    [ "$output" = $((3 * 1024 * 1024)) ]
}

@test "instead: what has to be stopped ends the program, and says what it was" {
    local stem=step03_dot_coalesced
    instead 1 $stem "$BUILT/mistakes/$stem.no_bounds_guard.cl" --size 10007
    [[ $output == *"error: dot_coalesced: out-of-bounds access: x in global memory, "* ]]
    stem=step06_reduce_local
    run -1 lens --races --instead "$BUILT/mistakes/$stem.no_barrier_in_rounds.cl" $stem \
        --repeats 1 --size 1003
    [[ $output == *"error: "*": data race: t in local memory, "* ]]
}

@test "instead: what cannot be replayed is an error" {
    echo 'kernel void other(global float *x) { *x = 0.0f; }' > "$BATS_TEST_TMPDIR/other.cl"
    says 2 "dot_single cannot be replaced: the file after --instead has no such kernel" \
        lens --instead "$BATS_TEST_TMPDIR/other.cl" step03_dot_coalesced --repeats 1 --size 103
    says 2 "--instead excludes --ours" lens --instead "$BATS_TEST_TMPDIR/other.cl" \
        --ours "$BATS_TEST_TMPDIR/other.cl" true
    preload_hold
    LD_PRELOAD=$hold HOLD=timeline_gaps:2 says 2 \
        "timeline_gaps cannot be replaced: it may wait for an event" lens \
        --instead "$BUILT/mistakes/step11_timeline_gaps.next_word.cl" step11_timeline_gaps \
        --repeats 1 --size 103
}

# ---- The device's own macros.

# conditions CONDITION : ours.cl copies; other.cl goes outside where the condition is true.
conditions() {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void copy(global const float *x, global float *out) {
        const uint i = get_global_id(0);
        out[i] = x[i];
    }' > ours.cl
    { printf '%s\n' "$1" 'enum { FAR = 1 };' '#else' 'enum { FAR = 0 };' '#endif'
        sed 's/ x\[i\]/ x[i + FAR]/' ours.cl; } > other.cl
}

# defined MACRO : does the device's compiler define it?
defined() {
    printf '%s\n' "#ifndef $1" '#error no' '#endif' 'kernel void k(global float *x) { *x = 0; }' \
        > "$BATS_TEST_TMPDIR/k.cl"
    "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1 1 f1 2> /dev/null
}

@test "macros: what is wrong only with the device's own is seen to be wrong" {
    local macro count=0
    for macro in __x86_64__ __aarch64__ POCL_DEVICE_ADDRESS_BITS __OPENCL_VERSION__; do
        defined "$macro" || continue
        count=$((count + 1))
        for condition in "#ifdef $macro" "#if 1 + $macro >= 2" "#if !defined NONE && defined($macro)"; do
            conditions "$condition"
            run -1 lens --quiet --races "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
            [[ $output == "error: copy: out-of-bounds access: x in global memory, bytes 256 "* ]]
            run -1 --separate-stderr lens --quiet --ours ours.cl --mistake other.cl \
                "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
            [ "${lines[-1]}" = "matches the known mistake other.cl" ]
            run -0 --separate-stderr lens --quiet --ours ours.cl --mistake other.cl --each \
                "$BATS_FILE_TMPDIR/launch" ours.cl copy 64 64 f64 e64
            [[ $output == other.cl$'\t'OUTSIDE$'\t'* ]]
        done
        conditions "#ifndef $macro"
        run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
    done
    [ "$count" -ge 1 ]
}

@test "macros: values are the device's, and what only it understands does no harm" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global int *x) { x[0] = __OPENCL_VERSION__ + __INT_MAX__ / 2; }' > k.cl
    run -0 lens --quiet --compare "$BATS_FILE_TMPDIR/launch" k.cl k 1 1 i1
    [ "$output" = "the replay's results are the device's" ]
    defined POCL_DEVICE_ADDRESS_BITS || skip "no PoCL"
    printf '%s\n' 'kernel void k(global float *x) {' '#ifdef POCL_DEVICE_ADDRESS_BITS' \
        'x[0] = _cl_sqrt(x[0]);' '#endif' '}' > k.cl
    run -0 --separate-stderr lens --quiet --races "$BATS_FILE_TMPDIR/launch" k.cl k 1 1 f1
    [ "$output" = "no mistake found in 1 launch" ]
    [[ $stderr == *"the replay is without them"* ]]
}

@test "macros: a device that does not answer is looked at as before" {
    conditions '#ifdef __x86_64__'
    POCL_EXTRA_BUILD_FLAGS='-DLENS_STRING=1 -Werror' run -0 --separate-stderr lens --quiet --races \
        "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
    [ "$output" = "no mistake found in 1 launch" ]
}

@test "macros: a kernel that reads a clock shows the same in each replay" {
    defined __x86_64__ || skip "another processor"
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global ulong *x) {
        uint unit;
        x[0] = __builtin_ia32_rdtsc();
        x[1] = __builtin_ia32_rdtscp(&unit);
        x[2] = x[1] > x[0] && unit == 0;
    }' > ours.cl
    sed 's/ == 0;/ == 1;/' ours.cl > other.cl
    run -0 lens --quiet --ours ours.cl --mistake other.cl --each "$BATS_FILE_TMPDIR/launch" \
        ours.cl k 1 1 i6
    [[ $output == *$'\tWRONG\t'*$'\tk: x[2] is 0, ours has 1' ]]
}

# ---- What is left to do when the host has waited; comments in waits.c say why.

# left WAY ROW ... : the report on waits.c has these rows, and no others.
left() {
    run -0 lens --quiet --waits "$BATS_FILE_TMPDIR/waits" "$1"
    [ "$(tr -s ' ' <<< "${lines[*]:1}")" = " ${*:2}" ]
    [ "${#lines[@]}" -eq $# ]
}

@test "waits: what came before in a queue has ended, in another it has not" {
    left in_order "for a write 1 x 2.00 commands left, 0 x none" \
        "blocking read 1 x 1.00 commands left, 0 x none" \
        "clFinish 3 x 0.00 commands left, 3 x none"
}

@test "waits: from event to event, across queues" {
    left two_queues "for a write 1 x 2.00 commands left, 0 x none" \
        "for several events 1 x 0.00 commands left, 1 x none" \
        "clFinish 2 x 0.00 commands left, 2 x none"
}

@test "waits: without an order only barriers and markers wait for all" {
    left out_of_order "for a write 2 x 1.00 commands left, 0 x none" \
        "for a marker 1 x 0.00 commands left, 1 x none" \
        "clFinish 2 x 0.00 commands left, 2 x none"
}

@test "waits: as json; and nothing is told unless it is asked for" {
    run -0 lens --quiet --waits --format json "$BATS_FILE_TMPDIR/waits" two_queues
    [ "${lines[0]}" = '{"row":"wait","kernel":"host","name":"for a write","waits":1,"left":2.00,"idle_waits":0}' ]
    [ "${#lines[@]}" -eq 3 ]
    run --separate-stderr -77 lens --quiet "$BATS_FILE_TMPDIR/waits" two_queues
    [[ -z $output && $stderr == *"made no launch that was looked at"* ]]
}

# ---- What clang made is kept.

# look [FILE] : the report on a step, whose kernels are compiled under our eyes.
look() {
    count_clang
    run -0 lens --quiet step03_dot_coalesced --size 1003 --repeats 1 "$@"
}

@test "cache: a second run compiles nothing, and reports the same; another compiler compiles" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    compiled 1
    local report=$output
    look
    compiled 0
    [ "$output" = "$report" ]
    echo '# another' >> "$LENS_CLANG"
    look
    compiled 1
    PATH=$BATS_TEST_TMPDIR:$PATH LENS_CLANG=clang run -0 lens --quiet step03_dot_coalesced \
        --size 1003 --repeats 1 # found in PATH, it is the same compiler
    compiled 1
    [ "$output" = "$report" ]
    echo "$(< "$ROOT/kernels/step03_dot_coalesced.cl") // changed" > "$BATS_TEST_TMPDIR/k.cl"
    look --kernel "$BATS_TEST_TMPDIR/k.cl"
    compiled 1
    LENS_CACHE='' look
    compiled 1
    [ "$output" = "$report" ]
}

@test "cache: an entry that is cut off or damaged is made anew" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    local report=$output entry
    entry=$(echo "$LENS_CACHE"/*)
    cp "$entry" "$BATS_TEST_TMPDIR/entry"
    for damage in 'truncate -s 10000' 'truncate -s 7' 'sed -i s/define/DEFINE/'; do
        $damage "$entry"
        look
        compiled 1
        [ "$output" = "$report" ]
        look
        compiled 0
    done
}

@test "cache: builtins.cl is precompiled once, changes nothing, and is made anew if damaged" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    local report header
    again() { # another run, that compiles; the first one made the folder
        rm -f "$LENS_CACHE"/*
        look
        [ "$output" = "$report" ]
    }
    look
    report=$output
    again
    grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    again
    compiled 1
    grep -q -- '-include-pch' "$BATS_TEST_TMPDIR/calls"
    run ! grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    header=$(echo "$LENS_CACHE"/.*.pch)
    for damage in 'truncate -s 5000' 'truncate -s 0' 'sed -i 1s/^..../else/'; do
        $damage "$header"
        again
        [ ! -e "$header" ]
        again
        [ -s "$header" ]
    done
}

@test "cache: a folder that takes no files, or is none, does no harm" {
    look
    local report=$output
    : > "$BATS_TEST_TMPDIR/file"
    for folder in /proc /dev/full "$BATS_TEST_TMPDIR/file" /nonexistent/cache; do
        LENS_CACHE=$folder look
        compiled 1
        [ "$output" = "$report" ]
    done
}

@test "cache: a file that includes others is compiled each time" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    echo 'constant float factor = 2.0f;' > "$BATS_TEST_TMPDIR/factor.clh"
    printf '%s\n' '#include "factor.clh"' 'kernel void k(global float *x) { *x = factor; }' \
        > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1 1 f1
    [ ! -e "$LENS_CACHE" ]
}

# ---- A kernel without a program.

# alone CALL OPTIONS ... : the report on a kernel of tests/lens/alone.cl; no driver is there.
alone() {
    run env OCL_ICD_VENDORS=/nowhere lens kernel tests/lens/alone.cl -D COUNT=1 "$@"
}

@test "kernel: computes what it should, of values that are given" {
    alone 'product(a=index, b=(1))' --global 64,64 --local 16,4 --check
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'launch   product(a[4096]=index, b[4096]=(1), c[4096]=0, n=64) --global 64,64 --local 16,4' ]
    [ "${lines[1]}" = 'guessed  a[4096]=index b[4096]=(1) c[4096]=0 n=64' ]
    [ "${lines[2]}" = 'c[4096]: 2016 2016 2016 2016 2016 2016 2016 2016 ...' ] # 0 + 1 ... + 63
    [[ $output == *'product  64x64 in 16x4   32.0    2 (1)  0 of 8320'* ]]

    alone 'types(v = (1, 2, 3, 4), two=2, half_of=5e-1, minus=-3, large=0xffffffffffff)' \
        --global 4 --local 2 --check
    [[ $output == *$'\nout[4]: 18.5 18.5 18.5 18.5\n'* ]]
    [[ $output == *$'\ncopy[4]: 281474976710655 2814'* ]]
    alone 'types(v = (1, 2, 3, 4), two=2, half_of=5e-1, minus=-3)' --global 4 --local 2 --kernel types
    [[ $output == *$'\ntypes ('*'v=(1,2,3,4) '*'minus=-3'*'), 4 items'* ]]

    printf '\1\0\0\0\2\0\0\0\3\0\0\0' > "$BATS_TEST_TMPDIR/raw" # little-endian
    alone "wide(in=file:$BATS_TEST_TMPDIR/raw)" --global 1 --check
    [[ $output == *'in[3]=file:'*$'\nout[1]: 1\n'* ]]
    alone 'wide(in[6]=(7,8,9,10), out=unset)' --global 2 --check
    [[ $output == *$'\nout[2]: 7 10\n'* ]]
    alone 'wide(in=5..5)' --global 2 --check
    [[ $output == *$'\nout[2]: 5 5\n'* ]]
}

@test "kernel: what is not given is guessed, said, and enough" {
    alone wide # 1024 work-items; an element for each is too few
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = 'guessed  in[4096]=random out[1024]=0 --global 1024 --local 256' ]
    [[ $output == *'12 (4)'* ]]
    alone 'tree(x=1)' --global 192,1 --check # 16 is the largest group up to 16
    [[ $output == *'part[16]'*'--local 16,1'*$'\nsums[192]: 16 16 16 16 16 16 16 16 ...'* ]]
    alone shaped # its groups, four in each dimension
    [[ $output == *'--global 32,16 --local 8,4'* ]]
    run -0 lens kernel "$ROOT/kernels/step01_dot_single.cl" --quiet # the only one there
    [[ $output == *dot_single* ]]
    # An array says how large groups may be, and a kernel in how many dimensions it is.
    run -0 lens kernel "$ROOT/kernels/step08_sum_accuracy.cl" sum_blocked
    [[ $output == *" --local 32"$'\n         (larger groups leave an array: --local gives'* ]]
    run -0 lens kernel "$ROOT/kernels/step13b_transpose.cl" transpose_local --table
    [[ $output == *" --global 64,64 --local 16,16"* && $output != *"larger groups"* ]]
    alone 'tree(part=64)' # of 256 work-items
    [[ $output == *"out-of-bounds"*$'\n  hint    what is guessed may not suit the kernel: --local sets its groups'* ]]
}

@test "kernel: images have a texel for each work-item, of numbers as the kernel reads them" {
    run -0 lens kernel tests/lens/images.cl 'write_ui(in=index)' --global 8,4 --check
    [[ $output == 'launch   write_ui(to[8x4]=0, in[32]=index) '*$'\nto[32]: 0 0 0 0 1 1 1 1 2 2 2 2 '* ]]
    run -0 lens kernel tests/lens/images.cl \
        'read_f(src[16x8]=(1, 2, 3, 4), how=(linear,repeat,normalized))' --global 64 --check
    [[ $output == *'how=(linear,repeat,normalized)'*$'\nout[256]: 4 5 6 7 4 5 6 7 '* ]]
}

@test "kernel: the same counts as of a program's launch, and the same pictures" {
    run -0 lens kernel tests/lens/counts.cl 'coalesced(in[64], out[64])' --global 64 --local 64 \
        --format json --svg "$BATS_TEST_TMPDIR/one.svg"
    diff <(grep '^{' <<< "$output" | sed 's|tests/lens/counts.cl|kernel.cl|') \
        "$BATS_FILE_TMPDIR/drawn.json"
    cmp "$BATS_TEST_TMPDIR/one.svg" "$BATS_FILE_TMPDIR/drawn.svg"
}

@test "kernel: --races finds races, accesses outside, uninitialised reads" {
    alone 'scatter(places=index)' --races
    [ "$status" -eq 0 ]
    [[ $output == *'no mistake found in 1 launch'* ]]
    alone 'scatter(places=0..9)' --races
    [ "$status" -eq 1 ]
    [[ $output == *'error: scatter: data race: out in global memory'* ]]
    alone 'wide(in[3070])' --races # the last that is read is 3 * 1023 = 3069
    [ "$status" -eq 0 ]
    alone 'wide(in[3069])' --races
    [ "$status" -eq 1 ]
    [[ $output == *'in in global memory, bytes 12276 to 12279 of 12276'* ]]
    alone 'wide(in=unset)' --races
    [[ $status -eq 1 && $output == *'uninitialised read: in'* ]]
    alone 'tree(part=64)' # bytes of local memory
    [[ $status -eq 1 && $output == *'part in local memory, bytes 64 to 67 of 64'* ]]
}

@test "kernel: docs/cllens.md shows what its first example prints" {
    run -0 lens kernel kernels/step05_dot_strided.cl 'dot_contiguous(x=random, y=1, n=65536)' \
        --global 4096
    [[ $output == *'compiled by clang 15' ]] || skip "another clang than the page's"
    [[ $(< docs/cllens.md) == *"${output%%$'\n\n--kernel'*}"* ]]
}

@test "kernel: a wrong call is an error with a hint" {
    local file=tests/lens/alone.cl call
    for call in 'nothing' 'wide(n=1)' 'wide(in=much)' 'wide(in[x])' 'wide(in=1' 'wide(in=1) 2' \
        'wide(in=1, in=2)' 'product(n=random)' 'product(n=-1)' 'product(n=1.5)' 'wide(in=9..0)' \
        'product(n[4]=1)' 'wide(in=file:/nowhere)' 'wide(in[1000000000000])'; do
        says 2 'error: ' lens kernel -DCOUNT=1 "$file" "$call"
    done
    says 2 'several kernels' lens kernel -DCOUNT=1 "$file"
    says 2 'does not compile' lens kernel "$file" wide
    says 2 'one word too many' lens kernel "$file" wide wide
    says 2 'cannot read /nowhere' lens kernel /nowhere
    says 2 'no kernel file' lens kernel
    says 2 'no multiple' lens kernel -DCOUNT=1 "$file" wide --global 100 --local 64
    says 2 '--global cannot be' lens kernel -DCOUNT=1 "$file" wide --global 1,2,3,4
    says 2 'requires groups of 8 by 4' lens kernel -DCOUNT=1 "$file" shaped --local 8
    says 2 'not possible here' lens kernel --ours "$file" "$file"
    says 2 'not possible here' lens --global 64 true
    says 77 'several samples' lens kernel -DCOUNT=1 "$file" depth # an image of depth
    says 2 'give 2 numbers' lens kernel tests/lens/images.cl 'copy_texels(src[64])'
    says 2 'it is a sampler' lens kernel tests/lens/images.cl 'read_f(how=linea)'
}

# all_sizes CALL OPTIONS ... : a kernel of tests/lens/sizes.cl at all sizes; warps have 32
# lanes, and groups two warps, unless OPTIONS say something else.
all_sizes() {
    run env OCL_ICD_VENDORS=/nowhere lens kernel tests/lens/sizes.cl "$1" --all-sizes \
        --local 64 --lanes 32 "${@:2}"
    echo "$output"
}

# shows_alone TEXT : the command in $output shows the same mistake, with this text.
shows_alone() {
    local command mistake
    command=$(grep -A1 '^To see it alone:' <<< "$output" | tail -n 1)
    [[ $command == *"$1"* ]]
    mistake=$(eval "$command" | grep '^error: ')
    [[ -n $mistake && $output == *"$mistake"* ]]
}

@test "all sizes: a right kernel has no mistake in any case" {
    all_sizes right_tree --local 3
    [ "$status" -eq 0 ]
    [[ $output == *'t[local]'* && $output == *' in 894 cases '*'n from 1 to 300; groups of 3;'* ]]
    run -0 lens kernel tests/lens/sizes.cl no_size --all-sizes --order last
    [[ $output == *'groups of 1, 3, 32, 64, 100, 128, 256'*'warps of 4, 8, 16, 32, 64 lanes'* ]]
    all_sizes places # and is said to have other results
    [ "$status" -eq 0 ]
    [[ $output == *'  note    the result depends on the order of warps: places[0] is 0 with --order '*'(n=33, '* ]]
}

@test "all sizes: the smallest case with a mistake, and the command that shows it" {
    all_sizes off_by_one --local 4
    [[ $status -eq 1 && $output == *'fails: n=1, --global 4 --local 4;'*'x[n] was guessed'* ]]
    shows_alone "off_by_one(x[1]=random, y[1]=0, n=1)' --global 4 --local 4"
    run lens kernel tests/lens/sizes.cl 'far_neighbour' --all-sizes
    [[ $status -eq 1 && $output == *'fails: n=33, --global 33 --local 1;'*'bytes 132 to 135 of 132'* ]]
    shows_alone 'x[33]=random'
    run lens kernel tests/lens/sizes.cl 'far_neighbour(x[2*(n+1)/2])' --all-sizes --local 64
    [ "$status" -eq 0 ]
    run lens kernel tests/lens/sizes.cl one_warp --all-sizes
    [[ $status -eq 1 && $output == *'data race: t in local memory'* ]]
    shows_alone '--local 32 --lanes 16'
    all_sizes neighbour
    [[ $status -eq 1 && $output == *'n=1,'*'uninitialised read: t in local memory'* ]]
    all_sizes late_reader --order turns
    [ "$status" -eq 0 ]
    all_sizes late_reader
    [[ $status -eq 1 && $output == *'data race: number in local memory'* ]]
    shows_alone '--order last'
}

@test "all sizes: what is no size, or does not end, is said" {
    local file=tests/lens/sizes.cl
    all_sizes waits
    [[ $status -eq 77 && $output == *'waits takes more than '*' steps: n=1; '*'--order first'* ]]
    says 2 'which argument is the size?' lens kernel -DCOUNT=1 "$file" two_sizes --all-sizes
    says 2 'several arguments are named' lens kernel "$file" 'two_sizes(width, height)' --all-sizes
    run -0 lens kernel "$file" 'two_sizes(y[width*height], width, height=width/2+1)' \
        --global width,height --local 8,4 --lanes 64 --order last --all-sizes
    says 2 "cannot have the size 'm'" lens kernel "$file" 'off_by_one(x[m])' --all-sizes
    says 2 "n cannot be 'm'" lens kernel "$file" 'off_by_one(n=m)' --all-sizes
    says 2 '--global cannot be' lens kernel "$file" off_by_one --global n+ --all-sizes
    says 2 'not possible here' lens kernel "$file" off_by_one --check --all-sizes
    says 2 'not possible here' lens --all-sizes true
    says 2 'cannot have' lens kernel "$file" 'off_by_one(x[1/0])'
    alone 'wide(in[3*items-2])' --races
    [[ $status -eq 0 && $output == *'in[3070]=random'* ]]
}

# ---- The installed tool.

# As another user too, if we are root: a folder with a blank that all may read.
@test "install: cllens runs from a folder that was moved, and nothing is left of it" {
    local folder other=()
    folder=$(mktemp -d /tmp/cllens.XXXXXX)
    chmod 755 "$folder"
    SETUP=no make -s -C "$ROOT" install DESTDIR="$folder/a" PREFIX='/with blank' > /dev/null
    mv "$folder/a/with blank" "$folder/b c"
    PATH="$folder/b c/bin:$PATH"
    export HOME=$folder/home
    run -0 env -u XDG_CACHE_HOME -u LENS_CACHE cllens --quiet \
        "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl coalesced 64 64 f64 f64
    [[ $output == *'64 in 64   32.0    4 (4)'* ]]
    [ ! -e "$HOME" ] # a cache needs a home
    mkdir "$HOME"
    run -0 env -u XDG_CACHE_HOME -u LENS_CACHE cllens --quiet \
        "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl coalesced 64 64 f64 f64
    [ -n "$(ls "$HOME/.cache/cllens")" ]
    [[ $(cllens --help) == 'usage: cllens [options]'* && $(cllens --version) == cllens,* ]]
    run --separate-stderr cllens --quiet --kernel none "$BATS_FILE_TMPDIR/launch" \
        tests/lens/counts.cl coalesced 64 64 f64 f64
    [[ $status -eq 77 && $stderr == 'note: no launch of the kernels named was shown'* ]]
    says 2 'error: tests/lens/counts.cl has no kernel nothing' cllens kernel tests/lens/counts.cl nothing
    [ "$(id -u)" != 0 ] || other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    cp tests/lens/counts.cl "$folder"
    cd "$folder"
    TMPDIR=/tmp run -0 "${other[@]}" env HOME=/nowhere cllens kernel counts.cl coalesced
    [[ $output == *'4 (4)'* ]]
    cd "$ROOT"
    mv "$folder/b c" "$folder/a/with blank"
    SETUP=no make -s uninstall DESTDIR="$folder/a" PREFIX='/with blank'
    run -0 find "$folder/a" ! -type d -o -name cllens
    [ -z "$output" ]
    rm -r "$folder"
}

@test "install: the man page is valid, and has every option of --help; bash completes them" {
    local option COMPREPLY COMP_WORDS=(lens --rac) COMP_CWORD=1
    # shellcheck disable=SC1091
    . "$ROOT/common/lens/cllens.bash"
    _cllens
    [ "${COMPREPLY[*]}" = --races ]
    for option in $(lens --help | grep -oE -e '^ +--[a-z-]+'); do
        grep -qE -e "Fl Fl ${option#--}( |\$)" "$ROOT/common/lens/cllens.1" ||
            { echo "$option is not in cllens.1"; return 1; }
    done
    command -v mandoc > /dev/null || skip "no mandoc"
    run -0 mandoc -Tlint -W style "$ROOT/common/lens/cllens.1"
}

# ---- Any kernel: what its file may be, and what is refused.

# looks FILE KERNEL ... : the lens at launches of a kernel file, here, in $output.
looks() {
    run lens --quiet ${RACES:+--races} --all "$BATS_FILE_TMPDIR/launch" "$@"
    echo "$output"
}

@test "any kernel: OpenCL C 1.1, and an include of the folder we are in" {
    cd "$BATS_TEST_TMPDIR"
    echo '#define FACTOR 2.0f' > memory.h # the lens has one of its own, too
    printf '%s\n' '#include "memory.h"' '#if __OPENCL_C_VERSION__ >= 120' '#error new' '#endif' \
        'kernel void k(global float *x) { x[get_global_id(0)] = FACTOR; }' > k.cl
    LAUNCH_OPTIONS=-cl-std=CL1.1 looks k.cl k 32 32 f32
    [ "$status" -eq 0 ]
    [[ $output == *"store x"*"4.00 sectors"* ]]
}

@test "any kernel: of one that stands in a single long line, the beginning, or the statement" {
    cd "$BATS_TEST_TMPDIR"
    printf 'kernel void k(global float *x) { x[0] = get_global_id(0);%200s}\n' ' ' > k.cl
    printf '%s' 'kernel void far(global int *out, global const int *in) { local int4 t[2]; int sum = 0; ' \
        'const int item = get_global_id(0); if (item == 0) { t[0].x = 1; t[1].x = 2; } ' \
        'for (int i = 0; i < 3; i++) sum += in[item * 3 + i]; barrier(CLK_LOCAL_MEM_FENCE); ' \
        'if (item == get_global_size(0) - 1) atomic_add(out, sum); if (item < 4) out[item] = sum + t[1].x; }' \
        >> k.cl
    RACES=1 looks k.cl k 32 32 f32
    [[ $status -eq 1 && $output == *"data race"*"kernel void k(global float *x) { x[0] = "* ]]
    [ "$(wc -L <<< "$output")" -le 160 ]
    # Each access has its own statement, and what is left of an array its name.
    looks k.cl far 64 64 z64 z192
    [[ $output == *"     2  ... i++) sum += in[item * 3 + i]; "*"load in "*"     2  ... if (item < 4) out[item] = sum + t[1].x; }"* ]]
    [[ $output == *"load t "*"1.00 passes"* ]]
    # Texts are below each other, however large the numbers before them.
    RACES=1 looks k.cl far 2097152 256 z64 z6291456
    [[ $output == *$'\n  line 2    item 255 of group 8191 does an atomic  ... '* ]]
    [[ $output == *$'\n  line 2    item 0 of group 0 writes               ... '* ]]
}

@test "any kernel: an unknown built-in, or what clang refuses, is named and hides that alone" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	#ifdef cl_khr_subgroups // defined in the replay, so that the device need not have it
	int through(int x) { return x + get_enqueued_num_sub_groups(); }
	#else
	int through(int x) { return x; }
	#endif
	kernel void knows(global int *x) { x[get_global_id(0)] = 3; }
	kernel void asks(global int *x) { x[get_global_id(0)] = through(x[0]); }
	END
    LAUNCH_OPTIONS=-cl-std=CL2.0 looks k.cl asks 32 32 i32 , knows 32 32 i32
    if [[ $output == *"support that OpenCL C version"* ]]; then # PoCL 6: then without the driver
        run -77 lens kernel k.cl 'asks(x)' --global 32 --local 32 --build -cl-std=CL2.0
        [[ $output == *"it calls get_enqueued_num_sub_groups, which the lens does not know"* ]]
        run -0 lens kernel k.cl 'knows(x)' --global 32 --local 32 --build -cl-std=CL2.0 --all
    else
        [[ $output == *"note: asks is not shown: it calls get_enqueued_num_sub_groups, which the lens does not know"* ]]
    fi
    [[ $output == *"store x"* ]]
    echo '#ifdef cl_khr_subgroups
kernel void k(global float *x) { float y; x[0] = sincos(x, &y); }
#else
kernel void k(global float *x) { x[0] = 1; }
#endif' > k.cl
    looks k.cl k 1 1 f1
    # (A device that has sub-groups refuses it, too: then without the driver.)
    [[ $output != *"failed to build the program"* ]] || run lens kernel k.cl k --global 1
    [ "$status" -ne 0 ]
    [[ $output == *"the replay lacks something that "*" needs"*".cl:2:"*"error: "* ]]
    [[ $output != *builtins.cl* ]]
    [ "$(grep -c ': note: candidate function' <<< "$output")" -le 3 ] # of some sixty
}

@test "any kernel: private memory that is uninitialised is named" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void index(global int *o) {
	    int i;
	    o[i] = 3;
	}
	kernel void array(global int *o, global const float *in) {
	    float a[8];
	    a[get_global_id(0) & 3] = 5;
	    o[get_global_id(0)] = a[(get_global_id(0) + (int)in[0]) & 7];
	}
	kernel void integers(global int *o, global const int *in) {
	    int a[8];
	    a[in[0] & 7] = 5;
	    o[get_global_id(0)] = a[get_global_id(0) & 7];
	}
	kernel void scalar(global int *o) {
	    int x;
	    o[get_global_id(0)] = x;
	}
	kernel void component(global float *o) {
	    float4 x;
	    x.xyz = 1;
	    vstore4(x, get_global_id(0), o);
	}
	struct pair {
	    int sum, other;
	};
	kernel void copied(global int *o, local struct pair *all) {
	    struct pair own;
	    own.sum = get_global_id(0);
	    all[get_local_id(0)] = own;
	    o[get_global_id(0)] = all[get_local_id(0)].sum;
	}
	kernel void right(global float *o, global const int *in) {
	    float a[8], x;
	    int3 y;
	    for (int i = 0; i < 8; i++)
	        a[i] = -in[i];
	    if (in[0] == 1)
	        x = 1;
	    else
	        x = 2;
	    y.x = y.y = y.z = in[2];
	    o[get_global_id(0)] = a[(get_global_id(0) + in[0]) & 7] + x + y.z;
	}
	END
    export RACES=yes
    looks k.cl index 8 8 z8
    [[ $output == *"error: index: out-of-bounds access: far from any buffer"*"  line 3 "*"was it ever written?"* ]]
    for kernel in 'array 8 8 z8 f8' 'integers 8 8 z8 i8' 'scalar 8 8 z8' 'component 8 8 z32'; do
        eval "looks k.cl $kernel"
        [ "$status" -eq 1 ]
        [[ $output == *"error: ${kernel%% *}: uninitialised read: a private variable or array"* ]]
        [[ $output == *"  hint    write it first"* ]]
    done
    looks k.cl right 8 8 z8 i8
    [ "$status" -eq 0 ]
    looks k.cl copied 8 8 z8 l64
    [ "$status" -eq 0 ]
}

@test "any kernel: what crashes in the replay is named, with its line" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void smashes(global int *o) {
	    int a[8];
	    for (int i = 0; i < 200; i++)
	        a[i + o[0]] = i;
	    o[1] = a[o[2]];
	}
	END
    looks k.cl smashes 8 8 z8
    [ "$status" -eq 1 ]
    [[ $output == *"error: smashes: "*"  line "[345]" "* ]]
}

@test "any kernel: buffers that kernels may only read, or only write; flags of a barrier" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	kernel void copy(global int *o, global int *in) {
	    o[get_global_id(0)] = in[get_global_id(0)];
	}
	kernel void fences(global int *o) {
	    local int t[8];
	    const int i = get_local_id(0);
	    t[i] = i;
	    if (i < 4)
	        barrier(CLK_LOCAL_MEM_FENCE);
	    else
	        barrier(CLK_GLOBAL_MEM_FENCE);
	    o[i] = t[7 - i];
	}
	kernel void flags(global int *o) {
	    local int t[8];
	    const int i = get_local_id(0);
	    t[i] = i;
	    barrier(i < 4 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
	    o[i] = t[7 - i];
	}
	END
    export RACES=yes
    looks k.cl copy 8 8 w8 r8
    [ "$status" -eq 0 ]
    looks k.cl copy 8 8 r8 z8
    [[ $output == *"error: copy: access against buffer flags: o in global memory, bytes 0 to 3 of 32"*"line 2 "*" writes "* ]]
    looks k.cl copy 8 8 z8 w8
    [[ $output == *"error: copy: access against buffer flags: in in global memory"*" reads "* ]]
    looks k.cl flags 8 8 z8
    [[ $output == *"error: flags: barrier with different flags: work-items of the group fence different memory"*"line 18 "* ]]
    looks k.cl fences 8 8 z8
    [[ $output == *"error: fences: barrier divergence: not reached by all"* ]]
}

@test "any kernel: global variables of the file keep what they had, and what a launch left" {
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl <<- 'END'
	global int count = 5;
	global int table[64] = {1, 2, 3, 4};
	kernel void bump(global int *o) {
	    const int i = get_global_id(0);
	    o[i] = table[i];
	    table[i] += i;
	    if (i == 0)
	        count++;
	}
	kernel void ask(global int *o) {
	    local int t[32];
	    t[get_local_id(0)] = count;
	    barrier(CLK_LOCAL_MEM_FENCE);
	    if (count == 6) // as bump leaves it
	        o[get_global_id(0)] = t[31 - get_local_id(0)] + table[get_global_id(0)];
	}
	kernel void race(global int *o) { count++; }
	END
    export LAUNCH_OPTIONS=-cl-std=CL2.0
    "$BATS_FILE_TMPDIR/launch" k.cl ask 64 32 z64 ||
        skip "this device has no global variables"
    looks k.cl bump 64 32 z64 , ask 64 32 z64
    [ "$status" -eq 0 ]
    [[ $output == *"load table"*"4.00 sectors (ideal 4.00)"* ]]
    [[ $output == *"store t "*"1.00 passes"*"load t "*"1.00 passes"* ]]
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" k.cl \
        bump 64 32 z64 , bump 64 32 z64 , bump 64 32 z64 # (PoCL 3: a copy for each kernel)
    [[ $output == *"the replay's results are the device's"* ]]
    RACES=yes looks k.cl bump 64 32 z64 , ask 64 32 z64
    [ "$status" -eq 0 ]
    RACES=yes looks k.cl race 64 32 z64
    [[ $output == *"error: race: data race: count in global memory"* ]]
}

@test "any kernel: shared virtual memory, and what a kernel reaches there through pointers" {
    local host=$BATS_TEST_TMPDIR/shared file=$ROOT/tests/lens/shared.cl
    "${CC:-cc}" -std=c11 -o "$host" "$ROOT/tests/lens/shared.c" ${LDFLAGS:-} -lOpenCL
    "$host" "$file" add_up told || skip "this device has no SVM"
    run -0 lens --all "$host" "$file" add_up told # which checks its results
    [[ $output == *"load heads         2 x 32.0 lanes   8.00 sectors (ideal 8.00)"* ]]
    [[ $output == *"load SVM 1         6 x 32.0 lanes  16.00 sectors (ideal 4.00)"* ]]
    run -0 lens --races "$host" "$file" add_up later
    [[ $output == *"no mistake found in 2 launches"* ]]
    run -0 lens --compare "$host" "$file" add_up later
    [[ $output == *"the replay's results are the device's"* ]]
    run -1 lens --races "$host" "$file" overrun told
    [[ $output == *"overrun: out-of-bounds access: sums in global memory, bytes 256 to 259 of 256"* ]]
    run -1 lens "$host" "$file" add_up untold
    [[ $output == *"error: add_up: access to memory that the kernel was not told of: SVM 1 in global memory"* ]]
    sed 's/= node->next/= 0/' "$file" > "$BATS_TEST_TMPDIR/first.cl"
    run -1 lens --instead "$BATS_TEST_TMPDIR/first.cl" "$host" "$file" add_up told
    [[ $output == *"error: sum 1 is 1"* ]]
}

# ---- A second witness, where it is installed.

needs_oclgrind() {
    command -v oclgrind > /dev/null || skip "no oclgrind here"
}

# witness OPTION KERNEL ... : Oclgrind's messages on launches of races.cl.
witness() {
    needs_oclgrind
    run -0 oclgrind --max-errors 5 "$1" "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/races.cl" "${@:2}"
}

@test "oclgrind: sees the same races" {
    for launch in 'no_barrier_before 64 64 f64 f1' 'no_barrier_inside 64 64 f64 f1' \
        'one_barrier_of_two 64 64 f64 f64' 'all_add_to_one 64 64 f1' \
        'two_write_one 64 64 f64 f64' 'moves_in_place 64 64 f64' \
        'groups_add_to_same 128 64 f128 f64' 'wrong_fence 64 64 f64 f64 f64' \
        'histogram_no_barrier 64 64 i64 i64' \
        'last_group_no_fence 256 64 f256 f4 z1 f1'; do
        # shellcheck disable=SC2086 # its words are meant
        witness --data-races $launch
        [[ $output == *"data race at "*"Kernel: ${launch%% *}"* ]]
    done
}

@test "oclgrind: sees the same out-of-bounds accesses, uninitialised reads and barriers" {
    for launch in 'reads_past_end 64 64 f64 f64' 'reads_before_begin 64 64 f64 f64' \
        'writes_past_end 64 64 f64 f64' 'reaches_past_end 16 16 f64 f64' \
        'past_local_argument 64 64 l256 f64' 'past_private_array 64 64 i64 i64'; do
        # shellcheck disable=SC2086
        witness --data-races $launch
        [[ $output == *"Invalid "*" of size "*"Kernel: ${launch%% *}"* ]]
    done
    for launch in 'reads_unwritten_local 64 64 f64 f64' \
        'reads_unwritten_buffer 64 64 e64 f64'; do
        # shellcheck disable=SC2086
        witness --uninitialized $launch
        [[ $output == *"Uninitialized value"*"Kernel: ${launch%% *}"* ]]
    done
    for launch in 'barrier_in_branch 64 64 f64' 'barrier_after_return 64 64 f64'; do
        # shellcheck disable=SC2086
        witness --data-races $launch
        [[ $output == *"divergence detected (barrier)"* ]]
    done
}

# It does not know what a fence and an atomic, or a volatile read, stand for.
@test "oclgrind: is silent on right kernels, but for float_add and last_group" {
    witness --data-races tree 128 64 f128 f2 , tree_in_argument 128 64 f128 f2 l256 , \
        histogram 128 64 i128 z64 , counter 128 64 i128 z1 , \
        ping_pong 128 64 f128 f128 , bytes 64 64 i16 i16 , in_place 64 64 f64 , \
        right_fence 64 64 f64 f64 f64 , branch_of_group 256 64 f256 f256
    [ -z "$output" ]
}

@test "oclgrind: counts as many loads and stores as the lens" {
    needs_oclgrind
    local launches=(coalesced 64 64 f64 f64 , strides 64 64 f2048 f64 ,
        tree_interleaved 256 256 f256 f1 , tree_sequential 256 256 f256 f1)
    oclgrind --inst-counts "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        "${launches[@]}" |
        awk '/^Instructions/ { split($0, part, "\047"); kernel = part[2] }
            $2 == "-" && $4 ~ /global|local/ && $3 ~ /load|store/ {
                print kernel, $3, $4, $1
            }' | sort > "$BATS_TEST_TMPDIR/oclgrind"
    lens --quiet --format tsv "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        "${launches[@]}" |
        awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["row"] ~ /^(load|store)$/ {
                sum[$at["kernel"] " " $at["row"] " " $at["memory"]] += $at["accesses"] * $at["lanes"]
            }
            END {
                for (what in sum)
                    print what, sum[what]
            }' | sort > "$BATS_TEST_TMPDIR/lens"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/lens")" -eq 12 ]
    diff "$BATS_TEST_TMPDIR/oclgrind" "$BATS_TEST_TMPDIR/lens"
}
