#!/bin/sh
# measure.sh NAME [LIST] : measures what docs/lens.md says of times that no run beats, on the first
# GPU of this machine: every launch of the steps, with what the lens counts of it.  It writes
# docs/results/least/NAME.tsv, and needs docs/devices/NAME.txt, of which `make share` writes most.
# An hour is enough.
#
# LIST has kernels without a program, one in each line: whose it is, as OWNER/NAME, and what play.c
# is given: its file, kernel, work-items, those of a group, build options (with commas in place of
# blanks; - for none), and arguments.

set -e
cd "$(dirname "$0")/../../.."
. common/commands/files.sh
name=${1:?"which device, as in nvidia-h200?"}
sheet=docs/devices/$name.txt
[ -r "$sheet" ] || fail "there is no $sheet" 'make share writes one: copy it there'
make all
CC=${CC:-cc}
"$CC" -std=c11 -O2 -iquote common -DCL_TARGET_OPENCL_VERSION=120 -o build/play \
    tests/lens/least/play.c build/libcommon.a -lOpenCL -lpng -lm -pthread
"$CC" -std=c11 -O2 -iquote common -iquote common/lens -o build/recompute \
    tests/lens/least/recompute.c build/shared/parts.a -lm -ldl -pthread
make_scratch
rows=$scratch

# The steps whose rows are launches that a device's clock times.  Large groups are replayed one by
# one, so that of some steps more than usual make a sample even.
for step in 03 04 05 06 07 07b 07c 08 08b 09 09b 09c 10 10b 13 13b 13d 14 15 15b 16 16b 17 17b 18 \
    18b 19 20; do
    options=
    case $step in 13 | 14) options='--groups 256' ;; esac
    # shellcheck disable=SC2086 # words
    build/lens --times --all --format json --quiet --as "$sheet" $options \
        build/step"$step"_* --device gpu --full >"$rows/step$step.json" || true
done

[ -z "$2" ] || grep -v '^#' "$2" |
    while read -r whose file kernel global local options arguments; do
        [ "$options" != - ] || options=
        # shellcheck disable=SC2086 # words
        DEVICE=gpu build/lens --times --all --format json --quiet --as "$sheet" build/play "$file" \
            "$kernel" "$global" "$local" "$(echo "$options" | tr , ' ')" $arguments </dev/null \
            >>"$rows/$(echo "$whose" | tr / +).json" || echo "note: $whose, $kernel: $?" >&2
    done

driver=$(build/step00_device_limits --device gpu --devices 2>/dev/null | head -1)
python3 tests/lens/least/collect.py "$(awk '$1 == "name" { sub(/name +/, ""); print }' "$sheet")" \
    "${DRIVER:-$driver}" "$rows"/*.json >"$rows/all.tsv"
build/recompute "$sheet" <"$rows/all.tsv" >"docs/results/least/$name.tsv"
echo "docs/results/least/$name.tsv has $(grep -vc '^#' "docs/results/least/$name.tsv") lines;" \
    "make docs shows them"
