/* cuBLAS, in float throughout: no tensor cores (TF32 off). */
extern "C" {
#include "matmul.h"
}

#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>

static struct {
    int m, n, k;
    cublasHandle_t handle;
    float *a, *b, *c;
} peer;

static void check(int status) {
    if (status != 0) {
        fprintf(stderr, "error: CUDA or cuBLAS says %d\n", status);
        exit(2);
    }
}

static float *copy_of(const float *numbers, size_t count) {
    float *copy;
    check(cudaMalloc(&copy, count * sizeof *copy));
    if (numbers)
        check(cudaMemcpy(copy, numbers, count * sizeof *copy, cudaMemcpyHostToDevice));
    return copy;
}

const char *peer_name(void) {
    return "cuBLAS";
}

void peer_open(unsigned m, unsigned n, unsigned k, const float *a, const float *b) {
    peer.m = m;
    peer.n = n;
    peer.k = k;
    check(cublasCreate(&peer.handle));
    check(cublasSetMathMode(peer.handle, CUBLAS_PEDANTIC_MATH));
    peer.a = copy_of(a, size_t(m) * k);
    peer.b = copy_of(b, size_t(k) * n);
    peer.c = copy_of(NULL, size_t(m) * n);
}

/* cuBLAS goes by columns: there C' = B' A', and a transposed matrix by columns is the
 * matrix by rows. */
void peer_multiply(unsigned times) {
    const float one = 1, zero = 0;
    for (unsigned i = 0; i < times; i++)
        check(cublasSgemm(peer.handle, CUBLAS_OP_N, CUBLAS_OP_N, peer.n, peer.m, peer.k, &one,
                          peer.b, peer.n, peer.a, peer.k, &zero, peer.c, peer.n));
    check(cudaDeviceSynchronize());
}

void peer_read(float *c) {
    check(cudaMemcpy(c, peer.c, size_t(peer.m) * peer.n * sizeof *c, cudaMemcpyDeviceToHost));
}

void peer_close(void) {
    cudaFree(peer.c);
    cudaFree(peer.b);
    cudaFree(peer.a);
    cublasDestroy(peer.handle);
}
