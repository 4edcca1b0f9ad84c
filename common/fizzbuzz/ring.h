/* ring: slots that pieces of FizzBuzz go through, from the device to the host.
 *
 * Piece 0 goes through slot 0, piece 1 through slot 1, and so on, around and around.
 * When a slot may be used again is for the program to say: that is step 20b's lesson.
 */
#ifndef RING_H
#define RING_H

#include "fizzbuzz/pages.h"
#include "fizzbuzz/text_check.h"

enum { RING_SLOTS = 4 };

struct slot {
    struct piece piece;
    cl_mem text_buffer;
    char *ordinary, *pinned; /* memory of the host; a CPU device needs none */
    char *text;              /* where the host finds the piece; NULL: nowhere */
    cl_event ready;
};

struct ring {
    struct step *step;
    struct pages pages;
    size_t lines; /* of a piece, at most */
    struct text_check weighed;
    struct slot slots[RING_SLOTS];
};

/* Makes slots for pieces of at most so many blocks, which this kernel of the step's
 * file writes, as step 20's table kernel does. */
void ring_open(struct ring *ring, struct step *step, const char *kernel, size_t blocks);

/* Asks for piece `number` of a text, and does not wait.  The device writes it, and then
 * the host gets a copy in ordinary or in pinned memory; or, on a CPU, whose memory is
 * the host's, a pointer. */
void ring_ask(struct ring *ring, size_t number, struct piece piece, bool pinned);

/* Waits until piece `number` is at the host. */
const struct slot *ring_wait(struct ring *ring, size_t number);

/* Is every byte of it right?  If not, names the first wrong one. */
bool ring_is_right(struct ring *ring, const struct slot *slot);

/* The same for all pieces that are in slots now. */
bool ring_all_right(struct ring *ring);

/* No slot has a piece any more, and no memory of theirs has any text. */
void ring_poison(struct ring *ring);

#endif
