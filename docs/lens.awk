# Of the lens's JSON, one CSV row for each launch: its access that moves the most bytes.

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
        print launch "," access
    launch = access = ""
    most = -1
}

/"row":"launch"/ {
    finish()
    launch = step "," field("kernel") "," field("arguments") "," field("global") "," \
             field("local") "," field("busy_lanes")
    access = ",,,"
}
/"memory":"(global|constant)"/ && field("moved_bytes") + 0 > most {
    most = field("moved_bytes") + 0
    access = field("line") "," field("name") "," field("sectors") "," field("ideal_sectors")
}
END { finish() }
