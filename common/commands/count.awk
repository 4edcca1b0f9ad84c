# Of the lens's JSON, one CSV row for each launch: its access that moves the most bytes, and
# what all of its groups do together: branches that diverge, passes over the banks of local
# memory, barriers, atomics on global memory.  Then, for its loads from global memory in the
# mean, and for its stores: sectors, lines of 128 bytes, and how much of the lines was used.

function field(name,    text) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|\\[[^]]*\\]|[^,}]*)"))
        return ""
    text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/[]"[]/, "", text)
    gsub(/,1,1$|,1$/, "", text)
    gsub(/,/, " x ", text)
    return text
}

function finish() {
    if (launch != "")
        printf "%s,%s,%.0f,%.0f,%.0f,%.0f,%s,%s\n", launch, access, diverged * sampled, \
            passes * sampled, barriers, atomics * sampled, mean("load"), mean("store")
    launch = access = ""
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

/"row":"launch"/ {
    finish()
    launch = step "," field("kernel") "," field("arguments") "," field("global") "," \
             field("local") "," field("busy_lanes")
    access = ",,,"
    sampled = field("groups") / field("groups_replayed")
    barriers = field("barriers_per_group") * field("groups")
}
/"row":"branch"/ { diverged += field("diverged") }
/"passes":/ { passes += field("passes") * field("accesses") }
/"row":"atomic".*"memory":"global"/ { atomics += field("operations") }
/"row":"(load|store)".*"memory":"(global|constant)"/ {
    kind = field("row")
    accesses[kind] += field("accesses")
    lines[kind] += field("lines_of_128") * field("accesses")
    moved[kind] += field("moved_bytes")
    used[kind] += field("used_bytes")
}
/"memory":"(global|constant)"/ && field("moved_bytes") + 0 > most {
    most = field("moved_bytes") + 0
    access = field("line") "," field("name") "," field("sectors") "," field("ideal_sectors")
}
END { finish() }
