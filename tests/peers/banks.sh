#!/bin/sh
# banks.sh FILE.csv : what accesses of a warp to local memory and to the L1 cost a GPU, in
# cycles and in what NVIDIA's profiler counts, beside what the lens counts of them; then says
# how many agree.  Needs a GPU, nvcc, and ncu with the right to read counters (root has it).
# Never part of a test; a test compares the stored file with the lens.
#
#     elements    which element each of the 32 lanes takes; -1: the lane takes no part
#     wavefronts  of the memory behind local memory and the L1
#     lookups     of lines in the L1, as the profiler counts them

out=$1 build=${BUILD:-build}
[ -n "$out" ] || { echo 'usage: sh tests/peers/banks.sh FILE.csv' >&2; exit 2; }
. common/commands/files.sh
make_scratch
mkdir -p "$build/peers"

ask_gpu() { nvidia-smi "--query-gpu=$1" --format=csv,noheader | head -n 1; }
sm=$(ask_gpu compute_cap | tr -cd 0-9)
"${CC:-cc}" -std=c11 -O2 -c common/lens/watch/banks.c -o "$build/peers/banks.o" &&
    nvcc -O3 -std=c++17 "-arch=sm_$sm" -DCL_TARGET_OPENCL_VERSION=120 -I common \
        tests/peers/banks.cu "$build/peers/banks.o" -o "$build/peers/banks" || exit 2

# The names are those of Hopper (sm_90).
data=l1tex__data_pipe_lsu_wavefronts_mem tags=l1tex__t_output_wavefronts_pipe_lsu_mem_global_op
metrics="${data}_shared_op_ld ${data}_shared_op_st ${data}_lgds_cmd_read ${data}_lgds_cmd_write
    ${tags}_ld ${tags}_st"
"$build/peers/banks" > "$scratch/cycles" || exit 2
# shellcheck disable=SC2086 # a list of words
timeout 500 ncu --clock-control none --csv --page raw --print-units base \
    --log-file "$scratch/said" --metrics "$(echo $metrics | sed 's/ /.sum,/g').sum" \
    "$build/peers/banks" --once > "$scratch/screen" ||
    { cat "$scratch/said" "$scratch/screen" >&2; exit 2; }

{
    echo "# device: $(ask_gpu name) (GPU)"
    echo "# driver: NVIDIA CUDA, driver $(ask_gpu driver_version)"
    echo "# profiler: $(ncu --version | sed -n 's/^Version //p')"
    echo "# date: $(date +%Y-%m-%d)"
    echo 'memory,access,bytes,pattern,elements,lines,cycles,wavefronts,lookups,passes'
    awk -v metrics="$metrics" '
        BEGIN {
            split(metrics, list, " ")
            split("local,load local,store global,load global,store", kinds, " ")
            for (k = 1; k <= 4; k++) data[kinds[k]] = list[k]
            lookups["global,load"] = list[5]
            lookups["global,store"] = list[6]
        }
        FILENAME ~ /cycles$/ { row[++rows] = $0; next }
        !/^"/ { next }
        { gsub(/^"|"\r?$/, ""); count = split($0, field, "\",\"") }
        field[1] == "ID" { for (i = 1; i <= count; i++) at[field[i]] = i }
        field[1] ~ /^[0-9]+$/ {
            split(row[++found], cell, ",")
            kind = cell[1] "," cell[2]
            passes = row[found]
            sub(/.*,/, "", passes)
            sub(/,[0-9]*$/, "", row[found])
            print row[found] "," field[at[data[kind] ".sum"]] "," \
                (kind in lookups ? field[at[lookups[kind] ".sum"]] : "") "," passes
        }
        END { exit found != rows }' "$scratch/cycles" "$scratch/said" || exit 2
} > "$out"
