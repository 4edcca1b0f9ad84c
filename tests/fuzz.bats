load helper.bash

# make fuzz WHAT=calls makes up others from these; each find of it is one of them.
@test "fuzz: what users type and give is read or refused, each text of tests/fuzz/corpus" {
    cd "$ROOT"
    BUILD=$BATS_TEST_TMPDIR run -0 sh common/commands/fuzz.sh --corpus
    echo "$output"
    [ "$(grep -cE '^[0-9]{2,} texts$' <<< "$output")" -eq 3 ]
}

@test "fuzz: a text at which a reader goes wrong is shown by its name" {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$ROOT/common" "$ROOT/tests/fuzz" .
    mkdir tests && mv fuzz tests
    sed -i 's/^    struct reader reader = .*/    if (text[0] == 0) text = NULL;\n&/' common/lens/alone/formula.c
    BUILD=build run -1 sh common/commands/fuzz.sh --corpus
    echo "$output"
    [[ $output == *"tests/fuzz/corpus/formulas/empty"$'\n'*"runtime error"* ]]
    says 2 "there is nothing to try called WHAT=nosuch" sh common/commands/fuzz.sh nosuch
}
