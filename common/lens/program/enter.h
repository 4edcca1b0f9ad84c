/* enter: how the lens gets into a program. */
#ifndef ENTER_H
#define ENTER_H

/* As a layer the lens sees every call, however the program finds OpenCL.  Where there
 * is no such loader, or --preload is given, it is preloaded, and sees the calls of
 * programs that are linked. */
void enter_program(void);

#endif
