/* Wrong on purpose: work-items take hits side by side, and so get them in no order. */

/* All devices shall round alike. */
#pragma OPENCL FP_CONTRACT OFF

enum { BOARD, CLAY, METAL, GLASS, STONE, WOOD, MATERIALS };

#define EACH 16 /* hits that a work-item sorts */

/* A function that receives local memory must be inlined (step 06). */
#define INLINE static inline __attribute__((always_inline))

/* ---- Shading: how bright a hit is, seen from above ---- */

#define LIGHT ((float3)(-0.48f, -0.36f, 0.8f))          /* from there, and */
#define HALFWAY ((float3)(-0.253f, -0.1897f, 0.94868f)) /* between that and the eye */

/* The dot product.  The built-in dot() may round as it likes. */
static float along(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* A spot of light, there and on the opposite side: the cosine, squared again and
 * again. */
static float spot(float3 direction, float3 towards, int squares) {
    float cosine = along(direction, towards);
    for (int i = 0; i < squares; i++)
        cosine *= cosine;
    return cosine;
}

static float lit(float3 normal) {
    return 0.25f + 0.75f * fmax(along(normal, LIGHT), 0.0f);
}

/* 0 at whole numbers, 1 between them. */
static float wave(float x) {
    x -= floor(x);
    return 4.0f * x * (1.0f - x);
}

/* How bright it is in a direction: a sky with a sun, a window's bars, and below the
 * light that the sun throws on the board. */
static float sky(float3 direction) {
    const float up = 0.5f + 0.5f * direction.z;
    return 0.2f + 0.5f * up * up + 0.2f * wave(2.0f * direction.y + direction.x) +
           spot(direction, LIGHT, 3);
}

/* A random number for each point with whole coordinates. */
static float random_at(int x, int y, int z) {
    uint h = (uint)x * 73856093u ^ (uint)y * 19349663u ^ (uint)z * 83492791u;
    h = (h ^ h >> 13) * 1540483477u;
    return (float)((h ^ h >> 15) >> 8) / 16777216.0f;
}

/* The same for all points: a smooth way between the eight around. */
static float noise(float3 point) {
    const float3 whole = floor(point), t = point - whole, s = t * t * (3.0f - 2.0f * t);
    float sum = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        sum += (x ? s.x : 1.0f - s.x) * (y ? s.y : 1.0f - s.y) *
               (z ? s.z : 1.0f - s.z) *
               random_at((int)whole.x + x, (int)whole.y + y, (int)whole.z + z);
    }
    return sum;
}

/* Noise of twice the fineness and half the strength, again and again. */
static float clouds(float3 point, int octaves) {
    float sum = 0.0f, strength = 0.5f;
    for (int i = 0; i < octaves; i++) {
        sum += strength * noise(point);
        point *= 2.0f;
        strength *= 0.5f;
    }
    return sum;
}

static float metal(float3 normal) {
    const float edge = 1.0f - normal.z, edge2 = edge * edge;
    const float mirror = 0.6f + 0.4f * edge2 * edge2 * edge; /* Schlick */
    return mirror * sky(2.0f * normal.z * normal - (float3)(0.0f, 0.0f, 1.0f));
}

/* Into a ball of glass, and three times to and fro in it.  Each time some light leaves;
 * the angles stay the same. */
static float glass(float3 normal) {
    const float cosine = normal.z;
    const float inside = sqrt(1.0f - (1.0f - cosine * cosine) / 2.25f);
    const float edge = 1.0f - cosine, edge2 = edge * edge;
    const float mirror = 0.04f + 0.96f * edge2 * edge2 * edge;
    float3 ray = (cosine / 1.5f - inside) * normal - (float3)(0.0f, 0.0f, 1.0f / 1.5f);
    float bright = mirror * sky(2.0f * cosine * normal - (float3)(0.0f, 0.0f, 1.0f));
    float rest = 1.0f - mirror;
    for (int i = 0; i < 3; i++) {
        normal += 2.0f * inside * ray; /* where the ray meets the glass again */
        bright += rest * (1.0f - mirror) *
                  sky(1.5f * ray + (cosine - 1.5f * inside) * normal);
        ray -= 2.0f * inside * normal;
        rest *= mirror;
    }
    return bright;
}

static float stone(float3 point, float3 normal) {
    const float vein = wave(1.5f * point.x + point.y + 3.0f * clouds(2.0f * point, 6));
    return (0.3f + 0.7f * vein) * lit(normal);
}

static float wood(float3 point, float3 normal) {
    const float knot = sqrt(point.x * point.x + point.z * point.z);
    return (0.5f + 0.5f * wave(4.0f * knot + 2.0f * clouds(point, 2))) * lit(normal);
}

static uint channel(float x) {
    return (uint)(255.0f * fmin(fmax(x, 0.0f), 1.0f) + 0.5f);
}

static uint colour(float3 tint, float bright, float shine) {
    return channel(tint.x * bright + shine) << 16 |
           channel(tint.y * bright + shine) << 8 | channel(tint.z * bright + shine);
}

/* Shades one hit: the next that arrived, or the next in the list.  Each array has one
 * word for each hit. */
kernel void sorted_gather_shade(global const uchar *material, global const float *x,
                                global const float *y, global const float *z,
                                global const float *normal_x,
                                global const float *normal_y,
                                global const float *normal_z, global const uint *order,
                                global uint *colours, uint n, uint partition) {
    const uint item = get_global_id(0);
    if (item < n) {
        const uint hit = partition > 1 ? order[item] : item;
        const float3 point = (float3)(x[hit], y[hit], z[hit]);
        const float3 normal = (float3)(normal_x[hit], normal_y[hit], normal_z[hit]);
        uint c = 0;
        switch (material[hit]) {
        case BOARD:
            c = colour((float3)(0.25f, 0.4f, 0.3f),
                       lit(normal) * (0.8f + 0.2f * noise(32.0f * point)), 0.0f);
            break;
        case CLAY:
            c = colour((float3)(0.9f, 0.35f, 0.2f), lit(normal), 0.0f);
            break;
        case METAL:
            c = colour((float3)(1.0f, 0.85f, 0.5f), metal(normal), 0.0f);
            break;
        case GLASS:
            c = colour((float3)(0.6f, 0.85f, 1.0f), glass(normal), 0.0f);
            break;
        case STONE:
            c = colour((float3)(0.9f, 0.9f, 0.95f), stone(point, normal),
                       0.5f * spot(normal, HALFWAY, 6));
            break;
        case WOOD:
            c = colour((float3)(0.75f, 0.5f, 0.3f), wood(point, normal),
                       0.2f * spot(normal, HALFWAY, 4));
            break;
        }
        colours[hit] = c;
    }
}

/* ---- Sorting: by counting, so that equals stay in the order of arrival ---- */

/* x[0], x[1], x[2] ... become 0, x[0], x[0] + x[1] ...: each work-item adds up a run of
 * them, the sums are added up by doubling steps, and the run is gone through again. */
#define RUNNING_SUMS(memory)                                                           \
    INLINE __attribute__((overloadable)) void running_sums(memory uint *x, uint count, \
                                                           local uint *sums) {         \
        const uint id = get_local_id(0), items = get_local_size(0);                    \
        const uint run = (count + items - 1) / items;                                  \
        const uint first = min(id * run, count), end = min(first + run, count);        \
        uint own = 0;                                                                  \
        for (uint i = first; i < end; i++)                                             \
            own += x[i];                                                               \
        sums[id] = own;                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                  \
        for (uint reach = 1; reach < items; reach *= 2) {                              \
            const uint before = id >= reach ? sums[id - reach] : 0;                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                              \
            sums[id] += before;                                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                              \
        }                                                                              \
        uint sum = sums[id] - own;                                                     \
        for (uint i = first; i < end; i++) {                                           \
            const uint here = x[i];                                                    \
            x[i] = sum;                                                                \
            sum += here;                                                               \
        }                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                  \
    }

RUNNING_SUMS(global)
RUNNING_SUMS(local)

/* The hits of this group's block, of which the last may be a part. */
INLINE uint block_first(void) {
    return get_group_id(0) * get_local_size(0) * EACH;
}

INLINE uint block_hits(uint n) {
    const uint first = block_first();
    return first < n ? min((uint)get_local_size(0) * EACH, n - first) : 0;
}

/* Each work-item counts the materials of its 16 hits.  The running sums of all counts,
 * material by material, are the places of each work-item's first hit of each. */
INLINE void find_places(global const uchar *material, uint n, local uchar *materials,
                        local uint *places, local uint *sums) {
    const uint id = get_local_id(0), items = get_local_size(0), hits = block_hits(n);
    for (uint i = id; i < hits; i += items)
        materials[i] = material[block_first() + i];
    for (uint i = id; i <= MATERIALS * items; i += items)
        places[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = id; i < hits; i += items)
        places[materials[i] * items + id]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    running_sums(places, MATERIALS * items + 1, sums);
}

/* Puts the block's hits to their places, in local memory first. */
INLINE void sort_block(uint n, local const uchar *materials, local uint *places,
                       local ushort *sorted) {
    const uint id = get_local_id(0), items = get_local_size(0), hits = block_hits(n);
    for (uint i = id; i < hits; i += items)
        sorted[places[materials[i] * items + id]++] = (ushort)i;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A partition that is one block. */
kernel void sorted_gather_within(global const uchar *material, global uint *order,
                                 uint n, local uchar *materials, local uint *places,
                                 local uint *sums, local ushort *sorted) {
    find_places(material, n, materials, places, sums);
    sort_block(n, materials, places, sorted);
    for (uint i = get_local_id(0); i < block_hits(n); i += get_local_size(0))
        order[block_first() + i] = block_first() + sorted[i];
}

/* Larger partitions take three launches.  First, how many hits of each material has
 * each block?  In `counts` come all blocks of a partition with the first material, then
 * the same blocks with the next. */
INLINE uint count_at(uint material, uint blocks) {
    const uint partition = get_group_id(0) / blocks, block = get_group_id(0) % blocks;
    return (partition * MATERIALS + material) * blocks + block;
}

kernel void sorted_gather_count(global const uchar *material, global uint *counts,
                                uint n, uint blocks, local uchar *materials,
                                local uint *places, local uint *sums) {
    const uint items = get_local_size(0);
    find_places(material, n, materials, places, sums);
    for (uint m = get_local_id(0); m < MATERIALS; m += items)
        counts[count_at(m, blocks)] = places[(m + 1) * items] - places[m * items];
}

/* Then one group finds where each block's hits of each material begin. */
kernel void sorted_gather_scan(global uint *counts, uint count, local uint *sums) {
    running_sums(counts, count, sums);
}

/* Last, each block is sorted as above, and its materials go where they belong. */
kernel void sorted_gather_scatter(global const uchar *material,
                                  global const uint *begins, global uint *order, uint n,
                                  uint blocks, local uchar *materials,
                                  local uint *places, local uint *sums,
                                  local ushort *sorted) {
    local uint shift[MATERIALS];
    const uint items = get_local_size(0);
    find_places(material, n, materials, places, sums);
    for (uint m = get_local_id(0); m < MATERIALS; m += items)
        shift[m] = begins[count_at(m, blocks)] - places[m * items];
    barrier(CLK_LOCAL_MEM_FENCE);

    sort_block(n, materials, places, sorted);
    for (uint i = get_local_id(0); i < block_hits(n); i += items)
        order[i + shift[materials[sorted[i]]]] = block_first() + sorted[i];
}
