#!/bin/sh
# check.sh [STEP [FILE]] : is the learner's file (or FILE, of which nothing is noted) right,
# free of races, and of the shape that the exercise asks for?  A verdict in at most 12 lines;
# the exit status is
#
#     0  PASS        all of it
#     1  WRONG       a result is wrong, or an access is out of bounds
#        RACE        work-items race, or do not all reach a barrier
#        SHAPE       right, but not of the shape that was asked for: its access pattern, say
#     2  BROKEN      it does not compile
#        NO VERDICT  something kept us from telling; that is never a pass
#
# With MARGIN=1.1 the lens's counts must be better than asked for by a tenth; with NAMES=no
# a wrong result is not looked into, which takes longest; with STAGES=count nothing else is
# looked at, and nothing passes.  No time is judged.  What is run, and what the lens must
# count, stands in docs/exercises/STEM.txt.
# shellcheck disable=SC2086,SC2046,SC2317,SC3045 # lists of words are meant; stages are called by
# name; and every shell that we know has `ulimit -S -t`

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh
case $#$2 in
    0) exec sh common/commands/check.sh "$(begun_last)" ;;
    1 | 2*.c | 2*.cl) ;;
    *) # several steps
        for one in "$@"; do sh common/commands/check.sh "$one" || exit; done
        exit
        ;;
esac
[ -n "$1" ] || fail 'check needs a step' 'make step05 check, or first: make next'
choose "$1"
file=${2:-$mine} learner=''
[ -n "$2" ] || learner=yes
[ -f "$file" ] || fail "there is no $file" "\`make $step exercise\` writes it"
make_scratch
running=''
trap '[ -z "$running" ] || kill $running; exit 2' INT TERM
checked=$(cksum < "$file")
why=$scratch/why # the details of a verdict
: > "$why"

# verdict WORD WHAT [NEXT] : with the details, at most 12 lines.
verdict() {
    {
        printf '%s  %s: %s\n' "$1" "$step" "$2"
        [ "$1" = PASS ] || printf '  rule  %s\n' "$(facts rule)"
        sed '/^ *$/d; s/^error: //; s/^/  /' "$why" | head -n 9 | cut -c1-120
        echo "next: ${3:-make $step hint}"
    } | fit
    case $1 in
        PASS) exit 0 ;;
        WRONG | RACE | SHAPE) exit 1 ;;
        *) exit 2 ;;
    esac
}

# Copied kernels are handed to the step as it is; a copied step is built.
program=$build/$stem kernels=$file
if [ "${file##*.}" = c ]; then
    program=$build/work/$stem kernels=''
    [ "$file" = "$mine" ] || fail "cannot check $file" "copy it to $mine first"
    rm -f "$program" # that of another file, perhaps
    if ! ${MAKE:-make} -s SETUP=no "$program" > "$scratch/log" 2>&1; then
        grep -E 'error:|undefined' "$scratch/log" | head -n 4 > "$why"
        verdict BROKEN 'it does not compile'
    fi
fi

# try COMMAND ... : runs it with $arguments behind; what it prints goes to files, and it has
# to end.  The quotes of $arguments hold names together, as in --rung "local tile"; settings
# (LOCKSTEP_MAX_GROUP=100: groups of 100 at most) go into the environment.
#
# What counts is the processors' time, because on a busy machine everything takes long.  What
# only waits uses none: it is ended a good while later.
patience=${PATIENCE:-60} # seconds
try() {
    eval "set -- \"\$@\" $arguments"
    settings=''
    for word in "$@"; do
        shift
        case $word in LOCKSTEP_*=*) settings="$settings $word" ;; *) set -- "$@" "$word" ;; esac
    done
    set -- env PATIENCE=0 $settings "$@" # the step itself would look at the clock on the wall
    ! command -v timeout > /dev/null || set -- timeout -k 5 $((20 * patience)) "$@"
    rm -f "$scratch/asleep"
    (
        ulimit -S -c 0
        ulimit -S -t "$patience"
        exec "$@"
    ) > "$scratch/out" 2> "$scratch/err" < /dev/null &
    running=$!
    watch_sleep $running > /dev/null 2>&1 3>&- < /dev/null &
    watcher=$!
    wait $running 2> /dev/null # (the shell would say that it was ended)
    tried=$?
    running=''
    kill $watcher 2> /dev/null
    [ ! -e "$scratch/asleep" ] || [ "${file##*.}" = cl ] || waits_for_ever
    return $tried
}

# watch_sleep PID : ends a process that has slept for 20 seconds, and all that it has started,
# too: of the host's threads, each waits for another then.  (Of a kernel that never ends the
# lens may see why; and without /proc, patience has to do.)
watch_sleep() {
    seen=-1 slept=0
    while sleep 2; do
        ticks=$(ticks_of "$1") && [ -n "$ticks" ] || return
        if [ "$seen" -ge 0 ] && [ $((ticks - seen)) -lt 5 ]; then
            slept=$((slept + 2))
        else
            seen=$ticks slept=0
        fi
        [ $slept -lt 20 ] || break
    done
    : > "$scratch/asleep"
    kill "$1"
}

# ticks_of PID : the processor's time that a process has had, and all that descend from it; ''
# if it is not there.  In /proc, behind the command's name in brackets, stand the state, the
# parent, and as 12th to 15th the times, with those of children that have ended.
ticks_of() {
    cat /proc/[0-9]*/stat 2> /dev/null | awk -v pid="$1" '
        {
            sub(/ [(].*[)] /, " ")
            parent[$1] = $3
            ticks[$1] = $13 + $14 + $15 + $16
        }
        END {
            for (one in parent) {
                for (up = one; up != pid && up in parent; up = parent[up])
                    ;
                if (up == pid && pid in parent)
                    sum += ticks[one]
            }
            if (pid in parent)
                print sum
        }'
}

waits_for_ever() {
    tail -n 5 "$scratch/err" > "$why"
    verdict WRONG "it waits for ever ($arguments): which thread wakes which?"
}

# Why did it not end (the status of try)?  '' if it did.
endless() {
    case $1 in
        152) echo "no end after $patience seconds of computing" ;; # SIGXCPU
        124 | 137) echo "no end after $((20 * patience)) seconds" ;;
    esac
}

# lens OPTIONS : the step with the learner's kernels under the lens, with $arguments.
lens() {
    try "$build/lens" --quiet "$@" "$program" --repeats 1 ${kernels:+--kernel "$kernels"}
}

# body FILE : without the comments at its top, where the task stands.
body() {
    awk '
        !body && /^ *\/\*/ && !/exercise { \*\// { comment = 1 }
        !body && !comment && NF { body = 1 }
        body
        index($0, "*/") { comment = 0 }' "$1"
}

# changed_elsewhere FILE : is anything changed outside the marked parts?
changed_elsewhere() {
    body "$ours" > "$scratch/ours"
    body "$1" | diff "$scratch/ours" - | awk '
        BEGIN { ours[0] = 1 }
        FNR == NR {
            if (index($0, "/* exercise { */")) marked = 1
            ours[FNR] = !marked
            if (index($0, "/* } exercise */")) marked = 0
            next
        }
        /^[0-9]/ { # as 12,14c12,20
            sub(/[acd].*/, "")
            last = split($0, range, ",")
            for (i = range[1]; i <= range[last] + 0; i++) found = found || ours[i]
        }
        END { exit !found }' "$scratch/ours" -
}

# The mistakes that can be the file's: what is as ours elsewhere has none from there.
mistakes() {
    LC_ALL=C # their order, in this subshell
    for known in "$build/mistakes/$stem".*.cl; do
        [ -e "$known" ] || continue
        case $same_elsewhere$ours in
            yes*.cl) changed_elsewhere "$known" && continue ;;
        esac
        echo "--mistake $known"
    done
}

# Where the learner's kernels differ from ours, and which known mistake they match.  A
# wrong result may come of a race: the lens sees that, whatever the luck was.
#
# What the step itself says comes first, in its own words: "the sum is 5, expected 7".  Where it
# looks at a sum alone, a share of it that ours has not is no mistake; and text is no number.
compare_with_ours() {
    word=WRONG
    [ "$NAMES" != no ] || return
    told=$(sed -n 's/^wrong: //p' "$scratch/err" | head -n 1)
    patience=$((5 * ${PATIENCE:-60})) # all these files may have to be compiled
    lens --ours "kernels/$stem.cl" $(mistakes)
    case $(head -n 1 "$scratch/out") in
        *': data race: '* | *': barrier divergence: '*) word=RACE ;;
        *) word=WRONG ;;
    esac
    sed "/^matches the known mistake /d
        s/^no difference.*/replayed by the lens it does what ours does; does another device agree (make devices)?/" \
        "$scratch/out" | head -n 7 > "$scratch/seen"
    [ ! -s "$scratch/seen" ] || {
        [ -z "$told" ] || printf '%s\n' "$told"
        awk -v told="$told" -f common/commands/difference.awk "$scratch/seen"
    } > "$why"
    [ -s "$why" ] || tail -n 3 "$scratch/err" > "$why" # why the lens could not look
    known=$(sed -n 's/^matches the known mistake //p' "$scratch/out")
    [ -n "$known" ] || return
    name=$(basename "${known#*"$stem".}" .cl)
    sed -n "s/^== $name\( (race)\)\{0,1\}: /matches the known mistake $name: /p" "tests/mistakes/$stem.diff" >> "$why"
}

broken() {
    awk -v file="$file" -v name="$file" -f common/commands/compiler_errors.awk "$scratch/err" |
        head -n 9 > "$why"
    [ -s "$why" ] || grep -v '^  hint' "$scratch/err" | head -n 4 > "$why" # another compiler's words
    verdict BROKEN 'it does not compile'
}

proven_endless() {
    grep -q '^error: .*: endless loop: ' "$scratch/out"
}

# never_ends : a verdict, if that is what the lens has seen: a group that comes back to where
# it was, or one at which it stopped looking; with the line.
never_ends() {
    if proven_endless; then
        sed -n '/^error: .*: endless loop: /,/^ *hint /p' "$scratch/out" > "$why"
    else
        sed -n '/^note: .*: step limit exceeded: /{s/^note: //; p; n; /^  line .* still at work /p; q;}' \
            "$scratch/err" > "$why"
        [ -s "$why" ] || return 0
        echo 'does the loop there end?  Its condition must become false; no group may wait for another one' >> "$why"
    fi
    verdict WRONG "a kernel does not end ($arguments)"
}

# ---- 1. Does it end?  The device might never tell; the lens stops looking.  What it says of
# mistakes is kept for later.
ends() {
    lens --races --strict --give-up
    echo $? > "$scratch/looked.status"
    never_ends
    cp "$scratch/out" "$scratch/looked.out"
    cp "$scratch/err" "$scratch/looked.err"
    looked=$arguments
}

# ---- 2. Results.
run() {
    set -- "$program" --repeats 1 --format tsv ${kernels:+--kernel "$kernels"}
    try "$@"
    status=$?
    cat "$scratch/out" "$scratch/err" | awk -F '\t' '
        $1 == "step" { for (i = 1; i <= NF; i++) at[$i] = i; next }
        at["result"] && $at["result"] == "WRONG" { print $at["variant"] }' > "$scratch/wrong"
    rows=$(grep -c . "$scratch/wrong")
    [ "$status" != 0 ] || [ "$rows" != 0 ] || return 0
    tail -n 5 "$scratch/err" > "$why"
    case $status in
        0 | 1) ;;
        2)
            grep -q 'does not compile' "$scratch/err" && broken
            [ -z "$room_for_it" ] || ! grep -qE '^error: .*( elements are too many for | has no room for )' "$scratch/err" || return 0
            grep -q 'driver was ended' "$scratch/err" || verdict 'NO VERDICT' "it cannot run ($arguments)"
            ;; # what ended the driver, the lens sees
        126 | 127) verdict 'NO VERDICT' "$program cannot be run" "make $step check" ;;
        77) verdict 'NO VERDICT' "this device cannot show it ($arguments)" 'make devices' ;;
        124 | 137 | 152) # barrier divergence, perhaps: the lens sees that, and does not hang
            what="$(endless $status) ($arguments)" before=$patience
            patience=$((5 * patience)) # the lens takes longer
            lens --races --strict --give-up
            patience=$before
            ! proven_endless || never_ends
            if grep -q '^error: ' "$scratch/out"; then
                grep -v '^no mistake' "$scratch/out" | head -n 7 > "$why"
                compare_with_ours
                verdict "$word" "$what"
            fi
            never_ends
            # Compiling took the time, perhaps.  Now that is done.
            [ "$status$again" != 152 ] || { again=yes && run && again='' && return; }
            case $status in
                152) verdict 'NO VERDICT' "$what: does a loop end?" ;;
                *) verdict 'NO VERDICT' "$what: does it wait for what never comes?" ;;
            esac
            ;;
    esac
    what="it ends with status $status"
    [ "$status" -gt 2 ] || what=$(sed -n 's/^error: //p' "$scratch/err" | head -n 1)
    first=$(head -n 1 "$scratch/wrong")
    case $rows in
        0) ;;
        1) what="a row is wrong, \"$first\"" ;;
        *) what="$rows rows are wrong, the first is \"$first\"" ;;
    esac
    what="$what ($arguments)"
    [ "${file##*.}" = cl ] || verdict WRONG "$what" # of host code the step itself tells
    compare_with_ours
    verdict "$word" "$what"
}

# ended STATUS WHAT : so did the lens.  With 1 it found something, or the step did, of what
# was right by luck before.
ended() {
    [ "$1" != 0 ] || return 0
    [ "$1" = 1 ] || grep -q '^error: ' "$scratch/out" || unseen
    compare_with_ours
    verdict "$word" "$2 ($arguments)"
}

unseen() {
    tail -n 5 "$scratch/err" > "$why"
    verdict 'NO VERDICT' "the lens cannot look at it ($arguments)"
}

# ---- 3. Results at a size beyond a number that the file has and ours has not: of what says
# min(n, 4096u) the sizes above may know nothing.  "M" is such a number itself, so that each is
# tried; beyond the largest are the others, too.  What the device has no room for is left out.
beyond() {
    most=${arguments%% *} least=0 asked=${arguments#* }
    case $most in *-*) least=${most%-*} most=${most#*-} ;; esac
    find_numbers
    case " $asked " in *[\ *]M[\ *]*) count=$NUMBERS ;; *) count=1 ;; esac
    for number in $(awk -v most="$most" '$1 <= most' "$scratch/numbers" | sort -rnu | head -n $count); do
        arguments=$(echo "$asked" | awk -v number="$number" -v least="$least" -f common/commands/beyond.awk)
        room_for_it=may_lack
        [ "$number" -le 30000000 ] || patience=$((3 * patience))
        run
        room_for_it='' patience=${PATIENCE:-60}
    done
}
NUMBERS=8 # are tried at most, the largest

# The numbers go to a file, once: those of the source, and those that clang makes of it.
find_numbers() {
    [ ! -f "$scratch/numbers" ] || return 0
    case $file in *.cl) known=kernels/$stem.cl ;; *) known=$ours ;; esac
    awk -f common/commands/numbers.awk "$known" "$file" > "$scratch/numbers"
    if llvm_text "$known" "$scratch/known.ll" && llvm_text "$file" "$scratch/file.ll"; then
        awk -f common/commands/constants.awk "$scratch/known.ll" "$scratch/file.ll" >> "$scratch/numbers"
    fi
}

llvm_text() { # llvm_text FILE TEXT
    for clang in "${LENS_CLANG:-clang}" $(seq -f 'clang-%.0f' 15 30) ''; do
        ! command -v "$clang" > /dev/null || break
    done
    [ -n "$clang" ] || return
    case $1 in
        *.cl) set -- "$@" -x cl -cl-std=CL1.2 -iquote kernels ;;
        *) set -- "$@" -std=c11 -iquote common -D CL_TARGET_OPENCL_VERSION=120 \
            -D 'KERNEL_DIR=""' -D 'BUILD_DIR=""' ;;
    esac
    from=$1 to=$2
    shift 2
    "$clang" "$@" -w -O1 -fno-unroll-loops -S -emit-llvm "$from" -o "$to" 2> /dev/null
}

# ---- 4. Races, and out-of-bounds accesses.
races() {
    if [ "$arguments" = "$looked" ]; then
        cp "$scratch/looked.out" "$scratch/out"
        cp "$scratch/looked.err" "$scratch/err"
        set -- "$(cat "$scratch/looked.status")"
    else
        lens --races --strict
        set -- $?
    fi
    ended "$1" 'its results are right by luck'
    grep -q '^no mistake found' "$scratch/out" || unseen
}

# ---- 5. The same on lanes in lockstep?  Asked only of what is exact in any order, and what
# a device may do in some order by luck.
lockstep() {
    lens --compare
    ended $? 'right by luck: 32 lanes in lockstep get another result'
}

# ---- 6. Counts: at the size that the plain file has, and at one that only the file's own
# checksum says, where ours is counted, too.
count() {
    awk -v of="$arguments" '
        /^[^ #]/ { inside = sub(/^count  */, "") && $0 == of; next }
        inside && /^ /' "$plain" > "$scratch/wanted"
    [ -s "$scratch/wanted" ] || verdict 'NO VERDICT' "$plain wants no counts" "correct $plain"
    # Where all is wanted of one kernel, the others need no replay.
    only=$(awk '{ sub(/[ |].*/, "", $1); if (!seen[$1]++) kernels++ }
        END { if (kernels == 1 && $1 != "host") print $1 }' "$scratch/wanted")
    count_right
    cat "$scratch/counts" >> "$scratch/shape"

    arguments=$(smaller)
    [ -n "$arguments" ] || return
    (
        program=$build/$stem kernels=''
        lens --waits --format tsv ${only:+--kernel "$only"}
    ) || verdict 'NO VERDICT' "the lens cannot look at ours ($arguments)" "does \`make $step run\` work?"
    mv "$scratch/out" "$scratch/ours"
    count_right "$scratch/ours"
}

# The arguments with a smaller size, by up to a tenth; the plain file says what varies, if
# not --size.
smaller() {
    varied=$(facts vary)
    echo "$arguments" | awk -v options=" ${varied:---size} " -v sum="${checked%% *}" '{
        for (i = 1; i < NF; i++)
            if (index(options, " " $i " ")) {
                $(i + 1) -= 1 + sum % int($(i + 1) > 10 ? $(i + 1) / 10 : 1)
                found = 1
            }
        if (found)
            print
    }'
}

# count_right [OURS] : the lens counts for the learner's file what is wanted, or, beside what
# it counts for ours, nothing worse than that.
count_right() {
    lens --waits --format tsv ${only:+--kernel "$only"}
    ended $? 'its results are right by luck'
    awk -F '\t' -v margin="$MARGIN" -f common/commands/check_counts.awk "$scratch/wanted" \
        "$scratch/out" "$@" > "$scratch/all"
    sed -n 's/^missing //p' "$scratch/all" > "$why"
    if [ -s "$why" ]; then
        tail -n 3 "$scratch/err" >> "$why"
        verdict 'NO VERDICT' \
            "the lens counted no such thing ($arguments); are names and arguments still ours?"
    fi
    sed -n 's/^bad //p' "$scratch/all" > "$why"
    [ ! -s "$why" ] || verdict SHAPE "right, but not of the shape that was asked for ($arguments)"
    [ "$(grep -c '^good ' "$scratch/all")" = "$(grep -c . "$scratch/wanted")" ] ||
        verdict 'NO VERDICT' 'counts cannot be compared' 'is there room in /tmp?'
    sed 's/^good //' "$scratch/all" > "$scratch/counts"
}

# ---- 7. The size at which times are taken: results must be right there, too.
measure() {
    variant=${arguments#* | } arguments=${arguments% | *}
    # A test may have kept the device from optimizing.  At this size unoptimized kernels take
    # long; but for lanes that no other test has, compiling them would take longer.
    case $arguments in *--lanes*) ;; *) export POCL_EXTRA_BUILD_FLAGS='' ;; esac
    [ -n "$learner" ] || arguments=$(echo "$arguments" | sed 's/--repeats [0-9]*/--repeats 1/')
    run
    [ -n "$learner" ] || return
    measured yours
    program=$build/$stem kernels=''
    try "$program" --format tsv
    measured ours
}

measured() { # measured WHOSE : the row of the variant
    cat "$scratch/out" "$scratch/err" |
        awk -F '\t' -v whose="$1" -v variant="$variant" -f common/commands/measured.awk >> "$scratch/times"
}

# ---- 0. The device's compiler and the lens's must see the same code.
if [ "${file##*.}" = cl ]; then
    awk -f common/commands/directives.awk "$ours" "$file" > "$why"
    [ ! -s "$why" ] || verdict SHAPE \
        'to another compiler this can be other code: write it without the preprocessor'
fi

# Lines that begin with "elsewhere" look at what else a step has: no need to, if that is as
# it was.
same_elsewhere=yes
: > "$scratch/times"
! changed_elsewhere "$file" || same_elsewhere=''
awk -v same="$same_elsewhere" '/^[^ #]/ && !(sub(/^elsewhere /, "") && same)' "$plain" > "$scratch/checks"
arguments=$(sed -n '/^races /{s/^races *//p;q;}' "$scratch/checks")
case ${STAGES:-run} in *run*) [ -z "$arguments" ] || ends ;; esac
for stage in ${STAGES:-run beyond races lockstep count measure}; do
    case $stage in
        beyond | lockstep | measure) ;; # what not every step has
        *) grep -q "^$stage " "$scratch/checks" ||
            verdict 'NO VERDICT' "$plain says nothing about $stage" "correct $plain" ;;
    esac
    while read -r what arguments; do
        [ "$what" != $stage ] || $stage
    done < "$scratch/checks"
done

[ "$(cksum < "$file")" = "$checked" ] ||
    verdict 'NO VERDICT' "$file was saved meanwhile" "make $step check"

[ -z "$STAGES" ] || verdict 'NO VERDICT' "nothing but $STAGES was looked at"
awk -f common/commands/shape.awk "$scratch/shape" > "$why"
if [ -n "$learner" ]; then
    happened "$step" passed
    if [ -s "$scratch/times" ]; then
        cat "$scratch/times" >> "$why"
        echo '(times of a run each, not judged: what else the machine does shows, too)' >> "$why"
        sed "s/^/$step  /" "$scratch/times" | add "$work/measured" || exit
    fi
fi
verdict PASS "right in $(grep -cE '^(run|measure) ' "$scratch/checks") runs, no race, and of the shape asked for" 'make next'
