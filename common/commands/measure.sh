#!/bin/sh
# measure.sh NAME [STEP ...] : measures every step on one device and stores what it says, for
# the tables and screens in docs/.  DEVICE=... chooses the device, as for make.  With some
# STEPs, only those: results that only their own chapters show.  TITLE="two such GPUs"
# is what tables call the device, if not by its name.
#
#     docs/results/NAME.csv         every row at full size, under lines that name the device
#     docs/results/NAME/step03.txt  the screen of an ordinary run
#     docs/results/NAME/step18b-peers.txt  what `make step18b peers` prints, if docs/ show it
#     docs/results/NAME/step05-check.txt  what `make step05 check` says of a mistake, likewise
#     docs/results/NAME/step09-f.asm  the machine code of kernel f, for each
#                                   <!-- asm: NAME step09 f --> in docs/
#
# `make all` first; `make docs` afterwards.

export LC_ALL=C # step07b comes behind step07
. common/commands/files.sh
name=$1 build=${BUILD:-build}
results=docs/results/$name
[ -n "$name" ] || { echo 'usage: sh common/commands/measure.sh NAME [STEP ...]' >&2; exit 2; }
shift
only=$*
mkdir -p "$results"
if [ -n "$only" ] && [ -e "$results.csv" ] && ! grep -q '^# only:' "$results.csv"; then
    echo "error: $results.csv has every step: choose another name" >&2
    exit 2
fi

# Then a screen does not say that they are set (ranks.sh).
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

ask() { sed -n "s/^$1  *//p" "$results/step00.txt"; }
for source in steps/step*.c; do
    program=$build/$(basename "$source" .c)
    echo "$program" >&2
    stem=${program##*/}
    screen=$results/${stem%%_*}.txt # until it is whole, it goes to $results/screen
    case " ${only:-${stem%%_*}} step00 " in *" ${stem%%_*} "*) ;; *) continue ;; esac
    if [ "$stem" = step00_device_limits ]; then
        "$program" > "$results/screen" || exit
        mv "$results/screen" "$screen" || exit
        {
            [ -z "$only" ] || echo "# only: $only"
            echo "# device: ${TITLE:-$(ask device)}"
            echo "# driver: $(ask platform)"
            echo "# units: $(ask 'compute units')"
            echo "# date: $(date +%Y-%m-%d)"
        } > "$results.draft" || exit
        "$program" --full --format csv > "$results/rows" || exit
        sed -n "${only:+1}p" "$results/rows" >> "$results.draft" || exit # its columns, at least
    else # where a text goes to stdout, the table goes to stderr
        sh common/commands/ranks.sh "$program" > "$results/screen" 2>&1
        status=$?
        [ $status != 77 ] ||
            { echo "$stem is skipped" >&2 && rm -f "$screen" "$results/screen" && continue; }
        [ $status = 0 ] || exit
        mv "$results/screen" "$screen" || exit
        sh common/commands/ranks.sh "$program" --full --format csv > "$results/rows" || exit
        sed 1d "$results/rows" >> "$results.draft" || exit
    fi
done
rm "$results/rows"
mv "$results.draft" "$results.csv"

if grep -q "^<!-- screen: $name step18b-peers -->" docs/results/*.md; then
    sh tests/peers/matmul_ahead.sh > "$results/screen" &&
        mv "$results/screen" "$results/step18b-peers.txt" || exit
fi
if grep -q "^<!-- screen: $name step05-check -->" README.md docs/*.md; then
    python3 common/commands/exercise check step05 "$build"/mistakes/step05_dot_strided.step_of_one.cl |
        put "$results/step05-check.txt" || exit
fi
sed -n "s/^<!-- asm: $name \(step[0-9]*[a-z]*\) \([a-z0-9_]*\) -->\$/\1 \2/p" docs/*.md | sort -u |
    while read -r step kernel; do
        sh common/commands/asm.sh --kernel "$kernel" "$(basename steps/"$step"_*.c .c)" -- \
            > "$results/screen" && mv "$results/screen" "$results/$step-$kernel.asm" || exit
    done
