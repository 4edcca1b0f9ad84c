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
/^<!-- table: .* -->$/ {
    inside = 1
    for (f = 1; f <= files; f++)
        table(f, $3)
    print ""
}
/^<!-- ladder: .* -->$/ { inside = 1; ladder($3) }
/^<!-- rungs: .* -->$/ { inside = 1; rungs($3) }
/^<!-- shapes: .* -->$/ { inside = 1; shapes($3) }
/^<!-- lens: .* -->$/ { inside = 1; lens($3, $4) }
/^<!-- against: .* -->$/ { inside = 1; against($3) }
/^<!-- asm: .* -->$/ { inside = 1; file_as_text("docs/results/" $3 "/" $4 "-" $5 ".asm") }
/^<!-- profile: .* -->$/ { inside = 1; profile($3) }

# Rows of all files: cell[file, row, column]; what was measured: about[file, "device"].
function read_results(file,    line, row, key, i, cells) {
    files++
    while ((getline line < file) > 0)
        if (line ~ /^# /) {
            key = line
            sub(/^# /, "", key)
            sub(/:.*/, "", key)
            about[files, key] = substr(line, length(key) + 5)
        } else if (line !~ /^step,/) {
            row = ++rows[files]
            split_csv(line, cells)
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

# Names of verdicts stand in for shares; the plain notes of a row do not.
function verdict(f, row) {
    if (cell[f, row, "note"] ~ /^(too short|launch-bound|fits in|at the limit|beyond)/)
        return cell[f, row, "note"]
    return ""
}

function spread(f, row) {
    return sprintf("%.2f–%.2f", cell[f, row, "fastest_ms"] / cell[f, row, "median_ms"], \
                   cell[f, row, "slowest_ms"] / cell[f, row, "median_ms"])
}

# The rows of a step.  A CPU is shared with others and its times drift, so its rows are
# compared with the first of their size that has a rate; a GPU's stand for themselves.
function table(f, step,    row, first, size) {
    if (about[f, "only"] != "" && about[f, "only"] != step)
        return
    printf "\n%s\n\n", title(f)
    printf "| variant | elements | %s | spread | rate | of the limit | |\n", \
           is_cpu(f) ? "time, first rate = 1" : "median ms"
    print "|---|--:|--:|--:|--:|--:|---|"
    for (row = 1; row <= rows[f]; row++) {
        if (index(cell[f, row, "step"], step "_") != 1 || cell[f, row, "median_ms"] == "")
            continue
        if (cell[f, row, "size"] != size)
            first = base(f, row)
        size = cell[f, row, "size"]
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", cell[f, row, "variant"], \
            grouped(size), time(f, row, first), spread(f, row), rate(f, row), share(f, row), \
            verdict(f, row)
    }
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

# The table that grows from chapter to chapter: ladder.txt names its rows.
function ladder(last,    line, part, f, row, file) {
    printf "\n| step | | sectors for 32 lanes (ideal) |"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf " %s |", short_title(f)
    printf "\n|---|---|--:|"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf "--:|"
    print ""
    file = "docs/results/ladder.txt"
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || split(line, part, /  +/) < 4 || part[1] > last)
            continue
        printf "| %s | %s | %s |", substr(part[1], 5), part[3], sectors(part[1], part[4])
        for (f = 1; f <= files; f++) {
            row = find(f, part[1], part[2])
            if (!about[f, "only"])
                printf " %s |", row ? rung(f, row) : "–"
        }
        print ""
    }
    close(file)
    print ""
}

# What the lens counted: counts[i] is row i of counts.csv, and counts_of[step] lists the rows
# of a step, in their order.
function read_counts(file,    line, part) {
    while ((getline line < file) > 0) {
        counts[++counts_rows] = line
        split(line, part, ",")
        counts_of[part[1]] = counts_of[part[1]] counts_rows " "
    }
    close(file)
}

# Of a launch, such as "dot_coalesced 32", or with one of its arguments "dot_strided 4096
# stride=8": the columns of counts.csv.
function counted(step, launch, column,    wanted, list, count, i) {
    split(launch, wanted, " ")
    count = split(counts_of[step], list, " ")
    for (i = 1; i <= count; i++) {
        split(counts[list[i]], column, ",")
        if (column[2] == wanted[1] && (wanted[2] == "" || column[4] == wanted[2]) && \
            (wanted[3] == "" || index(" " column[3] " ", " " wanted[3] " ")))
            return 1
    }
    return 0
}

function sectors(step, launch,    column) {
    return counted(step, launch, column) ? sprintf("%g (%g)", column[9], column[10]) : "–"
}

# The rungs of one step: what the lens counted, beside what was measured.  A column of
# counts in which all is zero is left out.
function rungs(step,    line, part, f, row, file, count, name, launch, column, i, r, shown) {
    file = "docs/results/rungs.txt"
    while ((getline line < file) > 0)
        if (line !~ /^#/ && split(line, part, /  +/) == 3 && part[1] == step) {
            name[++count] = part[2]
            launch[count] = part[3]
            if (counted(step, part[3], column))
                for (i = 11; i <= 14; i++)
                    shown[i] = shown[i] || column[i]
        }
    close(file)
    split(",,,,,,,,,,branches that diverge,passes of local memory,barriers,global atomics", \
          column, ",")
    printf "\n| rung | lanes busy |"
    for (i = 11; i <= 14; i++)
        if (shown[i])
            printf " %s |", column[i]
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf " %s |", short_title(f)
    printf "\n|---|--:|"
    for (i = 11; i <= 14; i++)
        if (shown[i])
            printf "--:|"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf "--:|"
    print ""
    for (r = 1; r <= count; r++) {
        if (!counted(step, launch[r], column))
            continue
        printf "| %s | %.1f of 32 |", name[r], column[6]
        for (i = 11; i <= 14; i++)
            if (shown[i])
                printf " %s |", grouped(column[i])
        for (f = 1; f <= files; f++) {
            row = find(f, step, name[r], common_size(f, step, name, count))
            if (!about[f, "only"])
                printf " %s |", row ? rung(f, row) : "–"
        }
        print ""
    }
    print ""
}

# Every launch of the kernels that rungs.txt has for this step: what its accesses touch, and
# what was measured.  The * of a name stands for the shape of its groups.
function shapes(step,    line, part, f, file) {
    printf "\n| | load: sectors | lines | of them used | store: sectors | lines " \
           "| of them used |"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf " %s |", short_title(f)
    printf "\n|---|--:|--:|--:|--:|--:|--:|"
    for (f = 1; f <= files; f++)
        if (!about[f, "only"])
            printf "--:|"
    print ""
    file = "docs/results/rungs.txt"
    while ((getline line < file) > 0)
        if (line !~ /^#/ && split(line, part, /  +/) == 3 && part[1] == step)
            shapes_of(step, part[2], part[3])
    close(file)
    print ""
}

function shapes_of(step, pattern, kernel,    list, count, r, column, name, i, f, row) {
    count = split(counts_of[step], list, " ")
    for (r = 1; r <= count; r++) {
        split(counts[list[r]], column, ",")
        if (column[2] != kernel)
            continue
        name = pattern
        sub(/\*/, column[5] ~ / x / ? column[5] : column[5] " x 1", name)
        printf "| %s |", name
        for (i = 15; i <= 20; i++)
            printf " %s%s |", column[i], i == 17 || i == 20 ? " %" : ""
        for (f = 1; f <= files; f++) {
            row = find(f, step, name)
            if (!about[f, "only"])
                printf " %s |", row ? rung(f, row) : "–"
        }
        print ""
    }
}

# The most elements for which a file has a row of each of these names.
function common_size(f, step, name, count,    r, row, size, largest) {
    for (row = 1; row <= rows[f]; row++) {
        size = cell[f, row, "size"]
        for (r = 1; r <= count && find(f, step, name[r], size); r++)
            ;
        if (r > count && size + 0 > largest + 0)
            largest = size
    }
    return largest
}

# The programs of a paper, and our best rows for the same problems: milliseconds, and
# GFLOP/s as a share of this device's own limit.
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
        printf "| %s | %s | %s | %s%s | %s | %s |", part[2], part[5], part[6], part[7], \
               part[7] + 0 ? " %" : "", part[8], \
               part[5] + 0 ? sprintf("%.1f", part[8] / part[5]) : "–"
        for (f = 1; f <= files; f++)
            if (!about[f, "only"])
                print_best(f, part)
        print ""
    }
    close(file)
    print ""
}

function print_best(f, part,    name, count, i, row, flops, least, limit) {
    count = split(part[9], name, "|")
    flops = part[3] * part[4]
    for (i = 1; i <= count; i++)
        if ((row = find(f, part[1], name[i], part[10])) && \
            (!least || flops / gflops(f, row, part[4]) < least))
            least = flops / gflops(f, row, part[4])
    limit = find(f, "step00", "multiply-add")
    if (least)
        printf " %.4g | %.3g %% |", least * 1e-6, \
               100 * flops / least / cell[f, limit, "rate"]
    else
        printf " – | – |"
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

# What the lens and a profiler counted for the same launches, side by side.  The rows of
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

function rung(f, row,    of_limit) {
    of_limit = share(f, row) != "" ? share(f, row) " of the limit" : verdict(f, row)
    return rate(f, row) ", " of_limit
}

function contents(    program, line, stem) {
    print ""
    command = "ls steps/step*.c"
    while ((command | getline program) > 0) {
        getline line < program
        close(program)
        stem = program
        gsub(/^steps\/|\.c$/, "", stem)
        sub(/^\/\* Step [0-9]+: /, "", line)
        printf "- %s [%s](%s%s.md)\n", substr(stem, 5, 2), line, \
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
    print "```text"
    while ((getline line < file) > 0)
        print line
    close(file)
    print "```"
}
