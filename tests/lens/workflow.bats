load helper.bash

# docs/ci/lens.yml, which looks at kernels on GitHub's machines: its commands are done here, in a
# small repository.

# commands : what the steps of the workflow run, each in a file of its own: 1, 2, 3 ...
commands() {
    mkdir "$BATS_TEST_TMPDIR/commands"
    python3 - docs/ci/lens.yml "$BATS_TEST_TMPDIR/commands" << 'END'
import pathlib
import re
import sys

lines = iter([*open(sys.argv[1], encoding="utf-8"), "end:\n"])
line = next(lines)
number = 0
while line != "end:\n":
    run = re.match(r"( *- )run: (.*\n)", line)
    line = next(lines)
    if run:
        text = run[2]
        if text == "|\n":
            text = ""
            while line.startswith(" " * (len(run[1]) + 1)):
                text += line[len(run[1]) + 2 :]
                line = next(lines)
        number += 1
        pathlib.Path(sys.argv[2], str(number)).write_text(text, encoding="utf-8")
END
}

# variables : those below `env`, as NAME=VALUE; a comment goes to the end of its line.
variables() {
    sed -n '/^env:/,/^[a-z]*:$/s/^  \([A-Z_]*\): \([^#]*[^# ]\).*/\1=\2/p' docs/ci/lens.yml
}

# sample : a repository with a kernel that is right, and our own beside it, as the workflow has it.
sample() {
    mkdir -p "$BATS_TEST_TMPDIR/sample/kernels"
    cat > "$BATS_TEST_TMPDIR/sample/kernels/scale.cl" << 'END'
kernel void scale(global const float *x, global float *y, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        y[item] = 3 * x[item];
}

// lens: scale(x[n], y[n], n=500) --global 512 --local 256
END
    ln -s "$ROOT" "$BATS_TEST_TMPDIR/sample/lockstep"
}

# does NUMBER : that command, as GitHub runs it.
does() {
    local values
    mapfile -t values < <(variables)
    (cd "$BATS_TEST_TMPDIR/sample" && env "${values[@]}" RUNNER_TEMP="$BATS_TEST_TMPDIR" \
        bash -e "$BATS_TEST_TMPDIR/commands/$1")
}

# findings : of the report, "RULE LEVEL FILE LINE" for each.
findings() {
    python3 - "$BATS_TEST_TMPDIR/sample/lens.sarif" << 'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
assert report["version"] == "2.1.0"
for result in report["runs"][0]["results"]:
    place = result["locations"][0]["physicalLocation"]
    print(result["ruleId"], result["level"], place["artifactLocation"]["uri"],
          place["region"]["startLine"])
END
}

@test "workflow: it installs what docs/cllens.md says for its system, then the lens, then checks" {
    commands
    [ "$(ls "$BATS_TEST_TMPDIR/commands")" = $'1\n2\n3' ]
    grep -qx '    runs-on: ubuntu-24.04' docs/ci/lens.yml
    local packages
    packages=$(sed -n 's/^| .*Ubuntu 24\.04 or newer | `\(.*\)` |$/\1/p' docs/cllens.md)
    [ -n "$packages" ]
    [ "$(< "$BATS_TEST_TMPDIR/commands/1")" = "sudo apt-get update
sudo apt-get install -y $packages" ]
    [ "$(variables | cut -d= -f1)" = $'LOCKSTEP\nKERNELS\nFAIL_ON\nBASELINE' ]
    # What it writes is what is uploaded.
    grep -qF '> lens.sarif' "$BATS_TEST_TMPDIR/commands/3"
    grep -qx '          sarif_file: lens.sarif' docs/ci/lens.yml
    grep -q '^  security-events: write' docs/ci/lens.yml
    command -v yamllint > /dev/null || skip "no yamllint"
    run -0 yamllint --strict docs/ci/lens.yml
}

@test "workflow: it fails for what is wrong, but not for what the baseline has" {
    local kernel=$BATS_TEST_TMPDIR/sample/kernels/scale.cl
    commands
    sample
    run -0 does 2
    [ -x "$BATS_TEST_TMPDIR/lens/bin/cllens" ]
    run -0 does 3
    run -0 findings
    [[ $output != *error* ]]

    sed -i '/if (item < n)/d' "$kernel"
    run -1 does 3
    [[ $output == *"fails    kernels/scale.cl:3: bounds 1"* ]]
    run -0 findings
    [[ $output == *"bounds error kernels/scale.cl 3"* ]]

    run -1 env -C "$BATS_TEST_TMPDIR/sample" \
        "$BATS_TEST_TMPDIR/lens/bin/cllens" check kernels/scale.cl --baseline lens.baseline
    run -0 does 3
    run -0 findings
    [[ $output == *"bounds error kernels/scale.cl 3"* ]]

    sed -i 's/y\[item\]/y[8 * item]/; s/y\[n\]/y[8 * n]/' "$kernel" # worse in another way
    run -1 does 3
    [[ $output == *"fails    kernels/scale.cl:3: sectors 32 (needed 4)"* ]]
}
