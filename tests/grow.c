/* Makes more buffers, kernels, queues and pinned memory than any step does: the device
 * owns all of them. */
#include "buffer.h"
#include "kernel.h"

#include <stdio.h>

enum { MANY = 100, BYTES = 1024 };

int main(int argc, char **argv) {
    const struct options options = options_read(
        argc, argv, &(struct usage){.step = "step03_dot_coalesced", .size = 1});
    struct device device = device_open(options.device);
    cl_mem buffers[MANY];
    for (int i = 0; i < MANY; i++) {
        const int number = i;
        buffers[i] = buffer_from(&device, &number, sizeof number);
        kernel_load(&device, &options, "dot_single");
        device_queue(&device, false);
        *(int *)buffer_pinned(&device, BYTES) = i;
    }
    int sum = 0;
    for (int i = 0; i < MANY; i++) {
        int number;
        buffer_read(&device, buffers[i], &number, sizeof number);
        sum += number + *(int *)device.pinned[i].mapped;
    }
    printf("%zu buffers, %zu kernels, %zu queues, %zu pinned: %d\n",
           device.buffer_count, device.kernel_count, device.queue_count,
           device.pinned_count, sum);
    device_close(&device);
    return 0;
}
