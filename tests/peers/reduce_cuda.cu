/* reduce_cuda: NVIDIA's own sum (CUB DeviceReduce::Sum) and dot product (cuBLAS sdot) of the
 * sizes and the data of steps 06 and 09b, by the device's clock, as rows that reduce.sh compares.
 *
 *     library size median_ms fastest_ms slowest_ms
 *
 * The data are odd quarters, so both must be exactly what the host finds. */
#include "time_calls.h"

#include <cstdint>
#include <cub/cub.cuh>
#include <cublas_v2.h>

/* As common/data.c makes them. */
static std::vector<float> small_numbers(size_t count, unsigned seed) {
    std::vector<float> numbers(count);
    uint32_t state = seed;
    for (float &number : numbers) {
        state = state * 1664525u + 1013904223u;
        number = 0.5f * (float)(state >> 29) - 1.75f;
    }
    return numbers;
}

static float *to_device(const std::vector<float> &numbers) {
    float *x;
    CHECK(cudaMalloc(&x, numbers.size() * sizeof *x));
    CHECK(cudaMemcpy(x, numbers.data(), numbers.size() * sizeof *x,
                     cudaMemcpyHostToDevice));
    return x;
}

static void check(const char *name, const float *result, double expected) {
    float found;
    CHECK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
    if (found != expected) {
        fprintf(stderr, "wrong: %s is %.9g, expected %.9g\n", name, found, expected);
        exit(1);
    }
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 101;
    const size_t most = (size_t)1 << 28;
    const std::vector<float> a = small_numbers(most, 1), b = small_numbers(most, 2);
    const float *x = to_device(a), *y = to_device(b);
    float *result;
    void *scratch = NULL;
    size_t bytes = 0;
    CHECK(cudaMalloc(&result, sizeof *result));
    CHECK(cub::DeviceReduce::Sum(scratch, bytes, x, result, most));
    CHECK(cudaMalloc(&scratch, bytes));
    cublasHandle_t cublas;
    CHECK(cublasCreate(&cublas));
    CHECK(cublasSetPointerMode(cublas, CUBLAS_POINTER_MODE_DEVICE));

    for (size_t n = (size_t)1 << 20; n <= most; n *= 256) {
        double sum = 0.0, dot = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += a[i];
            dot += (double)a[i] * b[i];
        }
        time_calls("cub", n, repeats, [&] {
            CHECK(cub::DeviceReduce::Sum(scratch, bytes, x, result, n));
        });
        check("CUB's sum", result, sum);
        time_calls("cublas", n, repeats, [&] {
            CHECK(cublasSdot(cublas, (int)n, x, 1, y, 1, result));
        });
        check("cuBLAS's dot product", result, dot);
    }
    return 0;
}
