#define _POSIX_C_SOURCE 200809L /* access */
#include "check.h"

#include "driver/driver_cache.h"
#include "driver/program_end.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NO_PLATFORM = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR of the ICD loader */

#define STATUS(name, cause)                                                            \
    { name, #name, cause }

/* Every status of OpenCL 1.2 (specification, section 5.9 and appendix A). */
static const struct {
    cl_int status;
    const char *name, *cause;
} statuses[] = {
    {NO_PLATFORM, "CL_PLATFORM_NOT_FOUND_KHR", "no OpenCL driver is installed"},
    STATUS(CL_DEVICE_NOT_FOUND, "the platform offers no device of that kind"),
    STATUS(CL_DEVICE_NOT_AVAILABLE, "another program holds the device"),
    STATUS(CL_COMPILER_NOT_AVAILABLE, "the driver cannot compile source"),
    STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE, "device memory is full: try less --size"),
    STATUS(CL_OUT_OF_RESOURCES, "too many registers, or an access out of bounds"),
    STATUS(CL_OUT_OF_HOST_MEMORY, "the host's memory is full: try less --size"),
    STATUS(CL_PROFILING_INFO_NOT_AVAILABLE,
           "the command is not finished, or the queue has no profiling"),
    STATUS(CL_MEM_COPY_OVERLAP, "source and destination overlap"),
    STATUS(CL_IMAGE_FORMAT_MISMATCH, "the two images differ in format"),
    STATUS(CL_IMAGE_FORMAT_NOT_SUPPORTED, "ask the device which formats it has"),
    STATUS(CL_BUILD_PROGRAM_FAILURE, "see the build log"),
    STATUS(CL_MAP_FAILURE, "the host's memory is full"),
    STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET, "see CL_DEVICE_MEM_BASE_ADDR_ALIGN"),
    STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an earlier command failed"),
    STATUS(CL_COMPILE_PROGRAM_FAILURE, "see the build log"),
    STATUS(CL_LINKER_NOT_AVAILABLE, "the driver cannot link programs"),
    STATUS(CL_LINK_PROGRAM_FAILURE, "see the build log"),
    STATUS(CL_DEVICE_PARTITION_FAILED, "the device cannot be divided like that"),
    STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "build with -cl-kernel-arg-info"),
    STATUS(CL_INVALID_VALUE, "a size, count or flag is out of range"),
    STATUS(CL_INVALID_DEVICE_TYPE, "the device type is none of OpenCL's"),
    STATUS(CL_INVALID_PLATFORM, "this is not a platform"),
    STATUS(CL_INVALID_DEVICE, "this is not a device of the context"),
    STATUS(CL_INVALID_CONTEXT, "two objects come from different contexts"),
    STATUS(CL_INVALID_QUEUE_PROPERTIES, "the device has no such queues"),
    STATUS(CL_INVALID_COMMAND_QUEUE, "this is not a queue"),
    STATUS(CL_INVALID_HOST_PTR, "the flags and the host pointer disagree"),
    STATUS(CL_INVALID_MEM_OBJECT, "this is not a buffer of the context"),
    STATUS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the image format makes no sense"),
    STATUS(CL_INVALID_IMAGE_SIZE, "the image is too large for the device"),
    STATUS(CL_INVALID_SAMPLER, "this is not a sampler"),
    STATUS(CL_INVALID_BINARY, "the binary was made for another device"),
    STATUS(CL_INVALID_BUILD_OPTIONS, "the compiler does not know an option"),
    STATUS(CL_INVALID_PROGRAM, "this is not a program"),
    STATUS(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built yet"),
    STATUS(CL_INVALID_KERNEL_NAME, "the .cl file has no kernel of that name"),
    STATUS(CL_INVALID_KERNEL_DEFINITION, "the devices disagree about the kernel"),
    STATUS(CL_INVALID_KERNEL, "this is not a kernel"),
    STATUS(CL_INVALID_ARG_INDEX, "the kernel has fewer arguments"),
    STATUS(CL_INVALID_ARG_VALUE, "the argument is not what the kernel expects"),
    STATUS(CL_INVALID_ARG_SIZE, "host and kernel disagree on an argument's type"),
    STATUS(CL_INVALID_KERNEL_ARGS, "an argument was never set"),
    STATUS(CL_INVALID_WORK_DIMENSION, "a range has 1, 2 or 3 dimensions"),
    STATUS(CL_INVALID_WORK_GROUP_SIZE, "the local size must divide the global size"),
    STATUS(CL_INVALID_WORK_ITEM_SIZE, "the group is too long in one dimension"),
    STATUS(CL_INVALID_GLOBAL_OFFSET, "the offset is too large"),
    STATUS(CL_INVALID_EVENT_WAIT_LIST, "an event in the list is not one"),
    STATUS(CL_INVALID_EVENT, "this is not an event"),
    STATUS(CL_INVALID_OPERATION, "the device does not offer this operation"),
    STATUS(CL_INVALID_GL_OBJECT, "this is not an OpenGL object"),
    STATUS(CL_INVALID_BUFFER_SIZE, "0, or more than one allocation may have"),
    STATUS(CL_INVALID_MIP_LEVEL, "the image has fewer levels"),
    STATUS(CL_INVALID_GLOBAL_WORK_SIZE, "the global size is 0 or too large"),
    STATUS(CL_INVALID_PROPERTY, "the property is unknown"),
    STATUS(CL_INVALID_IMAGE_DESCRIPTOR, "the image description makes no sense"),
    STATUS(CL_INVALID_COMPILER_OPTIONS, "the compiler does not know an option"),
    STATUS(CL_INVALID_LINKER_OPTIONS, "the linker does not know an option"),
    STATUS(CL_INVALID_DEVICE_PARTITION_COUNT, "more parts than compute units"),
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

const char *status_name(cl_int status) {
    for (int i = 0; i < STATUS_COUNT; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "a status of the driver's own";
}

const char *status_cause(cl_int status) {
    for (int i = 0; i < STATUS_COUNT; i++)
        if (statuses[i].status == status)
            return statuses[i].cause;
    return "look for the number in the driver's documentation";
}

/* PoCL 7 says so of a launch, too, whose compiled kernel it cannot load. */
static bool may_be_the_cache(cl_int status, struct cache cache) {
    return status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
           access(cache.folder, F_OK) == 0;
}

void check_status(cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return;
    const struct cache cache = driver_cache();
    const bool broken = may_be_the_cache(status, cache);
    die("%s failed\n  status  %s (%d)" HINT "%s%s%s", what, status_name(status), status,
        status_cause(status), broken ? "; if PoCL's cache is broken: rm -rf " : "",
        broken ? cache.folder : "");
}

/* How many bytes the first character takes; 0, if it is not to be shown as it is. */
static size_t shown_bytes(const unsigned char *text) {
    const unsigned char lead = text[0];
    if (lead < 0x80)
        return (lead >= 0x20 && lead != 0x7f) || lead == '\n' || lead == '\t';
    const size_t bytes = lead < 0xc2   ? 0
                         : lead < 0xe0 ? 2
                         : lead < 0xf0 ? 3
                         : lead < 0xf5 ? 4
                                       : 0;
    for (size_t i = 1; i < bytes; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_control = lead == 0xc2 && text[1] < 0xa0; /* U+0080 to U+009f */
    return is_control ? 0 : bytes;
}

/* Writes the message again, with \x1b for what is not to be shown as it is. */
static void escape(char *shown, const char *text) {
    while (*text) {
        const size_t bytes = shown_bytes((const unsigned char *)text);
        if (bytes == 0)
            shown += sprintf(shown, "\\x%02x", (unsigned)(unsigned char)*text++);
        for (size_t i = 0; i < bytes; i++)
            *shown++ = *text++;
    }
    *shown = '\0';
}

/* The message is as long as its facts are: a compiler's log is one of them. */
__attribute__((format(printf, 3, 0))) static _Noreturn void
stop(int status, const char *word, const char *format, va_list facts) {
    enum { ESCAPED = 4 }; /* characters for a byte, at most */
    va_list again;
    va_copy(again, facts);
    const size_t room = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *message = malloc(room), *shown = malloc(ESCAPED * room);
    fflush(stdout); /* what was printed so far comes first */
    if (message && shown) {
        vsnprintf(message, room, format, facts);
        escape(shown, message);
    }
    fprintf(stderr, "%s%s\n", word, message && shown ? shown : format);
    program_end(status);
}

_Noreturn void die(const char *format, ...) {
    va_list facts;
    va_start(facts, format);
    stop(CANNOT_RUN, "error: ", format, facts);
}

_Noreturn void skip(const char *format, ...) {
    va_list facts;
    va_start(facts, format);
    stop(SKIPPED, "skipped: ", format, facts);
}

void check_printed(FILE *out) {
    if (fflush(out) != 0 || ferror(out))
        die("cannot write the results" HINT "is the disk full?");
}
