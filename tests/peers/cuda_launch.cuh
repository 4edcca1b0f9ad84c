/* One launch of a kernel in CUDA, with arguments in the words of `cllens kernel`, so that a
 * profiler sees what the lens has counted; see cuda_counts.py, which writes the programs.
 * They include this file first, and then the kernel's own file, unchanged. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace launching {

/* An argument: elements of a buffer, or 1, and the word for what is in them.  Buffers of
 * random numbers differ by the argument's number. */
struct given {
    size_t count;
    const char *value;
    uint64_t number = 0;
};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "error: %s: %s\n", what, why);
    exit(2);
}

static void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess)
        fail(what, cudaGetErrorString(status));
}

/* ---- What a buffer is filled with: as common/lens/alone/values.c has it. */

static uint64_t random_at(uint64_t place) {
    uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

static double fraction_at(uint64_t place) {
    return (double)(random_at(place) >> 40) * 0x1p-24;
}

static double in_range(double from, double to, bool is_whole, uint64_t place) {
    if (!is_whole)
        return from + (to - from) * fraction_at(place);
    return from + (double)(random_at(place) % (uint64_t)(to - from + 1));
}

static double number_of(const std::string &text, const char *word) {
    char *end;
    const double number = strtod(text.c_str(), &end);
    if (text.empty() || *end)
        fail(word, "is no number, index, random of floats, or range such as 0..9");
    return number;
}

static double value_at(const char *word, bool is_whole, uint64_t place, uint64_t element) {
    if (strcmp(word, "index") == 0)
        return (double)element;
    if (strcmp(word, "random") == 0 && !is_whole)
        return fraction_at(place);
    const char *dots = strstr(word, "..");
    if (!dots)
        return number_of(word, word);
    return in_range(number_of({word, dots}, word), number_of(dots + 2, word), is_whole,
                    place);
}

/* ---- Types: a vector has several numbers. */

template <typename T> struct numbers {
    using one = T;
};
#define NUMBERS(vector, scalar)                                                        \
    template <> struct numbers<vector> {                                               \
        using one = scalar;                                                            \
    };
NUMBERS(float2, float)
NUMBERS(float3, float)
NUMBERS(float4, float)
NUMBERS(int2, int)
NUMBERS(int4, int)
NUMBERS(uint2, unsigned)
NUMBERS(uint4, unsigned)
NUMBERS(half2, half)
#undef NUMBERS

template <typename T> static std::vector<T> filled(const given &given) {
    using one = typename numbers<T>::one;
    std::vector<T> elements(given.count);
    const size_t each = sizeof(T) / sizeof(one);
    one *const number = (one *)(void *)elements.data();
    for (size_t place = 0; place < given.count * each; place++)
        number[place] = (one)value_at(given.value, std::is_integral<one>::value,
                                      place + (given.number << 40), place / each);
    return elements;
}

/* A buffer becomes the pointer to a copy on the device; all else, its value. */
template <typename T> struct argument {
    static T make(const given &given) {
        return filled<T>(given)[0];
    }
};

template <typename T> struct argument<T *> {
    static T *make(const given &given) {
        using element = typename std::remove_cv<T>::type;
        const size_t bytes = given.count * sizeof(element);
        void *buffer;
        check(cudaMalloc(&buffer, bytes), "cudaMalloc");
        check(cudaMemcpy(buffer, filled<element>(given).data(), bytes,
                         cudaMemcpyHostToDevice),
              "cudaMemcpy");
        return (T *)buffer;
    }
};

template <> struct argument<bool *> { /* of which std::vector makes bits */
    static bool *make(const given &given) {
        return (bool *)argument<unsigned char *>::make(given);
    }
};

/* ---- The launch. */

template <typename... Types>
static void launch(void (*kernel)(Types...), dim3 grid, dim3 block, size_t shared,
                   std::initializer_list<given> list) {
    if (list.size() != sizeof...(Types))
        fail("arguments", "the kernel has another number of them");
    std::vector<given> numbered(list);
    for (size_t i = 0; i < numbered.size(); i++)
        numbered[i].number = i;
    const given *next = numbered.data();
    std::tuple<Types...> values{argument<Types>::make(*next++)...};
    check(cudaFuncSetAttribute((const void *)kernel,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
          "cudaFuncSetAttribute");
    std::apply(
        [&](auto &...value) {
            void *pointers[] = {&value...};
            check(cudaLaunchKernel((const void *)kernel, grid, block, pointers, shared, NULL),
                  "cudaLaunchKernel");
        },
        values);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    puts("launched");
}

} // namespace launching
