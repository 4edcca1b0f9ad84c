// CUDA's cooperative groups: a block, tiles of a warp, the lanes that are together, and
// the grid but for its barrier.  Written from the CUDA C++ Programming Guide.
//
// builtins.cuh includes this.

#pragma once
#pragma clang system_header

namespace cooperative_groups {
struct thread_block {
    static LENS_MEMBER void sync() {
        __syncthreads();
    }
    static LENS_MEMBER unsigned thread_rank() {
        const unsigned row = threadIdx.z * blockDim.y + threadIdx.y;
        return row * blockDim.x + threadIdx.x;
    }
    static LENS_MEMBER unsigned size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static LENS_MEMBER unsigned num_threads() {
        return size();
    }
    static LENS_MEMBER dim3 group_index() {
        return uint3(blockIdx);
    }
    static LENS_MEMBER dim3 thread_index() {
        return uint3(threadIdx);
    }
    static LENS_MEMBER dim3 group_dim() {
        return blockDim;
    }
};
LENS_BUILTIN thread_block this_thread_block() {
    return {};
}
// What tiles of several warps would share.
template <unsigned N = 1024> struct block_tile_memory {};
template <unsigned N>
LENS_BUILTIN thread_block this_thread_block(block_tile_memory<N> &) {
    return {};
}

// Its sync() is missing: blocks run in no order here.
struct grid_group {
    static LENS_MEMBER unsigned long long block_rank() {
        return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static LENS_MEMBER unsigned long long num_blocks() {
        return gridDim.x * gridDim.y * gridDim.z;
    }
    static LENS_MEMBER unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static LENS_MEMBER unsigned long long size() {
        return num_blocks() * thread_block::size();
    }
    static LENS_MEMBER unsigned long long num_threads() {
        return size();
    }
    static LENS_MEMBER bool is_valid() {
        return true;
    }
    static LENS_MEMBER dim3 group_dim() {
        return gridDim;
    }
};
LENS_BUILTIN grid_group this_grid() {
    return {};
}

// What a tile sends; a structure goes word by word.
#define LENS_INLINED __attribute__((always_inline))
template <typename T, typename F> LENS_BUILTIN T lens_sent(T x, const F &shuffle) {
    if constexpr (__is_class(T) && sizeof(T) > sizeof(short)) {
        static_assert(sizeof(T) % sizeof(unsigned) == 0, "words of 4 bytes travel");
        unsigned words[sizeof(T) / sizeof(unsigned)];
        __builtin_memcpy(words, &x, sizeof x);
        for (unsigned &word : words)
            word = shuffle(word);
        __builtin_memcpy(&x, words, sizeof x);
        return x;
    } else {
        return shuffle(x);
    }
}

template <unsigned N, typename Parent = void> struct thread_block_tile {
    static_assert(N <= LENS_MASK_BITS, "a tile of several warps");
    static LENS_MEMBER unsigned thread_rank() {
        return lens_sub_group_local_id() & (N - 1);
    }
    static LENS_MEMBER lens_mask mask() {
        const unsigned first = lens_sub_group_local_id() & ~(N - 1);
        return (LENS_ALL_LANES >> (LENS_MASK_BITS - N)) << first;
    }
    static constexpr LENS_MEMBER unsigned size() {
        return N;
    }
    static constexpr LENS_MEMBER unsigned num_threads() {
        return N;
    }
    static LENS_MEMBER unsigned meta_group_rank() {
        return thread_block::thread_rank() / N;
    }
    static LENS_MEMBER unsigned meta_group_size() {
        return (thread_block::size() + N - 1) / N;
    }
    static LENS_MEMBER void sync() {
        __syncwarp(mask());
    }
    template <typename T> static LENS_MEMBER T shfl(T x, int from) {
        return lens_sent(x, [m = mask(), from](auto sent) LENS_INLINED {
            return __shfl_sync(m, sent, from, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_up(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_up_sync(m, sent, by, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_down(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_down_sync(m, sent, by, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_xor(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_xor_sync(m, sent, (int)by, N);
        });
    }
    static LENS_MEMBER int any(int is) {
        return ballot(is) != 0;
    }
    static LENS_MEMBER int all(int is) {
        return ballot(is) == LENS_ALL_LANES >> (LENS_MASK_BITS - N);
    }
    static LENS_MEMBER lens_mask ballot(int is) {
        const unsigned first = lens_sub_group_local_id() & ~(N - 1);
        return __ballot_sync(mask(), is) >> first;
    }
};
template <unsigned N, typename Parent>
LENS_BUILTIN thread_block_tile<N> tiled_partition(const Parent &) {
    return {};
}
template <typename Group> LENS_BUILTIN void sync(const Group &group) {
    group.sync();
}

// The lanes that were together where it was made, numbered from 0.
struct coalesced_group {
    lens_mask lanes;

    LENS_MEMBER unsigned thread_rank() const {
        const lens_mask own = (lens_mask)1 << lens_sub_group_local_id();
        return (unsigned)__popcll(lanes & (own - 1));
    }
    LENS_MEMBER unsigned size() const {
        return (unsigned)__popcll(lanes);
    }
    LENS_MEMBER unsigned num_threads() const {
        return size();
    }
    LENS_MEMBER unsigned meta_group_rank() const {
        return 0;
    }
    LENS_MEMBER unsigned meta_group_size() const {
        return 1;
    }
    LENS_MEMBER void sync() const {
        __syncwarp(lanes);
    }
    LENS_MEMBER unsigned lane_of(unsigned rank) const {
        lens_mask rest = lanes;
        for (; rank > 0; rank--)
            rest &= rest - 1;
        return (unsigned)__ffsll((long long)rest) - 1;
    }
    template <typename T> LENS_MEMBER T shfl(T x, unsigned from) const {
        return lens_sent(x, [m = lanes, lane = lane_of(from % size())](auto sent)
                                LENS_INLINED { return __shfl_sync(m, sent, (int)lane); });
    }
    template <typename T> LENS_MEMBER T shfl_up(T x, unsigned by) const {
        const unsigned own = thread_rank();
        return shfl(x, own < by ? own : own - by);
    }
    template <typename T> LENS_MEMBER T shfl_down(T x, unsigned by) const {
        const unsigned own = thread_rank();
        return shfl(x, own + by < size() ? own + by : own);
    }
    // Bits, one for each lane of the warp, as one for each of these.
    LENS_MEMBER lens_mask packed(lens_mask bits) const {
        lens_mask result = 0, rank = 0;
        for (lens_mask rest = lanes; rest; rest &= rest - 1)
            result |= (bits >> (__ffsll((long long)rest) - 1) & 1) << rank++;
        return result;
    }
    LENS_MEMBER lens_mask ballot(int is) const {
        return packed(__ballot_sync(lanes, is));
    }
    LENS_MEMBER int any(int is) const {
        return __ballot_sync(lanes, is) != 0;
    }
    LENS_MEMBER int all(int is) const {
        return __ballot_sync(lanes, is) == lanes;
    }
};
LENS_BUILTIN coalesced_group coalesced_threads() {
    return {__activemask()};
}

template <typename T> struct plus {
    LENS_MEMBER T operator()(T x, T y) const {
        return x + y;
    }
};
template <typename T> struct less {
    LENS_MEMBER T operator()(T x, T y) const {
        return y < x ? y : x;
    }
};
template <typename T> struct greater {
    LENS_MEMBER T operator()(T x, T y) const {
        return x < y ? y : x;
    }
};
template <typename T> struct bit_and {
    LENS_MEMBER T operator()(T x, T y) const {
        return x & y;
    }
};
template <typename T> struct bit_or {
    LENS_MEMBER T operator()(T x, T y) const {
        return x | y;
    }
};
template <typename T> struct bit_xor {
    LENS_MEMBER T operator()(T x, T y) const {
        return x ^ y;
    }
};
template <unsigned N, typename T, typename F>
LENS_BUILTIN T reduce(const thread_block_tile<N> &tile, T x, const F &combine) {
    for (unsigned by = N / 2; by > 0; by /= 2)
        x = combine(x, tile.shfl_xor(x, by));
    return x;
}
template <typename T, typename F>
LENS_BUILTIN T reduce(const coalesced_group &group, T x, const F &combine) {
    T result = group.shfl(x, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = combine(result, group.shfl(x, rank));
    return result;
}
template <unsigned N, typename T, typename F = plus<T>>
LENS_BUILTIN T inclusive_scan(const thread_block_tile<N> &tile, T x,
                              const F &combine = {}) {
    for (unsigned by = 1; by < N; by *= 2) {
        const T other = tile.shfl_up(x, by);
        if (tile.thread_rank() >= by)
            x = combine(other, x);
    }
    return x;
}
template <unsigned N, typename T>
LENS_BUILTIN T exclusive_scan(const thread_block_tile<N> &tile, T x) {
    const T before = tile.shfl_up(inclusive_scan(tile, x), 1);
    return tile.thread_rank() > 0 ? before : T();
}
} // namespace cooperative_groups

