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

/* Is each pair where a stable sort puts it?  As in step 14b, a value is the place from
 * which its pair came. */
static void check(const uint32_t *keys_out, const uint32_t *values_out,
                  const numbers &keys, size_t n, int bits) {
    numbers found_keys(n), found_values(n);
    const size_t bytes = n * sizeof(uint32_t);
    CHECK(cudaMemcpy(found_keys.data(), keys_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(found_values.data(), values_out, bytes, cudaMemcpyDeviceToHost));
    const uint32_t mask = ~0u >> (32 - bits);
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = found_keys[i], value = found_values[i];
        bool right = value < n && key == keys[value];
        if (right && i > 0) {
            const uint32_t bin = key & mask, last_bin = found_keys[i - 1] & mask;
            right = last_bin < bin || (last_bin == bin && found_values[i - 1] < value);
        }
        if (!right) {
            fprintf(stderr, "wrong: another pair belongs to place %zu\n", i);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 21;
    const size_t most = (size_t)1 << 26, bytes = most * sizeof(uint32_t);
    numbers keys(most), values(most);
    uint32_t state = 1;
    for (size_t i = 0; i < most; i++) { /* as step 14b makes them */
        state = state * 1664525u + 1013904223u;
        keys[i] = state >> 16;
        state = state * 1664525u + 1013904223u;
        keys[i] |= state & 0xffff0000u;
        values[i] = (uint32_t)i;
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
    const int all_bits[] = {4, 8, 12, 32};
    for (int bits : all_bits) {
        size_t more = 0;
        CHECK(cub::DeviceRadixSort::SortPairs(NULL, more, in[0], out[0], in[1], out[1],
                                              most, 0, bits));
        needed = std::max(needed, more);
    }
    CHECK(cudaMalloc(&scratch, needed));

    for (int bits : all_bits)
        for (size_t n = (size_t)1 << 24; n <= most; n *= 4) {
            const std::string name = "cub_" + std::to_string(bits) + "_bits";
            time_calls(name.c_str(), n, repeats, [&] {
                CHECK(cub::DeviceRadixSort::SortPairs(scratch, needed, in[0], out[0],
                                                      in[1], out[1], n, 0, bits));
            });
            check(out[0], out[1], keys, n, bits);
        }
    return 0;
}
