load helper.bash

# Starting on other systems: what .devcontainer/, Containerfile and .github/ type, where libraries
# are found, and what `make doctor` says of the place.  tests/fresh-machine.sh types it for real.

# commands FILE[:JOB] : what it types on a bare system.
commands() {
    sh "$ROOT/tests/start_commands.sh" "$ROOT/$1"
}

@test "start: containers and the workflow type README's commands, after what images lack" {
    local readme
    readme=$(commands README.md)
    [ "$readme" = $'apt-get install -y make\nmake run\nmake test' ]
    [ "$(commands .github/workflows/check.yml:check)" = $'apt-get update\n'"$readme" ]
    readme=$(head -n 2 <<< "$readme")
    [ "$(commands .devcontainer/devcontainer.json)" = $'apt-get update\napt-get install -y git\n'"$readme" ]
}

@test "start: the image of a room is made as its laptops are, and no measurement stays in it" {
    run -0 commands Containerfile
    [ "$output" = $'apt-get update\n'"$(commands docs/workshop.md)"$'\nrm -r build/limits' ]
    [ "$(grep -c '^apt-get install' <<< "$output")" -eq 1 ] # of packages it names make alone
    run -0 grep -x 'build\|work\|\.git' "$ROOT/.dockerignore"
    [ "${#lines[@]}" -eq 3 ]
}

@test "start: the workflow may only read, and each action is named by its commit" {
    cd "$ROOT/.github/workflows"
    local file line
    for file in *.yml; do
        [ "$(sed -n '/^permissions:/,/^[^ ]/p' "$file")" = $'permissions:\n  contents: read\njobs:' ]
        run ! grep -E 'secrets|write|pull_request_target' "$file"
        while read -r line; do
            [[ $line =~ ^actions/[a-z-]+@[0-9a-f]{40}$ ]] || { echo "$file: $line"; return 1; }
        done < <(sed -n 's/^ *\(- \)\{0,1\}uses: //p' "$file")
    done
    command -v yamllint > /dev/null || skip "no yamllint"
    run -0 yamllint --strict .
}

@test "start: the container of an editor is valid JSON, on the Debian of the image" {
    run -0 python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["image"])' \
        "$ROOT/.devcontainer/devcontainer.json"
    grep -qx "FROM docker.io/library/$output" "$ROOT/Containerfile"
}
