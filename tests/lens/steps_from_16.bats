load helper.bash

# Results of the steps' kernels: what the replay computes is what the device computes.

@test "lens: kernels of steps 16 to 18 give the device's results" {
    replays_agree 16 18
}

@test "lens: kernels of the steps from 19 on give the device's results" {
    replays_agree 19 99
}
