# builtins.awk : reads clang's declarations of OpenCL C's built-ins, one on each line, as
#
#     char2 __attribute__((overloadable)) __attribute__((const)) convert_char2_sat(int2);
#
# and writes OpenCL C that calls them.  With calls=1: a function for each, with the
# types that it has there.  Else: kernels for the 6992 without pointers whose results are
# exact.  A kernel reads random bits, a row of 256 bytes for each of three arguments, and
# writes each result into a slot of 128 bytes.  each=N: every N-th of them.

BEGIN {
    if (!calls)
        print "#define NUMBER(T, x) ((x) == (x) ? (x) : (T)1)"
}

# Not here: images of depth, and what knows the work-item or waits.
!/overloadable/ || /depth|msaa|event_t|_fence|barrier|get_[^i]/ { next }

{
    gsub(/__attribute__\(\([a-z_]*\)\) */, "")
    sub(/;.*/, "")
    result = substr($0, 1, index($0, "(") - 1)
    name = result
    sub(/.* /, "", name)
    sub(/ *[a-zA-Z_0-9]+ *$/, "", result)
    parameters = substr($0, index($0, "(") + 1)
    sub(/\)[^)]*$/, "", parameters)
    count = split(parameters, type, ",")
    for (i = 1; i <= count; i++) {
        gsub(/^ +| +$/, "", type[i])
        if (type[i] !~ /\*$|_t$/ && type[i] !~ /^(const )?[a-z]+_?[a-z]*[0-9]*$/)
            sub(/ *[a-z]+$/, "", type[i]) # its name
    }
    if (calls)
        call_it()
    else if (is_exact() && ++candidates % each == 0)
        prove_it()
}

END { if (open) print "}" }

function call_it(formal, actual, i) {
    formal = actual = ""
    for (i = 1; i <= count; i++) {
        formal = formal (i > 1 ? ", " : "") type[i] " a" i
        actual = actual (i > 1 ? ", " : "") "a" i
    }
    printf "%s call_%d(%s) { %s%s(%s); }\n", result, ++number, formal,
        result == "void" ? "" : "return ", name, actual
}

# Integers, conversions, relations, and the order of elements.
function is_exact() {
    if (parameters ~ /\*|image/ || result == "void" || parameters ~ /^(void)?$/)
        return 0
    if (name ~ /^convert_/)
        return 1
    if (name ~ /^(shuffle2?|select|bitselect|upsample|any|all|is[a-z]+|signbit)$/)
        return 1
    return parameters !~ /float|double/ && name !~ /^(nan|mul24|mad24)$/
}

# What is converted to a whole number must be one, and small unless there is a limit.
function argument(i, n, place) {
    place = " *)(in + " 256 * (i - 1) ")"
    if (name !~ /^convert_u?(char|short|int|long)/ || type[i] !~ /float|double/)
        return "*(global " type[i] place
    n = type[i]
    gsub(/[a-z]/, "", n)
    if (name ~ /_sat/)
        return "NUMBER(" type[i] ", *(global " type[i] place ")"
    return "convert_" type[i] "(*(global uchar" n place ") / 16"
}

function prove_it(arguments, i) {
    if (slot % 64 == 0) {
        if (open)
            print "}"
        open = 1
        printf "kernel void prove_%d(global uchar *out, global uchar *in) {\n", slot / 64
        print "    out += 8192 * get_global_id(0);\n    in += 1024 * get_global_id(0);"
    }
    arguments = ""
    for (i = 1; i <= count; i++)
        arguments = arguments (i > 1 ? ", " : "") argument(i)
    # Not-a-number has many forms.
    printf "    { %s r = %s(%s); ", result, name, arguments
    if (result ~ /float|double/)
        printf "r = r == r ? r : (%s)7; ", result
    if (sub(/3$/, "", result)) # the fourth may be anything
        printf "vstore3(r, 0, (global %s *)(out + %d)); }\n", result, 128 * (slot++ % 64)
    else
        printf "*(global %s *)(out + %d) = r; }\n", result, 128 * (slot++ % 64)
}
