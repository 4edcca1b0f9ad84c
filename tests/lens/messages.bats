load helper.bash

# What the lens says, and what it does in hostile surroundings.

# in_scratch : from here on we are in the test's own folder.
in_scratch() {
    cd "$BATS_TEST_TMPDIR"
}

# ---- What the compiler says.

@test "messages: a typing error is the file's, with clang's own lines and its caret" {
    in_scratch
    printf '%s\n' 'kernel void twice(global float *x) {' '    int i = get_global_id(0)' \
        '    x[i] *= 2;' '}' > typing.cl
    run -2 lens kernel typing.cl
    [ "${lines[0]}" = 'error: typing.cl does not compile:' ]
    [ "${lines[1]}" = "  typing.cl:2:29: error: expected ';' at end of declaration" ]
    [[ $output == *$'get_global_id(0)\n  '*'  ^'* && $output == *$'\n  hint    '* ]]
    [[ $output != *"the replay lacks"* && $output != *"$BATS_TEST_TMPDIR"* ]]
    # Several errors, a note with a macro of the file's own, and none about the lens's files.
    printf '%s\n' '#define PLUS(x) (x +)' 'kernel void k(global struct nowhere *p, global int *x) {' \
        '    x[0] = PLUS(3);' '    x[1] = p->none;' '}' > several.cl
    run -2 lens kernel several.cl
    [[ $output == *'several.cl:3:12: error: '*'several.cl:1:21: note: '*'several.cl:4:13: error: '* ]]
    [[ $output != *builtins.cl* && $output != *main.cl* && $output != *' generated.'* ]]
}

@test "messages: what clang calls fatal is shown, and what it was included by" {
    in_scratch
    echo '#include "nosuch.h"' > inner.h
    printf '%s\n' '#include "inner.h"' 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    run -2 lens kernel k.cl
    [ "${lines[0]}" = 'error: k.cl does not compile:' ]
    [ "${lines[1]}" = '  In file included from k.cl:1:' ]
    [[ ${lines[2]} == *"inner.h:1:10: fatal error: 'nosuch.h' file not found" ]]
    [[ $output == *'hint    -I FOLDER '* && $output != *main.cl* ]]
    local left right
    left=$(printf '(%.0s' {1..300}) right=$(printf ')%.0s' {1..300})
    echo "kernel void k(global int *x) { x[0] = ${left}1$right; }" > k.cl
    run lens kernel k.cl
    if [ "$status" -ne 0 ]; then # clang 21 takes so many
        [[ $status -eq 2 && $output == *'fatal error: bracket nesting level exceeded'* ]]
    fi
    printf '%s\n' 'global int g = 3;' 'kernel void k(global int *x) { x[0] = g; }' > k.cl
    run -2 lens kernel k.cl
    [[ $output == *'k.cl:1:12: error: program scope variable'*'hint    '*'--build -cl-std=CL2.0' ]]
    run -0 lens kernel k.cl --build -cl-std=CL2.0
}

@test "messages: the replay lacks something only where clang alone takes the file" {
    in_scratch
    # The lens has a function of that name, which the file's declaration contradicts.
    printf '%s\n' 'int lens_fence(int);' 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    run -77 lens kernel k.cl
    [[ $output == *'the replay lacks something that it needs'*'k.cl:1:5: error: '*'hint '* ]]
    launcher
    run lens --quiet "$launch" k.cl k 1 1 i1
    [[ $status -eq 77 && $output == *'the replay lacks something that this kernel file needs'* ]]
}

@test "messages: a clang that crashes says so, and leaves no files" {
    in_scratch
    echo 'typedef void (*f)(void); void g(void) {} kernel void k(global int *x) { f h = g; h(); }' > k.cl
    run lens kernel k.cl
    [ "$status" -eq 77 ] || skip "this clang does not crash at a function pointer"
    [[ $output == *crashed* ]] || skip "this clang does not crash at a function pointer"
    run find "$TMPDIR" -name 'main-*'
    [ -z "$output" ]
}

@test "messages: a compiler that a signal ends says nothing; that it crashed is said" {
    in_scratch
    echo 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    printf '%s\n' '#!/bin/sh' 'kill -SEGV $$' > clang
    chmod +x clang
    LENS_CLANG=$PWD/clang run -77 lens kernel k.cl
    [[ $output == *"(it has crashed, which no source should make it do)"* && $output != *"cannot write"* ]]
}

@test "messages: what a killed lens has left is removed, and what another one uses is not" {
    in_scratch
    local ago
    ago=$(date -d '1 hour ago' +%Y%m%d%H%M)
    echo 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    mkdir lens-killed lens-in_use lens-a lens-young1 lens-others
    touch lens-killed/main.cl lens-in_use/main.cl lens-others/mine
    touch -t "$ago" lens-killed lens-in_use lens-a lens-others
    flock lens-in_use lens kernel k.cl > /dev/null
    [ ! -e lens-killed ]
    [ -e lens-in_use/main.cl ]
    [ -e lens-a ]
    [ -e lens-young1 ]
    [ -e lens-others/mine ]
    # Killed in mid-work, it leaves a folder which nobody holds.
    printf '#!/bin/sh\nkill -9 $PPID\n' > clang-killer
    chmod +x clang-killer
    run env LENS_CLANG=./clang-killer LENS_CACHE= lens kernel k.cl
    [ "$status" -eq 137 ]
    local left
    left=$(find . -maxdepth 1 -name 'lens-??????' -newer clang-killer ! -name lens-young1)
    [ -d "$left" ]
    touch -t "$ago" "$left"
    lens kernel k.cl > /dev/null
    [ ! -e "$left" ]
}

# ---- How it is called.

@test "messages: a kernel file in place of a program is looked at as a kernel" {
    in_scratch
    echo 'kernel void k(global int *x) { x[get_global_id(0)] = 0; }' > k.cl
    lens kernel k.cl 'k(x=1)' --global 64 > expected
    lens k.cl 'k(x=1)' --global 64 > said
    cmp expected said
    chmod +x k.cl # as on a file system that knows no such thing
    lens ./k.cl 'k(x=1)' --global 64 > said
    cmp expected said
    run -0 lens --races k.cl --local 32
    [[ $output == *'no mistake found in 1 launch' ]]
    says 2 'cannot read nosuch.cl: No such file' lens nosuch.cl
    printf '#!/bin/sh\nexit 5\n' > program.cl # whatever it is called
    chmod +x program.cl
    run -5 lens ./program.cl
}

@test "messages: of a misspelt kernel, argument or option it says which one is meant" {
    in_scratch
    printf '%s\n' 'kernel void dot_contiguous(global int *x, int count) { x[0] = count; }' \
        'kernel void other(global int *x) { x[0] = 0; }' > k.cl
    says 2 'k.cl has no kernel dot_contigous' lens kernel k.cl dot_contigous
    [[ $stderr == *'hint    did you mean dot_contiguous? it has dot_contiguous, other' ]]
    says 2 'k.cl has no kernel elephant' lens kernel k.cl elephant
    [[ $stderr == *'hint    it has dot_contiguous, other' ]]
    says 2 'error: dot_contiguous has no argument cuont' lens kernel k.cl 'dot_contiguous(cuont=3)'
    [[ $stderr == *'hint    did you mean count? it has int* x, int count' ]]
    says 2 'error: dot_contiguous has no argument z' lens kernel k.cl 'dot_contiguous(z=3)'
    [[ $stderr == *'hint    it has int* x, int count' ]]
    says 2 '--al-sizes is not an option' lens kernel k.cl other --al-sizes
    [[ $stderr == *'hint    did you mean --all-sizes?' ]]
    says 2 '--colour is not an option' lens --colour true
    [[ $stderr != *'did you mean'* ]]
    launcher
    run --separate-stderr lens --quiet --kernel dto_contiguous "$launch" k.cl other 1 1 i1 , \
        dot_contiguous 1 1 i1 n=3
    [[ $status -eq 77 && $stderr == *'did you mean dot_contiguous? the program has other, dot_contiguous'* ]]
}

@test "messages: an error begins with error, a note with note, whatever the lens is called" {
    in_scratch
    echo 'kernel void k(global int *x) { *x = 1; }' > k.cl
    ln -s "$BUILT/lens" cllens
    local call name
    for name in lens ./cllens; do
        for call in 'kernel k.cl none' 'kernel k.cl k(y=1)' 'kernel k.cl k(x[much])' 'nosuch' \
            'kernel nosuch.cl' '--lanes 5 true' 'kernel k.cl --global 3 --local 2'; do
            # shellcheck disable=SC2086 # words
            says 2 '' "$name" $call
            [[ $stderr == 'error: '* && $stderr != *lens:* ]] || { echo "$stderr"; return 1; }
        done
        run -0 "$name" kernel --races k.cl --global 64
        [[ $output == *$'\nnote: k: data race: '* && $output != *lens:* ]]
    done
}

@test "messages: groups of more dimensions than the launch are called that" {
    in_scratch
    echo 'kernel void k(global int *x) { x[get_global_id(0)] = 0; }' > k.cl
    says 2 'more dimensions than the launch' lens kernel k.cl --global 21000 --local 64,64
    [[ $stderr != *multiple* ]]
}

# ---- Surroundings.

@test "messages: a closed stdout is an error, for kernels as for programs" {
    in_scratch
    echo 'kernel void k(global int *x) { x[get_global_id(0)] = 0; }' > k.cl
    run -2 bash -c 'lens kernel k.cl >&-'
    [[ $output == 'error: stdout is closed'*'hint'* ]]
    run -2 bash -c 'lens true >&-'
    [[ $output == 'error: stdout is closed'*'hint'* ]]
}

@test "messages: a page or a picture lies where the call was, and takes no other file's place" {
    launcher
    in_scratch
    mkdir there
    printf '%s\n' 'kernel void k(global float *x) { x[2 * get_global_id(0)] = 0; }' > there/k.cl
    # tests/lens/launch.c goes to the file's folder.
    lens --quiet --html page.html --svg picture.svg "$launch" there/k.cl k 64 64 f128 > /dev/null
    [[ $(head -c 15 page.html) == '<!doctype html>' && $(head -c 4 picture.svg) == '<svg' ]]
    [ "$(ls there)" = k.cl ]
    lens kernel --html page.html --svg picture.svg there/k.cl 'k(x[2048])' > /dev/null # again
    cp there/k.cl before
    says 2 'there/k.cl is there, and is no page' lens kernel --html there/k.cl there/k.cl
    says 2 'before is there, and is no picture' lens kernel --svg before there/k.cl
    says 2 'page.html is there, and is no picture' lens kernel --svg page.html there/k.cl
    cmp before there/k.cl
    : > empty
    lens kernel --html empty there/k.cl 'k(x[2048])' > /dev/null
    [ -s empty ]
    says 2 '--html needs the name of a file' lens kernel --html '' there/k.cl
    says 2 '--svg needs the name of a file' lens --svg= true
}

@test "messages: no colours with NO_COLOR or a dumb terminal" {
    command -v script > /dev/null || skip "no script, which makes a terminal"
    in_scratch
    echo 'kernel void k(global float *x) { x[2 * get_global_id(0)] = 0; }' > k.cl
    local escape=$'\033['
    run script -qefc "env -u NO_COLOR TERM=xterm lens kernel k.cl 'k(x[2048])'" /dev/null < /dev/null
    [[ $status -eq 0 && $output == *"$escape"* ]]
    run script -qefc "NO_COLOR=1 TERM=xterm lens kernel k.cl 'k(x[2048])'" /dev/null < /dev/null
    [[ $status -eq 0 && $output != *"$escape"* && $output == *'The worst access: k, line 1 of k.cl, stores x'* ]]
    run script -qefc "env -u NO_COLOR TERM=dumb lens kernel k.cl 'k(x[2048])'" /dev/null < /dev/null
    [[ $status -eq 0 && $output != *"$escape"* && $output == *'The worst access: k, line 1 of k.cl, stores x'* ]]
}

@test "messages: the caller's environment chooses no options" {
    in_scratch
    echo 'kernel void k(global int *x) { x[get_global_id(0)] = 0; }' > k.cl
    lens kernel k.cl > expected
    env LENS_LANES=33 LENS_RACES=1 LENS_OUT=7 LENS_KERNEL=none LENS_ALL=1 lens kernel k.cl > said
    cmp expected said
    launcher
    lens --quiet "$launch" k.cl k 64 64 i64 > expected
    env LENS_LANES=100000 LENS_SEEN=99 LENS_QUIET=1 LENS_PRELOAD=1 lens --quiet "$launch" k.cl k 64 64 i64 > said
    cmp expected said
}

@test "messages: a file of 10 MB takes no longer than it takes to read it a few times" {
    in_scratch
    {
        yes '// fifty letters of a comment that says nothing more' | head -n 200000
        echo 'kernel void k(global float *x) { x[2 * get_global_id(0)] = 0; }'
    } > big.cl
    run -0 timeout 60 lens kernel big.cl 'k(x[2048])'
    [[ $output == *'line 200001 of big.cl, stores x'*'200001  kernel void k('* ]]
}

@test "messages: what is uninstalled leaves no folders but those that were there" {
    local folder=$BATS_TEST_TMPDIR/a
    mkdir -p "$folder/usr/share/man" "$folder/usr/bin"
    touch "$folder/usr/bin/other"
    SETUP=no make -s -C "$ROOT" install DESTDIR="$folder" PREFIX=/usr > /dev/null
    SETUP=no make -s -C "$ROOT" install DESTDIR="$folder" PREFIX=/usr > /dev/null
    [ -x "$folder/usr/bin/cllens" ]
    SETUP=no make -s -C "$ROOT" uninstall DESTDIR="$folder" PREFIX=/usr
    run -0 bash -c "cd '$folder' && find usr | sort"
    [ "$output" = $'usr\nusr/bin\nusr/bin/other\nusr/share\nusr/share/man' ]
}

# ---- Sums.

@test "sums: what a launch moves, by hand, and for each work-item" {
    in_scratch
    cat > k.cl <<- 'END'
	kernel void k(global const float *x, global float *y, global int *count, local float *part) {
	    const uint i = get_global_id(0), item = get_local_id(0);
	    part[2 * item] = x[8 * i];
	    barrier(CLK_LOCAL_MEM_FENCE);
	    if (i < 48)
	        atomic_inc(count);
	    y[i] = part[2 * item];
	}
	END
    # 4 warps.  x: 32 sectors each, y: 4, count: 1 of the first two; part: 2 passes, twice.
    # (4 * 36 + 2) * 32 = 4672 bytes, of which 32 * 4 * 2 * 4 + 2 * 4 = 1032 are used.
    run -0 lens kernel k.cl 'k(x[1024], part=512)' --global 128 --local 64
    [[ $output == *$'\nIn all: 10 requests move 4672 bytes (36.5 a work-item, 22.1 % used);\n'* ]]
    [[ $output == *'16 passes of local memory (0.125 a work-item); 48 atomics (0.375 a work-item);'* ]]
    [[ $output == *'25.0 % of branches diverge'$'\n\nEvery load'* ]]
    run -0 lens kernel k.cl 'k(x[1024], part=512)' --global 128 --local 64 --format json
    local field
    for field in work_items:128 work_items_replayed:128 requests:10 bytes:4672 bytes_used:1032 \
        local_requests:8 local_passes:16 atomic_operations:48 branches:4 branches_diverged:1 \
        bytes_per_item:36.50 passes_per_item:0.12; do
        [[ ${lines[-2]} == '{"row":"total","kernel":"k",'*"\"${field%:*}\":${field#*:}"[,}]* ]] ||
            { echo "not $field: ${lines[-1]}"; return 1; }
    done
}

@test "sums: of a sample they are scaled, so that other groups and more of them compare" {
    in_scratch
    echo 'kernel void k(global const float *x, global float *y) { y[get_global_id(0)] = x[2 * get_global_id(0)]; }' > k.cl
    local local
    for local in 32 64; do # each warp: 8 and 4 sectors
        run -0 lens kernel k.cl 'k(x[131072])' --global 65536 --local $local --groups 16
        [[ $output == *"In all (scaled, from a sample of 16 of $((65536 / local)) groups):"* ]]
        [[ $output == *'4096 requests move 786432 bytes (12 a work-item, 66.7 % used)'* ]]
        run -0 lens kernel k.cl 'k(x[131072])' --global 65536 --local $local --groups 16 --format json
        [[ ${lines[-2]} == *'"work_items_replayed":'$((16 * local))',"requests":4096,"bytes":786432,'* ]]
    done
    run -0 lens kernel k.cl 'k(x[131072])' --global 65536 --local 64 --groups 4096
    [[ $output == *$'\nIn all: 4096 requests move 786432 bytes (12 a work-item, 66.7 % used)\n'* ]]
    # Of groups that are not full, those work-items count which there are.
    run -0 lens kernel k.cl 'k(x[200])' --global 100 --local 64 --build -cl-std=CL2.0
    [[ $output == *'In all: 8 requests move '*' bytes (12.16 a work-item, '* ]] # (25 + 13) * 32 / 100
    launcher
    lens --quiet --all "$launch" k.cl k 64 64 f128 f64 | grep -qx '  In all: 4 requests move 768 bytes (12 a work-item, 66.7 % used)'
    run -0 lens --quiet "$launch" k.cl k 64 64 f128 f64 # the table of a program stays as it is
    [[ $output != *'In all'* ]]
}

@test "sums: constant memory costs an address at a time, and moves no sectors" {
    in_scratch
    cat > k.cl <<- 'END'
	constant uchar letters[64] = {1, 2, 3};
	kernel void all(constant float *c, global float *y) { y[get_global_id(0)] = c[get_group_id(0)]; }
	kernel void each(constant float *c, global float *y) { y[get_global_id(0)] = c[get_local_id(0)]; }
	kernel void wide(constant float4 *c, global float *y) {
	    const float4 four = c[get_group_id(0)];
	    y[get_global_id(0)] = four.x + four.y + four.z + four.w;
	}
	kernel void bytes(global float *y) { y[get_global_id(0)] = letters[get_local_id(0)]; }
	END
    # one KERNEL COST IDEAL : the table, the listing and the rows of it; 2 warps.
    one() {
        local needed=$3
        [ "$2" -ne "$3" ] || needed=all
        run -0 lens kernel k.cl "$1" --global 64 --local 32
        [[ $output == *'addresses in'*'constant memory'* ]]
        grep -qE "^[a-z]+ +4 +all +$2 +$needed +32\.0\$" <<< "$output"
        [[ $output == *'In all: 2 requests move 256 bytes ('*"$((2 * $2)) addresses of constant memory"* ]]
        run -0 lens kernel k.cl "$1" --global 64 --local 32 --all
        [[ $output == *"32.0 lanes  "*"$2.00 addresses (ideal $3.00)"* ]]
        run -0 lens kernel k.cl "$1" --global 64 --local 32 --format json
        [[ $output == *"\"memory\":\"constant\""*"\"addresses\":$2.00,\"ideal_addresses\":$3.00"[,}]* ]]
        [[ $output == *"\"constant_requests\":2,\"constant_addresses\":$((2 * $2)),"* ]]
    }
    one 'all(c[2])' 1 1
    one 'each(c[32])' 32 1
    one 'wide(c[2])' 4 4
    one bytes 8 1
    run -0 lens kernel k.cl 'each(c[32])' --global 64 --local 32
    [[ $output == *'The worst access: each, line 3 of k.cl, loads c'* ]]
    [[ $output == *'Constant memory serves one address at a time: here 32, one after another.'* ]]
    lens kernel --html page.html k.cl 'each(c[32])' --global 64 --local 32 > /dev/null
    grep -q '"addresses":32,"ideal_addresses":1,' page.html
}

# ---- Mistakes for programs.

@test "rows: each mistake is a row, each note another, and none is a row as well" {
    in_scratch
    cat > k.cl <<- 'END'
	kernel void k(global int *x, global int *found) {
	    local int t[64];
	    t[get_local_id(0)] = x[get_global_id(0)];
	    x[get_global_id(0) + 1] = t[63 - get_local_id(0)];
	    found[0] = 1;
	}
	kernel void fine(global int *x) { x[get_global_id(0)] = 1; }
	END
    run --separate-stderr -1 lens kernel --races --format json k.cl 'k(x[128], found[1])' --global 128 --local 64
    [ "${#lines[@]}" -ge 3 ]
    local race='{"row":"mistake","kernel":"k","arguments":"","global":[128,1,1],"local":[64,1,1],"lanes":32,"rule":"race","kind":"data race","message":"data race: t in local memory, bytes '
    [[ $output == *"$race"*'"file":"k.cl","line":4,"column":31,"item":'*'"other_line":3,"other_column":24,'*'"memory":"local","name":"t","object_bytes":256,"first_byte":'* ]]
    [[ $output == *'"kind":"out-of-bounds access"'*'"line":4,'*'"item":63,"lane":31,"group":1,"who":"item 63 of group 1 writes","memory":"global","name":"x","object_bytes":512,"first_byte":512,"last_byte":515,"times":1,"hint":"compare'* ]]
    [[ $output == *'{"row":"note",'*'"line":5,'*'"name":"found"'* ]]
    [ -z "$(grep -v '^{"row":.*}$' <<< "$output")" ]
    if command -v python3 > /dev/null; then
        python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <<< "$output"
    fi
    # Tab-separated values have the same number of rows, and fields below their names.
    local rows=${#lines[@]}
    run --separate-stderr -1 lens kernel --races --format tsv k.cl 'k(x[128], found[1])' --global 128 --local 64
    [ "${#lines[@]}" -eq $((rows + 1)) ]
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; columns = NF }
        NF != columns { exit 1 }
        $at["row"] == "mistake" && $at["kind"] == "out-of-bounds access" && $at["first_byte"] == 512 &&
            $at["line"] == 4 { found = 1 }
        END { exit !found }' <<< "$output"
    run --separate-stderr -0 lens kernel --races --format json k.cl 'fine(x[64])' --global 64
    [ "${lines[-1]}" = '{"row":"verdict","verdict":"no mistake found","mistakes":0,"launches":1,"launches_seen":1,"launches_cut_short":0,"launches_sampled":0,"launches_left_out":0,"launches_hidden":0}' ]
    launcher
    run --separate-stderr lens --quiet --races --format json "$launch" k.cl k 64 64 z65 z1
    [[ $status -eq 1 && ${lines[0]} == '{"row":"mistake",'* ]]
    # Also what ends a report of counts.
    run --separate-stderr -1 lens kernel --format json k.cl 'k(x[128], found[1])' --global 128 --local 64
    [[ $output == '{"row":"mistake",'*'"kind":"out-of-bounds access"'* ]]
}

# ---- A sign of life.

@test "progress: on a terminal, what takes more than three seconds says how far it is, and erases that" {
    command -v script > /dev/null || skip "no script, which makes a terminal"
    in_scratch
    cat > k.cl <<- 'END'
	kernel void slow(global uint *x, uint n) {
	    uint y = get_global_id(0) + 1;
	    for (uint i = 0; i < n; i++)
	        y ^= y << 13 ^ y >> 7;
	    x[get_global_id(0)] = y;
	}
	END
    # The report goes to a file: the terminal has the sign alone.
    run timeout 100 script -qefc "lens kernel k.cl 'slow(n=1000000)' --global 640 --local 32 --groups 20 > report" \
        /dev/null < /dev/null
    grep -qE '^slow +4 +all +32\.0 +none$' report
    [ "$status" -eq 0 ]
    [[ $output =~ [3-9]' s: slow, '[0-9]+' of 20 groups, '[0-9]+' million steps' ]] || {
        [ -z "$output" ] && skip "it takes less than three seconds here"
        echo "$output"
        return 1
    }
    local blanks
    printf -v blanks '\r%79s\r' ''
    [[ $output == *"$blanks" ]] # the last thing
    run timeout 100 script -qefc "lens kernel k.cl slow --global 640" /dev/null < /dev/null
    [[ $output != *' s: slow'* && $output != *"$blanks"* ]] # too short
}

@test "progress: in a pipe or a file there is none" {
    in_scratch
    echo 'kernel void slow(global uint *x, uint n) { uint y = 1; for (uint i = 0; i < n; i++) y ^= y << 13 ^ y >> 7; *x = y; }' > k.cl
    run --separate-stderr timeout 6 lens kernel k.cl 'slow(n=2000000)' --global 3200000 --local 32 --groups 100000
    [ "$status" -eq 124 ] # it goes on
    [ -z "$output$stderr" ]
}

# ---- Guesses that a mistake comes from.

@test "guesses: the number that made an index, and one group, are tried and named" {
    in_scratch
    cat > k.cl <<- 'END'
	kernel void blur(global const float *in, global float *out, int radius, int rounds) {
	    const int i = get_global_id(0);
	    float sum = 0;
	    for (int k = -radius; k <= radius; k++)
	        sum += in[i + k + 8];
	    out[i] = sum * rounds;
	}
	kernel void part(global float *x, int axis) {
	    float place[4] = {x[0], x[1], x[2], x[3]};
	    x[get_global_id(0)] = place[axis];
	}
	kernel void one_group(global float *x) {
	    local float t[256];
	    const uint item = get_local_id(0);
	    t[item] = x[item];
	    barrier(CLK_LOCAL_MEM_FENCE);
	    x[item] = t[255 - item];
	}
	kernel void wrong(global float *x, int n) {
	    const int i = get_global_id(0);
	    if (i < n)
	        x[i - 1] = 3;
	}
	END
    run -1 lens kernel --races k.cl blur
    [[ $output == *$'\n  guess   radius was guessed as 1024, the number of work-items: give it (with radius=1, line 5 is in bounds)\n'* ]]
    [[ $output != *'rounds was'* && $output != *'with one group'* ]]
    run -0 lens kernel --races k.cl 'blur(in[1040], radius=1)'
    run -1 lens kernel --races k.cl part
    [[ $output == *'  guess   axis was guessed as 1024, '*'(with axis=1, line 10 is in bounds)'* ]]
    run -1 lens kernel --races k.cl one_group
    [[ $output == *$'\n  guess   with one group nothing is found: --global 256 --local 256\n'* ]]
    run -0 lens kernel --races k.cl one_group --global 256 --local 256
    # Of a mistake that does not come from a guess, nothing of the kind is said, nor of what was given.
    run -1 lens kernel --races k.cl wrong
    [[ $output == *'out-of-bounds access: x'* && $output != *'  guess '* ]]
    run -1 lens kernel --races k.cl 'blur(radius=1024)'
    [[ $output == *'out-of-bounds access: in'* && $output != *'  guess '* ]]
    run -1 lens kernel --races k.cl one_group --global 512
    [[ $output == *'data race'* && $output != *'  guess '* ]]
    # For programs, rows stay alone.
    run --separate-stderr -1 lens kernel --races --format json k.cl blur
    [[ $stderr == *'  guess   radius was guessed'* && $output != *'  guess'* ]]
    # The page is that of the first launch.
    lens kernel --races --html page.html k.cl blur > /dev/null || true
    grep -q 'radius=1024' page.html
}

# ---- Help.

@test "help: kernel --help has what concerns kernels, and --help has all" {
    run -0 lens kernel --help
    [[ ${lines[0]} == 'usage: lens kernel [options] FILE [CALL]' ]]
    [[ $output == *--all-sizes*'For example: lens kernel '* && $output == *'file:NAME'* ]]
    local option
    for option in mistake each instead waits compare preload all-launches quiet; do
        [[ $output != *"--$option "* ]] || { echo "--$option is for programs"; return 1; }
    done
    local kernels=$output
    run -0 lens --help
    [[ $output == 'usage: lens [options] PROGRAM [ARGUMENTS]'*'--instead FILE'*'--all-sizes'* ]]
    for option in $(grep -oE -e '^ +--[a-z-]+' <<< "$kernels"); do
        [[ $output == *"  $option "* ]]
    done
}

@test "help: the man page's first run is what the lens prints" {
    in_scratch
    local page=$BUILT/cllens.1
    # literal NUMBER : that one of the section's texts that are shown as they are.
    literal() {
        awk -v wanted="$1" '/^\.Sh/ { inside = $0 == ".Sh FIRST RUN" }
            inside && /^\.Bd -literal/ { number++; shown = number == wanted; next }
            /^\.Ed/ { shown = 0 } shown' "$page"
    }
    literal 1 > copy.cl
    grep -q '^kernel void copy' copy.cl
    run -0 lens --all copy.cl 'copy(far=2)'
    [[ $output == *'compiled by clang 15' ]] || skip "another clang than the page's"
    run -0 lens copy.cl 'copy(far=2)'
    [ "${output%%$'\n\nEvery load'*}" = "$(literal 2)" ]
}
