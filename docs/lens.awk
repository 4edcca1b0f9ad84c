# Of the lens's JSON, one CSV row for each launch: its access that moves the most bytes, and
# what all of its groups do together: branches that diverge, passes over the banks of local
# memory, barriers, atomics on global memory.

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
        printf "%s,%s,%.0f,%.0f,%.0f,%.0f\n", launch, access, diverged * sampled, \
            passes * sampled, barriers, atomics * sampled
    launch = access = ""
    diverged = passes = barriers = atomics = 0
    most = -1
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
/"memory":"(global|constant)"/ && field("moved_bytes") + 0 > most {
    most = field("moved_bytes") + 0
    access = field("line") "," field("name") "," field("sectors") "," field("ideal_sectors")
}
END { finish() }
