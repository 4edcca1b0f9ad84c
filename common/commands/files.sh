# files.sh, read by the scripts that write files: a file is whole, or stays as it was, and a
# folder that cannot be written is named, with the reason.
# shellcheck shell=sh disable=SC2034 # the scripts that read this use the variables

fail() { # fail PROBLEM HINT
    printf 'error: %s\n  hint    %s\n' "$1" "$2" >&2
    exit 2
}

# The columns of the terminal that stdout is; 0: none, or of unknown width.
columns=0
if [ -t 1 ]; then
    { columns=$(stty size 2> /dev/null <&3); } 3>&1
    columns=${columns#* }
    case $columns in '' | *[!0-9]* | ?) columns=0 ;; esac
fi

# fit < LINES : on a terminal, none is wider than that, and no word is cut.
fit() {
    if [ "$columns" = 0 ]; then cat; else awk -v columns="$columns" -f common/commands/fit.awk; fi
}

# fit_text < TEXT : the same, but a paragraph is made narrower as a whole.
fit_text() {
    if [ "$columns" = 0 ]; then cat; else awk -v columns="$columns" -v text=1 -f common/commands/fit.awk; fi
}

# put FILE [KEPT] < TEXT : writes it beside the file first, because on a full disk the old one
# has to stay; KEPT is the old one's new name.  Behind a pipe: `... | put FILE || exit`.
put() {
    { [ ! -d "$1" ] && cat > "$1.new" && { [ -z "$2" ] || mv "$1" "$2"; } && mv "$1.new" "$1"; } 2> /dev/null ||
        cannot_write "$1"
}

# add FILE < LINES : puts them behind what the file has, likewise.
add() {
    { [ ! -d "$1" ] && touch "$1" && cp "$1" "$1.new" && cat >> "$1.new" && mv "$1.new" "$1"; } 2> /dev/null ||
        cannot_write "$1"
}

cannot_write() {
    rm -f "$1.new"
    [ ! -d "$1" ] || fail "cannot write $1: it is a folder" 'move it away'
    fail "cannot write $1" 'is there room, and may you write here?'
}

# unwritable FOLDER : prints why a file of 1 MiB cannot be written there; nothing if it can.
unwritable() {
    reason=$({ mkdir -p "$1" && head -c 1048576 /dev/zero > "$1/room.$$"; } 2>&1)
    rm -f "$1/room.$$" 2> /dev/null
    printf '%s\n' "${reason##*: }"
}

# make_scratch : sets scratch to a new folder, which goes when the script ends.  It must have
# room: a test or a compiler that fails there would seem to have another reason.
make_scratch() {
    if scratch=$(mktemp -d 2>&1); then
        trap 'rm -rf "$scratch"' EXIT
        reason=$(unwritable "$scratch")
    else
        reason=${scratch##*: }
    fi
    [ -z "$reason" ] || fail "cannot write to the folder ${TMPDIR:-/tmp}: $reason" \
        'it is for temporary files: make room there, or name another folder in TMPDIR'
}
