load helper.bash

# What the lens counts.  Comments in tests/lens/counts.cl work out by hand the numbers that
# stand here.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    all_counts
    report counts -- "${kernels[@]}"
    report groups_of_48 -- coalesced 96 48 f96 f96
    report few_items -- coalesced 5 5 f5 f5
    report lanes_8 --lanes 8 -- coalesced 64 64 f64 f64
    report lanes_16 --lanes 16 -- coalesced 64 64 f64 f64
    report lanes_64 --lanes 64 -- coalesced 64 64 f64 f64
    report sample -- coalesced 1048576 256 f1048576 f1048576
    report five_groups --groups 5 -- coalesced 1048576 256 f1048576 f1048576
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

@test "lens: in the L1, these take 2, 4, 8 and 32 passes, and neighbours one" {
    counted strides load '@in[2 * i]' l1_passes=2.00 ideal_l1_passes=1.00
    counted strides load '@in[4 * i]' l1_passes=4.00
    counted strides load '@in[8 * i]' l1_passes=8.00
    counted strides load '@in[32 * i]' l1_passes=32.00 ideal_l1_passes=1.00
    counted coalesced load in l1_passes=1.00 ideal_l1_passes=1.00
    counted broadcast load in l1_passes=1.00
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
    lens_on launch counts.cl --all -- coalesced 64 64 f64 f64 > "$BATS_FILE_TMPDIR/text"
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

# ---- Kinds of memory, and samples.

@test "lens: volatile, constant and private memory; a structure by value" {
    counted read_twice load in rows=2 accesses=2 sectors=4.00
    counted constants load weights memory=constant accesses=2 addresses=4.00 ideal_addresses=1.00
    counted constants load table memory=constant accesses=2 addresses=1.00
    counted private_array load rows=1 name=in accesses=2
    counted private_array store rows=1 name=out accesses=2
    counted by_value load rows=1 name=in sectors=8.00 lines_of_128=2.00
    counted by_value store rows=1 name=out
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
