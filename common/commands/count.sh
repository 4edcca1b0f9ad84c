#!/bin/sh
# count.sh : runs every step under the lens and stores what it counts, for docs/.
# count.sh --check : stores nothing, and compares the reports with the stored ones.
#
#     docs/results/lens/step05-dot_tree.txt  the report of a kernel, and its picture (.svg),
#                                            for each <!-- lens: step05 dot_tree -->
#                                            and <!-- picture: step05 dot_tree --> in docs/
#     docs/results/lens/step06-dot_tree-worst.txt  the table with that kernel alone, and the
#                                            picture of its worst access, for each
#                                            <!-- worst: step06 dot_tree -->
#     docs/results/lens/step05.html          the page of lens --html, for each
#                                            <!-- page: step05 --size 65536 dot_tree -->
#     docs/results/lens/counts.csv           what every launch does, and its busiest access
#     docs/results/lens/clang-18/step05-dot_tree.txt
#                                            the same report where another clang differs
#
# `make all` first; `make docs` afterwards.  The same clang counts the same on every machine.
# docs/ show what clang 15 counts, which Debian 12 brings.  Another one may unroll a loop or
# merge branches that it does not; then only the reports that differ are stored, beside the
# others.  LENS_CLANG=clang-18 chooses another clang than the lens does.
#
# The exit status of --check: 0 the reports are the stored ones; 1 some differ; 77 some
# differ, and nothing is stored of this clang (the last line of output names them).

export LC_ALL=C # step07b comes behind step07
case $1 in '' | --check) check=$1 ;; *) sed -n 's/^# \{0,1\}//p' "$0" >&2 && exit 2 ;; esac
stored=docs/results/lens shown_clang=clang-15
lens=${BUILD:-build}/lens
. common/commands/files.sh
make_scratch
mkdir -p "$stored"

run() { # run STEP OPTIONS ... : a step under the lens, at its own small size
    source=$(ls steps/"$1"_*.c) stem=$(basename "$source" .c)
    shift
    # shellcheck disable=SC2046 # a list of words is meant
    "$lens" --quiet "$@" "${BUILD:-build}/$stem" --repeats 1 \
        $(awk -v want=arguments -f common/commands/lens_header.awk "$source")
}

clang_of() { # clang_of REPORT : what compiled it, as in "clang-18"
    sed -n 's/.*; compiled by clang \([0-9][0-9]*\)$/clang-\1/p' "$1"
}

# Shows how two reports differ, and succeeds if they do not.  What compiled them does not
# count, nor do busy lanes: those are a mean over instructions, and compilers differ a little
# in these.
same() { # same REPORT REPORT
    for file; do
        sed 's/[0-9.]* of [0-9]* lanes busy/lanes busy/; s/; compiled by .*//' "$file" \
            >"$scratch/same.$#"
        shift
    done
    diff "$scratch/same.2" "$scratch/same.1"
}

# make_page STEP OPTIONS KERNEL ... : the page in which a reader steps through these kernels.
make_page() {
    step=$1 shown='' settings='' before=''
    shift
    for word; do
        case $before$word in # an option has a value
            --*) settings="$settings $word" ;;
            *) shown="$shown --kernel $word" ;;
        esac
        case $word in --*) before=$word ;; *) before='' ;; esac
    done
    # shellcheck disable=SC2086 # lists of words are meant
    "$lens" --quiet --table $shown --html "$scratch/page" "${BUILD:-build}/$(basename \
        steps/"$step"_*.c .c)" --repeats 1 $settings </dev/null >"$scratch/now"
}

check_stored() { # are all stored reports in their place, and needed?
    for report in "$stored"/*.txt "$stored"/clang-*/*.txt; do
        [ -e "$report" ] || continue
        name=$(basename "$report" .txt) maker=$(basename "$(dirname "$report")")
        problem=''
        grep -qx "$name" "$scratch/names" || problem='no page shows this report'
        [ "$maker" != lens ] || maker=$shown_clang
        [ "$(clang_of "$report")" = "$maker" ] || problem="$maker did not make this report"
        case $report in
            "$stored"/clang-*)
                ! same "$stored/$name.txt" "$report" >"$scratch/diff" ||
                    problem="this report is not needed: $stored/$name.txt is the same"
                ;;
        esac
        [ -z "$problem" ] || echo "$report: $problem"
    done
    for page in "$stored"/*.html; do
        [ ! -e "$page" ] || grep -q "^$(basename "$page" .html) " "$scratch/pages" ||
            echo "$page: no chapter links to it"
    done
}

# The reports, one after the other.  $scratch/differ lists those that are not as stored.
cat README.md docs/*.md | sed -nE 's/^<!-- (lens|picture): (step[0-9]*[a-z]?) ([a-z0-9_]*) -->$/\2-\3/p
    s/^<!-- worst: (step[0-9]*[a-z]?) ([a-z0-9_]*) -->$/\1-\2-worst/p' | sort -u \
    >"$scratch/names"
: >"$scratch/differ"
clang=''
while read -r name; do
    [ "$check" ] || echo "$name" >&2
    kernel=${name#*-}
    case $kernel in *-worst) form=--table ;; *) form='' ;; esac
    run "${name%%-*}" ${form:+$form} --kernel "${kernel%-worst}" --svg "$scratch/svg" \
        </dev/null >"$scratch/now" || exit 2
    clang=$(clang_of "$scratch/now")
    known=$stored/${clang:-unknown}/$name.txt
    if [ "$check" ]; then
        [ -e "$known" ] || known=$stored/$name.txt
        same "$known" "$scratch/now" || echo "$name" | tee -a "$scratch/differ"
    elif [ "$clang" = $shown_clang ]; then
        put "$stored/$name.txt" <"$scratch/now"
        put "$stored/$name.svg" <"$scratch/svg"
    elif [ -z "$clang" ]; then
        echo "error: the lens does not know its clang's version, so nothing is stored" >&2
        exit 2
    elif same "$stored/$name.txt" "$scratch/now"; then
        rm -f "$known"
    else
        mkdir -p "${known%/*}"
        put "$known" <"$scratch/now"
    fi
done <"$scratch/names"

# The pages; what another clang makes differs in too much to compare them.
sed -n 's/^<!-- page: \(.*\) -->$/\1/p' docs/*.md >"$scratch/pages"
while read -r step words && [ "${clang:-$shown_clang}" = $shown_clang ]; do
    [ "$check" ] || echo "$step.html" >&2
    # shellcheck disable=SC2086 # a list of words is meant
    make_page "$step" $words || exit 2
    if [ -z "$check" ]; then
        put "$stored/$step.html" <"$scratch/page"
    elif ! cmp -s "$stored/$step.html" "$scratch/page"; then
        echo "$step.html is not what the lens makes" | tee -a "$scratch/differ"
    fi
done <"$scratch/pages"

if [ "$check" ]; then
    check_stored >"$scratch/problems"
    cat "$scratch/problems"
    [ ! -s "$scratch/problems" ] || exit 1
    [ -s "$scratch/differ" ] || exit 0
    [ "$clang" = $shown_clang ] || [ -d "$stored/${clang:-unknown}" ] || {
        echo "nothing is stored of ${clang:-this compiler}, which leads to other reports:" \
            "$(paste -s -d ' ' "$scratch/differ")"
        exit 77
    }
    echo "make count stores what $clang counts now"
    exit 1
fi
[ "$clang" = $shown_clang ] || exit 0

echo 'step,kernel,arguments,global,local,busy_lanes,line,name,sectors,ideal,diverged,passes,barriers,atomics,load_sectors,load_lines,load_used,store_sectors,store_lines,store_used,lines,pages,moved_bytes' \
    >"$scratch/counts.csv" || exit 2
for source in steps/step*.c; do
    stem=$(basename "$source" .c)
    step=${stem%%_*}
    [ "$step" = step00 ] && continue # what it launches depends on the device's speed
    echo "$step" >&2
    run "$step" --format tsv </dev/null |
        awk -F '\t' -v step="$step" -f common/commands/count.awk >>"$scratch/counts.csv" || exit 2
done
put "$stored/counts.csv" <"$scratch/counts.csv"
