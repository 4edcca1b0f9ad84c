/* next_functions: the functions of OpenCL that a program would call without the lens.
 */
#ifndef NEXT_FUNCTIONS_H
#define NEXT_FUNCTIONS_H

/* REAL(clFinish) declares real_clFinish.  A program without that function is an error.
 */
#define REAL(name)                                                                     \
    __typeof__(&name) real_##name;                                                     \
    find_real(&real_##name, #name)
void find_real(void *function, const char *name);

#endif
