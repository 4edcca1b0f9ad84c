/* Step 14b: pairs of a key and a value, sorted by some bits of the key, in equal keys'
 * order of arrival.  Eight keys of 2 bits:
 *
 *     key                2  0  3  0  2  1  0  2
 *
 *     bin                0  1  2  3
 *     counts             3  1  3  1
 *     begins             0  3  4  7         the exclusive prefix sums of the counts
 *
 *     rank               0  0  0  1  1  0  2  2     the earlier keys of its bin
 *     place              4  0  7  1  5  3  2  6     begins[key] + rank
 *
 * The array is cut into parts, for a work-item or for a group each.  `counts` has all
 * parts' counts of bin 0 first, then their counts of bin 1, and so on. */
#include "simd.clh"

/* Functions that receive a pointer to local memory are inlined (step 06 says why). */
#define INLINE static inline __attribute__((always_inline))

/* A group has GROUP work-items at most, with EACH keys each.  A bin has BITS bits at
 * most, and where each work-item has counters, ITEM_BITS. */
enum { GROUP = 384, EACH = 16, BITS = 8, ITEM_BITS = 4 };
enum { TILE = GROUP * EACH, BINS = 1 << BITS, ITEM_BINS = 1 << ITEM_BITS };

/* Registers cannot be indexed, so an array such as key[EACH] is in registers only if
 * the compiler writes out all rounds of the loops over it.  UNROLL asks for that, but
 * not on a CPU, where it would take long to compile. */
#if SIMD_WAY == SIMD_BY_PTX
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

INLINE uint bin_of(uint key, uint shift, uint bins) {
    return key >> shift & (bins - 1);
}

/* ---- A part for each work-item, which works alone on neighbouring keys ---- */

struct block {
    uint begin, end;
};

INLINE struct block block_of(uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint length = n / items + (n % items > 0);
    const uint begin = min(item * length, n);
    const struct block block = {begin, min(begin + length, n)};
    return block;
}

kernel void count_alone(global const uint *keys, global uint *counts, uint n,
                        uint shift, uint bins) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const struct block block = block_of(n);
    for (uint bin = 0; bin < bins; bin++)
        counts[bin * items + item] = 0;
    for (uint i = block.begin; i < block.end; i++)
        counts[bin_of(keys[i], shift, bins) * items + item]++;
}

kernel void counting_sort_alone(global const uint *keys, global const uint *values,
                                global uint *counts, global const uint *begins,
                                global uint *keys_out, global uint *values_out, uint n,
                                uint shift, uint bins) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const struct block block = block_of(n);
    for (uint i = block.begin; i < block.end; i++) {
        const uint bin = bin_of(keys[i], shift, bins);
        const uint place = begins[bin] + counts[bin * items + item]++;
        keys_out[place] = keys[i];
        values_out[place] = values[i];
    }
}

/* ---- A part for each group: a tile, counted with atomics as in step 09c ---- */

kernel void count_tile(global const uint *keys, global uint *counts, uint n, uint shift,
                       uint bins) {
    local uint bin_counts[BINS];
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    for (uint bin = id; bin < bins; bin += items)
        bin_counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint key[EACH]; /* all loads are in flight before the first key is counted */
    const uint first = tile * items * EACH + id;
    UNROLL for (uint k = 0; k < EACH; k++)
        key[k] = first + k * items < n ? keys[first + k * items] : 0;
    UNROLL for (uint k = 0; k < EACH; k++)
        if (first + k * items < n)
            atomic_inc(&bin_counts[bin_of(key[k], shift, bins)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = id; bin < bins; bin += items)
        counts[bin * tiles + tile] = bin_counts[bin];
}

/* ---- Exclusive prefix sums, as in step 07b: x[0], x[1] ... become 0, x[0] ... ---- */

/* A run for each work-item; returns the sum of all. */
INLINE uint running_sums(local uint *simd_memory, local uint *x, uint count,
                         local uint *sums) {
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint run = (count + items - 1) / items;
    const uint first = min(id * run, count), end = min(first + run, count);
    uint own = 0;
    for (uint i = first; i < end; i++)
        own += x[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* for PoCL 6, see step 07 */
    uint sum = simd_prefix_exclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        sums[simd_group()] = sum + own;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint all = 0;
    for (uint i = 0; i < simd_groups(); i++) {
        sum += i < simd_group() ? sums[i] : 0;
        all += sums[i];
    }
    for (uint i = first; i < end; i++) {
        const uint here = x[i];
        x[i] = sum;
        sum += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* A group for each row of `length` numbers: its sums, and what it adds up to.  First,
 * the counts of each bin are a row; then the totals of all bins are the only row. */
kernel void sum_rows(global uint *rows, uint length, global uint *totals) {
    SIMD_MEMORY;
    local uint x[TILE], sums[GROUP];
    const uint id = get_local_id(0), items = get_local_size(0);
    global uint *row = rows + get_group_id(0) * length;
    uint in_front = 0;
    for (uint first = 0; first < length; first += items * EACH) {
        const uint count = min(items * EACH, length - first);
        for (uint i = id; i < count; i += items)
            x[i] = row[first + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint all = running_sums(simd_memory, x, count, sums);
        for (uint i = id; i < count; i += items)
            row[first + i] = in_front + x[i];
        in_front += all;
    } /* no barrier: each work-item reloads its own x[i] */
    if (id == 0 && get_num_groups(0) > 1)
        totals[get_group_id(0)] = in_front;
}

/* ---- Places within a tile: a counter for each bin and work-item ---- */

/* A work-item has EACH keys that arrived one after another.  counters[] holds bin 0 of
 * all work-items, then bin 1; the running sums turn them into places in the tile. */
kernel void counting_sort_by_items(global const uint *keys, global const uint *values,
                                   global const uint *counts, global const uint *begins,
                                   global uint *keys_out, global uint *values_out,
                                   uint n, uint shift, uint bins) {
    SIMD_MEMORY;
    local uint counters[ITEM_BINS * GROUP], sums[GROUP];
    local uint to[ITEM_BINS]; /* from a place in the tile to one in the array: a sum */
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint first = tile * items * EACH, end = min(first + items * EACH, n);
    for (uint i = id; i < bins * items; i += items)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* for the exercise: here each clears its own */

    /* exercise { */
    const uint begin = first + id * EACH;
    for (uint i = begin; i < min(begin + EACH, end); i++)
        counters[bin_of(keys[i], shift, bins) * items + id]++;
    /* } exercise */
    barrier(CLK_LOCAL_MEM_FENCE);

    running_sums(simd_memory, counters, bins * items, sums);
    for (uint bin = id; bin < bins; bin += items)
        to[bin] = begins[bin] + counts[bin * tiles + tile] - counters[bin * items];
    barrier(CLK_LOCAL_MEM_FENCE);
    /* exercise { */
    for (uint i = begin; i < min(begin + EACH, end); i++) {
        const uint bin = bin_of(keys[i], shift, bins);
        const uint place = to[bin] + counters[bin * items + id]++;
        keys_out[place] = keys[i];
        values_out[place] = values[i];
    }
    /* } exercise */
}

/* ---- Places within a tile: a counter for each bin and warp ---- */

/* A warp is 32 neighbouring work-items here, on every device: where the hardware has
 * other widths, local memory and barriers take the place of votes. */
enum { LANES = 32, WARPS = (GROUP + LANES - 1) / LANES };

INLINE uint lane(void) { return get_local_id(0) % LANES; }
INLINE uint warp(void) { return get_local_id(0) / LANES; }
INLINE uint warps(void) { return ((uint)get_local_size(0) + LANES - 1) / LANES; }

/* The lanes of a warp that have the same bin as this lane: how many of them come
 * earlier, and how many there are, with this one. */
struct peers {
    uint earlier, all;
};

#if SIMD_WAY == SIMD_BY_PTX

/* All warps of a group are whole here.  As this is a constant, the places of the keys
 * take so few registers that a unit has room for two groups, not one. */
INLINE uint lanes(void) { return LANES; }

/* One bit for each lane: did it say yes?  (PTX ISA, "vote.sync") */
INLINE uint ballot(uint yes) {
    uint votes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;\n\t"
                 "vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(votes)
                 : "r"(yes), "r"(simd_mask()));
    return votes;
}

INLINE struct peers peers_of(local uint *lane_bins, uint bin) {
    (void)lane_bins; /* lanes that vote need no local memory */
    uint same = simd_mask();
    for (uint bit = 0; bit < BITS; bit++) {
        const uint own = bin >> bit & 1, votes = ballot(own);
        same &= own ? votes : ~votes;
    }
    const uint earlier = same & ((1u << lane()) - 1);
    const struct peers peers = {popcount(earlier), popcount(same)};
    return peers;
}

/* The lanes of this warp wait for each other, and see what they have written. */
#define WARP_BARRIER asm volatile("bar.warp.sync %0;" ::"r"(simd_mask()) : "memory")

#else

/* The last warp of a group may have fewer lanes than the others. */
INLINE uint lanes(void) {
    return min((uint)LANES, (uint)get_local_size(0) - warp() * LANES);
}

/* Where lanes cannot vote, each looks at the bins of all others in local memory. */
INLINE struct peers peers_of(local uint *lane_bins, uint bin) {
    local uint *bins = lane_bins + warp() * LANES;
    bins[lane()] = bin;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct peers peers = {0, 0};
    for (uint i = 0; i < lanes(); i++) {
        const uint same = bins[i] == bin;
        peers.earlier += i < lane() ? same : 0;
        peers.all += same;
    }
    return peers;
}

#define WARP_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

#endif

/* Where the lane's key number k is in the array: a warp has neighbouring keys, and
 * takes one for each lane in each round. */
INLINE uint index_of(uint k) {
    const uint tile = get_group_id(0) * get_local_size(0) * EACH;
    return tile + warp() * LANES * EACH + k * lanes() + lane();
}

/* All loads are in flight together.  Beyond n come keys of the last bin: as the last
 * ones of all, they change no other key's place. */
INLINE void load(global const uint *array, uint n, uint element[EACH]) {
    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint i = index_of(k);
        element[k] = i < n ? array[i] : ~0u;
    }
}

/* What rank_keys() needs: a counter for each bin and warp, and the bins of all lanes,
 * for lanes that cannot vote. */
enum { COUNTERS = WARPS * BINS, RANKING = COUNTERS + GROUP };

/* rank[k] becomes the number of earlier keys of the tile in the bin of key[k], and
 * tile_counts[bin] the number of all keys of the tile in that bin.  `volatile` keeps
 * the compiler from remembering a counter that another lane may have changed. */
INLINE void rank_keys(const uint key[EACH], uint shift, uint bins, local uint *counters,
                      local uint *tile_counts, uint rank[EACH]) {
    const uint id = get_local_id(0), items = get_local_size(0);
    volatile local uint *own = counters + warp() * bins;
    for (uint i = id; i < bins * warps(); i += items)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint bin = bin_of(key[k], shift, bins);
        const struct peers peers = peers_of(counters + COUNTERS, bin);
        rank[k] = own[bin] + peers.earlier;
        WARP_BARRIER; /* all lanes have read the counter */
        if (peers.earlier == 0)
            own[bin] = rank[k] + peers.all;
        WARP_BARRIER; /* it is written before the next round reads it */
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = id; bin < bins; bin += items) {
        uint sum = 0;
        for (uint i = 0; i < warps(); i++) {
            const uint here = counters[i * bins + bin];
            counters[i * bins + bin] = sum;
            sum += here;
        }
        tile_counts[bin] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++)
        rank[k] += own[bin_of(key[k], shift, bins)];
}

/* Each pair goes straight to its place. */
kernel void counting_sort_direct(global const uint *keys, global const uint *values,
                                 global const uint *counts, global const uint *begins,
                                 global uint *keys_out, global uint *values_out, uint n,
                                 uint shift, uint bins) {
    local uint counters[RANKING], to[BINS];
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    uint key[EACH], value[EACH], rank[EACH];
    load(keys, n, key);
    rank_keys(key, shift, bins, counters, to, rank);
    load(values, n, value);

    for (uint bin = id; bin < bins; bin += items)
        to[bin] = begins[bin] + counts[bin * tiles + tile];
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint place = to[bin_of(key[k], shift, bins)] + rank[k];
        if (index_of(k) < n) {
            keys_out[place] = key[k];
            values_out[place] = value[k];
        }
    }
}

/* The tile is sorted in local memory first, so that neighbours go to neighbours.  The
 * sorted tile takes the memory of the counters, which are not needed any longer. */
enum { RANKING_OR_TILE = RANKING > TILE ? RANKING : TILE };

kernel void counting_sort_tiles(global const uint *keys, global const uint *values,
                                global const uint *counts, global const uint *begins,
                                global uint *keys_out, global uint *values_out, uint n,
                                uint shift, uint bins) {
    SIMD_MEMORY;
    local uint memory[RANKING_OR_TILE], sums[GROUP];
    local uint starts[BINS], to[BINS]; /* of a bin: in the tile; on to the array */
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint first = tile * items * EACH, end = min(first + items * EACH, n);
    uint key[EACH], value[EACH], place[EACH], target[EACH];

    load(keys, n, key);
    rank_keys(key, shift, bins, memory, starts, place);
    running_sums(simd_memory, starts, bins, sums);
    for (uint bin = id; bin < bins; bin += items)
        to[bin] = begins[bin] + counts[bin * tiles + tile] - starts[bin];

    local uint *sorted = memory; /* running_sums() waits: all counters have been read */
    UNROLL for (uint k = 0; k < EACH; k++) {
        place[k] += starts[bin_of(key[k], shift, bins)];
        sorted[place[k]] = key[k];
    }
    load(values, n, value);
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint i = k * items + id, key_here = sorted[i];
        target[k] = to[bin_of(key_here, shift, bins)] + i;
        if (first + i < end)
            keys_out[target[k]] = key_here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++)
        sorted[place[k]] = value[k];
    barrier(CLK_LOCAL_MEM_FENCE);

    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint i = k * items + id;
        if (first + i < end)
            values_out[target[k]] = sorted[i];
    }
}

// lens: count_alone(keys[n], counts[bins * items], n=4096, shift=0, bins=16) --global 32 --local 32
// lens: counting_sort_alone(keys[n]=index, values[n]=index, counts[bins * items]=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), begins[bins]=(0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240), keys_out[n], values_out[n], n=256, shift=0, bins=16) --global 16 --local 16
// lens: count_tile(keys[n], counts[bins * groups], n=24576, shift=0, bins=256) --global 1536 --local 384
// lens: sum_rows(rows[256 * groups]=0..99, length=256, totals[groups]) --global 1536 --local 384
// lens: counting_sort_by_items(keys[n]=index, values[n]=index, counts[bins * groups]=0, begins[bins]=(0, 384, 768, 1152, 1536, 1920, 2304, 2688, 3072, 3456, 3840, 4224, 4608, 4992, 5376, 5760), keys_out[n], values_out[n], n=6144, shift=0, bins=16) --global 384 --local 384
// lens: counting_sort_direct(keys[n]=index, values[n]=index, counts[bins * groups]=0, begins[bins]=(0, 384, 768, 1152, 1536, 1920, 2304, 2688, 3072, 3456, 3840, 4224, 4608, 4992, 5376, 5760), keys_out[n], values_out[n], n=6144, shift=0, bins=16) --global 384 --local 384
// lens: counting_sort_tiles(keys[n]=index, values[n]=index, counts[bins * groups]=0, begins[bins]=(0, 384, 768, 1152, 1536, 1920, 2304, 2688, 3072, 3456, 3840, 4224, 4608, 4992, 5376, 5760), keys_out[n], values_out[n], n=6144, shift=0, bins=16) --global 384 --local 384
