# manual.awk settings.def cllens.1 : writes the man page with the options of settings.def, which
# says what they look like.  A line of the page such as
#
#     .\" options of EITHER PROGRAMS
#
# becomes the options that are whose, in their order.

# Words of a text, in lines; what looks like an option, a quotation or `value` becomes a macro.
function mdoc(text, value,    count, words, i, word, behind, line, quoted) {
    count = split(text, words, / +/)
    for (i = 1; i <= count; i++) {
        word = words[i]
        if (word ~ /^'/)
            for (quoted = word; quoted !~ /'[.,;:)]*$/ && i < count;)
                quoted = quoted " " (word = words[++i])
        match(word, /[.,;:)]*$/)
        behind = substr(word, RSTART)
        gsub(/./, " &", behind)
        if (quoted) {
            sub(/^'/, "", quoted)
            sub(/'[^']*$/, "", quoted)
            line = put(line) put(".Ql " quoted behind)
            quoted = ""
        } else if (word ~ /^--[a-z]/)
            line = put(line) put(".Fl Fl " substr(word, 3, RSTART - 3) behind)
        else if (word ~ /^-[a-z]/)
            line = put(line) put(".Fl " substr(word, 2, RSTART - 2) behind)
        else if (value && substr(word, 1, RSTART - 1) == value)
            line = put(line) put(".Ar " tolower(value) behind)
        else {
            if (length(line) - length(done(line)) + length(word) > 78)
                line = put(line)
            line = line (line ~ /(^|\n)$/ ? "" : " ") word
            if (word ~ /[.]$/ && word !~ /[.][.]/)
                line = put(line) # each sentence begins a line
        }
    }
    return put(line)
}

# Ends the line, if there is something in it; and the lines that have ended.
function put(line) {
    return line ~ /(^|\n)$/ ? line : line "\n"
}

function done(line) {
    sub(/[^\n]*$/, "", line)
    return line
}

# The help as a sentence; it may begin with one of the choices, which are not to be changed.
function sentence(help, choices,    first) {
    first = help
    sub(/[^a-z].*/, "", first)
    if (!index(", " choices ",", ", " first ","))
        help = toupper(substr(help, 1, 1)) substr(help, 2)
    return help "."
}

# One entry of settings.def: macro(whose, name, "text", ... "help").
function read_entry(entry,    part, count, i, macro, head, text, texts) {
    count = split(entry, part, "\"")
    macro = part[1]
    sub(/\(.*/, "", macro)
    split(part[1], head, /[(,] */)
    for (i = 2; i < count; i += 2) {
        texts += i == 2 || part[i - 1] ~ /,/ # otherwise the same text goes on
        text[texts] = text[texts] part[i]
    }
    if (macro == "MANUAL") {
        said[options] = said[options] "  " text[1]
        return
    }
    options++
    whose[options] = head[2]
    name[options] = head[3]
    gsub(/_/, "-", name[options])
    value[options] = macro == "VALUE" || macro ~ /^CHOICE/ ? text[1] : ""
    said[options] = sentence(text[texts], macro ~ /^CHOICE/ ? text[2] : "")
}

FNR == NR {
    if (/^(FLAG|VALUE|CHOICE|CHOICES|ANSWER|MANUAL)\(/)
        inside = 1
    if (inside)
        entry = entry $0
    if (inside && /"\)$/) {
        read_entry(entry)
        entry = inside = ""
    }
    next
}

/^\.\\" options of / {
    for (i = 1; i <= options; i++)
        if (index($0 " ", " " whose[i] " "))
            printf ".It Fl Fl %s%s\n%s", name[i], value[i] ? " Ar " tolower(value[i]) : "", \
                mdoc(said[i], value[i])
    next
}

{ print }
