/* sort_cuda: NVIDIA's own sort of pairs by the lowest bits of their keys (CUB
 * DeviceRadixSort::SortPairs) of the sizes and the data of step 14b, by the device's
 * clock, as rows that sort.sh compares.
 *
 *     name size median_ms fastest_ms slowest_ms */
#include "time_calls.h"

#include <cstdint>
#include <cub/cub.cuh>
#include <string>

typedef std::vector<uint32_t> numbers;

/* Is each pair where a stable sort puts it? */
static void check(const uint32_t *keys_out, const uint32_t *values_out,
                  const numbers &keys, const numbers &values, size_t n, int bits) {
    numbers found_keys(n), found_values(n);
    const size_t bytes = n * sizeof(uint32_t), bins = (size_t)1 << bits;
    CHECK(cudaMemcpy(found_keys.data(), keys_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(found_values.data(), values_out, bytes, cudaMemcpyDeviceToHost));
    std::vector<size_t> next(bins + 1);
    for (size_t i = 0; i < n; i++)
        next[keys[i] % bins + 1]++;
    for (size_t bin = 0; bin < bins; bin++)
        next[bin + 1] += next[bin];
    for (size_t i = 0; i < n; i++) {
        const size_t place = next[keys[i] % bins]++;
        if (found_keys[place] != keys[i] || found_values[place] != values[i]) {
            fprintf(stderr, "wrong: pair %zu is not at %zu\n", i, place);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 21;
    const size_t most = (size_t)1 << 28, bytes = most * sizeof(uint32_t);
    numbers keys(most), values(most);
    uint32_t state = 1;
    for (size_t i = 0; i < most; i++) { /* as step 14b makes them */
        state = state * 1664525u + 1013904223u;
        keys[i] = state >> 20 | state << 12;
        values[i] = state = state * 1664525u + 1013904223u;
    }
    uint32_t *in[2], *out[2];
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMalloc(&in[k], bytes));
        CHECK(cudaMalloc(&out[k], bytes));
    }
    CHECK(cudaMemcpy(in[0], keys.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(in[1], values.data(), bytes, cudaMemcpyHostToDevice));
    void *scratch = NULL;
    size_t needed = 0;
    for (int bits = 4; bits <= 12; bits += 4) {
        size_t more = 0;
        CHECK(cub::DeviceRadixSort::SortPairs(NULL, more, in[0], out[0], in[1], out[1],
                                              most, 0, bits));
        needed = std::max(needed, more);
    }
    CHECK(cudaMalloc(&scratch, needed));

    for (int bits = 4; bits <= 12; bits += 4)
        for (size_t n = (size_t)1 << 24; n <= most; n *= 4) {
            const std::string name = "cub_" + std::to_string(bits) + "_bits";
            time_calls(name.c_str(), n, repeats, [&] {
                CHECK(cub::DeviceRadixSort::SortPairs(scratch, needed, in[0], out[0],
                                                      in[1], out[1], n, 0, bits));
            });
            check(out[0], out[1], keys, values, n, bits);
        }
    return 0;
}
