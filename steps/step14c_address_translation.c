/* Step 14c: address translation: the price of a page
 *
 * Warps that read from all over memory in step 14 may have waited for addresses to be
 * translated.  But they needed many cache lines, too, so their times could not say
 * which of the two they waited for.  Here two chases visit the same number of lines:
 * once the lines are packed, and once each is in a page of its own.
 *
 * Read with  kernels/step14c_address_translation.cl,
 *            docs/step14c_address_translation.md
 * Try        --page 65536: the pages are the same, so why does the price change?
 * Lens       --size 64 --repeats 1 chase
 * Races      LOCKSTEP_MAX_GROUP=100 --size 103 --all
 * Pages      counted, too: cache lines and pages that the busiest access touches
 */
#include "contest.h"

#include <limits.h>

/* LINE: bytes of a line of the kernels; LANES: of a warp, in the last two rows. */
enum { LINE = 128, LANES = 32, GROUP = 64 };
enum { FIRST = 16, FACTOR = 4 }; /* lines of the rings: 16, 64, 256 ... */

/* Loads of each work-item, the same number on every device, so that times can be
 * compared.  It is no whole number of rounds, so no chase ends where it began. */
enum { LOADS = 100003 };

/* A page is as large as most systems of such a device have them.  On a CPU the largest
 * ring has more pages than a TLB has entries, which are some 2000; they are 64 MiB.  On
 * a GPU, whose pages are larger, the largest ring spans 8 GiB. */
static const size_t page_bytes[] = {[false] = 2 << 20, [true] = 4096};
static const struct sizes sizes = {
    .cpu = 1 << 14, .cpu_full = 1 << 16, .gpu = 1 << 12, .gpu_full = 1 << 14};

/* The price of a page has to grow by this factor to be a knee. */
static const double knee = 1.25;

/* Rings of two kinds: their lines are packed, or each is in a page of its own. */
enum { PACKED, PAGED, KINDS };
static const char *const kinds[KINDS] = {"lines", "pages"};

struct rings {
    struct step *step;
    size_t page;          /* bytes */
    cl_uint apart[KINDS]; /* lines from one line of a ring to the next */
    cl_uint loads;        /* of each work-item that chases */
    struct ratio plateau; /* the price of a page at the last knee */
    bool has_knee;
    cl_uint *next; /* line i of a ring is followed by line next[i] */
    cl_mem next_buffer, lines[KINDS], ends;
};

/* What the work-items of a launch must find in a ring of n lines. */
struct chase {
    const struct rings *rings;
    cl_uint n, lanes, kind;
};

static struct rings make_rings(struct step *step, size_t page, cl_uint size) {
    /* A warp needs a line for each lane. */
    const size_t room =
        device_check_size(&step->device, size > LANES ? size : LANES, 1, page + LINE);
    struct rings rings = {.step = step, .page = page / LINE * LINE};
    /* Before the first knee a page costs nothing. */
    rings.plateau = (struct ratio){1.0, 1.0, 1.0, INT_MAX};
    rings.apart[PACKED] = 1;
    rings.apart[PAGED] = (cl_uint)(page / LINE);
    rings.loads = step->options.size_given ? 4 * size + 3 : LOADS;
    rings.next = step_array(step, room, sizeof *rings.next);
    rings.next_buffer = buffer_new(&step->device, room * sizeof *rings.next);
    rings.ends = buffer_new(&step->device, LANES * sizeof(cl_uint));
    for (cl_uint kind = 0; kind < KINDS; kind++) {
        const cl_uint n = (cl_uint)room * rings.apart[kind];
        rings.lines[kind] = buffer_new(&step->device, (size_t)n * LINE);
        const struct launch clear =
            LAUNCH(step, "clear_lines", n, step_group(step, GROUP),
                   ARG(rings.lines[kind]), ARG(n));
        launch_ms(&step->device, &clear);
    }
    return rings;
}

/* All n lines in one ring, in a random order that no prefetcher foresees (Sattolo). */
static void shuffle(struct rings *rings, cl_uint n) {
    cl_uint state = rings->step->options.seed + 14 + n;
    for (cl_uint i = 0; i < n; i++)
        rings->next[i] = i;
    for (cl_uint i = n - 1; i > 0; i--) {
        const cl_uint j = (cl_uint)((cl_ulong)random_next(&state) * i >> 32);
        const cl_uint kept = rings->next[i];
        rings->next[i] = rings->next[j];
        rings->next[j] = kept;
    }
    buffer_write(&rings->step->device, rings->next_buffer, rings->next,
                 n * sizeof *rings->next);
}

/* Follows the ring on the host, and says where that leads: to line i % apart of page i,
 * which is line i itself where lines are packed. */
static cl_uint expected_end(const struct chase *chase, cl_uint lane) {
    const struct rings *rings = chase->rings;
    const cl_uint apart = rings->apart[chase->kind];
    cl_uint i = lane;
    for (cl_uint load = 0; load < rings->loads; load++)
        i = rings->next[i];
    return i * apart + i % apart;
}

/* Poisons the ends, chases once, and compares them with the host's. */
static bool is_right(const struct entry *entry, bool again) {
    const struct chase *chase = entry->of;
    const struct rings *rings = chase->rings;
    struct device *device = &rings->step->device;
    cl_uint ends[LANES];
    (void)again; /* a chase always ends at the same place */
    buffer_poison(device, rings->ends);
    launch_ms(device, &entry->launch);
    buffer_read(device, rings->ends, ends, chase->lanes * sizeof *ends);
    for (cl_uint lane = 0; lane < chase->lanes; lane++) {
        const cl_uint expected = expected_end(chase, lane);
        if (ends[lane] != expected)
            return wrong_at(element_of_item("ends", lane, &entry->launch), ends[lane],
                            expected);
    }
    return true;
}

/* Lays a ring of this kind, and makes a launch whose work-items chase through it. */
static struct entry make_entry(const struct rings *rings, cl_uint n, cl_uint lanes,
                               cl_uint kind) {
    struct step *step = rings->step;
    const struct launch lay =
        LAUNCH(step, "lay_ring", n, step_group(step, GROUP), ARG(rings->next_buffer),
               ARG(rings->lines[kind]), ARG(n), ARG(rings->apart[kind]));
    launch_ms(&step->device, &lay);

    struct chase *chase = step_array(step, 1, sizeof *chase);
    *chase = (struct chase){rings, n, lanes, kind};
    struct entry entry = {.of = chase};
    entry.launch = LAUNCH(step, "chase", lanes, step_group(step, lanes),
                          ARG(rings->lines[kind]), ARG(rings->ends), ARG(lanes),
                          ARG(rings->apart[kind]), ARG(rings->loads));
    entry.row.variant = lanes > 1 ? step_text(step, "a warp, %u %s", n, kinds[kind])
                                  : step_text(step, "%u %s", n, kinds[kind]);
    entry.row.size = n;
    /* Of each line it needs a single number. */
    entry.row.bytes = (double)lanes * rings->loads * sizeof(cl_uint);
    return entry;
}

/* A knee: since the last one, the price has grown by a quarter, and by more than the
 * noise. */
static bool is_knee(struct rings *rings, struct ratio price) {
    const struct ratio grown = ratio_of_ratios(rings->plateau, price);
    if (!told_apart(grown) || grown.lower < knee)
        return false;
    rings->plateau = price;
    rings->has_knee = true;
    return true;
}

/* The lesson: the same number of lines, packed and in a page each, by turns.  Returns
 * the price of a page: how many times slower a load is. */
static struct ratio compare(struct rings *rings, cl_uint n, cl_uint lanes, bool both) {
    struct step *step = rings->step;
    struct contest contest = contest_begin(step, is_right);
    shuffle(rings, n);
    for (cl_uint kind = 0; kind < KINDS; kind++)
        contest_add(&contest, make_entry(rings, n, lanes, kind));
    const struct ratio price = contest_time_pair(&contest, PACKED, PAGED);

    if (both || !contest.entries[PACKED].row.right)
        contest_print(&contest, PACKED);
    if (told_apart(price))
        contest.entries[PAGED].row.note =
            step_text(step, "%.2f x lines%s", price.median,
                      lanes == 1 && is_knee(rings, price) ? ", a knee" : "");
    contest_print(&contest, PAGED);
    return price;
}

int main(int argc, char **argv) {
    struct step step;
    size_t page = 0;
    const struct own_option own = {
        "page",
        "BYTES",
        "from one line of a ring to the next, in whole lines "
        "of 128 bytes",
        .number = &page,
        .min = LINE,
        .max = 1 << 26};
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step14c_address_translation",
                  .lesson = "as many cache lines, packed, or each in a page of its own",
                  .own = &own,
                  .own_count = 1});
    if (page == 0)
        page = page_bytes[step.device.is_cpu];
    const cl_uint size = step_size(&step, &sizes, 1, page + LINE);
    struct rings rings = make_rings(&step, page, size);

    /* The lesson: rings that grow, and in the end the ring of all lines. */
    for (size_t n = FIRST; n < size; n *= FACTOR)
        compare(&rings, (cl_uint)n, 1, step.options.all);
    const struct ratio price = compare(&rings, size, 1, step.options.all);

    /* What a warp does, whose lanes chase at the same time. */
    compare(&rings, LANES, LANES, true);

    /* The result. */
    report_headline(&step.report, "packed lines, not a line a page", price,
                    "A CPU's TLBs have some 2000 entries, too few for the pages of a "
                    "long ring.");
    report_say(&step.report, "%u loads for each work-item: 1 ms is %.3g ns a load.",
               rings.loads, 1e6 / rings.loads);
    report_say(&step.report, "x lines: the price of a page; how many times slower a "
                             "load is than in packed lines.");
    report_say(&step.report,
               rings.has_knee ? "A knee: since the last one, the price has grown by a "
                                "quarter.  A page: %zu bytes."
                              : "No knee: the price has nowhere grown by a quarter.  A "
                                "page: %zu bytes.",
               rings.page);
    return step_close(&step);
}
