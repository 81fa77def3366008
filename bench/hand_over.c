#include "bench/hand_over.h"

#include "bench/measure.h"
#include "fast/tiles/renderer.h"

#include <string.h>

enum {
    MOST_PARTS = 1 << 15,
    MOST_THREADS = 65,
    /* Workers that sleep ask for that many times more work (struct fast_capacity). In a rehearsal they sleep all the
     * time, where otherwise the last hand-over has just woken them. */
    MORE_IF_ASLEEP = 12
};

/* A part of a draw: an item, or what lies before the first item of a hand-over, or after the last hand-over. */
struct part {
    bool is_item;
    double seconds; /* the least so far */
};

static struct {
    bool rehearses;
    bool fails;
    uint32_t threads;
    uint32_t draws;
    double last;               /* time of day, at the end of the last part */
    uint32_t next, part_count; /* part of the running draw; parts of a draw, once there was one */
    struct part parts[MOST_PARTS];
} stage;

/* The names that the linker makes. */
bool __real_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __real_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);
bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);

static void end_part(bool is_item)
{
    const double now = bench_seconds();
    const double seconds = now - stage.last;
    stage.last = now;
    if (stage.next == MOST_PARTS || (stage.draws > 0 && stage.parts[stage.next].is_item != is_item)) {
        stage.fails = true;
        return;
    }
    struct part *const part = &stage.parts[stage.next++];
    const bool is_least = stage.draws == 0 || seconds < part->seconds;
    *part = (struct part){ is_item, is_least ? seconds : part->seconds };
}

bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units)
{
    return __real_fast_workers_pay(workers, stage.rehearses ? units * MORE_IF_ASLEEP : units);
}

void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job)
{
    if (!stage.rehearses) {
        __real_fast_workers_run(workers, job);
        return;
    }
    end_part(false);
    for (uint32_t item = 0; item < job->items; item++) {
        job->run(job->context, item, 0u);
        end_part(true);
    }
}

/* The items of a hand-over from part `first` on, each to the thread that is free first: how long that takes. */
static double longest_thread(uint32_t first, uint32_t *end)
{
    double busy[MOST_THREADS] = { 0 };
    double longest = 0.0;
    for (*end = first; stage.parts[*end].is_item; ++*end) { /* the last part is none */
        uint32_t free = 0;
        for (uint32_t t = 1; t < stage.threads; t++)
            free = busy[t] < busy[free] ? t : free;
        busy[free] += stage.parts[*end].seconds;
        longest = busy[free] > longest ? busy[free] : longest;
    }
    return longest;
}

static void add_up(struct bench_hand_over *out)
{
    for (uint32_t i = 0; i < stage.part_count; i++) {
        out->work += stage.parts[i].seconds;
        out->alone += stage.parts[i].is_item ? 0.0 : stage.parts[i].seconds;
    }
    if (stage.fails)
        return;
    out->longest = out->alone;
    for (uint32_t i = 0; i < stage.part_count;) {
        uint32_t end = i + 1;
        if (stage.parts[i].is_item)
            out->longest += longest_thread(i, &end);
        i = end;
    }
}

static bool rehearse(bool (*draw)(void *context), void *context)
{
    stage.next = 0;
    stage.last = bench_seconds();
    if (!draw(context))
        return false;
    end_part(false);
    stage.fails = stage.fails || (stage.draws > 0 && stage.next != stage.part_count);
    stage.part_count = stage.next;
    stage.draws++;
    return true;
}

bool bench_hand_over_measure(bool (*draw)(void *context), void *context, uint32_t workers, double seconds,
                             struct bench_hand_over *out)
{
    const double end = bench_seconds() + seconds;
    bool good;
    *out = (struct bench_hand_over){ 0 };
    memset(&stage, 0, sizeof stage);
    stage.rehearses = true;
    stage.threads = workers < MOST_THREADS ? workers + 1u : MOST_THREADS;
    do
        good = rehearse(draw, context);
    while (good && bench_seconds() < end);
    stage.rehearses = false;
    add_up(out);
    return good;
}
