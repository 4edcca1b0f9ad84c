# measured.awk : of a step's rows (--format tsv), split at tabs, the one of a variant, as in
#
#     yours  262144 items, contiguous: 5.206 ms, 25.8 GB/s, 81.7 % of the limit

$1 == "step" { for (i = 1; i <= NF; i++) at[$i] = i; next }

at["variant"] && $at["variant"] == variant {
    share = $at["percent_of_limit"]
    note = $at["note"]
    printf "%-5s  %s: %s ms, %s %s%s\n", whose, variant, $at["median_ms"], $at["rate"], \
        $at["unit"], note ? ", " note : share ? ", " share " % of the limit" : ""
    exit
}
