/* Step 14: a work-item shades one hit, with the code of the hit's material.
 *
 * 16 hits of four materials, shaded by four lanes at a time; and which hits the lanes
 * shade by a list that is sorted in partitions of eight, or as a whole:
 *
 *     hit                0  1  2  3    4  5  6  7    8  9 10 11   12 13 14 15
 *     material           b  a  b  c    a  b  a  a    c  a  d  c    d  c  a  c
 *
 *     in eights          6  1  7  4    2  5  0  3    9 14 11 15    8 13 10 12
 *     material           a  a  a  a    b  b  b  c    a  a  c  c    c  c  d  d
 *
 *     all sorted        14  6  1  9    7  4  5  2    0 11  3 15   13  8 12 10
 *     material           a  a  a  a    a  a  b  b    b  c  c  c    c  c  d  d
 */
#ifdef __OPENCL_C_VERSION__
#pragma OPENCL FP_CONTRACT OFF /* so that all devices round alike */
#endif

/* ---- Six materials, of which some take far longer than others.  This part is plain C,
 * too: the program compiles it once more, to find out which colours are right. */
enum { BOARD, CLAY, METAL, GLASS, STONE, WOOD, MATERIALS };

struct hit {
    float x, y;       /* where a ray from above meets a surface, */
    float nx, ny, nz; /* and the normal of the surface there */
};

static struct hit hit_at(float x, float y, float nx, float ny) {
    const struct hit hit = {x, y, nx, ny, sqrt(fmax(1.0f - nx * nx - ny * ny, 0.0f))};
    return hit;
}

/* The cosine between a direction and that of the light. */
static float to_light(float x, float y, float z) {
    return -0.48f * x - 0.36f * y + 0.8f * z;
}

static float lit(struct hit hit) {
    return 0.25f + 0.75f * fmax(to_light(hit.nx, hit.ny, hit.nz), 0.0f);
}

/* A spot of light.  The more often its cosine is squared, the smaller it is. */
static float spot(float cosine, int squares) {
    for (int i = 0; i < squares; i++)
        cosine *= cosine;
    return cosine;
}

/* 0 at whole numbers, 1 between them. */
static float wave(float x) {
    x -= floor(x);
    return 4.0f * x * (1.0f - x);
}

/* How bright it is in a direction: a sky with a window's bars, the sun, and below the
 * light that the sun throws on the board. */
static float sky(float x, float y, float z) {
    const float up = 0.5f + 0.5f * z;
    return 0.2f + 0.5f * up * up + 0.2f * wave(2.0f * y + x) +
           spot(to_light(x, y, z), 3);
}

/* How much a surface mirrors: `least` where it is seen from above, all at its edge. */
static float mirrored(struct hit hit, float least) {
    const float edge = 1.0f - hit.nz, edge2 = edge * edge;
    const float bright = sky(2.0f * hit.nz * hit.nx, 2.0f * hit.nz * hit.ny,
                             2.0f * hit.nz * hit.nz - 1.0f);
    return (least + (1.0f - least) * edge2 * edge2 * edge) * bright; /* Schlick */
}

/* The light that a ball of glass lets through: bent once on its way in, and as much on
 * its way out. */
static float let_through(struct hit hit) {
    const float within = sqrt(1.0f - (1.0f - hit.nz * hit.nz) / 2.25f);
    const float sine = within - hit.nz / 1.5f; /* of the bend, for a normal of 1 */
    const float cosine = hit.nz * within + (1.0f - hit.nz * hit.nz) / 1.5f;
    const float across = -2.0f * sine * cosine;
    return sky(across * hit.nx, across * hit.ny, 1.0f - 2.0f * cosine * cosine);
}

/* A pseudo-random number for each point with whole coordinates; and a smooth surface
 * between the four points around. */
static float random_at(int x, int y) {
    unsigned h = ((unsigned)x * 73856093u) ^ ((unsigned)y * 19349663u);
    h ^= h >> 13;
    h *= 1540483477u;
    h ^= h >> 15;
    return (float)(h >> 8) / 16777216.0f; /* 24 bits, as many as a float keeps */
}

static float noise(float x, float y) {
    const int i = (int)floor(x), j = (int)floor(y);
    const float u = x - floor(x), s = u * u * (3.0f - 2.0f * u);
    const float v = y - floor(y), t = v * v * (3.0f - 2.0f * v);
    const float here = random_at(i, j), right = random_at(i + 1, j);
    const float below = random_at(i, j + 1), across = random_at(i + 1, j + 1);
    return (1.0f - t) * (here + s * (right - here)) +
           t * (below + s * (across - below));
}

/* Noise, and more of it, each time twice as fine and half as strong. */
static float clouds(float x, float y, int octaves) {
    float sum = 0.0f, strength = 0.5f;
    for (int i = 0; i < octaves; i++) {
        sum += strength * noise(x, y);
        x *= 2.0f;
        y *= 2.0f;
        strength *= 0.5f;
    }
    return sum;
}

static unsigned channel(float x) {
    return (unsigned)(255.0f * fmin(fmax(x, 0.0f), 1.0f) + 0.5f);
}

static unsigned colour(float red, float green, float blue, float bright, float shine) {
    return channel(red * bright + shine) << 16 | channel(green * bright + shine) << 8 |
           channel(blue * bright + shine);
}

/* Shades a hit: the branch in which the lanes of a warp go different ways. */
static unsigned shade(int material, struct hit hit) {
    const float shine = -0.253f * hit.nx - 0.1897f * hit.ny + 0.94868f * hit.nz;
    float vein, ring;
    switch (material) {
    case CLAY:
        return colour(0.9f, 0.35f, 0.2f, lit(hit), 0.0f);
    case METAL:
        return colour(1.0f, 0.85f, 0.5f, mirrored(hit, 0.6f), 0.0f);
    case GLASS:
        return colour(0.6f, 0.85f, 1.0f, mirrored(hit, 0.04f) + let_through(hit), 0.0f);
    case STONE:
        vein = 3.0f * clouds(2.0f * hit.x, 2.0f * hit.y, 6);
        vein = wave(1.5f * hit.x + hit.y + vein);
        return colour(0.9f, 0.9f, 0.95f, (0.3f + 0.7f * vein) * lit(hit),
                      0.5f * spot(shine, 6));
    case WOOD:
        ring = sqrt(hit.x * hit.x + hit.nz * hit.nz);
        ring = wave(4.0f * ring + 2.0f * clouds(hit.x, hit.y, 2));
        return colour(0.75f, 0.5f, 0.3f, (0.5f + 0.5f * ring) * lit(hit),
                      0.2f * spot(shine, 4));
    default: /* the board */
        return colour(0.25f, 0.4f, 0.3f,
                      lit(hit) * (0.8f + 0.2f * noise(32.0f * hit.x, 32.0f * hit.y)),
                      0.0f);
    }
}

#ifdef __OPENCL_C_VERSION__

/* ---- In order of arrival.  Each array has one element for each hit, in this order. */
kernel void sorted_gather_arrival(global const uchar *material, global const float *x,
                                  global const float *y, global const float *normal_x,
                                  global const float *normal_y, global uint *colours,
                                  uint n) {
    const uint hit = get_global_id(0);
    if (hit < n)
        colours[hit] = shade(material[hit],
                             hit_at(x[hit], y[hit], normal_x[hit], normal_y[hit]));
}

/* ---- By a list, which is sorted in partitions.  An entry is the place of a hit within
 * its partition, so a partition can be sorted without knowing where it begins. */
kernel void sorted_gather_by_list(global const uchar *material, global const float *x,
                                  global const float *y, global const float *normal_x,
                                  global const float *normal_y, global const uint *list,
                                  global uint *colours, uint n, uint partition) {
    const uint item = get_global_id(0);
    /* exercise { */
    if (item < n) {
        const uint first = item / partition * partition;
        const uint hit = first + list[item];
        colours[hit] = shade(material[hit],
                             hit_at(x[hit], y[hit], normal_x[hit], normal_y[hit]));
    }
    /* } exercise */
}

#endif

// lens: sorted_gather_arrival(material[n]=0..5, x[n], y[n], normal_x[n]=(0.1, 0.2, 0.3), normal_y[n]=(0.3, 0.1), colours[n], n=4096) --global 4096 --local 256
// lens: sorted_gather_by_list(material[n]=(0, 1, 2, 3), x[n], y[n], normal_x[n]=(0.1, 0.2, 0.3), normal_y[n]=(0.3, 0.1), list[n]=(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31), colours[n], n=4096, partition=32) --global 4096 --local 256
