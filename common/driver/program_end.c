#include "driver/program_end.h"

#include "driver/crash.h"

#include <stdlib.h>

_Noreturn void program_end(int status) {
    crash_done();
    exit(status);
}
