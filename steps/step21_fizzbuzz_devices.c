/* Step 21: every device of the machine at once
 *
 * Step 20's table keeps one device busy.  The article's last sentences want more:
 * several GPUs, and the CPU beside them.  Here whoever is free takes the next lines, as
 * many as it writes in about a millisecond, and the host puts the text in order.  If a
 * device fails, nothing is lost: what it had taken, the host writes itself.
 *
 * Read with  kernels/step21_fizzbuzz_devices.cl, docs/step21_fizzbuzz_devices.md
 * Try        --split 4; --size 1000000 --break 0 | wc -c
 * Lens       --size 9600 --from 100000000 --output none --split 1
 */
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "text.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 24, MOST_DIGITS = 13, LINES_EACH = 15 };
enum { PAGE_LINES = 1200, BLOCK_LINES = 4 * PAGE_LINES };
enum { BLOCKS_ON_CPU = 64, BLOCKS_ON_GPU = 4096, BLOCKS_PINNED = 1024 };
enum { MOST_SOURCES = 16, WORKERS_EACH = 3, MOST_WORKERS = 48, PAIRS = 5 };
static const size_t MOST = 1000000000000, TOP = 10000000000, NINE_DIGITS = 100000000;
static const size_t LINES_ON_CPU = 9600000, LINES = 480000000, LINES_KEPT = 9600000000;
static const double PIECE_MS = 1.0; /* how long a device should be at one piece */

/* One line, and its length: what the kernel is compared with, and the host's way. */
static size_t line_on_host(char line[LINE], cl_ulong number) {
    const char *word = number % 15 == 0  ? "FizzBuzz\n"
                       : number % 5 == 0 ? "Buzz\n"
                       : number % 3 == 0 ? "Fizz\n"
                                         : NULL;
    if (word)
        return strlen(strcpy(line, word));
    size_t digits = 0;
    for (cl_ulong rest = number; rest > 0; rest /= 10)
        digits++;
    for (size_t i = digits; i-- > 0; number /= 10)
        line[i] = (char)('0' + number % 10);
    line[digits] = '\n';
    return digits + 1;
}

static bool is_right(const char *text, cl_ulong first, size_t lines) {
    char line[LINE];
    size_t at = 0;
    for (size_t i = 0, length; i < lines; i++, at += length) {
        length = line_on_host(line, first + i);
        if (memcmp(text + at, line, length) != 0)
            return wrong_line(first + i, at, text + at, line, length);
    }
    return true;
}

/* Lines that one launch writes.  Their numbers are equally long, and have the same
 * digits above the tenth; 15 in a row are 8 numbers, 32 letters and 15 line ends. */
struct piece {
    cl_ulong first;
    size_t lines, bytes;
    cl_uint digits;
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static struct piece piece_at(cl_ulong first, cl_ulong end, size_t most_lines) {
    struct piece piece = {.first = first, .digits = 1};
    cl_ulong limit = 10;
    for (; limit <= first; limit *= 10)
        piece.digits++;
    limit = smaller(smaller(limit, (first / TOP + 1) * TOP), end);
    piece.lines = smaller(limit - first, most_lines);
    const size_t odd = piece.lines % LINES_EACH;
    piece.bytes = piece.lines / LINES_EACH * (8 * piece.digits + 47);
    for (size_t i = piece.lines - odd; i < piece.lines; i++)
        piece.bytes += line_on_host((char[LINE]){0}, first + i);
    return piece;
}

static size_t text_bytes(cl_ulong first, cl_ulong end) {
    size_t bytes = 0;
    for (struct piece piece; first < end; first += piece.lines) {
        piece = piece_at(first, end, SIZE_MAX);
        bytes += piece.bytes;
    }
    return bytes;
}

/* 16 bytes each, in a page. */
static cl_uint positions_of(cl_uint digits) {
    return 40 * digits + 235;
}

/* Step 20's table: a page's bytes that never change, and for each four of them the
 * window through which they see eight digits of a number. */
struct table {
    struct piece of;
    cl_uchar fixed[16 * (40 * MOST_DIGITS + 235)];
    cl_uchar windows[4 * (40 * MOST_DIGITS + 235)];
};

static void table_make(struct table *table, struct piece piece) {
    memset(table, 0, sizeof *table);
    table->of = piece;
    const size_t bytes = 16 * (size_t)positions_of(piece.digits);
    size_t at = 0;
    for (cl_ulong number = piece.first; at < bytes; number++) {
        char line[LINE];
        const size_t length = line_on_host(line, number);
        const size_t hundreds = number / 100 - piece.first / 100;
        for (size_t i = 0; i < length && at < bytes; i++, at++) {
            const size_t digit = i + 11 - length; /* the eighth, 7, are the hundreds */
            if (isdigit((unsigned char)line[0]) && digit < 8)
                table->windows[at / 4] = (cl_uchar)(13 * hundreds + digit + 4 - at % 4);
            else
                table->fixed[at] = (cl_uchar)line[i];
        }
    }
}

/* Are they as many whole pages behind the ones that the table was made for? */
static bool table_fits(struct piece of, struct piece piece) {
    return of.digits == piece.digits && of.first / TOP == piece.first / TOP &&
           piece.first >= of.first && (piece.first - of.first) % PAGE_LINES == 0;
}

/* A device that takes part.  A call that fails is not the end: the others go on.  But a
 * kernel that does not compile is no device's fault, and ends the program. */
struct source {
    struct device device;
    cl_program program;
    bool is_part; /* of a CPU that was divided */
    bool breaks;  /* --break: all but its workers' first pieces shall fail */
};

/* Three for each device: while the text of one is copied or waits for its turn, the
 * device writes the next. */
struct worker {
    struct source *source;
    struct work *work;
    pthread_t thread;
    cl_int status; /* how it ended */
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem text_buffer, pinned_buffer, fixed_buffer, windows_buffer;
    struct table table; /* what the last two hold */
    char *text;         /* where the host finds a finished piece */
    struct piece last;  /* what text_buffer holds */
    size_t lines;       /* in the next piece */
    size_t done;        /* lines so far */
};

#define TRY(call)                                                                      \
    do {                                                                               \
        const cl_int status_ = (call);                                                 \
        if (status_ != CL_SUCCESS)                                                     \
            return status_;                                                            \
    } while (0)

static cl_int source_open(struct source *source, const struct options *options) {
    cl_int status;
    struct device *device = &source->device;
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &status);
    TRY(status);
    source->program = kernel_program(device, options);
    return CL_SUCCESS;
}

static size_t room_for(size_t blocks) {
    return blocks * 4 * 16 * positions_of(MOST_DIGITS);
}

/* In one piece: what is fetched from a GPU has to fit into pinned memory, too. */
static size_t most_blocks(const struct source *source, bool fetch) {
    const struct device *device = &source->device;
    const size_t wanted = device->is_cpu ? BLOCKS_ON_CPU
                          : fetch        ? BLOCKS_PINNED
                                         : BLOCKS_ON_GPU;
    const size_t memory =
        smaller(device->largest, device->memory / (2 * WORKERS_EACH)) / room_for(1);
    return smaller(wanted, memory > 0 ? memory : 1);
}

static cl_int buffer_for(struct worker *worker, cl_mem_flags flags, size_t bytes,
                         cl_mem *buffer) {
    cl_int status;
    *buffer =
        clCreateBuffer(worker->source->device.context, flags, bytes, NULL, &status);
    return status;
}

static cl_int worker_open(struct worker *worker) {
    cl_int status;
    const struct source *source = worker->source;
    const size_t room = room_for(most_blocks(source, false));
    const size_t pinned = room_for(most_blocks(source, true));
    const cl_uchar nothing = 0xff; /* is no text: what is not written shows */
    worker->queue =
        clCreateCommandQueue(source->device.context, source->device.id, 0, &status);
    TRY(status);
    worker->kernel = kernel_create(source->program, "fizzbuzz_devices", &status);
    TRY(status);
    TRY(buffer_for(worker, CL_MEM_READ_ONLY, sizeof worker->table.fixed,
                   &worker->fixed_buffer));
    TRY(buffer_for(worker, CL_MEM_READ_ONLY, sizeof worker->table.windows,
                   &worker->windows_buffer));
    TRY(buffer_for(worker, CL_MEM_READ_WRITE, room, &worker->text_buffer));
    TRY(clEnqueueFillBuffer(worker->queue, worker->text_buffer, &nothing, 1, 0, room, 0,
                            NULL, NULL));
    worker->lines = 8 * BLOCK_LINES;
    if (source->device.is_cpu) /* its memory is the host's: there is nothing to copy */
        return CL_SUCCESS;
    TRY(buffer_for(worker, CL_MEM_ALLOC_HOST_PTR, pinned, &worker->pinned_buffer));
    worker->text = clEnqueueMapBuffer(worker->queue, worker->pinned_buffer, CL_TRUE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, pinned, 0, NULL,
                                      NULL, &status);
    return status;
}

/* A device that failed may not be able to give back what it has, either. */
static void worker_close(struct worker *worker) {
    cl_mem buffers[] = {worker->text_buffer, worker->pinned_buffer,
                        worker->fixed_buffer, worker->windows_buffer};
    if (worker->pinned_buffer && worker->text)
        clEnqueueUnmapMemObject(worker->queue, worker->pinned_buffer, worker->text, 0,
                                NULL, NULL);
    for (int i = 0; i < 4; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (worker->kernel)
        clReleaseKernel(worker->kernel);
    if (worker->queue)
        clReleaseCommandQueue(worker->queue);
}

static cl_int table_renew(struct worker *worker, struct piece piece) {
    struct table *table = &worker->table;
    if (table_fits(table->of, piece))
        return CL_SUCCESS;
    table_make(table, piece);
    TRY(clEnqueueWriteBuffer(worker->queue, worker->fixed_buffer, CL_TRUE, 0,
                             sizeof table->fixed, table->fixed, 0, NULL, NULL));
    return clEnqueueWriteBuffer(worker->queue, worker->windows_buffer, CL_TRUE, 0,
                                sizeof table->windows, table->windows, 0, NULL, NULL);
}

/* Brings the first bytes of what the device has written to the host. */
static cl_int worker_fetch(struct worker *worker, size_t bytes) {
    if (!worker->source->device.is_cpu)
        return clEnqueueReadBuffer(worker->queue, worker->text_buffer, CL_TRUE, 0,
                                   bytes, worker->text, 0, NULL, NULL);
    cl_int status;
    worker->text = clEnqueueMapBuffer(worker->queue, worker->text_buffer, CL_TRUE,
                                      CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
    return status;
}

/* Writes the lines on the device and, with `fetch`, brings them to the host. */
static cl_int worker_write(struct worker *worker, struct piece piece, bool fetch) {
    if (worker->source->breaks && worker->done > 0)
        return CL_OUT_OF_RESOURCES;
    TRY(table_renew(worker, piece));
    const cl_uint positions = positions_of(piece.digits);
    const cl_uint hundreds = (cl_uint)(piece.first / 100 % 100000000);
    const cl_uint unused = piece.digits < 10 ? 10 - piece.digits : 0;
    const cl_ulong used = unused < 8 ? ~(cl_ulong)0 << 8 * unused : 0;
    const struct arg args[] = {ARG(worker->text_buffer),
                               ARG(worker->fixed_buffer),
                               ARG(worker->windows_buffer),
                               ARG(positions),
                               ARG(hundreds),
                               ARG(used)};
    for (cl_uint i = 0; i < 6; i++)
        TRY(clSetKernelArg(worker->kernel, i, args[i].size, args[i].value));
    const size_t group = smaller(positions, worker->source->device.max_group);
    const size_t items = (piece.lines + BLOCK_LINES - 1) / BLOCK_LINES * group;
    TRY(clEnqueueNDRangeKernel(worker->queue, worker->kernel, 1, NULL, &items, &group,
                               0, NULL, NULL));
    worker->last = piece;
    return fetch ? worker_fetch(worker, piece.bytes) : clFinish(worker->queue);
}

/* The host is done with the text. */
static cl_int worker_unmap(struct worker *worker) {
    if (!worker->source->device.is_cpu)
        return CL_SUCCESS;
    return clEnqueueUnmapMemObject(worker->queue, worker->text_buffer, worker->text, 0,
                                   NULL, NULL);
}

/* What all share.  Pieces are numbered as they are taken, and go out in that order.
 * Those that are under way, from `out` to `taken`, each have a desk. */
struct work {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    cl_ulong next, end; /* the first line that nobody has taken; the one behind all */
    size_t taken, out;  /* pieces */
    size_t working;     /* workers that have not left */
    bool fetch;         /* to the host */
    struct desk {
        enum { TAKEN, WRITTEN, LOST } state;
        struct piece piece;
        const char *text;
    } desks[MOST_WORKERS];
};

/* As many blocks of lines as this worker's device writes in PIECE_MS, if it goes on as
 * with this piece. */
static size_t lines_for(const struct worker *worker, struct piece piece, double ms) {
    const double blocks = (double)piece.lines * PIECE_MS / ms / BLOCK_LINES;
    const size_t most = most_blocks(worker->source, worker->work->fetch);
    if (piece.lines < smaller(worker->lines, BLOCK_LINES * most))
        return worker->lines; /* the end of a range says little */
    return BLOCK_LINES * (blocks < 1.0            ? 1
                          : blocks > (double)most ? most
                                                  : (size_t)blocks);
}

static void *worker_run(void *argument) {
    struct worker *worker = argument;
    struct work *work = worker->work;
    pthread_mutex_lock(&work->lock);
    while (worker->status == CL_SUCCESS && work->next < work->end) {
        if (work->taken - work->out == MOST_WORKERS) { /* no desk is free */
            pthread_cond_wait(&work->changed, &work->lock);
            continue;
        }
        const size_t number = work->taken++;
        struct desk *desk = &work->desks[number % MOST_WORKERS];
        const size_t most = BLOCK_LINES * most_blocks(worker->source, work->fetch);
        const struct piece piece =
            piece_at(work->next, work->end, smaller(worker->lines, most));
        *desk = (struct desk){TAKEN, piece, NULL};
        work->next += piece.lines;
        pthread_mutex_unlock(&work->lock);

        const double before_ms = now_ms();
        worker->status = worker_write(worker, piece, work->fetch);
        worker->lines = lines_for(worker, piece, now_ms() - before_ms);

        pthread_mutex_lock(&work->lock);
        pthread_cond_broadcast(&work->changed);
        if (worker->status != CL_SUCCESS) {
            desk->state = LOST;
            break;
        }
        desk->state = WRITTEN;
        desk->text = work->fetch ? worker->text : NULL;
        worker->done += piece.lines;
        while (work->fetch && work->out <= number)
            pthread_cond_wait(&work->changed, &work->lock);
        if (work->fetch)
            worker->status = worker_unmap(worker);
    }
    work->working--;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* What a device had taken that failed. */
static bool write_on_host(int out, struct piece piece) {
    enum { ROOM = 1 << 16 };
    char text[ROOM];
    size_t used = 0;
    for (size_t i = 0; i < piece.lines; i++) {
        used += line_on_host(text + used, piece.first + i);
        if (used > ROOM - LINE || i + 1 == piece.lines) {
            if (!text_write(out, text, used))
                return false;
            used = 0;
        }
    }
    return true;
}

/* Does somebody still read, was each piece right as far as the host looked (a wrong one
 * is as good as none), and how many did not come? */
struct outcome {
    bool reads, right;
    size_t lost;
};

/* Hands on what comes, in order; `out` below 0 is nobody.  When nobody reads any more,
 * no worker takes another piece. */
static struct outcome hand_on(struct work *work, int out) {
    struct outcome outcome = {.reads = true, .right = true};
    pthread_mutex_lock(&work->lock);
    while (work->out < work->taken || work->next < work->end) {
        struct desk *desk = &work->desks[work->out % MOST_WORKERS];
        if (work->out == work->taken && work->working == 0) { /* all devices failed */
            const struct piece piece = piece_at(work->next, work->end, BLOCK_LINES);
            *desk = (struct desk){LOST, piece, NULL};
            work->next += piece.lines;
            work->taken++;
        }
        if (work->out == work->taken || desk->state == TAKEN) {
            pthread_cond_wait(&work->changed, &work->lock);
            continue;
        }
        pthread_mutex_unlock(&work->lock);
        if (desk->text && !is_right(desk->text, desk->piece.first,
                                    smaller(desk->piece.lines, LINES_EACH))) {
            outcome.right = false;
            desk->state = LOST;
        }
        outcome.lost += desk->state == LOST;
        if (outcome.reads && out >= 0)
            outcome.reads = desk->state == LOST
                                ? write_on_host(out, desk->piece)
                                : text_write(out, desk->text, desk->piece.bytes);
        pthread_mutex_lock(&work->lock);
        work->out++;
        if (!outcome.reads)
            work->next = work->end;
        pthread_cond_broadcast(&work->changed);
    }
    pthread_mutex_unlock(&work->lock);
    return outcome;
}

/* The devices, and three workers for each. */
struct crew {
    struct source sources[MOST_SOURCES];
    struct worker workers[MOST_WORKERS];
    size_t source_count, worker_count;
};

/* All lines, by all workers, or by those of one source only. */
static struct outcome crew_run(struct crew *crew, const struct source *only,
                               cl_ulong first, cl_ulong end, bool fetch, int out) {
    struct work work = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .next = first,
                        .end = end,
                        .fetch = fetch};
    struct worker *on_duty[MOST_WORKERS];
    for (size_t i = 0; i < crew->worker_count; i++) {
        struct worker *worker = &crew->workers[i];
        worker->work = &work;
        if (worker->status == CL_SUCCESS && (!only || worker->source == only))
            on_duty[work.working++] = worker;
    }
    const size_t count = work.working;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&on_duty[i]->thread, NULL, worker_run, on_duty[i]) != 0)
            die("cannot start a thread" HINT "are too many running?");
    const struct outcome outcome = hand_on(&work, out);
    for (size_t i = 0; i < count; i++)
        pthread_join(on_duty[i]->thread, NULL);
    return outcome;
}

/* Divides a CPU into parts that are devices of their own: as equal as can be, and as
 * many as it has units at most. */
static cl_uint split_device(cl_device_id id, size_t parts, cl_device_id *found) {
    const cl_uint units = device_info(id).units;
    cl_device_partition_property counts[MOST_SOURCES + 3] = {
        CL_DEVICE_PARTITION_BY_COUNTS};
    parts = smaller(parts, units);
    for (size_t i = 0; i < parts; i++)
        counts[i + 1] = (cl_device_partition_property)((units + i) / parts);
    counts[parts + 1] = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
    cl_uint count = 0;
    const cl_int status = clCreateSubDevices(id, counts, MOST_SOURCES, found, &count);
    if (status == CL_SUCCESS && count > 0)
        return count;
    fprintf(stderr, "this device cannot be divided: %s\n", status_name(status));
    found[0] = id;
    return 1;
}

/* Whether what was fetched is as the host writes it, as far as the host looks: at two
 * blocks in front, and the last. */
static bool text_is_right(const struct worker *worker, struct piece piece) {
    const cl_ulong end = piece.first + piece.lines;
    const cl_ulong last = end - 1 - (piece.lines - 1) % BLOCK_LINES;
    const struct piece before = piece_at(piece.first, last, SIZE_MAX);
    return is_right(worker->text, piece.first, smaller(piece.lines, 2 * BLOCK_LINES)) &&
           is_right(worker->text + before.bytes, last, end - last);
}

static bool piece_is_right(struct worker *worker, struct piece piece) {
    worker->status = worker_write(worker, piece, true);
    if (worker->status)
        return true; /* it fails, and that is another matter */
    const bool right = text_is_right(worker, piece);
    worker->status = worker_unmap(worker);
    return right;
}

/* Whether what each worker's device has written last is right: of a piece that was kept
 * there, as much as can be fetched. */
static bool last_pieces_right(struct crew *crew) {
    bool right = true;
    for (size_t i = 0; i < crew->worker_count && right; i++) {
        struct worker *worker = &crew->workers[i];
        const struct piece last = worker->last;
        if (worker->status || last.lines == 0)
            continue;
        const struct piece piece =
            piece_at(last.first, last.first + last.lines,
                     BLOCK_LINES * most_blocks(worker->source, true));
        worker->status = worker_fetch(worker, piece.bytes);
        if (worker->status)
            continue;
        right = text_is_right(worker, piece);
        worker->status = worker_unmap(worker);
    }
    return right;
}

/* The same for all devices, and the beginning and the end of all that is equally long.
 * The largest launch comes first: PoCL 5.0 loads a kernel again for each larger one,
 * and stops when it mixes these up, as it does if two run at once. */
static bool crew_is_right(struct crew *crew, cl_ulong first, cl_ulong end) {
    bool right = true;
    for (size_t i = 0; i < crew->worker_count; i += WORKERS_EACH) {
        struct worker *worker = &crew->workers[i];
        const size_t most = BLOCK_LINES * most_blocks(worker->source, true);
        for (cl_ulong from = first, next; from < end && right; from = next) {
            next = from + piece_at(from, end, SIZE_MAX).lines;
            const cl_ulong last = next - 1 - (next - 1 - from) % BLOCK_LINES;
            if (!worker->status)
                right = piece_is_right(worker, piece_at(from, next, most));
            if (!worker->status && right)
                right = piece_is_right(worker, piece_at(last, next, BLOCK_LINES));
        }
    }
    return right;
}

/* Finds the devices, divides CPUs if that is asked for, and makes the crew ready. */
static struct crew *crew_open(const struct options *options, size_t parts,
                              size_t breaks) {
    struct crew *crew = allocate(1, sizeof *crew);
    cl_device_id found[MAX_DEVICES];
    const cl_uint devices = device_find(options->device, found);
    for (cl_uint i = 0; i < devices && crew->source_count < MOST_SOURCES; i++) {
        const struct device device = device_info(found[i]);
        const size_t wanted = parts ? parts : devices == 1 && device.units > 1 ? 2 : 1;
        const size_t room = MOST_SOURCES - crew->source_count;
        cl_device_id ids[MOST_SOURCES] = {found[i]};
        const cl_uint count = device.is_cpu && wanted > 1
                                  ? split_device(found[i], smaller(wanted, room), ids)
                                  : 1;
        for (cl_uint part = 0; part < count; part++)
            crew->sources[crew->source_count++] = (struct source){
                .device = device_info(ids[part]), .is_part = ids[part] != found[i]};
    }
    for (size_t i = 0; i < crew->source_count; i++) {
        struct source *source = &crew->sources[i];
        source->breaks = i == breaks;
        const cl_int status = source_open(source, options);
        for (int each = 0; each < WORKERS_EACH; each++) {
            struct worker *worker = &crew->workers[crew->worker_count++];
            worker->source = source;
            worker->status = status ? status : worker_open(worker);
        }
    }
    if (breaks != SIZE_MAX && breaks >= crew->source_count)
        die("there is no device %zu to break" HINT "they are 0 to %zu", breaks,
            crew->source_count - 1);
    return crew;
}

static void crew_close(struct crew *crew) {
    for (size_t i = 0; i < crew->worker_count; i++)
        worker_close(&crew->workers[i]);
    for (size_t i = 0; i < crew->source_count; i++) {
        if (crew->sources[i].program)
            clReleaseProgram(crew->sources[i].program);
        if (crew->sources[i].device.context)
            clReleaseContext(crew->sources[i].device.context);
        if (crew->sources[i].is_part)
            clReleaseDevice(crew->sources[i].device.id);
    }
    free(crew);
}

/* Who takes part, and how much of the text each has written. */
static void say_crew(struct report *report, const struct crew *crew) {
    for (size_t i = 0; i < crew->source_count; i++) {
        const struct worker *workers = &crew->workers[i * WORKERS_EACH];
        const struct device *device = &crew->sources[i].device;
        size_t lines = 0;
        for (int each = 0; each < WORKERS_EACH; each++)
            lines += workers[each].done;
        char written[64] = "";
        if (report->options->text)
            snprintf(written, sizeof written, ": %zu lines", lines);
        report_say(report, "device %zu, %u unit%s of %s%s", i, device->units,
                   device->units == 1 ? "" : "s", device->name, written);
    }
}

/* Who failed, and why. */
static void say_failed(struct report *report, const struct crew *crew) {
    for (size_t i = 0; i < crew->worker_count; i += WORKERS_EACH) {
        cl_int status = CL_SUCCESS;
        for (size_t each = 0; each < WORKERS_EACH && !status; each++)
            status = crew->workers[i + each].status;
        if (status)
            report_say(report, "device %zu failed: %s", i / WORKERS_EACH,
                       status_name(status));
    }
}

/* Each device alone, and all together, in turn. */
static void compare(struct report *report, struct crew *crew, cl_ulong first,
                    cl_ulong end, bool fetch) {
    enum { MOST_PAIRS = 51 };
    double samples_ms[MOST_SOURCES + 1][MOST_PAIRS];
    int pairs = report->options->repeats ? report->options->repeats : PAIRS;
    pairs = pairs < MOST_PAIRS ? pairs : MOST_PAIRS;
    const size_t all = crew->source_count;
    bool right[MOST_SOURCES + 1];
    const bool edges = crew_is_right(crew, first, end);
    for (int i = -1; i < pairs; i++) /* the first warms up */
        for (size_t s = 0; s <= all; s++) {
            const double before_ms = now_ms();
            const struct outcome outcome = crew_run(
                crew, s < all ? &crew->sources[s] : NULL, first, end, fetch, -1);
            samples_ms[s][i < 0 ? 0 : i] = now_ms() - before_ms;
            right[s] = edges && outcome.right && (i < 0 || right[s]);
            if (outcome.lost > 0) { /* then there is nothing to compare */
                report->wrong += !right[s];
                return;
            }
        }

    right[all] = right[all] && right_again(last_pieces_right(crew));
    struct row row = {.size = end - first, .bytes = (double)text_bytes(first, end)};
    struct ratio ratio = {0};
    for (size_t s = 0; s < all; s++) {
        const struct ratio gain = ratio_of(samples_ms[all], samples_ms[s], pairs);
        if (s == 0 || gain.median < ratio.median)
            ratio = gain;
    }
    for (size_t s = 0; s <= all; s++) {
        char variant[64];
        snprintf(variant, sizeof variant, s < all ? "device %zu%s" : "all %zu%s", s,
                 fetch ? ", to the host" : ", kept there");
        row.variant = variant;
        row.right = right[s];
        row.time = timing_of(samples_ms[s], pairs);
        report_row(report, row);
    }
    if (!fetch && all > 1)
        report_headline(report, "all devices against the best alone", ratio);
    else
        report_say(report, "%28s all against the best alone: %s", "",
                   in_words(ratio).text);
}

/* What the command line asks for, beside what every step has. */
struct wishes {
    cl_ulong first;
    size_t parts, breaks;
};

static struct wishes wishes_read(int argc, char **argv, struct options *options) {
    const char *first = "1", *from = NULL, *output = NULL, *split = NULL,
               *breaks = NULL;
    const struct own_option own[] = {
        {"first", "N", "the first line's number, 0 or 1 (1)", .text = &first},
        {"from", "N", "begin with line N instead", .text = &from},
        {"output", "WAY", "write: the text to stdout; none (write)", .text = &output},
        {"split", "N", "divide each CPU into N devices (2 if it is alone)",
         .text = &split},
        {"break", "N", "let device N fail, and see what happens", .text = &breaks}};
    *options = options_read_own(
        argc, argv,
        &(struct usage){
            .step = "step21_fizzbuzz_devices", .size = 20, .own = own, .own_count = 5});
    if (options->size > MOST)
        die("%zu lines are too many" HINT "at most %zu are possible", options->size,
            MOST);
    struct wishes wishes = {.first = option_number("--first", first, 0, 1),
                            .breaks = SIZE_MAX};
    if (from)
        wishes.first = option_number("--from", from, 0, MOST);
    if (split)
        wishes.parts = option_number("--split", split, 1, MOST_SOURCES);
    if (breaks)
        wishes.breaks = option_number("--break", breaks, 0, MOST_SOURCES - 1);
    if (!output)
        output = options->full ? "none" : "write";
    options->text = strcmp(output, "none") != 0;
    if (options->text && strcmp(output, "write") != 0)
        die("--output wants write or none, not '%s'" HINT
            "step 20 has more ways; devices do not change them",
            output);
    return wishes;
}

int main(int argc, char **argv) {
    struct options options;
    const struct wishes wishes = wishes_read(argc, argv, &options);
    const cl_ulong first = wishes.first, end = first + options.size;
    if (options.text)
        text_start();
    struct crew *crew = crew_open(&options, wishes.parts, wishes.breaks);
    struct device all = {.is_cpu = true};
    snprintf(all.name, sizeof all.name, "%zu device%s", crew->source_count,
             crew->source_count == 1 ? "" : "s");
    for (size_t i = 0; i < crew->source_count; i++)
        all.is_cpu = all.is_cpu && crew->sources[i].device.is_cpu;

    /* The text, once its edges are right on every device. */
    struct row row = {.variant = "text, by all", .size = options.size};
    struct outcome outcome = {.reads = true, .right = true};
    row.right = !options.text || crew_is_right(crew, first, end);
    if (options.text && row.right) {
        const double before_ms = now_ms();
        outcome = crew_run(crew, NULL, first, end, true, STDOUT_FILENO);
        row.time = timing_of(&(double){now_ms() - before_ms}, 1);
        row.bytes = (double)text_bytes(first, end);
        row.right = outcome.right;
    }
    if (!outcome.reads) { /* whoever read has seen enough */
        crew_close(crew);
        return RIGHT;
    }
    struct report report = report_start(&options, &all);
    if (options.text)
        report_row(&report, row);
    say_crew(&report, crew);

    /* The lesson: each alone, and all together.  A GPU can keep far more than it can
     * bring to the host. */
    if (!options.size_given) {
        const size_t lines = all.is_cpu ? LINES_ON_CPU : LINES;
        const size_t kept = all.is_cpu ? 2 * LINES_ON_CPU : LINES_KEPT;
        report_say(&report,
                   "\nBy the host's clock, %zu lines of 9 digits, or %zu of 12 "
                   "that are kept:",
                   lines, kept);
        compare(&report, crew, NINE_DIGITS, NINE_DIGITS + lines, true);
        compare(&report, crew, 1000 * NINE_DIGITS, 1000 * NINE_DIGITS + kept, false);
    } else if (!options.text && end > first) {
        compare(&report, crew, first, end, true);
        compare(&report, crew, first, end, false);
    }
    say_failed(&report, crew);
    crew_close(crew);
    return report_end(&report);
}
