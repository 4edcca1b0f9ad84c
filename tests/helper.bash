# Loaded by every test file: finds the steps, and says what they must do.
bats_require_minimum_version 1.5.0

# find_folders : $ROOT is the folder of the clone, and $BUILT that of what was built from it, whose
# programs are found by their names.
find_folders() {
    ROOT=${BATS_TEST_DIRNAME%/tests*}
    BUILT=${BUILD:-build}
    [[ $BUILT == /* ]] || BUILT=$ROOT/$BUILT
    PATH=$BUILT:$PATH
}

# In other languages letters have other neighbours (in Turkish no i is between a and z), and 0.5
# is 0,5 for awk and printf.  What we test has to see to that itself: the Makefile does.  What the
# system says in our messages is in the reader's language, which is right, but no test knows it.
if [ -n "${LC_ALL:-}" ]; then
    export LANG=$LC_ALL
    unset LC_ALL
fi
export LC_COLLATE=C LC_NUMERIC=C LC_MESSAGES=C

setup() {
    [ -z "${SKIP_FILE:-}" ] || skip "$SKIP_FILE"
    find_folders
    export TMPDIR=$BATS_TEST_TMPDIR # for what a program that is stopped leaves behind
    export PYTHONPYCACHEPREFIX=$BUILT/pycache
    unset PYTHONDONTWRITEBYTECODE # then all of Python's own would be compiled each time, too
    STEM=$(basename "$BATS_TEST_FILENAME" .bats)
    local small=$BUILT/small-pocl/pocl.icd
    [ -n "${OCL_ICD_VENDORS:-}" ] || [ ! -f "$small" ] || export OCL_ICD_VENDORS=$small
}

# skip_file REASON : in a setup_file, which then returns: all tests of the file are skipped.  (Debian
# 12's bats fails at a `skip` there.)
skip_file() {
    export SKIP_FILE=$1
}

# whole_pocl : from here on, PoCL has all of its built-in functions; see tests/small_pocl.sh.  What
# it compiles is kept apart: what it finds compiled has the functions of the one that compiled it.
whole_pocl() {
    if [ "${OCL_ICD_VENDORS:-}" = "$BUILT/small-pocl/pocl.icd" ]; then
        unset OCL_ICD_VENDORS
        export POCL_CACHE_DIR=$BUILT/whole-pocl
    fi
}

# pages COMMAND ... : what writes docs/.
pages() {
    python3 "$ROOT/common/commands/pages" "$@"
}

# mistake NAME [STEM] : the path of the step's kernels with this known mistake made in them.
mistake() {
    local file=$BUILT/mistakes/${2:-$STEM}.$1.cl
    [ -f "$file" ] || { echo "no mistake $1 of ${2:-$STEM}" >&2; return 1; }
    echo "$file"
}

# right ARGUMENTS : the step of this test file is right, quickly.
right() {
    run -0 "$STEM" --repeats 1 "$@"
    grep -qE $'[\t"]ok([\t,"]|$)|  right(,|$)' <<< "$output"
    [[ $output != *WRONG* ]]
}

# prints FILE COMMAND ... : the command succeeds, and prints what is in the file.
prints() {
    "${@:2}" > "$BATS_TEST_TMPDIR/printed"
    cmp "$BATS_TEST_TMPDIR/printed" "$1"
}

# small_errors COUNT : in this output, so many rows name an error, each of them a small one.  (A row
# as short as a launch has a word about that in its place.)
small_errors() {
    awk -F 'error ' -v count="$1" '
        NF > 1 { seen++; bad = bad || !($2 + 0 > 0 && $2 + 0 < 1e-4) }
        END { exit bad || seen != count }' <<< "$output"
}

# with_disk KIB COMMAND ... : the command, with a file system of that size in the folder $disk,
# which goes when the command ends.  A test that needs one begins with `with_disk 64 true`, which
# skips it where nothing can be mounted: within `run` nothing can be skipped.
with_disk() {
    local apart=(unshare --mount) size=$1
    [ "$(id -u)" = 0 ] || apart+=(--map-root-user)
    export disk=$BATS_TEST_TMPDIR/disk
    mkdir -p "$disk"
    # shellcheck disable=SC2016 # the words of the inner shell (sh would lose functions)
    apart+=(bash -c 'mount -t tmpfs -o size="$0" none "$disk" || exit 99; "$@"' "${size}k")
    "${apart[@]}" true 2> /dev/null || skip "no file system can be mounted here"
    "${apart[@]}" "${@:2}"
}

# quickly : from here on, PoCL 3 does not optimize what it compiles, and compiles a kernel once
# for all sizes of groups.  For kernels that are wrong or run once: what they do is the same, and
# compiling them takes most of the time.
#
# PoCL 4 and newer is left alone.  Versions 4 to 6 abort when a kernel that was not optimized
# declares a local array without using it, as the starters of some exercises do: an assertion
# in isAutomaticLocal(), which PoCL 7 dropped.  (The optimizer removes such an array, so no
# learner meets this.)  And they optimize the work-group function all the same, which is most
# of the time, so that the option saves little there.
quickly() {
    local newer=' cpu +([4-9]|[1-9][0-9]+)\.' # behind the type stands the driver's version
    local devices=$BATS_FILE_TMPDIR/devices
    [ -e "$devices" ] || step00_device_limits --devices > "$devices"
    [[ $(< "$devices") =~ $newer ]] || export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    export POCL_WORK_GROUP_SPECIALIZATION=0
}

# refuses MISTAKE ARGUMENTS : with them, the step finds its kernels with that mistake to be
# wrong, on this device.
refuses() {
    quickly
    run -1 "$STEM" --repeats 1 --kernel "$(mistake "$1")" "${@:2}"
    [[ $output == *WRONG* || $output == *"a kernel wrote"* ]]
}

# says STATUS TEXT COMMAND ... : the command ends with the status, and its errors say the
# text and give a hint.
says() {
    local status_wanted=$1 text=$2
    shift 2
    run --separate-stderr "$@"
    [ "$status" -eq "$status_wanted" ]
    [[ $stderr == *"$text"* ]]
    [[ $stderr == *"  hint    "* ]]
}

# counts SIZE TEXT ... : under the lens, this step's report has each of these lines; blanks
# may be wider there.
counts() {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size "$1"
    local report
    report=$(tr -s ' ' <<< "$output")
    for text in "${@:2}"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

# none_diverged REPORT : the report has branches, and no lane of them went its own way.
none_diverged() {
    grep -qE ' 0 of [0-9]+ diverged' <<< "$1" && ! grep -E '[1-9][0-9]* of [0-9]+ diverged' <<< "$1"
}

# races_refuses MISTAKE ARGUMENTS : with them, the lens finds a data race in the step's
# kernels with that mistake.  The result may well be right by luck.
races_refuses() {
    quickly
    run -1 lens --quiet --races --strict "$BUILT/$STEM" --repeats 1 --kernel "$(mistake "$1")" "${@:2}"
    [[ $output == *"data race"* ]]
}

# no_races ARGUMENTS : the lens finds no mistake in the step's own kernels.
no_races() {
    run -0 lens --quiet --races "$BUILT/$STEM" --repeats 1 "$@"
    [[ $output == *"no mistake found"* ]]
}

# preload_hold : builds tests/hold.c, once for each file of tests, and sets $hold to the
# library.  A program that runs with LD_PRELOAD="$hold" can forget a wait; see there.
preload_hold() {
    hold=$BATS_FILE_TMPDIR/hold.so
    [ -e "$hold" ] || "${CC:-cc}" -std=c11 -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$hold" "$ROOT/tests/hold.c" -lOpenCL -pthread -ldl
}

# forgetting WHAT HELD COMMAND ... : the command, in which WHAT does not wait, and HELD is
# held back until WHAT has run.  It must have happened: a name that no command has is an error.
forgetting() {
    preload_hold
    run env LD_PRELOAD="$hold" FORGET="$1" HOLD="$2" "${@:3}"
    [[ $output =~ 'hold: '[1-9][0-9]*' forgotten, '[1-9] ]] || { echo "$output"; return 1; }
}

# needs_wait WHAT HELD ARGUMENTS : with them, the step of this test file is wrong if WHAT does
# not wait for HELD.
needs_wait() {
    forgetting "$1" "$2" "$STEM" --repeats 1 "${@:3}"
    [ "$status" -eq 1 ]
    [[ $output == *WRONG* ]]
}

# fizzbuzz FIRST COUNT : the text of so many lines, not by our C.  A number is printed as
# %.0f: some awk's %d ends at 31 bits.
fizzbuzz() {
    awk -v first="$1" -v count="$2" 'BEGIN {
        for (n = first; n < first + count; n++)
            if (n % 15 == 0) print "FizzBuzz"
            else if (n % 3 == 0) print "Fizz"
            else if (n % 5 == 0) print "Buzz"
            else printf "%.0f\n", n
    }'
}

# writes FIRST COUNT ARGUMENTS : with them, the step of this test file writes these lines into
# a pipe, byte for byte, and says that they are right.
writes() {
    local count=$2 from=(--from "$1") table=$BATS_TEST_TMPDIR/table
    [ "$1" -gt 1 ] || from=(--first "$1")
    fizzbuzz "$1" "$count" > "$BATS_TEST_TMPDIR/wanted"
    "$STEM" --repeats 1 "${from[@]}" --size "$count" "${@:3}" 2> "$table" |
        cmp - "$BATS_TEST_TMPDIR/wanted"
    [ "${PIPESTATUS[0]}" -eq 0 ]
    [ "$count" -eq 0 ] || grep -qE '  right(,|$)' "$table"
}

# writes_lengths ARGUMENTS : texts of few lines, of whole words, pages and blocks, and of a line
# more or less; all of them from line 0 and from line 1.
writes_lengths() {
    local first count
    for first in 0 1; do
        for count in 0 1 9 10 14 15 16 99 100 101 999 1000 1001 1199 1200 1201 4799 4800 4801 \
            9999 10000 10001 99999 100001 1000001; do
            writes $first $count "$@"
        done
    done
}

# writes_anywhere ARGUMENTS : texts that begin at other lines, and those in which numbers get
# another digit or another bit, or have digits above the tenth that change.
writes_anywhere() {
    local first power
    for first in 2 7 9 14 15 16 98 99 101 1199 1919 1920 4799 95203 99990; do
        writes $first 2503 "$@"
    done
    for power in 10000 100000 1000000 10000000 100000000 1000000000 4294967296 10000000000 \
        20000000000 30000000000 100000000000 130000000000 1000000000000; do
        writes $((power - 4877)) 10007 "$@"
    done
    for first in 999991117 9999987654 29999951234 99999970003 999999960001 1000000000000; do
        writes $first 60007 "$@"
    done
}

# memory_is_flat ARGUMENTS : with them, the step needs no more memory for a long text.
memory_is_flat() {
    grep -qs '^VmHWM:' /proc/self/status || skip "no VmHWM here"
    local few many
    few=$(peak_kb 10000000 60000000 "$@")
    many=$(peak_kb 100000000 700000000 "$@")
    echo "$few kB, and then $many kB"
    [ "$few" -gt 0 ]
    [ "$many" -lt $((few + 20000)) ]
}

# peak_kb LINES BYTES ARGUMENTS : the most memory that the step has had when so many bytes of
# this text are read.  Behind them is more than a pipe holds: so the step is still there.
peak_kb() {
    # shellcheck disable=SC2016 # $$ is the process that becomes the step
    sh -c 'echo $$ > "$0"; exec "$@"' "$BATS_TEST_TMPDIR/pid" \
        "$STEM" --size "$1" "${@:3}" 2> /dev/null | {
        head -c "$2" > /dev/null
        awk '/^VmHWM:/ { print $2 }' "/proc/$(cat "$BATS_TEST_TMPDIR/pid")/status"
        cat > /dev/null
    }
}

# ---- Exercises: docs/exercises/STEM.md, and the marked parts of the step's own file.

# checked FILE : the exercise's verdict on FILE, in $output: a verdict, and at most 12 lines.
checked() {
    [[ $1 != *.cl ]] || quickly # a program's own kernels are compiled already, and run sooner so
    run python3 "$ROOT/common/commands/exercise" check "${STEM%%_*}" "$1"
    echo "$1: $output"
    [[ $output =~ ^(PASS|WRONG|RACE|NOT\ YET|BROKEN|NO\ VERDICT)\ \ ${STEM%%_*}: ]]
    [ "${#lines[@]}" -le 12 ]
}

# assembled PAGE [SECTION] : the learner's file with the parts of a page, in $file;
# `assembled ours`: with our own.
assembled() {
    local ends=cl
    grep -qF '/* exercise { */' "$ROOT/kernels/$STEM.cl" || ends=c
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    mkdir -p "$LOCKSTEP_WORK"
    file=$LOCKSTEP_WORK/$STEM.$ends
    python3 "$ROOT/common/commands/exercise" assemble "${STEM%%_*}" "$@" > "$file"
}

# exercise_begins VERDICT : the starter compiles, and does not pass.
exercise_begins() {
    assembled "docs/exercises/$STEM.md"
    checked "$file"
    [ "$status" -eq 1 ]
    [[ $output == "$1  "* ]]
}

# exercise_solved : our own file passes, by a tenth of each limit at least.  (Kernels need not
# be copied to work/: what was compiled of the step's own is known.)
exercise_solved() {
    file=kernels/$STEM.cl
    grep -qF '/* exercise { */' "$ROOT/$file" || assembled ours
    MARGIN=1.1 checked "$file"
    [ "$status" -eq 0 ]
    counts_are_ours
}

# counts_are_ours : a verdict's counts, in $output, are what the plain file says that ours has.
counts_are_ours() {
    awk '{
            while (match($0, /[0-9.]+ [a-z0-9 ]* \(ours [0-9.]+\)/)) {
                count = substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
                is = ours = count
                sub(/ .*/, "", is)
                sub(/.* \(ours /, "", ours)
                counts++
                if (is + 0 > ours * 1.01 || is + 0 < ours * 0.99)
                    wrong = wrong " " count
            }
        }
        END { print wrong; exit wrong != "" || !counts }' <<< "$output"
}

# named MISTAKE VERDICTS : the mistake is refused by the exercise, under its own name.
named() {
    checked "$(mistake "$1")"
    [ "$status" -eq 1 ]
    [[ $output =~ ^($2)\ \  && $output =~ "  looks like "\ *"$1: " ]]
}

# checked_at COMMAND ... : calls it for each line at which the exercise runs the step, with
# "run" or "races", and then the arguments of that line.
checked_at() {
    local word arguments
    while read -r word arguments <&3; do
        [ "$word" != elsewhere ] || read -r word arguments <<< "$arguments"
        case $word in run | races) eval "\"\$@\" $word $arguments" ;; esac
    done 3< "$ROOT/docs/exercises/$STEM.txt"
}

# with_settings COMMAND WORD ... : "LOCKSTEP_X=1" among the words goes into the environment.
with_settings() {
    local settings=() words=() word
    for word in "$@"; do
        case $word in LOCKSTEP_*=*) settings+=("$word") ;; *) words+=("$word") ;; esac
    done
    ${EXEC:-command} env "${settings[@]}" "${words[@]}"
}

# compare_mistakes run|races ARGUMENTS : one replay with all mistakes that are still to be
# shown; adds to the file verdicts a line for each: run|races, ARGUMENTS, MISTAKE, VERDICT,
# DIGEST, TEXT.  (One that has been shown had a digest of its own, so it is told from these.)
compare_mistakes() {
    local known=() name file verdict arguments
    ! all_shown || return 0
    printf -v arguments '%q ' "${@:2}"
    while read -r name; do
        known+=(--mistake "${BUILD:-build}/mistakes/$STEM.$name.cl")
    done < "$BATS_TEST_TMPDIR/open"
    with_settings lens --quiet --ours "kernels/$STEM.cl" "${known[@]}" --each \
        "$BUILT/$STEM" --repeats 1 "${@:2}" > "$BATS_TEST_TMPDIR/each" 2> "$BATS_TEST_TMPDIR/errors" ||
        { cat "$BATS_TEST_TMPDIR/errors"; return 1; }
    [ "$(wc -l < "$BATS_TEST_TMPDIR/each")" -eq "$(wc -l < "$BATS_TEST_TMPDIR/open")" ]
    while IFS=$'\t' read -r file verdict; do
        file=${file##*/"$STEM".}
        printf '%s\t%s\t%s\t%s\n' "$1" "$arguments" "${file%.cl}" "$verdict"
    done < "$BATS_TEST_TMPDIR/each" >> "$BATS_TEST_TMPDIR/verdicts"
}

# all_shown : has every mistake been shown, and told from all others?  Writes into the file
# shown, for each that is no race, its name and the arguments of the run that shows it first;
# and into the file open the names of those that are still to be shown.
all_shown() {
    awk -F '\t' -v open="$BATS_TEST_TMPDIR/open" '
        FNR == NR {
            if (/^== /) {
                name = $0
                gsub(/^== |( \(race\))?: .*/, "", name)
                is_race[name] = /^== [a-z0-9_]* \(race\): /
                left[name] = 1
            }
            next
        }
        {
            line[++lines] = $0
            same[$1 FS $2 FS $5] += $4 != "SAME"
        }
        END {
            for (i = 1; i <= lines; i++) {
                split(line[i], part, FS)
                name = part[3]
                found_race = part[6] ~ /: (data race|barrier divergence)/
                if (part[4] == "SAME" || part[4] == "BROKEN" || !left[name] ||
                    same[part[1] FS part[2] FS part[5]] > 1 || is_race[name] != found_race ||
                    !is_race[name] && part[1] != "run")
                    continue
                left[name] = 0
                if (!is_race[name])
                    print name, part[2]
            }
            printf "" > open
            for (name in left)
                if (left[name]) {
                    print name > open
                    bad = 1
                }
            exit bad
        }' "$ROOT/tests/mistakes/$STEM.diff" "$BATS_TEST_TMPDIR/verdicts" > "$BATS_TEST_TMPDIR/shown"
}

# mistakes_refused : what the exercise of this step runs shows every known mistake of
# tests/mistakes/STEM.diff, as a race if it is called one there, and tells it from all
# others.  One replay serves all of them; the lens compares buffers and races with ours.  Of
# what is no race the step itself must find that the replay's results are wrong.  The first
# mistake goes through the exercise's whole check on this device as well.
mistakes_refused() {
    quickly
    cd "$ROOT" # and short names, as `make check` has them: so the lens knows what it compiled
    : > "$BATS_TEST_TMPDIR/verdicts"
    checked_at compare_mistakes
    all_shown || {
        echo "not shown, or not told from others:"
        cat "$BATS_TEST_TMPDIR/open" "$BATS_TEST_TMPDIR/verdicts"
        return 1
    }
    local name arguments file refused
    while read -r name arguments <&4; do
        refused=''
        file=${BUILD:-build}/mistakes/$STEM.$name.cl
        eval "step_refuses \"\$file\" $arguments"
        [ -n "$refused" ] || checked_at step_refuses_at "$file" # it sees less than a replay
        [ -n "$refused" ]
    done 4< "$BATS_TEST_TMPDIR/shown"
    named "$(sed -n '1s/^== \([a-z0-9_]*\).*/\1/p' "$ROOT/tests/mistakes/$STEM.diff")" 'WRONG|RACE'
}

# step_refuses FILE ARGUMENTS : the step finds wrong what a replay makes of the file's kernels,
# or the replay has to stop; then $refused is set.  The first wrong row is enough: what comes
# later is not waited for, so that the step is ended by a signal (143).  The pipe stays open
# until then: a step that ends at the same moment must be able to write its last lines.
step_refuses() {
    local status=0 said=$BATS_TEST_TMPDIR/said
    rm -f "$said"
    mkfifo "$said"
    EXEC=exec with_settings lens --instead "$1" "$BUILT/$STEM" --repeats 1 \
        "${@:2}" > "$said" 2>&1 &
    exec 5< "$said"
    said=$(grep -aEm 1 '^(wrong|error): ' <&5) || true # (mawk would wait for more)
    [ -z "$said" ] || kill $! 2> /dev/null || true
    wait $! || status=$?
    exec 5<&-
    [ -n "$said" ] && [[ $status =~ ^(1|143)$ ]] && refused=yes
    echo "$* ends with status $status, and says: $said"
}

# step_refuses_at FILE run|races ARGUMENTS : the same, for each line that the exercise runs.
step_refuses_at() {
    [ -n "$refused" ] || [ "$2" != run ] || step_refuses "$1" "${@:3}"
}

# cheats_fail : what does nothing, or knows one answer, compiles and does not pass.
# tests/cheats/STEM.md has parts for the marked places, a section for each cheat.  What is
# wrong is found by the step itself, from a replay; what is right has not the shape asked for.
cheats_fail() {
    local page=tests/cheats/$STEM.md cheat refused
    for cheat in empty silent constant default_size; do
        grep -qx "## $cheat" "$ROOT/$page" || { echo "$page has no $cheat"; return 1; }
    done
    for cheat in $(sed -n 's/^## //p' "$ROOT/$page"); do
        assembled "$page" "$cheat"
        [[ $file != *.cl ]] || quickly
        status='' refused=''
        case $cheat.${file##*.} in
            empty.cl | silent.cl | constant.cl | default_size.cl) checked_at step_refuses_at "$file" ;;
            *) STAGES=count NAMES=no checked "$file" ;;
        esac
        [ -n "$refused" ] || [ "$status" = 1 ] || NAMES=no checked "$file"
        [ -n "$refused" ] || [ "$status" -eq 1 ]
    done
}

# predictions_hold : each question has one outcome; a count is what its page says, times were
# measured on a GPU, too, and of the answers a, b and c one is right.
predictions_hold() {
    local number=0 page=$ROOT/docs/exercises/$STEM.md
    local asked=$(grep -cE '^predict  *[0-9] ((counted|calls) .* [|] [0-9.]+$|measured |why [|] [abc]$)' \
        "${page%.md}.txt")
    [ "$asked" -ge 1 ] && [ "$asked" -le 3 ]
    [ "$(grep -cE '^   - because: ' "$page")" -eq "$asked" ]
    [ "$(awk '/^## / { inside = $2 == "Predict" } inside && /^[0-9]\. /' "$page" | wc -l)" -eq "$asked" ]
    while [ $((number += 1)) -le "$asked" ]; do
        run -0 python3 "$ROOT/common/commands/exercise" predict "${STEM%%_*}" --holds "$number"
        echo "question $number: $output"
        [[ $output == holds* ]]
    done
}

# hints_help : there are three.
hints_help() {
    [ "$(awk '/^## / { inside = $2 == "Hints" } inside && /^[0-9]\. /' \
        "$ROOT/docs/exercises/$STEM.md" | wc -l)" -eq 3 ]
}

# needs_script : for tests that say "run on_terminal", since nothing is skipped behind a run.
needs_script() {
    command -v script > /dev/null || skip "no script here, which brings a terminal"
}

# on_terminal COLUMNS COMMAND : the command, for a shell, on a terminal of that width; without
# the colours, and without what another text has taken the place of.
on_terminal() {
    needs_script
    script -qefc "stty cols $1; ${*:2}" /dev/null < /dev/null |
        sed 's/\r$//; s/.*\r//; s/\x1b\[[0-9;]*m//g'
    return "${PIPESTATUS[0]}"
}

# fits COLUMNS WIDE COMMAND : on a terminal of that width, the command says what it says off a
# terminal, word for word, but no line is wider; off a terminal, one has WIDE characters at least.
fits() {
    local here there
    there=$(LC_ALL=C.UTF-8 bash -c "${*:3}" 2>&1 < /dev/null) || true
    here=$(on_terminal "$1" "${*:3}") || true
    echo "$here"
    LC_ALL=C.UTF-8 awk -v most="$1" 'length($0) > most { bad = 1; print "too wide: " $0 } END { exit bad }' \
        <<< "$here" || return 1
    LC_ALL=C.UTF-8 awk -v least="$2" 'length($0) >= least { found = 1 } END { exit !found }' <<< "$there" || return 1
    diff <(tr -s ' \n' '\n' <<< "$there") <(tr -s ' \n' '\n' <<< "$here")
}
