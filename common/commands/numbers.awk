# numbers.awk OURS FILE : the numbers above 1 that stand in a kernel file, or a program, and
# not in ours, a line each: a row of `min(x, 1023)` pixels may be enough for what was run.
# A type of 8 or 16 bits counts as the largest number that it can hold, and what goes through
# a float, or is multiplied with mul24(), as the largest up to which all whole ones are exact.

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

function note(word,    number) {
    number = value(word)
    if (number < 0)
        return
    if (file == 1)
        ours[number]++
    else if (ours[number]-- <= 0 && number > 1)
        printf "%.0f\n", number
}

function value(word,    number, i) {
    if (word ~ /^(convert_)?u?char[0-9]*(_|$)/)
        return 255
    if (word ~ /^(convert_)?u?short[0-9]*(_|$)/)
        return 65535
    if (word ~ /^convert_float[0-9]*(_|$)|^(mul|mad)24$/)
        return 2 ^ 24
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
