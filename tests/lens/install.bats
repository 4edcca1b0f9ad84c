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

@test "install: the man page is valid, and has every option of --help; bash completes them" {
    local option COMPREPLY COMP_WORDS=(lens --rac) COMP_CWORD=1
    # shellcheck disable=SC1091
    . "$ROOT/common/lens/cllens.bash"
    _cllens
    [ "${COMPREPLY[*]}" = --races ]
    for option in $(lens --help | grep -oE -e '^ +--[a-z-]+'); do
        grep -qE -e "Fl Fl ${option#--}( |\$)" "$ROOT/common/lens/cllens.1" ||
            { echo "$option is not in cllens.1"; return 1; }
    done
    command -v mandoc > /dev/null || skip "no mandoc"
    run -0 mandoc -Tlint -W style "$ROOT/common/lens/cllens.1"
}
