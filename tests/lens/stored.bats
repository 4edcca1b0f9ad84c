load helper.bash

# The reports that are stored for docs/.

@test "lens: the reports in docs/ are what it says" {
    [[ $(step03_dot_coalesced --devices) == *" cpu "* ]] || skip "no CPU device here"
    cd "$ROOT"
    DEVICE=cpu run pages count --check
    echo "$output"
    [ "$status" -ne 77 ] || skip "${lines[-1]}"
    [ "$status" -eq 0 ]
}
