# story.awk -v step=STEM -v status=N -v cpu=0|1 [-v narrow=1] file=program STEM.c file=rows ROWS.tsv
#     file=answers ANSWERS.tsv
#
# The line of one step in `make run`: its headline, and how much faster the first is than the
# second.  On a CPU a GPU's answer comes first, then what the lens counts for both, and then what
# this device has measured (a row of ROWS.tsv); * marks the opposite of what the GPU says.  On a
# GPU its own answer comes first, and the stored one last.  Where the terminal is narrow, what the
# lens counts is left out.
#
# ANSWERS.tsv is docs/results/answers.tsv; common/commands/pages/answers.py says what is in it.

BEGIN {
    FS = "\t"
    number = substr(step, 5, index(step, "_") - 5)
}

file == "program" && FNR == 1 {
    title = $0
    sub(/^[^:]*: /, "", title)
    if (length(title) > 52)
        sub(/[,:].*/, "", title)
}

file == "rows" && FNR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
}
file == "rows" && $at["variant"] ~ /^headline: / {
    headline = substr($at["variant"], 11)
    here = $at["rate"]
    here_verdict = $at["note"]
    sub(/, .*/, "", here_verdict)
}

file == "answers" && $2 == step && $1 == "headline" {
    if ($3 == headline) {
        there = $4
        there_verdict = $5
    }
    first = $7
    second = $8
    unit = $9
    unit_of = $10
}

# 4.38 x faster; 12.6 x slower; nothing is said within the noise.
function ratio(x, verdict,    how) {
    if (x == "")
        return ""
    if (verdict ~ /^not told apart/)
        return verdict
    how = x + 0 < 1 ? "slower" : "faster"
    if (x + 0 < 1)
        x = 1 / x
    return sprintf(x + 0 >= 99.5 ? "%.0f x %s" : x + 0 >= 9.95 ? "%.1f x %s" : "%.2f x %s", x, how)
}

# 4,096 as 4 k
function in_thousands(count,    last) {
    gsub(/,/, "", count)
    count = sprintf("%d", count / 1000 + 0.5)
    last = length(count) - 3
    return (last > 0 ? substr(count, 1, last) "," substr(count, last + 1) : count) " k"
}

# As much of it as there is room for: with what the unit is of, or without, or in thousands.
function counted(    all, whole) {
    if (first == "" || unit == "")
        return ""
    all = unit (unit_of == "" ? "" : " " unit_of)
    if (second == "")
        return first " " all
    if (first == second)
        return "both " first " " all
    whole = first " " all ", not " second
    if (length(whole) > 26)
        whole = first " " unit ", not " second
    if (length(whole) > 26)
        whole = in_thousands(first) " " unit ", not " in_thousands(second)
    return whole
}

END {
    if (!headline) {
        printf "%-3s %-51s  %s\n", number, title, status == 77 ? "skipped" : "result right"
        exit
    }
    gpu = ratio(there, there_verdict)
    own = ratio(here, here_verdict)
    opposite = cpu && \
        here_verdict !~ /^not told/ && there_verdict !~ /^not told/ && there != "" && \
        (here + 0 < 1) != (there + 0 < 1)
    if (cpu)
        line = sprintf("%-3s %-34s%14s  ", number, headline, gpu) \
            (narrow ? "" : sprintf("%-27s", counted())) sprintf("%14s%s", own, opposite ? " *" : "")
    else
        line = sprintf("%-3s %-34s%14s  ", number, headline, own) \
            (narrow ? "" : sprintf("%-27s", counted())) sprintf("%14s", gpu)
    sub(/ +$/, "", line)
    print line
}
