/* call_words: what is launched, in words. */
#include "call_words.h"
#include "base/vocabulary.h"
#include "replay/images.h"

static void print_sizes(const struct single *single, FILE *out, const char *option,
                        const size_t sizes[3], const size_t divisors[3]) {
    for (unsigned d = 0; d < single->run.job.dimensions; d++)
        fprintf(out, "%s%s%zu", d ? "," : option, d ? "" : " ", sizes[d] / divisors[d]);
}

void call_print_global(const struct single *single, FILE *out) {
    static const size_t ones[3] = {1, 1, 1};
    const struct job *job = &single->run.job;
    const bool is_grid = vocabulary_is_cuda();
    print_sizes(single, out, is_grid ? " --grid" : " --global", job->global,
                is_grid ? job->local : ones);
}

void call_print_local(const struct single *single, FILE *out) {
    static const size_t ones[3] = {1, 1, 1};
    print_sizes(single, out, vocabulary_is_cuda() ? " --block" : " --local",
                single->run.job.local, ones);
}

/* What --all-sizes fills with whole numbers that are below n: so they may be indices.
 */
static bool is_random_below_n(const struct single *single, const struct slot *slot) {
    return single->sized.elements && slot->value.kind == RANDOM && slot->text &&
           slot->type.kind != FLOAT && slot->object.space != PRIVATE;
}

void call_print_slot(const struct single *single, FILE *out, const struct slot *slot,
                     bool as_given) {
    const bool is_scalar = slot->object.space == PRIVATE;
    fputs(slot->object.name, out);
    if (slot->image) {
        const size_t *size = slot->image->size;
        fputc('[', out);
        image_write_numbers(
            out, slot->image,
            (const int64_t[]){(int64_t)size[0], (int64_t)size[1], (int64_t)size[2]},
            "x");
        fputc(']', out);
    } else if (!is_scalar && as_given && slot->formula)
        fprintf(out, "[%s]", slot->formula);
    else if (!is_scalar && !slot->is_null)
        fprintf(out, "[%zu]", slot->object.bytes / slot_element_bytes(slot));
    if (slot->numbers)
        fprintf(out, ":%s", slot->numbers);
    if (is_scalar && (slot->formula || slot_is_size(single, slot)) && !as_given)
        fprintf(out, "=%lld", (long long)slot_whole(slot));
    else if (is_random_below_n(single, slot) && !as_given)
        fprintf(out, "=0..%llu",
                (unsigned long long)value_random(&slot->type, single->n));
    else if (slot->text && !slot_is_size(single, slot))
        fprintf(out, "=%s", slot->text);
}

void call_print(const struct single *single, FILE *out, bool as_given) {
    fprintf(out, "%s(", single->signature.name);
    for (cl_uint i = 0; i < single->signature.count; i++) {
        fputs(i ? ", " : "", out);
        call_print_slot(single, out, &single->slots[i], as_given);
    }
    fputc(')', out);
}

void call_print_guesses(const struct single *single, FILE *out) {
    bool any = false;
    for (cl_uint i = 0; i < single->signature.count; i++)
        if (!slot_is_size(single, &single->slots[i]) &&
            (single->slots[i].size_guessed || single->slots[i].value_guessed)) {
            fputs(any ? " " : "guessed  ", out);
            call_print_slot(single, out, &single->slots[i], true);
            any = true;
        }
    if (any)
        fputc('\n', out);
}

void call_print_range(const struct single *single, FILE *out) {
    call_print_global(single, out);
    call_print_local(single, out);
    if (single->shared > 0)
        fprintf(out, " --shared %zu", single->shared);
}
