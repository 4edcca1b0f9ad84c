/* coroutine: how a stack's first function begins, and jumps as setjmp.h has them. */
#define _GNU_SOURCE    /* ucontext.h */
#undef _FORTIFY_SOURCE /* it forbids longjmp() from stack to stack */
#include "coroutine.h"

#include <assert.h>
#include <stdint.h>

#if defined __x86_64__ && !defined __AVX512F__ && !defined __SANITIZE_ADDRESS__

/* A function finds an address to return to at a multiple of 16 bytes less 8; here that
 * is 0, where a debugger ends its list of callers. */
void jump_prepare(struct stop *stop, char *stack, size_t bytes, void (*body)(void)) {
    void **top = (void **)(void *)(stack + bytes / 16 * 16);
    assert((uintptr_t)top % 16 == 0);
    top[-1] = top[-2] = NULL;
    *stop = (struct stop){.stack = top - 1, .frame = NULL};
    *(void (**)(void)) & stop->instruction = body;
}

#else

#include <ucontext.h>

void jump(struct stop *from, struct stop *to) {
    if (_setjmp(from->registers) == 0)
        _longjmp(to->registers, 1);
}

/* A context makes the first step onto the stack; from then on jumps are plain, since
 * swapcontext() would ask the kernel twice. */
static struct {
    struct stop *stop;
    void (*body)(void);
    ucontext_t before, stack;
} prepared;

static void begin(void) {
    void (*const body)(void) = prepared.body;
    if (_setjmp(prepared.stop->registers) == 0)
        setcontext(&prepared.before);
    body();
}

void jump_prepare(struct stop *stop, char *stack, size_t bytes, void (*body)(void)) {
    prepared.stop = stop;
    prepared.body = body;
    getcontext(&prepared.stack);
    prepared.stack.uc_stack.ss_sp = stack;
    prepared.stack.uc_stack.ss_size = bytes;
    prepared.stack.uc_link = NULL;
    makecontext(&prepared.stack, begin, 0);
    swapcontext(&prepared.before, &prepared.stack);
}

#endif
