load helper.bash

# Asynchronous copies of a group.

# copies_wrong TEXT KERNEL : this mistake is found in this kernel of async.cl.
copies_wrong() {
    run -1 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/async.cl" \
        "$2" 128 64 i256 z256
    echo "$2: $output"
    [[ ${lines[0]} == "error: $2: $1"* ]]
}

@test "races: an asynchronous copy is its group's, and goes on until its event is waited for" {
    # (The driver is not asked: PoCL 6 gives up.)
    for call in 'waits_then_reads()' 'shares_an_event(in[256])' 'copies_every_second(out[256])'; do
        run -0 lens kernel --races "$ROOT/tests/lens/async.cl" "$call" --global 64 --local 64
        [[ $output == *"no mistake found"* ]]
    done
    copies_wrong "data race: tile in local memory, bytes 0 to 3 of 256" reads_before_wait
    [[ $output == *" item 0 of group 0 reads "*" out[l] = tile[l];"*" async copy of group 0 writes "* ]]
    [[ $output == *"  hint    before that, wait for the copy's event"* ]]
    copies_wrong "data race: tile in local memory, bytes 0 to 3 of 256" copies_before_barrier
    [[ $output == *" async copy of group 0 reads "*"  hint    put a barrier before the copy"* ]]
    copies_wrong "data race: tile in local memory, bytes 128 to 131 of 256" two_copies_to_one_place
    copies_wrong "data race: out in global memory, bytes 0 to 3 of 1024" strided_beside_writes
    copies_wrong "out-of-bounds access: tile in local memory" copies_past_end
}

@test "races: asynchronous copies and waits are the same for all items; events come from copies" {
    copies_wrong "async copy divergence: not reached by all work-items of the group (48 of 64)" \
        some_items_copy
    copies_wrong "async copy divergence: work-items of the group want different copies" \
        each_item_copies_its_own
    copies_wrong "wait divergence: work-items of the group wait for different events" \
        waits_for_different
    copies_wrong "wrong event: " waits_for_no_copy
    copies_wrong "async copy without a wait: " never_waits
    copies_wrong "data race: tile in local memory, bytes 256 to 259 of 512" waits_for_one_of_two
    [[ $output == *"error: waits_for_one_of_two: async copy without a wait: "* ]]
}
