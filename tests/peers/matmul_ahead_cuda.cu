/* matmul_ahead_cuda: cuBLAS' product of two square matrices, in float throughout: no
 * tensor cores (TF32 off).  By the device's clock, as rows that matmul_ahead.sh compares:
 *
 *     name size median_ms fastest_ms slowest_ms
 *
 * All products are enqueued at once, so that the device never waits for the host; in
 * "cublas" there is an event between any two of them, in "chain" there is none. */
#include "time_calls.h"

#include <cmath>
#include <cstdint>
#include <cublas_v2.h>

/* Is the first row of C that of A B?  Rows lie one after another. */
static void check(const float *c, const std::vector<float> &a,
                  const std::vector<float> &b, size_t side) {
    std::vector<float> found(side);
    CHECK(cudaMemcpy(found.data(), c, side * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t x = 0; x < side; x++) {
        double sum = 0, sizes = 0;
        for (size_t i = 0; i < side; i++) {
            sum += (double)a[i] * b[i * side + x];
            sizes += std::fabs((double)a[i] * b[i * side + x]);
        }
        if (!(std::fabs(found[x] - sum) <= std::ldexp(sizes * (side + 1), -24))) {
            fprintf(stderr, "wrong: C (%zu, 0) is %g, expected %g\n", x,
                    (double)found[x], sum);
            exit(1);
        }
    }
}

static void print(const char *name, size_t size, std::vector<float> times) {
    std::sort(times.begin(), times.end());
    printf("%s %zu %.6g %.6g %.6g\n", name, size, times[times.size() / 2], times[0],
           times.back());
}

int main(int argc, char **argv) {
    const size_t size = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 24;
    const int repeats = argc > 2 ? atoi(argv[2]) : 51;
    const size_t side = (size_t)std::sqrt((double)size);
    if (side == 0 || side * side != size || repeats < 1) {
        fprintf(stderr, "error: %zu is no square, or there is nothing to time\n", size);
        return 2;
    }
    std::vector<float> a(size), b(size);
    uint32_t state = 18;
    for (std::vector<float> *numbers : {&a, &b})
        for (float &number : *numbers) { /* 24 bits each, as those that step 18b times */
            state = state * 1664525u + 1013904223u;
            number = std::ldexp((float)((int32_t)(state >> 7 | 1) - (1 << 24)), -22);
        }
    float *in_a, *in_b, *c;
    CHECK(cudaMalloc(&in_a, size * sizeof(float)));
    CHECK(cudaMalloc(&in_b, size * sizeof(float)));
    CHECK(cudaMalloc(&c, size * sizeof(float)));
    CHECK(cudaMemcpy(in_a, a.data(), size * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(in_b, b.data(), size * sizeof(float), cudaMemcpyHostToDevice));
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));

    /* cuBLAS goes by columns: there C' = B' A', and a transposed matrix by columns is
     * the matrix by rows. */
    const float one = 1.0f, zero = 0.0f;
    const int n = (int)side;
    const auto multiply = [&] {
        CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, in_b, n, in_a,
                          n, &zero, c, n));
    };
    std::vector<cudaEvent_t> events(repeats + 1);
    for (cudaEvent_t &event : events)
        CHECK(cudaEventCreate(&event));
    const int warm_up = 20 + (int)(1e13 / ((double)size * side)); /* 0.4 s */
    for (int i = 0; i < warm_up; i++)
        multiply();

    std::vector<float> times(repeats), chain(1);
    CHECK(cudaEventRecord(events[0]));
    for (int i = 0; i < repeats; i++) {
        multiply();
        CHECK(cudaEventRecord(events[i + 1]));
    }
    CHECK(cudaEventSynchronize(events[repeats]));
    for (int i = 0; i < repeats; i++)
        CHECK(cudaEventElapsedTime(&times[i], events[i], events[i + 1]));
    print("cublas", size, times);

    CHECK(cudaEventRecord(events[0]));
    for (int i = 0; i < repeats; i++)
        multiply();
    CHECK(cudaEventRecord(events[1]));
    CHECK(cudaEventSynchronize(events[1]));
    CHECK(cudaEventElapsedTime(&chain[0], events[0], events[1]));
    chain[0] /= repeats;
    print("chain", size, chain);
    check(c, a, b, side);
    CHECK(cublasDestroy(handle));
    return 0;
}
