# Loaded by every test file: finds the steps, and says what they must do.
bats_require_minimum_version 1.5.0

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
    BUILT=$ROOT/${BUILD:-build}
    PATH=$BUILT:$PATH
    STEM=$(basename "$BATS_TEST_FILENAME" .bats)
}

# right ARGUMENTS : the step of this test file is right, quickly.
right() {
    run -0 "$STEM" --repeats 1 "$@"
    [[ $output == *ok* ]]
    [[ $output != *WRONG* ]]
}

# refuses MISTAKE [ARGUMENTS] : tests/wrong/<stem>.<mistake>.cl is found to be wrong.
refuses() {
    local mistake=$1
    shift
    run -1 "$STEM" --repeats 1 --kernel "$ROOT/tests/wrong/$STEM.$mistake.cl" "$@"
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
    run -0 lens --quiet "$BUILT/$STEM" --repeats 1 --size "$1"
    local report
    report=$(tr -s ' ' <<< "$output")
    for text in "${@:2}"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

# races_refuses MISTAKE [ARGUMENTS] : tests/wrong/<stem>.<mistake>.cl, whose result may well
# be right by luck, is refused by the lens.
races_refuses() {
    local mistake=$1
    shift
    run -1 lens --quiet --races "$BUILT/$STEM" --repeats 1 \
        --kernel "$ROOT/tests/wrong/$STEM.$mistake.cl" "$@"
    [[ $output == *"data race"* ]]
}

# no_races ARGUMENTS : the lens finds no mistake in the step's own kernels.
no_races() {
    run -0 lens --quiet --races "$BUILT/$STEM" --repeats 1 "$@"
    [[ $output == *"no mistake found"* ]]
}

# fizzbuzz FIRST COUNT : the lines FIRST, FIRST + 1 ..., from awk and not from our C.
fizzbuzz() {
    awk -v first="$1" -v count="$2" 'BEGIN {
        for (i = first + 0; i < first + count; i++)
            if (i % 15 == 0) print "FizzBuzz"
            else if (i % 5 == 0) print "Buzz"
            else if (i % 3 == 0) print "Fizz"
            else printf "%.0f\n", i # %d has 32 bits in some
    }'
}
