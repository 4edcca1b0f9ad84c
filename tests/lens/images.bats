load helper.bash

# Images: what kernels read and write there, what that counts, and which mistakes are found.

# with_images WORDS -- NAME ... : the lens with these words on images.c, which launches all
# that images can do, or these kernels of images.cl.
with_images() {
    host images
    lens_on images images.cl "$@"
}

@test "images: reads and writes in each format, with each sampler, give the device's results" {
    whole_pocl
    quickly
    run -0 with_images --compare --
    [ "$output" = "the replay's results are the device's" ]
}

@test "images: texels, those that differ, and sectors of two rows are the hand-counted ones" {
    whole_pocl
    run -0 with_images --kernel '*texels' -- copy_texels between_texels
    output=$(tr -s ' \n' ' ' <<< "$output")
    [[ $output == *' load src (image) 4 x 32.0 lanes 32.00 texels, 32.00 of them different 16.00 sectors (ideal 16.00) 8.00 lines 100.0 % used store to (image) 4 x 32.0 lanes 32.00 texels, 32.00 of them different 16.00 sectors (ideal 16.00) '* ]]
    [[ $output == *' load src (image) 4 x 32.0 lanes 128.00 texels, 44.00 of them different 28.00 sectors (ideal 22.00) '* ]]
    [[ $output == *' src(0,0) 0123456789abcdef src(0,1) ghijklmnopqrstuv '* ]]
    run -0 with_images --format json -- copy_texels
    [[ $output == *'"memory":"image","name":"src","accesses":4,'*'"texels":32.00,"different_texels":32.00,'* ]]
}

@test "images: --races finds races on texels, coordinates outside, functions for other numbers" {
    whole_pocl
    local kernel
    while IFS=: read -r kernel text; do
        run -1 with_images --races -- "$kernel"
        [ "${lines[0]}" = "error: $kernel: $text" ] || { echo "$output"; return 1; }
        [[ $output == *'  hint    '* ]]
    done <<- 'END'
	same_texel:data race: to, an image of 16 x 8, texel (0, 0)
	behind_image:out-of-bounds access: to, an image of 16 x 8, texel (16, 0)
	before_image:out-of-bounds access: src, an image of 16 x 8, texel (0, -1)
	other_numbers:access against image format: src, an image of 16 x 8
	unwritten:uninitialised read: src, an image of 16 x 8, texel (0, 0)
	END
    run -0 with_images --races -- around_image copy_texels between_texels
    [[ $output == 'no mistake found in 3 launches' ]]
}
