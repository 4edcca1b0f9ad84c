#define _POSIX_C_SOURCE 200809L /* setenv */
#include "driver/driver_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PoCL 7.0 computes a value again behind a barrier, rather than keep it for each
 * work-item, and does so with values that were loaded: what others have written since
 * is read instead (https://github.com/pocl/pocl/pull/2269).  POCL_PREGION_VALUE_REMAT
 * forbids it.  The other setting is PoCL's own choice; but PoCL keeps apart what was
 * compiled with it and what without, and so finds no kernel that has the fault. */
static const struct fault {
    const char *versions[2]; /* as a platform's version has them */
    const char *what;
    const char *settings[2][2];
} faults[] = {
    {{"PoCL 7.0", "PoCL 7.1"},
     "reads again behind a barrier what was read before it",
     {{"POCL_PREGION_VALUE_REMAT", "0"}, {"POCL_WORK_GROUP_METHOD", "loopvec"}}}};

/* The fault of a platform, and its driver's version, as "PoCL 7.1". */
static const struct fault *find(cl_platform_id platform, const char **version) {
    char all[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof all, all, NULL);
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        for (int v = 0; v < 2; v++) {
            *version = faults[f].versions[v];
            const char *there = strstr(all, *version);
            const char behind = there ? there[strlen(*version)] : '0';
            if (behind < '0' || behind > '9')
                return &faults[f];
        }
    return NULL;
}

void driver_faults_avoid(cl_platform_id platform) {
    const char *version;
    const struct fault *fault = find(platform, &version);
    for (int i = 0; fault && i < 2; i++)
        setenv(fault->settings[i][0], fault->settings[i][1], false);
}

bool driver_fault_find(cl_device_id id, struct driver_fault *found) {
    const char *version;
    cl_platform_id platform = NULL;
    clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    const struct fault *fault = find(platform, &version);
    if (!fault)
        return false;
    const char *setting = fault->settings[0][0];
    snprintf(found->what, sizeof found->what, "%s %s", version, fault->what);
    snprintf(found->setting, sizeof found->setting, "%s=%s", setting, getenv(setting));
    return true;
}
