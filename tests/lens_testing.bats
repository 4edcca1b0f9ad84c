load helper.bash

# What the lens shows must not depend on the clang that it finds: each of these was wrong with
# one of clang 18 to 23.

@test "lens: clones of kernels are not among a file's kernels, and their dimensions are seen" {
    says 2 "clones.cl has several kernels" lens kernel "$ROOT/tests/lens/clones.cl"
    [[ $stderr == *"  hint    name one of them: one, two" ]]
    says 2 "has no kernel three" lens kernel "$ROOT/tests/lens/clones.cl" three
    [[ $stderr == *"  hint    it has one, two" ]]
    run -0 lens kernel "$ROOT/tests/lens/clones.cl" two
    [[ $output == *"launch   two("*") --global 64,64 --local 16,16"* ]]
    [[ $output != *clang_ocl* ]]
    run -0 lens kernel "$ROOT/tests/lens/clones.cl" one
    [[ $output == *" --local 256"* ]]
}
