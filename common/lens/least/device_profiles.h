/* device_profiles: the files of docs/devices/, as the Makefile puts them into C. */
#ifndef DEVICE_PROFILES_H
#define DEVICE_PROFILES_H

/* In the order of their names; behind the last one `file` is NULL.  `file` is its name
 * without ".txt". */
extern const struct device_profile { const char *file, *text; } device_profiles[];

/* What a profile's times are worth: of so many measured launches that a resource binds,
 * half took less than so many times the time that none can beat.  Behind the last one
 * `device` is NULL. */
extern const struct habit {
    const char *device, *binds, *launches, *half;
} device_habits[];

#endif
