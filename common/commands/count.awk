# Of what the lens counted (--format tsv, split at tabs), one CSV row for each launch: its access that moves the most bytes, and
# what all of its groups do together: branches that diverge, passes over the banks of local
# memory, barriers, atomics on global memory.  Then, for its loads from global memory on
# average, and for its stores: sectors, lines of 128 bytes, and how much of the lines was used.
# Then lines and pages of 4096 bytes of that access which moves the most.  Last, the bytes that
# all loads and stores of global memory move.

FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
function field(name) {
    return name in at ? $at[name] : ""
}

# 256x1x1 is "256", 16x16x1 is "16 x 16".
function shape(name,    text) {
    text = field(name)
    sub(/x1x1$|x1$/, "", text)
    gsub(/x/, " x ", text)
    return text
}

function finish() {
    if (launch != "")
        printf "%s,%s,%.0f,%.0f,%.0f,%.0f,%s,%s,%s,%.0f\n", launch, access, \
            diverged * sampled, passes * sampled, barriers, atomics * sampled, mean("load"), \
            mean("store"), spread, (moved["load"] + moved["store"]) * sampled
    launch = access = spread = ""
    split("", accesses)
    split("", lines)
    split("", moved)
    split("", used)
    diverged = passes = barriers = atomics = 0
    most = -1
}

function mean(kind) {
    if (!accesses[kind])
        return ",,"
    return sprintf("%.2f,%.2f,%.3g", moved[kind] / 32 / accesses[kind], \
                   lines[kind] / accesses[kind], 100 * used[kind] / (128 * lines[kind]))
}

field("row") == "launch" {
    finish()
    launch = step "," field("kernel") "," field("arguments") "," shape("global") "," \
             shape("local") "," field("busy_lanes")
    access = ",,,"
    spread = ","
    sampled = field("groups") / field("groups_replayed")
    barriers = field("barriers_per_group") * field("groups")
}
field("row") == "branch" { diverged += field("diverged") }
field("passes") != "" { passes += field("passes") * field("accesses") }
field("row") == "atomic" && field("memory") == "global" { atomics += field("operations") }

field("memory") == "global" {
    kind = field("row")
    if (kind ~ /^(load|store)$/) {
        accesses[kind] += field("accesses")
        lines[kind] += field("lines_of_128") * field("accesses")
        moved[kind] += field("moved_bytes")
        used[kind] += field("used_bytes")
    }
    if (field("moved_bytes") + 0 > most) {
        most = field("moved_bytes") + 0
        access = field("line") "," field("name") "," field("sectors") "," field("ideal_sectors")
        spread = field("lines_of_128") "," field("pages_of_4096")
    }
}
END { finish() }
