# measured.awk : of a step's rows as CSV, split at quotes, the one of a variant, as in
#
#     yours  262144 items, own chunks: 5.206 ms, 25.8 GB/s, 81.7 % of the limit

$4 == variant {
    split($7, number, ",")
    split($9, share, ",")
    printf "%-5s  %s: %s ms, %s %s", whose, variant, number[4], number[7], $8
    print $12 ? ", " $12 : share[2] ? ", " share[2] " % of the limit" : ""
    exit
}
