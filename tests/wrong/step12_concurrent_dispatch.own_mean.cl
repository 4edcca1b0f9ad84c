/* Wrong on purpose: item 0 writes the mean of its own pixels. */
/* Step 12: a chain of small kernels that smooths an image, except where it has edges.
 *
 *     across > down > edges > rows > mean > paint
 *
 * Each needs what the one before it wrote, so they must run one after the other.  All
 * numbers are whole: every device gets the same.  Work-groups share the rows, and the
 * work-items of a group share the pixels of a row; with 2 groups of 4:
 *
 *     row 0   0 1 2 3 0 1 2 3    group 0, lanes 0 to 3
 *     row 1   0 1 2 3 0 1 2 3    group 1
 *     row 2   0 1 2 3 0 1 2 3    group 0
 *
 * `width` and `height` are those of `in`.  Beyond its border an image goes on as it is
 * there. */

#define GROUP_MOST 256 /* work-items in a work-group */

/* Sums of 5 neighbours in a row. */
kernel void blur_across(global const int *in, global int *out, int width, int height) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            int sum = 0;
            for (int i = -2; i <= 2; i++)
                sum += in[y * width + clamp(x + i, 0, width - 1)];
            out[y * width + x] = sum;
        }
}

/* Sums of 5 below each other: of 25 pixels in all. */
kernel void blur_down(global const int *in, global int *out, int width, int height) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            int sum = 0;
            for (int i = -2; i <= 2; i++)
                sum += in[clamp(y + i, 0, height - 1) * width + x];
            out[y * width + x] = sum;
        }
}

/* How much neighbours differ, across and down. */
kernel void find_edges(global const int *in, global int *out, int width, int height) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            const int left = in[y * width + max(x - 1, 0)];
            const int right = in[y * width + min(x + 1, width - 1)];
            const int above = in[max(y - 1, 0) * width + x];
            const int below = in[min(y + 1, height - 1) * width + x];
            out[y * width + x] = abs(right - left) + abs(below - above);
        }
}

/* A tree: in the end t[0] is the sum of what all work-items of the group brought.  A
 * function that receives local memory must be inlined (step 06). */
static inline __attribute__((always_inline)) void add_up(local int *t, int own) {
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

/* The mean of each row; then the mean of these, as of a single row.  That is a work for
 * one group: however large the device, the rest of it is idle. */
kernel void mean_of_rows(global const int *in, global int *out, int width, int height) {
    local int t[GROUP_MOST];
    for (int y = get_group_id(0); y < height; y += get_num_groups(0)) {
        int own = 0;
        for (int x = get_local_id(0); x < width; x += get_local_size(0))
            own += in[y * width + x];
        add_up(t, own);
        if (get_local_id(0) == 0) /* who alone will write t[0] anew */
            out[y] = own / width;
    }
}

/* Stronger edges than the mean stay as they are; all else is smoothed. */
kernel void paint(global const int *mean, global int *out, int width, int height,
                  global const int *image, global const int *smooth,
                  global const int *edges) {
    for (int y = get_group_id(0); y < height; y += get_num_groups(0))
        for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
            const int i = y * width + x;
            out[i] = edges[i] > mean[0] ? image[i] : smooth[i] / 25;
        }
}
