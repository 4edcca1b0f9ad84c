#include "fizzbuzz/device_pool.h"
#include "check.h"

#include <stdio.h>

static void check_number(const struct pool *pool, size_t device, const char *what) {
    if (device != NO_DEVICE && device >= pool->count)
        die("there is no device %zu to %s" HINT "they are 0 to %zu", device, what,
            pool->count - 1);
}

void pool_open(struct pool *pool, const struct options *options, size_t parts,
               size_t each, const char *name, size_t breaks, size_t slow) {
    *pool = (struct pool){.each = each, .together = {.is_cpu = true}};
    pool->count = backends_open(pool->devices, options, parts);
    snprintf(pool->together.name, sizeof pool->together.name, "%zu device%s",
             pool->count, pool->count == 1 ? "" : "s");
    for (size_t i = 0; i < each * pool->count; i++) {
        const size_t device = i / each;
        struct writer *writer = &pool->workers[i].writer;
        writer->status = writer_open(writer, &pool->devices[device], name);
        writer->breaks = device == breaks;
        writer->slow = device == slow;
        pool->together.is_cpu &= pool->devices[device].device.is_cpu;
    }
    check_number(pool, breaks, "break");
    check_number(pool, slow, "slow down");
}

void pool_close(struct pool *pool) {
    for (size_t i = 0; i < pool->each * pool->count; i++)
        writer_close(&pool->workers[i].writer);
    backends_close(pool->devices, pool->count);
}

void pool_say(struct report *report, const struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        const struct device *device = &pool->devices[i].device;
        const struct worker *workers = &pool->workers[i * pool->each];
        cl_int status = CL_SUCCESS;
        size_t lines = 0;
        for (size_t w = 0; w < pool->each; w++) {
            status = status ? status : workers[w].writer.status;
            lines += workers[w].writer.lines;
        }
        report_say(report, "device %zu, %u unit%s of %s: %zu lines", i, device->units,
                   device->units == 1 ? "" : "s", device->name, lines);
        if (status != CL_SUCCESS)
            report_say(report, "device %zu failed: %s", i,
                       status == WRONG_TEXT ? "its text is wrong"
                                            : status_name(status));
    }
}

struct team pool_team(struct pool *pool, size_t device) {
    const bool all = device == pool->count;
    return (struct team){&pool->workers[all ? 0 : pool->each * device],
                         pool->each * (all ? pool->count : 1), pool->each};
}

bool team_try(struct team team, struct job job) {
    for (size_t i = 0; i < team.count; i += team.each) {
        struct writer *writer = &team.workers[i].writer;
        if (writer->status == CL_SUCCESS)
            writer->status = writer_try(writer, job.first, job.end, job.fetch);
        if (writer->status == WRONG_TEXT)
            return false;
    }
    return true;
}

void team_start(struct team team, void *(*work)(void *), void *shared) {
    for (struct worker *worker = team.workers; worker < team.workers + team.count;
         worker++) {
        worker->shared = shared;
        worker->writer.lines = 0;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            die("cannot start a thread" HINT "are too many running?");
    }
}

bool team_join(struct team team) {
    bool all_well = true;
    for (size_t i = 0; i < team.count; i++) {
        pthread_join(team.workers[i].thread, NULL);
        all_well = all_well && team.workers[i].writer.status == CL_SUCCESS;
    }
    return all_well;
}
