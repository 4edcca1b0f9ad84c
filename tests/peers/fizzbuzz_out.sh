#!/bin/sh
# fizzbuzz_out.sh [ROUNDS] : how fast step 20b's text leaves by vmsplice beside another program
# that writes FizzBuzz to stdout, PEER=path, alternating, into the same reader, which looks at
# each byte.  Never part of a test: times are not judged.
#
# Such programs are found under Code Golf's question "High throughput Fizz Buzz" (its best known
# answer, ais523's, is also in github.com/f3sch/fastpipes), and github.com/frankdavid/fast_fizzbuzz.

# shellcheck disable=SC2016 # columns of awk are meant

build=${BUILD:-build}/peers
step=${BUILD:-build}/step20b_fizzbuzz_out
if [ ! -x "${PEER:-}" ]; then
    echo 'There is no other program: PEER=path/to/a/fizzbuzz make step20b peers'
    echo 'Programs that write FizzBuzz to stdout are found under "High throughput Fizz Buzz" (Code Golf).'
    exit 0
fi
mkdir -p "$build"
"${CC:-cc}" -std=c11 -O3 tests/peers/reader.c -o "$build/reader" || exit
bytes=4000000000
rates=$build/rates
: > "$rates"
round=0
while [ $((round += 1)) -le "${1:-9}" ]; do
    peer=$("$PEER" 2> /dev/null | "$build/reader" $bytes) || exit
    ours=$("$step" --size 1000000000 --output vmsplice --unchecked 2> /dev/null |
        "$build/reader" $bytes) || exit
    checked=$("$step" --size 1000000000 --output vmsplice 2> /dev/null |
        "$build/reader" $bytes) || exit
    echo "$peer $ours $checked" >> "$rates"
done
# The rates, and how many times faster than the peer ours are, in the median and the quartiles.
quartiles() { # quartiles EXPRESSION
    awk "{ print $1 }" "$rates" | sort -n |
        awk '{ x[NR] = $1 } END { printf "%7.3f (%.3f to %.3f)", x[int((NR + 1) / 2)],
            x[int((NR + 3) / 4)], x[int((3 * NR + 1) / 4)] }'
}
echo "GB/s into a reader that looks at every byte; median and quartiles of $(wc -l < "$rates")"
echo "  $(basename "$PEER")                     $(quartiles '$1')"
echo "  step20b, vmsplice          $(quartiles '$2')    beside it: $(quartiles '$2 / $1')"
echo "  step20b, vmsplice, checked $(quartiles '$3')    beside it: $(quartiles '$3 / $1')"
