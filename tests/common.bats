load helper.bash

# What every step owes to common/, tried on one of them.
step() {
    step03_dot_coalesced --repeats 1 "$@"
}

@test "options: each mistake has its own message and a hint" {
    says 2 "--size needs a whole number" step --size 0
    says 2 "not '-5'" step --size -5
    says 2 "not 'many'" step --size many
    says 2 "not '12x'" step --size 12x
    says 2 "not '99999999999999999999'" step --size 99999999999999999999
    says 2 "--repeats needs a whole number" step --repeats 0
    says 2 "--format needs table, csv, json or tsv, not 'xml'" step --format xml
    says 2 "--colour is not an option" step --colour
    says 2 "--size needs a value" step --size
    says 2 "--lanes needs a whole number" step --lanes 2000
    says 2 "--seed needs a whole number from 0 to 1000000, not '-1'" step --seed -1
    says 2 "not '1000001'" step --seed 1000001
    says 2 "not '1.5'" step --seed 1.5
    says 2 "not ''" step --seed ''
    says 2 "--seed needs a value" step --seed
    says 2 "'5' is not expected here" step 5
}

@test "options: only plain digits are a number, for steps' own options, too" {
    local number
    for number in '' ' 5' '5 ' +5 -1 5x abc 0x10 1e3 1.5 ٣ 123456789012345678901234567890; do
        says 2 "not '$number'" step01_dot_single --repeats "$number"
        says 2 "not '$number'" step01_dot_single --size "$number"
        says 2 "not '$number'" step18_matmul --k "$number"
        says 2 "--from needs a whole number" step20_fizzbuzz_uniform --from "$number"
        says 2 "--width needs" step16b_fused_passes --width "$number"
    done
}

@test "every step: what cannot run leaves stdout empty" {
    local source stem
    for source in "$ROOT"/steps/step*.c; do
        says 2 "nosuch.cl" "$(basename "$source" .c)" --kernel nosuch.cl
        [ -z "$output" ]
    done
    echo 'kernel void broken(' > "$BATS_TEST_TMPDIR/broken.cl"
    for stem in step00_device_limits step17_hologram step18_matmul; do # they print early
        says 2 "does not compile" "$stem" --kernel "$BATS_TEST_TMPDIR/broken.cl"
        [ -z "$output" ]
    done
    says 2 "too many" step00_device_limits --size 99999999999
    [ -z "$output" ]
}

@test "device: smaller groups, when the environment asks for them" {
    for most in 0 -1 many ''; do
        LOCKSTEP_MAX_GROUP=$most says 2 "LOCKSTEP_MAX_GROUP cannot be '$most'" step --size 1000
    done
    LOCKSTEP_MAX_GROUP=100 run -0 step00_device_limits --size 100000 --repeats 1
    [[ $output == *"at most 100 work-items"* ]]
}

@test "options: --help shows every option" {
    run -0 step --help
    for option in size repeats all full rows device devices lanes seed binary kernel format version help; do
        [[ $output == *"--$option"* ]]
    done
}

# Steps add small numbers of their own to a seed; these must never make it another one.
@test "seed: none comes near another" {
    by=$(sed -n 's/.*return (unsigned)number \* \([0-9]*\)u;/\1/p' "$ROOT/common/data.c")
    awk -v by="$by" 'BEGIN {
        for (apart = 1; apart <= 1000000; apart++) {
            distance = apart * by % 4294967296
            if (distance < 1000 || distance > 4294967296 - 1000) exit 1
        }
    }'
}

@test "seed: who knows the answer for 0, as it always was, does not know others" {
    sum=$(awk 'function small() { # the next number of a vector
            seed[v] = (seed[v] * 1664525 + 1013904223) % 4294967296
            return int(seed[v] / 536870912) / 2 - 1.75
        }
        BEGIN {
            seed[1] = 1
            seed[2] = 2
            for (i = 0; i < 1000; i++) {
                product = 1
                for (v = 1; v <= 2; v++) product *= small()
                sum += product
            }
            print sum
        }')
    # (The last launches have an x that is 2^-60 times as large.)
    for name in dot_single dot_coalesced; do
        echo "kernel void $name(global const float *x, global const float *y," \
            "global float *sums, uint n) {" \
            "const float scale = x[0] * x[0] < 1e-9f ? 0x1p-60f : 1.0f;" \
            "sums[get_global_id(0)] = get_global_id(0) == 0 ? scale * (float)($sum) : 0.0f; }"
    done > "$BATS_TEST_TMPDIR/known.cl"
    run -0 step --size 1000 --kernel "$BATS_TEST_TMPDIR/known.cl"
    run -0 step --size 1000 --kernel "$BATS_TEST_TMPDIR/known.cl" --seed 0
    for seed in 1 2 7 1000000; do
        run -0 step --size 1000 --seed "$seed"
        run -1 step --size 1000 --seed "$seed" --kernel "$BATS_TEST_TMPDIR/known.cl"
        [[ $output == *WRONG* ]]
    done
}

@test "seed: two vectors differ, whatever it is" {
    sed 's| y\[| x[|g' "$ROOT/kernels/step03_dot_coalesced.cl" > "$BATS_TEST_TMPDIR/x.cl"
    for seed in 0 1 2 7 1000000; do
        run -1 step --size 1000 --seed "$seed" --kernel "$BATS_TEST_TMPDIR/x.cl"
    done
}

@test "size: beyond memory, it says what would fit" {
    says 2 "1000000000000 elements are too many" step --size 1000000000000
    [[ $stderr =~ try\ --size\ ([0-9]+) ]]
    [ "${BASH_REMATCH[1]}" -gt 1000000 ]
}

@test "device: by number, by kind, by part of its name or its platform's" {
    name=$(step --devices | awk 'NR == 2 { print $2 }')
    for wish in 0 "$name" "${name:0:3}" "${name^^}"; do
        run -0 step --device "$wish"
    done
    DEVICE=$name run -0 step
    DEVICE='' run -0 step
}

@test "device: one that is not there is an error that lists those that are" {
    says 2 "no device matches 'nosuch'" step --device nosuch
    [[ $stderr == *"  there   0  "* ]]
    says 2 "no device matches '77'" step --device 77
    DEVICE=nosuch says 2 "no device matches 'nosuch'" step
}

@test "device: no driver at all points to the doctor" {
    export OCL_ICD_VENDORS=/nonexistent
    ! step --devices > /dev/null 2>&1 || skip "this loader finds its drivers elsewhere"
    says 2 "no OpenCL device" step
    [[ $stderr == *"make doctor"* ]]
    says 2 "no OpenCL device" step --devices
}

@test "kernel: a missing file, a folder, and a file that is no text" {
    says 2 "cannot open the kernel file nosuch.cl" step --kernel nosuch.cl
    says 2 "kernel" step --kernel "$BATS_TEST_TMPDIR"
}

@test "kernel: a byte order mark is no mistake, and other texts than UTF-8 are" {
    printf '\xef\xbb\xbf' | cat - "$ROOT/kernels/step03_dot_coalesced.cl" \
        > "$BATS_TEST_TMPDIR/mark.cl"
    run -0 step --kernel "$BATS_TEST_TMPDIR/mark.cl"
    printf 'k\0e\0r\0' > "$BATS_TEST_TMPDIR/wide.cl"
    says 2 "has a byte 0" step --kernel "$BATS_TEST_TMPDIR/wide.cl"
}

# shows_no_controls : the message has nothing that a terminal obeys.
shows_no_controls() {
    LC_ALL=C run -1 grep -q $'[\001-\010\013-\037\177\200-\237]' <<< "$stderr"
}

@test "messages: control characters of a broken file are shown, not sent to the terminal" {
    cd "$BATS_TEST_TMPDIR"
    local bytes=$'\e[31mred\a\177\x9b\xc2\x9b\xff'
    printf '#error "%s"\n%s\n#include "%s"\n' "$bytes" "$bytes" "$bytes" > broken.cl
    says 2 '\x1b[31mred\x07\x7f' step --kernel broken.cl
    shows_no_controls
    sed -i '$d' broken.cl
    for stem in step01_dot_single step03_dot_coalesced; do
        says 2 "does not compile" "$stem" --kernel broken.cl
        shows_no_controls
    done
    echo "1 2 $bytes" > points.txt
    says 2 '1 2 \x1b[31mred\x07\x7f\x9b\xc2\x9b\xff' step17_hologram --points points.txt
    shows_no_controls
    says 2 '\x1b[31m' step16_shock_filter --input "$bytes"
    shows_no_controls
    says 2 "not 'größer'" step --size größer # letters stay
}

@test "kernel: a mistake is shown with our file and its line" {
    mkdir "$BATS_TEST_TMPDIR/my kernels"
    file="$BATS_TEST_TMPDIR/my kernels/broken.cl"
    sed 's/sum = 0.0f;/sum = undefined_thing;/' \
        "$ROOT/kernels/step03_dot_coalesced.cl" > "$file"
    line=$(grep -n undefined_thing "$file" | cut -d: -f1)
    says 2 "does not compile" step --kernel "$file"
    [[ $stderr == *undefined_thing* ]]
    [[ $stderr == *"broken.cl:$line:"* || $stderr == *"<kernel>:$line:"* ]] # NVIDIA's name
}

@test "kernel: an included file is found, and a mistake in it has its line" {
    printf '%s\n' '#include "simd.clh"' 'kernel void dot_single(global float *x) {' \
        '    x[0] = undefined_thing;' '}' > "$BATS_TEST_TMPDIR/includes.cl"
    says 2 "does not compile" step --kernel "$BATS_TEST_TMPDIR/includes.cl"
    [[ $stderr == *"includes.cl:3:"* || $stderr == *"<kernel>:"* ]] # NVIDIA's name
}

@test "kernel: an included file that is missing, and a file that includes itself" {
    echo '#include "nosuch.clh"' > "$BATS_TEST_TMPDIR/missing.cl"
    says 2 "nosuch.clh" step --kernel "$BATS_TEST_TMPDIR/missing.cl"
    upwards=$(realpath --relative-to="$ROOT/kernels" "$BATS_TEST_TMPDIR")
    echo "#include \"$upwards/itself.cl\"" > "$BATS_TEST_TMPDIR/itself.cl"
    says 2 "include each other" step --kernel "$BATS_TEST_TMPDIR/itself.cl"
}

@test "kernel: --binary writes what the compiler made, or says why not" {
    run -0 step --binary "$BATS_TEST_TMPDIR/binary"
    [ -s "$BATS_TEST_TMPDIR/binary" ]
    says 2 "cannot write /nosuch/binary" step --binary /nosuch/binary
}

@test "kernel: a name that is not in the file" {
    echo 'kernel void another(global float *x) { x[0] = 1.0f; }' > "$BATS_TEST_TMPDIR/a.cl"
    says 2 "no kernel dot_single" step --kernel "$BATS_TEST_TMPDIR/a.cl"
}

@test "kernel: a group that the device or the kernel does not allow" {
    sed 's/^kernel void/__attribute__((reqd_work_group_size(7, 1, 1))) &/' \
        "$ROOT/kernels/step03_dot_coalesced.cl" > "$BATS_TEST_TMPDIR/seven.cl"
    says 2 "cannot launch dot_single: global 1 x 1 x 1, local 1 x 1 x 1" \
        step --kernel "$BATS_TEST_TMPDIR/seven.cl"
    [[ $stderr == *"CL_INVALID_WORK_GROUP_SIZE (-54)"*"the kernel fixes its groups at 7 x 1 x 1"* ]]
}

# writes_at INDEX WHERE : a kernel that also writes sums[INDEX], of 32, is found to do so.
writes_at() {
    sed "s/sums\[item\] = sum;/& if (item == 0) sums[$1] = 1.0f;/" \
        "$ROOT/kernels/step03_dot_coalesced.cl" > "$BATS_TEST_TMPDIR/beside.cl"
    run -1 step --kernel "$BATS_TEST_TMPDIR/beside.cl"
    [[ $output == *"a kernel wrote $2 a buffer of 128 bytes"* ]]
}

@test "buffer: a write in front of it, or behind it, is found, whichever element it hits" {
    quickly
    writes_at 32 beyond
    writes_at 1000 beyond
    writes_at 32+16383 beyond # the last one of the guard
    writes_at -1 'in front of'
    writes_at -9000 'in front of'
    writes_at -16384 'in front of'
}

# compile NAME : tests/NAME.c with all of common/, to a program in the test's folder.
compile() {
    "${CC:-cc}" -std=c11 -iquote "$ROOT/common" -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$BATS_TEST_TMPDIR/$1" "$ROOT/tests/$1.c" \
        "$BUILT/libcommon.a" -lOpenCL -lpng -lm ${LDFLAGS:-}
}

@test "report: csv, json and tsv have the same columns, whatever a device is called" {
    compile report
    run -0 "$BATS_TEST_TMPDIR/report" --format json
    [ "$output" = '{"step": "a step", "variant": "a, \"b\"", "device": "Q\\\"\u0009, 5\u0001", "size": 7, "repeats": 3, "median_ms": 2, "fastest_ms": 1, "slowest_ms": 4, "rate": 0.5, "unit": "GB/s", "percent_of_limit": null, "result": "ok", "note": "none", "counted": null, "h200_ms": null, "h200_percent_of_limit": null}' ]
    run -0 "$BATS_TEST_TMPDIR/report" --format csv
    [ "${lines[0]}" = step,variant,device,size,repeats,median_ms,fastest_ms,slowest_ms,rate,unit,percent_of_limit,result,note,counted,h200_ms,h200_percent_of_limit ]
    [ "${lines[1]}" = $'"a step","a, ""b""","Q\\""\t, 5\001",7,3,2,1,4,0.5,"GB/s",,"ok","none",,,' ]
    heading=${lines[0]}
    run -0 "$BATS_TEST_TMPDIR/report" --format tsv
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]}" = "${heading//,/$'\t'}" ]
    [ "${lines[1]}" = $'a step\ta, "b"\tQ\\" , 5\001\t7\t3\t2\t1\t4\t0.5\tGB/s\t\tok\tnone\t\t\t' ]
}

@test "report: a table's columns, shares of a limit, and what headlines say" {
    compile shares
    run -0 "$BATS_TEST_TMPDIR/shares"
    diff - <(echo "$output") <<'END'
a step: a lesson
(this device's limits are not measured yet: make step00 run)

variant                       ms          rate  limit  result
a quarter                  4.000    25 GFLOP/s 25.0 %  right
all of it                  1.000   100 GFLOP/s  100 %  right
more by 5 %                1.000   105 GFLOP/s         right, at the limit
more by 20 %               1.000   120 GFLOP/s         right, beyond the limit

faster
  here        4 times faster (3 to 5)

slower
  here        4 times slower (3.33 to 5)

neither
  here        not told apart (0.90 to 1.10 times as fast)
at the limit: a little faster than what step 00 has measured.
beyond the limit: measure the limits again: make step00 run.

here: nothing; 0 elements
END
    run -0 "$BATS_TEST_TMPDIR/shares" --format csv
    [ "$(grep -c '' <<< "$output")" -eq 8 ]
    [[ ${lines[1]} == *',3,4,2,8,25,"GFLOP/s",25,"ok","",,,' ]]
    [[ ${lines[5]} == *'"headline: faster"'*',4,"x",,"ok","true, 3 to 5",,,' ]]
    [[ ${lines[6]} == *'"headline: slower"'*',0.25,"x",,"ok","reversed, 0.2 to 0.3",,,' ]]
    [[ ${lines[7]} == *'"headline: neither"'*'"not told apart, 0.9 to 1.1",,,' ]]
}

# answered FIELD VARIANT : what is stored of that row of step 05.
answered() {
    awk -F '\t' -v field="$1" -v variant="$2" \
        '$1 == "row" && $2 == "step05_dot_strided" && $3 == variant { print $field }' "$ROOT/docs/results/answers.tsv"
}

@test "report: on a CPU a GPU's answer comes first, and the CPU's own apart" {
    compile screen
    local counts ms shares least faster card driver date
    counts=("$(answered 4 coalesced)" "$(answered 4 contiguous)")
    ms=("$(answered 5 coalesced)" "$(answered 5 contiguous)")
    shares=("$(answered 6 coalesced)" "$(answered 6 contiguous)")
    least=("$(answered 8 coalesced)" "$(answered 8 contiguous)")
    IFS=$'\t' read -r _ _ _ faster _ card _ <<< "$(grep '^headline.step05' "$ROOT/docs/results/answers.tsv")"
    IFS=$'\t' read -r _ _ driver date <<< "$(grep $'^device\tH200\t' "$ROOT/docs/results/answers.tsv")"
    run -0 "$BATS_TEST_TMPDIR/screen"
    diff - <(echo "$output") << END
step05_dot_strided: the lesson

                          sectors    H200, 134 M |  this CPU's own answer, 17 M elements
variant                    a load  least      ms |      ms          rate  result
coalesced                       4 $(printf '%.4f  %.4f' "${least[0]}" "${ms[0]}") |   2.000       50 GB/s  right
contiguous                     32 $(printf '%6.3f  %6.3f' "${least[1]}" "${ms[1]}") |   2.000        5 GB/s  right, a note
nowhere else                                     |   2.000        5 GB/s  right, a note

coalesced, not contiguous chunks
  on an $card  $(printf %.3g "$faster") times faster
  counted     4 sectors a load, not 32
  here        2.5 times slower (2.44 to 2.56)
              A reason.

sectors a load: pieces of 32 bytes that a load of 32 lanes touches
least: milliseconds that no run on an H200 beats, from what is counted alone (docs/lens.md)
an H200: stored, measured $date with $driver
here: nothing; 16,777,216 elements
What 32 lanes of a GPU do with it: make step05 lens
END
    [ "${counts[0]}" = 4.00 ] && [ "${counts[1]}" = 32.00 ]
    run -0 "$BATS_TEST_TMPDIR/screen" --format csv
    [[ ${lines[1]} == *',50,"GB/s",,"ok","fits in cache",'"4.00,${ms[0]},${shares[0]}" ]]
    [[ ${lines[3]} == *'"nowhere else",'*',"ok","a note",,,' ]]
}

@test "report: on a GPU its own answer comes first, and the stored one to be compared with" {
    compile screen
    KIND=gpu run -0 "$BATS_TEST_TMPDIR/screen"
    echo "$output"
    [[ $output == *$'\n                          sectors               this GPU, 17 M |  H200, 134 M\n'* ]]
    [[ $output == *$'\nvariant                    a load      ms          rate  limit |  least      ms  result\n'* ]]
    [[ $output == *$'\ncontiguous                     32   2.000        5 GB/s 12.5 % |  1.'*'  right, a note'$'\n'* ]]
    [[ $output == *$'\ncoalesced                       4   2.000       50 GB/s        | 0.2'*'  right, fits in cache'$'\n'* ]]
    [[ $output == *$'\n  here        2.5 times slower (2.44 to 2.56)\n  counted     4 sectors a load, not 32\n  on an H200  '* ]]
    [[ $output != *'A reason'* ]]
}

@test "report: other kernels than the step's own have no stored answer" {
    compile screen
    run -0 "$BATS_TEST_TMPDIR/screen" --kernel "$ROOT/kernels/step05_dot_strided.cl"
    [[ $output != *H200* && $output != *sectors* ]]
    [[ $output == *$'\nWhat a GPU would do with it: make step05 lens ARGS="--kernel '*'/kernels/step05_dot_strided.cl"' ]]
}

@test "report: tsv rows have the columns of its heading" {
    for stem in step01_dot_single step03_dot_coalesced; do
        run -0 "$stem" --size 1000 --repeats 1 --format tsv
        for line in "${lines[@]}"; do
            [ "$(tr -dc '\t' <<< "$line" | wc -c)" -eq 15 ]
        done
        [[ ${lines[0]} == $'step\tvariant\tdevice\tsize\t'* ]]
        [[ ${lines[1]} == "$stem"$'\t'*$'\tok\t'* ]]
    done
}

@test "options: --version names each step and the version" {
    version=$(sed -n 's/^#define LOCKSTEP_VERSION "\(.*\)"$/\1/p' "$ROOT/common/driver/version.h")
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+ ]]
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        run -0 "$stem" --version
        [ "$output" = "$stem, Lockstep $version" ]
        run -0 "$stem" --help
        [[ $output == *--version* ]]
    done
}

@test "compare: the first difference is named, with its group and lane" {
    compile compare
    run --separate-stderr -0 "$BATS_TEST_TMPDIR/compare"
    [ -z "$output" ]
    diff - <(echo "$stderr") <<'END'
wrong: the sum is 2393.5, expected 2400.25 (difference -6.75)
wrong: the sum is NaN (unwritten, or computed from such), expected 1
wrong: the sum is 1, expected 1.0000000000000002 (difference -2.2204460492503131e-16)
wrong: counts[7] is unwritten (0xfffadead), expected 4294967295
wrong: x[1] is 0.1000000015, expected 0.1000000089
wrong: results[3] is 15.5, expected 30.25 (group 3)
wrong: sums[131] is -1, expected 1 (work-item 131: group 2, lane 3 of 16)
wrong: out (3, 4) is 1, expected 2
wrong: line 12, character 3 (byte 102) is '\x01', expected 'z'; the line is 'Fi\x01z\n', expected 'Fizz\n'
wrong: line 7, character 2 (byte 1) is 'x', expected '\n'; the line is '7x', expected '7\n'
wrong: this is the result after the timed launches; that of the first launch was right: does the kernel read what was there before?
END
}

# begins_with_what_is_there STEM TEXT : a kernel file whose first launch is right, and whose
# later ones add to what the one before left, is found, and the text says so.
begins_with_what_is_there() {
    run --separate-stderr -1 "$1" --repeats 2 --size 1003 --kernel "$BATS_TEST_TMPDIR/again.cl"
    [[ $output == *WRONG* ]]
    [[ $stderr == *"$2"* && $stderr == *"this is the result after the timed launches"* ]]
}

@test "compare: a kernel that is right only once is found after the timed launches" {
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    local again=$BATS_TEST_TMPDIR/again.cl
    sed 's/float total = 0.0f;/float total = isnan(*sum) ? 0.0f : *sum;/' \
        "$ROOT/kernels/step02_dot_timed.cl" > "$again"
    begins_with_what_is_there step02_dot_timed 'wrong: the sum is '
    sed 's/float sum = 0.0f;/float sum = isnan(sums[item]) ? 0.0f : sums[item];/' \
        "$ROOT/kernels/step04_dot_groups.cl" > "$again"
    begins_with_what_is_there step04_dot_groups 'wrong: the sum is '
    sed 's/^        end\[i\] = chain(.*);/        if (isnan(end[i])) end[i] = chain(start[i], rounds); else end[i] += 1;/' \
        "$ROOT/kernels/step10_work_distribution.cl" > "$again"
    begins_with_what_is_there step10_work_distribution 'work-item 0: group 0, lane 0 of '
}

@test "timing: nothing is concluded within the noise, or from too few launches" {
    compile noise
    run -0 "$BATS_TEST_TMPDIR/noise"
    diff - <(echo "$output") << 'END'
4.3 times faster (4.28 to 4.33)
4 times slower (2 to 5)
1511 times faster (1470 to 1703)
not told apart (1.00 to 1.00 times as fast)
1.01 times faster (1.01 to 1.01)
not told apart (1.00 to 1.00 times as fast)
not told apart (0.99 to 1.40 times as fast)
not told apart (too few launches)
not told apart (0.06 to 16.00 times as fast)
6 times faster (3 to 8)
5 times slower (3 to 8)
not told apart (0.50 to 2.00 times as fast)
1.5 times faster (1.38 to 1.63)
not told apart (0.98 to 1.16 times as fast)
not told apart (too few launches)
2 times faster (1.81 to 2.21)
2 times slower (1.81 to 2.21)
not told apart (0.90 to 1.11 times as fast)
END
}

@test "report: what is enough is said only if the row before is slower by more than the noise" {
    compile enough
    run -0 "$BATS_TEST_TMPDIR/enough"
    [ "$output" = "-1 -1 -1 2 1" ]
}

@test "timeline: the drawing, the idle shares, the trace and the picture" {
    compile timeline
    local file=$BATS_TEST_TMPDIR/file
    run -0 "$BATS_TEST_TMPDIR/timeline" "$file.json"
    [ "${lines[0]}" = "  host       pppp........uuuuuuuu            idle 39.5 %" ]
    [ "${lines[1]}" = "  device     ....ccccdddd........            idle 60.0 %" ]
    [[ ${lines[2]} == "  unused "*"idle  0.0 %" ]]
    [ "${lines[3]}" = "20.0 ms, 0.0 ms" ]
    grep -q '^{"name":"use","ph":"X","pid":0,"tid":0,"ts":12000.000,"dur":8000.000},$' "$file.json"

    # 20 ms are 720 pixels.  The 500 spans share two rectangles, which are 180 pixels wide.
    "$BATS_TEST_TMPDIR/timeline" "$file.svg"
    local bar='<rect class="c[0-7]\( edge\)\{0,1\}"'
    [ "$(grep -c "$bar" "$file.svg")" -eq 7 ]
    [ "$(grep -c '<rect class="idle"' "$file.svg")" -eq 19 ]
    grep -q "$bar x=\"120\" y=\"34\" width=\"144\" .*<title>prepare, 4 ms<" "$file.svg"
    grep -q "$bar x=\"552\" y=\"34\" width=\"288\" .*<title>use, 8 ms<" "$file.svg"
    grep -q "$bar x=\"264\" y=\"56\" width=\"216\" .*<title>compute, 6 ms<" "$file.svg"
    grep -q "$bar x=\"336\" y=\"34\" width=\"3.6\" .*<title>&lt;wink&gt; &amp; so on, 100 us<" "$file.svg"
    grep -q "$bar x=\"120\" y=\"234\" width=\"179.5\" .*<title>even 250 times, 1.25 ms<" "$file.svg"
    [ "$(grep -c ' class="tag">' "$file.svg")" -eq 6 ] # there is no room for <wink>
    grep -q '>idle 39.5 %<' "$file.svg"
    grep -q '>and 4 more rows<' "$file.svg"
    [ "$(sed -n 's/.* class="axis">\(.*\)<.*/\1/p' "$file.svg" | xargs)" = "0 ms 5 ms 10 ms 15 ms 20 ms" ]

    ln -s /dev/full "$file.full"
    ln -s /dev/full "$file.full.json"
    for end in svg json; do
        says 2 "cannot write /nosuch/file.$end" "$BATS_TEST_TMPDIR/timeline" /nosuch/file.$end
    done
    says 2 "cannot write /: Is a directory" "$BATS_TEST_TMPDIR/timeline" /
    for full in "$file.full" "$file.full.json"; do
        [ ! -e /dev/full ] || says 2 "No space left" "$BATS_TEST_TMPDIR/timeline" "$full"
    done
}

# chain.c copies in, doubles, adds one and copies out.  What waits by order and what waits by
# events must be forgotten in different ways.
@test "hold: a wait that is forgotten shows each time, and nothing hangs" {
    compile chain
    preload_hold
    local chain=$BATS_TEST_TMPDIR/chain how
    for how in order events barriers; do
        run -0 env LD_PRELOAD="$hold" "$chain" $how
        [ "$output" = $'right\nhold: 0 forgotten, 0 held, 0 of them wasted' ]
    done
    shows() { # shows HOW WHAT HELD
        forgetting "$2" "$3" timeout 20 "$chain" "$1"
        [ "$output" = $'wrong\nhold: 1 forgotten, 1 held, 0 of them wasted' ]
    }
    for how in order events; do
        shows $how twice copy-in
        shows $how add:1 twice
        shows $how copy-out:1/2 add
    done
    forgetting add copy-in timeout 20 "$chain" events # both in a queue that is in order
    [[ $output == *"hold: 1 forgotten, 1 held, 1 of them wasted" ]]
    shows barriers barrier:1 copy-in
    shows barriers barrier:2 twice
    shows barriers barrier:3 add
    forgetting wait:1 copy-out timeout 20 "$chain" order
    [ "$output" = $'wrong\nhold: 1 forgotten, 1 held, 1 of them wasted' ]
    for how in twice add:1 copy-out; do # luck decides
        run timeout 20 env LD_PRELOAD="$hold" FORGET=$how "$chain" events
        [ "$status" -le 1 ]
        [[ $output == *"hold: 1 forgotten, 0 held, "* ]]
    done
    run -0 timeout 20 env LD_PRELOAD="$hold" HOLD=twice "$chain" order
    [ "$output" = $'right\nhold: 0 forgotten, 1 held, 1 of them wasted' ]
    run -0 timeout 20 env LD_PRELOAD="$hold" FORGET=add:2 HOLD=twice:2/4 "$chain" events
    [ "$output" = $'right\nhold: 0 forgotten, 0 held, 0 of them wasted' ]
    run -2 env LD_PRELOAD="$hold" HOLD=add FORGET=add:0 "$chain"
    [[ $output == *"NAME, NAME:N or NAME:N/M is needed, not add:0"* ]]
    run -2 env LD_PRELOAD="$hold" HOLD=add FORGET=add "$chain"
    run -2 env LD_PRELOAD="$hold" HOLD=barrier "$chain"
}

@test "device: as many buffers, kernels, queues and pinned pieces as a program makes" {
    compile grow
    run -0 "$BATS_TEST_TMPDIR/grow"
    [ "$output" = "100 buffers, 100 kernels, 100 queues, 100 pinned: 9900" ]
}

@test "picture: grey, transparent, with 16 bits; broken, huge and missing files" {
    compile picture
    cd "$BATS_TEST_TMPDIR"
    local head=iVBORw0KGgoAAAANSUhEUgAA
    base64 -d <<< ${head}AAMAAAABCAAAAAA+i0toAAAADElEQVR42mNgaPgPAAIDAYAanCY7AAAAAElFTkSuQmCC > grey.png
    base64 -d <<< ${head}AAIAAAABCAYAAAD0In+KAAAAD0lEQVR42mPgEpH7D8QMAAc0AXjZSH9wAAAAAElFTkSuQmCC > clear.png
    base64 -d <<< ${head}AAIAAAABEAAAAACB2fwVAAAADUlEQVR42mNgYPj/HwADAgH/OSkZvgAAAABJRU5ErkJggg== > deep.png
    base64 -d <<< iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAAAAACNOVQUAAAACUlEQVR42mMAAAABAAGxDbaTAAAAAElFTkSuQmCC > huge.png
    [ "$(./picture grey.png again.png)" = $'3 x 1, 1\n0 128 255 ' ]
    [ "$(./picture again.png)" = $'3 x 1, 1\n0 128 255 ' ]
    [ "$(./picture clear.png)" = $'2 x 1, 3\n10 20 30 255 255 255 ' ]
    [ "$(./picture deep.png)" = $'2 x 1, 1\n0 255 ' ]
    head -c 48 grey.png > broken.png
    says 2 "cannot read nosuch.png: No such file" ./picture nosuch.png
    says 2 "cannot read .:" ./picture .
    says 2 "cannot read picture:" ./picture picture
    says 2 "broken.png is broken:" ./picture broken.png
    says 2 "huge.png has 100000 x 100000 pixels" ./picture huge.png
}

@test "report: json rows of a step are whole" {
    run -0 step --format json
    value='(null|-?[0-9.e+-]+|"[^"]*")'
    [ "${#lines[@]}" -eq 3 ]
    for line in "${lines[@]}"; do
        [[ $line =~ ^\{(\"[a-z0-9_]+\":\ $value(, )?){16}\}$ ]]
    done
}

# with_limits SCRIPT : this device's limits, changed by a sed script.
with_limits() {
    for file in "${known:=${LIMITS_DIR:-$BUILT/limits}}"/*.txt; do
        sed "$1" "$file" > "$BATS_TEST_TMPDIR/$(basename "$file")"
    done
    export LIMITS_DIR=$BATS_TEST_TMPDIR
}

@test "report: what cannot be true gets a verdict instead of a share" {
    step00_device_limits --unless-known > /dev/null
    with_limits 's/^read .*/read 0.001/'
    run -0 step --format csv
    [[ $output == *',"GB/s",,"ok","fits in cache",'* ]]
    run -0 step --rows "$BATS_TEST_TMPDIR/rows" # beside a screen, which has no share on a CPU
    grep -q $'\tGB/s\t\tok\tfits in cache\t' "$BATS_TEST_TMPDIR/rows"
    with_limits 's/^launch_ms .*/launch_ms 1e9/'
    run -0 step --format csv
    [[ $output == *',"GB/s",,"ok","launch-bound"'* ]]
    run -0 step08_sum_accuracy --size 1048576 --repeats 1 --format csv # no rate
    [[ $output == *'"one after another, 0..1",'*',"ok","launch-bound, error '[0-9]*' ulp"'* ]]
    run -0 step08_sum_accuracy --size 1048576 --repeats 1
    [[ $output =~ 'one after another, 0..1'[^$'\n']*'right, launch-bound, error '[0-9.]+' ulp' ]]
    run -0 step02_dot_timed --repeats 3 --format csv # by the host's clock
    [[ $output == *'"until it was enqueued",'*',"ok","host'"'"'s clock"'* && $output == *',"ok","once"'* ]]
    with_limits 's/^read .*/read 1e9/; s/^launch_ms .*/launch_ms 1e-9/'
    run -0 step --format csv
    [[ $output =~ ,([0-9.e-]+),\"GB/s\",([0-9.e-]+),\"ok\" ]]
    awk -v rate="${BASH_REMATCH[1]}" -v percent="${BASH_REMATCH[2]}" \
        'BEGIN { exit !(rate > 0 && percent > 0.99e-7 * rate && percent < 1.01e-7 * rate) }'
}

@test "report: a full disk is an error, a closed pipe is none" {
    [ -e /dev/full ] || skip "no /dev/full here"
    says 2 "cannot write the results" bash -c 'step03_dot_coalesced > /dev/full'
    says 2 "cannot write the results" bash -c 'step03_dot_coalesced --repeats 1 --rows /dev/full'
    says 2 "cannot write /dev/full" step --binary /dev/full
    local program option
    for option in --help --version --devices; do
        for program in step03_dot_coalesced lens; do
            [ "$program $option" != "lens --devices" ] || continue
            says 2 "cannot write the results" bash -c "$program $option > /dev/full"
            says 2 "hint" bash -c "$program $option >&-"
            run -0 bash -c "$program $option | head -n 1"
            [ -n "$output" ]
        done
    done
    says 2 "stdout is closed" bash -c 'step03_dot_coalesced --rows "$1" >&-' - "$BATS_TEST_TMPDIR/rows"
    [ ! -e "$BATS_TEST_TMPDIR/rows" ]
    says 2 "cannot write /dev/full" lens --quiet --svg /dev/full --kernel '*' \
        "$BUILT/step03_dot_coalesced" --size 1000 --repeats 1
    run bash -c 'step03_dot_coalesced --repeats 1 | head -n 1'
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
}

# with_line KERNEL LINE : $file is the kernel file of $stem, in which that kernel begins with
# this line.
with_line() {
    file=$BATS_TEST_TMPDIR/$stem.cl
    awk -v kernel="kernel void $1(" -v line="$2" '
        { print }
        index($0, kernel) { inside = 1 }
        inside && /{$/ { print line; inside = 0 }' "$ROOT/kernels/$stem.cl" > "$file"
}

@test "crash: what ends the driver is named with its kernel, and rows that are there stay" {
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    local stem kernel buffer file rows=$BATS_TEST_TMPDIR/rows
    for kernel in 'step03_dot_coalesced dot_coalesced sums' \
        'step06_reduce_local reduce_local_many sums' 'step19_fizzbuzz_branches fizzbuzz_gather text'; do
        read -r stem kernel buffer <<< "$kernel"
        with_line "$kernel" "    $buffer[1ul << 36] = 1;"
        says 2 "error: the device's driver was ended while it ran $kernel" \
            "$stem" --repeats 1 --size 103 --kernel "$file"
        [[ $stderr == *"  hint    "*"make ${stem%%_*} races ARGS=\"--kernel $file\""* && -z $output ]]
        with_line "$kernel" "    local float huge[1 << 26]; huge[0] = $buffer[0]; barrier(1); $buffer[0] = huge[1];"
        # (PoCL 6 does not tell what a kernel needs, but says it when it gives up.)
        says 2 "error: " "$stem" --repeats 1 --size 103 --kernel "$file"
        [[ $stderr == *"error: $kernel needs "*" of local memory for each group"*"this device has "* ||
            $stderr == *"fit to the local memory"*"error: the device's driver was ended while it ran $kernel"* ]]
        [ -z "$output" ]
    done
    # A private array uses up the stack of the driver's thread.
    stem=step03_dot_coalesced
    with_line dot_coalesced '    volatile int big[1 << 24]; for (uint i = 0; i < n; i++) big[i * 9973 % (1 << 24)] = 1;'
    says 2 "error: the device's driver was ended while it ran dot_coalesced" \
        $stem --repeats 1 --size 103 --kernel "$file"
    stem=step13_memory_layout
    with_line memory_layout_blur_morton '    out[1ul << 36] = 1;'
    says 2 "while it ran memory_layout_blur_morton" \
        $stem --repeats 1 --size 1003 --kernel "$file" --rows "$rows"
    [[ $output == $stem*"blur, rows, "*" right"* ]]
    [ "$(grep -c "^$stem" "$rows")" = "$(grep -c '  right' <<< "$output")" ]
}

@test "crash: a kernel that never ends is named, a slow reader is waited for" {
    local stem=step13_memory_layout file
    with_line memory_layout_blur_morton '    while (*(volatile global float *)in < 1e30f) {}'
    PATIENCE=1 says 2 "has not returned for 1 s, after memory_layout_blur_morton" \
        $stem --repeats 1 --size 1003 --kernel "$file"
    [[ $output == $stem*"blur, rows, "*" right"* && $stderr == *"make step13 races"* ]]
    PATIENCE=1 run --separate-stderr -0 \
        bash -o pipefail -c 'step20_fizzbuzz_uniform --repeats 1 --size 100000 | (sleep 3; cat)'
    [ "${#lines[@]}" -eq 100000 ]
    PATIENCE=1m says 2 "PATIENCE cannot be '1m'" $stem
}

@test "kernel: a device with too little local memory cannot run the step, and a file is to blame" {
    local stem=step18b_matmul_ahead file=$ROOT/kernels/step18b_matmul_ahead.cl
    "${CC:-cc}" -std=c11 -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_TEST_TMPDIR/small.so" \
        -x c - -ldl <<'END'
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *out, size_t *used) {
    cl_int (*get)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    *(void **)&get = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    const cl_int status = get(device, what, size, out, used);
    if (what == CL_DEVICE_LOCAL_MEM_SIZE && out)
        *(cl_ulong *)out = 8192;
    return status;
}
END
    if $stem --devices | grep -q ' cpu  *6\.'; then
        skip "PoCL 6 does not tell how much local memory a kernel needs"
    fi
    export LD_PRELOAD=$BATS_TEST_TMPDIR/small.so
    says 77 "skipped: matmul_" $stem --repeats 1 --size 1000
    [[ $stderr == *"bytes of local memory for each group"*"this device has 8192"* ]]
    says 2 "error: matmul_" $stem --repeats 1 --size 1000 --kernel "$file"
    [[ $stderr == *"this device has 8192: use smaller local arrays"* ]]
}

# limited COMMAND ... : with files of 1000 KiB at most, which the driver's own are not.
limited() {
    bash -c 'ulimit -f 1000; "$@"' - "$@"
}

@test "report: a file that may not become longer is like a full disk" {
    cd "$BATS_TEST_TMPDIR"
    step > rows
    head -c 1024000 /dev/zero > rows
    says 2 "cannot write the results" limited bash -c 'step03_dot_coalesced --repeats 1 >> rows'
    says 2 "cannot write the results" limited bash -c 'step03_dot_coalesced --help >> rows'
    local stem
    for stem in step19_fizzbuzz_branches step20_fizzbuzz_uniform step20b_fizzbuzz_out \
        step21_fizzbuzz_devices; do
        "$stem" --size 400000 --repeats 1 > /dev/null 2> /dev/null
        says 2 "cannot write the text: File too large" \
            limited bash -c "$stem --size 400000 --repeats 1 > text"
    done
}

# What a driver's own compiler does where it cannot write differs: LLVM calls exit(1).
@test "driver: a cache that is full or broken is named, and no wrong result" {
    step --devices | grep -q ' cpu ' || skip "PoCL's cache is meant"
    export POCL_CACHE_DIR=$BATS_TEST_TMPDIR/cache
    run --separate-stderr bash -c 'ulimit -f 100; step03_dot_coalesced --repeats 1'
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ $stderr == *"  hint    "*"$POCL_CACHE_DIR"* ]]
    rm -rf "$POCL_CACHE_DIR"
    step
    local junk
    for junk in '*.so' program.bc; do
        find "$POCL_CACHE_DIR" -name "$junk" -exec truncate -s 0 {} +
        run --separate-stderr step
        [ "$status" -ne 1 ]
        [ "$status" -eq 0 ] || [[ $stderr == *"  hint    "*"rm -rf $POCL_CACHE_DIR"* ]]
    done
}

@test "steps run from any folder" {
    cd "$BATS_TEST_TMPDIR"
    run -0 step
}

@test "lint: a pointer that is moved back is found, and a difference is not" {
    cd "$ROOT"
    command -v clang > /dev/null || skip "no clang here; make lint brings it"
    cat > "$BATS_TEST_TMPDIR/back.c" <<- 'END'
	static int numbers[3];
	long back(int *p) {
	    int *in = p - 1;
	    for (p = numbers + 2; p > numbers; p--)
	        *in += p[-1];
	    return p - numbers - 1;
	}
	END
    run -1 sh common/commands/lint.sh places "$BATS_TEST_TMPDIR/back.c"
    sed 's/.*\(back.c:[0-9]*\):.*/\1/' <<< "$output" | sort > "$BATS_TEST_TMPDIR/found"
    diff "$BATS_TEST_TMPDIR/found" <(printf 'back.c:%d\n' 3 4 5)
}

@test "lint: an old word is found, with what to say instead" {
    cd "$ROOT"
    printf '%s\n' 'each work-item in its own chunk' '32 work-items side by side' 'none of it, told apart' \
        > "$BATS_TEST_TMPDIR/page.md"
    run -1 sh common/commands/lint.sh words "$BATS_TEST_TMPDIR/page.md"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == */page.md:1:*'"own chunk": say "one contiguous chunk for each work-item"' ]]
    echo 'one contiguous chunk for each' > "$BATS_TEST_TMPDIR/page.md"
    run -0 sh common/commands/lint.sh words "$BATS_TEST_TMPDIR/page.md"
    [ -z "$output" ]
}

@test "the compiler's warnings about a kernel are not counted on stderr" {
    local kernels=$BATS_TEST_TMPDIR/step05_dot_strided.cl
    { cat "$ROOT/kernels/step05_dot_strided.cl"; echo "void warned(global float *x) { global int *p = x; *p = $$; }"; } > "$kernels"
    run -0 --separate-stderr step05_dot_strided --size 4096 --repeats 1 --kernel "$kernels"
    [[ $output == *"  right"* && $stderr != *warning* ]]
}
