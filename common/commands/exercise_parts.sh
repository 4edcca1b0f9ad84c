# exercise_parts.sh, read by the scripts of the exercises: what stands in an exercise's page,
# docs/exercises/STEM.md, and in the plain file beside it, and where the learner's files are.
#
# The page is for readers: title, task, rule, Start blocks, questions, hints.  What is run,
# counted and measured stands in docs/exercises/STEM.txt, a statement on each line:
#
#     rule     SENTENCE                              what every verdict repeats
#     run      ARGUMENTS                             results must be right
#     beyond   [LEAST-]MOST ARGUMENTS                the same at a size beyond each number up to
#                                                    MOST that ours has not: N is 2 more, or
#                                                    LEAST, and M the number itself
#     races    ARGUMENTS                             the lens must find no mistake
#     lockstep ARGUMENTS                             32 lanes in lockstep get the same result
#     count    ARGUMENTS                             what the lens counts, on indented lines:
#         KERNEL [ARGUMENT=N] | ACCESS | COUNT | at most N | ours N
#     vary     OPTION ...                            what is smaller when it counts again, if
#                                                    not --size
#     measure  ARGUMENTS | VARIANT                   results must be right, times are shown;
#                                                    only of steps that measure times
#     predict  N counted ARGUMENTS | KERNEL | ACCESS | COUNT | ANSWER
#     predict  N measured ARGUMENTS | VARIANT | VARIANT    how many times slower the first is
#     predict  N calls FUNCTION | CALL | ANSWER      OpenCL calls there, in front of that call
#     predict  N why | LETTER                        the right one of the page's three answers
#
# Lines that begin with "elsewhere" are left out if only the marked parts have changed.
# shellcheck shell=sh disable=SC2034 # the scripts that read this use the variables

. common/commands/files.sh
build=${BUILD:-build} work=${LOCKSTEP_WORK:-work}

# begun_last : the step whose exercise was begun last; '' without one.
begun_last() {
    events | awk '$3 == "started" { last = $2 } END { print last }'
}

# for_each FUNCTION TARGET [STEP ...] : chooses each step and calls the function; without a
# STEP it is the exercise begun last.
for_each() {
    each=$1 target=$2
    shift 2
    [ $# -gt 0 ] || set -- "$(begun_last)"
    [ -n "$1" ] || fail "$target needs a step" "make step05 $target, or first: make next"
    for one in "$@"; do
        choose "$one" && "$each" || exit
    done
}

# no_exercise : says why $step has none, and ends.
no_exercise() {
    for one in steps/"$step"_*.c; do
        [ ! -f "$one" ] || fail "$step has no exercise" "\`make progress\` shows those there are"
    done
    like=$(awk -v word="$step" -v known="$(steps_with_exercise | tr '\n' ' ')" \
        -f common/commands/nearest.awk)
    fail "there is no $step$like" "\`make list\` shows every step"
}

# choose STEP : sets stem, page, plain, the file that has the marked parts, the learner's copy.
choose() {
    step=$1
    page=$(echo docs/exercises/"$step"_*.md)
    [ -f "$page" ] || no_exercise
    stem=$(basename "$page" .md) plain=${page%.md}.txt
    ours=kernels/$stem.cl
    grep -qF '/* exercise { */' "$ours" || ours=steps/$stem.c
    mine=$work/$(basename "$ours")
}

steps_with_exercise() {
    basename -a docs/exercises/*.md | cut -d_ -f1 | LC_ALL=C sort # step07b behind step07
}

# ---- The page.
title() {
    sed -n '1s/^# //p' "$page"
}

# section NAME : its lines; '' is what stands before the first.
section() {
    awk -v wanted="$1" '
        FNR == 1 { next }
        /^## / { here = substr($0, 4); next }
        here == wanted' "$page" | awk '
        !NF { blanks = blanks "\n"; next } # those in between alone are kept
        { printf "%s%s\n", started ? blanks : "", $0; started = 1; blanks = "" }'
}

# items SECTION : numbered paragraphs, each on one line.
items() {
    section "$1" | awk '
        /^[0-9]+\. / { if (line) print line; line = ""; sub(/^[0-9]+\. /, "") }
        NF { sub(/^ +/, ""); line = line (line ? " " : "") $0 }
        END { if (line) print line }'
}

# ---- The plain file.
# facts WORD : what stands behind that word, a line for each time.
facts() {
    sed -n "s/^$1  *//p" "$plain"
}

# A text for a terminal: lines of at most 88 columns; what does not fit stands further in.
wrapped() {
    most=88
    if [ "$columns" -gt 0 ] && [ "$columns" -lt $most ]; then most=$columns; fi
    awk -v most="$most" '{
        match($0, /^ */)
        line = margin = substr($0, 1, RLENGTH)
        for (i = 1; i <= NF; i++) {
            if (line != margin && length(line) + 1 + length($i) > most) {
                print line
                line = margin "   "
            }
            line = line (line ~ /[^ ]$/ ? " " : "") $i
        }
        print line
    }'
}

# ---- The learner's file: ours, with other text in its marked parts, under the task.
# assemble PAGE [SECTION] : the parts are the blocks of the page's section, Start unless
# told; `assemble ours` has our own.
assemble() {
    printf '/* Exercise: %s\n *\n' "$(title)"
    section '' | sed 's/^/ * /; s/ *$//'
    printf ' */\n'
    if [ "$1" = ours ]; then
        cat "$ours"
        return
    fi
    awk -v section="${2:-Start}" '
        FNR == NR && /^## / { start = $0 == "## " section }
        FNR == NR && start && /^```/ { inside = !inside; count += inside; next }
        FNR == NR { if (inside) part[count] = part[count] $0 "\n"; next }
        index($0, "/* } exercise */") { skipping = 0 }
        !skipping
        index($0, "/* exercise { */") { skipping = 1; printf "%s", part[++used] }' "$1" "$ours"
}

make_work() {
    mkdir -p "$work" 2> /dev/null || fail "cannot make $work/" 'may you write here?'
}

# ---- work/progress: what happened, a line each: DATE STEP WHAT [VALUE ...].
happened() { # happened STEP WHAT [VALUE ...]
    make_work
    printf '%s %s\n' "$(date +%F)" "$*" | add "$work/progress" || exit
}

# events : the lines that have this form, also as an editor of Windows saves them.
events() {
    readable "$work/progress" || return 0
    LC_ALL=C tr -d '\r' < "$work/progress" | LC_ALL=C grep -aE "$EVENT"
}
EVENT='^[0-9]+-[0-9]+-[0-9]+ step[0-9]+[a-z]? [a-z]+( [ -~]*)?$'

# readable FILE : is there something to read?  A folder in its place is an error.
readable() {
    [ ! -d "$1" ] || fail "$1 is a folder" 'move it away: a file of that name is written here'
    [ -s "$1" ]
}

# lost FILE PATTERN : says how many lines of a file have another form, and are left out.
lost() {
    readable "$1" || return 0
    number=$(LC_ALL=C tr -d '\r' < "$1" | LC_ALL=C grep -avcE "$2")
    [ "$number" = 0 ] || echo "($number of the lines in $1 cannot be read: they are left out)"
}

# solution_seen STEP : was ours shown before the exercise had passed?
solution_seen() {
    events | awk -v step="$1" '
        $2 == step && $3 == "reset" { passed = 0 }
        $2 == step && $3 == "passed" { passed = 1 }
        $2 == step && $3 == "solution" && !passed { seen = 1 }
        END { exit !seen }'
}

# has STEP WHAT : did it happen?  (What a reset took back did not.)
has() {
    [ "$(how_often "$1" "$2")" -gt 0 ]
}

how_often() { # how_often STEP WHAT
    events | awk -v step="$1" -v what="$2" '
        $2 == step && $3 == "reset" && what != "predicted" { count = 0 }
        $2 == step && $3 == what { count++ }
        END { print count + 0 }'
}

# state STEP : how far an exercise is: open, started, given or passed.
state() {
    for what in passed given started; do
        has "$1" $what && echo $what && return
    done
    echo open
}

# unused FILE.EXT : a name that no file has: FILE.EXT, or FILE.2.EXT, and so on.
unused() {
    name=$1 number=2
    while [ -e "$name" ]; do
        name=${1%.*}.$number.${1##*.} number=$((number + 1))
    done
    echo "$name"
}

# agrees QUESTION : asks once, if there is a terminal; ARGS=--yes answers.
agrees() {
    case " $ARGS " in *' --yes '*) return 0 ;; esac
    [ -t 0 ] || return 1
    printf '%s [y/N] ' "$1" >&2
    read -r answer
    case $answer in y | Y | yes) return 0 ;; *) return 1 ;; esac
}
