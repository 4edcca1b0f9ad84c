#!/bin/sh
# ncu.sh FILE.csv : what NVIDIA's profiler counts for kernels that the lens counts, too,
# so that docs/lens-rules.md can compare the two.  Needs a GPU, nvcc, and ncu with the right
# to read counters (root has it).  Never part of a test.
#
#     FILE.csv               a row for each launch in lens_ncu.cu, a column for each
#                            metric; twice: as nvcc compiles it, and with every loop
#                            left as it is written
#     FILE.instructions.csv  the same counters for each instruction
#     FILE.tsv               what the lens says about the same launches, in that order
#     FILE.log               all that the tools said, and the machine code
#
# An empty cell was not collected.  Without a GPU there is FILE.tsv alone.

out=$1 build=${BUILD:-build}
[ -n "$out" ] || { echo 'usage: sh tests/peers/ncu.sh FILE.csv' >&2; exit 2; }
log=${out%.csv}.log counts=${out%.csv}.tsv instructions=${out%.csv}.instructions.csv
. common/commands/files.sh
make_scratch
kept=$scratch
rows=$kept/rows # lines "loops launch metric value"
mkdir -p "$build/peers"
: > "$rows" || exit 2
: > "$log" || exit 2

# Metrics that ncu reads together.  The names are those of Hopper (sm_90).
global='
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum'
shared='
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'
lanes='
smsp__inst_executed.sum
smsp__thread_inst_executed.sum
smsp__thread_inst_executed_per_inst_executed.ratio'
branches='
smsp__sass_branch_targets.sum
smsp__sass_branch_targets_threads_divergent.sum
smsp__sass_branch_targets_threads_uniform.sum
smsp__sass_inst_executed_op_shared_ld.sum
smsp__sass_inst_executed_op_shared_st.sum
smsp__sass_inst_executed_op_global_ld.sum
smsp__sass_inst_executed_op_global_st.sum'
by_instruction='
memory_l2_theoretical_sectors_global
memory_l2_theoretical_sectors_global_ideal
memory_l1_wavefronts_shared
memory_l1_wavefronts_shared_ideal'
branch_instructions='
smsp__inst_executed_op_branch.sum
branch_inst_executed'
# shellcheck disable=SC2086,SC2116 # lists of words
metrics=$(echo $global $shared $lanes $branches $by_instruction $branch_instructions)

say() { echo "$*" | tee -a "$log" >&2; }

# Fields of ncu's CSV stand in quotes: "1,024" is one of them.
# shellcheck disable=SC2016 # awk's dollars
to_rows='
!/^"/ { next }
{ sub(/\r$/, ""); gsub(/^"|"$/, ""); count = split($0, field, "\",\"") }
field[1] == "ID" {
    for (i = 1; i <= count; i++) name[i] = field[i]
}
field[1] ~ /^[0-9]+$/ {
    launch++
    for (i = 1; i <= count; i++) {
        if (name[i] == "Kernel Name" && index(field[i], kernel[launch]) != 1) wrong = 1
        if (!(name[i] in is_wanted)) continue
        found[name[i]] = 1
        gsub(/,/, "", field[i])
        if (field[i] ~ /^[0-9.]+(e[-+]?[0-9]+)?$/)
            print loops, launch, name[i], field[i]
    }
}
BEGIN {
    split(wanted, list, " ")
    for (i in list) is_wanted[list[i]] = 1
    while ((getline line < file) > 0) {
        split(line, word, " ")
        kernel[++all] = word[2]
    }
}
END {
    for (i in is_wanted) if (!(i in found)) wrong = 1
    exit wrong || launch != all
}'

# One run of ncu for these metrics; false unless it told about every launch.
profile() {
    say "ncu, loops $loops: $*"
    timeout 100 ncu --clock-control none --csv --page raw --print-units base \
        --kernel-name-base function --log-file "$kept/said" \
        --metrics "$(echo "$*" | tr ' ' ,)" "$program" > "$kept/screen" 2>&1
    status=$?
    cat "$kept/said" "$kept/screen" >> "$log" 2>/dev/null
    [ $status = 0 ] || return
    awk -v loops="$loops" -v wanted="$*" -v file="$kept/list" "$to_rows" "$kept/said" \
        > "$kept/new" && cat "$kept/new" >> "$rows"
}

# A metric that this ncu does not know must not spoil the others: then, one by one.
collect() {
    rm -f "$kept/said"
    profile "$@" && return
    [ $# -gt 1 ] || { say "not collected: $1"; return; }
    for metric in "$@"; do
        collect "$metric"
    done
}

compile() { # compile NAME [OPTION ...]
    name=$1
    shift
    nvcc -O3 -std=c++17 -lineinfo "-arch=sm_${sm:-90}" "$@" tests/peers/lens_ncu.cu \
        -o "$build/peers/$name" >> "$log" 2>&1
}

profile_all() {
    for loops in unrolled rolled; do
        program=$build/peers/lens_ncu_$loops
        cuobjdump -sass "$program" >> "$log" 2>&1
        for group in "$global" "$shared" "$lanes" "$branches" "$by_instruction" \
            "$branch_instructions"; do
            # shellcheck disable=SC2086 # a list of words
            collect $group
            table > "$out"
            [ -s "$rows" ] || { say "ncu counted nothing: $log says why"; return 1; }
        done
    done
    for loops in unrolled rolled; do
        say "ncu, loops $loops: instruction by instruction"
        echo "# loops: $loops"
        timeout 60 ncu --clock-control none --csv --page source --print-source sass \
            --section SourceCounters "$build/peers/lens_ncu_$loops" 2>&1
    done > "$instructions"
}

ask_gpu() { nvidia-smi "--query-gpu=$1" --format=csv,noheader | head -n 1; }

table() {
    echo "# device: $(ask_gpu name) (GPU)"
    echo "# driver: NVIDIA CUDA, driver $(ask_gpu driver_version)"
    echo "# profiler: $(ncu --version | sed -n 's/^Version //p')"
    echo "# compiler: nvcc $(nvcc --version | sed -n 's/.*, V//p'), sm_${sm:-90}"
    echo "# date: $(date +%Y-%m-%d)"
    awk -v metrics="$metrics" '
        BEGIN { count = split(metrics, metric, " ") }
        FILENAME ~ /rows$/ { value[$1, $2, $3] = $4; next }
        {
            launches++
            head[launches] = "\"" $2 "\"," $3 "," $4 ","
            $1 = $2 = $3 = $4 = ""
            sub(/^ */, "")
            head[launches] = head[launches] "\"" $0 "\""
        }
        END {
            printf "kernel,items,group,arguments,loops"
            for (m = 1; m <= count; m++) printf ",%s", metric[m]
            print ""
            split("unrolled rolled", loops, " ")
            for (i = 1; i <= launches; i++)
                for (l = 1; l <= 2; l++) {
                    printf "%s,\"%s\"", head[i], loops[l]
                    for (m = 1; m <= count; m++)
                        printf ",%s", value[loops[l], i, metric[m]]
                    print ""
                }
        }' "$rows" "$kept/list"
}

# The lens replays all groups, so that its sums are those of the whole launch.
lens_counts() {
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 tests/lens/launch.c -lOpenCL \
        -o "$build/peers/launch" || return
    awk '!seen[$1]++ { print $1 }' "$kept/list" > "$kept/files"
    names=''
    while read -r file; do
        # shellcheck disable=SC2046 # a list of words
        "$build/lens" --format tsv --groups 1000000 "$build/peers/launch" "$file" \
            $(awk -v file="$file" '$1 == file { $1 = between; print; between = "," }' \
                "$kept/list") < /dev/null > "$kept/counts" || return
        sed "$names" "$kept/counts"
        names=1d # in the first line, once
    done < "$kept/files"
}

sm=$(ask_gpu compute_cap 2>/dev/null | tr -cd 0-9)
if ! { compile lens_ncu_unrolled && compile lens_ncu_rolled -DROLLED; }; then
    cat "$log" >&2
    exit 2
fi
"$build/peers/lens_ncu_rolled" --list > "$kept/list"

failed=0
if nvidia-smi >> "$log" 2>&1 && ncu --version >> "$log" 2>&1; then
    profile_all || failed=1
else
    say 'no GPU, or no ncu: the counts of the lens alone'
fi
lens_counts > "$counts" 2>> "$log" \
    || say "the lens did not count everything: $log says why (\`make all\` builds it)"
exit $failed
