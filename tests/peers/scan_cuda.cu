/* scan_cuda: NVIDIA's own prefix sum (CUB DeviceScan::InclusiveSum) of the sizes and the
 * data of step 07c, and a copy of as many bytes, by the device's clock, as rows that
 * scan.sh compares.
 *
 *     name size median_ms fastest_ms slowest_ms */
#include "time_calls.h"

#include <cstdint>
#include <cub/cub.cuh>

/* Is the last sum right, which has all elements in it? */
static void check(const uint32_t *sums, const std::vector<uint32_t> &numbers,
                  size_t n) {
    uint32_t found, expected = 0;
    CHECK(cudaMemcpy(&found, sums + n - 1, sizeof found, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        expected += numbers[i];
    if (found != expected) {
        fprintf(stderr, "wrong: the last sum is %u, expected %u\n", found, expected);
        exit(1);
    }
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 51;
    const size_t most = (size_t)1 << 28;
    std::vector<uint32_t> numbers(most);
    uint32_t state = 1;
    for (uint32_t &number : numbers) /* as step 07c makes them */
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
        time_calls("copy", n, repeats, [&] {
            CHECK(cudaMemcpyAsync(sums, x, n * sizeof *x, cudaMemcpyDeviceToDevice));
        });
        time_calls("cub", n, repeats, [&] {
            CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, x, sums, n));
        });
        check(sums, numbers, n);
    }
    return 0;
}
