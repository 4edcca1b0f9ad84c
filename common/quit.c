#include "quit.h"

#include "crash.h"

#include <stdlib.h>

_Noreturn void quit(int status) {
    crash_done();
    exit(status);
}
