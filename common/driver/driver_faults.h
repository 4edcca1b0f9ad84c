/* driver_faults: what drivers are known to get wrong, and how our programs get round
 * it.  tests/drivers/ has a program for each fault, which shows it. */
#ifndef DRIVER_FAULTS_H
#define DRIVER_FAULTS_H

#include <CL/cl.h>
#include <stdbool.h>

/* Has this platform's driver a fault that a setting avoids?  Then sets it, for what is
 * compiled from now on.  Call it before the platform is asked for its devices. */
void driver_faults_avoid(cl_platform_id platform);

/* The same fault of a device's driver: "PoCL 7.1 ...", and what has been set, as in
 * "NAME=VALUE".  False: none is known. */
struct driver_fault {
    char what[96], setting[64];
};
bool driver_fault_find(cl_device_id id, struct driver_fault *found);

#endif
