#include "data/registers.h"

#include "check.h"
#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds in the compiler's log, below the line that names the kernel:
 *
 *     ptxas info    : Compiling entry function 'tile_blocked_16' for 'sm_90'
 *     ptxas info    : Function properties for tile_blocked_16
 *     ptxas         .     64 bytes stack frame, 60 bytes spill stores, 60 bytes ...
 *     ptxas info    : Used 255 registers, 384 bytes cmem[0]
 */
static bool in_log(const char *log, const char *name, struct phrase *phrase) {
    char heading[96];
    unsigned registers, spilled;
    snprintf(heading, sizeof heading, "entry function '%s'", name);
    const char *entry = strstr(log, heading);
    const char *used = entry ? strstr(entry, "Used ") : NULL;
    const char *stores = entry ? strstr(entry, " bytes stack frame, ") : NULL;
    if (!used || !stores || stores > used ||
        sscanf(used, "Used %u registers", &registers) != 1 ||
        sscanf(stores, " bytes stack frame, %u bytes spill", &spilled) != 1)
        return false;
    int length = snprintf(phrase->text, sizeof phrase->text, "%u regs", registers);
    if (spilled > 0)
        snprintf(phrase->text + length, sizeof phrase->text - (size_t)length, ", %u B",
                 spilled);
    return true;
}

struct phrase registers_in_words(const struct device *device, const char *name,
                                 const struct launch *launch) {
    struct phrase phrase = {""};
    size_t bytes = 0;
    cl_ulong private = 0;
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                          &bytes);
    char *log = allocate(bytes + 1, 1); /* one byte more: it may lack its end */
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log,
                          NULL);
    CHECK(clGetKernelWorkGroupInfo(launch->kernel, device->id,
                                   CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private, &private,
                                   NULL));
    if (!in_log(log, name, &phrase) && !device->is_cpu && private > 0)
        snprintf(phrase.text, sizeof phrase.text, "%llu B private",
                 (unsigned long long)private);
    free(log);
    return phrase;
}
