# devices.awk: prints C that holds the device files that it is given, without what is said of
# how their numbers were found; and habits.tsv, the last of them.

function name_of(path) {
    sub(/.*\//, "", path)
    sub(/\.txt$/, "", path)
    return path
}

function quoted(text) {
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}

BEGIN {
    FS = "[ \t]+"
    print "#include \"device_profiles.h\"\n\nconst struct device_profile device_profiles[] = {"
}

FNR == 1 && FILENAME ~ /habits/ {
    print (NR > 1 ? "}," : "") "\n    {0}};\n\nconst struct habit device_habits[] = {"
    FS = "\t"
    habits = 1
}

FNR == 1 && !habits { printf "%s    {%s,\n", (NR > 1 ? "},\n" : ""), quoted(name_of(FILENAME)) }

/^#/ || NF < 2 { next }

habits {
    split($0, field, "\t")
    printf "    {%s, %s, %s, %s},\n", quoted(field[1]), quoted(field[2]), quoted(field[3]), quoted(field[4])
    next
}

{
    line = $1 == "name" || $1 == "source" ? $0 : $1 " " $2 " " $3
    print "     " substr(quoted(line), 1, length(quoted(line)) - 1) "\\n\""
}

END { print "    {0}};" }
