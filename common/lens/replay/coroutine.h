/* coroutine: from one stack to another.  A launch jumps millions of times, so where we
 * know how, it is a few instructions, without a function to return from: a processor
 * would expect it to return to where it was called.  coroutine.c does it everywhere
 * else. */
#ifndef COROUTINE_H
#define COROUTINE_H

#include <stddef.h>

#if defined __x86_64__ && !defined __AVX512F__ && !defined __SANITIZE_ADDRESS__

struct stop { /* where a stack's function goes on */
    void *stack, *instruction, *frame;
};

/* Leaves one stack at `from`, and goes on at `to`; ends when another stack leaves for
 * `from`.  All registers but the three of a stop are the compiler's business. */
static inline void jump(struct stop *from, const struct stop *to) {
    __asm__ volatile("movq %%rsp, (%0)\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rax, 8(%0)\n\t"
                     "movq %%rbp, 16(%0)\n\t"
                     "movq (%1), %%rsp\n\t"
                     "movq 16(%1), %%rbp\n\t"
                     "jmpq *8(%1)\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12",
                       "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}

/* Where the values lie that the function goes on with: from here to the end of its
 * stack; NULL: that is not known. */
static inline const char *jump_values(const struct stop *stop) {
    return stop->stack;
}

#else

#include <setjmp.h>

struct stop {
    jmp_buf registers;
};

void jump(struct stop *from, struct stop *to);

static inline const char *jump_values(const struct stop *stop) {
    (void)stop;
    return NULL;
}

#endif

/* Who jumps to this stop begins `body`, which never returns, on a stack of so many
 * bytes. */
void jump_prepare(struct stop *stop, char *stack, size_t bytes, void (*body)(void));

#endif
