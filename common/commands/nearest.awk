# nearest.awk -v word=chek -v known="run check lens" : prints "; did you mean check?", if one of
# the known words is like it: but for zeros in front of its number, or one or two letters that
# are missing, too many, others, or in another order.  A number alone may be a step's.

function plain(text) {
    text = tolower(text)
    gsub(/[-_ ]/, "", text)
    while (match(text, /[a-z]0+[0-9]/))
        text = substr(text, 1, RSTART) substr(text, RSTART + RLENGTH - 1)
    return text
}

# Source: Levenshtein (1966), and Damerau (1964) for neighbours that have changed places.
function distance(one, other,    i, k, row, best) {
    for (i = 0; i <= length(one); i++)
        for (k = 0; k <= length(other); k++) {
            if (!i || !k) {
                row[i, k] = i + k
                continue
            }
            best = row[i - 1, k - 1] + (substr(one, i, 1) != substr(other, k, 1))
            if (row[i - 1, k] + 1 < best)
                best = row[i - 1, k] + 1
            if (row[i, k - 1] + 1 < best)
                best = row[i, k - 1] + 1
            if (i > 1 && k > 1 && substr(one, i, 1) == substr(other, k - 1, 1) && \
                substr(one, i - 1, 1) == substr(other, k, 1) && row[i - 2, k - 2] + 1 < best)
                best = row[i - 2, k - 2] + 1
            row[i, k] = best
        }
    return row[length(one), length(other)]
}

BEGIN {
    if (word ~ /^[0-9]+[a-z]?$/)
        word = "step" word
    most = length(word) > 4 ? 2 : 1
    count = split(known, words, " ")
    for (i = 1; i <= count; i++) {
        far = plain(words[i]) == plain(word) ? 0 : distance(tolower(word), words[i])
        if (far <= most) {
            most = far - 1
            found = words[i]
        }
    }
    if (found)
        print "; did you mean " found "?"
}
