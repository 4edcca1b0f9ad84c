#include "fizzbuzz/ring.h"
#include "check.h"

#include <string.h>

enum { NO_TEXT = 0xff }; /* a byte that no line has */

void ring_open(struct ring *ring, struct step *step, const char *kernel,
               size_t blocks) {
    struct device *device = &step->device;
    const size_t bytes = blocks * block_bytes(FIZZBUZZ_MAX_DIGITS);
    *ring = (struct ring){.step = step, .lines = blocks * BLOCK_LINES};
    ring->weighed.seed = step->options.seed;
    ring->pages = pages_new(step, kernel);
    for (struct slot *slot = ring->slots; slot < ring->slots + RING_SLOTS; slot++) {
        slot->text_buffer = buffer_new(device, bytes);
        slot->ordinary = device->is_cpu ? NULL : step_array(step, bytes, 1);
        slot->pinned = device->is_cpu ? NULL : buffer_pinned(device, bytes);
    }
}

/* From here on the slot is the device's. */
static void give_slot(struct ring *ring, struct slot *slot) {
    struct device *device = &ring->step->device;
    if (device->is_cpu && slot->text)
        CHECK(clEnqueueUnmapMemObject(device->queue, slot->text_buffer, slot->text, 0,
                                      NULL, NULL));
    slot->text = NULL;
}

/* A work-group for each block, and in it a work-item for each vector of a page. */
static void launch_kernel(struct ring *ring, const struct slot *slot) {
    struct device *device = &ring->step->device;
    CHECK(pages_set(&ring->pages, device->queue, slot->text_buffer, slot->piece));
    const size_t group = step_group(ring->step, page_vectors(slot->piece.digits));
    const struct launch launch =
        launch_1d(ring->pages.kernel, piece_blocks(slot->piece) * group, group);
    CHECK(clReleaseEvent(launch_start(device, &launch)));
}

void ring_ask(struct ring *ring, size_t number, struct piece piece, bool pinned) {
    cl_int status;
    struct device *device = &ring->step->device;
    struct slot *slot = &ring->slots[number % RING_SLOTS];
    give_slot(ring, slot);
    slot->piece = piece;
    launch_kernel(ring, slot);
    slot->text = pinned ? slot->pinned : slot->ordinary;
    if (device->is_cpu)
        slot->text =
            clEnqueueMapBuffer(device->queue, slot->text_buffer, CL_FALSE, CL_MAP_READ,
                               0, piece.bytes, 0, NULL, NULL, &status);
    else
        status = clEnqueueReadBuffer(device->queue, slot->text_buffer, CL_FALSE, 0,
                                     piece.bytes, slot->text, 0, NULL, NULL);
    check_status(status, "the way of a piece to the host");
    CHECK(clEnqueueMarkerWithWaitList(device->queue, 0, NULL, &slot->ready));
    CHECK(clFlush(device->queue)); /* or it may rest until the host waits */
}

const struct slot *ring_wait(struct ring *ring, size_t number) {
    struct slot *slot = &ring->slots[number % RING_SLOTS];
    CHECK(clWaitForEvents(1, &slot->ready));
    CHECK(clReleaseEvent(slot->ready));
    return slot;
}

bool ring_is_right(struct ring *ring, const struct slot *slot) {
    return text_check_is_right(&ring->weighed, slot->text, slot->piece);
}

bool ring_all_right(struct ring *ring) {
    bool right = true;
    for (struct slot *slot = ring->slots; slot < ring->slots + RING_SLOTS; slot++)
        right = right && (!slot->text || ring_is_right(ring, slot));
    return right;
}

void ring_poison(struct ring *ring) {
    struct device *device = &ring->step->device;
    for (struct slot *slot = ring->slots; slot < ring->slots + RING_SLOTS; slot++) {
        give_slot(ring, slot);
        buffer_poison(device, slot->text_buffer);
        if (!device->is_cpu) {
            const size_t bytes =
                piece_blocks(slot->piece) * block_bytes(slot->piece.digits);
            memset(slot->ordinary, NO_TEXT, bytes);
            memset(slot->pinned, NO_TEXT, bytes);
        }
    }
}
