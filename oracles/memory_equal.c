#include "oracles/equal.h"

#include <string.h>

struct span {
    uint64_t bytes_compared;
    uint64_t bytes_different;
    uint32_t first, last; /* addresses of differing bytes */
    uint8_t first_a, first_b;
    uint64_t ranges; /* maximal runs of differing bytes */
};

static bool page_touched(const uint64_t *bitmap, uint32_t page)
{
    return bitmap == NULL || ((bitmap[page / 64] >> (page % 64)) & 1u) != 0;
}

static void compare_page(const uint8_t *a, const uint8_t *b, uint32_t address, struct span *span)
{
    span->bytes_compared += PICA_PAGE_SIZE;
    if (memcmp(a, b, PICA_PAGE_SIZE) == 0)
        return;
    for (uint32_t i = 0; i < PICA_PAGE_SIZE; i++) {
        if (a[i] == b[i])
            continue;
        if (span->bytes_different == 0) {
            span->first = address + i;
            span->first_a = a[i];
            span->first_b = b[i];
        }
        if (span->bytes_different == 0 || span->last + 1 != address + i)
            span->ranges++;
        span->last = address + i;
        span->bytes_different++;
    }
}

static void compare_window(const struct oracle_run *a, const struct oracle_run *b, uint32_t window, bool all,
                           struct span *span)
{
    const uint32_t pages = a->windows[window].size / PICA_PAGE_SIZE;
    for (uint32_t page = 0; page < pages; page++) {
        if (!all && !page_touched(a->touched[window], page) && !page_touched(b->touched[window], page))
            continue;
        if (!oracle_holds(a, window, page) || !oracle_holds(b, window, page))
            continue;
        const size_t offset = (size_t)page * PICA_PAGE_SIZE;
        compare_page(a->memory[window] + offset, b->memory[window] + offset,
                     a->windows[window].address + (uint32_t)offset, span);
    }
}

/* True if the GPU is known to have changed nothing: memory is what the CPU put there. */
bool oracle_changed_nothing(const struct oracle_run *run)
{
    for (uint32_t window = 0; window < run->window_count; window++)
        if (run->loaded[window] == NULL ||
            memcmp(run->loaded[window], run->memory[window], run->windows[window].size) != 0)
            return false;
    return true;
}

static void compare_memory(const struct oracle_run *a, const struct oracle_run *b, bool all,
                           struct oracle_report *report)
{
    struct span span = { 0 };
    struct oracle_scope scope;
    report->oracle = "memory_equal";
    oracle_scope_of_runs(a, b, &scope);
    if ((scope.parts & PICA_PART_MEMORY) == 0)
        return;
    for (uint32_t window = 0; window < a->window_count; window++)
        compare_window(a, b, window, all, &span);
    report->compared = span.bytes_compared;
    report->differences = span.bytes_different;
    report->first = span.first;
    if (span.bytes_different != 0) {
        report->verdict = ORACLE_DIVERGE;
        oracle_key(report, "memory");
        oracle_say(report,
                   "memory: %llu byte(s) differ in %llu range(s) of 0x%08X-0x%08X; first at 0x%08X: %s 0x%02X, %s "
                   "0x%02X\n",
                   (unsigned long long)span.bytes_different, (unsigned long long)span.ranges, (unsigned)span.first,
                   (unsigned)span.last, (unsigned)span.first, a->backend, (unsigned)span.first_a, b->backend,
                   (unsigned)span.first_b);
    } else if (span.bytes_compared == 0) {
        report->verdict = ORACLE_VACUOUS;
        oracle_say(report, "memory: no page was touched by either side, nothing was compared\n");
    } else if (oracle_changed_nothing(a) && oracle_changed_nothing(b)) {
        report->verdict = ORACLE_VACUOUS;
        oracle_say(report, "memory: the GPU changed no byte, the comparison proves nothing\n");
    }
}

void oracle_memory_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    compare_memory(a, b, false, report);
}

void oracle_memory_equal_slow(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    compare_memory(a, b, true, report);
}
