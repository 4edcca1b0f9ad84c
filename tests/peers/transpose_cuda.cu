/* transpose_cuda: NVIDIA's own transposition (cublasSgeam) of a square matrix of so many
 * elements, and a copy of as many bytes, by the device's clock, as rows that transpose.sh
 * compares.
 *
 *     name size median_ms fastest_ms slowest_ms */
#include "time_calls.h"

#include <cmath>
#include <cstdint>
#include <cublas_v2.h>

static void check(const float *out, const std::vector<float> &numbers, size_t pitch) {
    std::vector<float> found(numbers.size());
    CHECK(cudaMemcpy(found.data(), out, found.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    for (size_t y = 0; y < pitch; y++)
        for (size_t x = 0; x < pitch; x++)
            if (found[x * pitch + y] != numbers[y * pitch + x]) {
                fprintf(stderr, "wrong: out (%zu, %zu) is %g, expected %g\n", y, x,
                        (double)found[x * pitch + y], (double)numbers[y * pitch + x]);
                exit(1);
            }
}

int main(int argc, char **argv) {
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 26;
    const int repeats = argc > 2 ? atoi(argv[2]) : 51;
    const size_t pitch = (size_t)std::sqrt((double)n);
    if (pitch == 0 || pitch * pitch != n) {
        fprintf(stderr, "error: %zu is no square\n", n);
        return 2;
    }
    std::vector<float> numbers(n);
    uint32_t state = 13;
    for (float &number : numbers) {
        state = state * 1664525u + 1013904223u;
        number = 0.25f * (float)((int32_t)state >> 7); /* as step 13b makes them */
    }
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof *in));
    CHECK(cudaMalloc(&out, n * sizeof *out));
    CHECK(cudaMemcpy(in, numbers.data(), n * sizeof *in, cudaMemcpyHostToDevice));
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));

    time_calls("copy", n, repeats, [&] {
        CHECK(cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice));
    });
    const float one = 1.0f, zero = 0.0f;
    const int side = (int)pitch;
    time_calls("cublas", n, repeats, [&] {
        CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, side, side, &one, in, side,
                          &zero, out, side, out, side));
    });
    check(out, numbers, pitch);
    CHECK(cublasDestroy(handle));
    return 0;
}
