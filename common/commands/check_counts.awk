# check_counts.awk WANTED LENS [OURS] : compares what the lens counted (--format tsv, split at
# tabs) with what is wanted, a line "kernel | access | count | at most N | ours N" for each.
# Writes one line for each of those:
#
#     good load x of dot_tree: 4.00 sectors per access, at most 5 (ours 4), line 35
#     bad load y of dot_tree: 32.00 sectors per access, at most 5 (ours 4), line 35
#     missing load x of dot_contiguous: sectors
#
# A kernel may be followed by an argument, as in "dot_strided stride=2" or, whatever it is
# above that, "mean_of_rows height>1", or by the size of its groups, as in
# "reduce_local_many group=512".  An access to "local", as in "load local", is any one to
# local memory, whatever its array.  With -v margin=1.1 the limits must be
# kept by a tenth.
#
# OURS is what the lens counted for our kernels at the same size, which is another than the
# limits are for: then the limit is as far from ours as it is there.  And a load whose mean is
# wanted may be executed half as often again as ours at most: the mean is good, too, where all
# lanes load all elements, and each uses its own.

BEGIN {
    margin = margin > 1 ? margin : 1
    often = 1.5
    words["sectors"] = "sectors per access"
    words["lines_of_128"] = "lines per access"
    words["pages_of_4096"] = "pages per access"
    words["passes"] = "passes per access"
    words["lanes"] = "lanes per access"
    words["busy_lanes"] = "busy lanes of 32"
    words["used_bytes"] = "bytes used per access"
    words["accesses"] = "accesses"
    words["moved_bytes"] = "bytes moved"
    words["operations"] = "atomics"
    words["most_on_one_address"] = "atomics on one address"
    words["diverged"] = "branches that diverge"
    words["barriers_per_group"] = "barriers in a group"
    words["left"] = "commands left on average"
    words["idle_waits"] = "with nothing left"
    # Means: by what they are weighed when rows are put together.
    per["sectors"] = per["lines_of_128"] = per["passes"] = per["lanes"] = "accesses"
    per["pages_of_4096"] = per["used_bytes"] = "accesses"
    per["left"] = "waits"
}

FILENAME == ARGV[1] {
    count++
    split($0, part, / *[|] */)
    split(part[1], named, " ")
    kernel[count] = named[1]
    argument[count] = named[2]
    what[count] = part[2]
    metric[count] = part[3]
    least[count] = part[4] ~ /^at least/
    limit[count] = part[4]
    sub(/^at (most|least) /, "", limit[count])
    wanted[count] = part[5]
    sub(/^ours /, "", wanted[count])
    next
}

FILENAME != last {
    of_ours = FILENAME == ARGV[3]
    last = FILENAME
}
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }

function field(name) {
    return name in at ? $at[name] : ""
}

function has_argument(wanted,    part) {
    if (split(wanted, part, ">") < 2)
        return index(arguments, " " wanted " ")
    return match(arguments, " " part[1] "=") && substr(arguments, RSTART + RLENGTH) + 0 > part[2] + 0
}

function is_total(i) {
    return kernel[i] != "host" && !is_mean(i)
}

function is_mean(i) {
    return metric[i] in per || metric[i] ~ /^(busy_lanes|barriers_per_group)$/
}

# What a row is called: "load x", "branch", "barrier"; a launch is "".
function row_name(    row) {
    row = field("row")
    return row == "launch" ? "" : row ~ /branch|barrier/ ? row : row " " field("name")
}

field("row") == "launch" {
    arguments = " " field("arguments") " group=" field("local") + 0 " " # of 256x1x1: 256
    replayed = field("groups_replayed") + 0 # a sample stands for all
    whole = replayed ? field("groups") / replayed : 1
}

{
    name = row_name()
    for (i = 1; i <= count; i++) {
        if (field("kernel") != kernel[i])
            continue
        if (argument[i] && !has_argument(argument[i]))
            continue
        if (name == "" && what[i] == "branch")
            seen[of_ours, i] = 1 # a kernel without branches has none that parts lanes
        if (name != what[i] && field("row") " " field("memory") != what[i])
            continue
        if (field(metric[i]) == "")
            continue
        seen[of_ours, i] = 1
        value = field(metric[i])
        weight = metric[i] in per ? field(per[metric[i]]) : 1
        if (metric[i] == "used_bytes")
            value /= weight # the lens has all of them together
        if (metric[i] == "most_on_one_address")
            sum[of_ours, i] = value + 0 > sum[of_ours, i] + 0 ? value : sum[of_ours, i]
        else
            sum[of_ours, i] += value * weight * (is_total(i) ? whole : 1)
        weights[of_ours, i] += weight
        executed[of_ours, i] += field("accesses") * whole
        if (of_ours)
            continue
        ideal[i] += field("ideal_sectors") * weight
        worse = least[i] ? value + 0 < worst[i] + 0 : value + 0 > worst[i] + 0
        if (!(i in line) || worse) {
            worst[i] = value + 0
            line[i] = field("line")
        }
    }
}

function counted(of_ours, i) {
    return sum[of_ours, i] / (is_mean(i) && weights[of_ours, i] ? weights[of_ours, i] : 1)
}

# Where ours has `here` of something: a limit that is so many times as much as what it has
# where the limit is for, or so much more, if that is nothing.
function scaled(limit, there, here) {
    return there * here > 0 ? limit / there * here : limit - there + here
}

function title_of(i,    title) {
    title = (what[i] ? what[i] " of " : "") kernel[i] (argument[i] ? " " argument[i] : "")
    sub(/ of host$/, "", title)
    return title
}

# A load whose mean is wanted: is it executed too often?  Said once of each.
function executed_too_often(i) {
    return ARGV[3] != "" && what[i] ~ /^load / && metric[i] in per && \
        per[metric[i]] == "accesses" && !said[title_of(i)]++ && \
        executed[0, i] * widest[title_of(i)] > often * executed[1, i]
}

# Where 16 bytes are loaded at once, four times as many sectors are as good, if the access is
# executed less often for it: how many times as many sectors as ours it needs at least.
function times_as_wide(i,    needed) {
    if (metric[i] != "sectors" || least[i] || wanted[i] <= 0)
        return 1
    needed = ideal[i] / weights[0, i]
    return needed > wanted[i] * 1.02 ? needed / wanted[i] : 1
}

# The limit at this size, and how much wider than ours the access is, by its line about sectors.
function set_limit(i, title) {
    if (ARGV[3] != "") {
        limit[i] = scaled(limit[i], wanted[i], counted(1, i))
        wanted[i] = sprintf(is_mean(i) ? "%.2f" : "%.0f", counted(1, i))
    }
    wider[i] = times_as_wide(i)
    if (wider[i] > widest[title])
        widest[title] = wider[i]
}

# As many digits as tell something.
function shown(limit) {
    return limit == int(limit) ? sprintf("%.0f", limit) : sprintf("%.4g", limit)
}

END {
    for (i = 1; i <= count; i++)
        if (seen[0, i] && (ARGV[3] == "" || seen[1, i]))
            set_limit(i, title_of(i))
    for (i = 1; i <= count; i++) {
        title = title_of(i)
        name = words[metric[i]] ? words[metric[i]] : metric[i]
        if (!seen[0, i] || ARGV[3] != "" && !seen[1, i]) {
            printf "missing %s: %s\n", title, metric[i]
            continue
        }
        value = counted(0, i)
        limit[i] *= wider[i]
        good = least[i] ? value >= limit[i] * margin : value <= limit[i] / margin
        printf is_mean(i) ? "%s %s: %.2f %s" : "%s %s: %.0f %s", good ? "good" : "bad", \
            title, value, name
        printf ", at %s %s%s (ours %s)", least[i] ? "least" : "most", shown(limit[i]), \
            (wider[i] > 1 ? " for accesses as wide" : ""), wanted[i]
        print line[i] && value ? ", line " line[i] : ""
        if (executed_too_often(i))
            printf "bad %s: %.0f accesses, at most %.0f (ours %.0f)\n", title, executed[0, i], \
                often * executed[1, i] / widest[title], executed[1, i]
    }
}
