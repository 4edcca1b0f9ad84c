# shape.awk GOOD : the counts that are as wanted, a line for each access, as in
#
#     load x of dot_tree: 4.00 sectors (ours 4), 32.00 lanes (ours 32)
#
# of "load x of dot_tree: 4.00 sectors per access, at most 5 (ours 4), line 35" and so on.

{
    title = $0
    sub(/: .*/, "", title)
    count = substr($0, length(title) + 3)
    sub(/, line [0-9]+$/, "", count)
    sub(/ per access/, "", count)
    sub(/, at (most|least) [^(]*\(/, " (", count)
    name = count
    sub(/^[^ ]* /, "", name)
    sub(/ \(ours.*/, "", name)
    if (known[title, name]++) # of two sizes, or of two limits
        next
    if (!(title in line))
        order[++titles] = title
    line[title] = line[title] (line[title] ? ", " : "") count
}

END {
    for (i = 1; i <= titles; i++)
        print order[i] ": " line[order[i]]
}
