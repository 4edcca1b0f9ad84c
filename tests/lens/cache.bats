load helper.bash

# What clang made is kept.

# look [FILE] : the report on a step, whose kernels are compiled under our eyes.
look() {
    count_clang
    run -0 lens --quiet step03_dot_coalesced --size 1003 --repeats 1 "$@"
}

@test "cache: a second run compiles nothing, and reports the same; another compiler compiles" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    compiled 1
    local report=$output
    look
    compiled 0
    [ "$output" = "$report" ]
    echo '# another' >> "$LENS_CLANG"
    look
    compiled 1
    PATH=$BATS_TEST_TMPDIR:$PATH LENS_CLANG=clang run -0 lens --quiet step03_dot_coalesced \
        --size 1003 --repeats 1 # found in PATH, it is the same compiler
    compiled 1
    [ "$output" = "$report" ]
    echo "$(< "$ROOT/kernels/step03_dot_coalesced.cl") // changed" > "$BATS_TEST_TMPDIR/k.cl"
    look --kernel "$BATS_TEST_TMPDIR/k.cl"
    compiled 1
    LENS_CACHE='' look
    compiled 1
    [ "$output" = "$report" ]
}

@test "cache: an entry that is cut off or damaged is made anew" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    local report=$output entry
    entry=$(echo "$LENS_CACHE"/*)
    cp "$entry" "$BATS_TEST_TMPDIR/entry"
    for damage in 'truncate -s 10000' 'truncate -s 7' 'sed -i s/lens_code/lens_core/'; do
        $damage "$entry"
        run ! cmp -s "$entry" "$BATS_TEST_TMPDIR/entry"
        look
        compiled 1
        [ "$output" = "$report" ]
        look
        compiled 0
    done
}

@test "cache: what is known is loaded, and nothing is started for it or read again" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    local report=$output
    run ! grep -aq 'target triple' "$LENS_CACHE"/* # LLVM's text is not kept
    # The compiler is the same file as before, but what it starts fails from now on.
    mkdir "$BATS_TEST_TMPDIR/broken"
    for name in clang ld; do
        printf '#!/bin/bash\necho %s >> "%s/started"\nexit 1\n' $name "$BATS_TEST_TMPDIR" \
            > "$BATS_TEST_TMPDIR/broken/$name"
        chmod +x "$BATS_TEST_TMPDIR/broken/$name"
    done
    count_clang
    PATH=$BATS_TEST_TMPDIR/broken:$PATH run -0 lens --quiet step03_dot_coalesced --size 1003 \
        --repeats 1
    [ "$output" = "$report" ]
    [ ! -s "$BATS_TEST_TMPDIR/calls" ]
    [ ! -e "$BATS_TEST_TMPDIR/started" ]
}

# forge ENTRY CHANGE : the library in an entry is changed by a statement of Python, and the sum
# of the entry is made to fit.
forge() {
    python3 - "$1" "$2" <<- 'END'
	import struct, sys
	entry = open(sys.argv[1], "rb").read()
	key, size = struct.unpack_from("QQ", entry, 8)
	begin, library = entry[:24 + key], bytearray(entry[24 + key:])
	assert len(library) == size
	names = locals()
	exec(sys.argv[2], names)
	content = struct.pack("QQ", key, len(names["library"])) + begin[24:] + names["library"]
	number = 14695981039346656037
	for byte in content:
	    number = (number ^ byte) * 1099511628211 % 2**64
	open(sys.argv[1], "wb").write(struct.pack("Q", number) + content)
	END
}

@test "cache: a whole entry whose library is none, or another lens's, is made again" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    look
    local report=$output entry change
    entry=$(echo "$LENS_CACHE"/*)
    forge "$entry" pass # or nothing of what follows would show anything
    look
    compiled 0
    for change in 'library[:] = bytes(len(library))' 'library = library[:0]' \
        'library = library.replace(b"lens_code", b"lens_core")' \
        'at = library.index(struct.pack("QQ", 24, 56)); library[at] += 8'; do
        forge "$entry" "$change"
        look
        compiled 1
        [ "$output" = "$report" ]
        look
        compiled 0
        [ "$output" = "$report" ]
    done
}

@test "cache: builtins.cl is precompiled once, changes nothing, and is made anew if damaged" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    local report header
    again() { # another run, that compiles; the first one made the folder
        rm -f "$LENS_CACHE"/*
        look
        [ "$output" = "$report" ]
    }
    look
    report=$output
    again
    grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    again
    compiled 1
    grep -q -- '-include-pch' "$BATS_TEST_TMPDIR/calls"
    run ! grep -q -- '-emit-pch' "$BATS_TEST_TMPDIR/calls"
    header=$(echo "$LENS_CACHE"/.*.pch)
    for damage in 'truncate -s 5000' 'truncate -s 0' 'sed -i 1s/^..../else/'; do
        $damage "$header"
        again
        [ ! -e "$header" ]
        again
        [ -s "$header" ]
    done
}

@test "cache: a folder that takes no files, or is none, does no harm" {
    look
    local report=$output
    : > "$BATS_TEST_TMPDIR/file"
    for folder in /proc /dev/full "$BATS_TEST_TMPDIR/file" /nonexistent/cache; do
        LENS_CACHE=$folder look
        compiled 1
        [ "$output" = "$report" ]
    done
}

@test "cache: a file that includes others is compiled each time" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    echo 'constant float factor = 2.0f;' > "$BATS_TEST_TMPDIR/factor.clh"
    printf '%s\n' '#include "factor.clh"' 'kernel void k(global float *x) { *x = factor; }' \
        > "$BATS_TEST_TMPDIR/k.cl"
    run -0 lens --quiet "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1 1 f1
    [ ! -e "$LENS_CACHE" ]
}
