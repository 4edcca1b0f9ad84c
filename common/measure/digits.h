/* digits: whole numbers as readers read them. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdint.h>

/* Writes "13,792", and returns it. */
enum { MAX_DIGITS = 32 };
const char *digits_write(char text[MAX_DIGITS], uint64_t number);

#endif
