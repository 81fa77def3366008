#include "harness/interface/bench.h"

#include "harness/run/surroundings.h"

#include <stdio.h>

enum {
    LOADS = 1000,
    WARM_UP = 100,     /* loads after which memory should have found its size */
    MOST_GROWTH = 2048 /* KiB over the rest: 2 a load */
};

typedef bool (*digest_function)(struct interface_bench *bench, uint64_t *out);

/* The result of one twin: 0 if the plug-in does not take it, or dies of it. False if the check is over for another
 * reason. */
static bool digest_twin_by(struct interface_bench *bench, size_t index, bool changed, digest_function digest,
                           uint64_t *out)
{
    const uint32_t draw = (uint32_t)(2 * index + changed);
    *out = 0;
    if ((bench->deadly >> draw & 1u) != 0)
        return true;
    if (!interface_read_twin(bench, index, changed))
        return false;
    bench->said->drawing = draw + 1;
    const bool taken = digest(bench, out);
    bench->said->drawing = 0;
    if (taken)
        return true;
    if (bench->said->verdict != HARNESS_INTERFACE_NOT_TAKEN)
        return false;
    bench->said->verdict = HARNESS_INTERFACE_PASS; /* this twin; there are others */
    return true;
}

static bool digest_twin(struct interface_bench *bench, size_t index, bool changed, uint64_t *out)
{
    return digest_twin_by(bench, index, changed, interface_digest, out);
}

static const char *with(bool changed)
{
    return changed ? "with" : "without";
}

/* Of `tested` pairs: nothing can be said if none was taken. */
static void finish(struct interface_bench *bench, size_t tested)
{
    if (tested == 0)
        interface_no_draws(bench);
    interface_note(bench, "%zu of %zu pairs of draws", tested, interface_twin_count);
}

void check_twins(struct interface_bench *bench)
{
    size_t tested = 0, same = 0;
    char names[512] = "";
    for (size_t i = 0; i < interface_twin_count; i++) {
        uint64_t plain, changed;
        if (!digest_twin_by(bench, i, false, interface_picture, &plain) ||
            !digest_twin_by(bench, i, true, interface_picture, &changed))
            return;
        tested += plain != 0 && changed != 0;
        if (plain == 0 || plain != changed)
            continue;
        const size_t length = same == 0 ? 0 : (size_t)snprintf(NULL, 0, "%s", names);
        (void)snprintf(names + length, sizeof names - length, "%s%s", same == 0 ? "" : ", ", interface_twins[i].name);
        same++;
    }
    if (same > 0)
        interface_fail(bench, "%zu of %zu pairs of draws that differ leave the same picture: in %s", same, tested,
                       names);
    finish(bench, tested);
}

/* Each plain twin in an instance of its own: what it gives if nothing was before it. */
static bool digest_all(struct interface_bench *bench, uint64_t *plain)
{
    for (size_t i = 0; i < interface_twin_count; i++)
        if (!interface_renew(bench) || !digest_twin(bench, i, false, &plain[i]))
            return false;
    return true;
}

/* The changed twin sets what the plain one leaves at its reset value. */
void check_leaks(struct interface_bench *bench)
{
    uint64_t plain[INTERFACE_MOST_DIGESTS], changed, after;
    size_t tested = 0;
    if (!digest_all(bench, plain))
        return;
    for (size_t i = 0; i < interface_twin_count; i++) {
        if (!digest_twin(bench, i, true, &changed) || !digest_twin(bench, i, false, &after))
            return;
        tested += plain[i] != 0;
        if (plain[i] != after)
            interface_fail(bench,
                           "%s stays set for the next case: expected the result of a new instance, given another",
                           interface_twins[i].name);
    }
    finish(bench, tested);
}

/* What a sanitizer counts, which keeps memory that was freed. NULL without a sanitizer. */
__attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes(void);

/* KiB of this process that are in memory; 0 where that is not known. */
static size_t memory_kib(void)
{
    if (__sanitizer_get_current_allocated_bytes != NULL)
        return __sanitizer_get_current_allocated_bytes() / 1024;
    unsigned long total = 0, resident = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%lu %lu", &total, &resident) != 2)
            resident = 0;
        (void)fclose(file);
    }
    return (size_t)resident * (PICA_PAGE_SIZE / 1024);
}

/* In an order that comes back to each twin after every other one. */
void check_loads(struct interface_bench *bench)
{
    uint64_t expected[2][INTERFACE_MOST_DIGESTS], given;
    size_t before = 0, tested = 0;
    for (uint32_t i = 0; i < LOADS; i++) {
        const size_t twin = (size_t)(i * UINT32_C(7919) >> 3) % interface_twin_count;
        const bool changed = i % 2 != 0;
        if (!digest_twin(bench, twin, changed, &given))
            return;
        tested += given != 0;
        if (i == 0)
            for (size_t k = 0; k < interface_twin_count; k++)
                expected[0][k] = expected[1][k] = 0;
        if (expected[changed][twin] == 0)
            expected[changed][twin] = given;
        else if (expected[changed][twin] != given)
            interface_fail(bench, "load %u: the case about %s %s it gives another result than the first time",
                           (unsigned)i, interface_twins[twin].name, with(changed));
        if (i == WARM_UP)
            before = memory_kib();
    }
    const size_t after = memory_kib();
    if (after > before + MOST_GROWTH)
        interface_fail(bench, "memory grew from %zu to %zu KiB over %d loads: expected at most %d more", before, after,
                       LOADS - WARM_UP, MOST_GROWTH);
    if (tested == 0)
        interface_no_draws(bench);
    interface_note(bench, "%zu KiB in memory after %d, %zu after %d", before, WARM_UP, after, LOADS);
}

/* All twins one after the other; `what` goes into the complaint about one that gave something else before. */
static bool compare_all(struct interface_bench *bench, const uint64_t *before, const char *what)
{
    for (size_t i = 0; i < 2 * interface_twin_count; i++) {
        uint64_t digest;
        if (!digest_twin(bench, i / 2, i % 2 != 0, &digest))
            return false;
        if (digest != before[i])
            interface_fail(bench, "the case about %s %s it, %s: expected the same, given another result",
                           interface_twins[i / 2].name, with(i % 2 != 0), what);
    }
    return !interface_is_over(bench);
}

void check_surroundings(struct interface_bench *bench)
{
    uint64_t plain[INTERFACE_MOST_DIGESTS];
    char changed[160];
    if (!digest_all(bench, plain))
        return;
    harness_surroundings_changed(changed, sizeof changed);
    if (changed[0] != '\0')
        interface_fail(bench, "changed of the process that calls it: %s", changed);
}

/* Both draws of each twin. *tested: twins that were taken. False if the check is over. */
static bool digest_both(struct interface_bench *bench, uint64_t *out, size_t *tested)
{
    *tested = 0;
    for (size_t i = 0; i < 2 * interface_twin_count; i++) {
        if (!digest_twin(bench, i / 2, i % 2 != 0, &out[i]))
            return false;
        *tested += i % 2 == 0 && out[i] != 0;
    }
    return true;
}

void check_deterministic(struct interface_bench *bench)
{
    uint64_t first[2 * INTERFACE_MOST_DIGESTS];
    size_t tested;
    if (!digest_both(bench, first, &tested))
        return;
    if (compare_all(bench, first, "again") && interface_renew(bench))
        (void)compare_all(bench, first, "in a new instance");
    finish(bench, tested);
}

void check_fresh_process(struct interface_bench *bench)
{
    size_t tested;
    if (digest_both(bench, bench->said->digests, &tested))
        finish(bench, tested);
}
