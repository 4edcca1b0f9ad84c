/* backward: looks for mistakes in a second order of warps and groups. */
#ifndef BACKWARD_H
#define BACKWARD_H

#include "replay/replay.h"

/* Does what replay_run() does.  Where mistakes are looked for, the launch is small, and
 * none was found, it is replayed once more, with the last warp and the last group
 * first; what is found then is the replay's.  What memory holds is that of the usual
 * order in any case. */
void backward_run(struct replay *replay);

#endif
