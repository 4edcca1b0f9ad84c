/* histogram_cuda: NVIDIA's own histogram (CUB DeviceHistogram::HistogramEven) of 256
 * equal bins, of the sizes and the data of step 09c, by the device's clock, as rows
 * that histogram.sh compares.  The limits of the bins are once whole numbers, so that
 * the counts are ours, and once floats, with which CUB multiplies instead of dividing.
 *
 *     library size median_ms fastest_ms slowest_ms */
#include "time_calls.h"

#include <cstdint>
#include <cub/cub.cuh>

enum { BINS = 256 };

/* As the step makes them: every second number of common/data.c's generator. */
static std::vector<uint32_t> random_numbers(size_t count) {
    std::vector<uint32_t> numbers(count);
    uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525u + 1013904223u; };
    next();
    for (uint32_t &number : numbers) {
        next();
        number = next();
    }
    return numbers;
}

/* Are the counts right?  With floats, a number just below a limit may be rounded up to
 * it. */
static void check(const uint32_t *counts, const std::vector<uint32_t> &numbers,
                  size_t n, bool exact) {
    std::vector<uint32_t> found(BINS), expected(BINS);
    CHECK(cudaMemcpy(found.data(), counts, BINS * sizeof *counts,
                     cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        expected[numbers[i] >> 24]++;
    for (int bin = 0; bin < BINS; bin++)
        if (llabs((long long)found[bin] - expected[bin]) > (exact ? 1 : 100)) {
            fprintf(stderr, "wrong: counts[%d] is %u, expected %u\n", bin, found[bin],
                    expected[bin]);
            exit(1);
        }
}

template <typename Level>
static void time_cub(const char *name, const uint32_t *x, size_t n, Level upper,
                     int repeats, uint32_t *counts) {
    void *scratch = NULL;
    size_t bytes = 0;
    const auto call = [&] {
        CHECK(cub::DeviceHistogram::HistogramEven(scratch, bytes, x, counts, BINS + 1,
                                                  (Level)0, upper, (int)n));
    };
    call(); /* says how much memory it needs */
    CHECK(cudaMalloc(&scratch, bytes));
    time_calls(name, n, repeats, call);
    CHECK(cudaFree(scratch));
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 51;
    const size_t most = (size_t)1 << 28;
    const std::vector<uint32_t> numbers = random_numbers(most);
    uint32_t *x, *counts;
    CHECK(cudaMalloc(&x, most * sizeof *x));
    CHECK(cudaMemcpy(x, numbers.data(), most * sizeof *x, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&counts, BINS * sizeof *counts));

    for (size_t n = (size_t)1 << 26; n <= most; n *= 4) {
        /* CUB leaves out the upper limit itself, which is one of 2^32 numbers. */
        time_cub<uint32_t>("cub_whole", x, n, UINT32_MAX, repeats, counts);
        check(counts, numbers, n, true);
        time_cub<float>("cub_float", x, n, 4294967296.0f, repeats, counts);
        check(counts, numbers, n, false);
    }
    return 0;
}
