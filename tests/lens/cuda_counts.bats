load helper.bash

# docs/cuda-counts.md: launches that the lens and NVIDIA's profiler have counted.

COUNTERS='l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
smsp__sass_branch_targets.sum smsp__sass_branch_targets_threads_divergent.sum
smsp__thread_inst_executed_per_inst_executed.ratio smsp__inst_executed.sum'

# profiled NUMBER ... : a file as ncu writes it, with these values of COUNTERS.
profiled() {
    echo '==PROF== Connected to process 6701 (/tmp/programs/01.usual)'
    awk -v names="${COUNTERS//$'\n'/ }" -v values="$*" 'BEGIN {
        n = split(names, name, " "); split(values, value, " ")
        printf "\"ID\",\"Kernel Name\""; for (i = 1; i <= n; i++) printf ",\"%s\"", name[i]
        printf "\n\"\",\"\""; for (i = 1; i <= n; i++) printf ",\"request\""
        printf "\n\"0\",\"dot_coalesced\""; for (i = 1; i <= n; i++) printf ",\"%s\"", value[i]
        print "" }'
}

setup() {
    cd "$ROOT"
    folder=$BATS_TEST_TMPDIR/folder measured=$BATS_TEST_TMPDIR/measured result=$BATS_TEST_TMPDIR/result.tsv
    mkdir -p "$folder/lens" "$measured"
    echo '# device: a GPU' > "$measured/about"
    cat > "$folder/lens/01.json" <<'EOF'
{"row":"launch","busy_lanes":31.50}
{"row":"load","memory":"global","accesses":1024,"moved_bytes":131072}
{"row":"load","memory":"constant","accesses":7}
{"row":"store","memory":"global","accesses":2,"moved_bytes":64}
{"row":"atomic","memory":"global","accesses":3,"moved_bytes":96}
{"row":"store","memory":"local","accesses":8,"passes":2.00}
{"row":"load","memory":"local","accesses":4,"passes":1.00}
{"row":"total","local_passes":20,"branches":12,"branches_diverged":1}
EOF
    profiled 1,024 4,096 2 2 1 2 1 2 4 8 4 16 12 1 31.5 2,000 > "$measured/01.usual.csv"
    profiled 1,024 4,096 2 2 1 2 1 2 4 8 4 16 12 1 31.5 3000 > "$measured/01.rolled.csv"
}

compare() {
    run python3 tests/peers/cuda_counts.py compare "$folder" "$measured" "$result"
}

# column NAME : what the row of the usual build has there.
column() {
    awk -F '\t' -v name="$1" '
        /^#/ { next }
        !column { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        $5 == "usual" { print $column }' "$result"
}

@test "cuda counts: a launch has a row for each build, with the sums of both sides" {
    compare
    [[ $status -eq 0 && $output == *"2 rows in $result"* ]]
    [ "$(head -n 1 "$result")" = '# device: a GPU' ]
    local name lens
    for name in load_accesses=1024 load_sectors=4096 store_accesses=2 store_sectors=2 atomic_accesses=3 \
        atomic_sectors=3 shared_loads=4 shared_stores=8 bank_passes=20 branches=12 diverged=1 busy_lanes=31.50; do
        lens=${name#*=} name=${name%=*}
        [ "$(column "${name}_lens")" = "$lens" ]
        [ "$(column "${name}_profiler")" = "$lens" ]
    done
    [ "$(column instructions)" = 2000 ]
}

@test "cuda counts: passes of atomics are left out, because the profiler's sums have none" {
    echo '{"row":"atomic","memory":"local","accesses":5,"passes":4.00}' >> "$folder/lens/01.json"
    sed -i '/"total"/ { h; d }; $ { p; x; s/20/40/ }' "$folder/lens/01.json"
    compare
    [ "$(column bank_passes_lens)" = 20 ]
}

@test "cuda counts: a launch that was not counted is named, with what the tools said" {
    echo 'error: cudaMalloc: no room' > "$measured/01.rolled.profile.log"
    printf '%s\n' '==ERROR== nothing' > "$measured/01.rolled.csv"
    echo 'error: k.cu does not compile' > "$folder/lens/02.log"
    compare
    [[ $status -eq 0 && $output == *"1 rows in"* ]]
    [[ $output == *"01.rolled dot_coalesced: the profiler: error: cudaMalloc: no room"* ]]
    [[ $output == *"02.usual dot_coalesced: the lens: error: k.cu does not compile"* ]]
    rm "$measured/01.usual.csv"
    compare
    [[ $output == *"01.usual dot_coalesced: the profiler: not reached"* ]]
}

@test "cuda counts: a difference without a reason is no page" {
    sed 's/^\(lockstep.*dot_coalesced.*usual\t[0-9]*\t\)[0-9]*/\199999/' docs/results/nvidia-h200/cuda.tsv > "$result"
    run ! cmp -s "$result" docs/results/nvidia-h200/cuda.tsv
    run python3 - "$result" <<'PYTHON'
import pathlib
import shutil
import sys

sys.path.insert(0, "common/commands/pages")
import results
import twice

folder = pathlib.Path(sys.argv[1]).parent
(folder / "gpu").mkdir()
shutil.copy(sys.argv[1], folder / "gpu" / "cuda.tsv")
results.FOLDER = folder
twice.twice(folder / "page.md", "gpu", "launches")
PYTHON
    [[ $status -ne 0 && $output == *"dot_coalesced: load_accesses differs, and docs/results/cuda-reasons.txt says not why"* ]]
}
