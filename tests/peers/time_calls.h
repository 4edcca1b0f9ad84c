/* time_calls: what the CUDA programs beside it share. */
#ifndef TIME_CALLS_H
#define TIME_CALLS_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                                    \
    do {                                                                               \
        if ((call) != 0) {                                                             \
            fprintf(stderr, "error: %s\n", #call);                                     \
            exit(2);                                                                   \
        }                                                                              \
    } while (0)

/* Times a call by the device's clock, after 20 that warm up, and prints
 *
 *     name n median_ms fastest_ms slowest_ms */
static void time_calls(const char *name, size_t n, int repeats,
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
        if (i >= 20)
            times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    printf("%s %zu %.6g %.6g %.6g\n", name, n, times[repeats / 2], times[0],
           times[repeats - 1]);
}

#endif
