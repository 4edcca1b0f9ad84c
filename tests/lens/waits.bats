load helper.bash

# What is left to do when the host has waited; comments in waits.c say why.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    host waits
}

# left WAY ROW ... : the report on waits.c has these rows, and no others.
left() {
    run -0 lens --quiet --waits "$BATS_FILE_TMPDIR/waits" "$1"
    [ "$(tr -s ' ' <<< "${lines[*]:1}")" = " ${*:2}" ]
    [ "${#lines[@]}" -eq $# ]
}

@test "waits: what came before in a queue has ended, in another it has not" {
    left in_order "for a write 1 x 2.00 commands left, 0 x none" \
        "blocking read 1 x 1.00 commands left, 0 x none" \
        "clFinish 3 x 0.00 commands left, 3 x none"
}

@test "waits: from event to event, across queues" {
    left two_queues "for a write 1 x 2.00 commands left, 0 x none" \
        "for several events 1 x 0.00 commands left, 1 x none" \
        "clFinish 2 x 0.00 commands left, 2 x none"
}

@test "waits: without an order only barriers and markers wait for all" {
    left out_of_order "for a write 2 x 1.00 commands left, 0 x none" \
        "for a marker 1 x 0.00 commands left, 1 x none" \
        "clFinish 2 x 0.00 commands left, 2 x none"
}

@test "waits: as json; and nothing is told unless it is asked for" {
    run -0 lens --quiet --waits --format json "$BATS_FILE_TMPDIR/waits" two_queues
    [ "${lines[0]}" = '{"row":"wait","kernel":"host","name":"for a write","waits":1,"left":2.00,"idle_waits":0}' ]
    [ "${#lines[@]}" -eq 3 ]
    run --separate-stderr -77 lens --quiet "$BATS_FILE_TMPDIR/waits" two_queues
    [[ -z $output && $stderr == *"made no launch that was looked at"* ]]
}
