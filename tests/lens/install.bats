load helper.bash

# The installed tool.

# As another user too, if we are root: a folder with a blank that all may read.
@test "install: cllens runs from a folder that was moved, and nothing is left of it" {
    local folder other=()
    folder=$(mktemp -d /tmp/cllens.XXXXXX)
    chmod 755 "$folder"
    SETUP=no make -s -C "$ROOT" install DESTDIR="$folder/a" PREFIX='/with blank' > /dev/null
    mv "$folder/a/with blank" "$folder/b c"
    PATH="$folder/b c/bin:$PATH"
    export HOME=$folder/home
    run -0 env -u XDG_CACHE_HOME -u LENS_CACHE cllens --quiet \
        "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl coalesced 64 64 f64 f64
    grep -qE '^[a-z_]+ +4 +all +32\.0' <<< "$output"
    [ ! -e "$HOME" ] # a cache needs a home
    mkdir "$HOME"
    run -0 env -u XDG_CACHE_HOME -u LENS_CACHE cllens --quiet \
        "$BATS_FILE_TMPDIR/launch" tests/lens/counts.cl coalesced 64 64 f64 f64
    [ -n "$(ls "$HOME/.cache/cllens")" ]
    [[ $(cllens --help) == 'usage: cllens [options]'* && $(cllens --version) == cllens,* ]]
    run --separate-stderr cllens --quiet --kernel none "$BATS_FILE_TMPDIR/launch" \
        tests/lens/counts.cl coalesced 64 64 f64 f64
    [[ $status -eq 77 && $stderr == 'note: no launch of the kernels named was shown'* ]]
    says 2 'error: tests/lens/counts.cl has no kernel nothing' cllens kernel tests/lens/counts.cl nothing
    [ "$(id -u)" != 0 ] || other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    cp tests/lens/counts.cl "$folder"
    cd "$folder"
    TMPDIR=/tmp run -0 "${other[@]}" env HOME=/nowhere cllens kernel counts.cl coalesced
    grep -qE '^[a-z_]+ +4 +all +32\.0' <<< "$output"
    cd "$ROOT"
    mv "$folder/b c" "$folder/a/with blank"
    SETUP=no make -s uninstall DESTDIR="$folder/a" PREFIX='/with blank'
    run -0 find "$folder/a" ! -type d -o -name cllens
    [ -z "$output" ]
    rm -r "$folder"
}

# complete_words WORD ... : what bash offers for the last word.
complete_words() {
    local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    # shellcheck disable=SC1091
    . "$ROOT/common/lens/cllens.bash"
    _cllens
    printf '%s\n' "${COMPREPLY[@]}"
}

@test "install: settings.def, --help, the man page and bash have the same options, and all are taken" {
    local def=$ROOT/common/lens/settings.def options option choices seen=0
    options=$(grep -oE '^(FLAG|VALUE|CHOICES?|ANSWER)\([A-Z_]+, [a-z_]+' "$def" | sed 's/.* /--/; s/_/-/g' | sort)
    [ "$(wc -l <<< "$options")" -ge 20 ]
    [ "$(grep -cE '^(FLAG|VALUE|CHOICES?|ANSWER)\(' "$def")" -eq "$(wc -l <<< "$options")" ]
    [ "$(lens --help | grep -oE -e '^  --[a-z-]+' | tr -d ' ' | sort)" = "$options" ]
    [ "$(sed -n 's/^\.It Fl Fl \([a-z-]*\).*/--\1/p' "$BUILT/cllens.1" | sort)" = "$options" ]
    [ "$(complete_words lens -- | sort)" = "$options" ]
    [ "$(complete_words lens --rac)" = --races ]
    for option in $options; do
        run lens "$option"
        [[ $output != *'is not an option'* ]] || { echo "$output"; return 1; }
    done
    while IFS='|' read -r option choices; do # the values, too
        [ "$(complete_words lens "--${option//_/-}" '' | paste -sd , | sed 's/,/, /g')" = "$choices" ]
        seen=$((seen + 1))
    done < <(sed -nE 's/^CHOICES?\([A-Z_]+, ([a-z_]+), "[^"]*", [a-z]+, "([^"]*)".*/\1|\2/p' "$def")
    [ "$seen" -eq "$(grep -cE '^CHOICES?\(' "$def")" ]
    [ "$(complete_words lens --order r)" = random ]
    [ -z "$(complete_words lens --groups '')" ]
}

@test "install: the man page is valid, and each of its options says something" {
    local page=$BUILT/cllens.1
    awk '/^\.It Fl / { getline; said += !/^\./ } /options of [A-Z]/ { exit 1 } END { exit said < 20 }' "$page"
    [[ $(< "$page") == *$'\n.It Fl Fl groups Ar n\nReplay at most\n.Ar n\ngroups of a launch '* ]]
    [[ $(< "$page") == *$'\nnames; with\n.Fl Fl all ,\nof all launches'*$'as in\n.Ql sum(x, y[n + 1], n) .\n'* ]]
    [[ $(< "$page") == *$'\n.It Fl Fl format Ar f\ntext; or, for programs, json '* ]]
    command -v mandoc > /dev/null || skip "no mandoc"
    run -0 mandoc -Tlint -W style "$page"
}
