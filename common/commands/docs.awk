# Copies pages of Markdown, and writes again what stands between markers.  See docs.sh.  Each
# page begins with a line "\f" and its name.  What stands in files of results is read once.

BEGIN {
    columns = "step variant device size repeats median_ms fastest_ms slowest_ms rate unit " \
              "percent_of_limit result note"
    column_count = split(columns, column)
    command = "ls docs/results/*.csv 2> /dev/null"
    while ((command | getline file) > 0)
        read_results(file)
    close(command)
    read_counts("docs/results/lens/counts.csv")
    name_columns()
}

FNR == 1 {
    inside = 0
    print "\f" FILENAME
}
/^<!-- end -->$/ { inside = 0 }
!inside { print }
/^<!-- contents -->$/ { inside = 1; contents() }
/^<!-- screen: .* -->$/ { inside = 1; screen($3, $4) }
/^<!-- task: .* -->$/ { inside = 1; task($3) }
/^<!-- table: .* -->$/ { inside = 1; tables($3) }
/^<!-- headlines: .* -->$/ { inside = 1; headlines($3) }
/^<!-- lessons -->$/ { inside = 1; lessons() }
/^<!-- ladder: .* -->$/ { inside = 1; ladder($3) }
/^<!-- rows: .* -->$/ { inside = 1; rows_table($3) }
/^<!-- reuse: .* -->$/ { inside = 1; reuse($3) }
/^<!-- flight: .* -->$/ { inside = 1; flight($3) }
/^<!-- shapes: .* -->$/ { inside = 1; shapes($3) }
/^<!-- lens: .* -->$/ { inside = 1; lens($3, $4) }
/^<!-- picture: .* -->$/ { inside = 1; picture($3, $4, "") }
/^<!-- worst: .* -->$/ { inside = 1; picture($3, $4, "-worst") }
/^<!-- page: .* -->$/ { inside = 1; stepping($3) }
/^<!-- against: .* -->$/ { inside = 1; against($3) }
/^<!-- asm: .* -->$/ { inside = 1; file_as_text("docs/results/" $3 "/" $4 "-" $5 ".asm") }
/^<!-- profile: .* -->$/ { inside = 1; profile($3) }
/^<!-- banks: .* -->$/ { inside = 1; banks($3, $4, $5) }

# Rows of all files: cell[file, row, column]; what was measured: about[file, "device"].  A
# headline is no row: headline[file, step] is its line.
function read_results(file,    line, row, key, i, cells) {
    files++
    while ((getline line < file) > 0)
        if (line ~ /^# /) {
            key = line
            sub(/^# /, "", key)
            sub(/:.*/, "", key)
            about[files, key] = substr(line, length(key) + 5)
        } else if (line !~ /^step,/) {
            split_csv(line, cells)
            if (cells[2] ~ /^headline: /) {
                headline[files, substr(cells[1], 1, index(cells[1], "_") - 1)] = line
                continue
            }
            row = ++rows[files]
            measured_step[files, substr(cells[1], 1, index(cells[1], "_") - 1)]
            for (i = 1; i <= column_count; i++)
                cell[files, row, column[i]] = cells[i]
            key = files SUBSEP substr(cells[1], 1, index(cells[1], "_") - 1) SUBSEP cells[2]
            rows_of[key] = rows_of[key] row " "
        }
    close(file)
}

function split_csv(line, cells,    count, quoted, i, c) {
    count = 1
    cells[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"")
            quoted = !quoted
        else if (c == "," && !quoted)
            cells[++count] = ""
        else
            cells[count] = cells[count] c
    }
}

function is_cpu(f) {
    return about[f, "device"] ~ /\(CPU\)$/
}

function title(f) {
    return sprintf("**%s**, %s, %s", about[f, "device"], about[f, "driver"], \
                   about[f, "date"])
}

# A column's heading: of a CPU, which PoCL it is that runs there.
function short_title(f) {
    return match(about[f, "driver"], /^Portable Computing Language, driver [0-9.]+/) ? \
        "PoCL " substr(about[f, "driver"], 37, RLENGTH - 36) " (CPU)" : about[f, "device"]
}

# 1234567 -> 1,234,567
function grouped(number,    text) {
    text = number
    while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}

function share(f, row) {
    if (cell[f, row, "percent_of_limit"] != "")
        return cell[f, row, "percent_of_limit"] " %"
    return ""
}

# What makes a row implausible (see common/measure/implausible.c) stands in for a share; the plain notes of a row do
# not.  Older files explain it behind a colon or a comma.
function verdict(f, row,    note) {
    note = cell[f, row, "note"]
    if (note !~ /^(clock-bound|too short|launch-bound|fits in|at the limit|beyond the limit)/)
        return ""
    sub(/[:,].*/, "", note)
    return note
}

function spread(f, row) {
    return sprintf("%.2f–%.2f", cell[f, row, "fastest_ms"] / cell[f, row, "median_ms"], \
                   cell[f, row, "slowest_ms"] / cell[f, row, "median_ms"])
}

# All rows of a step that have a time, device by device.
function tables(step,    f, printed) {
    for (f = 1; f <= files; f++)
        printed += table(f, step)
    if (!printed)
        print "\nThis step measures no time."
    print ""
}

# Is a file about this step, too?
function has_step(f, step) {
    return about[f, "only"] == "" ? step == "" || (f, step) in measured_step : \
        index(" " about[f, "only"] " ", " " step " ")
}

# The rows of a step; returns how many.  A CPU is shared with others and its times drift, so
# its rows are compared with the first of their size that has a rate; a GPU's stand for
# themselves.
function table(f, step,    row, first, size, printed) {
    if (!has_step(f, step))
        return 0
    for (row = 1; row <= rows[f]; row++) {
        if (index(cell[f, row, "step"], step "_") != 1 || cell[f, row, "median_ms"] == "")
            continue
        if (!printed++)
            table_heading(f)
        if (cell[f, row, "size"] != size)
            first = base(f, row)
        size = cell[f, row, "size"]
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", cell[f, row, "variant"], \
            grouped(size), time(f, row, first), spread(f, row), rate(f, row), share(f, row), \
            verdict(f, row)
    }
    return printed
}

function table_heading(f) {
    printf "\n%s\n\n", title(f)
    printf "| variant | elements | %s | spread | rate | of the limit | |\n", \
           is_cpu(f) ? "time, first rate = 1" : "median ms"
    print "|---|--:|--:|--:|--:|--:|---|"
}

function base(f, row,    size) {
    size = cell[f, row, "size"]
    while (cell[f, row, "rate"] == "" && cell[f, row + 1, "size"] == size)
        row++
    return cell[f, row, "median_ms"]
}

function time(f, row, first) {
    if (is_cpu(f) && cell[f, row, "step"] !~ /^step00/)
        return sprintf("%.3g", cell[f, row, "median_ms"] / first)
    return significant(cell[f, row, "median_ms"])
}

# Four significant digits; large numbers whole.
function significant(number) {
    return number + 0 < 10000 ? sprintf("%.4g", number) : grouped(sprintf("%.0f", number))
}

function rate(f, row) {
    if (cell[f, row, "rate"] == "")
        return ""
    return significant(cell[f, row, "rate"]) " " cell[f, row, "unit"]
}

# What a device has measured, in one cell: the rate, and its share of the limit or a doubt.
# The time comes first where it is wanted, and stands alone if there is no rate.
function measured(f, row, with_time,    text, of_limit) {
    if (!row || cell[f, row, "median_ms"] == "")
        return "–"
    if (with_time || cell[f, row, "rate"] == "")
        text = significant(cell[f, row, "median_ms"]) " ms"
    if (cell[f, row, "rate"] == "")
        return text (verdict(f, row) != "" ? ", " verdict(f, row) : "")
    of_limit = share(f, row) != "" ? share(f, row) : verdict(f, row)
    return text (with_time ? ", " : "") rate(f, row) (of_limit != "" ? ", " of_limit : "")
}

# The headings of a table that has a column for each device, and the line below them.  Results
# of some steps only have a column where `step` is one of them.
function device_heading(cells, line, values, step,    f) {
    for (f = 1; f <= files; f++)
        if (has_step(f, step)) {
            cells = cells " " short_title(f) (values ? ": " : "") values " |"
            line = line "--:|"
        }
    printf "\n%s\n%s\n", cells, line
}

# The table that grows from chapter to chapter: ladder.txt names its rows.
function ladder(last,    line, part, f, file) {
    device_heading("| step | | sectors of an access (used of their bytes) |", "|---|---|--:|", \
                   "rate, share of its limit")
    file = "docs/results/ladder.txt"
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || split(line, part, /  +/) < 4 || part[1] > last)
            continue
        printf "| %s | %s | %s |", substr(part[1], 5), part[3], \
            sectors_used(counted(part[1], part[4]))
        for (f = 1; f <= files; f++)
            if (!about[f, "only"])
                printf " %s |", measured(f, find(f, part[1], part[2]))
        print ""
    }
    close(file)
    print ""
}

# What an access of a launch moves on average, and how much of it is used: of a launch's loads
# or of its stores, whichever touch more sectors.  An access of a single lane touches one sector
# and uses little of it, so it is not mistaken for an ideal one.  (A line is four sectors.)
function sectors_used(row,    kind, sectors, used) {
    kind = counts[row, "load_sectors"] + 0 >= counts[row, "store_sectors"] + 0 ? "load" : "store"
    sectors = counts[row, kind "_sectors"]
    if (!row || !sectors)
        return "–"
    used = 4 * counts[row, kind "_lines"] * counts[row, kind "_used"] / sectors
    return sprintf("%g (%.3g %%)", sectors, used < 100 ? used : 100)
}

# What the lens counted: counts[row, column] of counts.csv, and counts_of[step] lists the rows
# of a step, in their order.
function read_counts(file,    line, part, name, columns, i) {
    getline line < file
    columns = split(line, name, ",")
    while ((getline line < file) > 0) {
        split(line, part, ",")
        counts_rows++
        counts_of[part[1]] = counts_of[part[1]] counts_rows " "
        for (i = 1; i <= columns; i++)
            counts[counts_rows, name[i]] = part[i]
    }
    close(file)
}

# The row of a launch, such as "dot_coalesced 32", or with one of its arguments, or with the
# size of its groups: "dot_strided 4096 stride=8", "dot_groups 262144 local=256".  * is any
# number of work-items: "transpose_rows * local=16".  0: not counted.
function counted(step, launch,    wanted, list, rows_there, i, row) {
    split(launch, wanted, " ")
    rows_there = split(counts_of[step], list, " ")
    for (i = 1; i <= rows_there; i++) {
        row = list[i]
        if (counts[row, "kernel"] == wanted[1] && \
            (wanted[2] ~ /^(|[*])$/ || counts[row, "global"] == wanted[2]) && \
            (wanted[3] == "" || index(" " counts[row, "arguments"] " local=" \
                                      counts[row, "local"] " ", " " wanted[3] " ")))
            return row
    }
    return 0
}

# The ideal of a launch's sectors.  counts.csv has that of its busiest access; it is that of
# all loads, too, where these need as many sectors on average.
function ideal(row, column) {
    if (column == "sectors" || \
        column ~ /^(load|store)_sectors$/ && counts[row, column] == counts[row, "sectors"])
        return counts[row, "ideal"]
    return ""
}

function count_cell(row, column,    text) {
    text = row ? counts[row, column] : ""
    if (text == "")
        return "–"
    if (column == "busy_lanes")
        return sprintf("%.4g of 32", text) # as it is stored: rounded once, not twice
    if (column ~ /_used$/)
        return text " %"
    if (column ~ /sectors|lines|pages/)
        return sprintf("%g", text) (ideal(row, column) != "" ? \
                                    sprintf(" (%g)", ideal(row, column)) : "")
    return grouped(text)
}

# The columns of counts.csv, in words.
function name_columns() {
    titles["busy_lanes"] = "lanes busy"
    titles["sectors"] = "sectors of the busiest access"
    titles["lines"] = "cache lines of the busiest access"
    titles["pages"] = "4-KiB pages of the busiest access"
    titles["diverged"] = "branches that diverge"
    titles["passes"] = "passes over the banks of local memory"
    titles["barriers"] = "barriers"
    titles["atomics"] = "global atomics"
    titles["load_sectors"] = "sectors of a load"
    titles["load_lines"] = "cache lines of a load"
    titles["load_used"] = "used of these lines"
    titles["store_sectors"] = "sectors of a store"
    titles["store_lines"] = "cache lines of a store"
    titles["store_used"] = "used of these lines"
}

function column_title(column) {
    if (column in titles)
        return titles[column]
    stop("counts.csv has no column " column)
}

function stop(problem) {
    print "error: " FILENAME ": " problem > "/dev/stderr"
    exit 2
}

# The variants of a step, from rungs.txt: rung_name[i] and rung_launch[i]; returns how many.
function read_rungs(step,    file, line, part, rungs) {
    file = "docs/results/rungs.txt"
    while ((getline line < file) > 0)
        if (line !~ /^#/ && split(line, part, /  +/) >= 2 && part[1] == step) {
            rung_name[++rungs] = part[2]
            rung_launch[rungs] = part[3]
            rung_source[rungs] = part[4]
        }
    close(file)
    return rungs
}

# A row for each variant of a step: what the lens counted, in the columns of counts.csv that
# the marker names, and what was measured on each device.  "time" among the names: with the
# time, too.
function rows_table(step,    cells, line, columns, wanted, with_time, rungs, i, r, f, row,
                    size) {
    for (i = 4; i < NF; i++)
        if ($i == "time")
            with_time = 1
        else
            wanted[++columns] = $i
    rungs = read_rungs(step)
    if (!rungs)
        stop("rungs.txt has no rows of " step)
    for (r = 1; r <= rungs; r++)
        row[r] = rung_launch[r] != "" ? counted(step, rung_launch[r]) : 0
    cells = "| variant |"
    line = "|---|"
    for (i = 1; i <= columns; i++) {
        cells = cells " " column_title(wanted[i]) \
            (has_ideal(row, rungs, wanted[i]) ? " (ideal) |" : " |")
        line = line "--:|"
    }
    for (f = 1; f <= files; f++)
        size[f] = common_size(f, step, rungs)
    device_heading(cells, line, (with_time ? "time, " : "") values_of(step, rungs, size), step)
    for (r = 1; r <= rungs; r++) {
        printf "| %s |", rung_name[r]
        for (i = 1; i <= columns; i++)
            printf " %s |", count_cell(row[r], wanted[i])
        for (f = 1; f <= files; f++)
            if (has_step(f, step))
                printf " %s |", \
                    measured(f, find_near(f, step, rung_name[r], size[f]), with_time)
        print ""
    }
    print ""
    link_results(step)
}

# What the cells of these variants hold: do some have a share of a limit, or its doubt?
function values_of(step, rungs, size,    f, r, row) {
    for (f = 1; f <= files; f++)
        for (r = 1; r <= rungs; r++) {
            row = find_near(f, step, rung_name[r], size[f])
            if (row && share(f, row) verdict(f, row) != "")
                return "rate, share of its limit"
        }
    return "rate"
}

# Where all rows stand, if the step has such a page.
function link_results(step,    page, line) {
    page = "results/" step ".md"
    if ((getline line < ("docs/" page)) > 0)
        printf "Every measured row, with its spread: [docs/%s](%s).\n\n", page, page
    close("docs/" page)
}

function has_ideal(row, rungs, column,    r) {
    for (r = 1; r <= rungs; r++)
        if (row[r] && ideal(row[r], column) != "")
            return 1
    return 0
}

# For each variant of a product of matrices: operations for each byte that its loads and stores
# move, and for each pass over the banks; from a GPU's rate, how many bytes and passes these are
# in a second; and what its source reports.
function reuse(step,    cells, line, rungs, r, f, row, part, flops, size, found) {
    cells = "| variant | flop per byte | flop per pass |"
    line = "|---|--:|--:|"
    rungs = read_rungs(step)
    for (f = 1; f <= files; f++)
        if (!is_cpu(f) && !about[f, "only"]) {
            cells = cells " " short_title(f) ": rate | bytes moved | passes |"
            line = line "--:|--:|--:|"
            size[f] = common_size(f, step, rungs)
        }
    printf "\n%s S. Boehm, A6000: of cuBLAS |\n%s--:|\n", cells, line
    for (r = 1; r <= rungs; r++) {
        row = counted(step, rung_launch[r])
        split(counts[row, "arguments"], part, /[^0-9]+/)
        flops = 2 * part[2] * part[3] * part[4]
        printf "| %s | %s | %s |", rung_name[r], quotient(flops, counts[row, "moved_bytes"]), \
            quotient(flops, counts[row, "passes"])
        for (f = 1; f <= files; f++)
            if (!is_cpu(f) && !about[f, "only"]) {
                found = find_near(f, step, rung_name[r], size[f])
                found = found ? cell[f, found, "rate"] : 0
                printf " %s | %s | %s |", found ? significant(found) " GFLOP/s" : "–", \
                    quotient(found * counts[row, "moved_bytes"], flops * 1000, " TB/s"), \
                    quotient(found * counts[row, "passes"], flops, "·10<sup>9</sup>/s")
            }
        printf " %s |\n", rung_source[r]
    }
    print ""
}

function quotient(a, b, unit) {
    return a && b ? sprintf("%.3g", a / b) unit : "–"
}

# Little's law: for each variant "N groups of M", a GPU's bytes in flight, if every work-item
# waits for one float of x and one of y, and how long such a load would then take.
function flight(step,    cells, line, rungs, r, f, row, part, items, bytes, size) {
    cells = "| variant | work-items | bytes in flight, 8 for each |"
    line = "|---|--:|--:|"
    rungs = read_rungs(step)
    for (f = 1; f <= files; f++)
        if (!is_cpu(f) && !about[f, "only"]) {
            cells = cells " " short_title(f) ": rate | time of a round: bytes / rate |"
            line = line "--:|--:|"
            size[f] = common_size(f, step, rungs)
        }
    printf "\n%s\n%s\n", cells, line
    for (r = 1; r <= rungs; r++) {
        if (rung_name[r] !~ /^[0-9]+ groups? of [0-9]+$/)
            continue
        split(rung_name[r], part, " ")
        items = part[1] * part[4]
        bytes = 8 * items
        printf "| %s | %s | %s |", rung_name[r], grouped(items), grouped(bytes)
        for (f = 1; f <= files; f++)
            if (f in size) {
                row = find_near(f, step, rung_name[r], size[f])
                if (row && cell[f, row, "rate"] + 0)
                    printf " %s | %.0f ns |", rate(f, row), bytes / cell[f, row, "rate"]
                else
                    printf " – | – |"
            }
        print ""
    }
    print ""
}

# What a step says in one ratio, on each device.
function headlines(step,    f, cells, note, printed) {
    for (f = 1; f <= files; f++) {
        if (!((f, step) in headline) || !has_step(f, step))
            continue
        if (!printed++) {
            print "\n| device | compared | the first is | quartiles | on this device |"
            print "|---|---|--:|--:|---|"
        }
        split_csv(headline[f, step], cells)
        split(cells[13], note, /, | to /)
        printf "| %s | %s | %s | %s |\n", short_title(f), substr(cells[2], 11), \
            ratio_cells(cells[9], note[2], note[3], note[1] == "not told apart"), \
            note[1] == "true" ? "true" : note[1]
    }
    if (!printed)
        print "\nNo ratio of this step is stored yet."
    print ""
}

# Every step's headline, with what each device says of it.  A device that has measured another
# headline of that step has nothing to say.  Where a GPU has none, another one of its maker has
# the word, and is named.
function lessons(    program, step, f, g, line, cells, note, lesson) {
    device_heading("| step | compared |", "|---|---|", "")
    command = "ls steps/step*.c"
    while ((command | getline program) > 0) {
        step = substr(program, 7, index(program, "_") - 7)
        lesson = ""
        for (f = files; f > 0; f--)
            if (g = speaker(f, step)) {
                split_csv(headline[g, step], cells)
                lesson = cells[2]
            }
        if (lesson == "")
            continue
        line = "| " substr(step, 5) " | " substr(lesson, 11) " |"
        for (f = 1; f <= files; f++) {
            if (about[f, "only"])
                continue
            cells[9] = ""
            if (g = speaker(f, step))
                split_csv(headline[g, step], cells)
            if (cells[2] != lesson)
                cells[9] = ""
            split(cells[13], note, ", ")
            line = line (cells[9] == "" ? " – |" : note[1] == "not told apart" ? \
                " not told apart |" : cells[9] + 0 >= 1 ? " " times(cells[9]) " × faster" : \
                " " times(1 / cells[9]) " × slower: reversed")
            if (line !~ /\|$/)
                line = line (g != f ? " (" card(g) ") |" : " |")
        }
        print line
    }
    close(command)
    print ""
}

# The file that has the headline of a step for the device of file f: its own, or that of another
# card.  0: none, or f has some steps only.
function speaker(f, step,    g) {
    if (about[f, "only"] || (f, step) in headline)
        return about[f, "only"] ? 0 : f
    g = f
    while (!is_cpu(f) && (g = other_card(f, step, g)))
        if ((g, step) in headline)
            return g
    return 0
}

# The next file of a GPU with the same driver that has this step only, or others, but not all;
# the first one after f itself.  0: none is left.
function other_card(f, step, g) {
    for (g = g == f ? 1 : g + 1; g <= files; g++)
        if (g != f && about[g, "only"] && has_step(g, step) && about[g, "driver"] == about[f, "driver"])
            return g
    return 0
}

# "H100" of "NVIDIA H100 80GB HBM3 (GPU)".
function card(f,    word, i, count) {
    count = split(about[f, "device"], word, " ")
    for (i = 1; i <= count; i++)
        if (word[i] ~ /^[A-Z]+[0-9]+/)
            return word[i]
    return about[f, "device"]
}

function times(ratio) {
    return sprintf(ratio + 0 >= 99.5 ? "%.0f" : "%.3g", ratio)
}

# A ratio and its quartiles, as "1.8 × faster" or "slower".
function ratio_cells(median, lower, upper, is_noise) {
    if (is_noise)
        return sprintf("– | %.3g to %.3g ×", lower, upper)
    if (median + 0 >= 1)
        return sprintf("%.3g × faster | %.3g to %.3g ×", median, lower, upper)
    return sprintf("%.3g × slower | %.3g to %.3g ×", 1 / median, 1 / upper, 1 / lower)
}

# Every launch of the kernels that rungs.txt has for this step: what its accesses touch, and
# what was measured.  The * of a name stands for the shape of its groups.
function shapes(step,    rungs, r) {
    device_heading("| | load: sectors | lines | of them used | store: sectors | lines " \
                   "| of them used |", \
                   "|---|--:|--:|--:|--:|--:|--:|", "rate, share of its limit")
    rungs = read_rungs(step)
    for (r = 1; r <= rungs; r++)
        shapes_of(step, rung_name[r], rung_launch[r])
    print ""
}

function shapes_of(step, pattern, kernel,    list, rows_there, r, i, name, local, kinds, f) {
    rows_there = split(counts_of[step], list, " ")
    split("load_sectors load_lines load_used store_sectors store_lines store_used", kinds, " ")
    for (r = 1; r <= rows_there; r++) {
        if (counts[list[r], "kernel"] != kernel)
            continue
        name = pattern
        local = counts[list[r], "local"]
        sub(/\*/, local ~ / x / ? local : local " x 1", name)
        printf "| %s |", name
        for (i = 1; i <= 6; i++)
            printf " %s%s |", counts[list[r], kinds[i]], i % 3 == 0 ? " %" : ""
        for (f = 1; f <= files; f++)
            if (!about[f, "only"])
                printf " %s |", measured(f, find(f, step, name))
        print ""
    }
}

# The size for which a file has most of the variants; of several, the largest.
function common_size(f, step, rungs,    r, row, size, found, most, best, seen) {
    for (row = 1; row <= rows[f]; row++) {
        size = cell[f, row, "size"]
        if (index(cell[f, row, "step"], step "_") != 1 || size in seen)
            continue
        seen[size] = 1
        found = 0
        for (r = 1; r <= rungs; r++)
            found += find(f, step, rung_name[r], size) > 0
        if (found > most || found == most && size + 0 > best + 0) {
            most = found
            best = size
        }
    }
    return best
}

# The row of that name with that many elements; if there is none, with the most.
function find_near(f, step, name, size,    row) {
    row = find(f, step, name, size)
    return row ? row : find(f, step, name)
}

# The programs of a paper, and our best rows for the same problems: milliseconds, and
# GFLOP/s as a share of this device's own limit.  A GFLOP is 10^9 operations everywhere.
function against(paper,    file, line, part, f, column) {
    printf "\n| program | the paper: ms | GFLOP/s | of its peak | its CPU: ms | CPU / GPU |"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf " %s: ms | of the FMA limit |", short_title(f)
    printf "\n|---|--:|--:|--:|--:|--:|"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf "--:|--:|"
    print ""
    file = "docs/results/paper-" paper ".txt"
    while ((getline line < file) > 0) {
        if (line ~ /^#/)
            continue
        split(line, part, /  +/)
        printf "| %s | %s | %s | %s%s | %s | %s |", part[2], part[5], of_billions(part[6]), \
               of_billions(part[7]), part[7] + 0 ? " %" : "", part[8], \
               part[5] + 0 ? sprintf("%.1f", part[8] / part[5]) : "–"
        for (f = 1; f <= files; f++)
            if (!about[f, "only"])
                print_best(f, part)
        print ""
    }
    close(file)
    print ""
}

# Of a number that was counted in units of 2^30.
function of_billions(number) {
    return number + 0 ? sprintf("%.3g", number * 1.073741824) : number
}

function print_best(f, part,    g, least, limit, of) {
    g = f
    least = best(f, part)
    while (!least && !is_cpu(f) && (g = other_card(f, part[1], g)))
        least = best(g, part)
    limit = find(f, "step00", "multiply-add")
    of = g == f ? "" : " (" card(g) ")"
    if (least)
        printf " %.4g%s | %.3g %% |", least * 1e-6, of, \
               100 * part[3] * part[4] / least / cell[f, limit, "rate"]
    else
        printf " – | – |"
}

# The least time of these rows, in nanoseconds; 0: none was measured.
function best(f, part,    name, count, i, row, flops, least) {
    count = split(part[9], name, "|")
    flops = part[3] * part[4]
    for (i = 1; i <= count; i++)
        if ((row = find(f, part[1], name[i], part[10])) && \
            (!least || flops / gflops(f, row, part[4]) < least))
            least = flops / gflops(f, row, part[4])
    return least
}

# A row that gives bytes has elements of so many operations each.
function gflops(f, row, each) {
    if (cell[f, row, "unit"] == "GFLOP/s")
        return cell[f, row, "rate"]
    return cell[f, row, "size"] * each * 1e-6 / cell[f, row, "median_ms"]
}

# The report of a kernel, line by line, and its picture.
function lens(step, kernel,    name, file, line, text) {
    name = "results/lens/" step "-" kernel
    file = "docs/" name ".txt"
    print "```text"
    while ((getline line < file) > 0 && line !~ /^  line |^Model/)
        if (line != "")
            print line
    close(file)
    print "```"
    printf "\n![%s, lane by lane](%s.svg)\n\n", kernel, name
}

# The picture alone, of its first accesses or of the worst one.
function picture(step, kernel, which) {
    printf "\n![%s, lane by lane](%sresults/lens/%s-%s%s.svg)\n\n", kernel, \
        FILENAME ~ /^docs/ ? "" : "docs/", step, kernel, which
}

# A link to the page that steps through the kernels.
function stepping(step) {
    printf "\n[Step through it](results/lens/%s.html): a page that shows one step of a warp " \
        "after the other,\nwith its line, its lanes and the memory that they touch.\n\n", step
}

# What the lens and a profiler counted for the same launches.  The rows of
# ncu.csv and the launches of ncu.tsv come in the same order.
function profile(name,    file, line, cells, at, i, launch, row, passes, moved) {
    print ""
    print "| kernel | accesses → sectors: lens | profiler | branches (diverged): lens " \
          "| profiler | bank passes: lens | profiler | busy lanes: lens | profiler |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    file = "docs/results/" name "/ncu.tsv"
    getline line < file
    for (i = split(line, cells, "\t"); i > 0; i--)
        at[cells[i]] = i
    while ((getline line < file) > 0) {
        split(line, cells, "\t")
        row = cells[at["row"]]
        passes = cells[at["passes"]]
        moved = cells[at["moved_bytes"]]
        if (row == "launch") {
            launch++
            of[launch, "lanes"] = cells[at["busy_lanes"]]
        } else if (row == "branch") {
            of[launch, "branches"] += cells[at["executions"]]
            of[launch, "diverged"] += cells[at["diverged"]]
        } else if (row ~ /^(load|store)$/ && passes != "") {
            of[launch, "passes"] += passes * cells[at["accesses"]]
        } else if (moved != "") {
            of[launch, "accesses"] += cells[at["accesses"]]
            of[launch, "sectors"] += moved / 32
        }
    }
    close(file)
    file = "docs/results/" name "/ncu.csv"
    launch = 0
    while ((getline line < file) > 0) {
        if (line ~ /^#/)
            continue
        split_csv(line, cells)
        if (cells[1] == "kernel")
            for (i in cells)
                at[cells[i]] = i
        else if (cells[at["loops"]] == "rolled")
            profile_row(++launch, cells, at)
    }
    close(file)
    print ""
}

# What accesses of a warp cost in docs/results/NAME/banks.csv, for the patterns that the text
# speaks of: in cycles, in the profiler's wavefronts, and in the lens's passes.
function banks(name, memory, access,    file, line, cells, at, i, patterns, count, found, bytes) {
    count = split("own: n|pairs: n / 2|n and n ^ 2 the same|rows: n / 16|same: 0|halves: n % 16|" \
                  "quarters: n % 8|stride 2|stride 8|stride 9|stride 32|stride 33", patterns, "|")
    file = "docs/results/" name "/banks.csv"
    while ((getline line < file) > 0) {
        if (line ~ /^#/)
            continue
        split_csv(line, cells)
        if (cells[1] == "memory")
            for (i in cells)
                at[cells[i]] = i
        else if (cells[1] == memory && cells[2] == access)
            found[cells[at["pattern"]], cells[at["bytes"]]] = cells[at["cycles"]] " / " \
                cells[at["wavefronts"]] " / " cells[at["passes"]]
    }
    close(file)
    print ""
    print "| lane *n* takes element | 4 bytes each | 8 bytes each | 16 bytes each |"
    print "|---|--:|--:|--:|"
    for (i = 1; i <= count; i++) {
        printf "| %s ", patterns[i]
        for (bytes = 4; bytes <= 16; bytes *= 2)
            printf "| %s ", found[patterns[i], bytes]
        print "|"
    }
    print ""
}

function profile_row(launch, cells, at,    kind, kinds, requests, moved, passes, n) {
    requests = moved = passes = 0
    split("ld st red atom", kinds, " ")
    for (kind in kinds) {
        n = "pipe_lsu_mem_global_op_" kinds[kind] ".sum"
        requests += cells[at["l1tex__t_requests_" n]]
        moved += cells[at["l1tex__t_sectors_" n]]
    }
    passes = cells[at["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]] + \
             cells[at["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]]
    n = match(cells[at["arguments"]], /n=[0-9]+( n=[0-9]+)?$/) ? \
        " (" substr(cells[at["arguments"]], RSTART) ")" : ""
    sub(/ n=/, ", stride ", n)
    printf "| `%s`%s, %s in groups of %s ", cells[1], n, grouped(cells[2]), cells[3]
    printf "| %s → %s | %s → %s ", grouped(of[launch, "accesses"]), \
        grouped(of[launch, "sectors"]), grouped(requests), grouped(moved)
    printf "| %s (%s) | %s (%s) ", grouped(of[launch, "branches"] + 0), \
        grouped(of[launch, "diverged"] + 0), \
        grouped(cells[at["smsp__sass_branch_targets.sum"]]), \
        grouped(cells[at["smsp__sass_branch_targets_threads_divergent.sum"]])
    if (of[launch, "passes"] + passes > 0)
        printf "| %s | %s ", grouped(of[launch, "passes"] + 0), grouped(passes)
    else
        printf "| | "
    printf "| %.1f | %.1f |\n", of[launch, "lanes"], \
        cells[at["smsp__thread_inst_executed_per_inst_executed.ratio"]]
}

# The row of that name with that many elements, or with the most.
function find(f, step, variant, size,    list, count, i, row, found) {
    count = split(rows_of[f, step, variant], list, " ")
    for (i = 1; i <= count; i++) {
        row = list[i]
        if ((size == "" || cell[f, row, "size"] == size) && \
            (!found || cell[f, row, "size"] + 0 > cell[f, found, "size"] + 0))
            found = row
    }
    return found
}

function contents(    program, line, stem) {
    print ""
    command = "ls steps/step*.c"
    while ((command | getline program) > 0) {
        getline line < program
        close(program)
        stem = program
        gsub(/^steps\/|\.c$/, "", stem)
        sub(/^\/\* Step [0-9]+[a-z]?: /, "", line)
        printf "- %s [%s](%s%s.md)\n", substr(stem, 5, index(stem, "_") - 5), line, \
            FILENAME ~ /^docs/ ? "" : "docs/", stem
    }
    close(command)
    print ""
}

# The exercise that checks itself, by its page's title.
function task(step,    command, page, heading) {
    command = "ls docs/exercises/" step "_*.md"
    command | getline page
    close(command)
    getline heading < page
    close(page)
    print "**[" substr(heading, 3) "](" substr(page, 6) ")** checks itself: guess with"
    print "`make " step " predict`, begin with `make " step " exercise`, and let `make " step " check` see."
    print ""
}

function screen(name, step) {
    file_as_text("docs/results/" name "/" step ".txt")
}

function file_as_text(file,    line) {
    if ((getline line < file) <= 0) {
        print "(It has not been measured there since the program took its present form.)"
        return
    }
    print "```text"
    do
        print line
    while ((getline line < file) > 0)
    close(file)
    print "```"
}
