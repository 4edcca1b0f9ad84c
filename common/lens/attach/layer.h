/* layer: the lens between a program and its drivers, as a layer of the OpenCL loader.
 */
#ifndef LAYER_H
#define LAYER_H

/* The function of that name which comes next, below the lens.  NULL: the lens was
 * preloaded and is no layer, or the loader is too old to know the function. */
void (*layer_next(const char *name))(void);

#endif
