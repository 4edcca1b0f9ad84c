/* Step 12: a chain of small kernels that smooths an image and finds its mean.
 *
 *     pixels > across > down > rows > mean
 *
 * Each launch reads the plane to the left and makes the plane to the right, so the
 * launches must follow each other.
 * All numbers are whole: every device gets the same.  Work-groups share the rows, and
 * the work-items of a group share the pixels of a row; with 2 groups of 4:
 *
 *     row 0   0 1 2 3 0 1 2 3    group 0, lanes 0 to 3
 *     row 1   0 1 2 3 0 1 2 3    group 1
 *     row 2   0 1 2 3 0 1 2 3    group 0
 *
 * `width` and `height` are those of `in`.  Beyond its border an image continues with
 * the nearest pixel. */

#define MAX_GROUP 256 /* work-items in a work-group */

/* A function that receives a kernel's local memory must be inlined (step 06). */
#define INLINE static inline __attribute__((always_inline))

/* across: sums of 5 neighbours in a row. */
kernel void blur_across(global const int *in, global int *out, int width, int height) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            int sum = 0;
            for (int i = -2; i <= 2; i++)
                sum += in[y * width + clamp(x + i, 0, width - 1)];
            out[y * width + x] = sum;
        }
}

/* down: sums of 5 neighbours in a column, which makes 25 pixels in all. */
kernel void blur_down(global const int *in, global int *out, int width, int height) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            int sum = 0;
            for (int i = -2; i <= 2; i++)
                sum += in[clamp(y + i, 0, height - 1) * width + x];
            out[y * width + x] = sum;
        }
}

/* A tree: in the end t[0] is the sum of what all work-items of the group have. */
INLINE void add_up(local int *t, int own) {
    const int lane = get_local_id(0);
    t[lane] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int rest = get_local_size(0); rest > 1;) {
        const int lower = (rest + 1) / 2;
        if (lane + lower < rest)
            t[lane] += t[lane + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* rows: the mean of each row.  The next launch takes these as a single row, and finds
 * the mean of the image.  That is work for one group: however large the device, the
 * rest of it idles. */
kernel void mean_of_rows(global const int *in, global int *out, int width, int height) {
    local int t[MAX_GROUP];
    for (int y = get_group_id(0); y < height; y += get_num_groups(0)) {
        int own = 0;
        for (int x = get_local_id(0); x < width; x += get_local_size(0))
            own += in[y * width + x];
        add_up(t, own);
        if (get_local_id(0) == 0) /* only it writes t[0] for the next row */
            out[y] = t[0] / width;
    }
}

// lens: blur_across(in[width * height]=0..255, out[width * height], width=256, height=64) --global 4096 --local 256
// lens: blur_down(in[width * height]=0..255, out[width * height], width=256, height=64) --global 4096 --local 256
// lens: mean_of_rows(in[width * height]=0..255, out[height], width=256, height=64) --global 4096 --local 256
