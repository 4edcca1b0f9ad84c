#!/bin/sh
# fizzbuzz.sh [LINES ...] : are steps 20, 20b and 21 right to the last of very many bytes?  The
# SHA-256 of what they write is compared with that of tests/peers/fizzbuzz.c, a program
# that shares nothing with them.  Takes minutes; done once per release, and recorded:
#
#     sh tests/peers/fizzbuzz.sh > docs/results/release/fizzbuzz.txt
#
# `make all` first; DEVICE=... chooses the device.

build=${BUILD:-build}
twin=$build/peer_fizzbuzz
"${CC:-cc}" -std=c11 -O2 tests/peers/fizzbuzz.c -o "$twin" || exit 2
[ $# -gt 0 ] || set -- 500000000 1000000000

sum() { sha256sum | cut -c 1-64; }
status=0
echo "$("$build"/step00_device_limits --devices | awk 'NR > 1' | wc -l) device(s), step 20 on:"
"$build"/step20_fizzbuzz_uniform --size 0 2>&1 | sed -n '1s/.* on /  /p'
date +'  %Y-%m-%d'
for lines; do
    for first in 0 1; do
        bytes=$("$build"/step20_fizzbuzz_uniform --size "$lines" --first $first 2> /dev/null | wc -c)
        echo "$lines lines from $first on, $bytes bytes:"
        expected=$("$twin" $first "$lines" | sum)
        echo "  $expected  a plain program in C"
        for route in step20_fizzbuzz_uniform "step20b_fizzbuzz_out --output write" \
            "step20b_fizzbuzz_out --output vmsplice" step21_fizzbuzz_devices; do
            # shellcheck disable=SC2086 # a list of words is meant
            found=$("$build"/$route --size "$lines" --first $first 2> /dev/null | sum)
            echo "  $found  ${route%%_*}${route#"${route%% *}"}"
            [ "$found" = "$expected" ] || status=1
        done
    done
done
[ $status = 0 ] && echo 'all are right' || echo 'WRONG'
exit $status
