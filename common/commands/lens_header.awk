# lens_header.awk -v want=arguments STEP.c : what a step's header says behind "Lens", as in
#
#     * Lens       --size 65536  reduce_local_divergent reduce_local_dense
#
# `arguments`: the step's options with their values.  `kernels`: the names of the kernels that
# the report shows, which may go on in the next line; without any it shows all.

/^ \* Lens / { inside = 1; sub(/^ \* Lens/, " *   ") }
inside && !/^ \*   / { exit }
inside {
    for (i = 2; i <= NF; i++) {
        is_argument = $i ~ /^--/ || before ~ /^--/
        if (is_argument == (want == "arguments"))
            printf "%s%s", count++ ? " " : "", $i
        before = $i
    }
}
