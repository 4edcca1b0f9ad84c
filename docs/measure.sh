#!/bin/sh
# measure.sh NAME : measures every step on one device and stores what it says, for the
# tables and screens in docs/.  DEVICE=... chooses the device, as for make.
#
#     docs/results/NAME.csv         every row at full size, under lines that name the device
#     docs/results/NAME/step03.txt  the screen of an ordinary run
#     docs/results/NAME/step09-f.asm  the machine code of kernel f, for each
#                                   <!-- asm: NAME step09 f --> in docs/
#
# `make all` first; `make docs` afterwards.

name=$1 build=${BUILD:-build}
results=docs/results/$name
[ -n "$name" ] || { echo 'usage: sh docs/measure.sh NAME' >&2; exit 2; }
mkdir -p "$results"

ask() { sed -n "s/^$1  *//p" "$results/step00.txt"; }
for program in "$build"/step[0-9][0-9]_*[!.]?; do
    case $program in *.d) continue ;; esac
    echo "$program" >&2
    stem=${program##*/}
    screen=$results/${stem%%_*}.txt
    "$program" > "$screen" || exit
    if [ "$stem" = step00_device_limits ]; then
        {
            echo "# device: $(ask device)"
            echo "# driver: $(ask platform)"
            echo "# units: $(ask 'compute units')"
            echo "# date: $(date +%Y-%m-%d)"
        } > "$results.draft"
        "$program" --full --format csv >> "$results.draft" || exit
    else
        "$program" --full --format csv > "$results/rows" || exit
        sed 1d "$results/rows" >> "$results.draft"
        rm "$results/rows"
    fi
done
mv "$results.draft" "$results.csv"

sed -n "s/^<!-- asm: $name \(step[0-9]*\) \([a-z0-9_]*\) -->\$/\1 \2/p" docs/*.md | sort -u |
    while read -r step kernel; do
        sh common/asm.sh --kernel "$kernel" "$(basename steps/"$step"_*.c .c)" -- \
            > "$results/$step-$kernel.asm" || exit
    done
