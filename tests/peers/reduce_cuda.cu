/* reduce_cuda: NVIDIA's own sum (CUB DeviceReduce::Sum) and dot product (cuBLAS sdot) of the
 * sizes and the data of steps 06 and 09b, by the device's clock, as rows that reduce.sh compares.
 *
 *     library size median_ms fastest_ms slowest_ms result */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <functional>
#include <vector>

#define CHECK(call)                                                                    \
    do {                                                                               \
        if ((call) != 0) {                                                             \
            fprintf(stderr, "error: %s\n", #call);                                     \
            exit(2);                                                                   \
        }                                                                              \
    } while (0)

/* As common/data.c makes them. */
static float *small_numbers(size_t count, unsigned seed) {
    std::vector<float> numbers(count);
    uint32_t state = seed;
    for (float &number : numbers) {
        state = state * 1664525u + 1013904223u;
        number = 0.5f * (float)(state >> 29) - 1.75f;
    }
    float *x;
    CHECK(cudaMalloc(&x, count * sizeof *x));
    CHECK(cudaMemcpy(x, numbers.data(), count * sizeof *x, cudaMemcpyHostToDevice));
    return x;
}

static void time_calls(const char *name, size_t n, int repeats, const float *result,
                       const std::function<void()> &call) {
    cudaEvent_t start, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < repeats + 20; i++) {
        float ms;
        CHECK(cudaEventRecord(start));
        call();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, start, end));
        if (i >= 20) /* the first warm up */
            times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    float value;
    CHECK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
    printf("%s %zu %.6g %.6g %.6g %.9g\n", name, n, times[repeats / 2], times[0],
           times[repeats - 1], value);
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 101;
    const size_t most = (size_t)1 << (argc > 2 ? atoi(argv[2]) : 28);
    const float *x = small_numbers(most, 1), *y = small_numbers(most, 2);
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
        time_calls("cub", n, repeats, result,
                   [&] { cub::DeviceReduce::Sum(scratch, bytes, x, result, n); });
        time_calls("cublas", n, repeats, result,
                   [&] { CHECK(cublasSdot(cublas, (int)n, x, 1, y, 1, result)); });
    }
    return 0;
}
