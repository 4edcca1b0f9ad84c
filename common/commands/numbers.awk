# numbers.awk -v most=N OURS FILE : the largest number up to N that stands in a kernel file, or
# a program, and not in ours: a row of `min(x, 1023)` pixels may be enough for what was run.
# A type of 8 or 16 bits counts as the largest number that it can hold.

FNR == 1 {
    file++
    comment = 0
}

{
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ") # a comment in one line
    sub(/\/\/.*/, "")
    if (comment && !sub(/^.*\*\//, ""))
        next
    comment = sub(/\/\*.*/, "")
    while (match($0, /1[uUlL]* *<< *[0-9]+|[A-Za-z_0-9.]+/)) {
        note(substr($0, RSTART, RLENGTH))
        $0 = substr($0, RSTART + RLENGTH)
    }
}

END {
    if (largest > 1)
        printf "%.0f\n", largest
}

function note(word,    number) {
    number = value(word)
    if (number < 0)
        return
    if (file == 1)
        ours[number]++
    else if (ours[number]-- <= 0 && number <= most && number > largest)
        largest = number
}

function value(word,    number, i) {
    if (word ~ /^u?char[0-9]*$/)
        return 255
    if (word ~ /^u?short[0-9]*$/)
        return 65535
    if (sub(/^1[uUlL]* *<< */, "", word))
        return 2 ^ word
    sub(/[uUlL]+$/, "", word)
    if (word ~ /^[0-9]+$/)
        return word + 0
    if (!sub(/^0[xX]/, "", word) || word !~ /^[0-9a-fA-F]+$/)
        return -1
    for (i = 1; i <= length(word); i++)
        number = 16 * number + index("123456789abcdef", tolower(substr(word, i, 1)))
    return number
}
