/* scan_cuda: NVIDIA's own prefix sum (CUB DeviceScan::InclusiveSum) of the sizes and the
 * data of step 07b, and a copy of as many bytes, by the device's clock, as rows that
 * scan.sh compares.
 *
 *     name size median_ms fastest_ms slowest_ms result */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <vector>

#define CHECK(call)                                                                    \
    do {                                                                               \
        if ((call) != 0) {                                                             \
            fprintf(stderr, "error: %s\n", #call);                                     \
            exit(2);                                                                   \
        }                                                                              \
    } while (0)

static void time_calls(const char *name, size_t n, int repeats, const uint32_t *sums,
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
    uint32_t last;
    CHECK(cudaMemcpy(&last, sums + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    printf("%s %zu %.6g %.6g %.6g %u\n", name, n, times[repeats / 2], times[0],
           times[repeats - 1], last);
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 51;
    const size_t most = (size_t)1 << 28;
    std::vector<uint32_t> numbers(most);
    uint32_t state = 1;
    for (uint32_t &number : numbers) /* as step 07b makes them */
        number = state = state * 1664525u + 1013904223u;
    uint32_t *x, *sums;
    void *scratch = NULL;
    size_t bytes = 0;
    CHECK(cudaMalloc(&x, most * sizeof *x));
    CHECK(cudaMalloc(&sums, most * sizeof *x));
    CHECK(cudaMemcpy(x, numbers.data(), most * sizeof *x, cudaMemcpyHostToDevice));
    CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, x, sums, most));
    CHECK(cudaMalloc(&scratch, bytes));

    for (size_t n = (size_t)1 << 24; n <= most; n *= 4) {
        time_calls("copy", n, repeats, sums, [&] {
            CHECK(cudaMemcpyAsync(sums, x, n * sizeof *x, cudaMemcpyDeviceToDevice));
        });
        time_calls("cub", n, repeats, sums, [&] {
            CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, x, sums, n));
        });
    }
    return 0;
}
