load helper.bash

# Every mistake of a file in one run.  ours.cl has three kernels; a function and a macro serve
# one of them.

# each FILE=SED ... : what --each says of ours.cl, changed so.
each() {
    local names=()
    cd "$BATS_TEST_TMPDIR"
    cat > ours.cl <<- 'END'
	#define TWICE(x) (2.0f * (x))
	static inline float more(float x) {
	    return TWICE(x) + 1.0f;
	}
	kernel void turned(global const float *x, global float *out) {
	    local float t[64];
	    const uint i = get_local_id(0);
	    t[i] = x[i];
	    barrier(CLK_LOCAL_MEM_FENCE);
	    out[i] = t[63 - i];
	}
	kernel void plain(global const float *x, global float *out) {
	    const uint i = get_global_id(0);
	    out[i] = more(x[i]);
	}
	kernel void ones(global float *out) { out[get_global_id(0)] = 1.0f; }
	END
    for change in "$@"; do
        sed "${change#*=}" ours.cl > "${change%%=*}"
        names+=(--mistake "${change%%=*}")
    done
    run --separate-stderr -0 lens --quiet --ours ours.cl "${names[@]}" --each \
        "$BATS_FILE_TMPDIR/launch" ours.cl turned 64 64 f64 e64 , plain 64 64 f64 e64
    echo "$output"
    [ "${#lines[@]}" -eq $# ]
}

# verdict NUMBER FILE VERDICT TEXT : so says a line of that.
verdict() {
    IFS=$'\t' read -r file word digest text <<< "${lines[$1]}"
    [ "$file" = "$2" ]
    [ "$word" = "$3" ]
    [[ $text == "$4"* && (-n $4 || -z $text) ]]
}

@test "each: a line for each mistake, with its verdict" {
    each race.cl='s/barrier(.*;//' outside.cl='s/out\[i\] = more/out[i + 1] = more/' \
        unwritten.cl='s/t\[i\] = x/if (i > 0) t[i] = x/' wrong.cl='s/63 - i/62 - min(i, 62u)/' \
        endless.cl='s/out\[i\] = more.*/while (*(volatile global float *)x == 1.0f);/' \
        same.cl='s!{!{ /* begins */!' lacks.cl='s/void plain/void plane/' \
        broken.cl='s/ = t\[63 - i\]/ = t[63 - ]/' unused.cl='s/= 1.0f;/= 1.0f/'
    verdict 0 race.cl RACE 'error: turned: data race: t in local memory, '
    verdict 1 outside.cl OUTSIDE 'error: plain: out-of-bounds access: out in global memory, bytes 256 to 259'
    verdict 2 unwritten.cl UNWRITTEN 'error: turned: uninitialised read: t in local'
    verdict 3 wrong.cl WRONG 'turned: out[0] is 63, ours has 64'
    verdict 4 endless.cl ENDLESS 'error: plain: step limit exceeded: does the kernel terminate? group 0 still runs'
    verdict 5 same.cl SAME ''
    verdict 6 lacks.cl BROKEN ''
    verdict 7 broken.cl BROKEN ''
    verdict 8 unused.cl BROKEN ''
    [[ $stderr == *"broken.cl:"*"error: expected expression"* ]]
}

@test "each: mistakes that cannot be told apart have one digest, others have not" {
    each one.cl='s/63 - i/62 - min(i, 62u)/' two.cl='s/63 - i/i < 63 ? 62 - i : 0/' \
        three.cl='s/63 - i/62 - min(i, 61u)/' four.cl='s!barrier!// barrier!' \
        five.cl='s/^ *barrier.*//' six.cl='s/CLK_LOCAL_MEM_FENCE/CLK_GLOBAL_MEM_FENCE/' \
        seven.cl='s/turned/turned/'
    local digests=()
    for number in 0 1 2 3 4 5 6; do
        IFS=$'\t' read -r _ _ digest _ <<< "${lines[$number]}"
        [[ $digest =~ ^[0-9a-f]{16}$ ]]
        digests+=("$digest")
    done
    [ "${digests[0]}" = "${digests[1]}" ]
    [ "${digests[3]}" = "${digests[4]}" ]
    [ "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" -eq 4 ]
}

@test "each: only kernels that a change may concern are compiled, and none by mistake" {
    count_clang
    each function.cl='s/ + 1.0f/ + 1.5f/' macro.cl='s/2.0f/3.0f/' one.cl='s/63 - i/i/' \
        comment.cl='s!;!; /* so */!' later.cl='s/out\[get_global_id(0)\]/*out/' \
        renamed.cl='s/^static/#define t y\nstatic/'
    verdict 0 function.cl WRONG 'plain: out[0] is 3.5, ours has 3'
    verdict 1 macro.cl WRONG 'plain: out[0] is 4, ours has 3'
    verdict 2 one.cl WRONG 'turned: out[0] is 1, ours has 64'
    verdict 3 comment.cl SAME ''
    verdict 4 later.cl SAME ''
    verdict 5 renamed.cl SAME ''
    compiled 6 # two of ours, and one of each file but the comment's and the later one's
    digested 8 # one clang read them all: the program's, ours, and these
    [ "$(grep -c -- -g0 "$BATS_TEST_TMPDIR/calls")" -eq 1 ]
}

@test "each: a change that the compiler does not see is none, and one anywhere that it sees is" {
    count_clang
    each line.cl='1s/^/\n/' blanks.cl='s/2.0f [*]/2.0f*/' \
        unused.cl='s/^static/constant int five = 5;\nstatic/' \
        number.cl='s/+ 1.0f/+ (__LINE__ - 2.0f)/' moved.cl='1s/^/\n/; s/+ 1.0f/+ (__LINE__ - 2.0f)/' \
        macro.cl='s/^static/#undef TWICE\n#define TWICE(x) x\nstatic/'
    verdict 0 line.cl SAME ''
    verdict 1 blanks.cl SAME ''
    verdict 2 unused.cl SAME ''
    verdict 3 number.cl SAME ''
    verdict 4 moved.cl WRONG 'plain: out[0] is 4, ours has 3'
    verdict 5 macro.cl WRONG 'plain: out[0] is 2, ours has 3'
    digested 8
    compiled 4 # two of ours, and what moved.cl and macro.cl change
}

# (clang gives the second structure of a name another name, even if it is in another file.)
@test "each: what other files have that one clang reads changes no kernel" {
    count_clang
    cd "$BATS_TEST_TMPDIR"
    cat > ours.cl <<- 'END'
	struct pair { float a, b[4]; };
	kernel void f(global float *x) {
	    volatile struct pair pair = {1.0f, {2.0f}};
	    *x = pair.a + pair.b[0];
	}
	END
    sed 's/1.0f/1.5f/' ours.cl > number.cl
    sed 's/b\[4\]/b[5]/' ours.cl > array.cl
    sed 's!;!; /* so */!' ours.cl > comment.cl
    run --separate-stderr -0 lens --quiet --ours ours.cl --mistake number.cl --mistake array.cl \
        --mistake comment.cl --each "$BATS_FILE_TMPDIR/launch" ours.cl f 1 1 f4
    verdict 0 number.cl WRONG 'f: x[0] is 3.5, ours has 3'
    verdict 1 array.cl SAME ''
    verdict 2 comment.cl SAME ''
    digested 5
    compiled 3 # ours, the other number, and the other array
}

@test "each: what is known of a file is kept, whatever it is compared with" {
    export LENS_CACHE=$BATS_TEST_TMPDIR/cache
    count_clang
    each one.cl='s/63 - i/i/' comment.cl='s!;!; /* so */!' # the first one makes the folder
    rm -f "$LENS_CACHE"/*
    : > "$BATS_TEST_TMPDIR/calls"
    each one.cl='s/63 - i/i/' comment.cl='s!;!; /* so */!'
    compiled 3
    digested 4
    local report=$output
    : > "$BATS_TEST_TMPDIR/calls"
    each one.cl='s/63 - i/i/' comment.cl='s!;!; /* so */!'
    [ ! -s "$BATS_TEST_TMPDIR/calls" ]
    [ "$output" = "$report" ]
    each comment.cl='s!;!; /* so */!' broken.cl='s/ = t\[63 - i\]/ = t[63 - ]/'
    verdict 0 comment.cl SAME ''
    verdict 1 broken.cl BROKEN ''
}

# as_alone STEM NAMES WORD ... : of these known mistakes of a step --each says what the lens says
# when the program has one of them.  The words call the program; FILE stands for its kernels.
as_alone() {
    local ours=$ROOT/kernels/$1.cl words=("${@:3}") options=() name wrong
    : > "$BATS_TEST_TMPDIR/alone"
    for name in $2; do
        wrong=$BUILT/mistakes/$1.$name.cl
        options+=(--mistake "$wrong")
        lens --quiet --ours "$ours" "${words[@]/FILE/$wrong}" | head -n 1 >> "$BATS_TEST_TMPDIR/alone"
    done
    lens --quiet --ours "$ours" "${options[@]}" --each "${words[@]/FILE/$ours}" |
        cut -f 4 > "$BATS_TEST_TMPDIR/each"
    diff "$BATS_TEST_TMPDIR/alone" "$BATS_TEST_TMPDIR/each"
}

# Losses, races, and out-of-bounds accesses.  (Of some others a later launch would tell more;
# but a step that has been wrong does not come to it.)
@test "each: the same mistake and the same difference as when the program has it" {
    local kernel items names
    quickly
    as_alone step03_dot_coalesced 'lost_tail no_bounds_guard whole_products whole_sum' \
        step03_dot_coalesced --repeats 1 --size 1003 --kernel FILE
    as_alone step06_reduce_local whole_sum step06_reduce_local --repeats 1 --size 1003 --kernel FILE
    while read -r kernel items names; do # of step 06 the kernel that is wrong, alone
        as_alone step06_reduce_local "$names" "$BATS_FILE_TMPDIR/launch" FILE \
            "reduce_local_$kernel" "$items" 64 f1004 e16 l256 n=1003
    done <<- 'END'
	dense 1024 last_element_again
	sequential 1024 last_warp_without_barrier no_barrier_after_store no_barrier_in_rounds no_bounds_guard
	two 512 lost_second_load written_once
	in_flight 256 lost_tile_tail
	END
}

@test "each: wants ours, and a program whose kernels are ours" {
    says 2 "--each needs --ours FILE" lens --each true
    each same.cl=''
    echo 'kernel void f(global float *x) { *x = 0.0f; }' > other.cl
    run --separate-stderr -0 lens --quiet --ours other.cl --mistake same.cl --each \
        "$BATS_FILE_TMPDIR/launch" ours.cl ones 64 64 f64
    [ -z "$output" ]
    [[ $stderr == *"note: ones is not compared: "* ]]
    sed 's/t\[i\] = x\[i\]/t[i] = x[i + 1]/' ours.cl > wrong.cl
    says 2 "own turned is wrong" lens --quiet --ours wrong.cl --mistake same.cl --each \
        "$BATS_FILE_TMPDIR/launch" wrong.cl turned 64 64 f64 e64
}
