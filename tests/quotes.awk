# Fails unless each block that opens with ```c FILE stands in that file, word for word; the
# marks of an exercise are left out.  A file in /tmp is one that the reader writes.

/^```c .+/ && $2 !~ /^\/tmp\// {
    file = $2
    quote = ""
    next
}

/^```/ && file {
    source = ""
    while ((getline line < file) > 0)
        if (line !~ /^ *\/\* (exercise [{]|[}] exercise) \*\/$/)
            source = source line "\n"
    close(file)
    if (!index(source, quote)) {
        printf "%s: this is not in %s:\n%s", FILENAME, file, quote
        exit 1
    }
    file = ""
    next
}

file { quote = quote $0 "\n" }
