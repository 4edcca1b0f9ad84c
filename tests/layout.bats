load helper.bash

# none FILE : is it empty?  If not, shows what it lists.
none() {
    [ ! -s "$1" ] || { cat "$1"; return 1; }
}

# floor_of FILE : its floor in common/README.md, from 1 up; nothing if it has none.
floor_of() {
    awk -v file="$1" '/^```floors/ { inside = 1; next } /^```/ { inside = 0 } inside {
        floor++
        for (i = 1; i <= NF; i++)
            if ($i == file || $i ~ /\/$/ && index(file, $i) == 1)
                print floor
    }' "$ROOT/common/README.md"
}

@test "common/: no include goes up a floor, and no two files have one name" {
    cd "$ROOT/common"
    local from to line count=0
    while IFS=: read -r from line; do
        to=${line#*\"} to=${to%%\"*}
        [ ! -e "${from%/*}/$to" ] || [[ $from != */* ]] || to=${from%/*}/$to
        echo "$from includes $to"
        [ -e "$to" ]
        [ "$(floor_of "${to%.h}")" -le "$(floor_of "${from%.[ch]}")" ]
        count=$((count + 1))
    done < <(grep -n '^#include "' ./*.[ch] {driver,text,measure,pictures,data,fizzbuzz}/*.[ch] |
        sed 's/^\.\///; s/:[0-9]*:/:/')
    [ "$count" -gt 100 ]
    run find . -name '*.[ch]' -printf '%f\n'
    [ -z "$(sort <<< "$output" | uniq -d)" ]
    for from in driver text measure pictures data fizzbuzz; do # each file is in its folder's README
        for to in "$from"/*.h; do
            to=${to##*/}
            grep -qE "\`${to%.h}(\.h)?\`" "$from/README.md" || { echo "$from/$to"; return 1; }
        done
    done
}

# lens_floor FILE : its floor in common/lens/README.md, from 1 up, and what it lies in there.
lens_floor() {
    awk -v file="$1" '/^```floors/ { inside = 1; next } /^```/ { inside = 0 } inside {
        floor++
        for (i = 1; i <= NF; i++)
            if ($i == file || $i ~ /\/$/ && index(file, $i) == 1)
                print floor, $i
    }' "$ROOT/common/lens/README.md"
}

@test "the lens: no include goes up a floor or beside, none goes round in a circle" {
    cd "$ROOT/common/lens"
    local from to line above below count=0
    while IFS=: read -r from line; do
        to=${line#*\"} to=${to%%\"*}
        if [[ $from == */* && -e ${from%/*}/$to ]]; then
            to=${from%/*}/$to
        elif [ ! -e "$to" ]; then
            [ -e "../$to" ] # a file of common/ itself
            continue
        fi
        echo "$from includes $to"
        above=$(lens_floor "${from%.*}") below=$(lens_floor "${to%.*}")
        [ "${below% *}" -lt "${above% *}" ] || [ "$below" = "$above" ]
        [ "${from%.*}" = "${to%.*}" ] || echo "${from%.*} ${to%.*}" >> "$BATS_TEST_TMPDIR/pairs"
        count=$((count + 1))
    done < <(grep -n '^#include "' ./*.[ch] ./*/*.[ch] ./*/*/*.[ch] | sed 's/^\.\///; s/:[0-9]*:/:/')
    [ "$count" -gt 300 ]
    run -0 tsort "$BATS_TEST_TMPDIR/pairs" # it names the files of a circle
}

@test "the lens: settings are read by few files, and each file is in its folder's README" {
    cd "$ROOT/common/lens"
    local file name readers
    readers=$(grep -lE '#include "settings\.(h|def)"|settings->' ./*.c ./*/*.c ./*/*/*.c | wc -l)
    [ "$readers" -gt 5 ]
    [ "$readers" -le 12 ]
    [ -z "$(grep -lE 'getenv\("LENS_' {base,code,replay,watch,report}/*.c report/*/*.c)" ]
    for file in */*.[ch] */*/*.[ch]; do
        name=${file##*/}
        grep -qE "\`(${name%.[ch]}|$name)\`" "${file%/*}/README.md" ||
            { echo "$file is not in its README"; return 1; }
    done
}

@test "each file that the two drawings of inside.md name is there" {
    cd "$ROOT"
    local name count=0
    while read -r name; do
        echo "$name"
        compgen -G "$name*" > /dev/null || compgen -G "common/lens/$name.c" > /dev/null
        count=$((count + 1))
    done < <(grep -oE '\b(attach|alone|code|replay|watch|report|common|steps|docs)/[a-z0-9_/.]*[a-z0-9_]' docs/inside.md)
    [ "$count" -gt 30 ]
    for name in 'struct job' 'struct code' 'struct model' 'struct run' 'struct row' 'struct cells'; do
        grep -qw "$name" docs/inside.md
        grep -rq "^$name {" common --include='*.h'
    done
}

@test "common/: no module serves one step only" {
    cd "$ROOT"
    grep -n '^#include "' steps/*.c common/*.[ch] common/{driver,text,measure,pictures,data,fizzbuzz}/*.[ch] |
        sed 's/:[0-9]*:#include "/ /; s/".*//' > "$BATS_TEST_TMPDIR/includes"
    # What a module's header or its C file includes, a step that includes the header has, too.
    awk '
        {
            sub(/^common\//, "", $1)
            sub(/\.[ch]$/, "", $1)
            sub(/\.h$/, "", $2)
            has[$1] = has[$1] " " $2
            if ($1 ~ /^steps\//)
                steps[$1] = 1
            else
                modules[$2] = 1
        }
        function visit(name, step, list, n, i) {
            if (seen[step, name]++)
                return
            users[name]++
            n = split(has[name], list, " ")
            for (i = 1; i <= n; i++)
                visit(list[i], step)
        }
        END {
            for (step in steps)
                visit(step, step)
            for (name in modules)
                # (MPI, where there is none; and see common/fizzbuzz/README.md.)
                if (users[name] == 1 && name != "driver/one_rank" && name != "fizzbuzz/writer") {
                    print name " serves one step only"
                    bad = 1
                }
            exit bad
        }' "$BATS_TEST_TMPDIR/includes"
}

@test "every mutation of our programs still fits, and names tests that there are" {
    cd "$ROOT"
    local name file tests count=0
    while IFS='|' read -r name file tests; do
        awk -v name="$name" -f common/commands/mistake.awk tests/mutations.diff "$file" \
            > "$BATS_TEST_TMPDIR/mutated"
        run -1 cmp -s "$file" "$BATS_TEST_TMPDIR/mutated"
        grep -qE "^@test .*(${tests#*: })" "tests/${tests%%: *}.bats"
        count=$((count + 1))
    done < <(awk '/^== /{ name = $2; sub(/:$/, "", name) } /^in /{ file = $2 }
        /^by /{ print name "|" file "|" substr($0, 4) }' tests/mutations.diff)
    [ "$count" -gt 30 ]
}

@test "every step has its four files, and no file is an orphan" {
    cd "$ROOT"
    for file in steps/step* kernels/step* tests/step* docs/step*; do
        stem=$(basename "${file%.*}")
        for one in "steps/$stem.c" "kernels/$stem.cl" "tests/$stem.bats" "docs/$stem.md"; do
            [ -f "$one" ] || { echo "$file has no $one"; return 1; }
        done
    done
}

@test "every step says at which size its counts are best read" {
    cd "$ROOT"
    for step in steps/*.c; do
        grep -q '^ \* Lens  *--size [0-9]' "$step" || { echo "$step has no such line"; return 1; }
    done
}

# A line of the header begins with its word at once, and goes on behind three blanks or more;
# lens_header.awk stops at any other line, and what stands there would not be shown.
@test "all names behind a step's Lens line are kernels of its file, and are shown" {
    cd "$ROOT"
    for step in steps/*.c; do
        stem=$(basename "$step" .c)
        said=$(awk '/^ \* [A-Z]/ || /^ \*(\/|$)/ { inside = 0 }
            /^ \* Lens / { inside = 1; sub(/Lens/, "") }
            inside { sub(/^ \*/, ""); gsub(/--[a-z]+ +[^ ]+/, ""); print }' "$step" | xargs)
        shown=$(awk -v want=kernels -f common/commands/lens_header.awk "$step")
        [ "$said" = "$shown" ] || { echo "$step names $said; shown: $shown"; return 1; }
        for kernel in $said; do
            grep -q "^kernel void $kernel(" "kernels/$stem.cl" ||
                { echo "$step: $kernel is no kernel"; return 1; }
        done
    done
}

# unnoticed FILE : lines of which bats would not notice that they fail.  It ignores the status
# of "! command", and of all but the last command of a pipe; awk passes where no line matches;
# and a test that needs a tool must skip, not pass, without it.
unnoticed() {
    awk '
        /^[|]/ { next } # an example
        { line = joined $0; joined = "" }
        /\\$/ { joined = substr(line, 1, length(line) - 1); next }
        line ~ /^ *! / && line !~ /(\|\||&&)/ { print FILENAME ":" FNR ": run ! COMMAND is noticed" }
        line ~ /^ *! command -v/ && line !~ /\|\| (skip|[a-z_]+=)/ { print FILENAME ":" FNR ": || skip" }
        line ~ /^ *[^#]*(make|lens|"\$STEM"|step[0-9][0-9a-z]*_[a-z_]+) .*[^|]\| *(cmp|diff) / {
            print FILENAME ":" FNR ": prints FILE COMMAND looks at the status, too"
        }
        line ~ /^ *awk / && line ~ /exit 1/ && line !~ /END/ && line !~ /<\(/ {
            print FILENAME ":" FNR ": END { exit !seen }"
        }
        line ~ /\[\[ [^]]*\*ok\*/ { print FILENAME ":" FNR ": \"look-back\" has ok in it, too" }' "$1"
}

@test "tests: what fails in the middle of a test is noticed" {
    cd "$ROOT"
    for file in tests/{,*/}*.ba{ts,sh}; do
        unnoticed "$file"
    done > "$BATS_TEST_TMPDIR/found"
    none "$BATS_TEST_TMPDIR/found"
    sed 's/^[|]//' > "$BATS_TEST_TMPDIR/bad" <<'END'
|    ! cmp -s a b
|    ! grep \
|        -q x y
|    ! command -v python3 || python3 -m json.tool a
|    SETUP=no make step20 run | cmp - b
|    "$STEM" --size 9 | diff - b
|    lens --quiet \
|        --all x | cmp - b
|    awk 'NF > 1 && $2 > 3 { exit 1 }' <<< "$output"
|    [[ $output == *ok* ]]
END
    [ "$(unnoticed "$BATS_TEST_TMPDIR/bad" | wc -l)" -eq 8 ]
}

@test "tests: no setup_file skips by itself, at which Debian 12's bats fails; skip_file skips all" {
    run ! awk 'FNR == 1 { inside = 0 } /^(setup_file|begin)\(\)/ { inside = 1 } /^}/ { inside = 0 }
        inside && /(^|[ ;|&{])skip / { print FILENAME ": " FNR ": " $0; found = 1 }
        END { exit !found }' "$ROOT"/tests/*.bats "$ROOT"/tests/*/*.ba[ts]* "$ROOT"/tests/*.bash
    echo "$output"
    mkdir -p "$BATS_TEST_TMPDIR/tests"
    cp "$ROOT/tests/helper.bash" "$BATS_TEST_TMPDIR/tests"
    printf '%s\n' 'load helper.bash' 'setup_file() { skip_file "no moon"; }' \
        '@test "one" { false; }' '@test "two" { false; }' > "$BATS_TEST_TMPDIR/tests/all.bats"
    run -0 bats --tap "$BATS_TEST_TMPDIR/tests/all.bats"
    [ "$output" = "1..2"$'\n'"ok 1 one # skip no moon"$'\n'"ok 2 two # skip no moon" ]
}

@test "every wrong kernel belongs to a step and is refused by a test, and named by the exercise" {
    cd "$ROOT/tests/mistakes"
    for file in *; do
        stem=${file%.diff}
        names=$(sed -n 's/^== \([a-z0-9_]*\)\( (race)\)\{0,1\}: ..*/\1/p' "$file")
        [ "$(wc -w <<< "$names")" -eq "$(grep -c '^== ' "$file")" ]
        [ -z "$(sort <<< "$names" | uniq -d)" ]
        ! grep -qx '    mistakes_refused' "../$stem.bats" || continue
        for mistake in $names; do
            grep -qE "^ *refuses $mistake( |$)" "../$stem.bats" ||
                { echo "not tested: $stem, $mistake"; return 1; }
        done
    done
    for source in ../../steps/step*.c; do
        stem=$(basename "$source" .c)
        [ "$(grep -c '^== ' "$stem.diff")" -ge 2 ] || { echo "too few: $stem"; return 1; }
    done
}

@test "the kernels that are compared with a profiler stand in the steps" {
    cd "$ROOT"
    sed -n 's/.*{STEP\(0[35]\)("\{0,1\}\([a-z_0-9]*\).*/\1 \2/p' tests/peers/lens_ncu.cu > "$BATS_TEST_TMPDIR/names"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/names")" -ge 8 ]
    while read -r step name; do
        grep -q "^kernel void $name(" kernels/step"$step"_*.cl || { echo "step$step has no $name"; return 1; }
    done < "$BATS_TEST_TMPDIR/names"
}

@test "code quoted in docs/ stands in the source, word for word" {
    cd "$ROOT"
    for page in README.md docs/*.md; do
        awk -f tests/quotes.awk "$page"
    done
}

@test "generated tables, screens and contents are up to date" {
    cd "$ROOT"
    pages docs "$BATS_TEST_TMPDIR"
    for page in README.md docs/*.md docs/results/*.md docs/results/answers.tsv; do
        diff "$page" "$BATS_TEST_TMPDIR/$page" || { echo "make docs writes another $page"; return 1; }
    done
}

# answered WORDS : what answers.tsv has of a step whose header says "Story WORDS"; + stands for
# a new line.
answered() {
    local lesson=${1//+/$'\n * '}
    printf '/* Step 42: a title\n *\n * Lens       --size 8  f\n * Story      %s\n */\n' "$lesson" > steps/step42_some.c
    pages docs || return
    cat docs/results/answers.tsv
}

@test "a GPU's answers are joined from what was measured, and what was counted" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/results/lens steps
    : > docs/page.md
    : > docs/results/answers.tsv
    printf '%s\n' '# device: NVIDIA H200 (GPU)' '# driver: D 1' '# date: 2026-01-02' \
        "$(sed -n '/^step,/p' "$ROOT/docs/results/pocl-3.1.csv")" \
        '"step42_some","one","G",1000,3,0.5,1,1,4,"GB/s",93.6,"ok",""' \
        '"step42_some","two","G",1000,3,0.25,1,1,4,"GB/s",,"ok","at the limit"' \
        '"step42_some","three","G",1000,3,,,,,"",,"ok",""' \
        '"step42_some","shaped, 8 x 4","G",1000,3,2,1,1,4,"GB/s",7.5,"ok","clock-bound"' \
        '"step42_some","headline: ""a"", not b","G",0,3,,,,4.3773,"x",,"ok","true, 4.3 to 4.4"' > docs/results/nvidia-h200.csv
    sed 's/H200/H100/; s/4.3773/9/; s/""a"", not b/another/' docs/results/nvidia-h200.csv > docs/results/nvidia-h100.csv
    printf '%s\n' step,kernel,arguments,global,local,busy_lanes,passes,load_sectors,moved_bytes \
        step41,f,n=4,64,32,1,1,1,1 step42,f,n=4,64,32,9.14,9856,4.00,64 \
        'step42,f,n=5,64 x 2,16 x 2,1.82,139264,4.00,128' 'step42,g,n=5,64,8 x 4,30.6,1048576,1.00,32' > docs/results/lens/counts.csv
    printf '%s\n' 'step42  one  f 64 n=4' 'step42  counted alone  f * n=5' 'step42  shaped, 8 x 4  g * local=8' > docs/results/rungs.txt
    diff - <(answered 'passes f f@n=5' | tr '\t' '|') << 'END'
device|H200|D 1|2026-01-02
device|H100|D 1|2026-01-02
counted|step42_some|passes|of banks|rounds in which the banks of local memory serve all warps|8
measured|step42_some|H200
row|step42_some|one|9856|0.5|93.6|1000
row|step42_some|two||0.25|~100|1000
row|step42_some|shaped, 8 x 4|1048576|2|7.5|1000
row|step42_some|counted alone|139264|||
headline|step42_some|"a", not b|4.3773|true|H200|9,856|139,264|passes|of banks
END
    local words counts
    while IFS='/' read -r words counts; do
        answered "$words" | grep "^headline" | cut -f 7- | tr '\t' '|' | diff - <(echo "$counts")
    done << 'END'
--repeats 3 passes f g/9,856|1,048,576|passes|of banks
busy_lanes f@32+           f@64x2/9.14|1.82|lanes|busy
busy_lanes f@16x2/1.82||lanes|busy
moved_bytes f g/8|4|bytes|moved
passes f g; rows busy_lanes/9,856|1,048,576|passes|of banks
--repeats 3/|||
END
    # a mean does not grow with the size
    diff - <(answered 'passes f g; rows busy_lanes' | grep '^counted\|	one' | cut -f 3- | tr '\t' '|') << 'END'
lanes|busy|of the 32 lanes of a warp, how many are at work, on average|
one|9.14|0.5|93.6|1000
END
    says 2 'counts.csv has no h of step42, which its header names' answered 'passes h'
    says 2 'counts.csv has no f@n=6 of step42, which its header names' answered 'passes f@n=6'
    # Another card of its maker has the word: with a headline more, or with a row more.
    sed -i '/headline/d' docs/results/nvidia-h200.csv
    [[ $(answered 'passes f' | grep '^headline') == *$'\tanother\t9\ttrue\tH100\t9,856\t\tpasses\tof banks' ]]
    [[ $(answered 'passes f') == *$'\nmeasured\tstep42_some\tH100\n'* ]]
    sed -i '/"headline/d; /"one"/d' docs/results/nvidia-h100.csv
    [[ $(answered 'passes f') == *$'\nmeasured\tstep42_some\tH200\n'* ]]
}

# The launches: 32 lanes that read neighbouring floats, 32 that store scattered bytes, and one
# lane that stores a byte, which touches one sector, as few as 32 lanes need for their bytes.
@test "the growing table shows how little scattered accesses and single lanes use" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/results/lens
    cat > docs/results/lens/counts.csv <<- 'END'
	step,kernel,arguments,global,local,sectors,ideal,load_sectors,load_lines,load_used,store_sectors,store_lines,store_used
	step01,near,n=32,32,32,4.00,4.00,4.00,1.00,100,1.00,1.00,3.12
	step02,far,n=32,32,32,32.00,1.00,,,,32.00,29.81,0.839
	step02,one,n=32,1,1,1.00,1.00,,,,1.00,1.00,0.781
	END
    printf '%s\n' 'step01  a  neighbours  near 32' 'step02  b  scattered  far 32' \
        'step02  c  a lane  one 1' 'step03  d  later  one 1' > docs/results/ladder.txt
    printf '%s\n' '<!-- ladder: step02 -->' '<!-- end -->' > docs/page.md
    pages docs
    output=$(cat docs/page.md)
    [[ $output == *'| 01 | neighbours | 4 (100 %) |'*'| 02 | scattered | 32 (3.13 %) |'*'| 02 | a lane | 1 (3.12 %) |'* ]]
    [[ $output != *later* ]]
}

# Of two rows, the faster one is ours.
@test "the table beside a paper has one unit, and our fastest row" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/results/lens
    : > docs/results/lens/counts.csv
    printf '%s\n' '# device: D' "$(sed -n '/^step,/p' "$ROOT/docs/results/pocl-3.1.csv")" \
        '"step00_d","multiply-add","D",1,3,1,1,1,1000,"GFLOP/s",,"ok",""' \
        '"step15_t","a","D",50000000,3,2,2,2,50,"GFLOP/s",,"ok",""' \
        '"step15_t","b","D",50000000,3,1,1,1,100,"GFLOP/s",,"ok",""' > docs/results/d.csv
    echo 'step15  program  50000000  2  4.5  100  20  9.00  a|b' > docs/results/paper-p.txt
    printf '%s\n' '<!-- against: p -->' '<!-- end -->' > docs/page.md
    pages docs
    output=$(cat docs/page.md)
    [[ $output == *'| program | 4.5 | 100 | 20 % | 9.00 | 2.0 | 1 | 10 % |'*'A GFLOP is 10<sup>9</sup>'* ]]
}

# The second variant is not ours, and the third is not his.
@test "the table of changes compares each with the row above, and with the first" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/results steps
    printf '%s\n' '# device: NVIDIA H200 (GPU)' '# driver: D 1' "$(sed -n '/^step,/p' "$ROOT/docs/results/pocl-3.1.csv")" \
        '"step06_t","a","D",1000,3,8,8,8,1,"GB/s",,"ok",""' \
        '"step06_t","b","D",1000,3,2.5,2,3,1,"GB/s",,"ok",""' > docs/results/nvidia-h200.csv
    sed "s/H200/H100/; /step06_t/d" docs/results/nvidia-h200.csv > docs/results/nvidia-h100.csv
    printf '%s\n' '# a comment' 'a  –  the first try  8.054' 'none  it waits  it does not  3.456' \
        'b  it loads little  it loads more  –' > docs/results/paper-harris.txt
    printf '%s\n' '<!-- gains: step06 -->' '<!-- end -->' > docs/page.md
    pages docs
    output=$(cat docs/page.md)
    [[ $output == *'| NVIDIA H200 (GPU): gain, together | Harris, 2007: gain, together |'* ]]
    [[ $output == *'| a | – | the first try | 8 ms | 8.054 ms |'* ]]
    [[ $output == *'| none | it waits | it does not | – | 2.33 ×, 2.33 × |'* ]]
    [[ $output == *'| b | it loads little | it loads more | 3.2 ×, 3.2 × | – |'* ]]
    sed -i 's/^b /c /' docs/results/paper-harris.txt
    says 2 "error: docs/page.md:1: docs/results/paper-harris.txt:4: c is not measured" pages docs
}

# What stands in docs/page.md, with + for a new line, and what `make docs` says of it.
@test "docs: what is wrong with a marker or a stored file is named, with the file and its line" {
    cd "$BATS_TEST_TMPDIR"
    mkdir docs
    cp -r "$ROOT/docs/results" docs
    ln -s "$ROOT/steps" steps
    local text problem results=docs/results
    while IFS='|' read -r text problem; do
        echo "$text"
        printf '%s\n' "title+$text" | tr + '\n' > docs/page.md
        says 2 "error: docs/page.md:2: $problem" pages docs new
    done << END
<!-- rowz: step05 -->+<!-- end -->|there is no marker rowz
<!-- screen: step05 -->+<!-- end -->|the marker screen has other words
<!-- rows: step99 -->+<!-- end -->|rungs.txt has no rows of step99
<!-- rows: step05 colour -->+<!-- end -->|counts.csv has no column colour
<!-- screen: pocl-3.1 step99 -->+<!-- end -->|cannot read $results/pocl-3.1/step99.txt: No such file
<!-- picture: step05 nothing -->+<!-- end -->|cannot read $results/lens/step05-nothing.svg: No such file
<!-- page: step99 -->+<!-- end -->|cannot read $results/lens/step99.html: No such file
<!-- table: step05 -->|this marker has no end
<!-- table: step05 -->+<!-- table: step06 -->+<!-- end -->|this marker has no end
<!-- end -->|this ends no marker
END
    printf '%s\n' '<!-- rows: step05 -->' '<!-- end -->' > docs/page.md
    echo 'step05  coalesced  dot_coalesced 7' > $results/rungs.txt
    says 2 "$results/rungs.txt:1: $results/lens/counts.csv has no dot_coalesced 7 of step05" pages docs new
    echo 'step05  scattered' > $results/rungs.txt
    says 2 "$results/rungs.txt:1: scattered is neither measured nor counted" pages docs new
    echo step05 > $results/rungs.txt
    says 2 "$results/rungs.txt:1: 2 columns are needed" pages docs new
    cp "$ROOT/$results/rungs.txt" $results
    pages docs new
    echo '"step05_dot_strided","a, b"' >> $results/pocl-6.0.csv
    says 2 "$results/pocl-6.0.csv:$(wc -l < $results/pocl-6.0.csv): a, b: not as many fields as columns" pages docs new
}

@test "measure: results have a name that can be a file's, of steps that there are" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/results/lens
    printf '%s\n' '# device: D' 'step,variant' > docs/results/whole.csv
    ln -s "$ROOT/steps" steps
    local name
    for name in '' a/b ../a -a 'a b' .a; do
        says 2 "NAME=$name cannot be the name of results" pages measure -- "$name"
    done
    says 2 "docs/results/lens has other files than results" pages measure lens
    says 2 "docs/results/whole.csv has every step" pages measure whole step05
    says 2 "there is no step99" pages measure some step99
    [ "$(ls docs/results)" = $'lens\nwhole.csv' ]
}

# A word is explained where it is bold for the first time; what is bold and ends with a dot or a
# colon begins a paragraph.  (Two meanings have the names set and rank; each has its own step.)
@test "the glossary's words of performance name the steps in which they come up" {
    cd "$ROOT"
    local word links first bold
    sed -n '/^## Words of performance/,$s/^| \*\*\([^*]*\)\*\*.* | \([^|]*\) |$/\1|\2/p' docs/glossary.md \
        > "$BATS_TEST_TMPDIR/words"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/words")" -ge 50 ]
    # each has an anchor, with a name of its own
    run -1 grep -nE '^\| \*\*[^*]*\*\*([^<]|<[^a])' <(sed -n '/^## Words of performance/,$p' docs/glossary.md)
    [ -z "$(anchors docs/glossary.md | sort | uniq -d)" ]
    while IFS='|' read -r word links; do
        [ -z "$(sed 's/\[[^]]*\]([a-z0-9_]*\.md)//g; s/, //g' <<< "$links")" ] ||
            { echo "$word: no link: $links"; return 1; }
        case $word in set | rank) continue ;; esac
        first=$(grep -o '(step[0-9]*[a-z]*' <<< "$links" | sed -n 's/(//; 1p')
        bold=$(LC_ALL=C; grep -liE "\\*\\*(an? |the )?${word}(s|es)?\\b([^*]*[^*.:])?\\*\\*" docs/step*.md | sed -n '1s/docs\/\(step[0-9]*[a-z]*\)_.*/\1/p')
        [ -z "$bold" ] || [ "$bold" = "$first" ] || { echo "$word: $first, but bold in $bold"; return 1; }
    done < "$BATS_TEST_TMPDIR/words"
}

# A verdict needs three launches: with one, a headline says that it has too few.
@test "a chapter's first command prints the verdicts of its screen" {
    cd "$ROOT"
    for page in docs/step*.md; do
        awk '/^## / { here = $0 == "## Run it" } here && /^make .*--repeats [12]\>/ { print FILENAME ": " $0 }' "$page"
    done > "$BATS_TEST_TMPDIR/few"
    none "$BATS_TEST_TMPDIR/few"
}

@test "links between pages lead somewhere" {
    cd "$ROOT"
    for page in README.md docs/*.md docs/results/*.md docs/exercises/*.md; do
        folder=${page%"${page##*/}"}
        grep -oE '\]\([^)#:]+[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
            [ -e "$folder$link" ] || { echo "$page: $link"; exit 1; }
        done
    done
}

# The anchors of a page: those of its headings, as GitHub makes them, and those that it writes itself.
anchors() {
    sed -n 's/^##* //p' "$1" | LC_ALL=C.UTF-8 sed 's/.*/\L&/; s/[^[:alnum:]_ -]//g; s/ /-/g'
    grep -oE '<a id="[^"]+">' "$1" | sed 's/.*="//; s/">//'
}

@test "links into pages lead to a heading, or to an anchor that is there once" {
    cd "$ROOT"
    for page in README.md docs/*.md docs/results/*.md docs/exercises/*.md; do
        grep -oE '\]\([^):]*#[^)]+\)' "$page" | sed 's/^](//; s/)$//' | sort -u | while IFS='#' read -r link anchor; do
            [ "$(anchors "${link:+${page%"${page##*/}"}}${link:-$page}" | grep -cxF "$anchor")" -eq 1 ] ||
                echo "$page: $link#$anchor"
        done
    done > "$BATS_TEST_TMPDIR/lost"
    none "$BATS_TEST_TMPDIR/lost"
}

# On a dark ground the strong blue is the light one, and the faint one is dark: so no text calls a
# colour dark, light or pale.
@test "what pictures and chapters say of colours holds on a light and on a dark ground" {
    cd "$ROOT"
    local colours='(blue|green|orange|red|grey|squares?|ones|cells|places)'
    run -1 grep -nEi "(dark|light|pale)(er)? $colours|(>|; )(dark|light|pale):" docs/*.md docs/exercises/*.md \
        docs/pictures/*.svg
    for picture in docs/pictures/*.svg; do
        grep -qE 'color-scheme: ?light dark' "$picture" || { echo "$picture: light only"; return 1; }
        grep -qE '@media ?\(prefers-color-scheme: ?dark\)' "$picture"
    done
}

@test "every page of measured rows belongs to a step, and every step has one" {
    cd "$ROOT"
    for source in $(ls steps/step*.c); do
        stem=$(basename "$source" .c)
        page=docs/results/${stem%%_*}.md
        [ -f "$page" ] || { echo "$source has no $page"; return 1; }
    done
    for page in docs/results/step*.md; do
        step=$(basename "$page" .md)
        source=$(compgen -G "steps/${step}_*.c") || { echo "$page: there is no such step"; return 1; }
        title=$(sed -n '1s/^\/\* Step //; 1s/:/,/p' "$source")
        stem=$(basename "$source" .c)
        for text in "^# Step ${step#step}: all measured rows$" "^<!-- table: $step -->$" \
            "^\[[Ss]tep $title\](../$stem.md)"; do
            grep -q "$text" "$page" || { echo "$page has no line $text"; return 1; }
        done
    done
}

# What is folded away does not count, nor what the example with a few lanes prints; a listing is
# what stands between ``` and ```.
@test "chapters have at most 25 lines of generated tables and listings" {
    cd "$ROOT"
    pages=$(ls docs/step*.md)
    awk -v most=25 '
        function finish() {
            if (lines > most)
                printf "%s: %d lines of generated tables and listings, at most %d:%s\n", \
                    page, lines, most, markers
        }
        FNR == 1 { finish(); page = FILENAME; markers = ""; lines = inside = folded = fenced = 0 }
        /<details>/ { folded = 1 }
        /<\/details>/ { folded = 0 }
        /^<!-- end -->$/ { inside = 0 }
        inside && !folded && /^```/ { fenced = !fenced; next }
        inside && !folded && (fenced || /^\|/) { lines++ }
        /^<!-- [a-z]+: .* -->$/ { inside = $2 != "tiny:"; if (!folded) markers = markers " " $2 }
        END { finish() }' $pages > "$BATS_TEST_TMPDIR/problems"
    none "$BATS_TEST_TMPDIR/problems"
}

# Other sections may stand between these.  Chapters of the second edition end with "Further"; in them the change may come before its
# reason.  Step 00 is a tool, step 01 has no program before it that it could change, and step 02 changes nothing in its kernel.
@test "chapters have their sections, in order" {
    cd "$ROOT"
    pages=$(ls docs/step*.md)
    awk '
        function finish(    count, wanted, i, at, before, picture, free) {
            count = split(sections(page), wanted, "|")
            for (i = 1; i <= count && page != ""; i++) {
                free = wanted[i] ~ /^(Why|The change|The code)$/
                at = place(wanted[i], free ? picture : before)
                if (wanted[i] == "The picture")
                    picture = at
                if (at)
                    before = at > before ? at : before
                else
                    printf "%s: no section \"## %s\"%s\n", page, wanted[i], \
                        before ? " after \"## " heading[before] "\"" : ""
            }
        }
        function sections(page,    change) {
            if (place("Next", 0)) # the form of the third edition
                return (page ~ /step00_/ ? "" : "The words|By hand|The kernel|Predict|") \
                    "Run it|The picture|Why|On your CPU|When it does not help|Exercise|Next"
            change = page ~ /step0[02]_/ ? "" : page ~ /step01_/ ? "The code|" : "The change|"
            return (page ~ /step00_/ ? "" : "Predict|") "Run it|The picture|Why|" change \
                "On your CPU|When it does not help|The trap|Exercise|Further"
        }
        function place(name, before,    i) {
            for (i = before + 1; i <= headings; i++)
                if (index(heading[i], name) == 1)
                    return i
            return 0
        }
        FNR == 1 { finish(); page = FILENAME; headings = fenced = 0 }
        /^```/ { fenced = !fenced }
        /^## / && !fenced { heading[++headings] = substr($0, 4) }
        END { finish() }' $pages > "$BATS_TEST_TMPDIR/problems"
    none "$BATS_TEST_TMPDIR/problems"
}

# The main of step 01 spells everything out.
@test "functions of programs fit a screen: 60 lines of 88 columns" {
    cd "$ROOT"
    programs=$(ls steps/step*.c)
    awk '
        /^[A-Za-z]/ {
            start = FNR
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
        }
        /^}$/ && FNR - start >= 60 && !(name == "main" && FILENAME ~ /step01_/) {
            printf "%s:%d: %s has %d lines, at most 60\n", FILENAME, start, name, FNR - start + 1
        }' $programs > "$BATS_TEST_TMPDIR/problems"
    LC_ALL=C.UTF-8 grep -HnE '^.{89}' $programs >> "$BATS_TEST_TMPDIR/problems" || [ $? -eq 1 ]
    none "$BATS_TEST_TMPDIR/problems"
}
