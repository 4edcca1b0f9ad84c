load helper.bash

# The numbers of a CPU mean nothing: here the kernels are checked, and the form of the file.
# `make test` has built peaks.

# keys FILE : the keys of a profile, in order, whether measured or left out.
keys() {
    sed -n 's/^# \([a-z0-9_]*\) is left out: .*/\1/p; s/^\([a-z][a-z0-9_]*\) .*/\1/p' "$1"
}

@test "share: on a CPU it says that there is no GPU" {
    says 77 "skipped: no GPU: " peaks --device cpu --file "$BATS_TEST_TMPDIR/profile.txt"
    [ ! -s "$BATS_TEST_TMPDIR/profile.txt" ]
}

@test "share: every kernel is right, and the file is complete and well formed" {
    local file=$BATS_TEST_TMPDIR/profile.txt key value unit how count=0
    run -0 --separate-stderr peaks --device cpu --any-device --file "$file"
    [ "$output" = "$file" ]
    run -1 grep 'is left out' "$file"
    [ "$(keys "$file" | sort | uniq -d)" = '' ]
    while read -r key value unit how; do
        [[ $key != '#' ]] || continue
        echo "$key: $value $unit $how"
        case $key in
            name | driver | date | source) [ -n "$value" ] ;;
            *) [[ $value =~ ^[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$ && -n $how ]]
                awk -v value="$value" 'BEGIN { exit !(value + 0 > 0) }' ;;
        esac
        count=$((count + 1))
    done < "$file"
    for key in name driver date source units launch memory cache cache_rate refill fma add special issue integer \
        access pass store_pass l1_pass lookup both atomic_word atomic_warp atomic_sector fma_latency \
        add_latency memory_latency cache_latency l1_latency local_latency barrier_latency barrier_group \
        resident_warps resident_groups local_bytes rule_local_pairs rule_global_pairs; do
        keys "$file" | grep -qx "$key" || { echo "$key is not there"; return 1; }
        count=$((count - 1))
    done
    [ "$count" -le 1 ] # double, where the device offers it
}

# Each mistake is made in a copy of the kernels: the key is left out, and the others are there.
@test "share: a kernel that leaves out work is found, and costs its own key only" {
    quickly
    local file=$BATS_TEST_TMPDIR/profile.txt kernels=$BATS_TEST_TMPDIR/peaks.cl key from to all
    cp "$ROOT/kernels/peaks.cl" "$kernels"
    while IFS='|' read -r from to; do
        cp "$kernels" "$kernels.old"
        awk -v from="$from" -v to="$to" '{
            at = index($0, from)
            print at ? substr($0, 1, at - 1) to substr($0, at + length(from)) : $0
        }' "$kernels.old" > "$kernels"
        ! cmp -s "$kernels" "$kernels.old" || { echo "not there: $from"; return 1; }
    done << 'END'
TIMES_16(s += g; s += g;)|TIMES_16(s += g;)
x = rotate(x, bits); x ^= pattern;|x = rotate(x, bits);
s = fma(s, f, g); x += count;)|s = fma(s, f, g);)
native_rsqrt(x)|x
s = fma(s, factor, addend); s =|s =
d += (p)[960];|
p[i + 64], d += q[i + 64]|p[i + 64]
a += (p)[0], b += (p)[32]|a += (p)[0]
STORE_8(uint, value)|STORE_8(uint, id)
out[i + items] = b;|
out[id] = in[id] + rounds;|out[id] = in[id];
chunk += step;|chunk += 1;
        atomic_inc(counters);|        if (r > 0) atomic_inc(counters);
        atomic_inc(mine);|        if (r > 0) atomic_inc(mine);
v = v * factor + 1; barrier|barrier
END
    run -1 --separate-stderr peaks --device cpu --any-device --kernel "$kernels" --file "$file"
    for key in add integer issue special fma_latency access pass l1_pass lookup both store_pass memory \
        refill cache_rate atomic_warp atomic_sector barrier_latency rule_global_pairs; do
        grep -qx "# $key is left out: its kernel's result was wrong" "$file" ||
            { echo "$key is there"; return 1; }
    done
    [[ $stderr == *"wrong: many_add[0] is "* ]]
    for key in fma atomic_word memory_latency local_latency units; do
        grep -q "^$key " "$file"
    done
    all=$(keys "$file" | wc -l)
    peaks --device cpu --any-device --file "$file.right" > "$BATS_TEST_TMPDIR/printed"
    [ "$(keys "$file.right" | wc -l)" -eq "$all" ]
}

@test "share: a program that ends in a measurement costs that key only" {
    local file=$BATS_TEST_TMPDIR/profile.txt kernels=$BATS_TEST_TMPDIR/peaks.cl
    sed 's/kernel void barriers(/kernel void none(/' \
        "$ROOT/kernels/peaks.cl" > "$kernels"
    run -2 --separate-stderr peaks --device cpu --any-device --kernel "$kernels" --file "$file"
    grep -qx '# barrier_latency is left out: the program that measured it ended with status 2' "$file"
    grep -qx '# barrier_group is left out: the program that measured it ended with status 2' "$file"
    grep -q '^launch ' "$file"
    grep -q '^local_latency ' "$file"
}

@test "share: what is wrong is said at once" {
    says 2 "cannot write $BATS_TEST_TMPDIR/none/profile.txt" peaks --any-device \
        --file "$BATS_TEST_TMPDIR/none/profile.txt"
    says 2 "no device matches 'nothing'" peaks --device nothing
    echo 'kernel void nothing(' > "$BATS_TEST_TMPDIR/broken.cl"
    run -2 --separate-stderr peaks --device cpu --any-device --kernel "$BATS_TEST_TMPDIR/broken.cl" \
        --file "$BATS_TEST_TMPDIR/profile.txt"
    [[ $stderr == *"does not compile"* ]]
}
