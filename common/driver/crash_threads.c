/* crash_threads: gives each thread of the driver a stack for driver/crash.c's handler.
 *
 * A kernel with large private arrays uses up the stack of the thread that runs it, and
 * a handler that has no other stack is then not called: the program would end without a
 * word.  A thread can only get one from inside; so this pthread_create, which the
 * driver calls in place of the system's, begins each thread with that. */
#define _GNU_SOURCE /* RTLD_NEXT, sigaltstack */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ /* as GCC says it */
#endif
#endif

/* A sanitizer has a pthread_create of its own, and handles signals itself. */
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
struct beginning {
    void *(*function)(void *);
    void *argument;
};

static void *begin(void *memory) {
    static __thread char stack[1 << 15];
    const struct beginning beginning = *(const struct beginning *)memory;
    free(memory);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    return beginning.function(beginning.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*function)(void *), void *argument) {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    struct beginning *memory = malloc(sizeof *memory);
    if (!memory)
        return create(thread, attributes, function, argument);
    *memory = (struct beginning){function, argument};
    const int status = create(thread, attributes, begin, memory);
    if (status)
        free(memory);
    return status;
}
#endif
