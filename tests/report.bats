# `make report`: one page about one device.  Most tests have made-up rows, or programs that print
# them, so they need no device.
load helper.bash

COLUMNS_OF_A_ROW=step,variant,device,size,repeats,median_ms,fastest_ms,slowest_ms,rate,unit,percent_of_limit,result,note

# report [STEP ...] : what `make report` does, in a build folder of its own.
report() {
    cd "$ROOT" || return
    export BUILD=$BATS_TEST_TMPDIR/build LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    run --separate-stderr python3 common/commands/report "$@"
    page=$BUILD/report.html
}

# stored FOLDER DEVICE STEP < ROWS : what that device has measured before.
stored() {
    local folder=$BATS_TEST_TMPDIR/build/report/$1
    mkdir -p "$folder"
    printf '# %s\n' "device: $2" 'driver: Made up, driver 1.0' 'units: 8' 'date: 2026-01-02' \
        'limits: read 51.2, copy 50.5, fill 49.5 GB/s; multiply-add 812 GFLOP/s; launch 0.0213 ms' \
        > "$folder/step00.csv"
    { grep -v limits "$folder/step00.csv"; echo "$COLUMNS_OF_A_ROW"; cat; } > "$folder/$3.csv"
}

# rows_of_step05 DEVICE : three rows, of which one is doubtful, and a headline.
rows_of_step05() {
    local step=step05_dot_strided
    printf '%s\n' "$step,coalesced,$1,1048576,5,0.173,0.17,0.18,48.49,GB/s,94.7,ok," \
        "$step,stride 2,$1,1048576,5,0.391,0.39,0.4,21.45,GB/s,,ok,fits in cache" \
        "$step,contiguous,$1,1048576,5,0.0777,0.07,0.08,107.9,GB/s,61.3,ok," \
        "$step,\"headline: coalesced, not contiguous chunks\",$1,0,5,,,,0.4491,x,,ok,\"reversed, 0.44 to 0.46\""
}

# well_formed FILE : each tag is closed in its turn, and nothing is fetched from anywhere.
well_formed() {
    python3 - "$1" << 'END'
import html.parser, re, sys

class Reader(html.parser.HTMLParser):
    EMPTY = {"meta", "link", "br", "hr", "img"}
    inside, names = [], []
    def handle_starttag(self, tag, attributes):
        self.names += [value for name, value in attributes if name == "id"]
        for name, value in attributes:
            if name in ("src", "href", "xlink:href"):
                assert value.startswith(("#", "data:")), (tag, value)
        assert tag != "script"
        if tag not in self.EMPTY:
            self.inside.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.handle_endtag(tag)
    def handle_endtag(self, tag):
        assert self.inside and self.inside[-1] == tag, (tag, self.inside, self.getpos())
        self.inside.pop()

text = open(sys.argv[1], encoding="utf-8").read()
reader = Reader()
reader.feed(text)
reader.close()
assert not reader.inside, reader.inside
assert len(reader.names) == len(set(reader.names)), "a name is there twice"
links = set(re.findall(r"""href=['"]#([^'"]+)""", text))
assert links and links <= set(reader.names), links - set(reader.names)
assert not re.search(r"@import|url\((?!#)", text)
END
}

# same_bytes : three runs of the same rows write the same bytes.
same_bytes() {
    cp "$page" "$BATS_TEST_TMPDIR/first.html"
    for _ in 2 3; do
        report "$@"
        cmp "$page" "$BATS_TEST_TMPDIR/first.html"
    done
}

@test "report: the values of the rows are in the page, and in its picture" {
    rows_of_step05 'A <made-up> & card' | stored mine 'A <made-up> & card (GPU)' step05
    report step05
    [ "$status" -eq 0 ]
    [ "$output" = "$page" ]
    [[ $stderr == *"nothing can run here; A <made-up> & card (GPU) has measured before"* ]]
    well_formed "$page"
    local text value
    text=$(< "$page")
    for value in 'A &lt;made-up&gt; &amp; card (GPU)' 'Made up, driver 1.0' '<dd>8</dd>' 2026-01-02 \
        '>51.2 GB/s<' '>50.5 GB/s<' '>49.5 GB/s<' '>812 GFLOP/s<' '>0.0213 ms<' \
        '>0.173 ms<' '>48.49 GB/s<' '>94.7 %<' '>0.391 ms<' '>21.45 GB/s<' '>0.0777 ms<' \
        '>107.9 GB/s<' '>61.3 %<' '<b>stride 2</b>: at least a part of the data stays in a cache'; do
        [[ $text == *"$value"* ]] || { echo "no $value"; return 1; }
    done
    [[ $text == *'4 sectors a load, not 32'*'4.38 × faster'*'2.23 × slower <span class="opposite">'* ]]
    [[ $text != *'id="step06"'* ]]
    command -v gnuplot || skip "no gnuplot"
    [[ $text == *'<svg id="bars-step05"'*'>94.7<'*'>61.3<'*'"94.7"'* ]]
    same_bytes step05
}

@test "report: a row with NaN, half a row and another device's are left out, and named" {
    local file=$BATS_TEST_TMPDIR/build/report/mine/step05.csv
    rows_of_step05 card | sed '1s/48.49/nan/; 2s/,5,.*//' | stored mine 'Card (GPU)' step05
    echo step06_reduce_local,sequential,other,4096,5,1,1,1,7.77,GB/s,7.77,ok, | stored mine 'Card (GPU)' step06
    sed -i 's/^# device: .*/# device: Another (GPU)/' "${file%/*}/step06.csv"
    report step05 step06
    [ "$status" -eq 0 ]
    echo "$stderr"
    [[ $stderr == *"left out: $file:6: coalesced: its rate is nan"* ]]
    [[ $stderr == *"left out: $file:7: stride 2: not as many fields as columns"* ]]
    [[ $stderr == *"left out: ${file%/*}/step06.csv: is of another device, Another (GPU)"* ]]
    well_formed "$page"
    grep -q '>0.0777 ms<' "$page"
    grep -q 'coalesced: its rate is nan' "$page"
    run ! grep -qE '>7\.77 |>nan|>0\.391 ' "$page"
}

@test "report: a ratio that is missing and half a picture are left out, and the rest is shown" {
    local folder=$BATS_TEST_TMPDIR/build/report/mine
    rows_of_step05 card | sed '4s/,0\.4491,/,,/' | stored mine 'Card (GPU)' step05
    stored mine 'Card (GPU)' step11 < /dev/null
    echo '<svg width="10"><g>' > "$folder/step11.svg"
    report step05 step11
    [ "$status" -eq 0 ]
    [[ $stderr == *"left out: $folder/step05.csv:9: headline: "*": its rate is missing"* ]]
    [[ $stderr == *"left out: $folder/step11.svg: is not a whole picture"* ]]
    well_formed "$page"
    grep -q '>48.49 GB/s<' "$page"
    run ! grep -q 'timeline-step11' "$page"
}

@test "report: of two devices it asks for one, and never mixes them" {
    rows_of_step05 card | stored a 'Card (GPU)' step05
    rows_of_step05 chip | sed 's/0\.0777/0.0888/' | stored b 'Chip (CPU)' step05
    report step05
    [ "$status" -eq 2 ]
    [[ $stderr == *"error: "*"there   Card (GPU)"*"there   Chip (CPU)"*"hint    "*DEVICE=* ]]
    [ ! -e "$page" ]
    local chosen
    for chosen in cpu chip; do
        DEVICE=$chosen report step05
        [ "$status" -eq 0 ]
        [[ $stderr == *"is not about Card (GPU)"* ]]
        grep -q '<h1>Lockstep on Chip (CPU)</h1>' "$page"
        grep -q '0\.0888 ms' "$page"
        run ! grep -qE '>0\.0777 ms|Card' "$page"
    done
    DEVICE=none-such report step05
    [ "$status" -eq 2 ]
}

@test "report: where nothing can run, and nothing was measured, it says what to do" {
    report step05
    [ "$status" -eq 2 ]
    [[ $stderr == *"cannot run"*"no rows of such a device are stored here"*"hint "*"make report"* ]]
    [ ! -e "$page" ]
    report step99
    [ "$status" -eq 2 ]
    [[ $stderr == *"there is no step99"* ]]
}

# no_gnuplot : $PATH has all programs but gnuplot.
no_gnuplot() {
    mkdir "$BATS_TEST_TMPDIR/bin"
    ln -s /usr/bin/* "$BATS_TEST_TMPDIR/bin"
    rm -f "$BATS_TEST_TMPDIR"/bin/gnuplot*
    export PATH=$BATS_TEST_TMPDIR/bin
}

@test "report: without gnuplot there are tables, and a notice" {
    rows_of_step05 card | stored mine 'Card (GPU)' step05
    no_gnuplot
    report step05
    [ "$status" -eq 0 ]
    [[ $stderr == *"there is no gnuplot, so there are tables and no plots"* ]]
    well_formed "$page"
    run ! grep -q '<svg' "$page"
    grep -q '<details open>' "$page"
    grep -q '>0.173 ms<' "$page"
    BUILD=$BATS_TEST_TMPDIR/build SETUP=no run -0 sh common/commands/setup.sh run report
    [[ $output == *"note: missing: gnuplot: the report will have tables"*"hint    "*gnuplot* ]]
    BUILD=$BATS_TEST_TMPDIR/build SETUP=no run -2 sh common/commands/setup.sh run plots report
    [[ $output == *"error: missing: gnuplot"* ]]
}

# program STEP STATUS < SCRIPT : in place of a step's program; $rows is the file of rows.
program() {
    local file=$BATS_TEST_TMPDIR/build/$1
    mkdir -p "${file%/*}"
    # shellcheck disable=SC2016 # the program expands it
    { printf '#!/bin/sh\n[ "$1" != --rows ] || rows=$2\n'; cat; echo "exit $2"; } > "$file"
    chmod +x "$file"
}

# a_device : a program for step 00.
a_device() {
    program step00_device_limits 0 << 'END'
[ "$1" != --unless-known ] || { echo 'limits: read 10, copy 9, fill 8 GB/s; multiply-add 70 GFLOP/s; launch 0.5 ms'; exit; }
printf '%s\n' 'device          Tin (CPU)' 'platform        Made up, driver 2.0' 'compute units   2, at most 9 MHz'
END
}

# printed < ROWS : a program that writes them with tabs between the fields.
printed() {
    # shellcheck disable=SC2016
    printf 'cat > "$rows" << END\n%s\nEND\n' "$(python3 -c '
import csv, sys
for row in csv.reader(sys.stdin):
    print(*row, sep="\t")')"
}

@test "report: only what is missing, or older than its program, is measured" {
    a_device
    { echo "$COLUMNS_OF_A_ROW"; echo step03_dot_coalesced,32 work-items,Tin,4096,5,1.25,1,2,6.5,GB/s,65,ok,; } |
        printed | program step03_dot_coalesced 0
    report step03
    [ "$status" -eq 0 ]
    [[ $stderr == *"measures step03 on Tin (CPU); this takes less than a minute"* ]]
    grep -q '>1.25 ms<' "$page"
    grep -q '>70 GFLOP/s<' "$page"
    same_bytes step03
    [[ $stderr == *"all is measured already"* ]]
    sed -i 's/1\.25/1.75/' "$BATS_TEST_TMPDIR/build/step03_dot_coalesced"
    touch -d '1 minute' "$BATS_TEST_TMPDIR/build/step03_dot_coalesced"
    report step03
    [[ $stderr == *"measures step03"* ]]
    grep -q '>1.75 ms<' "$page"
}

@test "report: a wrong result is its status, and a skipped step tells its reason" {
    a_device
    program step05_dot_strided 1 <<< 'echo "wrong: the sum is 7" >&2'
    program step06_reduce_local 77 <<< 'echo "skipped: there is no local memory" >&2'
    report step05 step06
    [ "$status" -eq 1 ]
    well_formed "$page"
    grep -q 'did not succeed here: wrong: the sum is 7' "$page"
    [[ $stderr == *"report: step05 did not succeed: wrong: the sum is 7"* ]]
    grep -q 'skipped here: skipped: there is no local memory' "$page"
    report step05 step06
    [[ $stderr == *"measures step05 on"* ]] # again, and not the other one
    program step05_dot_strided 3 <<< 'echo "error: no memory" >&2'
    report step05
    [ "$status" -eq 2 ]
    [[ $stderr == *"report: step05 did not succeed: error: no memory"* ]]
}

@test "report: a wrong row has neither a bar nor a part in the headline" {
    a_device
    {
        { echo "$COLUMNS_OF_A_ROW"; rows_of_step05 Tin | sed '1s/,ok,/,WRONG,/'; } | printed
        echo 'echo "wrong: the sum is 7" >&2'
    } | program step05_dot_strided 1
    report step05
    [ "$status" -eq 1 ]
    grep -q '<b>coalesced</b>: no right result (WRONG)' "$page"
    grep -q '0 lessons measured' "$page"
    run ! grep -q 'class="opposite"' "$page"
    command -v gnuplot || skip "no gnuplot"
    grep -q '"" "wrong result" "coalesced"' "$page"
    grep -q '"61.3" "" "contiguous"' "$page"
}

@test "report: limits that step 00 has measured stay when it fails" {
    a_device
    program step03_dot_coalesced 77 <<< 'echo "skipped: it is night" >&2'
    report step03
    grep -q '>70 GFLOP/s<' "$page"
    sed -i "s/{ echo 'limits.*exit; }/exit 3/" "$BATS_TEST_TMPDIR/build/step00_device_limits"
    report step03
    [ "$status" -eq 0 ]
    grep -q '>70 GFLOP/s<' "$page"
}

@test "report: a folder that cannot be written is named" {
    a_device
    : > "$BATS_TEST_TMPDIR/build/report"
    report step03
    [ "$status" -eq 2 ]
    [[ $stderr == *"error: cannot write "*"/build/report/"*"hint    "* ]]
}

@test "report: modules that are installed under our modules' names are not taken for them" {
    rows_of_step05 'Some GPU' | stored some-gpu 'Some GPU (GPU)' step05
    mkdir "$BATS_TEST_TMPDIR/installed"
    for name in common/commands/pages/*.py common/commands/report/*.py; do
        echo 'raise SystemExit(9)' > "$BATS_TEST_TMPDIR/installed/${name##*/}"
    done
    export OCL_ICD_VENDORS=/nonexistent PYTHONPATH=$BATS_TEST_TMPDIR/installed
    report
    [ "$status" -eq 0 ]
    [ -s "$page" ]
}

@test "report: predictions, outcomes and exercises are those of work/" {
    rows_of_step05 card | stored mine 'Card (GPU)' step05
    mkdir "$BATS_TEST_TMPDIR/work"
    printf '2026-01-01 %s\n' 'step05 predicted 1 31' 'step05 outcome 1 32 missed' 'step05 predicted 2 4.5' \
        'step05 outcome 2 4.38 right' 'step05 here 2 0.43 cpu' 'step05 predicted 3 a' 'step05 hint 1' \
        'step05 passed' 'step06 started' 'what is this' > "$BATS_TEST_TMPDIR/work/progress"
    report step05 step06
    [ "$status" -eq 0 ]
    well_formed "$page"
    local text
    text=$(< "$page")
    [[ $text == *'1 of 2 exercises passed; 1 of 2 predictions came true'* ]]
    [[ $text == *'>31<'*'>32<'*'<span class="missed">missed'*'>4.5 times slower<'*'>4.38 times slower<'* ]]
    [[ $text == *'2.33 times faster (a CPU, not scored)'*'not told yet'* ]]
    [[ $text == *'<span class="passed">passed'*'1 of 3'*'<span class="started">started'* ]]
    [[ $text == *'cannot be read'* ]]
}

@test "report: a step is measured on this machine, once, and make knows the way" {
    cd "$ROOT"
    run -0 make -n step11 report
    [[ $output == *"python3 common/commands/report step11"* ]]
    mkdir "$BATS_TEST_TMPDIR/build"
    cp "$BUILT/step00_device_limits" "$BUILT/step11_timeline_gaps" "$BATS_TEST_TMPDIR/build"
    report step11
    [ "$status" -eq 0 ]
    well_formed "$page"
    grep -q '<svg id="timeline-step11"' "$page"
    grep -q 'one batch ahead' "$page"
    same_bytes step11
}
