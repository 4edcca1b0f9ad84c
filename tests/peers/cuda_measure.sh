#!/bin/sh
# cuda_measure.sh OUT : what NVIDIA's profiler counts of the launches in this script's folder, which
# cuda_counts.py has prepared.  Needs a GPU, nvcc, and ncu with the right to read counters (root
# has it).  Writes OUT/measured.tar.gz, with NN.BUILD.csv for each launch, in three rounds:
#
#     usual         as nvcc -O3 compiles the kernel
#     rolled        with every loop left as it is written: nvcc unrolls many
#     instructions  the usual ones again, instruction by instruction
#
# What does not compile, or cannot be profiled, is left out; its log says why.  ONLY="64 66" does
# these launches alone, ROUNDS="usual rolled" these rounds.  After SECONDS_IN_ALL (480) no other
# launch is begun.

# cuda_measure.sh compile NUMBER BUILD OPTION ... : a part of it
if [ "$1" = compile ]; then
    name=$2.$3 rolled=
    [ "$3" = usual ] || rolled=-DROLLED
    number=$2
    shift 3
    # What the files' own programs call, and nobody calls here, may be missing.
    # shellcheck disable=SC2086 # no word, or one
    timeout 200 nvcc -O3 -std=c++17 -w -lineinfo "-arch=sm_$SM" $rolled "$@" \
        -DCCCL_DISABLE_CTK_COMPATIBILITY_CHECK -Xlinker --unresolved-symbols=ignore-all \
        "$number.cu" -o "$PROGRAMS/$name" > "$MEASURED/$name.compile.log" 2>&1
    exit 0
fi

[ -n "$1" ] || { echo 'usage: sh cuda_measure.sh OUT' >&2; exit 2; }
begun=$(date +%s)
mkdir -p "$1" && out=$(cd "$1" && pwd) && cd "$(dirname "$0")" || exit 2
rounds=${ROUNDS:-usual rolled instructions}
scratch=$out/scratch
mkdir "$scratch" || exit 2
trap 'rm -rf "$scratch"' EXIT
PROGRAMS=$scratch/programs MEASURED=$scratch/measured
mkdir "$PROGRAMS" "$MEASURED"
awk -v only="$ONLY" '
    BEGIN { count = split(only, number, " "); while (count) is_wanted[number[count--]] = 1 }
    only == "" || $1 in is_wanted' launches > "$scratch/launches"
[ -s "$scratch/launches" ] || { echo "error: no launch of $PWD/launches is one of: $ONLY" >&2; exit 2; }
export PROGRAMS MEASURED SM
PATH=$PATH:/usr/local/cuda/bin

ask_gpu() { nvidia-smi "--query-gpu=$1" --format=csv,noheader | head -n 1; }
SM=$(ask_gpu compute_cap | tr -cd 0-9)
SM=${SM:-90}
{
    echo "# device: $(ask_gpu name) (GPU)"
    echo "# driver: NVIDIA CUDA, driver $(ask_gpu driver_version)"
    echo "# profiler: $(ncu --version | sed -n 's/^Version //p')"
    echo "# compiler: nvcc $(nvcc --version | sed -n 's/.*, V//p'), sm_$SM"
    echo "# date: $(date +%Y-%m-%d)"
} > "$MEASURED/about"
cat "$MEASURED/about"

# The names are those of Hopper (sm_90).
t=l1tex__t data=l1tex__data op=pipe_lsu_mem_global_op
metrics=$(echo "
    ${t}_requests_${op}_ld ${t}_sectors_${op}_ld ${t}_requests_${op}_st ${t}_sectors_${op}_st
    ${t}_requests_${op}_red ${t}_sectors_${op}_red ${t}_requests_${op}_atom ${t}_sectors_${op}_atom
    ${data}_pipe_lsu_wavefronts_mem_shared_op_ld ${data}_pipe_lsu_wavefronts_mem_shared_op_st
    ${data}_bank_conflicts_pipe_lsu_mem_shared_op_ld
    ${data}_bank_conflicts_pipe_lsu_mem_shared_op_st
    smsp__inst_executed smsp__thread_inst_executed
    smsp__sass_branch_targets smsp__sass_branch_targets_threads_divergent
    smsp__sass_inst_executed_op_shared_ld smsp__sass_inst_executed_op_shared_st
    smsp__sass_inst_executed_op_global_ld smsp__sass_inst_executed_op_global_st" |
    xargs | sed 's/ /.sum,/g; s/$/.sum/'),smsp__thread_inst_executed_per_inst_executed.ratio
# Not proven on every version: left out if ncu does not know one of them.
more=,smsp__inst_executed_op_shared_atom.sum,${data}_pipe_lsu_wavefronts_mem_shared.sum

pack() { tar -C "$scratch" -czf "$out/measured.tar.gz" measured; }
seconds_left() { [ $(($(date +%s) - begun)) -lt "${SECONDS_IN_ALL:-480}" ]; }

# Counters in NAME.csv; if there are none, the tools' words in NAME.profile.log.
profile() { # profile NAME PROGRAM OPTION ...
    name=$1 program=$PROGRAMS/$2
    shift 2
    timeout 60 ncu --clock-control none --csv --print-units base --log-file "$MEASURED/$name.csv" \
        "$@" "$program" > "$MEASURED/$name.profile.log" 2>&1 &&
        grep -q '^"0"' "$MEASURED/$name.csv" && return
    grep -v '^"' "$MEASURED/$name.csv" >> "$MEASURED/$name.profile.log" 2> /dev/null
    return 1
}

counters() { # counters BUILD
    while read -r number _; do
        seconds_left || return
        [ -e "$PROGRAMS/$number.$1" ] || continue
        profile "$number.$1" "$number.$1" --page raw --metrics "$metrics$more" && continue
        ! grep -qi 'find metric' "$MEASURED/$number.$1.profile.log" || more=
        profile "$number.$1" "$number.$1" --page raw --metrics "$metrics" && continue
        echo "no counters: $number.$1: $(tail -n 1 "$MEASURED/$number.$1.profile.log")"
    done < "$scratch/launches"
    pack
}

instructions() {
    while read -r number _; do
        seconds_left || return
        [ -e "$PROGRAMS/$number.usual" ] || continue
        profile "$number.instructions" "$number.usual" --page source --print-source sass \
            --section SourceCounters || true
    done < "$scratch/launches"
    pack
}

for build in $rounds; do
    [ "$build" = instructions ] && build=usual
    sed "s/ / $build /; t; s/\$/ $build/" "$scratch/launches"
done | sort -u | xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 sh ./cuda_measure.sh compile
echo "after $(($(date +%s) - begun)) s: $(find "$PROGRAMS" -type f | wc -l) programs, of" \
    "$(grep -c . "$scratch/launches") launches"
pack
for round in $rounds; do
    case $round in
    instructions) instructions ;;
    *) counters "$round" ;;
    esac
    echo "after $(($(date +%s) - begun)) s: $(find "$MEASURED" -name "*.$round.csv" | wc -l) of $round"
done
echo "$out/measured.tar.gz has all of it"
