# constants.awk OURS FILE : what numbers.awk prints, but of LLVM's text of the two files, in which
# clang has worked out what can be: 1024 * 1024 is 1048576 there, n / 1000 > 3 is n > 3999, and
# i << 12 >> 12 is i & 1048575.  A shift counts as the power of two that it multiplies or divides
# by, and a change between integer and float as the largest number up to which all are exact.

FNR == 1 { file++ }

# Only what functions compute with counts, and tables; sizes of types and names do not.
/^([0-9]+:|!|attributes|declare|define|source_filename|target)/ || / c"/ || /llvm[.](lifetime|dbg)/ { next }

{
    sub(/;.*/, "")
    gsub(/[%@!#][A-Za-z0-9_.$-]+/, "")
    gsub(/"[^"]*"|align [0-9]+|(addrspace|dereferenceable)\([0-9]+\)|[0-9]+ x /, "")
    if (/ ([us]itofp|fpto[us]i) /)
        note(/ half/ ? 2 ^ 11 : / float/ ? 2 ^ 24 : 0)
    else if (/ trunc .* to .*i(8|16)>?$/)
        note(/i8>?$/ ? 255 : 65535)
    count = split($0, word, /[^-+A-Za-z0-9_.]+/)
    for (i = 1; i <= count; i++)
        note(/ (shl|lshr|ashr) / ? 2 ^ value(word[i]) : value(word[i]))
}

function note(number) {
    if (number < 2 || number > 2 ^ 52) # beyond that, no size can be
        return
    if (file == 1)
        ours[number]++
    else if (ours[number]-- <= 0)
        printf "%.0f\n", number
}

function value(word) {
    sub(/^-/, "", word)
    if (word ~ /^[0-9]+$/ || word ~ /^[0-9][0-9.]*e[-+][0-9]+$/)
        return int(word)
    return word ~ /^0x[0-9A-F]+$/ && length(word) == 18 ? int(of_double(substr(word, 3))) : 0
}

# A double as its 64 bits: 4170000000000000 is 2^24.
function of_double(digits,    power) {
    power = hex(substr(digits, 1, 3)) % 2048 - 1023
    return power < 0 || power > 52 ? 0 : 2 ^ power * (1 + hex(substr(digits, 4)) / 2 ^ 52)
}

function hex(digits,    number, i) {
    for (i = 1; i <= length(digits); i++)
        number = 16 * number + index("123456789ABCDEF", substr(digits, i, 1))
    return number
}
