# directives.awk OURS FILE : the preprocessor's lines of a kernel file that ours does not have,
# and that can make it other code to another compiler, as in "line 12: #ifdef __x86_64__".
# That is each condition and each file included; and a macro, if it is in a marked part.
# So are the compiler's own macros, wherever they are used: "line 12: __OPENCL_VERSION__".

FNR == 1 {
    file++
    comment = marked = 0
    line = ""
}

# The file's lines without comments, and with those that "\\" continues put together.
{
    if (line == "")
        first = FNR
    gsub(/\?\?\//, "\\")
    continued = sub(/\\[ \t\r]*$/, "")
    line = line $0
    if (continued)
        next
    if (index(line, "/* exercise { */"))
        marked = 1
    if (index(line, "/* } exercise */"))
        marked = 0
    text = code(line)
    directive(text)
    own_macros(text)
    line = ""
}

function code(text,    i, c, two, quote, result) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        two = substr(text, i, 2)
        if (comment) {
            if (two == "*/") {
                comment = 0
                i++
            }
        } else if (quote != "") {
            result = result c
            if (c == "\\")
                result = result substr(text, ++i, 1)
            else if (c == quote)
                quote = ""
        } else if (two == "//") {
            break
        } else if (two == "/*") {
            comment = 1
            result = result " "
            i++
        } else {
            if (c == "\"" || c == "'")
                quote = c
            result = result c
        }
    }
    return result
}

# Of a macro only its name counts, because its text may be the exercise.
function directive(text,    name) {
    if (!sub(/^[ \t]*(#|%:|\?\?=)[ \t]*/, "#", text))
        return
    gsub(/[ \t]+/, " ", text)
    sub(/ $/, "", text)
    name = text
    if (match(text, /^#define [A-Za-z0-9_]+/))
        name = substr(text, 1, RLENGTH)
    if (file == 1)
        ours[name]++
    else if (ours[name]-- <= 0 && (text ~ /^#(if|el|include)/ && text !~ /^#include "simd.clh"/ || \
                                   text ~ /^#(define|undef)/ && marked))
        printf "line %d: %s\n", first, text
}

# Words of the language begin with two underscores as well, where they are no macros.
function own_macros(text,    name) {
    gsub(/"([^"\\]|\\.)*"/, "", text)
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (name !~ /^(__|CL_VERSION_|FP_FAST_)/ ||
            name ~ /^__(kernel|global|local|constant|private|generic|attribute__|read_only|write_only|read_write)$/)
            continue
        if (file == 1)
            ours[name]++
        else if (ours[name]-- <= 0)
            printf "line %d: %s\n", first, name
    }
}
