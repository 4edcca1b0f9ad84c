/* registers: where a kernel keeps the variables of a work-item. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "timing.h"

/* What NVIDIA's compiler has reported of a kernel of device->program, for the note of
 * its row: "96 regs", or "255 regs, 160 B" if variables of 160 bytes were spilled to
 * memory, because there were no registers for them.  Elsewhere, or where the driver has
 * kept the kernel of an earlier run and so has compiled nothing, the private memory
 * that a GPU reports: "160 B private".  Empty where nothing is known, and on a CPU,
 * where private memory is not registers. */
struct phrase registers_in_words(const struct device *device, const char *name,
                                 const struct launch *launch);

#endif
