# fit.awk -v columns=N [-v text=1] : breaks lines at blanks where they are wider than N columns;
# what follows stands further in, or below the text behind a short name ("  rule  Each ...").
# With text=1, the lines of a paragraph that has such a line are joined before.

# How far in the rest of a line stands.
function depth_of(line,    margin, name) {
    match(line, /^ */)
    margin = RLENGTH
    if (match(substr(line, margin + 1), /^[^ ]+  +/)) {
        name = margin + RLENGTH
        if (name < columns / 2)
            return name
    }
    if (match(line, /^ *(-|[0-9]+\.) /)) # of a list
        return RLENGTH
    return margin + (text ? 0 : 2)
}

function put(line,    depth, room, at) {
    depth = depth_of(line)
    for (room = columns; length(line) > room; room = columns - depth) {
        for (at = room + 1; at > 1 && substr(line, at, 1) != " "; at--)
            ;
        if (at <= 1 || substr(line, 1, at) ~ /^ *$/) { # a word that is wider: to its end
            at = match(substr(line, room + 1), / /)
            if (!at)
                break
            at += room
        }
        print margin substr(line, 1, at - 1)
        line = substr(line, at)
        sub(/^ +/, "", line)
        margin = sprintf("%" depth "s", "")
    }
    print margin line
    margin = ""
}

# The lines of a paragraph, joined if one of them is too wide.
function end_paragraph(    i, joined) {
    joined = lines[1]
    for (i = 2; i <= count; i++) {
        sub(/^ +/, "", lines[i])
        joined = joined " " lines[i]
    }
    if (count && wide)
        put(joined)
    else
        printf "%s", kept
    count = wide = 0
    kept = ""
}

!text { put($0); next }
/^ *```/ { end_paragraph(); fenced = !fenced; put($0); next }
fenced || /^ *$/ || /^\|/ { end_paragraph(); print; next }
/^ *(-|[0-9]+\.) / || (/^ / && !count) { end_paragraph() }
{
    lines[++count] = $0
    kept = kept $0 "\n"
    wide = wide || length($0) > columns
}
END { end_paragraph() }
