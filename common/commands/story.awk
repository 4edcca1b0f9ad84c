# story.awk -v step=STEM -v status=N [-v narrow=1] file=program STEM.c file=rows ROWS.tsv file=gpu GPU.csv
#     file=counts COUNTS.csv
#
# The line of one step in `make run`: its headline's ratio here (a row of ROWS.tsv) and on a
# GPU, what the lens counts for the kernel that is the lesson and for the one it is compared
# with, and whether the lesson shows on this device: where it is reversed, the ratio says how
# many times slower it is here.  Where the terminal is narrow, what the lens counts is left out.
# The step's header names the two kernels:
#
#     * Story      COLUMN KERNEL [KERNEL]
#
# COLUMN is one of counts.csv.  A KERNEL stands for its first launch there; KERNEL@WORD for
# the first with that argument (n=64) or that shape of all work-items, or of a group (32x8).

BEGIN {
    name["sectors"] = name["load_sectors"] = name["store_sectors"] = "sectors"
    name["lines"] = "cache lines"
    name["pages"] = "pages"
    name["busy_lanes"] = "lanes busy"
    name["passes"] = "passes"
    name["atomics"] = "atomics"
    name["barriers"] = "barriers"
    name["diverged"] = "branches diverge"
    number = substr(step, 5, index(step, "_") - 5)
}

# Its title, and the words behind "Story", which may go on in the next line.
file == "program" && FNR == 1 {
    title = $0
    sub(/^[^:]*: /, "", title)
    if (length(title) > 52)
        sub(/[,:].*/, "", title)
}
file == "program" && / \*\// { in_story = 0 }
file == "program" && /^ \* Story / { in_story = 1; sub(/Story/, " ") }
file == "program" && in_story {
    for (i = 2; i <= NF; i++)
        if ($i ~ /^--/)
            i++ # an option, and its value
        else
            asked[++asked_count] = $i
}
file == "program" { next }

file == "rows" {
    split($0, field, "\t")
    if (FNR == 1)
        name_columns()
    else if (field[at["variant"]] ~ /^headline: /) {
        headline = field[at["variant"]]
        here = field[at["rate"]]
        shows = field[at["note"]]
        sub(/, .*/, "", shows)
    }
    next
}

file == "gpu" && /^step,/ {
    split_csv($0)
    name_columns()
}
file == "gpu" && headline && /headline: / {
    split_csv($0)
    if (field[at["step"]] == step && field[at["variant"]] == headline) {
        there = ratio(field[at["rate"]], field[at["note"]])
        if (field[at["rate"]] + 0 < 1 && there != "")
            there = "slower"
    }
}
file == "gpu" { next }

FNR == 1 {
    split_csv($0)
    name_columns()
    next
}
{
    split_csv($0)
    if (field[at["step"]] == "step" number)
        for (i = 2; i <= asked_count; i++)
            if (!(i in count) && is_launch(asked[i]))
                count[i] = field[at[asked[1]]] + 0
}

# `field` has the names of columns: at["rate"] is the number of one.
function name_columns(    i) {
    for (i in field)
        at[field[i]] = i
}

# The fields of a line of CSV, without quotation marks, go to `field`.
function split_csv(line,    count, text) {
    split("", field)
    while (line != "") {
        if (match(line, /^"([^"]|"")*"/)) {
            text = substr(line, 2, RLENGTH - 2)
            gsub(/""/, "\"", text)
        } else {
            match(line, /^[^,]*/)
            text = substr(line, 1, RLENGTH)
        }
        field[++count] = text
        line = substr(line, RLENGTH + 2)
    }
}

# Is the launch in `field` of KERNEL, or KERNEL@WORD?
function is_launch(which,    part, shapes) {
    split(which, part, "@")
    shapes = field[at["global"]] "," field[at["local"]]
    gsub(/ /, "", shapes)
    gsub(/,/, " ", shapes)
    return field[at["kernel"]] == part[1] && \
        (part[2] == "" || index(" " field[at["arguments"]] " " shapes " ", " " part[2] " "))
}

# Where something is slower, how many times it is; what is not told apart has no number.
function ratio(x, verdict) {
    if (x == "" || verdict ~ /^not told apart/)
        return ""
    if (x + 0 < 1)
        x = 1 / x
    return sprintf(x + 0 >= 100 ? "%.0f x" : x + 0 >= 10 ? "%.1f x" : "%.2f x", x)
}

# 4.5, 31, 9,856, 139 k, 1.2 M: what is too long for the column is rounded.
function short(x,    text) {
    if (x < 100)
        return sprintf(x < 10 ? "%.2g" : "%.0f", x)
    if (x >= 100000)
        return x >= 1000000 ? sprintf("%.2g M", x / 1000000) : sprintf("%.0f k", x / 1000)
    text = sprintf("%.0f", x)
    return length(text) > 3 ? substr(text, 1, length(text) - 3) "," substr(text, length(text) - 2) \
                            : text
}

function counted(    unit) {
    unit = name[asked[1]]
    if (!(2 in count) || unit == "")
        return ""
    if (short(count[2]) == "1")
        sub(/s$/, "", unit)
    if (3 in count && short(count[2]) == short(count[3]))
        return "both " short(count[2]) " " unit
    return short(count[2]) " " unit (3 in count ? ", not " short(count[3]) : "")
}

END {
    between = narrow ? "" : sprintf("%-24s ", status == 77 && !headline ? "" : counted())
    if (headline)
        printf "%-3s %-36s%7s%8s  %s%s\n", number, substr(headline, 11), ratio(here, shows), \
            there, between, shows
    else
        printf "%-3s %-51s  %s%s\n", number, title, between, \
            status == 77 ? "skipped" : "result right"
}
