load helper.bash

# The lens's verdicts as fields: --format json, and tsv, which has the same rows.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    command -v python3 > /dev/null || {
        skip_file "no Python, which reads JSON"
        return 0
    }
    cat > "$BATS_FILE_TMPDIR/k.cl" <<- 'END'
	kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }
	kernel void turned(global float *x) {
	    local float t[64];
	    t[get_local_id(0)] = x[get_global_id(0)];
	    x[get_global_id(0) + 1] = t[63 - get_local_id(0)];
	}
	kernel void waits(global volatile int *x) {
	    while (x[0] == 0)
	        ;
	}
	kernel void counts_far(global uint *x, uint n) {
	    uint y = get_global_id(0);
	    for (uint i = 0; i < n; i++)
	        y ^= y << 13 ^ y >> 7;
	    x[get_global_id(0)] = y;
	}
	END
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_FILE_TMPDIR/launch" \
        tests/lens/launch.c ${LDFLAGS:-} -lOpenCL
}

# looks STATUS OPTIONS ... : the lens ends with this status, and each line that it prints is an
# object with the name of a row; of these only the last is a verdict.
looks() {
    local wanted=$1
    cd "$BATS_FILE_TMPDIR"
    run --separate-stderr lens --quiet --format json "${@:2}"
    [ "$status" -eq "$wanted" ] || { echo "status $status"; echo "$output$stderr"; return 1; }
    report=$output
    python3 -c '
import json, sys
rows = [json.loads(line)["row"] for line in sys.stdin.buffer.read().decode("utf-8").splitlines()]
assert [at for at, row in enumerate(rows) if row == "verdict"] == [len(rows) - 1], rows
' <<< "$report"
}

# has ROW FIELD=VALUE ... : one row of the report has all of these.  A value that ends with a star
# is the beginning of a text; "FIELD=" : it has no such field, or an empty one.
has() {
    python3 -c '
import json, sys
def agrees(text, value):
    return text.startswith(value[:-1]) if value.endswith("*") else text == value
rows = [json.loads(line) for line in sys.stdin]
fields = [word.split("=", 1) for word in sys.argv[2:]]
sys.exit(not any(row["row"] == sys.argv[1] and
                 all(agrees(str(row.get(name, "")), value) for name, value in fields)
                 for row in rows))
' "$@" <<< "$report" || { printf 'no row %s in\n%s\n' "$*" "$report"; return 1; }
}

# has_no ROW : the report has no such row.
has_no() {
    ! grep -F "{\"row\":\"$1\"" <<< "$report" || return 1
}

@test "json: counts have a verdict behind them, and tsv has the same rows" {
    looks 0 kernel k.cl 'twice(x[64])' --global 64 --local 64
    has launch kernel=twice groups=1 lanes=32 busy_lanes=32.0
    has load name=x line=1 accesses=2 sectors=4.0
    has verdict verdict=counted mistakes=0 launches=1 launches_seen=1 launches_hidden=0
    run --separate-stderr -0 lens kernel --format tsv k.cl 'twice(x[64])' --global 64 --local 64
    diff <(awk -F '\t' 'NR > 1 { print $1 }' <<< "$output") \
        <(sed 's/^{"row":"\([^"]*\)".*/\1/' <<< "$report")
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        END { exit !($at["row"] == "verdict" && $at["verdict"] == "counted" && $at["launches"] == 1) }
    ' <<< "$output"
}

@test "json: a mistake has its kind, places, work-items, memory and source lines" {
    looks 1 kernel --races k.cl 'turned(x[128])' --global 128 --local 64
    has mistake kind='data race' kernel=turned file=k.cl line=5 other_line=4 item=0 other_item=63 \
        group=0 other_group=0 memory=local name=t first_byte=252 last_byte=255 object_bytes=256 \
        text='x[get_global_id(0) + 1] = t[63 - get_local_id(0)];' \
        other_text='t[get_local_id(0)] = x*' hint='put a barrier*' same_warp=0 barrier_line=
    has mistake kind='out-of-bounds access' line=5 item=63 group=1 first_byte=512 hint='compare*'
    has verdict verdict='mistake found' mistakes=4
    looks 0 kernel --races k.cl 'twice(x[64])' --global 64
    has_no mistake
    has verdict verdict='no mistake found' mistakes=0 launches_seen=1 launches_cut_short=0
    # What a program's launches do, too; and a mistake that ends a report of counts.
    looks 1 --races ./launch k.cl turned 64 64 f65
    has mistake kind='data race' kernel=turned
    has verdict verdict='mistake found' launches=1
    looks 1 ./launch k.cl turned 64 64 f64
    has mistake kind='out-of-bounds access'
    has verdict verdict='mistake found' mistakes=1
}

@test "json: a loop that never ends, and a launch that is not seen to its end" {
    looks 1 kernel --races k.cl 'waits(x[64]=0)' --global 64 --local 64
    has mistake kind='endless loop' line=8 name=x hint='no work-item is left*'
    has verdict verdict='mistake found'
    looks 77 --give-up ./launch k.cl counts_far 4 4 z4 n=100000000
    has limit kind='step limit exceeded' kernel=counts_far arguments=n=100000000 line=14 \
        text='y ^= y << 13 ^ y >> 7;' file=kernel.cl
    has verdict verdict=counted launches_cut_short=1
    [[ $stderr == *'note: counts_far: step limit exceeded'* ]] # readers of stderr still see it
    looks 77 --give-up ./launch k.cl waits 64 64 z64
    has limit kind='endless loop' kernel=waits
    has verdict verdict=counted launches_cut_short=1
}

@test "json: what could not be looked at is named, and is in the verdict" {
    LAUNCH_OPTIONS='-cl-std=CL1.2 -DUNUSED=-cl-std=clc++' looks 77 --races ./launch k.cl twice 64 64 f64
    has hidden kernel=twice message='C++ for OpenCL is not modelled*'
    has verdict verdict='nothing looked at' launches=1 launches_seen=0 launches_hidden=1
    echo 'int far(int); kernel void k(global int *x) { x[0] = far(1); }' > far.cl
    run --separate-stderr -77 lens kernel --format json far.cl
    [[ $output == '{"row":"hidden","kernel":"k","message":"it calls far, '*'"}' ]]
    echo 'kernel void k(global int *x, read_only pipe int p) { x[0] = 1; }' > pipe.cl
    run --separate-stderr -77 lens kernel --format json --build -cl-std=CL2.0 pipe.cl
    [ "${lines[1]}" = '{"row":"hidden","kernel":"k","message":"its file does not compile for the replay"}' ]
    run --separate-stderr -77 lens --quiet --format json --kernel nosuch ./launch k.cl twice 64 64 f64
    [ -z "$output" ] # no launch was to be looked at
}

@test "json: what the compiler says has a row for each error" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '#define PLUS(x) (x +)' 'kernel void k(global struct nowhere *p, global int *x) {' \
        '    x[0] = PLUS(3);' '    x[1] = p->none;' '}' > several.cl
    run --separate-stderr -2 lens kernel --format json several.cl
    [[ $stderr == 'error: several.cl does not compile:'* ]]
    report=$output
    has compiler kind=error file=several.cl line=3 column=12 message='expected expression' text='x[0] = PLUS(3);'
    has compiler kind=note file=several.cl line=1 column=21
    has compiler kind=error line=4 column=13 message='incomplete definition of type*'
}

# files_beside : makes files whose kernel `twice` is not that of k.cl, which is ours.
files_beside() {
    cd "$BATS_FILE_TMPDIR"
    sed 's/\*= 2/*= 3/' k.cl > wrong.cl
    sed 's/\*= 2/*= 4/' k.cl > quarter.cl
    sed 's/x\[get_global_id(0)] \*= 2/x[get_global_id(0) + 1] = x[get_global_id(0)]/' k.cl > race.cl
    echo 'kernel void twice(global float *x) { x[0] = ; }' > broken.cl
}

@test "json: --ours tells the first difference, and which known mistake it is" {
    files_beside
    looks 0 --ours k.cl --mistake quarter.cl --mistake race.cl ./launch wrong.cl twice 64 64 f64
    has difference kind='from ours' kernel=twice name=x element='x[0]' value=3 ours=2 \
        message='twice: x[0] is 3, ours has 2' line=1 item=0 group=0 who='this kernel wrote it'
    has_no match
    has verdict verdict='difference found' mistakes=0
    looks 0 --ours k.cl --mistake wrong.cl --mistake quarter.cl ./launch quarter.cl twice 64 64 f64
    has match file=quarter.cl
    looks 0 --ours k.cl --mistake quarter.cl --mistake race.cl ./launch race.cl twice 64 64 f65
    has mistake kind='data race' kernel=twice
    has match file=race.cl
    has verdict verdict='mistake found'
    looks 0 --ours k.cl --mistake wrong.cl ./launch k.cl twice 64 64 f64
    has_no difference
    has verdict verdict='no difference found' launches_seen=1
    # The text for readers, and the row, say the same.
    run -0 lens --quiet --ours k.cl ./launch wrong.cl twice 64 64 f64
    [ "${lines[0]}" = 'twice: x[0] is 3, ours has 2' ]
}

# reports : what all rows of the report have for readers, one after the other.
reports() {
    python3 -c '
import json, sys
for line in sys.stdin:
    sys.stdout.write(json.loads(line).get("report", ""))' <<< "$report"
}

# tells STATUS OPTIONS ... : the rows have the lines that the text has, but for its last one if
# that is a verdict, which has fields.
tells() {
    looks "$@"
    run --separate-stderr "-$1" lens --quiet "${@:2}"
    diff <(grep -Ev '^(no mistake found|no difference from|matches the known mistake) ' <<< "$output") <(reports)
}

@test "json: a report is what the text says of a row" {
    cd "$BATS_FILE_TMPDIR"
    files_beside
    # Of many mistakes the first ones are told, and one may tell of others.
    awk 'BEGIN {
        print "kernel void many(global int *x) { const uint id = get_local_id(0);"
        for (i = 1; i <= 11; i++)
            printf "local int t%d[64];\n t%d[id] = 1;\n x[id] += t%d[63 - id];\n x[id] -= t%d[id ^ 1];\n", i, i, i, i
        print "}"
    }' > many.cl
    tells 1 --races ./launch many.cl many 64 64 z64
    [[ $output == *$'\n  also    1 more of '*$'\nand 3 more' ]]
    tells 1 --races --all ./launch many.cl many 64 64 z64
    tells 1 --races ./launch k.cl waits 64 64 z64
    tells 0 --ours k.cl --mistake race.cl ./launch wrong.cl twice 64 64 f64
    [[ $output == 'twice: x[0] is 3, ours has 2'$'\n  line 1 '* ]]
    tells 0 --ours k.cl --mistake race.cl ./launch race.cl twice 64 64 f65
    [[ $output == 'error: twice: data race: '* ]]
    # To the device the file has another name.
    echo 'kernel void named(global int *x) { x[get_global_id(0)] = sizeof(__FILE__); }' > named.cl
    tells 1 --compare ./launch named.cl named 64 64 z64
    [[ $output == 'error: '*" words differ from the device's, first "* ]]
    # One kernel's note is told of once, and a launch's limit on stderr.
    echo 'kernel void notes(global int *x) { x[0] = 1; }' > notes.cl
    tells 0 --races ./launch notes.cl notes 64 64 z64
    [[ $output == 'note: notes: data race: '* ]]
    looks 77 --give-up ./launch k.cl counts_far 4 4 z4 n=100000000
    [ "$(reports)" = "$(grep -A 1 '^note: counts_far: step limit exceeded: ' <<< "$stderr")" ]
}

@test "json: --each has a row for each file, and --compare one for each difference" {
    files_beside
    looks 0 --each --ours k.cl --mistake wrong.cl --mistake race.cl --mistake broken.cl --mistake k.cl \
        ./launch k.cl twice 64 64 f65
    has file file=wrong.cl verdict=WRONG message='twice: x[0] is 3*'
    [[ $report =~ \"verdict\":\"WRONG\",\"digest\":\"[0-9a-f]{16}\" ]]
    has file file=race.cl verdict=RACE message='error: twice: data race: *'
    has file file=broken.cl verdict=BROKEN digest=
    has file file=k.cl verdict=SAME message=
    has verdict verdict=compared
    looks 0 --compare ./launch k.cl twice 64 64 f64
    has verdict verdict='agrees with the device'
}

@test "json: a name, a path and a source line may hold anything" {
    local name=$'odd "name" \\ \t\xff.cl'
    cd "$BATS_TEST_TMPDIR"
    mkdir folder
    printf 'kernel void k(global int *x) {\n    x[get_global_id(0) + 1] = 1; /* "\\ \t \xff\xc3 \x01 */\n}\n' > "$name"
    run --separate-stderr -1 lens kernel --races --format json "$name" 'k(x[64])' --global 64
    report=$output
    has mistake kind='out-of-bounds access' text=$'x[get_global_id(0) + 1] = 1; /* "\\ \t \ufffd\ufffd \x01 */'
    cp "$name" "folder/$name"
    run --separate-stderr lens --quiet --format json --ours "folder/$name" --mistake "folder/$name" \
        "$BATS_FILE_TMPDIR/launch" "$name" k 64 64 z65
    report=$output
    has verdict verdict='no difference found'
    run --separate-stderr lens --quiet --each --format json --ours "$name" --mistake "folder/$name" \
        "$BATS_FILE_TMPDIR/launch" "$name" k 64 64 z65
    report=$output
    has file file=$'folder/odd "name" \\ \t\ufffd.cl' verdict=SAME
    run --separate-stderr lens --quiet --each --format tsv --ours "$name" --mistake "folder/$name" \
        "$BATS_FILE_TMPDIR/launch" "$name" k 64 64 z65
    [[ $(awk -F '\t' 'NR == 1 { columns = NF } END { print columns == NF }' <<< "$output") = 1 ]]
}

@test "json: numbers have a point, whatever locale the program has set" {
    mkdir "$BATS_TEST_TMPDIR/locales"
    localedef -i de_DE -f UTF-8 "$BATS_TEST_TMPDIR/locales/de_DE.UTF-8" > /dev/null 2>&1 ||
        skip "no locale can be made that has a comma"
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '#include <locale.h>' '#include <stdio.h>' \
        '__attribute__((constructor)) static void set(void) {' \
        '    setlocale(LC_ALL, ""); fprintf(stderr, "%.1f\n", 0.5); }' > set.c
    "${CC:-cc}" -std=gnu11 -DCL_TARGET_OPENCL_VERSION=120 -o launch set.c \
        "$ROOT/tests/lens/launch.c" ${LDFLAGS:-} -lOpenCL
    export LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8
    run --separate-stderr -0 lens --format json ./launch "$BATS_FILE_TMPDIR/k.cl" twice 64 64 f64
    [[ $stderr == 0,5* ]] || skip "the program's locale has no comma here"
    report=$output
    has launch busy_lanes=32.0
}

@test "json: the report of --instead is the program's own, so that both are refused" {
    says 2 "--instead excludes --format" lens --format json --instead "$BATS_FILE_TMPDIR/k.cl" true
    says 2 "--instead excludes --format" lens --instead "$BATS_FILE_TMPDIR/k.cl" --format tsv true
    says 77 "made no OpenCL call" lens --format text --instead "$BATS_FILE_TMPDIR/k.cl" true
}

@test "json: a file has the name that the program gave it, wherever the lens runs" {
    mkdir -p "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/there"
    echo 'kernel void k(global float *x) { x[get_global_id(0)] = 1; }' > "$BATS_TEST_TMPDIR/there/k.cl"
    cd "$BATS_TEST_TMPDIR/here"
    for file in ../there/k.cl "$BATS_TEST_TMPDIR/there/k.cl" ./../there/k.cl; do
        run --separate-stderr lens kernel --format json "$file" 'k(x[64])'
        python3 -c '
import json, sys
files = {row["file"] for row in map(json.loads, sys.stdin) if "file" in row}
assert files == {sys.argv[1]}, files' "$file" <<< "$output"
    done
    run lens kernel ./../there/k.cl 'k(x[64])'
    [[ $output == *"x[get_global_id(0)] = 1;"* ]]
}
