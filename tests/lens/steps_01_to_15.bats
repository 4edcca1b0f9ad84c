load helper.bash

# Results of the steps' kernels: what the replay computes is what the device computes.

@test "lens: kernels of steps 01 to 09 give the device's results" {
    replays_agree 01 09
}

@test "lens: kernels of steps 10 to 12 give the device's results" {
    replays_agree 10 12
}

@test "lens: kernels of steps 13 to 15 give the device's results" {
    replays_agree 13 15
}
