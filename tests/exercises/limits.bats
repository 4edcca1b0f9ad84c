# A file that is right up to a limit: the sizes at which `make step05 check` finds it.
load helper.bash

@test "exercises: what is wrong only at the size that is measured is WRONG" {
    sed '/exercise {/,/} exercise/s/i < n;/i < n - (n == 300007u);/' \
        "$ROOT/kernels/step03_dot_coalesced.cl" > "$BATS_TEST_TMPDIR/large.cl"
    run -0 grep -c 300007u "$BATS_TEST_TMPDIR/large.cl"
    judged step03 "$BATS_TEST_TMPDIR/large.cl"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step03: "*"(--size 300007 --repeats 1)" ]]
}

@test "exercises: a limit that is beyond all sizes of a step is WRONG" {
    sed '/exercise {/,/} exercise/s/at_rows(x, y, pitch)/at_rows(x, min(y, 0x3ffu), pitch)/' \
        "$ROOT/kernels/step13_memory_layout.cl" > "$BATS_TEST_TMPDIR/few_rows.cl"
    OPTIMIZED=yes judged step13 "$BATS_TEST_TMPDIR/few_rows.cl" # a large size
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step13: "*"\"rows to tiles, 256 x 1\" (--size 1050625)" ]]
}

@test "exercises: what is wrong at one size up to 300, or races there, is found" {
    local part='/exercise {/,/} exercise/'
    file=$BATS_TEST_TMPDIR/step05_dot_strided.cl
    sed "$part{s/float sum = .*/&const uint odd = n == 257;/;s/y\[i\];/& sum -= odd ? x[0] : 0.0f;/}" \
        "$ROOT/kernels/step05_dot_strided.cl" > "$file"
    STAGES='run races sizes' judged step05 "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == 'WRONG  step05: right at the sizes that were run, but not where n=257' ]]
    [[ $output == *'dot_coalesced  the sum of sums is '*', ours has '* ]]
    sed "$part{s/uint i = item;/& if (n == 257) sum += x[n];/}" "$ROOT/kernels/step05_dot_strided.cl" > "$file"
    STAGES='run races sizes' judged step05 "$file"
    [[ $status -eq 1 && ${lines[0]} == *' not where n=257' ]]
    [[ $output == *'out-of-bounds access: x in global memory, bytes 1028 to 1031 of 1028'* ]]
    file=$BATS_TEST_TMPDIR/step06_reduce_local.cl
    sed "$part{0,/barrier(/s/barrier(/if (size != 3) &/}" "$ROOT/kernels/step06_reduce_local.cl" > "$file"
    STAGES='run races sizes' judged step06 "$file"
    [[ $status -eq 1 && ${lines[0]} == 'RACE  step06: right at the sizes that were run, but not where n='* ]]
    # Who adds what is up to the learner, as long as the sum is right.
    file=$BATS_TEST_TMPDIR/step05_dot_strided.cl
    sed "$part{s/uint i = item;/uint i = items - 1 - item;/}" "$ROOT/kernels/step05_dot_strided.cl" > "$file"
    STAGES='run races sizes' judged step05 "$file"
    [[ ${lines[0]} == 'NO VERDICT  step05: nothing but run races sizes was looked at' ]]
}

@test "exercises: of our kernels, all sizes are right, in groups of each kind" {
    local stem count=0
    for stem in $(cd "$ROOT/docs/exercises" && grep -l '^sizes ' ./*.txt | sed 's|^./||; s/.txt$//'); do
        echo "$stem"
        STAGES=sizes judged "${stem%%_*}" "$ROOT/kernels/$stem.cl"
        [[ ${lines[0]} == *'nothing but sizes was looked at' ]]
        count=$((count + 1))
    done
    [ "$count" -ge 15 ]
}

# limited STEM SED : our kernels, with a limit put into them, are WRONG beyond it.
limited() {
    file=$BATS_TEST_TMPDIR/$1.cl
    sed "$2" "$ROOT/kernels/$1.cl" > "$file"
    run ! cmp -s "$ROOT/kernels/$1.cl" "$file"
    STAGES=beyond NAMES=no OPTIMIZED=yes judged "${1%%_*}" "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  ${1%%_*}: "* ]]
}

@test "exercises: a limit is found that is computed, or comes of a type" {
    local part='/exercise {/,/} exercise/'
    limited step03_dot_coalesced "$part{s/i < n;/i < min(n, most);/;s/float sum = .*/&const uint most = 1024 * 1024;/}"
    limited step03_dot_coalesced "${part}s/x\[i\]/x[i \& 0x7fffff]/"
    limited step04_dot_groups "$part{s/x + i)/x + (uint)(float)i)/;s/x\[i\]/x[(uint)(float)i]/}"
    limited step05_dot_strided "${part}s/x\[i\]/x[i << 8 >> 8]/"
    limited step01_dot_single "${part}s/x\[i\]/x[(uint)convert_float(i)]/"
    limited step10b_group_tail "${part}s/item < n/item < n \&\& item \/ 1000 < 64/"
}

@test "exercises: a limit is found outside the marked part, and beyond a step's own sizes" {
    limited step08_sum_accuracy '/sum_single/,/^}/s/i < n;/i < min(n, 1u << 26);/'
    limited step10_work_distribution 's/i < n \/ 4;/i < min(n \/ 4, 4096u);/'
    limited step10c_tiny_launches '/halve/,/^}/s/item + lower < n/item + lower < min(n, 1u << 21)/'
    limited step18c_matmul_packed '/matmul_ikj/,/^}/s/j < n \/ WIDTH/j < min(n, 4096u) \/ WIDTH/'
}

@test "exercises: numbers: clang's text tells what is computed, and what a float holds" {
    cat > "$BATS_TEST_TMPDIR/ours" <<'END'
  %4 = add i32 %2, 77
END
    cat > "$BATS_TEST_TMPDIR/theirs" <<'END'
define i32 @f9999(i32 %0, [8888 x float]* align 7777 %1) #6666 {
5555:                                             ; preds = %4444
  %4 = add i32 %2, 77
  %5 = call i32 @_Z3minjj(i32 noundef %4, i32 noundef 1048576) #3333, !dbg !2222
  %6 = lshr i32 %5, 13
  %7 = and <2 x i32> %6, <i32 -4096, i32 77>
  %8 = uitofp i64 %7 to float
  %9 = fcmp ogt double %8, 0x4150000000000000
  %10 = fcmp ogt double %8, 1.500000e+06
  %11 = trunc <4 x i32> %7 to <4 x i16>
  %12 = call zeroext i8 @_Z17convert_uchar_satj(i32 noundef %5) #3333
}
!2222 = !DILocation(line: 1111, column: 10)
END
    run -0 of_source constants "$(< "$BATS_TEST_TMPDIR/ours")" "$(< "$BATS_TEST_TMPDIR/theirs")"
    [ "$(sort -n <<< "$output" | paste -s -d ' ' -)" = "77 255 4096 8192 65535 1048576 1500000 4194304 16777216" ]
}

# beyond_lines STEM : MOST, LEAST and the arguments of each line, with tabs between them.
beyond_lines() {
    awk -v OFS='\t' '{ sub(/^elsewhere +/, "") }
        $1 == "beyond" {
            least = split($2, range, "-") > 1 ? range[1] : 0
            most = range[least ? 2 : 1]
            sub(/^beyond +[^ ]+ +/, "")
            print most, least, $0
        }' "$ROOT/docs/exercises/$1.txt"
}

# beyond LEAST ARGUMENTS NUMBER ... : the arguments of a line, for each of these numbers.
beyond() {
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import sys, source
least, arguments, *numbers = sys.argv[1:]
for number in numbers:
    print(source.beyond(arguments, int(number), int(least)))' "$@"
}

# split ARGUMENTS : its words, in $words; what goes into the environment, in $settings.
split() {
    local word
    words=() settings=()
    eval "set -- $1"
    for word; do
        case $word in LOCKSTEP_*) settings+=("$word") ;; *) words+=("$word") ;; esac
    done
}

@test "exercises: beyond a small number, a right file is right" {
    local stem most least arguments
    quickly
    for stem in $(basename -s .txt "$ROOT"/docs/exercises/*.txt); do
        while IFS=$'\t' read -r most least arguments <&3; do
            split "$(beyond "$least" "$arguments" 2)"
            echo "$stem: ${words[*]}"
            run -0 env "${settings[@]}" "$stem" --repeats 1 "${words[@]}"
        done 3< <(beyond_lines "$stem")
    done
}

# launched STEM : the largest value of each argument of the kernel that an exercise counts in,
# and of each dimension, with $words: a line for each.
launched() {
    local kernel
    kernel=$(awk '/^[^ #]/ { inside = $1 == "count" } inside && /^ / && $1 != "host" { print $1; exit }' \
        "$ROOT/docs/exercises/$1.txt")
    env "${settings[@]}" lens --quiet --groups 1 --format tsv --kernel "${kernel:-*}" "$BUILT/$1" --repeats 1 \
        "${words[@]}" 2> /dev/null | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "launch" {
            split($at["global"] "x" $at["local"], size, "x")
            values = $at["arguments"]
            for (i in size) values = values " size" i "=" size[i]
            count = split(values, value, " ")
            for (i = 1; i <= count; i++)
                if (split(value[i], part, "=") > 1 && part[2] + 0 > most[part[1]] + 0) most[part[1]] = part[2]
        }
        END { for (name in most) print name, most[name] }'
}

@test "exercises: what stands for a number in a line makes the launch larger" {
    local stem most least arguments number numbers texts digits
    quickly
    for stem in $(basename -s .txt "$ROOT"/docs/exercises/*.txt); do
        while IFS=$'\t' read -r most least arguments <&4; do
            [[ $arguments == *N* && $arguments != *"--lanes N"* ]] || continue # a width is no argument
            [[ $stem < step18 ]] || continue # whole tiles and pieces: what grows shows in other ways
            case $stem$arguments in
                *--points*) digits=6 ;;
                step1[5-8]*) digits=4 ;; # much is computed for each element
                *) digits=6 ;;
            esac
            numbers=(90000 40000 20000 9000 4000 2000 1000 400 200 100 40 20 8) # of few elements
            mapfile -t texts < <(beyond "$least" "$arguments" "${numbers[@]}")
            for number in "${numbers[@]}"; do
                split "${texts[0]}"
                texts=("${texts[@]:1}")
                [ "$number" -gt "$most" ] || [[ " ${words[*]} " =~ \ [0-9]{$digits,}\  ]] || break
            done
            launched "$stem" | sort > "$BATS_TEST_TMPDIR/large"
            split "$(beyond 0 "$arguments" "$((number / 2))")"
            launched "$stem" | sort > "$BATS_TEST_TMPDIR/small"
            echo "$stem $arguments, $number:"
            join "$BATS_TEST_TMPDIR"/{small,large} | awk '{ print } $3 > 1.3 * $2 { grows = 1 } END { exit !grows }'
        done 4< <(beyond_lines "$stem")
    done
}
