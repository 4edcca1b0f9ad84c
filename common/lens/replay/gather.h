/* gather: the accesses of lanes that do the same, as the access of their warp. */
#ifndef GATHER_H
#define GATHER_H

#include "observer.h"

/* A launch begins.  Nothing is gathered unless an observer wants to know of it. */
void gather_begin(void);

/* One lane's access is remembered; then observers hear of all, because the lanes
 * that do so together have come to the end of their part. */
void gather_add(const struct access *access);
void gather_end(void);

#endif
