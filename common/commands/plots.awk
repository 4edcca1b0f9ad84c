# plots.awk : a step's rows (csv, split at quotes) as the data of docs/pictures/step08-errors.svg.
# A line for each n: the errors of three ways to add, in ulp, and the most that they can be, one
# ulp for each addition of the longest chain.  (Each rounds by 2^-24 of the sum at most, and an ulp
# of the sum is more than that.  Source: N. J. Higham, The accuracy of floating point summation,
# SIAM J. Sci. Comput. 14, 1993.)

$2 == "step08_sum_accuracy" && $(NF - 1) ~ /^error / && $4 !~ /^time: |, 0\.\.1$/ {
    split($7, part, ",")
    n = part[2]
    split($(NF - 1), word, " ")
    if (!(n in seen)) {
        seen[n] = 1
        size[++sizes] = n
    }
    error[n, $4] = word[2]
}

function log2(n) { return int(log(n) / log(2) + 0.999999) }
function ceil(x) { return int(x) + (x > int(x)) }
function least(a, b) { return a < b ? a : b }

END {
    print "# n in_order blocked pairwise in_order_at_most blocked_at_most pairwise_at_most"
    for (i = 1; i <= sizes; i++) {
        n = size[i]
        print n, error[n, "one after another"], error[n, "blocked, 32 x 32"], error[n, "pairwise"],
            n - 1, ceil(least(n, 1024) / 32) + least(n, 32) + ceil(n / 1024) - 3, log2(n)
    }
}
