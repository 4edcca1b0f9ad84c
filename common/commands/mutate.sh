#!/bin/sh
# mutate.sh [NAME ...] : makes each mutation of tests/mutations.diff, or those named, in a copy
# of this folder, one at a time, and says whether the test that is named there fails (killed) or
# not (SURVIVED).  A mutation that no longer fits, or with which nothing can be built, and a test
# that fails without it, are errors: then nothing was shown.  What stands there reads like this:
#
#     == guard_in_front: what a kernel writes in front of a buffer is not looked for.
#     in common/buffer.c
#     by common: buffer: a write                 a file of tests, and a part of the tests' names
#     @@ static void check_guards(struct device *device) {
#     -            if (memcmp(...                and so on, as in tests/mistakes
#
# Before a release, and not with the tests: it takes half an hour.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/files.sh
make_scratch
here=$PWD mutations=$PWD/tests/mutations.diff copy=$scratch/copy
unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS # of the make that runs this
export LOCKSTEP_WORK="$scratch/work" SETUP=no
names=$*
[ -n "$names" ] || names=$(sed -n 's/^== \([a-z0-9_]*\): .*/\1/p' "$mutations")
known=$(sed -n 's/^== \([a-z0-9_]*\): .*/\1/p' "$mutations")
for name in $names; do
    echo "$known" | grep -qx "$name" || fail "there is no mutation $name" "$mutations has those there are"
done

# said NAME WORD : what stands behind it, in the head of a mutation.
said() {
    awk -v name="$1" -v word="$2" '
        /^== / { inside = index($0, "== " name ": ") == 1 }
        inside && /^@@/ { exit }
        inside && $1 == word { sub(/^[a-z]+ /, ""); print; exit }' "$mutations"
}

build() {
    make -C "$copy" -s -j"$(getconf _NPROCESSORS_ONLN)" all > "$scratch/log" 2>&1
}

# tested TESTS : 0 they pass, 1 at least one fails, 2 none was run.
tested() {
    (cd "$copy" && bats -f "${1#*: }" "tests/${1%%: *}.bats") > "$scratch/log" 2>&1 < /dev/null
    if grep -q '^not ok ' "$scratch/log"; then
        return 1
    fi
    grep '^ok ' "$scratch/log" | grep -qv ' # skip' || return 2
}

# mutate NAME : killed, SURVIVED, or why nothing was shown, in $outcome.  What one mutation has
# changed, the next one's build makes good.
mutate() {
    file=$(said "$1" in) tests=$(said "$1" by)
    if ! grep -qxF "$tests" "$scratch/passed"; then
        outcome='error: without it, no test passes that is named so'
    elif ! awk -v name="$1" -f common/commands/mistake.awk "$mutations" "$here/$file" \
        > "$scratch/mutated" 2> "$scratch/log"; then
        outcome='error: it does not fit any more'
    else
        cat "$scratch/mutated" > "$copy/$file"
        outcome='error: it cannot be built'
        if build; then
            tested "$tests"
            case $? in
                0) outcome=SURVIVED ;;
                1) outcome=killed ;;
                *) outcome='error: no test was run' ;;
            esac
        fi
        cat "$here/$file" > "$copy/$file"
    fi
}

mkdir "$copy" || exit 2
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -p --parents -t "$copy" || exit 2
git -C "$copy" init -q # tests ask what belongs to it
mkdir -p "$copy/build"
[ ! -d build/limits ] || cp -rp build/limits "$copy/build/"
build || fail "the copy in $copy cannot be built" "does \`make all\` work?"
stems=$(basename -s .diff "$here"/tests/mistakes/*.diff)
(cd "$copy" && for stem in $stems; do
    sed -n "s/^== \([a-z0-9_]*\).*/build\/mistakes\/$stem.\1.cl/p" "tests/mistakes/$stem.diff"
done | xargs make -s) > "$scratch/log" 2>&1
for name in $names; do said "$name" by; done | sort -u > "$scratch/tests"
while read -r tests; do
    ! tested "$tests" || echo "$tests"
done < "$scratch/tests" > "$scratch/passed"
bad=0 count=0
for name in $names; do
    mutate "$name"
    printf '%-24s %-10s %s\n' "$name" "$outcome" "$(said "$name" by)"
    count=$((count + 1))
    case $outcome in
        killed) ;;
        *)
            bad=$((bad + 1))
            sed 's/^/    /' "$scratch/log" | tail -n 5
            ;;
    esac
done
echo "$((count - bad)) of $count killed"
[ "$bad" = 0 ]
