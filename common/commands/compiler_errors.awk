# compiler_errors.awk -v file=FILE -v name=NAME ERRORS : the errors of a device's compiler in FILE,
# each with its line and a mark below its column.  Compilers write "NAME:61:47: ...", also behind
# "error: "; or "<kernel>:61:47: error: ...".  PoCL names its own file, too, if that has the word
# by another name: "NAME:61:47 <Spelling=/usr/share/...:140:24>: call to '_cl_min' is ambiguous".

BEGIN {
    while ((getline text < file) > 0) {
        sub(/\r$/, "", text)
        source[++lines] = text
    }
    close(file)
}

{
    sub(/^error: /, "")
    at = index($0, name ":") == 1 ? length(name) + 1 : match($0, /^<kernel>:/) ? RLENGTH : 0
    rest = substr($0, at + 1)
    if (!at || !match(rest, /^[0-9]+:[0-9]+/))
        next
    split(substr(rest, 1, RLENGTH), place, ":")
    rest = substr(rest, RLENGTH + 1)
    if (!sub(/^( <Spelling=[^>]*>)?: (error: )?/, "", rest))
        next
    printf "%s:%d:%d: %s\n", base(name), place[1], place[2], own_words(rest)
    show(place[1], place[2])
}

function base(path) {
    sub(/.*\//, "", path)
    return path
}

# As the kernel calls it; and what it then means that no function fits best.
function own_words(text) {
    gsub(/'_cl_/, "'", text)
    if (text ~ /^call to '[a-z_0-9]+' is ambiguous/)
        text = text ": its arguments must have the same type, so convert one: (uint)get_global_id(0)"
    return text
}

# A mark below what has tabs in it needs these tabs, too.
function show(line, column,    margin) {
    if (line < 1 || line > lines)
        return
    margin = substr(source[line], 1, column - 1)
    gsub(/[^\t]/, " ", margin)
    printf "  %s\n  %s^\n", source[line], margin
}
